"""frng-replay: one visible run of what was found."""

import os
import pty
import re
import select
import shutil
import unittest

import frng

# The first 20 bytes of some seeds, from the definition of the frozen format.
KNOWN = {
    "0": "df230b49615d175307d580c33d6fda61fc7b9aec",
    "1": "9bc2036f7fd0c5cf8de03f96324142bf20f5aa57",
    "92": "28617370ca91d92546cdfcac7228533b2e56811a",
    "0xdeadbeef": "de8ea9feb80e520ce2e0808b33a6742b225379c3",
    "18446744073709551615": "b2278e94cef8cc56905b5a2e438885e68bca1981",
    "0xFFFFFFFFFFFFFFFF": "b2278e94cef8cc56905b5a2e438885e68bca1981",
}

# A system that writes down the bytes it got, and fails when it got some.
KEEP = 'cat > got; test ! -s got'


class Verdict(frng.Scenario):
    def test_a_run_that_passes_is_exit_0(self):
        result = self.replay("--size", 40, "--seed", 1, *frng.modes("at-least", 41))
        self.assert_exit(result, 0)

    def test_a_run_that_fails_is_exit_1_for_any_status_of_its_own(self):
        for code in (*range(1, 256, 11), 125, 126, 127, 128, 129, 255):
            with self.subTest(code=code):
                result = self.replay("--size", 4, "--seed", 1, *frng.modes("exit", code))
                self.assert_exit(result, 1)
                self.assert_says(result, rf"exit:{code}\b")

    def test_a_run_that_dies_of_a_signal_is_exit_1_and_the_signal_is_named(self):
        for number, name in ((1, "SIGHUP"), (6, "SIGABRT"), (9, "SIGKILL"), (11, "SIGSEGV"),
                             (13, "SIGPIPE"), (15, "SIGTERM")):
            with self.subTest(name=name):
                result = self.replay("--size", 4, "--seed", 1, *frng.modes("signal", number))
                self.assert_exit(result, 1)
                self.assert_says(result, f"signal:{name}")

    def test_a_run_that_fails_otherwise_than_asked_cannot_be_judged(self):
        sut = frng.modes("two", 10, 20)
        for size, only, expected in ((5, "exit:3", 0), (10, "exit:3", 125), (20, "exit:3", 1),
                                     (10, "signal:SIGABRT", 1), (20, "signal:SIGABRT", 125)):
            with self.subTest(size=size, only=only):
                result = self.replay("--size", size, "--seed", 1, "--only", only, *sut)
                self.assert_exit(result, expected)

    def test_a_sut_that_does_not_start_cannot_be_judged(self):
        result = self.replay("./missing", "--size", 1, "--seed", 1)
        self.assert_one_line(result, 125, "missing")

    def test_the_output_of_the_run_is_seen(self):
        result = self.replay("--size", 41, "--seed", 1,
                             *frng.modes("says", 41, "out of sut", "err of sut"))
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, "out of sut\n")
        self.assertIn("err of sut\n", result.stderr)


class Exit127(frng.Scenario):
    """The status of a program that cannot be loaded, which is run again to read why."""

    AGAIN = r"sut: exited with 127: running it once more, hidden[^\n]*\n"

    def test_the_second_run_is_said_once_and_its_output_hidden(self):
        for options, runs in (((), 2), (("--runs", 5), 6)):
            sut = self.script("sut", "echo run >> runs; echo seen; exit 127")
            result = self.replay(sut, "--hex", "00", *options)
            self.assert_exit(result, 1)
            self.assert_says(result, self.AGAIN, "fails with exit:127")
            self.assertEqual(result.stderr.count("once more"), 1, str(result))
            self.assertEqual(result.stdout, "seen\n" if not options else "")
            self.assertEqual((self.folder / "runs").read_text().count("run"), runs)
            (self.folder / "runs").unlink()

    def test_quiet_does_not_say_it(self):
        result = self.replay(self.script("sut", "exit 127"), "--hex", "00", "--quiet")
        self.assert_exit(result, 1)
        self.assertEqual(result.stderr, "")

    def test_a_flood_is_not_kept_and_ends_at_the_timeout(self):
        sut = self.script("sut", """
            test -e ran || { touch ran; exit 127; }
            (sleep 0.3; stat -L -c %s /proc/self/fd/2 > held) &
            while :; do echo 0123456789012345678901234567890123456789; done 2>> errors""")
        result = self.replay(sut, "--hex", "00", "--timeout", "1s")
        self.assert_exit(result, 1)
        self.assert_says(result, self.AGAIN + "fails with exit:127")
        self.assertEqual((self.folder / "held").read_text(), "65536\n")


