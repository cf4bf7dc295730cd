#!/usr/bin/env python3
"""Break one place of the driver at a time, and see whether the quick tests notice.

    python3 tests/mutate.py [--count 40] [--rng-seed 1] [--jobs 2] [--units] [FILE...]

Draws COUNT mutants, by default of all folders of driver/, of each as many as its share of the lines;
or of the FILEs. Each is built in a scratch copy. Tests run until one fails: the unit programs that
link the layer, the file's own first, the programs of tests/self on SELF_RUNS random inputs, and the
transcripts and scenarios of the layer (LAYERS below; --units leaves these out). A mutant that does not
compile, or that changes nothing in the program, is drawn anew. Prints a line a mutant as it is
judged, then, even if SIGINT or SIGTERM ends it, what killed how many, and the rate as the last line.
Some twenty minutes for 40 on two processors.
SPDX-License-Identifier: MIT
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
# Of each folder of driver/: layers whose unit programs see it too, transcripts, and scenarios.
LAYERS = {
    "base": ("core run", "messages_search messages_start options search", "signals refused"),
    "core": ("search reduce store show", "sites seeds labels recognised all", "findings flaky"),
    "run": ("", "replay limits claims messages_start",
            "modes predicate hostile limits stragglers pipes flaky"),
    "search": ("", "options seeds labels search all jobs drawn styles", "flaky"),
    "reduce": ("", "reduce_texts reduce recognised explain sites", "reduce predicate"),
    "store": ("", "seeds replay", "findings sync status disks"),
    "show": ("", "options sites labels events explain trace drawn report messages_search",
             "json report screen status"),
    "tool": ("", "messages_search messages_replay messages_reduce options arguments replay_wrap seeds "
             "replay environment", "refused files_as_arguments findings sync status rebuilt json"),
}
UNITS = (SOURCE / "tests/unit/meson.build").read_text(encoding="utf-8")
SELF = (SOURCE / "tests/self/meson.build").read_text(encoding="utf-8")
SELF_RUNS = 150

# (name, pattern, replacements): each match on a line makes a mutant of each.
OPERATORS = [
    ("relation", r" (<=) ", ["<"]), ("relation", r" (<) ", ["<="]),
    ("relation", r" (>=) ", [">"]), ("relation", r" (>) ", [">="]),
    ("relation", r" (==) ", ["!="]), ("relation", r" (!=) ", ["=="]),
    ("logic", r" (&&) ", ["||"]), ("logic", r" (\|\|) ", ["&&"]),
    ("arithmetic", r" (\+) ", ["-"]), ("arithmetic", r" (-) ", ["+"]),
    ("arithmetic", r"[\w)\]] (\*) [\w(]", ["/"]), ("arithmetic", r"(\+=) ", ["-="]),
    ("step", r"(\+\+)", ["--"]), ("step", r"(--)[;)\]]", ["++"]),
    ("constant", r"(?<![\w.\"'])(\d{1,6})(?![\w.\"'])", ["+1", "-1"]),
    ("constant", r"\b(true)\b", ["false"]), ("constant", r"\b(false)\b", ["true"]),
    ("negation", r"\b(?:if|while) \((.+)\) (?:\{|return|break|continue|\w+)", ["!"]),
    ("removal", r"^ +((?!return|break|case|goto|else|const|static)[a-z_][\w.>\[\]-]*"
                r"(?:\(.*\)| [-+|&]?= [^{]*|\+\+|--);)$", [";"]),
    ("swap", r"\w\((\w+, \w+)\)", ["swap"]),
]


def mutants_of(path):
    """(line number, operator, line, mutated line) for each mutant of a file."""
    found, in_comment = [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
        code = re.sub(r"/\*.*?\*/", lambda m: " " * len(m[0]), line)
        opens = "/*" in code
        skipped = in_comment or not line.startswith(" ") or re.match(
            r"\s*(?:/?\*|assert\(|_Static_assert|ck_|case |static const|const struct)", line)
        in_comment = (in_comment or opens) and "*/" not in line
        if skipped or opens:
            continue
        bare = re.sub(r"\"(?:\\.|[^\"\\])*\"", lambda m: '"' * len(m[0]), code)
        for name, pattern, replacements in OPERATORS:
            for match in re.finditer(pattern, bare):
                start, end = match.span(1)
                for replacement in replacements:
                    old = line[start:end]
                    if replacement in ("+1", "-1"):
                        new = str(abs(int(old) + int(replacement)))
                    elif replacement == "!":
                        new = f"!({old})"
                    elif replacement == "swap":
                        first, second = old.split(", ")
                        new = f"{second}, {first}"
                        if first == second:
                            continue
                    else:
                        new = replacement
                    found.append((number, name, line, line[:start] + new + line[end:]))
    return found


def programs_of(path, text, pattern):
    """Names of the programs in a meson.build that link the file's layer, or one above that sees it."""
    layer = path.parts[1] if path.parts[0] == "driver" else "frng"
    seen = {layer, *LAYERS[layer][0].split()} if layer in LAYERS else set()
    names = []
    for name, libraries in re.findall(pattern, text, re.MULTILINE):
        linked = set(re.findall(r"driver_deps\['(\w+)'\]", libraries))
        linked |= {"tool"} if "tool_dep" in libraries else set()
        if linked & seen or (layer == "frng" and (name == "frng" or not linked)):
            names.append(name)
    return sorted(names, key=lambda name: (name not in path.stem and path.stem not in name, name))


