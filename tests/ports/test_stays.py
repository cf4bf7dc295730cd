"""A process of a port that goes on after a failure: reductions and searches announce what they would
announce if each failure ended its process, whatever it leaves behind.

SPDX-License-Identifier: MIT
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PORTS = HERE.parents[1] / "frng"
import frng
from raw_driver import GIVEN, ONE_PROCESS, Driver, given

STAY, WENT_ON = 256, 8
PROGRAMS = {"python": [sys.executable, HERE / "leaves.py"], "javascript": ["node", HERE / "leaves.mjs"]}
LARGE, SMALL = bytes([201, 255, 202]), bytes(4)


class Stays(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.language, self.more = "python", []
        self.environment = {"PYTHONPATH": str(PORTS / "python"), "PYTHONDONTWRITEBYTECODE": "1"}

    def command(self, deed):
        return [*map(str, PROGRAMS[self.language]), deed, *self.more]

    def check(self, deed):
        program, *words = self.command(deed)
        result = self.reduce(program, "--hex", (b"\0" + LARGE).hex(), "--timeout", "60s", "--jobs", 1,
                             "--explain", "no", "--", *words, environment=self.environment)
        self.assertEqual((result.exit, result.stdout), (1, "size=3 hex=c9c9c9\n"), str(result))
        self.assertIn("three are large", result.stderr)
        self.assertIn("failed again 3/3 times", result.stderr)

    def searched(self, deed, no_jump, jobs):
        """A search that ignores the failure itself, and none that it leads to."""
        program, *words = self.command(deed)
        lines = pathlib.Path(words[0]).read_text().splitlines()
        place = next(at for at, line in enumerate(lines, 1) if "three are large" in line)
        ignored = f"exit:1 at {pathlib.Path(words[0]).name}:{place}"
        result = self.search(program, "--rng-seed", 1, "--attempts", 80, "--size-max", 16, "--jobs", jobs,
                             "--timeout", "60s", "--json", "events", "--ignore", ignored, "--", *words,
                             environment={**self.environment, "FRNG_NO_JUMP": no_jump})
        done = frng.latest(self.folder / "events")[-1]
        return result.exit, result.stdout, done["claim"], done["runs"], done["ignored"]

    def check_searches(self, *searches):
        """Where each failure ends its process, all deeds are one: that search is made once."""
        expected = self.searched(searches[0][0], "1", 1)
        self.each(lambda deed, jobs: self.assertEqual(self.searched(deed, "0", jobs), expected), searches)

    def check_orders(self):
        """What a failure of one order leaves is there in the next one, but not in others."""
        driver = Driver(self, self.command("fails-elsewhere"), {**os.environ, **self.environment})
        stay = ONE_PROCESS | GIVEN | STAY
        for data, status, at_first in (LARGE, 256, True), (SMALL, 256, False), (LARGE, 256, False):
            data = given(SMALL, data) if at_first else given(data)
            done = driver.order(stay, 0, 2 if at_first else 1, len(data), data)
            self.assertEqual((done[2] & WENT_ON, done[6], done[9]), (WENT_ON, int(at_first), status))
            self.assertIn("leaves.", driver.site())
        return driver

    def test_python_forks(self):
        self.more = ["fork"]
        driver = self.check_orders()
        done = driver.order(ONE_PROCESS | GIVEN, 0, 1, 16, given(bytes(8))[:16])
        self.assertEqual((done[2], done[6], done[9]), (16, 1, 0))  # a process of its own; the other stays
        self.each(self.check, [(deed,) for deed in deeds("leaves.py")])

    def test_python_in_itself(self):
        self.check_orders()
        self.check("passes-later")
        self.check("fails-by-less")
        self.check_searches(("leaves-nothing", 1), ("leaves-nothing", 3), ("passes-later", 1), ("fails-by-less", 1))

    def test_large_sets_run_where_no_failure_was(self):
        """Sets that are too large to stay see nothing of the failures in sets that stayed."""
        large = bytearray(20000)
        large[100] = large[9000] = large[15000] = 250
        self.write("large", bytes(large))
        program, *words = self.command("fails-by-less")
        result = self.reduce(program, "--input", "large", "--timeout", "60s", "--jobs", 1, "--calls", 40,
                             "--explain", "no", "--", *words, environment=self.environment)
        self.assertEqual(result.exit, 1, str(result))
        self.assertIn("three are large", result.stderr)
        self.assertNotIn("flaky", result.stderr)

    @unittest.skipIf(shutil.which("c++") is None, "c++ is missing")
    def test_cpp(self):
        """An assertion is an exception there: it ends the run, but the process only if it must."""
        program = self.folder / "leaves"
        subprocess.run(["c++", "-std=c++17", "-g", "-I", PORTS, "-I", PORTS / "cpp", "-o", program,
                        HERE / "leaves.cpp"], check=True)
        for deed in ("leaves-nothing", "is-caught", "throws-another", "cannot-pass", "ends-a-scope",
                     "passes-later", "fails-by-less"):
            with self.subTest(deed):
                result = self.reduce(program, "--hex", LARGE.hex() + "c9", "--jobs", 1, "--explain", "no",
                                     "--", deed)
                self.assertEqual((result.exit, result.stdout), (1, "size=3 hex=c9c9c9\n"), str(result))
                self.assertIn("three are large", result.stderr)
                self.assertIn("failed again 3/3 times", result.stderr)
                driver = Driver(self, [str(program), deed], dict(os.environ))
                driver.order(ONE_PROCESS | GIVEN, 0, 1, len(given(SMALL)), given(SMALL))
                data = given(LARGE + b"\xc9")
                done = driver.order(ONE_PROCESS | GIVEN | STAY, 0, 1, len(data), data)
                goes_on = deed not in ("throws-another", "cannot-pass", "ends-a-scope")
                self.assertEqual((done[2] & WENT_ON, done[9]), (goes_on * WENT_ON, signal.SIGABRT))

    @unittest.skipIf(shutil.which("node") is None, "node is missing")
    def test_javascript(self):
        self.language = "javascript"
        self.check_orders()
        self.each(self.check, [(deed,) for deed in deeds("leaves.mjs")])
        self.check_searches(("fails-elsewhere", 1))


def deeds(file):
    return re.findall(r"^ {2,4}['\"]([a-z0-9-]+)['\"]: [\[(]", (HERE / file).read_text(), re.MULTILINE)
