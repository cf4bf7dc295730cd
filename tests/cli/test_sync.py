"""--sync: what a search takes from a folder of findings while others put theirs there."""
# suites: sanitized; parts: 2

import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import frng

FAILS_FROM = 200  # bytes; smaller inputs fail only if the file `bugs` says so


def digest_of(data):
    """What the program of these scenarios makes of its input: see PROGRAM."""
    return subprocess.run(["cksum"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout.decode().split()[0]


# `bugs` has the checksums of small inputs that fail, and `at-least` the size from which all do. Runs that
# pass take long once there is the file `pauses`.
PROGRAM = """set -- $(cksum)
if grep -qx "$1" bugs; then exit ${3:-1}; fi
read size < at-least
test "$2" -lt "$size" || exit
test ! -e pauses || sleep 0.05
"""


class Sync(frng.Scenario):
    def setUp(self):
        super().setUp()
        self.found = self.folder / "found"
        self.sut = self.script("sut", PROGRAM)
        self.write("bugs", "")
        self.write("at-least", f"{FAILS_FROM}\n")

    # ---- Searches under way ----

    def begin(self, *options, name="search", sync="50ms", under=()):
        """A search that goes on until it is interrupted; its events are in the file `name`.json."""
        more = () if sync is None else ("--sync", sync)
        with open(self.folder / f"{name}.txt", "wb") as stderr:
            return self.start(*under, frng.SEARCH, self.sut, "--findings", self.found,
                              "--attempts", 10**12, "--jobs", 1, "--json", f"{name}.json",
                              *more, *options, stderr=stderr)

    def told(self, name="search"):
        return (self.folder / f"{name}.txt").read_text()

    def events(self, name="search"):
        path = self.folder / f"{name}.json"
        return frng.json_lines(path.read_text()) if path.exists() else []

    def bests(self, name="search"):
        return [(event["size"], event["seed"]) for event in self.events(name)
                if event["event"] == "best"]

    def await_best(self, size, name="search"):
        self.assertTrue(frng.wait_until(lambda: self.has_best(size, f"{name}.json")),
                        self.told(name))

    def await_told(self, pattern, name="search"):
        self.assertTrue(frng.wait_until(lambda: re.search(pattern, self.told(name))),
                        f"{pattern}: {self.told(name)}")

    def interrupt(self, process, name="search"):
        """End a search; its last event."""
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(frng.PATIENCE_S), -signal.SIGINT, self.told(name))
        return self.events(name)[-1]

    # ---- Findings of others ----

    def finding(self, size, seed, fails=True, **changed):
        """The text of a finding as another search would write it, and its name. It fails here, too,
        or does not."""
        if fails:
            with open(self.folder / "bugs", "a") as bugs:
                bugs.write(digest_of(frng.expand(seed, size)) + "\n")
        return frng.finding_text(self.sut, changed.pop("args", []), size, seed, **changed)

    def put(self, size, seed, **more):
        """Let a finding appear as searches write it: whole. Its path."""
        name, text = self.finding(size, seed, **more)
        return self.write("beside", text).rename(self.found / name)

    def names(self):
        return sorted(path.name for path in self.found.iterdir()
                      if frng.FINDING_NAME.fullmatch(path.name))


class Adopting(Sync):
    def test_smaller_findings_that_appear_are_adopted(self):
        """Of equal sizes the smaller seed; the search goes on below; what passes here is tried once
        and left; torn and foreign files are skipped once; own larger findings go, others stay."""
        self.found.mkdir()
        theirs = self.put(300, 77)
        self.write("bugs", "")
        search = self.begin("--size-max", 300)
        self.await_best(FAILS_FROM)
        own = set(self.names()) - {theirs.name}
        self.assertTrue(own)
        passes = self.put(30, 7, fails=False)
        self.await_told("size 30, seed 7: passes now")
        name, text = self.finding(29, 7)
        (self.found / name).write_text(text[:50])
        foreign = self.put(28, 8, args=["--other"])
        self.await_told(f"{name}: skipped")
        self.await_told(f"{foreign.name}: skipped: it is of another program")
        self.put(20, 12345)
        self.await_best(20)
        adopted = self.put(20, 12344)
        self.await_told("size 20, seed 12344: still fails")
        self.assertTrue(frng.wait_until(lambda: not own & set(self.names())), self.names())
        self.put(20, 12346)

        def sizes():
            events = self.events()
            at = max(i for i, event in enumerate(events) if event["event"] == "best")
            return [event["size"] for event in events[at:] if event["event"] == "tested"]
        self.assertTrue(frng.wait_until(lambda: len(sizes()) > 5), self.told())
        self.assertLessEqual(max(sizes()[1:]), 19)
        self.put(19, 5)  # it is behind the larger seed in no listing
        self.await_best(19)
        done = self.interrupt(search)
        self.assertEqual((done["size"], done["seed"]), (19, "5"))
        self.assertNotIn("seed 12346", self.told())
        self.assertEqual(self.told().count("size 30, seed 7: passes now"), 1, self.told())
        self.assertEqual(self.told().count("skipped"), 2, self.told())
        stay = {theirs.name, passes.name, name, foreign.name, adopted.name}
        self.assertLessEqual(stay, set(self.names()))

    def test_one_of_another_signature_is_adopted_and_with_all_pursued_too(self):
        self.script("sut", PROGRAM.replace("${3:-1}", "3"))
        search = self.begin()
        self.await_best(FAILS_FROM)
        self.put(20, 12345, identity="exit:3", status=3)
        self.await_best(20)
        self.assertEqual(self.interrupt(search)["identity"], "exit:3")
        shutil.rmtree(self.found)
        search = self.begin("--all", name="all")
        self.await_best(FAILS_FROM, "all")
        self.put(FAILS_FROM - 20, 12345, identity="exit:3", status=3)
        self.await_told(f"size {FAILS_FROM - 20}, seed 12345: still fails", "all")
        done = self.interrupt(search, "all")
        self.assertEqual({each["identity"] for each in done["failures"]}, {"exit:1", "exit:3"})

    def test_a_search_without_a_failure_adopts_one_within_the_maximum(self):
        self.write("at-least", "1000000\n")
        search = self.begin("--size-max", 100)
        self.assertTrue(frng.wait_until(lambda: any(event["event"] == "tested"
                                                    for event in self.events())), self.told())
        self.put(101, 3)
        self.put(77, 4)
        self.await_best(77)
        self.assertEqual(self.interrupt(search)["size"], 77)
        self.assertNotRegex(self.told(), r"\b101\b")  # seeds have more digits

    def test_at_the_end_of_its_time_a_search_looks_once_more(self):
        search = self.begin("--time", "6s", sync="1h")
        self.await_best(FAILS_FROM)
        self.write("pauses", "")
        self.put(20, 12345)
        search.wait(frng.PATIENCE_S)
        self.assertEqual(self.events()[-1]["size"], 20, self.told())

    def test_a_folder_that_comes_back_and_a_program_that_is_rebuilt(self):
        """The folder is used again; findings that passed are tried again."""
        search = self.begin()
        self.await_best(FAILS_FROM)
        self.found.rename(self.folder / "gone")
        self.await_told("found: findings cannot be stored: No such file or directory")
        self.found.mkdir()
        self.put(30, 12345)
        self.await_best(30)
        self.put(20, 7, fails=False)
        self.await_told("size 20, seed 7: passes now")
        with open(self.folder / "bugs", "a") as bugs:
            bugs.write(digest_of(frng.expand(7, 20)) + "\n")
        self.script("beside", PROGRAM + "# rebuilt\n").rename(self.sut)
        search.wait(frng.PATIENCE_S)
        again = self.begin(name="again")
        self.await_best(20, "again")
        self.interrupt(again, "again")

    def test_without_sync_nothing_is_adopted(self):
        for name, sync in (("default", None), ("off", "never")):
            shutil.rmtree(self.found, ignore_errors=True)
            search = self.begin("--attempts", 20, name=name, sync=sync)
            self.await_best(FAILS_FROM, name)
            self.write("pauses", "")  # for seconds more it runs below that
            self.put(20, 12345)
            search.wait(frng.PATIENCE_S)
            self.assertEqual(self.events(name)[-1]["size"], FAILS_FROM)
            self.assertNotIn("known finding", self.told(name))
            (self.folder / "pauses").unlink()


# Calls of which a metadata server has to hear, or may have to.
METADATA = "%file,fsync,fdatasync,fstat,fstatfs,getdents64,flock,ftruncate,fchmod,utimensat"


def can_trace():
    """True if strace is there and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


@unittest.skipUnless(can_trace(), "strace is missing, or may not trace here")
class Calls(Sync):
    def syncs(self):
        """The calls of each sync: of a look at the folder, if there was one, and the report that ends
        it; but for syncs that list the folder, write a finding, or write a log anew that has become
        large, one in hundreds."""
        report = re.compile(r'stat\w*\(.*"[^"]*-\d+-\d+\.jsonl"')  # is the log still at its path?
        calls, syncs = (self.folder / "trace").read_text().splitlines(), [[]]
        for call in calls:
            if "(" in call:
                syncs[-1].append(call)
            if report.search(call):
                syncs.append([])
        news = ("getdents", "fsync", "rename")
        return [sync for sync in syncs[:-1] if not any(word in call for call in sync for word in news)]

    def looks(self):
        """The syncs that looked at the folder."""
        look = re.compile(r'stat\w*\((AT_FDCWD, )?"[^"]*/found", ')
        return [sync for sync in self.syncs() if any(look.search(call) for call in sync)]

    def test_a_look_without_news_costs_at_most_eight_calls_for_metadata(self):
        strace = self.begin(sync="100ms", under=["strace", "-o", "trace", "-e", f"trace={METADATA}"])
        self.await_best(FAILS_FROM)
        self.assertTrue(frng.wait_until(lambda: len(self.looks()) >= 4), self.told())
        syncs = self.syncs()
        children = pathlib.Path(f"/proc/{strace.pid}/task/{strace.pid}/children").read_text()
        os.kill(int(children.split()[0]), signal.SIGINT)  # the search
        strace.wait(frng.PATIENCE_S)
        for sync in syncs[1:]:  # the first one is the start
            self.assertLessEqual(len(sync), 8, "\n".join(sync))
