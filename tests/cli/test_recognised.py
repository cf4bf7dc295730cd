"""How --mode auto knows a target: by what the files of its command line say. A program of which none
says anything is never started but for its runs; one of the other byte order is said to be that.

SPDX-License-Identifier: MIT
"""

import os
import pathlib
import re
import shlex
import shutil
import sys
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PORT = (SOURCE / "examples" / "forkserver.py").read_text()  # it forks for each run
BYTES = str(frng.SUTS / "sut-claims")
CROSS, EMULATOR = "s390x-linux-gnu-gcc", "qemu-s390x"

# A test that has its port from a module beside it.
IMPORTS = """import sys
import frng


def test(entropy):
    try:
        while True:
            assert entropy.byte() < 250
    except frng.OutOfEntropy:
        pass


if not frng.serve(test):
    test(frng.Entropy(sys.stdin.buffer.read()))
"""

# A program that passes, and logs each start: a line with the control of the offer, if there is one.
COUNTS = """cat > /dev/null
name=FRNG_ # its whole name would be a sign
eval "offer=\${${name}DRIVER:-none,none}"
offer=${offer#*,}
echo "${offer%%,*}" >> "$FRNG_SCENARIO/starts"
"""


# A program that takes any offer, and sends a HELLO with the bytes of its numbers reversed.
ANSWERS = """#!/usr/bin/env python3
import os, socket, struct, sys
offer = os.environ.get("FRNG_DRIVER", "0,-1").split(",")
if int(offer[1]) >= 0:
    order = ">" if sys.byteorder == "little" else "<"
    control = socket.socket(fileno=int(offer[1]))
    control.send(struct.pack(order + "10Q", 1, 1, 7, 192, 8, 0, 0, 0, 0, 0))
    control.recv(80)
"""


