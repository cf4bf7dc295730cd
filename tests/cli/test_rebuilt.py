"""The program is rebuilt, replaced, moved or removed while it is being run; clocks are set."""
# parts: 3

import hashlib
import json
import os
import re
import shutil
import signal
import threading
import unittest

import frng

DIRT = frng.SUTS / "sut-dirt"
DRIVER = frng.pathlib.Path(__file__).resolve().parents[2] / "driver"
ALL = ("spawn", "fork", "auto")
REBUILT = "has been rebuilt or replaced"


class Rebuilt(frng.Scenario):
    def version(self, needed, name="sut"):
        """A program that fails with so many bytes (0: it reads one and never fails), put in its
        place at once."""
        deed = f"segv {needed}" if needed > 0 else "exit0 1"
        new = self.script(f"{name}.new", f"# FRNG_DRIVER{'.' * 2000}\nexec '{DIRT}' {deed}\n")
        return new.rename(self.folder / name)

    def digest(self, path):
        return hashlib.blake2b(path.read_bytes(), digest_size=32).hexdigest()

    def events(self):
        path = self.folder / "events"
        return frng.json_lines(path.read_text()) if path.exists() else []

    def each_mode(self, check):
        for mode in ALL:
            with self.subTest(mode=mode):
                shutil.rmtree(self.folder / "found", ignore_errors=True)
                (self.folder / "events").unlink(missing_ok=True)
                check(mode)

    def start_search(self, mode, *more, sut="./sut", **how):
        """A search that goes on until something happens; it has made runs."""
        process = self.start(frng.SEARCH, sut, "--mode", mode, "--jobs", 2, "--json", "events",
                             "--findings", "found", "--size-max", 64, *more, **how)
        self.assertTrue(frng.wait_until(
            lambda: any(event["event"] == "size" for event in self.events())), "no run was made")
        return process

    def bests(self):
        return [event for event in self.events() if event["event"] == "best"]


class RebuiltInTheMiddle(Rebuilt):
    """A script that is replaced by another after so many of its failures."""

    def search_replaced(self, after, new, *more, failing=""):
        self.script("next", new)
        self.script("sut", "[ $(wc -c) -ge 5 ] || exit 0\ncd $FRNG_SCENARIO; echo >>failed\n"
                           f"{failing}\n"
                           f"[ $(wc -l <failed) -ne {after} ] || mv next sut\nexit 3\n")
        return self.search("--jobs", 1, "--attempts", 3, "--size-max", 64, "--rng-seed", 1,
                           "./sut", *more)

    def test_a_failure_that_is_mended_before_it_is_confirmed_is_none(self):
        result = self.search_replaced(1, "exit 0", "--json", "events")
        self.assertEqual(self.events()[-1]["reason"], "rebuilt")
        self.assert_exit(result, 3)
        self.assert_says(result, REBUILT, "failed once, and was not run again")
        self.assertNotIn("flaky", result.stderr, str(result))

    def test_a_best_that_is_mended_while_it_is_verified_is_not_flaky(self):
        for more in ([], ["--reduce"], ["--all", "--reduce"]):
            result = self.search_replaced(4 if more == ["--reduce"] else 15, "exit 0", "--json", "events", *more)
            self.assert_exit(result, 1)
            self.assert_says(result, REBUILT + "; run it again")
            self.assertNotIn("flaky", result.stderr, str(result))
            self.assertEqual(self.events()[-1]["end"], "interrupted")
            (self.folder / "events").unlink()
            (self.folder / "failed").unlink()

    def test_a_fleet_sees_that_it_stopped(self):
        self.search_replaced(3, "exit 0", "--findings", "found", "--sync", "1s")
        status = self.run_tool(frng.STATUS, "found", "--json")
        self.assertEqual(json.loads(status.stdout)["workers"]["found"], 1)

    def test_what_cannot_be_stored_is_reported_and_the_search_ends(self):
        result = self.search_replaced(3, "exit 0", "--findings", "found", failing="rm -rf found")
        self.assert_exit(result, 4)
        self.assert_says(result, "the finding could not be stored: .*; it is printed below")
        self.assertIsNotNone(frng.find_result(result.stdout), str(result))

    def test_a_reduction_ends_with_what_it_has(self):
        self.script("next", "exit 0")
        self.script("sut", "[ $(wc -c) -ge 5 ] || exit 0\ncd $FRNG_SCENARIO; echo >>failed\n"
                           "[ $(wc -l <failed) -ne 6 ] || mv next sut\nexit 3\n")
        result = self.reduce("./sut", "--size", 40, "--seed", 1, "--jobs", 1, "--json", "events")
        self.assert_exit(result, 1)
        self.assert_says(result, r"\./sut: " + REBUILT,
                         "reduced so far: exit:3, 40 -> ")
        self.assertNotIn("flaky", result.stderr, str(result))
        self.assertEqual(self.events()[-1]["end"], "interrupted")


