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
    def test_one_that_never_reads_and_passes_passes(self):
        self.assert_nothing_found(self.search("--attempts", 1, *frng.modes("exit", 0)))
        for path in ("/bin/true", "true"):
            self.assert_nothing_found(self.search("--attempts", 1, path))

    def test_one_that_reads_half_passes(self):
        self.assert_nothing_found(self.search(*SMALL, *frng.modes("half")))

    def test_one_that_closes_stdin_passes(self):
        self.assert_nothing_found(self.search(*SMALL, *frng.modes("closes")))

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
    def test_one_that_dies_of_a_signal_is_named_by_it(self):
        for name in DEADLY:
            with self.subTest(name=name):
                number = 16 if name == "STKFLT" else getattr(signal, f"SIG{name}")
                result = self.search(*SMALL, *frng.modes("signal", int(number)))
                self.assert_found(result, 0)
                self.assert_says(result, rf"signal:SIG{name}\b")

    def test_one_that_dies_of_a_realtime_signal_is_named_by_it(self):
        result = self.search(*SMALL, *frng.modes("signal", signal.SIGRTMIN + 3))
        self.assert_found(result, 0)
        self.assert_says(result, r"signal:SIGRTMIN\+3\b")

    def test_one_that_exits_with_a_code_is_named_by_it(self):
        for code in (1, 2, 3, 64, 77, 99, 124, 125, 126, 127, 128, 129, 134, 137, 139, 143, 255):
            with self.subTest(code=code):
                result = self.search(*SMALL, *frng.modes("exit", code))
                self.assert_found(result, 0)
                self.assert_says(result, rf"exit:{code}\b")

    def test_exit_0_is_a_pass_and_nothing_else_is(self):
        self.assert_nothing_found(self.search(*SMALL, *frng.modes("exit", 0)))

    def test_no_core_file_is_left(self):
        def allow_cores():
            _, hard = resource.getrlimit(resource.RLIMIT_CORE)
            resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

        self.assert_found(self.search(*SMALL, *frng.modes("signal", 6), preexec_fn=allow_cores), 0)
        self.assertEqual(list(self.folder.iterdir()), [])


class Hanging(frng.Scenario):
    def expect_timeout(self, mode):
        result = self.search("--timeout", "100ms", "--attempts", 1, "--size-max", 16,
                             "--findings", "found", *frng.modes(mode))
        self.assert_found(result, 0)
        self.assert_says(result, "timeout")
        stored = frng.findings(self.folder / "found")
        self.assertEqual({finding["identity"] for finding in stored.values()}, {"timeout"})

    def test_one_that_sleeps_is_a_timeout(self):
        self.expect_timeout("sleeps")

    def test_one_that_spins_is_a_timeout(self):
        self.expect_timeout("spins")

    def test_one_that_stops_itself_is_a_timeout(self):
        self.expect_timeout("stops")

    def test_one_that_ignores_signals_is_a_timeout(self):
        self.expect_timeout("ignores")

    @frng.long
    def test_one_that_hangs_from_n_bytes_on_ends_at_n(self):
        result = self.search("--timeout", "2s", "--attempts", 1, "--jobs", 2,
                             *frng.modes("hangs", 3))
        self.assert_found(result, 3)
        self.assert_says(result, "timeout")


class Dirt(frng.Scenario):
    def test_a_flood_does_not_change_the_result(self):
        self.assert_found(self.search("--attempts", 1, *frng.modes("flood", 2, 5)), 5)

    def test_a_flood_shows_a_terminal_nothing_that_it_would_obey(self):
        for loud in ([], ["--verbose"]):
            result = self.search(*loud, "--attempts", 1, *frng.modes("flood", 1, 5))
            self.assert_found(result, 5)
            self.assert_plain(result)
            self.assertLess(len(result.stderr), 100_000)

    def test_a_flood_into_json_and_findings_is_kept_small_and_well_formed(self):
        result = self.search("--attempts", 1, "--json", "events", "--findings", "found",
                             *frng.modes("flood", 1, 5))
        self.assert_found(result, 5)
        text = (self.folder / "events").read_text()
        self.assertTrue(frng.json_lines(text))
        self.assertLess(len(text), 1_000_000)
        found = frng.findings(self.folder / "found")
        self.assertTrue(found)
        for name in found:
            self.assertLess((self.folder / "found" / name).stat().st_size, 100_000)

    def test_a_flood_leaves_the_driver_small(self):
        result = self.search("--attempts", 1, "--size-max", "64K", *frng.modes("flood", 64, 5))
        self.assert_found(result, 5)
        largest_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(largest_kib, 64 * 1024)

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
