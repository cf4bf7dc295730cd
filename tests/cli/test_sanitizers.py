"""Targets built with sanitizers: the leaks that are found, those that are not, and what reports say.

SPDX-License-Identifier: MIT
"""
# parts: 1, 2 long

import pathlib
import shutil
import subprocess

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LEAK = "#include <stdlib.h>\nint main(void) { void *volatile p = malloc(3); p = NULL; return p != NULL; }"
CRASH = """
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
"""
MODES = [["--mode", mode] for mode in ("persistent", "fork", "spawn")]
BUILT = {} # programs by how they are built, or None: each is compiled once


class Sanitized(frng.Scenario):
    def setUp(self):
        super().setUp()
        for name in ("ASAN", "LSAN", "MSAN", "TSAN", "UBSAN"):
            self.environment.pop(f"{name}_OPTIONS", None)

    def build(self, compiler, flags, source, *more):
        """A program with sanitizers, or a skip that names what the compiler lacks."""
        if shutil.which(compiler) is None:
            self.skipTest(f"no {compiler}")
        program = self.folder / "target"
        command = [compiler, "-g", "-O0", "-fno-omit-frame-pointer", f"-fsanitize={flags}",
                   f"-I{SOURCE / 'frng'}", *more, "-o", str(program)]
        how = (compiler, flags, source.name, *more)
        if how not in BUILT:
            built = subprocess.run([*command, str(source)], stderr=subprocess.PIPE, check=False)
            BUILT[how] = program.read_bytes() if built.returncode == 0 else None
        if BUILT[how] is None:
            self.skipTest(f"{compiler} has no -fsanitize={flags}")
        program.unlink(missing_ok=True) # it may be running
        program.write_bytes(BUILT[how])
        program.chmod(0o755)
        return program

    def leaky(self, leak, compiler="gcc", flags="address"):
        checked = self.build(compiler, flags, self.write("leak.c", LEAK))
        if self.run_tool(checked).exit == 0:
            self.skipTest("no leak checker here")
        return self.build(compiler, flags, SOURCE / "tests" / "sut" / "leaks.c", f"-DLEAK={leak}")


class Leaks(Sanitized):
    def search_leaks(self, program, *more, **others):
        return self.search(program, "--size-max", 4, "--rng-seed", 1, *more, **others)

    def expect_none(self, leak, *ways, environment=None):
        program = self.leaky(leak)
        for way in ways:
            with self.subTest(leak=leak, way=way):
                result = self.search_leaks(program, *way, environment=environment)
                self.assert_nothing_found(result)
                self.assertNotIn("state", result.stderr)

    def test_a_leak_is_found_where_each_run_has_a_process(self):
        program = self.leaky("RUN")
        size, seed = self.assert_found(self.search_leaks(program, "--attempts", 1000), 2)
        for mode in ("fork", "spawn"):
            result = self.reduce(program, "--size", size, "--seed", seed, "--mode", mode)
            self.assert_exit(result, 1)
            self.assert_says(result, "detected memory leaks")

    @frng.long
    def test_a_leak_in_one_of_1000_runs_is_found_and_reduced(self):
        for build in (["gcc"], ["gcc", "leak"], ["clang"]):
            with self.subTest(build=build):
                program = self.leaky("RUN", *build)
                one = self.search_leaks(program, "--attempts", 1000, "--reduce", "--jobs", 1)
                two = self.search_leaks(program, "--attempts", 1000, "--jobs", 2)
                self.assert_exit(one, 1)
                self.assert_says(one, r"reduced: lsan:leak at leaks.c:20, \d -> 2 bytes",
                                 "detected memory leaks")
                self.assertNotIn("flaky", one.stderr)
                self.assertEqual(one.stdout.splitlines()[0], two.stdout.strip())

    @frng.long
    def test_a_leak_of_a_thread_is_found(self):
        program = self.leaky("THREAD")
        for result in (self.search_leaks(program, "--attempts", 1000),
                       self.replay(program, "--hex", "cc01")):
            self.assert_exit(result, 1)
            self.assert_says(result, "detected memory leaks", r"leaks\.c:20")
            self.assertNotIn("before any run", result.stderr)

    @frng.long
    def test_what_no_run_leaks_is_no_finding(self):
        for leak in ("START", "LAZY"):
            self.expect_none(leak, *([*mode, "--attempts", 30] for mode in MODES))
            self.assert_exit(self.replay(self.folder / "target", "--hex", "cc01"), 0)
        self.expect_none("LAZY_THREAD", ["--attempts", 1000])
        self.expect_none("KEPT", ["--attempts", 3000])
        self.expect_none("ONCE", *([*mode, "--attempts", 30] for mode in MODES[1:]))
        self.expect_none("RUN", ["--attempts", 3000], environment={"ASAN_OPTIONS": "detect_leaks=0"})


class Reports(Sanitized):
    def crash(self, compiler="gcc"):
        return self.build(compiler, "address,undefined", self.write("crash.c", CRASH))

    @frng.long
    def test_what_a_person_reads_names_functions_and_lines(self):
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
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
        self.assert_says(result, "asan:heap-buffer-overflow at crash.c:8", r"SUMMARY: [^\n]*crash\.c:8")
        self.assertNotIn("flaky", result.stderr)

    @frng.long
    def test_options_of_the_user_come_first(self):
        program = self.script("plain", 'echo "A=$ASAN_OPTIONS U=$UBSAN_OPTIONS"; exit 3')
        result = self.search(program, "--verbose")
        self.assert_says(result, "A= U=halt_on_error=1\n")
        self.assertNotIn("symbolize", result.stderr)
        for options, *said in (
                ("symbolize=0", "leaves the options of sanitizers", r"SUMMARY: [^\n]*target\+0x"),
                ("exitcode=42", "adds symbolize=0", "exit:42", r"SUMMARY: [^\n]*crash\.c:8")):
            result = self.search(self.crash(), "--verbose", "--attempts", 1, "--rng-seed", 1,
                                 environment={"ASAN_OPTIONS": options})
            self.assert_says(result, *said)
