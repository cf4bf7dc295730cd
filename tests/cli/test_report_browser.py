"""The page of frng-report as Chromium draws it, where that is installed."""

import html
import json
import re
import shlex
import shutil
import subprocess
import sys
import unittest

import frng
from test_report import BEST, DONE, START, Page, ReportScenario

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CONSENSUS = frng.BUILD / "examples" / "consensus"
KVSTORE = frng.BUILD / "examples" / "kvstore"
NIGHT = frng.pathlib.Path(__file__).resolve().parents[1] / "bench" / "night.py"

# What a reader of the page sees of it, as JSON in an element of its own.
MEASURE = """
<script>
{
const box = e => { const r = e.getBoundingClientRect();
  return {left: r.left, right: r.right, top: r.top, bottom: r.bottom, text: e.textContent}; };
const page = document.documentElement;
const scrolls = e => { for (let p = e; p; p = p.parentElement)
  if (p.classList.contains('scroll')) return true; return false; };
const all = {
  width: innerWidth, client: page.clientWidth, scroll: page.scrollWidth,
  outside: [...document.querySelectorAll('main *')].filter(e => !scrolls(e))
    .map(e => ({tag: e.tagName, cls: String(e.className.baseVal ?? e.className), ...box(e)}))
    .filter(b => b.right > page.clientWidth + 1 || b.left < -1),
  charts: [...document.querySelectorAll('svg.chart')].map(c => ({
    name: c.getAttribute('aria-label'), role: c.getAttribute('role'),
    texts: [...c.querySelectorAll('text')].map(box),
    size: parseFloat(getComputedStyle(c.querySelector('text')).fontSize) *
      c.getBoundingClientRect().width / c.viewBox.baseVal.width,
    dots: [...c.querySelectorAll('circle')].map(d => ({
      x: box(d).left + box(d).right, y: box(d).top + box(d).bottom,
      title: d.querySelector('title').textContent}))})),
  buttons: [...document.querySelectorAll('button')].map(b => b.textContent),
  colours: [getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.body).color],
};
parent.postMessage(JSON.stringify(all), '*');
}
</script>
"""

# No window is as narrow as a phone's, but a frame is. It sends what it measured.
FRAME = """<!DOCTYPE html>
<body style="margin:0"><pre id="measured"></pre>
<script>addEventListener('message',
  e => { document.getElementById('measured').textContent = e.data; });</script>
<iframe src="measured.html" style="border:0;width:%dpx;height:900px"></iframe>
"""


