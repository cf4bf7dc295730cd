"""What goes missing while a tool runs. What the tools print is in tests/transcripts/messages_*.t."""

import os
import unittest

import frng


class GoesMissing(frng.Scenario):
    """A system that cannot be started is an error of the environment, and never a finding."""

    def test_a_shared_library_that_goes_missing_while_searching_is_no_finding(self):
        self.copy_sut(frng.SUTS / "sut-linked", "linked")
        library = self.copy_sut(frng.SUTS / "libsut-library.so", "libsut-library.so")
        process = self.start(frng.SEARCH, "--time", "60s", "--size-max", 16, "./linked",
                             environment={"LD_LIBRARY_PATH": str(self.folder)})
        self.assertTrue(frng.wait_until(self.left_processes))
        with self.assertRaises(Exception):
            process.communicate(timeout=1)
        library.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual((process.returncode, stdout), (2, b""), stderr)
        self.assertIn(b"librar", stderr)

    def test_a_sut_that_goes_missing_while_searching_is_no_finding(self):
        sut = self.copy_sut(frng.MODES, "sut")
        process = self.start(frng.SEARCH, "--time", "60s", "--size-max", 16, "--json", "events",
                             sut)
        with self.assertRaises(Exception):
            process.communicate(timeout=1)
        sut.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual((process.returncode, stdout), (2, b""), stderr)
        self.assertIn(b"sut", stderr)
        events = frng.latest(self.folder / "events")
        self.assertNotIn("pass", [event.get("outcome") for event in events])

    def test_a_target_that_goes_missing_after_a_failure_leaves_the_best(self):
        sut = self.copy_sut(frng.MODES, "sut")
        process = self.start(frng.SEARCH, "--attempts", 10000000, "--json", "events", sut, "--",
                             "at-least", 3)
        self.assertTrue(frng.wait_until(lambda: self.has_best(3)))
        sut.unlink()
        stdout, stderr = process.communicate(timeout=frng.PATIENCE_S)
        self.assertEqual(process.returncode, 2, stderr)
        self.assertEqual(frng.find_result(stdout.decode())[0], 3)
        self.assertRegex(stderr, rb"sut: (not found|no such file)")

    def test_a_result_line_to_a_closed_pipe_is_exit_4_and_no_silent_death(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = self.search("--attempts", 2, frng.MODES, stdout=writer)
        os.close(writer)
        self.assert_exit(result, 4)
        self.assert_says(result, r"\b41\b", "--seed")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
