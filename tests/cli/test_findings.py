"""Findings: what is on disk, when, and what a later search makes of it."""

import json
import os
import re
import shutil
import unittest

import frng

STAIRCASE = frng.modes("staircase")

# How a best is announced on stderr, by the way and at the end.

class Folder(frng.Scenario):
    def search_into(self, *arguments, **more):
        return self.search("--findings", self.folder / "found", *arguments, **more)

    def found(self):
        return frng.findings(self.folder / "found")


class Files(Folder):
    def test_the_folder_is_made_and_the_best_is_its_first_name(self):
        result = self.search_into("--attempts", 10, *STAIRCASE)
        size, seed = self.assert_found(result)
        self.assertEqual(min(self.found()), frng.finding_name(size, seed))

    def test_a_reduction_leaves_one_file_which_it_names(self):
        result = self.search_into("--attempts", 10, "--reduce", *STAIRCASE)
        self.assert_exit(result, 1)
        paths = re.findall(r"(?m)^  replay .*\n  finding  (.*)$", result.stderr)
        self.assertEqual(paths, [str(self.folder / "found" / name) for name in self.found()])
        self.assert_exit(self.replay("--finding", paths[0]), 1)
        (finding,) = self.found().values()
        size, seed = frng.find_result(result.stdout.splitlines()[0] + "\n")
        self.assertEqual((finding["reduced"], finding["from_size"], finding["from_seed"]),
                         (True, size, str(seed)))
        again = self.search_into("--attempts", 2, *STAIRCASE)
        self.assert_says(again, f"known finding, size {size}, seed {seed}: still fails")

    def test_a_reduction_leaves_one_file_beside_those_of_others(self):
        self.search_into("--attempts", 10, *STAIRCASE)
        (theirs,) = self.found()
        for options in (["--finding", f"found/{theirs}"], ["--finding", f"found/{theirs}"]):
            self.assert_exit(self.reduce("--findings", "found", *options), 1)
            self.assertCountEqual([finding.get("reduced") for finding in self.found().values()],
                                  [True, None])

    def test_a_search_without_findings_names_no_file(self):
        result = self.search("--attempts", 5, "--size-max", 512, "--reduce", *STAIRCASE)
        self.assertNotIn("  finding  ", result.stderr)

    def test_nothing_but_findings_is_left_in_the_folder(self):
        self.assert_found(self.search_into("--attempts", 10, *STAIRCASE))
        self.assertTrue(self.found())
        for path in (self.folder / "found").iterdir():
            self.assertRegex(path.name, rf"\A{frng.FINDING_NAME.pattern}\Z")

    def test_a_finding_has_every_field(self):
        result = self.search_into("--attempts", 5, *frng.modes("two", 20, 21))
        size, seed = self.assert_found(result, 20)
        finding = self.found()[frng.finding_name(size, seed)]
        self.assertEqual(finding["size"], 20)
        self.assertEqual(finding["seed"], str(seed))
        self.assertEqual(finding["identity"], "signal:SIGABRT")
        self.assertEqual(finding["args"], ["two", "20", "21"])
        self.assertTrue(finding["sut"].endswith("sut-modes"), finding)
        self.assertRegex(finding["sut_digest"], r"[0-9a-f]{16,}")
        for field in ("format", "status", "when"):
            self.assertIn(field, finding)
        self.assertTrue([name for name in finding if "expand" in name], finding)

    def test_a_search_without_failure_stores_nothing(self):
        result = self.search_into("--attempts", 2, "--size-max", 64, *frng.modes("never"))
        self.assert_nothing_found(result)
        self.assertEqual(self.found() if (self.folder / "found").exists() else {}, {})

    def test_a_failure_that_never_repeats_is_not_stored(self):
        result = self.search_into("--attempts", 5, "--size-max", 64,
                                  *frng.modes("once", self.folder / "mark", 1))
        self.assert_exit(result, 3)
        self.assertEqual(self.found() if (self.folder / "found").exists() else {}, {})


