"""--mode: a program has one answer however its runs are made, and whatever they do to the process,
the machine and the driver that made them."""

import itertools
import json
import resource
import shutil
import signal
import time
import unittest

import frng

DIRT = frng.SUTS / "sut-dirt"
LIAR = frng.SUTS / "sut-liar"
IN_PROCESS = frng.pathlib.Path(__file__).resolve().parents[1] / "sut" / "in_process.py"
EXAMPLES = frng.BUILD / "examples"
FAST = ("fork", "persistent")
ALL = ("spawn", *FAST)
SMALL = ("--attempts", 10, "--size-max", 64)
KEEPS_STATE = "keeps state between its runs"


def dirt(deed, needed, *arguments):
    return [DIRT, "--", deed, needed, *arguments]


def in_process(*arguments):
    return [IN_PROCESS, "--", *arguments]


def in_turn(deeds, modes=FAST):
    """Each deed in one of the modes: the driver does not know which deed it meets."""
    return list(zip(deeds, itertools.cycle(modes)))


class Modes(frng.Scenario):
    def course(self, mode, jobs, *arguments):
        """The result line, and what the last event tells that must not depend on the mode."""
        result = self.search("--rng-seed", 1, "--json", "events", "--mode", mode, "--jobs", jobs,
                             *arguments)
        done = frng.latest(self.folder / "events")[-1]
        same = {key: done.get(key) for key in ("outcome", "identity", "runs", "flaky")}
        return (result.exit, result.stdout, same), result

    def expect_same(self, *arguments, ways=(("fork", 2), ("persistent", 1), ("auto", 2))):
        """One course in all modes; answers the result of the last."""
        expected, result = self.course("spawn", 1, *arguments)
        for mode, jobs in ways:
            got, result = self.course(mode, jobs, *arguments)
            self.assertEqual(got, expected, str(result))
        return result

    def found_modes(self):
        """How runs were made at the beginning, and at the end."""
        events = frng.latest(self.folder / "events")
        return events[0]["mode"], events[-1]["mode"]


class Sameness(Modes):
    def test_programs_have_one_answer_in_every_mode(self):
        def expect(sut, options, size):
            self.assert_found(self.expect_same("--attempts", 10, *options, *sut), size)
        self.each(expect, [([EXAMPLES / "consensus"], ("--attempts", 3), None),
                           ([frng.SUTS / "sut-assert"], (), None),
                           (dirt("segv", 5), SMALL, 5), (dirt("floods", 5, 64), SMALL, 5)])
        result = self.expect_same("--attempts", 2, "--size-max", 8, *in_process("exits", 5),
                                  ways=(("persistent", 1), ("auto", 2)))
        self.assert_found(result, 5)

    def test_styled_seeds_are_the_same_runs_for_programs_that_do_not_know_them(self):
        options = ("--attempts", 10, "--size-max", "4K", "--expand", "both", frng.SUTS / "sut-before",
                   "--")
        expected, result = self.course("persistent", 1, *options, "nothing")
        self.assertRegex(result.stdout, r"seed=\d+s\n")

        def expect(unknown, mode):
            got, result = self.course(mode, 1, *options, unknown)
            self.assertEqual(got[:2], expected[:2], str(result))
            self.assertEqual(got[2]["runs"], expected[2]["runs"])
        self.each(expect, itertools.product(("styles", "styles,bytes"), ALL))

    def test_a_reduction_and_a_trace_in_process_are_those_of_spawn(self):
        for mode in ("spawn", "persistent"):
            result = self.reduce("--hex", "01ff", "--mode", mode, "--explain", "no",
                                 *in_process("sees"))
            self.assertEqual((result.exit, result.stdout), (1, "size=1 hex=fb\n"), str(result))
        result = self.replay("--hex", "0102fb", "--trace", *in_process("sees"))
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r"(?s)\b1\b.*\b2\b.*\b251\b", str(result))


