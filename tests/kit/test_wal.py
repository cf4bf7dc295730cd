"""A write-ahead log on a disk that loses power: examples/wal.c with each bug, and the page's own."""

import re

from kit import EXAMPLES, KIT, Kit


def events(trace):
    """The headings and what is said below them, in order, without numbers of steps."""
    lines = [re.sub(r"^\d+\. ", "", line) for line in trace.stdout.split("\n")
             if re.match(r"\d+\. |      > ", line)]
    return [line.removeprefix("      > ") for line in lines]


class Wal(Kit):
    def bug(self, number, size_max):
        target = KIT / f"kit-wal-{number}" if number != 1 else EXAMPLES / "wal"
        least = self.least(target, "--rng-seed", 1, "--attempts", 2000)
        trace, _ = self.story(target, "--input", least)
        self.assertLessEqual(least.stat().st_size, size_max, str(trace))
        told = events(trace)
        self.assertEqual(told.count("power returns"), 1, told)
        return trace, told

    def test_a_missing_sync_is_one_power_failure_that_loses_one_write(self):
        trace, told = self.bug(1, 6)
        self.assertIn("key 0 holds 0, and 1 was committed", trace.stderr)
        self.assertEqual(told, [
            "put", "commit", "committed 1 0 0 0", "power fails", "power returns",
            "1 of 1 unsynced writes are lost, from that of 20 bytes at 128 on"])
        self.assertEqual(trace.stdout, self.replay(
            "--trace", "--hex", "000080e00180", EXAMPLES / "wal").stdout)

    def test_a_log_that_begins_anew_too_early_needs_a_table_that_is_late(self):
        trace, told = self.bug(2, 16)
        self.assertIn("checkpoint", told)
        self.assertRegex("\n".join(told), r"(?m)^the block at (0|64) is late from unsynced write \d")

    def test_a_checksum_without_the_operations_takes_a_torn_record(self):
        trace, told = self.bug(3, 16)
        self.assertRegex("\n".join(told), r"(?m)^\d+ of \d+ bytes at \d+ are torn off$")
        self.assertIn("before the last commit", trace.stderr)

    def test_stale_records_need_no_loss_at_all(self):
        trace, told = self.bug(4, 18)
        self.assertEqual([line for line in told if re.search("lost|torn|late", line)], [])
        self.assertIn("checkpoint", told)

    def test_a_record_of_two_power_failures_is_found_among_long_runs(self):
        wal = KIT / "kit-wal-5"
        trace = self.replay("--trace", "--hex", "000000400080800000800000800000800000806040e03480"
                            "560060400000e03480018000", wal)
        self.assert_exit(trace, 1)
        self.assertEqual(events(trace).count("power returns"), 2)

    def test_without_its_bugs_the_store_passes(self):
        result = self.search("--rng-seed", 1, "--attempts", 3000, "--size-max", 1024,
                             EXAMPLES / "wal-fixed")
        self.assert_exit(result, 0)
