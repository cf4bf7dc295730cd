"""@@ in the arguments: the name of a file that holds the input."""

import sys
import unittest

import frng


class Files(frng.Scenario):
    def long_enough(self, size):
        """A program that fails if its file has at least this size."""
        return self.script("sut", f'[ "$(wc -c < "$1")" -lt {size} ] || exit 3\n')

    def python(self, text):
        return self.write("sut", f"#!{sys.executable} -S\n{text}", executable=True)

    def test_a_search_gives_the_name_of_the_input(self):
        self.long_enough(5)
        self.assert_found(self.search("./sut", "--attempts", 5, "--", "@@"), 5)

    def test_it_may_be_part_of_an_argument_and_stand_there_twice(self):
        self.script("sut", '[ $# = 3 ] && [ "$1" = -v ] || exit 9\n'
                           'in=${2#--in=}; [ "$3" = "$in:$in" ] || exit 8\n'
                           '[ "$(wc -c < "$in")" -lt 4 ] || exit 3\n')
        result = self.search("./sut", "--attempts", 5, "--", "-v", "--in=@@", "@@:@@")
        self.assert_found(result, 4)
        self.assert_says(result, "exit:3")

    def test_a_replay_and_a_finding_keep_the_sign(self):
        self.long_enough(5)
        result = self.search("./sut", "--attempts", 5, "--findings", "found", "--json", "events",
                             "--", "@@")
        size, seed = self.assert_found(result, 5)
        (finding,) = [one for one in frng.findings(self.folder / "found").values()
                      if one["size"] == 5]
        self.assertEqual(finding["args"], ["@@"])
        events = frng.latest(self.folder / "events")
        self.assertEqual((events[0]["args"], events[0]["mode"]), (["@@"], "spawn"))
        self.assert_exit(self.run_tool("sh", "-c", events[-1]["replay"]), 1)
        name = self.folder / "found" / frng.finding_name(size, seed)
        self.assert_exit(self.replay("--finding", name), 1)
        self.assert_exit(self.replay("./sut", "--hex", "00" * 4, "--", "@@"), 0)
        self.assert_exit(self.replay("./sut", "--hex", "00" * 5, "--runs", 3, "--", "@@"), 1)

    def test_a_reduction_gives_it_too(self):
        self.script("sut", 'if grep -q needle "$1"; then exit 3; fi\n')
        self.write("in", b"hay\n" * 100 + b"a needle\n" + b"hay\n" * 100)
        result = self.reduce("./sut", "--input", "in", "--", "@@")
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, f"size=6 hex={b'needle'.hex()}\n")

    @frng.long
    def test_each_run_of_any_worker_sees_its_own_file_alone(self):
        self.python("import os, stat, sys\n"
                    "with open(sys.argv[1], 'rb') as file:\n"
                    "    assert stat.S_ISREG(os.fstat(file.fileno()).st_mode)\n"
                    "    named = file.read()\n"
                    "    file.seek(0)\n"
                    "    assert file.read() == named\n"
                    "if named != sys.stdin.buffer.read():\n"
                    "    sys.exit(4)\n"
                    "sys.exit(3 if len(named) >= 40 else 0)\n")
        result = self.search("./sut", "--jobs", 4, "--attempts", 20, "--only", "exit:4",
                             "--size-max", 256, "--", "@@")
        self.assert_nothing_found(result)

    def test_writes_of_a_run_reach_no_other_run(self):
        self.python("import sys\n"
                    "with open(sys.argv[1], 'r+b') as file:\n"
                    "    if b'left by another run' in file.read():\n"
                    "        sys.exit(3)\n"
                    "    file.seek(0)\n"
                    "    file.write(b'left by another run')\n")
        result = self.search("./sut", "--attempts", 40, "--size-max", 64, "--", "@@")
        self.assertNotIn("exit:3", result.stderr)

    def test_a_wrapper_gets_a_file_of_its_own(self):
        self.long_enough(5)
        show = self.script("show", 'echo "given $2" >&2; exec "$@"\n')
        for size, expected in ((4, 0), (5, 3)):
            result = self.replay("./sut", "--hex", "00" * size, "--wrap", show, "--", "@@")
            self.assert_exit(result, expected)
            self.assertRegex(result.stderr, r"entropy is in (/\S+/entropy)\n(?s:.*)given \1\n")

    def test_a_wrapper_that_does_not_run_the_program_gives_no_verdict(self):
        self.long_enough(5)
        result = self.replay("./sut", "--hex", "00" * 5, "--wrap", "true", "--", "@@")
        self.assert_exit(result, 0)  # of true
        self.assertRegex(result.stderr, r"\Aentropy is in /\S+/entropy\n\Z")

    def test_it_needs_a_file_and_a_new_process_for_each_run(self):
        self.long_enough(5)
        for more in (["--stdin", "pipe"], ["--mode", "fork"], ["--mode", "persistent"]):
            self.assert_one_line(self.search("./sut", *more, "--", "@@"), 2, "@@")
        self.assert_one_line(self.replay("./sut", "--hex", "00", "--stdin", "pipe", "--", "@@"),
                             129, "@@")
        self.assert_found(self.search("./sut", "--mode", "spawn", "--attempts", 5, "--", "@@"), 5)

    def test_nothing_is_left_when_the_search_is_killed(self):
        self.script("sut", 'cat "$1" > /dev/null; sleep 0.01\n')
        process = self.start(frng.SEARCH, "./sut", "--json", "events", "--", "@@",
                             environment={"TMPDIR": str(self.folder)})
        self.assertTrue(frng.wait_until(
            lambda: (self.folder / "events").exists() and
            '"size"' in (self.folder / "events").read_text()))
        process.kill()
        process.communicate()
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"sut", "events"})


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
