#!/usr/bin/env python3
"""Reports of searches in their findings folder, and frng-status. SPDX-License-Identifier: MIT"""

import json
import math
import os
import re
import resource
import shutil
import signal
import time
import unittest
import zlib

import frng
import schema

SCHEMA = schema.Validator(schema.parse((frng.BUILD / "driver" / "status.schema.json").read_text()))
SIZE_OF_HUGE = 3 << 20


def best(size):
    return {"size": size, "seed": "7", "signature": "exit:3", "site": None}


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

    def report(self, name, folder="found"):
        """The file of a worker, or None."""
        path = self.folder / folder / "workers" / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def worker(self, name, *, age=1, folder="found", **more):
        """A file of a worker, written by hand. Its last sign is some seconds old."""
        target = {"path": "./prog", "digest": "ab12", "arguments": [], "filter": "",
                  "expand": "uniform", **more.pop("target", {})}
        fields = {"format": 1, "worker": name, "host": "node", "pid": 7,
                  "started": "2026-11-22T08:30:00Z", "state": "running",
                  "updated": "2026-11-22T09:30:00Z", "every": 60, "target": target,
                  "version": "0.1.0", "rng_seed": str(zlib.crc32(name.encode())), "jobs": 2,
                  "runs": 1000, "reruns": 10, "seconds": 60.0, "restarts": 0, "errors": 0,
                  "rate": 20.0, "best": None, "below": 0, "passed": 0, "counted": 0,
                  "stretches": 1, **more}
        path = self.folder / folder / "workers" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = self.write(f"{name}.whole", json.dumps(fields))
        os.utime(whole, (time.time() - age,) * 2)
        whole.rename(path)  # as workers do: no reader meets half a file
        return path

    def finding(self, size, seed, *, folder="found", sut="./prog", **more):
        name, text = frng.finding_text(sut, [], size, seed, **{
            "sut_digest": "ab12", "identity": "exit:3", "status": 3, "reruns": 20, "repeated": 20,
            **more})
        self.write(f"{folder}/{name}", text)

    def assert_shows(self, result, *patterns):
        for pattern in patterns:
            self.assertRegex(result.stdout, re.compile(pattern, re.MULTILINE), str(result))


