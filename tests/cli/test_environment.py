"""Environment: what a run inherits, and what the driver makes of what it inherits itself."""

import os
import resource
import signal
import unittest

import frng


def ignore(*numbers):
    def prepare():
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
    return prepare


def bit(number):
    return 1 << (number - 1)


class Told(frng.Scenario):
    def records(self):
        """What each run wrote down."""
        runs = []
        for line in (self.folder / "told").read_text().splitlines():
            key, _, value = line.partition(" ")
            if key == "run":
                runs.append({})
            runs[-1][key] = value
        return runs

    def told_by_search(self, *options, **more):
        result = self.search("--attempts", 2, "--size-max", 8, *options, frng.ENVIRONMENT, "--",
                             self.folder / "told", 5, "an argument", "", **more)
        self.assert_found(result, 5)
        return self.records()

    def told_by_replay(self, *options, **more):
        result = self.replay("--size", 4, "--seed", 1, *options, frng.ENVIRONMENT, "--",
                             self.folder / "told", 5, "an argument", "", **more)
        self.assert_exit(result, 0)
        runs = self.records()
        self.assertEqual(len(runs), 1)
        return runs[0]


class SearchGives(Told):
    def test_each_run_inherits_what_the_caller_has_and_nothing_of_the_driver(self):
        self.write("typed", "typed")
        with open(os.devnull) as extra, open(self.folder / "typed", "rb") as typed:
            runs = self.told_by_search("--jobs", 1, "--findings", "found", "--json", "events",
                                       environment={"FRNG_INPUT": "/etc/passwd"}, stdin=typed,
                                       pass_fds=[extra.fileno()])
        for run in runs:
            self.assertEqual(run["group"], run["run"])  # a group of its own in no session of ours
            self.assertNotEqual(int(run["session"]), os.getsid(0))
            self.assertEqual(run["argument.0"], frng.ENVIRONMENT)
            self.assertEqual((run["argument.3"], run["argument.4"]), ("an argument", ""))
            self.assertEqual(run["folder"], str(self.folder.resolve()))
            self.assertEqual(run["FRNG_SCENARIO"], str(self.folder))
            self.assertEqual(run["PATH"], self.environment["PATH"])
            self.assertNotIn("FRNG_INPUT", run)
            self.assertEqual(run["umask"], f"{self.umask():o}")
            for mask in ("SigBlk", "SigIgn", "SigCgt"):
                self.assertEqual(int(run[mask], 16), 0, mask)
            held = {key for key in run if key.startswith("descriptor.")}
            self.assertEqual(held, {"descriptor.0", "descriptor.1", "descriptor.2"}, run)
            self.assertEqual((run["stdin.access"], run["stdin.offset"]), ("read", "0"))
            self.assertNotIn("typed", run["descriptor.0"])
            self.assertIn(run["core"], ("0", "1"))
        self.assertEqual(len({run["group"] for run in runs}), len(runs))
        sizes = {int(run["size"]) for run in runs}
        self.assertLessEqual(sizes, set(range(9)))
        self.assertLessEqual({4, 5}, sizes)

    def umask(self):
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def test_frng_input_does_not_mislead_an_frng_main_program(self):
        self.write("bytes", b"\0")
        result = self.search(frng.SUTS / "sut-compare", environment={"FRNG_INPUT": "bytes"})
        self.assert_found(result, 1)

    def test_frng_driver_is_unset(self):
        for value in ("", "garbage", "1,0,1,2"):
            for run in self.told_by_search(environment={"FRNG_DRIVER": value}):
                self.assertNotIn("FRNG_DRIVER", run)

    def test_frng_driver_does_not_turn_the_protocol_off(self):
        for value in ("", "garbage", "1,0,1,2"):
            for mode in ("auto", "fork", "persistent"):
                with self.subTest(value=value, mode=mode):
                    result = self.search(frng.SUTS / "sut-compare", "--mode", mode, "--json",
                                         "events", environment={"FRNG_DRIVER": value})
                    self.assert_found(result, 1)
                    start = frng.latest(self.folder / "events")[0]
                    self.assertEqual(start["mode"], "persistent" if mode == "auto" else mode)

    @frng.long
    @frng.unsanitized
    def test_a_search_whose_program_runs_a_search(self):
        inner = [frng.SEARCH, frng.SUTS / "sut-compare", "--jobs", 1, "--json", "inner", "--mode"]
        for value in (None, "", "garbage"):
            environment = {} if value is None else {"FRNG_DRIVER": value}
            for mode in ("spawn", "fork", "persistent"):
                with self.subTest(value=value, mode=mode):
                    result = self.search("--attempts", 1, "--size-max", 1, "--jobs", 1, "--mode",
                                         mode, frng.SUTS / "sut-nested", "--", *inner, mode,
                                         environment=environment)
                    self.assert_found(result, 1)
                    self.assert_says(result, "the inner search found a failure")
                    told = frng.latest(self.folder / "inner")[0]
                    self.assertEqual(told["mode"], mode)

    def test_sigpipe_and_sigchld_are_reset(self):
        caller = ignore(signal.SIGPIPE, signal.SIGCHLD)
        for run in self.told_by_search(preexec_fn=caller, restore_signals=False):
            ignored = int(run["SigIgn"], 16)
            self.assertFalse(ignored & bit(signal.SIGPIPE))
            self.assertFalse(ignored & bit(signal.SIGCHLD))

    def test_the_callers_signal_mask_is_kept(self):
        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])

        for run in self.told_by_search(preexec_fn=block):
            self.assertEqual(int(run["SigBlk"], 16), bit(signal.SIGUSR1))

    def test_no_core_is_piped_where_the_hard_limit_allows(self):
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        if hard == 0:
            self.skipTest("the hard limit is 0")

        def allow():
            resource.setrlimit(resource.RLIMIT_CORE, (0, hard))

        for run in self.told_by_search(preexec_fn=allow):
            self.assertEqual(run["core"], "1")


