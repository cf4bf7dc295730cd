#!/usr/bin/env python3
"""Measure frng-reduce --predicate on files, beside C-Reduce, C-Vise and delta.

    files.py --build DIR [--case NAME]... [--tool NAME]... [--jobs 2] [--repeat 1] [--timeout 120]
             [--calls N] [--without PASS]...
    files.py --build DIR --scaling [--case NAME]... [--repeat 1] [--timeout 120]

The cases are those of cases.py. Each tool reduces a copy of its own, in a fresh folder. `@100`,
`@300` and `@1000` are the smallest interesting sizes that the first 100, 300 and 1,000 runs of the
predicate have shown (a program before it counts them), `bytes` the size that the tool reached at
the end, `known` the smallest possible where that is known, `calls` all runs, `seconds` the wall
time of the whole tool; these are medians. `ok`: the predicate, run once more on what the tool left, says interesting.
`ends` is how the tool ended: `done`, `timeout` (what it had by then is shown), `exit N`, or `-`
where it is not installed. Tools take turns within each repetition.

frng+helpers adds the helpers of C-Reduce as reducers. delta works on lines, by singledelta;
multidelta goes through topformflat at levels 0, 1, 2 and 10; both have no jobs, and neither do
well on bytes. --scaling shows frng alone with 1, 2, 4 and 8 jobs, and times as ratios of those
with one job. --without leaves a pass of frng out (ABLATION.md). SPDX-License-Identifier: MIT
"""

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cases import RECIPES, compile_c, make_case, quoted

HELPER_FOLDERS = [
    "/usr/libexec", "/usr/libexec/creduce", "/usr/lib/creduce", "/usr/lib/cvise",
    "/usr/libexec/cvise", "/usr/local/libexec", "/usr/local/libexec/cvise",
]
HELPERS = ["clex", "topformflat", "clang_delta"]
DELTA_LEVELS = (0, 1, 2, 10)
GRACE_S = 3  # from SIGTERM to SIGKILL
CHECK_TIMEOUT_S = 60
CALLS = (100, 300, 1000)
SCALING_CASES = ["sleepy", "computing", "subsequence"]
SCALING_JOBS = (1, 2, 4, 8)
SCALING_BASE = 1


# ---- Tools: the command that reduces job.file, None where it is missing ----


@dataclass
class Job:
    case: object
    file: Path  # the copy that is reduced
    predicate: Path  # the one that counts
    output: Path  # where the result is: often the file itself
    jobs: int
    build: Path
    calls: int  # the most, of frng; 0: any number


def find_program(*names):
    path = os.pathsep.join([os.environ.get("PATH", os.defpath)] + HELPER_FOLDERS)
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


def frng(job):
    name = "tests/bench/frng-reduce-without" if "FRNG_WITHOUT" in os.environ else "driver/frng-reduce"
    program = job.build / name
    job.output = job.file.with_name(job.file.name + ".reduced")
    command = [str(program), "--predicate", str(job.predicate), str(job.file)]
    command += ["--output", str(job.output), "--jobs", str(job.jobs)]
    command += ["--calls", str(job.calls)] * (job.calls > 0)
    return command if program.exists() else None


def frng_helpers(job):
    command = frng(job)
    if command is None or not all(map(find_program, HELPERS)):
        return None
    return command + [word for helper in HELPERS for word in ("--reducer", helper)]


def of_creduce(name):
    def command(job):
        program = find_program(name)
        options = ["--tidy", "--n", str(job.jobs)] + ["--not-c"] * (job.case.kind != "c")
        return program and [program] + options + [str(job.predicate), job.file.name]

    return command


def delta(job):
    program = find_program("delta", "singledelta")
    return program and [program, f"-test={job.predicate}", "-in_place", "-quiet", job.file.name]


def multidelta(job):
    program = find_program("multidelta")
    step = 'for level; do "$0" -level="$level" "$PREDICATE" "$FILE"; done'
    command = ["env", f"PREDICATE={job.predicate}", f"FILE={job.file.name}", "sh", "-c", step]
    return program and command + [program] + [str(level) for level in DELTA_LEVELS]


