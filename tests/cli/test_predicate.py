"""frng-reduce --predicate: any file, for whatever a program finds interesting in it."""
# suites: sanitized; parts: 3

import json
import os
import pathlib
import re
import shutil
import signal

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
        self.environment["TMPDIR"] = self.environment["BASE"] = str(self.temporary)

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


class Files(Predicate):
    def test_what_is_interesting_is_made_small_beside_the_file(self):
        hay = self.hay("place/hay")
        hay.chmod(0o444)
        before = hay.stat()
        result = self.reduce(self.needle(), "place/hay")
        self.assertEqual(self.assert_reduced(result, 6, "place/hay.reduced"), b"needle")
        after = hay.stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns, before.st_mode, before.st_size),
                         (after.st_ino, after.st_mtime_ns, after.st_mode, after.st_size))
        self.hay("real")
        (self.folder / "link").symlink_to("real")
        result = self.reduce(self.needle('[ "$1" = link ] || exit 9'), "link")
        self.assertEqual(self.assert_reduced(result, 6, "link.reduced"), b"needle")

    def test_a_predicate_gets_the_name_in_a_folder_with_nothing_else(self):
        self.hay()
        (self.folder / "hay").chmod(0o750)
        predicate = self.script("interesting", f"""
            echo "$#,$1,$2,$3,$(ls -A),$(stat -c %a "$1"),$FRNG_INPUT,$(wc -c)" >> {self.folder}/log
            pwd >> {self.folder}/places
            grep -q needle "$1"
            """)
        result = self.reduce(predicate, "hay", "--jobs", 1, "--json", "events", "--", "a b",
                             "--help", environment={"FRNG_INPUT": "x"})
        self.assert_reduced(result, 6)
        lines = (self.folder / "log").read_text().splitlines()
        self.assertEqual(set(lines), {"3,hay,a b,--help,hay,750,,0"})
        self.assertEqual(self.events()[-1]["calls"], len(lines))
        for place in set((self.folder / "places").read_text().splitlines()):
            self.assertTrue(place.startswith(f"{self.temporary}/"), place)

    def test_every_byte_reaches_the_predicate_unchanged(self):
        self.write("hay", bytes(range(256)) + b"\x00\xff\x00\xfe" + bytes(reversed(range(256))))
        predicate = self.script("interesting", "LC_ALL=C grep -qaP '\\x00\\xff\\x00\\xfe' \"$1\"\n")
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
                line = re.search(r"\n  check +(\S.*)\n", result.stderr)
                self.assert_exit(self.run_tool("bash", "-c", line[1]), 0)
                for place in self.temporary.iterdir():  # mktemp of that line
                    shutil.rmtree(place)

