"""A Raft in virtual time (examples/raft.c): five bugs, each found, reduced and told by its trace."""

import re

import frng
from kit import EXAMPLES, KIT, ROOT, Kit

LOST = r"S\d leads term \d+ without entry \d+ of term \d+, which was committed in term \d+"

# What an assertion says when a bug is found, what the story before it must have in it, and twice the
# least size known, since a search of a second and its reduction seldom get there.
BUGS = {
    # a vote that a crash forgets elects two leaders
    1: (r"S\d and S\d both lead term \d+", "crashes S", 16),
    # an entry of an old term is committed and lost, as in figure 8
    2: (LOST, "commits entry", 24),
    # a vote for a shorter log loses what was committed
    3: (LOST, "commits entry", 14),
    # stale votes elect two leaders
    4: (r"S\d and S\d both lead term \d+|" + LOST, "votes for", 18),
    # entries after a gap make logs differ
    5: (r"S\d and S\d hold entry|S\d applies write|S\d overwrites", "stores entry", 14),
}


class Raft(Kit):
    def expect_story(self, bug, said, told, size_max):
        target = KIT / f"kit-raft-{bug}" if bug != 2 else EXAMPLES / "raft"
        least = self.least(target, "--rng-seed", 3, "--attempts", 500, "--size-max", 4096)
        self.assertLessEqual(least.stat().st_size, size_max)
        result, story = self.story(target, "--input", least)
        self.assert_says(result, said)
        self.assertRegex("\n".join(story), told)
        for line in story:
            self.assertRegex(line, r"^ *\d+\.\d{3} ms  (S\d|network) ")
        self.assertTrue(any(re.search(r"S\d +leads term \d+", line) for line in story), story)

    def test_each_bug_is_found_reduced_and_told(self):
        self.each(self.expect_story, [(bug, *row) for bug, row in BUGS.items()])

    @frng.long
    def test_figure_8_is_found_in_libraft_of_debian(self):
        source = ROOT / "examples" / "libraft.c"
        built = self.run_tool("cc", "-g", "-O1", "-I", ROOT / "frng", "-o", "libraft", source, "-lraft")
        if built.exit != 0:
            self.skipTest("libraft-dev is not installed")
        size, seed = self.assert_found(self.search("-j1", "--rng-seed", 1, "./libraft"))
        result, story = self.story("./libraft", "--size", size, "--seed", seed)
        self.assert_says(result, r"S\d applies write \d+ as number \d+, where write \d+ was")
        self.assertRegex("\n".join(story), r"S\d -> S\d append, 1 ms")

    @frng.long
    def test_bugs_of_libraft_are_found_one_at_a_time(self):
        result = self.run_tool("sh", ROOT / "examples" / "libraft.sh", 2, 5)
        if result.exit == 77:
            self.skipTest("libraft-dev is not installed")
        self.assert_exit(result, 0)
        self.assertEqual(len(re.findall(r"^\d: size=\d+, first in run", result.stdout, re.M)), 2)

    def test_without_bugs_three_and_five_nodes_pass_and_make_progress(self):
        for target in (EXAMPLES / "raft-fixed", KIT / "kit-raft-five"):
            for size, attempts in ((64, 2000), (4096, 50)):
                result = self.search("-j1", "--rng-seed", 5, "--attempts", attempts, "--size-max",
                                     size, target)
                self.assert_nothing_found(result)
