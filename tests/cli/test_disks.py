"""Disks: full, read-only, gone, and folders of findings with anything in them."""

import os
import re
import shutil
import subprocess
import unittest

import frng

DRAWS = str(frng.SUTS / "sut-draws")
GOOD = '''{"format": 1, "sut": "%s", "sut_digest": null, "args": [], "size": 50, "seed": "7",
"expand": 1, "identity": "exit:1", "status": 1, "site": null}''' % frng.MODES
ALL_OUTPUTS = ([], ["--quiet"], ["--json", "-"], ["--json", "-", "--quiet"])
FILL = "cat /dev/zero > small/filler 2>/dev/null; true"
KEEP = '[ "$(grep -c keep "$1")" -ge %d ]\n'


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
        (self.folder / "kept").mkdir()
        (self.folder / "small").mkdir()
        self.write("hay", b"keep\n" * 12000)
        self.write("start", frng.expand(1, 60000))

    def on_small_disk(self, *command, size="64k", before="true", **more):
        """Run in the folder, where `small` is a file system with so much room; it is `kept` then."""
        flags = can_mount()
        if flags is None:
            self.skipTest("no file system can be mounted here")
        script = (f"mount -t tmpfs -o size={size} none small && {{ {before}; }} && "
                  '{ "$@"; } ; code=$?; cp -r small/. kept 2>/dev/null; exit $code')
        return self.run_tool("unshare", *flags, "sh", "-c", script, "sh", *command, **more)

    def assert_told_in_full(self, result, size):
        """The failure is on stderr with all that it takes to see it again."""
        self.assert_exit(result, 4)
        self.assert_says(result, rf"smallest failure: \S+ at size {size}\n",
                         rf"frng-replay .*--size {size} --seed \d+s?", "reruns")

    def assert_whole(self, folder):
        for name in os.listdir(folder):
            self.assertRegex(name, rf"\A{frng.FINDING_NAME.pattern}\Z")
        return frng.findings(folder)


