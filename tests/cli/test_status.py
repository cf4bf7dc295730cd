#!/usr/bin/env python3
"""Reports of searches in their findings folder, and frng-status. SPDX-License-Identifier: MIT"""

import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import time
import unittest
import zlib

import frng
import schema

SCHEMA = schema.Validator(schema.parse((pathlib.Path(__file__).resolve().parents[2] / "driver" /
                                        "status.schema.json").read_text()))
SIZE_OF_HUGE = 3 << 20
LINE_MAX = 80
SANITIZED = os.environ.get("FRNG_SANITIZED") == "1"


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
                  "version": "0.1.0", "rng_seed": str(zlib.crc32(name.encode())), "jobs": 2, "runs": 1000,
                  "reruns": 10, "seconds": 60.0, "restarts": 0, "errors": 0, "rate": 20.0,
                  "best": None, "below": 0, "passed": 0, "counted": 0, "stretches": 1, **more}
        path = self.folder / folder / "workers" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = self.write(f"{name}.whole", json.dumps(fields))
        os.utime(whole, (time.time() - age,) * 2)
        whole.rename(path)  # as workers do: no reader meets half a file
        return path

    def best(self, size):
        return {"size": size, "seed": "7", "signature": "exit:3", "site": None}

    def finding(self, size, seed, *, folder="found", **more):
        fields = {"format": 1, "sut": "./prog", "sut_digest": "ab12", "args": [], "size": size,
                  "seed": seed, "expand": 1, "identity": "exit:3", "status": 3, "reruns": 20,
                  "repeated": 20, "when": "2026-11-22T08:30:00Z", **more}
        self.write(f"{folder}/{frng.finding_name(size, seed)}", json.dumps(fields))

    def assert_shows(self, result, *patterns):
        for pattern in patterns:
            self.assertRegex(result.stdout, re.compile(pattern, re.MULTILINE), str(result))

    def assert_narrow(self, result):
        """Lines have 80 columns, but for commands."""
        for line in result.stdout.splitlines():
            if not line.startswith("    "):
                self.assertLessEqual(len(line), LINE_MAX, str(result))


class Counts(Fleet):
    def test_workers_are_counted_by_what_became_of_them(self):
        self.worker("a")
        self.worker("b", age=400)
        for state in ("found", "passed", "stopped", "failed"):
            self.worker(f"ended-{state}", age=4000, state=state)
        result = self.status()
        self.assert_exit(result, 3)
        self.assert_shows(result, r"^6 workers: 1 running, 1 silent, 2 done, 1 stopped, 1 failed$",
                          r"^  runs     6,000 and 60 reruns in 6:00 of searching, 20/s now$",
                          r"^  silent   b on node: no sign for 6:40, and promised one every 1:00$",
                          r"^  failed   ended-failed on node: ended by an error 1:06:40 ago$",
                          r"^nothing found$")
        self.assert_narrow(result)
        self.assertEqual(result.stderr, "")

    def test_exit_statuses(self):
        self.worker("a")
        self.assert_exit(self.status(), 0)
        self.worker("a", best=self.best(41))
        self.assert_exit(self.status(), 1)
        self.worker("b", age=181)
        self.assert_exit(self.status(), 3)
        self.assert_exit(self.status("found", "missing"), 2)
        with open("/dev/full", "wb") as full:
            self.assert_exit(self.status(stdout=full), 4)
            self.assert_exit(self.status("found", "--json", stdout=full), 4)

    def test_a_finding_alone_is_found(self):
        self.finding(41, "7")
        result = self.status()
        self.assert_exit(result, 1)
        self.assert_shows(result, "^no workers: frng-search reports here with --sync or --worker$")

    def test_several_folders_are_shown_as_one(self):
        self.worker("a", folder="one")
        self.worker("b", folder="two")
        self.worker("b", folder="three", runs=500) # a copy made earlier
        self.finding(41, "7", folder="two")
        value = self.object("one", "two", "three")
        self.assertEqual((value["workers"]["all"], value["runs"]), (2, 2000))
        self.assertEqual(value["failures"][0]["finding"], f"two/{frng.finding_name(41, '7')}")
        self.assertEqual(value["folders"], ["one", "two", "three"])

    def test_long_lists_of_names_are_cut(self):
        for number in range(9):
            self.worker(f"w{number}", age=1000)
        result = self.status()
        self.assert_shows(result, "^           and 4 more$")
        self.assertEqual(len(re.findall("no sign for", result.stdout)), 5)
        self.assertEqual(sum(one["state"] == "silent" for one in self.object()["each"]), 9)

    def test_errors_of_workers_are_shown(self):
        self.worker("a", errors=3)
        self.assert_shows(self.status(), r"^  errors   a on node: 3 writes or looks at the folder failed$")

    @frng.long
    def test_ten_thousand_workers_are_read_soon(self):
        text = self.worker("w0", best=self.best(41), below=40, passed=9, counted=9).read_text()
        seed = json.dumps(json.loads(text)["rng_seed"])
        for number in range(1, 10_000):
            self.write(f"found/workers/w{number}.json",
                       text.replace('"w0"', f'"w{number}"').replace(seed, f'"{number}"'))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = self.status()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assert_shows(result, r"^10,000 workers: 10,000 running$",
                          r"^  smaller  90,000 fresh runs at size 40 passed")
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(took, 20 if SANITIZED else 4, "seconds of a processor")


