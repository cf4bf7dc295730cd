"""Signals: to the driver, from a terminal, and what a terminal shows."""

import errno
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

import frng

ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b[=>78()][A-Z0-9]?")


class Screen:
    """What a terminal shows: whole lines, and every state of a line that was written over."""

    def __init__(self, data):
        self.lines, self.rewritten, self.line, self.column = [], [], "", 0
        text = data.decode("utf-8", "replace")
        at = 0
        while at < len(text):
            escape = ESCAPE.match(text, at)
            if escape:
                self.escape(escape)
                at = escape.end()
                continue
            self.character(text[at])
            at += 1

    def forget(self):
        if self.line.strip():
            self.rewritten.append(self.line.rstrip())

    def escape(self, match):
        if match[2] == "K":
            if self.column == 0 or match[1] == "2":
                self.forget()
            self.line = "" if match[1] == "2" else self.line[:self.column]
        elif match[2] == "G":
            self.column = int(match[1] or 1) - 1

    def character(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.lines.append(self.line.rstrip())
            self.line, self.column = "", 0
        else:
            if self.column == 0:
                self.forget()
            self.line = self.line[:self.column].ljust(self.column) + c + self.line[self.column + 1:]
            self.column += 1


class Terminal(frng.Scenario):
    """A pseudo-terminal that a tool runs on, in a session of its own as under a shell."""

    def on_terminal(self, *command, columns=80, **more):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

        def take_terminal():
            fcntl.ioctl(2, termios.TIOCSCTTY, 0)

        more.setdefault("stdout", slave)
        process = self.start(*command, stdin=slave, stderr=slave, start_new_session=True,
                             preexec_fn=take_terminal, **more)
        os.close(slave)
        return process, master

    def read_to_end(self, process, master, timeout=frng.PATIENCE_S):
        data = b""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                chunk = os.read(master, 65536)
            except OSError as error:
                self.assertEqual(error.errno, errno.EIO)
                chunk = b""
            if not chunk:
                process.wait(timeout=timeout)
                return data
            data += chunk
        self.fail(f"still running: {data[-1000:]}")

    def show(self, *command, **more):
        process, master = self.on_terminal(*command, **more)
        data = self.read_to_end(process, master)
        return process.returncode, data, Screen(data)


class Progress(Terminal):
    LONG = ("--time", "2s", *frng.modes("naps"))

    def test_a_line_rewrites_itself_and_is_erased_at_the_end(self):
        code, _, screen = self.show(frng.SEARCH, "--ui", "line", *self.LONG)
        self.assertEqual(code, 0)
        steps = [line for line in screen.rewritten if re.search(r"runs", line)]
        self.assertGreater(len(set(steps)), 1, screen.rewritten)
        self.assertTrue([line for line in steps if re.search(r"\d/s|runs/s", line)], steps)
        for line in steps:
            self.assertNotIn(line, screen.lines)
        self.assertEqual(screen.line, "")

    def test_the_line_never_wraps(self):
        for columns in (40, 20):
            with self.subTest(columns=columns):
                _, _, screen = self.show(frng.SEARCH, "--time", "1s", *frng.modes("naps"),
                                         columns=columns)
                self.assertTrue(screen.rewritten)
                for line in screen.rewritten:
                    self.assertLessEqual(len(line), columns)

    def test_no_color_leaves_colors_out(self):
        _, data, _ = self.show(frng.SEARCH, "--attempts", 50, *frng.modes("staircase"),
                               environment={"NO_COLOR": "1"})
        self.assertNotRegex(data, rb"\x1b\[[0-9;]*m")

    def test_quiet_shows_no_progress(self):
        _, data, screen = self.show(frng.SEARCH, "--quiet", *self.LONG)
        self.assertEqual(data, b"")

    def test_a_dumb_terminal_gets_no_escapes(self):
        for change in (["TERM=dumb"], ["TERM="], ["-u", "TERM"]):
            with self.subTest(change):
                _, data, _ = self.show("env", *change, frng.SEARCH, "--time", "1s",
                                       *frng.modes("naps"))
                self.assertIn(b"no failure", data)
                self.assertNotIn(b"\x1b", data)

class ControlC(Terminal):
    def interrupt(self, *command, when=lambda: time.sleep(1.5)):
        process, master = self.on_terminal(*command)
        when()
        os.write(master, b"\x03")
        data = self.read_to_end(process, master)
        return process.returncode, Screen(data)

    def test_control_c_is_no_failure_of_the_sut(self):
        code, screen = self.interrupt(frng.SEARCH, "--time", "1h", "--findings", "found",
                                      *frng.modes("naps"))
        self.assertEqual(code, -signal.SIGINT, screen.lines)
        self.assertNotIn("SIGINT", "\n".join(screen.lines))
        found = self.folder / "found"
        self.assertEqual(frng.findings(found) if found.exists() else {}, {})

    def test_control_c_stops_a_shell_loop(self):
        loop = f"while :; do {frng.SEARCH} --time 1h {frng.MODES} -- naps; done"
        code, _ = self.interrupt("bash", "-c", loop)
        self.assertEqual(code, -signal.SIGINT)

    def test_control_c_ends_a_replay(self):
        code, _ = self.interrupt(frng.REPLAY, "--size", 1, "--seed", 1, *frng.modes("sleeps"))
        self.assertNotIn(code, (0, 1))

    def test_a_terminal_that_goes_away_ends_every_tool(self):
        reduce = frng.BUILD / "driver" / "frng-reduce"
        self.write("hay", b"keep this\n" * 500)
        predicate = self.script("interesting", 'sleep 0.05; [ "$(grep -c keep "$1")" -ge 99 ]')
        slow = self.script("slow", 'sleep 0.1; [ "$(wc -c)" -lt 100 ]\n')
        os.mkdir(self.folder / "temporary")
        temporary = {"TMPDIR": str(self.folder / "temporary")}
        for command in ([frng.SEARCH, "--findings", "found", "--attempts", 1000000, frng.MODES],
                        [reduce, slow, "--hex", "11" * 4000, "--findings", "found"],
                        [reduce, "--predicate", predicate, "hay"],
                        [frng.REPLAY, "--size", 1, "--seed", 1, *frng.modes("sleeps")]):
            with self.subTest(command=command):
                self.check_hang_up(command, temporary)
        self.assertEqual(os.listdir(self.folder / "temporary"), [])
        self.assertTrue(frng.findings(self.folder / "found"))

    def check_hang_up(self, command, environment):
        process, master = self.on_terminal(*command, environment=environment)
        time.sleep(1)
        os.dup2(os.open(os.devnull, os.O_RDWR), master)
        process.wait(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))