class Resume(Folder):
    def test_a_later_search_goes_on_from_the_best(self):
        first = self.assert_found(self.search_into("--attempts", 2, "--rng-seed", 1, *STAIRCASE))
        result = self.search_into("--attempts", 2, "--rng-seed", 2, "--json", "-", *STAIRCASE)
        self.assert_exit(result, 1)
        events = frng.json_lines(result.stdout)
        bests = [event for event in events if event["event"] == "best"]
        self.assertLessEqual(bests[0]["size"], first[0])
        self.assertLessEqual(events[-1]["size"], first[0])

    def test_findings_are_replayed_before_anything_else(self):
        log = self.folder / "sizes"
        sut = frng.modes("log", log, 41)
        self.assert_found(self.search_into("--attempts", 2, *sut), 41)
        log.unlink()
        self.assert_found(self.search_into("--attempts", 2, "--jobs", 1, *sut), 41)
        self.assertEqual(log.read_text().split()[0], "41")

    def test_a_resumed_search_never_runs_beyond_the_best(self):
        log = self.folder / "sizes"
        sut = frng.modes("log", log, 41)
        self.assert_found(self.search_into("--attempts", 2, *sut), 41)
        log.unlink()
        (self.folder / "found").joinpath("note.txt").write_text("mine")
        for name in list(self.found())[1:]:
            (self.folder / "found" / name).unlink()
        self.assert_found(self.search_into("--attempts", 2, *sut), 41)
        self.assertLessEqual(max(map(int, log.read_text().split())), 41)

    def test_a_fixed_bug_is_not_found_again(self):
        sut = self.script("sut", "test $(wc -c) -lt 41")
        self.assert_found(self.search_into("--attempts", 2, sut), 41)
        before = self.found()
        self.script("sut", "cat > /dev/null")
        result = self.search_into("--attempts", 2, "--size-max", 256, sut)
        self.assert_nothing_found(result)
        self.assertEqual(self.found(), before)

    def test_the_best_that_no_longer_fails_gives_way_to_the_next(self):
        sut = self.script("sut", "test $(wc -c) -lt 41")
        self.assert_found(self.search_into("--attempts", 2, sut), 41)
        self.script("sut", "test $(wc -c) -lt 43")
        self.assert_found(self.search_into("--attempts", 2, sut), 43)

    def test_findings_of_another_program_or_arguments_are_skipped_with_a_line(self):
        self.assert_found(self.search_into("--attempts", 2, *frng.modes("at-least", 5)), 5)
        name = min(self.found())
        result = self.search_into("--attempts", 2, *frng.modes("at-least", 41))
        self.assert_found(result, 41)
        self.assertIn(name, result.stderr)
        sut = self.script("sut", "test $(wc -c) -lt 41")
        result = self.search_into("--attempts", 2, sut)
        self.assert_found(result, 41)
        self.assertIn(name, result.stderr)

    def test_a_rebuilt_program_draws_a_message(self):
        sut = self.script("sut", "test $(wc -c) -lt 41")
        self.assert_found(self.search_into("--attempts", 2, sut), 41)
        usual = self.search_into("--attempts", 2, sut)
        self.script("sut", "test $(wc -c) -lt 41 # rebuilt, as programs are")
        rebuilt = self.search_into("--attempts", 2, sut)
        self.assertGreater(len(rebuilt.stderr.splitlines()), len(usual.stderr.splitlines()))

    def skipped(self, result):
        return [line for line in result.stderr.splitlines() if "skipped" in line]

    def test_the_first_files_that_are_skipped_have_a_line_each_and_the_others_one(self):
        for count in (3, 4, 120):
            for i in range(count):
                self.write(f"found/{frng.finding_name(1, str(i))}", "torn{")
            result = self.search_into("--attempts", 2, frng.MODES)
            self.assert_found(result, 41)
            *lines, last = self.skipped(result) + [""] * (count == 3)
            names = [frng.finding_name(1, str(i)) for i in range(3)]
            self.assertEqual(lines, [f"frng-search: {self.folder}/found/{name}: skipped: it is "
                                     "not a JSON object" for name in names])
            more = {3: "", 4: "1 more file skipped", 120: "117 more files skipped"}[count]
            self.assertEqual(last, more and f"frng-search: {self.folder}/found: {more}")

    def test_findings_that_are_too_large_are_counted_and_not_opened(self):
        (self.folder / "found").mkdir()
        for i in range(50):
            os.mkfifo(self.folder / "found" / frng.finding_name(100 + i, str(i)))  # a reader would wait
        result = self.search_into("--attempts", 2, "--size-max", 64, frng.MODES)
        self.assert_found(result, 41)
        lines = self.skipped(result)
        self.assertEqual(len(lines), 4, lines)
        self.assertIn("0000000100-0000000000000000.json: skipped: larger than --size-max 64",
                      lines[0])
        self.assertIn("47 more files skipped", lines[3])

    def test_a_finding_behind_one_that_still_fails_is_not_opened(self):
        self.assert_found(self.search_into("--attempts", 2, frng.MODES), 41)
        self.write(f"found/{frng.finding_name(9999, '1')}", "torn{")
        self.write(f"found/{frng.finding_name(1, '1')}", "torn{")
        result = self.search_into("--attempts", 2, frng.MODES)
        self.assert_found(result, 41)
        self.assertEqual([frng.finding_name(1, "1") in line for line in self.skipped(result)], [True])

    def test_with_all_each_finding_is_opened_and_each_signature_run_again(self):
        sut = frng.modes("two", 20, 21)
        self.search_into("--all", "--attempts", 20, "--size-max", 64, *sut)
        smallest = {finding["identity"]: finding["size"] for _, finding in
                    sorted(self.found().items(), reverse=True)}
        self.assertEqual(smallest, {"signal:SIGABRT": 20, "exit:3": 21})
        self.write(f"found/{frng.finding_name(9999, '1')}", "torn{")
        result = self.search_into("--all", "--attempts", 2, *sut)
        self.assert_exit(result, 1)
        self.assertEqual(len(self.skipped(result)), 1, result.stderr)
        replayed = re.findall(r"known finding, size (\d+), .*: (.*)", result.stderr)
        self.assertEqual(replayed, [("20", "still fails"), ("21", "still fails")])

    def test_a_finding_behind_a_flaky_one_is_run_again(self):
        self.assert_found(self.search_into("--attempts", 2, frng.MODES), 41)
        name = min(self.found())
        flaky = {**self.found()[name], "size": 42, "reruns": 20, "repeated": 3}
        for path in (self.folder / "found").iterdir():
            path.unlink()
        self.write(f"found/{frng.finding_name(42, flaky['seed'])}", json.dumps(flaky))
        self.write(f"found/{frng.finding_name(43, flaky['seed'])}",
                   json.dumps({**flaky, "size": 43, "repeated": 20}))
        result = self.search_into("--attempts", 2, frng.MODES)
        self.assert_found(result, 41)
        replayed = re.findall(r"known finding, size (\d+), .*: (.*)", result.stderr)
        self.assertEqual(replayed, [("42", "passes now"), ("43", "still fails")])


