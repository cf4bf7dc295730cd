"""frng-report: one page of what searches and reductions found."""

import html.parser
import json
import re
import shlex
import subprocess
import sys
import unittest

import frng

VOID = {"meta", "link", "br", "line", "path", "circle", "img", "input"}
KVSTORE = frng.BUILD / "examples" / "kvstore"
CONSENSUS = frng.BUILD / "examples" / "consensus"
NIGHT = frng.pathlib.Path(__file__).resolve().parents[1] / "bench" / "night.py"


class Page(html.parser.HTMLParser):
    """The elements and the text of a page. Elements that are not closed are a fault."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.faults = [], [], [], []
        self.feed(text)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        optional = {"li"}
        while self.open and self.open[-1] != tag and self.open[-1] in optional:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    def text(self):
        return re.sub(r"\s+", " ", "".join(self.texts))

    def count(self, tag):
        return sum(1 for name, _ in self.elements if name == tag)


class Report(frng.Scenario):
    def report(self, *arguments, **more):
        return self.run_tool(frng.REPORT, *arguments, **more)

    def page_of(self, *arguments, output="report.html"):
        """The page, which is whole, loads nothing and runs no script but its own."""
        result = self.report(*arguments)
        self.assert_exit(result, 0)
        text = (self.folder / output).read_text(encoding="utf-8")
        page = Page(text)
        self.assertEqual(page.faults, [])
        self.assertLess(len(text), 500_000)
        self.assertEqual(page.count("script"), 1)
        self.assertEqual([a for _, a in page.elements
                          if "src" in a or any(name.startswith("on") for name in a)], [])
        links = [a["href"] for tag, a in page.elements if "href" in a]
        self.assertEqual([link for link in links if not re.match(r"#|data:,$", link)], [])
        ids = [a["id"] for _, a in page.elements if "id" in a]
        self.assertEqual(sorted(set(ids)), sorted(ids))
        return page

    def events(self, *events, name="events.jsonl"):
        lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
        return self.write(name, "\n".join(lines) + "\n")

    START = {"event": "start", "sut": "./queue", "args": [], "rng_seed": "7", "jobs": 2}
    BEST = {"event": "best", "size": 40, "seed": "5", "identity": "exit:3", "site": None,
            "output": "bad\n", "runs": 17}
    DONE = {"event": "done", "outcome": "fail", "size": 16, "seed": "9", "identity": "exit:3",
            "output": "worse\n", "runs": 200, "seconds": 1.5}

    def test_a_search_becomes_a_page(self):
        self.search("--json", "events.jsonl", "--rng-seed", 7, "--attempts", 20, frng.MODES)
        page = self.page_of("events.jsonl")
        text = page.text()
        self.assertIn("fails on 41 bytes", text)
        self.assertIn("exit:1", text)
        self.assertIn("Best size over runs", text)
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        done = events[-1]
        self.assertIn(f"--size 41 --seed {done['seed']}", text)
        bests = [event for event in events if event["event"] == "best"]
        for best in bests:
            self.assertIn(f"run {best['runs']:,}: {best['size']:,} bytes", text)

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_the_replay_line_replays(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, KVSTORE)
        done = frng.json_lines((self.folder / "events.jsonl").read_text())[-1]
        self.assertIn("Replay it " + done["replay"], self.page_of("events.jsonl").text())
        self.assert_exit(self.replay(*shlex.split(done["replay"])[1:]), 1)

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_the_page_alone_explains_the_bug_of_kvstore(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, KVSTORE)
        text = self.page_of("events.jsonl").text()
        story = text.partition("What it does")[2].partition("How the search went")[0]
        # compaction of the newer runs drops the tombstone of a key that an older run still has
        self.assertRegex(story, r"put.*flush.*delete.*flush.*compact.*first run ?1.*get")
        self.assertRegex(text, r"key \d+ was deleted, and is back")

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_the_story_is_whole_when_its_explanation_is_cut(self):
        size, seed = self.assert_found(self.search("--rng-seed", 7, KVSTORE))
        self.reduce(KVSTORE, "--size", size, "--seed", seed, "--explain", "yes",
                    "--explain-calls", 3, "--json", "events.jsonl")
        story = self.page_of("events.jsonl").text().partition("What it does")[2]
        self.assertRegex(story, r"put.*flush.*delete.*flush.*compact.*first run ?1.*get")

    @unittest.skipUnless(CONSENSUS.exists(), "the examples are not built")
    def test_the_page_alone_explains_the_bug_of_consensus(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, CONSENSUS)
        text = self.page_of("events.jsonl").text()
        self.assertRegex(text, r"split brain: replicas \d and \d both lead term")
        # the replica votes, forgets that in a crash, and votes for the other one
        told = re.search(r"(\d) votes for (\d).*crash ?replica ?\1.*\1 votes for (\d)", text)
        self.assertIsNotNone(told, text[:3000])
        self.assertNotEqual(told[2], told[3])

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_a_reduction_is_shown_before_and_after(self):
        self.search("--json", "events.jsonl", "--reduce", "--rng-seed", 7, KVSTORE)
        events = frng.json_lines((self.folder / "events.jsonl").read_text())
        page = self.page_of("events.jsonl")
        text = page.text()
        self.assertIn("How it was reduced", text)
        starts = [event for event in events if event["event"] == "start"]
        self.assertIn(f"Before: {starts[1]['size']} bytes", text)
        after = events[-1]["hex"]
        self.assertIn(f"After: {len(after) // 2} bytes", text)
        self.assertIn(after, re.sub(r"\s", "", text.partition("After: ")[2]))
        before = bytes(frng.expand(events_seed(events), starts[1]["size"])).hex()
        self.assertIn(before, re.sub(r"\s", "", text.partition("Before: ")[2]))
        gained = [p for p in events[-1]["passes"] if p["bytes"] > 0]
        for one in gained:
            self.assertIn(one["name"], text)

    def test_a_program_that_passes_has_a_page(self):
        self.search("--json", "events.jsonl", "--attempts", 3, "--size-max", 16, frng.MODES, "--",
                    "at-least", 100)
        page = self.page_of("events.jsonl")
        self.assertRegex(page.text(), r"did not fail in [\d,]+ runs")

    def test_a_folder_of_findings_is_enough(self):
        self.search("--findings", "found", "--rng-seed", 7, "--attempts", 20, frng.MODES)
        best = sorted(frng.findings(self.folder / "found"))[0]
        page = self.page_of("found")
        self.assertIn("fails on 41 bytes", page.text())
        self.assertIn(f"--finding found/{best}", page.text())
        self.assertEqual(sorted(p.name for p in (self.folder / "found").iterdir()),
                         sorted(frng.findings(self.folder / "found")))

    @unittest.skipUnless(KVSTORE.exists(), "the examples are not built")
    def test_a_replay_adds_its_draws_to_findings(self):
        self.search("--findings", "found", "--reduce", "--rng-seed", 7, KVSTORE)
        best = sorted(frng.findings(self.folder / "found"))[0]
        self.replay("--finding", f"found/{best}", "--trace", "--json", "replay.jsonl")
        for sources in (["found", "replay.jsonl"], ["replay.jsonl", "found"], ["replay.jsonl"]):
            text = self.page_of(*sources).text()
            self.assertRegex(text, r"kvstore fails on \d+ bytes", sources)  # in one way
            self.assertRegex(text, r"operation ?\d+ ?put ?key ?\d", sources)

    def test_the_reduction_of_a_file_has_a_page(self):
        self.script("interesting", 'grep -q foo "$1"\n')
        self.write("big.txt", "\n".join(map(str, range(500))) + "\nint foo(int bar);\n")
        result = self.reduce("--predicate", "./interesting", "big.txt", "--json", "events.jsonl")
        self.assert_exit(result, 0)
        text = self.page_of("events.jsonl").text()
        size = (self.folder / "big.txt").stat().st_size
        self.assertIn(f"big.txt is reduced from {size:,} to 3 bytes", text)
        self.assertIn("Check it", text)
        self.assertIn("After: 3 bytes foo ", text)

    def test_the_searches_of_a_fleet_share_a_page(self):
        for seed in (1, 2, 3):
            self.search("--json", f"{seed}.jsonl", "--rng-seed", seed, "--attempts", 5, frng.MODES)
        page = self.page_of("1.jsonl", "2.jsonl", "3.jsonl")
        self.assertIn("in 3 searches", page.text())
        self.assertEqual(page.text().count("How the search went"), 1)

    def test_other_programs_have_parts_of_their_own(self):
        other = {**self.START, "sut": "./stack"}
        self.events(self.START, self.BEST, self.DONE, other, {**self.DONE, "size": 3})
        text = self.page_of("events.jsonl").text()
        self.assertIn("2 programs", text)
        self.assertIn("queue fails on 16 bytes", text)
        self.assertIn("stack fails on 3 bytes", text)

    def test_a_search_that_was_killed_has_a_page(self):
        self.events(self.START, self.BEST, '{"event":"best","size":30,"se')
        result = self.report("events.jsonl")
        self.assert_exit(result, 0)
        self.assert_says(result, "1 line is no event, and is skipped")
        text = Page((self.folder / "report.html").read_text()).text()
        self.assertIn("queue fails on 40 bytes", text)
        self.assertIn("has not ended", text)

    def test_searches_that_append_to_one_file_share_a_page(self):
        for seed in (1, 2):
            self.search("--json", "events.jsonl", "--rng-seed", seed, "--attempts", 5, frng.MODES)
        path = self.folder / "events.jsonl"
        path.write_text(path.read_text() + '{"event":"tested","schema":1,"si')  # killed
        self.search("--json", "events.jsonl", "--rng-seed", 3, "--attempts", 5, frng.MODES)
        result = self.report("events.jsonl")
        self.assert_exit(result, 0)
        self.assert_says(result, "1 line is no event, and is skipped")
        text = Page((self.folder / "report.html").read_text()).text()
        self.assertIn("in 3 searches", text)
        self.assertIn("41 bytes", text)
        path.unlink()  # not what the schema says

    def test_empty_lines_are_no_matter(self):
        path = self.events(self.START, "", self.BEST, "", self.DONE)
        self.assertEqual(self.report("events.jsonl").stderr, "")

    def test_failures_by_size_have_their_interval(self):
        sizes = [{"event": "tested", "size": size, "runs": 100, "failures": failures, "others": 0}
                 for size, failures in ((10, 0), (20, 5), (30, 100))]
        self.events(self.START, self.BEST, *sizes, self.DONE)
        text = self.page_of("events.jsonl").text()
        # Clopper and Pearson, of 0, 5 and 100 of 100
        self.assertIn("10 bytes: 0 of 100 runs failed, 0%, 95% confidence 0 to 4%", text)
        self.assertIn("20 bytes: 5 of 100 runs failed, 5%, 95% confidence 1 to 12%", text)
        self.assertIn("30 bytes: 100 of 100 runs failed, 100%, 95% confidence 96 to 100%", text)

    def test_the_claim_is_in_words(self):
        self.events(self.START, self.BEST,
                    {**self.DONE, "below": 15, "passed": 262, "bound": 0.029, "confidence": 0.95})
        text = self.page_of("events.jsonl").text()
        self.assertIn("262 random inputs of 15 bytes", text)
        self.assertIn("fewer than 2.9%", text)
        self.events(self.START, self.BEST,
                    {**self.DONE, "below": 15, "passed": 256, "bound": 0, "confidence": 0.95})
        self.assertIn("Every input of 15 bytes", self.page_of("events.jsonl").text())
        self.events(self.START, self.BEST,
                    {**self.DONE, "below": 1, "passed": 120, "bound": 0.029, "confidence": 0.95})
        self.assertIn("120 random inputs of 1 byte had", self.page_of("events.jsonl").text())

    def test_a_result_has_the_reruns_of_its_end(self):
        found = {"size": 2, "hex": "0a0b"}
        self.events({**self.START, "task": "reduce"},
                    {**self.BEST, **found, "evidence": {"reruns": 1, "repeated": 1}},
                    {**self.DONE, **found, "rate": {"reruns": 3, "repeated": 3}})
        self.assertRegex(self.page_of("events.jsonl").text(), r"failed again in ?3 ?of 3 reruns")

    def test_the_command_is_that_of_the_end(self):
        # Of a best that was announced after its last rerun, the end knows the file, too.
        for reruns in (1, 3):
            found = {"size": 2, "hex": "0a0b", "evidence": {"reruns": reruns, "repeated": reruns}}
            self.events({**self.START, "task": "reduce"}, {**self.BEST, **found, "replay": None},
                        {**self.DONE, **found, "rate": {"reruns": 3, "repeated": 3},
                         "replay": "frng-replay ./queue --input queue.reduced"})
            text = self.page_of("events.jsonl").text()
            self.assertIn("Replay it frng-replay ./queue --input queue.reduced", text)

    def test_the_command_of_a_large_result_is_whole(self):
        found = {"size": 3000, "hex": "0a" * 3000}
        start = {**self.START, "task": "reduce"}
        self.events(start, {**self.DONE, **found})
        self.assertIn("--hex " + "0a" * 3000, self.page_of("events.jsonl").text())

    def test_one_rerun_is_no_plural(self):
        self.events(self.START, {**self.DONE, "rate": {"reruns": 1, "repeated": 1}})
        self.assertRegex(self.page_of("events.jsonl").text(), r"failed again in ?1 ?of 1 rerun\b")

    def test_a_reduction_that_was_stopped_says_so(self):
        start = {**self.START, "task": "reduce", "size": 40}
        done = {**self.DONE, "hex": "0a" * 16, "calls": 50}
        for end, words in (("limit", "in 50 calls, so far. --time or --calls stopped it"),
                           ("interrupted", "in 50 calls, so far. A signal stopped it"),
                           ("complete", "in 50 calls. No pass could make it simpler still")):
            self.events(start, {**done, "end": end, "complete": end == "complete"})
            self.assertIn(words, self.page_of("events.jsonl").text())

    def test_a_stopped_reduction_and_its_page_agree(self):
        self.reduce(frng.MODES, "--size", 500, "--seed", 7, "--calls", 5, "--json", "events.jsonl")
        self.assertIn("--time or --calls stopped it", self.page_of("events.jsonl").text())

    def test_sizes_of_one_or_two_runs_have_no_bar(self):
        tested = {"event": "tested", "runs": 2, "failures": 0, "others": 0}
        few = [{**tested, "size": size} for size in (10, 20, 30)]
        self.events(self.START, self.BEST, *few, {**tested, "size": 40, "failures": 1},
                    {**tested, "size": 50, "runs": 3}, self.DONE)
        page = self.page_of("events.jsonl")
        bars = [a for tag, a in page.elements if tag == "line" and a["class"].startswith("bar")]
        self.assertEqual(len(bars), 1)
        self.assertIn("50 bytes: 0 of 3 runs failed", page.text())
        self.assertIn("40 bytes: 1 of 2 runs failed", page.text())  # its dot
        self.events(self.START, *few, self.DONE)
        self.assertNotIn("Failures by size", self.page_of("events.jsonl").text())

    def test_an_impossible_claim_is_not_shown(self):
        claim = {"below": 15, "passed": 262, "bound": 0.029, "confidence": 0.95}
        for wrong in ({"bound": 1e308}, {"bound": -1}, {"confidence": 95}):
            self.events(self.START, self.BEST, {**self.DONE, **claim, **wrong})
            self.assertNotIn("Is there a smaller one", self.page_of("events.jsonl").text(), wrong)

    def test_draws_become_a_story_with_their_meaning(self):
        draws = [{"offset": 0, "step": "put", "note": "key", "value": "7", "text": "any"},
                 {"offset": 1, "step": "delete", "note": "key", "value": "7", "text": "= key"}]
        self.events(self.START, {**self.DONE, "explanation": {"runs": 40, "statements": draws,
                                                              "cut": None, "together": None}})
        text = self.page_of("events.jsonl").text()
        self.assertRegex(text, r"1 ?put\W+key ?7 ?any.*2 ?delete\W+key ?7 ?= key")

    def test_a_value_without_others_is_muted(self):
        draws = [{"offset": 0, "note": "key", "value": "index 0", "text": "only index 0",
                  "fails": "only"},
                 {"offset": 1, "note": "size", "value": "7", "text": "4..20", "fails": "range"}]
        explanation = {"runs": 40, "statements": draws, "cut": None, "together": None}
        self.events(self.START, {**self.DONE, "explanation": explanation})
        text = self.page_of("events.jsonl").text()
        self.assertIn("only this", text)
        self.assertNotIn("only index 0", text)
        raw = (self.folder / "report.html").read_text()
        self.assertRegex(raw, r'class="[^"]*soft[^"]*">only this<')
        self.assertRegex(raw, r'class="m">4\.\.20<')

    @staticmethod
    def long_night(sut, draws):
        """A search with --all and --reduce: eight reductions with long explanations."""
        named = [{"offset": i, "note": "key", "kind": "u8 0..255", "value": "7" * 300,
                  "text": "any", "fails": "any"} for i in range(draws)]
        explanation = {"runs": 40, "draws": draws, "statements": named, "cut": None}
        yield {**Report.START, "sut": sut}
        for i in range(500):
            yield {**Report.BEST, "size": 5000 - i, "runs": 17 + i * i}
            yield {"event": "tested", "size": 20 * i, "runs": 100, "failures": i % 50, "others": 0}
        yield {**Report.DONE, "size": 4500}
        for way in range(1, 9):
            yield {**Report.START, "sut": sut, "task": "reduce", "size": 4500}
            for i in range(500):
                yield {"event": "step", "size": 4500 - i, "calls": 7 * i, "pass": f"p{i % 30}"}
            yield {**Report.DONE, "identity": f"exit:{way}", "hex": "0a" * 1000, "size": 1000,
                   "explanation": explanation}

    def test_a_long_night_stays_a_small_page(self):
        for programs, draws in ((1, 1000), (12, 300)):
            self.events(*(event for i in range(programs)
                          for event in self.long_night(f"./queue{i}", draws)))
            text = self.page_of("events.jsonl").text()  # under 500 KB
            self.assertRegex(text, r"… and [\d,]+ more draws: frng-replay --trace shows them")
            self.assertEqual(text.count("All failures"), programs)
            self.assertEqual(text.count("How the search went"), programs)
        self.events(*self.long_night("./queue", 401))
        self.assertIn("… and 1 more draw: frng-replay --trace", self.page_of("events.jsonl").text())

    def test_signatures_have_sixty_rows_at_most(self):
        failures = [{**self.DONE, "identity": f"exit:{i % 200 + 3}", "size": 100 + i,
                     "site": f"{i}.c:1" + "x" * 3000} for i in range(100)]
        self.events(self.START, {**self.DONE, "failures": failures})
        text = self.page_of("events.jsonl").text()
        self.assertIn("… and 41 more, which are larger", text)

    def test_hostile_events_stay_text(self):
        bad = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'>\x1b[31m\u202e'
        event = {**self.BEST, "identity": bad, "site": bad, "signature": bad, "output": bad,
                 "flaky": bad, "replay": bad, "seed": bad, "pass": bad}
        draw = {"event": "draw", "note": bad, "step": bad, "notes": [bad], "value": bad,
                "kind": bad, "text": bad, "bytes": bad}
        passes = [{"name": bad, "calls": 3, "successes": 1, "bytes": 9}]
        start = {name: bad for name in ("version", "mode", "host", "digest", "when", "rng_seed",
                                        "expand", "sut", "file", "task")}
        self.events({"event": "start", "args": [bad], "argv": [bad], "size": 50, **start}, event,
                    draw, {**event, "event": "done", "outcome": bad, "reason": bad,
                           "passes": passes, "failures": [event], "also": [event]})
        page = self.page_of("events.jsonl")
        self.assertEqual(page.count("img"), 0)
        raw = (self.folder / "report.html").read_bytes()
        self.assertNotIn(b"\x1b", raw)
        self.assertNotIn("\u202e".encode(), raw)

    def test_numbers_without_sense_are_survived(self):
        numbers = ["1e999", "-1", "1e308", "99999999999999999999", "9223372036854775807", "0.5",
                   "null", "[]", '"x"']
        lines = [json.dumps(self.START)]
        for one in numbers:
            lines += ['{"event":"best","size":%s,"runs":%s,"identity":"exit:1","seed":"1"}' % (one, one),
                      '{"event":"tested","size":%s,"runs":%s,"failures":%s}' % (one, one, one),
                      '{"event":"step","size":%s,"calls":%s,"seconds":%s}' % (one, one, one),
                      '{"event":"done","below":%s,"passed":%s,"bound":%s,"seconds":%s}' % (4 * (one,))]
        self.events(*lines)
        self.page_of("events.jsonl")
        text = (self.folder / "report.html").read_text()
        self.assertNotRegex(text, r"[\"= ]-?(nan|inf)\b")

    def test_bytes_that_are_no_text_are_survived(self):
        self.write("events.jsonl", json.dumps(self.START).encode() + b"\n" + bytes(range(256)) * 50 +
                   b"\n" + b"[" * 200_000 + b"\n" + json.dumps(self.DONE).encode() + b"\n")
        self.assertIn("queue fails on 16 bytes", self.page_of("events.jsonl").text())

    def test_a_line_of_fifty_megabytes_takes_little_memory(self):
        path = self.folder / "events.jsonl"
        with path.open("w") as file:
            file.write(json.dumps(self.START) + '\n{"event":"best","output":"')
            for _ in range(50):
                file.write("x" * (1 << 20))
            file.write('"}\n' + json.dumps(self.DONE) + "\n")
        # 200 MiB of address space are enough; sanitizers need more
        limit = "" if sanitized() else "ulimit -v 204800; "
        result = self.run_tool("sh", "-c", limit + f"exec {frng.REPORT} events.jsonl")
        self.assert_exit(result, 0)
        self.assertIn("queue fails on 16 bytes", (self.folder / "report.html").read_text())

    def test_a_night_becomes_a_page_in_seconds(self):
        with (self.folder / "night.jsonl").open("w") as out:
            subprocess.run([sys.executable, NIGHT], stdout=out, check=True)
        page = self.page_of("night.jsonl")
        self.assertIn("10,000,000", page.text())
        self.assertGreater(page.count("circle"), 100)
        self.assertLess(page.count("circle"), 2000)
        self.assertLess(self.report("night.jsonl").seconds, 60)  # 0.3 s on an idle machine

    def test_standard_streams_have_their_dash(self):
        self.events(self.START, self.DONE)
        with (self.folder / "events.jsonl").open() as file:
            result = self.report("-", "-o", "-", stdin=file)
        self.assert_exit(result, 0)
        self.assertIn("queue fails on 16 bytes", Page(result.stdout).text())
        self.assertFalse((self.folder / "report.html").exists())

    def test_an_empty_file_has_a_page(self):
        self.events()
        self.assertIn("Nothing was run", self.page_of("events.jsonl").text())

    def test_the_page_is_replaced_as_a_whole(self):
        self.events(self.START, self.DONE)
        self.write("page.html", "old")
        self.page_of("events.jsonl", "--output", "page.html", output="page.html")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()),
                         ["events.jsonl", "page.html"])

    def test_bad_usage_is_one_line(self):
        self.events(self.START, self.DONE)
        self.assert_one_line(self.report(), 2, "which events")
        self.assert_one_line(self.report("missing.jsonl"), 2, "missing.jsonl", "no such file")
        self.assert_one_line(self.run_tool("sh", "-c", f"exec {frng.REPORT} - <."), 2, "directory")
        self.assertFalse((self.folder / "standard input").exists())
        self.assert_one_line(self.report("events.jsonl", "--opne"), 2, "did you mean --open")
        self.assert_one_line(self.report("events.jsonl", "-o", "events.jsonl"), 2, "replace")
        self.assert_one_line(self.report("events.jsonl", "-o", "-", "--open"), 2, "--open")
        self.assert_one_line(self.report("events.jsonl", "-o", "no/such/folder.html"), 4,
                             "cannot be written")
        self.assertIn('"done"', (self.folder / "events.jsonl").read_text())

    def test_a_full_disk_is_an_error(self):
        self.events(self.START, self.DONE)
        self.assert_one_line(self.report("events.jsonl", "-o", "/dev/full"), 4, "cannot be written")

    def test_open_starts_the_browser_of_the_user(self):
        self.events(self.START, self.DONE)
        browser = self.script("browser", 'printf "%s\\n" "$@" > opened.part; mv opened.part opened\n')
        result = self.report("events.jsonl", "--open",
                             environment={"BROWSER": f"{browser} 'two words'"})
        self.assert_exit(result, 0)
        opened = self.folder / "opened"
        self.assertTrue(frng.wait_until(opened.exists))
        self.assertEqual(opened.read_text(), f"two words\n{self.folder.resolve()}/report.html\n")

    def test_without_a_browser_the_page_is_still_written(self):
        self.events(self.START, self.DONE)
        result = self.report("events.jsonl", "--open", environment={"BROWSER": "/no/such/browser"})
        self.assert_one_line(result, 0, "cannot be started")
        self.assertTrue((self.folder / "report.html").exists())

    def test_help_names_every_option(self):
        result = self.report("--help")
        self.assert_exit(result, 0)
        for option in ("--output", "--open", "--help", "--version"):
            self.assertIn(option, result.stdout)


def events_seed(events):
    """The seed with which the search before a reduction ended."""
    return [event for event in events if event["event"] == "done"][0]["seed"]


def sanitized():
    text = subprocess.run(["nm", "-D", frng.REPORT], capture_output=True, text=True, check=False).stdout
    return "__asan_init" in text


if __name__ == "__main__":
    frng.main()
