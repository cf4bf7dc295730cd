"""A Raft in virtual time (examples/raft.c): five bugs, each found, reduced and told by its trace."""

import re
import unittest

from kit import EXAMPLES, KIT, Kit

LOST = r"S\d leads term \d+ without entry \d+ of term \d+, which was committed in term \d+"

# What an assertion says when a bug is found, and what the story before it must have in it.
BUGS = {
    1: (r"S\d and S\d both lead term \d+", "crashes S"),
    2: (LOST, "commits entry"),
    3: (LOST, "commits entry"),
    4: (r"S\d and S\d both lead term \d+|" + LOST, "votes for"),
    5: (r"S\d and S\d hold entry|S\d applies write|S\d overwrites", "stores entry"),
}
# Twice the least sizes known, since a search of a second and its reduction seldom get there.
SIZES = {1: 16, 2: 24, 3: 14, 4: 18, 5: 14}


class Raft(Kit):
    def expect_story(self, bug):
        target = KIT / f"kit-raft-{bug}"
        least = self.least(target, "--rng-seed", 3, "--attempts", 500, "--size-max", 4096)
        said, told = BUGS[bug]
        self.assertLessEqual(least.stat().st_size, SIZES[bug])
        result, story = self.story(target, "--input", least)
        self.assert_says(result, said)
        self.assertRegex("\n".join(story), told)
        for line in story:
            self.assertRegex(line, r"^ *\d+\.\d{3} ms  (S\d|network) ")
        self.assertTrue(any(re.search(r"S\d +leads term \d+", line) for line in story), story)

    def test_a_vote_that_a_crash_forgets_elects_two_leaders(self):
        self.expect_story(1)

    def test_an_entry_of_an_old_term_is_committed_and_lost_as_in_figure_8(self):
        self.expect_story(2)

    def test_a_vote_for_a_shorter_log_loses_what_was_committed(self):
        self.expect_story(3)

    def test_stale_votes_elect_two_leaders(self):
        self.expect_story(4)

    def test_entries_after_a_gap_make_logs_differ(self):
        self.expect_story(5)

    def test_the_example_has_the_bug_of_figure_8(self):
        found = self.search("-j1", "--rng-seed", 1, EXAMPLES / "raft")
        self.assert_found(found)
        self.assert_says(found, BUGS[2][0])

    def test_without_bugs_three_and_five_nodes_pass_and_make_progress(self):
        for target in (EXAMPLES / "raft-fixed", KIT / "kit-raft-five"):
            for size, attempts in ((64, 2000), (4096, 50)):
                result = self.search("-j1", "--rng-seed", 5, "--attempts", attempts, "--size-max",
                                     size, target)
                self.assert_nothing_found(result)


if __name__ == "__main__":
    unittest.main()