class Kept(Folder):
    """What is written once, and what goes."""

    def files(self):
        """{name: inode, time and content}"""
        found = {}
        for path in (self.folder / "found").glob("*.json"):
            status = path.stat()
            found[path.name] = (status.st_ino, status.st_mtime_ns, path.read_bytes())
        return found

    def test_one_bug_is_one_file_with_its_final_reruns(self):
        best = self.assert_found(self.search_into("--attempts", 10, *STAIRCASE))
        reruns = {name: finding["reruns"] for name, finding in self.found().items()}
        self.assertEqual(reruns, {frng.finding_name(*best): 20})

    def test_a_finding_that_is_there_is_never_written_again(self):
        self.assert_found(self.search_into("--attempts", 2, "--rng-seed", 1, *STAIRCASE))
        before = self.files()
        for options in ([], ["--sync", "1s"], ["--all"]):
            self.assert_exit(self.search_into("--attempts", 2, *options, *STAIRCASE), 1)
            after = self.files()
            self.assertEqual({name: after.get(name) for name in before}, before)

    def test_a_search_that_syncs_keeps_its_smallest_of_each_signature(self):
        best = self.assert_found(self.search_into("--attempts", 20, "--sync", "1s", *STAIRCASE))
        self.assertEqual(list(self.found()), [frng.finding_name(*best)])
        shutil.rmtree(self.folder / "found")
        result = self.search_into("--all", "--attempts", 20, "--size-max", 64, "--sync", "1s",
                                  *frng.modes("two", 20, 21))
        self.assert_exit(result, 1)
        self.assertEqual(sorted(finding["size"] for finding in self.found().values()), [20, 21])


