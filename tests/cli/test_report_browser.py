"""The page of frng-report as Chromium draws it, where that is installed.

A browser starts in seconds, so that programs share pages: each row is a part of one.
"""
# suites: long; parts: 2

import html
import json
import re
import shutil
import subprocess
import sys
import unittest

import frng
from test_report import BEST, DONE, START, Page, ReportScenario

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
CONSENSUS = frng.BUILD / "examples" / "consensus"
LONG = "frng-replay " + "a" * 1000
KVSTORE = frng.BUILD / "examples" / "kvstore"
RAFT = frng.BUILD / "examples" / "raft"
NIGHT = frng.pathlib.Path(__file__).resolve().parents[1] / "bench" / "night.py"

# What a reader of the page sees of it, as JSON for the page around it.
MEASURE = """
<script>
{
const box = e => { const r = e.getBoundingClientRect();
  return {left: r.left, right: r.right, top: r.top, bottom: r.bottom, text: e.textContent}; };
const page = document.documentElement;
const scrolls = e => { for (let p = e; p; p = p.parentElement)
  if (p.classList.contains('scroll')) return true; return false; };
const all = {
  client: page.clientWidth, scroll: page.scrollWidth,
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
  labels: [...document.querySelectorAll('svg.lamport')].map(c => ({
    name: c.getAttribute('aria-label'), ...box(c), texts: [...c.querySelectorAll('text')].map(box)})),
  broken: [...document.querySelectorAll('pre')].flatMap(pre => {
    const texts = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), found = [];
    for (let text; (text = texts.nextNode());)
      for (const word of text.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index), range.setEnd(text, word.index + word[0].length);
        const lines = [...range.getClientRects()];
        if (lines.length > 1 && lines.reduce((sum, l) => sum + l.width, 0) < 200) found.push(word[0]);
      }
    return found;
  }),
  colours: [getComputedStyle(document.body).backgroundColor,
            getComputedStyle(document.body).color],
};
parent.postMessage([location.pathname, all], '*');
}
</script>
"""

# No window is as narrow as a phone's, but a frame is. Each sends what it measured.
FRAMES = """<!DOCTYPE html>
<body style="margin:0"><pre id="measured"></pre>
<script>const seen = {}; addEventListener('message', e => {
  seen[e.data[0].replace(/.*[/]/, '')] = e.data[1];
  document.getElementById('measured').textContent = JSON.stringify(seen); });</script>
"""

BAD = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'>\x1b[31m\u202e'


def tested(size, runs, failures, **more):
    return {"event": "tested", "size": size, "runs": runs, "failures": failures, "others": 0, **more}


def explained(*draws, **more):
    return [START, {**DONE, "explanation": {"runs": 40, "statements": draws, "cut": None,
                                            "together": None, **more}}]


