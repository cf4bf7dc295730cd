"""frng-reduce --explain: how it ends. What it says is in tests/transcripts/explain.t, and
tests/self/reducer.c runs all values of small draws."""

import pathlib
import signal

import frng


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
                               "--calls", 2, "--explain", "yes", timeout=120)
        self.assert_exit(result, 1)
        self.assertIn("0 of 30000 draws explained", result.stderr)
