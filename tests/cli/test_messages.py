"""Messages: a usage or environment error is one line saying what is wrong and what to do."""

import os
import re
import shlex
import unittest

import frng


class SearchUsage(frng.Scenario):
    def expect(self, arguments, *patterns):
        with self.subTest(arguments=arguments):
            result = self.search(*arguments)
            self.assert_one_line(result, 2, r"\Afrng-search: ", *patterns)

    def test_a_missing_target_is_one_line(self):
        self.expect([], "--help|usage")
        self.expect(["--attempts", "3"], "--help|usage")
        self.expect(["--", "argument"], "--help|usage")

    def test_an_unknown_option_is_named(self):
        self.expect(["--no-such-option", frng.MODES], "no-such-option", "--help")
        self.expect(["-z", frng.MODES], "z", "--help")
        self.expect([frng.MODES, "--no-such-option"], "no-such-option", "--help")

    def test_the_nearest_option_is_named(self):
        self.expect(["--atempts", "3", frng.MODES], "'--atempts': did you mean --attempts\\?")
        self.expect([frng.MODES, "--findnigs=x"], "did you mean --findings\\?")

    def test_an_abbreviated_option_is_refused(self):
        self.expect(["--att", "3", frng.MODES], "'--att' is cut short: say --attempts")

    def test_one_input_is_answered_with_the_line_of_replay(self):
        for words in (["--size", 3, "--seed", 7], ["size=3", "seed=7"], ["size=3 seed=7"],
                      ["--hex=00ffee"]):
            self.expect([frng.MODES, *words, "--", "at-least", 3], "one input is run by frng-replay")
            said = self.search(frng.MODES, *words, "--", "at-least", 3).stderr.split("replay: ")[1]
            self.assert_exit(self.run_tool(*shlex.split(said)), 1)

    def test_an_option_without_its_argument_is_named(self):
        for option in ("attempts", "size-max", "jobs", "timeout", "time", "memory", "mode",
                       "rng-seed", "only", "findings", "json", "stdin"):
            self.expect([frng.MODES, f"--{option}"], f"--{option}")

    def test_a_flag_with_an_argument_is_named(self):
        self.expect([frng.MODES, "--quiet=5"], "--quiet")

    def test_a_number_that_is_none_is_named_with_its_option(self):
        for option in ("attempts", "jobs"):
            for value in ("", "many", "0", "-1", "1.5", "3x", " 3", "1e3",
                          "99999999999999999999999"):
                self.expect([frng.MODES, f"--{option}={value}"], f"--{option}")

    def test_a_size_that_is_none_is_named_with_its_option(self):
        for option in ("size-max", "memory"):
            for value in ("", "big", "-1", "1.5K", "4KB", "4T", "K", "1K1", "17179869184G",
                          "99999999999999999999999"):
                self.expect([frng.MODES, f"--{option}={value}"], f"--{option}")

    def test_a_duration_that_is_none_is_named_with_its_option(self):
        for option in ("timeout", "time"):
            for value in ("", "soon", "0s", "-1s", "s", "10", "10d", "1s1", "99999999999999999h"):
                self.expect([frng.MODES, f"--{option}={value}"], f"--{option}", "ms|10s|seconds")

    def test_a_seed_that_is_none_is_named_with_its_option(self):
        for value in ("", "lucky", "-1", "0x", "0xg", "1.0", "18446744073709551616",
                      "0x10000000000000000"):
            self.expect([frng.MODES, f"--rng-seed={value}"], "--rng-seed")

    def test_a_choice_that_is_none_is_answered_with_the_choices(self):
        self.expect([frng.MODES, "--mode=fast"], "--mode", "spawn")
        self.expect([frng.MODES, "--stdin=tty"], "--stdin", "pipe")

    def test_an_identity_that_is_none_is_answered_with_examples(self):
        for value in ("", "crash", "exit:", "exit:0", "exit:256", "exit:x", "signal:",
                      "signal:SIGNOPE", "signal:0", "timeout:3"):
            self.expect([frng.MODES, f"--only={value}"], "--only", "exit:", "signal:")

    def test_quiet_and_verbose_exclude_each_other(self):
        self.expect([frng.MODES, "--quiet", "--verbose"], "--quiet", "--verbose")