class ReplayGives(Told):
    def test_a_run_stays_in_the_foreground(self):
        run = self.told_by_replay()
        self.assertEqual(int(run["session"]), os.getsid(0))
        self.assertEqual(int(run["group"]), os.getpgrp())

    def test_a_replay_writes_to_the_callers_output(self):
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            run = self.told_by_replay(stdout=out, stderr=err)
        self.assertEqual(run["descriptor.1"], str((self.folder / "out").resolve()))
        self.assertEqual(run["descriptor.2"], str((self.folder / "err").resolve()))

    def test_the_rest_is_as_in_a_search(self):
        run = self.told_by_replay(environment={"FRNG_INPUT": "/etc/passwd"})
        self.assertNotIn("FRNG_INPUT", run)
        self.assertEqual(run["folder"], str(self.folder.resolve()))
        self.assertEqual((run["argument.3"], run["argument.4"]), ("an argument", ""))
        self.assertEqual((run["stdin.access"], run["stdin.offset"]), ("read", "0"))
        self.assertEqual({key for key in run if key.startswith("descriptor.")},
                         {"descriptor.0", "descriptor.1", "descriptor.2"})
        for mask in ("SigBlk", "SigIgn", "SigCgt"):
            self.assertEqual(int(run[mask], 16), 0, mask)


    def test_frng_driver_is_unset_but_for_a_trace(self):
        for value in ("", "garbage"):
            run = self.told_by_replay(environment={"FRNG_DRIVER": value})
            self.assertNotIn("FRNG_DRIVER", run)
            (self.folder / "told").unlink()
            result = self.replay(frng.SUTS / "sut-compare", "--hex", "80", "--trace",
                                 environment={"FRNG_DRIVER": value})
            self.assertRegex(result.stdout, r"u8 +128", str(result))