def rows():
    """Lists of events, each of its own program, what its part says, and what it does not."""
    inconclusive = {"event": "done", "outcome": "inconclusive", "runs": 9}
    found = {"size": 2, "seed": "4", "replay": "frng-replay ./queue --size 2 --seed 4"}
    # what came of a search
    yield [START, BEST, DONE], [r"\d fails on 16 bytes exit:3 worse"], []
    yield [START, {**BEST, "replay": LONG}], [r"fails on 40 bytes.*has not ended"], []
    yield ([START, {"event": "done", "outcome": "pass", "runs": 1234, "bound": 0.1854,
                    "confidence": 0.95, "tested": {"runs": 20, "sizes": 1, "largest": 16}}],
           [r"did not fail in 1,234 runs.*under 19% of random inputs fail at size 16"],
           [])
    for end, says in (
            ({**inconclusive, "reason": "untested"}, r"was not tested: no run passed"),
            ({**inconclusive, **found, "reason": "unfinished", "identity": "timeout"},
             r"did not fail, but may hang: a run was cut off"),
            ({**inconclusive, **found, "reason": "unfinished", "identity": "timeout", "lasted": 4.91},
             r"did not fail, but may hang: the run of 2 bytes had not ended after 4\.9 s.*Replay it "
             r"frng-replay ./queue --size 2 --seed 4"),
            ({**inconclusive, **found, "reason": "flaky", "identity": "exit:3"},
             r"failed, but never in the same way again"),
            ({**inconclusive, "reason": "require"}, r"did not fail, but too few runs had a label"),
            ({"event": "done", "outcome": "error", "runs": 0}, r"was not tested: an error"),
            ({**DONE, "failures": [{**DONE, "identity": "exit:4", "size": 15}]},
             r"fails in 2 ways, on 15 bytes or more exit:4")):
        yield [START, end], [says], []
    yield [START], [r"has not failed, and the search has not ended"], []
    # its claim
    claim = {**DONE, "below": 15, "passed": 262, "bound": 0.029, "confidence": 0.95}
    yield ([START, claim], [r"262 random inputs of 15 bytes had passed in a row: with 95% confidence, "
                            r"fewer than 2\.9%"], [])
    yield [START, {**claim, "bound": 0}], ["Every input of 15 bytes was run"], []
    yield [START, {**claim, "bound": 1e308}], [], ["Is there a smaller one"]  # an impossible one
    passed = {"event": "done", "outcome": "pass", "runs": 1, "confidence": 0.95}
    yield ([START, {**passed, "bound": 0.0, "tested": {"runs": 1, "sizes": 1, "largest": 0}}],
           [r"The only input of 0 bytes was run, and passed"], ["of random inputs fail"])
    yield ([START, {**passed, "bound": 0.31, "tested": {"runs": 10, "sizes": 2, "largest": 4096, "levels": [
        {"size": 256, "runs": 4882, "bound": 0.00076}, {"size": 4096, "runs": 10, "bound": 0.31}]}}],
           [r"under 31% of random inputs fail at each of 2 sizes \(256, 4,096 bytes\), and fewer at small "
            r"ones:.*256 4,882 0\.076%.*4,096 10 31%"], [])
    yield ([START, {**passed, "bound": None, "tested": {"runs": 1, "sizes": 1, "largest": 8}}],
           [r"did not fail in 1 run"], ["random inputs fail", "only input"])
    # two bugs behind one place
    yield ([START, {**passed, "alike": {"site": "a.c:2", "first": BAD, "second": "wrong log"}}],
           [r"Two bugs may hide behind a\.c:2 : messages differ:.*alert\(1\).*wrong log"], [])
    # failures by size, with intervals of Wilson
    yield ([START, BEST, tested(10, 100, 0), tested(20, 60, 3), tested(20, 40, 1, others=1),
            tested(30, 100, 100), tested(35, 9, 9, fresh=False), tested(40, 2, 1), tested(45, 2, 0)],
           ["10 bytes: 0 of 100 runs failed, 0%, 95% confidence 0 to 4%",
            "20 bytes: 5 of 100 runs failed, 5%, 95% confidence 2 to 11%",
            "30 bytes: 100 of 100 runs failed, 100%, 95% confidence 96 to 100%",
            "40 bytes: 1 of 2 runs failed"], ["35 bytes: ", "45 bytes: "])
    # a result is that of the end
    reduced, reduce = {"size": 2, "hex": "0a0b"}, {**START, "task": "reduce", "size": 40}
    done = {**DONE, **reduced, "replay": "frng-replay ./queue --input queue.reduced"}
    yield ([reduce, {**BEST, **reduced, "replay": None, "evidence": {"reruns": 1, "repeated": 1}},
            {**done, "rate": {"reruns": 3, "repeated": 3}}],
           [r"failed again in ?3 ?of 3 reruns.*Replay it frng-replay ./queue --input queue.reduced"],
           [])
    # a search goes on behind a reduction within it
    yield [START, BEST, reduce, done, {**DONE, "runs": 900}], [r"900 ?in 1 search.*1 reduction"], []
    for end, says in (("limit", "so far. --time or --calls stopped it"),
                      ("complete", "No pass could make it simpler still")):
        yield ([reduce, {**done, "calls": 50, "end": end, "complete": end == "complete"}],
               ["in 50 calls[,.] " + re.escape(says)], [])
    before = " ".join(f"{byte:02x}" for byte in frng.expand(9, 2))
    yield ([START, {**DONE, "size": 2}, {**reduce, "size": 2}, {**BEST, "size": 2, "hex": "0102"},
            {**DONE, "size": 2, "hex": "0100"}],
           [f"Before: 2 bytes {before} After: 2 bytes 01 00 "], [])
    # draws and their meaning
    key = {"note": "key", "value": "7"}
    yield (explained({**key, "offset": 0, "step": "put", "text": "any"},
                     {**key, "offset": 1, "step": "delete", "text": "= key at offset 0"}),
           [r"1 ?put\W+key ?7 ?any.*2 ?delete\W+key ?7 ?= key in 1"], [])
    yield (explained({**key, "offset": 0, "text": "only 7", "fails": "only"},
                     {"note": "size", "offset": 1, "value": "8", "text": "4..20", "fails": "range"},
                     cut="calls", draws=5, together={"draws": 2, "runs": 20, "failed": 19}),
           [r"0 ?7 ?key ?only this ?1 ?8 ?size ?4\.\.20",
            "… and 3 more draws: frng-replay --trace shows them",
            "as 40 runs have shown; not all draws were explained. With random values of all 2 draws "
            "that are any, 19 of 20 runs"], ["only 7"])
    yield ([START, BEST, {"event": "draw", "offset": 0, "note": "key", "value": 9, "step": "put",
                          "step_number": 1},
            {"event": "say", "text": "put 9", "step": "put", "step_number": 1},
            {"event": "draw", "offset": 1, "kind": "u8", "bytes": "0f", "step": "end",
             "step_number": 2}], [r"1 ?put key ?9 ?put 9 ?2 ?end u8 ?0f"], [])
    # long lists are cut
    draws = [{"offset": i, "note": "key", "kind": "u8 0..255", "value": "7" * 300, "text": "any",
              "fails": "any"} for i in range(401)]
    failures = [{**DONE, "identity": f"exit:{i + 3}", "size": 100 + i,
                 "site": f"{i}.c:1" + "x" * 3000} for i in range(100)]
    steps = [{"event": "step", "size": 4500 - i, "calls": 7 * i, "pass": f"p{i % 30}"}
             for i in range(500)]
    reduction = [{**reduce, "size": 4500}, *steps,
                 {**DONE, "hex": "0a" * 1000, "size": 1000,
                  "explanation": {"runs": 40, "draws": 401, "statements": draws}}]
    yield ([START, {**DONE, "size": 4500, "failures": failures}, *9 * reduction],
           [r"… and 1 more draw: frng-replay --trace", r"(How it was reduced.*){8}",
            r"… and 1 more reduction\.", r"… and 41 more\."],
           [r"(How it was reduced.*){9}", "x" * 201])


