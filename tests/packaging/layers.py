#!/usr/bin/env python3
"""The layers of driver/ hold: upward includes do not compile, and each keeps to its own work.

Compiles with the very flags of the build (compile_commands.json of FRNG_BUILD) and reads the
objects it made. SPDX-License-Identifier: MIT
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["FRNG_BUILD"])
SOURCE = Path(os.environ["FRNG_SOURCE"])
DRIVER = SOURCE / "driver"

# What a layer may include, itself set aside. This is the design; driver/meson.build follows it.
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
FALLIBLE = set(re.findall(r"^ *CALL\((\w+)", CALLS, re.MULTILINE)) | \
    set(CALLS.partition("UNUSED:")[2].partition("*/")[0].split())

# Who alone may use which functions: folders, or files.
ALONE = [
    (PROCESSES, ["base/proc.c", "run/", "tool/tool.c"]),  # to die of a signal, to begin again
    (ENVIRONMENT, ["tool/"]),
    (EXITS, ["tool/", "base/messages.c", "base/proc.c", "run/worker.c"]),  # children of ours
    (PRINTS, ["show/", "base/messages.c", "tool/"]),
]
# Who does no I/O and reads no clock.
PURE = ["core/", "search/strategy",
        "reduce/testcase", "reduce/patch", "reduce/pa",
        "reduce/schedule", "reduce/window",
        "reduce/explain_values", "tool/fleet.c"]


def layer_of(path):
    return Path(path).resolve().relative_to(DRIVER.resolve()).parts[0]


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
        cls.scratch = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def compile(self, layer, text):
        """Compile a text as a file of the layer, without its objects. Lists what it includes."""
        command = next(c for path, c in self.commands if layer_of(path) == layer)
        words, flags, skip = words_of(command), [], False
        for word in words[1:]:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MQ", "-MT"):
                skip = True
            elif word not in ("-c", "-MD", "-MMD") and not word.endswith(".c"):
                flags.append(word)
        probe = Path(self.scratch) / "probe.c"
        probe.write_text(text + "int probe;\nint probe = 1;\n", encoding="utf-8")
        return subprocess.run([words[0], *flags, "-w", "-H", "-fsyntax-only", str(probe)], check=False,
                              cwd=command["directory"], capture_output=True, text=True)

    def found(self, layer):
        """The names of all headers that a file of the layer finds, ours or those of the system."""
        headers = sorted(path.name for path in DRIVER.glob("*/*.h"))
        asked = "".join(f'#if __has_include("{name}")\n#pragma message("found {name}")\n#endif\n'
                        for name in headers)
        result = self.compile(layer, asked)
        self.assertEqual(result.returncode, 0, result.stderr)
        return set(re.findall(r"found ([\w.]+)", result.stderr))

    @staticmethod
    def has_included(result, owner, header):
        # -H lists what was included: the system has a runner_spawn.h and a search.h too.
        ours = f"/driver/{owner}/{header}"
        return re.search(rf"^\.+ .*{re.escape(ours)}$", result.stderr, re.MULTILINE) is not None

    def layers(self):
        return sorted({layer_of(path) for path, _ in self.commands})

    def test_every_folder_is_a_known_layer(self):
        folders = {p.name for p in DRIVER.iterdir() if any(p.glob("*.c"))}
        self.assertEqual(folders, set(self.layers()))
        self.assertEqual(folders - set(BELOW), set())

    def test_every_source_is_built(self):
        built = {path for path, _ in self.commands}
        self.assertEqual({p.resolve() for p in DRIVER.glob("*/*.c")} - built, set())

    def test_names_of_headers_are_unique(self):
        names = [p.name for p in DRIVER.glob("*/*.h")]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_includes_go_downward_alone(self):
        for layer in self.layers():
            found, allowed = self.found(layer), []
            for header in sorted(DRIVER.glob("*/*.h")):
                owner = layer_of(header)
                with self.subTest(layer=layer, header=header.name):
                    if owner == layer or owner in BELOW[layer]:
                        self.assertIn(header.name, found)
                        allowed.append((owner, header.name))
                    elif header.name in found:
                        result = self.compile(layer, f'#include "{header.name}"\n')
                        self.assertFalse(self.has_included(result, owner, header.name))
            result = self.compile(layer, "".join(f'#include "{name}"\n' for _, name in allowed))
            self.assertEqual(result.returncode, 0, f"{layer}:\n{result.stderr}")
            for owner, name in allowed:
                with self.subTest(layer=layer, header=name):
                    self.assertTrue(self.has_included(result, owner, name))

    def test_every_header_compiles_before_all_others(self):
        for header in sorted(DRIVER.glob("*/*.h")):
            with self.subTest(header=header.name):
                result = self.compile(layer_of(header), f'#include "{header.name}"\n')
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(self.has_included(result, layer_of(header), header.name))

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
        seen = 0
        for source, names in self.undefined():
            if not any(source.startswith(pure) for pure in PURE):
                continue
            seen += 1
            with self.subTest(source=source):
                everything = " ".join((PRINTS, CLOCKS, FILES, RANDOM, PROCESSES, ENVIRONMENT))
                self.assertEqual(names & set(everything.split()), set())
        self.assertGreaterEqual(seen, 5)

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_calls_that_can_fail_pass_the_seam(self):
        listing = subprocess.run(["nm", "--defined-only", str(BUILD / "tests" / "faults" / "libfaults.a")],
                                 capture_output=True, text=True, check=True).stdout
        seam = set(re.findall(r" T __wrap_(\w+)", listing))
        self.assertGreater(len(seam), 50)
        for source, names in self.undefined():
            # What large files make of a name is another.
            names = {name.removesuffix("64") for name in names}
            with self.subTest(source=source):
                self.assertEqual(names & FALLIBLE - seam, set())

    @unittest.skipIf(shutil.which("nm") is None, "nm is not installed")
    def test_only_headers_own_the_prefix(self):
        for source, names in self.symbols("-g", "--defined-only").items():
            with self.subTest(source=source):
                self.assertEqual([name for name in names if name.startswith("frng_")], [])


if __name__ == "__main__":
    unittest.main()