class DriverInherits(frng.Scenario):
    """Whatever the caller did to it, the driver works."""

    def test_closed_standard_descriptors_are_survived(self):
        for closed in ([0], [1], [2], [0, 1], [0, 2], [0, 1, 2]):
            with self.subTest(closed=closed):
                log = self.folder / "told"
                redirects = " ".join(f"{fd}{'<' if fd == 0 else '>'}&-" for fd in closed)
                result = self.run_tool(
                    "sh", "-c", f'"$@" {redirects}', "sh", frng.SEARCH, "--attempts", 2,
                    "--size-max", 64, *frng.modes("log", log, 41))
                if 1 not in closed:
                    self.assert_found(result, 41)
                else:
                    self.assert_exit(result, 1, 4)
                self.assertIn("40", log.read_text().split())

    def test_an_ignored_sigchld_changes_nothing(self):
        result = self.search("--attempts", 2, frng.MODES, preexec_fn=ignore(signal.SIGCHLD))
        self.assert_found(result, 41)
        result = self.replay("--size", 41, "--seed", 1, frng.MODES,
                             preexec_fn=ignore(signal.SIGCHLD))
        self.assert_exit(result, 1)

    def test_blocked_signals_change_nothing(self):
        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGALRM,
                                                      signal.SIGTERM, signal.SIGINT])

        self.assert_found(self.search("--attempts", 2, frng.MODES, preexec_fn=block), 41)

    def test_few_descriptors_are_enough(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

        result = self.search("--jobs", 4, "--attempts", 2, frng.MODES, preexec_fn=limit)
        self.assert_found(result, 41)

    def test_many_open_descriptors_change_nothing(self):
        files = [os.open(os.devnull, os.O_RDONLY) for _ in range(300)]
        try:
            result = self.search("--attempts", 2, frng.MODES, pass_fds=files)
        finally:
            for fd in files:
                os.close(fd)
        self.assert_found(result, 41)

    def test_an_empty_environment_is_enough(self):
        process = self.start("env", "-i", frng.SEARCH, "--attempts", "2", frng.MODES)
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(process.returncode, 1, stderr)
        self.assertEqual(frng.find_result(stdout.decode())[0], 41)

    def test_a_folder_that_is_gone(self):
        gone = self.folder / "gone"
        gone.mkdir()
        result = self.run_tool("sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", frng.SEARCH,
                               "--attempts", 2, frng.MODES, folder=gone)
        self.assert_found(result, 41)

    def test_a_small_stack_is_enough(self):
        """64 KiB for all, arguments and an environment of 8 KiB included."""
        if b"__asan_report_load" in frng.pathlib.Path(frng.SEARCH).read_bytes():
            self.skipTest("AddressSanitizer needs more stack by itself")
        reduce_tool = frng.BUILD / "driver" / "frng-reduce"
        text = self.write("text", "many words\n" * 50)
        predicate = self.script("predicate", 'grep -q words "$1"')
        for status, command in (
                (1, (frng.SEARCH, "--attempts", 2, "--verbose", "--json", "events", "--findings",
                     "found", frng.MODES)),
                (1, (frng.SEARCH, "--attempts", 2, "--reduce", frng.MODES)),
                (1, (frng.REPLAY, "--size", 41, "--seed", 1, "--trace", frng.MODES)),
                (1, (reduce_tool, "--size", 41, "--seed", 1, "--json", "events", frng.MODES)),
                (0, (reduce_tool, "--predicate", predicate, text))):
            with self.subTest(command=command):
                result = self.run_tool("sh", "-c", 'ulimit -s 64; exec "$@"', "sh", *command,
                                       environment={"A_LONG_ONE": 8000 * "x"})
                self.assert_exit(result, status)

    def test_a_foreign_locale_changes_nothing(self):
        for locale in ("tr_TR.UTF-8", "de_DE.UTF-8", "no_SUCH"):
            result = self.search("--attempts", 2, "--timeout", "1500ms", "--verbose", frng.MODES,
                                 environment={"LC_ALL": locale, "LANG": locale})
            self.assert_found(result, 41)


def controlled_folder():
    """The folder of this process's control group, of version 2; None without one."""
    own = next((line[3:].strip() for line in open("/proc/self/cgroup") if line.startswith("0::")),
               None)
    folder = frng.pathlib.Path("/sys/fs/cgroup")
    return folder / own[1:] if own and (folder / "cgroup.controllers").exists() else None


class Quota(frng.Scenario):
    def limited(self):
        """A control group that has half a processor; it is gone after the test."""
        found = controlled_folder()
        if found is None:
            self.skipTest("no control groups are mounted here")
        group = found / f"frng-scenario-{os.getpid()}"
        try:
            group.mkdir()
            self.addCleanup(frng.wait_until, lambda: self.removed(group))
            (group / "cpu.max").write_text("50000 100000")
        except OSError as error:
            self.skipTest(f"no quota can be set here: {error}")
        return group

    def removed(self, group):
        try:
            group.rmdir()
        except FileNotFoundError:
            return True
        except OSError:  # its last process has not quite ended
            return False
        return True

    def test_jobs_by_default_are_those_of_the_quota(self):
        group = self.limited()
        result = self.run_tool("sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh",
                               frng.SEARCH, "--attempts", 1, "--json", "events", frng.MODES)
        self.assert_found(result, 41)
        start = frng.json_lines((self.folder / "events").read_text())[0]
        self.assertEqual(start["jobs"], 1)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
