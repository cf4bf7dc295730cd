"""The commands of SECURITY.md: a sandbox round the driver, and one round each run."""
# suites: long

import os
import pathlib
import re
import shutil

import frng

PAGE = pathlib.Path(__file__).resolve().parents[2] / "SECURITY.md"
DIRT = frng.SUTS / "sut-dirt"
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

class Sandbox(frng.Scenario):
    """In a folder `work`, with what the scenario must not touch beside it."""

    def setUp(self):
        super().setUp()
        words = "bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all --die-with-parent -- true"
        if shutil.which("bwrap") is None or self.run_tool(*words.split()).exit != 0:
            self.skipTest("no bubblewrap, or it may make no sandbox here")
        self.work = self.folder / "work"
        self.work.mkdir()
        # Of the tools a copy: the build may be in a folder that a sandbox hides.
        for tool in (frng.SEARCH, frng.REPLAY):
            shutil.copy(tool, self.work)
        self.environment["PATH"] = f"{self.work}:{os.environ['PATH']}"
        # The blocks of shell commands on the page: round all of it, the script, its use.
        self.round_all, boxed, self.round_each = re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
        self.write("work/boxed", boxed, executable=True)
        self.bystander = self.start("sleep", BYSTANDER)

    def shell(self, commands, *more):
        return self.run_tool("sh", "-ec", " ".join([commands.rstrip("\n"), *map(str, more)]),
                             folder=self.work)

    def assert_finding(self, result, size):
        self.assertIn(frng.finding_name(*self.assert_found(result, size)),
                      frng.findings(self.work / "found"))

    def written(self):
        return [path for path in (self.folder / "written", self.work / "written") if path.exists()]

    def test_all_modes_find_the_same_and_the_finding_is_outside(self):
        shutil.copy(DIRT, self.work / "sut")
        options = ("--attempts", 10, "--rng-seed", 1)
        expected = self.search(*options, DIRT, "--", "floods", 5, 1)
        for mode in ("spawn", "fork", "persistent", "auto"):
            shutil.rmtree(self.work / "found", ignore_errors=True)
            result = self.shell(self.round_all, *options, "--mode", mode, "-- floods 5 1")
            self.assertEqual(result.stdout, expected.stdout, str(result))
            self.assert_says(result, "signal:SIGABRT")
            self.assert_finding(result, 5)

    def test_a_nosy_program_gets_nowhere(self):
        self.script("work/sut", NOSY)
        few = "--attempts 2 --size-max 4"
        self.assert_nothing_found(self.shell(self.round_all, few))
        self.assert_nothing_found(self.shell(self.round_each.replace("./boxed", f"./boxed {few}")))
        self.assertEqual(self.written(), [])
        # Without a sandbox it does.
        self.assert_found(self.run_tool(frng.SEARCH, "./sut", folder=self.work), 0)
        self.assertEqual(len(self.written()), 2)

    def test_nothing_is_left_of_a_sandbox_that_is_killed(self):
        shutil.copy(frng.MODES, self.work / "sut")
        command = "exec " + self.round_all.split("\n", 1)[1].rstrip("\n")
        (self.work / "found").mkdir()
        process = self.start("sh", "-ec", command + " --time 1h --only timeout -- child 100", folder=self.work)
        # Once a run is under way, all processes of the sandbox are tied to the one above them.
        self.assertTrue(frng.wait_until(lambda: any(command.startswith("./sut child")
                                                    for command in self.left_processes().values())))
        process.kill()
        process.communicate(timeout=frng.PATIENCE_S)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) <= 1, 30),
                        self.left_processes())

    def test_a_plain_program_is_spawned_in_one_of_its_own(self):
        shutil.copy(frng.MODES, self.work / "sut")
        # Arguments of the script are the program and its arguments.
        result = self.shell(self.round_each, "at-least 5")
        self.assert_finding(result, 5)
        size, seed = frng.find_result(result.stdout)
        replayed = self.shell(f"frng-replay ./boxed --size {size} --seed {seed} -- ./sut at-least 5")
        self.assert_exit(replayed, 1)
        result = self.run_tool(frng.SEARCH, "./boxed", "--attempts", 2, "--jobs", 8, "--", "./sut",
                               "child", 3, folder=self.work)
        self.assert_found(result, 3)
        self.assertEqual(list(self.left_processes()), [self.bystander.pid])
