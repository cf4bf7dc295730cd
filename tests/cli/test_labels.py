"""The numbers of what runs drew and of their labels; tests/transcripts/labels.t has their texts."""

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

    def test_each_run_of_a_search_has_its_labels_and_measures(self):
        self.expect_items(self.table()[1])

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

    def test_labels_beyond_the_room_are_counted_as_lost(self):
        _, told, _ = self.table("--attempts", 500, way="many")
        self.assertEqual(len(told["labels"]), 64)
        self.assertGreater(told["lost"], 0)

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