class Clocks(Fleet):
    def states(self):
        return {one["worker"]: one["state"] for one in self.object()["each"]}

    def test_the_time_of_the_file_decides_and_not_that_in_it(self):
        self.worker("behind", updated="2020-01-01T00:00:00Z")
        self.worker("ahead", updated="2040-01-01T00:00:00Z", age=181)
        self.assertEqual(self.states(), {"behind": "running", "ahead": "silent"})

    def test_a_worker_promises_when_it_gives_a_sign(self):
        self.worker("often", every=1, age=10)
        self.worker("seldom", every=1000, age=2900)
        self.assertEqual(self.states(), {"often": "silent", "seldom": "running"})

    def test_one_file_from_the_future_silences_no_other(self):
        self.worker("ahead", age=-3600)
        for name in ("a", "b"):
            self.worker(name, age=20)
        self.worker("dead", age=1000)
        self.assertEqual(self.states(),
                         {"ahead": "running", "a": "running", "b": "running", "dead": "silent"})


class Evidence(Fleet):
    def evidence(self):
        return self.object()["evidence"]

    def bound(self, counted, stretches):
        return -math.expm1(math.log(0.05 / (stretches * (stretches + 1))) / counted)

    def passes(self, name, counted, stretches, *, below=40, **more):
        self.worker(name, best=self.best(below + 1), below=below, passed=counted + 1,
                    counted=counted, stretches=stretches, **more)

    def test_passes_of_all_workers_add_up(self):
        self.passes("a", 1000, 3)
        self.passes("b", 500, 4, state="found", age=4000)
        self.passes("larger", 700, 2, below=50)
        (one,) = self.evidence()
        self.assertEqual((one["below"], one["passed"], one["counted"], one["stretches"]),
                         (40, 1502, 1500, 9))
        self.assertAlmostEqual(one["bound"], self.bound(1500, 9), places=9)
        self.assert_shows(self.status(),
                          r"^  smaller  1,502 fresh runs at size 40 passed: under 0\.\d+% of such "
                          r"runs fail$", r"^           95% confidence; 2 workers, 9 stretches$")

    def test_a_claim_of_many_passes_fits_a_terminal(self):
        self.passes("a", 10**12, 123456)
        result = self.status()
        self.assert_shows(result, r"^  smaller  1,000,000,000,001 fresh runs at size 40 passed:$",
                          r"^           under 0\.\d+% of such runs fail$")
        self.assertLess(max(len(line) for line in result.stdout.splitlines()[:4]), 80)

    def test_the_same_seeds_count_once(self):
        self.passes("a", 1000, 3, rng_seed="5")
        self.passes("b", 900, 3, rng_seed="5")
        self.assertEqual(self.evidence()[0]["counted"], 1000)

    def test_other_targets_have_evidence_of_their_own(self):
        self.passes("a", 1000, 3)
        self.passes("b", 400, 3, target={"arguments": ["-x"]})
        self.passes("c", 300, 3, target={"digest": "cd34"})
        self.passes("d", 200, 3, target={"filter": " --only timeout"})
        self.passes("e", 100, 3, target={"expand": "both"})
        self.assertEqual(sorted(one["counted"] for one in self.evidence()),
                         [100, 200, 300, 400, 1000])
        result = self.status()
        self.assert_shows(result, r"^           prog -- -x, build ab12:$",
                          r"prog --only timeout, build ab12:$", "; half of the runs styled$")
        self.assert_narrow(result)

    def test_a_smaller_finding_of_the_folder_counts(self):
        self.passes("a", 1000, 3)
        self.finding(30, "5")
        self.finding(20, "6", repeated=19) # a flaky one is no best
        (one,) = self.evidence()
        self.assertEqual((one["best"], one["counted"], one["bound"]), (30, 0, 1))
        self.assert_shows(self.status(), "^  smaller  no worker has passes at size 29 yet$")

    def test_without_a_failure_and_with_the_smallest_of_all(self):
        self.worker("a")
        self.assert_shows(self.status(), "^  passed   no failure in 1,000 runs$")
        self.worker("a", best=self.best(0))
        self.assert_shows(self.status(), "^  smaller  none: it fails on empty input$")


