"""frng-reduce --predicate: any file, for whatever a program finds interesting in it."""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import stat
import time
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
REDUCERS = SOURCE / "tests" / "cli" / "reducers"
LINE = re.compile(r"size=(\d+) output=([^\n]*)\n")
LINES = b"".join(b"line %d\n" % i for i in range(60))


class Predicate(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)

    def reduce(self, predicate, *arguments, **more):
        for path in self.folder.glob("*.reduced"):
            path.unlink()
        return self.run_tool(frng.REDUCE, "--predicate", predicate, *arguments, **more)

    def needle(self, before=""):
        """Interesting is what has the word in it."""
        return self.script("interesting", f'{before}\ngrep -q needle "$1"\n')

    def hay(self, name="hay", needle=b"needle"):
        return self.write(name, LINES + b"the " + needle + b" is here\n" + LINES)

    def slow(self, *more):
        """Takes minutes, and gets better all the time: every line is a step of its own."""
        self.script("interesting", 'sleep 0.05\n[ "$(grep -c keep "$1")" -ge 25 ]\n')
        self.write("hay", b"".join(b"keep %d and more\n" % i for i in range(100)))
        return [frng.REDUCE, "--predicate", "./interesting", "hay", "--json", "events",
                "--jobs", "2",
                *more]

    def events(self, name="events"):
        return frng.latest(self.folder / name)

    def bests(self):
        path = self.folder / "events"
        return [event for event in self.events() if event["event"] == "best"] \
            if path.exists() else []

    def assert_reduced(self, result, size, name="hay.reduced"):
        self.assert_exit(result, 0)
        match = LINE.fullmatch(result.stdout)
        self.assertIsNotNone(match, str(result))
        self.assertEqual(match[2], str(name), str(result))
        path = self.folder / name
        self.assertEqual((int(match[1]), path.stat().st_size), (size, size), str(result))
        self.assert_clean(result)
        return path.read_bytes()

    def assert_clean(self, result=None):
        """No private folder is left, nor a file that was to be renamed."""
        self.assertEqual(os.listdir(self.temporary), [], str(result))
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])

    def seldom(self, otherwise):
        """The script of a predicate that says yes to the file in 16 of 20 runs."""
        return self.script("interesting", f"""
            echo x >> {self.folder}/runs
            luck=$(($(wc -l < {self.folder}/runs) * 17 % 20))
            sleep 0.05 # there is time to announce some
            if cmp -s "$1" {self.folder}/hay; then [ $luck -ge 4 ]; else {otherwise}; fi""")

    def assert_interesting_as_often(self, result):
        repeated, reruns = map(int, self.events()[-1]["flaky"].split("/"))
        self.assertGreaterEqual(repeated / reruns, 0.75, str(result))
        self.assert_says(result, rf"reruns +flaky {repeated}/{reruns}: interesting in")


