"""The files of examples/fleet/ at work: a real Slurm and GNU parallel, each with daemons of its own.

FRNG_FLEET_TIME is the --time of the searches in seconds, 15 by default.
"""

import json
import os
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

import cluster
import frng

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "fleet"
STATUS = str(frng.BUILD / "driver" / "frng-status")
RING = str(frng.BUILD / "examples" / "ring")
TIME_S = int(os.environ.get("FRNG_FLEET_TIME", "15"))

# Of its time a search may take this share to start: to ask the target what it can do.
USED = 0.95


class Fleet(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.environment["PATH"] = f"{frng.BUILD / 'driver'}:{self.environment['PATH']}"
        self.environment["HOME"] = str(self.folder)

    def status(self):
        """What frng-status tells of the folder `found`."""
        result = self.run_tool(STATUS, "--json", "found")
        self.assert_exit(result, 0, 1, 3)
        return json.loads(result.stdout)

    def each(self):
        """{name: what frng-status tells} of the workers."""
        if not (self.folder / "found/workers").is_dir():
            return {}
        return {worker["worker"]: worker for worker in self.status()["each"]}

    def check_searches(self, expected):
        """The workers are these, all have found, and each that is no canary used its time."""
        each = self.each()
        self.assertEqual(set(each), set(expected))
        for name, worker in each.items():
            self.assertEqual((worker["state"], worker["canary"]), ("found", name.endswith("-0")))
            if not worker["canary"]:
                self.assertGreaterEqual(worker["seconds"], USED * TIME_S, name)

    def check_one_answer(self):
        """The fleet has found the failure that its best worker has, and the canary's is apart."""
        told = self.status()
        self.assertEqual(told["workers"]["canaries"], 1)
        (failure,) = told["failures"]
        best = min(worker["best"] for worker in told["each"] if not worker["canary"])
        self.assertEqual(failure["size"], best)
        self.assertTrue(frng.findings(self.folder / "found/canary"))


@unittest.skipIf(cluster.missing(cluster.SLURM), f"{cluster.missing(cluster.SLURM)} is not installed")
class SlurmArray(Fleet):
    def submit(self, array, *arguments):
        return self.slurm.submit(f"--array={array}", "--cpus-per-task=1", EXAMPLES / "slurm.sbatch",
                                 *arguments)

    def totals(self, name):
        worker = self.each().get(name)
        return worker and (worker["runs"], worker["seconds"], worker["restarts"])

    def test_four_tasks_use_their_time_and_one_of_them_twice(self):
        self.slurm = cluster.Slurm(self)
        job = self.submit("0-3", RING, "--time", f"{TIME_S}s", "--sync", "1s")
        self.slurm.wait_until(lambda: (self.totals("frng-2") or [0])[0] > 0, "task 2 makes no runs")
        time.sleep(TIME_S / 4)
        self.assertNotEqual(self.slurm.ask("scontrol", "requeue", f"{job}_2"), None)
        self.slurm.wait_for(job, 2, "PENDING")
        self.slurm.wait_until(lambda: self.each()["frng-2"]["state"] == "stopped",
                              "the requeued task does not report its end")
        before = self.totals("frng-2")
        self.slurm.wait_for(job, 2, "RUNNING")
        seen = [before]
        while self.slurm.states(job)["2"][0] == "RUNNING":
            seen.append(self.totals("frng-2"))
            time.sleep(0.5)
        self.assertEqual(seen, sorted(seen), "the totals fell")
        self.assertEqual((before[2], seen[-1][2]), (0, 1))
        ends = self.slurm.wait_for_end(job)
        self.assertEqual(ends, {str(index): ("COMPLETED", "0:0") for index in range(4)},
                         self.slurm.logs())
        self.check_searches(f"frng-{index}" for index in range(4))
        self.assertGreaterEqual(self.totals("frng-2")[1], before[1] + USED * TIME_S)
        self.check_one_answer()
        output = (self.folder / f"slurm-{job}_2.out").read_text()
        self.assertEqual(output.count("\n  effort "), 2, output)

    def test_a_task_that_cannot_search_fails_and_a_signal_ends_one_in_order(self):
        self.slurm = cluster.Slurm(self)
        wrong = self.submit("1", "./no-such-target")
        long = self.submit("1", RING, "--time", "1h", "--sync", "1s")
        self.assertEqual(self.slurm.wait_for_end(wrong), {"1": ("FAILED", "2:0")})
        self.slurm.wait_until(lambda: (self.totals("frng-1") or [0])[0] > 0, "no runs are made")
        self.slurm.ask("scancel", "--batch", "--signal=TERM", f"{long}_1")  # as before a time limit
        self.slurm.wait_for_end(long)
        self.assertEqual(self.each()["frng-1"]["state"], "stopped")
        self.assertEqual(self.status()["failures"][0]["size"], self.each()["frng-1"]["best"])


@unittest.skipIf(cluster.missing(cluster.SSH), f"{cluster.missing(cluster.SSH)} is not installed")
class Parallel(Fleet):
    def setUp(self):
        super().setUp()
        self.ssh = cluster.Ssh(self)

    def test_two_hosts_and_the_canary_use_their_time(self):
        result = self.run_tool(EXAMPLES / "parallel.sh", RING, "--time", f"{TIME_S}s", "--sync", "1s",
                               "--jobs", 1, "--quiet")
        self.assertEqual(result.exit, 0, f"{result}\n{self.ssh.logs()}")
        self.check_searches(f"parallel-{index}" for index in range(3))
        self.check_one_answer()

    def test_workers_that_cannot_search_are_counted(self):
        result = self.run_tool(EXAMPLES / "parallel.sh", "./no-such-target", "--time", "1s")
        self.assertEqual(result.exit, 2, result)
        self.assert_says(result, "./no-such-target: not found")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
