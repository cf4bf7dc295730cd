#!/usr/bin/env python3
"""Find the bugs of small hard tests with frng, guided or not, and with fuzzers beside it.

    guided.py --build DIR [--suite known|new|goals|rates] [--tool NAME]... [--only TEST]... [--count 10]
              [--cpu 5] [--compiler gcc] [--set CONSTANT=VALUE]... [--rates | --bugs]

Each test of known.c or new.c is built alone and searched by each tool with seeds 1..COUNT, one job,
until its first failure or for 5 seconds of CPU: those of all processes of the tool, by getrusage. A
test that a tool misses twice in a row it does not try further. A cell has found/tried, and median
runs and CPU seconds of those that found it, or the runs of a search that did not. The tools:

    frng       frng-search, plain build             guided     ... built with the flags of pkg-config
    fresh      ... with --guide off: no goals       off        the guided build with --guide off
    clang      guided, by clang
    libfuzzer  clang -fsanitize=fuzzer              values     ... with -use_value_profile=1
    afl        AFL++, persistent, with cmplog, from a seed of 64 random bytes

--set adds a column `guided` of a build with another value of a constant of guide.c or replacements.c.

--rates compares builds that cannot fail, in turns: microseconds of CPU a run of the guided build with
--guide off, and medians of the ratio of the rates, with guidance over off, and off over plain. --bugs
compares the CPU up to the first failure of examples/gallery, plain and guided, as far as the packages
are installed (gallery.sh): medians, and the quartiles of the ratio of each seed.
SPDX-License-Identifier: MIT
"""

import argparse
import atexit
import ctypes
import json
import os
import random
import re
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
sys.path.append(str(HERE.parent))
from measure import in_turn, ratios, table  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36


# ---- A process and all its descendants: CPU seconds, and an end ----


def tree(root):
    """{process: CPU seconds of it and of its children that have ended} below and with `root`."""
    cpu, children = {}, {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            fields = Path("/proc", name, "stat").read_text(encoding="latin-1").rpartition(")")[2].split()
            own = Path("/proc", name, "schedstat").read_text().split()[0]  # nanoseconds
        except OSError:
            continue
        cpu[int(name)] = int(own) / 1e9 + sum(map(int, fields[13:15])) / TICK
        children.setdefault(int(fields[1]), []).append(int(name))
    found, waiting = {}, [root]
    while waiting:
        process = waiting.pop()
        if process in cpu:
            found[process] = cpu[process]
            waiting += children.get(process, [])
    return found


def end_all():
    """Kill what is left of a command, and wait for all; return the CPU seconds since it began."""
    seconds = 0.0
    while True:
        for process in tree(os.getpid()).keys() - {os.getpid()}:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            _, _, usage = os.wait4(-1, 0)  # we are a subreaper: orphans are ours
        except ChildProcessError:
            return seconds
        seconds += usage.ru_utime + usage.ru_stime


def watch(command, folder, cap, is_over):
    """Run until it ends, is_over(its output), or the cap of CPU seconds; return them."""
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=lambda: os.nice(15))  # we see at once what they do
    def is_gone():
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    spent, rounds = 0.0, 0
    while spent < cap and not is_gone():
        if is_over():  # nothing else begins, and all that has ended is counted
            process.send_signal(signal.SIGSTOP)
            break
        if rounds % 100 == 0:
            spent = sum(tree(process.pid).values())
        time.sleep(0.001)
        rounds += 1
    else:
        if not is_gone():
            os.kill(process.pid, signal.SIGTERM)
        for _ in range(300):
            if is_gone():
                break
            time.sleep(0.01)
    seconds = max(spent, end_all())
    process.returncode = 0  # it was waited for
    return seconds


# ---- Tools: build(source, name, folder), then run(seed, folder) -> (found, runs, seconds) ----