class Files(Predicate):
    def test_what_is_interesting_is_made_small_beside_the_file(self):
        hay = self.hay()
        hay.chmod(0o444)
        before = hay.stat()
        result = self.reduce(self.needle(), "hay")
        self.assertEqual(self.assert_reduced(result, 6), b"needle")
        after = hay.stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns, before.st_mode, before.st_size),
                         (after.st_ino, after.st_mtime_ns, after.st_mode, after.st_size))

    def test_the_output_is_beside_a_file_in_another_folder_or_where_it_was_asked_for(self):
        self.hay("place/hay")
        result = self.reduce(self.needle(), "place/hay")
        self.assertEqual(self.assert_reduced(result, 6, "place/hay.reduced"), b"needle")
        result = self.reduce("./interesting", "place/hay", "--output", "small")
        self.assertEqual(self.assert_reduced(result, 6, "small"), b"needle")

    def test_a_predicate_gets_the_name_in_a_folder_with_nothing_else(self):
        self.hay()
        (self.folder / "hay").chmod(0o750)
        predicate = self.script("interesting", f"""
            echo "$#,$1,$2,$3,$(ls -A),$(stat -c %a "$1"),$FRNG_INPUT,$(wc -c)" >> {self.folder}/log
            pwd >> {self.folder}/places
            grep -q needle "$1"
            """)
        result = self.reduce(predicate, "hay", "--", "a b", "--help",
                             environment={"FRNG_INPUT": "x"})
        self.assert_reduced(result, 6)
        lines = set((self.folder / "log").read_text().splitlines())
        self.assertEqual(lines, {"3,hay,a b,--help,hay,750,,0"})
        for place in set((self.folder / "places").read_text().splitlines()):
            self.assertTrue(place.startswith(f"{self.temporary}/"), place)

    def test_every_byte_reaches_the_predicate_unchanged(self):
        hay = bytes(range(256)) * 4 + b"\x00\xff\x00\xfe" + bytes(reversed(range(256)))
        self.write("hay", hay)
        predicate = self.write("interesting", """#!/usr/bin/env python3
import sys
sys.exit(b"\\x00\\xff\\x00\\xfe" not in open(sys.argv[1], "rb").read())
""", executable=True)
        result = self.reduce(predicate, "hay", timeout=300)
        self.assertEqual(self.assert_reduced(result, 4), b"\x00\xff\x00\xfe")

    def test_file_names_may_hold_any_byte(self):
        predicate = self.script("interesting", 'grep -q needle -- "$1"\n')
        for name in ("a b\tc", "-rf", "--help", "ünï'cödé\"$x", "new\nline"):
            with self.subTest(name=name):
                self.hay(f"place/{name}")
                result = self.reduce(predicate, f"place/{name}")
                self.assert_exit(result, 0)
                self.assertEqual((self.folder / "place" / f"{name}.reduced").read_bytes(),
                                 b"needle")
                self.assertRegex(result.stdout, r"\Asize=6 output=[^\n]*\.reduced\n\Z")
                self.assert_plain(result)
                self.check_by_hand(result)
        result = self.reduce(predicate, "./-rf")
        self.assert_one_line(result, 2, "cannot be opened")
        result = self.reduce(predicate, "-rf")
        self.assert_one_line(result, 2, "unknown option")

    def test_a_link_to_a_file_has_its_own_name(self):
        self.hay("real")
        (self.folder / "link").symlink_to("real")
        result = self.reduce(self.needle('[ "$1" = link ] || exit 9'), "link")
        self.assertEqual(self.assert_reduced(result, 6, "link.reduced"), b"needle")

    def test_a_file_can_become_empty_or_be_so(self):
        predicate = self.script("interesting", "exit 0\n")
        self.hay()
        self.assertEqual(self.assert_reduced(self.reduce(predicate, "hay"), 0), b"")
        self.write("none", b"")
        result = self.reduce(predicate, "none")
        self.assertEqual(self.assert_reduced(result, 0, "none.reduced"), b"")

    def test_what_cannot_be_made_smaller_is_a_result(self):
        self.write("hay", b"needle")
        self.assertEqual(self.assert_reduced(self.reduce(self.needle(), "hay"), 6), b"needle")

    def test_a_predicate_is_found_on_path_and_by_a_relative_path(self):
        self.hay("place/hay")
        self.needle()
        for command, folder in (("interesting", "place"), ("../interesting", "place"),
                                ("./interesting", ".")):
            result = self.run_tool(
                frng.REDUCE, "--predicate", command, "hay" if folder == "place" else "place/hay",
                folder=self.folder / folder,
                environment={"PATH": f"{self.folder}:{os.environ['PATH']}"})
            self.assert_exit(result, 0)
            self.assertEqual((self.folder / "place/hay.reduced").read_bytes(), b"needle")
            (self.folder / "place/hay.reduced").unlink()

    def test_output_goes_to_a_pipe_once(self):
        self.hay()
        os.mkfifo(self.folder / "pipe")
        reader = self.start("cat", "pipe")
        result = self.reduce(self.needle(), "hay", "--output", "pipe")
        self.assert_exit(result, 0)
        self.assertEqual(reader.communicate(timeout=60)[0], b"needle")

    def check_by_hand(self, result):
        line = re.search(r"\n  check +(\S.*)\n", result.stderr)
        self.assertIsNotNone(line, str(result))
        self.assert_exit(self.run_tool("bash", "-c", line[1]), 0)
        for place in self.temporary.iterdir():  # mktemp of that line
            shutil.rmtree(place)