class Sharing(Folder):
    def test_two_searches_write_one_folder_at_once(self):
        command = [frng.SEARCH, "--attempts", 100, "--jobs", 1, "--findings", "found", *STAIRCASE]
        both = [self.start(*command) for _ in range(2)]
        answers = [process.communicate(timeout=frng.PATIENCE_S) for process in both]
        results = []
        for process, (stdout, stderr) in zip(both, answers):
            self.assertEqual(process.returncode, 1, stderr)
            results.append(frng.find_result(stdout.decode()))
        names = self.found()
        for size, seed in results:
            self.assertIn(frng.finding_name(size, seed), names)
        for name, finding in names.items():
            size, seed = finding["size"], finding["seed"]
            self.assertEqual(name, frng.finding_name(size, seed))
            self.assert_exit(self.replay("--finding", f"found/{name}", *STAIRCASE), 1)

    def test_a_folder_that_cannot_be_written_is_exit_4_and_the_finding_is_on_stderr(self):
        folder = self.folder / "found"
        folder.mkdir()
        folder.chmod(0o555)
        result = self.search_into("--attempts", 2, frng.MODES,
                                  preexec_fn=frng.without_power_over_files)
        folder.chmod(0o755)
        self.assert_exit(result, 4)
        self.assert_says(result, "found", "--size[= ]41 --seed", "exit:1")