class Endings(Modes):
    def test_each_way_to_fail_has_its_name(self):
        def expect(mode):
            result = self.search("--mode", mode, "--all", "--attempts", 40, "--size-max", 3,
                                 "--rng-seed", 1, "--json", "events", *dirt("any", 0))
            self.assert_exit(result, 1)
            failures = frng.latest(self.folder / "events")[-1]["failures"]
            names = {failure["identity"] for failure in failures}
            self.assertTrue(names & {"signal:SIGILL", "signal:SIGTRAP"}, names)
            self.assertEqual(names - {"signal:SIGILL", "signal:SIGTRAP"}, {
                "exit:3", "exit:4", "exit:5", "exit:7", "signal:SIGABRT", "signal:SIGSEGV",
                "signal:SIGKILL", "signal:SIGTERM"}, str(result))
        self.each(expect, [(mode,) for mode in ALL])

    def test_those_of_programs_that_make_runs_in_their_process(self):
        def expect(what, identity):
            result = self.search("--rng-seed", 1, "--attempts", 1, "--size-max", 4, "--jobs", 1,
                                 "--timeout", "1h", *in_process(what, 3))
            self.assert_found(result, 3)
            self.assert_says(result, f"fails with {identity}")
            self.assertNotIn("flaky", result.stderr)
        self.each(expect, [("closes-and-exits", "exit:3"), ("floods-and-exits", "exit:3"),
                           ("kills", "signal:SIGKILL")])

    def test_what_was_drawn_is_known_after_the_hardest_end(self):
        # 20 bytes are not found by bisection in so few runs.
        def expect(deed, mode):
            result = self.search("--attempts", 1, "--json", "events", "--mode", mode, "--rng-seed", 1,
                                 *dirt(deed, 20))
            self.assert_found(result, 20)
            self.assertLess(frng.latest(self.folder / "events")[-1]["runs"], 15, str(result))
        self.each(expect, itertools.product(("kills", "overflows"), FAST))

    def test_what_passes_passes(self):
        for deed, mode in itertools.product(("exit0", "leaves"), ALL):
            self.assert_nothing_found(self.search("--mode", mode, "--attempts", 5, "--size-max", 8,
                                                  *dirt(deed, 3)))

    def test_what_hangs_is_a_timeout(self):
        def expect(*sut):
            result = self.search("--timeout", "100ms", "--attempts", 1, "--size-max", 2, "--findings",
                                 "found", *sut)
            self.assert_found(result)
            self.assert_says(result, "timeout")
            stored = frng.findings(self.folder / "found")
            self.assertEqual({finding["identity"] for finding in stored.values()}, {"timeout"})
            shutil.rmtree(self.folder / "found")
        self.each(expect, [*(frng.modes(mode) for mode in ("sleeps", "spins", "stops", "ignores")),
                           *(dirt(deed, 1) for deed in ("spins", "stops", "ignores"))])


class State(Modes):
    """What a test keeps from run to run is said, once, and never taken for a failure."""

    def search_for_state(self, attempts, *arguments):
        """A search that looks for state with so many attempts, and with more if it saw none: how
        many runs share a process follows the clock, so on a busy machine there are few of them."""
        end = time.monotonic() + frng.PATIENCE_S
        while True:
            result = self.search("--rng-seed", 1, "--jobs", 1, "--json", "events", "--attempts",
                                 attempts, "--size-max", 8, "--timeout", "60s", *arguments)
            if KEEPS_STATE in result.stderr or time.monotonic() > end:
                self.assertEqual(result.stderr.count(KEEPS_STATE), 1, str(result))
                return result
            attempts = min(4 * attempts, 20000)

    def test_it_is_noticed(self):
        def expect(why, attempts, status, modes, sut):
            result = self.search_for_state(attempts, *sut)
            self.assert_exit(result, status)
            self.assertEqual(result.stdout, "", str(result))
            self.assert_says(result, why, "has a process of its own")
            self.assertEqual(self.found_modes(), modes)
        self.each(expect, [
            ("drew another count of bytes", 300, 0, FAST[::-1], dirt("counts-otherwise", 0)),
            ("made other draws", 300, 0, FAST[::-1], dirt("draws-otherwise", 0)),
            ("left a process behind", 50, 0, FAST[::-1], dirt("leaves-once", 0)),
            ("failed after other runs, and passes", 60, 3, ("persistent", "spawn"),
             in_process("once", 3))])

    def test_what_runs_take_away_from_later_ones_is_no_failure(self):
        def expect(mode, options, deed):
            result = self.search("--mode", mode, "--jobs", 1, "--json", "events", "--size-max", 1,
                                 *options, *dirt(deed, 0))
            self.assert_nothing_found(result)
            noticed = result.stderr.count(KEEPS_STATE) # a busy machine puts few runs in one process
            self.assertLessEqual(noticed, 1, str(result))
            if noticed:
                self.assert_says(result, "failed after other runs, and passes in a fresh process")
            self.assertEqual(self.found_modes()[1],
                             "fork" if noticed and mode == "auto" else "persistent")
        self.each(expect, [("persistent", ("--attempts", 1000), "leaks"),
                           ("auto", ("--attempts", 1000), "leaks"),
                           ("persistent", ("--timeout", "1s", "--attempts", 60), "leaks-and-hangs"),
                           ("auto", ("--memory", "32M", "--attempts", 300), "hoards")])

    def test_a_failure_that_never_repeats_is_no_finding(self):
        def expect(mode, jobs):
            # Of larger sizes runs would be given up: the one that failed may be one of these.
            result = self.search("--mode", mode, "--jobs", jobs, "--attempts", 10, "--size-max", 8,
                                 *dirt("once", 5, self.folder / f"mark-{mode}-{jobs}"))
            self.assertEqual((result.exit, result.stdout), (3, ""), str(result))
            self.assert_says(result, "inconclusive")
        self.each(expect, itertools.product(ALL, (1, 2)))

    def test_a_process_that_the_server_starts_is_its_own(self):
        result = self.search("--rng-seed", 1, "--jobs", 1, "--json", "events", "--size-max", 4,
                             "--attempts", 20, *in_process("helper"))
        self.assert_nothing_found(result)
        self.assertNotIn(KEEPS_STATE, result.stderr)
        self.assertEqual(self.found_modes(), ("persistent", "persistent"))