def hostile():
    """Events of which each text is markup, and lines whose values make no sense."""
    event = {**BEST, "identity": BAD, "site": BAD, "signature": BAD, "output": BAD, "flaky": BAD,
             "replay": BAD, "seed": BAD, "pass": BAD}
    start = {name: BAD for name in ("version", "mode", "host", "digest", "when", "rng_seed", "expand",
                                    "sut", "file", "task")}
    yield {"event": "start", "args": [BAD], "argv": [BAD], "size": 50, **start}
    yield event
    yield {"event": "draw", "note": BAD, "step": BAD, "notes": [BAD], "value": BAD, "kind": BAD,
           "text": BAD, "bytes": BAD}
    yield {"event": "say", "text": BAD, "time_us": 1, "node": BAD, "to": BAD, "what": BAD, "fate": "sent",
           "sent_us": 1}
    passes = [{"name": BAD, "calls": 3, "successes": 1, "bytes": 9}]
    yield {**event, "event": "done", "outcome": BAD, "reason": BAD, "passes": passes,
           "failures": [event], "also": [event]}
    texts = ("identity", "seed", "hex", "output", "explanation", "passes", "also", "failures", "rate",
             "smaller", "tested", "replay")
    yield START
    for one in ("1e999", "-1", "1e308", "99999999999999999999", "9223372036854775807", "0.5", "null",
                "[]", '"x"', "{}", "[null]", "[1]"):
        for line in ('"start","sut":@,"args":@,"argv":@,"task":@',
                     '"best","size":@,"runs":@,"identity":"exit:1","seed":"1"',
                     '"tested","size":@,"runs":@,"failures":@', '"step","size":@,"calls":@,"seconds":@',
                     '"draw","note":@,"notes":@,"value":@',
                     '"say","text":@,"time_us":@,"node":@,"to":@,"what":@,"fate":@,"sent_us":@',
                     '"done","below":@,"passed":@,"bound":@,"seconds":@',
                     *(f'"done","size":3,"identity":"exit:1","{name}":@' for name in texts),
                     *('"done","explanation":{"statements":[{"%s":@}]}' % name
                       for name in ("text", "value", "notes", "step", "offset"))):
            yield '{"schema":1,"event":%s}' % line.replace("@", one)


