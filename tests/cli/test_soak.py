"""The soak, for seconds: that it runs, and that it notices what it is there to notice."""

import random
import sys
import unittest

import frng

SOURCE = frng.pathlib.Path(__file__).resolve().parents[2]
SOAK = SOURCE / "tests" / "soak" / "soak.py"
sys.path.insert(0, str(SOAK.parent))
import soak  # noqa: E402

# Stands for frng-search: does in the folder it is started in what a search must not do.
BROKEN_TOOL = """#!{python}
import json, os, sys, time
command = sys.argv[1:]
def after(option):
    return command[command.index(option) + 1]
deed = open({deed!r}).read()
os.makedirs("found", exist_ok=True)
finding = {{"size": 41, "seed": "7", "identity": "exit:1"}}
if deed == "torn":
    open("found/0000000041-0000000000000007.json", "w").write(json.dumps(finding)[:20])
if deed == "wrong":
    finding["identity"] = "timeout"
    open("found/0000000041-0000000000000007.json", "w").write(json.dumps(finding))
if deed == "lost":
    best = {{"event": "best", "size": 41, "seed": "7"}}
    open(after("--json"), "w").write(json.dumps(best) + "\\n")
if deed == "litter":
    os.makedirs(os.environ["TMPDIR"] + "/frng-forgotten", exist_ok=True)
if deed == "survivors" and os.fork() == 0:
    os.setsid()
    time.sleep(600)
sys.exit(4 if deed == "ends" else 0)
"""


class Soak(frng.Scenario):
    def soak(self, *arguments):
        return self.run_tool(sys.executable, SOAK, "--interval", "500ms", *arguments)

    @frng.long
    def test_searches_over_misbehaving_targets_leave_and_lose_nothing(self):
        result = self.soak("--build", frng.BUILD, "--time", "4s", "--marathons", 1, "--only",
                           "at-least|strays-daemon|dirt-floods-5|liar-garbage")
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout, r"survivors 0, torn 0, lost 0, wrong 0, ends 0, litter 0; "
                                        r"too short to be flat or not: kept\n\Z")

    @frng.long
    def test_each_promise_that_is_broken_is_noticed(self):
        build = self.folder / "build" / "driver"
        build.mkdir(parents=True)
        tool = build / "frng-search"
        deed = self.folder / "deed"
        tool.write_text(BROKEN_TOOL.format(python=sys.executable, deed=str(deed)))
        tool.chmod(0o755)
        for promise in ("torn", "wrong", "lost", "litter", "survivors", "ends"):
            with self.subTest(promise=promise):
                deed.write_text(promise)
                patience = "1s" if promise in ("litter", "survivors") else "1m"
                result = self.soak("--build", self.folder / "build", "--time", "100ms", "--calm",
                                   "--patience", patience, "--marathons", 0, "--sprints", 1, "--only",
                                   "modes-at-least")
                self.assert_exit(result, 1)
                self.assertIn(f"BROKEN {promise}: ", result.stdout)
                self.assertRegex(result.stdout, r": BROKEN\n\Z")


class Flatness(unittest.TestCase):
    def test_a_leak_is_distinguished_from_noise(self):
        chance = random.Random(1)
        noise = [100 + chance.uniform(-5, 5) for _ in range(300)]
        for is_flat, values in ((True, noise), (True, [14] * 300), (True, [100 - i for i in range(100)]),
                                (False, [14 + i // 30 for i in range(300)]), (True, [1, 9, 99]),
                                (False, [value + i / 10 for i, value in enumerate(noise)])):
            rise, spread = soak.growth(list(enumerate(values)))
            self.assertEqual(rise <= 1 + 2 * spread, is_flat, values)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
