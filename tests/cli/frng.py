"""What every scenario needs: a folder of its own, the tools run in it, and no process left behind.

FRNG_BUILD names the build folder; without it, `build` beside `tests` is taken.
SPDX-License-Identifier: MIT
"""

import atexit
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import schema

# What ignores signals, as nohup and a shell's background do, must not pass that on to the tools.
for _number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)
# Meson ends a test that takes too long by this one: nothing is left even so (`leave_nothing`).
signal.signal(signal.SIGTERM, signal.default_int_handler)

BUILD = pathlib.Path(os.environ.get("FRNG_BUILD") or
                     pathlib.Path(__file__).resolve().parents[2] / "build").resolve()
SEARCH = str(BUILD / "driver" / "frng-search")
REPLAY = str(BUILD / "driver" / "frng-replay")
REDUCE = str(BUILD / "driver" / "frng-reduce")
REPORT = str(BUILD / "driver" / "frng-report")
STATUS = str(BUILD / "driver" / "frng-status")
SUTS = BUILD / "tests" / "sut"
MODES = str(SUTS / "sut-modes")

# What a tool may take on a slow and busy machine before a scenario gives it up.
SLOWER = int(os.environ.get("FRNG_PATIENCE", "1"))  # on a slow machine tests/run.sh sets it
PATIENCE_S = 120 * SLOWER

RESULT = re.compile(r"size=(\d+) seed=(\d+s?)\n")
FINDING_NAME = re.compile(r"(\d{10})-([0-9a-f]{16}s?)\.json")


FOLDERS = set()  # those of `new_folder` that are still there