class OtherTools(frng.Scenario):
    def test_an_option_of_another_tool_is_answered_with_its_name(self):
        reduce, status = (str(frng.BUILD / "driver" / f"frng-{name}") for name in ("reduce", "status"))
        for tool, option, of in ((frng.SEARCH, "--dump", "frng-replay"),
                                 (frng.SEARCH, "--output=x", "frng-reduce, frng-report"),
                                 (frng.REPLAY, "--attempts", "frng-search"),
                                 (reduce, "--all", "frng-search"),
                                 (frng.REPORT, "--findings", "frng-search, frng-reduce"),
                                 (status, "--size=3", "frng-replay, frng-reduce")):
            with self.subTest(tool=tool, option=option):
                result = self.run_tool(tool, "x", option)
                name = tool.rsplit("/", 1)[1]
                self.assert_one_line(result, 129 if tool == frng.REPLAY else 2,
                                     f"{option.split('=')[0]} is not an option of {name}, but of {of}$")


class ForgottenArguments(frng.Scenario):
    HINT = "fails on empty input: does it need arguments\\? They follow '--'"

    def test_a_failure_on_empty_input_has_a_hint(self):
        sut = self.script("sut", 'test "$1" = right')
        reduce = frng.BUILD / "driver" / "frng-reduce"
        for tool, options in ((frng.SEARCH, ["--attempts", 2]), (reduce, ["--hex", "00ff"])):
            with self.subTest(tool=tool):
                result = self.run_tool(tool, sut, *options)
                self.assert_exit(result, 1)
                self.assert_says(result, "sut: " + self.HINT)
                for more in (["--quiet"], ["--", "wrong"]):
                    result = self.run_tool(tool, sut, *options, *more)
                    self.assert_exit(result, 1)
                    self.assertNotIn("arguments?", result.stderr)

    def test_a_failure_with_a_place_has_none(self):
        sut = self.write("sut.py", "#!/usr/bin/env python3\nraise ValueError('x')\n", True)
        result = self.search(sut, "--attempts", 2)
        self.assert_says(result, "python:ValueError at sut.py:2")
        self.assertNotIn("arguments?", result.stderr)

    def test_a_failure_on_some_input_has_none(self):
        sut = self.script("sut", "test $(wc -c) -lt 1")
        result = self.search(sut, "--attempts", 2)
        self.assert_found(result, 1)
        self.assertNotIn("arguments?", result.stderr)


class Misuse(frng.Scenario):
    def test_a_draw_that_is_misused_says_how(self):
        for mode in ("spawn", "fork", "persistent"):
            result = self.search("--mode", mode, "--attempts", 2, frng.SUTS / "sut-state", "--",
                                 "does", "misuse", 1)
            self.assert_found(result, 1)
            self.assert_says(result, "output +frng_u8_range: min 9 > max 3\n")


class ReduceUsage(frng.Scenario):
    def test_the_command_line_of_creduce_is_answered_with_ours(self):
        self.write("big.c", "int main;")
        self.script("interesting.sh", "test -s big.c")
        reduce = frng.BUILD / "driver" / "frng-reduce"
        result = self.run_tool(reduce, "./interesting.sh", "big.c")
        self.assert_one_line(result, 2, "say frng-reduce --predicate ./interesting.sh big.c$")
        said = result.stderr.split("say frng-reduce ")[1].split()
        self.assert_exit(self.run_tool(reduce, *said), 0)
        self.assertEqual(len((self.folder / "big.c.reduced").read_bytes()), 1)

    def test_what_is_no_program_or_no_file_is_named(self):
        self.write("big.c", "int main;")
        for predicate, file, said in (("grep -q int", "big.c", "'grep -q int': takes a program, not"),
                                      ("./grep -q int", "big.c", "takes a program, not a command"),
                                      (".", "big.c", r"\.: is a folder; give the program in it"),
                                      ("true", ".", r"\.: is a folder; give a file in it")):
            self.assert_one_line(self.reduce("--predicate", predicate, file), 2, said)