class Paused(Terminal):
    """Time in which the driver is stopped is no time: not of a budget, nor of a run's deadline."""

    BUDGET_S, PAUSE_S = 2, 2.2

    def setUp(self):
        super().setUp()
        self.write("letters", "#!/bin/sh\nsleep 0.02\n[ $(tr -dc a-f | wc -c) -lt 2000 ]\n", executable=True)
        self.write("start", b"abcdef" * 3000)

    def commands(self):
        budget = ("--time", f"{self.BUDGET_S}s", "--jobs", 1, "--json")
        reduce = frng.BUILD / "driver" / "frng-reduce"
        return [[frng.SEARCH, *budget, "search", *frng.modes("naps")],
                [reduce, *budget, "bytes", "./letters", "--input", "start", "--output", "out"]]

    def assert_it_had_its_time(self, began, stopped, continued, shown):
        """It ends, now, after what was left of its budget when it was stopped, or later."""
        left = self.BUDGET_S - (stopped - began)
        self.assertGreater(time.monotonic() - continued, left - 0.3, shown)

    def has_begun(self, name):
        path = self.folder / name
        return path.exists() and "\n" in path.read_text()

    def test_the_budgets_of_searches_and_reductions_do_not_count_it(self):
        began = time.monotonic()
        both = [self.start(*command) for command in self.commands()]
        self.assertTrue(frng.wait_until(
            lambda: self.has_begun("search") and self.has_begun("bytes")))
        for process in both:
            process.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        time.sleep(self.PAUSE_S)
        continued = time.monotonic()
        for process in both:
            process.send_signal(signal.SIGCONT)
        for process, expected in zip(both, (0, 1)):
            stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
            result = frng.Result(process.args, process.returncode, stdout, stderr, 0)
            self.assert_it_had_its_time(began, stopped, continued, str(result))
            self.assert_exit(result, expected)

    def test_control_z_and_fg_are_a_pause(self):
        script = 'set -m; "$@"; echo "stopped $?"; read line; fg; echo "ended $?"'
        began = time.monotonic()
        process, master = self.on_terminal("bash", "-c", script, "bash", *self.commands()[0])
        self.assertTrue(frng.wait_until(lambda: self.has_begun("search")))
        os.write(master, b"\x1a")
        shown = b""
        while b"stopped 148" not in shown:
            shown += os.read(master, 4096)
        stopped = time.monotonic()
        time.sleep(self.PAUSE_S)
        continued = time.monotonic()
        os.write(master, b"\n")
        shown = self.read_to_end(process, master)
        self.assert_it_had_its_time(began, stopped, continued, shown)
        self.assertIn(b"ended 0", shown)

    def test_a_run_that_was_stopped_with_all_the_others_has_the_rest_of_its_time(self):
        # As with a container that is paused: the worker is continued before its run is.
        plain = self.script("sut", "cat > /dev/null; sleep 1")
        command = [frng.SEARCH, "--jobs", 1, "--timeout", "3s", "--time", "3s", "--verbose"]
        drivers = [self.start(*command, plain),
                   self.start(*command, "--mode", "persistent", frng.SUTS / "sut-state", "--", "does",
                              "nap", 0)]
        self.assertTrue(frng.wait_until(lambda: all(map(self.family, drivers))))
        runs = set().union(*map(self.family, drivers))
        ours = set(self.left_processes()) - runs
        self.send(runs, signal.SIGSTOP)
        self.send(ours, signal.SIGSTOP)
        time.sleep(3.2)
        self.send(ours, signal.SIGCONT)
        time.sleep(0.7)
        self.send(runs, signal.SIGCONT)
        for driver in drivers:
            stdout, stderr = driver.communicate(timeout=frng.PATIENCE_S)
            result = frng.Result(driver.args, driver.returncode, stdout, stderr, 0)
            self.assert_nothing_found(result)
            self.assertNotRegex(result.stderr, "timeout|flaky|disabled")

    def family(self, driver):
        """What a driver's worker runs."""
        parents = {}
        for pid in self.left_processes():
            try:
                with open(f"/proc/{pid}/stat") as stat:
                    parents[pid] = int(stat.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
        workers = {pid for pid, parent in parents.items() if parent == driver.pid}
        runs, more = set(), {pid for pid, parent in parents.items() if parent in workers}
        while more - runs:
            runs |= more
            more = {pid for pid, parent in parents.items() if parent in runs}
        return runs

    def send(self, pids, number):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


class Twice(Terminal):
    def test_control_c_twice_ends_at_once_and_leaves_no_process(self):
        # The report has nowhere to go: the pipe is full, and nobody reads it.
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        process, master = self.on_terminal(
            frng.SEARCH, "--attempts", 10000000, "--json", "events", "--findings", "found",
            *frng.modes("at-least", 3), stdout=writer)
        self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 512)
        except BlockingIOError:
            pass
        os.set_blocking(writer, True)
        os.close(writer)
        os.write(master, b"\x03")
        shown = b""
        while b"frng-replay" not in shown:
            shown += os.read(master, 4096)
        self.assertIsNone(process.poll())
        os.write(master, b"\x03")
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
        self.assertTrue(frng.findings(self.folder / "found"))


