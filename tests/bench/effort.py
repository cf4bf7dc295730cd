#!/usr/bin/env python3
"""Print what default searches cost and find, with two builds of frng in turns.

    effort.py --before BUILD --after BUILD [--rounds N] [--seeds N] [--row TEXT]...

Both folders are builds by Meson (`ninja -C BUILD driver/frng-search`); each runs programs compiled
with its own headers, and ports of its own sources. Rows: a quiet search of the README's queue,
repaired; rare failures and failures of large inputs (found, of so many seeds, and median CPU time);
a test of 1.4 ms a run; the memory of large inputs; the share of CPU time that is the test's; the rate
under ASan and UBSan over that of a bare loop; a search that ignores a third of its runs; rates over
those of the post's driver, of bare forks and of a bare loop; the whole search and reduction of the
queue in each language, and of the challenges. Where a fork bounds a row, a bare loop that forks stands
below. --row picks those whose name has that text. All times are CPU seconds, medians.
SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from challenges.challenges import CHALLENGES
from measure import in_turn, run_tool, table

HERE = Path(__file__).resolve().parent / "effort"
SOURCE = HERE / "effort.c"
SHARES = (("0.1 us", 0.1), ("1 us", 1), ("16 us", 16), ("1.6 ms", 1600))
SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def headers(build):
    """The folder of the headers of a build."""
    environment = {**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")}
    flags = subprocess.run(["pkg-config", "--cflags-only-I", "frng"], env=environment, check=True,
                           capture_output=True, text=True).stdout.split()
    return Path(flags[0][2:])


def compiled(folder, build, test, *more, over=None, libraries=()):
    """A program of a test of effort.c, over frng's own frng_main.h or that of a folder here."""
    words = [*more, *libraries, over or "frng", str(build)]
    path = Path(folder, f"{test}-{abs(hash(tuple(map(str, words)))):x}")
    if not path.exists():
        here = [f"-I{HERE / over}"] if over else []
        subprocess.run(["cc", "-std=gnu11", "-O2", f"-DTEST={test}", *more, *here,
                        f"-I{headers(build)}", "-o", path, SOURCE, *libraries], check=True)
    return path


def searched(build, program, seed, *options):
    return run_tool(build, "driver/frng-search", program, "--jobs", 1, "--rng-seed", seed, *options)


def bare_seconds(program, sizes):
    with subprocess.Popen([program, *sizes]) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, program
    return usage.ru_utime + usage.ru_stime


def turns_flag(folder, build, us):
    """How often a run of `spin` turns that takes so many microseconds on this machine."""
    def seconds(turns, runs):
        program = compiled(folder, build, "spin", f"-DTURNS={turns}", over="bare")
        return bare_seconds(program, [f"16:{runs}"]) / runs
    least, turn = seconds(1, 1_000_000), seconds(100_000, 5000) / 100_000
    return f"-DTURNS={max(1, round((us / 1e6 - least) / turn))}"


def at_sizes(attempts, largest, rows=""):
    """The runs of a search with --attempts, as the bare loop takes them, all in one process or in
    forks of rows (":4": each has a fourth of the runs before it)."""
    powers = [2**k for k in range(largest.bit_length())]
    return [f"{size}:{attempts if size >= 16 else 1}{rows}" for size in powers]


# ---- Rows: each yields (name, measure, middle); measure(build, round) is a figure ----


def cpu_rows(folder, options):
    def seconds(test, *flags):
        return lambda build, k: searched(build, compiled(folder, build, test, *flags), k).cpu
    yield "quiet, the queue repaired: s", seconds("repaired"), None
    yield "quiet, 1.4 ms a run: s", lambda build, k: seconds(
        "spin", turns_flag(folder, build, 1400))(build, k), None
    yield "inputs of 64 MiB: MiB at most", lambda build, k: searched(
        build, compiled(folder, build, "no_third"), k, "--size-max", "64M", "--attempts", 1).peak / 1024, None


def rare_rows(folder, options):
    for test in ("commit", "editing", "fletcher", "feb29", "beyond_100k", "beyond_1m"):
        def found(build, k, test=test):
            run = searched(build, compiled(folder, build, test), k)
            return run.done["outcome"] == "fail", run.cpu
        yield f"{test}: found, s", found, lambda each: (
            f"{sum(was for was, _ in each)}/{len(each)}, {statistics.median(s for _, s in each):.2f}")


def share_rows(folder, options):
    """Searches of a second of the test, and of 100 runs a size: a short one measures its start."""
    def share(test, flags, attempts, largest, build, k):
        run = searched(build, compiled(folder, build, test, *flags), k, "--attempts", attempts,
                       "--size-max", largest)
        bare = compiled(folder, build, test, *flags, over="bare")
        return bare_seconds(bare, at_sizes(attempts, largest)) / run.cpu
    for label, us in SHARES:
        yield f"share of the test, {label}", lambda build, k, us=us: share(
            "spin", [turns_flag(folder, build, us)], round(333_333 / us), 64, build, k), None
    for attempts in (20_000, 2000, 100):
        largest = 4096 if attempts < 20_000 else 256
        yield f"ASan+UBSan over a bare loop, {attempts} attempts", lambda build, k, n=attempts, most=largest: (
            share("repaired", SANITIZE, n, most, build, k)), None

        def of_forks(build, k, n=attempts, most=largest):
            bare = compiled(folder, build, "repaired", *SANITIZE, over="bare")
            return (bare_seconds(bare, at_sizes(n, most)) /
                    bare_seconds(bare, at_sizes(n, most, rows=":4")))
        yield f"the same of a bare loop with a fork for each row, {attempts} attempts", of_forks, None


