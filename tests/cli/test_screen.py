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

    def start_search(self, *options):
        self.command(SEARCH[0], *options, *SEARCH[1:-1], *frng.modes("at-least", 3))

    def wait_for_the_best(self):
        """Return the text of the terminal once the smallest failure is confirmed."""
        return self.wait_for(r"best +size 3 fails with ")

    # ---- Sizes and styles ----

    def test_a_search_fits_each_terminal(self):
        for columns, rows, locale in ((80, 24, "C.UTF-8"), (200, 50, "C"), (20, 5, "C.UTF-8")):
            with self.subTest(locale=locale, columns=columns):
                self.open(columns, rows, locale, NO_COLOR="1")
                self.start_search()
                self.check_search(columns, locale)
                self.assertNotIn("\x1b", self.shown("-e"))
                self.tmux("kill-server")

    def check_search(self, columns, locale):
        if columns < 60:
            self.wait_for(r"^size \d+ \| best")
            return
        self.wait_for(r"^  passes +[\d,]+ of [\d,]+ in a row")
        text = self.wait_for_the_best()
        self.assertRegex(text, r"(\A|\n)frng-search (/|\.\.\.).*/sut-modes at-least 3 +.* left\n")
        for label in ("best", "now", "passes", "bound", "effort", "also"):
            self.assertEqual(len(re.findall(f"^  {label} ", text, re.MULTILINE)), 1, text)
        self.assertRegex(text, r"size over runs +failures by size")
        self.assertEqual(bool(BRAILLE_OR_BLOCK.search(text)), locale != "C", text)
        self.assertEqual(text.isascii(), locale == "C", text)

    def test_a_reduction_has_its_parts(self):
        self.write("interesting.txt", "".join(f"line number {i}\n" for i in range(3000)))
        self.script("slow", "sleep 0.05; grep -q 'number 1234' \"$1\"\n")
        self.open()
        self.command(frng.REDUCE, "--predicate", "./slow", "interesting.txt", "--output", "out")
        text = self.wait_for(r"^  best +.*number \d+")
        for part in (r"size +[\d,]+ of [\d,]+ bytes", r"calls +[\d,]+, [\d,]+/s",
                     r"steps +[\d,]+, the last [\d.:]+ ?s? ago",
                     r"pass +[\w-]+, \d+ of \d+ in its round", "size over calls"):
            self.assertRegex(text, part)

    def test_a_resized_terminal_has_one_screen_that_fits(self):
        self.open()
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
            for part in (r"^frng-search (?:/|\.\.\.)", "size over runs"):
                self.assertEqual(len(re.findall(part, text, re.MULTILINE)), 1, text)

    def test_what_a_target_prints_cannot_take_the_screen(self):
        self.open()
        self.script("sut", "printf 'a\\033[2J\\033]0;title\\007\\r\\377 end\\n'; "
                    "test $(wc -c) -lt 3\n")
        self.command(frng.SEARCH, "--mode", "spawn", "--attempts", "1000000", "./sut")
        text = self.wait_for(r"^  prints ")
        self.assertRegex(text, r"prints +a\\x1b\[2J\\x1b\]0;title\\x07\\x0d\\xff end")

    def test_no_screen_where_it_cannot_be_or_is_not_wanted(self):
        self.open(120)  # in fewer columns the end of the line goes
        self.command("env", "TERM=dumb", frng.SEARCH, "--time", "1s", *frng.modes("naps"))
        self.assertNotIn("size over runs", self.wait_for("^no failure"))
        self.start_search("--ui", "line")
        self.wait_for(r"^size \d+ \| best 3 \| [\d,]+/[\d,]+ passes \| .* left")
        self.assertNotIn("size over runs", self.shown())

    # ---- Ends ----

    def test_each_end_leaves_the_report_and_the_terminal(self):
        self.open()
        before = self.modes("before")
        for end in ("C-c", "TERM", "KILL"):
            with self.subTest(end=end):
                self.start_search()
                self.assertIn("size over runs", self.wait_for_the_best())
                if end == "C-c":
                    self.type(end)
                else:
                    self.signal(end)
                if end != "KILL":
                    text = self.wait_for(r"^size=3 seed=\d+")
                    self.assertIn("smallest failure", text)
                    self.assertNotIn("size over runs", text)
                self.assert_terminal_is_as_before(before)

    def signal(self, name):
        """Send a signal to the search in the terminal: the only child of its shell."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        subprocess.run(["pkill", f"-{name}", "--parent", shell], check=True)

    def test_a_search_is_silent_while_it_is_stopped_or_in_the_background(self):
        self.open()
        before = self.modes("before")
        self.start_search()
        self.wait_for_the_best()
        for then in ("", "bg; "):
            self.type("C-z")
            self.wait_for(r"Stopped")
            self.type("-l", then + "clear; echo from the shell")
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
        self.assert_terminal_is_as_before(before)