class Servers(Modes):
    """A server that lies, dies or starts no more costs time; nothing is made up, nothing is lost."""

    def test_a_lie_is_not_believed(self):
        def expect(lie, mode, *exits, attempts=2):
            result = self.search("--mode", mode, "--attempts", attempts, "--size-max", 2, "--timeout",
                                 "100ms", LIAR, "--", lie)
            self.assert_exit(result, *exits)
            self.assertEqual(result.stdout, "", str(result))
            self.assert_plain(result)
        self.each(lambda lie, mode: expect(lie, mode, 0), in_turn(
            ("hello-offset", "hello-twice", "hello-then-dies", "dies", "aborts", "dies-between",
             "hangs-up", "short", "long", "garbage", "done-twice", "count-more", "count-0", "count-less",
             "status-after-all", "leftover", "digest")))
        expect("hello-flags", "auto", 0, 2)  # it says that it cannot fork
        # Failures that no fresh process shows.
        self.each(lambda lie, mode: expect(lie, mode, 3, attempts=1), in_turn(
            ("fails", "site", "never", "busy")))

    def test_a_failure_is_found_in_spite_of_it(self):
        def expect(lie, mode):
            result = self.search("--mode", mode, "--attempts", 2, "--timeout", "5s", LIAR, "--", lie, 9)
            self.assert_found(result, 9)
            self.assert_says(result, r"\bexit:3\b")
        self.each(expect, in_turn(("dies", "hangs-up", "garbage", "count-0", "hello-twice",
                                   "hello-then-dies")))

    def test_what_a_run_does_to_descriptors_and_its_report_does_not_reach_the_driver(self):
        def expect(needed, mode, what, *argument):
            result = self.search("--mode", mode, *SMALL, *dirt(what, needed, *argument))
            if needed == 0:
                self.assert_nothing_found(result)
                return
            self.assert_found(result, 5)
            self.assert_says(result, r"\bsignal:SIGABRT\b")
            self.assertNotRegex(result.stderr, "exit:3|flaky")
        deeds = (("closes-all",), ("writes-to-all",), ("hangs-up",), ("empties-all",), ("answers", 0),
                 ("answers", 255), ("mortal",))
        self.each(expect, [(needed, mode, *deed) for needed in (0, 5) for deed, mode in in_turn(deeds)])
        # What spoils its report, and what fails in the first run of a process only.
        self.each(expect, [(5, mode, *deed) for deed, mode in in_turn(
            (("spoils", 0), ("spoils", 0x5a), ("spoils", 0xff), ("fails-first",), ("fails-first",)))])

    def test_what_a_run_makes_up_is_no_finding(self):
        def expect(mode, *sut):
            result = self.search("--mode", mode, *SMALL, *dirt(*sut))
            self.assert_exit(result, 0, 3)
            self.assertEqual(result.stdout, "", str(result))
        self.each(expect, [("fork", "forges", 0, 6), ("persistent", "forges", 0, 6)])

    def test_one_that_dies_or_starts_no_more_ends_no_search(self):
        for mode in FAST:
            self.assert_nothing_found(self.search("--mode", mode, "--attempts", 30, "--size-max", 2,
                                                  *dirt("kill-parent-at", 1, 7)))
        for count in (1, 2):
            (self.folder / "starts").unlink(missing_ok=True)
            self.assert_nothing_found(self.search("--jobs", 1, "--attempts", 5, "--size-max", 4,
                                                  *in_process("starts", count)))

    def test_many_runs_share_a_process_and_a_failure_costs_its_starts_only(self):
        starts = self.folder / "starts"
        result = self.search("--jobs", 1, "--attempts", 3000, "--size-max", 64, "--json", "events",
                             *in_process("starts", 1000))
        self.assert_nothing_found(result)
        self.assertLess(starts.stat().st_size, 30)
        starts.unlink()
        script = self.script("counted.sh", "# FRNG_DRIVER\nprintf + >>starts\n"
                                           f"exec {IN_PROCESS} exits 8\n")
        self.assert_found(self.search("--rng-seed", 1, "--jobs", 1, "--attempts", 300, "--json",
                                      "events", script), 8)
        done = frng.latest(self.folder / "events")[-1]
        self.assertGreater(done["runs"], 300)
        self.assertLess(starts.stat().st_size, done["reruns"] + 30)

    def test_signals_and_time_end_whatever_a_server_does(self):
        never = self.script("never", "# speaks FRNG_DRIVER\nsleep 1000\n")
        once = self.script("once", "# speaks FRNG_DRIVER\n[ -e started ] && exec sleep 1000\n"
                                   f": >started\nexec '{EXAMPLES}/ring'\n")

        def expect_time(*options):
            result = self.search("--timeout", "1h", "--time", "500ms", *options, timeout=30)
            self.assert_exit(result, 3)
            self.assertLess(result.seconds, 9, str(result)) # a fork server has 10 for its hello
            self.assert_says(result, "inconclusive: the run of 0 bytes had not ended")
        self.each(expect_time, [(never,), ("--mode", "fork", never), (once,)])

        def expect_signal(number, *command):
            process = self.start(frng.SEARCH, "--time", "1h", "--timeout", "1h", *command)
            self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 2))
            process.send_signal(number)
            self.assert_exit(self.ended(process, 30), -number)
        self.each(expect_signal, [(signal.SIGTERM, never), (signal.SIGINT, *in_process("passes", 9)),
                                  *((signal.SIGINT, "--mode", mode, *dirt("exit0", 1)) for mode in FAST)])

    def test_a_program_that_starts_slowly_has_two_seconds_for_its_hello(self):
        sut = self.script("slow", f"# speaks FRNG_DRIVER\nsleep 0.7\nexec '{EXAMPLES}/ring'\n")
        result = self.search("--mode", "fork", "--timeout", "200ms", "--attempts", 1,
                             "--containment", "subreaper", sut)
        self.assertNotIn("protocol", result.stderr, str(result))
        self.assert_exit(result, 0, 1)


