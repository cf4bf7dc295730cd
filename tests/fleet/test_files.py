"""The files of examples/fleet/, as far as no engine is needed: what they say, and what their shells do."""

import pathlib
import re
import shlex
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

import frng

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fleet"
ENGINES = ["condor.sub", "frng@.service", "kubernetes.yaml", "parallel.sh", "slurm.sbatch"]
PASSED, BROKEN = 0, 70

try:
    import yaml
except ImportError:
    yaml = None


class Files(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["PATH"] = f"{self.folder}:{self.environment['PATH']}"
        self.arguments = self.folder / "arguments"

    def driver(self, status):
        """A frng-search that ends with a status, and keeps its arguments."""
        self.script("frng-search", f'printf "%s\\n" "$@" >{self.arguments}\nexit {status}\n')

    def given(self):
        return self.arguments.read_text().splitlines()

    def check_statuses(self, run):
        """`run` starts worker `index` of an engine: 0 and 1 are success, but 1 alone for the canary,
        and other statuses stay."""
        expected = {0: {0: BROKEN, 1: PASSED, 2: BROKEN, 3: BROKEN, 4: BROKEN},
                    1: {0: PASSED, 1: PASSED, 2: 2, 3: 3, 4: 4}}
        for index, ends in expected.items():
            for status, end in ends.items():
                self.driver(status)
                self.assertEqual(run(index).exit, end, (index, status))
                self.check_arguments(index)

    def check_arguments(self, index):
        given = self.given()
        self.assertEqual("--canary" in given, index == 0, given)
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
            self.assertIn(len(text.splitlines()), range(10, 26), name)
            self.assertNotIn("--rng-seed", text)

    def test_slurm(self):
        self.check_statuses(lambda index: self.run_tool(
            "bash", EXAMPLES / "slurm.sbatch", "./target", environment={
                "SLURM_ARRAY_TASK_ID": str(index), "SLURM_JOB_NAME": "frng",
                "SLURM_CPUS_PER_TASK": "4"}))
        self.assertEqual(self.given()[-1], "./target")

    @unittest.skipIf(yaml is None, "PyYAML is not installed")
    def test_kubernetes(self):
        job = yaml.safe_load((EXAMPLES / "kubernetes.yaml").read_text())
        self.assertEqual((job["kind"], job["spec"]["completionMode"]), ("Job", "Indexed"))
        (container,) = job["spec"]["template"]["spec"]["containers"]
        mounts = {mount["name"] for mount in container["volumeMounts"]}
        self.assertEqual(mounts, {volume["name"] for volume in job["spec"]["template"]["spec"]["volumes"]})
        self.check_statuses(lambda index: self.run_tool(
            *container["command"], environment={"JOB_COMPLETION_INDEX": str(index)}))

    @unittest.skipIf(shutil.which("kubectl") is None, "kubectl is not installed")
    def test_kubernetes_takes_the_job(self):
        """kubectl reads it as a Job of its own types, and changes a field that needs the names."""
        result = self.run_tool("kubectl", "set", "image", "--local", "--dry-run=client", "-o", "name",
                               "-f", EXAMPLES / "kubernetes.yaml", "search=registry.example/other",
                               environment={"HOME": str(self.folder)})
        self.assert_exit(result, 0)
        self.assertEqual(result.stdout, "job.batch/frng\n")

    def service(self):
        text = re.sub(r"\\\n", " ", (EXAMPLES / "frng@.service").read_text())
        return dict(line.split("=", 1) for line in text.splitlines() if re.match(r"\w+=", line))

    def test_systemd(self):
        (self.folder / "queue").mkdir()
        command = self.service()["ExecStart"].replace("%i", "INDEX").replace("%H", "host")

        def run(index):
            words = shlex.split(command.replace("INDEX", str(index)).replace("$$", "$"))
            result = self.run_tool(*words, environment={"TARGET": "queue"})
            if index > 0 and str(result.exit) in self.service()["SuccessExitStatus"].split():
                result.exit = PASSED
            return result
        self.check_statuses(run)
        self.assertEqual(self.given()[0], "./queue")
        self.assertNotIn(str(BROKEN), self.service()["SuccessExitStatus"].split())

    @unittest.skipIf(shutil.which("systemd-analyze") is None, "systemd-analyze is not installed")
    def test_systemd_takes_the_unit(self):
        unit = self.folder / "frng@.service"
        shutil.copy(EXAMPLES / unit.name, unit)
        result = self.run_tool("systemd-analyze", "verify", unit)
        self.assert_exit(result, 0)
        self.assertNotIn(unit.name, result.stderr)

    def test_condor(self):
        macros, jobs = {}, []
        for line in (EXAMPLES / "condor.sub").read_text().splitlines():
            if line.startswith("queue"):
                jobs.append((int(line.split()[1]), dict(macros)))
            elif "=" in line and not line.startswith("#"):
                name, value = re.fullmatch(r"(\w+) = (.*)", line).groups()
                macros[name] = value
        self.assertEqual([count for count, _ in jobs], [1, 15])
        holds = [job["on_exit_hold"].removeprefix("ExitBySignal == False && ") for _, job in jobs]
        self.assertEqual(holds, ["ExitCode != 1", "ExitCode > 1"])
        for index, (_, job) in enumerate(jobs):
            self.driver(0)
            words = job["arguments"].replace("$(common)", job["common"])
            self.run_tool("frng-search", *words.replace("$(Process)", str(index)).split())
            self.check_arguments(index)

    def test_the_files_are_for_this_frng(self):
        """The options are those that frng-search takes: the search ends where it has no target."""
        self.driver(0)
        self.run_tool("bash", EXAMPLES / "slurm.sbatch", "./target", environment={
            "SLURM_ARRAY_TASK_ID": "1", "SLURM_JOB_NAME": "frng", "SLURM_CPUS_PER_TASK": "4"})
        self.assert_one_line(self.search(*self.given()), 2, "./target: not found")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