class ReplayUsage(frng.Scenario):
    def expect(self, arguments, *patterns):
        with self.subTest(arguments=arguments):
            result = self.replay(*arguments)
            self.assert_one_line(result, 129, r"\Afrng-replay: ", *patterns)

    def test_a_missing_target_is_one_line(self):
        self.expect([], "--help|usage")
        self.expect(["--size", "3", "--seed", "1"], "--help|usage|program")

    def test_a_missing_input_is_one_line(self):
        self.expect([frng.MODES], "--size")

    def test_size_and_seed_go_together(self):
        self.expect([frng.MODES, "--size", "3"], "--seed")
        self.expect([frng.MODES, "--seed", "3"], "--size")

    def test_one_source_of_entropy_is_enough(self):
        self.write("bytes", "x")
        sources = (["--size", "3", "--seed", "1"], ["--hex", "00"], ["--input", "bytes"],
                   ["--finding", "x.json"])
        for one in sources:
            for other in sources:
                if one is not other:
                    self.expect([frng.MODES, *one, *other], "one")

    def test_bad_numbers_are_one_line(self):
        self.expect([frng.MODES, "--size", "x", "--seed", "1"], "--size", "x")
        self.expect([frng.MODES, "--size", "1", "--seed", "x"], "--seed", "x")
        self.expect([frng.MODES, "--size", "1", "--seed", "1", "--runs", "0"], "--runs")

    def test_a_size_that_is_not_that_of_the_hex_is_one_line(self):
        self.expect([frng.MODES, "--hex", "01", "--size", "3"], "--size and --hex disagree: leave")

    def test_bad_hex_is_one_line(self):
        for digits in ("0", "0g", "0x00", "00 11"):
            self.expect([frng.MODES, "--hex", digits], "--hex")

    def test_an_unknown_option_is_named(self):
        self.expect([frng.MODES, "--no-such-option"], "no-such-option", "--help")

    def expect_no_verdict(self, arguments, *patterns):
        with self.subTest(arguments=arguments):
            result = self.replay(*arguments)
            self.assert_exit(result, 125, 129)
            self.assert_one_line(result, result.exit, r"\Afrng-replay: ", *patterns)

    def test_a_file_that_cannot_be_read_is_named(self):
        self.expect_no_verdict([frng.MODES, "--input", "no-such-file"], "no-such-file")
        self.expect_no_verdict([frng.MODES, "--input", "."], "director")
        self.expect_no_verdict([frng.MODES, "--finding", "no-such-file"], "no-such-file")

    def test_a_file_that_is_no_finding_is_named(self):
        for content in ("", "{", "{}", "[]", '{"format": 1, "size": "x"}', "\0\1\2",
                        '{"size": 41}'):
            self.write("some.json", content)
            self.expect_no_verdict([frng.MODES, "--finding", "some.json"], "some.json")

    def test_a_wrapper_that_is_none(self):
        for line in ("", "  ", 'gdb "--args'):
            self.expect([frng.MODES, "--size", "1", "--seed", "1", "--wrap", line], "--wrap")

    def test_an_identity_that_is_none(self):
        self.expect([frng.MODES, "--size", "1", "--seed", "1", "--only", "crash"], "--only",
                    "exit:")