def new_folder(kind):
    """A folder that goes when this process ends, with all processes that inherited its mark."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"frng-{kind}-")).resolve()
    FOLDERS.add(folder)
    return folder


def remove_folder(folder):
    shutil.rmtree(folder, ignore_errors=True)
    FOLDERS.discard(folder)


def mark(folder):
    """What processes of a folder have in their environment."""
    return f"FRNG_SCENARIO={folder}"


def end_processes(folder, patience):
    """{pid: command line} of the processes of a folder that did not end in time, and are ended: by the
    signal on which tools remove what they made, then by the one that none survives."""
    def living():
        return processes_marked(mark(folder))

    left = {} if wait_until(lambda: not living(), patience) else living()
    for number in (signal.SIGTERM, signal.SIGKILL) if left else ():
        for pid in living():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        wait_until(lambda: not living(), 0.3)
    return left


@atexit.register
def leave_nothing():
    """Of a scenario that was interrupted."""
    for folder in list(FOLDERS):
        while end_processes(folder, 0):
            pass
        remove_folder(folder)


def quick_python():
    """A folder with a `python3` that starts soon: targets need no packages, which some machines take
    longer to look for than to start Python, nor a shim that looks for the Python first."""
    folder = new_folder("python")
    folder.chmod(0o755)
    (folder / "python3").write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S "$@"\n')
    (folder / "python3").chmod(0o755)
    return str(folder)


os.environ["PATH"] = quick_python() + ":" + os.environ.get("PATH", os.defpath)


class Result:
    """What a tool that has ended left: `exit` is minus the signal when it died of one."""

    def __init__(self, command, exit_status, stdout, stderr, seconds):
        self.command, self.exit, self.seconds = command, exit_status, seconds
        self.stdout_bytes, self.stderr_bytes = stdout, stderr
        self.stdout = stdout.decode("utf-8", "replace")
        self.stderr = stderr.decode("utf-8", "replace")

    def __str__(self):
        return (f"$ {shlex.join(map(str, self.command))}\nexit {self.exit} after "
                f"{self.seconds:.1f} s\nstdout: {self.stdout[-4000:]!r}\nstderr: "
                f"{self.stderr[-4000:]}")


def modes(mode, *arguments):
    """The system under test of tests/sut/modes.c, as the end of a command line."""
    return [MODES, "--", mode, *map(str, arguments)]


def find_result(text):
    """(size, seed) of a result line, or None. A seed is text, such as "7", or "7s" if it is styled."""
    match = RESULT.fullmatch(text)
    return match and (int(match[1]), match[2])


def finding_name(size, seed):
    """The name of the file of a finding."""
    number, style = re.fullmatch(r"(\d+)(s?)", seed).groups()
    return f"{size:010}-{int(number):016x}{style}.json"


def finding_text(sut, args, size, seed, **changed):
    """The name of a finding, and its text as a search writes it, but for the digest of the program."""
    fields = {"format": 1, "sut": str(sut), "args": args, "size": size, "seed": str(seed), "expand": 1,
              "identity": "exit:1", "status": 1, "site": None, "reruns": 1, "repeated": 1,
              "when": "2026-11-22T23:06:53Z", **changed}
    return finding_name(size, str(seed)), json.dumps(fields)


@functools.cache
def events_schema():
    """The validator of events; a test of the headers alone has no build to read it from."""
    return schema.Validator(schema.parse((BUILD / "driver" / "events.schema.json").read_text()))


VALID_LINES = set()  # of events; a file that grows is read again and again


def event_of(line):
    """The event in a line, as its schema says."""
    if line not in VALID_LINES:
        events_schema().check(schema.parse(line))
        VALID_LINES.add(line)
    return json.loads(line)


def json_lines(text):
    """The events in the whole lines of a stream that may still grow."""
    return [event_of(line) for line in text.split("\n")[:-1]]


def latest(path):
    """The events of the last tool that appended to a file, from its start on; [] before that."""
    text = pathlib.Path(path).read_text()
    begun = text.rfind('{"event":"start"')
    return json_lines(text[begun:]) if begun >= 0 else []


def written_events(command, folder, stdout):
    """The text that a tool wrote for --json, or ""."""
    words = [str(word) for word in command]
    words = words[:words.index("--")] if "--" in words else words
    if not words[0].startswith(str(BUILD)) or "--json" not in words[:-1]:
        return ""
    name = words[words.index("--json") + 1]
    path = pathlib.Path(folder or ".", name)
    if name == "-":
        return (stdout or b"").decode()
    return path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""


def findings(folder):
    """{name: finding} of all that a folder holds under the name of a finding."""
    folder = pathlib.Path(folder)
    names = [path.name for path in folder.iterdir() if FINDING_NAME.fullmatch(path.name)]
    return {name: json.loads((folder / name).read_text()) for name in sorted(names)}


def processes_marked(variable):
    """{pid: command line} of the processes that inherited `variable` in their environment."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            environment = pathlib.Path("/proc", entry, "environ").read_bytes()
            if variable.encode() in environment.split(b"\0"):
                line = pathlib.Path("/proc", entry, "cmdline").read_bytes()
                found[int(entry)] = line.replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
    return found


