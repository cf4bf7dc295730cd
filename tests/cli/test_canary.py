"""frng-search --canary: a program that must fail, in place of the target."""

import json
import os
import unittest

import frng


class Canary(frng.Scenario):
    def workers(self):
        return [json.loads(path.read_text())
                for path in (self.folder / "found/workers").glob("*.json")]

    def private_tool(self, canary=None):
        """A copy of frng-search in a folder of its own, with a program for --canary beside it."""
        tool = self.copy_sut(frng.SEARCH, "tools/frng-search")
        if canary is not None:
            self.script("tools/frng-canary", canary)
        return tool

    def test_it_is_found_without_a_target_and_without_a_folder(self):
        self.assert_found(self.search("--canary"))
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_target_does_not_run(self):
        target = self.script("target", f": >{self.folder}/ran; exit 3\n")
        result = self.search(target, "--canary", "--", "argument", "@@")
        self.assert_found(result)
        self.assertFalse((self.folder / "ran").exists())
        self.assert_found(self.search("./no-such-target", "--canary"))

    def test_no_option_hides_it_or_keeps_it_from_ending(self):
        for options in (["--only", "exit:77"], ["--ignore", "signal:*"], ["--require", "deep:50%"],
                        ["--size-max", 0], ["--attempts", 10**9], ["--all"],
                        ["--reduce"], ["--expand", "styled"], ["--expand", "uniform"],
                        ["--keep-going", "--time", "1h"], ["--time", "8h"], ["--stdin", "pipe"],
                        ["--keep-going", "--time", "1h", "--findings", "found", "--sync", "1s",
                         "--worker", "one"]):
            self.assert_found(self.search("--canary", *options))

    def test_each_mode_finds_it(self):
        for mode in ("spawn", "fork", "persistent"):
            for jobs in (1, 3):
                self.assert_found(self.search("--canary", "--mode", mode, "--jobs", jobs))

    def test_its_findings_and_its_report_are_set_apart(self):
        self.assert_found(self.search(frng.MODES, "--findings", "found", "--", "at-least", 9))
        ours = frng.findings(self.folder / "found")
        result = self.search(frng.MODES, "--canary", "--findings", "found", "--", "at-least", 9)
        self.assert_found(result)
        self.assertEqual(frng.findings(self.folder / "found"), ours)
        theirs = frng.findings(self.folder / "found/canary")
        self.assertTrue(theirs)
        for finding in theirs.values():
            self.assertRegex(finding["sut"], "/frng-canary$")
            self.assertEqual(finding["args"], [])
        (worker,) = self.workers()
        self.assertEqual((worker["canary"], worker["state"]), (True, "found"))

    def test_it_is_found_anew_each_time(self):
        for _ in range(2):
            result = self.search("--canary", "--findings", "found", "--worker", "canary",
                                 "--json", "events")
            self.assert_found(result)
            self.assertNotIn("known finding", result.stderr)
        (worker,) = self.workers()
        self.assertEqual((worker["worker"], worker["restarts"]), ("canary", 1))

    def test_a_canary_that_passes_is_bad_news(self):
        result = self.run_tool(self.private_tool("sleep 0.01\n"), "--canary", "--time", "1s",
                               "--findings", "found")
        self.assert_nothing_found(result)
        self.assert_says(result, r"the canary must fail, and no failure was found")
        (worker,) = self.workers()
        self.assertEqual((worker["canary"], worker["state"]), (True, "passed"))

    def test_a_tool_without_its_canary_says_so(self):
        tool = self.private_tool()
        self.assert_one_line(self.run_tool(tool, "--canary"), 2, "no frng-canary in .*/tools")

    def test_a_link_to_the_tool_is_followed(self):
        os.symlink(frng.SEARCH, self.folder / "search")
        self.assert_found(self.run_tool("./search", "--canary"))

    def test_the_folder_is_needed_no_more_than_otherwise(self):
        (self.folder / "found").write_text("a file")
        self.assert_one_line(self.search("--canary", "--findings", "found"), 2, "found/canary")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