class DoesNotStart(frng.Scenario):
    """A system that cannot be started is an error of the environment, and never a finding."""

    def expect(self, sut, *patterns, **more):
        with self.subTest(sut=sut):
            result = self.search("--attempts", 2, "--findings", "found", sut, **more)
            self.assert_one_line(result, 2, r"\Afrng-search: ", *patterns)
            found = self.folder / "found"
            self.assertEqual(frng.findings(found) if found.exists() else {}, {})
            result = self.replay(sut, "--size", 1, "--seed", 1, **more)
            self.assert_one_line(result, 125, r"\Afrng-replay: ", *patterns)

    def test_a_missing_program_is_one_line(self):
        self.expect("./no-such-sut", "no-such-sut", "not found|no such file|does not exist")

    def test_a_missing_folder_is_one_line(self):
        self.expect("no/such/sut", "no/such/sut", "not found|no such file|does not exist")

    def test_a_directory_is_no_program(self):
        (self.folder / "folder").mkdir()
        for name in ("./folder", "folder", "."):
            self.expect(name, f"{re.escape(name)}: is a folder")

    def test_a_program_that_is_not_executable_is_one_line(self):
        self.write("plain", "#!/bin/sh\nexit 1\n")
        self.expect("./plain", "plain", "executable|chmod", "chmod")

    def test_a_bad_interpreter_is_one_line(self):
        self.write("script", "#!/no/such/interpreter\nexit 1\n", executable=True)
        self.expect("./script", "script", "interpreter")

    def test_script_without_a_first_line(self):
        self.write("script", "exit 1\n", executable=True)
        self.expect("./script", "script", "#!|format")

    def test_an_empty_program_is_one_line(self):
        self.write("empty", "", executable=True)
        self.expect("./empty", "empty", "#!|format")

    def test_a_program_for_another_machine(self):
        program = bytearray(open(frng.MODES, "rb").read())
        program[18:20] = b"\xf0\xf0"
        self.write("foreign", bytes(program), executable=True)
        self.expect("./foreign", "foreign", "machine|format")

    def test_a_missing_shared_library_is_one_line(self):
        self.copy_sut(frng.SUTS / "sut-linked", "linked")
        library = self.copy_sut(frng.SUTS / "libsut-library.so", "libsut-library.so")
        path = {"LD_LIBRARY_PATH": str(self.folder)}
        self.assert_found(self.search("--attempts", 2, "./linked", environment=path), 41)
        library.unlink()
        result = self.search("--attempts", 2, "./linked", environment=path)
        self.assert_one_line(result, 2, r"\Afrng-search: ", "librar")
        result = self.replay("./linked", "--size", 1, "--seed", 1, environment=path)
        self.assert_exit(result, 125)  # the first line is the linker's own
        self.assertRegex(result.stderr, r"\nfrng-replay: \./linked: cannot be loaded: [^\n]+\n\Z")

    def test_a_shared_library_that_goes_missing_while_searching_is_no_finding(self):
        self.copy_sut(frng.SUTS / "sut-linked", "linked")
        library = self.copy_sut(frng.SUTS / "libsut-library.so", "libsut-library.so")
        process = self.start(frng.SEARCH, "--time", "60s", "--size-max", 16, "./linked",
                             environment={"LD_LIBRARY_PATH": str(self.folder)})
        self.assertTrue(frng.wait_until(self.left_processes))
        with self.assertRaises(Exception):
            process.communicate(timeout=1)
        library.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual((process.returncode, stdout), (2, b""), stderr)
        self.assertIn(b"librar", stderr)

    def test_a_sut_that_goes_missing_while_searching_is_no_finding(self):
        sut = self.copy_sut(frng.MODES, "sut")
        process = self.start(frng.SEARCH, "--time", "60s", "--size-max", 16, "--json", "events",
                             sut)
        with self.assertRaises(Exception):
            process.communicate(timeout=1)
        sut.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual((process.returncode, stdout), (2, b""), stderr)
        self.assertIn(b"sut", stderr)
        events = frng.latest(self.folder / "events")
        self.assertNotIn("pass", [event.get("outcome") for event in events])

    def test_a_target_that_goes_missing_after_a_failure_leaves_the_best(self):
        sut = self.copy_sut(frng.MODES, "sut")
        process = self.start(frng.SEARCH, "--attempts", 10000000, "--json", "events", sut, "--",
                             "at-least", 3)
        self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        sut.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(process.returncode, 2, stderr)
        self.assertEqual(frng.find_result(stdout.decode())[0], 3)
        self.assertRegex(stderr, rb"sut: (not found|no such file)")

    def test_exits_with_the_codes_of_shells_and_loaders_are_failures_all_the_same(self):
        for code in (125, 126, 127):
            result = self.search("--attempts", 2, *frng.modes("exit", code))
            self.assert_found(result, 0)
            self.assert_says(result, f"exit:{code}")


