"""frng-reduce --explain: what each draw means, checked against all values of small domains."""

import itertools
import pathlib
import signal
import unittest

import frng

EXPLAINED = frng.SUTS / "sut-explained"


class RanOut(Exception):
    """The entropy ran out: the run passes."""


class Choices:
    """The draws of a run that follow a list of values, under the bounds that they have then."""

    def __init__(self, values):
        self.values, self.bounds = list(values), []

    def draw(self, most):
        if len(self.bounds) == len(self.values):
            raise RanOut
        self.bounds.append(most)
        return min(self.values[len(self.bounds) - 1], most)


def three(fails):
    return lambda c: fails(c.draw(30), c.draw(40), c.draw(25))


def bounded(c):
    count = c.draw(12)
    return c.draw(count) == count - 1 and count >= 3


def counted(c):
    return sum(c.draw(3) for _ in range(c.draw(6))) >= 5


# What the ways of tests/sut/explained.c do, written once more.
MODELS = {
    "sizes": three(lambda x, y, z: 4 <= y <= 20),
    "equal": three(lambda x, y, z: x == y),
    "all-equal": three(lambda x, y, z: x == y == z),
    "larger": three(lambda x, y, z: y > x),
    "larger-from": three(lambda x, y, z: y > x >= 10),
    "odd": three(lambda x, y, z: z % 2 == 1),
    "fives": three(lambda x, y, z: x % 5 == 3),
    "listed": three(lambda x, y, z: x in (1, 4, 9)),
    "except": three(lambda x, y, z: x != 2 and y != 0),
    "not-both": three(lambda x, y, z: x == 0 or y == 0),
    "sum": three(lambda x, y, z: x + y + z >= 20),
    "different": three(lambda x, y, z: x != y),
    "at-most": three(lambda x, y, z: x <= y and y >= 7),
    "scattered": three(lambda x, y, z: x * 37 % 31 < 12),
    "bounded": bounded,
    "counted": counted,
}

def failing(statement, value, domain):
    """The values that fail by a statement; None if it leaves that open."""
    kind = statement["fails"]
    if kind == "any":
        return set(domain)
    if kind in ("only", "fixed"):
        return {value}
    if kind == "range":
        return set(range(int(statement["low"]), int(statement["high"]) + 1, statement["step_size"]))
    if kind in ("set", "except"):
        values = set(map(int, statement["values"]))
        return values if kind == "set" else set(domain) - values
    return None


class Explaining(frng.Scenario):
    def explain(self, *arguments, expected=1):
        """The event of the end of a reduction that explains its result, and what it printed."""
        result = self.run_tool(frng.REDUCE, "--json", "events", *arguments)
        self.assert_exit(result, expected)
        events = frng.latest(self.folder / "events")
        return events[-1], result

    def way(self, way, *arguments, start="ff" * 40):
        """The same for a way of the program; from any failure that has these bytes."""
        return self.explain("--input", self.failing_input(way), *arguments, EXPLAINED, "--", way)

    def failing_input(self, way):
        result = self.run_tool(frng.SEARCH, EXPLAINED, "--rng-seed", 1, "--attempts", 2000, "--",
                               way)
        self.assert_exit(result, 1)
        size, seed = frng.find_result(result.stdout)
        dump = self.run_tool(frng.REPLAY, "--size", size, "--seed", seed, "--dump")
        (self.folder / "start").write_bytes(dump.stdout_bytes)
        return "start"