class Limits(frng.Scenario):
    def test_a_run_that_hangs_is_a_timeout(self):
        for mode in ("sleeps", "ignores", "stops"):
            with self.subTest(mode=mode):
                result = self.replay("--timeout", "200ms", "--size", 1, "--seed", 1,
                                     *frng.modes(mode))
                self.assert_exit(result, 1)
                self.assert_says(result, "timeout")

    def test_memory_is_limited_as_in_the_search(self):
        run = ["--size", 1, "--seed", 1, *frng.modes("allocate", 64)]
        self.assert_exit(self.replay(*run), 0)
        self.assert_exit(self.replay("--memory", "32M", *run), 1)

    def test_stdin_is_a_pipe_as_in_the_search(self):
        run = ["--size", "512K", "--seed", 1, *frng.modes("short-read")]
        self.assert_exit(self.replay(*run), 0)
        self.assert_exit(self.replay("--stdin", "pipe", *run), 1)

    def test_quiet_leaves_the_output_of_the_run_alone(self):
        result = self.replay("--quiet", "--size", 41, "--seed", 1,
                             *frng.modes("says", 41, "out of sut", "err of sut"))
        self.assert_exit(result, 1)
        self.assertEqual((result.stdout, result.stderr), ("out of sut\n", "err of sut\n"))


class Entropy(frng.Scenario):
    """Where the bytes come from."""

    def setUp(self):
        super().setUp()
        self.sut = self.script("sut", KEEP)

    def got(self):
        return (self.folder / "got").read_bytes()

    def test_bytes_are_expanded_from_size_and_seed(self):
        for seed, expected in KNOWN.items():
            with self.subTest(seed=seed):
                self.assert_exit(self.replay(self.sut, "--size", 20, "--seed", seed), 1)
                self.assertEqual(self.got().hex(), expected)

    def test_a_size_with_a_suffix_is_in_bytes(self):
        self.assert_exit(self.replay(self.sut, "--size", "3K", "--seed", 5), 1)
        self.assertEqual(self.got(), frng.expand(5, 3072))

    def test_size_0_is_no_bytes(self):
        self.assert_exit(self.replay(self.sut, "--size", 0, "--seed", 5), 0)
        self.assertEqual(self.got(), b"")

    def test_a_file_is_replayed_unchanged(self):
        for content in (b"", b"\0\n\xff" * 1000):
            self.write("bytes", content)
            result = self.replay(self.sut, "--input", "bytes")
            self.assert_exit(result, 1 if content else 0)
            self.assertEqual(self.got(), content)

    def test_a_dash_is_standard_input(self):
        self.write("bytes", b"\0\n\xff" * 50000)
        with open(self.folder / "bytes", "rb") as file:
            self.assert_exit(self.replay(self.sut, "--input", "-", stdin=file), 1)
        self.assertEqual(self.got(), b"\0\n\xff" * 50000)

    def test_hex_digits_are_replayed_as_bytes(self):
        for digits in ("00ff10Ab", "7f"):
            self.assert_exit(self.replay(self.sut, "--hex", digits), 1)
            self.assertEqual(self.got(), bytes.fromhex(digits))

    def test_a_finding_is_replayed_as_it_was_found(self):
        found = self.search("--attempts", 5, "--findings", "found", *frng.modes("staircase"))
        size, seed = self.assert_found(found)
        name = "found/" + frng.finding_name(size, seed)
        self.assert_exit(self.replay("--finding", name, *frng.modes("staircase")), 1)
        self.assert_exit(self.replay("--finding", name), 1)
        self.replay(self.sut, "--finding", name)
        self.assertEqual(self.got(), frng.expand(seed, size))

    def test_a_finding_of_another_program_or_build_is_noted(self):
        self.copy_sut(frng.MODES, "sut")
        self.copy_sut(frng.MODES, "same")
        arguments = ["--", "staircase"]
        size, seed = self.assert_found(self.search("--attempts", 5, "--findings", "found", "./sut",
                                                   *arguments))
        name = "found/" + frng.finding_name(size, seed)
        other = self.script("other", "exit 3")
        reduce = frng.BUILD / "driver" / "frng-reduce"
        for command in ([frng.REPLAY], [reduce, "--calls", "20"]):
            def note(*rest, tool=tuple(command)):
                result = self.run_tool(*tool, "--finding", name, *rest)
                self.assertEqual(result.exit, 1, str(result))
                return re.findall(r"note: [^\n]*", result.stderr)
            self.assertEqual(note(), [])
            self.assertEqual(note("./same", *arguments), [])
            self.assertEqual(note(other), [f"note: was found in ./sut, and this runs {other}"])
            with open(self.folder / "sut", "ab") as sut:
                sut.write(b"another build")
            self.assertEqual(note(), ["note: was found in another build of ./sut"])
            self.assertEqual(note("--quiet"), [])
            shutil.copy(frng.MODES, self.folder / "sut")

    def test_a_result_line_is_taken_as_it_was_printed(self):
        sut = frng.modes("at-least", 20)
        line = self.search("--attempts", 5, *sut).stdout
        self.assertIsNotNone(frng.find_result(line))
        for words in ([line], [line.strip()], line.split()):
            result = self.replay(*words, *sut)
            self.assert_exit(result, 1)
            reduced = self.run_tool(frng.BUILD / "driver" / "frng-reduce", *words, *sut)
            self.assert_exit(reduced, 1)
            self.assertRegex(reduced.stdout, r"\Asize=20 hex=[0-9a-f]{40}\n\Z")
        self.assert_exit(self.replay(reduced.stdout, *sut), 1)

    def test_arguments_after_the_dashes_are_for_the_sut(self):
        sut = self.script("arguments", 'printf "<%s>" "$@"; exit 1')
        result = self.replay("--size", 1, "--seed", 1, sut, "--", "--size", "", "a b", "--", "-x")
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, "<--size><><a b><--><-x>")


