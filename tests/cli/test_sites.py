"""The sites of failures, which the tools find in the output of a run.

SPDX-License-Identifier: MIT
"""

import pathlib
import shutil
import stat
import subprocess
import sys
import textwrap
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]

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
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        path = self.folder / f"{name}.{'cc' if compiler.endswith('++') else 'c'}"
        path.write_text(textwrap.dedent(source))
        command = [compiler, "-g", "-w", *options, "-o", self.folder / name, path.name]
        built = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if built.returncode != 0 and any(word.startswith("-fsanitize") for word in options):
            self.skipTest(f"{compiler} has no {' '.join(options)}")
        self.assertEqual(built.returncode, 0, built.stderr)
        return self.folder / name

    def script(self, source, name="sut.py"):
        path = self.folder / name
        path.write_text(f"#!{sys.executable} -S\n" + textwrap.dedent(source))
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

    @frng.long
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

    def test_a_hang_has_no_site_for_any_output(self):
        sut = self.script("""
            import sys, time
            if sys.stdin.read(1):
                print("a.c:3:4: runtime error: division by zero", flush=True)
                time.sleep(60)
        """)
        _, done = self.searched(sut, "--timeout", "500ms", attempts=2)
        self.assertEqual((done["identity"], done["site"]), ("timeout", None))


# The first byte decides between two exceptions, and the second bug needs more bytes.
TWO_EXCEPTIONS = """
    import sys
    data = sys.stdin.buffer.read()
    if len(data) >= 2 and data[0] >= 128:
        raise ValueError(data)
    if len(data) >= 1:
        {}
"""
# A test with frng_main.h and two bugs that end alike, which only the output tells apart.
PERSISTENT = """
    #include <assert.h>
    #include <frng_main.h>
    static bool test(frng *f) {
        uint8_t first, second;
        FRNG_TRY(frng_u8(f, &first));
        FRNG_TRY(frng_u8(f, &second));
        assert(!(first > 50 && second > 50));
        assert(second < 20);
        return true;
    }
    FRNG_MAIN(test)
"""


# Two bugs behind the assertion of one helper: in "root" and in "log".
HELPER = """
    #include <frng_main.h>
    static void check(bool ok, const char *what) {{
        FRNG_ASSERT(ok, "%s", what);
    }}
    static bool test(frng *f) {{
        char name[32];
        uint8_t what, x;
        for (;;) {{
            FRNG_TRY(frng_u8_max(f, 1, &what));
            FRNG_TRY(frng_u8(f, &x));
            snprintf(name, sizeof name, {}, what == 0 ? "root" : "log", x);
            frng_step(f, name);
            check(what == 0 ? x < 200 : x < 250, what == 0 ? "wrong root" : "wrong log");
        }}
    }}
    FRNG_MAIN(test)
"""
MODES = ("spawn", "fork", "persistent")


class Steps(Sites):
    def found(self, sut, *options):
        """The signatures of a search for all failures."""
        events = self.folder / "s.jsonl"
        self.search("--all", "--rng-seed", 1, "--size-max", 16, "--attempts", 50, "--json", events,
                    *options, sut)
        return {failure["signature"] for failure in frng.latest(events)[-1]["failures"]}

    def test_the_step_of_an_assertion_is_a_part_of_its_site(self):
        sut = self.build(HELPER.format('"%s"'), f"-I{SOURCE / 'frng'}")
        root, log = "signal:SIGABRT at sut.c:4 in root", "signal:SIGABRT at sut.c:4 in log"
        for mode in MODES:
            with self.subTest(mode=mode):
                self.assertEqual(self.found(sut, "--mode", mode), {root, log})
        for ignored, others in (("sut.c:4 in root", {log}), (root, {log}), ("sut.c:4", set()),
                                ("sut.c:4 *", set())):
            with self.subTest(ignored=ignored):
                self.assertEqual(self.found(sut, "--ignore", ignored), others)
        for options in ((), ("--quiet",), ("--trace",), ("--runs", 2)):
            with self.subTest(options=options):
                self.assert_exit(self.replay("--hex", "00ff", *options, "--only", root, sut), 1)
                self.assert_exit(self.replay("--hex", "00ff", *options, "--only", log, sut), 125)

    def test_what_is_drawn_in_the_name_of_a_step_is_no_part_of_the_site(self):
        for form in ('"%s %d"', '"%s(%d)"', '"%s: %d"', '"%s \\"%c\\""', '"%s=-%d, 1"'):
            with self.subTest(form=form):
                sut = self.build(HELPER.format(form), f"-I{SOURCE / 'frng'}")
                self.assertEqual(self.found(sut), {"signal:SIGABRT at sut.c:4 in root",
                                                      "signal:SIGABRT at sut.c:4 in log"})

    def test_a_test_without_steps_has_the_sites_of_lines(self):
        sut = self.build(HELPER.format('"%s"').replace("frng_step(f, name)", "frng_note(f, name)"),
                         f"-I{SOURCE / 'frng'}")
        self.assertEqual(self.found(sut), {"signal:SIGABRT at sut.c:4"})

    def test_messages_that_differ_at_one_site_are_a_hint_once(self):
        hint = "two bugs may hide behind sut.c:4: messages differ:\n"
        for message, hints in (('"wrong root" : "wrong log"', 1), ('"wrong 1" : "wrong 2"', 0)):
            with self.subTest(message=message):
                source = HELPER.format('"%s"').replace("frng_step(f, name)", "frng_note(f, name)")
                sut = self.build(source.replace('"wrong root" : "wrong log"', message),
                                 f"-I{SOURCE / 'frng'}")
                for goal in (("--all",), ()):
                    counts = [self.search("--rng-seed", seed, "--size-max", 16, "--attempts", 20,
                                          *goal, sut).stderr.count(hint) for seed in (1, 2, 3, 4)]
                    self.assertEqual(max(counts), hints, counts)