class Findings(Fleet):
    def test_each_signature_has_a_row_and_a_line_that_replays_it(self):
        self.assert_found(self.search("--findings", "found", "--worker", "a", "--quiet",
                                      *frng.modes("at-least", 3)))
        result = self.status()
        self.assert_exit(result, 1)
        self.assert_shows(result, r"^signature +size +reruns +findings +found$",
                          r"^exit:1 .* 3 +\d+/\d+ +\d+ ")
        line = next(line for line in result.stdout.splitlines() if "frng-replay" in line)
        self.assert_exit(self.run_tool("sh", "-c", line), 1)
        self.assertEqual(self.object()["failures"][0]["replay"], line.strip())

    def test_builds_are_distinguished(self):
        self.worker("a", best=self.best(41))
        self.worker("b", best=self.best(41))
        self.finding(41, "7")
        self.finding(39, "8", sut_digest="cd3456789012345")
        result = self.status()
        self.assert_shows(result, "^    build ab12$", "^    build cd3456789012$")
        self.assertEqual(self.object()["evidence"][0]["best"], 41)

    def test_a_name_that_is_too_long_has_a_line_of_its_own(self):
        self.finding(41, "7", site="asan:heap-buffer-overflow at some/folder/of/queue.c:1071")
        result = self.status()
        self.assert_shows(result, "^asan:heap-buffer-overflow at some/folder/of/queue.c:1071$")
        self.assert_narrow(result)

    @frng.long
    def test_the_largest_of_many_findings_are_counted_and_not_read(self):
        for number in range(10_003):
            self.write(f"found/{frng.finding_name(100 + number, '1')}", "torn")
        self.finding(41, "7")
        result = self.status()
        self.assert_shows(result, "^and 4 larger findings, which were not read$", "^exit:3 +41 ")
        self.assertEqual(len(result.stderr.splitlines()), 4, str(result))


