"""Signals: to the driver, and from a terminal."""
# suites: sanitized; parts: 2

import errno
import fcntl
import os
import pathlib
import pty
import signal
import subprocess
import termios
import time

import frng

# A search that has a failure of 3 bytes, and goes on.
FINDS_AND_GOES_ON = ("--attempts", 10000000, "--json", "events", "--findings", "found",
                     *frng.modes("at-least", 3))


class Terminal(frng.Scenario):
    """A pseudo-terminal that a tool runs on, in a session of its own as under a shell."""

    def on_terminal(self, *command, **more):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        more.setdefault("stdout", slave)
        process = self.start(*command, stdin=slave, stderr=slave, start_new_session=True,
                             preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0), **more)
        os.close(slave)
        return process, master

    def read_to_end(self, process, master):
        data, end = b"", time.monotonic() + frng.PATIENCE_S
        while time.monotonic() < end:
            try:
                chunk = os.read(master, 65536)
            except OSError as error:
                self.assertEqual(error.errno, errno.EIO)
                chunk = b""
            if not chunk:
                process.wait(frng.PATIENCE_S)
                return data
            data += chunk
        self.fail(f"still running: {data[-1000:]}")

    def has_begun(self, name):
        path = self.folder / name
        return path.exists() and "\n" in path.read_text()


class ControlC(Terminal):
    def interrupt(self, *command):
        process, master = self.on_terminal(*command)
        self.assertTrue(frng.wait_until(lambda: len(self.left_processes()) > 1))
        os.write(master, b"\x03")
        data = self.read_to_end(process, master)
        return process.returncode, data

    def test_it_ends_every_tool_and_is_no_failure(self):
        code, data = self.interrupt(frng.SEARCH, "--time", "1h", "--findings", "found",
                                    *frng.modes("naps"))
        self.assertEqual(code, -signal.SIGINT, data)
        self.assertNotIn(b"SIGINT", data)
        found = self.folder / "found"
        self.assertEqual(frng.findings(found) if found.exists() else {}, {})
        loop = f"while :; do {frng.SEARCH} --time 1h {frng.MODES} -- naps; done"
        self.assertEqual(self.interrupt("bash", "-c", loop)[0], -signal.SIGINT)
        code, _ = self.interrupt(frng.REPLAY, "--size", 1, "--seed", 1, "--runs", 2,
                                 *frng.modes("sleeps"))
        self.assertNotIn(code, (0, 1))

    def test_twice_ends_at_once_and_leaves_no_process(self):
        # The report has nowhere to go: the pipe is full, and nobody reads it.
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        process, master = self.on_terminal(frng.SEARCH, *FINDS_AND_GOES_ON, stdout=writer)
        self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 512)
        except BlockingIOError:
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

    def test_a_terminal_that_goes_away_ends_every_tool(self):
        self.write("hay", b"keep this\n" * 500)
        predicate = self.script("interesting", 'sleep 0.05; [ "$(grep -c keep "$1")" -ge 99 ]')
        slow = self.script("slow", 'sleep 0.1; [ "$(wc -c)" -lt 100 ]\n')
        (self.folder / "temporary").mkdir()
        self.environment["TMPDIR"] = str(self.folder / "temporary")

        def expect_end(*command):
            process, master = self.on_terminal(*command)
            time.sleep(1)
            os.dup2(os.open(os.devnull, os.O_RDWR), master)
            self.assertNotEqual(process.wait(timeout=60), 0)
            self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 30))
        self.each(expect_end, [
            (frng.SEARCH, "--findings", "found", "--attempts", 1000000, frng.MODES),
            (frng.REDUCE, slow, "--hex", "11" * 4000, "--findings", "found"),
            (frng.REDUCE, "--predicate", predicate, "hay"),
            (frng.REPLAY, "--size", 1, "--seed", 1, *frng.modes("sleeps"))])
        self.assertEqual(os.listdir(self.folder / "temporary"), [])
        self.assertTrue(frng.findings(self.folder / "found"))


