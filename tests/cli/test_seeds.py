"""Styled seeds, wherever people and programs meet them: 17s, and never 17."""

import json
import pathlib
import shlex
import struct
import unittest

import frng

PAIRS = str(frng.SUTS / "sut-pairs")

# The same on standard input, for which the driver expands the seeds.
KEYS = """#!/usr/bin/env -S python3 -S -E
import sys
data = sys.stdin.buffer.read()
keys = [data[at:at + 8] for at in range(0, len(data) - 7, 8)]
sys.exit(3 if len(set(keys)) < len(keys) else 0)
"""


def has_pair(entropy):
    keys = struct.unpack(f"<{len(entropy) // 8}Q", entropy[:len(entropy) // 8 * 8])
    return len(set(keys)) < len(keys)


class Seeds(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.keys = self.write("keys", KEYS, executable=True)

    def find_seed(self, size=64):
        """A styled seed with two equal keys in `size` bytes. The plain one of that number has none."""
        return next(f"{number}s" for number in range(10000)
                    if has_pair(frng.expand(f"{number}s", size)) and
                    not has_pair(frng.expand(number, size)))

    def search_keys(self, sut, *options):
        result = self.search(sut, "--rng-seed", 1, "--attempts", 20, "--size-max", "1K",
                             "--findings", "found", "--expand", "styled", *options)
        size, seed = self.assert_found(result)
        self.assertRegex(seed, r"\A\d+s\Z")
        return result, size, seed


class Found(Seeds):
    """A failure that no plain seed has, from the search to the smallest bytes."""

    def check(self, sut, identity):
        result, size, seed = self.search_keys(sut, "--json", "events")
        command = next(line.split("replay ", 1)[1].strip() for line in result.stderr.splitlines()
                       if line.startswith("  replay "))
        self.assertTrue(command.endswith(f" --size {size} --seed {seed}"), command)
        self.assert_says(result, rf"fails with {identity}[^\n]*: size \d+, seed \d+s \(run")
        self.check_replays(sut, shlex.split(command)[1:], size, seed, identity)
        self.check_finding(sut, size, seed, identity)
        self.check_events(size, seed)
        self.check_reductions(sut, size, seed)

    def check_replays(self, sut, printed, size, seed, identity):
        line = f"size={size} seed={seed}"
        for arguments in (printed, [sut, *line.split()], [sut, line + "\n"],
                          [sut, "--size", size, "--seed", f"{int(seed[:-1]):#x}s"]):
            result = self.replay(*arguments)
            self.assert_exit(result, 1)
            self.assert_says(result, f"fails with {identity}")
        self.assert_exit(self.replay(sut, "--size", size, "--seed", seed[:-1]), 0)
        dumped = self.replay("--size", size, "--seed", seed, "--dump")
        self.assertEqual(dumped.stdout_bytes, frng.expand(seed, size))
        with open(self.write("entropy", dumped.stdout_bytes), "rb") as entropy:
            self.assertNotEqual(self.run_tool(sut, stdin=entropy).exit, 0)

    def check_finding(self, sut, size, seed, identity):
        name = f"{size:010}-{int(seed[:-1]):016x}s.json"
        found = frng.findings(self.folder / "found")
        self.assertEqual(min(found), name)
        self.assertEqual(found[name]["seed"], seed)
        self.assertEqual((found[name]["format"], found[name]["expand"]), (2, 1))
        for arguments in ([], [sut]):
            result = self.replay("--finding", f"found/{name}", *arguments)
            self.assert_exit(result, 1)
            self.assert_says(result, f"fails with {identity}")
        again = self.search(sut, "--rng-seed", 2, "--attempts", 1, "--findings", "found",
                            "--expand", "uniform")
        self.assert_says(again, f"known finding, size {size}, seed {seed}: still fails")
        self.assertEqual(self.assert_found(again), (size, seed))

    def check_events(self, size, seed):
        events = frng.latest(self.folder / "events")
        self.assertEqual(events[0]["expand"], "styled")
        self.assertEqual((events[-1]["size"], events[-1]["seed"]), (size, seed))
        for event in events:
            if event["event"] == "best":
                self.assertRegex(event["seed"], r"\A\d+s\Z")

    def check_reductions(self, sut, size, seed):
        for arguments in (["--size", size, "--seed", seed], [f"size={size} seed={seed}"],
                          ["--finding", f"found/{frng.finding_name(size, seed)}"]):
            result = self.reduce(sut, *arguments)
            self.assert_exit(result, 1)
            self.assertEqual(result.stdout, f"size=16 hex={'00' * 16}\n")

    @frng.long
    @frng.unsanitized
    def test_by_a_program_on_stdin(self):
        self.check(self.keys, "exit:3")

    def test_by_a_program_with_draws(self):
        self.check(PAIRS, "signal:SIGABRT")

    def test_the_same_in_every_mode(self):
        results = {mode: self.search(PAIRS, "--rng-seed", 1, "--attempts", 50, "--size-max", "1K",
                                     "--mode", mode, "--json", "-").stdout
                   for mode in ("spawn", "fork", "persistent")}
        bests = {mode: [(event["size"], event["seed"]) for event in frng.json_lines(text)
                        if event["event"] == "best"] for mode, text in results.items()}
        self.assertTrue(bests["spawn"])
        self.assertEqual(bests["spawn"], bests["fork"])
        self.assertEqual(bests["spawn"], bests["persistent"])

    def test_the_search_reduces_it(self):
        result = self.search(PAIRS, "--rng-seed", 1, "--expand", "styled", "--reduce")
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, rf"\Asize=16 seed=\d+s\nsize=16 hex={'00' * 16}\n\Z")

    def test_by_default_too(self):
        _, seed = self.assert_found(self.search(PAIRS, "--rng-seed", 1, "--attempts", 20), 16)
        self.assertRegex(seed, r"\A\d+s\Z")

    def test_uniform_bytes_never_fail_so(self):
        result = self.search(PAIRS, "--expand", "uniform", "--attempts", 1000, "--json", "-")
        self.assert_exit(result, 0)
        self.assertEqual(frng.json_lines(result.stdout)[0]["expand"], "uniform")


class Folder(Seeds):
    def finding(self, size, seed, **more):
        return {"format": 2 if seed.endswith("s") else 1, "sut": "./keys", "sut_digest": None,
                "args": [], "size": size, "seed": seed, "expand": 1, "identity": "exit:3",
                "status": 3, "site": None, "reruns": 0, "repeated": 0,
                "when": "2026-01-31T23:59:59Z", **more}

    def keep(self, size, seed, name=None, **more):
        name = name or frng.finding_name(size, seed)
        self.write(f"found/{name}", json.dumps(self.finding(size, seed, **more)))
        return name

    def resume(self, *options):
        return self.search("./keys", "--rng-seed", 1, "--attempts", 1, "--size-max", "1K", "--jobs",
                           1, "--findings", "found", *options)


class Findings(Folder):
    """Plain and styled findings in one folder."""

    def test_a_number_can_be_a_plain_and_a_styled_one(self):
        seed = self.find_seed()
        names = [self.keep(64, seed), self.keep(64, seed[:-1])]
        self.assertEqual(len(set(names)), 2)
        self.assert_exit(self.replay("--finding", f"found/{names[0]}"), 1)
        self.assert_exit(self.replay("--finding", f"found/{names[1]}"), 0)
        result = self.resume()
        self.assert_says(result, f"known finding, size 64, seed {seed[:-1]}: passes now\n",
                         f"known finding, size 64, seed {seed}: still fails\n")
        self.assertNotIn("skipped", result.stderr)

    def test_what_a_finding_says_counts_and_not_its_name(self):
        seed = self.find_seed()
        self.keep(64, seed, frng.finding_name(64, seed))
        self.keep(64, seed[:-1], frng.finding_name(63, seed))  # names say which is opened first
        result = self.resume()
        self.assert_says(result, f"known finding, size 64, seed {seed[:-1]}: passes now\n",
                         f"known finding, size 64, seed {seed}: still fails\n")

    def test_a_bad_seed_is_skipped_with_a_line(self):
        good = self.find_seed()
        self.keep(64, good)
        strange = ["s", "1S", "1ss", "0x1s", "-1s", " 1s", "1s ", "1.5s", "1e3s", "1s\x00", "1\u0455",
                   "18446744073709551616s", "1s" * 1000, "1s,2s", "\x1b[2Js"]
        names = [self.keep(1, seed, f"{i:010}-{i:016x}s.json") for i, seed in enumerate(strange)]
        result = self.resume()
        for name in names:
            self.assert_one_line(self.replay("--finding", f"found/{name}"), 129, "cannot be read")
        for name in names[:3]:
            self.assertRegex(result.stderr, rf"found/{name}: skipped: it(s seed is not valid| is not a JSON|"
                                            r" is of a later format than this frng reads)")
        self.assert_says(result, f"found: {len(names) - 3} more files skipped")
        self.assert_says(result, f"known finding, size 64, seed {good}: still fails\n")

    def test_a_seed_must_be_a_text(self):
        for seed in (17, 17.0, None, True, ["17s"], {"hex": "313773"}):
            self.write("found/some.json", json.dumps({**self.finding(1, "17s"), "seed": seed}))
            with self.subTest(seed=seed):
                result = self.replay("--finding", "found/some.json")
                self.assert_one_line(result, 129, "cannot be read")

    def test_a_later_format_is_named(self):
        for changed in ({"format": 3}, {"format": 3, "seed": [1]}):
            self.write("found/some.json", json.dumps({**self.finding(1, "17s"), **changed}))
            result = self.replay("--finding", "found/some.json")
            self.assert_one_line(result, 129, "it is of a later format than this frng reads")

    def test_what_is_wrong_with_a_finding_is_told_and_not_its_format(self):
        for changed, why in (({"seed": "17:0,5s"}, "its seed is not valid: give a text such"),
                             ({"seed": 17}, "it has no seed, which is a text such"),
                             ({"format": 2, "seed": "17"}, "its seed is plain, but its format 2"),
                             ({"size": -1}, "it has no size"),
                             ({"size": 1 << 40}, "its size is too large")):
            self.write("found/some.json", json.dumps({**self.finding(1, "17s"), **changed}))
            self.assert_one_line(self.replay("--finding", "found/some.json"), 129, why)

    def test_temporary_files_of_styled_findings_are_removed(self):
        left = ".0000000016-0000000000000011s.json.0123456789abcdef"
        self.write(f"found/{left}", "{")
        frng.make_orphans(self.folder / "found")
        self.resume()
        self.assertFalse((self.folder / "found" / left).exists())

    def test_the_best_of_both_kinds_is_where_a_search_begins(self):
        seed = self.find_seed()
        self.keep(1000, "5")
        self.keep(64, seed)
        result = self.resume("--json", "-")
        self.assert_exit(result, 1)
        first = next(event for event in frng.json_lines(result.stdout) if event["event"] == "best")
        self.assertEqual((first["size"], first["seed"]), (64, seed))


class Messages(Seeds):
    """A message about a run says of which style its seed is."""

    def check(self, message, *sut):
        for expand, end in (("uniform", r"\d+"), ("styled", r"\d+s")):
            (self.folder / "frozen").unlink(missing_ok=True)
            result = self.search("--expand", expand, "--size-max", 16, "--timeout", "300ms", *sut)
            self.assert_says(result, message.replace("SEED", rf"seed {end}[ ,]"))

    def test_about_state_between_runs(self):
        self.check("keeps state between its runs, or is flaky: size 8, SEED", "--attempts", 2000,
                   "--size-max", 8, "--mode", "persistent", frng.SUTS / "sut-state", "--",
                   "draws-otherwise")

    @frng.long
    def test_about_runs_that_stop_their_worker(self):
        self.check("inconclusive: worker: a run of 16 bytes, SEED", "--attempts", 3, "--mode",
                   "spawn", frng.SUTS / "sut-tracers", "--", "freeze-once", 9)


class Overnight(Folder):
    """examples/overnight.sh."""

    SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "overnight.sh"

    def test_findings_of_both_kinds_are_in_the_summary(self):
        names = [self.keep(64, "5"), self.keep(64, "5s"), self.keep(1000, "5s", identity="exit:4")]
        result = self.run_tool("bash", self.SCRIPT, "./keys", environment={
            "FINDINGS": "found", "FRNG_SEARCH": frng.SEARCH, "HOURS": "0"})
        self.assert_exit(result, 1)
        self.assertIn("3 findings in found\n", result.stdout)
        self.assertIn(f"  64 bytes  exit:3  found/{names[0]}\n", result.stdout)
        self.assertIn(f"  1000 bytes  exit:4  found/{names[2]}\n", result.stdout)


class Refused(Seeds):
    def test_a_seed_with_anything_else_is_refused_in_one_line(self):
        for seed in ("17S", "17ss", "s", "17 s", "0xs", "17st", "18446744073709551616s"):
            for tool, usage in ((frng.REPLAY, 129), (frng.REDUCE, 2)):
                result = self.run_tool(tool, PAIRS, "--size", 16, "--seed", seed)
                self.assert_one_line(result, usage, f"--seed '{seed}' is not valid", "an s behind it")

    def test_the_seed_of_a_search_has_no_style(self):
        self.assert_one_line(self.search(PAIRS, "--rng-seed", "17s"), 2, "--rng-seed '17s'")

    def test_an_expansion_is_one_of_three(self):
        for word in ("", "plain", "Both", "styled,uniform", "both "):
            result = self.search(PAIRS, "--expand", word)
            self.assert_one_line(result, 2, "--expand", "give both, uniform or styled")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
