"""frng_digest: worlds that depend on more than their draws are reported, with the draw."""

import re
import unittest

import frng

WORLDS = frng.BUILD / "tests" / "kit" / "kit-worlds"
SAYS = re.compile(r"the test is not deterministic: size (\d+), seed (\S+) in another process "
                  r"(.*) draw (\d+) at offset (\d+), \"(who|more)\"; it has said \"at (\d+) ms ")


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
        size, seed, _, draw, offset, note, time = match.groups()
        self.assertEqual((told["size"], told["seed"]), (int(size), seed))
        self.assertEqual((told["draw"], told["offset"], told["note"]),
                         (int(draw), int(offset), note))
        self.assertIn(f"at {time} ms", told["said"])
        self.assertGreaterEqual(told["draw"], 4, "until then all is the same")
        return told

    def test_an_order_by_addresses_is_reported_with_its_draw_and_time(self):
        for how in ("sorted", "hashed"):
            for mode in ("auto", "fork", "spawn"):
                told = self.expect_difference(how, "--mode", mode)
                self.assertEqual(told["differs"], "state")
                self.assertGreaterEqual(int(re.match("at (\\d+) ms", told["said"])[1]), 30)

    def test_a_simulated_cluster_is_compared_by_itself(self):
        orders = frng.BUILD / "tests" / "kit" / "kit-orders"
        result = self.search("--attempts", 100, "--size-max", 256, "--jobs", 1, orders)
        self.assert_exit(result, 0)
        self.assertRegex(result.stderr, r"not deterministic: .* it has said \" *\d+\.\d{3} ms  S")
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

    def test_memory_that_was_never_written_is_reported(self):
        for how in ("stack", "heap"):
            self.assertEqual(self.expect_difference(how)["differs"], "state")

    def test_a_draw_that_depends_on_an_address_is_reported(self):
        # or a state, if entropy runs out at the draw
        self.assertIn(self.expect_difference("draws")["differs"], ("draw", "state"))

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