class Full(Disks):
    def test_what_cannot_be_written_is_printed_in_full(self):
        """Rows: options of a search, what is done before, and what is said."""
        for options, before, said in (
                (["--findings", "small/found"], f"mkdir small/found; {FILL}",
                 "small/found: the finding could not be stored: No space left"),
                (["--quiet", "--findings", "small"], FILL, "could not be stored: No space left"),
                (["--json", "small/events"], FILL, "small/events: cannot be written: No space left"),
                (["--findings", "small"], "mount -o remount,ro none small",
                 "could not be stored: Read-only file system")):
            result = self.on_small_disk(frng.SEARCH, "--attempts", 2, *options, frng.MODES,
                                        before=before)
            self.assert_told_in_full(result, 41)
            self.assert_says(result, said)
            self.assertEqual(frng.find_result(result.stdout)[0], 41)
            shutil.rmtree(self.folder / "kept")
            (self.folder / "kept").mkdir()

    def test_a_disk_with_room_for_two_findings_keeps_the_smallest(self):
        result = self.on_small_disk(frng.SEARCH, "--attempts", 20, "--findings", "small",
                                    "--rng-seed", 3, *frng.modes("staircase"), size="8k")
        name = frng.finding_name(*self.assert_found(result))
        found = self.assert_whole(self.folder / "kept")
        self.assertEqual([(each, found[each]["reruns"]) for each in found], [(name, 20)])

    def test_an_output_that_does_not_fit_is_an_error(self):
        sut = self.script("sut", '[ "$(wc -c)" -lt 30000 ]\n')
        result = self.on_small_disk(frng.REDUCE, sut, "--input", "start", "--output", "small/out",
                                    "--calls", 30, size="8k")
        self.assert_exit(result, 4)
        self.assert_says(result, "small/out: cannot be written: No space left", "reduced so far: exit:1")
        self.assertFalse((self.folder / "kept" / "out").exists())
        size, printed = re.fullmatch(r"size=(\d+) hex=([0-9a-f]+)\n", result.stdout).groups()
        self.assertGreaterEqual(int(size), 30000)
        self.assertEqual(len(printed), 2 * int(size))
        result = self.on_small_disk(
            frng.REDUCE, "--predicate", self.script("interesting", KEEP % 8000), "hay", "--output",
            "small/out", "--calls", 30, size="8k", before="echo precious > small/out")
        self.assert_exit(result, 4)
        self.assertEqual(result.stdout, "")
        self.assert_says(result, "small/out: cannot be written: No space left")
        self.assertEqual((self.folder / "kept" / "out").read_text(), "precious\n")
        self.assertEqual(os.listdir(self.folder / "kept"), ["out"])

    @frng.long
    def test_private_folders_on_a_full_disk_are_no_verdict(self):
        result = self.on_small_disk(
            frng.REDUCE, "--predicate", self.script("interesting", KEEP % 1), "hay", size="8k",
            environment={"TMPDIR": str(self.folder / "small")})
        self.assert_exit(result, 4)
        self.assert_says(result, "No space left")
        self.assertFalse((self.folder / "hay.reduced").exists())

    def test_a_full_stdout_is_an_error(self):
        predicate = self.script("interesting", KEEP % 1)
        for options in ALL_OUTPUTS:
            with self.subTest(options=options), open("/dev/full", "wb") as full:
                self.assert_told_in_full(
                    self.search("--attempts", 2, *options, "--findings", "found", frng.MODES,
                                stdout=full), 41)
                result = self.reduce(DRAWS, "--hex", "01" * 20, *options, stdout=full)
                self.assert_exit(result, 4)
                self.assert_says(result, "reduced: signal:SIGABRT", "--hex 010101010101010101")
                result = self.reduce("--predicate", predicate, "hay", *options, stdout=full)
                self.assert_exit(result, 4)
                self.assert_says(result, "hay.reduced")
                self.assertEqual((self.folder / "hay.reduced").read_bytes(), b"keep")
                (self.folder / "hay.reduced").unlink()

    def test_a_closed_stdout_is_one_too_but_for_verdicts(self):
        closed = ("sh", "-c", '"$@" >&-', "sh")
        for options in ALL_OUTPUTS[0], ALL_OUTPUTS[1], ALL_OUTPUTS[3]:
            self.assert_told_in_full(self.run_tool(*closed, frng.SEARCH, "--attempts", 2, *options,
                                                   frng.MODES), 41)
        for status, words in ((125, ["--hex", "01", "--dump"]), (1, ["--size", 41, "--seed", 1]),
                              (0, ["--size", 40, "--seed", 1])):
            self.assert_exit(self.run_tool(*closed, frng.REPLAY, *words, frng.MODES), status)

    def test_the_first_line_is_enough_for_the_reader(self):
        script = '{ "$@"; echo "exit $?" >&2; } | head -n 1'
        result = self.run_tool("bash", "-c", script, "bash", frng.SEARCH, "--attempts", 30,
                               "--json", "-", "--findings", "found", *frng.modes("staircase"))
        self.assertIn('"event":"start"', result.stdout)
        self.assert_says(result, "smallest failure", "frng-replay", "exit 4\n")
        self.assertNotIn("Broken pipe", result.stderr)
        self.assertTrue(self.assert_whole(self.folder / "found"))


class Denied(Disks):
    def test_what_cannot_be_used_is_refused_before_any_run(self):
        sut = self.script("sut", f"touch {self.folder}/ran; exit 1")
        output = "found/out: cannot be written: Permission denied"
        for mode, said, command in (
                (0, "found: cannot be opened: Permission denied", [frng.SEARCH, "--findings", "found", sut]),
                (0o555, output, [frng.REDUCE, sut, "--hex", "00", "--output", "found/out"]),
                (0o555, output, [frng.REDUCE, "--predicate", sut, "hay", "--output", "found/out"])):
            (self.folder / "found").chmod(mode)
            self.assert_one_line(self.run_tool(*command, preexec_fn=frng.without_power_over_files), 2, said)
            (self.folder / "found").chmod(0o755)
        self.assertFalse((self.folder / "ran").exists())

