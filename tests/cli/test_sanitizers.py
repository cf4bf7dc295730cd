"""Targets built with sanitizers: the leaks that are found, and those that are not.

SPDX-License-Identifier: MIT
"""

import pathlib
import shutil
import subprocess
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
OVERFLOW = """
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
        volatile char *text = malloc(8); /* clang drops stores that nobody reads */
        int size = 0;
        while (getchar() != EOF) text[size++] = 1;
        free((void *)text);
        return 0;
    }
"""
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

class Sites(Sanitized):
    @frng.long
    def test_a_report_of_address_sanitizer_has_its_kind_and_line(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                sut = self.build(compiler, "-fsanitize=address", self.write("sut.c", OVERFLOW))
                result = self.search(sut, "--attempts", 5, "--rng-seed", 1, "--json", "events")
                self.assert_exit(result, 1)
                self.assertEqual(frng.latest(self.folder / "events")[-1]["site"],
                                 "asan:heap-buffer-overflow at sut.c:7")
                self.assert_says(result, r"failure  asan:heap-buffer-overflow at ",
                                 "SUMMARY: AddressSanitizer")


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
        self.assert_says(result, r"reduced: lsan:leak at leaks.c:20, \d -> 2 bytes",
                         "detected memory leaks", "leaks.c")
        self.assertNotIn("flaky", result.stderr)
        return result

    def expect_none(self, program, *more):
        result = self.search_leaks(program, *more)
        self.assert_nothing_found(result)
        self.assertNotIn("state", result.stderr)
        return result

    @frng.long
    def test_a_leak_in_one_of_1000_runs_is_found_and_reduced(self):
        self.expect_found(self.leaks("RUN"))

    @frng.long
    def test_a_leak_in_one_of_1000_runs_is_found_with_leak_sanitizer_alone(self):
        self.expect_found(self.leaks("RUN", flags="-fsanitize=leak"))

    @frng.long
    def test_a_leak_is_found_in_a_program_of_clang(self):
        self.expect_found(self.leaks("RUN", "clang"))

    @frng.long
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

    @frng.long
    def test_a_leak_at_the_start_is_no_finding(self):
        program = self.leaks("START")
        for mode in ("persistent", "fork", "spawn"):
            self.expect_none(program, "--mode", mode, "--attempts", 30)

    @frng.long
    def test_a_leak_at_the_first_use_of_a_library_is_no_finding(self):
        program = self.leaks("LAZY")
        for mode in ("persistent", "fork", "spawn"):
            self.expect_none(program, "--mode", mode, "--attempts", 30)

    @frng.long
    def test_a_leak_of_a_thread_is_found(self):
        program = self.leaks("THREAD")
        for result in (self.search_leaks(program, "--attempts", 1000),
                       self.replay(program, "--hex", "cc01")):
            self.assert_exit(result, 1)
            self.assert_says(result, "detected memory leaks", r"leaks\.c:20")
            self.assertNotIn("before any run", result.stderr)

    @frng.long
    def test_a_leak_at_the_first_use_of_a_thread_is_no_finding(self):
        self.expect_none(self.leaks("LAZY_THREAD"), "--attempts", 1000)

    @frng.long
    def test_a_replay_sees_the_leaks_that_a_search_sees(self):
        for leak, expected in (("START", 0), ("LAZY", 0), ("RUN", 1)):
            program = self.leaks(leak)
            result = self.replay(program, "--hex", "cc01")
            self.assert_exit(result, expected)
            if expected == 1:
                self.assert_says(result, "may leak", "detected memory leaks")

    @frng.long
    def test_blocks_that_runs_keep_are_no_leak(self):
        self.expect_none(self.leaks("KEPT"), "--attempts", 3000)

    @frng.long
    def test_a_run_that_cannot_be_made_twice_has_passed(self):
        self.expect_none(self.leaks("ONCE"), "--attempts", 30, "--mode", "fork")
        self.expect_none(self.leaks("ONCE"), "--attempts", 30, "--mode", "spawn")

    @frng.long
    def test_no_leak_is_looked_for_where_the_options_turn_that_off(self):
        result = self.search_leaks(self.leaks("RUN"), "--attempts", 3000,
                                   environment={"ASAN_OPTIONS": "detect_leaks=0"})
        self.assert_nothing_found(result)


class Symbols(Sanitized):
    def crash(self, compiler="gcc", flags="-fsanitize=address,undefined"):
        return self.build(compiler, flags, self.write("crash.c", """
            #include "frng_main.h"
            static bool test(frng *f) {
                uint8_t x;
                char *block = malloc(10);
                unsigned large = 0;
                bool is_read = false;
                while (frng_u8(f, &x) && !is_read) is_read = (large += x > 200) > 2 && block[x] > 0;
                free(block);
                return true;
            }
            FRNG_MAIN(test)
            """))

    @frng.long
    def test_what_a_person_reads_names_functions_and_lines(self):
        for compiler in ("gcc", "clang"):
            result = self.search(self.crash(compiler), "--rng-seed", 1, "--reduce", "--verbose")
            self.assert_exit(result, 1)
            summaries = [line for line in result.stderr.splitlines() if "SUMMARY" in line]
            self.assertEqual(len(summaries), 2, str(result))
            for summary in summaries:
                self.assertRegex(summary, r"heap-buffer-overflow .*crash\.c:8", str(result))
            self.assert_says(result, "adds symbolize=0", "asan:heap-buffer-overflow at crash.c:8")
            self.assertNotRegex(result.stderr, r"at target\+0x", str(result))

    @frng.long
    def test_symbols_may_take_longer_than_a_run(self):
        real = shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-14")
        if real is None:
            self.skipTest("no llvm-symbolizer")
        slow = self.script("llvm-symbolizer", f'sleep 1.5; exec {real} "$@"')
        result = self.search(self.crash("clang"), "--rng-seed", 1, "--attempts", 1, "--timeout",
                             "1s", environment={"ASAN_SYMBOLIZER_PATH": str(slow)})
        self.assert_exit(result, 1)
        self.assert_says(result, "asan:heap-buffer-overflow at crash.c:8",
                         r"SUMMARY: [^\n]*crash\.c:8")
        self.assertNotIn("flaky", result.stderr)

    @frng.long
    def test_options_of_the_user_come_first(self):
        program = self.script("target", 'echo "A=$ASAN_OPTIONS U=$UBSAN_OPTIONS"; exit 3')
        result = self.search(program, "--verbose")
        self.assert_says(result, "A= U=\n")
        self.assertNotIn("symbolize", result.stderr)
        crash = self.crash()
        chosen = self.search(crash, "--verbose", "--attempts", 1, "--rng-seed", 1,
                             environment={"ASAN_OPTIONS": "symbolize=0"})
        self.assert_says(chosen, "leaves the options of sanitizers", r"SUMMARY: [^\n]*target\+0x")
        kept = self.search(crash, "--verbose", "--attempts", 1, "--rng-seed", 1,
                           environment={"ASAN_OPTIONS": "exitcode=42"})
        self.assert_says(kept, "adds symbolize=0", "exit:42", r"SUMMARY: [^\n]*crash\.c:8")

load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