@unittest.skipIf(CHROMIUM is None, "chromium is not installed")
class ReportBrowser(ReportScenario):
    def browse(self, path, width, *flags):
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        result = self.run_tool(
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--enable-logging=stderr", f"--window-size={width},1000",
            f"--user-data-dir={home}", "--virtual-time-budget=5000", *flags, "--dump-dom",
            f"file://{path}", environment={"HOME": str(home), "XDG_CONFIG_HOME": str(home)})
        self.assert_exit(result, 0)
        return result

    def measure(self, path, width, *flags):
        """What the page looks like at a width. It is a copy whose policy lets a script measure."""
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'<meta http-equiv="Content-Security-Policy".*?>\n', "", text)
        self.write("measured.html", text.replace("</body>", MEASURE + "</body>"))
        result = self.browse(self.write("frame.html", FRAME % width), width + 100, *flags)
        found = re.search(r'<pre id="measured">(.*?)</pre>', result.stdout, re.DOTALL)
        self.assertIsNotNone(found, str(result))
        return json.loads(html.unescape(found[1]))

    def assert_fits(self, seen):
        self.assertLessEqual(seen["scroll"], seen["client"])
        self.assertEqual(seen["outside"], [])
        for chart in seen["charts"]:
            self.assertEqual(chart["role"], "img")
            self.assertRegex(chart["name"], r"^[A-Z].*bytes.*\.$")
            self.assertGreaterEqual(chart["size"], 11)
            texts = chart["texts"]
            for i, one in enumerate(texts):
                for other in texts[:i]:
                    apart = (one["left"] >= other["right"] - 0.5 or
                             one["right"] <= other["left"] + 0.5 or
                             one["top"] >= other["bottom"] - 4 or
                             one["bottom"] <= other["top"] + 4)
                    self.assertTrue(apart, f"{chart['name']}: {one} overlaps {other}")

    def make_page(self, *arguments):
        self.assert_exit(self.report(*arguments), 0)
        return self.folder / "report.html"

    def drawn(self, *arguments):
        """The page that the script has drawn, under its policy."""
        result = self.browse(self.make_page(*arguments), 1280)
        self.assertNotIn("CONSOLE", result.stderr)
        page = Page(result.stdout)
        self.assertEqual(page.faults, [])
        self.assertEqual(page.count("script"), 2)
        self.assertIn("Made by frng-report from ", page.text())
        links = [a["href"] for tag, a in page.elements if "href" in a]
        self.assertEqual([link for link in links if not re.match(r"#|data:,$", link)], [])
        ids = [a["id"] for _, a in page.elements if "id" in a]
        self.assertEqual(sorted(set(ids)), sorted(ids))
        return page

    def parts(self, *works):
        """The texts of the parts of a page: one of each list of events, each of its own program."""
        self.events(*({**event, "sut": f"./p{i}"} if event["event"] == "start" else event
                      for i, work in enumerate(works) for event in work))
        text = self.drawn("events.jsonl").text()
        return [part.partition("Made by")[0] for part in text.split("frng report")[-len(works):]]

    def example_page(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        return self.make_page("events.jsonl")

    def night_page(self, *options):
        with (self.folder / "events.jsonl").open("w") as out:
            subprocess.run([sys.executable, NIGHT, *options], stdout=out, check=True)
        return self.make_page("events.jsonl")

    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_charts_have_the_points_of_the_events(self):
        page = self.example_page()
        seen = self.measure(page, 1280)
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        second = [i for i, event in enumerate(events) if event["event"] == "start"][1]
        expected = [f"run {e['runs']:,}: {e['size']:,} bytes" for e in events[:second]
                    if e["event"] == "best"]
        dots = seen["charts"][0]["dots"]
        self.assertEqual([dot["title"] for dot in dots], expected)
        # more runs are further to the right, fewer bytes further down
        self.assertEqual([dot["x"] for dot in dots], sorted(dot["x"] for dot in dots))
        self.assertEqual([dot["y"] for dot in dots], sorted(dot["y"] for dot in dots))
        steps = [f"call {e['calls']:,}: {e['size']:,} bytes" for e in events[second:]
                 if e["event"] in ("best", "step")]
        titles = [dot["title"] for chart in seen["charts"]
                  if chart["name"].startswith("Size over calls") for dot in chart["dots"]]
        self.assertLessEqual(set(titles[1:]), set(steps))
        self.assertEqual(titles[-1], steps[-1])
        if len(steps) < 300:
            self.assertEqual(titles[1:], steps)

    @frng.long
    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_an_example_fits_wide_and_narrow_pages(self):
        page = self.example_page()
        for width in (1280, 400):
            with self.subTest(width=width):
                self.assert_fits(self.measure(page, width))

    @frng.long
    def test_a_night_fits_wide_and_narrow_pages(self):
        for options in ([], ["--searches", "9", "--bests", "900"]):
            page = self.night_page(*options)
            for width in (1280, 400):
                with self.subTest(options=options, width=width):
                    seen = self.measure(page, width)
                    self.assertEqual(seen["client"], width)
                    self.assert_fits(seen)
                    self.assertEqual(len(seen["charts"]), 2)

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_the_page_alone_explains_the_bug_of_kvstore(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, KVSTORE)
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        text = self.drawn("events.jsonl").text()
        story = text.partition("What it does")[2].partition("How the search went")[0]
        # compaction of the newer runs drops the tombstone of a key that an older run still has
        self.assertRegex(story, r"put.*flush.*delete.*flush.*compact.*first run ?1.*get")
        self.assertRegex(story, r"delete key \d+ only this")
        self.assertRegex(text, r"key \d+ was deleted, and is back")
        # the reduction, before and after
        starts = [event for event in events if event["event"] == "start"]
        seed = [event for event in events if event["event"] == "done"][0]["seed"]
        before, after = (re.sub(r"\W", "", part) for part in
                         re.search(r"Before: \d+ bytes(.*)After: \d+ bytes(.*)All failures", text)
                         .groups())
        self.assertEqual(before, bytes(frng.expand(seed, starts[1]["size"])).hex())
        self.assertEqual(after, events[-1]["hex"])
        for one in events[-1]["passes"]:
            if one["bytes"] > 0:
                self.assertIn(one["name"], text)
        # the command replays
        command = re.search(r"Replay it (.*?)Copy", text)[1]
        self.assert_exit(self.replay(*shlex.split(command)[1:]), 1)

    def test_draws_that_must_be_equal_are_said_to_be(self):
        self.reduce(frng.SUTS / "sut-explained", "--hex", "050507", "--explain", "yes", "--json",
                    "events.jsonl", "--", "equal")
        fails = [s["fails"] for s in
                 frng.json_lines((self.folder / "events.jsonl").read_text())[-1]["explanation"]["statements"]]
        self.assertEqual(fails, ["equal", "equal", "any"])
        story = self.drawn("events.jsonl").text().partition("What it does")[2]
        self.assertRegex(story, r"key = size.*size = key.*rest any")

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_the_story_is_whole_when_its_explanation_is_cut(self):
        size, seed = self.assert_found(self.search("--rng-seed", 7, KVSTORE))
        self.reduce(KVSTORE, "--size", size, "--seed", seed, "--json", "events.jsonl")
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        cut = events[-1]["explanation"]
        named = ("draw", "offset", "name", "note", "step", "notes", "kind", "value")
        cut["rest"] = [{k: s[k] for k in named if k in s} for s in cut["statements"][1:]]
        cut.update(statements=cut["statements"][:1], explained=1, cut="calls")
        (self.folder / "events.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))
        story = self.drawn("events.jsonl").text().partition("What it does")[2]
        self.assertRegex(story, r"put.*flush.*delete.*flush.*compact.*first run ?1.*get")

    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_the_page_alone_explains_the_bug_of_consensus(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        text = self.drawn("events.jsonl").text()
        self.assertRegex(text, r"split brain: replicas \d and \d both lead term")
        # the replica votes, forgets that in a crash, and votes for the other one
        told = re.search(r"(\d) votes for (\d).*crash ?replica ?\1.*\1 votes for (\d)", text)
        self.assertIsNotNone(told, text[:3000])
        self.assertNotEqual(told[2], told[3])

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_a_replay_adds_its_draws_to_findings(self):
        self.search("--findings", "found", "--reduce", "--rng-seed", 7, KVSTORE)
        best = sorted(frng.findings(self.folder / "found"))[0]
        self.replay("--finding", f"found/{best}", "--trace", "--json", "replay.jsonl")
        for sources in (["found", "replay.jsonl"], ["replay.jsonl"]):
            text = self.drawn(*sources).text()
            self.assertRegex(text, r"kvstore fails on \d+ bytes", sources)  # in one way
            self.assertRegex(text, r"operation ?\d+ ?put ?key ?\d", sources)

    def test_the_reduction_of_a_file_has_a_page(self):
        self.script("interesting", 'grep -q foo "$1"\n')
        self.write("big.txt", "\n".join(map(str, range(500))) + "\nint foo(int bar);\n")
        result = self.reduce("--predicate", "./interesting", "big.txt", "--json", "events.jsonl")
        self.assert_exit(result, 0)
        text = self.drawn("events.jsonl").text()
        size = (self.folder / "big.txt").stat().st_size
        self.assertIn(f"big.txt is reduced from {size:,} to 3 bytes", text)
        self.assertIn("Check it", text)
        self.assertIn("After: 3 bytes foo ", text)

    def test_searches_of_a_program_share_a_part(self):
        for seed in (1, 2):
            self.search("--json", "events.jsonl", "--rng-seed", seed, "--attempts", 5, frng.MODES)
        path = self.folder / "events.jsonl"
        path.write_text(path.read_text() + '{"event":"tested","schema":1,"si')  # killed
        self.search("--json", "events.jsonl", "--rng-seed", 3, "--attempts", 5, frng.MODES)
        self.search("--json", "3.jsonl", "--rng-seed", 4, "--attempts", 5, frng.MODES)
        text = self.drawn("events.jsonl", "3.jsonl").text()
        self.assertIn("in 4 searches", text)
        self.assertIn("1 line could not be read", text)
        self.assertEqual(text.count("How the search went"), 1)
        path.unlink()  # not what the schema says

    def test_what_came_of_a_search_is_its_heading(self):
        tested = {"runs": 20, "sizes": 1, "largest": 16}
        inconclusive = {"event": "done", "outcome": "inconclusive", "runs": 9}
        found = {"size": 2, "seed": "4", "replay": "frng-replay ./p4 --size 2 --seed 4"}
        parts = self.parts(
            [START, BEST, DONE],
            [START, BEST],
            [START, {"event": "done", "outcome": "pass", "runs": 1234, "bound": 0.1854,
                     "confidence": 0.95, "tested": tested}],
            [START, {**inconclusive, "reason": "untested"}],
            [START, {**inconclusive, **found, "reason": "unfinished", "identity": "timeout"}],
            [START, {**inconclusive, **found, "reason": "flaky", "identity": "exit:3"}],
            [START, {**inconclusive, "reason": "require"}],
            [START, {"event": "done", "outcome": "error", "runs": 0}],
            [START],
            [START, {**DONE, "failures": [{**DONE, "identity": "exit:4", "size": 15}]}])
        for part, says in zip(parts, (
                r"p0 fails on 16 bytes exit:3 worse", r"p1 fails on 40 bytes.*has not ended",
                r"p2 did not fail in 1,234 runs.*under 19% of random inputs fail at each size up "
                r"to 16 bytes", r"p3 was not tested: no run passed",
                r"p4 did not fail, but may hang: a run was cut off.*Replay it frng-replay ./p4 "
                r"--size 2 --seed 4", r"p5 failed, but never in the same way again",
                r"p6 did not fail, but too few runs had a label", r"p7 was not tested: an error",
                r"p8 has not failed, and the search has not ended",
                r"p9 fails in 2 ways, on 15 bytes or more exit:4"), strict=True):
            self.assertRegex(part, says)

    def test_the_claim_is_in_words(self):
        claim = {"below": 15, "passed": 262, "bound": 0.029, "confidence": 0.95}
        parts = self.parts(*([START, {**DONE, **claim, **changed}] for changed in (
            {}, {"bound": 0}, {"below": 1}, {"bound": 1e308}, {"bound": -1}, {"confidence": 95})))
        self.assertIn("262 random inputs of 15 bytes had passed in a row: with 95% confidence, "
                      "fewer than 2.9%", parts[0])
        self.assertIn("Every input of 15 bytes was run", parts[1])
        self.assertIn("262 random inputs of 1 byte had", parts[2])
        for part in parts[3:4] + parts[4:5]:  # impossible ones
            self.assertNotIn("Is there a smaller one", part)
        self.assertIn("with 95% confidence", parts[5])

    def test_failures_by_size_have_their_interval(self):
        def tested(size, runs, failures, **more):
            return {"event": "tested", "size": size, "runs": runs, "failures": failures,
                    "others": 0, **more}
        parts = self.parts(
            [START, BEST, tested(10, 100, 0), tested(20, 60, 3), tested(20, 40, 1, others=1),
             tested(30, 100, 100), tested(35, 9, 9, fresh=False), tested(40, 2, 1), tested(45, 2, 0)],
            [START, tested(10, 2, 0)])
        # Wilson, of 0, 5 and 100 of 100
        self.assertIn("10 bytes: 0 of 100 runs failed, 0%, 95% confidence 0 to 4%", parts[0])
        self.assertIn("20 bytes: 5 of 100 runs failed, 5%, 95% confidence 2 to 11%", parts[0])
        self.assertIn("30 bytes: 100 of 100 runs failed, 100%, 95% confidence 96 to 100%", parts[0])
        self.assertIn("40 bytes: 1 of 2 runs failed", parts[0])  # its dot
        for size in (35, 45):
            self.assertNotIn(f"{size} bytes: ", parts[0])
        self.assertNotIn("Failures by size", parts[1])

    def test_a_result_is_that_of_the_end(self):
        found, reduce = {"size": 2, "hex": "0a0b"}, {**START, "task": "reduce", "size": 40}
        best = {**BEST, **found, "replay": None, "evidence": {"reruns": 1, "repeated": 1}}
        done = {**DONE, **found, "replay": "frng-replay ./queue --input queue.reduced"}
        parts = self.parts(
            [reduce, best, {**done, "rate": {"reruns": 3, "repeated": 3}}],
            [START, {**DONE, "rate": {"reruns": 1, "repeated": 1}}],
            *([reduce, {**done, "calls": 50, "end": end, "complete": end == "complete"}]
              for end in ("limit", "interrupted", "complete")))
        self.assertRegex(parts[0], r"failed again in ?3 ?of 3 reruns.*Replay it frng-replay "
                                   r"./queue --input queue.reduced")
        self.assertRegex(parts[1], r"failed again in ?1 ?of 1 rerun\b")
        for part, words in zip(parts[2:], (
                "in 50 calls, so far. --time or --calls stopped it",
                "in 50 calls, so far. A signal stopped it",
                "in 50 calls. No pass could make it simpler still"), strict=True):
            self.assertIn(words, part)

    def test_a_reduction_that_saves_no_byte_is_shown_before_and_after(self):
        (part,) = self.parts([START, {**DONE, "size": 2}, {**START, "task": "reduce", "size": 2},
                              {**BEST, "size": 2, "hex": "0102"}, {**DONE, "size": 2, "hex": "0100"}])
        before = " ".join(f"{byte:02x}" for byte in frng.expand(9, 2))
        self.assertIn(f"Before: 2 bytes {before} After: 2 bytes 01 00 ", part)

    def test_draws_become_a_story_with_their_meaning(self):
        def explained(*draws, **more):
            return [START, {**DONE, "explanation": {"runs": 40, "statements": draws, "cut": None,
                                                    "together": None, **more}}]
        key = {"note": "key", "value": "7"}
        parts = self.parts(
            explained({**key, "offset": 0, "step": "put", "text": "any"},
                      {**key, "offset": 1, "step": "delete", "text": "= key at offset 0"}),
            explained({**key, "offset": 0, "text": "only 7", "fails": "only"},
                      {"note": "size", "offset": 1, "value": "8", "text": "4..20",
                       "fails": "range"}, cut="calls", draws=5,
                      together={"draws": 2, "runs": 20, "failed": 19}),
            [START, BEST, {"event": "draw", "offset": 0, "note": "key", "value": 9, "step": "put",
                           "step_number": 1},
             {"event": "say", "text": "put 9", "step": "put", "step_number": 1},
             {"event": "draw", "offset": 1, "kind": "u8", "bytes": "0f", "step": "end",
              "step_number": 2}])
        self.assertRegex(parts[0], r"1 ?put\W+key ?7 ?any.*2 ?delete\W+key ?7 ?= key in 1")
        self.assertRegex(parts[1], r"0 ?7 ?key ?only this ?1 ?8 ?size ?4\.\.20")
        self.assertNotIn("only 7", parts[1])
        self.assertIn("… and 3 more draws: frng-replay --trace shows them", parts[1])
        self.assertRegex(parts[1], "as 40 runs have shown; not all draws were explained. With "
                                   "random values of all 2 draws that are any, 19 of 20 runs")
        self.assertRegex(parts[2], r"1 ?put key ?9 ?put 9 ?2 ?end u8 ?0f")

    def test_long_lists_are_cut(self):
        draws = [{"offset": i, "note": "key", "kind": "u8 0..255", "value": "7" * 300,
                  "text": "any", "fails": "any"} for i in range(401)]
        failures = [{**DONE, "identity": f"exit:{i + 3}", "size": 100 + i,
                     "site": f"{i}.c:1" + "x" * 3000} for i in range(100)]
        steps = [{"event": "step", "size": 4500 - i, "calls": 7 * i, "pass": f"p{i % 30}"}
                 for i in range(500)]
        reductions = [[{**START, "task": "reduce", "size": 4500, "sut": "./p0"}, *steps,
                       {**DONE, "hex": "0a" * 1000, "size": 1000,
                        "explanation": {"runs": 40, "draws": 401, "statements": draws}}]
                      for i in range(9)]
        (part,) = self.parts([START, {**DONE, "size": 4500, "failures": failures},
                              *(event for one in reductions for event in one)])
        self.assertIn("… and 1 more draw: frng-replay --trace", part)
        self.assertEqual(part.count("How it was reduced"), 8)
        self.assertIn("… and 1 more reduction.", part)
        self.assertIn("… and 41 more.", part)
        self.assertNotIn("x" * 201, part)

    def test_hostile_events_stay_text(self):
        bad = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'>\x1b[31m\u202e'
        event = {**BEST, "identity": bad, "site": bad, "signature": bad, "output": bad,
                 "flaky": bad, "replay": bad, "seed": bad, "pass": bad}
        draw = {"event": "draw", "note": bad, "step": bad, "notes": [bad], "value": bad,
                "kind": bad, "text": bad, "bytes": bad}
        passes = [{"name": bad, "calls": 3, "successes": 1, "bytes": 9}]
        start = {name: bad for name in ("version", "mode", "host", "digest", "when", "rng_seed",
                                        "expand", "sut", "file", "task")}
        self.events({"event": "start", "args": [bad], "argv": [bad], "size": 50, **start}, event,
                    draw, {**event, "event": "done", "outcome": bad, "reason": bad,
                           "passes": passes, "failures": [event], "also": [event]})
        page = self.drawn("events.jsonl")
        self.assertEqual(page.count("img"), 0)
        self.assertIn("\\x1b[31m\\u202e", page.text())
        self.assertNotRegex(page.text(), "[\x1b\u202e]")

    def test_values_without_sense_are_survived(self):
        values = ["1e999", "-1", "1e308", "99999999999999999999", "9223372036854775807", "0.5",
                  "null", "[]", '"x"', "{}", "[null]", "[1]"]
        texts = ("identity", "seed", "hex", "output", "explanation", "passes", "also", "failures",
                 "rate", "smaller", "tested", "replay")
        lines = [json.dumps(START)]
        for one in values:
            lines += ['{"event":"start","sut":%s,"args":%s,"argv":%s,"task":%s}' % (4 * (one,)),
                      '{"event":"best","size":%s,"runs":%s,"identity":"exit:1","seed":"1"}' % (one, one),
                      '{"event":"tested","size":%s,"runs":%s,"failures":%s}' % (one, one, one),
                      '{"event":"step","size":%s,"calls":%s,"seconds":%s}' % (one, one, one),
                      '{"event":"draw","note":%s,"notes":%s,"value":%s}' % (one, one, one),
                      '{"event":"done","below":%s,"passed":%s,"bound":%s,"seconds":%s}' % (4 * (one,))]
            lines += ['{"event":"done","size":3,"identity":"exit:1","%s":%s}' % (name, one)
                      for name in texts]
            lines += ['{"event":"done","explanation":{"statements":[{"%s":%s}]}}' % (name, one)
                      for name in ("text", "value", "notes", "step", "offset")]
        self.events(*lines)
        self.assertNotRegex(self.drawn("events.jsonl").text(), r"\b(NaN|Infinity|undefined)\b")

    def test_a_night_has_some_hundred_dots(self):
        page = Page(self.browse(self.night_page(), 1280).stdout)
        self.assertIn("10,000,000", page.text())
        self.assertGreater(page.count("circle"), 100)
        self.assertLess(page.count("circle"), 2000)

    @frng.long
    def test_dark_and_light_follow_the_system(self):
        page = self.night_page("--bests", "50")

        def brightness(*flags):
            colours = self.measure(page, 1280, *flags)["colours"]
            return [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]

        light_ground, light_text = brightness("--blink-settings=preferredColorScheme=1")
        dark_ground, dark_text = brightness("--blink-settings=preferredColorScheme=0")
        self.assertGreater(light_ground, light_text + 300)
        self.assertGreater(dark_text, dark_ground + 300)


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
