"""What frng-report puts into its page. How a browser draws it: test_report_browser.py; messages:
tests/transcripts/report.t."""
# suites: sanitized

import base64
import hashlib
import html.parser
import json
import re
import subprocess

import frng

VOID = {"meta", "link", "br", "line", "path", "circle", "img", "input"}

SCHEMA = {"schema": 1}
START = {"event": "start", "sut": "./queue", "args": [], "rng_seed": "7", "jobs": 2,
         "task": "search"}
BEST = {"event": "best", "size": 40, "seed": "5", "identity": "exit:3", "site": None,
        "output": "bad\n", "runs": 17, "replay": "frng-replay ./queue --size 40 --seed 5"}
DONE = {"event": "done", "outcome": "fail", "size": 16, "seed": "9", "identity": "exit:3",
        "output": "worse\n", "runs": 200, "seconds": 1.5,
        "replay": "frng-replay ./queue --size 16 --seed 9"}


class Page(html.parser.HTMLParser):
    """The elements and the text of a page. Elements that are not closed are a fault."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.faults = [], [], [], []
        self.scripts = []
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in VOID and (not self.open or self.open.pop() != tag):
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1] += data
        elif not self.open or self.open[-1] != "style":
            self.texts.append(data)

    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))

    def count(self, tag):
        return sum(1 for name, _ in self.elements if name == tag)


class ReportScenario(frng.Scenario):
    def report(self, *arguments, **more):
        return self.run_tool(frng.REPORT, *arguments, **more)

    def events(self, *events, name="events.jsonl"):
        lines = [event if isinstance(event, str) else json.dumps(SCHEMA | event)
                 for event in events]
        return self.write(name, "\n".join(lines) + "\n")


class Report(ReportScenario):
    def page_of(self, *arguments, output="report.html"):
        """The page, which is whole, loads nothing, and runs the script of the digest alone."""
        result = self.report(*arguments)
        self.assert_exit(result, 0)
        text = (self.folder / output).read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertEqual([a for _, a in page.elements
                          if "src" in a or any(name.startswith("on") for name in a)], [])
        self.assertEqual([a["href"] for _, a in page.elements if "href" in a], ["data:,"])
        self.assertEqual([a.get("type") for tag, a in page.elements if tag == "script"],
                         ["application/x-ndjson", None])
        digest = base64.b64encode(hashlib.sha256(page.scripts[1].encode()).digest()).decode()
        policy = [a["content"] for _, a in page.elements
                  if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(policy, ["default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
                                  f"script-src 'sha256-{digest}'"])
        self.assertNotIn("<", page.scripts[0])
        self.assertNotIn("\x1b", text)
        return page

    def lines_of(self, page):
        """The events of a page."""
        return [json.loads(line) for line in page.scripts[0].splitlines() if line]

    def test_without_script_real_results_and_their_commands_are_there(self):
        self.search("--json", "events.jsonl", "--rng-seed", 7, "--attempts", 20, frng.MODES)
        done = frng.json_lines((self.folder / "events.jsonl").read_text())[-1]
        text = self.page_of("events.jsonl").text()
        self.assertIn("sut-modes fails on 41 bytes exit:1 ", text)
        self.assertIn(done["replay"], text)
        result = self.search("--json", "pass.jsonl", "--rng-seed", 7, frng.SUTS / "sut-labels", "--",
                             "forty")
        claim = re.search("no failure in .* fail \\(95%\\)", result.stderr)[0]
        self.assertIn(f"sut-labels: pass {claim}", self.page_of("pass.jsonl").text())

    def test_without_script_each_search_and_reduction_has_its_result(self):
        open_ = {**DONE, "outcome": "inconclusive", "identity": "timeout"}
        predicate = {**START, "task": "reduce-file", "predicate": "./is <it>", "file": "a/big.txt"}
        command = "frng-replay ./queue --size 16 --seed 9"
        rows = (([START, BEST],
                 "queue fails on 40 bytes exit:3 frng-replay ./queue --size 40 --seed 5"),
                ([START, {**DONE, "size": 1}],
                 "queue fails on 1 byte exit:3 frng-replay ./queue --size 16 --seed 9"),
                ([predicate, {"event": "done", "size": 3}], "big.txt is reduced to 3 bytes"),
                ([{**START, "sut": "<b>&\x1b"}], "<b>&\\x1b: has not ended"),
                ([START, {"event": "done", "outcome": "inconclusive"}], "queue: inconclusive"),
                ([START, {**open_, "reason": "unfinished", "lasted": 1e300}],
                 f"queue: inconclusive (unfinished) {command}"),
                ([START, {**open_, "reason": "unfinished", "lasted": 4.91}],
                 f"queue: inconclusive (unfinished) the run of 16 bytes had not ended after 4.91 s {command}"),
                ([START, {**open_, "reason": "flaky"}], f"queue: inconclusive (flaky) timeout {command}"),
                ([START, {"event": "done", "outcome": "error"}], "queue: error"),
                ([START, {"event": "done", "outcome": "pass", "claim": "no failure in <b> runs"}], "queue: pass no failure in <b> runs"))
        # a search that was killed, and a reduction behind it
        reduced = [{**START, "task": "reduce"}, {**DONE, "size": 2}]
        rows += (([START, BEST, *reduced],
                  "queue fails on 40 bytes exit:3 frng-replay ./queue --size 40 --seed 5 "
                  "queue fails on 2 bytes exit:3 " + command),)
        self.events(*(event for events, _ in rows for event in events))
        text = self.page_of("events.jsonl").text()
        self.assertIn(" ".join(says for _, says in rows), text)
        self.events(*70 * [START, DONE])
        page = self.page_of("events.jsonl")
        self.assertEqual(page.count("h1"), 64)
        self.assertIn("… and 6 more.", page.text())

    def test_a_short_seed_has_its_bytes(self):
        other = {"size": 3, "seed": "4", "identity": "exit:9"}
        self.events(START, {**DONE, "failures": [other]}, START, {**DONE, "size": 2049})
        ends = [e for e in self.lines_of(self.page_of("events.jsonl")) if e["event"] == "done"]
        self.assertEqual(bytes.fromhex(ends[0]["expanded"]), bytes(frng.expand(9, 16)))
        self.assertEqual(bytes.fromhex(ends[0]["failures"][0]["expanded"]),
                         bytes(frng.expand(4, 3)))
        self.assertNotIn("expanded", ends[1])

    def test_a_finding_has_its_command_and_its_bytes_if_they_are_few(self):
        self.search("--findings", "found", "--rng-seed", 7, "--attempts", 20, frng.MODES)
        (path,) = (self.folder / "found").iterdir()
        found = json.loads(path.read_text())
        for name in ("seed", "size", "expand"):
            del found[name]
        for size, has_bytes in ((41, False), (0, True), (2048, True), (2049, False)):
            if size != 41:  # the one that was found, with a seed
                path.write_text(json.dumps({**found, "hex": "0a" * size}, indent=2))
            for source in ("found", f"found/{path.name}"):
                (shown,) = [e for e in self.lines_of(self.page_of(source)) if e["event"] == "finding"]
                self.assertEqual(shown["size"], size)
                self.assertEqual(shown.get("hex"), "0a" * size if has_bytes else None)
                self.assertIn(f"--finding found/{path.name}", shown["replay"])
        self.assertEqual(sorted(p.name for p in (self.folder / "found").iterdir()), [path.name])

    def test_bytes_that_are_no_text_are_survived(self):
        self.write("events.jsonl", json.dumps(SCHEMA | START).encode() + b"\n" + bytes(range(256)) * 50 +
                   b"\n" + b"[" * 200_000 + b"\n" + json.dumps(SCHEMA | DONE).encode())
        self.assertEqual(self.lines_of(self.page_of("events.jsonl"))[2]["size"], 16)

    def test_a_line_of_fifty_megabytes_takes_little_memory(self):
        path = self.folder / "events.jsonl"
        with path.open("w") as file:
            file.write(json.dumps(SCHEMA | START) + '\n{"event":"best","output":"')
            for _ in range(50):
                file.write("x" * (1 << 20))
            file.write('"}\n' + json.dumps(SCHEMA | DONE) + "\n")
        # 200 MiB of address space are enough; sanitizers need more
        limit = "" if sanitized() else "ulimit -v 204800; "
        result = self.run_tool("sh", "-c", limit + f"exec {frng.REPORT} events.jsonl")
        self.assert_exit(result, 0)
        self.assertIn('"size":16', (self.folder / "report.html").read_text())

    def test_a_page_has_room_for_some_events(self):
        # of 24 MB of bests the page has 14 MiB, and of 20 MB of what is said; points have 12 MiB
        bests = [{**BEST, "size": 5000 - i, "output": "x" * 60_000} for i in range(400)]
        says = ({"event": "say", "text": "x" * 1_000_000} for _ in range(20))
        many = [START, {"event": "tested"}] * 19
        for events, left in ((bests, 157), (says, 6), ([*many, START], 1)):
            self.events(START, *events, {"event": "tested"}, {**START, "sut": "./stack"}, DONE)
            result = self.report("events.jsonl")
            self.assert_exit(result, 0)
            self.assert_says(result, f"too many events for a page: {left} are left out")
            lines = self.lines_of(Page((self.folder / "report.html").read_text()))
            self.assertEqual(lines[-1]["left"], left)
            self.assertEqual([line.get("sut", line.get("size")) for line in lines[-3:-1]], ["./stack", 16])


def sanitized():
    text = subprocess.run(["nm", "-D", frng.REPORT], capture_output=True, text=True, check=False).stdout
    return "__asan_init" in text
