"""Findings in one folder that several nodes mount: nodefs.c is what each of them sees of it.

Locks are local to a node, what another node removed is ESTALE, syncing takes 50 ms, and names and
listings are cached. FRNG_NODES=25 makes 25 searches instead of a few, and prints figures.
SPDX-License-Identifier: MIT
"""

import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import frng

NODEFS = frng.BUILD / "tests" / "nodes" / "nodefs"
SEARCHES = int(os.environ.get("FRNG_NODES", "6"))
STARTS = 80
AT_ONCE = 3
TARGET = frng.modes("at-least", 2**19 + 1) # a search has some 20 bests: it bisects from 2^20 bytes
NODE = {"fsync": 50, "trip": 2, "cache": 200} # milliseconds
HOUR_S = 3600
ALMOST_AN_HOUR_S = HOUR_S - 60 # the minute is for writers on a slow machine


def skip_reason():
    """Why nothing can be mounted here, or None."""
    if not NODEFS.exists():
        return "nodefs was not built: libfuse3 is missing"
    with tempfile.TemporaryDirectory(prefix="frng-nodes-") as folder:
        node = Node(folder, pathlib.Path(folder, "mount"))
        try:
            return None if node.is_mounted() else f"mounting is refused here: {node.error()}"
        finally:
            node.end()


class Node:
    """A node that mounts a folder."""

    def __init__(self, backing, mount, environment=None, **settings):
        self.mount = pathlib.Path(mount)
        self.mount.mkdir()
        words = [f"{name}={value}" for name, value in {**NODE, **settings}.items()]
        self.output = tempfile.TemporaryFile("w+")
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([NODEFS, backing, mount, *words], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=self.errors)
        frng.wait_until(lambda: self.lines() or self.process.poll() is not None)

    def lines(self):
        return os.pread(self.output.fileno(), 1 << 20, 0).decode().splitlines()

    def error(self):
        return os.pread(self.errors.fileno(), 1 << 12, 0).decode().strip()

    def is_mounted(self):
        return self.lines()[:1] == ["mounted"]

    def removed(self):
        """The names of the files that it removed and did not make."""
        return [line.removeprefix("removed ") for line in self.lines()[1:]]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill() # fusermount3 unmounts
            self.process.wait()
        frng.wait_until(lambda: not os.path.ismount(self.mount), 10)
        self.output.close()
        self.errors.close()


def sizes_of(names):
    return sorted(int(name[:10]) for name in names if frng.FINDING_NAME.fullmatch(name))


class Tally:
    """What searches on one node, and those that started on another meanwhile, came to."""

    def __init__(self):
        self.lost, self.skips, self.starts, self.searches, self.findings = [], [], 0, 0, 0

    def __str__(self):
        return (f"{len(self.lost)} of {self.searches} searches lost one of {self.findings} "
                f"findings, {len(self.skips)} of {self.starts} starts skipped the best")


REASON = skip_reason()