def commands_of(path, folder):
    """What runs beyond the units: (name, command) of the transcripts and scenarios of the layer."""
    _, transcripts, scenarios = LAYERS.get(path.parts[1], ("", "", ""))
    for name in transcripts.split():
        file = (folder / f"tests/transcripts/{name}.t").resolve(strict=True)
        yield file.name, [folder / "tests/transcripts/run.py", file]
    for name in scenarios.split():
        file = (folder / f"tests/cli/test_{name}.py").resolve(strict=True)
        yield file.name, [file, "-f"]


class Copy:
    """A copy of the sources with a build of it."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "b"
        self.running, self.over = None, False
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=SOURCE, text=True)
        for name in tracked.split("\0")[:-1]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, folder / name)
        subprocess.run(["meson", "setup", self.build, folder, "-Dbuildtype=plain", "-Dc_args=-O0"],
                       check=True, stdout=subprocess.DEVNULL)

        listed = subprocess.check_output(["ninja", "-C", self.build, "-t", "targets", "all"],
                                         text=True)
        self.tools = re.findall(r"^((?:driver/frng-\w+|driver/events.schema.json|examples/[\w-]+|"
                                r"tests/(?:sut/(?:sut-[\w-]+|lib\S+[.]so)|faults/frng-\w+-faulty|"
                                r"bench/(?:rare|plain)|bench/challenges/challenges)|"
                                r"driver/completions/\S+)): (?!phony)", listed, re.MULTILINE)

    def ninja(self, targets):
        return subprocess.run(["ninja", "-C", self.build, "-j1", *targets], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def passes(self, command, seconds, stdin=subprocess.DEVNULL, **variables):
        """True if the command exits with 0 in time; all that it started is killed otherwise."""
        # The limit is for Check's processes, which have groups of their own: none loops for ever.
        self.running = subprocess.Popen(
            command, cwd=self.build, env={**os.environ, **variables}, stdin=stdin,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)))
        try:
            return self.running.wait(0 if self.over else seconds) == 0
        except subprocess.TimeoutExpired:
            self.stop()
            return False

    def stop(self):
        if self.running and self.running.returncode is None:
            os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()

    def passes_self(self, name):
        """True if the program passes random inputs, always the same."""
        draws = random.Random(1)
        for _ in range(SELF_RUNS):
            with tempfile.TemporaryFile() as file:
                file.write(draws.randbytes(draws.choice((200, 400, 1000))))
                file.seek(0)
                if not self.passes([f"tests/self/self_{name}"], 20, stdin=file):
                    return False
        return True

    def program(self, test):
        return (self.build / f"tests/unit/test_{test}").read_bytes()

    def judge(self, path, mutant, only_units):
        """What killed the mutant, "" if it survived, or None if it is none."""
        number, _, _, text = mutant
        file = self.folder / path
        original = file.read_text(encoding="utf-8")
        units = programs_of(path, UNITS, r"^  '(\w+)': \[(.*?)\],$")
        lines = original.split("\n")
        lines[number] = text
        first = [f"tests/unit/test_{units[0]}"]
        if not self.ninja(first):
            raise RuntimeError(f"test_{units[0]} does not build unchanged")
        before = self.program(units[0])
        mutated = "\n".join(lines)
        file.write_text(mutated, encoding="utf-8")
        try:
            if not self.ninja(first):
                return None
            if self.program(units[0]) == before and (only_units or not self.differs(file, original, mutated)):
                return None
            for test in units:
                if not self.ninja([f"tests/unit/test_{test}"]):
                    return None
                if not self.passes([f"tests/unit/test_{test}"], 90):
                    return f"test_{test}"
            for name in programs_of(path, SELF, r"^  '(\w+)': \[\[(.*?\])\]"):
                if self.ninja([f"tests/self/self_{name}"]) and not self.passes_self(name):
                    return f"self_{name}"
            if not only_units and self.ninja(self.tools):
                for name, command in commands_of(path, self.folder):
                    if not self.passes(["python3", *map(str, command)], 300, FRNG_LONG="0",
                                       FRNG_BUILD=str(self.build), FRNG_SOURCE=str(self.folder)):
                        return name
            return ""
        finally:
            file.write_text(original, encoding="utf-8")

    def differs(self, file, original, mutated):
        """Whether the change reaches a tool, where the first unit program does not link the file."""
        digests = []
        for text in (original, mutated):
            file.write_text(text, encoding="utf-8")
            if not self.ninja(self.tools):
                return False
            digests.append([(self.build / f"driver/frng-{tool}").read_bytes() for tool in
                            ("search", "replay", "reduce", "report", "status")])
        return digests[0] != digests[1]


def draw(files, count, draws):
    """Mutants without end: of each folder as many as its share of the lines."""
    lines, pools = collections.Counter(), collections.defaultdict(list)
    for path in files:
        lines[path.parent] += len((SOURCE / path).read_text(encoding="utf-8").splitlines())
        pools[path.parent] += [(path, mutant) for mutant in mutants_of(SOURCE / path)]
    for pool in pools.values():
        draws.shuffle(pool)
    print(f"{sum(map(len, pools.values()))} mutants in {len(files)} files; {count} are drawn", flush=True)
    while any(pools.values()):
        folders = [folder for folder in lines if pools[folder]]
        yield pools[draws.choices(folders, [lines[folder] for folder in folders])[0]].pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--rng-seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--units", action="store_true", help="no transcripts and no scenarios")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    files = [pathlib.Path(name).resolve().relative_to(SOURCE) for name in options.files] or sorted(
        path.relative_to(SOURCE) for layer in LAYERS
        for path in (SOURCE / "driver" / layer).glob("*.[ch]"))
    mutants = draw(files, options.count, random.Random(options.rng_seed))
    verdicts = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def judge(drawn):
        (path, (number, name, old, text)), copy = drawn, idle.pop()
        killer = copy.judge(*drawn, options.units)
        if killer is not None and not copy.over:
            verdicts.append(killer)
            print(f"{path}:{number + 1}: {name}: {f'killed by {killer}' if killer else 'SURVIVED'}: "
                  f"{old.strip()}  ->  {text.strip()}", flush=True)
        idle.append(copy)

    with tempfile.TemporaryDirectory(prefix="frng-mutate-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        copies = [Copy(pathlib.Path(folder, str(i))) for i in range(options.jobs)]
        idle = list(copies)
        try:
            while batch := list(itertools.islice(mutants, options.count - len(verdicts))):
                list(pool.map(judge, batch))
        except KeyboardInterrupt:
            for copy in copies:
                copy.over = True
                copy.stop()
    killers = collections.Counter(filter(None, verdicts))
    print(", ".join(f"{count} by {killer}" for killer, count in killers.most_common()))
    print(f"{killers.total()} of {len(verdicts)} killed "
          f"({100 * killers.total() / max(1, len(verdicts)):.0f}%)")


if __name__ == "__main__":
    main()
