"""frng-search until its time is over, or a signal ends it: --time, --keep-going, and --all with both."""
# parts: 2

import json
import re
import signal

import frng

FIVE = ("--attempts", 2, "--jobs", 1, *frng.modes("slow", 2, "/dev/null", 5))  # most of it waits
SEVERAL = str(frng.SUTS / "sut-several")
PASSED = re.compile(r"([\d,]+) fresh runs? at size (\d+) passed")


def passes_of(result):
    """(passes, size) of the statement on smaller failures."""
    match = PASSED.search(result.stderr)
    return int(match[1].replace(",", "")), int(match[2])


class KeepGoing(frng.Scenario):
    def test_a_search_that_fails_uses_all_of_its_time(self):
        once = self.search(*FIVE)
        result = self.search("--keep-going", "--time", "2s", "--findings", "found", "--json", "events", *FIVE)
        self.assert_found(result, 5)
        self.assertGreaterEqual(result.seconds, 1.9)
        self.assert_says(result, "failed again 20/20 times")
        self.assertEqual(passes_of(result)[1], 4)
        self.assertGreater(passes_of(result)[0], 2 * passes_of(once)[0])
        found = frng.findings(self.folder / "found").values()
        self.assertEqual([(f["size"], f["reruns"], f["repeated"]) for f in found], [(5, 20, 20)])
        *events, done = frng.latest(self.folder / "events")
        self.assertEqual([e["size"] for e in events if e["event"] == "best"][-1], 5)
        self.assertEqual((done["event"], done["passed"], done["below"]), ("done", *passes_of(result)))

    def passed_so_far(self, worker):
        lines = [json.loads(line) for path in (self.folder / "found/workers").glob(f"{worker}.*.jsonl")
                 for line in path.read_text().splitlines()]
        return max((line.get("passed") or 0 for line in lines), default=0)

    def test_a_signal_ends_it_with_the_summary_and_the_next_goes_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(frng.SEARCH, "--keep-going", "--time", "1h", "--findings", "found",
                                 "--worker", number.name, "--sync", "1s", *FIVE)
            self.assertTrue(frng.wait_until(lambda: self.passed_so_far(number.name) > 20))
            process.send_signal(number)
            result = self.ended(process)
            self.assert_exit(result, -number)
            self.assertEqual(frng.find_result(result.stdout)[0], 5)
            self.assertEqual(passes_of(result)[1], 4)
            self.assertGreater(passes_of(result)[0], 20)
            self.assert_says(result, "failed again 20/20 times")
        self.assert_says(result, "still fails")
        self.assertEqual([f["size"] for f in frng.findings(self.folder / "found").values()], [5])

    def test_a_tenth_of_the_time_is_left_for_a_reduction(self):
        result = self.search("--keep-going", "--time", "3s", "--json", "events", "--reduce", *FIVE)
        self.assert_exit(result, 1)
        self.assertRegex(result.stdout, r"^size=5 .*\nsize=5 hex=0000000000\n$", str(result))
        self.assertLess(result.seconds, 4)
        events = frng.json_lines((self.folder / "events").read_text())
        self.assertGreater(next(e for e in events if e["event"] == "done")["seconds"], 2.6)


class All(frng.Scenario):
    @frng.long
    def test_each_signature_gets_its_turn_again(self):
        result = self.search("--keep-going", "--all", "--attempts", 3, "--size-max", 64, "--rng-seed", 1,
                             "--time", "5s", "--mode", "persistent", SEVERAL)
        self.assert_exit(result, 1)
        self.assertGreaterEqual(result.seconds, 4.9)
        self.assertNotIn("1/1 ", result.stderr)
        self.assert_says(result, "[0-9,]+ fresh runs? at size [38] passed", "no other failure in at least [0-9]+ runs")

    def test_the_time_leaves_a_share_for_the_reduction_of_each(self):
        for more in (("--attempts", "10M"), ("--attempts", 20, "--keep-going")):
            for time in (1.5, 3, 6, 12):  # a busy machine is late
                (self.folder / "events").unlink(missing_ok=True)
                result = self.search("--all", "--reduce", *more, SEVERAL, "--rng-seed", 1, "--jobs", 1,
                                     "--size-max", "4K", "--time", f"{time}s", "--json", "events")
                self.assert_exit(result, 1)
                self.assertGreater(result.seconds, 0.9 * time)
                if result.seconds < 2.3 * time and " hex=" in result.stdout:
                    break
            self.assertLess(result.seconds, 2.3 * time)
            each = result.stdout.count(" seed=")  # a slow machine may end a share without a result
            events = frng.json_lines((self.folder / "events").read_text())
            tasks = [event["task"] for event in events if event["event"] == "start"]
            self.assertGreaterEqual(tasks.count("reduce"), each, str(result))
            self.assertIn(result.stdout.count(" hex="), range(1, each + 1), str(result))

    @frng.long
    def test_many_signatures_leave_time_for_the_last(self):
        for time in (8, 16, 32):  # a busy machine takes longer for each
            result = self.search("--all", "--reduce", SEVERAL, "--time", f"{time * frng.SLOWER}s", "--", "many")
            reduced, found = result.stdout.count(" hex="), result.stdout.count(" seed=")
            if 2 * reduced >= found:
                break
        self.assertGreaterEqual(2 * reduced, found, str(result))

    def test_time_and_an_interrupt_end_it_with_what_was_found(self):
        result = self.search("--all", SEVERAL, "--attempts", "10M", "--time", "1s")
        self.assert_exit(result, 1)
        self.assertIn(result.stdout.count(" signature="), (1, 2, 3), str(result))
        self.assert_says(result, "so far", "stopped before all sizes were tried")
        search = self.start(frng.SEARCH, "--all", SEVERAL, "--attempts", "10M", "--json", "events")
        self.assertTrue(frng.wait_until(lambda: self.has_best(20)))
        search.send_signal(signal.SIGINT)
        stdout, _ = search.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(search.returncode, -signal.SIGINT)
        self.assertRegex(stdout.decode(), r"size=(\d+) seed=(\d+s?) signature=(.+)")