class Replaced(Rebuilt):
    def check(self, mode):
        """The search of a program that passes ends when one that fails takes its place; one after the
        other, searches begin with the findings that still fail."""
        self.version(0)
        process = self.start_search(mode, "--time", "1h", "--attempts", 1000000000)
        digest = self.digest(self.version(5))
        result = self.ended(process)
        self.assert_exit(result, 3)
        self.assertEqual(self.events()[-1]["reason"], "rebuilt")
        self.assert_says(result, REBUILT + "; run it again")
        again = ["--mode", mode, "--jobs", 2, "--findings", "found", "--size-max", 64, "./sut"]
        self.assert_found(self.search(*again), 5)
        content = (self.folder / "sut").read_bytes() + b"# again\n"
        self.write("sut.new", content, executable=True).rename(self.folder / "sut")
        result = self.search(*again)
        self.assert_found(result, 5)
        self.assert_says(result, "size 5, seed \\d+s?: still fails")
        self.assertNotIn("flaky", result.stderr)
        self.version(9)
        result = self.search(*again)
        self.assert_found(result, 9)
        self.assert_says(result, "size 5, seed \\d+s?: passes now")
        self.assertIn((5, digest), {(one["size"], one["sut_digest"])
                                    for one in frng.findings(self.folder / "found").values()})

    def test_the_new_one_is_not_mixed_with_the_old(self):
        self.each_mode(self.check)


class Written(Rebuilt):
    """A program that is open for writing cannot be executed (ETXTBSY)."""

    def held_open(self, path, seconds=0.5):
        """Hold it so, and let go after a while."""
        writer = open(path, "r+b")  # pylint: disable=consider-using-with
        timer = threading.Timer(seconds, writer.close)
        timer.start()
        self.addCleanup(timer.join)
        return timer

    def test_a_search_waits_for_the_writer(self):
        for mode in ALL:
            with self.subTest(mode=mode):
                self.held_open(self.version(5))
                result = self.search("--mode", mode, "--attempts", 5, "--size-max", 64, "./sut",
                                     "--json", "events")
                self.assert_found(result, 5)
                expected = "persistent" if mode == "auto" else mode
                self.assertEqual(self.events()[-1]["mode"], expected)

    def test_one_that_is_never_let_go_is_one_line_and_exit_2(self):
        path = self.version(5)
        with open(path, "r+b"):
            for mode in ("spawn", "auto"):
                result = self.search("--mode", mode, "--jobs", 1, "./sut")
                self.assert_exit(result, 2)
                self.assert_says(result, "Text file busy")
                self.assertEqual(result.stderr.count("\n"), 1, str(result))

    def check_linked(self, mode):
        """Removed, written piece by piece, and made executable at last, as by a linker."""
        self.version(0)
        content = self.version(5, "other").read_bytes()
        process = self.start_search(mode, "--time", "1h")
        (self.folder / "sut").unlink()
        with open(self.folder / "sut", "wb") as file:
            file.write(content[:1000])
            file.flush()
            os.fsync(file.fileno())
            file.write(content[1000:])
        (self.folder / "sut").chmod(0o755)
        result = self.ended(process)
        self.assert_exit(result, 3)
        self.assertEqual(result.stderr.count(REBUILT), 1, str(result))

    def test_a_linker_is_waited_for(self):
        self.each_mode(self.check_linked)