class Reductions(Sites):
    BRIEF = ("--explain", "no") # which takes the most runs

    def reduced(self, sut, *options, expected=1):
        events = self.folder / "reduction.jsonl"
        result = self.run_tool(frng.REDUCE, "--json", events, *options, sut)
        self.assert_exit(result, expected)
        return result, frng.latest(events)

    def test_a_reduction_keeps_to_the_exception_of_its_input_and_lists_the_other(self):
        sut = self.script(TWO_EXCEPTIONS.format("raise KeyError(data)"))
        result, events = self.reduced(sut, "--hex", "ff" * 6, *self.BRIEF)
        self.assertEqual((events[-1]["site"], events[-1]["hex"]),
                         ("python:ValueError at sut.py:6", "8000"))
        others = {event["site"] for event in events if event["event"] == "other"}
        self.assertEqual(others, {"python:KeyError at sut.py:8"})
        self.assert_says(result, r"reduced: python:ValueError at sut\.py:6, 6 -> 2 bytes\n",
                         r"also     python:KeyError at sut\.py:8, 1 byte\n\s+\S+frng-replay ")
        self.assertNotIn("other words", result.stderr)

    def test_what_is_ignored_is_no_other_failure_and_is_counted(self):
        sut = self.script(TWO_EXCEPTIONS.format("raise KeyError(data)"))
        result, events = self.reduced(sut, "--hex", "ff" * 6, "--ignore", "python:Key*", *self.BRIEF)
        self.assertEqual(events[-1]["hex"], "8000")
        self.assertEqual([event for event in events if event["event"] == "other"], [])
        self.assert_says(result, r"\n  ignored  [1-9]\d* failed runs?\b")
        self.assertNotIn("also  ", result.stderr)

    def test_an_input_whose_failure_does_not_count_is_not_reduced(self):
        sut = self.script(TWO_EXCEPTIONS.format("raise KeyError(data)"))
        for options in (("--only", "exit:1 at sut.py:8"), ("--ignore", "exit:1 at sut.py:6"),
                        ("--only", "signal:SIGABRT"), ("--ignore", "exit:*")):
            with self.subTest(options=options):
                result, events = self.reduced(sut, "--hex", "ff" * 6, *options, expected=0)
                self.assert_says(result, "nothing to reduce: the input fails with exit:1")
        _, events = self.reduced(sut, "--hex", "ff" * 6, "--only", "exit:1 at sut.py:*",
                                 *self.BRIEF)
        self.assertEqual(events[-1]["hex"], "8000")

    def test_failures_without_a_site_whose_last_lines_differ_are_warned_of_once(self):
        sut = self.script("""
            import sys
            data = sys.stdin.buffer.read()
            if len(data) >= 2 and data[0] >= 128: sys.exit(f"unbalanced at {len(data)}")
            if len(data) >= 1: sys.exit("too short")
        """)
        result, _ = self.reduced(sut, "--hex", "ff" * 6, *self.BRIEF)
        self.assertEqual(result.stderr.count("other words: exit:1 with "), 1, str(result))
        self.assert_says(result, "--signature REGEX")
        result, _ = self.reduced(sut, "--hex", "01" * 6, *self.BRIEF)
        self.assertNotIn("other words", result.stderr)
        result, events = self.reduced(sut, "--hex", "ff" * 6, "--signature", "^[a-z]+", *self.BRIEF)
        self.assertNotIn("other words", result.stderr)
        self.assertEqual((events[-1]["site"], events[-1]["hex"]), ("unbalanced", "8000"))
        self.assert_says(result, r"frng-replay --signature '\^\[a-z\]\+' |"
                                 r"frng-replay \S+ .*--signature '\^\[a-z\]\+'",
                         "also     exit:1 at too, 1 byte")

    def test_a_reduction_in_one_process_keeps_to_the_assertion_of_its_input(self):
        sut = self.build(PERSISTENT, f"-I{SOURCE / 'frng'}")
        result, events = self.reduced(sut, "--hex", "ffff63636363", *self.BRIEF)
        self.assertEqual((events[0]["mode"], events[-1]["site"], events[-1]["hex"]),
                         ("persistent", "sut.c:8", "3333"))
        self.assert_says(result, r"also     signal:SIGABRT at sut\.c:9, 2 bytes")