class Recognised(frng.Scenario):
    def mode_of(self, *target, options=()):
        """The mode that a search chooses, and its result."""
        result = self.search("--attempts", 3, "--size-max", 8, "--json", "events", *options, *target)
        self.assertIn(result.exit, (0, 1), str(result))
        return frng.latest(self.folder / "events")[0]["mode"], result

    def expect_mode(self, mode, *target):
        found, result = self.mode_of(*target)
        self.assertEqual(found, mode, str(result))

    def write_port(self):
        self.write("frng.py", PORT)
        return self.write("test.py", IMPORTS)

    def starts(self, *target):
        """The starts that a search made, and how many of them were runs."""
        log = self.folder / "starts"
        log.unlink(missing_ok=True)
        _, result = self.mode_of(*target, options=("--jobs", 1))
        self.assert_nothing_found(result)
        done = frng.latest(self.folder / "events")[-1]
        return log.read_text().split(), done["runs"]

    # ---- What is known ----

    def test_an_interpreter_is_known_by_the_script_that_it_runs(self):
        self.write_port()
        self.expect_mode("fork", "python3", "--", "test.py")
        self.expect_mode("fork", "python3", "--", "-S", self.folder / "test.py", "argument")
        self.expect_mode("fork", "env", "--", "python3", "test.py")

    def test_a_script_that_imports_a_port_is_known(self):
        self.write_port()
        self.expect_mode("fork", self.write("run.py", "#!/usr/bin/env python3\n" + IMPORTS, True))

    def test_a_wrapper_is_known_by_a_comment(self):
        script = self.write_port()
        command = f"exec python3 {shlex.quote(str(script))}\n"
        self.expect_mode("spawn", self.script("plain.sh", command))
        self.expect_mode("fork", self.script("marked.sh", "# FRNG_DRIVER\n" + command))

    def test_a_program_is_known_behind_another_one(self):
        self.expect_mode("persistent", BYTES)
        self.expect_mode("persistent", "env", "--", "A=1", BYTES)

    def test_a_module_of_javascript_is_known(self):
        for line in ("import { main } from './frng.mjs'", 'const f = require("frng")',
                     "use frng::Frng;", "import frng", "# frng"):
            starts, runs = self.starts(self.script("run", f": {shlex.quote(line)}\n" + COUNTS))
            self.assertEqual(len(starts), runs + 1, line)

    # ---- What is not disturbed ----

    def test_a_program_that_knows_nothing_is_started_for_its_runs_only(self):
        starts, runs = self.starts(self.script("run", COUNTS))
        self.assertEqual(starts, ["none"] * runs)

    def test_parts_of_words_are_no_words(self):
        for word in ("frng_main", "frng-search", "myfrng", "frngs", "FRNG", "a_frng", "Frng"):
            starts, runs = self.starts(self.script("run", f"# {word}\n" + COUNTS))
            self.assertEqual(starts, ["none"] * runs, word)

    def test_a_script_that_mentions_the_word_is_started_once_more(self):
        starts, runs = self.starts(self.script("run", "# try it with frng\n" + COUNTS))
        self.assertEqual(len(starts), runs + 1)
        self.assertRegex(starts[0], r"^\d+$")  # the offer
        self.assertEqual(set(starts[1:]), {"none"})

    def test_the_word_alone_means_nothing_in_a_binary(self):
        self.write("data", b"\0 frng " + bytes(100))
        starts, runs = self.starts(self.script("run", COUNTS), "--", "data")
        self.assertEqual(starts, ["none"] * runs)
        self.write("data", b"\0 FRNG_DRIVER " + bytes(100))
        starts, runs = self.starts(self.script("run", COUNTS), "--", "data")
        self.assertEqual(len(starts), runs + 1)

    def test_arguments_that_are_no_files_to_read_are_skipped(self):
        os.mkfifo(self.folder / "pipe")
        (self.folder / "folder").mkdir()
        self.write("secret", "import frng").chmod(0)
        (self.folder / "loop").symlink_to("loop")
        with open(self.folder / "sparse", "wb") as sparse:
            sparse.truncate(1 << 40)
        names = ["pipe", "folder", "loop", "sparse", "missing", "", "-", "/dev/zero", "/dev/tty",
                 "--file=test.py"]
        if os.geteuid() != 0:
            names.append("secret")
        starts, runs = self.starts(self.script("run", COUNTS), "--", *names)
        self.assertEqual(starts, ["none"] * runs)

    # ---- What is said ----

    def test_a_mode_that_a_program_cannot_be_run_in_is_refused(self):
        for mode in ("fork", "persistent"):
            result = self.search("--mode", mode, self.script("run", "exit 0\n"))
            self.assert_one_line(result, 2, "run: cannot be run with --mode " + mode +
                                 ": it does not speak the protocol; say --mode spawn")
        self.write_port()
        result = self.search("--mode", "persistent", "python3", "--", "test.py")
        self.assert_one_line(result, 2, "it makes no batches; say --mode fork")

    def test_verbose_says_why_a_program_that_was_asked_is_spawned(self):
        script = self.script("run", "# frng\nexit 0\n")
        mode, result = self.mode_of(script, options=["--verbose"])
        self.assertEqual(mode, "spawn")
        self.assert_says(result, r"run: mentions frng, but does not speak its protocol: run by spawn\n")
        _, result = self.mode_of(script)
        self.assertNotIn("run by spawn", result.stderr)

    HINT = "mentions frng, but does not speak its protocol; if it is a test, pass it to frng's main"

    def test_a_test_that_nothing_calls_draws_a_hint(self):
        self.write_port()
        _, result = self.mode_of("python3", "--", self.write("test.py", "import frng\n"))
        self.assert_exit(result, 0)
        self.assertEqual(result.stderr.count("test.py: " + self.HINT), 1, str(result))
        self.assertEqual(result.stdout, "")

    def test_the_hint_names_a_file_that_has_changed_meanwhile(self):
        _, result = self.mode_of(self.script("run", """# frng
cat > /dev/null
if grep -q "^# [f]rng" "$0"; then sed -i "s/^# [f]rng/# other/" "$0"; fi
"""))
        self.assert_exit(result, 0)
        self.assert_says(result, "run: " + re.escape(self.HINT))

    def test_a_program_that_serves_or_fails_or_has_another_mode_draws_no_hint(self):
        self.write_port()
        fails = self.write("fails.py", "import frng\nraise ValueError\n")
        plain = self.write("plain.py", "import frng\n")
        for target in (["python3", "--", "test.py"], ["python3", "--", fails],
                       ["--mode", "spawn", "python3", "--", plain],
                       ["--quiet", "python3", "--", plain]):
            _, result = self.mode_of(*target)
            self.assertNotIn("mentions frng", result.stderr, str(result))

    def test_a_trace_of_a_program_that_reports_nothing(self):
        result = self.replay("--hex", "01", "--trace", self.script("run", "exit 0\n"))
        self.assert_says(result, "run: reports no draws: it does not speak the protocol")

    def test_a_replay_under_another_program_gives_both_ways_to_the_input(self):
        self.write("both.py", "import os, sys  # frng\n"
                   "named = open(os.environ['FRNG_INPUT'], 'rb').read()\n"
                   "sys.exit(3 if named == sys.stdin.buffer.read() == b'ab' else 0)\n")
        result = self.replay("--hex", "6162", "--wrap", "env A=1", "python3", "--", "both.py")
        self.assert_exit(result, 3)  # of the program
        self.assert_says(result, "entropy is in FRNG_INPUT=")

    def test_a_replay_under_another_program_may_use_the_name_alone(self):
        self.write("one.py", "import os, sys  # frng\n"
                   "sys.exit(3 if open(os.environ['FRNG_INPUT'], 'rb').read() == b'ab' else 0)\n")
        result = self.replay("--hex", "6162", "--wrap", "env A=1", "python3", "--", "one.py")
        self.assert_exit(result, 3)


