"""System calls that fail, each at each call number: no crash, no hang, no leak, no wrong finding.

Runs the tools of the test build, whose system calls pass the seam of tests/faults/faults.h. One run
counts the calls; each of the following lets one of them fail, or that one and all of its kind that
come after it. Continuous integration tries a sample, one call of each place in the source at least
as far as the number goes: FRNG_FAULTS_RUNS=all tries everything, FRNG_FAULTS_RUNS=200 so many for
each scenario, FRNG_FAULTS_SEED=2 others of them. SPDX-License-Identifier: MIT
"""
# suites: sanitized; parts: 2

import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess

import frng

TOOLS = {name: str(frng.BUILD / "tests" / "faults" / f"frng-{name}-faulty")
         for name in ("search", "replay", "reduce")}
RUNS = os.environ.get("FRNG_FAULTS_RUNS", "45")
SEED = os.environ.get("FRNG_FAULTS_SEED", "1")
THREADS = min(4, max(2, os.cpu_count() or 1))

# What one run may take on a slow and busy machine, with sanitizers.
DEADLINE_S = int(os.environ.get("FRNG_FAULTS_DEADLINE_S", 100))

ROLES = ("driver", "worker")

# The errors that each call can fail of.
CALLS = pathlib.Path(__file__).resolve().parent.parent / "faults" / "calls.h"
ERRORS = {name: errors.split() for name, errors in re.findall(
    r'^ *CALL\((\w+),[^"]*"([^"]*)"\)', CALLS.read_text(encoding="utf-8"), re.MULTILINE)}

# What was found by chance.
THAT_LOST = ("worker:read:3+:EIO", "driver:fstat:2+:EIO", "driver:lstat:1+:EIO",
             "driver:fsync:7+:ENOSPC", "driver:malloc:16+:ENOMEM")

# What removes files, or is asked for that: when it fails there may be something left.
REMOVING = "unlink unlinkat rmdir openat open fdopendir opendir readdir fchmod flock".split()

Call = collections.namedtuple("Call", "role kind number site")


def read_injected(path):
    """How many calls of a log were made to fail."""
    with open(path, "rb") as log:
        return struct.unpack("=QQQ", log.read(24))[2]


def read_calls(path):
    """The calls of a log as tests/faults/faults.h describes it."""
    roles, kinds, name_size, record = 2, 128, 20, struct.Struct("=HHIQ")
    data = pathlib.Path(path).read_bytes()
    capacity, count, _ = struct.unpack_from("=QQQ", data)
    at = 24 + 8 * roles * kinds
    names = [data[at + name_size * i:at + name_size * (i + 1)].split(b"\0")[0].decode()
             for i in range(kinds)]
    at += name_size * kinds
    calls = []
    for i in range(min(count, capacity)):
        role, kind, number, site = record.unpack_from(data, at + record.size * i)
        calls.append(Call(ROLES[role], names[kind], number, site))
    return calls


def base_kind(kind):
    """open64 is open, where files may be large."""
    return kind.removesuffix("64")


def plans(calls):
    """The faults that a run with these calls can have, as (plan, place in the source)."""
    for call in calls:
        for error in ERRORS[call.kind]:
            yield f"{call.role}:{call.kind}:{call.number}:{error}", call
            # A call that is always interrupted is one that never ends.
            if error != "EINTR":
                yield f"{call.role}:{call.kind}:{call.number}+:{error}", call


def sample(calls, runs):
    """So many of the faults, from as many places in the source as there can be; or all."""
    chosen, seen = list(plans(calls)), collections.Counter()

    def nth_of_its_place(of):
        place = of[1]._replace(number=None)
        seen[place] += 1
        return seen[place]

    if runs != "all":
        random.Random(SEED).shuffle(chosen)
        chosen = sorted(chosen, key=nth_of_its_place)[:int(runs)]
    return chosen


def that_lost(calls):
    """The first calls that have been found to lose something, whatever the sample is."""
    found = {}
    for call in calls:
        for plan in THAT_LOST:
            role, kind, number, _ = plan.split(":")
            if (call.role, base_kind(call.kind), f"{call.number}+") == (role, kind, number):
                found[plan] = (plan.replace(kind, call.kind), call)
    return list(found.values())


