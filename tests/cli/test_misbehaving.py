"""Systems under test that misbehave: none hangs, breaks or dirties the search."""

import resource
import signal
import unittest

import frng

SMALL = ("--attempts", 2, "--size-max", 256)

# Those that end a process which does not handle them; SIGRTMIN..SIGRTMAX do as well.
DEADLY = ("HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT XCPU XFSZ "
          "VTALRM PROF PWR SYS").split()


class Reading(frng.Scenario):
    def test_one_that_reads_not_all_passes(self):
        for target in (frng.modes("exit", 0), ["/bin/true"], ["true"], frng.modes("half"), frng.modes("closes")):
            self.assert_nothing_found(self.search(*SMALL, *target))

    def test_one_that_truncates_its_input_is_searched_all_the_same(self):
        for length in (0, 1, 4096, 1 << 30):
            with self.subTest(length=length):
                result = self.search("--attempts", 5, *frng.modes("truncate", 41, length))
                self.assert_found(result, 41)
        result = self.search("--attempts", 1, *frng.modes("truncate", 100001, 0))
        self.assert_found(result, 100001)

    def test_one_that_overwrites_its_input_gets_fresh_bytes_in_the_next_run(self):
        for n in (41, 5000):
            # It knows what it wrote by 16 zeros, with which a styled seed can begin.
            result = self.search("--attempts", 5, "--expand", "uniform", *frng.modes("scribble", n))
            self.assert_found(result, n)
            self.assert_says(result, "exit:1")
            self.assertNotIn("exit:9", result.stderr)

    def test_one_that_seals_its_input_is_searched_all_the_same(self):
        self.assert_found(self.search("--attempts", 5, *frng.modes("seal", 41)), 41)


class Ending(frng.Scenario):
    def test_each_end_has_its_name(self):
        ends = [("signal", 16 if name == "STKFLT" else int(getattr(signal, f"SIG{name}")),
                 rf"signal:SIG{name}\b") for name in DEADLY]
        ends.append(("signal", signal.SIGRTMIN + 3, r"signal:SIGRTMIN\+3\b"))
        ends += [("exit", code, rf"exit:{code}\b") for code in (1, 2, 77, 99, 125, 127, 128, 139, 255)]
        for how, number, name in ends:
            with self.subTest(name=name):
                result = self.search(*SMALL, *frng.modes(how, number))
                self.assert_found(result, 0)
                self.assert_says(result, name)

    def test_no_core_file_is_left(self):
        def allow_cores():
            _, hard = resource.getrlimit(resource.RLIMIT_CORE)
            resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

        self.assert_found(self.search(*SMALL, *frng.modes("signal", 6), preexec_fn=allow_cores), 0)
        self.assertEqual(list(self.folder.iterdir()), [])


class Hanging(frng.Scenario):
    def expect_timeout(self, mode):
        result = self.search("--timeout", "100ms", "--attempts", 1, "--size-max", 16,
                             "--findings", mode, *frng.modes(mode))
        self.assert_found(result, 0)
        self.assert_says(result, "timeout")
        stored = frng.findings(self.folder / mode)
        self.assertEqual({finding["identity"] for finding in stored.values()}, {"timeout"})

    def test_one_that_never_ends_is_a_timeout(self):
        for mode in ("sleeps", "spins", "stops", "ignores"):
            with self.subTest(mode=mode):
                self.expect_timeout(mode)


class Dirt(frng.Scenario):
    def test_a_flood_is_all_shown_when_replayed(self):
        result = self.replay("--size", 5, "--seed", 1, *frng.modes("flood", 2, 5))
        self.assert_exit(result, 1)
        self.assertEqual(len(result.stdout_bytes), 1 << 20)


class Leaving(frng.Scenario):
    """What runs leave but for processes, of which test_stragglers.py tells."""

    def test_no_temporary_file_is_left(self):
        environment = {"TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir()
        self.search("--attempts", 2, frng.MODES, environment=environment)
        self.replay("--size", 41, "--seed", 1, frng.MODES, environment=environment)
        self.replay("--size", 41, "--seed", 1, "--wrap", "env", frng.SUTS / "sut-draws",
                    environment=environment)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tmp"])


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
