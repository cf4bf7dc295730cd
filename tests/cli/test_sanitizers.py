"""Targets built with sanitizers: the leaks that are found, and those that are not.

SPDX-License-Identifier: MIT
"""

import pathlib
import shutil
import subprocess
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = ("ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")


class Sanitized(frng.Scenario):
    def setUp(self):
        super().setUp()
        for name in OPTIONS:
            self.environment.pop(name, None)

    def build(self, compiler, flags, source, *more):
        """A program with sanitizers, or a skip that names what the compiler lacks."""
        if shutil.which(compiler) is None:
            self.skipTest(f"no {compiler}")
        program = self.folder / "target"
        command = [compiler, "-g", "-O1", "-fno-omit-frame-pointer", *flags.split(),
                   f"-I{SOURCE / 'frng'}", *more, str(source), "-o", str(program)]
        built = subprocess.run(command, stderr=subprocess.PIPE, check=False, text=True)
        if built.returncode != 0 and "sanitize" in built.stderr + flags:
            self.skipTest(f"{compiler} has no {flags}")
        return program


class Leaks(Sanitized):
    def leaks(self, leak, compiler="gcc", flags="-fsanitize=address"):
        leaky = self.build(compiler, flags, self.write("leak.c", """
            #include <stdlib.h>
            int main(void) { void *volatile p = malloc(3); p = NULL; return p != NULL; }"""))
        if self.run_tool(leaky, stdin=subprocess.DEVNULL).exit == 0:
            self.skipTest("no leak checker here")
        return self.build(compiler, flags, SOURCE / "tests" / "sut" / "leaks.c", f"-DLEAK={leak}")

    def search_leaks(self, program, *more, **others):
        return self.search(program, "--size-max", 4, "--rng-seed", 1, *more, **others)

    def expect_found(self, program, *more):
        result = self.search_leaks(program, "--attempts", 1000, "--reduce", *more)
        self.assert_exit(result, 1)
        self.assert_says(result, r"reduced: lsan:leak at leaks.c:16, \d -> 2 bytes",
                         "detected memory leaks", "leaks.c")
        self.assertNotIn("flaky", result.stderr)
        return result

    def expect_none(self, program, *more):
        result = self.search_leaks(program, *more)
        self.assert_nothing_found(result)
        self.assertNotIn("state", result.stderr)
        return result

    def test_a_leak_in_one_of_1000_runs_is_found_and_reduced(self):
        self.expect_found(self.leaks("RUN"))

    def test_a_leak_in_one_of_1000_runs_is_found_with_leak_sanitizer_alone(self):
        self.expect_found(self.leaks("RUN", flags="-fsanitize=leak"))

    def test_a_leak_is_found_in_a_program_of_clang(self):
        self.expect_found(self.leaks("RUN", "clang"))

    def test_a_leak_gives_one_answer_with_any_number_of_jobs(self):
        program = self.leaks("RUN")
        one, two = (self.search_leaks(program, "--attempts", 1000, "--jobs", jobs)
                    for jobs in (1, 2))
        self.assert_found(one)
        self.assertEqual(one.stdout, two.stdout)

    def test_a_leak_is_found_where_each_run_has_a_process(self):
        program = self.leaks("RUN")
        size, seed = self.assert_found(self.search_leaks(program, "--attempts", 1000), 2)
        for mode in ("fork", "spawn"):
            result = self.reduce(program, "--size", size, "--seed", seed, "--mode", mode)
            self.assert_exit(result, 1)
            self.assert_says(result, "detected memory leaks")

    def test_a_leak_at_the_start_is_no_finding(self):
        program = self.leaks("START")
        for mode in ("persistent", "fork", "spawn"):
            self.expect_none(program, "--mode", mode, "--attempts", 30)

    def test_a_leak_at_the_first_use_of_a_library_is_no_finding(self):
        program = self.leaks("LAZY")
        for mode in ("persistent", "fork", "spawn"):
            self.expect_none(program, "--mode", mode, "--attempts", 30)

    def test_blocks_that_runs_keep_are_no_leak(self):
        self.expect_none(self.leaks("KEPT"), "--attempts", 3000)

    def test_a_run_that_cannot_be_made_twice_has_passed(self):
        self.expect_none(self.leaks("ONCE"), "--attempts", 30, "--mode", "fork")
        self.expect_none(self.leaks("ONCE"), "--attempts", 30, "--mode", "spawn")

    def test_no_leak_is_looked_for_where_the_options_turn_that_off(self):
        result = self.search_leaks(self.leaks("RUN"), "--attempts", 3000,
                                   environment={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assert_nothing_found(result)


if __name__ == "__main__":
    unittest.main()
