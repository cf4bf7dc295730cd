"""The sites of failures, which the tools find in the output of a run.

SPDX-License-Identifier: MIT
"""

import stat
import subprocess
import sys
import textwrap
import unittest

import frng

# Two bugs that end alike, at one of two lines by the first byte.
TWO_ASSERTIONS = """
    #include <assert.h>
    #include <stdio.h>
    int main(void) {
        int c = getchar();
        if (c == EOF) return 0;
        assert(c < 128);
        assert(getchar() == EOF || c > 100);
        return 0;
    }
"""
OVERFLOW = """
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
        char *text = malloc(8);
        int size = 0;
        while (getchar() != EOF) text[size++] = 1;
        free(text);
        return 0;
    }
"""
RAISES = """
    import sys
    def first(data):
        raise ValueError(f"{len(data)} bytes")
    def second(data):
        raise KeyError(data)
    data = sys.stdin.buffer.read()
    if len(data) == 4: second(data)
    if len(data) >= 3: first(data)
"""


class Sites(frng.Scenario):
    def build(self, source, *options, compiler="cc", name="sut"):
        path = self.folder / f"{name}.{'cc' if compiler.endswith('++') else 'c'}"
        path.write_text(textwrap.dedent(source))
        command = [compiler, "-g", "-w", *options, "-o", self.folder / name, path]
        built = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if built.returncode != 0:
            self.skipTest(f"{compiler} {' '.join(options)}: {built.stderr[-300:]}")
        return self.folder / name

    def script(self, source, name="sut.py"):
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\n" + textwrap.dedent(source))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def searched(self, sut, *options, attempts=5):
        """The report of a search that finds something, and its last event."""
        events = self.folder / "events.jsonl"
        result = self.search("--attempts", attempts, "--rng-seed", 1, "--json", events,
                             "--findings", self.folder / "found", *options, sut)
        self.assert_exit(result, 1)
        return result, frng.json_lines(events.read_text())[-1]


class InTheOutput(Sites):
    def test_an_assertion_of_c_has_its_line(self):
        result, done = self.searched(self.build(TWO_ASSERTIONS))
        self.assertEqual((done["identity"], done["site"]), ("signal:SIGABRT", "sut.c:7"))
        self.assert_says(result, r"\n  failure  signal:SIGABRT at sut\.c:7\n")
        sites = {finding["site"] for finding in frng.findings(self.folder / "found").values()}
        self.assertEqual(sites, {"sut.c:7"})

    def test_a_report_of_address_sanitizer_has_its_kind_and_line(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                sut = self.build(OVERFLOW, "-fsanitize=address", compiler=compiler, name=compiler)
                result, done = self.searched(sut)
                self.assertEqual(done["site"], f"asan:heap-buffer-overflow at {compiler}.c:7")
                self.assert_says(result, r"failure  asan:heap-buffer-overflow at ",
                                 "SUMMARY: AddressSanitizer")

    def test_an_uncaught_exception_of_cpp_has_its_type(self):
        sut = self.build("""
            #include <cstdio>
            #include <vector>
            int main() { return std::vector<int>(1).at(getchar() == EOF ? 0 : 5); }
        """, compiler="g++")
        result, done = self.searched(sut)
        self.assertEqual((done["identity"], done["site"]), ("signal:SIGABRT", "std::out_of_range"))

    def test_an_exception_of_python_has_its_type_and_line(self):
        result, done = self.searched(self.script(RAISES))
        self.assertEqual((done["identity"], done["site"]),
                         ("exit:1", "python:ValueError at sut.py:5"))
        self.assert_says(result, r"fails with python:KeyError at sut\.py:7: size \d+, seed ",
                         r"also     python:KeyError at sut\.py:7 at size \d+")

    def test_a_trap_without_a_word_has_no_site(self):
        sut = self.build("#include <stdio.h>\nint main(void) "
                         "{ if (getchar() != EOF) __builtin_trap(); return 0; }")
        result, done = self.searched(sut)
        self.assertIsNone(done["site"])
        self.assertNotIn("\n  failure", result.stderr)

    def test_a_hang_has_no_site_whatever_it_printed(self):
        sut = self.script("""
            import sys, time
            if sys.stdin.read(1):
                print("a.c:3:4: runtime error: division by zero", flush=True)
                time.sleep(60)
        """)
        _, done = self.searched(sut, "--timeout", "500ms", attempts=2)
        self.assertEqual((done["identity"], done["site"]), ("timeout", None))


if __name__ == "__main__":
    unittest.main()