class Paused(Terminal):
    """Time in which the driver is stopped is no time: not of a budget, nor of a run's deadline."""

    BUDGET_S, PAUSE_S = 2, 2.2

    def setUp(self):
        super().setUp()
        self.script("letters", "sleep 0.02\n[ $(tr -dc a-f | wc -c) -lt 2000 ]\n")
        self.write("start", b"abcdef" * 3000)
        budget = ("--time", f"{self.BUDGET_S}s", "--jobs", 1, "--json")
        self.commands = [[frng.SEARCH, *budget, "search", *frng.modes("naps")],
                         [frng.REDUCE, *budget, "bytes", "./letters", "--input", "start", "--output",
                          "out"]]

    def assert_it_had_its_time(self, began, stopped, continued, shown):
        """It ends, now, after what was left of its budget when it was stopped, or later."""
        left = self.BUDGET_S - (stopped - began)
        self.assertGreater(time.monotonic() - continued, left - 0.3, shown)

    def test_the_budgets_of_searches_and_reductions_do_not_count_it(self):
        began = time.monotonic()
        both = [self.start(*command) for command in self.commands]
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
            result = self.ended(process)
            self.assert_it_had_its_time(began, stopped, continued, str(result))
            self.assert_exit(result, expected)

    def test_a_run_that_was_stopped_with_all_the_others_has_the_rest_of_its_time(self):
        # As with a container that is paused: the worker is continued before its run is.
        plain = self.script("sut", "cat > /dev/null; sleep 1")
        command = [frng.SEARCH, "--jobs", 1, "--timeout", "3s", "--time", "3s", "--verbose"]
        drivers = [self.start(*command, plain),
                   self.start(*command, "--mode", "persistent", frng.SUTS / "sut-dirt", "--", "naps", 0)]
        self.assertTrue(frng.wait_until(lambda: all(map(self.runs_of, drivers))))
        runs = set().union(*map(self.runs_of, drivers))
        ours = set(self.left_processes()) - runs
        for pids, number, pause in ((runs, signal.SIGSTOP, 0), (ours, signal.SIGSTOP, 3.2),
                                    (ours, signal.SIGCONT, 0.7), (runs, signal.SIGCONT, 0)):
            for pid in pids:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    pass
            time.sleep(pause)
        for driver in drivers:
            result = self.ended(driver)
            self.assert_nothing_found(result)
            self.assertNotRegex(result.stderr, "timeout|flaky|disabled")

    def runs_of(self, driver):
        """What a driver's worker runs."""
        parents = {}
        for pid in self.left_processes():
            try:
                stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
            except OSError:
                continue
            parents[pid] = int(stat.rpartition(")")[2].split()[1])
        above, runs = {pid for pid, parent in parents.items() if parent == driver.pid}, set()
        while above:
            above = {pid for pid, parent in parents.items() if parent in above}
            runs |= above
        return runs


class Sent(frng.Scenario):
    def begin(self, *command, **more):
        self.write("events", "")
        process = self.start(*command, **more)
        self.assertTrue(frng.wait_until(lambda: self.has_best(3) if "events" in command else
                                        len(self.left_processes()) > 2))
        self.assertIsNone(process.poll())
        return process

    def test_a_signal_reports_the_best_and_then_kills(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            process = self.begin(frng.SEARCH, *FINDS_AND_GOES_ON)
            process.send_signal(number)
            result = self.ended(process, 60)
            self.assert_exit(result, -number)
            self.assertEqual(frng.find_result(result.stdout)[0], 3, str(result))
            self.assert_says(result, "frng-replay", "exit:1")

    def test_without_a_best_stdout_is_empty_and_a_run_that_hangs_is_not_waited_for(self):
        for number, mode in ((signal.SIGINT, "naps"), (signal.SIGTERM, "ignores")):
            process = self.begin(frng.SEARCH, "--time", "1h", "--timeout", "1h", *frng.modes(mode))
            process.send_signal(number)
            result = self.ended(process, 60)
            self.assertEqual((result.exit, result.stdout), (-number, ""), str(result))

    def test_signals_that_the_caller_ignores_are_ignored(self):
        # As under nohup, and in the background of a script.
        for number in (signal.SIGHUP, signal.SIGINT):
            process = self.begin(frng.SEARCH, "--time", "1s", *frng.modes("naps"),
                                 preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
            process.send_signal(number)
            self.assert_exit(self.ended(process), 0)

    def test_as_the_first_process_of_a_container_it_exits_with_128_and_the_number(self):
        flags = next((flags for flags in (["-pf"], ["-Urpf"]) if subprocess.run(
            ["unshare", *flags, "--mount-proc", "true"], capture_output=True).returncode == 0), None)
        if flags is None:
            self.skipTest("no pid namespace can be made here")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            shell = self.begin("unshare", *flags, "--mount-proc", "--kill-child", frng.SEARCH,
                               *FINDS_AND_GOES_ON)
            children = pathlib.Path(f"/proc/{shell.pid}/task/{shell.pid}/children")
            os.kill(int(children.read_text()), number)
            result = self.ended(shell, 60)
            self.assert_exit(result, 128 + number)
            self.assertEqual(frng.find_result(result.stdout)[0], 3, str(result))