class Frng:
    """frng-search: a search is over at its first failure."""

    def __init__(self, options, compiler, guided=False, more=(), search=None):
        self.options, self.compiler, self.guided, self.more = options, compiler, guided, more
        variable = "guided_clang" if "clang" in compiler else "guided"
        self.flags = pkg_config(options.build, variable) if guided else []
        self.search = search or options.build / "driver/frng-search"

    def usable(self):
        return not self.guided or bool(self.flags)

    def build(self, source, flags, folder):
        compile_(folder, "target", [self.compiler, *self.flags, *flags, str(source)])

    def run(self, seed, folder):
        log = folder / "events"
        command = [self.search, folder / "target", "--jobs", "1", "--containment", "subreaper",
                   "--rng-seed", str(seed), "--keep-going", "--time", "1h", "--quiet", "--json",
                   log, *self.more]

        def is_over():
            return log.exists() and b'"event":"best"' in log.read_bytes()

        log.unlink(missing_ok=True)
        seconds = watch(command, folder, self.options.cpu, is_over)
        events = [json.loads(line) for line in log.read_bytes().splitlines() if line.endswith(b"}")]
        bests = [event for event in events if event["event"] == "best"]
        runs = [event["runs"] for event in bests[:1] or events
                if event["event"] in ("best", "size", "status", "done")]
        return bool(bests), max(runs, default=0), seconds


class LibFuzzer:
    def __init__(self, options, *more):
        self.options, self.more = options, more

    def usable(self):
        return have("clang")

    def build(self, source, flags, folder):
        compile_(folder, "target", ["clang", "-fsanitize=fuzzer", "-DFRNG_LIBFUZZER", *flags,
                                    str(source)])

    def run(self, seed, folder):
        seconds = watch(["./target", f"-seed={seed}", "-print_final_stats=1", *self.more], folder,
                        self.options.cpu, lambda: False)
        said = (folder / "log").read_text(encoding="utf-8", errors="replace")
        runs = re.search(r"number_of_executed_units: (\d+)", said)
        return "deadly signal" in said, int(runs[1]) if runs else 0, seconds


class Afl:
    ENVIRONMENT = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_QUIET": "1",
                   "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_BENCH_UNTIL_CRASH": "1"}

    def __init__(self, options):
        self.options = options
        os.environ.update(self.ENVIRONMENT)

    def usable(self):
        return have("afl-fuzz")

    def build(self, source, flags, folder):
        command = ["afl-clang-fast", "-fsanitize=fuzzer", "-DFRNG_LIBFUZZER", *flags, str(source)]
        compile_(folder, "target", command, AFL_LLVM_CMPLOG="1")  # 4.04c finds nothing with two
        (folder / "corpus").mkdir(exist_ok=True)
        (folder / "corpus/seed").write_bytes(random.Random(1).randbytes(64))

    def run(self, seed, folder):
        subprocess.run(["rm", "-rf", folder / "out"], check=True)
        seconds = watch(["afl-fuzz", "-s", str(seed), "-c", "0", "-i", "corpus", "-o", "out",
                         "--", "./target"], folder, self.options.cpu, lambda: False)
        if b"We need at least one valid input seed that does not crash" in (folder / "log").read_bytes():
            return True, 1, seconds
        state = folder / "out/default"
        stats = state / "fuzzer_stats"
        runs = re.search(r"execs_done\s*: (\d+)", stats.read_text() if stats.exists() else "")
        return any((state / "crashes").glob("id:*")), int(runs[1]) if runs else 0, seconds


def have(program):
    return subprocess.run(["which", program], stdout=subprocess.DEVNULL, check=False).returncode == 0


def pkg_config(build, *names):
    """The words of --cflags, or of a variable; none if it has no such one."""
    wanted = [f"--variable={name}" for name in names] or ["--cflags"]
    done = subprocess.run(["pkg-config", *wanted, "frng"], capture_output=True, text=True, check=False,
                          env={**os.environ, "PKG_CONFIG_PATH": str(build / "meson-uninstalled")})
    return shlex.split(done.stdout)


