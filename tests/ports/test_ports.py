"""Each language's port at work with the tools: the same draws, the same answers, one process.

FRNG_LANGUAGE names the port, a folder beside this file, or a machine, for the headers in C there;
without it, all are tested. What has no toolchain is skipped. `build.sh` there builds two targets:
`queue`, the queue of the README, and `suite`, whose first argument chooses what it does: c/suite.c.
"""

import json
import os
import pathlib
import random
import re
import signal
import struct
import subprocess
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
import frng
import raw_driver
import vectors

LANGUAGES = ["c", "cpp", "python", "rust", "go", "javascript", "zig"]
MACHINES = ["s390x", "armhf", "i386"]  # of bytes in the other order, or words of 32 bits
REFUSING = {"cpp", "python", "rust", "go", "javascript"}  # a misused draw is an error to catch
SIGNED = {"python", "go", "javascript"}  # counts can be negative
PLAIN = {"c": [], "cpp": [], "python": ["plain"], "rust": ["plain"], "javascript": ["plain"]} # has a check in a main
GOING_ON = {"rust", "go"}  # whose process can go on after a failure
PLACING = {"python", "rust", "javascript", "go"}  # records the places of draws; those of C and C++ are in tests/headers/sites.c
FORKING = {"c", "cpp", "python", "zig"}  # their servers fork for each batch
HEADERS = {"c", "cpp", "zig"}  # whose servers are in C
# What only stacks have; one in Python may have the caller and the wrapper of a check.
A_STACK = r"stack backtrace|\n\s*at \S|stack: |, in (?!wrapper|test_within)\w+\n"
# Variables, and the one of frng that is meant.
MISSPELT = {"FRNG_RUN": "FRNG_RUNS", "FRNG_SED": "FRNG_SEED", "FRNG_TIME": "FRNG_TIMEOUT",
            "FRNG_REPALY": "FRNG_REPLAY", "FRNG_OWN": "", "FRNG_TEST": "", "FRNG_TIMEOUT": ""}
# Values that a variable of a check cannot have.
NO_VALUES = {
    "FRNG_RUNS": "many|-1|1e3|99999999999", "FRNG_SEED": "7s|-1|18446744073709551616",
    "FRNG_TIMEOUT": "1.5|2s", "FRNG_PROFILE": "CI|fast",
    "FRNG_REPLAY": "hex=abc|hex=zz|size=-1 seed=1|size=1e9 seed=1|size=99999999999 seed=1|size=16|seed=1|garbage"
                   "|size=3 seed=1x|size=3 seed=18446744073709551616|size=5 hex=0100"}
UNSET = ["FRNG_RUNS", "FRNG_SEED", "FRNG_TIMEOUT", "FRNG_PROFILE", "FRNG_REPLAY", "FRNG_FINDINGS", "FRNG_SEARCH"]
# What findings say that are of another test, whose folder has the same name.
OF_OTHERS = {"python": {"args": ["-m", "frng", "other.py", "passes"]},
             "javascript": {"args": ["run.mjs", "other.mjs", "passes"]},
             "rust": {"sut": "target/debug/deps/other-1a2b"},
             **dict.fromkeys(("c", "cpp", "go"), {"sut": "build/other.test"})}
# Texts of files that are no findings.
NO_FINDINGS = ["", "{", "[]", "{}", '{"format": 9, "hex": "00"}', '{"format": 1}', '{"format": 1, "hex": "abc"}',
               '{"format": 1, "expand": 1, "size": -1, "seed": "1"}', '{"format": 1, "expand": 1, "seed": "1"}',
               "[" * 100000, '{"format": 1, "expand": 2, "size": 1, "seed": "1"}',
               '{"format": 1, "hex": "0000", "size": 1}', b"\xff\xfe{", '{"format": 1, "size": 1e9, "seed": "1"}',
               '{"format": 1, "expand": 1, "size": 67108865, "seed": "1"}',
               '{"format": 1, "expand": 1, "size": 1073741824, "seed": "1s"}',
               '{"format": 1, "hex": "00", "draws": "x"}', '{"format": 1, "hex": "00", "draws": "0-bd58af241f935b53"}']
QUEUE_SEED = "3149150492377596932"
BUILD_S, SLOW_S = 600 * frng.SLOWER, 400 * frng.SLOWER  # a build; many starts of an interpreter, beside other tests
A_SITE = r"[\w-]+\.\w+:\d+"


