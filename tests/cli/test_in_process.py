"""Programs that make their runs in their own process: they gain, and have the answers of spawn.

SPDX-License-Identifier: MIT
"""

import signal
import unittest

import frng

SOURCE = frng.pathlib.Path(__file__).resolve().parents[2]
SUT = SOURCE / "tests" / "sut" / "in_process.py"
KEEPS_STATE = "keeps state between its runs"
BATCH, GIVEN, NO_FORK = 2, 4, 256


def target(*arguments):
    return [SUT, "--", *arguments]


class InProcess(frng.Scenario):
    def course(self, mode, jobs, *arguments, **more):
        """The result line, and what the last event tells that must not depend on the mode."""
        result = self.search("--rng-seed", 1, "--json", "events", "--mode", mode, "--jobs", jobs,
                             *arguments, **more)
        done = frng.latest(self.folder / "events")[-1]
        same = {key: done.get(key) for key in ("outcome", "identity", "site", "runs", "flaky")}
        return (result.exit, result.stdout, same), result

    def starts(self):
        """How often the server has started, of targets that count that."""
        path = self.folder / "starts"
        return path.stat().st_size if path.exists() else 0


class Sameness(InProcess):
    def expect_same(self, *arguments, jobs=(1, 2), **more):
        expected, result = self.course("spawn", 2, *arguments, **more)
        for mode in ("persistent", "auto"):
            for count in jobs:
                with self.subTest(mode=mode, jobs=count):
                    got, result = self.course(mode, count, *arguments, **more)
                    self.assertEqual(got, expected, str(result))
        return result

    @frng.long
    @frng.unsanitized
    def test_the_number_of_jobs_changes_nothing(self):
        self.assert_found(self.expect_same("--attempts", 10, "--size-max", 16,
                                           *target("does", "exit3", 5)), 5)

    def test_a_reduction_is_that_of_spawn(self):
        results = {}
        for mode in ("spawn", "persistent"):
            result = self.reduce("--hex", "0102ff0405", "--mode", mode, "--explain", "no",
                                 *target("sees", "fail"))
            self.assert_exit(result, 1)
            results[mode] = result.stdout
        self.assertEqual(results, {mode: "size=1 hex=fb\n" for mode in results})

    def test_a_replay_traces_the_draws(self):
        result = self.replay("--hex", "0102fb", "--trace", *target("sees", "fail"))
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r"(?s)\b1\b.*\b2\b.*\b251\b", str(result))


class Endings(InProcess):
    SMALL = ("--attempts", 5, "--size-max", 8, "--jobs", 1, "--timeout", "5s")

    def expect(self, identity, *arguments, size=3, options=SMALL):
        with self.subTest(sut=arguments):
            result = self.search("--rng-seed", 1, *options, *target(*arguments))
            self.assert_found(result, size)
            self.assert_says(result, rf"fails with {identity}\b")
            self.assertNotIn("flaky", result.stderr)

    def test_each_way_to_fail_has_its_name(self):
        for what, identity in {"fail": "exit:1", "exit3": "exit:3", "close-and-exit3": "exit:3",
                               "flood-and-fail": "exit:1", "leave-and-fail": "exit:1"}.items():
            self.expect(identity, "does", what, 3)

    @frng.long
    @frng.unsanitized
    def test_each_signal_is_a_failure(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP,
                       signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGKILL, signal.SIGSEGV,
                       signal.SIGPIPE, signal.SIGALRM, signal.SIGTERM, signal.SIGXCPU,
                       signal.SIGXFSZ, signal.SIGSYS):
            self.expect(f"signal:{number.name}", "does", f"signal{int(number)}", 3,
                        options=("--attempts", 1, "--size-max", 3, "--jobs", 1))

    @frng.long
    @frng.unsanitized
    def test_memory_that_runs_out_is_judged_as_by_spawn(self):
        for mode in ("spawn", "persistent"):
            result = self.search("--mode", mode, "--attempts", 2, "--size-max", 4, "--memory",
                                 "512M", *target("does", "memory", 2))
            self.assert_exit(result, 3)
            self.assert_says(result, "inconclusive: memory")

    def test_a_signal_ends_the_search_and_its_servers(self):
        process = self.start(frng.SEARCH, "--attempts", 1000000, "--size-max", 64, "--jobs", 2,
                             *target("starts", 1000))
        self.assertTrue(frng.wait_until(lambda: self.starts() >= 2))
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(process.returncode, -signal.SIGINT, stderr)


