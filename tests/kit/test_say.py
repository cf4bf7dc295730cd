"""frng_say: what a test says between its draws."""

import unittest

import frng

SAYS = frng.BUILD / "tests" / "kit" / "kit-says"


class Say(frng.Scenario):
    def trace(self, hexadecimal, how, *options):
        return self.replay("--trace", "--hex", hexadecimal, *options, SAYS, "--", how)

    def lines(self, result):
        return [line[8:] for line in result.stdout.split("\n") if line.startswith("      > ")]

    def test_lines_stand_between_the_draws_where_they_were_said(self):
        result = self.trace("0044", "passes")
        self.assert_exit(result, 0)
        table = result.stdout[result.stdout.index("offset"):].split("\n")
        self.assertRegex(table[0], "^offset +note +bytes +draw +value$")
        self.assertEqual(table[1:3], ["1. fault", "      > round 1 of two"])
        self.assertRegex(table[3], "^ +0 +who +00 +u8 0..3 +0$")
        self.assertEqual(table[4:7], ["      > cuts off S0 for 0 ms", "2. fault",
                                      "      > round 2 of two"])

    def test_lines_are_whole_up_to_159_bytes_and_escaped(self):
        lines = self.lines(self.trace("000000", "passes"))
        at = lines.index("all rounds")
        self.assertEqual(lines[at + 1:at + 5], ["", "x" * 32, "x" * 64, "x" * 159])
        self.assertEqual(lines[at + 5], "x" * 156 + "...")
        self.assertEqual(lines[at + 6], r"raw \x1b[31mred\x0aand \xff\xfe")

    def test_lines_after_the_last_draw_and_before_a_crash_are_kept(self):
        lines = self.lines(self.trace("00", "passes"))
        self.assertIn("out of entropy", lines)
        result = self.trace("0000", "aborts")
        self.assert_exit(result, 1)
        self.assertIn("all rounds", self.lines(result))

    def test_a_run_is_the_same_with_and_without_a_trace(self):
        for entropy in ("", "80", "80ff", "80ff10"):
            silent = self.replay("--hex", entropy, SAYS, "--", "draws")
            heard = self.trace(entropy, "draws")
            self.assertEqual(silent.exit, heard.exit)
            said = heard.stdout.split("\n")[0]
            self.assertEqual(said, silent.stdout.split("\n")[0] + ", heard")

    def test_a_search_does_not_listen(self):
        result = self.search("--attempts", 20, SAYS, "--", "aborts")
        self.assert_exit(result, 1)
        self.assertNotIn("heard", result.stdout + result.stderr)

    def test_too_many_lines_leave_the_rest_out(self):
        result = self.trace("0000", "many")
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout, r"\n\.\.\. and [\d,]+ more\n")

    def test_the_trace_of_an_example_tells_its_story(self):
        ring = frng.BUILD / "examples" / "ring"
        result = self.replay("--trace", "--size", 93, "--seed", 4000043702, ring)
        self.assert_exit(result, 1)
        self.assertEqual(self.lines(result)[-2:],
                         ["interrupt: takes 18, tail = 29", "main: reads from 207 up to 212"])

    def test_json_and_a_report_have_the_lines(self):
        result = self.trace("0044", "passes", "--json", "replay.jsonl")
        self.assert_exit(result, 0)
        events = frng.json_lines((self.folder / "replay.jsonl").read_text())
        says = [e for e in events if e["event"] == "say"]
        self.assertEqual([e["text"] for e in says[:4]],
                         ["round 1 of two", "cuts off S0 for 0 ms", "round 2 of two",
                          "cuts off S1 for 20 ms"])
        self.assertEqual([e["draws"] for e in says[:4]], [0, 1, 1, 2])
        self.assertEqual([e["offset"] for e in says[:4]], [0, 1, 1, 2])
        self.assertEqual([e["step"] for e in says[:4]], ["fault", None, "fault", None])
        self.assertEqual([e["step_number"] for e in says[:4]], [1, 1, 2, 2])
        draws = [e for e in events if e["event"] == "draw"]
        self.assertEqual([e["step"] for e in draws], ["fault", "fault"])
        page = self.run_tool(frng.REPORT, "replay.jsonl")
        self.assert_exit(page, 0)
        html = (self.folder / "report.html").read_text()
        self.assertLess(html.index("round 1 of two"), html.index("cuts off S0 for 0 ms"))
        self.assertIn('"step":"fault"', html.replace(" ", ""))
        self.assertNotIn("\x1b", html)


if __name__ == "__main__":
    unittest.main()
