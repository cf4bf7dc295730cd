"""What styled seeds find, and uniform entropy never does.

The targets are those of tests/bench/rare.c and plain.c.
"""

import frng

BENCH = frng.BUILD / "tests" / "bench"
EXAMPLES = frng.BUILD / "examples"

# Of each kind one; the medians of 20 seeds are 20 to 200 runs, the most is 1,500.
EDGES = ("counter1", "equal3", "divide1", "overflow3", "keys1", "limit3")
PLAIN = ("counter", "equal", "keys", "limit")
EQUAL = """#!/usr/bin/env python3
import struct, sys
data = sys.stdin.buffer.read(1 << 16)
numbers = struct.unpack(f"<{len(data) // 8}Q", data[:len(data) // 8 * 8])
assert len(set(numbers)) == len(numbers)
"""


class Styles(frng.Scenario):
    def style(self, name):
        """The program under the name of a test, by which it knows what to do."""
        link = self.folder / name
        if not link.exists():
            link.symlink_to(BENCH / ("plain" if name.startswith("plain-") else "rare"))
        return link

    def look(self, *arguments, seed=1):
        """A search for a rare failure; (size, seed) of what it found."""
        result = self.search("--rng-seed", seed, "--time", "60s", "--attempts", 25, *arguments)
        size, seed = self.assert_found(result)
        self.assertRegex(seed, r"\A\d+s\Z", str(result))  # uniform entropy has none
        return size, seed

    def first(self):
        """How many runs the first failure took, and its size."""
        events = frng.latest(self.folder / "events")
        return next((event["runs"], event["size"]) for event in events if event["event"] == "best")


class Search(Styles):
    def test_a_test_with_edges_duplicates_or_repetitions_fails_soon(self):
        for name in EDGES:
            for seed in (1, 2):
                self.look(self.style(name), "--json", self.folder / "events", seed=seed)
                runs, _ = self.first()
                self.assertLess(runs, 10000, name)

    def test_uniform_entropy_finds_none_of_these(self):
        for name in ("equal3", "keys1", "divide1"):
            result = self.search(self.style(name), "--rng-seed", 1, "--expand", "uniform",
                                 "--size-max", "4K", "--attempts", 400)
            self.assert_nothing_found(result)

    def test_a_plain_program_on_standard_input_fails_soon(self):
        for name in PLAIN:
            self.look(self.style(f"plain-{name}"), "--json", self.folder / "events")
            runs, _ = self.first()
            self.assertLess(runs, 10000, name)

    def test_a_program_in_another_language_fails_soon(self):
        equal = self.write("equal.py", EQUAL, executable=True)
        self.look(equal, "--attempts", 2, "--size-max", "64")

    def test_the_answer_is_the_same_with_any_number_of_jobs_and_in_every_mode(self):
        answers = {self.look(self.style("keys1"), "--mode", mode, "--jobs", jobs, "--size-max", "4K")
                   for mode in ("persistent", "fork", "spawn") for jobs in (1, 4)}
        self.assertEqual(len(answers), 1, answers)

    def test_a_failure_of_rare_repetitions_is_the_same_with_any_number_of_jobs(self):
        answers = set()
        for jobs in (1, 4):
            found = self.look(self.style("counter2"), "--jobs", jobs, "--json", self.folder / "events",
                              seed=3)
            answers.add((found, self.first()))
            (self.folder / "events").unlink()
        self.assertEqual(len(answers), 1, answers)

    def test_uniform_searches_do_not_depend_on_styles_and_keep_their_answers(self):
        for name, size, seed in (("ring", 97, "3090670133570451184"),
                                 ("cobs", 393, "10163253054720025795"),
                                 ("kvstore", 286, "15332657081866208631")):
            result = self.search(EXAMPLES / name, "--rng-seed", 3, "--expand", "uniform")
            self.assertEqual(self.assert_found(result), (size, seed), str(result))


class Replay(Styles):
    def test_findings_fail_again_in_every_mode_and_as_bytes(self):
        size, seed = self.look(self.style("keys1"))
        result = self.replay(self.style("keys1"), "--size", size, "--seed", seed)
        self.assert_exit(result, 1)
        dumped = self.replay("--size", size, "--seed", seed, "--dump")
        self.assertEqual(dumped.stdout_bytes, frng.expand(seed, size))
        path = self.write("input", dumped.stdout_bytes)
        self.assert_exit(self.replay(self.style("keys1"), "--input", path), 1)
        self.assert_exit(self.replay(self.style("keys1"), "--size", size, "--seed", seed[:-1]), 0)

    def test_a_reduction_begins_from_a_styled_seed(self):
        size, seed = self.look(self.style("equal1"))
        result = self.reduce(self.style("equal1"), "--size", size, "--seed", seed)
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r"\Asize=16 hex=0{32}\n\Z")


if __name__ == "__main__":
    frng.main()
