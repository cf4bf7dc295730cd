"""The soak, for seconds."""

import sys
import unittest

import frng

SOURCE = frng.pathlib.Path(__file__).resolve().parents[2]
SOAK = SOURCE / "tests" / "soak" / "soak.py"


class Soak(frng.Scenario):
    def test_searches_over_misbehaving_targets_leave_and_lose_nothing(self):
        result = self.run_tool(sys.executable, SOAK, "--interval", "500ms", "--build", frng.BUILD,
                               "--time", "4s", "--marathons", 1, "--only",
                               "at-least|strays-daemon|dirt-floods-5|liar-garbage")
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout, r"survivors 0, torn 0, lost 0, wrong 0, ends 0, litter 0; "
                                        r"too short to be flat or not: kept\n\Z")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
