"""A write-ahead log on a disk that loses power: examples/wal.c with each bug, and the page's own."""

import os
import re
import shutil
import unittest

import frng

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LANGUAGES = {"cc": ["-std=c11"], "c++": ["-std=c++11", "-x", "c++"]}


def events(trace):
    """The headings and what is said below them, in order, without numbers of steps."""
    lines = [re.sub(r"^\d+\. ", "", line) for line in trace.stdout.split("\n")
             if re.match(r"\d+\. |      > ", line)]
    return [line.removeprefix("      > ") for line in lines]


class Wal(frng.Scenario):
    def reduced(self, target, seed=1):
        """The trace of the failure that a search and a reduction end with, and its size."""
        result = self.search("--rng-seed", seed, "--jobs", 1, "--attempts", 2000, "--reduce",
                             target)
        self.assert_exit(result, 1)
        found = re.search(r"^size=(\d+) hex=([0-9a-f]+)$", result.stdout, re.M)
        self.assertIsNotNone(found, str(result))
        trace = self.replay("--trace", "--hex", found[2], target)
        self.assert_exit(trace, 1)
        return trace, int(found[1])

    def bug(self, number, size_max):
        trace, size = self.reduced(frng.BUILD / "tests" / "kit" / f"kit-wal-{number}")
        self.assertLessEqual(size, size_max, str(trace))
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
            "--trace", "--hex", "000080e00180", frng.BUILD / "examples" / "wal").stdout)

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
        wal = frng.BUILD / "tests" / "kit" / "kit-wal-5"
        trace = self.replay("--trace", "--hex", "000000400080800000800000800000800000806040e03480"
                            "560060400000e03480018000", wal)
        self.assert_exit(trace, 1)
        self.assertEqual(events(trace).count("power returns"), 2)

    def test_without_its_bugs_the_store_passes(self):
        result = self.search("--rng-seed", 1, "--attempts", 3000, "--size-max", 1024,
                             frng.BUILD / "examples" / "wal-fixed")
        self.assert_exit(result, 0)


class Page(frng.Scenario):
    def test_the_example_of_the_page_finds_its_missing_sync(self):
        with open(os.path.join(ROOT, "driver", "man", "frng_disk.3"), encoding="utf-8") as page:
            text = page.read()
        source = re.search(r"^#include <frng_disk.h>$.*^FRNG_MAIN\(test\)$", text, re.M | re.S)[0]
        self.assertLessEqual(len(source.split("\n")), 60)
        self.write("log.c", source + "\n")
        for compiler, options in LANGUAGES.items():
            if shutil.which(compiler) is None:
                continue
            self.assert_exit(self.run_tool(compiler, "-g", *options, "-Wall", "-Wextra",
                                           "-Wpedantic", "-Werror", "-I", os.path.join(ROOT, "frng"),
                                           "-o", "log", "log.c"), 0)
            result = self.search("--rng-seed", 1, "--jobs", 1, "--reduce", "./log")
            self.assert_exit(result, 1)
            reduced = re.search(r"^size=2 hex=([0-9a-f]+)$", result.stdout, re.M)
            self.assertIsNotNone(reduced, str(result))
            trace = self.replay("--trace", "--hex", reduced[1], "./log")
            self.assertIn(trace.stdout[trace.stdout.index("offset"):], text)


if __name__ == "__main__":
    unittest.main()