class Listing(Folder):
    def finding(self, size, seed, *, found="found", **more):
        """A finding written by hand."""
        fields = {"format": 2 if seed.endswith("s") else 1, "sut": "./prog", "sut_digest": "ab",
                  "args": [], "size": size, "seed": seed, "expand": 1, "identity": "exit:3",
                  "status": 3, "reruns": 20, "repeated": 20, "when": "2026-11-22T08:30:00Z", **more}
        if "hex" in fields:
            del fields["size"], fields["seed"]
        self.write(f"{found}/{frng.finding_name(size, seed)}", json.dumps(fields))

    def rows(self, *arguments):
        result = self.replay("--list", "found", *arguments)
        self.assert_exit(result, 0)
        self.assertEqual(result.stderr, "", str(result))
        return result.stdout.splitlines()

    def test_each_signature_has_a_row_with_its_smallest_and_a_line_that_replays_it(self):
        self.search_into("--all", "--attempts", 20, "--size-max", 64, *frng.modes("two", 20, 21))
        heading, *rows = self.rows()
        self.assertEqual(heading.split(), ["signature", "size", "reruns", "findings", "found"])
        table = [row.split() for row in rows[::2]]
        self.assertEqual([row[0] for row in table], ["signal:SIGABRT", "exit:3"], rows)
        self.assertEqual([row[1] for row in table], ["20", "21"])
        for line in rows[1::2]:
            self.assert_exit(self.run_tool("sh", "-c", line), 1)

    def test_results_alone_are_those_of_a_search_for_all(self):
        searched = self.search_into("--all", "--attempts", 20, "--size-max", 64, *frng.modes("two", 20, 21))
        self.assertEqual(self.rows("--quiet"), searched.stdout.splitlines())

    def test_rows_are_in_the_order_of_size_and_count_their_findings(self):
        for size, seed in ((30, "1"), (20, "2s"), (25, "3")):
            self.finding(size, seed)
        self.finding(7, "9", identity="signal:SIGABRT", status=134, site="a b.c:3")
        self.finding(40, "4", args=["-x", "y z"])
        rows = self.rows()[1:]
        self.assertEqual([row.split()[-4:-1] for row in rows[::2]],
                         [["7", "20/20", "1"], ["20", "20/20", "3"], ["40", "20/20", "1"]])
        self.assertIn("signal:SIGABRT at a b.c:3", rows[0])
        self.assertTrue(rows[3].endswith("frng-replay ./prog --size 20 --seed 2s"), rows)
        self.assertTrue(rows[5].endswith("--size 40 --seed 4 -- -x 'y z'"), rows)

    def test_one_that_always_failed_is_preferred_to_a_smaller_flaky_one(self):
        self.finding(5, "1", repeated=3)
        self.finding(9, "2")
        self.assertEqual(self.rows("-q"), ["size=9 seed=2 signature=exit:3"])

    def test_of_equal_sizes_the_reduced_one_is_the_answer_everywhere(self):
        self.finding(2, "1", reruns=40, repeated=40)
        self.finding(2, "2", hex="0000", reruns=30, repeated=30)
        self.finding(2, "3", hex="00ff", reduced=True)
        self.finding(2, "4", hex="00fe", reduced=True, reruns=3, repeated=3)
        self.assertEqual(self.rows("-q"), ["size=2 hex=00ff signature=exit:3"])
        status = self.run_tool(frng.STATUS, "found")
        self.assert_exit(status, 1)
        self.assertIn("--hex 00ff", status.stdout)
        self.assert_exit(self.run_tool(frng.REPORT, "found"), 0)
        page = (self.folder / "report.html").read_text()
        self.assertIn("found/0000000002-0000000000000003.json", page)
        self.assertNotIn("found/0000000002-0000000000000002.json", page)

    def test_bytes_are_shown_as_hex_or_by_their_file(self):
        self.finding(2, "1", hex="00ff")
        self.finding(100, "2", hex="00" * 100, identity="exit:4", status=4)
        short, long = self.rows("-q")
        self.assertEqual(short, "size=2 hex=00ff signature=exit:3")
        self.assertRegex(long, r"^size=100 finding=found/\S+\.json signature=exit:4$")
        self.assertRegex(self.rows()[-1], r"--finding found/0000000100-\S+\.json$")

    def test_signatures_are_chosen(self):
        self.finding(5, "1")
        self.finding(9, "2", identity="timeout", status=124)
        self.assertEqual(self.rows("-q", "--only", "timeout"), ["size=9 seed=2 signature=timeout"])
        self.assertEqual(self.rows("-q", "--ignore", "timeout"), ["size=5 seed=1 signature=exit:3"])

    def test_a_file_that_is_not_a_finding_is_skipped_with_a_line(self):
        self.finding(5, "1")
        self.write("found/0000000004-0000000000000001.json", "torn{")
        result = self.replay("--list", "found", "-q")
        self.assert_exit(result, 0)
        self.assertEqual(result.stdout, "size=5 seed=1 signature=exit:3\n")
        self.assert_says(result, "0000000004-0000000000000001.json: skipped")
        for i in range(10):
            self.write(f"found/{frng.finding_name(4, str(2 + i))}", "torn{")
        result = self.replay("--list", "found", "-q")
        self.assertEqual(len(result.stderr.splitlines()), 4, result.stderr)
        self.assert_says(result, "found: 8 more files skipped")

    def test_a_folder_is_read_and_never_made_or_tidied(self):
        self.assert_one_line(self.replay("--list", "found"), 129, "found: cannot be opened")
        self.assertFalse((self.folder / "found").exists())
        left = self.write("found/.0000000004-0000000000000001.json.123", "")
        result = self.replay("--list", "found")
        self.assert_one_line(result, 0, "found: no findings")
        self.assertTrue(left.exists())

    def test_it_excludes_an_input_and_a_run(self):
        self.finding(5, "1")
        for more in (["--size", 3, "--seed", 1], ["--runs", 2], ["--trace"], ["--dump"],
                     [frng.MODES], ["--hex", "00"]):
            self.assert_one_line(self.replay("--list", "found", *more), 129, "--list")


if __name__ == "__main__":
    unittest.main()