class State(InProcess):
    def expect_noticed(self, *arguments):
        result = self.search("--rng-seed", 1, "--jobs", 1, "--json", "events", "--size-max", 8,
                             "--attempts", 60, *target(*arguments))
        self.assert_exit(result, 3)
        self.assertEqual(result.stdout, "", str(result))
        self.assertEqual(result.stderr.count(KEEPS_STATE), 1, str(result))
        self.assert_says(result, "failed after other runs, and passes",
                         "has a process of its own", "inconclusive: .* failed once")
        events = frng.latest(self.folder / "events")
        self.assertEqual((events[0]["mode"], events[-1]["mode"]), ("persistent", "spawn"))

    def test_a_process_left_behind_is_noticed(self):
        # The driver looks now and then: a search may end before that.
        for attempts in (20, 80, 320, 1280, 5120):
            result = self.search("--rng-seed", 1, "--jobs", 1, "--json", "events", "--size-max", 4,
                                 "--attempts", attempts, *target("does", "leave", 1))
            self.assert_nothing_found(result)
            if KEEPS_STATE in result.stderr:
                break
        self.assertEqual(result.stderr.count(KEEPS_STATE), 1, str(result))
        self.assert_says(result, "left a process behind")
        self.assertEqual(frng.latest(self.folder / "events")[-1]["mode"], "spawn")

    def test_a_process_that_the_server_starts_is_its_own(self):
        result = self.search("--rng-seed", 1, "--jobs", 1, "--json", "events", "--size-max", 4,
                             "--attempts", 20, *target("serves", "after-a-helper"))
        self.assert_nothing_found(result)
        self.assertNotIn(KEEPS_STATE, result.stderr)
        self.assertEqual(frng.latest(self.folder / "events")[-1]["mode"], "persistent")

    def test_a_failure_that_does_not_repeat_is_doubted_at_once_and_counts(self):
        self.expect_noticed("once")

    def test_fork_is_refused_in_one_line(self):
        for tool in ((frng.SEARCH,), (frng.REDUCE, "--hex", "00")):
            result = self.run_tool(*tool, "--mode", "fork", *target("pass"))
            self.assert_one_line(result, 2, "makes its runs in its own process",
                                 "--mode persistent or spawn")
        result = self.search("--mode", "persistent", *target("pass"),
                             environment={"FRNG_ABLE": str(NO_FORK | GIVEN)})
        self.assert_one_line(result, 2, "makes its runs in its own process; say --mode spawn")


class Misbehaviour(InProcess):
    """A server that does not keep to the protocol costs time, and no more."""

    def test_a_server_that_dies_between_orders(self):
        result = self.search("--rng-seed", 1, "--jobs", 1, "--attempts", 5, "--size-max", 2,
                             *target("serves", "after-death"))
        self.assert_nothing_found(result)

    def test_a_server_that_starts_no_more(self):
        for count in (1, 2):
            with self.subTest(count=count):
                (self.folder / "starts").unlink(missing_ok=True)
                result = self.search("--rng-seed", 1, "--jobs", 1, "--attempts", 5, "--size-max", 4,
                                     *target("starts", count))
                self.assert_nothing_found(result)


class Economy(InProcess):
    def test_many_runs_share_a_process(self):
        result = self.search("--jobs", 1, "--attempts", 3000, "--size-max", 64, "--json", "events",
                             *target("starts", 1000))
        self.assert_nothing_found(result)
        self.assertGreater(frng.latest(self.folder / "events")[-1]["runs"], 3000)
        self.assertLess(self.starts(), 30)

    def test_a_failure_costs_its_starts_only(self):
        script = self.script("counted.sh", "# FRNG_DRIVER\nprintf + >>starts\n"
                                           f"exec {SUT} does fail 8\n")
        result = self.search("--rng-seed", 1, "--jobs", 1, "--attempts", 300, "--json", "events",
                             script)
        self.assert_found(result, 8)
        done = frng.latest(self.folder / "events")[-1]
        self.assertGreater(done["runs"], 300)
        self.assertLess(self.starts(), done["reruns"] + 30)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