class Paths(frng.Scenario):
    def test_programs_are_found_by_path_and_on_path(self):
        self.copy_sut(frng.MODES, "sut")
        self.copy_sut(frng.MODES, "with spaces/and 'quotes'")
        self.copy_sut(frng.MODES, "with\nnewline")
        self.copy_sut(frng.MODES, "-dash")
        os.symlink("sut", self.folder / "link")
        for path in ("./sut", "with spaces/../sut", "with spaces/and 'quotes'", "./link",
                     str(self.folder / "sut"), "./with\nnewline", "./-dash"):
            with self.subTest(path=path):
                self.assert_found(self.search("--attempts", 2, path), 41)
                self.assert_exit(self.replay("--size", 41, "--seed", 1, path), 1)

    def test_a_path_never_commands_the_terminal(self):
        result = self.search("./mis\x1b[31m\nsing\a")
        self.assert_one_line(result, 2, r"mis\\x1b\[31m")
        self.assert_plain(result)
        self.copy_sut(frng.MODES, "strange\x1b[31m\n\a")
        result = self.search("--attempts", 1, "./strange\x1b[31m\n\a")
        self.assert_found(result, 41)
        self.assert_plain(result)

    def test_a_name_without_slash_is_looked_for_as_a_shell_does(self):
        self.copy_sut(frng.MODES, "folder/some-sut")
        path = {"PATH": f"{self.folder}/folder:{self.environment['PATH']}"}
        result = self.search("--attempts", 2, "some-sut", environment=path)
        self.assert_found(result, 41)
        self.assert_exit(self.replay("--size", 41, "--seed", 1, "some-sut", environment=path), 1)

    def test_a_name_without_slash_that_lies_here_is_taken_or_asked_for_with_a_slash(self):
        self.copy_sut(frng.MODES, "some-sut")
        result = self.search("--attempts", 2, "some-sut")
        if result.exit == 2:
            self.assert_one_line(result, 2, r"\./some-sut")
        else:
            self.assert_found(result, 41)


class OwnTrouble(frng.Scenario):
    """The driver's own input and output."""

    def test_a_result_line_that_cannot_be_written_is_exit_4_and_still_on_stderr(self):
        with open("/dev/full", "wb") as full:
            result = self.search("--attempts", 2, frng.MODES, stdout=full)
        self.assert_exit(result, 4)
        self.assert_says(result, r"\b41\b", "--seed")

    def test_a_result_line_to_a_closed_pipe_is_exit_4_and_no_silent_death(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = self.search("--attempts", 2, frng.MODES, stdout=writer)
        os.close(writer)
        self.assert_exit(result, 4)
        self.assert_says(result, r"\b41\b", "--seed")

    def test_json_that_cannot_be_written_is_exit_4(self):
        result = self.search("--attempts", 2, "--json", "/dev/full", frng.MODES)
        self.assert_exit(result, 4)
        self.assert_says(result, "/dev/full", r"\b41\b", "--seed")

    def test_a_json_file_that_cannot_be_opened_is_refused_before_any_run(self):
        sut = self.script("sut", "touch ran; exit 1")
        result = self.search("--json", "no/such/folder/x", sut)
        self.assert_one_line(result, 2, "no/such/folder/x")
        self.assertFalse((self.folder / "ran").exists())

    def test_findings_that_are_no_folder_are_refused_before_any_run(self):
        sut = self.script("sut", "touch ran; exit 1")
        self.write("file", "x")
        result = self.search("--findings", "file", sut)
        self.assert_one_line(result, 2, "file")
        self.assertFalse((self.folder / "ran").exists())

    def test_stderr_that_cannot_be_written_does_not_change_the_result(self):
        with open("/dev/full", "wb") as full:
            self.assert_found(self.search("--attempts", 2, frng.MODES, stderr=full), 41)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
