"""Targets that were built with the headers and ports of an earlier commit: people vendor them, so what
was built then is searched, replayed and reduced today.

They are made from the history of the repository: without it, as in a tarball or a shallow clone, this is
skipped. What such a target reports is kept as data in tests/unit/test_report.c.
"""
# suites: long

import io
import pathlib
import shutil
import subprocess
import tarfile

import frng

ROOT = pathlib.Path(__file__).resolve().parents[2]
OLD = "25e5a971"  # before messages of simulated worlds were data
PARTS = ["frng", "examples/ring.c", "examples/consensus.c", "examples/raft.c", "examples/raft.h"]
C = ["gcc", "-std=gnu11", "-O1", "-g", "-Ifrng"]
GUIDED = ["-DFRNG_GUIDED", "-fsanitize-coverage=trace-cmp,trace-pc"]
MAGIC = """#include "frng_main.h"
static bool test(frng *f) {
    uint32_t key, more;
    FRNG_TRY(frng_u32(f, &key));
    FRNG_TRY(frng_u32(f, &more));
    FRNG_ASSERT(key != 0xfeedbeef || more < 77, "found");
    return true;
}
int main(void) { return frng_run(test); }
"""

def rows():
    """A name, the program it needs, how it is built, the target, and the site."""
    yield "C", "gcc", [*C, "examples/ring.c", "-o", "ring"], "ring", r"ring\.c:\d+"
    yield "simulated", "gcc", [*C, "examples/raft.c", "-o", "raft"], "raft", r"raft\.c:\d+"
    yield "guided", "gcc", [*C, *GUIDED, "magic.c", "-o", "magic"], "magic", r"magic\.c:\d+"
    yield "Python", "python3", [], "frng/python/queue.py", r"queue\.py:\d+"
    yield "JavaScript", "node", [], "frng/javascript/queue.mjs", r"queue\.mjs:\d+"


class OldBuilds(frng.Scenario):
    def test_they_are_searched_replayed_and_reduced(self):
        archive = subprocess.run(["git", "-C", ROOT, "archive", OLD, *PARTS], capture_output=True, check=False)
        if archive.returncode != 0:
            self.skipTest(f"commit {OLD} is not here")
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tree:
            tree.extractall(self.folder)
        self.write("magic.c", MAGIC)
        self.each(self.check, [row for row in rows() if shutil.which(row[1])])

    def check(self, name, _, build, target, site):
        if build:
            subprocess.run(build, cwd=self.folder, check=True)
        target, found = f"./{target}", f"{name}.d"
        searched = self.search("--rng-seed", 7, "--time", "1m", "--findings", found, target)
        self.assert_exit(searched, 1)
        self.assertRegex(searched.stderr, site)
        finding = f"{found}/{min(frng.findings(self.folder / found))}"
        replayed = self.replay("--trace", "--finding", finding, target)
        self.assert_exit(replayed, 1)
        self.assertRegex(replayed.stdout, r"(?m)^ +0 |network  ")
        reduced = self.reduce("--finding", finding, target)
        self.assert_exit(reduced, 1)
        self.assertRegex(reduced.stdout + reduced.stderr, site)
