"""The commands of SECURITY.md: a sandbox round the driver, and one round each run."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import unittest

import frng

PAGE = pathlib.Path(__file__).resolve().parents[2] / "SECURITY.md"
DIRT = frng.SUTS / "sut-dirt"
MODES = ("spawn", "fork", "persistent", "auto")
BYSTANDER = "31536000"  # seconds that it sleeps; its name, too

# Exits with 3 when it can write where it is, 4 when it can see processes of others, and 5
# when it has a network; else it passes.
NOSY = f"""
(echo x > "$(dirname "$PWD")/written") 2>/dev/null # at best to an empty /tmp of its own
(echo x > written) 2>/dev/null && exit 3
for process in /proc/[0-9]*; do
    tr '\\0' ' ' < "$process/cmdline" 2>/dev/null | grep -q '^sleep {BYSTANDER}' && exit 4
done
[ "$(grep -c : /proc/net/dev)" -gt 1 ] && exit 5
exit 0
"""


def commands():
    """The blocks of shell commands on the page: round all of it, the script, its use."""
    return re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)


@functools.lru_cache(maxsize=1)
def refusal():
    """Why no sandbox is to be had here; empty where one is."""
    if shutil.which("bwrap") is None:
        return "no bubblewrap"
    words = "bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all --die-with-parent -- true"
    tried = subprocess.run(words.split(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=False)
    return "" if tried.returncode == 0 else tried.stderr.strip() or "bubblewrap fails"


class Sandbox(frng.Scenario):
    """In a folder `work`, with what the scenario must not touch beside it."""

    def setUp(self):
        super().setUp()
        if refusal():
            self.skipTest(refusal())
        self.work = self.folder / "work"
        self.work.mkdir()
        # Of the tools a copy: the build may be in a folder that a sandbox hides.
        for tool in (frng.SEARCH, frng.REPLAY):
            shutil.copy(tool, self.work)
        self.environment["PATH"] = f"{self.work}:{os.environ['PATH']}"
        self.round_all, boxed, self.round_each = commands()
        self.write("work/boxed", boxed, executable=True)
        self.bystander = self.start("sleep", BYSTANDER)

    def shell(self, commands_, *more):
        text = commands_.rstrip("\n") + "".join(f" {word}" for word in more)
        return self.run_tool("sh", "-ec", text, folder=self.work)

    def written(self):
        return [path for path in (self.folder / "written", self.work / "written") if path.exists()]


class RoundAll(Sandbox):
    def test_a_bug_is_found_and_its_finding_is_outside(self):
        shutil.copy(frng.MODES, self.work / "sut")
        size, seed = self.assert_found(self.shell(self.round_all, "--attempts 5"), 41)
        self.assertIn(frng.finding_name(size, seed), frng.findings(self.work / "found"))

    def test_all_modes_work_and_find_the_same(self):
        shutil.copy(DIRT, self.work / "sut")
        options = "--attempts 10 --rng-seed 1 --mode"
        expected = self.search("--rng-seed", 1, "--attempts", 10, DIRT, "--", "floods", 5, 1)
        self.assert_found(expected, 5)
        for mode in MODES:
            with self.subTest(mode=mode):
                shutil.rmtree(self.work / "found", ignore_errors=True)
                result = self.shell(self.round_all, options, mode, "-- floods 5 1")
                self.assertEqual(result.stdout, expected.stdout, str(result))
                self.assert_says(result, "signal:SIGABRT")

    def test_a_nosy_program_gets_nowhere(self):
        self.script("work/sut", NOSY)
        self.assert_nothing_found(self.shell(self.round_all, "--attempts 2 --size-max 4"))
        self.assertEqual(self.written(), [])
        # Without a sandbox it does.
        self.assert_found(self.run_tool(frng.SEARCH, "./sut", folder=self.work), 0)
        self.assertEqual(len(self.written()), 2)

    def test_nothing_is_left_of_a_sandbox_that_is_killed(self):
        shutil.copy(frng.MODES, self.work / "sut")
        command = "exec " + self.round_all.split("\n", 1)[1].rstrip("\n")
        (self.work / "found").mkdir()
        process = self.start("sh", "-ec", command + " --time 1h --only timeout -- child 100", folder=self.work)
        # The sandbox, the driver in it, and a worker; and the bystander.
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) >= 4))
        process.kill()
        process.communicate(timeout=frng.PATIENCE_S)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) <= 1, 30),
                        self.left_processes())


class RoundEach(Sandbox):
    def test_a_plain_program_is_spawned_in_it(self):
        shutil.copy(frng.MODES, self.work / "sut")
        # Arguments of the script are the program and its arguments.
        result = self.shell(self.round_each, "at-least 5")
        self.assert_found(result, 5)
        size, seed = frng.find_result(result.stdout)
        self.assertIn(frng.finding_name(size, seed), frng.findings(self.work / "found"))
        replayed = self.shell(f"frng-replay ./boxed --size {size} --seed {seed} -- ./sut at-least 5")
        self.assert_exit(replayed, 1)

    def test_a_nosy_program_gets_nowhere(self):
        self.script("work/sut", NOSY)
        self.assert_nothing_found(self.shell(
            self.round_each.replace("./boxed", "./boxed --attempts 2 --size-max 4")))
        self.assertEqual(self.written(), [])

    def test_no_process_is_left_of_a_run(self):
        shutil.copy(frng.MODES, self.work / "sut")
        for jobs in (1, 8):
            result = self.run_tool(frng.SEARCH, "./boxed", "--attempts", 2, "--jobs", jobs, "--",
                                   "./sut", "child", 3, folder=self.work)
            self.assert_found(result, 3)
            self.assertEqual(list(self.left_processes()), [self.bystander.pid])


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