class Dirt(Modes):
    """What runs do to their input, print, and leave."""

    def test_what_a_run_does_to_its_stdin_is_not_seen_by_the_next(self):
        def expect(size, *sut):
            result = self.search("--attempts", 5, "--expand", "uniform", *frng.modes(*sut))
            self.assert_found(result, size)
            self.assertNotIn("exit:9", result.stderr)  # it saw its own zeros
        self.each(expect, [(41, "truncate", 41, 0), (41, "truncate", 41, 1 << 30),
                           (41, "scribble", 41), (5000, "scribble", 5000), (41, "seal", 41)])

    def test_a_flood_does_not_get_into_json_and_findings(self):
        for mode in ALL:
            result = self.search("--mode", mode, "--attempts", 1, "--json", "events", "--findings",
                                 "found", *dirt("floods", 5, 1024))
            self.assert_found(result, 5)
            self.assert_plain(result)
            self.assertLess(len(result.stderr), 100_000)
            self.assertLess((self.folder / "events").stat().st_size, 1_000_000)
            found = frng.findings(self.folder / "found")
            self.assertTrue(found)
            self.assertLess(max(len(json.dumps(finding)) for finding in found.values()), 100_000)
            shutil.rmtree(self.folder / "found")
        result = self.replay("--size", 5, "--seed", 1, *frng.modes("flood", 2, 5))
        self.assertEqual((result.exit, len(result.stdout_bytes)), (1, 1 << 20))

    def test_no_file_is_left(self):
        def allow_cores():
            _, hard = resource.getrlimit(resource.RLIMIT_CORE)
            resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        (self.folder / "tmp").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "tmp")
        self.search("--attempts", 1, *frng.modes("signal", 6), preexec_fn=allow_cores)
        self.search("--attempts", 2, "--mode", "fork", *dirt("segv", 3), preexec_fn=allow_cores)
        self.replay("--size", 41, "--seed", 1, frng.MODES)
        self.replay("--size", 41, "--seed", 1, "--wrap", "env", frng.SUTS / "sut-compare")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["tmp"])


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
