"""What the runs of a search drew, and the labels that they had."""

import pathlib
import re

import frng

LABELS = frng.SUTS / "sut-labels"
TABLE = re.compile(r"^  drawn .*?(?=^  effort)", re.MULTILINE | re.DOTALL)


class Labels(frng.Scenario):
    def table(self, *arguments, way="items", expected=(0,)):
        """(the result, its statistics in the last event, their lines for people)"""
        result = self.search(LABELS, "--rng-seed", 5, "--json", self.folder / "events", *arguments,
                             "--", way)
        self.assert_exit(result, *expected)
        events = frng.latest(self.folder / "events")
        table = TABLE.search(result.stderr)
        return result, events[-1]["statistics"], table and table[0]

    def by_name(self, rows):
        return {row["name"]: row for row in rows}

    def expect_items(self, told):
        """Each run has one of two labels; nothing is counted twice."""
        labels, measures = self.by_name(told["labels"]), self.by_name(told["measures"])
        runs = told["runs"]
        self.assertLess(labels["short"]["runs"] + labels["long"]["runs"], runs)  # one had no bytes
        self.assertGreaterEqual(labels["short"]["runs"] + labels["long"]["runs"], runs - 1)
        self.assertAlmostEqual(labels["long"]["share"], labels["long"]["runs"] / runs, 9)
        self.assertTrue(0.4 < labels["long"]["share"] < 0.6, told)
        self.assertLessEqual(labels["short"]["size"]["max"], 128)
        self.assertGreater(labels["long"]["size"]["median"], labels["short"]["size"]["median"])
        self.assertLessEqual(measures["items"]["runs"], runs)
        self.assertLessEqual(measures["items"]["values"]["max"], 255)
        self.assertEqual(told["drawn"]["runs"], runs)
        self.assertLessEqual(told["drawn"]["max"], 256)

    def test_a_search_without_a_failure_shows_how_many_runs_had_each_label(self):
        result, told, table = self.table()
        self.expect_items(told)
        self.assertRegex(table, r"\A  drawn    bytes a run: median [\d,]+, quartiles [\d,]+ and "
                                r"[\d,]+, most \d+; [\d.]+% ran out of entropy\n"
                                r"           draws a run: median .* \(of [\d,]+ runs counted\)\n"
                                r"  labels +of all runs +runs +median size\n"
                                r"           (long|short) +[\d.]+% +[\d,]+ +[\d,]+\n")
        self.assertRegex(table, r"\n  measures +least +median +most\n +items +1 +[\d,]+ +2\d\d\n")
        self.assert_plain(result)

    @frng.long
    @frng.unsanitized
    def test_the_numbers_do_not_depend_on_the_number_of_jobs(self):
        for mode in ("persistent", "fork", "spawn"):
            size = ("--size-max", "4K") if mode != "persistent" else ()
            told = [self.table("--mode", mode, "--jobs", jobs, *size)[1] for jobs in (1, 2, 5)]
            self.assertEqual(told[0], told[1], mode)
            self.assertEqual(told[0], told[2], mode)

    def test_all_modes_count_the_same_runs(self):
        told = [self.table("--mode", mode, "--size-max", "4K")[1]
                for mode in ("persistent", "fork", "spawn")]
        for one in told:
            self.expect_items(one)
            del one["draws"]  # of each run where each has a process
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])

    def test_a_failed_run_counts_with_its_labels_and_its_reruns_do_not(self):
        for mode in ("persistent", "fork", "spawn"):
            result, told, _ = self.table("--mode", mode, "--jobs", 2, way="fails", expected=(1,))
            runs = int(re.search(r"effort +([\d,]+) run", result.stderr)[1].replace(",", ""))
            self.assertEqual(told["runs"], runs)
            self.assertEqual(told["drawn"]["runs"], runs)
            labels = self.by_name(told["labels"])
            self.assertLessEqual(labels["short"]["runs"] + labels["long"]["runs"], runs)

    def test_a_run_that_exits_with_0_counts_once(self):
        told = [self.table("--mode", mode, "--size-max", 32, way="exits")[1]
                for mode in ("persistent", "fork", "spawn")]
        for one in told:
            self.expect_items(one)
        self.assertEqual(told[0]["labels"], told[1]["labels"])
        self.assertEqual(told[0]["labels"], told[2]["labels"])

    def test_labels_beyond_the_room_are_said_and_names_are_shown_escaped(self):
        result, told, table = self.table("--verbose", "--attempts", 500, way="many")
        self.assertEqual(len(told["labels"]), 64)
        self.assertGreater(told["lost"], 0)
        self.assertRegex(table, r"more than 64 labels and measures: [\d,]+ marks were not counted\n")
        self.assertIn("\\x1b[31m\\xff", table)
        self.assert_plain(result)
        self.assertEqual(table.count("name "), 64)

    def test_few_labels_are_shown_by_default_and_all_of_them_with_verbose(self):
        _, _, table = self.table("--attempts", 500, way="many")
        self.assertEqual(table.count("name "), 16)
        self.assertIn("and 48 more with --verbose\n", table)

    def test_a_failure_is_reported_without_statistics_of_draws_unless_verbose(self):
        result, _, table = self.table(way="fails", expected=(1,))
        self.assertIsNone(table, str(result))
        self.assert_says(result, r"\n  labels ")
        result, _, table = self.table("--verbose", way="fails", expected=(1,))
        self.assertIsNotNone(table, str(result))

    @frng.long
    @frng.unsanitized
    def test_growing_stops_at_twice_the_most_that_a_run_has_drawn(self):
        for mode in ("persistent", "fork", "spawn"):
            for jobs in (1, 3):
                result, told, _ = self.table("--mode", mode, "--jobs", jobs, way="forty")
                self.assert_says(result, r"\n  passes   at least 100 at each of 3 sizes "
                                         r"up to 64\n  sizes    larger sizes test nothing new: no run "
                                         r"drew more than 40 bytes\n")
                self.assertEqual(told["runs"], 1905)

    def test_growing_goes_on_while_runs_use_all_their_bytes(self):
        result, _, _ = self.table("--attempts", 3, way="all")
        self.assert_says(result, r"at each of 19 sizes up to 4M\n  drawn")

    def test_growing_stops_there_too_where_the_user_gives_a_size(self):
        result, _, _ = self.table("--size-max", 256, way="forty")
        self.assert_says(result, r"at each of 3 sizes up to 64\n  sizes    larger sizes test nothing new: "
                                 r"no run drew more than 40 bytes\n")

    def test_a_few_runs_that_draw_again_and_again_do_not_spread_the_search(self):
        result, _, _ = self.table("--rng-seed", 2, way="again")
        self.assert_says(result, r"up to (4|8|16)K\n  sizes    larger sizes test little new: "
                                 r"few runs used all of (4|8|16)K\n")

    def test_too_few_runs_with_a_required_label_make_the_search_inconclusive(self):
        _, told, _ = self.table("--require", "long:10%", "--require", "seven:0.5%")
        self.assertIsNone(told["warning"])
        result, _, _ = self.table("--require", "long:10%", "--require", "seven:99.5%", expected=(3,))
        self.assert_says(result, r"no failure in [\d,]+ runs", r"\nfrng-search: --require seven:99.5%: "
                                 r"only \d+% of the runs had this label: [\d,]+ of [\d,]+\n\Z")
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual((done["outcome"], done["reason"]), ("inconclusive", "require"))

    def test_each_requirement_that_is_not_met_is_a_line_even_when_quiet(self):
        result = self.search(LABELS, "--quiet", "--require", "no such:0.01%", "--require",
                             "nor this:1%", "--", "items")
        self.assert_exit(result, 3)
        self.assertEqual(len(result.stderr.splitlines()), 2, str(result))

    def test_a_requirement_of_a_label_that_no_run_had_names_those_that_runs_had(self):
        result = self.search(LABELS, "--quiet", "--require", "lnog:1%", "--", "items")
        self.assert_one_line(result, 3, "--require lnog:1%: no run had this label; runs had "
                             r"('\w+', )*'long'(, '\w+')*$")
        self.assertNotIn("0%", result.stderr)
        result = self.search(LABELS, "--quiet", "--require", "long:1%", "--", "forty")
        self.assert_one_line(result, 3, "long:1%: no run had this label, nor any other$")

    def test_a_label_that_a_terminal_would_obey_is_shown_escaped(self):
        result = self.search(LABELS, "--quiet", "--require", "x\033[31m\n:1%", "--", "items")
        self.assert_one_line(result, 3, r"x\\x1b\[31m\\x0a:1%")
        self.assert_plain(result)

    def test_a_target_that_reports_only_bytes_has_statistics_of_these(self):
        server = pathlib.Path(__file__).parents[2] / "examples" / "forkserver.py"
        result = self.search(server, "--mode", "fork", "--size-max", 64, "--attempts", 10, "--json",
                             self.folder / "events", "--", "--fixed")
        self.assert_nothing_found(result)
        told = frng.json_lines((self.folder / "events").read_text())[-1]["statistics"]
        self.assertEqual(told["told"], 0)
        self.assertEqual(told["drawn"]["runs"], told["runs"])
        self.assertEqual(told["drawn"]["max"], 64)
        self.assertIsNone(told["warning"])

    def test_a_failure_outweighs_a_requirement(self):
        self.table("--require", "no such:1%", way="fails", expected=(1,))

    def test_a_requirement_that_makes_no_sense_is_refused(self):
        for wrong in ("long", "long:1", ":1%", "long:0%", "long:101%", "long:-1%", "long:1e1%"):
            self.assert_one_line(self.search(LABELS, "--require", wrong), 2, "--require")

    def test_a_requirement_of_a_program_without_labels_is_refused(self):
        self.assert_one_line(self.search("/bin/true", "--require", "long:1%"), 2,
                             "/bin/true gives its runs no labels")

    def expect_warning(self, way, pattern, word, *arguments):
        for mode in ("persistent", "spawn"):
            result, told, _ = self.table("--mode", mode, *arguments, way=way)
            self.assert_says(result, r"\n  warning  " + pattern)
            self.assertEqual(result.stderr.count("  warning  "), 1, str(result))
            self.assertEqual(told["warning"], word)

    def test_runs_that_draw_nothing_are_warned_of(self):
        self.expect_warning("nothing", "no run drew anything", "no-draws", "--size-max", "4K")

    def test_runs_that_want_more_than_there_is_are_warned_of(self):
        self.expect_warning("hungry", "each run ran out of entropy before its first draw: 4M bytes "
                                      "are too few", "starved", "--attempts", 3)

    def test_most_runs_that_end_within_a_few_draws_are_warned_of(self):
        self.expect_warning("few", r"7\d% of the runs ended within 3 draws", "few-draws",
                            "--size-max", "4K")

    def test_a_test_that_tests_something_is_not_warned_of(self):
        for way, attempts in (("items", 30), ("forty", 30), ("all", 3)):
            result, told, _ = self.table("--attempts", attempts, way=way)
            self.assertNotIn("warning", result.stderr)
            self.assertIsNone(told["warning"])

    def test_a_plain_program_has_no_statistics(self):
        result = self.search("/bin/true", "--size-max", 64, "--json", self.folder / "events")
        self.assert_nothing_found(result)
        self.assertNotIn("drawn", result.stderr)
        done = frng.json_lines((self.folder / "events").read_text())[-1]["statistics"]
        self.assertIsNone(done["drawn"])
        self.assertEqual(done["labels"], [])


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