class Dump(frng.Scenario):
    def test_the_bytes_are_written_and_nothing_is_run(self):
        sut = self.script("sut", "touch ran")
        for seed, expected in KNOWN.items():
            result = self.replay(sut, "--size", 20, "--seed", seed, "--dump")
            self.assert_exit(result, 0)
            self.assertEqual(result.stdout_bytes.hex(), expected)
            self.assertEqual(result.stderr, "")
        self.assertFalse((self.folder / "ran").exists())

    def test_a_terminal_gets_a_hint_and_no_bytes(self):
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.close, end)
        result = self.replay("--size", 20, "--seed", 92, "--dump", stdout=end)
        self.assert_one_line(result, 129, "--dump \\| xxd")
        self.assertEqual(select.select([terminal], [], [], 0)[0], [], "something was written")

    def test_no_sut_is_needed(self):
        result = self.replay("--size", 20, "--seed", 92, "--dump")
        self.assert_exit(result, 0)
        self.assertEqual(result.stdout_bytes.hex(), KNOWN["92"])

    def test_shorter_sizes_are_prefixes_of_longer_ones(self):
        for size in (0, 1, 7, 8, 9, 4095, 100_001):
            result = self.replay(frng.MODES, "--size", size, "--seed", 92, "--dump")
            self.assertEqual(result.stdout_bytes, frng.expand(92, size))

    def test_hex_and_files_are_dumped_too(self):
        self.write("bytes", b"\0abc\xff")
        result = self.replay(frng.MODES, "--hex", "00ff", "--dump")
        self.assertEqual(result.stdout_bytes, b"\x00\xff")
        result = self.replay(frng.MODES, "--input", "bytes", "--dump")
        self.assertEqual(result.stdout_bytes, b"\0abc\xff")

    def test_a_dump_that_cannot_be_written_is_no_success(self):
        with open("/dev/full", "wb") as full:
            result = self.replay(frng.MODES, "--size", "1M", "--seed", 1, "--dump", stdout=full)
        self.assertNotIn(result.exit, (0, 1), str(result))
        self.assertNotEqual(result.stderr, "")


class Runs(frng.Scenario):
    def test_the_summary_counts_the_failures(self):
        sut = frng.modes("alternate", self.folder / "marks", 1)
        result = self.replay("--runs", 10, "--size", 4, "--seed", 1, *sut)
        self.assert_exit(result, 1)
        self.assert_says(result, r"\b5 ?(/|of) ?10\b")

    def test_runs_that_all_pass_are_exit_0(self):
        result = self.replay("--runs", 3, "--size", 4, "--seed", 1, *frng.modes("never"))
        self.assert_exit(result, 0)
        self.assert_says(result, r"\b0 ?(/|of) ?3\b")

    def test_runs_that_all_fail_are_exit_1(self):
        result = self.replay("--runs", 3, "--size", 4, "--seed", 1, *frng.modes("always"))
        self.assert_exit(result, 1)
        self.assert_says(result, r"\b3 ?(/|of) ?3\b")