@dataclass
class Tool:
    command: object  # of a Job, a list of words
    kinds: tuple = ("c", "text", "binary")
    good: tuple = (0,)  # exit statuses


TOOLS = {
    "frng": Tool(frng, good=(0,)),
    "frng+helpers": Tool(frng_helpers, ("c",), (0,)),
    "creduce": Tool(of_creduce("creduce")),
    "cvise": Tool(of_creduce("cvise")),
    "delta": Tool(delta),
    "multidelta": Tool(multidelta, ("c",)),
}


# ---- Running one, and ending all that it started ----


def session_members(leader):
    """Processes of a session; a tool may give its own ones process groups of their own."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                yield int(entry.name)


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def end_session(process):
    """Let the tool put away what it has, then end whatever is left."""
    if process.poll() is None:
        send(process.pid, signal.SIGTERM)
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            pass
    while members := list(session_members(process.pid)):
        for member in members:
            send(member, signal.SIGKILL)
        time.sleep(0.01)
    process.wait()


def run_limited(command, folder, timeout, good):
    """How it ended, and its wall seconds."""
    environment = {**os.environ, "TMPDIR": str(folder.parent)}
    with open(folder.parent / "output", "wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            status = process.wait(timeout)
            ends = "done" if status in good else f"exit {status}"
        except subprocess.TimeoutExpired:
            ends = "timeout"
        finally:
            seconds = time.perf_counter() - start
            end_session(process)
    return ends, seconds


def say_output(place):
    """The end of what a tool that failed has said."""
    tail = (place / "output").read_bytes()[-600:].decode(errors="replace").strip()
    for line in tail.splitlines()[-5:]:
        print(f"    | {line}", file=sys.stderr)


@dataclass
class Result:
    size: int
    calls: int
    seconds: float
    ok: bool
    ends: str
    after: dict  # the smallest size that was interesting, by the number of calls


def read_log(counter, size):
    """How many calls there were, and the smallest size after each of CALLS, from a log of counted.c.
    `size` is that of the file before the first."""
    calls, smallest, after = 0, size, {}
    for line in counter.read_text().split() if counter.exists() else []:
        if line != ".":
            smallest = min(smallest, int(line))
            continue
        if calls in CALLS:
            after[calls] = smallest
        calls += 1
    return calls, {n: after.get(n, smallest) for n in CALLS}


def interesting(case, data, place):
    folder = place / "check"
    folder.mkdir()
    (folder / case.file.name).write_bytes(data)
    done = subprocess.run(
        [str(case.predicate)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        check=False, timeout=CHECK_TIMEOUT_S
    )
    return done.returncode == 0


def left_by(job, ends):
    """What the tool has reached; delta's file is the last one tried while it works."""
    kept = job.file.with_name(job.file.name + ".ok")
    if ends == "timeout" and kept.exists():
        return kept.read_bytes()
    return (job.output if job.output.exists() else job.file).read_bytes()


def measure(case, tool, jobs, place, options):
    """A Result, or None where the tool is missing. Nothing stays in `place`."""
    folder = place / "work"
    folder.mkdir(parents=True)
    counter, predicate = place / "calls", place / "interesting"
    compile_c("counted.c", predicate,
              [f"COUNTER={quoted(counter)}", f"PREDICATE={quoted(case.predicate)}",
               f"NAME={quoted(case.file.name)}"])
    copy = Path(shutil.copy(case.file, folder))
    job = Job(case, copy, predicate, copy, jobs, options.build.resolve(), options.calls)
    command = TOOLS[tool].command(job)
    result = None
    if command:
        ends, seconds = run_limited(command, folder, options.timeout, TOOLS[tool].good)
        data = left_by(job, ends)
        calls, after = read_log(counter, case.file.stat().st_size)
        result = Result(len(data), calls, seconds, interesting(case, data, place), ends, after)
        if ends.startswith("exit") or options.verbose:
            say_output(place)
    shutil.rmtree(place)
    return result


# ---- Tables ----