def built(name, folder, *more):
    """The folder with a port's `queue` and `suite`, or with more, after building them."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["sh", HERE / ("c" if name in MACHINES else name) / "build.sh", folder]
    result = subprocess.run([*command, *[name] * (name in MACHINES), *more], timeout=BUILD_S,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode == 77:
        raise unittest.SkipTest(result.stdout.strip())
    if result.returncode != 0:
        raise AssertionError(f"{name} does not build:\n{result.stdout}")
    return folder


def cpu_s(pids):
    """The seconds of a processor that processes, and those that they waited for, have had."""
    ticks = 0
    for pid in pids:
        try:
            ticks += sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
        except OSError:  # it has ended
            pass
    return ticks / os.sysconf("SC_CLK_TCK")


class Draws:
    """The draws and expansions of a port, or of C on a machine; classes below name it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.targets = built(cls.language, frng.BUILD / "tests" / "ports" / cls.language)
        cls.queue, cls.suite = cls.targets / "queue", cls.targets / "suite"
        cls.soon = PLAIN.get(cls.language, ()) # a check in a program starts sooner than one in a runner
        cls.reference = frng.BUILD / "tests" / "ports" / "ports_suite"

    def check_answers(self, asked, expansions, wanted):
        """Compare draws up to one that the port lacks. Return the names of those it has."""
        found = iter(vectors.asked(self.suite, vectors.questions(asked, expansions)))
        wanted, made = iter(wanted), set()
        for entropy, calls in asked:
            is_lacking = False
            for call, answer, right in zip(calls, found, wanted):
                is_lacking = is_lacking or answer == "?"
                if not is_lacking:
                    self.assertTrue(vectors.is_right(answer, right),
                                    f"{entropy.hex()}: {call} is {answer}, not {right}")
                    made.add(call.split()[0])
        self.assertEqual(list(found), list(wanted))
        return made

    def test_its_draws_and_expansions_are_those_of_the_vectors(self):
        made = self.check_answers(*vectors.read(ROOT / "frng" / "vectors.json"))
        self.assertEqual({*vectors.REQUIRED, *vectors.OTHER}, made)

    def test_random_draws_and_expansions_are_those_of_c(self):
        asked, expansions = list(vectors.random_vectors(1)), list(vectors.random_expansions(1))
        wanted = vectors.asked(self.reference, vectors.questions(asked, expansions))
        made = self.check_answers(asked, expansions, wanted)
        self.assertEqual({*vectors.REQUIRED, *vectors.OTHER}, made)


    def test_misuse_is_an_error_with_entropy_and_without(self):
        if self.language not in REFUSING:
            self.skipTest("there a misused draw ends the process")
        calls = vectors.MISUSED_CALLS + vectors.NEGATIVE_CALLS * (self.language in SIGNED)
        asked = [(entropy, [call]) for call in calls for entropy in (bytes(100), b"")]
        made = self.check_answers(asked, [], ["misuse 0 0"] * len(asked))
        self.assertGreaterEqual(len(made), 7)


