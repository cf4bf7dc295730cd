#!/usr/bin/env python3
"""Reports of searches in their findings folder, and frng-status. SPDX-License-Identifier: MIT"""
# suites: sanitized

import json
import math
import os
import re
import resource
import shutil
import signal
import time
import zlib

import frng
import schema

SCHEMA = schema.Validator(schema.parse((frng.BUILD / "driver" / "status.schema.json").read_text()))
SIZE_OF_HUGE = 3 << 20


def best(size):
    return {"size": size, "seed": "7", "identity": "exit:3", "site": None}


def passes(counted, stretches, below=40, **more):
    """What a worker says that has passed runs below its best."""
    return {"best": best(below + 1), "below": below, "passed": counted + 1, "counted": counted,
            "stretches": stretches, **more}


class Fleet(frng.Scenario):
    """A folder of findings with files of workers, written by hand or by searches."""

    def status(self, *arguments, **more):
        return self.run_tool(frng.STATUS, *(arguments or ["found"]), **more)

    def object(self, *folders):
        """What --json prints, as its schema says."""
        result = self.status(*(folders or ["found"]), "--json")
        value = schema.parse(result.stdout)
        SCHEMA.check(value)
        self.assertEqual(value["status"], result.exit)
        return value

    def logs(self, name, folder="found"):
        """The logs of a worker: {path: its lines}."""
        return {path: [json.loads(line) for line in path.read_text().splitlines()]
                for path in sorted((self.folder / folder / "workers").glob(f"{name}.*.jsonl"))}

    def report(self, name):
        """What the one log of a worker says, with earlier searches: the start, then the newest sign."""
        for lines in self.logs(name).values():
            said = {line["event"]: line for line in lines}
            last = said.get("done") or said.get("alive") or {}
            earlier = said.get("earlier", {"searches": 0})
            sums = {of: last.get(of, 0) + earlier.get(of, 0)
                    for of in ("runs", "reruns", "seconds", "stretches")}
            return {**said.get("start", {}), **last, **sums, "restarts": earlier["searches"]}
        return None

    def worker(self, name, *, age=1, folder="found", **more):
        """The log of a worker, written by hand. Its last sign is some seconds old."""
        target = {"sut": "./prog", "digest": "ab12", "args": [], "filter": "", "expand": "uniform",
                  **more.pop("target", {})}
        start = {"event": "start", **target, "host": more.pop("host", "node"), "pid": 7, "jobs": 2,
                 "rng_seed": more.pop("rng_seed", str(zlib.crc32(name.encode()))), "every": 60.0}
        best, state = more.pop("best", None), more.pop("state", "running")
        alive = {"event": "alive", "when": more.pop("updated", "2026-11-22T09:30:00Z"),
                 "every": more.pop("every", 60), "runs": 1000, "reruns": 10, "seconds": 60.0, "errors": 0,
                 "best_size": best and best["size"], "below": 0, "passed": 0, "counted": 0, "stretches": 1,
                 **more}
        lines = [start, *([{"event": "best", **best}] if best else []),
                 {**alive, "runs": alive["runs"] // 2, "reruns": 5, "seconds": alive["seconds"] / 2}, alive]
        outcome = {"found": "fail", "passed": "pass", "stopped": "interrupted", "failed": "error"}
        if state != "running":
            lines.append({**alive, "event": "done", "outcome": outcome[state], **(best or {})})
        path = self.folder / folder / "workers" / f"{name}.{start['host'].replace('/', '_')}-7-99.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        os.utime(path, (time.time() - age,) * 2)
        return path

    def finding(self, size, seed, *, folder="found", sut="./prog", **more):
        name, text = frng.finding_text(sut, [], size, seed, **{
            "sut_digest": "ab12", "identity": "exit:3", "status": 3, "reruns": 20, "repeated": 20,
            **more})
        self.write(f"{folder}/{name}", text)

    def assert_shows(self, result, *patterns):
        for pattern in patterns:
            self.assertRegex(result.stdout, re.compile(pattern, re.MULTILINE), str(result))


def grown(*levels):
    """What a search says that passed: (size, runs) of each."""
    return {"tested": {"runs": min(runs for _, runs in levels), "sizes": len(levels),
                       "largest": levels[-1][0], "levels": [
                           {"size": size, "runs": runs, "counted": runs, "bound": 0.5}
                           for size, runs in levels]}}


# What workers and findings are shown as: {worker: what it says}, [(size, seed, what it says)], the
# exit status, and lines of the output, which has 80 columns but for commands.
SHOWN = [
    ({"a": {}, "b": {"age": 400},
      **{f"ended-{state}": {"age": 4000, "state": state}
         for state in ("found", "passed", "stopped", "failed")}}, [], 3,
     [r"^6 workers: 1 running, 1 silent, 2 done, 1 stopped, 1 failed$",
      r"^  runs     6,000 and 60 reruns in 6:00 of searching, 16/s now$",
      r"^  silent   b on node: no sign for 6:40, and promised one every 1:00$",
      r"^  failed   ended-failed on node: ended by an error 1:06:40 ago$",
      r"^  passed   no failure in 6,000 runs$", r"^nothing found$"]),
    # Nothing failed: passes add up at each size, but not those of the same seeds.
    ({"a": grown((16, 4000), (256, 4000), (4096, 40)), "b": grown((16, 2000), (256, 1000)),
      "c": {**grown((16, 2000)), "rng_seed": str(zlib.crc32(b"b"))}}, [], 0,
     [r"^  passed   no failure in 3,000 runs at 3 sizes \(16, 256, 4K\), 95% confidence:$",
      r"^           up to 256 under 0\.11%, 4K 13% \(40 runs\) fail$"]),
    ({"a": grown((16, 400))}, [], 0,
     [r"^           at size 16 under 0\.92% fail, 95% confidence$"]),
    ({"a": {"best": best(41)}}, [], 1, []),
    ({"a": {"best": best(0)}}, [], 1, [r"^  smaller  none: it fails on empty input$"]),
    ({"a": {"errors": 3}}, [], 0, [r"^  errors   a on node: 3 writes or looks at the folder failed$"]),
    ({}, [(41, "7", {})], 1, [r"^no workers: frng-search reports here with --sync or --worker$"]),
    ({f"w{number}": {"age": 1000} for number in range(9)}, [], 3,
     [r"(?s)^  silent   w0 .*w4 on node: no sign [^\n]*\n           and 4 more$"]),
    ({"a": passes(1000, 3), "b": passes(500, 4, state="found", age=4000),
      "larger": passes(700, 2, below=50)}, [], 1,
     [r"^  smaller  1,502 fresh runs at size 40 passed: under 0\.\d+% of such runs fail$",
      r"^           95% confidence; 2 workers, 9 stretches$"]),
    ({"a": passes(10**12, 123456)}, [], 1,
     [r"^  smaller  1,000,000,000,001 fresh runs at size 40 passed:$",
      r"^           under 0\.\d+% of such runs fail$"]),
    ({"a": passes(1000, 3), "b": passes(400, 3, target={"args": ["-x"]}),
      "c": passes(300, 3, target={"digest": "cd34"}),
      "d": passes(200, 3, target={"filter": " --only timeout"}),
      "e": passes(100, 3, target={"expand": "both"})}, [], 1,
     [r"^           prog -- -x, build ab12:$", r"prog --only timeout, build ab12:$",
      "; half of the runs styled$"]),
    ({"a": {"best": best(30)}}, [(30, "5", {}), (20, "6", {"repeated": 19, "sut_digest": "cd"})], 1,
     ["^  smaller  no worker has passes at size 29 yet$", r"^exit:3 +30 +20/20 +2 "]),
    ({}, [(41, "7", {"site": "asan:heap-buffer-overflow at some/folder/of/queue.c:1071"})], 1,
     ["^asan:heap-buffer-overflow at some/folder/of/queue.c:1071$"]),
]

# The same for the object of --json, of which a part is compared.
TOLD = [
    # The time of the file decides, and not that in it; each promises when it gives a sign.
    ({"behind": {"updated": "2020-01-01T00:00:00Z"}, "seldom": {"every": 1000, "age": 2900},
      "late": {"updated": "2040-01-01T00:00:00Z", "age": 181}, "often": {"every": 1, "age": 10},
      "ahead": {"age": -3600}, "a": {"age": 20}}, [],
     lambda of: {one["worker"]: one["state"] for one in of["each"]},
     {"behind": "running", "seldom": "running", "late": "silent", "often": "silent",
      "ahead": "running", "a": "running"}),
    ({"a": passes(1000, 3), "b": passes(500, 4), "larger": passes(700, 2, below=50)}, [],
     lambda of: [[one[name] for name in ("best", "below", "passed", "counted", "stretches")] +
                 [round(one["bound"], 9)] for one in of["evidence"]],
     [[41, 40, 1502, 1500, 9, round(-math.expm1(math.log(0.05 / 90) / 1500), 9)]]),
    ({"a": grown((16, 4000), (4096, 40)), "b": grown((64, 7))}, [],
     lambda of: [(one["size"], one["runs"], one["counted"], round(one["bound"], 6))
                 for one in of["evidence"][0]["levels"]],
     [(16, 4000, 4000, round(-math.expm1(math.log(0.05 / 6) / 4000), 6)),
      (64, 7, 7, round(-math.expm1(math.log(0.05 / 6) / 7), 6)),
      (4096, 40, 40, round(-math.expm1(math.log(0.05 / 6) / 40), 6))]),
    ({"a": grown((16, 4000)), "b": {"best": best(30)}}, [],
     lambda of: of["evidence"][0]["levels"], []),
    # The same seeds show nothing new, unless they are of another target.
    ({"a": passes(1000, 3, rng_seed="5"), "b": passes(900, 3, rng_seed="5"),
      "c": passes(400, 3, rng_seed="5", target={"args": ["-x"]}),
      "d": passes(300, 3, target={"digest": "cd34"}),
      "e": passes(200, 3, target={"filter": " --only timeout"}),
      "f": passes(100, 3, target={"expand": "both"})}, [],
     lambda of: [one["counted"] for one in of["evidence"]], [1000, 400, 300, 200, 100]),
    ({"a": passes(1000, 3), "b": {"best": best(30)}}, [],
     lambda of: [(one["best"], one["counted"], one["bound"] == 1) for one in of["evidence"]],
     [(30, 0, True)]),
    # Sums of files that may say anything stop at the largest number.
    ({name: {"runs": 2**63 - 1, "seconds": 1e15, **passes(2**63 - 2, 2**63 - 1)}
      for name in "abc"}, [], lambda of: (of["runs"], of["seconds"],
                                          0 <= of["evidence"][0]["bound"] <= 1),
     (2**63 - 1, 3e15, True)),
]


class Shown(Fleet):
    def fresh(self, workers, findings):
        shutil.rmtree(self.folder / "found", ignore_errors=True)
        (self.folder / "found").mkdir()
        for name, more in workers.items():
            self.worker(name, **more)
        for size, seed, more in findings:
            self.finding(size, seed, **more)

    def test_text(self):
        for workers, findings, status, patterns in SHOWN:
            self.fresh(workers, findings)
            result = self.status()
            self.assert_exit(result, status)
            self.assert_shows(result, *patterns)
            self.assertEqual(result.stderr, "")
            wide = [line for line in result.stdout.splitlines()
                    if len(line) > 80 and not line.startswith("    ")]
            self.assertEqual(wide, [], str(result))

    def test_object(self):
        for workers, findings, part, expected in TOLD:
            self.fresh(workers, findings)
            self.assertEqual(part(self.object()), expected)

    def test_several_folders_are_shown_as_one(self):
        self.worker("a", folder="one")
        self.worker("b", folder="two")
        self.finding(41, "7", folder="two")
        value = self.object("one", "two")
        self.assertEqual((value["workers"]["all"], value["runs"]), (2, 2000))
        self.assertEqual(value["failures"][0]["finding"], f"two/{frng.finding_name(41, '7')}")
        self.assertEqual([value["failures"][0][key] for key in ("identity", "site", "signature")],
                         ["exit:3", None, "exit:3"])
        self.assertEqual(value["folders"], ["one", "two"])

    def test_what_cannot_be_printed_or_read(self):
        self.worker("a")
        with open("/dev/full", "wb") as full:
            self.assert_exit(self.status(stdout=full), 4)
            self.assert_exit(self.status("found", "--json", stdout=full), 4)
        self.assert_one_line(self.status("missing"), 2, "missing: cannot be read")
        result = self.status("missing", "found")
        self.assert_exit(result, 2)
        self.assert_says(result, r"\A[^\n]*missing: cannot be read: No such file or directory\n\Z")
        self.assert_shows(result, "^1 worker: 1 running$")
        self.write("other/workers", "a file")
        self.finding(41, "7", folder="other")
        result = self.status("other")
        self.assert_exit(result, 2)
        self.assert_says(result, "other/workers: cannot be read: Not a directory")
        self.assert_shows(result, "^exit:3 +41 ")
        for mode, lines in ((0o555, 1), (0o755, 0)):
            (self.folder / "other/workers").unlink(missing_ok=True)
            (self.folder / "other").chmod(mode)
            result = self.status("other", preexec_fn=frng.without_power_over_files)
            (self.folder / "other").chmod(0o755)
            self.assert_exit(result, 1)
            self.assertEqual(result.stderr.count("no worker of this user can save findings here: "
                                                 "Permission denied\n"), lines, str(result))

    @frng.long
    def test_ten_thousand_workers_are_read_soon(self):
        text = self.worker("w0", **passes(9, 1)).read_text()
        seed = json.dumps(self.report("w0")["rng_seed"])
        for number in range(1, 10_000):
            self.write(f"found/workers/w{number}.node-7-99.jsonl", text.replace(seed, f'"{number}"'))
        self.finding(41, "7")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.status()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assert_shows(result, r"^10,000 workers: 10,000 running$",
                          r"^  smaller  100,000 fresh runs at size 40 passed", "^exit:3 +41 ")
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(took, frng.SLOWER, "seconds of a processor")


class BadFiles(Fleet):
    def test_each_is_skipped_with_its_reason_and_nothing_is_changed(self):
        cut, irregular = "it is not the log of a search", "it is not a regular file"
        reasons = {"torn": cut, "other": cut, "empty": cut, "binary": cut, "huge": "it is too large",
                   "fifo": irregular, "foreign": cut, "folder": "it is a folder",
                   "loop": "Too many levels of symbolic links", "dangling": "No such file or directory"}
        texts = {"torn": b'{"event":"start","sut":"./a","args":[],"exp', "other": b"[1, 2]\n", "empty": b"",
                 "binary": bytes(range(256)), "huge": b" " * SIZE_OF_HUGE, "foreign": b'{"a": 1}\n'}
        for folder in ("found", *reasons):  # all of them, or one
            self.worker("good", folder=folder)
            for name in reasons if folder == "found" else [folder]:
                path = self.folder / folder / "workers" / f"{name}.jsonl"
                make = {"folder": path.mkdir, "fifo": lambda: os.mkfifo(path),
                        "loop": lambda: path.symlink_to(path.name),
                        "dangling": lambda: path.symlink_to("nowhere")}
                make.get(name, lambda: path.write_bytes(texts[name]))()
        self.finding(41, "7")
        self.write("found/.0000000004-0000000000000001.json.0123456789abcdef", "")
        self.write("found/workers/.hidden.jsonl", "")
        self.write("found/workers/earlier.json", "")

        def everything():
            return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns)
                    for path in self.folder.rglob("*")}

        before = everything()
        result = self.status()
        self.assertEqual(result.stderr.count(".jsonl: skipped: "), 3, str(result))
        self.assert_says(result, r"\nfrng-status: found/workers: 7 more files skipped\n\Z")
        self.assert_shows(result, "^1 worker: 1 running$",
                          "^  skipped  10 files that could not be read$")
        self.assertEqual(self.object()["skipped"], 10)
        self.assertEqual(self.status(*reasons).stderr, "".join(
            f"frng-status: {name}/workers/{name}.jsonl: skipped: {why}\n"
            for name, why in reasons.items()))
        self.assertEqual(everything(), before)

    def test_folders_below_have_workers_and_findings(self):
        """As earlier versions of frng-ci made them."""
        self.worker("a", folder="found/one")
        self.finding(41, "7", folder="found/one")
        self.finding(9, "8", folder="found/two", sut="./other")
        told = self.object("found")
        self.assertEqual([one["folder"] for one in told["each"]], ["found/one"])
        self.assertEqual([one["size"] for one in told["failures"]], [9, 41])
        self.assertEqual(told["status"], 1)

    def test_texts_cannot_control_the_terminal(self):
        self.worker("a\x1b[31m", host="h\x1b]0;t\x07", age=1000, target={"sut": "p\x1b[2J"})
        self.worker("b", age=1000, target={"sut": "\x9b2J", "digest": "\x1b[1m"})
        self.finding(41, "7", sut="./\x1b[5m", site="s\x1b[6m", when="\x1b[7m")
        self.write("found/workers/c\x1b[8m.jsonl", "torn")
        result = self.status()
        for text in (result.stdout, result.stderr):
            self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), str(result))
        self.object()


