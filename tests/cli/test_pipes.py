"""Pipes, devices and files without end, where a program, an input or an output is looked for: what is
waited for is waited for until a signal, and what is never asked for is not opened.

SPDX-License-Identifier: MIT
"""
# parts: 2

import os
import signal
import stat
import threading
import time

import frng

# What a program puts in the place of its own file.
REPLACEMENTS = ("mkfifo new", "mknod new c 1 5", "ln -s /dev/zero new", "rm -f program; mkdir new",
                "truncate -s 1T new")
SOON_S = 30


class Pipes(frng.Scenario):
    def fifo(self, name):
        os.makedirs((self.folder / name).parent, exist_ok=True)
        os.mkfifo(self.folder / name)
        return self.folder / name

    def beside(self, work):
        """Do it in a thread, which ends with the scenario."""
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 5)
        return thread

    def expect_wait(self, number, *command, **streams):
        """The tool waits, and ends of the signal; nothing is left of it."""
        process = self.start(*command, **streams)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), command)
        process.send_signal(number)
        began = time.monotonic()
        self.assertEqual(process.wait(frng.PATIENCE_S), -number)
        self.assertLess(time.monotonic() - began, SOON_S)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 15))

    def test_a_search_of_a_program_that_replaces_its_file_ends_in_time(self):
        def expect(how):
            self.run_tool("rm", "-rf", "replaced", "program", "found")
            self.script("program", f"mkdir replaced 2>/dev/null || exit 1\n{how}\n"
                                   "chmod +x new 2>/dev/null; mv -fT new program\nexit 1\n")
            result = self.search("./program", "--findings", "found", "--time", "1s")
            self.assertLess(result.seconds, SOON_S, str(result))
            self.assert_exit(result, 0, 1, 2, 3)
        self.each(expect, [(how,) for how in REPLACEMENTS if os.geteuid() == 0 or "mknod" not in how])

    def test_a_finding_that_is_no_file_is_skipped_unopened(self):
        name = self.fifo("found/0000000001-0000000000000001.json")
        opened = threading.Event()

        def write():
            os.close(os.open(name, os.O_WRONLY))
            opened.set()
        self.beside(write)
        result = self.search("--findings", "found", "--time", "1s", *frng.modes("naps"))
        self.assert_says(result, "skipped: it is not a regular file")
        self.assertTrue(stat.S_ISFIFO(name.stat().st_mode))
        self.assertFalse(opened.wait(0.5), "it was opened")
        os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))  # lets the thread go

    def test_entropy_comes_from_a_pipe_and_events_go_to_one(self):
        pipe, read = self.fifo("pipe"), []
        self.script("count", 'echo "$(wc -c)"; exit 1\n')
        self.beside(lambda: pipe.write_bytes(b"x" * 100000))
        result = self.replay("./count", "--input", pipe, "--quiet")
        self.assertEqual((result.exit, result.stdout.strip()), (1, "100000"), str(result))
        reading = self.beside(lambda: read.append(pipe.read_text()))
        self.assert_exit(self.search("./count", "--json", pipe), 1)
        reading.join(frng.PATIENCE_S)
        self.assertEqual(frng.json_lines(read[0])[-1]["event"], "done")

    def test_a_pipe_without_its_other_end_is_waited_for_until_a_signal(self):
        pipe, sut, hay = self.fifo("pipe"), self.script("sut", "exit 0\n"), self.write("hay", "needle\n")
        self.each(self.expect_wait, [
            (signal.SIGINT, frng.REPLAY, sut, "--input", pipe),
            (signal.SIGTERM, frng.REDUCE, sut, "--input", pipe),
            (signal.SIGTERM, frng.SEARCH, sut, "--json", pipe),
            (signal.SIGINT, frng.REDUCE, "--predicate", sut, hay, "--json", pipe)])
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])

    def test_a_signal_ends_a_tool_whose_reader_stopped_reading(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writer, True)
        with os.fdopen(writer, "wb", 0) as out:
            self.expect_wait(signal.SIGINT, frng.SEARCH, "--json", "-", *frng.modes("at-least", 3),
                             stdout=out)
            self.expect_wait(signal.SIGTERM, frng.SEARCH, *frng.modes("at-least", 3), stderr=out)
            self.expect_wait(signal.SIGTERM, frng.REPLAY, "--size", 3, "--seed", 1, "/bin/false",
                             stderr=out)
