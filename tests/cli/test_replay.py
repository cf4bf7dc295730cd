"""frng-replay: bytes by the definition of their expansion, terminals, and what traces a run.

The rest is in tests/transcripts/replay*.t.
"""
# suites: compiled

import os
import pty
import select
import shutil
import unittest

import frng


class Dump(frng.Scenario):
    def test_a_terminal_gets_a_hint_and_no_bytes(self):
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.close, end)
        result = self.replay("--size", 20, "--seed", 92, "--dump", stdout=end)
        self.assert_one_line(result, 129, "--dump \\| xxd")
        self.assertEqual(select.select([terminal], [], [], 0)[0], [], "something was written")

    def test_the_bytes_are_as_defined_and_shorter_sizes_are_prefixes(self):
        for seed in (92, "92s", "7s", 5, f"{frng.MASK}s"):
            for size in (0, 1, 7, 8, 9, 4095, 100_001):
                result = self.replay(frng.MODES, "--size", size, "--seed", seed, "--dump")
                self.assertEqual(result.stdout_bytes, frng.expand(seed, size))


class Wrap(frng.Scenario):
    TRACER = "tracing is not permitted here"

    def wrapped(self, wrapper, sut, *arguments):
        """One replay; a wrapper that is not installed, or may not trace, skips it."""
        if shutil.which(wrapper.split()[0]) is None:
            self.skipTest(wrapper.split()[0] + " is not installed")
        result = self.replay(sut, "--wrap", wrapper, *arguments)
        if "ptrace" in result.stderr + result.stdout:
            self.skipTest(self.TRACER)
        return result

    def expect_ends(self, wrapper):
        """What just runs the program ends as it does: of both kinds of programs."""
        sut, plain = frng.SUTS / "sut-compare", frng.MODES
        for passes, program, arguments in (
                (True, sut, ["--hex", "00"]), (False, sut, ["--hex", "80"]),
                (True, plain, ["--size", 40, "--seed", 1]),
                (False, plain, ["--size", 41, "--seed", 1])):
            with self.subTest(wrapper=wrapper, program=program, passes=passes):
                result = self.wrapped(wrapper, program, *arguments)
                self.assertEqual(result.exit == 0, passes, str(result))
                self.assertNotRegex(result.stderr, r"passes|fails|verdict")

    @frng.long
    def test_valgrind_ends_as_the_program_does(self):
        self.expect_ends("valgrind -q")

    def test_strace_ends_as_the_program_does(self):
        self.expect_ends("strace -f -o /dev/null")

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_where_an_frng_main_program_aborts(self):
        size, seed = self.assert_found(self.search(frng.SUTS / "sut-assert"))
        result = self.replay(frng.SUTS / "sut-assert", "--size", size, "--seed", seed, "--wrap",
                             "gdb -q -batch -nx -ex run -ex backtrace --args")
        if "ptrace" in result.stderr:
            self.skipTest("tracing is not permitted here")
        self.assertIn("assert_failed", result.stdout, str(result))
