#!/usr/bin/env python3
"""frng-ci: known and new failures, its exports, and the steps of examples/ci/ as a server runs them."""
# parts: 4

import json
import os
import pathlib
import re
import shutil
import signal
import unittest
from xml.etree import ElementTree

import frng

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "ci"
CI = str(EXAMPLES / "frng-ci")
PASSED, FOUND, USAGE, INCONCLUSIVE, OUTPUT = range(5)

try:
    import yaml
except ImportError:
    yaml = None

# Searches end after so many runs: no time is short enough for a test and long enough for each machine.
SMALL = "--search=--jobs 1 --size-max 2 --attempts 5"
RUNS = 40

TWO = frng.SUTS / "sut-several"  # as `two`: two bugs, in the first draw and in the second


class Ci(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["PATH"] = f"{frng.BUILD}/driver:{self.environment['PATH']}"
        for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
            self.environment.pop(name, None)
        self.copy_sut(TWO, "two")

    def ci(self, *words, time=None, options=()):
        return self.run_tool(CI, "--rng-seed", 1, *(["--time", time] if time else ["--runs", RUNS]),
                             " ".join([SMALL, *options]), *words)

    def accept(self, pattern):
        known = self.folder / "known"
        known.mkdir(exist_ok=True)
        for path in (self.folder / "found").glob(pattern):
            if json.loads(path.read_text())["identity"] == "exit:3" or pattern == "*.json":
                (known / path.name).write_text(path.read_text())

    def test_new_failures_turn_red_and_known_ones_stay_green(self):
        run = self.ci("./two", "--findings", "found")
        self.assertEqual(run.exit, FOUND, run)
        self.assertIn("new: ./two: exit:3", run.stdout)
        self.assertIn("new: ./two: exit:4", run.stdout)
        self.accept("0*.json")
        run = self.ci("./two", "--baseline", "known", "--findings", "more")
        self.assertEqual(run.exit, FOUND, run)
        self.assertIn("known: still fails: ./two: exit:3", run.stdout)
        self.assertIn("new: ./two: exit:4", run.stdout)
        self.accept("*.json")
        run = self.ci("./two", "--baseline", "known", "--findings", "none")
        self.assertEqual(run.exit, PASSED, run)
        self.assertNotIn("new:", run.stdout)
        self.assertEqual(frng.findings(self.folder / "none"), {})
        self.script("two", "cat >/dev/null; sleep 0.1\n")
        run = self.ci("./two", "--baseline", "known")
        self.assertEqual(run.exit, PASSED, run)
        self.assertIn("known: passes now, remove known/", run.stdout)

    def test_known_failure_is_told_by_what_it_fails_with_now(self):
        self.script("moved", 'head -c 1 | grep -q . || exit 0; echo "t.c:$(cat line): bad" >&2; exit 1\n')
        rule = {"options": ["--signature", r"t\.c:[0-9]+"]}
        (self.folder / "line").write_text("8")
        self.assertEqual(self.ci("./moved", "--findings", "found", **rule).exit, FOUND)
        (self.folder / "found").rename(self.folder / "known")
        (self.folder / "line").write_text("9")
        run = self.ci("./moved", "--baseline", "known", **rule)
        self.assertEqual(run.exit, PASSED, run)
        self.assertIn("known: still fails: ./moved: exit:1 at t.c:9", run.stdout)

    def test_known_failure_is_one_shape_of_a_message(self):
        """A finding of before, without a shape, knows all at its place."""
        def run(*words):
            return self.run_tool(CI, "--rng-seed", 1, "--time", "20s", "--search=--jobs 1 --size-max 64 --attempts 5",
                                 frng.BUILD / "tests" / "sut" / "sut-shapes", *words, "--", "few")
        self.assertEqual(run("--findings", "found").exit, FOUND)
        self.write("known/x", "")
        for path in (self.folder / "found").glob("0*.json"):
            if "'lost #'" in path.read_text():
                (self.folder / "known" / path.name).write_text(path.read_text())
        new = r"new: .*small\.c:(\d+)( '.*')?"
        told = run("--baseline", "known").stdout
        self.assertRegex(told, r"known: still fails: .*small\.c:\d+ 'lost #'")
        place = re.search(r"small\.c:(\d+) 'lost #'", told)[1]
        self.assertIn((place, " 'got #, not #'"), re.findall(new, told))
        for path in (self.folder / "known").glob("0*.json"):
            path.write_text(path.read_text().replace(" 'lost #'", ""))
        told = run("--baseline", "known").stdout
        self.assertIn("known: still fails", told)
        places = [of for of, _ in re.findall(new, told)]
        self.assertNotEqual(places, [])
        self.assertNotIn(place, places)

    def test_known_failure_found_with_other_draws_has_no_verdict(self):
        """The bug is there, but its finding passes: an extra draw has moved the others."""
        port = EXAMPLES.parents[1] / "frng" / "python"
        test = """#!/usr/bin/env python3
import os, sys
sys.path.insert(0, "%s")
import frng
@frng.main
def test(f):
    %s
    assert f.u8() < 200
"""
        self.write("bug.py", test % (port, "pass"), executable=True)
        self.assertEqual(self.ci("./bug.py", "--findings", "known").exit, FOUND)
        self.write("bug.py", test % (port, "f.u16()"), executable=True)
        run = self.ci("./bug.py", "--baseline", "known", "--junit", "j.xml")
        self.assertIn(run.exit, (INCONCLUSIVE, FOUND), run)
        self.assertIn("known: found with other draws, it no longer tests what it did: ./bug.py", run.stdout)
        self.assertNotIn("remove", run.stdout)
        cases = ElementTree.parse(self.folder / "j.xml").getroot().findall("testsuite/testcase")
        self.assertTrue(any(c.find("error") is not None for c in cases if c.get("name") != "search"))

    def test_known_failure_of_a_program_that_cannot_be_started(self):
        """Neither its replay nor its search made a run: that is an error, and no word about draws."""
        self.write("bug", "#!/bin/sh\nexit $(($(wc -c) > 0))\n", executable=True)
        self.assertEqual(self.ci("./bug", "--findings", "known").exit, FOUND)
        self.write("bug", "#!/usr/bin/env nosuch\n", executable=True)
        run = self.ci("./bug", "--baseline", "known")
        self.assertEqual(run.exit, USAGE, run)
        self.assertIn("known: cannot be run: ./bug: exit:1", run.stdout)
        self.assertIn("./bug: cannot be searched", run.stdout)

    def test_known_failure_that_fails_in_another_way_is_new(self):
        self.script("other", '[ -s /dev/stdin ] || exit 0; . ./how\n')
        self.write("how", "exit 3")
        self.assertEqual(self.ci("./other", "--findings", "known").exit, FOUND)
        for how in "exit 4", "kill -SEGV $$":
            self.write("how", how)
            run = self.ci("./other", "--baseline", "known")
            self.assertEqual(run.exit, FOUND, run)
            self.assertNotIn("known: ", run.stdout)

    def test_printed_commands_are_for_a_shell(self):
        folder = self.folder / "it's a folder"
        folder.mkdir()
        self.copy_sut(TWO, "it's a folder/two")
        self.script("it's a folder/other", f"exec {self.folder}/two 5\n")
        self.assertEqual(self.ci("./it's a folder/two", "--findings", folder / "found").exit, FOUND)
        for name in "two", "other":  # still fails; fails in another way
            (folder / "other").rename(folder / "two") if name == "other" else None
            run = self.ci("./it's a folder/two", "--baseline", folder / "found")
            commands = re.findall("    (frng-replay .*)", run.stdout)
            self.assertEqual(len(commands), 2, run)
            for command in commands:
                self.assertEqual(self.run_tool("sh", "-c", command).exit, FOUND, command)

    def test_a_place_that_asan_reported_and_ubsan_reports_now_is_known(self):
        for said, exits in (("SUMMARY: AddressSanitizer: SEGV t.c:3 in test", FOUND),
                            ("t.c:3:9: runtime error: store to null pointer", PASSED),
                            ("t.c:4:9: runtime error: store to null pointer", FOUND)):
            self.script("sut", f"exec {frng.MODES} says 2 '' '{said}'")
            run = self.ci("./sut", *(["--baseline", "found"] if "runtime" in said else ["--findings", "found"]))
            self.assertEqual(run.exit, exits, run)

    def stays_green_with_its_place(self, name, text):
        """A search and a replay have the place of the failure from the port."""
        self.write(name, text, executable=True)
        self.assertEqual(self.ci(f"./{name}", "--findings", "found").exit, FOUND)
        run = self.ci(f"./{name}", "--baseline", "found")
        self.assertEqual(run.exit, PASSED, run)
        self.assertIn("known: still fails", run.stdout)
        for path in (self.folder / "found").iterdir():
            path.write_text(path.read_text().replace(f"{name}:", f"{name}:9"))  # no place of the bug now
        run = self.ci(f"./{name}", "--baseline", "found")
        self.assertEqual(run.exit, PASSED, run)

    def test_known_failure_of_python_stays_green(self):
        self.stays_green_with_its_place("bug.py", f"""#!/usr/bin/env python3
import sys
sys.path.insert(0, "{EXAMPLES.parents[1]}/frng/python")
import frng
@frng.main
def test(f):
    assert f.u8() < 255
""")

    @frng.long
    @unittest.skipUnless(shutil.which("node"), "nodejs is not installed")
    def test_known_failure_of_node_stays_green(self):
        self.stays_green_with_its_place("bug.mjs", f"""#!/usr/bin/env node
import * as frng from '{EXAMPLES.parents[1]}/frng/javascript/frng.mjs';
export function test(f) {{
  if (f.u8() === 255) throw Error('255');
}}
frng.main(test, import.meta.url);
""")

    def test_exports(self):
        self.ci("./two", "--findings", "found")
        self.accept("0*.json")
        run = self.ci("./two", "--baseline", "known", "--junit", "j.xml", "--sarif", "s.json",
                      "--summary", "s.md", "--annotations", "--report", "r.html")
        self.assertEqual(run.exit, FOUND, run)
        suite = ElementTree.parse(self.folder / "j.xml").getroot().find("testsuite")
        self.assertEqual([suite.get(of) for of in ("tests", "failures", "skipped", "errors")],
                         ["3", "1", "1", "0"])
        cases = {case.get("name"): case for case in suite}
        self.assertEqual(sorted(cases), ["exit:3", "exit:4", "search"])
        self.assertIn("frng-replay", cases["exit:4"].find("failure").get("message"))
        self.assertIn("second", cases["exit:4"].find("failure").text)
        self.assertIsNotNone(cases["exit:3"].find("skipped"))
        results = json.loads((self.folder / "s.json").read_text())["runs"][0]["results"]
        self.assertEqual({r["ruleId"]: (r["level"], r["baselineState"]) for r in results},
                         {"exit:3": ("note", "unchanged"), "exit:4": ("error", "new")})
        self.assertIn("| ./two | exit:4 (new) | `frng-replay ./two", (self.folder / "s.md").read_text())
        self.assertRegex(run.stdout, r"(?m)^::error::exit:4 \(new\): frng-replay")
        self.assertRegex(run.stdout, r"(?m)^::notice::exit:3 \(known: still fails\)")
        self.assertIn("<!DOCTYPE html>", (self.folder / "r.html").read_text())

    def test_events_of_another_search(self):
        self.run_tool(frng.SEARCH, "./two", "--all", "--json", "e.jsonl", "--size-max", 2, "--attempts", 5,
                      "--rng-seed", 1)
        run = self.run_tool(CI, "--events", "e.jsonl", "--junit", "j.xml")
        self.assertEqual(run.exit, FOUND, run)
        self.assertEqual(run.stdout.count("new: "), 2)

    def events(self, *events):
        """The lines of events of a search, which begins with the first unless that says otherwise."""
        return "".join(e if isinstance(e, str) else json.dumps({"schema": 1, **e}) + "\n" for e in events)

    def test_each_search_of_a_file_of_events_is_judged(self):
        """By its end, or without one by the failures that failed again; never by an end alone."""
        def done(outcome, **more):
            return {"event": "done", "outcome": outcome, **more}
        start = {"event": "start", "task": "search", "tool": "frng-search", "sut": "./two", "args": []}
        part = {**start, "task": "reduce"}
        passed, failed = done("pass", runs=9), done("fail", size=3, signature="exit:3", replay="frng-replay x")
        best = {**failed, "event": "best", "flaky": False}
        flaky = done("inconclusive", reason="flaky", signature="exit:3")
        self.each(self.judge_events, [
            ([start, passed], PASSED), ([start, failed], FOUND), ([start, flaky], INCONCLUSIVE),
            ([start], INCONCLUSIVE), ([start, best], FOUND), ([start, {**best, "flaky": None}], INCONCLUSIVE),
            ([start, {**best, "flaky": "0/3"}], INCONCLUSIVE), ([start, best, '{"event":"done","sche'], FOUND),
            ([start, '{"event":"done","schema":1,"outcome":"pass","runs":9'], INCONCLUSIVE),
            ([start, part, best], FOUND), ([start, part, failed], FOUND), ([start, part], INCONCLUSIVE),
            ([start, failed, part, done("inconclusive")], FOUND),
            ([start, passed, part, done("inconclusive")], PASSED),
            ([start, done("interrupted", runs=9)], INCONCLUSIVE),
            ([start, best, done("interrupted", runs=9)], FOUND),
            ([start, done("error", runs=0)], USAGE), ([start, done("error", runs=9)], INCONCLUSIVE),
            ([start, done("error", runs=1, reason="unstarted")], USAGE),
            ([start, done("error", runs=9, reason="unstarted")], INCONCLUSIVE),
            ([start, done("pass", runs=0)], INCONCLUSIVE), ([start, done("later")], INCONCLUSIVE),
            # Several, one after the other or side by side.
            ([start, start, passed], INCONCLUSIVE), ([start, best, start, passed], FOUND),
            ([start, start, passed, passed], PASSED), ([start, passed, start, failed], FOUND),
            ([start, done("error"), start, flaky], INCONCLUSIVE),
            # No search.
            ([{"event": "start", "task": "reduce-file", "tool": "frng-reduce"}, done("interesting", calls=9)], USAGE),
            ([], USAGE), (["\n"], USAGE), (["hello\n"], USAGE), (['[1]\n"x"\nnull\n1e999\n'], USAGE),
            (["[" * 100000 + "\n"], USAGE), ([start | {"schema": 9}, passed | {"schema": 9}], USAGE),
            (["[1]\n", start, "null\n", passed], PASSED), ([start, passed, passed | {"schema": 2}], USAGE),
            ([start, failed, start | {"schema": "x"}], FOUND),
            # Values of another type.
            ([start, done("fail", size="x", signature=3, replay=[], output={}, site=5, also="x")], FOUND),
            ([start, *(done("fail", size=size, failures=[{"size": size}, 3]) for size in (-3, True, 1 << 70))],
             FOUND),
            ([start, '{"event":"done","schema":1,"outcome":"fail","size":1e999,"runs":NaN}\n'], FOUND),
            ([start, done("pass", runs=9, tested={"largest": "x"}, bound="x")], PASSED),
            ([start, done("pass", runs="x")], INCONCLUSIVE), ([start, done(["pass"])], INCONCLUSIVE)])

    def test_failure_that_the_user_namespace_causes_is_none(self):
        """As a user, whose searches run in one: files of root have no owner there."""
        words = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if os.geteuid() == 0 else []
        words += ["/usr/bin/python3", CI]  # the one of the tests may be root's
        self.folder.chmod(0o777)
        if not os.access(words[-2], os.X_OK) or self.run_tool(*words, "--help").exit != 0:
            self.skipTest("another user cannot run frng-ci here")
        self.script("owner", 'cat >/dev/null; sleep 0.02; test "$(stat -c %u /etc/passwd)" = 0\n')
        self.script("bug", 'size=$(wc -c); test "$(stat -c %u /etc/passwd)" = 0 || exit 9; test $size -lt 2\n')
        for program, status, says in (("./owner", PASSED, "PASS ./owner: "), ("./bug", FOUND, "new: ./bug: exit:1")):
            run = self.run_tool(*words, "--time", "5s", SMALL, program)
            self.assertEqual(run.exit, status, run)
            self.assertIn(says, run.stdout)

    def test_claim_is_the_one_that_the_search_wrote(self):
        self.script("good", "exec cat >/dev/null\n")
        search = self.run_tool(frng.SEARCH, "./good", "--attempts", "5", "--size-max", "2", "--json", "e.jsonl")
        claim = next(line for line in search.stderr.splitlines() if line.startswith("no failure in "))
        self.assertEqual(self.run_tool(CI, "--events", "e.jsonl").stdout, f"PASS e.jsonl: {claim}\n")

    def test_events_of_a_program_that_cannot_be_started(self):
        self.write("bug", "#!/usr/bin/env nosuch\n", executable=True)
        self.assertEqual(self.run_tool(frng.SEARCH, "./bug", "--json", "e.jsonl").exit, USAGE)
        self.assertEqual(self.run_tool(CI, "--events", "e.jsonl").exit, USAGE)

    def judge_events(self, events, status):
        self.write("e.jsonl", self.events(*events))
        run = self.run_tool(CI, "--events", "e.jsonl", "--junit", "j.xml", "--sarif", "s.json", "--summary", "s.md")
        self.assertEqual(run.exit, status, run)
        self.assertNotIn("Traceback", run.stderr)
        errors = ElementTree.parse(self.folder / "j.xml").getroot().findall(".//error")
        self.assertTrue(errors or status in (PASSED, FOUND), run)

    def test_failure_that_did_not_repeat_keeps_its_output(self):
        once = self.folder / "once"
        self.script("flaky", f"cat >/dev/null; mkdir {once} 2>/dev/null || exit 0\n"
                    "echo 'boom <b>|x' >&2; echo '::error::y' >&2; exit 3\n")
        def check(*words):
            run = self.run_tool(CI, *words, "--junit", "j.xml", "--summary", "s.md")
            self.assertEqual(run.exit, INCONCLUSIVE, run)
            self.assertRegex(run.stdout, r"unconfirmed: \S+: exit:3 did not fail again\n    frng-replay ./flaky .*\n"
                             r"    [|] boom <b>[|]x\n    [|] ::error::y\n")
            suites = ElementTree.parse(self.folder / "j.xml").getroot()
            self.assertIn("boom <b>|x\n::error::y", suites.find("testsuite/testcase/system-out").text)
            self.assertRegex((self.folder / "s.md").read_text(), "<pre>\nboom &lt;b&gt;[|]x\n::error::y\n</pre>")
            (self.folder / "s.md").unlink()

        check("./flaky", "--runs", RUNS, SMALL, "--findings", "found")
        self.assertEqual(self.run_tool(frng.STATUS, "found").exit, PASSED)
        check("--events", "frng-events/flaky.jsonl")
        self.script("flaky", "cat >/dev/null\n")  # what is set aside is no baseline
        run = self.ci("./flaky", "--baseline", "found")
        self.assertEqual((run.exit, run.stdout.count("known")), (PASSED, 0), run)

    def test_several_files_of_events_have_one_status(self):
        start, passed = {"event": "start", "task": "search"}, {"event": "done", "outcome": "pass", "runs": 9}
        failed = {"event": "done", "outcome": "fail", "signature": "exit:3"}
        self.write("pass", self.events(start, passed))
        self.write("fail.jsonl", self.events(start, failed))
        self.write("killed", self.events(start))
        self.write("empty", "")
        os.mkfifo(self.folder / "fifo")
        (self.folder / "none").mkdir()
        for names, status in ((["pass"], PASSED), (["pass", "killed"], INCONCLUSIVE), (["pass", "empty"], USAGE),
                              (["killed", "empty"], INCONCLUSIVE), (["missing", "fail.jsonl"], FOUND),
                              (["killed", "fail.jsonl"], FOUND), (["."], FOUND), (["none"], USAGE),
                              (["missing"], USAGE), (["fifo"], USAGE), (["/dev/zero"], USAGE)):
            run = self.run_tool(CI, *(word for name in names for word in ("--events", name)))
            self.assertEqual(run.exit, status, run)
            self.assertNotIn("Traceback", run.stderr)
        run = self.run_tool(CI, "--events", "pass", "--events", "empty", "--report", "r.html")
        self.assertEqual(run.exit, USAGE, run)

    def test_untrusted_texts_are_escaped_for_each_output(self):
        evil = "a\x1b[31m|`<b>\n::error::x\r]]>\ud800\0%0A::warning ##[group]\u202e*_[x](y)"
        name = "::error file=x::boo|<b>\n,:%"
        failed = {name: evil for name in ("signature", "identity", "site", "replay", "output")}
        self.write(name, self.events({"event": "start"}, {"event": "done", "outcome": "fail", **failed,
                                     "site": "t,%.c:3" + evil},
                                     {"event": "done", "outcome": "inconclusive", "reason": evil}))
        run = self.run_tool(CI, "--events", name, "--junit", "j.xml", "--sarif", "s.json", "--summary", "s.md",
                            "--annotations", environment={"PYTHONIOENCODING": "ascii"})
        self.assertEqual(run.exit, FOUND, run)
        commands = [line for line in run.stdout.splitlines() if line.strip().startswith("::") or "##" in line]
        self.assertEqual(len(commands), 1, run)
        self.assertRegex(commands[0], r"^::error file=t%2C%25.c,line=3::a\\x1b")
        self.assertNotIn("%0A::", commands[0])
        self.assertNotRegex(run.stdout + run.stderr, r"[\x00-\x09\x0b-\x1f\x7f]")
        suite = ElementTree.parse(self.folder / "j.xml").getroot().find("testsuite")
        self.assertEqual(len(suite.findall("testcase")), 2)
        results = json.loads((self.folder / "s.json").read_text())["runs"][0]["results"]
        self.assertEqual(len(results), 1)
        rows = [line for line in (self.folder / "s.md").read_text().splitlines() if line]
        self.assertEqual([line.count("|") for line in rows], [0, 4, 4, 4, 4])
        for text in ("<b>", "[x]", "::error file=x::boo|"):
            self.assertNotIn(text, "".join(rows))

    def test_long_texts_take_no_time(self):
        long = (1 << 18) * "x"
        self.write("e", self.events({"event": "start"}, {"event": "done", "outcome": "fail", "signature": "exit:3",
                                                         "site": long, "output": long}))
        run = self.run_tool(CI, "--events", "e")
        self.assertEqual(run.exit, FOUND, run)

    def test_line_of_a_hundred_megabytes_is_no_event(self):
        with open(self.folder / "e", "w", encoding="ascii") as file:
            file.write(self.events({"event": "start", "task": "search"}))
            file.write('{"event":"done","schema":1,"outcome":"pass","runs":9,"x":"' + 100 * "x" * (1 << 20) + '"}\n')
        run = self.run_tool(CI, "--events", "e")
        self.assertEqual(run.exit, INCONCLUSIVE, run)
        self.assertIn("1 line is no event", run.stderr)

    def test_findings_that_cannot_be_read_are_usage(self):
        known = self.folder / "known"
        make = {"folder": lambda p: p.mkdir(), "dangling": lambda p: p.symlink_to("nowhere"), "fifo": os.mkfifo,
                "list": lambda p: p.write_text("[1]"), "null": lambda p: p.write_text("null"),
                "deep": lambda p: p.write_text("[" * 100000), "binary": lambda p: p.write_bytes(b"\xff\0"),
                "site": lambda p: p.write_text('{"sut": "./two", "identity": "exit:3", "site": 3}'),
                "args": lambda p: p.write_text('{"sut": "./two", "identity": "exit:3", "args": [3]}'),
                "bytes": lambda p: p.write_text('{"format": 1, "sut": "./two", "identity": "exit:3", "hex": "zz"}')}
        for name, of in make.items():
            shutil.rmtree(known, ignore_errors=True)
            known.mkdir()
            of(known / "a.json")
            run = self.ci("./two", "--baseline", "known")
            self.assertEqual(run.exit, USAGE, f"{name} {run}")
            self.assertRegex(run.stderr, r"\A(frng-replay: .*\n)?frng-ci: known/a.json: (is|cannot) [^\n]*\n\Z")

    def test_one_folder_has_the_findings_of_all_targets(self):
        """Two of one name, whose findings have the same bytes, too: each is judged for its own."""
        for name in "a/two", "b/two":
            self.copy_sut(TWO, name)
        run = self.ci("a/two", "b/two", "--findings", "found")
        self.assertEqual(run.exit, FOUND, run)
        self.assertEqual({(of["sut"], of["identity"]) for of in frng.findings(self.folder / "found").values()},
                         {(f"{of}/two", f"exit:{n}") for of in "ab" for n in (3, 4)})
        self.assertEqual(self.run_tool(frng.STATUS, "found").exit, FOUND)
        (self.folder / "found").rename(self.folder / "known")
        def told(*targets):
            run = self.ci(*targets, "--baseline", "known")
            self.assertEqual(run.exit, PASSED, run)
            return set(re.findall(r"(?m)^known: ([a-z ]+)(?:, remove known/[^:]*)?: (./two): (exit:.)$", run.stdout))

        fails = {of: {("still fails", f"{of}/two", f"exit:{n}") for n in (3, 4)} for of in "ab"}
        self.assertEqual(told("a/two", "b/two"), fails["a"] | fails["b"])
        self.script("a/two", "cat >/dev/null\n")
        passes = {("passes now", "a/two", f"exit:{n}") for n in (3, 4)}
        self.assertEqual(told("a/two", "b/two"), passes | fails["b"])
        self.assertEqual(told("b/two"), fails["b"])
        # Without those of its own, those of the other are not known; of a program that has moved they are.
        for path in (self.folder / "known").iterdir():
            if "b/two" in path.read_text():
                path.unlink()
        self.assertEqual(self.ci("b/two", "--baseline", "known").exit, FOUND)
        (self.folder / "a").rename(self.folder / "c")
        run = self.ci("c/two", "--baseline", "known")
        self.assertIn("known: passes now, but was found in a/two: known/", run.stdout)

    def test_baseline_in_the_folders_of_earlier_versions(self):
        self.assertEqual(self.ci("./two", "--findings", "known/two").exit, FOUND)
        for apart in "workers", "unconfirmed":
            self.write(f"known/{apart}/a.json", "{}")
        run = self.ci("./two", "--baseline", "known")
        self.assertEqual((run.exit, run.stdout.count("known: still fails")), (PASSED, 2), run)

    def test_log_says_what_failed(self):
        """The message, how often it fails, and a command with the bytes: no file of the CI machine."""
        start = {"event": "start", "task": "search", "tool": "frng-search", "sut": "./q", "args": []}
        failed = {"event": "done", "outcome": "fail", "size": 65, "signature": "exit:1 at q.c:16", "site": "q.c:16",
                  "output": "noise\nq.c:16: got 0, not 7\nbye\n", "hex": "0a" * 65,
                  "replay": "frng-replay ./q --finding 'f/a b.json' -- x"}
        def says(**more):
            self.write("e.jsonl", self.events(start, failed | more))
            return self.run_tool(CI, "--events", "e.jsonl").stdout

        always, half = {"reruns": 20, "repeated": 20}, {"reruns": 1681, "repeated": 1244}
        self.assertEqual(says(rate=always), "new: e.jsonl: exit:1 at q.c:16\n    q.c:16: got 0, not 7\n"
                         "    size 65: failed in each of 20 reruns\n"
                         f"    frng-replay ./q --hex {'0a' * 65} -- x\n")
        self.assertIn("\n    FLAKY: fails in 74% of 1,681 reruns, size 65\n", says(rate=half))
        self.assertIn("\n    bye\n    size 65\n", says(site=None))
        self.assertIn(f"\n    frng-replay ./q --hex {'0a' * 65}\n", says(replay=None))
        for digits in None, "0a" * 1025, "0g", "":  # too many, or none
            self.assertIn("\n    frng-replay ./q --finding 'f/a b.json' -- x\n", says(hex=digits))
        for odd in "frng-replay ./q --finding 'f", "frng-replay ./q '-- --finding x'", "frng-replay ./q -- --finding x":
            self.assertIn(f"\n    {odd}\n", says(replay=odd))
        for rate in 3, {}, {"reruns": 0, "repeated": 0}, {"reruns": 1, "repeated": 2}, {"reruns": "x", "repeated": 1}:
            self.assertIn("\n    size 65\n", says(rate=rate))

    def test_log_says_what_is_searched_and_how_far(self):
        ci = pathlib.Path(CI).read_text().replace("SIGN_OF_LIFE = 60 ", "SIGN_OF_LIFE = 0.2 ")
        self.write("ci", ci, executable=True)
        self.script("slow", "sleep 0.02; exec ./two\n")
        run = self.run_tool("./ci", "./slow", "--time", "2s", SMALL)
        self.assertRegex(run.stdout, r"\A\./slow: searching for 2 s\n(\./slow: [\d.]+ s searched(, \d+ runs)?"
                         r"(, failures found: [12])?\n)+new: ")

    def test_runs_are_the_same_each_time(self):
        self.script("good", "cat >/dev/null\n")
        told = [self.run_tool(CI, "--rng-seed", 1, "--runs", 40, "./good", "./two", f"--search=--jobs {n}").stdout
                for n in (1, 2)]
        self.assertIn("./good: searching 40 runs\n", told[0])
        self.assertIn("\nPASS ./good: no failure in 40 runs: ", told[0])
        self.assertIn("new: ./two: exit:", told[0])
        self.assertEqual(told[0], told[1])
        for runs in "0", "-1", "x":
            self.assert_one_line(self.ci("./two", f"--runs={runs}"), USAGE, "^frng-ci: .*--runs: ")

    def test_shards_have_each_target_once(self):
        (self.folder / "t").mkdir()
        for name in "a", "b", "c":
            self.script(f"t/{name}", "exit 9\n")
        told = [re.findall("(?m)^new: t/(.):", self.ci("t", "--shard", f"{i}/2", "--findings", "known").stdout)
                for i in (1, 2)]
        self.assertEqual(told, [["a", "c"], ["b"]])
        run = self.ci("t", "--shard", "2/2", "--baseline", "known")
        self.assertEqual(re.findall("(?m)^known: still fails: t/(.):", run.stdout), ["b"])
        run = self.ci("t", "--shard", "4/4")
        self.assertEqual((run.exit, run.stdout), (PASSED, "frng-ci: 3 targets leave none for part 4 of 4\n"))
        for shard in "0/2", "3/2", "x", "1/2/3", "1":
            self.assert_one_line(self.ci("t", "--shard", shard), USAGE, "^frng-ci: argument --shard: ")

    def test_folder_of_targets(self):
        (self.folder / "targets").mkdir()
        self.script("targets/bad", "exit 9\n")
        self.script("targets/good", "cat >/dev/null\n")
        run = self.ci("targets")
        self.assertEqual(run.exit, FOUND, run)
        self.assertIn("new: targets/bad: exit:9", run.stdout)
        self.assertIn("PASS targets/good: ", run.stdout)
        (self.folder / "targets/of_no_machine").write_text("hello")
        (self.folder / "targets/of_no_machine").chmod(0o755)
        run = self.ci("targets")
        self.assertEqual(run.exit, FOUND, run)
        self.assertIn("new: targets/bad: exit:9", run.stdout)
        self.assertIn("targets/of_no_machine: cannot be searched", run.stdout)

    def test_search_that_is_killed_takes_nothing_from_the_others(self):
        (self.folder / "bin").mkdir()
        self.script("bin/frng-search", f'[ "$1" != ./killed ] || kill -9 $$\nexec {frng.BUILD}/driver/frng-search "$@"\n')
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.script("killed", "exit 0\n")
        self.script("good", "cat >/dev/null\n")
        run = self.ci("./killed", "./good", "--junit", "j.xml")
        self.assertEqual(run.exit, INCONCLUSIVE, run)
        self.assertIn("./killed: its search was killed by signal 9\nPASS ./good: ", run.stdout)
        suites = ElementTree.parse(self.folder / "j.xml").getroot()
        self.assertEqual([suite.get("errors") for suite in suites], ["1", "0"])

    def test_exit_status_of_a_search_counts(self):
        (self.folder / "bin").mkdir()
        self.environment["PATH"] = f"{self.folder}/bin:{self.environment['PATH']}"
        self.script("good", "cat >/dev/null\n")
        for status, expected in (0, INCONCLUSIVE), (1, INCONCLUSIVE), (2, USAGE), (3, INCONCLUSIVE), (4, OUTPUT), \
                (127, INCONCLUSIVE):
            self.script("bin/frng-search", f"exit {status}\n")
            self.assertEqual(self.ci("./good").exit, expected)
            self.script("bin/frng-search", f'{frng.BUILD}/driver/frng-search "$@"; exit {status}\n')
            self.assertEqual(self.ci("./good").exit, PASSED if status == 0 else expected)

    def test_result_that_cannot_be_written(self):
        self.write("e", self.events({"event": "start"}, {"event": "done", "outcome": "fail", "signature": "exit:3"}))
        for option in "--junit", "--sarif", "--summary", "--report":
            run = self.run_tool(CI, "--events", "e", option, "missing/x")
            self.assertEqual(run.exit, OUTPUT, run)
            self.assert_says(run, "frng-ci: missing/x: cannot be written: ")
        with open("/dev/full", "wb") as full:
            run = self.start(CI, "--events", "e", "--junit", "j.xml", stdout=full)
            run.communicate()
        self.assertEqual(run.returncode, OUTPUT)
        self.assertTrue((self.folder / "j.xml").exists())
        with open("/dev/full", "wb") as full:
            run = self.start(CI, self.script("ok", "cat >/dev/null"), "--runs", "9", stdout=full)
            run.communicate()
        self.assertEqual(run.returncode, OUTPUT)

    def test_known_hang_that_the_time_cuts_short_stays_green(self):
        self.script("hangs", "sleep 9\n")
        timeout = "--search=--timeout 1500ms"
        run = self.run_tool(CI, "./hangs", "--findings", "known", "--time", "9s", timeout)
        self.assertEqual(run.exit, FOUND, run)
        run = self.run_tool(CI, "./hangs", "--baseline", "known", "--time", "500ms", timeout)
        self.assertEqual(run.exit, PASSED, run)
        self.assertIn("known: still fails: ./hangs: timeout", run.stdout)

    def test_targets_have_arguments_and_files_of_their_own(self):
        for name in "two", "deep/two":
            self.script(name, 'read -r x; [ "$1" = good ] || [ -z "$x" ] || exit "$2"\n')
        targets = ["./two bad", "deep/two good", "../" + self.folder.name + "/two good"]
        for words, status in (["--findings", "found"], FOUND), (["--baseline", "found"], PASSED):
            run = self.ci(*targets, *words, "--", "5")
            self.assertEqual(run.exit, status, run)
            self.assertNotIn("of another program", run.stderr)
        self.assertRegex(run.stdout, r"known: still fails: ./two bad 5: exit:5\n +frng-replay ./two --finding found/")
        self.assertEqual({of["sut"] for of in frng.findings(self.folder / "found").values()}, {"./two"})
        self.assertEqual(len(list((self.folder / "frng-events").iterdir())), 3)
        test = "import frng\n@frng.check\ndef test_x(f):\n    assert f.u8() < 200\n"
        (self.folder / "test_it.py").write_text(test)
        port = EXAMPLES.parents[1] / "frng" / "python" / "frng"
        run = self.ci(f"python3 {port} test_it.py test_x", "--findings", "more")
        self.assertEqual(run.exit, FOUND, run)
        self.assertRegex(run.stdout, r"new: python3 \S+ test_it.py test_x: exit:1 at test_it.py:4\n")
        run = self.ci(f"python3 {port} test_it.py test_x", "--baseline", "more")
        self.assertEqual(run.exit, PASSED, run)

    def test_known_failure_of_all_runs_leaves_nothing_tested(self):
        self.script("all", "[ $(wc -c) = 0 ] || exit 5\n")
        self.assertEqual(self.ci("./all", "--findings", "found").exit, FOUND)
        run = self.ci("./all", "--baseline", "found")
        self.assertEqual(run.exit, INCONCLUSIVE, run)
        self.assertIn("known: still fails: ./all: exit:5", run.stdout)
        self.assertRegex(run.stdout, r"\n\./all: (untested|[\d,]+ runs, no claim)\n")

    def test_interrupt_exports_what_was_found(self):
        for signum in (signal.SIGINT, signal.SIGTERM):
            events = f"{signum:d}/two.jsonl"
            run = self.start(CI, "./two", "--events", f"{signum:d}", "--junit", "j.xml", SMALL)
            self.assertTrue(frng.wait_until(lambda events=events: self.has_best(1, events)))
            run.send_signal(signum)
            self.assertIn(b"new: ./two: exit:", run.communicate(timeout=30)[0])
            self.assertEqual(run.returncode, 130)
            (self.folder / "j.xml").unlink()

    def test_no_search_is_not_green(self):
        (self.folder / "foreign").mkdir()
        (self.folder / "foreign/a.json").write_text('{"identity": "exit:3"}')
        for words in (["./missing"], ["--baseline", "nowhere", "./two"], [], ["./two", "--search=--atempts"],
                      ["--events", "missing.jsonl"], ["--baseline", "foreign", "./two"]):
            run = self.run_tool(CI, *words)
            self.assertEqual(run.exit, USAGE, run)
            self.assertNotIn("Traceback", run.stderr)
        self.write("plain", "")
        (self.folder / "none").mkdir()
        for words in ([""], ["./tes*"], ["it's"], ["plain"], ["none"], ["./two", "--time", "0s"],
                      ["./two", "--events", "plain"], ["./two", "--search='"], ["--events", "e", "--baseline", "none"]):
            run = self.run_tool(CI, *words)
            self.assert_one_line(run, USAGE, "^frng-ci: ")
        for options in ["--help"], ["--version"], ["--json", "elsewhere"]:
            run = self.ci("./two", options=options)
            self.assertEqual(run.exit, INCONCLUSIVE, run)
            self.assertIn("./two: its search left no result", run.stdout)
        self.script("hangs", "sleep 9\n")
        run = self.ci("./hangs", options=["--timeout", "60s"], time="1s")
        self.assertEqual(run.exit, INCONCLUSIVE, run)

    @unittest.skipIf(yaml is None, "python3-yaml is not installed")
    def test_files_of_servers_run(self):
        """A step runs as its server does it: in a shell, with the variables that the file gives."""
        self.script("queue", "exec ./two\n")
        self.environment["PATH"] = f"{EXAMPLES}:{self.environment['PATH']}"
        steps = yaml.safe_load((EXAMPLES / "action.yml").read_text())["runs"]["steps"]
        shutil.copytree(EXAMPLES, self.folder / "frng/examples/ci")
        for name in "driver", "frng", "meson.build":
            self.write(f"frng/{name}" + "/x" * (name != "meson.build"), "")
        names = []
        for source in "", "", "new":  # what is kept was built from these sources
            self.write("frng/driver/x", source)
            self.run_tool("bash", "-ec", steps[0]["run"], environment={
                "GITHUB_ACTION_PATH": str(self.folder / "frng/examples/ci"), "GITHUB_OUTPUT": "outputs"})
            names.append((self.folder / "outputs").read_text().splitlines()[-1])
        self.assertRegex(names[0], r"^name=\S+-[0-9a-f]{64}$")
        self.assertEqual([names[0] == name for name in names], [True, True, False])
        kept = next(s for s in steps if s["name"] == "Keep frng, built once")["with"]
        self.assertIn("steps.frng.outputs.name", kept["key"])
        step = next(s for s in steps if s["name"] == "Search")
        run = self.run_tool("bash", "-ec", step["run"], environment={
            "TARGETS": "./queue", "TIME": "100s", "BASELINE": "known", "OPTIONS": SMALL.split("=", 1)[1]})
        self.assertEqual(run.exit, FOUND, run)
        job = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())["frng"]
        run = self.run_tool("bash", "-ec", "\n".join(job["script"]), environment={"FRNG_TIME": "1s"})
        self.assertEqual(run.exit, FOUND, run)
        self.assertTrue((self.folder / job["artifacts"]["reports"]["junit"]).is_file())
        kept = next(s for s in steps if s.get("with", {}).get("name") == "frng")["with"]["path"]
        for path in kept.split():
            self.assertTrue((self.folder / path).exists(), path)