class Gone(Disks):
    """A folder is removed while the tool runs."""

    def test_what_can_no_longer_be_stored_is_printed_in_full(self):
        sut = self.script("sut", f'rm -rf "{self.folder}/found"\n[ "$(wc -c)" -lt 5 ]\n')
        result = self.search("--attempts", 2, "--findings", "found", sut)
        self.assert_told_in_full(result, 5)
        self.assert_says(result, "found: the finding could not be stored: No such file",
                         "it is printed below")
        (self.folder / "found").mkdir()
        result = self.reduce(sut, "--hex", "00" * 9, "--findings", "found", "--output", "found/out")
        self.assert_exit(result, 4)
        self.assert_says(result, "found/out: cannot be written", "reduced: exit:1, 9 -> 5",
                         "--hex 0000000000\n")

    def moved(self, script):
        """The findings that a search leaves while its first runs move the folder away."""
        sut = self.script("sut", f'cd "{self.folder}"\necho >> ran\n{script}\n[ "$(wc -c)" -lt 5 ]\n')
        result = self.search("--attempts", 2, "--jobs", 1, "--findings", "found", sut)
        found = frng.findings(self.folder / "found")
        self.assertEqual(found[frng.finding_name(*self.assert_found(result, 5))]["reruns"], 20)
        return re.findall(r"(?m)^frng-search: found: .*$", result.stderr)

    def test_findings_are_stored_when_their_folder_is_back_or_another_one_is_there(self):
        self.assertEqual(
            self.moved("[ -e away ] || mv found away\n"
                       '[ "$(wc -l < ran)" -ne 20 ] || { mv away found; mkdir away; }'),
            ["frng-search: found: findings cannot be stored: No such file or directory; they stay "
             "in memory, and are tried again", "frng-search: found: all findings are stored again"])
        shutil.rmtree(self.folder / "away")
        shutil.rmtree(self.folder / "found")
        (self.folder / "found").mkdir()
        self.assertEqual(
            self.moved('[ -e away ] || [ -z "$(ls found)" ] || { mv found away; mkdir found; }'), [])
        self.assertTrue(frng.findings(self.folder / "away"))


class Hostile(Disks):
    """Whatever has the name of a finding is named, passed over, and left as it is."""

    def make_hostile(self, folder):
        """{name: what is said of it}. test_finding.c has more texts."""
        makes = [(lambda path: path.write_bytes(b'{"a":' * 100000), "not a JSON object"),
                 (lambda path: path.write_text(GOOD.replace("50", "-1")), "its .size. makes no sense"),
                 (lambda path: path.write_text(GOOD.replace("exit:1", "exit:x\\u001b[2J")), "its .identity. makes no sense"),
                 (os.mkfifo, "not a regular file"), (os.mkdir, "it is a folder"),
                 (lambda path: path.symlink_to("/dev/zero"), "not a regular file"),
                 (lambda path: path.symlink_to("/dev/tty"), "regular|No such device"),
                 (lambda path: path.symlink_to(path.name), "symbolic links"),
                 (lambda path: path.symlink_to("nowhere"), "No such file"),
                 (lambda path: (path.touch(), os.truncate(path, 1 << 40)), "too large")]
        said = {}
        for i, (make, why) in enumerate(makes):
            name = f"0000000001-{i + 1:016x}.json"
            make(folder / name)
            said[name] = why
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

    def test_a_replay_and_a_reduction_of_each_say_why_in_one_line(self):
        for name, why in self.make_hostile(self.folder / "found").items():
            for tool, status in ((frng.REPLAY, 129), (frng.REDUCE, 2)):
                result = self.run_tool(tool, "--finding", f"found/{name}")
                self.assert_one_line(result, status, f"found/{name}: cannot be read: .*({why})")

    def test_a_folder_in_the_place_of_a_finding_is_reported(self):
        # A folder cannot be replaced by a file: the finding that has this name is not stored.
        first = self.search("--attempts", 2, "--rng-seed", 5, "--findings", "found", frng.MODES)
        self.assert_found(first, 41)
        for name in frng.findings(self.folder / "found"):
            (self.folder / "found" / name).unlink()
            (self.folder / "found" / name).mkdir()
        result = self.search("--attempts", 2, "--rng-seed", 5, "--findings", "found", frng.MODES)
        self.assert_told_in_full(result, 41)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
