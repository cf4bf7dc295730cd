"""What is of Rust alone: which panic ends a run, and findings in `cargo test`.

SPDX-License-Identifier: MIT
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
import frng
import test_ports

SOURCE = (HERE / "panics.rs").read_text().splitlines()
PORT = HERE.parents[2] / "frng" / "rust"
FAILS, PASSES = b"\xd0", b"\x10"  # draws

# How each target ends, and words of the line that its site names, "" for no site.
ENDS = {
    "plain": ("exit:101", 'panic!("plain")'),
    "caught": ("exit:101", 'panic!("plain")'),
    "thread": ("exit:101", 'panic!("in a thread")'),
    "scope": ("exit:101", 'panic!("in a scope")'),
    "poison": ("exit:101", 'panic!("holder")'),
    "resumed": ("exit:101", 'panic!("first")'),
    "value": ("exit:101", "panic_any(7)"),
    "drop": ("signal:SIGABRT", 'panic!("dropped")'),
    "nounwind": ("signal:SIGABRT|exit:101", 'panic!("in C")'),  # the latter before Rust 1.81
    "bounds": ("exit:101", "f.u8(9..="),
    "lines": ("exit:101", "assert_eq!"),
    "exit": ("exit:3", ""),
    "abort": ("signal:SIGABRT", ""),
}


def setUpModule():
    global PANICS
    PANICS = test_ports.built("rust", frng.BUILD / "tests/ports/rust-panics", "panics") / "panics"


class Panics(frng.Scenario):
    def failure(self, program, *arguments):
        """The identity and the line of the site of a failure in a batch, and all that was said."""
        result = self.search("--attempts", 40, "--rng-seed", 1, "--jobs", 1, "--json", "events",
                             program, "--", *arguments)
        self.assert_found(result, 1)
        best = frng.latest(self.folder / "events")[-1]
        name, _, line = (best["site"] or "").rpartition(":")
        self.assertIn(name, ("", "panics.rs"), str(result))
        return best["identity"], SOURCE[int(line) - 1] if line else "", result

    def test_the_site_is_that_of_the_panic_that_ends_the_run(self):
        for target, (identity, words) in ENDS.items():
            with self.subTest(target=target):
                got, line, result = self.failure(PANICS, "run", target)
                self.assertRegex(got, rf"^({identity})$", str(result))
                self.assertIn(words, line, str(result))
                self.assertEqual(bool(words), bool(line), str(result))

    def test_panics_that_abort_have_a_site(self):
        got, line, result = self.failure(f"{PANICS}-abort", "run", "plain")
        self.assertEqual(got, "signal:SIGABRT", str(result))
        self.assertIn('panic!("plain")', line, str(result))

    def run_on(self, entropy, target, **environment):
        process = self.start(PANICS, "run", target, stdin=subprocess.PIPE, environment=environment)
        _, stderr = process.communicate(entropy, timeout=frng.PATIENCE_S)
        return process.returncode, stderr.decode()

    def test_a_panic_is_one_line_that_begins_with_its_site(self):
        exit_status, stderr = self.run_on(FAILS, "plain")
        self.assertEqual(exit_status, 101, stderr)
        self.assertRegex(stderr, r"\Apanics\.rs:\d+: plain\n\Z")

    def test_panics_that_a_test_catches_pass_and_say_nothing(self):
        self.assertEqual(self.run_on(PASSES * 9, "caught"), (0, ""))

    def test_a_draw_that_is_unwrapped_at_the_end_of_the_entropy_passes(self):
        self.assertEqual(self.run_on(PASSES * 9, "unwraps"), (0, ""))
        exit_status, stderr = self.run_on(FAILS, "unwraps")
        self.assertEqual((exit_status, stderr.endswith(": plain\n")), (101, True), stderr)

    def test_a_backtrace_is_printed_on_demand(self):
        _, stderr = self.run_on(FAILS, "plain", RUST_BACKTRACE="full")
        self.assertRegex(stderr, r"(?s)stack backtrace:.*panics::fail.*panics\.rs:\d+: plain\n\Z")


class Modes(frng.Scenario):
    def test_a_program_that_does_not_fork_refuses_that_mode(self):
        result = self.search("--mode", "fork", "--attempts", 1, PANICS, "--", "run", "plain")
        self.assert_exit(result, 2)


class Findings(frng.Scenario):
    def test_files_that_are_no_findings_are_errors(self):
        texts = {"": "no format", "{}": "no format", '{"format": 3}': "later format",
                 '{"format": 1, "hex": "0"}': "hex", '{"format": 1, "hex": "0g"}': "hex",
                 '{"format": 1, "size": 3, "seed": "1", "expand": 2}': "expands in another way",
                 '{"format": 1, "size": -3, "seed": "1", "expand": 1}': "no size",
                 '{"format": 1, "size": 3, "seed": "1x", "expand": 1}': "no seed",
                 '{"format": 1, "size": 3, "expand": 1}': "no seed",
                 '{"format": 2, "size": 3, "seed": "1:2,2", "expand": 1}': "no seed"}
        (self.folder / "found").mkdir()
        for text, words in texts.items():
            with self.subTest(text=text):
                self.write("found/1.json", text)
                replay = self.run_tool(PANICS, "replay", "found")
                self.assert_exit(replay, 2)
                self.assertRegex(replay.stderr, rf"found/1\.json is no finding: .*{words}")


@unittest.skipIf(shutil.which("cargo") is None, "there is no cargo")
class Crate(frng.Scenario):
    """The crate in `cargo test`: its documentation, and checks that fail, in checks.rs."""

    def cargo(self, *arguments, **environment):
        """The result of cargo in a scratch crate that was made by `cargo add --path`."""
        crate, target = self.folder / "scratch", frng.BUILD / "tests/ports/rust-cargo"
        if not crate.exists():
            (crate / "src").mkdir(parents=True)
            (crate / "Cargo.toml").write_text("[package]\nname = 'scratch'\nversion = '0.0.1'\nedition = '2021'\n")
            (crate / "src/lib.rs").touch()
            (crate / "tests").mkdir()
            shutil.copy(HERE / "checks.rs", crate / "tests")
            self.assert_exit(self.run_tool("cargo", "add", "--offline", "--path", PORT, folder=crate), 0)
        return self.run_tool("cargo", *arguments, folder=crate, timeout=test_ports.BUILD_S, environment={
            "CARGO_TARGET_DIR": str(target), "CARGO_NET_OFFLINE": "true", "FRNG_REDUCE": "0", "RUST_BACKTRACE": "1",
            "PATH": f"{frng.BUILD / 'driver'}:{os.environ['PATH']}", **environment})

    def check(self, name, **environment):
        """What `cargo test` prints of a test with the seeds of 5; and again, the same."""
        environment = {"FRNG_SEED": "5", **environment}
        result, again = (self.cargo("test", "-q", name, "--", "--exact", **environment)
                         for _ in range(2))
        times = re.compile(r"finished in \S+|\(\d+\) panicked")
        self.assertEqual(times.sub("", result.stdout), times.sub("", again.stdout))
        return result

    def assert_fails(self, result, *patterns):
        self.assert_exit(result, 101)
        self.assertNotIn("stack backtrace", result.stdout + result.stderr)
        for pattern in patterns:
            self.assertRegex(result.stdout, pattern)

    def test_the_examples_of_its_documentation_pass(self):
        shutil.copytree(PORT, self.folder / "frng", ignore=shutil.ignore_patterns("target"))
        result = self.run_tool("cargo", "test", "--offline", folder=self.folder / "frng",
                               environment={
            "RUSTC": "rustc", "CARGO_TARGET_DIR": str(frng.BUILD / "tests/ports/rust-cargo")})
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout, r"test result: ok\. 3 passed")

    def test_a_failure_is_made_small_and_told_by_names(self):
        found = self.check("machine")
        self.assert_fails(found, r"fails in run \d+, smallest after \d+ more: size=\d+ seed=\d+",
                          r"  push\(x = \d\)\n  pop\(\)\n", r"checks\.rs:\d+: assertion (failed: `\(left == right\)`|`left == right`)")
        numbers = re.search(r"FRNG_REPLAY='(size=(\d+) seed=(\w+))'", found.stdout)
        self.assert_fails(self.check("machine", FRNG_REPLAY=numbers[1]),
                          f"FRNG_REPLAY fails: {numbers[1]}")
        self.write("found/machine/0000000020-0000000000000001.json", json.dumps(
            {"format": 1, "expand": 1, "size": int(numbers[2]), "seed": numbers[3]}))
        self.assert_fails(self.check("machine", FRNG_FINDINGS=str(self.folder / "found")),
                          f"1.json still fails: {numbers[1]}")
        self.assert_fails(
            self.check("names"), r"  xs = \[(\(\d, -?\d\)(, )?)*\]\n", r'  word = "[ab]{2}"\n',
            r'  id = "[ab](-[01]{2})+"\n', r'  fruit = "fig"\n', r"  day = \d{4}-\d\d-\d\d\n", r"  size = \d",
            r"  lists = \[\[(true|false)\], \[(true|false)\]\]\n", r"  a fig of \d\n", r"  bytes = \[")

        self.assert_fails(
            self.check("values"), r"\n  spans = \[Span { from: 0, to: 3 }, Span { from: 0, to: 3 }\]\n"
            r"  one = Span { from: 0, to: 3 }\n  draws from pair on = \(0, 3\)\n  order = \[0\]\n"
            r'  words = \["a b"\]\n  key = 0\n  draws of lost = \[\(0, 3\) \.\.\.\]\nchecks')
        for name in "shared", "told", "unwraps":
            self.assert_exit(self.check(name), 0)
        self.assert_fails(self.check("returns"), r"size=1 seed=\d+s?\n  x = 2\d\d\nchecks\.rs:\d+: Error: Large\n")
        self.assert_fails(self.check("chosen"), r"(?m)^fails in.*\n(  (add\(by = 3\)|rest\(uint = 5\))\n){3,}checks.*too much")
        self.assert_fails(self.check("in_order"), r"\n  open\(uint = 1, int = -9\)\n  close\(index = 0\)\n")
        self.write("found/in_order/0000000002-0000000000000001.json", '{"format": 2, "hex": "0000"}')
        self.assert_fails(self.check("in_order", FRNG_FINDINGS=str(self.folder / "found")),
                          "1.json passes, but was found with other draws: ")

    def test_frng_reduce_reduces_what_is_found_at_once(self):
        result = self.check("machine", FRNG_REDUCE="1")
        self.assert_fails(result, r"reduced by frng-reduce: size=\d+ hex=")
        self.assertEqual(result.stdout.count("  pop()\n"), 8, result.stdout)

    def test_a_hang_ends_the_program_with_its_input(self):
        result = self.cargo("test", "-q", "rare", RARE="hangs", FRNG_TIMEOUT="1", FRNG_RUNS="50")
        self.assert_exit(result, 101)
        said = re.search(r"frng: rare hangs: a run has not ended after 1s: (size=(\d+) seed=(\w+))\n"
                         r"to go on:\n  FRNG_REPLAY='(.*)' cargo test rare -- --exact\n", result.stderr)
        self.assertEqual(said[1], said[4])
        replay = re.search(r"(?m)^  frng-replay (\S+) (.* --timeout 1000ms --trace) -- rare --exact$", result.stderr)
        result = self.replay(self.folder / "scratch" / replay[1], *replay[2].split(), "--",
                             "rare", "--exact", environment={"RARE": "hangs"})
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r" u8 +[12]\d\d\n")

    def test_an_ignored_test_is_a_target_where_it_is_asked_for(self):
        result = self.cargo("test", "-q", "ignored", "--", "--ignored", FRNG_REDUCE="1", FRNG_SEED="5")
        self.assert_fails(result, r"reduced by frng-reduce: size=1 hex=c8\n", r"-- ignored --exact --include-ignored\n")

    def test_frng_search_goes_on_where_runs_pass(self):
        found = {"RARE": "fails", "FRNG_FINDINGS": str(self.folder / "found")}
        result = self.cargo("test", "-q", "rare", FRNG_SEARCH="20s", FRNG_REDUCE="1", **found)
        self.assert_fails(result, r"found by frng-search: size=1 (?:seed=\d+s?|hex=07)\nreduced by frng-reduce: size=1 "
                                  r"hex=07\n  hit\(uint = 7\)\n    of seven\nchecks\.rs:\d+: seven")
        self.assert_fails(self.cargo("test", "-q", "rare", **found), r"\.json still fails: size=1 (?:seed=\d+s?|hex=07)\n")
        self.assert_fails(self.cargo("test", "-q", "rare", FRNG_SEARCH="much"),
                          "FRNG_SEARCH=much: frng-search: exit status: 2\n.*much")

    def test_discarded_runs_are_an_error_where_they_are_nearly_all(self):
        result = self.cargo("test", "-q", "discards::most", "--", "--exact", "--nocapture", FRNG_SEED="5")
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout, r"frng: [12]\d\d runs passed, of up to 1 bytes; labels: made 100\.0%")
        self.assertRegex(result.stderr, r"frng: \d+ of \d+ runs of discards::most were discarded: draw only")
        for name, line in ("nearly_all", r"\d{4} of \d{4}"), ("all", "11 of 11"):
            result = self.cargo("test", "-q", f"discards::{name}", "--", "--exact", FRNG_SEED="5")
            self.assert_fails(result, rf"frng: {line} runs of discards::{name} were discarded: draw only what")
        self.assert_exit(self.cargo("test", "-q", "discards::rules", "--", "--exact"), 0)

    def test_a_failure_of_runs_before_is_called_so(self):
        self.assert_fails(
            self.check("keeps_state"),
            r"fails only after \d+ other runs; in a new process it passes: the test or a fixture keeps state: size=1 ",
            r"\d+: many\nto go on:\n  FRNG_SEED=")

    def test_runs_are_counted_and_a_flaky_test_is_called_so(self):
        for environment, count in ({}, 300), ({"FRNG_PROFILE": "ci", "FRNG_SEED": ""}, 3000), \
                ({"FRNG_RUNS": "17"}, 17):
            environment = {"FRNG_SEED": "5", **environment}
            environment = {name: value for name, value in environment.items() if value}
            result = self.cargo("test", "-q", "inner::", "--", "--nocapture", **environment)
            self.assert_exit(result, 0)
            self.assertRegex(result.stdout, rf"frng: {count} runs passed, of up to 1 bytes; "
                                            r"labels: done 100.0%, low \d\d\.\d%")
        self.assert_fails(self.cargo("test", "-q", "flaky"), "flaky: size=.* failed, and then passed")
        self.assert_fails(self.check("twice", FRNG_REDUCE="1"), r"smallest after \d+ more: size=1 seed=")