def wait_until(condition, timeout=PATIENCE_S):
    """Whether `condition` came true in time."""
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class Scenario(unittest.TestCase):
    """A test with a folder of its own, `folder`, that is the current one of the tools it runs."""

    maxDiff = None

    def setUp(self):
        self.folder = new_folder("scenario")
        self.environment = {name: value for name, value in os.environ.items()
                            if name not in ("FRNG_INPUT", "NO_COLOR", "LD_LIBRARY_PATH")}
        self.environment.update(FRNG_SCENARIO=str(self.folder), LC_ALL="C.UTF-8", TERM="xterm")
        self.started = []
        self.event_files = []
        self.addCleanup(remove_folder, self.folder)
        self.addCleanup(self.check_written_events)
        self.addCleanup(self.end_what_is_left)

    def left_processes(self):
        return processes_marked(mark(self.folder))

    def check_written_events(self):
        """What the tools of the scenario wrote for --json is what events.schema.json says."""
        for text in {written_events(*of, None) for of in self.event_files}:
            begun = text.find('{"event":') # a scenario may have put other lines before
            json_lines(text[begun:] if begun >= 0 else "")

    def end_what_is_left(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
        self.assertEqual(end_processes(self.folder, 10), {}, "processes were left behind")

    def start(self, *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
              stderr=subprocess.PIPE, environment=None, folder=None, **more):
        """A process of the scenario, started and not waited for."""
        everything = {**self.environment, **(environment or {})}
        process = subprocess.Popen([str(word) for word in command], stdin=stdin, stdout=stdout,
                                   stderr=stderr, env=everything, cwd=folder or self.folder, **more)
        self.started.append(process)
        self.event_files.append((command, folder or self.folder))
        return process

    def run_tool(self, *command, timeout=PATIENCE_S, **more):
        """Run to the end; one that takes longer than `timeout` fails the scenario."""
        began = time.monotonic()
        process = self.start(*command, **more)
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            stdout, stderr = process.communicate()
            self.fail("still running: " + str(
                Result(command, "none", stdout or b"", stderr or b"", timeout)))
        json_lines(written_events(command, None, stdout) if "-" in command else "")
        return Result(command, process.returncode, stdout or b"", stderr or b"",
                      time.monotonic() - began)

    def has_best(self, size_max, events="events"):
        """Whether the file that --json writes tells of a best of at most so many bytes."""
        path = self.folder / events
        told = json_lines(path.read_text()) if path.exists() else []
        return any(event["event"] == "best" and event["size"] <= size_max for event in told)

    def search(self, *arguments, **more):
        return self.run_tool(SEARCH, *arguments, **more)

    def replay(self, *arguments, **more):
        return self.run_tool(REPLAY, *arguments, **more)

    def reduce(self, *arguments, **more):
        return self.run_tool(REDUCE, *arguments, **more)

    def each(self, check, rows):
        """Check each row, a tuple of arguments, and go on where one fails."""
        for row in rows:
            with self.subTest(row=row):
                check(*row)

    def ended(self, process, timeout=PATIENCE_S):
        """The result of a process that was started, once it has ended."""
        stdout, stderr = process.communicate(timeout=timeout)
        return Result(process.args, process.returncode, stdout or b"", stderr or b"", 0)

    # ---- What is expected of results ----

    def assert_exit(self, result, *expected):
        self.assertIn(result.exit, expected, str(result))

    def assert_found(self, result, size=None):
        """A failure was found, at `size` where that is given; answers (size, seed)."""
        self.assert_exit(result, 1)
        found = find_result(result.stdout)
        self.assertIsNotNone(found, str(result))
        if size is not None:
            self.assertEqual(found[0], size, str(result))
        return found

    def assert_nothing_found(self, result):
        self.assert_exit(result, 0)
        self.assertEqual(result.stdout, "", str(result))

    def assert_says(self, result, *patterns):
        """Each pattern, a regular expression without regard to case, is found on stderr."""
        for pattern in patterns:
            self.assertRegex(result.stderr, re.compile(pattern, re.IGNORECASE | re.DOTALL),
                             str(result))

    def assert_one_line(self, result, exit_status, *patterns):
        """One line on stderr says what is wrong; nothing is on stdout."""
        self.assert_exit(result, exit_status)
        self.assertEqual(result.stdout, "", str(result))
        self.assertRegex(result.stderr, r"\A[^\n]+\n\Z", str(result))
        self.assert_says(result, *patterns)

    def assert_plain(self, result):
        """Nothing on stderr that a terminal would take for a command, nor a rewritten line."""
        text = result.stderr_bytes.decode("utf-8")
        self.assertNotRegex(text, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", str(result))

    # ---- What scenarios make ----

    def write(self, name, text, executable=False):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        path.chmod(0o755 if executable else 0o644)
        return path

    def script(self, name, text):
        """An executable shell script."""
        return self.write(name, "#!/bin/sh\n" + text, executable=True)

    def copy_sut(self, source, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, path)
        return path


def without_power_over_files():
    """In a child about to execute: let the modes of files hold for root as well."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    pr_capbset_drop, cap_dac_override, cap_dac_read_search = 24, 1, 2
    if os.geteuid() == 0:
        for capability in (cap_dac_override, cap_dac_read_search):
            if libc.prctl(pr_capbset_drop, capability, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")


MASK = (1 << 64) - 1


def outputs(seed):
    """The outputs of xoshiro256++, which SplitMix64 seeds, written anew from their papers."""
    def rotate(x, count):
        return (x << count | x >> (64 - count)) & MASK

    state = []
    for _ in range(4):
        seed = (seed + 0x9e3779b97f4a7c15) & MASK
        z = seed
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
        z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
        state.append(z ^ z >> 31)
    a, b, c, d = state
    while True:
        yield (rotate((a + d) & MASK, 23) + a) & MASK
        t = b << 17 & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = rotate(d, 45)


def extreme(number, width):
    """An extreme of `width` bytes: the table in DRAWS.md."""
    top = (1 << 8 * width) - 1
    small = number >> 4 & 15
    power = 1 << (number >> 4) % (8 * width)
    return (2 * [0] + 4 * [top] + 2 * [top >> 1] + 4 * [(top >> 1) + 1] + [small] +
            2 * [power] + [top - small])[number & 15]


def styled_words(source, width, edge, repeat, near, window):
    """The words of a styled seed, for ever: the rules in DRAWS.md, one after the other."""
    words, bits, opened, rest = [], 8 * width, None, b""
    while True:
        fresh, picks = next(source), next(source)
        for at in range(0, 64, bits):
            random = (fresh >> at | fresh << 64 - at) & MASK
            number = random & (1 << bits) - 1
            how = picks >> at & 255
            chance = how >> 2
            back = 1 + ((number & 255) * min(len(words), 64) >> 8)
            word = number
            if rest:
                word, rest = int.from_bytes(rest[:width], "little"), rest[width:]
            elif opened is not None:
                if chance >= 8:
                    word = words[-opened]
                else:
                    opened = None
            elif chance < repeat + window:
                if words:
                    word = words[-back]
                    opened = back if chance >= repeat else None
            elif chance < repeat + window + edge:
                size = max(width, (1, 4, 4, 8)[how & 3]) if width <= 2 else width
                rest = extreme(random, size).to_bytes(size, "little")
                word, rest = int.from_bytes(rest[:width], "little"), rest[width:]
            elif chance < repeat + window + edge + near and words:
                word = (words[-back] + (1 if how & 1 else -1)) & ((1 << bits) - 1)
            words.append(word)
            yield word


def expand(seed, size):
    """The bytes of frng_expand.h, written anew from DRAWS.md. A seed is a number or text: "7s"."""
    is_styled = str(seed).endswith("s")
    source = outputs(int(str(seed).rstrip("s")))
    out = bytearray()
    width = 8
    if is_styled:
        pick = next(source)
        width = (1, 1, 2, 4, 4, 4, 8, 8)[pick & 7]
        edge = (0, 0, 0, 8, 24, 48, 60, 63)[pick >> 3 & 7]
        repeat = (0, 0, 0, 8, 32, 56, 62, 63)[pick >> 6 & 7]
        if edge >= 48 and pick >> 18 & 1:
            repeat = 0
        near, window = ((0, 0, 0, 0, 2, 4, 8, 16)[pick >> at & 7] for at in (9, 12))
        lead = (0, 0, 0, 0, 0, 1, 1, 2)[pick >> 15 & 7] % width
        if edge + repeat + near + window > 0:
            out += (pick >> 32).to_bytes(8, "little")[:lead]
            source = styled_words(source, width, edge, repeat, near, window)
        else:
            width = 8
    while len(out) < size:
        out += next(source).to_bytes(width, "little")
    return bytes(out[:size])


def long(test):
    """Mark a scenario that repeats another in more modes, waits long, or takes long under sanitizers
    and reaches no code of the driver that others do not. See load_tests."""
    test.is_long = True
    return test


def load_tests(loader, tests, pattern):
    """unittest's hook: the scenarios of a file run in parts side by side.

    FRNG_PART, "2/3", is the part. FRNG_LONG=0 leaves the long scenarios out, FRNG_LONG=1 runs only
    these; all run without it.
    """
    del loader, pattern
    part, parts = map(int, os.environ.get("FRNG_PART", "1/1").split("/"))
    chosen = os.environ.get("FRNG_LONG")

    def each(suite):
        for test in suite:
            yield from each(test) if isinstance(test, unittest.TestSuite) else [test]

    def is_long(test):
        return getattr(getattr(test, test._testMethodName, None), "is_long", False)
    all_tests = [test for test in each(tests) if chosen is None or is_long(test) == (chosen == "1")]
    return unittest.TestSuite(all_tests[part - 1::parts])

