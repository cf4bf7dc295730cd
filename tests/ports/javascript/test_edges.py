"""How the port to JavaScript ends its runs: promises, timers, exits, values that are no errors.

FRNG_BUILD names the build. Skipped without Node. SPDX-License-Identifier: MIT
"""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
import frng

PORT = ROOT / "frng" / "javascript"
EDGES = HERE / "edges.mjs"

# Of a run that goes its way: the exit status, a part of the line of edges.mjs that is its site, or
# where it has none the name in its place, and a part of its message.
ENDS = {
    "awaits": (1, "'after a turn'", "AssertionError .*after a turn"),
    "loses-a-promise": (1, "'lost'", "Error: lost"),
    "throws-in-a-timer": (1, "'in a timer'", "AssertionError .*in a timer"),
    "has-a-cause": (1, "'outer'", r"Error: outer[\s\S]*TypeError: inner"),
    "exits-with-3": (3, "process.exit(3)", "exit status 3"),
    "overflows": (1, "recurse(depth + 1)", "RangeError: Maximum call stack"),
    "fails-in-the-library": (1, "JSON.parse", "SyntaxError: "),
    "names-a-site-in-its-message": (1, "'first", "Error: first"),
    "is-wrong": (1, "f.u8(3, 300)", r"RangeError: u8\(3,300\)"),
    "is-no-number": (1, "Number('ten')", r"RangeError: u32\(0,NaN\)"),
    "simulates-timers": (1, "'timers are simulated'", "timers are simulated"),
    "draws-from-an-old-run": (1, "'as ever'", "as ever"),
}
NAMED_ENDS = {
    "waits-for-ever": (1, "Deadlock", "Deadlock: "),
    "throws-null": (1, "object", "null"),
    "throws-a-text": (1, "string", "'a text'"),
    "sets-exit-code": (4, "Error", "exit status 4"),
    "fails-in-a-worker": (1, r"\[worker eval\]:1", r"\[worker eval\]:1: "),
}


