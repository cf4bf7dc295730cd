"""A run that the kernel kills for want of memory, in a control group with little of it.

SPDX-License-Identifier: MIT
"""
# suites: long

import os
import pathlib

import frng

GROUPS = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"  # version 1, and 2
HOG = """#!/usr/bin/env python3
import os, sys, time
first = sys.stdin.buffer.read(1)
limit, hog = int(sys.argv[1]), []
while first >= b'\\x80' and len(hog) < limit:
    hog.append(bytearray(b'x') * (1 << 20))
time.sleep(0.2 if hog else 0)
"""

class OutOfMemory(frng.Scenario):
    def setUp(self):
        super().setUp()
        for top in map(pathlib.Path, GROUPS):
            group = top / f"frng-test-{os.getpid()}"
            try:
                group.mkdir()
                self.addCleanup(group.rmdir)
                names = {file.name for file in group.iterdir()}
                limit = {"memory.limit_in_bytes", "memory.max"} & names
                (group / limit.pop()).write_text("80M")
                if "memory.swap.max" in names:
                    (group / "memory.swap.max").write_text("0")
                self.group = group
                break
            except (OSError, KeyError):
                continue
        else:
            self.skipTest("no control group of memory can be made: that needs root, not in a container")

    def limited(self, *command):
        self.write("in-group", f'#!/bin/sh\necho $$ >{self.group}/cgroup.procs || exit 99\nexec "$@"\n', True)
        return self.run_tool("./in-group", *command)

    def test_a_run_without_end_is_a_failure_of_its_own(self):
        hog = self.write("hog", HOG, True)
        found = self.limited(frng.SEARCH, hog, "--rng-seed", 1, "--size-max", 1, "--jobs", 1, "--", 200)
        self.assertEqual(found.exit, 1, found)
        self.assertIn("failure  kernel:out-of-memory", found.stderr)
        replayed = self.limited(frng.REPLAY, hog, "--hex", "ff", "--", 200)
        self.assertIn("fails with kernel:out-of-memory", replayed.stderr)
        own = self.write("own", "#!/bin/sh\nread x; kill -KILL $$\n", True)
        self.assertIn("fails with signal:SIGKILL\n", self.limited(frng.REPLAY, own, "--hex", "ff").stderr)

    def test_two_runs_that_lack_memory_beside_each_other_are_inconclusive(self):
        found = self.limited(frng.SEARCH, self.write("hog", HOG, True), "--rng-seed", 1, "--size-max", 1,
                             "--jobs", 2, "--attempts", 10, "--", 45)
        self.assertIn(found.exit, (0, 3), found)
        self.assertNotIn("smallest failure", found.stderr)
