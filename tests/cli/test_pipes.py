"""Pipes, devices and files without end, where a program, an input or an output is looked for.

SPDX-License-Identifier: MIT
"""

import os
import signal
import stat
import threading
import time

import frng


# What a program puts in the place of its own file.
REPLACEMENTS = {
    "a pipe": "mkfifo new",
    "a device": "mknod new c 1 5",
    "a link to a device": "ln -s /dev/zero new",
    "a folder": "rm -f program; mkdir new",
    "something endless": "truncate -s 1T new",
    "something large": "truncate -s 3G new",
}
# What it takes that is not quick: the second that a program that is being rebuilt gets, and more.
SOON_S = 30


class Pipes(frng.Scenario):
    def feed(self, path, text):
        """Write to a pipe once there is a reader."""
        def write():
            with open(path, "wb") as pipe:
                pipe.write(text)
        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 5)

    def fifo(self, name):
        os.mkfifo(self.folder / name)
        return self.folder / name

    def ends_of(self, number, *command):
        """The tool, which waits for a pipe, ends of the signal; nothing is left of it."""
        process = self.start(*command)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), command)
        process.send_signal(number)
        began = time.monotonic()
        process.wait(frng.PATIENCE_S)
        self.assertEqual(process.returncode, -number)
        self.assertLess(time.monotonic() - began, SOON_S)


class Programs(Pipes):
    """They replace their own file while they run."""

    def each(self):
        """One after the other, a script that does it once; it fails in any case."""
        for name, how in REPLACEMENTS.items():
            if name == "a device" and os.geteuid() != 0:
                continue
            with self.subTest(replacement=name):
                self.run_tool("rm", "-rf", "replaced", "program", "found")
                self.script("program", f"""
                    mkdir replaced 2>/dev/null || exit 1
                    {how}; chmod +x new 2>/dev/null; mv -fT new program
                    exit 1""")
                yield

    @frng.long
    def test_a_search_ends_in_time(self):
        for _ in self.each():
            result = self.search("./program", "--findings", "found", "--time", "3s")
            self.assertLess(result.seconds, SOON_S, str(result))
            self.assertIn(result.exit, (0, 1, 2, 3), str(result))

class Findings(Pipes):
    def test_what_is_no_file_is_skipped_unopened(self):
        found = self.folder / "found"
        found.mkdir()
        name = found / "0000000001-0000000000000001.json"
        os.mkfifo(name)
        opened = threading.Event()

        def write():
            os.close(os.open(name, os.O_WRONLY))
            opened.set()
        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        result = self.search(*frng.modes("pass")[:1], "--findings", "found", "--time", "1s", "--",
                             *frng.modes("pass")[2:])
        self.assert_says(result, "skipped: it is not a regular file")
        self.assertTrue(stat.S_ISFIFO(name.stat().st_mode))
        self.assertFalse(opened.wait(0.5), "it was opened")
        os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))  # lets the thread go
        thread.join(5)


class Inputs(Pipes):
    def test_entropy_comes_from_a_pipe(self):
        pipe = self.fifo("pipe")
        self.script("count", 'echo "$(wc -c)"\n')
        self.feed(pipe, b"x" * 100000)
        result = self.replay("./count", "--input", pipe, "--quiet")
        self.assertEqual((result.exit, result.stdout.strip()), (0, "100000"), str(result))

    def test_a_pipe_without_a_writer_is_waited_for_until_a_signal(self):
        pipe = self.fifo("pipe")
        sut = self.script("sut", "exit 0\n")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                self.ends_of(number, frng.REPLAY, sut, "--input", pipe)
                self.ends_of(number, frng.REDUCE, sut, "--input", pipe)

class Events(Pipes):
    def test_they_go_to_a_pipe(self):
        pipe = self.fifo("pipe")
        read = []

        def reading():
            with open(pipe, "rb") as events:
                read.append(events.read())
        thread = threading.Thread(target=reading, daemon=True)
        thread.start()
        sut = self.script("sut", "exit 1\n")
        self.assert_exit(self.search(sut, "--json", pipe), 1)
        thread.join(frng.PATIENCE_S)
        self.assertEqual(frng.json_lines(read[0].decode())[-1]["event"], "done")

    def test_a_pipe_without_a_reader_is_waited_for_until_a_signal(self):
        pipe = self.fifo("pipe")
        sut = self.script("sut", "exit 0\n")
        hay = self.write("hay", "needle\n")
        self.ends_of(signal.SIGTERM, frng.SEARCH, sut, "--json", pipe)
        self.ends_of(signal.SIGINT, frng.REDUCE, "--predicate", sut, hay, "--json", pipe)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])


class Readers(Pipes):
    """Readers that stop reading, as a pager does: a signal ends the tool all the same."""

    def full_pipe(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(writer, True)
        return writer

    def expect_end(self, number, *command, **streams):
        process = self.start(*command, **streams)
        time.sleep(1)
        self.assertIsNone(process.poll(), "it did not wait for the reader")
        process.send_signal(number)
        self.assertEqual(process.wait(frng.PATIENCE_S), -number)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 15))

    def test_a_signal_ends_a_search_whose_events_are_unread(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with os.fdopen(self.full_pipe(), "wb", 0) as out:
                self.expect_end(number, frng.SEARCH, "--json", "-", *frng.modes("size", 3),
                                stdout=out)

    def test_a_signal_ends_a_tool_whose_messages_are_unread(self):
        with os.fdopen(self.full_pipe(), "wb", 0) as out:
            self.expect_end(signal.SIGTERM, frng.SEARCH, *frng.modes("size", 3), stderr=out)
            self.expect_end(signal.SIGTERM, frng.REPLAY, "--size", 3, "--seed", 1, "/bin/false",
                            stderr=out)


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
