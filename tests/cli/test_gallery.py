"""The gallery: libraries as Debian ships them, and the bugs that frng finds in them.

SPDX-License-Identifier: MIT
"""
# suites: long

import os
import re
import resource
import shutil

import frng

GALLERY = frng.pathlib.Path(__file__).resolve().parents[2] / "examples" / "gallery"
LIMIT_S = 20 * frng.SLOWER

# name, library, bug, runs, seconds, size, reduced, libFuzzer, AFL++, upstream
ROW = re.compile(r"^\| \[(\w+)\]\((\w+)\.md\) \|" + r" ([^|]*) \|" * 9 + "$", re.MULTILINE)
RUNS = re.compile(r"(\d+)( \\\*)?")  # the mark: any tool finds it
ANY_TOOL_RUNS = 16
UPSTREAM = re.compile(r"(?:there|open|not found out|fixed(?: in part| in \d+| after [\d.]+)?)"
                      r"(?:: [\w/.-]+#(\d+)|; no report found)")
ROWS = {match[0]: match[2:] for match in ROW.findall((GALLERY / "README.md").read_text("utf-8"))}


class Gallery(frng.Scenario):
    def story(self, *arguments, **environment):
        """The script with the tools of this build; it may install nothing."""
        return self.run_tool("sh", GALLERY / "gallery.sh", "--no-install", *arguments, environment={
            "FRNG_BUILD": str(frng.BUILD), "GALLERY_LIMIT_S": str(frng.PATIENCE_S), **environment})

    def test_each_entry_has_a_test_a_page_a_row_and_names_its_package(self):
        sources = sorted([*GALLERY.glob("*.c"), *GALLERY.glob("*.cc")])
        names = [source.stem for source in sources]
        self.assertEqual(sorted(names), sorted({page.stem for page in GALLERY.glob("*.md")} - {"README"}))
        self.assertEqual(sorted(names), sorted(ROWS))
        for source in sources:
            with self.subTest(source.name):
                head = source.read_text("utf-8").split("*/")[0]
                page = (GALLERY / f"{source.stem}.md").read_text("utf-8")
                for key in ("Library", "Bug", "Packages"):
                    self.assertRegex(head, rf"(?m)^ \* {key}: \S")
                package = re.search(r"(?m)^ \* Packages: (\S+)", head)[1]
                self.assertIn(package, page)
                self.assertIn(package, ROWS[source.stem][0])
                self.assertIn(f"gallery.sh {source.stem}", page)
        listed = self.story("--list").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], sorted(ROWS))

    def test_each_row_tells_of_its_runs_and_of_upstream(self):
        for name, cells in ROWS.items():
            with self.subTest(name):
                runs, mark = RUNS.fullmatch(cells[2]).groups()
                self.assertEqual(mark is not None, int(runs) <= ANY_TOOL_RUNS)
                upstream = UPSTREAM.fullmatch(cells[8])
                self.assertIsNotNone(upstream, cells[8])
                if upstream[1]:
                    page = (GALLERY / f"{name}.md").read_text("utf-8")
                    self.assertRegex(page, rf"(?:issues/|pull/|id=){upstream[1]}\b")

    def test_what_cannot_be_told_is_said_in_one_line(self):
        self.assert_one_line(self.story("no_such_entry"), 2, "no entry is called no_such_entry")
        self.script("dpkg-query", "exit 1\n")
        self.assert_one_line(
            self.story("glibc_printf", PATH=f"{self.folder}:{os.environ['PATH']}"), 77,
            r"\Agallery: glibc_printf is skipped; missing package: libc6-dev\n\Z")

    # ---- Stories; their packages are in .ci/run ----

    def check(self, name):
        """The bug is found and reduced in time, to the size in the table and to what the page shows."""
        if shutil.which("dpkg-query") is None:
            self.skipTest(f"{name}: this is no Debian")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = self.story(name)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if told.exit == 77:
            self.skipTest(told.stderr.strip())
        self.assert_exit(told, 0)
        # seconds of a processor, which on a busy machine are fewer than those of the clock
        spent_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(spent_s, LIMIT_S, told.stdout)
        reduced = re.search(r"^reduced: .* -> (\d+) bytes$", told.stdout, re.MULTILINE)
        self.assertEqual(reduced[1], ROWS[name][5], told.stdout)
        page = (GALLERY / f"{name}.md").read_text("utf-8")
        shown = re.search(r"^\$ (frng-replay .* --hex [0-9a-f]+ --trace\n.*?)```", page, re.M | re.S)
        for line in shown[1].replace("...\n", "").splitlines():
            self.assertIn(f"{line}\n", told.stdout)

    @frng.long
    def test_the_bug_of_each_page_is_found_and_reduced(self):
        for name in ("cmark", "glibc_fmemopen", "glibc_printf", "libbsd_humanize", "libcbor", "libconfuse",
                     "libedit", "libfyaml", "libtommath", "libvterm", "libyaml", "libzip", "popt"):
            with self.subTest(name):
                self.check(name)

    def test_a_quick_one_too(self):
        self.check("uriparser")
