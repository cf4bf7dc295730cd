#!/usr/bin/env python3
"""The layers of driver/ hold: no include goes upward, and each keeps to its own work.

Reads the sources and the objects of the build FRNG_BUILD, and compiles headers with its flags.
SPDX-License-Identifier: MIT
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import unittest
from collections import Counter
from pathlib import Path

BUILD = Path(os.environ["FRNG_BUILD"])
SOURCE = Path(os.environ["FRNG_SOURCE"])
DRIVER = SOURCE / "driver"

# What a layer may include, itself set aside: the folders that driver/meson.build lets it find.
BELOW = {
    "base": set(),
    "core": {"base"},
    "run": {"base", "core"},
    "search": {"base", "core", "run"},
    "reduce": {"base", "core", "run"},
    "store": {"base", "core"},
    "show": {"base", "core"},
    "tool": {"base", "core", "run", "search", "reduce", "store", "show"},
}

PROCESSES = "fork vfork clone clone3 wait waitpid waitid wait3 wait4 kill tgkill killpg raise " \
    "posix_spawn posix_spawnp system popen execve execv execvp execl"
ENVIRONMENT = "getenv secure_getenv environ __environ getopt getopt_long optarg optind"
EXITS = "exit _exit _Exit quick_exit"
PRINTS = "stdout stderr printf vprintf puts putchar perror dprintf"
CLOCKS = "clock_gettime gettimeofday time nanosleep clock"
FILES = "open openat open64 openat64 fopen fopen64 read write pread pwrite recv send poll socket " \
    "ioctl fsync rename renameat unlink unlinkat mkdir"
RANDOM = "rand random randombytes_buf getrandom arc4random"

# Calls to the system that can fail: those that pass the seam, and those that the tools do not make.
CALLS = (SOURCE / "tests" / "faults" / "calls.h").read_text(encoding="utf-8")
FALLIBLE = set(re.findall(r"^ *CALL\((\w+?)(?:64)?,", CALLS, re.MULTILINE)) | \
    set(CALLS.partition("UNUSED:")[2].partition("*/")[0].split())

# Who alone may use which functions: folders, or files.
ALONE = [
    # to die of a signal, to begin again, to ask gcov
    (PROCESSES, ["base/proc.c", "run/", "tool/tool.c"]),
    (ENVIRONMENT, ["tool/"]),
    # children of ours
    (EXITS, ["tool/", "base/messages.c", "base/proc.c", "run/containment.c", "run/worker.c"]),
    (PRINTS, ["show/", "base/messages.c", "tool/"]),
]
# Who does no I/O and reads no clock.
PURE = ["core/", "search/strategy",
        "reduce/testcase", "reduce/patch", "reduce/pa", "reduce/schedule"]


def driver_commands():
    """The compile commands of the driver's sources; tests compile some of them in their own way."""
    with open(BUILD / "compile_commands.json", encoding="utf-8") as file:
        commands = json.load(file)
    found = []
    for command in commands:
        path = (Path(command["directory"]) / command["file"]).resolve()
        is_ours = command["output"].startswith("driver/")
        if is_ours and path.is_relative_to(DRIVER.resolve()) and path.suffix == ".c":
            found.append((path, command))
    return found


def words_of(command):
    return command.get("arguments") or shlex.split(command["command"])


