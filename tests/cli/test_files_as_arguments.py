"""@@ in the arguments: what runs do to the file that holds the input. More is in
tests/transcripts/arguments.t."""

import sys
import unittest

import frng


class Files(frng.Scenario):
    def python(self, text):
        return self.write("sut", f"#!{sys.executable} -S\n{text}", executable=True)

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