class Refusals(Predicate):
    def test_a_first_run_that_takes_longer_than_it_may_is_exit_2(self):
        self.hay()
        result = self.reduce(self.script("interesting", "sleep 600"), "hay", "--timeout", "300ms")
        self.assert_one_line(result, 2, "not interesting: the predicate took longer than 300ms")
        self.assert_clean(result)

    def test_what_cannot_be_reduced_is_one_line_and_exit_2(self):
        predicate = self.needle()
        with open(self.write("large", b""), "wb") as large:
            large.truncate((64 << 20) + 1)
        self.assert_one_line(self.reduce(predicate, "large"), 2, "larger than 67108864 bytes")
        self.hay().chmod(0)
        result = self.reduce(predicate, "hay", preexec_fn=frng.without_power_over_files)
        self.assert_one_line(result, 2, "hay: cannot be opened: Permission denied")

    def test_places_that_cannot_be_written_are_refused_before_any_run(self):
        self.hay()
        predicate = self.script("interesting", f"touch {self.folder}/ran")
        for arguments in (["--output", "no/where"], ["--output", "."], ["--json", "no/where"]):
            result = self.reduce(predicate, "hay", *arguments)
            self.assert_one_line(result, 2, "cannot be (written|opened)")
        result = self.reduce(predicate, "hay", environment={"TMPDIR": "/no/where"})
        self.assert_one_line(result, 2, "/no/where: cannot be written")
        self.assertFalse((self.folder / "ran").exists())


class Misbehaving(Predicate):
    """What predicates do, and what must not matter."""

    def check(self, before, size=6, **more):
        self.hay()
        result = self.reduce(self.needle(before), "hay", **more)
        self.assertEqual(len(self.assert_reduced(result, size)), size)
        self.assertFalse(self.left_processes())
        return result

    def test_it_changes_directory_and_removes_its_folder(self):
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1"; status=$?
            cd /; rm -rf "$OLDPWD"
            exit $status""")
        self.assertEqual(self.assert_reduced(self.reduce(predicate, "hay"), 6), b"needle")

    def test_it_removes_the_folder_that_holds_all_of_them(self):
        self.hay()
        predicate = self.script("interesting", """
            grep -q needle "$1"; status=$?
            rm -rf "$(dirname "$PWD")"
            exit $status""")
        self.assertEqual(self.assert_reduced(self.reduce(predicate, "hay", "--jobs", 1), 6),
                         b"needle")

    @frng.long
    def test_it_removes_the_place_that_folders_are_made_in(self):
        self.hay()
        predicate = self.script("interesting", """
            grep -q needle "$1"; status=$?
            rm -rf "$TMPDIR"
            exit $status""")
        result = self.reduce(predicate, "hay", "--jobs", 1)
        self.assert_exit(result, 4)
        self.assert_says(result, f"{self.temporary}/frng-work-[0-9a-f]+: the folder that runs work "
                                 "in is gone")
        self.assertNotIn("interpreter", result.stderr)

    def test_it_makes_its_folder_unreadable(self):
        self.check("mkdir -p sub/sub; touch sub/sub/x; chmod 0 sub/sub sub; "
                   "trap 'chmod 0 .' EXIT", preexec_fn=frng.without_power_over_files)

    def test_it_fills_its_folder_and_writes_to_the_candidate(self):
        self.check("mkdir a; ln -s / a/root; mkfifo fifo; touch 'x y' -- -x; cp \"$1\" other; "
                   "trap ': > \"$1\"; mv other .hidden' EXIT")

    def test_it_leaves_processes_behind(self):
        self.check("setsid sleep 600 & sleep 600 & (setsid sh -c 'sleep 600 & sleep 600' &)")

    def test_it_floods_its_output(self):
        self.check("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2")

    def test_it_hangs_on_some_candidates(self):
        self.hay(needle=b"need le")
        predicate = self.script("interesting", 'grep -q "need.*le" "$1" || exit 1\n'
                                               'grep -q "need le" "$1" || sleep 600\n')
        result = self.reduce(predicate, "hay", "--timeout", "500ms", timeout=300)
        self.assertIn(b"need le", self.assert_reduced(result, 7))

    def test_a_slow_first_run_gives_others_more_time(self):
        self.hay()
        result = self.reduce(self.needle("sleep 0.3"), "hay", "--verbose", "--calls", 3)
        self.assert_exit(result, 0)
        shown = re.search(r"timeout +(\d+(?:\.\d+)?)(ms|s)\n", result.stderr)
        self.assertIsNotNone(shown, str(result))
        milliseconds = float(shown[1]) * (1 if shown[2] == "ms" else 1000)
        self.assertGreaterEqual(milliseconds, 3000)

    def test_it_is_flaky_at_times(self):
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1" || exit 1
            echo x >> {self.folder}/runs
            [ $(($(wc -l < {self.folder}/runs) % 4)) -ne 0 ]""")
        result = self.reduce(predicate, "hay", "--jobs", 1)
        self.assert_exit(result, 0, 3)
        if result.exit == 0:
            self.assertIn(b"needle", (self.folder / "hay.reduced").read_bytes())
        self.assert_clean(result)

    @frng.long
    def test_what_is_interesting_less_often_does_not_replace_the_file(self):
        """The file in 16 of 20 runs, anything else in 3 of 20, none of which follow each other."""
        self.write("hay", b"it is whole\n")
        predicate = self.seldom('[ $luck -lt 3 ]')
        result = self.reduce(predicate, "hay", "--jobs", 1, "--json", "events")
        self.assert_reduced(result, len(b"it is whole\n"))
        self.assert_says(result, "flaky: a file of ")
        self.assert_interesting_as_often(result)

    def test_it_is_interesting_once_and_not_again(self):
        self.hay()
        predicate = self.script("interesting", f"mkdir {self.folder}/once")
        result = self.reduce(predicate, "hay", "--json", "events")
        self.assert_exit(result, 3)
        self.assertEqual(result.stdout, "")
        self.assert_says(result, "inconclusive: hay was interesting")
        self.assertEqual(self.events()[-1]["outcome"], "inconclusive")
        self.assertFalse((self.folder / "hay.reduced").exists())

    def test_it_kills_its_parent(self):
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1"; status=$?
            mkdir {self.folder}/once 2>/dev/null || exit $status
            kill -9 $PPID; exit $status""")
        self.assertEqual(self.assert_reduced(self.reduce(predicate, "hay"), 6), b"needle")

    def test_it_disappears_on_the_way(self):
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1" || exit 1
            echo x >> {self.folder}/runs
            [ $(wc -l < {self.folder}/runs) -lt 5 ] || rm -f {self.folder}/interesting""")
        result = self.reduce(predicate, "hay", "--jobs", 1)
        self.assert_exit(result, 2)
        self.assert_says(result, "interesting: not found")
        self.assertIn(b"needle", (self.folder / "hay.reduced").read_bytes())
        self.assert_clean(result)


