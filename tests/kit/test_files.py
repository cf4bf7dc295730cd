"""The power fails under real file calls: examples/files.c with each bug, and SQLite's own words."""

import re
import shutil
import subprocess
import unittest

import frng
from kit import EXAMPLES, KIT, ROOT, Kit

POWER = ROOT / "examples" / "gallery" / "power"


class Files(Kit):
    def bug(self, target, size):
        least = self.least(target, "--rng-seed", 1, "--attempts", 300, "--size-max", 256)
        self.assertLessEqual(least.stat().st_size, size)
        return self.story(target, "--input", least)

    def test_the_example_is_what_its_page_shows(self):
        trace, told = self.bug(EXAMPLES / "files", 3)
        self.assertIn("the store does not open", trace.stderr)
        self.assertEqual(told[-1], "lost: #5 append 16 bytes at 0 of temporary")
        self.shown("files", "310080")

    def test_a_put_without_a_sync_is_lost(self):
        trace, told = self.bug(KIT / "kit-files-2", 5)
        self.assertRegex(trace.stderr, r"number \d is 0, and 1 was put")
        self.assertRegex("\n".join(told), r"(?m)^lost: #\d+ append 16 bytes at 0 of log$")

    def test_ext4_forgives_what_posix_does_not(self):
        self.assert_exit(self.search("--rng-seed", 1, "--attempts", 100, "--size-max", 64,
                                     KIT / "kit-files-3"), 0)
        _, told = self.bug(KIT / "kit-files-posix", 5)
        self.assertRegex("\n".join(told), r"(?m)^lost: #1 create log$")

    def test_without_its_bugs_the_store_passes(self):
        self.assert_exit(self.search("--rng-seed", 1, "--attempts", 100, "--size-max", 128,
                                     EXAMPLES / "files-fixed"), 0)

    def test_a_search_leaves_no_folders_but_those_of_runs_that_crash(self):
        self.assert_exit(self.search("-j1", "--rng-seed", 1, "--attempts", 20, "--size-max", 8,
                                     EXAMPLES / "files-fixed"), 0)
        before = set(self.folders())
        self.assert_exit(self.search("-j1", "--rng-seed", 2, "--attempts", 20, "--size-max", 8,
                                     EXAMPLES / "files-fixed"), 0)
        self.assertLessEqual(len(set(self.folders()) - before), 2)

    @staticmethod
    def folders():
        found = subprocess.run(["find", "/dev/shm", "/tmp", "-maxdepth", "1", "-name",
                                "frng-files-*"], capture_output=True, text=True, check=False)
        return found.stdout.split()

    def sqlite(self, level, source=POWER / "sqlite.c", *flags):
        result = self.run_tool("cc", "-g", "-O0", f'-DLEVEL="{level}"', "-I", ROOT / "frng", "-I",
                               POWER, "-o", "sqlite", source, "-lsqlite3", *flags)
        if "sqlite3.h" in result.stderr:
            self.skipTest("libsqlite3-dev is not installed")
        self.assert_exit(result, 0)

    @unittest.skipIf(shutil.which("cc") is None, "there is no cc")
    @frng.long
    def test_sqlite_loses_a_commit_as_it_says_and_with_extra_does_not(self):
        self.sqlite("FULL")
        trace, told = self.bug("./sqlite", 8)
        self.assertRegex(trace.stderr, r"key \d .*acknowledged")
        self.assertTrue(re.search("^lost: .* unlink db-journal$", "\n".join(told), re.M), told)
        self.sqlite("EXTRA")
        self.assert_exit(self.search("--rng-seed", 1, "--attempts", 40, "--size-max", 64,
                                     "./sqlite"), 0)

    @unittest.skipIf(shutil.which("cc") is None, "there is no cc")
    def test_a_test_of_ones_own_schedules_the_threads_of_a_store(self):
        self.write("own.c", """
#include "sqlite.c"
static void *add(void *db) { return kv_put(db, "k0", "1", 1) ? db : NULL; }
static void *both(void *db) {
    pthread_t t;
    pthread_create(&t, NULL, add, db), add(db), pthread_join(t, NULL);
    return db;
}
static bool test(frng *f) {
    void *db = kv_open(frng_files_begin(KV_MODEL));
    FRNG_TRY(frng_sched_run(f, both, db));
    kv_close(db);
    return kv_power(f);
}
FRNG_MAIN(test)
""")
        self.sqlite("FULL", "own.c", "-DKV_OWN_TEST", "-DKV_THREADS", "-rdynamic")
        _, told = self.story("./sqlite", "--hex", "00", status=0)
        self.assertTrue(any("thread 1 ends at sqlite3_" in line for line in told), told)

    def power(self, name):
        """A story of the gallery, where its library is installed; it takes at most 20 seconds."""
        result = self.run_tool("sh", POWER / "power.sh", "--no-install", name,
                               environment={"FRNG_BUILD": frng.BUILD, "POWER_LIMIT_S": "6"})
        if "missing package" in result.stderr:
            self.skipTest(result.stderr.strip())
        self.assert_exit(result, 0)
        return result.stdout

    @frng.long
    def test_gdbm_loses_what_it_has_synchronized(self):
        self.assertRegex(self.power("gdbm"), r"newest lost|late")

    @frng.long
    def test_tdb_fails_its_own_check(self):
        self.assertIn("power fails", self.power("tdb"))

    @frng.long
    def test_qdbm_does_not_open(self):
        self.assertIn("power fails", self.power("qdbm"))