class FirstProcess(frng.Scenario):
    """As pid 1 of a container a process does not die of its own signals."""

    def test_a_signal_ends_it_with_128_and_the_number(self):
        flags = next((flags for flags in (["-pf"], ["-Urpf"]) if subprocess.run(
            ["unshare", *flags, "--mount-proc", "true"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode == 0), None)
        if flags is None:
            self.skipTest("no pid namespace can be made here")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                self.write("events", "")
                shell = self.start("unshare", *flags, "--mount-proc", "--kill-child", frng.SEARCH,
                                   *Sent.FINDS_AND_GOES_ON)
                self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
                children = pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
                os.kill(int(children.read_text()), number)
                stdout, stderr = shell.communicate(timeout=60)
                result = frng.Result(shell.args, shell.returncode, stdout, stderr, 0)
                self.assert_exit(result, 128 + number)
                self.assertEqual(frng.find_result(result.stdout)[0], 3, str(result))


class Sent(frng.Scenario):
    FINDS_AND_GOES_ON = ("--attempts", 10000000, "--json", "events", *frng.modes("at-least", 3))

    def begin(self, *arguments):
        process = self.start(frng.SEARCH, *arguments)
        if "events" in arguments:
            self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        else:
            time.sleep(1)
        self.assertIsNone(process.poll())
        return process

    def finish(self, process):
        stdout, stderr = process.communicate(timeout=60)
        return frng.Result(process.args, process.returncode, stdout, stderr, 0)

    def test_a_signal_reports_the_best_and_then_kills(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(number=number):
                self.write("events", "")
                process = self.begin(*self.FINDS_AND_GOES_ON)
                process.send_signal(number)
                result = self.finish(process)
                self.assert_exit(result, -number)
                self.assertEqual(frng.find_result(result.stdout)[0], 3, str(result))
                self.assert_says(result, "frng-replay", "exit:1")

    def test_a_signal_without_a_best_leaves_stdout_empty(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                process = self.begin("--time", "1h", *frng.modes("naps"))
                process.send_signal(number)
                result = self.finish(process)
                self.assert_exit(result, -number)
                self.assertEqual(result.stdout, "")

    def test_a_signal_does_not_wait_for_a_run_that_hangs(self):
        process = self.begin("--timeout", "1h", *frng.modes("ignores"))
        process.send_signal(signal.SIGTERM)
        self.assert_exit(self.finish(process), -signal.SIGTERM)

    def test_signals_that_the_caller_ignores_are_ignored(self):
        # As under nohup, and in the background of a script.
        for number in (signal.SIGHUP, signal.SIGINT):
            with self.subTest(number=number):
                process = self.start(frng.SEARCH, "--time", "2s", *frng.modes("naps"),
                                     preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
                time.sleep(0.7)
                process.send_signal(number)
                self.assert_exit(self.finish(process), 0)

load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
