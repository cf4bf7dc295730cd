"""The numbers of what runs drew and of their labels; tests/transcripts/labels.t has their texts."""

import frng

LABELS = frng.SUTS / "sut-labels"


class Labels(frng.Scenario):
    def told(self, way, *arguments):
        """The statistics in the last event."""
        self.assert_exit(self.search(LABELS, "--rng-seed", 5, "--json", "events", *arguments, "--", way), 0)
        return frng.latest(self.folder / "events")[-1]["statistics"]

    def by_name(self, rows):
        return {row["name"]: row for row in rows}

    def expect_items(self, told):
        """Each run has one of two labels; nothing is counted twice."""
        labels, measures = self.by_name(told["labels"]), self.by_name(told["measures"])
        runs = told["runs"]
        self.assertLess(labels["short"]["runs"] + labels["long"]["runs"], runs)  # one had no bytes
        self.assertGreaterEqual(labels["short"]["runs"] + labels["long"]["runs"], runs - 1)
        self.assertAlmostEqual(labels["long"]["share"], labels["long"]["runs"] / runs, 9)
        self.assertLessEqual(labels["short"]["size"]["max"], 128)
        self.assertGreater(labels["long"]["size"]["median"], labels["short"]["size"]["median"])
        self.assertLessEqual(measures["items"]["runs"], runs)
        self.assertLessEqual(measures["items"]["values"]["max"], 255)
        self.assertEqual(told["drawn"]["runs"], runs)

    def test_all_modes_and_any_jobs_count_the_same_runs(self):
        for way, size_max in (("items", "4K"), ("exits", 32)):  # a run that exits has no end
            told = [self.told(way, "--mode", mode, "--jobs", jobs, "--size-max", size_max)
                    for mode, jobs in (("persistent", 1), ("fork", 2), ("spawn", 5))]
            for one in told:
                self.expect_items(one)
                del one["draws"]  # of each run where each has a process
                self.assertEqual(one["labels"], told[0]["labels"])
                self.assertTrue(way == "exits" or one == told[0], told)


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