@unittest.skipIf(REASON, REASON)
class Nodes(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.backing = self.folder / "backing"
        self.backing.mkdir()

    def node(self, name, **settings):
        node = Node(self.backing, self.folder / name, self.environment, **settings)
        self.addCleanup(node.end)
        self.assertTrue(node.is_mounted(), node.error())
        return node

    def on(self, node, found, *arguments, **more):
        """A search on a node that has begun."""
        return self.start(frng.SEARCH, "--findings", node.mount / found, "--jobs", 1,
                          "--attempts", 5, *arguments, *TARGET, **more)

    # ---- A node where searches start over and over ----

    def start_once(self, node, found, tally):
        """Start a search and end it once it has replayed a finding, or has found one."""
        there = sizes_of(os.listdir(node.mount / found))
        process = self.on(node, found, "--json", "-")
        first = next((line for line in process.stdout if b'"event":"best"' in line), b"")
        process.terminate()
        errors = process.communicate()[1].decode()
        replayed = int(re.search(rb'"size":(\d+)', first)[1]) if first else None
        tally.starts += 1
        if replayed is None or replayed > there[0] or "skipped" in errors:
            tally.skips.append(f"{there[0]} is there, {replayed} was replayed: {errors}")
        if process.returncode not in (1, -signal.SIGTERM):
            tally.lost.append(f"start: exit {process.returncode}: {errors}")

    def start_beside(self, process, node, found, tally):
        while process.poll() is None:
            if (self.backing / found).exists() and sizes_of(os.listdir(self.backing / found)):
                frng.wait_until((node.mount / found).exists)
                if sizes_of(os.listdir(node.mount / found)):
                    self.start_once(node, found, tally)
            time.sleep(0.01)

    # ---- Searches on another node meanwhile ----

    def announced(self, events):
        """The names of the findings that a search told of."""
        return {frng.finding_name(event["size"], event["seed"])
                for event in frng.json_lines((self.folder / events).read_text())
                if event["event"] == "best"}

    def search_once(self, nodes, found, tally):
        writer, starter = nodes
        process = self.on(writer, found, "--json", f"{found}.events")
        self.start_beside(process, starter, found, tally)
        errors = process.communicate()[1].decode()
        announced = self.announced(f"{found}.events")
        missing = {min(announced)} - set(frng.findings(self.backing / found))
        tally.searches += 1
        tally.findings += len(announced)
        if process.returncode != 1 or missing:
            tally.lost.append(f"exit {process.returncode}, without {missing}: {errors}")

    def search_beside_starts(self, count, writer, starter):
        """`count` searches on the node `writer`, some at once, beside starts on the other node."""
        tally = Tally()
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as at_once:
            for done in [at_once.submit(self.search_once, (writer, starter), f"found-{i}", tally)
                         for i in range(count)]:
                done.result()
        self.report(tally)
        self.assertEqual(tally.searches, count)
        return tally

    def report(self, tally):
        if "FRNG_NODES" in os.environ:
            print(f"{self._testMethodName}: {tally}")

    def assert_nothing_lost(self, tally):
        self.assertGreater(tally.starts, 0)
        self.assertEqual(tally.lost, [], str(tally))
        self.assertEqual(tally.skips, [], str(tally))

    @frng.long
    def test_starts_beside_writers(self):
        writer, starter = self.node("a"), self.node("b")
        tally = self.search_beside_starts(SEARCHES, writer, starter)
        self.assert_nothing_lost(tally)
        self.assertGreater(tally.findings, 12 * SEARCHES)
        self.assertEqual(starter.removed(), [])

    # ---- Starts while another node writes what they read ----

    def rewrite(self, path, is_over):
        """Replace a file by the same again and again."""
        beside = path.with_name("new")
        text = path.read_text()
        while not is_over.is_set():
            with open(beside, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.rename(beside, path)

    def test_starts_while_the_best_is_replaced(self):
        writer, starter = self.node("a"), self.node("b")
        tally, is_over = Tally(), threading.Event()
        self.assertEqual(self.on(writer, "found").wait(), 1)
        best = min((writer.mount / "found").glob("*.json"))
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE + 1) as at_once:
            replacing = at_once.submit(self.rewrite, best, is_over)
            starts = [at_once.submit(self.start_once, starter, "found", tally)
                      for _ in range(STARTS)]
            concurrent.futures.wait(starts)
            is_over.set()
            for done in [replacing, *starts]:
                done.result()
        self.report(tally)
        self.assertEqual(tally.starts, STARTS)
        self.assert_nothing_lost(tally)

    # ---- Searches on both nodes that learn from each other ----

    def test_searches_that_sync(self):
        nodes = self.node("a"), self.node("b")
        searches = [self.on(nodes[i % 2], "found", "--sync", "200ms", "--json", f"{i}.events")
                    for i in range(4)]
        for process in searches:
            stdout, stderr = process.communicate()
            self.assertEqual(process.returncode, 1, stderr.decode())
            self.assertEqual(frng.find_result(stdout.decode())[0], 2**19 + 1)
        announced = {name for i in range(4) for name in self.announced(f"{i}.events")}
        there = frng.findings(self.backing / "found")
        self.assertEqual(min(there), min(announced))
        self.assertLessEqual(len(there), len(searches)) # each has removed its own larger ones
        for node in nodes:
            temporary = [name for name in node.removed() if name.startswith(".")]
            self.assertEqual(temporary, [])

    # ---- Clocks ----

    def leave_temporary(self, found, number, age_s):
        """What a killed writer left, `age_s` ago by the clock of the server."""
        path = self.backing / found / f".{frng.finding_name(number, '1')}.{number:016x}"
        path.write_text("{")
        os.utime(path, (time.time() - age_s,) * 2)
        return path

    def search_with_clocks(self, of_writer=None, of_starter=None):
        """Nothing is lost, whatever the clocks say. Answers the node where searches start."""
        writer, starter = self.node("a", **(of_writer or {})), self.node("b", **(of_starter or {}))
        self.assert_nothing_lost(self.search_beside_starts(AT_ONCE, writer, starter))
        return starter

    def check_clocks(self, of_writer=None, of_starter=None):
        """No live temporary is removed; one of three hours ago is."""
        starter = self.search_with_clocks(of_writer, of_starter)
        self.assertEqual(starter.removed(), [])
        old = self.leave_temporary("found-0", 1, 3 * HOUR_S)
        young = self.leave_temporary("found-0", 2, HOUR_S / 2)
        self.start_once(starter, "found-0", Tally())
        self.assertFalse(old.exists())
        self.assertTrue(young.exists() or "given" in (of_starter or {}))

    @frng.long
    def test_clock_behind_the_server(self):
        self.check_clocks(of_writer={"seen": HOUR_S}, of_starter={"seen": HOUR_S})

    def test_clock_ahead_of_the_server(self):
        self.check_clocks(of_writer={"seen": -HOUR_S}, of_starter={"seen": -HOUR_S})

    @frng.long
    def test_clock_that_gives_times_is_behind(self):
        self.check_clocks(of_writer={"given": -ALMOST_AN_HOUR_S})

    @frng.long
    def test_clock_that_gives_times_is_ahead(self):
        self.check_clocks(of_starter={"given": ALMOST_AN_HOUR_S})

    def test_clock_that_gives_times_is_far_ahead(self):
        # Now live temporaries of the other node are hours old; what was in them is written anew.
        self.search_with_clocks(of_starter={"given": 2 * HOUR_S})


load_tests = frng.load_tests # in parts

if __name__ == "__main__":
    frng.main()
