"""frng_lin.h: the example of its page, as a reader copies it."""

import os
import re
import shutil
import unittest

import frng

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LANGUAGES = {"cc": ["-std=c11"], "c++": ["-std=c++11", "-x", "c++"]}


class Page(frng.Scenario):
    def build(self, compiler):
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        with open(os.path.join(ROOT, "driver", "man", "frng_lin.3"), encoding="utf-8") as page:
            found = re.search(r"^#include <frng_lin.h>$.*^FRNG_MAIN\(test\)$", page.read(), re.M | re.S)
        self.write("page.c", found[0] + "\n")
        self.assert_exit(self.run_tool(compiler, "-g", *LANGUAGES[compiler], "-Wall", "-Wextra",
                                       "-Wpedantic", "-Werror", "-I" + os.path.join(ROOT, "frng"),
                                       "-o", "page", "page.c"), 0)
        return "./page"

    def test_the_example_finds_a_stale_read_and_says_the_order(self):
        for compiler in LANGUAGES:
            program = self.build(compiler)
            result = self.search("--rng-seed", 1, "--jobs", 1, "--reduce", program)
            self.assert_exit(result, 1)
            reduced = re.search(r"^size=9 hex=([0-9a-f]+)$", result.stdout, re.M)
            self.assertIsNotNone(reduced, result)
            trace = self.replay("--trace", "--hex", reduced[1], program)
            self.assertIn("NO: after client 0 puts 1, client 1 puts 2: client 0 gets 1",
                          trace.stderr)
            said = [line[8:] for line in trace.stdout.split("\n") if line.startswith("      > ")]
            self.assertEqual(said, ["order 1: client 0 puts 1", "order 2: client 1 puts 2",
                                    "order 3 cannot be: client 0 gets 1"])


if __name__ == "__main__":
    unittest.main()