class Port(Draws):
    """The scenarios of a port."""

    def events(self, name="events"):
        return frng.latest(self.folder / name)

    def line_of(self, path_and_line):
        """The line of a source that a site names."""
        name, number = path_and_line.rsplit(":", 1)
        sources = [*(ROOT / "frng").rglob(name), *(HERE / self.language).rglob(name)]
        self.assertTrue(sources, f"{name} is no source of the port")
        return sources[0].read_text().splitlines()[int(number) - 1]

    # ---- The queue of the README ----

    def test_the_queue_fails_at_16_bytes_in_one_process_and_in_the_test_runner(self):
        found = self.folder / "found"
        result = self.search(self.queue, "--rng-seed", "7", "--attempts", "20", "--jobs", "3",
                             "--findings", found, "--json", "events")
        self.assertEqual(self.assert_found(result), (16, QUEUE_SEED), str(result))
        self.assertEqual(self.events()[0]["mode"], "persistent", str(result))
        site = re.search(rf"failure  \S+ at ({A_SITE})", result.stderr)[1]
        self.assertTrue(site.startswith(("queue.", "byte_queue.", "main.")), site)
        self.assertRegex(self.line_of(site), r"(?i)got|assert|fail|panic|throw|raise")
        self.assert_says(result, r"output   [^\n]*got 0, not 7")
        if self.language == "c":
            return # it has no helper for a test runner
        result = self.replayed(found)
        self.assertNotEqual(result.exit, 0, str(result))
        output = result.stdout + result.stderr
        self.assertIn("got 0, not 7", output)
        for name, finding in frng.findings(found).items():
            name, size, seed = name.removesuffix(".json"), finding["size"], finding["seed"]
            words = f"{name}: --size {size} --seed {seed}".replace(" ", "[ _]") # Go: no spaces
            self.assertRegex(output, f"{words}(?![0-9s])")

    def test_the_queue_reduces_to_eight_pushes_and_pops(self):
        result = self.reduce(self.queue, "--hex", "e93811d0" * 4)
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, f"size=16 hex={'0100' * 8}\n", str(result))

    def test_the_trace_of_each_kind_of_draw_is_that_of_c(self):
        known = vectors.asked(self.suite, vectors.questions([(bytes(500), vectors.TRACED_CALLS)], []))
        calls = [call for call, answer in zip(vectors.TRACED_CALLS, known) if answer != "?"]
        path = self.write("calls", "".join(f"{call}\n" for call in calls))
        for seed in "1", "2s", "77":
            arguments = ["--size", "3000", "--seed", seed, "--trace", "--", "calls", path]
            result = self.replay(self.suite, *arguments)
            wanted = self.replay(self.reference, *arguments)
            self.assertEqual(result.stdout, wanted.stdout)
            self.assertEqual(result.exit == 0, wanted.exit == 0, str(result))
            for kind in "bytes", "bool", "weighted", "f64", "chance":
                self.assertRegex(wanted.stdout, rf"\b{kind}\b")

    def test_without_a_driver_it_reads_its_stdin_or_the_file_that_frng_input_names(self):
        self.assert_exit(self.replay(self.queue, "--size", "0", "--seed", "1"), 0)
        for text, fails in (b"\1\0" * 8, True), (b"\1\0" * 7 + b"\1", False), (b"", False):
            path = self.write("input", b"\0" + text)
            with open(path, "rb", buffering=0) as rest:
                rest.seek(1)
                result = self.run_tool(self.queue, stdin=rest)
            self.assertEqual(result.exit != 0, fails, str(result))
            self.assertEqual("got 0, not 7" in result.stderr, fails, str(result))
        self.write("input", b"\1\0" * 8)
        result = self.run_tool(self.queue, environment={"FRNG_INPUT": "input"})
        self.assertNotEqual(result.exit, 0)
        for name in "missing", ".":
            result = self.run_tool(self.queue, environment={"FRNG_INPUT": name})
            self.assert_one_line(result, 125, r"frng: cannot read (the )?entropy\b")

    def test_a_main_that_gets_unknown_arguments_or_no_entropy_makes_no_run(self):
        if self.language == "zig":
            self.skipTest("its main is that of C")
        empty = self.write("empty", b"")
        for word in "--chek", "check", "--check=5", "", "a\nb":
            self.assert_one_line(self.run_tool(self.queue, word), 2, r"\Afrng: usage: unknown argument")
        for word in "--help", "-h":
            result = self.run_tool(self.queue, word)
            self.assertEqual((result.exit, result.stderr), (0, ""), str(result))
            self.assertIn("frng-search", result.stdout)
        terminal, other = os.openpty()
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.close, other)
        calls = [["sh", "-c", f'exec "$0" {redirected}', self.queue] for redirected in
                 (f"<{empty}", "</dev/null", "<&-")] + [[self.queue]]
        for i, call in enumerate(calls):
            result = self.run_tool(*call, stdin=other)
            self.assertEqual((result.exit, result.stderr.count("\n")), (2, 3) if i else (0, 0), str(result))
            self.assertEqual(result.stderr.startswith("frng: usage: no entropy"), i > 0, str(result))
        if self.language == "c":
            result = self.run_tool(self.queue, stdin=subprocess.DEVNULL, environment={"FRNG_SEARCH": "1h"})
            self.assertTrue(result.stderr.endswith("  FRNG_SEARCH is read with --check alone\n"), str(result))
        for word in "--chek", "--help":
            self.assert_exit(self.search(self.queue, "--", word), 2)
            self.assert_exit(self.replay(self.queue, "--hex", "00", "--", word), 125)
        files = [os.memfd_create("offered") for _ in range(3)]
        for file, text in zip(files, (b"frngprt1", b"1trpgnrf", b"no report")):
            self.addCleanup(os.close, file)
            os.write(file, text)
        later, other_order, none = files
        for driver in (f"9,1,{later},3", f"9,1,{other_order},3,4", f"1,-1,{none},-1", "9,1,2,3", "9,1,-1,3,4", "1,2,3,4",
                       "1,0,1,2", "1,2,99999999999,4", "1", "yes", f"0,1,{later},3", "1,2,3", "1,2,3,4x"):
            result = self.run_tool(self.queue, stdin=subprocess.DEVNULL, pass_fds=files,
                                   environment={"FRNG_DRIVER": driver})
            is_driver = driver[0] == "9" and driver.split(",")[2] in map(str, files)
            self.assertEqual((result.exit, result.stderr.count("\n")), (0, 0) if is_driver else (2, 3), str(result))
        for name, stream in (("stdin", "/dev/zero"), ("/dev/zero", empty)):
            result = self.run_tool("sh", "-c", f'exec "$0" <{stream}', self.queue,
                                   environment={"FRNG_INPUT": name} if stream == empty else {})
            self.assertEqual((result.exit, result.stderr), (2, (
                f"frng: usage: {name} is no file, and has 256 MiB or more: name a file of them, or take less\n")))
        for name in "FRNG_SEARCH", "FRNG_SEED", "FRNG_RUNS":
            result = self.run_tool(self.queue, environment={"FRNG_INPUT": empty, name: "1"})
            self.assertEqual(result.exit, 0)
            self.assertRegex(result.stderr, rf"^frng: {name} is read (by checks|with --check) alone\n$")
        for name, wanted in MISSPELT.items():
            result = self.run_tool(self.queue, environment={"FRNG_INPUT": empty, name: "1"})
            self.assertEqual(result.exit, 0)
            self.assertEqual(result.stderr, wanted and f"frng: {name} is not known; did you mean {wanted}?\n")

    def test_commands_that_it_prints_are_quoted_for_every_shell(self):
        if self.language in HEADERS:
            self.skipTest("it prints no arguments")
        words = ["a b", "it's", "", "-x", "a\n\n", "\x1b[31m", "$HOME `x` \\", "%d\t'c", "\u202ec"]
        result = self.run_tool(self.suite, "draws", "1", *words, stdin=subprocess.DEVNULL)
        self.assert_exit(result, 2)
        self.assertTrue(result.stderr.replace("\n", "").isprintable(), str(result))
        for line in result.stderr.splitlines()[1:]:
            command = line.rpartition(" <FILE")[0] or line.rpartition("  finds")[0]
            split = self.run_tool("sh", "-c", f"printf '%s\\0' {command}")
            self.assertEqual(split.stdout.split("\0")[-len(words) - 1:-1], words, line)

    def test_an_offer_that_makes_no_sense_is_ignored(self):
        other = os.memfd_create("other")
        self.addCleanup(os.close, other)
        os.ftruncate(other, 4096)
        self.write("input", b"\1\0" * 8)
        for offer in ("", "x", "1,2", "2,3,4,5", "1,-1,-1,-1", "1,-1,0,-1", "1,999,998,997",
                      f"1,-1,{other},-1"):
            result = self.run_tool(self.queue, pass_fds=[other], environment={
                "FRNG_DRIVER": offer, "FRNG_INPUT": "input"})
            self.assertNotEqual(result.exit, 0, offer)
            self.assert_says(result, "got 0, not 7")
        self.assertEqual(os.pread(other, 4096, 0), bytes(4096))

    # ---- Findings in the test runner of the language ----

    def replayed(self, folder):
        """The result of replay.sh, which runs the test of the queue with a folder of findings."""
        return self.run_tool("sh", HERE / self.language / "replay.sh", self.targets, folder)

    def test_findings_that_pass_pass_in_the_test_runner_and_bad_ones_do_not(self):
        if self.language == "c":
            self.skipTest("C has no helper for a test runner")
        found = self.folder / "found"
        missing = self.replayed(found)
        self.assert_exit(missing, 0)
        self.assertRegex(missing.stdout + missing.stderr, r"(?i)skip")
        found.mkdir()
        for size, seed in (3, "17"), (15, "5s"):
            name, text = frng.finding_text(self.queue, [], size, str(size))
            fields = {**json.loads(text), "seed": seed}
            (found / name).write_text(json.dumps(fields))
        del fields["seed"], fields["size"]
        passing = {**fields, "hex": "0100" * 7}
        (found / "0000000014-0000000000000009.json").write_text(json.dumps(passing))
        self.assert_exit(self.replayed(found), 0)
        failing = found / "0000000016-0000000000000009.json"
        for text in '{"format": 1}', "", "[" * 999, '{"format": 1, "expand": 1, "size": 1000000000, "seed": "7"}':
            failing.write_text(text)
            result = self.replayed(found)
            self.assertNotEqual(result.exit, 0)
            self.assertIn(f"{failing.name} is no finding", result.stdout + result.stderr)
        if self.language != "zig": # 14 draws are not 16
            for draws, status in ("16-479e4b600cd16ce5", {1, 101}), (None, {0}):
                failing.write_text(json.dumps({**passing, "draws": draws}))
                result = self.replayed(found)
                self.assertIn(result.exit, status, str(result))
                self.assertEqual("other draws" in result.stdout + result.stderr, draws is not None)
        failing.write_text(json.dumps({**fields, "hex": "0100" * 8, "draws": "3-0000000000000000"}))
        result = self.replayed(found)
        self.assertNotEqual(result.exit, 0, str(result))
        self.assertRegex(result.stdout + result.stderr, f"{failing.stem}:[ _]--hex[ _]{'0100' * 8}")

    def checked(self, *before, how=(), **environment):
        """The result of check.sh, which runs a check that passes; and what it prints."""
        result = self.run_tool(*before, "sh", HERE / self.language / "check.sh", self.targets, *how,
                               environment={"FRNG_RUNS": "20", "FRNG_REDUCE": "0", **environment})
        return result, result.stdout + result.stderr

    def test_a_check_makes_the_runs_of_each_language_in_the_same_order(self):
        if self.language in HEADERS - {"c"}:
            self.skipTest("its checks are those of C")
        for i, known in enumerate(json.loads((ROOT / "frng" / "vectors.json").read_text())["checks"]):
            result = self.run_tool("sh", HERE / self.language / "check.sh", self.targets, "fails", environment={
                "FRNG_SEED": known["seed"], "FRNG_RUNS": known["runs"], "FRNG_REDUCE": "0",
                **({"DISCARDS": "1"} if known.get("discards") else {}),
                "PATH": f"{frng.BUILD}/driver:" * (i > 0) + os.environ["PATH"]})
            self.assertNotEqual(result.exit, 0)
            self.assertIn("fails in run {failed}, smallest after {more} more: {smallest}\n".format(**known),
                          result.stdout + result.stderr)
            self.assertEqual("these tools are not on PATH; README of frng says how to get them"
                             in result.stdout + result.stderr, i == 0, str(result))

    def test_a_failing_check_bounds_its_reduction_by_calls(self):
        if self.language in HEADERS - {"c"}:
            self.skipTest("its checks are those of C")
        tool = self.folder / "frng-reduce"
        done = '{"event":"done","outcome":"fail","complete":false,"size":5,"hex":"60f0f0f0f0","calls":432}'
        tool.write_text(f"#!/bin/sh\necho \"$@\" >>'{self.folder}/asked'\necho '{done}'\nexit 1\n")
        tool.chmod(0o755)
        result = self.run_tool("sh", HERE / self.language / "check.sh", self.targets, "fails", environment={
            "FRNG_SEED": "1", "PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertRegex((self.folder / "asked").read_text(), "--calls 5000 --time 120s ")
        self.assertRegex(result.stdout + result.stderr, "reduced by frng-reduce, not finished after 432 calls; the line below goes on: "
                                                        "size=5 hex=60f0f0f0f0\n")

    def test_a_failure_of_no_bytes_is_shown_as_a_shell_takes_it(self):
        if self.language in HEADERS - {"c"}:
            self.skipTest("its checks are those of C")
        _, said = self.checked(how=["fails"], FRNG_REPLAY="hex=", AT_ONCE="1")
        self.assertIn("FRNG_REPLAY='size=0 hex='", said)
        for tool in "replay", "reduce":
            self.assertRegex(said, rf"frng-{tool} [^\n]* --hex '' --")

    def refuses(self, words, *before, how=(), **environment):
        """The check does not pass, and says why in a line."""
        result, said = self.checked(*before, how=how, **environment)
        self.assertNotEqual(result.exit, 0, f"{environment}: {result}")
        self.assertRegex(said, rf"(?i){words}")
        self.assertNotRegex(said, A_STACK)

    def test_a_program_that_judges_nothing_says_so_in_a_line_and_ends_with_2(self):
        if self.language not in PLAIN:
            self.skipTest("its checks are those of C, or of a test runner")
        found = self.folder / "found"
        found.mkdir()
        os.mkfifo(found / "x.json")
        self.assert_exit(self.checked(how=PLAIN[self.language])[0], 0)
        for variables, status, words in (
                ({"FRNG_REPLAY": "hex=abc"}, 2, "FRNG_REPLAY=hex=abc is no input"),
                ({"FRNG_REPLAY": "size=-1 seed=1"}, 2, "FRNG_REPLAY=size=-1 seed=1 is no input"),
                ({"FRNG_RUNS": "0"}, 2, "no findings, and FRNG_RUNS=0: nothing was run"),
                ({"FRNG_FINDINGS": str(found)}, 2, "x.json is no finding: .*regular file"),
                ({"FRNG_FINDINGS": str(found / "x.json")}, 2, "x.json.* not a directory"),
                ({"NOTHING": "1"}, 3, "none of 11 runs of .* read its input"),
                ({"NOTHING": "1", "FRNG_RUNS": "3"}, 3, "none of 3 runs of .* read its input")):
            with self.subTest(**variables):
                result, _ = self.checked(how=PLAIN[self.language], **variables)
                self.assert_one_line(result, status, rf"\Afrng: .*{words}")

    def test_a_check_that_makes_no_run_or_another_one_than_asked_for_is_no_pass(self):
        if self.language == "zig":
            self.skipTest("its checks are those of C")
        empty = {name: "" for name in UNSET}
        for variables in ({}, empty, {"FRNG_REPLAY": "size=3 seed=7s"}, {"FRNG_PROFILE": "ci"},
                          {"FRNG_FINDINGS": str(self.folder / "none")}, {"FRNG_OWN": "1"}):
            result, said = self.checked(**variables)
            self.assert_exit(result, 0)
            if self.language == "c":  # a runner may hide a line of a test that passes
                is_absent = bool(variables.get("FRNG_FINDINGS"))
                self.assertEqual("none is not there: no finding is replayed" in said, is_absent, said)
                self.assertEqual("FRNG_REPLAY does not fail" in said, bool(variables.get("FRNG_REPLAY")), said)
        for name, texts in NO_VALUES.items():
            for i, text in enumerate(texts.split("|")):
                with self.subTest(name=name, text=text):
                    self.refuses(f"{name}={text} is no (number|profile|input)", how=self.soon if i > 0 else (),
                                 **{name: text})
        for name, wanted in MISSPELT.items():
            if wanted:
                result, said = self.checked(**{name: "9"})
                self.assertEqual(result.exit == 0, self.language in HEADERS, str(result))
                self.assertIn(f"{name} is not known; did you mean {wanted}?", said)
        self.refuses("no findings, and FRNG_RUNS=0: nothing was run", FRNG_RUNS="0")
        self.refuses("none of 11 runs of .* read its input", NOTHING="1")
        self.refuses("FRNG_SEARCH=1s: frng-search", FRNG_SEARCH="1s",
                     PATH=os.environ["PATH"].replace(f"{frng.BUILD}/driver", "/"))
        self.write("frng-search", "#!/bin/sh\n", executable=True)
        path = f"{self.folder}:{os.environ['PATH']}"
        result, said = self.checked(FRNG_SEARCH="1s", PATH=path)
        self.assert_exit(result, 0)
        if self.language != "c": # each has a second check there, which no driver reaches
            self.assertRegex(said, "FRNG_SEARCH=1s: .* is (no|a) target")

    def test_a_check_whose_findings_cannot_be_read_is_no_pass(self):
        if self.language == "zig":
            self.skipTest("its checks are those of C")
        found = self.folder / "found"
        finding = found / "0000000001-0000000000000001.json"

        def refused(words, *before, how=()):
            self.refuses(words, *before, how=how, FRNG_FINDINGS=str(found))
            finding.rmdir() if finding.is_dir() and not finding.is_symlink() else finding.unlink()

        found.mkdir()
        brief = ["prlimit", "--cpu=20"]  # nothing is made of a size, or read, before it is refused
        for text in NO_FINDINGS:
            with self.subTest(text=text[:99]):
                finding.write_bytes(text if isinstance(text, bytes) else text.encode())
                refused(f"{finding.name} is no finding", *brief, how=self.soon)
        for make in (finding.mkdir, lambda: os.mkfifo(finding), lambda: finding.symlink_to("nothing"),
                     lambda: (finding.touch(), os.truncate(finding, 1 << 32))):
            make()
            refused(f"{finding.name}(: cannot be read| is no finding)", *brief)
        odd = pathlib.Path(os.fsdecode(bytes(found) + b"/\xff\n.json"))
        odd.write_text("{}")
        self.refuses(r"json is no finding", *brief, FRNG_FINDINGS=str(found))
        odd.unlink()
        for draws in "2-c6b0a82b402a5ae7", "16-479e4b600cd16ce5":
            finding.write_text(json.dumps({"format": 1, "hex": "0001", "draws": draws}))
            refused("0000001.json passes, but was found with other draws: it no longer tests what it did")
        of_others = [{"draws": "2-c6b0a82b402a5ae7", **OF_OTHERS.get(self.language, {})}] * (self.language in OF_OTHERS)
        for fields in {"draws": None}, {"draws": "1-bd58af241f935b53"}, *of_others:  # of a u8
            finding.write_text(json.dumps({"format": 1, "hex": "0001", **fields}))
            result, _ = self.checked(FRNG_FINDINGS=str(found), FRNG_RUNS="0")
            self.assert_exit(result, 0)
        # Root is denied nothing, unless it has lost these capabilities.
        denied = [] if os.geteuid() else ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
        for path in finding, found:
            mode = path.stat().st_mode
            path.chmod(0)
            self.refuses("permission denied", *denied, FRNG_FINDINGS=str(found))
            path.chmod(mode)
        self.refuses("not a directory", FRNG_FINDINGS=str(finding))
        gone = self.folder / "gone"
        gone.symlink_to("nothing")
        self.refuses("gone", FRNG_FINDINGS=str(gone))

    def start_check(self, how, **environment):
        """One of several checks at once, in a group of processes as a terminal has it."""
        return self.start("sh", HERE / self.language / "check.sh", self.targets, *how, start_new_session=True,
                          stderr=subprocess.STDOUT, environment={
                              "FRNG_REDUCE": "0", "PATH": f"{frng.BUILD}/driver:{os.environ['PATH']}", **environment})

    def test_an_interrupt_ends_a_check_with_all_that_it_started(self):
        """As a terminal sends it, to all of them: in a run, and in a search of frng-search."""
        if self.language == "zig":
            self.skipTest("its checks are those of C")
        found = self.folder / "found"
        found.mkdir()
        finding = found / "0000000001-0000000000000001.json"
        finding.write_text('{"format": 1, "hex": "00"}')
        for variables, is_begun in (
                ({"FRNG_RUNS": "2000000000"}, lambda: cpu_s(self.left_processes()) > 1),
                ({"FRNG_RUNS": "1", "FRNG_SEARCH": "1h"},
                 lambda: any("frng-search" in words for words in self.left_processes().values()))):
            process = self.start_check([], FRNG_FINDINGS=str(found), **variables)
            self.assertTrue(frng.wait_until(is_begun), variables)
            os.killpg(process.pid, signal.SIGINT)
            said = process.communicate(timeout=frng.PATIENCE_S)[0]
            self.assertNotEqual(process.returncode, 0, said)
            self.assertTrue(frng.wait_until(lambda: not self.left_processes()), self.left_processes())
            self.assertEqual(finding.read_text(), '{"format": 1, "hex": "00"}')

    def test_a_check_that_gets_no_processor_does_not_hang(self):
        """As on a busy machine: here it is stopped for longer than a run may take."""
        if self.language == "zig":
            self.skipTest("its checks are those of C")
        process = self.start_check([], FRNG_RUNS="2000000000", FRNG_TIMEOUT="1")
        for seconds in 1, 1.2, 1.4, 1.6:  # most of them in the middle of a run
            self.assertTrue(frng.wait_until(lambda more=seconds: cpu_s(self.left_processes()) > more or process.poll() is not None))
            self.assertIsNone(process.poll())
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(1.3)
            os.killpg(process.pid, signal.SIGCONT)
        self.assertTrue(frng.wait_until(lambda: cpu_s(self.left_processes()) > 1.8 or process.poll() is not None))
        self.assertIsNone(process.poll())
        os.killpg(process.pid, signal.SIGINT)
        self.assertNotRegex(process.communicate(timeout=frng.PATIENCE_S)[0].decode(), "hangs|has not ended")

    def test_checks_at_once_share_a_folder_of_findings(self):
        """Each fails by what is there, or by what it finds, and leaves whole findings alone."""
        if self.language in HEADERS - {"c"}:
            self.skipTest("its checks are those of C")
        found = self.folder / "found"
        variables = {"FRNG_FINDINGS": str(found), "FRNG_SEED": "1"}
        first = [self.start_check(["fails"], **variables, FRNG_RUNS="0", FRNG_SEARCH="1h") for _ in range(2)]
        said = [process.communicate(timeout=frng.PATIENCE_S)[0].decode() for process in first]
        for process, text in zip(first, said):
            self.assertNotEqual(process.returncode, 0, text)
            self.assertRegex(text, "found by frng-search: size=|json still fails: size=")
        kept = {path: path.read_bytes() for path in found.rglob("*.json")}
        self.assertTrue(kept, said)
        self.assertTrue(all(json.loads(text)["format"] for text in kept.values()), kept)
        again = [self.start_check(["fails"], **variables, FRNG_RUNS="20") for _ in range(2)]
        for process in again:
            text = process.communicate(timeout=frng.PATIENCE_S)[0].decode()
            self.assertNotEqual(process.returncode, 0, text)
            self.assertRegex(text, "json still fails: size=")
            self.assertNotIn("repeats the search", text)
        self.assertEqual({path: path.read_bytes() for path in found.rglob("*.json")}, kept)
        self.assertEqual([path for path in found.rglob("*") if path.is_file() and path not in kept], [])

    def test_its_tests_in_its_own_language_pass(self):
        script = HERE / self.language / "test.sh"
        if not script.exists():
            self.skipTest(f"the port to {self.language} has no tests of its own")
        self.assert_exit(self.run_tool("sh", script, self.targets, timeout=BUILD_S), 0)

    # ---- Failures ----

    @frng.long
    def test_of_two_bugs_a_reduction_keeps_to_the_one_it_was_given(self):
        given = "ff81c0ab"
        result = self.reduce(self.suite, "--hex", given, "--explain", "no", "--", "bugs",
                             timeout=SLOW_S)
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, f"size=4 hex={'80' * 4}\n", str(result))
        many = re.search(rf"reduced: \S+ at ({A_SITE})", result.stderr)[1]
        few = re.search(rf"also[^\n]* at ({A_SITE})", result.stderr)[1]
        self.assertNotEqual(many, few)
        self.assertIn("many", self.line_of(many))
        self.assertIn("few", self.line_of(few))

    @frng.long
    def test_a_test_that_keeps_state_gets_a_process_for_each_run(self):
        often = ["20"] if self.language in FORKING else ["60", "--size-max", "1"]
        result = self.search(self.suite, "--jobs", "1", "--attempts", *often, "--", "stateful",
                             timeout=SLOW_S)
        # Where no process can repeat what came before a failure, its cause stays unknown.
        self.assert_exit(result, 0 if self.language in FORKING else 3)
        self.assertEqual(result.stdout, "", str(result))
        self.assert_says(result, "keeps state")

    def test_its_process_goes_on_after_failures_of_one_thread_if_the_driver_lets_it(self):
        if self.language not in GOING_ON:
            self.skipTest("there a failure ends the process")
        fails, stay = b"\xff" * 4, raw_driver.ONE_PROCESS | raw_driver.STAY
        data = raw_driver.given(b"ab", fails, fails)
        for off, can in ("", True), ("0", True), ("1", False):
            driver = raw_driver.Driver(self, [self.suite, "leaves", ""], {**os.environ, "FRNG_NO_JUMP": off})
            self.assertEqual(bool(driver.hello[2] & raw_driver.CAN_STAY), can)
        for what, flags, times in ("", stay, 64), ("", raw_driver.ONE_PROCESS, 0), ("thread", stay, 0):
            driver = raw_driver.Driver(self, [self.suite, "leaves", what], os.environ)
            for _ in range(times):
                done = driver.order(flags | raw_driver.GIVEN, 0, 3, len(data), data)
                self.assertEqual((done[2], done[6]), (raw_driver.WENT_ON, 1))
                self.assertRegex(driver.site(), rf"^suite\.{A_SITE.partition('.')[2]}")
            self.assertIsNone(driver.order(flags | raw_driver.GIVEN, 0, 3, len(data), data))
            status = driver.process.wait(raw_driver.PATIENCE_S)
            self.assertEqual(status << 8, done[9])

    def test_what_a_failure_leaves_in_its_process_changes_no_answer(self):
        if self.language not in GOING_ON:
            self.skipTest("there a failure ends the process")
        for what in "passes", "fails", "exits", "hangs", "thread":
            with self.subTest(what=what):
                told = []
                for no_jump in "0", "1":
                    result = self.reduce(self.suite, "--hex", "73f26ce601aa01bb01cc01dd01ee00", "--jobs", "1",
                                         "--explain", "no", "--timeout", "2s", "--", "leaves", what,
                                         environment={"FRNG_NO_JUMP": no_jump})
                    text = re.sub(r" \(call \d+\)", "", result.stderr)
                    told.append((result.exit, result.stdout, [line for line in text.splitlines()
                                                             if not re.search("effort|starts|calls [|]", line)]))
                self.assertEqual(*told)
                self.assertEqual(told[0][:2], (1, "size=4 hex=80808080\n"))

    @frng.long
    def test_a_run_that_exits_with_0_has_passed(self):
        result = self.search(self.suite, "--attempts", "20", "--size-max", "4", "--expand", "styled",
                             "--rng-seed", "1", "--", "bugs", "exits")
        size, _ = self.assert_found(result)
        self.assertEqual(size, 4, str(result))

    @frng.long
    def test_a_run_that_hangs_is_killed_at_its_timeout(self):
        result = self.search(self.suite, "--timeout", "1s", "--attempts", "1k", "--size-max", "1",
                             "--rng-seed", "1", "--", "bugs", "hangs")
        size, seed = self.assert_found(result)
        self.assertEqual(size, 1, str(result))
        self.assert_says(result, "timeout")
        again = self.replay(self.suite, "--timeout", "3s", "--size", size, "--seed", seed,
                            "--trace", "--", "bugs", "hangs")
        self.assertRegex(again.stdout, r"c8 +u8 +200")

    def test_many_runs_take_no_process_each_and_a_search_grows_to_what_they_draw(self):
        result = self.search(self.suite, "--attempts", "2k", "--jobs", "1", "--json", "events",
                             "--", "draws", "16")
        self.assert_nothing_found(result)
        done = self.events()[-1]
        self.assertEqual(done["statistics"]["drawn"]["max"], 16, str(result))
        self.assertGreater(done["runs"], 4000, json.dumps(done))
        self.assert_says(result, r"2 sizes \(16, 32\)")

    def test_each_order_is_answered_as_by_c(self):
        port, again, c = (
            raw_driver.Driver(self, [suite, "draws", "1000"], os.environ, rows=16)
            for suite in (self.suite, self.suite, self.reference))
        asked = 0
        for order in raw_driver.orders(port.hello[2]):
            told = []
            for driver in port, again, c:
                done = driver.order(**order)
                has_digest = order["flags"] & raw_driver.DIGESTS
                digest, digested = (driver.number(at) if has_digest else 0 for at in
                                    (raw_driver.DIGEST, raw_driver.DIGEST_DRAWN))
                traced = driver.number(raw_driver.TRACED) if order.get("records") else 0
                report = digested, traced, driver.number(driver.hello[3]), driver.told()
                told.append((done, None if done[2] == raw_driver.HAS_FAILED else report, digest))
            with self.subTest(**order):
                self.assertEqual(told[0], told[1])
                self.assertEqual(told[0][:2], told[2][:2])
                self.assertEqual(told[0][2] == 0, told[2][2] == 0)
            asked += 1
        self.assertGreaterEqual(asked, 4)
        self.assertEqual((port.end(), again.end(), c.end()), (0, 0, 0))

    def test_records_tell_where_and_how_deep_a_draw_was_made(self):
        if self.language not in PLACING:
            self.skipTest("its records have no places")
        driver = raw_driver.Driver(self, [self.suite, "places"], os.environ, records=64, rows=1)
        data = raw_driver.given(b"\0zzz\0zzz\0\1\0z\0\1\1\1\0\1\0\1\0\1")
        for _ in range(2): # each run numbers its own sites
            driver.order(raw_driver.ONE_PROCESS | raw_driver.GIVEN, 0, 1, len(data), data)
            depths, sites = zip(*driver.places())
            self.assertEqual("".join(chr(96 + site) for site in sites), "abbbabbbcddefeggghghgh")
            self.assertTrue(0 < min(depths) == max(depths[:9]) == depths[11] < min(depths[14:]), depths)
            below = sorted(set(depths[14:])) # draws of a tree, of one root: the calls below it
            self.assertEqual([below.index(depth) for depth in depths[14:]], [0, 1, 2, 2, 2, 2, 1, 1])

    def test_an_await_changes_no_depth(self):
        if self.language != "javascript":
            self.skipTest("its draws wait for nothing")
        driver = raw_driver.Driver(self, [self.suite, "awaits"], os.environ, records=64, rows=1)
        data = raw_driver.given(b"\1" * 5)
        driver.order(raw_driver.ONE_PROCESS | raw_driver.GIVEN, 0, 1, len(data), data)
        (base, _), *_ = driver.places()
        self.assertEqual([(depth - base, site) for depth, site in driver.places()],
                         [(0, 1), (1, 2), (0, 3), (1, 2), (-base, 0)])

    def test_its_server_ends_as_its_program_does_once_the_driver_has_hung_up(self):
        if self.language in HEADERS:
            self.skipTest("its server is in C")
        result = self.run_tool(self.suite, "ends", environment={"FRNG_INPUT": self.write("input", b"1")})
        self.assert_exit(result, 3)
        for is_busy in False, True:
            driver = raw_driver.Driver(self, [self.suite, "ends"], os.environ)
            self.assertEqual(driver.batch(b"1", flags=raw_driver.ONE_PROCESS), (1, 0))
            if is_busy: # its answer comes to nobody
                driver.control.send(struct.pack("=10Q", 2, 0, raw_driver.GIVEN | 1, 0, 0, 0, 1, 9, 0, 0))
            self.assertEqual(driver.end(), 3)
            self.assertEqual(driver.process.stderr.read(), b"")

    def lacks(self, name):
        """Whether the suite has no such sub-command."""
        return self.run_tool(self.suite, name, environment={"FRNG_INPUT": self.write("none", b"")}).exit == 2

    def test_labels_measures_and_lines_are_those_of_c(self):
        if self.lacks("marks"):
            self.skipTest(f"the port to {self.language} has no labels")
        statistics, traces = [], []
        for suite in self.suite, self.reference:
            result = self.search(suite, "--rng-seed", "1", "--jobs", "1", "--attempts", "200",
                                 "--size-max", "64", "--json", "events", "--", "marks")
            self.assert_nothing_found(result)
            all_of_them = self.events()[-1]["statistics"]
            statistics.append([all_of_them[key] for key in
                               ("runs", "ran_out", "drawn", "labels", "measures")])
            traces.append(self.replay(suite, "--size", "9", "--seed", "1", "--trace", "--",
                                      "marks").stdout)
        self.assertEqual(*statistics)
        self.assertEqual(*traces)
        self.assertIn("byte 8 is", traces[0])

    def test_goals_are_climbed_by_the_runs_of_c(self):
        if self.lacks("climbs"):
            self.skipTest(f"the port to {self.language} has no goals")
        found = []
        for suite in self.suite, self.reference:
            result = self.search(suite, "--rng-seed", "1", "--jobs", "1", "--attempts", "10", "--time", "60s",
                                 "--json", "events", "--", "climbs")
            self.assert_exit(result, 1)
            best = next(event for event in self.events() if event["event"] == "best")
            goals = self.events()[-1]["statistics"]["goals"]
            found.append((best["runs"], best["hex"], goals))
        self.assertEqual(*found)

    def test_discarded_runs_are_those_of_c(self):
        if self.lacks("assumes"):
            self.skipTest(f"the port to {self.language} has no assume")
        result = self.run_tool(self.suite, "assumes", environment={"FRNG_INPUT": self.write("input", b"\1\1")})
        self.assertEqual((result.exit, result.stderr), (0, ""), str(result))
        found = []
        for suite in self.suite, self.reference:
            result = self.search(suite, "--rng-seed", "1", "--jobs", "1", "--attempts", "50", "--size-max", "64",
                                 "--json", "events", "--", "assumes")
            self.assert_exit(result, 0)
            done = self.events()[-1]
            statistics = [done["statistics"][key] for key in ("ran_out", "drawn", "labels", "warning")]
            found.append((done["runs"], done["discarded"], statistics))
        self.assertEqual(*found)
        self.assertEqual(statistics[-1], "discarded")

    def test_choices_of_each_kind_are_taken_as_by_c(self):
        known = vectors.asked(self.suite, vectors.questions([(bytes(500), vectors.TRACED_CALLS)], []))
        calls = [call for call, answer in zip(vectors.TRACED_CALLS, known) if answer != "?"]
        path = self.write("calls", "".join(f"{call}\n" for call in calls))
        port, c = (raw_driver.Driver(self, [suite, "calls", path], os.environ, records=100, rows=1)
                   for suite in (self.suite, self.reference))
        if not port.hello[2] & raw_driver.CHOICES:
            self.skipTest(f"the port to {self.language} takes no choices")
        c.order(raw_driver.ONE_PROCESS, 1, 1, 3000)
        draws = [draw[:2] for draw in c.records() if draw[0] < 16]
        self.assertGreaterEqual(len({kind for kind, _ in draws}), 14)
        r, told = random.Random(1), set()
        for _ in range(300):
            data = raw_driver.given(raw_driver.random_choices(r, draws))
            flags = raw_driver.ONE_PROCESS | raw_driver.GIVEN | raw_driver.CHOICES
            saw = [(driver.order(flags, 0, 1, len(data), data), driver.told(),
                    driver.number(driver.hello[3])) for driver in (port, c)]
            self.assertEqual(saw[0], saw[1], list(zip(port.records(), c.records())))
            told.add(saw[0][1:])
        self.assertGreater(len(told), 200)

    def test_it_ends_when_its_driver_is_killed(self):
        process = self.start(frng.SEARCH, self.suite, "--time", "60s", "--json", "events", "--",
                             "draws", "8")
        self.assertTrue(frng.wait_until(lambda: self.left_processes() and
                                        (self.folder / "events").exists(), 20))
        process.kill()
        process.wait()
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 20),
                        self.left_processes())


for _name in LANGUAGES + MACHINES:
    if os.environ.get("FRNG_LANGUAGE", _name) == _name:
        _bases = (Draws if _name in MACHINES else Port, frng.Scenario)
        globals()[_name.capitalize()] = type(_name.capitalize(), _bases,
                                             {"language": _name, "__module__": __name__})