class Replays(Sites):
    def test_a_replay_judges_by_the_place(self):
        sut = self.script(RAISES)
        self.assert_exit(self.replay("--hex", "00000000", "--only", "exit:1", sut), 1)
        for only, expected in (("exit:1 at sut.py:7", 1), ("exit:1 at sut.py:5", 125),
                               ("python:Key*", 1), ("python:ValueError", 125)):
            with self.subTest(only=only):
                result = self.replay("--hex", "00000000", "--only", only, sut)
                self.assert_exit(result, expected)
                self.assert_says(result, r"fails with python:KeyError at sut\.py:7\b")
        result = self.replay("--hex", "00000000", "--ignore", "python:Key* ", sut)
        self.assert_exit(result, 129)
        result = self.replay("--hex", "00000000", "--ignore", "python:Key*", sut)
        self.assert_exit(result, 125)
        self.assert_says(result, "cannot judge: fails with python:KeyError", "--ignore")

    def test_a_single_replay_names_the_site_as_a_search_does(self):
        sut = self.script(RAISES)
        for more in ((), ("--trace",)):
            result = self.replay("--hex", "00000000", *more, sut)
            self.assert_exit(result, 1)
            self.assert_says(result, r"\nfails with python:KeyError at sut\.py:7\n")
            self.assertEqual(result.stderr.count("Traceback"), 1, str(result))

    def test_a_single_replay_runs_twice_only_if_it_names_a_site(self):
        sut = self.write("sut", "#!/bin/sh\necho x >> runs\nexec $1\n", executable=True)
        for options, what, runs in (((), "false", 2), (("--quiet",), "false", 1), ((), "true", 1),
                                    (("--timeout", "100ms"), "sleep 9", 1)):
            with self.subTest(what=what, options=options):
                self.replay("--hex", "00", *options, sut, "--", what)
                self.assertEqual((self.folder / "runs").read_text(), "x\n" * runs)
                (self.folder / "runs").unlink()

    def test_repeated_replays_name_the_site(self):
        result = self.replay("--hex", "00000000", "--runs", 3, self.script(RAISES))
        self.assert_exit(result, 1)
        self.assert_says(result, r"fails with python:KeyError at sut\.py:7 \(fails in 3 of 3 runs")


class Mistakes(Sites):
    def test_a_rule_or_a_pattern_that_is_none_is_one_line(self):
        for tool, status in ((frng.SEARCH, 2), (frng.REDUCE, 2), (frng.REPLAY, 129)):
            for option, value in (("--signature", "a(b"), ("--only", "a:7"), ("--ignore", "x:*"),
                                  ("--only", "exit:*1")):
                with self.subTest(tool=tool, option=option):
                    result = self.run_tool(tool, "--hex", "00", option, value, frng.MODES) \
                        if tool != frng.SEARCH else self.search(option, value, frng.MODES)
                    self.assert_exit(result, status)
                    self.assertEqual(result.stderr.count("\n"), 1, str(result))
                    self.assert_says(result, option)

load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