class Wrap(frng.Scenario):
    """Under another program: its command line gets the system's behind it."""

    def setUp(self):
        super().setUp()
        self.wrapper = self.script("wrapper", """
            printf '%s\\n' "$@" > arguments
            printf '%s\\n' "${FRNG_INPUT-unset}" > input
            if [ -n "${FRNG_INPUT-}" ]; then cp "$FRNG_INPUT" bytes; fi
            while [ "${1#--}" != "$1" ]; do shift; done
            if [ -n "${FRNG_INPUT-}" ]; then exec "$@"; fi""")

    def read(self, name):
        return (self.folder / name).read_text().splitlines()

    def test_an_frng_main_program_gets_its_entropy_by_frng_input(self):
        sut = str(frng.SUTS / "sut-compare")
        result = self.replay(sut, "--hex", "80", "--wrap", "./wrapper --args")
        self.assertEqual(self.read("arguments"), ["--args", sut])
        self.assertNotEqual(self.read("input"), ["unset"])
        self.assertEqual((self.folder / "bytes").read_bytes(), b"\x80")
        self.assert_says(result, "returned false")

    def test_an_frng_main_program_leaves_stdin_to_the_wrapper(self):
        self.script("reader", 'cat > stdin; exec "$@"')
        self.write("typed", "what the user types\n")
        with open(self.folder / "typed", "rb") as typed:
            self.replay(frng.SUTS / "sut-compare", "--hex", "80", "--wrap", "./reader",
                        stdin=typed)
        self.assertEqual(self.read("stdin"), ["what the user types"])

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

    def test_env_and_timeout_end_as_the_program_does(self):
        self.expect_ends("env A=b")
        self.expect_ends("timeout 50")

    @frng.long
    @frng.unsanitized
    def test_valgrind_ends_as_the_program_does(self):
        self.expect_ends("valgrind -q")

    def test_strace_ends_as_the_program_does(self):
        self.expect_ends("strace -f -o /dev/null")

    def test_the_exit_status_is_that_of_the_wrapper(self):
        for wrapper, status in (("true", 0), ("false", 1), ("sh -c 'exit 7'", 7),
                                ("sh -c 'kill -TERM $$'", 128 + 15)):
            with self.subTest(wrapper=wrapper):
                self.assert_exit(self.replay(frng.MODES, "--hex", "80", "--wrap", wrapper), status)

    def test_options_of_a_verdict_do_not_go_with_it(self):
        for option in (["--runs", 2], ["--json", "-"], ["--only", "exit:1"], ["--ignore", "exit:1"]):
            with self.subTest(option=option):
                result = self.replay(frng.MODES, "--hex", "80", "--wrap", "true", *option)
                self.assert_one_line(result, 129, "--wrap gives no verdict: leave out")

    def test_a_plain_program_in_a_debugger_gets_a_file_and_the_line_to_type(self):
        self.script("my-gdb", """
            printf '%s\\n' "$@" > arguments
            cat > stdin
            file=$(sed -n 's/.*run < *//p' err)
            eval "cp $file bytes" """)
        self.write("typed", "what the user types\n")
        with open(self.folder / "err", "wb") as err, open(self.folder / "typed", "rb") as typed:
            self.replay("--size", 20, "--seed", 92, "--wrap", "./my-gdb",
                        *frng.modes("says", "41", "a b", "c"), stderr=err, stdin=typed)
        self.assertIn("run < ", (self.folder / "err").read_text())
        self.assertEqual(self.read("arguments"), [frng.MODES, "says", "41", "a b", "c"])
        self.assertEqual((self.folder / "bytes").read_bytes().hex(), KNOWN["92"])
        self.assertEqual(self.read("stdin"), ["what the user types"])

    def test_a_plain_program_under_what_just_runs_it_gets_its_entropy_on_stdin(self):
        for size, expected in ((40, 0), (41, 1)):
            result = self.replay("--size", size, "--seed", 1, "--wrap", "env", *frng.modes(
                "says", "41", "out of sut", "err of sut"))
            self.assert_exit(result, expected)
            self.assertEqual(result.stdout, "out of sut\n")

    def test_words_of_the_wrapper_are_split_as_a_shell_does(self):
        self.script("wrapper-words", "printf '<%s>' \"$@\" > arguments")
        self.replay("--hex", "80", frng.MODES, "--wrap",
                    "./wrapper-words  -x 'a b' \"c  d\" e\\ f")
        self.assertEqual(self.read("arguments"), [f"<-x><a b><c  d><e f><{frng.MODES}>"])

    def test_the_file_is_private_and_removed(self):
        self.script("shows", 'stat -c %a "$TMPDIR" "$TMPDIR"/*; cat "$TMPDIR"/*/entropy | wc -c')
        (self.folder / "tmp").mkdir(mode=0o755)
        for entropy, size in (("0001ff", "3"), ("", "0")):
            result = self.replay(frng.MODES, "--hex", entropy, "--wrap", "./shows",
                                 environment={"TMPDIR": str(self.folder / "tmp")})
            self.assertEqual(result.stdout.split(), ["755", "700", size])
            self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        result = self.replay(frng.MODES, "--hex", "00", "--wrap", "true",
                             environment={"TMPDIR": "/no/such/folder"})
        self.assert_one_line(result, 125, "/no/such/folder: cannot be written: No such file")

    def test_a_debugger_keeps_the_terminal(self):
        (self.folder / "gdb").mkdir()
        for name, keeps in (("rust-lldb-14", True), ("a-gdb", True), ("gdb/tool", False)):
            self.script(name, "cat > stdin")
            with open(self.write("typed", "typed"), "rb") as typed:
                self.replay(frng.MODES, "--hex", "0102", "--wrap", f"./{name} -x", stdin=typed)
            stdin = (self.folder / "stdin").read_bytes()
            self.assertEqual(stdin, b"typed" if keeps else b"\1\2")

    def test_a_missing_wrapper_cannot_be_judged(self):
        result = self.replay("--hex", "80", "--wrap", "./no-such-wrapper --args", frng.MODES)
        self.assert_exit(result, 125)
        self.assert_says(result, "no-such-wrapper[^\n]*(not found|no such file)")
        self.assertNotIn(frng.MODES + ":", result.stderr)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_where_an_frng_main_program_aborts(self):
        size, seed = self.assert_found(self.search(frng.SUTS / "sut-assert"))
        result = self.replay(frng.SUTS / "sut-assert", "--size", size, "--seed", seed, "--wrap",
                             "gdb -q -batch -nx -ex run -ex backtrace --args")
        if "ptrace" in result.stderr:
            self.skipTest("tracing is not permitted here")
        self.assertIn("assert_failed", result.stdout, str(result))