class Edges(frng.Scenario):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if shutil.which("node") is None:
            raise unittest.SkipTest("node is missing")

    def run_alone(self, name, entropy):
        """A run without a driver."""
        self.write("input", entropy)
        return self.run_tool(EDGES, name, environment={"FRNG_INPUT": "input"})

    def line_of(self, site):
        return EDGES.read_text().splitlines()[int(site.rsplit(":", 1)[1]) - 1]

    def check_end(self, name, status, site, message):
        result = self.run_alone(name, b"\7")
        self.assert_exit(result, status)
        if name in NAMED_ENDS:
            self.assertRegex(result.stderr, rf"\A[^\n]*{message}", str(result))
            return
        self.assertRegex(result.stderr, rf"^edges\.mjs:\d+: [^\n]*(?:{message})", str(result))
        self.assertIn(site, self.line_of(result.stderr.split(": ")[0]), name)

    def test_a_run_ends_as_its_program_does(self):
        self.each(self.check_end, [(name, *end) for name, end in {**ENDS, **NAMED_ENDS}.items()])
        result = self.run_alone("awaits", b"\7")
        self.assertNotRegex(result.stderr, r"frng\.mjs|node:") # the code of the user alone

    def test_all_else_passes(self):
        for name in [*ENDS, *NAMED_ENDS]:
            result = self.run_alone(name, b"\6")
            self.assertEqual((result.exit, result.stderr), (0, ""), str(result))
        for name in "awaits", "runs-out-later", "runs-out-in-a-timer":
            result = self.run_alone(name, b"")
            self.assertEqual((result.exit, result.stderr), (0, ""), str(result))

    def test_failures_in_one_process_have_the_same_sites(self):
        for name in ("loses-a-promise", "throws-in-a-timer", "exits-with-3", "waits-for-ever",
                     "throws-null", "simulates-timers", "draws-from-an-old-run"):
            status, wanted, _ = NAMED_ENDS.get(name) or (ENDS[name][0], r"edges\.mjs:\d+", "")
            result = self.search(EDGES, "--attempts", "600", "--rng-seed", "3", "--jobs", "1",
                                 "--json", "events", "--", name)
            self.assert_exit(result, 1)
            self.assert_says(result, rf"failure  exit:{status} at {wanted}\n")
            self.assertNotIn("keeps state", result.stderr)
            self.assertEqual(frng.latest(self.folder / "events")[0]["mode"], "persistent")

    def reduced(self, body, no_jump):
        """The answer of a failing check, and how many processes have loaded its file."""
        self.write("starts", b"")
        self.write("a.test.mjs", (
            f"import * as frng from '{PORT}/frng.mjs';\nimport fs from 'node:fs';\n"
            "fs.appendFileSync('starts', `${Math.random()}\\n`);\nlet runs = 0;\n"
            "frng.check('a', (f) => {\n  const xs = f.list(() => f.integer(0, 99));\n"
            f"  runs++;\n  if ({body}) throw new Error('long');\n}});\n").encode())
        result = self.run_tool("node", "a.test.mjs", environment={
            "FRNG_SEED": "1", "FRNG_NO_JUMP": no_jump,
            "PATH": f"{frng.BUILD}/driver:{os.environ['PATH']}"})
        answer = re.search(r"reduced by frng-reduce: (.*)", result.stdout)
        self.assertIsNotNone(answer, str(result))
        return answer[1], len(set((self.folder / "starts").read_text().split()))

    def test_a_check_starts_few_processes_unless_runs_there_change_the_answer(self):
        answer, starts = self.reduced("xs.length > 2", "")
        slow, slow_starts = self.reduced("xs.length > 2", "1")
        self.assertEqual((answer, starts), (slow, 3))  # its own, one of frng-reduce, a new one
        self.assertGreater(slow_starts, 3)
        self.assertEqual(self.reduced("xs.length > 2 || (runs > 99 && xs.length === 2)", "")[0], slow)

    def test_a_trace_has_the_names_of_variables(self):
        self.write("a.mjs", (
            f"import * as frng from '{PORT}/frng.mjs';\n"
            "frng.check('a', (f) => frng.repeat(f, {insert: (f) => {\n"
            "  const at = f.u8(), s = f.string('ab', 1, 3);\n  f.note('other');\n"
            "  const all = f.list(() => f.u8(), {min: 1, max: 1}), last = f.bool();\n"
            "}}, {swarm: false}));\n").encode())
        result = self.run_tool(f"{frng.BUILD}/driver/frng-replay", "node", "--hex", "00075601" + "80" * 9, "--trace", "--",
                               PORT / "run.mjs", "a.mjs", "a")
        names = [line.split()[1] for line in result.stdout.splitlines() if re.match(" +[0-9]+  [a-z]", line)]
        self.assertEqual(names[:5], ["rule", "at", "s", "other", "last"], str(result))

    def test_a_run_that_is_out_of_memory_fails_alone(self):
        result = self.search(EDGES, "--attempts", "600", "--rng-seed", "3", "--jobs", "1",
                             "--", "runs-out-of-memory",
                             environment={"NODE_OPTIONS": "--max-old-space-size=64"})
        self.assert_exit(result, 1)
        self.assert_says(result, r"smallest failure: signal:SIGABRT at size 1\n", "out of memory")

    def test_the_report_of_a_long_run_is_exact_at_its_end(self):
        draws, size = 200000, 200500
        for entropy, drawn, ran_out in (bytes(size), draws, 0), (bytes(1000), 1000, 1 << 63):
            report = os.memfd_create("report")
            os.ftruncate(report, 4096)
            # magic, size, no trace, no stop, a table of one run at 384
            os.pwrite(report, struct.pack("=7Q", 0x31747270676E7266, 4096, 0, 0, 0, 384, 1), 0)
            (self.folder / "input").write_bytes(entropy)
            environment = {**os.environ, "FRNG_DRIVER": f"1,-1,{report},-1",
                           "FRNG_INPUT": str(self.folder / "input")}
            subprocess.run([HERE / "suite.mjs", "draws", str(draws)], pass_fds=[report], check=True,
                           env=environment, stdin=subprocess.DEVNULL, timeout=120)
            told = struct.unpack("=49Q", os.pread(report, 392, 0))
            os.close(report)
            self.assertEqual((told[21], told[24], told[48]), (drawn, drawn, drawn | ran_out))

    def test_arguments_of_other_types_are_errors_with_entropy_and_without(self):
        calls = ("u8(3)", "u8(0,256)", "u8(NaN,3)", "u8('a','b')", "u8(.5,3)", "u64(0n,2n**64n)",
                 "i64(NaN,0)", "index(NaN)", "weighted([])", "weighted([-1,3])", "chance(NaN,1)",
                 "more(NaN,0,3)", "bytes(NaN)")
        program = ("const {Frng} = await import(process.argv[1]);"
                   "for (const call of JSON.parse(process.argv[2])) for (const size of [99, 0]) {"
                   "  const f = new Frng(new Uint8Array(size));"
                   "  let name = 'none';"
                   "  try { Function('f', `f.${call}`)(f); } catch (error) { name = error.name; }"
                   "  console.log(call, name, f.used);"
                   "}")
        result = self.run_tool("node", "--input-type=module", "-e", program, PORT / "frng.mjs",
                               json.dumps(calls))
        self.assertEqual(result.stdout.splitlines(),
                         [f"{call} RangeError 0" for call in calls for _ in range(2)])

    def test_a_loop_that_catches_the_end_says_so(self):
        program = ("const frng = await import(process.argv[1]);"
                   "frng.check('loops', (f) => { for (;;) try { f.u8(); } catch {} });")
        result = self.run_tool("node", "--input-type=module", "-e", program, PORT / "frng.mjs")
        self.assert_exit(result, 2)
        self.assertIn("frng: usage: a test goes on after its end", result.stderr)

    def test_a_loop_that_cannot_end_its_process_says_so_once(self):
        """As in vitest, whose process.exit throws: the loop catches that, too."""
        program = ("const {Frng} = await import(process.argv[1]); const f = new Frng(Buffer.alloc(0));"
                   "process.exit = () => { throw new Error(); };"
                   "for (let i = 0; i < 100100; i++) try { f.u8(); } catch {}")
        result = self.run_tool("node", "--input-type=module", "-e", program, PORT / "frng.mjs")
        self.assertEqual(result.stderr.count("frng: usage: "), 1)

    def test_the_types_name_what_the_port_has(self):
        program = ("const frng = await import(process.argv[1]);"
                   "const own = [];"
                   "for (let p = frng.Frng.prototype; p !== Object.prototype;"
                   "     p = Object.getPrototypeOf(p))"
                   "  own.push(...Object.getOwnPropertyNames(p));"
                   "console.log(JSON.stringify([Object.keys(frng), own]))")
        result = self.run_tool("node", "--input-type=module", "-e", program, PORT / "frng.mjs")
        self.assert_exit(result, 0)
        exported, methods = json.loads(result.stdout)
        types = (PORT / "frng.d.mts").read_text()
        typed = set(re.findall(r"^export (?:class|function) (\w+)", types, re.MULTILINE))
        typed |= set(re.findall(r"\b([A-Z]+): string[,;]", types))
        types = types[types.index("export class Frng"):types.index("export interface ListOptions")]
        self.assertEqual(set(exported), typed)
        members = set(re.findall(r"^  (?:readonly )?(\w+)[(<:]", types, re.MULTILINE))
        members -= {"exhausted", "discarded"}
        self.assertEqual({name for name in methods if name[0] != "_"}, members)