class Statements(Explaining):
    def check_alone(self, model, values, bounds, statement):
        """A statement about one draw is exactly what the model does with each of its values."""
        i = statement["draw"]
        domain = range(bounds[i] + 1)

        def run(value):
            return fails(model, values[:i] + [value] + values[i + 1:])

        expected = {value for value in domain if run(value)}
        stated = failing(statement, values[i], domain)
        self.assertTrue(statement["exact"])
        if statement["fails"] == "some":
            self.assertEqual((statement["tried"], statement["failed"]),
                             (len(domain) - 1, len(expected) - 1))
        elif stated is not None:
            self.assertEqual(stated, expected, statement)

    def check_equal(self, model, values, bounds, statement):
        """A draw fails just where it is equal to the other one, whatever that is."""
        i, j = statement["draw"], statement["other"]
        for other in range(bounds[j] + 1):
            for own in range(bounds[i] + 1):
                moved = replaced(values, (i, j), (own, other))
                self.assertEqual(fails(model, moved), own == other, (statement, moved))

    @frng.long
    def test_no_statement_is_false_on_small_domains(self):
        for way, model in MODELS.items():
            with self.subTest(way=way):
                done, _ = self.way(way, "--explain", "yes")
                found = done["explanation"]
                values = [int(s["value"]) for s in found["statements"]]
                choices = Choices(values)
                self.assertTrue(model(choices))
                self.assertEqual((found["draws"], found["explained"], found["cut"]),
                                 (len(values), len(values), None))
                for statement in found["statements"]:
                    check = self.check_equal if statement["fails"] == "equal" \
                        else self.check_alone
                    check(model, values, choices.bounds, statement)
                self.check_together(model, values, choices.bounds, found)

    def check_together(self, model, values, bounds, found):
        free = [s["draw"] for s in found["statements"] if s["fails"] == "any"]
        if len(free) < 2:
            self.assertIsNone(found["together"])
            return
        self.assertEqual((found["together"]["draws"], found["together"]["runs"]), (len(free), 20))
        every = all(fails(model, replaced(values, free, moved)) for moved in
                    itertools.product(*(range(bounds[i] + 1) for i in free)))
        if every:
            self.assertEqual(found["together"]["failed"], 20)
        if way_fails_seldom(model, values, free, bounds):
            self.assertLess(found["together"]["failed"], 20)

    def expect_texts(self, way, expected):
        done, result = self.way(way, "--explain", "yes")
        texts = {s["name"]: s["text"] for s in done["explanation"]["statements"]}
        self.assertEqual(texts, expected, str(result))
        for text in expected.values():
            self.assertRegex(result.stderr, rf"(?m)  {text}$")

    def test_statements_say_it_in_words(self):
        for way, expected in {
                "sizes": {"key": "any", "size": "4..20", "rest": "any"},
                "equal": {"key": "= size", "size": "= key", "rest": "any"},
                "odd": {"key": "any", "size": "any", "rest": "1..25, odd"},
                "fives": {"key": "3..28 in steps of 5", "size": "any", "rest": "any"},
                "listed": {"key": "1, 4 or 9", "size": "any", "rest": "any"},
                "except": {"key": "any but 2", "size": "1..40", "rest": "any"},
        }.items():
            with self.subTest(way=way):
                self.expect_texts(way, expected)

    def test_values_of_every_kind_are_shown_as_in_a_trace(self):
        done, _ = self.way("kinds", "--explain", "yes")
        texts = [(s["name"], s["text"]) for s in done["explanation"]["statements"]]
        self.assertEqual(texts[:3], [("number", "-32768..-300"), ("coin", "only true"),
                                     ("real", "2.5..10")])
        self.assertEqual(texts[3][0], "text")
        self.assertEqual(texts[3][1], "'d'..'z'")
        self.assertEqual(texts[-1], ("wide", "any"))


def fails(model, values):
    try:
        return model(Choices(values))
    except RanOut:
        return False


def replaced(values, places, moved):
    result = list(values)
    for place, value in zip(places, moved):
        result[place] = value
    return result


def way_fails_seldom(model, values, free, bounds):
    """Whether so few of the free values fail together that twenty runs meet one that passes."""
    total = failed = 0
    for moved in itertools.product(*(range(bounds[i] + 1) for i in free)):
        total += 1
        failed += fails(model, replaced(values, free, moved))
    return failed * 2 < total


