"""frng_disk.h and frng_sched.h: the examples of their pages, as a reader copies them."""

from kit import Kit


class Pages(Kit):
    def test_that_of_disks_finds_its_missing_sync_and_shows_its_trace(self):
        for text, trace, _ in self.page("frng_disk", 2):
            self.assertIn(trace.stdout[trace.stdout.index("offset"):], text)

    def test_that_of_threads_loses_an_update_with_one_switch(self):
        for _, trace, _ in self.page("frng_sched", 1):
            self.assertIn("lost an update: ", trace.stderr)