class Folders(Rebuilt):
    """The program is removed, or the folder that it and the findings live in is, or gets another
    name: relative paths hold."""

    def begin_in(self, mode, needed, *more):
        for name in ("place", "moved"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / "place").mkdir()
        self.version(needed, "place/sut")
        return self.start_search(mode, *more, "--json", "../events", folder=self.folder / "place")

    def check_moved(self, mode):
        process = self.begin_in(mode, 5, "--attempts", 1000000000)
        self.assertTrue(frng.wait_until(lambda: any(best["size"] == 5 for best in self.bests())))
        (self.folder / "place").rename(self.folder / "moved")
        new = self.digest(self.folder / "moved/sut")
        process.send_signal(signal.SIGINT)
        result = self.ended(process)
        found = frng.findings(self.folder / "moved/found").values()
        self.assertEqual({each["sut_digest"] for each in found}, {new}, str(result))
        self.assertFalse((self.folder / "place").exists())

    def check_removed(self, mode):
        for remove, name in ((os.unlink, "place/sut"), (shutil.rmtree, "place")):
            (self.folder / "events").unlink(missing_ok=True)
            process = self.begin_in(mode, 5, "--attempts", 1000000000)
            self.assertTrue(frng.wait_until(lambda: any(best["size"] == 5 for best in self.bests())))
            remove(self.folder / name)
            result = self.ended(process)
            self.assert_exit(result, 2)
            self.assertEqual(result.stderr.count("not found"), 1, str(result))
            self.assert_says(result, r"\./sut: not found",
                             "smallest failure so far: signal:SIGSEGV at size 5")
            self.assertEqual(frng.find_result(result.stdout)[0], 5, str(result))
            self.assertNotIn(REBUILT, result.stderr)

    def test_a_folder_that_is_renamed_matters_to_no_relative_path(self):
        self.each_mode(self.check_moved)

    def test_a_program_or_library_that_is_removed_is_no_finding(self):
        """Nothing has failed yet."""
        self.copy_sut(frng.SUTS / "sut-linked", "linked")
        library = self.copy_sut(frng.SUTS / "libsut-library.so", "libsut-library.so")
        for sut, gone, said in (("./linked", library, "librar"),
                                ("./sut", self.version(0), "sut: not found")):
            process = self.start_search("spawn", "--time", "1h", "--size-max", 32, sut=sut,
                                        environment={"LD_LIBRARY_PATH": str(self.folder)})
            gone.unlink()
            result = self.ended(process)
            self.assertEqual((result.exit, result.stdout), (2, ""), str(result))
            self.assert_says(result, said)
            (self.folder / "events").unlink()

    @frng.long
    def test_a_program_that_is_removed_ends_the_search_with_what_was_found(self):
        self.each_mode(self.check_removed)


class Clocks(unittest.TestCase):
    def test_the_clock_of_the_wall_may_be_set_at_any_time(self):
        """One clock is for deadlines; that of the wall is asked for `when`, names, and the age of files."""
        found = []
        for path in sorted(DRIVER.glob("*/*.c")):
            found += [f"{path.name}: {line.strip()}" for line in path.read_text().splitlines() if re.search(
                r"\btime\(NULL\)|\bgettimeofday\(|\bclock_gettime\(|CLOCK_REALTIME\b|\btimespec_get\(", line)]
        self.assertEqual(found, ["clock.c: const int failed = clock_gettime(CLOCK_MONOTONIC, &now);",
                                 "worker_log.c: return worker_report_is_silent(r, (int64_t)time(NULL) * "
                                 "1000000000) && !is_alive(r->pid);",
                                 "fleet_report.c: .start_s = (int64_t)time(NULL),",
                                 "status_main.c: timespec_get(&now, TIME_UTC);",
                                 "tool.c: const time_t now = time(NULL);"])
