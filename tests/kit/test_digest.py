"""frng_digest: worlds that depend on more than their draws are reported."""

import re
import unittest

import frng

WORLDS = frng.BUILD / "tests" / "kit" / "kit-worlds"
SAYS = re.compile(r"the test is not deterministic: size (\d+), seed (\S+) differs in another process; ")


class Digest(frng.Scenario):
    def found(self, how, *options):
        result = self.search("--attempts", 300, "--size-max", 64, "--jobs", 1, "--json", "events",
                             *options, WORLDS, "--", how)
        events = frng.latest(self.folder / "events")
        (self.folder / "events").unlink()
        told = [e for e in events if e["event"] == "nondeterministic"]
        self.assertEqual(result.stderr.count("not deterministic"), len(told), str(result))
        self.assertLessEqual(len(told), 1)
        return result, told[0] if told else None

    def expect_difference(self, how, *options):
        result, told = self.found(how, *options)
        self.assert_exit(result, 0)
        self.assertIsNotNone(told, str(result))
        match = SAYS.search(result.stderr)
        self.assertIsNotNone(match, str(result))
        self.assertEqual((told["size"], told["seed"]), (int(match[1]), match[2]))

    def test_an_order_by_addresses_is_reported(self):
        for how in ("sorted", "hashed"):
            for mode in ("auto", "fork", "spawn"):
                self.expect_difference(how, "--mode", mode)

    def test_a_simulated_cluster_is_compared_by_itself(self):
        orders = frng.BUILD / "tests" / "kit" / "kit-orders"
        result = self.search("--attempts", 100, "--size-max", 256, "--jobs", 1, orders)
        self.assert_exit(result, 0)
        self.assertIn("not deterministic", result.stderr)
        result = self.search("--attempts", 300, "--jobs", 1, "--size-max", 256, orders, "--", "fixed")
        self.assert_exit(result, 0)
        self.assertNotIn("not deterministic", result.stderr)

    def test_turns_of_threads_are_compared_by_themselves(self):
        turns = frng.BUILD / "tests" / "kit" / "kit-turns"
        if not turns.exists():
            self.skipTest("frng_sched.h needs glibc")
        for how, differs in (("hashed", True), ("fixed", False)):
            result = self.search("--attempts", 100, "--size-max", 64, "--jobs", 1, turns, "--", how)
            self.assert_exit(result, 0)
            self.assertEqual("not deterministic" in result.stderr, differs, str(result))

    def test_memory_that_was_never_written_and_draws_by_addresses_are_reported(self):
        for how in ("stack", "heap", "draws"):
            self.expect_difference(how)

    def test_a_world_that_follows_from_its_draws_is_never_reported(self):
        for how in ("index", "content"):
            for mode in ("auto", "fork", "spawn"):
                result, told = self.found(how, "--mode", mode, "--time", "300ms")
                self.assert_exit(result, 0)
                self.assertIsNone(told)

    def test_a_failure_of_a_deterministic_world_is_not_reported_as_more(self):
        result, told = self.found("fails")
        self.assert_exit(result, 1)
        self.assertIsNone(told)

    def test_a_test_without_frng_digest_is_not_compared(self):
        _, told = self.found("silent")
        self.assertIsNone(told)

    def test_events_of_the_difference_go_into_a_report(self):
        self.search("--attempts", 300, "--size-max", 64, "--json", "events.jsonl", WORLDS, "--",
                    "hashed")
        page = self.run_tool(frng.REPORT, "events.jsonl")
        self.assert_exit(page, 0)
        self.assertNotIn("unknown", page.stderr)


if __name__ == "__main__":
    unittest.main()
