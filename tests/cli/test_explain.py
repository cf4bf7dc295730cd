"""frng-reduce --explain: what each draw means, checked against all values of small domains. Its words
are in tests/transcripts/explain.t."""

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
    "larger": three(lambda x, y, z: y > x),
    "odd": three(lambda x, y, z: z % 2 == 1),
    "fives": three(lambda x, y, z: x % 5 == 3),
    "listed": three(lambda x, y, z: x in (1, 4, 9)),
    "except": three(lambda x, y, z: x != 2 and y != 0),
    "sum": three(lambda x, y, z: x + y + z >= 20),
    "different": three(lambda x, y, z: x != y),
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


class Statements(frng.Scenario):
    def explanation(self, way):
        """That of the smallest failure of a way of the program."""
        result = self.search("--rng-seed", 1, "--attempts", 2000, EXPLAINED, "--", way)
        size, seed = self.assert_found(result)
        self.assert_exit(self.reduce("--json", "events", "--size", size, "--seed", seed, "--explain", "yes",
                                     EXPLAINED, "--", way), 1)
        return frng.latest(self.folder / "events")[-1]["explanation"]

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
                found = self.explanation(way)
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
        failed = [fails(model, replaced(values, free, moved)) for moved in
                  itertools.product(*(range(bounds[i] + 1) for i in free))]
        if all(failed):
            self.assertEqual(found["together"]["failed"], 20)
        if 2 * sum(failed) < len(failed):  # twenty runs meet one that passes
            self.assertLess(found["together"]["failed"], 20)


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


class Ends(frng.Scenario):
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
        result = self.ended(process)
        self.assertEqual((result.exit, result.stdout), (-signal.SIGINT, "size=1 hex=00\n"), str(result))
        self.assert_says(result, "0 of 1 draws explained: a signal or an error stopped it")
        done = frng.json_lines((self.folder / "events").read_text())[-1]
        self.assertEqual(done["explanation"]["cut"], "stopped")

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