@unittest.skipIf(CHROMIUM is None, "chromium is not installed")
class ReportBrowser(ReportScenario):
    def browse(self, path):
        home = self.folder / "home"
        result = self.run_tool(
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--enable-logging=stderr", "--window-size=1400,1000",
            f"--user-data-dir={home}", "--virtual-time-budget=20000", "--dump-dom", f"file://{path}",
            environment={"HOME": str(home), "XDG_CONFIG_HOME": str(home)})
        self.assert_exit(result, 0)
        return result

    def parts(self, *sources):
        """{name of a program: the text of its part} of the page that the script has drawn, under its
        policy; "": all of it."""
        self.assert_exit(self.report(*sources), 0)
        result = self.browse(self.folder / "report.html")
        self.assertNotIn("CONSOLE", result.stderr)
        page = Page(result.stdout)
        self.assertEqual(page.faults, [])
        self.assertEqual((page.count("script"), page.count("img")), (2, 0))
        links = [a["href"] for tag, a in page.elements if "href" in a]
        self.assertEqual([link for link in links if not re.match(r"#|data:,$", link)], [])
        ids = [a["id"] for _, a in page.elements if "id" in a]
        self.assertEqual(sorted(set(ids)), sorted(ids))
        text, _, footer = page.text().rpartition("Made by frng-report from ")
        self.assertRegex(footer, r"^[\d,]+ events?\b")
        parts = text.split("frng report")
        return {"": page.text(), **{part.split()[0]: part for part in parts if part.strip()}}

    def test_the_page_tells_each_program_what_came_of_it(self):
        wanted = list(rows())
        self.events(*({**event, "sut": f"./p{i}"} if event["event"] == "start" else event
                      for i, (events, _, _) in enumerate(wanted) for event in events))
        parts = self.parts("events.jsonl")
        for i, (_, says, lacks) in enumerate(wanted):
            with self.subTest(i=i, says=says):
                for pattern in says:
                    self.assertRegex(parts[f"p{i}"], pattern)
                for pattern in lacks:
                    self.assertNotRegex(parts[f"p{i}"], pattern)
        failed, _, others = parts[str(len(wanted))].partition("programs in which nothing failed")
        self.assertRegex(failed, r"failure\W+replay\W+p\d+ fails on \d+ bytes\W+exit:3[^\0]*Copy")
        self.assertRegex(failed, rf"exit:3\W+{LONG} Copy")
        self.assertNotRegex(others, r" fails (on|in) ")

    def test_messages_of_a_cluster_are_arrows_between_its_nodes(self):
        lines = [{"time_us": 500, "what": "cuts off B 2 for 9 ms"},
                 {"time_us": 1000, "node": "A", "to": "B 2", "what": "ask", "fate": "sent", "sent_us": 1000},
                 {"time_us": 2000, "node": "A", "to": "B 2", "what": "ask", "fate": "came", "sent_us": 1000},
                 {"time_us": 2000, "node": "B 2", "to": "A", "what": "yes", "fate": "lost", "sent_us": 2000},
                 {"time_us": 2000, "node": "A", "to": "B 2", "what": "no", "fate": "lost", "sent_us": 1000},
                 {"time_us": 2500, "node": "B 2", "what": "stores it"},
                 {"time_us": 3000, "node": "B 2", "to": "A", "what": "end", "fate": "sent", "sent_us": 3000}]
        self.events({"event": "start", "sut": "./cluster", "args": [], "task": "replay"},
                    *({"event": "say", "draws": 0, "offset": 0, "text": "a line", **line} for line in lines),
                    DONE)
        self.assert_exit(self.report("events.jsonl"), 0)
        page = Page(self.browse(self.folder / "report.html").stdout)
        shown = next(a for _, a in page.elements if a.get("class") == "lamport")
        self.assertEqual(shown["aria-label"], "Messages between A, B 2")
        self.assertRegex(page.text(), r"A.*B 2.*cuts off B 2 for 9 ms.*2 ms: A -> B 2 ask"
                                      r".*2 ms: B 2 -> A yes.*2 ms: A -> B 2 no.*stores it.*3 ms: B 2 -> A end")
        heads = [a["d"] for tag, a in page.elements if tag == "path" and a.get("class") == "axis"]
        self.assertEqual([head.count("L") for head in heads], [2, 0, 0, 0])

    def test_hostile_events_stay_text_and_values_without_sense_are_survived(self):
        self.events(*hostile())
        text = self.parts("events.jsonl")[""]
        self.assertIn("\\x1b[31m\\u202e", text)
        self.assertNotRegex(text, "[\x1b\u202e]")
        self.assertNotRegex(text, r"\b(NaN|Infinity|undefined)\b")

    @unittest.skipUnless(CONSENSUS.exists() and KVSTORE.exists(), "the examples are not built")
    def test_the_page_alone_explains_real_bugs(self):
        for name in ("cut", "found"):
            self.copy_sut(KVSTORE, name)
        self.search("--json", "kvstore.jsonl", "--reduce", "--rng-seed", 7, KVSTORE)
        self.search("--json", "consensus.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        # an explanation that is cut; draws that must be equal
        size, seed = self.assert_found(self.search("--rng-seed", 7, "./cut"))
        self.reduce("./cut", "--size", size, "--seed", seed, "--json", "cut.jsonl")
        events = frng.json_lines((self.folder / "cut.jsonl").read_text())
        told = events[-1]["explanation"]
        named = ("draw", "offset", "name", "note", "step", "notes", "kind", "value")
        told["rest"] = [{k: s[k] for k in named if k in s} for s in told["statements"][1:]]
        told.update(statements=told["statements"][:1], explained=1, cut="calls")
        self.events(*events, name="cut.jsonl")
        self.reduce(frng.SUTS / "sut-explained", "--hex", "050507", "--explain", "yes", "--json",
                    "equal.jsonl", "--", "equal")
        # findings, to which a replay adds its draws; the reduction of a file
        self.search("--findings", "found.d", "--reduce", "--rng-seed", 7, "./found")
        best = sorted(frng.findings(self.folder / "found.d"))[0]
        self.replay("--finding", f"found.d/{best}", "--trace", "--json", "found.jsonl")
        self.script("interesting", 'grep -q foo "$1"\n')
        self.write("big.txt", "\n".join(map(str, range(500))) + "\nint foo(int bar);\n")
        self.reduce("--predicate", "./interesting", "big.txt", "--json", "file.jsonl")
        # four searches of a program, of which one was killed
        for seed in (1, 2, 3, 4):
            self.search("--json", "some.jsonl", "--rng-seed", seed, "--attempts", 5, frng.MODES)
        some = (self.folder / "some.jsonl").read_text()
        self.write("some.jsonl", some + '{"event":"tested","schema":1,"si')
        parts = self.parts("kvstore.jsonl", "consensus.jsonl", "cut.jsonl", "equal.jsonl", "found.d",
                           "found.jsonl", "file.jsonl", "some.jsonl")
        (self.folder / "some.jsonl").unlink()  # not what the schema says
        story = {name: part.partition("What it does")[2].partition("How the search went")[0]
                 for name, part in parts.items()}
        # compaction of the newer runs drops the tombstone of a key that an older run still has
        for name in ("kvstore", "cut"):
            self.assertRegex(story[name],
                             r"put.*flush.*delete.*flush.*compact.*first run ?1.*get", name)
        self.assertRegex(story["kvstore"], r"delete key \d+ only this")
        self.assertRegex(parts["kvstore"], r"key \d+ was deleted, and is back")
        # the replica votes, forgets that in a crash, and votes for the other one
        self.assertRegex(parts["consensus"], r"split brain: replicas \d and \d both lead term")
        votes = re.search(r"(\d) votes for (\d).*crash ?replica ?\1.*\1 votes for (\d)",
                          parts["consensus"])
        self.assertNotEqual(votes[2], votes[3])
        self.assertRegex(story["sut-explained"], r"key = size.*size = key.*rest any")
        self.assertRegex(parts["found"], r"^\W*\w+ fails on \d+ bytes")  # in one way
        self.assertRegex(parts["found"], r"operation ?\d+ ?put ?key ?\d")
        size = (self.folder / "big.txt").stat().st_size
        self.assertRegex(parts["big.txt"], f"^ big.txt is reduced from {size:,} to 3 bytes.*Check it"
                                           ".*After: 3 bytes foo ")
        self.assertIn("in 4 searches", parts["sut-modes"])
        self.assertEqual(parts["sut-modes"].count("How the search went"), 1)
        self.assertIn("1 line could not be read", parts[""])

    # ---- What it looks like ----

    def measure(self, pages):
        """{(page, width, scheme): what it looks like} of copies whose policy lets a script measure."""
        frames = FRAMES
        for name, (width, scheme) in ((name, how) for name in pages for how in (
                (1280, "light"), (400, "light"), (1280, "dark"))):
            text = (self.folder / f"{name}.html").read_text(encoding="utf-8")
            text = re.sub(r'<meta http-equiv="Content-Security-Policy".*?>\n', "", text)
            copy = f"{name}-{width}-{scheme}.html"
            self.write(copy, text.replace("</body>", MEASURE + "</body>"))
            frames += f'<iframe src="{copy}" style="border:0;width:{width}px;height:900px;' \
                      f'color-scheme:{scheme}"></iframe>\n'
        result = self.browse(self.write("frames.html", frames))
        found = re.search(r'<pre id="measured">(.*?)</pre>', result.stdout, re.DOTALL)
        seen = json.loads(html.unescape(found[1]))
        self.assertEqual(len(seen), 3 * len(pages))
        return seen

    def assert_fits(self, seen, width):
        self.assertEqual(seen["client"], width)
        self.assertLessEqual(seen["scroll"], seen["client"])
        self.assertEqual(seen["outside"], [])
        self.assertEqual(seen["broken"], [])
        for chart in seen["charts"]:
            self.assertEqual(chart["role"], "img")
            self.assertRegex(chart["name"], r"^[A-Z].*bytes.*\.$")
            self.assertGreaterEqual(chart["size"], 11)
        for chart in seen["charts"] + seen["labels"]:
            texts = chart["texts"]
            for i, one in enumerate(texts):
                for other in texts[:i]:
                    apart = (one["left"] >= other["right"] - 0.5 or
                             one["right"] <= other["left"] + 0.5 or
                             one["top"] >= other["bottom"] - 4 or
                             one["bottom"] <= other["top"] + 4)
                    self.assertTrue(apart, f"{chart['name']}: {one} overlaps {other}")
        for diagram in seen["labels"]:
            for text in diagram["texts"]:
                self.assertGreaterEqual(text["left"], diagram["left"])
                self.assertLessEqual(text["right"], diagram["right"])

    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_pages_fit_wide_and_narrow_windows_and_charts_have_their_points(self):
        pages = "night", "real", "raft"
        with (self.folder / "night.jsonl").open("w") as out:
            subprocess.run([sys.executable, NIGHT], stdout=out, check=True)
        self.search("--json", "real.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        self.replay("--trace", "--json", "raft.jsonl", "--hex", "97a5014dca56ab77ede70100", RAFT)
        for name in pages:
            self.assert_exit(self.report(f"{name}.jsonl", "-o", f"{name}.html"), 0)
        seen = self.measure(pages)
        for page, one in seen.items():
            with self.subTest(page):
                self.assert_fits(one, int(page.split("-")[1]))
                if page.startswith("night"):
                    self.assertIn(len(one["charts"][0]["dots"]), range(100, 2000))
        self.assertEqual(len(seen["raft-400-light.html"]["labels"]), 1)
        self.check_points(seen["real-1280-light.html"]["charts"])
        light, dark = ([sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in
                        seen[f"real-1280-{scheme}.html"]["colours"]] for scheme in ("light", "dark"))
        self.assertGreater(light[0], light[1] + 300)
        self.assertGreater(dark[1], dark[0] + 300)

    def check_points(self, charts):
        events = frng.json_lines((self.folder / "real.jsonl").read_text())
        second = [i for i, event in enumerate(events) if event["event"] == "start"][1]
        dots = charts[0]["dots"]
        self.assertEqual([dot["title"] for dot in dots],
                         [f"run {e['runs']:,}: {e['size']:,} bytes" for e in events[:second]
                          if e["event"] == "best"])
        # more runs are further to the right, fewer bytes further down
        self.assertEqual([dot["x"] for dot in dots], sorted(dot["x"] for dot in dots))
        self.assertEqual([dot["y"] for dot in dots], sorted(dot["y"] for dot in dots))
        steps = [f"call {e['calls']:,}: {e['size']:,} bytes" for e in events[second:]
                 if e["event"] in ("best", "step")]
        titles = [dot["title"] for chart in charts if chart["name"].startswith("Size over calls")
                  for dot in chart["dots"]]
        self.assertEqual(titles[1:], steps[-len(titles) + 1:] if len(steps) < 300 else titles[1:])
        self.assertEqual(titles[-1], steps[-1])