def compile_(folder, output, command, may_fail=False, **environment):
    done = subprocess.run([*command, "-o", folder / output], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    if done.returncode != 0 and not may_fail:
        sys.exit(f"{shlex.join(map(str, command))}\n{done.stderr}")
    return done.returncode == 0


def build_with(folder, constant):
    """Build frng-search with a constant that has another value; return its path."""
    name, value = constant.split("=")
    source = Path(folder, constant, "source")
    subprocess.run(["git", "clone", "-q", TOP, source], check=True)
    changed = 0
    for file in (source / "driver/search").glob("*.c"):
        text, times = re.subn(rf"\b{name} = \d+", f"{name} = {value}", file.read_text())
        file.write_text(text)
        changed += times
    if changed != 1:
        sys.exit(f"guided.py: {name} is no constant of the committed driver/search")
    subprocess.run(["meson", "setup", "../build"], cwd=source, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", "../build", "driver/frng-search"], cwd=source, check=True,
                   stdout=subprocess.DEVNULL)
    return source.parent / "build/driver/frng-search"


# ---- The table ----


def number(n):
    return f"{n / 1e6:.1f}M" if n >= 999500 else f"{n / 1e3:.0f}k" if n >= 9999.5 else f"{n:,.0f}"


def try_test(tool, count, folder):
    """Return a cell, and whether every seed found it."""
    found, tried, missed, most = [], 0, 0, 0
    for seed in range(1, count + 1):
        is_found, runs, seconds = tool.run(seed, folder)
        tried += 1
        missed = 0 if is_found else missed + 1
        if is_found:
            found.append((runs, seconds))
        most = max(most, runs)
        if missed == 2:
            break
    if not found:
        return f"**0/{tried}** ({number(most)})", False
    runs, seconds = (statistics.median(figures) for figures in zip(*found))
    return f"{len(found)}/{tried} {number(runs)} {seconds:.2f}s", len(found) == count


def tests_of(suite):
    """The source of each test. The suite `goals` has those of others that have a GOAL, too."""
    found = {}
    for of in ("goals", "known", "new") if suite == "goals" else (suite,):
        source = HERE / f"{of}.c"
        for name, body in re.findall(r"^TEST\((\w+)\)(.*?)^}", source.read_text("utf-8"), re.M | re.S):
            if of == suite or "GOAL(" in body:
                found[name] = source
    return found


def flags_of(options, test):
    return [*options.flags, f"-DSELECTED={test}", *(["-DGOALS"] if options.suite == "goals" else [])]


def rows(options, tools):
    always = dict.fromkeys(tools, 0)
    sources = tests_of(options.suite)
    for test in options.only or sources:
        cells = []
        for name, tool in tools.items():
            with tempfile.TemporaryDirectory(prefix="frng-guided-") as folder:
                tool.build(sources[test], flags_of(options, test), Path(folder))
                cell, is_always = try_test(tool, options.count, Path(folder))
            cells.append(cell)
            always[name] += is_always
        yield [test, *cells]
    yield ["always found", *always.values()]


# ---- What guidance costs ----


def rate_rows(options):
    """Runs of a CPU second where nothing can be found."""
    kinds = {"plain": Frng(options, options.compiler), "on": Frng(options, options.compiler, True),
             "off": Frng(options, options.compiler, True, ("--guide", "off"))}
    sources = tests_of(options.suite)
    for test in options.only or sources:
        with tempfile.TemporaryDirectory(prefix="frng-guided-") as folder:
            measures = {}
            for name, tool in kinds.items():
                place = Path(folder, name)
                place.mkdir()
                tool.build(sources[test], [*flags_of(options, test), "-DWITHOUT_FAILURES"], place)

                def measure(seed, tool=tool, place=place):
                    _, runs, seconds = tool.run(seed, place)
                    return runs / seconds
                measures[name] = measure
            rates = in_turn(measures, options.count)
        yield [test, f"{1e6 / statistics.median(rates['off']):.2f}",
               *(f"{statistics.median(ratios(rates, *names)):.2f}"
                 for names in (("on", "off"), ("off", "plain")))]


def gallery_rows(options):
    """CPU up to the first failure, and its runs and bytes, of a plain and a guided build."""
    totals = []
    for source in sorted([*(TOP / "examples/gallery").glob("*.c"), *(TOP / "examples/gallery").glob("*.cc")]):
        about = dict(re.findall(r"^ \* (\w+): (.*)", source.read_text(encoding="utf-8"), re.M))
        if options.only and source.stem not in options.only:
            continue
        compiler = options.compiler if source.suffix == ".c" else {"gcc": "g++"}.get(
            options.compiler, options.compiler + "++")
        libraries = subprocess.run(["sh", "-c", f"printf '%s ' {about.get('Link', '')}"], text=True,
                                   capture_output=True, check=True).stdout.split()
        flags = [f"-std={'gnu11' if source.suffix == '.c' else 'c++17'}", *options.flags[1:]]
        with tempfile.TemporaryDirectory(prefix="frng-guided-") as folder:
            measures = {}
            for name in "plain", "guided":
                tool, place = Frng(options, compiler, name == "guided"), Path(folder, name)
                place.mkdir()
                command = [compiler, *tool.flags, *flags, str(source), *libraries]
                if not compile_(place, "target", command, may_fail=True):
                    break
                measures[name] = lambda seed, tool=tool, place=place: tool.run(seed, place)
            if len(measures) < 2:
                yield [source.stem, "not built", "", ""]
                continue
            figures = in_turn(measures, options.count)
        seconds = {name: [run[2] for run in runs] for name, runs in figures.items()}
        each = sorted(ratios(seconds, "guided", "plain"))
        totals.append(statistics.median(each))
        yield [source.stem, *(f"{sum(run[0] for run in runs)}/{len(runs)} "
                              f"{number(statistics.median(run[1] for run in runs))} "
                              f"{statistics.median(run[2] for run in runs):.2f}s"
                              for runs in figures.values()),
               f"{totals[-1]:.2f} ({each[len(each) // 4]:.2f}..{each[3 * len(each) // 4]:.2f})"]
    if totals:
        yield ["median", "", "", f"{statistics.median(totals):.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="Meson's build folder")
    parser.add_argument("--suite", choices=["known", "new", "goals", "rates"], default="known")
    parser.add_argument("--tool", action="append", help="only this one")
    parser.add_argument("--only", action="append", metavar="TEST", help="only this one")
    parser.add_argument("--count", type=int, default=10, help="seeds of each test")
    parser.add_argument("--cpu", type=float, default=5, help="seconds of each search")
    parser.add_argument("--compiler", default="gcc", help="that of frng's targets")
    parser.add_argument("--set", action="append", default=[], metavar="CONSTANT=VALUE")
    parser.add_argument("--rates", action="store_true", help="compare rates instead")
    parser.add_argument("--bugs", action="store_true", help="compare the CPU to bugs of the gallery")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.flags = ["-std=gnu11", "-O1", "-g", f"-I{HERE.parent}", *pkg_config(options.build)]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    atexit.register(end_all)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # searches end with it
    tools = {"frng": Frng(options, options.compiler),
             "fresh": Frng(options, options.compiler, False, ("--guide", "off")), "guided": Frng(options, options.compiler, True),
             "off": Frng(options, options.compiler, True, ("--guide", "off")),
             "clang": Frng(options, "clang", True), "libfuzzer": LibFuzzer(options),
             "values": LibFuzzer(options, "-use_value_profile=1"), "afl": Afl(options)}
    tools = {name: tool for name, tool in tools.items()
             if (name in options.tool if options.tool else name not in ("off", "fresh")) and tool.usable()}
    if (options.rates or options.bugs) and not pkg_config(options.build, "guided"):
        sys.exit("guided.py: pkg-config has no variable `guided` in this build")
    changed = tempfile.TemporaryDirectory(prefix="frng-guided-")
    tools |= {constant: Frng(options, options.compiler, True, (), build_with(changed.name, constant))
              for constant in options.set}
    if options.rates:
        table(["", "us, off", "on/off", "off/plain"], rate_rows(options))
    elif options.bugs:
        table(["", "plain", "guided", "guided/plain"], gallery_rows(options))
    else:
        table(["", *tools], rows(options, tools))


if __name__ == "__main__":
    main()