class OtherByteOrder(frng.Scenario):
    def expect_refused(self, *target, name):
        for mode in ("fork", "persistent"):
            result = self.search("--mode", mode, *target)
            self.assert_one_line(result, 2, f"{name}: cannot be run with --mode {mode}: "
                                 "it has the other byte order: run by spawn")

    def expect_spawned(self, *target, name):
        result = self.search("--attempts", 50, "--size-max", 16, "--rng-seed", 1, "--verbose", "--json",
                             "events", *target)
        self.assert_says(result, f"{name}: was built for the other byte order: run by spawn\n")
        self.assertEqual(frng.latest(self.folder / "events")[0]["mode"], "spawn")
        return result

    def test_the_head_of_a_program_says_it(self):
        order = b"\x02" if sys.byteorder == "little" else b"\x01"
        self.write("other", b"\x7fELF\x02" + order + b"\x01" + bytes(100) + b"FRNG_DRIVER")
        script = self.script("emulator", "exit 0\n")
        self.expect_refused(script, "--", "other", name="other")
        self.expect_spawned(script, "--", "other", name="other")
        self.write("other", b"\x7fELF\x02" + order)  # no whole head
        result = self.search("--mode", "fork", script, "--", "other")
        self.assert_one_line(result, 2, "it does not speak the protocol")

    @frng.long
    def test_an_answer_in_the_other_order_says_it(self):
        program = self.write("answers.py", ANSWERS, executable=True)
        self.expect_refused(program, name="answers.py")
        self.expect_spawned(program, name="answers.py")

    @unittest.skipUnless(shutil.which(CROSS) and shutil.which(EMULATOR),
                         f"needs {CROSS} and {EMULATOR}")
    def test_a_program_of_another_machine(self):
        self.write("test.c", """#include "frng_assert.h"
#include "frng_main.h"
static bool test(frng *f) {
    for (;;) {
        uint16_t x;
        FRNG_TRY(frng_u16(f, &x));
        FRNG_ASSERT(x < 60000);
    }
}
FRNG_MAIN(test)
""")
        built = self.run_tool(CROSS, "-static", "-I", SOURCE / "frng", "test.c", "-o", "foreign")
        self.assert_exit(built, 0)
        self.expect_refused(EMULATOR, "--", "./foreign", name="./foreign")
        self.assert_found(self.expect_spawned(EMULATOR, "--", "./foreign", name="./foreign"), 2)
        result = self.replay("--hex", "ffff", "--trace", EMULATOR, "--", "./foreign")
        self.assert_exit(result, 1)
        self.assert_says(result, "./foreign: reports no draws: it has the other byte order")
        reduced = self.reduce("--hex", "0000ffff0000", "--explain", "no", EMULATOR, "--", "./foreign")
        self.assert_exit(reduced, 1)
        self.assertRegex(reduced.stdout, r"^size=2 hex=[0-9a-f]{2}(ea|eb|ec|ed|ee|ef|f.)\n$")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
