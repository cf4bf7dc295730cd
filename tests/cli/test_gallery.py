"""The gallery: libraries as Debian ships them, and the bugs that frng finds in them.

SPDX-License-Identifier: MIT
"""

import os
import re
import resource
import shutil
import subprocess
import unittest

import frng

GALLERY = frng.pathlib.Path(__file__).resolve().parents[2] / "examples" / "gallery"
SCRIPT = GALLERY / "gallery.sh"
LIMIT_S = 20

# name, library, bug, runs, seconds, size, reduced, libFuzzer, AFL++
ROW = re.compile(r"^\| \[(\w+)\]\((\w+)\.md\) \|" + r" ([^|]*) \|" * 8 + "$", re.MULTILINE)


def rows():
    """{name: [library, bug, runs, seconds, size, reduced, libFuzzer, AFL++]}"""
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    return {match[0]: list(match[2:]) for match in ROW.findall(page)}


def head_of(source):
    return source.read_text(encoding="utf-8").split("*/")[0]


def story(*arguments, **environment):
    """The script with the tools of this build; it may install nothing."""
    return subprocess.run(["sh", str(SCRIPT), "--no-install", *arguments], text=True,
                          capture_output=True, check=False, timeout=frng.PATIENCE_S,
                          stdin=subprocess.DEVNULL,
                          env={**os.environ, "FRNG_BUILD": str(frng.BUILD),
                               "GALLERY_LIMIT_S": str(frng.PATIENCE_S), **environment})


def spent_s():
    """Seconds of a processor that children have had. On a busy machine it is less than the clock's."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Entries(unittest.TestCase):
    def test_each_entry_has_a_test_a_page_a_row_and_names_its_package(self):
        sources = sorted([*GALLERY.glob("*.c"), *GALLERY.glob("*.cc")])
        names = {source.stem for source in sources}
        self.assertEqual(len(names), len(sources))
        self.assertEqual(names, {page.stem for page in GALLERY.glob("*.md")} - {"README"})
        self.assertEqual(names, set(rows()))
        for source in sources:
            with self.subTest(source.name):
                for key in ("Library", "Bug", "Packages"):
                    self.assertRegex(head_of(source), rf"(?m)^ \* {key}: \S")
                package = re.search(r"(?m)^ \* Packages: (\S+)", head_of(source))[1]
                page = (GALLERY / f"{source.stem}.md").read_text(encoding="utf-8")
                self.assertIn(package, page)
                self.assertIn(package, rows()[source.stem][0])
                self.assertIn(f"gallery.sh {source.stem}", page)

    def test_the_list_names_each_entry_with_its_packages(self):
        listed = story("--list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertEqual([line.split()[0] for line in listed.stdout.splitlines()], sorted(rows()))

    def test_a_name_that_is_no_entry_is_refused(self):
        refused = story("no_such_entry")
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("no entry is called no_such_entry", refused.stderr)
        self.assertEqual(len(refused.stderr.splitlines()), 1)

    def test_a_missing_package_is_named_and_skips_the_entry(self):
        folder = frng.pathlib.Path(frng.tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "dpkg-query").write_text("#!/bin/sh\nexit 1\n")
        (folder / "dpkg-query").chmod(0o755)
        skipped = story("glibc_printf", PATH=f"{folder}:{os.environ['PATH']}")
        self.assertEqual(skipped.returncode, 77, skipped.stdout + skipped.stderr)
        self.assertEqual(skipped.stderr,
                         "gallery: glibc_printf is skipped; missing package: libc6-dev\n")


class Stories(unittest.TestCase):
    """Three of them; their packages are in .ci/run."""

    def check(self, name, words):
        """The bug is found and reduced in time, to the size in the table and to these words."""
        if shutil.which("dpkg-query") is None:
            self.skipTest(f"{name}: this is no Debian")
        started = spent_s()
        told = story(name)
        seconds = spent_s() - started
        if told.returncode == 77:
            self.skipTest(told.stderr.strip())
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        self.assertLess(seconds, LIMIT_S, told.stdout)
        reduced = re.search(r"^reduced: .* -> (\d+) bytes$", told.stdout, re.MULTILINE)
        self.assertEqual(reduced[1], rows()[name][5], told.stdout)
        trace = told.stdout.split("--trace\n")[1]
        self.assertIn(words, trace)
        hexadecimal = re.search(r"--hex ([0-9a-f]+) --trace$", told.stdout, re.MULTILINE)[1]
        page = (GALLERY / f"{name}.md").read_text(encoding="utf-8")
        self.assertIn(f"--hex {hexadecimal} --trace\n", page)

    @frng.long
    def test_printf_of_glibc_prints_a_digit_less_than_asked_for(self):
        self.check("glibc_printf", "%#.2g of 99.5 prints 1.e+02, not 1.0e+02")

    def test_uriparser_makes_a_reference_that_leads_elsewhere(self):
        self.check("uriparser", "from s://h/a to s://h/a/a by 'a', which resolves to s://h/a")

    @frng.long
    def test_libtommath_says_that_a_root_of_0_is_1(self):
        self.check("libtommath", "the root 2 of 0 is 1, says libtommath")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
