"""What the scenarios of this folder share."""

import pathlib
import re
import shutil

import frng

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = frng.BUILD / "examples"
KIT = frng.BUILD / "tests" / "kit"
SAID = r"^ *(?:>|\d+\. (?:fault|deviation)) ( *\S.*)$"
LANGUAGES = {"cc": ["-std=c11"], "c++": ["-std=c++11", "-x", "c++"]}


class Kit(frng.Scenario):
    def story(self, target, *entropy, status=1):
        """A replay with its trace, and the lines that the test said."""
        result = self.replay("--trace", *entropy, target)
        self.assert_exit(result, status)
        return result, re.findall(SAID, result.stdout, re.M)

    def shown(self, name, entropy):
        """The trace of an example whose page shows it, but for some of the messages."""
        result, lines = self.story(EXAMPLES / name, "--hex", entropy)
        page = (ROOT / "examples" / f"{name}.md").read_text(encoding="utf-8")
        self.assertIn(entropy, page)
        said = [line.strip() for line in lines]
        shown = [line.strip() for line in re.findall(SAID, page, re.M)]
        self.assertEqual([line for line in said if line in shown or " -> " not in line], shown)
        return result

    def least(self, target, *options):
        """A file with what a search and a reduction end with."""
        size, seed = self.assert_found(self.search("-j1", *options, target))
        self.assert_exit(self.reduce("-j1", "--explain", "no", "--size", size, "--seed", seed,
                                     "--output", "least", target), 1)
        return self.folder / "least"

    def page(self, name, size):
        """The text of a page, and for each language what its example is reduced to: a trace."""
        text = (ROOT / "driver" / "man" / f"{name}.3").read_text(encoding="utf-8")
        source = re.search(r"^#include <frng_\w+.h>$.*^FRNG_MAIN\(test\)$", text, re.M | re.S)[0]
        self.assertLessEqual(len(source.split("\n")), 60)
        self.write("page.c", source + "\n")
        for compiler in filter(shutil.which, LANGUAGES):
            self.assert_exit(self.run_tool(
                compiler, "-g", *LANGUAGES[compiler], "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                "-I", ROOT / "frng", "-o", "page", "page.c"), 0)
            result = self.search("--rng-seed", 1, "--jobs", 1, "--reduce", "./page")
            self.assert_exit(result, 1)
            reduced = re.search(rf"^size={size} hex=([0-9a-f]+)$", result.stdout, re.M)
            self.assertIsNotNone(reduced, str(result))
            yield text, *self.story("./page", "--hex", reduced[1])