class Layers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.commands = driver_commands()

    def test_every_folder_is_a_layer_and_every_source_is_built(self):
        self.assertEqual({path.parent.name for path in DRIVER.glob("*/*.c")}, set(BELOW))
        built = {path for path, _ in self.commands}
        self.assertEqual({path.resolve() for path in DRIVER.glob("*/*.c")} - built, set())

    def test_every_list_names_sources(self):
        for start in [*PURE, *(owner for _, owners in ALONE for owner in owners)]:
            self.assertTrue(list(DRIVER.glob(f"{start}*")), start)

    def test_includes_go_downward_alone(self):
        owners = {path.name: path.parent.name for path in DRIVER.glob("*/*.h")}
        self.assertEqual(len(owners), len(list(DRIVER.glob("*/*.h"))), "a name twice")
        for path in DRIVER.glob("*/*.[ch]"):
            layer = path.parent.name
            names = re.findall(r'^#include "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
            below = {layer, *BELOW[layer]}
            upward = {name for name in names if owners.get(name, layer) not in below}
            self.assertEqual(upward, set(), path)

    def test_every_header_compiles_before_all_others(self):
        for header in sorted(DRIVER.glob("*/*.h")):
            command = next(c for path, c in self.commands if path.parent.name == header.parent.name)
            flags = [word for word in words_of(command) if word.startswith(("-I", "-std", "-D"))]
            result = subprocess.run(["cc", *flags, "-fsyntax-only", "-x", "c", header], check=False,
                                    cwd=command["directory"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)

    def symbols(self, *options):
        """{source: symbols} of the objects of all sources."""
        names = {str(Path(command["directory"]) / command["output"]):
                 str(path.relative_to(DRIVER.resolve())) for path, command in self.commands}
        listing = subprocess.run(["nm", "-A", *options, *names], capture_output=True, text=True,
                                 check=True).stdout
        found = {name: set() for name in names.values()}
        for line in listing.splitlines():
            place, _, rest = line.partition(":")
            found[names[place]].add(rest.split()[-1])
        return found

    def undefined(self):
        """(source, the functions and variables it takes from elsewhere) of each object."""
        for source, found in self.symbols("-u").items():
            names = {re.sub(r"@.*", "", name) for name in found}
            # _FORTIFY_SOURCE and sanitizers rename what they watch.
            yield source, names | {re.sub(r"^__(.*?)(_chk|_2)$", r"\1", name) for name in names}

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_each_keeps_to_its_own_work(self):
        for source, names in self.undefined():
            for functions, owners in ALONE:
                if any(source.startswith(owner) for owner in owners):
                    continue
                with self.subTest(source=source):
                    self.assertEqual(names & set(functions.split()), set())

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_the_pure_are_pure(self):
        for source, names in self.undefined():
            if not any(source.startswith(pure) for pure in PURE):
                continue
            with self.subTest(source=source):
                everything = " ".join((PRINTS, CLOCKS, FILES, RANDOM, PROCESSES, ENVIRONMENT))
                self.assertEqual(names & set(everything.split()), set())

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_calls_that_can_fail_pass_the_seam(self):
        listing = subprocess.run(["nm", "--defined-only", str(BUILD / "tests" / "faults" / "libfaults.a")],
                                 capture_output=True, text=True, check=True).stdout
        seam = set(re.findall(r" T __wrap_(\w+?)(?:64)?$", listing, re.MULTILINE))
        self.assertGreater(len(seam), 50)
        for source, names in self.undefined():
            # What large files make of a name is another.
            names = {name.removesuffix("64") for name in names}
            with self.subTest(source=source):
                self.assertEqual(names & FALLIBLE - seam, set())

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_what_is_exported_is_used(self):
        declared, times = set(), Counter()
        for path in DRIVER.glob("*/*.*"):
            text = re.sub(r'(?s)/\*.*?\*/|"[^"\n]*"', "", path.read_text(encoding="utf-8"))
            times.update(re.findall(r"\w+", text))
            declared.update(re.findall(r"\w+(?=[(\[])", text) if path.suffix == ".h" else ())
        for source, names in self.symbols("-g", "--defined-only").items():
            with self.subTest(source=source):
                once = {name for name in names - {"main"} if times[name] < 2 + (name in declared)}
                self.assertEqual(once, set())

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_only_headers_own_the_prefix(self):
        for source, names in self.symbols("-g", "--defined-only").items():
            with self.subTest(source=source):
                self.assertEqual([name for name in names if name.startswith("frng_")], [])


if __name__ == "__main__":
    unittest.main()
