#!/usr/bin/env python3
"""The screen and the status line, on real terminals: those of tmux. SPDX-License-Identifier: MIT"""

import re
import shlex
import shutil
import subprocess
import time
import unittest

import frng

TMUX = shutil.which("tmux")
SIZES = ((80, 24), (200, 50), (50, 15), (20, 5))
SEARCH = (frng.SEARCH, "--attempts", "100000000", "--time", "1h", "--rng-seed", "7", "--")
BRAILLE_OR_BLOCK = re.compile("[\u2800-\u28ff\u2580-\u259f]")


@unittest.skipUnless(TMUX, "tmux is not installed")
class Terminal(frng.Scenario):
    """A shell in a terminal of tmux, whose server and socket are the scenario's own."""

    def open(self, columns=80, rows=24, locale="C.UTF-8", **variables):
        self.environment.update(LC_ALL=locale, HISTFILE="", **variables)
        self.environment.pop("TMUX", None)
        self.servers = getattr(self, "servers", 0) + 1
        self.socket = str(self.folder / f"tmux-{self.servers}")
        self.addCleanup(subprocess.run, [TMUX, "-S", self.socket, "kill-server"],
                        env=dict(self.environment), stderr=subprocess.DEVNULL, check=False)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows,
                  "exec env 'PS1=$ ' bash --noprofile --norc")
        self.wait_for(r"\$ ?$")

    def tmux(self, *words):
        done = subprocess.run([TMUX, "-u", "-S", self.socket, *map(str, words)], text=True,
                              env=self.environment, cwd=self.folder, capture_output=True,
                              timeout=frng.PATIENCE_S, check=True)
        return done.stdout

    def type(self, *words):
        self.tmux("send-keys", *words)

    def command(self, *words):
        self.type("-l", shlex.join(map(str, words)))
        self.type("Enter")

    def shown(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def wait_for(self, pattern, flags=re.MULTILINE):
        """Return the text of the terminal once it shows the pattern."""
        end = time.monotonic() + frng.PATIENCE_S
        while time.monotonic() < end:
            text = self.shown().rstrip("\n")
            if re.search(pattern, text, flags):
                return text
            time.sleep(0.05)
        self.fail(f"no {pattern!r} in\n{text}")

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", columns, "-y", rows)

    def assert_terminal_is_as_before(self, before):
        """The cursor is visible, the modes are those of before, and the shell has its prompt."""
        self.wait_for(r"\$ ?$")
        self.assertEqual(self.tmux("display-message", "-p", "#{cursor_flag}#{alternate_on}").strip(),
                         "10")
        self.assertEqual(self.modes("after"), before)

    def modes(self, name):
        self.type("-l", f"stty -a >{name}; clear; echo {name}-done")
        self.type("Enter")
        self.wait_for(f"^{name}-done")
        return (self.folder / name).read_text()

    def start_search(self, *options, mode=("at-least", 3)):
        self.command(SEARCH[0], *options, *SEARCH[1:-1], *frng.modes(*mode))

    def wait_for_the_best(self):
        """Return the text of the terminal once the smallest failure is confirmed."""
        return self.wait_for(r"best +size 3 fails with ")


class Sizes(Terminal):
    def test_a_search_fits_each_terminal(self):
        for locale in ("C.UTF-8", "C"):
            for columns, rows in SIZES:
                with self.subTest(locale=locale, columns=columns):
                    self.open(columns, rows, locale)
                    self.start_search()
                    self.check_search(columns, rows, locale)
                    self.tmux("kill-server")

    def check_search(self, columns, rows, locale):
        if columns < 60 or rows < 12:
            text = self.wait_for(r"^size \d+ \| best")
            self.assertNotIn("frng-search  ", text)
            return
        self.wait_for(r"^  passes +[\d,]+ of [\d,]+ in a row")
        text = self.wait_for_the_best()
        lines = text.split("\n")
        self.assertEqual(sum("frng-search " in line and "left" in line for line in lines), 1, text)
        for label in ("best", "now", "passes", "bound", "effort", "also"):
            self.assertEqual(len(re.findall(f"^  {label} ", text, re.MULTILINE)), 1, text)
        self.assertRegex(text, r"size over runs +failures by size")
        self.assertRegex(text, r"\d:\d\d(:\d\d)? left")
        self.assertEqual(bool(BRAILLE_OR_BLOCK.search(text)), locale != "C", text)
        if locale == "C":
            self.assertTrue(text.isascii(), text)

    def test_a_reduction_fits_each_terminal(self):
        self.write("interesting.txt", "".join(f"line number {i}\n" for i in range(3000)))
        self.script("slow", "sleep 0.05; grep -q 'number 1234' \"$1\"\n")
        for columns, rows in SIZES:
            with self.subTest(columns=columns):
                self.open(columns, rows)
                self.command(frng.REDUCE, "--predicate", "./slow", "interesting.txt", "--output",
                             f"out{columns}")
                if columns < 60:
                    self.wait_for(r"^[\d,]+ bytes? \| [\d,]+ ")
                else:
                    text = self.wait_for(r"^  best +line number \d+")
                    for part in (r"size +[\d,]+ of [\d,]+ bytes", r"calls +[\d,]+, [\d,]+/s",
                                 r"steps +[\d,]+, the last [\d.:]+ ?s? ago",
                                 r"pass +[\w-]+, \d+ of \d+ in its round", "size over calls",
                                 r"change +\w+ at [\d,]+: -[\d,]+ \+[\d,]+ byte"):
                        self.assertRegex(text, part)
                self.tmux("kill-server")

    def test_a_resized_terminal_has_one_screen_that_fits(self):
        self.open(80, 24)
        self.start_search()
        self.wait_for("size over runs")
        for columns, rows in ((120, 40), (70, 20), (50, 15), (100, 30), (20, 5), (80, 24)):
            self.resize(columns, rows)
            if columns < 60:
                self.wait_for(r"^size \d+ \| best")
                continue
            self.wait_for(r"^frng-search .* left$")
            text = self.wait_for("size over runs")
            self.assertLessEqual(max(map(len, text.split("\n"))), columns)
            for part in ("^frng-search /", "size over runs"):
                self.assertEqual(len(re.findall(part, text, re.MULTILINE)), 1, text)


class Ends(Terminal):
    def setUp(self):
        super().setUp()
        self.open()
        self.before = self.modes("before")
        self.type("-l", "clear")
        self.type("Enter")

    def test_control_c_leaves_the_report_and_the_terminal(self):
        self.start_search()
        self.assertIn("size over runs", self.wait_for_the_best())
        self.type("C-c")
        text = self.wait_for(r"^size=3 seed=\d+")
        self.assertIn("smallest failure", text)
        self.assertNotIn("size over runs", text)
        self.assert_terminal_is_as_before(self.before)

    def test_signals_leave_the_report_and_the_terminal(self):
        for name in ("TERM", "HUP", "QUIT", "KILL", "ABRT", "SEGV"):
            with self.subTest(signal=name):
                self.start_search()
                self.assertIn("size over runs", self.wait_for_the_best())
                self.signal(name)
                if name not in ("KILL", "ABRT", "SEGV"):
                    self.wait_for(r"^size=3 seed=\d+")
                self.assert_terminal_is_as_before(self.before)

    def signal(self, name):
        """Send a signal to the search in the terminal: the oldest of its processes."""
        searches = [pid for pid, command in self.left_processes().items()
                    if command.startswith(frng.SEARCH)]
        subprocess.run(["kill", f"-{name}", str(min(searches))], check=True)

    def test_the_end_of_the_time_leaves_the_report_alone(self):
        self.tmux("pipe-pane", "-o", "cat >>printed")
        self.assertTrue(frng.wait_until((self.folder / "printed").exists))
        self.command(frng.SEARCH, "--time", "1s", *frng.modes("naps"))
        text = self.wait_for("^no failure")
        self.assertIn(b"size over runs", (self.folder / "printed").read_bytes())
        self.assertNotIn("size over runs", text)
        self.assert_terminal_is_as_before(self.before)

    def test_an_error_leaves_one_line(self):
        self.command(frng.SEARCH, "--ui", "screen", "./missing")
        self.wait_for("^frng-search: ./missing: ")
        self.assert_terminal_is_as_before(self.before)

    def test_a_stopped_search_goes_on_below_what_the_shell_has_printed(self):
        self.start_search()
        self.wait_for_the_best()
        self.type("C-z")
        self.wait_for(r"Stopped")
        self.assertEqual(self.tmux("display-message", "-p", "#{cursor_flag}").strip(), "1")
        self.type("-l", "clear; echo from the shell")
        self.type("Enter")
        self.wait_for(r"^from the shell")
        time.sleep(0.5)
        self.assertNotIn("size over runs", self.shown())
        self.type("-l", "fg")
        self.type("Enter")
        text = self.wait_for("size over runs")
        self.assertEqual(text.count("size over runs"), 1, text)
        self.type("C-c")
        self.wait_for(r"^size=3 seed=\d+")
        self.assert_terminal_is_as_before(self.before)

    def test_a_search_in_the_background_draws_nothing(self):
        self.start_search()
        self.wait_for("size over runs")
        self.type("C-z")
        self.wait_for(r"Stopped")
        self.type("-l", "bg; clear; echo from the shell")
        self.type("Enter")
        self.wait_for(r"^from the shell")
        time.sleep(1)
        self.assertNotIn("size over runs", self.shown())
        self.type("-l", "fg")
        self.type("Enter")
        self.wait_for("size over runs")
        self.type("C-c")
        self.assert_terminal_is_as_before(self.before)


class Styles(Terminal):
    def test_no_color_leaves_a_screen_without_colours(self):
        self.open(NO_COLOR="1")
        self.start_search()
        self.wait_for("size over runs")
        self.assertNotIn("\x1b", self.shown("-e"))

    def test_a_dumb_terminal_has_no_screen(self):
        self.open()
        self.command("env", "TERM=dumb", frng.SEARCH, "--time", "1s", *frng.modes("naps"))
        text = self.wait_for("^no failure")
        self.assertNotIn("size over runs", text)

    def test_the_line_can_be_chosen(self):
        self.open(120)  # in fewer columns the end of the line goes
        self.start_search("--ui", "line")
        self.wait_for(r"^size \d+ \| best 3 \| [\d,]+/[\d,]+ passes \| .* left")
        self.assertNotIn("size over runs", self.shown())

    def test_what_a_target_prints_cannot_take_the_screen(self):
        self.open()
        self.script("sut", "printf 'a\\033[2J\\033]0;title\\007\\r\\377 end\\n'; "
                    "test $(wc -c) -lt 3\n")
        self.command(frng.SEARCH, "--mode", "spawn", "--attempts", "1000000", "./sut")
        text = self.wait_for(r"^  prints ")
        self.assertRegex(text, r"prints +a\\x1b\[2J\\x1b\]0;title\\x07\\x0d\\xff end")


class Refusals(frng.Scenario):
    def test_a_pipe_has_no_escapes(self):
        for ui in ("auto", "line", "none"):
            result = self.search("--ui", ui, "--time", "1s", *frng.modes("at-least", 3))
            self.assert_found(result, 3)
            self.assert_plain(result)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