class BadFiles(Fleet):
    def make_all(self):
        folder = self.worker("good").parent
        (folder / "torn.json").write_text('{"format": 1, "wor')
        (folder / "huge.json").write_bytes(b" " * SIZE_OF_HUGE)
        (folder / "later.json").write_text('{"format": 2}')
        (folder / "other.json").write_text("[1, 2]")
        (folder / "empty.json").write_text("")
        (folder / "binary.json").write_bytes(bytes(range(256)))
        (folder / "folder.json").mkdir()
        (folder / "loop.json").symlink_to("loop.json")
        (folder / "dangling.json").symlink_to("nowhere")
        os.mkfifo(folder / "fifo.json")
        return 10

    def test_each_is_skipped_with_a_line_and_many_are_counted(self):
        count = self.make_all()
        result = self.status()
        self.assert_exit(result, 0)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 4, str(result))
        for line in lines[:3]:
            self.assertRegex(line, r"^frng-status: found/workers/\w+\.json: skipped: ")
        self.assertEqual(lines[3], f"frng-status: found/workers: {count - 3} more files skipped")
        self.assert_shows(result, "^1 worker: 1 running$",
                          f"^  skipped  {count} files that could not be read$")
        self.assertEqual(self.object()["skipped"], count)

    def test_reasons_are_clear(self):
        for name, text, why in (("torn", "{", "it is cut short, or not a JSON object"),
                                ("later", '{"format": 2}', "it is of a later format"),
                                ("other", '{"a": 1}', "it is not the file of a worker"),
                                ("huge", " " * SIZE_OF_HUGE, "it is too large")):
            path = self.write(f"found/workers/{name}.json", text)
            self.assert_says(self.status(), f"{name}.json: skipped: {why}")
            path.unlink()
        os.mkfifo(self.folder / "found/workers/fifo.json")
        self.assert_says(self.status(), "it is not a regular file")
        if os.geteuid() != 0:
            self.worker("secret").chmod(0)
            self.assert_says(self.status(), "Permission denied")

    def test_nothing_is_changed(self):
        self.make_all()
        self.finding(41, "7")
        self.write("found/.0000000004-0000000000000001.json.0123456789abcdef", "")

        def everything():
            return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ctime_ns)
                    for path in [self.folder / "found", *(self.folder / "found").rglob("*")]}

        before = everything()
        self.status()
        self.object()
        self.assertEqual(everything(), before)

    def test_a_folder_that_cannot_be_read_is_named_and_others_are_shown(self):
        self.assert_one_line(self.status("missing"), 2, "missing: cannot be read")
        self.worker("a")
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

    def test_a_folder_that_cannot_be_written_is_named(self):
        self.finding(41, "7")
        for mode, lines in ((0o555, 1), (0o755, 0)):
            (self.folder / "found").chmod(mode)
            result = self.status(preexec_fn=frng.without_power_over_files)
            (self.folder / "found").chmod(0o755)
            self.assert_exit(result, 1)
            self.assertEqual(len(result.stderr.splitlines()), lines, str(result))
            self.assertEqual("found: no worker of this user can save findings here: Permission denied"
                             in result.stderr, lines > 0)

    def test_texts_cannot_control_the_terminal(self):
        self.worker("a\x1b[31m", host="h\x1b]0;t\x07", age=1000, target={"path": "p\x1b[2J"})
        self.worker("b", age=1000, target={"path": "\x9b2J", "digest": "\x1b[1m"})
        self.finding(41, "7", sut="./\x1b[5m", site="s\x1b[6m", when="\x1b[7m")
        self.write("found/workers/c\x1b[8m.json", "torn")
        result = self.status()
        for text in (result.stdout, result.stderr):
            self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), str(result))
        self.object()

    def test_wrong_usage(self):
        self.assert_one_line(self.run_tool(frng.STATUS), 2, "which folder")
        self.assert_one_line(self.status("found", "--jsno"), 2, "--json")