class Ends(Predicate):
    def check_best(self, result):
        """The best is in its place, and interesting."""
        best = self.folder / "hay.reduced"
        self.assertLess(best.stat().st_size, (self.folder / "hay").stat().st_size, str(result))
        self.assert_exit(self.run_tool("./interesting", "hay.reduced"), 0)
        return best

    def test_time_that_is_spent_leaves_the_best(self):
        result = self.run_tool(*self.slow("--time", "4s"))
        self.assert_exit(result, 0)
        best = self.check_best(result)
        self.assertEqual(result.stdout, f"size={best.stat().st_size} output=hay.reduced\n")
        done = self.events()[-1]
        self.assertEqual((done["outcome"], done["complete"], done["size"]),
                         ("interesting", False, best.stat().st_size))
        self.assert_says(result, "reduced so far: hay, ")
        self.assert_clean(result)

    def test_calls_that_are_spent_leave_the_best(self):
        result = self.run_tool(*self.slow("--calls", "60"))
        self.assert_exit(result, 0)
        self.check_best(result)
        self.assertLessEqual(self.events()[-1]["calls"], 60 + 8)
        self.assert_clean(result)

    def test_one_call_is_enough_to_know_that_a_file_is_interesting(self):
        for calls in (1, 2):
            self.hay()
            result = self.reduce(self.needle(), "hay", "--calls", calls)
            size = (self.folder / "hay").stat().st_size
            self.assert_reduced(result, size)
            (self.folder / "hay.reduced").unlink()

    def test_a_signal_leaves_the_best_and_nothing_else(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                process = self.start(*self.slow())
                self.assertTrue(frng.wait_until(self.bests))
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=60)
                result = frng.Result(process.args, process.returncode, stdout, stderr, 0)
                self.assert_exit(result, -number)
                best = self.check_best(result)
                self.assertEqual(result.stdout, f"size={best.stat().st_size} output=hay.reduced\n")
                self.assert_says(result, "reduced so far")
                self.assertEqual(self.events()[-1]["outcome"], "interrupted")
                self.assertFalse(self.left_processes())
                self.assert_clean(result)
                for name in ("events", "hay.reduced"):
                    (self.folder / name).unlink()

    def test_a_signal_in_the_first_run_leaves_nothing(self):
        self.hay()
        self.script("interesting", f"trap '' INT TERM; touch {self.folder}/runs; sleep 600")
        process = self.start(frng.REDUCE, "--predicate", "./interesting", "hay")
        self.assertTrue(frng.wait_until((self.folder / "runs").exists))
        process.terminate()
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stdout), (-signal.SIGTERM, b""), stderr)
        self.assertFalse((self.folder / "hay.reduced").exists())
        self.assertFalse(self.left_processes())
        self.assert_clean()

    def test_a_kill_leaves_a_whole_output_and_soon_nothing_else(self):
        chance = random.Random(5)
        for i in range(4):
            process = self.start(*self.slow())
            if i == 0:
                self.assertTrue(frng.wait_until(self.bests))
            else:
                time.sleep(chance.uniform(0.1, 2.5))
            process.kill()
            process.communicate(timeout=60)
            self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
            if not frng.wait_until(lambda: not os.listdir(self.temporary), 5):
                # It had no worker just then: the next one to start here removes its folder.
                self.assert_exit(self.reduce("true", "hay", "--output", "other"), 0)
                (self.folder / "other").unlink()
            self.assertEqual(os.listdir(self.temporary), [])
            has_output = (self.folder / "hay.reduced").exists()
            self.assertTrue(has_output or i > 0)
            if has_output:
                self.check_best(process.args)
            for name in os.listdir(self.folder):
                if name.startswith((".hay", "events", "hay.reduced")):
                    (self.folder / name).unlink()

    def test_an_output_that_cannot_be_written_any_more_is_exit_4(self):
        (self.folder / "place").mkdir()
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1" || exit 1
            rm -rf {self.folder}/place""")
        result = self.reduce(predicate, "hay", "--output", "place/out")
        self.assert_exit(result, 4)
        self.assertEqual(result.stdout, "")
        self.assert_says(result, "place/out: cannot be written")
        self.assert_clean(result)

    def test_a_pipe_without_a_reader_is_not_waited_for(self):
        self.hay()
        os.mkfifo(self.folder / "pipe")
        result = self.reduce(self.needle(), "hay", "--output", "pipe")
        self.assert_exit(result, 4)
        self.assert_says(result, "pipe: cannot be written")
        self.assert_clean(result)

    def test_a_result_line_that_cannot_be_written_is_exit_4(self):
        self.hay()
        with open("/dev/full", "wb") as full:
            result = self.reduce(self.needle(), "hay", stdout=full)
        self.assert_exit(result, 4)
        self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"needle")


class Doubtful(Predicate):
    """Predicates that say yes to anything."""

    HINT = "exits with 0 for an empty file, and for random bytes: does it check anything?"

    def test_a_predicate_that_is_always_true_draws_a_warning(self):
        self.write("file", "some text\n")
        for text in ("exit 0", 'grep -q x "$1"; true'):
            result = self.run_tool(frng.REDUCE, "--predicate", self.script("yes", text), "file")
            self.assert_exit(result, 0)
            self.assertIn("yes: " + self.HINT, result.stderr)
            quiet = self.run_tool(frng.REDUCE, "--quiet", "--predicate", self.script("yes", text),
                                  "file", "--output", "other")
            self.assert_exit(quiet, 0)
            self.assertEqual(quiet.stderr, "")
            (self.folder / "file.reduced").unlink()

    def test_a_predicate_that_is_true_of_an_empty_file_draws_none(self):
        self.write("file", "some text\n")
        small = self.script("small", 'test $(wc -c < "$1") -lt 100')
        result = self.run_tool(frng.REDUCE, "--predicate", small, "file")
        self.assert_exit(result, 0)
        self.assertEqual((self.folder / "file.reduced").read_bytes(), b"")
        self.assertNotIn("random bytes", result.stderr)


class Earlier(Predicate):
    """An earlier result is where this one goes."""

    def test_a_result_that_nobody_named_is_not_overwritten(self):
        self.hay()
        self.needle()
        self.write("hay.reduced", "the work of a night")
        result = self.run_tool(frng.REDUCE, "--predicate", "./interesting", "hay")
        self.assert_one_line(result, 2, r"hay\.reduced: exists; to go on from it, put it in the "
                                        "place of hay; .* name it by --output")
        self.assertEqual((self.folder / "hay.reduced").read_text(), "the work of a night")

    def test_an_output_that_is_named_is_overwritten_and_no_start(self):
        self.hay()
        for content in (b"hay", b"needle", LINES * 10 + b"needle"):
            with self.subTest(content=content[:16]):
                self.write("out", content)
                result = self.reduce(self.needle(), "hay", "--output", "out", "--json", "events")
                self.assertEqual(self.assert_reduced(result, 6, "out"), b"needle")
                events = frng.latest(self.folder / "events")
                self.assertEqual(events[0]["size"], (self.folder / "hay").stat().st_size)
                self.assertGreater(events[-1]["successes"], 0)


class Told(Predicate):
    def test_the_summary_has_what_one_wants_to_know(self):
        self.hay()
        result = self.reduce(self.needle(), "hay", "--jobs", 2)
        size = (self.folder / "hay").stat().st_size
        self.assert_says(result, rf"reduced: hay, {size:,} -> 6 bytes\n",
                         r"result +hay\.reduced\n", r"check +\(d=",
                         r"interesting \d+/\d+ times", r"[\d,]+ calls and \d+ steps? in .*, 2 jobs")
        for word in ("fails", "failed", "replay", "exit:0", "signal"):
            self.assertNotIn(word, result.stderr)
        self.assert_plain(result)

    def test_quiet_leaves_the_result_line_and_verbose_lists_passes(self):
        self.hay()
        self.needle()
        result = self.reduce("./interesting", "hay", "-q")
        self.assertEqual((result.stdout, result.stderr), ("size=6 output=hay.reduced\n", ""))
        (self.folder / "hay.reduced").unlink()
        result = self.reduce("./interesting", "hay", "-v", "--", "x")
        self.assert_says(result, r"reducing \d+ bytes of hay\n  predicate \S*/interesting x\n",
                         r"timeout +\d+", r"passes +calls +steps +bytes\n +[a-z-]+ +\d+ +\d+")

    def test_quiet_still_says_why_there_is_no_result(self):
        self.write("hay", b"only")
        result = self.reduce(self.needle(), "hay", "-q")
        self.assert_one_line(result, 2, "not interesting")

    def test_events_have_every_field(self):
        self.hay()
        self.needle()
        result = self.reduce("./interesting", "hay", "--json", "-", "--jobs", 1, "--", "a")
        self.assert_exit(result, 0)
        events = frng.json_lines(result.stdout)
        first, *inner, done = events
        bests = [event for event in inner if event["event"] == "best"]
        self.assertLessEqual({"event", "predicate", "args", "file", "output", "version",
                              "containment", "size", "jobs"}, set(first))
        self.assertEqual((first["predicate"], first["args"], first["file"], first["output"]),
                         (str(self.folder.resolve() / "interesting"), ["a"], "hay", "hay.reduced"))
        fields = {"event", "size", "hex", "flaky", "calls", "successes", "seconds"}
        self.assertTrue(bests)
        for best in bests:
            self.assertLessEqual(fields, set(best))
        self.assertLessEqual(fields | {"outcome", "complete", "output", "passes", "reducers",
                                       "calls_to_size"}, set(done))
        self.assertLessEqual(done["calls_to_size"], done["calls"])
        self.assertEqual((done["event"], done["outcome"], done["complete"], done["hex"],
                          done["output"], done["reducers"]),
                         ("done", "interesting", True, b"needle".hex(), "hay.reduced", []))
        self.assertLessEqual(sum(part["calls"] for part in done["passes"]), done["calls"])

    def test_events_have_an_uninteresting_file(self):
        self.write("hay", b"only")
        self.assert_exit(self.reduce(self.needle(), "hay", "--json", "events"), 2)
        first, done = self.events()
        self.assertEqual((first["event"], done["event"], done["outcome"]),
                         ("start", "done", "uninteresting"))
        for field in ("size", "hex", "flaky", "output"):
            self.assertIsNone(done[field])
        self.write("lost", "#!/no/such/interpreter\n", executable=True)
        self.assert_exit(self.reduce("./lost", "hay", "--json", "events"), 2)
        self.assertEqual(self.events()[-1]["outcome"], "error")

    def test_calls_are_those_that_were_made_and_the_same_each_time(self):
        self.hay()
        told = set()
        for turn in range(2):
            log = self.folder / f"log{turn}"
            predicate = self.script("interesting", 'grep -q needle "$1"; status=$?\n'
                                                   f"echo x >> {log}; exit $status")
            result = self.reduce(predicate, "hay", "--jobs", 1, "--json", "events", "--output",
                                 f"out{turn}")
            self.assert_exit(result, 0)
            made = len(log.read_text().splitlines())
            told.add(self.events()[-1]["calls"])
            self.assertEqual(told, {made}, str(result))


class Reducers(Predicate):
    """Programs that make candidates. What each of those in tests/cli/reducers does is in it."""

    def asked(self):
        """The reducers that were asked, as the last event tells."""
        return {part["name"]: part for part in self.events()[-1]["reducers"] if part["calls"]}

    @frng.long
    @frng.unsanitized
    def test_an_example_reduces_json(self):
        names = {f"name {i}": {"values": list(range(i)), "text": "x" * i} for i in range(6)}
        self.write("doc.json", json.dumps({"a": names, "b": [{"c": [{"crash": "not 5"}]}]}))
        predicate = self.write("interesting", """#!/usr/bin/env python3
