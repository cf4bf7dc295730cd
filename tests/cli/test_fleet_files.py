#!/usr/bin/env python3
"""The files of examples/fleet/, as far as no engine is needed: what they say, and what their shells do."""

import pathlib
import re
import shlex
import unittest

import frng

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fleet"
ENGINES = ["condor.sub", "frng@.service", "kubernetes.yaml", "parallel.sh", "slurm.sbatch"]
PASSED = 0

try:
    import yaml
except ImportError:
    yaml = None


class Files(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["PATH"] = f"{self.folder}:{self.environment['PATH']}"

    def driver(self, status):
        """A frng-search that ends with a status, and keeps its arguments."""
        self.script("frng-search", f'printf "%s\\n" "$@" >{self.folder}/arguments\nexit {status}\n')

    def given(self):
        return (self.folder / "arguments").read_text().splitlines()

    def check_statuses(self, run):
        """`run` starts worker `index` of an engine: 0 and 1 are success, and other statuses stay."""
        for index, (status, end) in enumerate({0: PASSED, 1: PASSED, 2: 2, 3: 3, 4: 4}.items()):
            self.driver(status)
            self.assertEqual(run(index).exit, end, (index, status))
            self.check_arguments(index)

    def check_arguments(self, index):
        given = self.given()
        for option in ("--findings", "--keep-going", "--time", "--worker"):
            self.assertIn(option, given)
        self.assertNotIn("--rng-seed", given)
        self.assertRegex(given[given.index("--worker") + 1], rf"\A\w+-{index}\Z")

    def test_each_engine_has_a_short_file_that_the_page_names(self):
        page = (EXAMPLES / "README.md").read_text()
        self.assertEqual(sorted(path.name for path in EXAMPLES.iterdir()),
                         sorted(["README.md", *ENGINES]))
        for name in ENGINES:
            text = (EXAMPLES / name).read_text()
            self.assertIn(f"]({name})", page)
            self.assertIn(len(text.splitlines()), range(10, 27), name)
            self.assertNotIn("--rng-seed", text)

    def test_slurm(self):
        self.check_statuses(lambda index: self.run_tool(
            "bash", EXAMPLES / "slurm.sbatch", "./target", environment={
                "SLURM_ARRAY_TASK_ID": str(index), "SLURM_JOB_NAME": "frng",
                "SLURM_CPUS_PER_TASK": "4"}))
        self.assertEqual(self.given()[-1], "./target")
        # Its options are those of this frng: the search ends where it has no target.
        self.assert_one_line(self.search(*self.given()), 2, "./target: not found")

    @unittest.skipIf(yaml is None, "PyYAML is not installed")
    def test_kubernetes(self):
        job = yaml.safe_load((EXAMPLES / "kubernetes.yaml").read_text())
        self.assertEqual((job["kind"], job["spec"]["completionMode"]), ("Job", "Indexed"))
        (container,) = job["spec"]["template"]["spec"]["containers"]
        mounts = {mount["name"] for mount in container["volumeMounts"]}
        self.assertEqual(mounts, {volume["name"] for volume in job["spec"]["template"]["spec"]["volumes"]})
        self.check_statuses(lambda index: self.run_tool(
            *container["command"], environment={"JOB_COMPLETION_INDEX": str(index)}))

    def test_systemd(self):
        (self.folder / "queue").mkdir()
        text = re.sub(r"\\\n", " ", (EXAMPLES / "frng@.service").read_text())
        unit = dict(line.split("=", 1) for line in text.splitlines() if re.match(r"\w+=", line))
        command = unit["ExecStart"].replace("%i", "INDEX").replace("%H", "host")

        def run(index):
            words = shlex.split(command.replace("INDEX", str(index)).replace("$$", "$"))
            result = self.run_tool(*words, environment={"TARGET": "queue"})
            if str(result.exit) in unit["SuccessExitStatus"].split():
                result.exit = PASSED
            return result
        self.check_statuses(run)
        self.assertEqual(self.given()[0], "./queue")

    def test_condor(self):
        lines = (EXAMPLES / "condor.sub").read_text().splitlines()
        macros = dict(line.split(" = ", 1) for line in lines if re.match(r"\w+ = ", line))
        self.assertEqual(lines[-1], "queue 16")
        self.assertEqual(macros["on_exit_hold"], "ExitBySignal == False && ExitCode > 1")
        self.driver(0)
        self.run_tool("frng-search", *macros["arguments"].replace("$(Process)", "3").split())
        self.check_arguments(3)