class Reports(Fleet):
    """The logs that searches write."""

    SLOW = ("slow", 10, "log", 3)

    def begin(self, name, *more, test=SLOW, **how):
        """A search that goes on until it is stopped, and has reported runs."""
        search = self.start(frng.SEARCH, "--findings", "found", "--worker", name, "--time", "1h",
                            "--attempts", "1000M", "--sync", "1s", *more, *frng.modes(*test), **how)
        self.wait_for_report(name, lambda told: told["runs"] > 0)
        return search

    def wait_for_report(self, name, condition):
        self.assertTrue(frng.wait_until(lambda: (told := self.report(name)) and condition(told)),
                        f"{name}: {self.report(name)}")

    def stop(self, searches):
        """The runs that searches made, as they say themselves."""
        for search in searches:
            search.terminate()
        self.said = "".join(search.communicate()[1].decode() for search in searches)
        self.assertEqual({search.returncode for search in searches}, {-signal.SIGTERM})
        return sum(int(count.replace(",", ""))
                   for count in re.findall(r"effort +([\d,]+) run", self.said))

    def test_a_search_reports_what_it_did(self):
        size, seed = self.assert_found(
            self.search("--findings", "found", "--worker", "a", "--rng-seed", "7", "--jobs", "1",
                        *frng.modes("at-least", 3)))
        told = self.report("a")
        self.assertEqual([told[name] for name in ("outcome", "rng_seed", "jobs", "below", "restarts",
                                                  "errors", "every")],
                         ["fail", "7", 1, 2, 0, 0, 60])
        self.assertEqual((told["size"], told["seed"]), (size, seed))
        self.assertGreaterEqual(told["passed"], told["counted"])
        self.assertEqual(told["args"], ["at-least", "3"])
        self.assertEqual([told["digest"]],
                         [one["sut_digest"] for one in frng.findings(self.folder / "found").values()])
        (lines,) = self.logs("a").values()
        self.assertEqual({line["event"] for line in lines}, {"start", "best", "done"})
        result = self.status()
        self.assert_shows(result, r"^signature +size +reruns +findings +found$",
                          r"^exit:1 .* 3 +\d+/\d+ +\d+ ")
        line = next(line for line in result.stdout.splitlines() if "frng-replay" in line)
        self.assert_exit(self.run_tool("sh", "-c", line), 1)
        self.assertEqual(self.object()["failures"][0]["replay"], line.strip())
        shutil.rmtree(self.folder / "found")
        self.assert_nothing_found(self.search("--findings", "found", "--worker", "a",
                                              "--size-max", 8, *frng.modes("never")))
        self.assertEqual((self.report("a")["outcome"], self.report("a")["size"]), ("pass", None))

    def test_names(self):
        search = self.start(frng.SEARCH, "--findings", "found", "--sync", "1s",
                            *frng.modes("at-least", 3))
        search.communicate()
        (name,) = os.listdir(self.folder / "found/workers")
        place = rf"{re.escape(os.uname().nodename)}-\d+-\d+"
        self.assertRegex(name, rf"^worker\.{place}\.jsonl$")
        self.assertRegex(self.object()["each"][0]["worker"], rf"^{place}$")
        names = ["a" * 100, "two words", "\u00e9\u20ac", "-x", "a.json", "~", "%s%n"]
        for name in names:
            self.assert_found(self.search("--findings", "other", "--worker=" + name,
                                          "--attempts", 1, *frng.modes("at-least", 1)))
        self.assertEqual({one["worker"] for one in self.object("other")["each"]}, set(names))
        result = self.status("other")
        self.assertEqual(result.stderr, "")
        self.assert_shows(result, "^7 workers: 7 done$")

    def test_under_one_name_totals_never_fall(self):
        """The same seeds and other targets prove nothing more."""
        before, passed = {"runs": 0, "reruns": 0, "seconds": 0, "stretches": 0}, 0
        for name, more, lasts in (("a", [], (3, 3, 3)), ("b", ["--rng-seed", 7], (6, 6)),
                                  ("c", [], (4, 5))):
            for restarts, last in enumerate(lasts):
                self.search("--findings", "found", "--worker", name, "--attempts", 150, *more,
                            *frng.modes("at-least", last))
                told = self.report(name)
                self.assertEqual((told["restarts"], told["below"]), (restarts, last - 1))
                for of, value in before.items() if name == "a" else ():
                    self.assertGreater(told[of], value, of)
                    before[of] = told[of]
                (pooled,) = [one for one in self.object()["evidence"] if one["args"] == ["at-least", str(last)]]
                if name == "a":
                    self.assertGreaterEqual(pooled["passed"], passed + 150)
                    passed = pooled["passed"]
                self.assertEqual(len(self.logs(name)), 1)
        shutil.rmtree(self.folder / "found")
        for last in (3, 3): # the same seeds
            self.search("--findings", "found", "--worker", "b", "--attempts", 150, "--rng-seed", 7,
                        *frng.modes("at-least", last))
            self.assertLess(self.object()["evidence"][0]["passed"], 300)

    def test_what_cannot_be_read_stays_as_it_is(self):
        host = os.uname().nodename
        for text in ("torn{", ""):
            path = self.write(f"found/workers/a.{host}-1-1.jsonl", text)
            self.assert_found(self.search("--findings", "found", "--worker", "a",
                                          *frng.modes("at-least", 3)))
            self.assertEqual(path.read_text(), text)
            shutil.rmtree(self.folder / "found")

    def test_logs_stay_small(self):
        """Each best is a line, and each sign: the log is written anew with what counts."""
        search = self.begin("a")
        (path,) = self.logs("a")
        sizes = [path.stat().st_size]
        text = path.read_text()
        with open(path, "a") as log:
            log.write('{"event":"other"}\n' * 3000)
        self.assertTrue(frng.wait_until(lambda: path.stat().st_size < 32 << 10), sizes)
        runs = self.report("a")["runs"]
        self.wait_for_report("a", lambda told: told["runs"] > runs)
        self.assertEqual(path.read_text().splitlines()[0], text.splitlines()[0])
        self.assertEqual(self.stop([search]), self.report("a")["runs"])

    def test_a_report_that_cannot_be_written_ends_no_search(self):
        self.write("found/workers", "a file")
        result = self.search("--findings", "found", "--worker", "a", *frng.modes("at-least", 3))
        self.assert_found(result)
        self.assertEqual(result.stderr.count("cannot be written; the search goes on"), 1, str(result))

    def test_three_of_one_name_lose_no_totals(self):
        searches = [self.begin("a") for _ in range(3)]
        self.assertTrue(frng.wait_until(lambda: self.object()["workers"]["running"] == 3))
        made = self.stop(searches)
        told = self.object()
        self.assertEqual((told["workers"]["stopped"], told["runs"]), (3, made))
        self.assertEqual({one["worker"] for one in told["each"]}, {"a"})
        self.search("--findings", "found", "--worker", "a", "--attempts", 1, *frng.modes("never"))
        self.assertEqual((len(self.logs("a")), self.report("a")["restarts"]), (1, 3))
        self.assertGreater(self.object()["runs"], made)

    def test_one_that_was_killed_is_counted_once_it_is_silent(self):
        search = self.begin("a")
        search.kill()
        search.wait()
        runs = self.report("a")["runs"]
        for age, restarts in ((0, 0), (190, 1)):
            for path in self.logs("a"):
                os.utime(path, (time.time() - age,) * 2)
            self.search("--findings", "found", "--worker", "a", "--attempts", 1, *frng.modes("never"))
            self.assertGreater(self.object()["runs"], runs)
            self.assertEqual(self.object()["restarts"], 1 + restarts if age else 0)
        self.assertEqual(len(self.logs("a")), 1)

    def test_a_folder_that_went_away_is_used_again(self):
        search = self.begin("a", test=("at-least", 3))
        (self.folder / "found").rename(self.folder / "gone")
        time.sleep(1.5)  # a report is due
        self.assertIsNone(search.poll())
        (self.folder / "gone").rename(self.folder / "found")
        runs = self.report("a")["runs"]
        self.wait_for_report("a", lambda told: told["runs"] > runs)