class Misbehaving(Predicate):
    """What predicates do, and what must not matter: commands before the check for a needle, and
    how the file is reduced."""

    AFTER = 'grep -q needle "$1"; status=$?\n%s\nexit $status\n'

    ALL = {
        "makes its folder unreadable": "mkdir -p sub/sub; touch sub/sub/x; chmod 0 sub/sub sub; "
                                       "trap 'chmod 0 .' EXIT\n" + AFTER % "",
        "fills its folder and writes to the candidate":
            "mkdir a; ln -s / a/root; mkfifo fifo; touch 'x y' -- -x; cp \"$1\" other; "
            "trap ': > \"$1\"; mv other .hidden' EXIT\n" + AFTER % "",
        "floods its output": "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2\n" + AFTER % "",
        "hangs on some candidates": 'grep -q "need.*le" "$1" || exit 1\n'
                                    'grep -q "needle" "$1" || sleep 600\n',
    }

    def test_what_it_does_does_not_matter(self):
        for what, text in self.ALL.items():
            with self.subTest(what=what):
                self.write("hay", b"hay\nthe needle is here\nhay\n")
                predicate = self.script("interesting", text)
                result = self.reduce(predicate, "hay", "--jobs", 1, "--timeout", "1s", timeout=300,
                                     preexec_fn=frng.without_power_over_files)
                self.assertEqual(self.assert_reduced(result, 6), b"needle")
                self.assertFalse(self.left_processes())

    def test_it_removes_the_place_that_folders_are_made_in(self):
        self.hay()
        for place in ("$BASE", "$(dirname \"$PWD\")"):
            self.temporary.mkdir(exist_ok=True)
            predicate = self.script("interesting", self.AFTER % f'rm -rf "{place}"')
            result = self.reduce(predicate, "hay", "--jobs", 1)
            self.assert_exit(result, 4)
            self.assert_says(result, f"{self.temporary}/frng-work-[0-9a-f]+: the folder that runs work "
                                     "in is gone")
            self.assertNotIn("interpreter", result.stderr)

    def test_a_slow_first_run_gives_others_more_time(self):
        self.hay()
        result = self.reduce(self.needle("sleep 0.3"), "hay", "--verbose", "--calls", 3)
        self.assert_exit(result, 0)
        shown = re.search(r"timeout +(\d+(?:\.\d+)?)(ms|s)\n", result.stderr)
        self.assertIsNotNone(shown, str(result))
        milliseconds = float(shown[1]) * (1 if shown[2] == "ms" else 1000)
        self.assertGreaterEqual(milliseconds, 3000)

    def test_what_is_interesting_less_often_does_not_replace_the_file(self):
        """The file in 16 of 20 runs, anything else in 3 of 20, none of which follow each other."""
        self.write("hay", b"it is whole\n")
        predicate = self.script("interesting", f"""
            echo x >> {self.folder}/runs
            luck=$(($(wc -l < {self.folder}/runs) * 17 % 20))
            sleep 0.05 # there is time to announce some
            if cmp -s "$1" {self.folder}/hay; then [ $luck -ge 4 ]; else [ $luck -lt 3 ]; fi""")
        result = self.reduce(predicate, "hay", "--jobs", 1, "--json", "events")
        self.assert_reduced(result, len(b"it is whole\n"))
        self.assert_says(result, "flaky: a file of ")
        repeated, reruns = map(int, self.events()[-1]["flaky"].split("/"))
        self.assertGreaterEqual(repeated / reruns, 0.75, str(result))
        self.assert_says(result, rf"reruns +flaky: interesting {repeated}/{reruns} times")

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
        """The best is in its place, and interesting. Return its size."""
        best = self.folder / "hay.reduced"
        self.assertLess(best.stat().st_size, (self.folder / "hay").stat().st_size, str(result))
        self.assert_exit(self.run_tool("./interesting", "hay.reduced"), 0)
        return best.stat().st_size

    def forget(self):
        for path in (self.folder / "events", self.folder / "hay.reduced"):
            path.unlink(missing_ok=True)

    def test_a_signal_leaves_the_best_and_nothing_else(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(*self.slow())
            self.assertTrue(frng.wait_until(self.bests))
            process.send_signal(number)
            result = self.ended(process, 60)
            self.assert_exit(result, -number)
            size = self.check_best(result)
            self.assertEqual(result.stdout, f"size={size} output=hay.reduced\n")
            self.assert_says(result, "reduced so far")
            self.assertEqual(self.events()[-1]["outcome"], "interrupted")
            self.assertFalse(self.left_processes())
            self.assert_clean(result)
            self.forget()

    def test_several_files_that_were_ended_go_on(self):
        """The folder has the best at every instant, of both files, and the originals stay."""
        text = b"".join(b"keep %d and more\n" % i for i in range(12))
        self.script("interesting", """
            sleep 0.02
            [ "$(grep -c keep one)" -ge 4 ] && [ "$(grep -c keep in/two)" -ge 4 ]
            """)
        for name in ("place/one", "place/in/two", "place/three"):
            self.write(name, text)
        command = [frng.REDUCE, "--predicate", "./interesting", "place", "--json", "events",
                   "--jobs", "2"]
        output = self.folder / "place.reduced"
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
            self.forget()
            process = self.start(*command)
            self.assertTrue(frng.wait_until(self.bests))
            process.send_signal(number)
            result = self.ended(process, 60)
            self.assert_exit(result, -number)
            shutil.copytree(output, self.folder / "seen")
            result = self.run_tool("../interesting", folder=self.folder / "seen")
            self.assert_exit(result, 0)
            shutil.rmtree(self.folder / "seen")
        result = self.run_tool(*command, timeout=300)
        self.assert_exit(result, 0)
        self.assert_says(result, "goes on from place.reduced")
        self.assertEqual(sorted(path.name for path in output.rglob("*") if path.is_file()),
                         [".frng-reduced", "one", "two"])
        self.assertEqual((output / "one").read_text().split(), ["keep"] * 4)
        for name in ("place/one", "place/in/two", "place/three"):
            self.assertEqual((self.folder / name).read_bytes(), text)

    def test_several_files_without_a_step_leave_nothing(self):
        for name in ("one", "two"):
            self.write(name, b"word\n")
        self.script("interesting", "cat one two >/dev/null || exit 1; sleep 0.2; "
                                   "[ \"$(cat one two)\" = \"word\nword\" ]\n")
        process = self.start(frng.REDUCE, "--predicate", "./interesting", "one", "two",
                             "--json", "events", "--ui", "none")
        self.assertTrue(frng.wait_until(lambda: (self.folder / "events").exists()))
        process.send_signal(signal.SIGINT)
        self.assert_exit(self.ended(process, 60), -signal.SIGINT)
        self.assertEqual(sorted(path.name for path in self.folder.glob("one*")), ["one"])
        self.assert_clean()

    def test_an_output_that_cannot_be_written_any_more_is_exit_4(self):
        self.hay("place/x")
        self.hay()
        predicate = self.script("interesting", f"""
            grep -q needle "$1" || exit 1
            rm -rf {self.folder}/place""")
        os.mkfifo(self.folder / "pipe")  # which nobody reads
        for output, text in (("place/out", predicate), ("pipe", predicate)):
            result = self.reduce(text, "hay", "--output", output)
            self.assert_exit(result, 4)
            self.assertEqual(result.stdout, f"size=6 hex={b'needle'.hex()}\n")
            self.assert_says(result, f"{output}: cannot be written")
            self.assert_clean(result)


class Reducers(Predicate):
    """Programs that make candidates. What each of those in tests/cli/reducers does is in it."""

    def asked(self):
        """The reducers that were asked, as the last event tells."""
        return {part["name"]: part for part in self.events()[-1]["reducers"] if part["calls"]}

    @frng.long
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
        for name, is_aside in (("crashes.sh", True), ("hangs.py", True), ("floods.py", False),
                               ("lingers.py", False)):
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