# What workers and findings are shown as: {worker: what it says}, [(size, seed, what it says)], the
# exit status, and lines of the output, which has 80 columns but for commands.
SHOWN = [
    ({"a": {}, "b": {"age": 400},
      **{f"ended-{state}": {"age": 4000, "state": state}
         for state in ("found", "passed", "stopped", "failed")}}, [], 3,
     [r"^6 workers: 1 running, 1 silent, 2 done, 1 stopped, 1 failed$",
      r"^  runs     6,000 and 60 reruns in 6:00 of searching, 20/s now$",
      r"^  silent   b on node: no sign for 6:40, and promised one every 1:00$",
      r"^  failed   ended-failed on node: ended by an error 1:06:40 ago$",
      r"^  passed   no failure in 6,000 runs$", r"^nothing found$"]),
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
    ({"a": passes(1000, 3), "b": passes(400, 3, target={"arguments": ["-x"]}),
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
    # The same seeds show nothing new, unless they are of another target.
    ({"a": passes(1000, 3, rng_seed="5"), "b": passes(900, 3, rng_seed="5"),
      "c": passes(400, 3, rng_seed="5", target={"arguments": ["-x"]}),
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
        seed = json.dumps(json.loads(text)["rng_seed"])
        for number in range(1, 10_000):
            self.write(f"found/workers/w{number}.json",
                       text.replace('"w0"', f'"w{number}"').replace(seed, f'"{number}"'))
        self.finding(41, "7")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.status()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assert_shows(result, r"^10,000 workers: 10,000 running$",
                          r"^  smaller  100,000 fresh runs at size 40 passed", "^exit:3 +41 ")
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(took, 4, "seconds of a processor")


class BadFiles(Fleet):
    def test_each_is_skipped_with_its_reason_and_nothing_is_changed(self):
        cut, irregular = "it is cut short, or not a JSON object", "it is not a regular file"
        reasons = {"torn": cut, "other": cut, "empty": cut, "binary": cut, "huge": "it is too large",
                   "later": "it is of a later format than this frng reads", "fifo": irregular,
                   "foreign": "it is not the file of a worker", "folder": "it is a folder",
                   "loop": "Too many levels of symbolic links", "dangling": "No such file or directory"}
        texts = {"torn": b'{"format": 1, "wor', "other": b"[1, 2]", "empty": b"",
                 "binary": bytes(range(256)), "huge": b" " * SIZE_OF_HUGE, "later": b'{"format": 2}',
                 "foreign": b'{"a": 1}'}
        for folder in ("found", *reasons):  # all of them, or one
            self.worker("good", folder=folder)
            for name in reasons if folder == "found" else [folder]:
                path = self.folder / folder / "workers" / f"{name}.json"
                make = {"folder": path.mkdir, "fifo": lambda: os.mkfifo(path),
                        "loop": lambda: path.symlink_to(path.name),
                        "dangling": lambda: path.symlink_to("nowhere")}
                make.get(name, lambda: path.write_bytes(texts[name]))()
        self.finding(41, "7")
        self.write("found/.0000000004-0000000000000001.json.0123456789abcdef", "")
        self.write("found/workers/.hidden.json", "")

        def everything():
            return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns)
                    for path in self.folder.rglob("*")}

        before = everything()
        result = self.status()
        self.assertEqual(result.stderr.count(".json: skipped: "), 3, str(result))
        self.assert_says(result, r"\nfrng-status: found/workers: 8 more files skipped\n\Z")
        self.assert_shows(result, "^1 worker: 1 running$",
                          "^  skipped  11 files that could not be read$")
        self.assertEqual(self.object()["skipped"], 11)
        self.assertEqual(self.status(*reasons).stderr, "".join(
            f"frng-status: {name}/workers/{name}.json: skipped: {why}\n"
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
        self.worker("a\x1b[31m", host="h\x1b]0;t\x07", age=1000, target={"path": "p\x1b[2J"})
        self.worker("b", age=1000, target={"path": "\x9b2J", "digest": "\x1b[1m"})
        self.finding(41, "7", sut="./\x1b[5m", site="s\x1b[6m", when="\x1b[7m")
        self.write("found/workers/c\x1b[8m.json", "torn")
        result = self.status()
        for text in (result.stdout, result.stderr):
            self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), str(result))
        self.object()


class Reports(Fleet):
    """The files that searches write."""

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
        self.assertEqual([told[name] for name in ("worker", "state", "rng_seed", "jobs", "below",
                                                  "restarts", "errors", "every")],
                         ["a", "found", "7", 1, 2, 0, 0, 60])
        self.assertEqual((told["best"]["size"], told["best"]["seed"]), (size, seed))
        self.assertGreaterEqual(told["passed"], told["counted"])
        self.assertEqual(told["target"]["arguments"], ["at-least", "3"])
        self.assertEqual([told["target"]["digest"]],
                         [one["sut_digest"] for one in frng.findings(self.folder / "found").values()])
        self.assertEqual(os.listdir(self.folder / "found/workers"), ["a.json"])
        result = self.status()
        self.assert_shows(result, r"^signature +size +reruns +findings +found$",
                          r"^exit:1 .* 3 +\d+/\d+ +\d+ ")
        line = next(line for line in result.stdout.splitlines() if "frng-replay" in line)
        self.assert_exit(self.run_tool("sh", "-c", line), 1)
        self.assertEqual(self.object()["failures"][0]["replay"], line.strip())
        shutil.rmtree(self.folder / "found")
        self.assert_nothing_found(self.search("--findings", "found", "--worker", "a",
                                              "--size-max", 8, *frng.modes("never")))
        self.assertEqual((self.report("a")["state"], self.report("a")["best"]), ("passed", None))

    def test_names(self):
        search = self.start(frng.SEARCH, "--findings", "found", "--sync", "1s",
                            *frng.modes("at-least", 3))
        search.communicate()
        (name,) = os.listdir(self.folder / "found/workers")
        self.assertRegex(name, rf"^{re.escape(os.uname().nodename)}-{search.pid}-\d+\.json$")
        names = [b"a" * 200, b"two words", b"\xff\xfe", "\u00e9\u20ac".encode(), b"-x", b"a.json",
                 b"~", b"%s%n"]
        for name in names:
            self.assert_found(self.search("--findings", "other", "--worker=" + os.fsdecode(name),
                                          "--attempts", 1, *frng.modes("at-least", 1)))
        self.assertEqual(sorted(os.listdir(os.fsencode(self.folder / "other/workers"))),
                         sorted(name + b".json" for name in names))
        result = self.status("other")
        self.assertEqual(result.stderr, "")
        self.assert_shows(result, "^8 workers: 8 done$")
        self.object("other")

    def test_under_one_name_totals_never_fall(self):
        """The same seeds and other targets prove nothing more."""
        before, passed = {"runs": 0, "reruns": 0, "seconds": 0, "stretches": 0}, 0
        for name, more, lasts in (("a", [], (3, 3, 3)), ("b", ["--rng-seed", 7], (3, 3)),
                                  ("c", [], (3, 4))):
            for restarts, last in enumerate(lasts):
                self.search("--findings", "found", "--worker", name, "--attempts", 150, *more,
                            *frng.modes("at-least", last))
                told = self.report(name)
                self.assertEqual((told["restarts"], told["below"]), (restarts, last - 1))
                for of, value in before.items() if name == "a" else ():
                    self.assertGreater(told[of], value, of)
                    before[of] = told[of]
                if name == "a":
                    self.assertGreaterEqual(told["passed"], passed + 150)
                    passed = told["passed"]
                else:
                    self.assertLess(told["passed"], 300)

    def test_one_that_cannot_be_read_stays_as_it_is(self):
        path = self.folder / "found/workers/a.json"
        for make in (lambda: path.write_text("torn{"), lambda: path.write_text('{"format": 99}'),
                     path.mkdir):
            shutil.rmtree(self.folder / "found", ignore_errors=True)
            path.parent.mkdir(parents=True)
            make()
            before = path.is_dir() or path.read_text()
            result = self.search("--findings", "found", "--worker", "a", *frng.modes("at-least", 3))
            self.assert_found(result)
            name = re.search(r"a\.json: cannot be read: .*; this search reports as (a-\d+)$",
                             result.stderr, re.MULTILINE)[1]
            self.assertEqual(path.is_dir() or path.read_text(), before)
            self.assertEqual((self.report(name)["state"], self.report(name)["restarts"]), ("found", 0))

    def test_a_report_that_cannot_be_written_ends_no_search(self):
        self.write("found/workers", "a file")
        result = self.search("--findings", "found", "--worker", "a", *frng.modes("at-least", 3))
        self.assert_found(result)
        self.assertEqual(result.stderr.count("cannot be written; the search goes on"), 1, str(result))

    def test_two_of_one_name_lose_no_totals(self):
        workers = self.folder / "found/workers"
        searches = [self.begin("a"), self.begin("a")]
        self.wait_for_report(f"a-{searches[1].pid}", lambda told: told["runs"] > 0)
        made = self.stop(searches)
        both = [json.loads(path.read_text()) for path in workers.glob("a*.json")]
        self.assertEqual({one["state"] for one in both}, {"stopped"})
        self.assertEqual({one["pid"] for one in both}, {search.pid for search in searches})
        self.assertEqual(sum(one["runs"] for one in both), made)
        self.assertEqual(self.said.count("reports under this name too"), 1, self.said)

    def test_one_that_is_replaced_before_its_first_run_leaves_the_name(self):
        self.script("waits", "until [ -e go ]; do sleep 0.1; done\n")
        search = self.start(frng.SEARCH, "--findings", "found", "--worker", "a", "--sync", "1s",
                            "--keep-going", "--time", "1h", "./waits")
        self.wait_for_report("a", lambda told: told["runs"] == 0)
        self.worker(f"a-{search.pid}")
        self.worker("a")
        self.wait_for_report(name := f"a-{search.pid}-{search.pid}", lambda told: told["runs"] == 0)
        (self.folder / "go").touch()
        self.wait_for_report(name, lambda told: told["runs"] > 0)
        self.assertEqual(self.stop([search]), self.report(name)["runs"])
        self.assertEqual(self.report("a")["host"], "node")

    def test_one_whose_file_another_takes_reports_no_more(self):
        search = self.begin("a")
        taken = self.worker("a").read_text()
        self.assertTrue(any(b"this one reports no more" in line for line in search.stderr))
        self.stop([search])
        (path,) = (self.folder / "found/workers").iterdir()
        self.assertEqual(path.read_text(), taken)

    def test_one_of_another_machine_goes_on_once_it_is_silent(self):
        for age, name in ((170, r"a-\d+"), (190, "a")):
            shutil.rmtree(self.folder / "found", ignore_errors=True)
            before = self.worker("a", age=age).read_text()
            self.search("--findings", "found", "--worker", "a", *frng.modes("at-least", 3))
            told = self.report(max(os.listdir(self.folder / "found/workers"), key=len)[:-5])
            self.assertRegex(told["worker"], rf"^{name}$")
            self.assertEqual((told["restarts"], told["runs"] > 1000), (name == "a", name == "a"))
            self.assertEqual(self.report("a") == json.loads(before), name != "a")

    def test_a_folder_that_went_away_is_used_again(self):
        search = self.begin("a", test=("at-least", 3))
        (self.folder / "found").rename(self.folder / "gone")
        time.sleep(1.5)  # a report is due
        self.assertIsNone(search.poll())
        (self.folder / "gone").rename(self.folder / "found")
        runs = self.report("a")["runs"]
        self.wait_for_report("a", lambda told: told["runs"] > runs)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