class Reports(Fleet):
    """The files that searches write."""

    def test_a_search_reports_what_it_did(self):
        size, seed = self.assert_found(
            self.search("--findings", "found", "--worker", "a", "--rng-seed", "7", "--jobs", "1",
                        *frng.modes("at-least", 3)))
        told = self.report("a")
        self.assertEqual((told["worker"], told["state"], told["rng_seed"], told["jobs"]),
                         ("a", "found", "7", 1))
        self.assertEqual((told["best"]["size"], told["best"]["seed"]), (size, seed))
        self.assertEqual((told["below"], told["restarts"], told["errors"]), (2, 0, 0))
        self.assertGreaterEqual(told["passed"], told["counted"])
        self.assertEqual(told["target"]["arguments"], ["at-least", "3"])
        (finding,) = [one for one in frng.findings(self.folder / "found").values()
                      if one["size"] == size][:1]
        self.assertEqual(told["target"]["digest"], finding["sut_digest"])
        self.assertEqual(sorted(os.listdir(self.folder / "found/workers")), ["a.json"])

    def test_the_default_name_has_host_process_and_start(self):
        search = self.start(frng.SEARCH, "--findings", "found", "--sync", "1s",
                            *frng.modes("at-least", 3))
        search.communicate()
        (name,) = os.listdir(self.folder / "found/workers")
        self.assertRegex(name, rf"^{re.escape(os.uname().nodename)}-{search.pid}-\d{{8}}T\d{{6}}Z\.json$")

    def test_names_that_no_file_can_have_are_refused(self):
        for name in ("", "a/b", "../a", ".a", "a" * 201):
            self.assert_one_line(self.search("--findings", "found", "--worker", name,
                                             *frng.modes("at-least", 3)), 2, "--worker")
        self.assert_one_line(self.search("--worker", "a", *frng.modes("at-least", 3)), 2,
                             "--worker needs --findings")
        self.assertFalse((self.folder / "found").exists())

    def test_strange_names_are_kept(self):
        names = [b"a" * 200, b"two words", b"\xff\xfe", "\u00e9\u20ac".encode(), b"-x", b"a.json",
                 b"~", b"%s%n"]
        for name in names:
            self.assert_found(self.search("--findings", "found", "--worker=" + os.fsdecode(name), "--attempts", 1,
                                          *frng.modes("at-least", 1)))
        self.assertEqual(sorted(os.listdir(os.fsencode(self.folder / "found/workers"))),
                         sorted(name + b".json" for name in names))
        result = self.status()
        self.assertEqual(result.stderr, "")
        self.assert_shows(result, "^8 workers: 8 done$")
        self.object()

    def test_without_a_failure_it_passed(self):
        self.assert_nothing_found(self.search("--findings", "found", "--worker", "a",
                                              "--size-max", 8, *frng.modes("never")))
        self.assertEqual(self.report("a")["state"], "passed")
        self.assertEqual(self.report("a")["best"], None)
        self.assert_exit(self.status(), 0)

    SLOW = ("slow", 10, "log", 3)

    def start_endless(self, name, *more, test=("at-least", 3), **how):
        return self.start(frng.SEARCH, "--findings", "found", "--worker", name, "--time", "1h",
                          "--attempts", "1000M", *more, *frng.modes(*test), **how)

    def wait_for_report(self, name, condition):
        self.assertTrue(frng.wait_until(lambda: (told := self.report(name)) and condition(told)),
                        f"{name}: {self.report(name)}")

    def test_a_search_stopped_by_a_signal_says_so(self):
        search = self.start_endless("a")
        self.wait_for_report("a", lambda told: told["state"] == "running")
        search.terminate()
        search.communicate()
        self.assertEqual(search.returncode, -signal.SIGTERM)
        self.assertEqual(self.report("a")["state"], "stopped")
        self.assertRegex(self.status().stdout, "1 worker: 1 stopped")

    def test_under_one_name_totals_never_fall(self):
        before = {"runs": 0, "reruns": 0, "seconds": 0, "stretches": 0}
        passed = 0
        for restarts in range(3):
            self.search("--findings", "found", "--worker", "a", *frng.modes("at-least", 3))
            told = self.report("a")
            self.assertEqual(told["restarts"], restarts)
            for name, value in before.items():
                self.assertGreater(told[name], value, name)
                before[name] = told[name]
            self.assertGreaterEqual(told["passed"], passed + 100)
            passed = told["passed"]

    def test_the_same_seeds_again_prove_nothing_more(self):
        for _ in range(2):
            self.search("--findings", "found", "--worker", "a", "--rng-seed", 7, "--attempts", 150,
                        *frng.modes("at-least", 3))
            told = self.report("a")
        self.assertLess(told["passed"], 300)

    def test_passes_of_another_target_do_not_add_up(self):
        for last in (3, 4):
            self.search("--findings", "found", "--worker", "a", "--attempts", 150,
                        *frng.modes("at-least", last))
        told = self.report("a")
        self.assertEqual((told["restarts"], told["below"]), (1, 3))
        self.assertLess(told["passed"], 300)

    def test_one_that_cannot_be_read_stays_as_it_is(self):
        for make in (lambda path: path.write_text("torn{"), lambda path: path.write_text('{"format": 99}'),
                     lambda path: path.write_text(" " * SIZE_OF_HUGE), lambda path: path.mkdir()):
            with self.subTest():
                shutil.rmtree(self.folder / "found", ignore_errors=True)
                path = self.folder / "found/workers/a.json"
                path.parent.mkdir(parents=True)
                make(path)
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
        said = re.findall("cannot be written; the search goes on", result.stderr)
        self.assertEqual(len(said), 1, str(result))

    def test_two_of_one_name_lose_no_totals(self):
        first = self.start_endless("a", "--sync", "1s", test=self.SLOW)
        self.wait_for_report("a", lambda told: told["runs"] > 0)
        second = self.start_endless("a", "--sync", "1s", test=self.SLOW)
        workers = self.folder / "found/workers"
        self.assertTrue(frng.wait_until(lambda: len(list(workers.glob("a*.json"))) == 2))
        for search in (first, second):
            search.terminate()
        told = [search.communicate()[1].decode() for search in (first, second)]
        both = [json.loads(path.read_text()) for path in workers.glob("a*.json")]
        self.assertEqual({one["state"] for one in both}, {"stopped"})
        self.assertEqual({one["pid"] for one in both}, {first.pid, second.pid})
        made = sum(int(re.search(r"effort +([\d,]+) run", text)[1].replace(",", ""))
                   for text in told)
        self.assertEqual(sum(one["runs"] for one in both), made)
        self.assertEqual(len(re.findall("reports under this name too", "".join(told))), 1, told)

    def test_a_folder_that_went_away_is_used_again(self):
        search = self.start_endless("a", "--sync", "1s")
        self.wait_for_report("a", lambda told: told["runs"] > 0)
        (self.folder / "found").rename(self.folder / "gone")
        time.sleep(2)
        self.assertIsNone(search.poll())
        (self.folder / "gone").rename(self.folder / "found")
        runs = self.report("a")["runs"]
        self.wait_for_report("a", lambda told: told["runs"] > runs)

    def test_one_of_four_is_killed_and_then_silent(self):
        searches = [self.start_endless(f"w{i}", "--sync", "1s", test=self.SLOW) for i in range(3)]
        victim = self.start_endless("victim", "--sync", "1s", test=self.SLOW,
                                    start_new_session=True)
        self.assert_found(self.search("--findings", "found", "--worker", "done", "--sync", "1s",
                                      *frng.modes(*self.SLOW)))
        for name in ("w0", "w1", "w2", "victim"):
            self.wait_for_report(name, lambda told: told["runs"] > 0)
        os.killpg(victim.pid, signal.SIGKILL)
        victim.wait()
        told = self.report("victim")
        self.assertEqual(told["state"], "running")
        due = 3 * told["every"]
        began = time.time()

        def states():
            return {one["worker"]: one["state"] for one in self.object()["each"]}

        self.assertTrue(frng.wait_until(lambda: states()["victim"] == "silent"), states())
        written = (self.folder / "found/workers/victim.json").stat().st_mtime
        self.assertGreaterEqual(time.time() - written, due)
        self.assertLess(time.time() - began, due + 30) # it runs late on a busy machine
        self.assertEqual(states()["done"], "found")
        self.assert_exit(self.status(), 3)
        for search in searches:
            search.terminate()
        made = 0
        for search in searches:
            text = search.communicate()[1].decode()
            made += int(re.search(r"effort +([\d,]+) run", text)[1].replace(",", ""))
        made += told["runs"] + self.report("done")["runs"]
        self.assertEqual(self.object()["runs"], made)
        again = self.start_endless("victim", "--sync", "1s", test=self.SLOW)
        self.wait_for_report("victim", lambda now: now["runs"] > told["runs"])
        self.assertEqual(states()["victim"], "running")
        self.assertEqual(self.report("victim")["restarts"], 1)
        again.terminate()
        again.communicate()


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
