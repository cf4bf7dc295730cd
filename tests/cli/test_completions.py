"""Completions, in a bash that a user types into.

SPDX-License-Identifier: MIT
"""

import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
import time
import unittest

import frng

FOLDER = frng.BUILD / "driver" / "completions"
DEADLINE_S = 60
PROMPT = "@@"
CONTROL_A, CONTROL_E = "\x01", "\x05"  # to the begin of the line; to its end


class Shell:
    """An interactive bash in a terminal of its own, which has loaded the completions."""

    def __init__(self, folder):
        environment = {"PATH": f"{frng.BUILD / 'driver'}:{os.environ['PATH']}", "PS1": PROMPT,
                       "LC_ALL": "C", "TERM": "dumb", "INPUTRC": "/dev/null"}
        self.terminal, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 1000, 0, 0))
        self.process = subprocess.Popen(["bash", "--norc", "--noprofile", "-i"], stdin=theirs,
                                        stdout=theirs, stderr=theirs, cwd=folder, env=environment,
                                        start_new_session=True)
        os.close(theirs)
        self.wait_for(PROMPT)
        for tool in ("search", "replay", "reduce"):
            self.send(f". {FOLDER}/frng-{tool}\n")
            self.wait_for(PROMPT)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, end):
        """What the shell prints up to `end`."""
        seen = ""
        limit = time.monotonic() + DEADLINE_S
        while not seen.endswith(end):
            if not select.select([self.terminal], [], [], limit - time.monotonic())[0]:
                raise AssertionError(f"no {end!r} after {seen!r}")
            seen += os.read(self.terminal, 4096).decode()
        return seen[:-len(end)]

    def completed(self, line):
        """The words of a command line whose end a tabulator completed: printf prints them."""
        self.send(line + "\t" + CONTROL_A + "printf '<%s>' " + CONTROL_E + "\n")
        shown = self.wait_for(">" + PROMPT).splitlines()[-1]
        return shown[1:].split("><")


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
@unittest.skipUnless((FOLDER / "frng-search").exists(), "no completions were built")
class Completions(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.shell = Shell(self.folder)
        self.addCleanup(self.shell.close)

    def last_word(self, line):
        return self.shell.completed(line)[-1]

    def test_options_and_their_words_are_completed(self):
        self.assertEqual(self.last_word("frng-search ./sut --att"), "--attempts")
        self.assertEqual(self.last_word("frng-search ./sut --mode pers"), "persistent")
        self.assertEqual(self.last_word("frng-reduce --effort=hi"), "--effort=high")

    def test_findings_are_files_of_json(self):
        (self.folder / "found").mkdir()
        for name in ("0000000016-00000000000000a7.json", "0000000016-notes.txt"):
            (self.folder / "found" / name).touch()
        self.assertEqual(self.last_word("frng-replay ./sut --finding fo"), "found/")
        self.assertEqual(self.last_word("frng-replay ./sut --finding found/0"),
                         "found/0000000016-00000000000000a7.json")



if __name__ == "__main__":
    unittest.main()