class Bisect(frng.Scenario):
    """`git bisect run frng-replay`, for real."""

    def git(self, *arguments):
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
                 "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
                 "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
        result = self.run_tool("git", *arguments, environment=quiet)
        self.assert_exit(result, 0)
        return result.stdout

    def history(self, texts):
        """A repository with one commit a text of ./sut; answers their hashes."""
        self.git("init", "--quiet", "--initial-branch", "main")
        commits = []
        for i, text in enumerate(texts):
            self.write("sut", text, executable=True)
            self.write("version", str(i))
            self.git("add", "sut", "version")
            self.git("commit", "--quiet", "--message", f"version {i}")
            commits.append(self.git("rev-parse", "HEAD").strip())
        self.git("bisect", "start", "HEAD", commits[0])
        return commits

    def first_bad(self, output):
        return re.findall(r"^([0-9a-f]{40}) is the first bad commit", output, re.MULTILINE)

    def test_the_first_bad_commit_is_found(self):
        good = "#!/bin/sh\ntest $(wc -c) -lt 100\n"
        bad = "#!/bin/sh\ntest $(wc -c) -lt 41\n"
        commits = self.history([good] * 6 + [bad] * 5)
        output = self.git("bisect", "run", frng.REPLAY, "./sut", "--size", "41", "--seed", "7")
        self.assertEqual(self.first_bad(output), [commits[6]], output)

    def test_commits_that_do_not_start_or_fail_otherwise_are_skipped(self):
        good = "#!/bin/sh\ntest $(wc -c) -lt 100\n"
        broken = "#!/no/such/interpreter\n"
        other = "#!/bin/sh\nexit 77\n"
        bad = "#!/bin/sh\ntest $(wc -c) -lt 41\n"
        commits = self.history([good, good, broken, good, bad, bad, other, bad, bad])
        output = self.git("bisect", "run", frng.REPLAY, "./sut", "--only", "exit:1", "--size",
                          "41", "--seed", "7")
        self.assertEqual(self.first_bad(output), [commits[4]], output)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