class Faults(frng.Scenario):
    good, bad = (1,), (2, 4)  # exit statuses of a run without faults, and those of one with a fault
    is_stored = False  # what was announced, whatever the exit status is

    def setUp(self):
        if not pathlib.Path(TOOLS["search"]).exists():
            self.skipTest("the tools were built without tests")
        super().setUp()
        # Aborts are bugs whatever they say; leaks are looked for where the build can.
        self.environment["ASAN_OPTIONS"] = "exitcode=99:allocator_may_return_null=1"
        self.environment["UBSAN_OPTIONS"] = "exitcode=99"

    # ---- One run: `command` in a folder; `check` answers what is wrong, or None ----

    def prepare(self, folder):
        pass

    def check(self, folder, status, stdout, stderr):
        pass

    def run_once(self, name, plan):
        """(folder, exit status or None, stdout, stderr) of a run with a fault, or with none."""
        folder = self.folder / name
        (folder / "tmp").mkdir(parents=True)
        self.prepare(folder)
        process = self.start(*self.command, folder=folder, environment={
            "TMPDIR": str(folder / "tmp"), "FRNG_FAULTS_LOG": str(self.folder / f"{name}.log"),
            "FRNG_FAULTS": plan})
        try:
            result = self.ended(process, DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            return folder, None, "", ""
        return folder, result.exit, result.stdout, result.stderr

    def judge(self, plan, call, folder, status, stdout, stderr):
        """What is wrong with how a run went."""
        interrupted = plan.endswith("EINTR")
        if status is None:
            return "it hangs"
        if status < 0 or "bug in frng" in stderr or "anitizer" in stderr:
            return "it crashes"
        if status not in (self.good if interrupted else self.good + self.bad):
            return "its exit status does not fit"
        if status not in self.good and not re.search(r"^frng-\w+: .+", stderr, re.MULTILINE) and \
                call.kind not in ("vasprintf", "malloc", "open_memstream"):
            return "it does not say what is wrong"
        if list((folder / "tmp").iterdir()) and base_kind(call.kind) not in REMOVING:
            return "it leaves temporary files"
        for path in folder.rglob(".*.*"):
            if base_kind(call.kind).startswith("unlink"):  # what could not be removed is there
                path.unlink()
        try:
            return self.check(folder, status, stdout, stderr)
        except (ValueError, KeyError, OSError) as error:
            return f"what it leaves cannot be read: {error}"

    def attempt(self, number, plan, call):
        name = f"run-{number}"
        folder, status, stdout, stderr = self.run_once(name, plan)
        wrong = self.judge(plan, call, folder, status, stdout, stderr)
        log = self.folder / f"{name}.log"
        injected = read_injected(log)
        log.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        told = wrong and f"{plan} at {call.site:#x}: {wrong}\nexit {status}\n" \
            f"stdout: {stdout[-600:]!r}\nstderr: {stderr[-900:]}"
        return told, injected > 0

    # ---- All of them ----

    def count_calls(self):
        folder, status, stdout, stderr = self.run_once("counted", "")
        self.assertIn(status, self.good, f"{stdout}\n{stderr}")
        self.assertIsNone(self.check(folder, status, stdout, stderr))
        self.assertEqual(list((folder / "tmp").iterdir()), [])
        return read_calls(self.folder / "counted.log")

    def let_calls_fail(self):
        calls = self.count_calls()
        chosen = that_lost(calls) + sample(calls, RUNS)
        self.assertGreater(len(chosen), 0)
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            results = list(pool.map(lambda at: self.attempt(at[0], *at[1]), enumerate(chosen)))
        wrong = [told for told, _ in results if told]
        hit = sum(injected for _, injected in results)
        places = len({(call.kind, call.site) for call in calls})
        print(f"{self.id().split('.')[-1]}: {len(calls)} calls of {places} places; "
              f"{len(chosen)} faults, {hit} met", flush=True)
        self.assertEqual(len(wrong), 0, f"{len(wrong)} of {len(chosen)}:\n\n" +
                         "\n\n".join(wrong[:400 if RUNS == "all" else 20]))
        # Some calls are made a little more or less often in each run: polls, and reads of pipes.
        self.assertGreater(hit, len(chosen) * 0.8)
        return calls

    def let_assertions_fail(self, calls, tool, exit_status=4):
        """Bugs of ours, in the driver and in a worker, while they wait for the first and for other
        things: each is a line, and never an exit status that a verdict has."""
        self.is_stored = True
        for role, kind in (("driver", "poll"), ("worker", "recv")):
            numbers = [call.number for call in calls if (call.role, call.kind) == (role, kind)]
            for number in {1, (len(numbers) + 1) // 2} if numbers else ():
                plan = f"{role}:{kind}:{number}:ASSERTION"
                with self.subTest(plan=plan):
                    folder, status, stdout, stderr = self.run_once(plan.replace(":", "-"), plan)
                    self.assertEqual(status, exit_status, stderr)
                    lines = re.findall(rf"^frng-{tool}: bug in frng: faults\.c:\d+: .+; "
                                       "please report it$", stderr, re.MULTILINE)
                    self.assertEqual((len(lines), stderr.count("bug in")), (1, 1), stderr)
                    self.assertIsNone(self.check(folder, status, stdout, stderr))


def check_findings(folder, is_true):
    """What is wrong with a folder of findings, and what it holds."""
    names = [path.name for path in folder.iterdir()] if folder.exists() else []
    strange = [name for name in names if not frng.FINDING_NAME.fullmatch(name)]
    if strange:
        return f"it leaves {strange}", {}
    found = frng.findings(folder) if names else {}
    for name, finding in found.items():
        if not is_true(finding):
            return f"{name} is wrong: {finding}", found
    return None, found


def events_of(folder):
    path = folder / "events"
    return frng.json_lines(path.read_text()) if path.exists() else []


class Search(Faults):
    """Of a program that fails from so many bytes on, always in the same way."""

    least = 5

    def is_true(self, finding):
        return finding["identity"] == "exit:1" and finding["size"] >= self.least and \
            re.fullmatch(r"\d+s?", finding["seed"]) is not None

    def check(self, folder, status, stdout, stderr):
        wrong, found = check_findings(folder / "found", self.is_true)
        if wrong:
            return wrong
        result = frng.find_result(stdout)
        if stdout and (not result or result[0] < self.least):
            return "its result is wrong"
        if status == 1 and (not result or result[0] != self.least):
            return "it ends as if all were well, with another result"
        stored = {(finding["size"], finding["seed"]) for finding in found.values()}
        announced = {(event["size"], event["seed"]) for event in events_of(folder)
                     if event["event"] == "best"}
        announced = set(sorted(announced)[:1]) # none, if no event could be written
        if status == 1 and not announced <= stored:
            return f"it announced {announced} and stored {stored}"
        # A bug may end it between the two: then a smaller one has taken the place of what it announced.
        if self.is_stored and announced and not (announced <= stored or stored and min(stored) < min(announced)):
            return f"it announced {announced} and lost it: {stored}"
        return None

    def test_by_spawning(self):
        self.command = [TOOLS["search"], "--rng-seed", "1", "--jobs", "1", "--timeout", "60s", "--findings",
                        "found", "--json", "events", "--attempts", "2", "--size-max", "16",
                        *frng.modes("at-least", self.least)]
        self.let_assertions_fail(self.let_calls_fail(), "search")


class Replay(Faults):
    bad = (125, 129)

    def test_of_three_runs(self):
        self.command = [TOOLS["replay"], "--size", "9", "--seed", "1", "--runs", "3",
                        *frng.modes("at-least", 5)]
        self.let_assertions_fail(self.let_calls_fail(), "replay", 125)


class Reduction(Faults):
    def reduce(self, text, *more):
        # Explained however slow runs are: those with faults are slower, four at once, than the first.
        self.command = [TOOLS["reduce"], "--hex", text, "--timeout", "60s", "--explain", "yes",
                        "--findings", "found", "--json", "events", "--output", "out", *more]

    def check(self, folder, status, stdout, stderr):
        wrong, found = check_findings(
            folder / "found", lambda finding: finding["identity"] == self.identity and
            self.is_failing(bytes.fromhex(finding["hex"])))
        strange = {path.name for path in folder.iterdir()} - {"tmp", "found", "events", "out"}
        if wrong or strange:
            return wrong or f"it leaves {strange}"
        out = folder / "out"
        if out.exists() and not self.is_failing(out.read_bytes()):
            return "its output is wrong"
        if status == 1 and (not out.exists() or len(out.read_bytes()) != self.least):
            return "it ends as if all were well, with another result"
        stored = {finding["hex"] for finding in found.values()}
        announced = [event["hex"] for event in events_of(folder) if event["event"] == "best"]
        # The larger ones went as the last was stored.
        return None if status != 1 or set(announced[-1:]) <= stored else "a finding is not stored"

    def test_of_bytes(self):
        """One of which is 7."""
        self.identity, self.least, self.is_failing = "exit:1", 1, lambda data: 7 in data
        self.reduce("0102030405060708090a0b0c", "--jobs", "2", *frng.modes("byte", 7))
        self.let_calls_fail()

    def test_of_draws(self):
        """Four, which add up to at least so much."""
        self.identity, self.least = "signal:SIGABRT", 4
        self.is_failing = lambda data: len(data) in (4, 8)
        self.reduce("c7c7c7c7c7c7c7c7", "--jobs", "1", frng.SUTS / "sut-assert")
        self.let_assertions_fail(self.let_calls_fail(), "reduce")


class FileReduction(Faults):
    """Of a file, for a predicate, with a reducer."""

    good = (0,)
    text = "one\ntwo\nneedle\nthree\n"

    def prepare(self, folder):
        (folder / "hay").write_text(self.text)

    def check(self, folder, status, stdout, stderr):
        if (folder / "hay").read_text() != self.text:
            return "the file has changed"
        strange = {path.name for path in folder.iterdir()} - {"tmp", "hay", "hay.reduced", "hay.reduced.state", "events"}
        if strange:
            return f"it leaves {strange}"
        out = folder / "hay.reduced"
        if out.exists() and "needle" not in out.read_text():
            return "its output is wrong"
        if status == 0 and (not out.exists() or out.read_text().strip() != "needle"):
            return "it ends as if all were well, with another result"
        return None

    def test_for_a_predicate(self):
        interesting = self.script("interesting", 'while read -r line; do case $line in *needle*) '
                                  'exit 0 ;; esac; done <"$1"\nexit 1\n')
        self.command = [TOOLS["reduce"], "--predicate", interesting, "hay", "--jobs", "1",
                        "--timeout", "60s", "--json", "events"]
        self.let_calls_fail()
