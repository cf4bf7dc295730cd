"""Disks: full, read-only, gone, and folders of findings with anything in them."""

import os
import re
import shutil
import subprocess
import unittest

import frng

DRAWS = str(frng.SUTS / "sut-draws")
BEST = "0000000001-0000000000000001.json"
GOOD = '''{"format": 1, "sut": "%s", "sut_digest": null, "args": [], "size": 50, "seed": "7",
"expand": 1, "identity": "exit:1", "status": 1, "site": null}'''


def can_mount():
    """Whether a file system in memory can be mounted in a namespace of its own, and how."""
    for flags in (["-m"], ["-Urm"]):
        if shutil.which("unshare") and subprocess.run(
                ["unshare", *flags, "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            return flags
    return None


class Disks(frng.Scenario):
    def setUp(self):
        super().setUp()
        (self.folder / "found").mkdir()

    def on_small_disk(self, *command, size="64k", before="true", **more):
        """Run in the folder, where `small` is a file system with so much room."""
        flags = can_mount()
        if flags is None:
            self.skipTest("no file system can be mounted here")
        (self.folder / "small").mkdir(exist_ok=True)
        script = (f"mount -t tmpfs -o size={size} none small && {{ {before}; }} && "
                  '{ "$@"; } ; code=$?; cp -r small/. kept 2>/dev/null; exit $code')
        (self.folder / "kept").mkdir(exist_ok=True)
        return self.run_tool("unshare", *flags, "sh", "-c", script, "sh", *command, **more)

    def assert_told_in_full(self, result, size):
        """The failure is on stderr with all that it takes to see it again."""
        self.assert_exit(result, 4)
        self.assert_says(result, rf"smallest failure: \S+ at size {size}\n",
                         rf"frng-replay .*--size {size} --seed \d+s?", "reruns")
        self.assertNotIn("Traceback", result.stderr)

    def assert_whole(self, folder):
        for name in os.listdir(folder):
            self.assertRegex(name, rf"\A{frng.FINDING_NAME.pattern}\Z")
        frng.findings(folder)


class Full(Disks):
    FILL = "cat /dev/zero > small/filler 2>/dev/null; true"

    def test_a_full_disk_prints_each_finding_in_full(self):
        result = self.on_small_disk(frng.SEARCH, "--attempts", 2, "--findings", "small/found",
                                    frng.MODES, before=f"mkdir small/found; {self.FILL}")
        self.assert_told_in_full(result, 41)
        self.assert_says(result, "small/found: the finding could not be stored: No space left")
        self.assert_whole(self.folder / "kept" / "found")

    def test_a_quiet_search_prints_findings_in_full_on_a_full_disk(self):
        result = self.on_small_disk(frng.SEARCH, "--quiet", "--attempts", 2, "--findings", "small",
                                    frng.MODES, before=self.FILL)
        self.assert_told_in_full(result, 41)
        self.assertEqual(frng.find_result(result.stdout)[0], 41)

    def assert_smallest_is_kept(self, size, *options):
        """The findings on a disk with so much room, after a search that finds more than fit."""
        result = self.on_small_disk(frng.SEARCH, "--attempts", 20, "--findings", "small",
                                    "--rng-seed", 3, *options, *frng.modes("staircase"), size=size)
        best = self.assert_found(result)
        self.assert_whole(self.folder / "kept")
        found = frng.findings(self.folder / "kept")
        self.assertIn(frng.finding_name(*best), found)
        self.assertEqual(found[frng.finding_name(*best)]["reruns"], 20)
        return found

    def test_a_disk_with_room_for_two_findings_keeps_the_smallest(self):
        self.assertEqual(len(self.assert_smallest_is_kept("8k")), 1)

    def test_events_on_a_full_disk_are_exit_4(self):
        result = self.on_small_disk(frng.SEARCH, "--attempts", 2, "--json", "small/events",
                                    frng.MODES, before=self.FILL)
        self.assert_told_in_full(result, 41)
        self.assert_says(result, "small/events: cannot be written: No space left")

    def test_an_output_that_does_not_fit_is_an_error(self):
        self.write("start", frng.expand(1, 60000))
        sut = self.script("sut", '[ "$(wc -c)" -lt 30000 ]\n')
        result = self.on_small_disk(frng.REDUCE, sut, "--input", "start", "--output", "small/out",
                                    "--calls", 30, size="8k")
        self.assert_exit(result, 4)
        self.assert_says(result, "small/out: cannot be written: No space left", "reduced so far: exit:1")
        self.assertFalse((self.folder / "kept" / "out").exists())
        size, printed = re.fullmatch(r"size=(\d+) hex=([0-9a-f]+)\n", result.stdout).groups()
        self.assertGreaterEqual(int(size), 30000)
        self.assertEqual(len(printed), 2 * int(size))

    def test_the_output_of_a_file_that_does_not_fit_leaves_the_earlier_one(self):
        self.write("hay", b"keep\n" * 12000)
        predicate = self.script("interesting", '[ "$(grep -c keep "$1")" -ge 8000 ]\n')
        result = self.on_small_disk(
            frng.REDUCE, "--predicate", predicate, "hay", "--output", "small/out", "--calls", 30,
            size="8k", before="echo precious > small/out")
        self.assert_exit(result, 4)
        self.assertEqual(result.stdout, "")
        self.assert_says(result, "small/out: cannot be written: No space left")
        self.assertEqual((self.folder / "kept" / "out").read_text(), "precious\n")
        self.assertLessEqual(set(os.listdir(self.folder / "kept")), {"out"})

    @frng.long
    def test_private_folders_on_a_full_disk_are_no_verdict(self):
        self.write("hay", b"keep\n" * 12000)
        predicate = self.script("interesting", '[ "$(grep -c keep "$1")" -ge 1 ]\n')
        result = self.on_small_disk(
            frng.REDUCE, "--predicate", predicate, "hay", size="8k",
            environment={"TMPDIR": str(self.folder / "small")})
        self.assert_exit(result, 4)
        self.assert_says(result, "No space left")
        self.assertFalse((self.folder / "hay.reduced").exists())

    def test_a_full_stdout_is_an_error(self):
        for options in ([], ["--quiet"], ["--json", "-"], ["--json", "-", "--quiet"]):
            with self.subTest(options=options), open("/dev/full", "wb") as full:
                result = self.search("--attempts", 2, *options, "--findings", "found", frng.MODES,
                                     stdout=full)
                self.assert_told_in_full(result, 41)
                result = self.reduce(DRAWS, "--hex", "01" * 20, *options, stdout=full)
                self.assert_exit(result, 4)
                self.assert_says(result, "reduced: signal:SIGABRT", "--hex 010101010101010101")

    def test_stdout_is_full_and_a_file_was_reduced(self):
        self.write("hay", b"a needle\n")
        predicate = self.script("interesting", 'grep -q needle "$1"\n')
        for options in ([], ["--quiet"], ["--json", "-"], ["--json", "-", "--quiet"]):
            with self.subTest(options=options), open("/dev/full", "wb") as full:
                result = self.reduce("--predicate", predicate, "hay", *options,
                                       stdout=full)
                self.assert_exit(result, 4)
                self.assert_says(result, "hay.reduced")
                self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"needle")
                (self.folder / "hay.reduced").unlink()


class Closed(Disks):
    """Standard output is closed, or nobody reads it."""

    def closed(self, *command):
        return self.run_tool("sh", "-c", '"$@" >&-', "sh", *command)

    def test_a_finding_is_stored_and_printed(self):
        for options in ([], ["--quiet"], ["--json", "-", "--quiet"]):
            with self.subTest(options=options):
                result = self.closed(frng.SEARCH, "--attempts", 2, "--findings", "found", *options,
                                     frng.MODES)
                self.assert_told_in_full(result, 41)
                self.assertTrue(frng.findings(self.folder / "found"))
                shutil.rmtree(self.folder / "found")

    def test_a_dump_is_not_taken_for_written(self):
        self.assert_exit(self.closed(frng.REPLAY, "--hex", "01", "--dump", frng.MODES), 125)

    def test_a_replay_has_its_verdict(self):
        self.assert_exit(self.closed(frng.REPLAY, "--size", 41, "--seed", 1, frng.MODES), 1)
        self.assert_exit(self.closed(frng.REPLAY, "--size", 40, "--seed", 1, frng.MODES), 0)

    def test_the_first_line_is_enough_for_the_reader(self):
        script = '{ "$@"; echo "exit $?" >&2; } | head -n 1'
        result = self.run_tool("bash", "-c", script, "bash", frng.SEARCH, "--attempts", 30,
                               "--json", "-", "--findings", "found", *frng.modes("staircase"))
        self.assertIn('"event":"start"', result.stdout)
        self.assert_says(result, "smallest failure", "frng-replay", "exit 4\n")
        self.assertNotIn("Broken pipe", result.stderr)
        self.assert_whole(self.folder / "found")
        self.assertTrue(frng.findings(self.folder / "found"))


class Denied(Disks):
    def denied(self, *command):
        return self.run_tool(*command, preexec_fn=frng.without_power_over_files)

    def test_a_read_only_folder_is_exit_4(self):
        (self.folder / "found").chmod(0o555)
        result = self.denied(frng.SEARCH, "--attempts", 2, "--findings", "found", frng.MODES)
        self.assert_told_in_full(result, 41)
        self.assert_says(result, "found: the finding could not be stored: Permission denied")

    def test_a_read_only_disk_is_exit_4(self):
        result = self.on_small_disk(
            frng.SEARCH, "--attempts", 2, "--findings", "small", frng.MODES,
            before="mount -o remount,ro none small")
        self.assert_told_in_full(result, 41)
        self.assert_says(result, "could not be stored: Read-only file system")

    def test_a_folder_that_cannot_be_entered_is_refused_before_any_run(self):
        sut = self.script("sut", "touch ran; exit 1")
        (self.folder / "found").chmod(0)
        result = self.denied(frng.SEARCH, "--findings", "found", sut)
        (self.folder / "found").chmod(0o755)
        self.assert_one_line(result, 2, "found: cannot be opened: Permission denied")
        self.assertFalse((self.folder / "ran").exists())

    def test_a_finding_that_cannot_be_read_is_named(self):
        path = self.write(f"found/{BEST}", GOOD % frng.MODES)
        path.chmod(0)
        result = self.denied(frng.SEARCH, "--attempts", 2, "--findings", "found", frng.MODES)
        self.assert_found(result, 41)
        self.assert_says(result, f"found/{BEST}: skipped: Permission denied")
        self.assertTrue(path.exists())

    def test_an_output_in_a_read_only_folder_is_refused_before_any_run(self):
        sut = self.script("sut", f"touch {self.folder}/ran; exit 1")
        self.write("hay", "hay")
        (self.folder / "found").chmod(0o555)
        for command in ([frng.REDUCE, sut, "--hex", "00"],
                        [frng.REDUCE, "--predicate", sut, "hay"]):
            result = self.denied(*command, "--output", "found/out")
            self.assert_one_line(result, 2, "found/out: cannot be written: Permission denied")
        self.assertFalse((self.folder / "ran").exists())


class Gone(Disks):
    """A folder is removed while the tool runs."""

    def gone(self, folder):
        return self.script("sut", f'rm -rf "{self.folder}/{folder}"\n[ "$(wc -c)" -lt 5 ]\n')

    def test_a_finding_that_can_no_longer_be_stored_is_printed_in_full(self):
        result = self.search("--attempts", 2, "--findings", "found", self.gone("found"))
        self.assert_told_in_full(result, 5)
        self.assert_says(result, "found: the finding could not be stored: No such file",
                         "it is printed below")

    def after(self, runs, command):
        """A target that fails from 5 bytes on. The first run moves the folder of findings away, and
        after so many the command is called."""
        return self.script("sut", f"""cd "{self.folder}"
echo >> ran
[ -e away ] || mv found away
[ "$(wc -l < ran)" -ne {runs} ] || {{ {command}; }}
[ "$(wc -c)" -lt 5 ]
""")

    def assert_back(self, result):
        size, seed = self.assert_found(result, 5)
        self.assertEqual(result.stderr.count(" found: "), 2, str(result))
        self.assert_says(result, "found: the finding could not be stored: No such file or directory;"
                         " it stays in memory, and is tried again\n",
                         "found: all findings are stored again\n")
        found = frng.findings(self.folder / "found")
        self.assertEqual(found[frng.finding_name(size, seed)]["reruns"], 20)
        return found

    def test_findings_are_stored_when_their_folder_is_back(self):
        self.assert_back(self.search("--attempts", 2, "--jobs", 1, "--findings", "found",
                                     self.after(20, "mv away found; mkdir away")))

    def test_a_folder_that_is_replaced_gets_the_best_at_the_end(self):
        sut = self.script("sut", f"""cd "{self.folder}"
[ -e away ] || [ -z "$(ls found)" ] || {{ mv found away; mkdir found; }}
[ "$(wc -c)" -lt 5 ]
""")
        result = self.search("--attempts", 2, "--jobs", 1, "--findings", "found", sut)
        self.assertIn(frng.finding_name(*self.assert_found(result, 5)),
                      frng.findings(self.folder / "found"))
        self.assertTrue(frng.findings(self.folder / "away"))
        self.assertEqual(result.stderr.count(" found: "), 1, str(result))
        self.assert_says(result, "found: another folder has taken its place; the smallest findings")

    def test_a_reduction_prints_its_result_too(self):
        result = self.reduce(self.gone("found"), "--hex", "00" * 9, "--findings", "found",
                               "--output", "found/out")
        self.assert_exit(result, 4)
        self.assert_says(result, "found/out: cannot be written", "reduced: exit:1, 9 -> 5",
                         "--hex 0000000000\n")


class Hostile(Disks):
    """Whatever has the name of a finding is named, passed over, and left as it is."""

    def make_hostile(self, folder):
        """{name: what is said of it}"""
        good = GOOD % frng.MODES
        contents = [
            (b"", "not a JSON"), (b"{", "not a JSON"), (b"\0" * 1000, "not a JSON"), (b"null", "not a JSON"),
            (b"[" * 100000, "not a JSON"), (b'{"a":' * 100000, "not a JSON"), (b"\xff\xfe{}", "not a JSON"),
            (good.encode()[:-1], "not a JSON"), (good.encode() + b"x", "not a JSON"),
            (good.replace('"7"', '"7\\u0000"').encode(), "not a JSON|seed is not valid"),
            (good.replace('"format": 1', '"format": 2').encode(), "format 2 is of a styled"),
            (good.replace('"format": 1', '"format": 99999999999').encode(), "later format"),
            (good.replace('"format": 1', '"format": "1"').encode(), "not a finding of frng"),
            (good.replace("50", "-1").encode(), "it has no size"),
            (good.replace("50", "99999999999999").encode(), "too large"),
            (good.replace('"7"', '"18446744073709551616"').encode(), "seed is not valid"),
            (good.replace("exit:1", "exit:x\\u001b[2J").encode(), "no identity"),
            (good.replace('"args": []', '"args": {}').encode(), "args"),
            (good.replace('"args": []', '"args": [1]').encode(), "args"),
        ]
        said = {}

        def next_name():
            return f"0000000001-{len(said) + 1:016x}.json"

        for content, why in contents:
            (folder / next_name()).write_bytes(content)
            said[next_name()] = why
        os.mkfifo(folder / next_name())
        said[next_name()] = "not a regular file"
        (folder / next_name()).mkdir()
        said[next_name()] = "not a regular file"
        for target, why in (("/dev/zero", "not a regular file"), ("/dev/tty", "regular|No such device"),
                            ("itself", "symbolic links"), ("nowhere", "No such file"),
                            (".", "not a regular file")):
            name = next_name()
            (folder / name).symlink_to(name if target == "itself" else target)
            said[name] = why
        with open(folder / next_name(), "wb") as huge:
            huge.truncate(1 << 40)
        said[next_name()] = "too large"
        return said

    def listing(self, folder):
        return {path.name: (path.lstat().st_mode, path.lstat().st_size, path.lstat().st_ino)
                for path in folder.iterdir()}

    def test_a_search_goes_on_beside_all_of_them(self):
        folder = self.folder / "found"
        said = self.make_hostile(folder)
        before = self.listing(folder)
        result = self.search("--attempts", 2, "--findings", "found", frng.MODES)
        self.assert_found(result, 41)
        for name in list(said)[:3]:
            self.assert_says(result, rf"found/{name}: skipped: [^\n]*({said[name]})")
        self.assert_says(result, rf"found: {len(said) - 3} more files skipped\n")
        after = self.listing(folder)
        self.assertEqual({name: after.get(name) for name in before}, before)
        self.assert_plain(result)

    def test_each_of_them_is_skipped_with_its_reason(self):
        folder, alone = self.folder / "found", self.folder / "alone"
        alone.mkdir()
        for name, why in self.make_hostile(folder).items():
            (folder / name).rename(alone / name)
            result = self.run_tool(frng.REPLAY, "--list", "alone")
            self.assert_says(result, rf"alone/{name}: skipped: [^\n]*({why})")
            (alone / name).rename(folder / name)

    def test_a_replay_and_a_reduction_of_each_is_one_line(self):
        folder = self.folder / "found"
        for name in self.make_hostile(folder):
            for tool, status in ((frng.REPLAY, 129), (frng.REDUCE, 2)):
                result = self.run_tool(tool, "--finding", f"found/{name}")
                self.assert_one_line(result, status, f"found/{name}: cannot be read: ")

    def test_a_folder_in_the_place_of_a_finding_is_reported(self):
        # A folder cannot be replaced by a file: the finding that has this name is not stored.
        first = self.search("--attempts", 2, "--rng-seed", 5, "--findings", "found", frng.MODES)
        self.assert_found(first, 41)
        for name in frng.findings(self.folder / "found"):
            (self.folder / "found" / name).unlink()
            (self.folder / "found" / name).mkdir()
        result = self.search("--attempts", 2, "--rng-seed", 5, "--findings", "found", frng.MODES)
        self.assert_told_in_full(result, 41)


class Precious(Disks):
    """What would be overwritten, and is not meant to be."""

    def test_the_program_itself_is_no_output(self):
        self.write("hay", "a needle")
        program = self.script("program", 'grep -q needle "$1"\n')
        text = program.read_bytes()
        (self.folder / "link").symlink_to("program")
        for output in ("program", "link"):
            for option in ("--output", "--json"):
                for command in ([frng.REDUCE, "./program", "--hex", "00"],
                                [frng.REDUCE, "--predicate", "./program", "hay"]):
                    result = self.run_tool(*command, option, output)
                    self.assert_one_line(result, 2, f"{output}: is .*program itself")
            result = self.search("./program", "--json", output)
            self.assert_one_line(result, 2, f"{output}: is .*program itself")
        self.assertEqual(program.read_bytes(), text)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
