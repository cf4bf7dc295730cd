"""Failures that leave behind what changes later runs of their process: a reduction lets a process
go on after a failure, and must announce what it announces where each failure ends its process. A
wait for the time limit would outlast the patience for a tool.
SPDX-License-Identifier: MIT
"""
# parts: 2

import pathlib
import re
import subprocess

import frng


class Leftovers(frng.Scenario):
    SUT = str(frng.SUTS / "sut-hostile")

    def reduced(self, start, deed, no_jump):
        result = self.reduce(self.SUT, *start, "--timeout", "200s", "--jobs", 1, "--", deed,
                             environment={"FRNG_NO_JUMP": no_jump})
        text = re.sub(r" \(call \d+\)|\(\d+ runs\)", "", result.stderr)
        self.assertNotIn("flaky", text)
        return result.exit, result.stdout, [line for line in text.splitlines() if not re.search("effort|starts|calls [|]", line)]

    def searched(self, deed, no_jump, jobs=1, *more):
        """A search in which that failure is ignored, or a test that returns false."""
        ignored = ("--ignore", "signal:SIGABRT at hostile.c:" + self.last_line(), "--ignore", "exit:1")
        result = self.search(self.SUT, "--rng-seed", 3, "--attempts", 600, "--size-max", 16, "--timeout", "200s",
                             "--jobs", jobs, *ignored, *more, "--", deed, environment={"FRNG_NO_JUMP": no_jump})
        # A line of progress, "size 16 | best none | ...", comes after ten seconds.
        said = [line for line in result.stderr.splitlines() if not re.search("effort|reruns|[|] best ", line)]
        return result.exit, result.stdout, said

    @staticmethod
    def last_line():
        lines = pathlib.Path(__file__).parents[1].joinpath("sut", "hostile.c").read_text().splitlines()
        return str(max(i for i, line in enumerate(lines, 1) if "FRNG_ASSERT(drawn <= BAD);" in line))

    def check_search(self, deed):
        expected = self.searched(deed, "1")
        self.assertEqual(self.searched(deed, "0"), expected)
        if deed == "plain":  # without isolation violations it is the same for any number of jobs
            self.assertEqual(self.searched(deed, "0", 3), expected)

    def check(self, deed):
        start = ("--hex", "73f26ce601aa01bb01cc01dd01ee00")
        self.assertEqual(self.reduced(start, deed, "0"), self.reduced(start, deed, "1"))

    def test_they_change_nothing_that_is_announced(self):
        deeds = subprocess.run([self.SUT, "--list"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        self.assertGreater(len(deeds), 20)
        self.each(self.check, [(deed,) for deed in deeds])

    def test_known_failures_change_nothing_that_a_search_says(self):
        deeds = subprocess.run([self.SUT, "--list"], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        left_out = ("labels", "assumes", "forks-on", "ends-server")  # whose runs are counted by luck
        self.each(self.check_search, [(deed,) for deed in deeds if deed not in left_out])

    def test_a_search_that_begins_again_finds_the_same(self):
        """Where known failures were counted in vain, all that it found before is forgotten."""
        ends = [self.searched("assumes", off, jobs, "--attempts", 200, "--size-max", 64)
                for off, jobs in (("1", 1), ("0", 1), ("0", 3))]
        for exit, stdout, said in ends:
            self.assertEqual((exit, stdout), ends[0][:2], said)
            self.assertEqual(said[-10:], ends[0][2][-10:])

    @frng.long
    def test_known_failures_end_no_process(self):
        wanted = ("--require", "after a failure:20%")
        self.assertEqual([self.searched("labels", off, 1, *wanted)[0] for off in ("0", "1")], [0, 3])
