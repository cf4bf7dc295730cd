"""Findings: what is on disk, when, and what a later search makes of it."""
# suites: sanitized

import json
import os
import re

import frng

STAIRCASE = frng.modes("staircase")


class Folder(frng.Scenario):
    def search_into(self, *arguments, **more):
        return self.search("--findings", self.folder / "found", *arguments, **more)

    def found(self):
        folder = self.folder / "found"
        return frng.findings(folder) if folder.exists() else {}

    def replayed(self, result):
        return re.findall(r"known finding, size (\d+), .*: (.*)", result.stderr)

    def skipped(self, result):
        return [line.replace(f"frng-search: {self.folder}/found", "") for line in
                result.stderr.splitlines() if "skipped" in line]


class Files(Folder):
    def test_one_bug_is_one_file_with_every_field_and_its_final_reruns(self):
        size, seed = self.assert_found(self.search_into("--rng-seed", 1, "--attempts", 10, *STAIRCASE))
        name = frng.finding_name(size, seed)
        self.assertEqual([path.name for path in (self.folder / "found").iterdir()], [name])
        finding = self.found()[name]
        self.assertRegex(finding.pop("sut_digest"), r"\A[0-9a-f]{64}\Z")
        self.assertRegex(finding.pop("when"), r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")
        self.assertEqual(finding, {
            "format": 2 if seed.endswith("s") else 1, "sut": frng.MODES, "args": ["staircase"],
            "size": size, "seed": seed, "expand": 1, "identity": "exit:1", "status": 1, "site": None,
            "reruns": 20, "repeated": 20, "draws": None})
        path = self.folder / "found" / name
        before = path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()
        for options in ([], ["--sync", "1s"], ["--all"]):  # it is never written again
            self.assert_exit(self.search_into("--attempts", 1, *options, *STAIRCASE), 1)
            self.assertEqual((path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()), before)
        for _ in range(2):  # a reduction leaves one file beside it
            self.assert_exit(self.reduce("--findings", "found", "--finding", f"found/{name}"), 1)
            self.assertCountEqual([finding.get("reduced") for finding in self.found().values()],
                                  [True, None])

    def test_a_reduction_leaves_one_file_which_it_names(self):
        result = self.search_into("--rng-seed", 1, "--attempts", 10, "--reduce", *STAIRCASE)
        self.assert_exit(result, 1)
        paths = re.findall(r"(?m)^  replay .*\n  finding  (.*)$", result.stderr)
        self.assertEqual(paths, [str(self.folder / "found" / name) for name in self.found()])
        self.assert_exit(self.replay("--finding", paths[0]), 1)
        (finding,) = self.found().values()
        size, seed = frng.find_result(result.stdout.splitlines()[0] + "\n")
        self.assertEqual((finding["reduced"], finding["from_size"], finding["from_seed"]),
                         (True, size, str(seed)))
        again = self.search_into("--rng-seed", 1, "--attempts", 2, *STAIRCASE)
        self.assert_says(again, f"known finding, size {size}, seed {seed}: still fails")
        (name,) = [name for name, one in self.found().items() if one == finding]
        (self.folder / "found" / name).unlink()
        del finding["from_size"]  # bytes that no seed gives are run as they are, unless they are many
        for more, says in (65536, "it has no seed; frng-reduce takes its bytes"), (0, "known finding, "):
            hex_digits = finding["hex"] + "00" * more
            name = frng.finding_name(len(hex_digits) // 2, "1")
            self.write(f"found/{name}", json.dumps({**finding, "hex": hex_digits}))
            result = self.search_into("--rng-seed", 1, "--attempts", 2, *STAIRCASE)
            self.assert_says(result, says)
        self.assert_says(result, f"known finding, {len(finding['hex']) // 2} bytes: still fails")
        result = self.search("--attempts", 5, "--size-max", 512, "--reduce", *STAIRCASE)
        self.assertNotIn("  finding  ", result.stderr)

    def test_what_does_not_fail_again_is_not_stored(self):
        for sut, status in ((frng.modes("never"), 0), (frng.modes("once", self.folder / "mark", 1), 3)):
            self.assert_exit(self.search_into("--attempts", 2, "--size-max", 64, *sut), status)
            self.assertEqual(self.found(), {})

    def test_with_all_the_smallest_of_each_signature_is_kept_and_run_again(self):
        sut = frng.modes("two", 20, 21)
        searched = self.search_into("--all", "--attempts", 20, "--size-max", 64, "--sync", "1s", *sut)
        self.assert_exit(searched, 1)
        self.assertEqual([(one["identity"], one["size"]) for one in self.found().values()],
                         [("signal:SIGABRT", 20), ("exit:3", 21)])
        listed = self.replay("--list", "found")  # the rest of it is in tests/transcripts/list.t
        for line in listed.stdout.splitlines()[2::2]:
            self.assert_exit(self.run_tool("sh", "-c", line), 1)
        self.assertEqual(self.replay("--list", "found", "-q").stdout, searched.stdout)
        self.write(f"found/{frng.finding_name(9999, '1')}", "torn{")
        result = self.search_into("--all", "--attempts", 2, *sut)
        self.assert_exit(result, 1)
        self.assertEqual(len(self.skipped(result)), 1, result.stderr)
        self.assertEqual(self.replayed(result), [("20", "still fails"), ("21", "still fails")])


class Resume(Folder):
    def test_findings_are_replayed_first_and_no_run_is_beyond_the_best(self):
        log = self.folder / "sizes"
        sut = frng.modes("log", log, 41)
        self.assert_found(self.search_into("--attempts", 2, *sut), 41)
        log.unlink()
        self.assert_found(self.search_into("--attempts", 2, "--jobs", 1, *sut), 41)
        sizes = [int(size) for size in log.read_text().split()]
        self.assertEqual((sizes[0], max(sizes)), (41, 41))

    def test_a_program_that_was_mended_or_rebuilt(self):
        """Rows: from which size it fails, what is found, and of the finding of 41 bytes."""
        sut = self.folder / "sut"
        for least, size, said in ((41, 41, None), (43, 43, "passes now"), (41, 41, "still fails"),
                                  (10**6, None, "passes now")):
            self.script("sut", f"test $(wc -c) -lt {least} # of {said}")
            result = self.search_into("--attempts", 2, "--size-max", 256, sut)
            self.assertEqual(dict(self.replayed(result)).get("41"), said, str(result))
            self.assertEqual("the program has been rebuilt since" in result.stderr, said is not None)
            before = self.found()
            if size is None:
                self.assert_nothing_found(result)
            else:
                self.assert_found(result, size)
                self.assertIn(size, [one["size"] for one in before.values()])

    def test_files_that_are_skipped(self):
        """The first have a line each and the others one; what is larger than the best is not opened.
        Findings of another program or other arguments are none of ours."""
        self.assert_found(self.search_into("--attempts", 2, *frng.modes("at-least", 5)), 5)
        (theirs,) = self.found()
        for sut in (frng.modes("at-least", 41), [self.script("sut", "test $(wc -c) -lt 41")]):
            result = self.search_into("--attempts", 2, "--size-max", 64, *sut)
            self.assert_found(result, 41)
            self.assertIn(f"/{theirs}: skipped: it is of another program or arguments", self.skipped(result))
        for name in self.found():
            (self.folder / "found" / name).unlink()
        self.search_into("--attempts", 2, *frng.modes("at-least", 41))
        self.write(f"found/{frng.finding_name(9999, '1')}", "torn{")
        for count, more in ((3, []), (4, [": 1 more file skipped"]), (120, [": 117 more files skipped"])):
            for i in range(count):
                self.write(f"found/{frng.finding_name(1, str(i))}", "torn{")
            result = self.search_into("--attempts", 2, *frng.modes("at-least", 41))
            self.assert_found(result, 41)
            lines = [f"/{frng.finding_name(1, str(i))}: skipped: it is cut short, or not a JSON object" for i in range(3)]
            self.assertEqual(self.skipped(result), lines + more)

    def test_findings_that_are_too_large_are_counted_and_not_opened(self):
        (self.folder / "found").mkdir()
        for i in range(50):
            os.mkfifo(self.folder / "found" / frng.finding_name(100 + i, str(i)))  # a reader would wait
        result = self.search_into("--attempts", 2, "--size-max", 64, frng.MODES)
        self.assert_found(result, 41)
        lines = self.skipped(result)
        self.assertEqual(lines[0], f"/{frng.finding_name(100, '0')}: skipped: larger than --size-max 64")
        self.assertEqual(lines[3:], [": 47 more files skipped"])

    def test_a_finding_behind_a_flaky_one_is_run_again(self):
        self.assert_found(self.search_into("--attempts", 2, frng.MODES), 41)
        ((name, finding),) = self.found().items()
        (self.folder / "found" / name).unlink()
        for size, repeated in ((42, 3), (43, 20)):
            self.write(f"found/{frng.finding_name(size, finding['seed'])}",
                       json.dumps({**finding, "size": size, "reruns": 20, "repeated": repeated}))
        result = self.search_into("--attempts", 2, frng.MODES)
        self.assert_found(result, 41)
        self.assertEqual(self.replayed(result), [("42", "passes now"), ("43", "still fails")])
