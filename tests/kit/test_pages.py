"""frng_lin.h and frng_disk.h: the examples of their pages, as a reader copies them."""

import unittest

from kit import Kit


class Pages(Kit):
    def test_that_of_histories_finds_a_stale_read_and_says_the_order(self):
        for _, trace, said in self.page("frng_lin", 9):
            self.assertIn("NO: after client 0 puts 1, client 1 puts 2: client 0 gets 1",
                          trace.stderr)
            self.assertEqual(said, ["order 1: client 0 puts 1", "order 2: client 1 puts 2",
                                    "order 3 cannot be: client 0 gets 1"])

    def test_that_of_files_finds_its_missing_sync_and_shows_its_trace(self):
        for text, trace, _ in self.page("frng_files", 2):
            self.assertIn(trace.stdout[trace.stdout.index("offset"):], text)

    def test_that_of_disks_finds_its_missing_sync_and_shows_its_trace(self):
        for text, trace, _ in self.page("frng_disk", 2):
            self.assertIn(trace.stdout[trace.stdout.index("offset"):], text)


if __name__ == "__main__":
    unittest.main()
