"""The Python port by itself: its draws, what ends a run, and its server under a small driver.

tests/ports/test_ports.py has the scenarios that all ports share.
"""

import contextlib
import importlib.util
import json
import os
import pathlib
import select
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PORT = HERE.parents[2] / "frng" / "python"
sys.path.insert(0, str(PORT))

import frng
from raw_driver import (DIGEST, DRAWN, GIVEN, ONE_PROCESS, PATIENCE_S, ROWS, RUN, Driver,
                        orders)

class Folder(unittest.TestCase):
    """A folder with a test in a file of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="frng-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "PYTHONPATH": str(PORT), "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment.pop("FRNG_DRIVER", None)

    def script(self, body, decorator="@frng.main", after=""):
        """Write a test whose body draws from f. Its first line is line 5."""
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        path = self.folder / "target.py"
        path.write_text(f"import frng, json, os, sys\nruns = []\n{decorator}\ndef test(f):\n"
                        f"{lines}{after}")
        return path

    def run_script(self, path, entropy=b"", *options, **environment):
        return subprocess.run([sys.executable, "-W", "error", *options, path], input=entropy,
                              env={**self.environment, **environment}, capture_output=True,
                              timeout=PATIENCE_S, check=False)


class Draws(unittest.TestCase):
    def test_arguments_that_make_no_sense_raise_value_error(self):
        f = frng.Frng(bytes(100))
        for draw in (lambda: f.u8(0, 256), lambda: f.u8(-1, 3), lambda: f.i8(-129, 0),
                     lambda: f.weighted([]), lambda: f.weighted([3, -1]), lambda: f.chance(1, 1 << 33),
                     lambda: f.chance(.5, 2), lambda: f.more(float("nan"), 0, 3)):
            self.assertRaises(ValueError, draw)
        self.assertEqual(f.used, 0)

    def test_out_of_entropy_is_no_exception_that_a_test_catches(self):
        f = frng.Frng(b"\1")
        self.assertTrue(f.bool())
        with self.assertRaises(frng.OutOfEntropy):
            try:
                f.bool()
            except Exception:
                self.fail("swallowed")
        self.assertEqual((f.used, f.left, f.exhausted, f.bytes(0)), (1, 0, True, b""))

    def test_what_a_test_does_after_it_caught_the_end_counts_no_more(self):
        def goes_on(f):
            with contextlib.suppress(BaseException):
                f.u8()
            raise ValueError

        def cleans_up(f):
            try:
                f.u8()
            finally:
                raise ValueError

        def turns(f):
            try:
                f.u8()
            except:  # noqa: E722
                raise ValueError from None

        for test, entropy, fails in ((goes_on, b"", False), (goes_on, b"1", True), (cleans_up, b"", True),
                                     (turns, b"", True)):
            self.assertEqual(frng.target.failure_of(test, frng.Frng(entropy)) is not None, fails, (test, entropy))

    def test_large_entropy_need_not_be_bytes(self):
        large = os.urandom(100000)
        for entropy in large, memoryview(large), bytearray(large):
            f = frng.Frng(entropy)
            self.assertEqual((f.bytes(3), f.u8(), f.left), (large[:3], large[3], 99996))

    def test_an_element_of_any_sequence_is_picked(self):
        self.assertEqual(frng.Frng(b"\xff").pick("abc"), "c")
        self.assertEqual(frng.Frng(b"\xff\xff").pick(range(1000)), 999)


# What ends a run without a driver: a test, its entropy, the exit status, and the first line of stderr.
ENDS = [
    ("while True:\n    f.u8()", b"\1\2\3", 0, ""),
    ("x = f.u8()\nassert x != 7, f'got {x}'", b"\7", 1, "target.py:6: AssertionError: got 7"),
    ("assert f.u8() != 7", b"\7", 1, "target.py:5: AssertionError"),
    # within Python, the line of the test
    ("json.loads(f.bytes(1))", b"{", 1, "target.py:5: JSONDecodeError: Expecting property name "
     "enclosed in double quotes: line 1 column 2 (char 1)"),
    ("f.u8(3, 2)", b"\1", 1, "target.py:5: ValueError: no range 3..2 in 0..255"),
    ("def deeper():\n    deeper()\ndeeper()", b"", 1,
     "target.py:6: RecursionError: maximum recursion depth exceeded"),
    # the least line that recurs
    *(("def deeper():\n    other()\ndef other():\n    deeper()\n" + start, b"", 1,
       "target.py:6: RecursionError: maximum recursion depth exceeded")
      for start in ("other()", "deeper()")),
    ("bytearray(1 << 62)", b"", 1, "target.py:5: MemoryError"),
    ("sys.exit(0)", b"", 0, ""),
    ("sys.exit()", b"", 0, ""),
    ("sys.exit(3)", b"", 3, "target.py:5: SystemExit: 3"),
    ("sys.exit('why')", b"", 1, "target.py:5: SystemExit: why"),
    ("raise KeyboardInterrupt", b"", -signal.SIGINT, "target.py:5: KeyboardInterrupt"),
    ("assert False", b"", 0, "", "-O"),
    ("raise AssertionError('no')", b"", 1, "target.py:5: AssertionError: no", "-O"),
]


class Ends(Folder):
    def check(self, body, entropy, status, line, *options):
        result = self.run_script(self.script(body), entropy, *options)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        first = result.stderr.decode().splitlines()[:1]
        self.assertEqual(first, [line] if line else [], result.stderr.decode())

    def test_a_run_ends_as_its_program_does(self):
        for row in ENDS:
            with self.subTest(row=row):
                self.check(*row)

    def test_a_test_that_returns_a_value_fails(self):
        for body in "return f.u8() == 1", "async def other():\n    pass\nreturn other()":
            result = self.run_script(self.script(body), b"\2")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, rb"(?m)^TypeError: the test returned a value: .*asyncio\.run")

    @unittest.skipIf(sys.version_info < (3, 11), "before Python 3.11")
    def test_the_end_of_entropy_in_a_group_of_tasks_passes(self):
        body = ("import asyncio\nasync def draw():\n    while True:\n"
                "        assert f.u8() != 7, 'seven'\n        await asyncio.sleep(0)\n"
                "async def both():\n    async with asyncio.TaskGroup() as group:\n"
                "        group.create_task(draw())\n        group.create_task(draw())\n"
                "asyncio.run(both())")
        self.check(body, b"\1\2\3", 0, "")
        self.check(body, b"\1\2\7\1\1", 1, "target.py:8: ExceptionGroup: unhandled errors in a "
                   "TaskGroup (1 sub-exception)")


class Main(Folder):
    """The ways to name a test."""

    def check(self, decorator, after, status):
        path = self.script("f.u8()\nprint('run')\nsys.exit(5)", decorator, after)
        result = self.run_script(path, b"\1")
        self.assertEqual((result.returncode, result.stdout.count(b"run")), (status, status // 5))

    def test_a_decorator_or_a_call_runs_the_test_of_a_program(self):
        self.check("@frng.main", "", 5)
        self.check("@frng.main(fork=False)", "", 5)
        self.check("", "frng.main(test)", 5)
        self.check("", "frng.main(lambda f: test(f), fork=False)", 5)
        self.check("", "def entry():\n    frng.main(test)\nentry()", 5)

    def test_nothing_follows_the_test(self):
        path = self.script("f.u8()", after="print('after')")
        self.assertEqual(self.run_script(path, b"\1").stdout, b"")

    def test_a_program_starts_without_slow_modules(self):
        """A search starts it many times, and these take longer than the rest of the port."""
        path = self.folder / "target.py"
        path.write_text("import frng, sys\nslow = {'re', 'enum', 'collections', 'signal', 'typing'}\n"
                        "frng.run(lambda f: print(slow & {*sys.modules}))")
        self.assertEqual(self.run_script(path, b"\1", "-S").stdout, b"set()\n")

    def test_an_import_runs_nothing_and_keeps_the_test(self):
        for decorator in "@frng.main", "@frng.main(fork=False)":
            self.script("f.u8()\nruns.append(1)", decorator, "frng.main(test)\n")
            user = self.folder / "user.py"
            user.write_text("import frng, target\ntarget.test(frng.Frng(b'1'))\n"
                            "print(target.runs)")
            self.assertEqual(self.run_script(user).stdout, b"[1]\n")


class Serves:
    """The server: in process, and in forked ones."""

    def drive(self, body, **more):
        command = [sys.executable, "-W", "error", self.script(body, self.decorator)]
        return Driver(self, command, self.environment, **more)

    def test_it_offers_batches_of_explicit_bytes(self):
        driver = self.drive("f.u8()")
        self.assertEqual(driver.hello, (1, 1, self.flags, DRAWN, 8, 0, 0, 0, 0, 0))
        self.assertEqual(driver.end(), 0)

    def test_a_failure_has_its_run_its_bytes_and_its_site(self):
        driver = self.drive("assert f.u8() != 7\nf.u8()", rows=ROWS)
        self.fails(driver.batch(b"12", b"3", b"\x07\1", b"1", flags=ONE_PROCESS), driver, 2, 256)
        self.assertEqual((driver.number(RUN), driver.number(DRAWN)), (2, 1))
        self.assertEqual(driver.rows(3), [2, 1 | 1 << 63, (1 << 64) - 1])
        self.assertEqual(driver.site(), "target.py:5")

    def test_an_exit_has_its_status(self):
        driver = self.drive("sys.exit(f.u8(0, 3))")
        self.fails(driver.batch(b"\0", b"\xff", b"\0", flags=ONE_PROCESS), driver, 1, 3 << 8)

    def test_what_ends_a_thread_ends_the_run(self):
        self.decorator = "import threading\n" + self.decorator
        driver = self.drive("def work():\n    assert f.u8() != 7\nthread = threading.Thread(target=work)\n"
                            "thread.start()\nthread.join()")
        self.fails(driver.batch(b"1", b"", b"\7", b"1", flags=ONE_PROCESS), driver, 2, 256)
        self.assertEqual(driver.site(), "target.py:7")

    def test_it_stops_between_two_runs(self):
        driver = self.drive("if f.u8() == 1:\n    f._words[frng.target.STOP] = 1  # as a driver does")
        self.assertEqual(driver.batch(b"\0", b"\1", b"\0", b"\0", flags=ONE_PROCESS), (2, 0))

    def test_the_count_is_right_in_the_middle_of_a_run(self):
        driver = self.drive("f.u32()\nf.u8()\nos.kill(os.getpid(), 9)")
        self.fails(driver.batch(bytes(9)), driver, 0, 9)
        self.assertEqual(driver.number(DRAWN), 5)

    def test_programs_that_a_run_starts_do_not_hold_the_control(self):
        seen = self.folder / "seen"
        driver = self.drive("import subprocess\nwith open(" + repr(str(seen)) + ", 'w') as seen:\n"
                            "    subprocess.run(['ls', '-l', '/proc/self/fd'], close_fds=False,"
                            " stdout=seen)")
        self.assertEqual(driver.batch(b""), (1, 0))
        self.assertIn(" 0 -> ", seen.read_text())
        self.assertNotIn(driver.target_end, seen.read_text())


class InProcess(Serves, Folder):
    decorator, flags = "@frng.main(fork=False)", 4096 | 2048 | 256 | 128 | 2 | 4

    def fails(self, done, driver, passed, status):
        """The failing run has ended the process."""
        self.assertIsNone(done)
        end = driver.process.wait(PATIENCE_S)
        self.assertEqual(end, status >> 8 if status >= 256 else -status)
        self.assertEqual(driver.number(RUN), passed)

    def test_a_program_with_a_thread_that_python_does_not_know_is_not_forked(self):
        self.decorator = "import _thread, time\n_thread.start_new_thread(time.sleep, (60,))\n@frng.main"
        self.assertEqual(self.drive("f.u8()").hello[2], self.flags)

    def test_a_process_that_leaves_has_ended_in_its_run(self):
        driver = self.drive("if f.u8() == 1:\n    os._exit(0)")
        self.assertIsNone(driver.batch(b"\0", b"\0", b"\1", b"\0", flags=ONE_PROCESS))
        self.assertEqual((driver.process.wait(PATIENCE_S), driver.number(RUN)), (0, 2))


class Forked(Serves, Folder):
    decorator, flags = "@frng.main", 4096 | 2048 | 128 | 2 | 4

    def fails(self, done, driver, passed, status):
        """The failing run has ended its own process, and the server goes on."""
        self.assertEqual(done, (passed, status))
        self.assertIsNone(driver.process.poll())

    def test_after_a_failure_it_takes_the_next_order(self):
        driver = self.drive("assert f.u8() != 7")
        for _ in range(3):
            self.assertEqual(driver.batch(b"1", b"\7", b"1", flags=ONE_PROCESS), (1, 256))
            self.assertEqual(driver.batch(b"1", b"1", flags=ONE_PROCESS), (2, 0))

    def test_a_forked_process_ends_with_its_threads_and_exit_handlers(self):
        seen = self.folder / "seen"
        driver = self.drive("import atexit, threading, time\ndef note(word):\n"
                            f"    with open({str(seen)!r}, 'a') as file:\n        file.write(word)\n"
                            "def slow():\n    time.sleep(0.1)\n    note('thread ')\n"
                            "atexit.register(note, 'exit ')\nassert f.u8() != 7\n"
                            "threading.Thread(target=slow).start()")
        self.assertEqual(driver.batch(b"\1", b"\7"), (1, 256))
        self.assertEqual(seen.read_text(), "thread exit exit ")

    def test_each_run_has_a_fresh_process_unless_the_order_says_otherwise(self):
        driver = self.drive("runs.append(1)\nassert len(runs) < 3")
        self.assertEqual(driver.batch(*[b""] * 5), (5, 0))
        self.assertEqual(driver.batch(*[b""] * 5, flags=ONE_PROCESS), (2, 256))

    def test_after_a_run_that_leaves_the_next_one_has_another_process(self):
        driver = self.drive("runs.append(1)\nif f.u8() == 1:\n    os._exit(0)\n"
                            "assert len(runs) < 4")
        for flags in 0, ONE_PROCESS:
            done = driver.batch(b"\0", b"\1", b"\1", b"\0", b"\0", flags=flags)
            self.assertEqual(done, (5, 0))

    def test_it_answers_each_order_as_the_server_in_process(self):
        told = []
        for decorator in self.decorator, "@frng.main(fork=False)":
            self.decorator = decorator
            driver = self.drive("f.step('a')\nwhile True:\n    f.i16(-1, 1)", rows=16)
            told.append([(done[:2], done[2] == 2 or driver.report[DIGEST:]) for done in
                         (driver.order(**order) for order in orders(self.flags))])
        self.assertEqual(*told)

    def test_a_run_ends_with_its_server(self):
        driver = self.drive("import time\nprint(os.getpid(), file=sys.stderr, flush=True)\n"
                            "time.sleep(1000)")
        os.pwrite(driver.entropy, struct.pack("=Q", 0), 0)
        driver.control.send(struct.pack("=10Q", 2, 0, GIVEN, 0, 0, 0, 1, 8, 0, 0))
        child = int(driver.process.stderr.readline())
        status = os.pidfd_open(child)
        self.addCleanup(os.close, status)
        driver.process.kill()
        self.assertEqual(select.select([status], [], [], PATIENCE_S)[0], [status])


class Findings(Folder):
    def write(self, name, **fields):
        folder = self.folder / "found"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps({"format": 1, "expand": 1, **fields}))
        return folder / name

    def test_pytest_has_a_case_for_each_finding(self):
        if importlib.util.find_spec("pytest") is None:
            self.skipTest("there is no pytest")
        self.script("assert f.u8() != 7, 'seven'")
        cases = self.folder / "test_target.py"
        cases.write_text("import target\nfrom frng import findings\n"
                         "test_found = findings.pytest_findings(target.test, 'found')\n")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "-rA", cases]

        def outcome():
            return subprocess.run(command, env=self.environment, capture_output=True, text=True,
                                  timeout=PATIENCE_S, check=False, cwd="/")

        absent = outcome()
        self.assertIn("1 skipped", absent.stdout)
        self.write("0000000002-0000000000000001.json", size=2, seed="1")
        self.write("0000000001-0123456789abcdef.json", hex="07")
        result = outcome()
        self.assertIn("1 failed, 1 passed", result.stdout)
        self.assertIn("::test_found[0000000002-0000000000000001: --size 2 --seed 1] PASSED", result.stdout)
        self.assertIn("::test_found[0000000001-0123456789abcdef: --hex 07] FAILED", result.stdout)
        self.assertIn("AssertionError: seven", result.stdout)
