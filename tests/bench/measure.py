"""Run the tools of a build, in turns, and print tables. SPDX-License-Identifier: MIT"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Run:
    """What a tool wrote, its wall and CPU seconds, and the peak of its memory in KiB."""

    events: list
    seconds: float
    cpu: float
    peak: int

    @property
    def done(self):
        return self.events[-1]

    @property
    def runs(self):
        return int(self.done["runs"]) + int(self.done["reruns"])


def run_tool(build, tool, *arguments, **more):
    """Run a tool of a build in a folder of its own; anything but a pass or a failure ends us."""
    words = [str(word) for word in arguments]
    at = words.index("--") if "--" in words else len(words)
    with tempfile.TemporaryDirectory(prefix="frng-bench-") as folder:
        command = [str(build / tool), *words[:at], "--quiet", "--json",
                   f"{folder}/events", *words[at:]]
        start = time.monotonic()
        with subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **more) as process:
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if process.returncode not in (0, 1):
            sys.exit(f"exit status {process.returncode} of: {shlex.join(command)}\n"
                     f"{said.decode(errors='replace')[-2000:]}")
        with open(f"{folder}/events", encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
    return Run(events, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def search(build, program, *options, **more):
    return run_tool(build, "driver/frng-search", build / program, "--jobs", 1, *options, **more)


def in_turn(measures, rounds):
    """{name: figures} of functions of a round's number; each round begins with another one."""
    figures, names = {name: [] for name in measures}, list(measures)
    for k in range(rounds):
        for name in names[k % len(names):] + names[:k % len(names)]:
            figures[name].append(measures[name](k + 1))
    return figures


def ratios(figures, over, base):
    """Those within each round: what slows a round down slows both."""
    return [a / b if b else float("nan") for a, b in zip(figures[over], figures[base])]


def table(header, rows):
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|", flush=True)
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
