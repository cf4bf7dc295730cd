"""examples/overnight.sh: a night of rounds, which neither a dead driver nor many findings end."""

import json
import os
import pathlib
import signal
import unittest

import frng

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "overnight.sh"


class Night(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        self.settings = {"FINDINGS": "found", "FRNG_SEARCH": frng.SEARCH, "HOURS": "1",
                         "FREE_MB": "0"}

    def driver(self, text):
        """A program in place of frng-search, which counts its rounds in the file `rounds`."""
        self.settings["FRNG_SEARCH"] = str(self.script("driver", f"echo $* >>rounds\n{text}"))

    def rounds(self):
        return (self.folder / "rounds").read_text().splitlines()

    def night(self, *arguments, **settings):
        return self.run_tool("bash", SCRIPT, *arguments, environment={**self.settings, **settings})

    def short_night(self, *arguments, **settings):
        """One without pauses, whose lengths are in the file `pauses`."""
        self.write("tools/sleep", "#!/bin/sh\necho $* >>pauses\n", executable=True)
        self.settings["PATH"] = f"{self.tools}:{self.environment['PATH']}"
        return self.night(*arguments, **settings)

    def keep(self, size, identity, **fields):
        """A finding as far as the script reads it."""
        name = frng.finding_name(size, str(size))
        text = json.dumps({"size": size, "seed": str(size), "identity": identity, **fields},
                          indent=2)
        self.write(f"found/{name}", text)
        return name


class Deaths(Night):
    def wait_for_driver(self, night, gone=None):
        """The pid of a driver that the script has started; `gone` is that of an earlier one."""
        def parent(pid):
            try:
                status = pathlib.Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                return None
            return int(status.rsplit(")", 1)[1].split()[1])

        def drivers():
            return [pid for pid, line in self.left_processes().items() if pid != gone and
                    line.startswith(frng.SEARCH) and parent(pid) == night.pid]
        self.assertTrue(frng.wait_until(drivers))
        return drivers()[0]

    def test_a_killed_driver_is_started_again_and_what_it_found_stays(self):
        night = self.start("bash", SCRIPT, frng.MODES, "--jobs", 1, "--attempts", 10**9, "--",
                           "at-least", 41, environment=self.settings)
        found = self.folder / "found"
        self.assertTrue(frng.wait_until(lambda: found.is_dir() and frng.findings(found)))
        first = self.wait_for_driver(night)
        best = min(frng.findings(found))
        os.kill(first, signal.SIGKILL)
        second = self.wait_for_driver(night, gone=first)
        night.send_signal(signal.SIGTERM)
        stdout, stderr = night.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(night.returncode, -signal.SIGTERM, stderr)
        self.assertNotEqual(first, second)
        self.assertIn(b"signal KILL killed frng-search; the search goes on in 1 s\n", stderr)
        self.assertNotIn(b"Killed", stderr)
        self.assertIn(b"overnight: 2 rounds, ", stdout)
        self.assertLessEqual(min(frng.findings(found)), best)
        (worker,) = (found / "workers").iterdir()
        worker = json.loads(worker.read_text())
        self.assertEqual((worker["state"], worker["restarts"]), ("stopped", 1))

    def test_five_in_a_row_end_the_night_with_one_line(self):
        self.driver("kill -9 $$")
        result = self.short_night("./target")
        self.assert_exit(result, 128 + signal.SIGKILL)
        self.assertEqual(len(self.rounds()), 5)
        lines = result.stderr.splitlines()
        self.assertEqual(lines[-1],
                         "overnight: signal KILL killed frng-search 5 times in a row: stopped")
        self.assertEqual(len(lines), 5, result)

    def test_a_round_that_ends_by_itself_forgives_the_deaths_before_it(self):
        """Each signal is a death, and each status of the tool is none."""
        for ends_with, number in ((0, signal.SIGKILL), (1, signal.SIGTERM), (3, signal.SIGSEGV)):
            self.driver("case $(wc -l <rounds) in 5) exit %d ;; 10) exit 4 ;; *) kill -%d $$ ;; esac"
                        % (ends_with, number))
            result = self.short_night("./target")
            self.assert_exit(result, 4)
            self.assert_says(result, f"signal {number.name[3:]} killed frng-search")
            self.assertEqual(len(self.rounds()), 10)
            (self.folder / "rounds").unlink()


class Pruning(Night):
    def prune(self, keep, count):
        """The findings that a round leaves of `count`."""
        for size in range(count):
            site = {"site": f"queue.c:{size // 100}"} if size % 2 else {}
            self.keep(size, f"exit:{size % 4}", **site)
        self.driver("exit 2")
        self.assert_exit(self.night("./target", KEEP=str(keep)), 2)
        return sorted(path.name for path in (self.folder / "found").iterdir())

    def test_the_smallest_stay_and_the_best_of_each_signature(self):
        left = self.prune(keep=10, count=350)
        best = {}
        for size in range(350):
            best.setdefault((size % 4, size // 100 if size % 2 else None), size)
        expected = sorted({*range(10), *best.values()})
        self.assertEqual([int(name[:10]) for name in left], expected)

    def test_a_finding_that_cannot_be_understood_stays(self):
        name = frng.finding_name(999, "999")
        self.write(f"found/{name}", '{"size": 999, "identity": "exit:1')
        self.write("found/notes.json", "mine")
        left = self.prune(keep=2, count=20)
        self.assertIn(name, left)
        self.assertIn("notes.json", left)


class Hours(Night):
    @frng.long
    def test_a_round_uses_its_time(self):
        result = self.night(frng.MODES, "--jobs", 1, "--", "at-least", 41, ROUND="3",
                            HOURS="0.0009")
        self.assert_exit(result, 1)
        self.assertIn("overnight: 1 round, 1 finding in found\n", result.stdout)
        self.assertRegex(result.stdout, r"  41 bytes  exit:1  found/0{8}41-\w{16}s?\.json")

    def test_rounds_with_nothing_to_do_follow_each_other_slowly(self):
        self.driver("[ $(wc -l <rounds) -lt 3 ] || exit 2")
        self.assert_exit(self.short_night("./target"), 2)
        self.assertLessEqual(len((self.folder / "pauses").read_text().splitlines()), 2)

    def test_a_fraction_of_an_hour_ends_the_round_too(self):
        self.driver("sleep 4; exit 0")
        self.assert_exit(self.night("./target", HOURS="0.001"), 0)
        self.assertEqual(len(self.rounds()), 1)
        self.assertRegex(self.rounds()[0], r"--time [123]s ")

    def test_numbers(self):
        self.driver("exit 2")
        for hours in ("0", "0.0001", ".0", "00"):
            self.assert_exit(self.night("./target", HOURS=hours), 0)
        self.assertFalse((self.folder / "rounds").exists())
        self.assert_exit(self.night("./target", HOURS="08", ROUND="09", KEEP="08", FREE_MB="00"), 2)
        self.assertIn("--time 9s ", self.rounds()[0])
        for name, value in (("HOURS", ""), ("HOURS", "."), ("HOURS", "1.5.2"), ("HOURS", "8h"),
                            ("HOURS", "-1"), ("ROUND", "0.5"), ("KEEP", "many"), ("FREE_MB", "1e3")):
            result = self.night("./target", **{name: value or " "})
            self.assert_one_line(result, 2, name)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
