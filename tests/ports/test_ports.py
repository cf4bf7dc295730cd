"""Each language's port at work with the tools: the same draws, the same answers, the speed of a loop.

FRNG_LANGUAGE names the port, a folder beside this file; without it, each one is tested. A port whose
toolchain is missing is skipped. `build.sh` there builds two targets: `queue`, the queue of the README,
and `suite`, whose first argument chooses what it does.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

import frng

LANGUAGES = ["c", "cpp", "python", "rust", "go", "javascript", "zig"]
QUEUE_SEED = "3149150492377596932"
BUILD_S = 600
VECTORS = ROOT / "frng" / "vectors.json"
WITHOUT_JSON = {"c", "cpp", "rust", "zig"}  # their standard libraries cannot read it
# The draws that each port has.
REQUIRED = {"bytes", "bool", "index", "weighted", "swarm_weights", "shuffle", "f64", "chance", "pick",
            "more", *(f"{kind}{bits}{suffix}" for kind in "ui" for bits in (8, 16, 32, 64)
                      for suffix in ("", "_range"))}
A_SITE = r"[\w-]+\.\w+:\d+"


def built(language, folder):
    """The folder with the port's `queue` and `suite`, after building them."""
    folder.mkdir(parents=True, exist_ok=True)
    result = subprocess.run(["sh", HERE / language / "build.sh", folder], timeout=BUILD_S,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode == 77:
        raise unittest.SkipTest(result.stdout.strip())
    if result.returncode != 0:
        raise AssertionError(f"{language} does not build:\n{result.stdout}")
    return folder


def as_lines(vectors):
    """The vectors as lines of words: "entropy 00ff", "u8_range 0 9 = 3 1 0", "expand 7s 2 a0b1".

    The words of a draw are its arguments, "=", its value, the bytes used so far, and 1 if it failed.
    """
    lines = []
    for vector in vectors["draws"]:
        lines.append(f"entropy {vector['entropy']}")
        for call in vector["calls"]:
            words = [call["draw"], *call["arguments"], "=", call["value"], str(call["used"]),
                     str(int(call["exhausted"]))]
            lines.append(" ".join(words))
    lines += [f"expand {v['seed']} {v['size']} {v['bytes']}" for v in vectors["expansions"]]
    return "\n".join(lines) + "\n"


FORKING = {"c", "cpp", "zig"}  # their servers fork for each batch
SLOW_S = 400  # many starts of an interpreter, beside other tests


class Port:
    """The scenarios of a port: classes below name its language."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = frng.BUILD / "tests" / "ports" / cls.language # of this test alone
        cls.targets = built(cls.language, folder)
        cls.reference = cls.targets if cls.language == "c" else built("c", folder / "reference")
        cls.queue, cls.suite = cls.targets / "queue", cls.targets / "suite"

    def events(self, name="events"):
        return frng.latest(self.folder / name)

    def line_of(self, path_and_line):
        """The line of a source that a site names."""
        name, number = path_and_line.rsplit(":", 1)
        sources = [*(ROOT / "frng").rglob(name), *(HERE / self.language).rglob(name)]
        self.assertTrue(sources, f"{name} is no source of the port")
        return sources[0].read_text().splitlines()[int(number) - 1]

    # ---- Draws ----

    def run_vectors(self, vectors):
        if self.language in WITHOUT_JSON:
            path = self.write("vectors.txt", as_lines(vectors))
        else:
            path = self.write("vectors.json", json.dumps(vectors))
        return self.run_tool(self.suite, "vectors", path)

    def test_its_draws_and_expansions_are_those_of_the_vectors(self):
        vectors = json.loads(VECTORS.read_text())
        result = self.run_vectors(vectors)
        self.assert_exit(result, 0)
        checked = int(re.match(r"(\d+) vectors", result.stdout)[1])
        required = [vector for vector in vectors["draws"]
                    if all(call["draw"] in REQUIRED for call in vector["calls"])]
        self.assertGreaterEqual(checked, len(required) + len(vectors["expansions"]), str(result))

    def test_a_wrong_vector_is_noticed(self):
        for kind in sorted(REQUIRED):
            vectors = json.loads(VECTORS.read_text())
            wrong = next(vector for vector in vectors["draws"] if len(vector["calls"]) > 1 and
                         vector["calls"][-1]["draw"] == kind and vector["calls"][-1]["used"] > 0)
            wrong["calls"][-1]["used"] += 1
            vectors["draws"] = [wrong]
            result = self.run_vectors(vectors)
            self.assert_exit(result, 1)
        vectors = json.loads(VECTORS.read_text())
        wrong = vectors["expansions"][10]
        wrong["bytes"] = wrong["bytes"][:-1] + f"{int(wrong['bytes'][-1], 16) ^ 1:x}"
        self.assert_exit(self.run_vectors(vectors), 1)

    def test_ten_thousand_draws_of_each_kind_have_the_digests_of_c(self):
        result = self.run_tool(self.suite, "digests")
        self.assert_exit(result, 0)
        wanted = self.run_tool(self.reference / "suite", "digests")
        self.assertEqual(result.stdout, wanted.stdout)
        kinds = dict(line.split() for line in wanted.stdout.splitlines())
        self.assertGreaterEqual(len(kinds), 24)
        self.assertEqual(len(set(kinds.values())), len(kinds))

    # ---- The queue of the README ----

    def check_queue(self, *options):
        result = self.search(self.queue, "--rng-seed", "7", "--attempts", "20", "--json", "events",
                             *options)
        self.assertEqual(self.assert_found(result), (16, QUEUE_SEED), str(result))
        self.assert_says(result, rf"failure  \S+ at {A_SITE}")
        return result

    def test_the_queue_ends_at_16_bytes_in_one_process(self):
        for jobs in "1", "3":
            result = self.check_queue("--jobs", jobs)
            self.assertEqual(self.events()[0]["mode"], "persistent", str(result))

    @frng.long
    def test_the_queue_ends_at_16_bytes_with_a_process_for_each_run(self):
        self.check_queue("--mode", "spawn", "--jobs", "2")

    def test_the_site_of_the_queue_is_the_line_that_checks_it(self):
        result = self.check_queue()
        site = re.search(rf"failure  \S+ at ({A_SITE})", result.stderr)[1]
        self.assertTrue(site.startswith(("queue.", "main.")), site)
        self.assertRegex(self.line_of(site), r"(?i)got|assert|fail|panic|throw|raise")
        self.assert_says(result, r"output   [^\n]*got 0, not 7")

    def test_the_queue_reduces_to_eight_pushes_and_pops(self):
        for start in (("--size", "16", "--seed", QUEUE_SEED), ("--hex", "e93811d0" * 4)):
            result = self.reduce(self.queue, *start)
            self.assert_exit(result, 1)
            self.assertEqual(result.stdout, f"size=16 hex={'0100' * 8}\n", str(result))

    def test_the_trace_of_the_queue_is_that_of_c(self):
        arguments = ["--size", "16", "--seed", QUEUE_SEED, "--trace"]
        result = self.replay(self.queue, *arguments)
        self.assert_exit(result, 1)
        wanted = self.replay(self.reference / "queue", *arguments)
        self.assertEqual(result.stdout, wanted.stdout)
        self.assertEqual(wanted.stdout.count("bool"), 16)

    def test_the_trace_of_each_kind_of_draw_is_that_of_c(self):
        for seed in "1", "2s", "77":
            arguments = ["--size", "3000", "--seed", seed, "--trace", "--", "kinds"]
            result = self.replay(self.suite, *arguments)
            wanted = self.replay(self.reference / "suite", *arguments)
            self.assertEqual(result.stdout, wanted.stdout)
            self.assertEqual(result.exit == 0, wanted.exit == 0, str(result))
            for kind in "bytes", "bool", "weighted", "f64", "chance":
                self.assertRegex(wanted.stdout, rf"\b{kind}\b")

    def test_a_run_without_entropy_passes(self):
        self.assert_exit(self.replay(self.queue, "--size", "0", "--seed", "1"), 0)

    def test_without_a_driver_it_reads_its_stdin(self):
        for text, fails in (b"\1\0" * 8, True), (b"\1\0" * 7 + b"\1", False), (b"", False):
            process = self.start(self.queue, stdin=subprocess.PIPE)
            _, stderr = process.communicate(text, timeout=frng.PATIENCE_S)
            self.assertEqual(process.returncode != 0, fails, stderr)
            self.assertEqual(b"got 0, not 7" in stderr, fails, stderr)

    def test_without_a_driver_it_reads_the_file_that_frng_input_names(self):
        path = self.write("input", b"\1\0" * 8)
        result = self.run_tool(self.queue, environment={"FRNG_INPUT": str(path)})
        self.assertNotEqual(result.exit, 0)
        missing = self.run_tool(self.queue, environment={"FRNG_INPUT": str(path) + "x"})
        self.assert_exit(missing, 125)

    # ---- Findings in the test runner of the language ----

    def replayed(self, folder):
        """The result of replay.sh, which runs the test of the queue with a folder of findings."""
        script = HERE / self.language / "replay.sh"
        if not script.exists():
            self.skipTest(f"the port to {self.language} has no helper for a test runner")
        return self.run_tool("sh", script, self.targets, folder)

    def test_findings_are_replayed_in_the_test_runner(self):
        found = self.folder / "found"
        result = self.search(self.queue, "--rng-seed", "7", "--findings", found)
        self.assert_exit(result, 1)
        result = self.replayed(found)
        self.assertNotEqual(result.exit, 0, str(result))
        output = result.stdout + result.stderr
        self.assertIn("got 0, not 7", output)
        for name, finding in frng.findings(found).items():
            words = f"{name.removesuffix('.json')}: --size {finding['size']} --seed {finding['seed']}"
            self.assertRegex(output, f"{words.replace(' ', '[ _]')}(?![0-9s])") # Go: no spaces

    def test_findings_that_pass_now_pass_in_the_test_runner(self):
        found = self.folder / "found"
        found.mkdir()
        self.assert_exit(self.replayed(found), 0)
        for size, seed in (3, "17"), (15, "5s"):
            name, text = frng.finding_text(self.queue, [], size, str(size))
            fields = {**json.loads(text), "seed": seed}
            (found / name).write_text(json.dumps(fields))
        del fields["seed"], fields["size"]
        fields["hex"] = "0100" * 7
        (found / "0000000014-0000000000000009.json").write_text(json.dumps(fields))
        result = self.replayed(found)
        self.assert_exit(result, 0)
        fields["hex"] = "0100" * 8
        (found / "0000000016-0000000000000009.json").write_text(json.dumps(fields))
        result = self.replayed(found)
        self.assertNotEqual(result.exit, 0, str(result))
        self.assertRegex(result.stdout + result.stderr,
                         f"0000000016-0000000000000009:[ _]--hex[ _]{fields['hex']}")

    def test_a_folder_that_is_missing_skips_the_findings(self):
        result = self.replayed(self.folder / "missing")
        self.assert_exit(result, 0)
        self.assertRegex(result.stdout + result.stderr, r"(?i)skip")

    def test_a_bad_finding_is_not_a_pass(self):
        found = self.folder / "found"
        found.mkdir()
        (found / "0000000016-0000000000000009.json").write_text('{"format": 1}')
        self.assertNotEqual(self.replayed(found).exit, 0)

    def test_its_tests_in_its_own_language_pass(self):
        script = HERE / self.language / "test.sh"
        if not script.exists():
            self.skipTest(f"the port to {self.language} has no tests of its own")
        self.assert_exit(self.run_tool("sh", script, self.targets), 0)

    # ---- Failures ----

    @frng.long
    def test_of_two_bugs_a_reduction_keeps_to_the_one_it_was_given(self):
        given = "ff81c0ab"
        result = self.reduce(self.suite, "--hex", given, "--explain", "no", "--json", "events", "--",
                             "two-bugs", timeout=SLOW_S)
        self.assert_exit(result, 1)
        self.assertEqual(result.stdout, f"size=4 hex={'80' * 4}\n", str(result))
        many = re.search(rf"reduced: \S+ at ({A_SITE})", result.stderr)[1]
        few = re.search(rf"also[^\n]* at ({A_SITE})", result.stderr)[1]
        self.assertNotEqual(many, few)
        self.assertIn("many", self.line_of(many))
        self.assertIn("few", self.line_of(few))

    @frng.long
    def test_a_draw_that_contradicts_its_bytes_is_reported(self):
        result = self.reduce(self.suite, "--hex", "010011070304", "--explain", "no", "--", "liar")
        self.assert_exit(result, 1)
        lines = [line for line in result.stderr.splitlines() if "reduces bytes" in line]
        self.assertEqual(len(lines), 1, str(result))
        self.assertRegex(lines[0], r"draw \d+ \(.*u8 0\.\.9 at byte \d+\) says \d+, but its byte is")

    def test_a_test_that_keeps_state_gets_a_process_for_each_run(self):
        attempts = 20 if self.language in FORKING else 6 # at each of 19 sizes
        result = self.search(self.suite, "--attempts", attempts, "--jobs", "1", "--", "stateful",
                             timeout=SLOW_S)
        # Where no process can repeat what came before a failure, its cause stays unknown.
        self.assert_exit(result, 0 if self.language in FORKING else 3)
        self.assertEqual(result.stdout, "", str(result))
        self.assert_says(result, "keeps state")

    def test_a_run_that_exits_with_0_has_passed(self):
        result = self.search(self.suite, "--attempts", "100", "--expand", "styled",
                             "--rng-seed", "1", "--", "exits")
        size, _ = self.assert_found(result)
        self.assertEqual(size, 2, str(result))

    @frng.long
    def test_a_run_that_hangs_is_killed_at_its_timeout(self):
        result = self.search(self.suite, "--timeout", "1s", "--attempts", "1k", "--size-max", "1",
                             "--rng-seed", "1", "--", "hangs")
        size, seed = self.assert_found(result)
        self.assertEqual(size, 1, str(result))
        self.assert_says(result, "timeout")
        again = self.replay(self.suite, "--timeout", "3s", "--size", size, "--seed", seed,
                            "--trace", "--", "hangs")
        self.assertRegex(again.stdout, r"c8 +u8 +200")

    def test_many_runs_take_no_process_each(self):
        result = self.search(self.suite, "--attempts", "5k", "--jobs", "1", "--json", "events",
                             "--", "empty")
        self.assert_nothing_found(result)
        done = self.events()[-1]
        self.assertEqual(done["event"], "done")
        self.assertGreater(done["runs"], 4000, json.dumps(done))

    def test_a_search_stops_growing_where_runs_draw_no_more(self):
        result = self.search(self.suite, "--jobs", "1", "--attempts", "20", "--json", "events",
                             "--", "draws", "16")
        self.assert_nothing_found(result)
        self.assertEqual(self.events()[-1]["statistics"]["drawn"]["max"], 16, str(result))
        self.assert_says(result, "2 sizes up to 32")

    def test_it_ends_when_its_driver_is_killed(self):
        process = self.start(frng.SEARCH, self.suite, "--time", "60s", "--json", "events", "--",
                             "draws", "8")
        self.assertTrue(frng.wait_until(lambda: self.left_processes() and
                                        (self.folder / "events").exists(), 20))
        process.kill()
        process.wait()
        self.assertTrue(frng.wait_until(lambda: not self.left_processes(), 20),
                        self.left_processes())


for _language in LANGUAGES:
    if os.environ.get("FRNG_LANGUAGE", _language) == _language and (HERE / _language).is_dir():
        _name = _language.capitalize()
        globals()[_name] = type(_name, (Port, frng.Scenario), {"language": _language,
                                                               "__module__": __name__})


load_tests = frng.load_tests

if __name__ == "__main__":
    frng.main()