class Reports(Explaining):
    def test_a_failure_at_another_place_is_another_failure(self):
        done, result = self.explain("--hex", "c7", "--explain", "yes", EXPLAINED, "--", "placed")
        self.assertEqual([s["text"] for s in done["explanation"]["statements"]], ["100..199"],
                         str(result))

    def test_the_table_has_the_column(self):
        _, result = self.way("sizes", "--explain", "yes")
        lines = result.stderr.splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("offset"))
        self.assertEqual(lines[head].split(),
                         ["offset", "note", "bytes", "draw", "value", "fails", "with"])
        begin = lines[head].index("fails with")
        self.assertEqual([line[begin:] for line in lines[head + 1:head + 4]],
                         ["any", "4..20", "any"])

    def test_a_finding_keeps_it_for_its_replay(self):
        self.way("sizes", "--findings", "found")
        (name, kept), = [item for item in frng.findings(self.folder / "found").items()
                         if "fails_with" in item[1]]
        self.assertEqual([row["text"] for row in kept["fails_with"]], ["any", "4..20", "any"])
        result = self.replay("--finding", f"found/{name}", "--trace")
        self.assert_exit(result, 1)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].endswith("  fails with"), str(result))
        self.assertEqual([line.split()[-1] for line in lines[1:4]], ["any", "4..20", "any"])

    def test_by_default_it_takes_a_few_rows(self):
        done, result = self.way("sizes")
        self.assertEqual(done["explanation"]["explained"], 3)
        self.assertRegex(result.stderr, r"(?m)^  explain  .* runs\)\n"
                         r"           key   any\n           size  4\.\.20\n           rest  any\n"
                         r"           random values of all \"any\" draws at once fail, too "
                         r"\(20 runs\)$")
        self.assertNotIn("\noffset", result.stderr)

    def test_runs_that_take_long_are_not_explained_unless_asked(self):
        for seconds, is_slow in ((0.006, False), (0.2, True)):
            sut = self.script("slow", f"sleep {seconds}\nexit $(( $(wc -c) > 0 ))\n")
            done, result = self.explain("--hex", "00", "--jobs", 1, sut)
            if is_slow:
                self.assertIsNone(done["explanation"])
                self.assert_says(result, "explain  nothing: runs take over 50 ms; --explain yes")
            else:
                self.assertIsNone(done["explanation"]["cut"], str(result))
                self.assertGreater(done["explanation"]["runs"], 200)

    def test_an_explanation_that_is_cut_says_so(self):
        done, result = self.explain("--hex", "00" * 200, EXPLAINED, "--", "many")
        found = done["explanation"]
        self.assertEqual((found["cut"], found["draws"]), ("calls", 200))
        self.assertLess(found["explained"], 200)
        self.assertEqual(len(found["statements"]), found["explained"])
        self.assertLessEqual(found["runs"], 2000)
        self.assert_says(result, f"{found['explained']} of 200 draws explained: 2,000 runs are over")

    def test_a_signal_ends_the_explanation_and_keeps_the_result(self):
        explored = self.folder / "explored"  # values that no reduction of 5 tries
        slow = self.write("slow.py", "#!/usr/bin/env python3\nimport sys, time\n"
                          "data = sys.stdin.buffer.read(1)\n"
                          f"if data > b'\\5': open({str(explored)!r}, 'w'), time.sleep(0.1)\n"
                          "sys.exit(data != b'')\n", executable=True)
        process = self.start(frng.REDUCE, "--hex", "05", "--explain", "yes", "--json", "events",
                             slow)
        self.assertTrue(frng.wait_until(explored.exists))
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assert_exit(frng.Result(process.args, process.returncode, stdout, stderr, 0),
                         -signal.SIGINT)
        self.assertEqual(stdout, b"size=1 hex=00\n")
        self.assertIn(b"0 of 1 draws explained: a signal or an error stopped it", stderr)
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual(done["explanation"]["cut"], "stopped")

    @frng.long
    def test_modes_and_jobs_change_no_statement(self):
        for way, option, values in (("all-equal", "--jobs", (1, 2, 3)),
                                    ("larger", "--mode", ("spawn", "fork", "persistent"))):
            seen = [self.way(way, "--explain", "yes", option, value)[0]["explanation"]["statements"]
                    for value in values]
            self.assertEqual(seen, 3 * seen[:1])

    def test_the_result_does_not_depend_on_it(self):
        with_it, _ = self.way("sum", "--explain", "yes", "--jobs", 1)
        without, result = self.way("sum", "--explain", "no", "--jobs", 1)
        self.assertIsNone(without["explanation"])
        self.assertNotIn("  explain ", result.stderr)
        self.assertEqual(with_it["hex"], without["hex"])
        self.assertEqual(with_it["successes"], without["successes"])

    @frng.long
    def test_bytes_of_a_program_without_draws_are_explained(self):
        script = self.write("letters.py", "#!/usr/bin/env python3\nimport sys\n"
                            "data = sys.stdin.buffer.read(3)\n"
                            "sys.exit(len(data) == 3 and data[0] == 65 and data[2] >= 16)\n",
                            executable=True)
        done, result = self.explain("--hex", "41ffff", "--explain", "yes", script)
        texts = [s["text"] for s in done["explanation"]["statements"]]
        self.assertEqual(texts[0], "only 0x41", str(result))
        done, result = self.explain("--hex", "ff" * 100, "--explain", "yes",
                                    self.write("long.py", "#!/bin/sh\n"
                                               "exit $(( $(wc -c) >= 100 ))\n", executable=True))
        self.assertIsNone(done["explanation"])
        self.assertIn("explain  nothing: the program reports no draws", result.stderr)

    def test_values_whose_encodings_are_longer_than_the_input_are_tried(self):
        done, result = self.explain("--hex", "03010100", "--explain", "yes", EXPLAINED, "--",
                                    "lengths")
        found = done["explanation"]
        self.assertEqual([s["fails"] for s in found["statements"]], ["range"] + 3 * ["any"],
                         str(result))
        self.assertIsNone(found["cut"])

    def test_a_flaky_failure_is_not_explained(self):
        _, result = self.explain("--hex", "00" * 4, "--explain", "yes", *frng.modes("flaky", 50, 1))
        self.assertIn("explain  nothing: ", result.stderr)

    @frng.long
    def test_more_draws_than_a_question_has_room_for(self):
        port = pathlib.Path(frng.__file__).resolve().parents[2] / "frng" / "python"
        target = self.write("many.py", "\n".join((
            "#!/usr/bin/env python3", "import sys", f"sys.path.insert(0, {str(port)!r})",
            "import frng", "@frng.main", "def test(f):", "    for _ in range(30000): f.u8()",
            "    raise ValueError")), executable=True)
        result = self.run_tool(frng.REDUCE, target, "--size", 30000, "--seed", 3, "--jobs", 1,
                               "--calls", 60, "--explain", "yes", timeout=120)
        self.assert_exit(result, 1)
        self.assertIn("0 of 30000 draws explained", result.stderr)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