def mode_rows(folder, options):
    """Runs a CPU second in each mode, over those of the post's driver; a fork over a bare one."""
    post = Path(folder, "post")
    subprocess.run(["cc", "-O2", "-o", post, HERE / "post.c"], check=True)
    for mode, attempts in (("spawn", 200), ("fork", 2000), ("persistent", 2_000_000)):
        def over(build, k, bare, mode=mode, attempts=attempts):
            program = compiled(folder, build, "no_third")
            run = searched(build, program, k, "--mode", mode, "--attempts", attempts, "--size-max", 64)
            runs = 500
            return bare_seconds(post, [str(runs), program][:bare]) / runs * run.done["runs"] / run.cpu
        yield f"{mode}: rate over the post's", lambda build, k, over=over: over(build, k, 2), None
        if mode == "fork":
            yield "fork: rate over bare forks", lambda build, k, over=over: over(build, k, 1), None


def ignored_rows(folder, options):
    """Runs a CPU second where a third of them fails and is ignored, over those where none does, in
    searches of half a second: a short one measures how the programs start."""
    def long_rate(build, k, test):
        for attempts in (2000, 20_000, 200_000, 2_000_000):
            run = searched(build, compiled(folder, build, test), k, "--attempts", attempts, "--size-max", 64,
                           "--ignore", "signal:SIGABRT")
            if run.cpu >= 0.5:
                break
        return run.done["runs"] / run.cpu
    yield ("a third is ignored: rate over that without",
           lambda build, k: long_rate(build, k, "third") / long_rate(build, k, "no_third"), None)
    newest = options.after.resolve()  # old headers cannot leave a run
    for how, rows in (("", ""), (" with a fork for each 8,192 runs", ":4:8192")):
        yield f"a third is ignored: a bare loop's{how}", lambda build, k, rows=rows: (
            bare_seconds(compiled(folder, newest, "no_third", over="bare"), at_sizes(2_000_000, 64)) /
            bare_seconds(compiled(folder, newest, "third", over="bare"),
                         at_sizes(2_000_000, 64, rows))), None


def challenge_rows(folder, options):
    """Searches and reductions of all challenges, each build's over its own headers."""
    names = sorted(CHALLENGES)
    def seconds(build, k):
        program = Path(folder, f"challenges-{abs(hash(build)):x}")
        if not program.exists():
            subprocess.run(["cc", "-std=gnu11", "-O2", f"-I{headers(build)}", f"-I{HERE.parent}", "-o", program,
                            *(HERE.parent / "challenges").glob("*.c")], check=True)
        return sum(searched(build, program, k, "--reduce", "--", name).cpu for name in names)
    yield f"--reduce of {len(names)} challenges together: s", seconds, None


def language_rows(folder, options):
    """The whole of a search and its reduction, of which the search is a small part. The first python3
    on the path may be a shim in shell, which takes as long as five starts."""
    os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).resolve().parent), os.environ["PATH"]))
    for name, file in (("C", None), ("Python", "python/byte_queue.py"), ("Node", "javascript/queue.mjs"),
                       ("Go", "go/queue")):
        def seconds(build, k, name=name, file=file):
            if name == "C":
                program = compiled(folder, build, "broken")
            elif name == "Go":
                program = Path(folder, f"go-{abs(hash(build)):x}")
                if not program.exists():
                    subprocess.run(["go", "build", "-o", program, "./queue"], check=True,
                                   cwd=headers(build) / "go")
            else:
                program = headers(build) / file
            return searched(build, program, k, "--reduce").cpu
        yield f"queue --reduce in {name}: s", seconds, None
    for name, words in (("Python", ("python3", "-c", "")), ("Node", ("node", "-e", ""))):
        yield f"a bare start of {name}: s", lambda build, k, words=words: bare_seconds(
            words[0], words[1:]), None


def measured(measure, middle, builds, count):
    figures = in_turn({i: lambda k, b=b: measure(b, k) for i, b in enumerate(builds)}, count)
    return [middle(each) if middle else f"{statistics.median(each):.3g}" for each in figures.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--after", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=10, help="of failures that may be missed")
    parser.add_argument("--row", action="append", default=[], help="only rows with this text")
    options = parser.parse_args()
    builds = [options.before.resolve(), options.after.resolve()]
    rows = []
    with tempfile.TemporaryDirectory(prefix="frng-effort-") as folder:
        for make in (cpu_rows, rare_rows, share_rows, ignored_rows, mode_rows, language_rows,
                     challenge_rows):
            for name, measure, middle in make(folder, options):
                if options.row and not any(text in name for text in options.row):
                    continue
                count = options.seeds if make is rare_rows else options.rounds
                rows.append([name, *measured(measure, middle, builds, count)])
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    table(["what", "before", "after"], rows)


if __name__ == "__main__":
    main()