WIDTHS = (18, 12, 6, 6, 6, 6, 5, 7, 8, 3, 8)
HEADER = ("case", "tool", "@100", "@300", "@1000", "bytes", "known", "calls", "seconds", "ok", "ends")
SCALING_WIDTHS = (20, 5, 7, 8, 9, 7, 4, 8)
SCALING_HEADER = ("case", "jobs", "bytes", "calls", "seconds", "ratio", "ok", "ends")


def print_line(cells, widths=WIDTHS):
    words = [cells[0].ljust(widths[0]), cells[1].ljust(widths[1])]
    words += [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:])]
    print("  ".join(words).rstrip(), flush=True)


def middle(results, field):
    return statistics.median(getattr(result, field) for result in results)


def verdicts(results):
    """The last two columns."""
    ends = sorted({result.ends for result in results})
    return ["yes" if all(result.ok for result in results) else "NO", ", ".join(ends)]


def print_row(case, tool, results):
    known = str(case.smallest or "-")
    if None in results:
        print_line([case.name, tool, "-", "-", "-", "-", known, "-", "-", "-", "-"])
        return
    cells = [case.name, tool]
    cells += [f"{statistics.median(result.after[n] for result in results):g}" for n in CALLS]
    cells += [f"{middle(results, 'size'):g}", known, f"{middle(results, 'calls'):g}"]
    cells += [f"{middle(results, 'seconds'):.2f}"]
    print_line(cells + verdicts(results))


def compare(case, place, options):
    tools = [name for name in options.tool or TOOLS if case.kind in TOOLS[name].kinds]
    results = {name: [] for name in tools}
    for _ in range(options.repeat):
        for name in tools:
            results[name].append(measure(case, name, options.jobs, place, options))
            if options.repeat == 1:
                print_row(case, name, results[name])
    if options.repeat > 1:
        for name in tools:
            print_row(case, name, results[name])


def print_scaling_row(case, jobs, results, base):
    if None in results:
        print_line([case.name, str(jobs)] + ["-"] * 6, SCALING_WIDTHS)
        return
    seconds = middle(results, "seconds")
    cells = [case.name, str(jobs), f"{middle(results, 'size'):g}", f"{middle(results, 'calls'):g}"]
    cells += [f"{seconds:.2f}", f"{seconds / middle(base, 'seconds'):.2f}"]
    print_line(cells + verdicts(results), SCALING_WIDTHS)


def scale(case, place, options):
    results = {jobs: [] for jobs in SCALING_JOBS}
    for _ in range(options.repeat):
        for jobs in SCALING_JOBS:
            results[jobs].append(measure(case, "frng", jobs, place, options))
    for jobs in SCALING_JOBS:
        print_scaling_row(case, jobs, results[jobs], results[SCALING_BASE])


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--case", action="append", choices=list(RECIPES), help="only this one")
    parser.add_argument("--tool", action="append", choices=list(TOOLS), help="only this one")
    parser.add_argument("--jobs", type=int, default=2, help="of each tool that has them")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each tool on each case")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each run")
    parser.add_argument("--calls", type=int, default=0, help="the most, of frng")
    parser.add_argument("--without", action="append", metavar="PASS", help="of frng, left out")
    parser.add_argument("--scaling", action="store_true", help="frng with 1, 2, 4 and 8 jobs")
    parser.add_argument("--verbose", action="store_true", help="the end of what each tool said")
    return parser.parse_args()


def main():
    options = parse()
    if options.repeat < 1 or options.jobs < 1:
        sys.exit("files: --repeat and --jobs are at least 1")
    if options.without:
        os.environ["FRNG_WITHOUT"] = ",".join(options.without)
    names = options.case or (SCALING_CASES if options.scaling else list(RECIPES))
    if options.scaling:
        print_line(SCALING_HEADER, SCALING_WIDTHS)
    else:
        print_line(HEADER)
    with tempfile.TemporaryDirectory(prefix="frng-files-") as folder:
        for name in names:
            case = make_case(name, Path(folder) / "cases")
            if not interesting(case, case.file.read_bytes(), case.file.parent):
                print(f"files: {name} is not interesting to begin with, skipped", file=sys.stderr)
                continue
            (scale if options.scaling else compare)(case, Path(folder) / "run", options)


if __name__ == "__main__":
    # SIGTERM as ^C: a tool does not outlive this.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