import json, sys
def has(value):
    if isinstance(value, dict):
        return "crash" in value or any(map(has, value.values()))
    return isinstance(value, list) and any(map(has, value))
sys.exit(not has(json.load(open(sys.argv[1]))))
""", executable=True)
        result = self.reduce(predicate, "doc.json", "--reducer", SOURCE / "examples/reducer.py",
                             "--json", "events", "--time", "60s", timeout=400)
        self.assert_exit(result, 0)
        self.assertLessEqual((self.folder / "doc.json.reduced").stat().st_size,
                             len('{"crash":{}}'), str(result))
        self.assertNotIn("disabled reducer", result.stderr)
        self.assert_clean(result)
        alone = json.dumps({"a": [1, {"crash": 2}]})
        self.write("alone.json", alone)
        self.assertEqual(self.run_tool(SOURCE / "examples/reducer.py", "alone.json", "all", 0).exit, 0)
        self.assertLess(len((self.folder / "alone.json").read_text()), len(alone))
        self.assertEqual(self.run_tool(SOURCE / "examples/reducer.py", "alone.json", "all", 99).exit, 1)

    def test_one_finds_what_frng_does_not(self):
        self.write("hay", "some more and a needle\n")
        swap = self.script("swap", 'grep -q needle "$1" && sed -i s/needle/pin/ "$1"\n')
        predicate = self.script("interesting", 'grep -q -e needle -e pin "$1"')
        result = self.reduce(predicate, "hay", "--reducer", swap, "--json", "events")
        self.assertEqual(self.assert_reduced(result, 3), b"pin")
        self.assertEqual(self.asked()["swap all"]["successes"], 1, str(result))

    def test_what_a_reducer_writes_is_bounded(self):
        self.hay()
        written = self.folder / "all-written"
        clex = self.script("clex", f"head -c 400000000 /dev/zero && touch {written}\nexit 51")
        result = self.reduce(self.needle(), "hay", "--reducer", f"{clex} rm-toks-1")
        self.assert_exit(result, 0)
        self.assert_says(result, "disabled reducer clex rm-toks-1: crashed")
        self.assertFalse(written.exists(), str(result))
        self.assert_clean(result)

    def test_a_bad_one_is_set_aside_or_costs_nothing_else(self):
        """Those that are of no use, as functions: tests/unit/test_external.c."""
        self.needle()
        for name, is_aside in (("crashes.sh", True), ("hangs.py", True), ("deletes.sh", True),
                               ("strange.sh", True), ("floods.py", False), ("lingers.py", False)):
            with self.subTest(name=name):
                self.write("hay", b"hay\n" * 4 + b"the needle is here\n" + b"hay\n" * 4)
                command = ["./interesting", "hay", "--reducer", REDUCERS / name, "--timeout", "1s"]
                result = self.reduce(*command)
                self.assertEqual(self.assert_reduced(result, 6), b"needle")
                self.assertFalse(self.left_processes())
                if is_aside:
                    self.assertEqual(result.stderr.count("disabled reducer"), 1, str(result))
                    self.assert_says(result, rf"(\n|\A)disabled reducer {re.escape(name)}")
        self.assertEqual(self.reduce(*command[:-4], "-q", "--reducer", REDUCERS / "crashes.sh").stderr,
                         "")

    @frng.long
    @frng.unsanitized
    def test_all_of_them_together_do_not_keep_a_good_one_from_its_work(self):
        self.write("doc.json", json.dumps({"a": [1, 2, {"crash": [4, 5]}], "b": {"c": "d"}}))
        # Without what Python loads for others (-I, -S), for it is started a thousand times.
        predicate = self.script("interesting", """grep -q crash "$1" &&
            exec python3 -IS -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" 2>&1""")
        reducers = []
        for path in sorted(REDUCERS.glob("*.*")):
            reducers += ["--reducer", path]
        result = self.reduce(predicate, "doc.json", *reducers, "--reducer",
                             SOURCE / "examples/reducer.py", "--timeout", "1s", "--time", "60s",
                             "--json", "events", timeout=400)
        self.assert_exit(result, 0)
        self.assertLessEqual((self.folder / "doc.json.reduced").stat().st_size,
                             len('{"crash":{}}'), str(result))
        self.assertFalse(self.left_processes())
        self.assert_clean(result)

    C_FILE = """#include <stddef.h>
struct pair { int first; int second; };
static int unused(int a) { return a + 1; }
static int twice(int value) { int result = value * 2; return result; }
int compute(struct pair *p, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) { if (p[i].first > 3) { sum += twice(p[i].second); } }
    return sum / 7;
}
int other(void) { return 12; }
"""

    def check_helper(self, name):
        found = next((path for path in (shutil.which(name), f"/usr/libexec/{name}",
                                        f"/usr/lib/cvise/{name}", f"/usr/libexec/cvise/{name}")
                      if path and os.access(path, os.X_OK)), None)
        if found is None or shutil.which("gcc") is None:
            self.skipTest(f"{name} is not installed")
        self.write("file.c", self.C_FILE)
        predicate = self.script("interesting",
                                'gcc -w -O0 -S -o out.s "$1" 2>/dev/null && grep -q imul out.s')
        result = self.reduce(predicate, "file.c", "--reducer", name, "--json", "events",
                             "--calls", 100, timeout=400)
        self.assert_exit(result, 0)
        self.assertLess((self.folder / "file.c.reduced").stat().st_size, len(self.C_FILE))
        self.assertNotIn("crashed or hung", result.stderr)
        self.assert_clean(result)
        self.assertTrue(self.asked(), str(result))

    def test_clex_reduces_a_program(self):
        self.check_helper("clex")

    def test_topformflat_reduces_a_program(self):
        self.check_helper("topformflat")

    @frng.unsanitized
    def test_clang_delta_reduces_a_program(self):
        self.check_helper("clang_delta")


class Time(frng.Scenario):
    def test_time_counts_while_the_first_answer_is_waited_for(self):
        self.write("hay", b"hay\n")
        predicate = self.script("slow", "sleep 1000\n")
        result = self.run_tool(frng.REDUCE, "--time", "500ms", "--json", "events", "--predicate",
                               predicate, "hay")
        self.assert_one_line(result, 3, "had not answered once when --time was over")
        self.assertLess(result.seconds, 50, str(result)) # it has five minutes
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual(done["outcome"], "inconclusive")
        self.assertFalse((self.folder / "hay.reduced").exists())


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
