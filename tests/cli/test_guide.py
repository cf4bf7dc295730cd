"""Splices: runs that go on from the beginning of another one, which showed something new."""

import pathlib
import re
import shutil
import subprocess
import unittest

import frng

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MACHINE = frng.SUTS / "sut-machine"
FEATURES = frng.SUTS / "sut-features"
CHAIN = re.compile(r"size=(\d+) seed=(\d+s?(?::\d+,\d+s?)+)\n")
TIME = ("--time", "30s")
BUILDS = (("clang", "inline-8bit-counters"), ("clang", "trace-pc"), ("gcc", "trace-pc"))


class Guide(frng.Scenario):
    def search_machine(self, seed, *arguments, program=MACHINE):
        return self.search(program, "--rng-seed", seed, *TIME, *arguments)

    def expect_chain(self, result):
        self.assert_exit(result, 1)
        found = CHAIN.fullmatch(result.stdout)
        self.assertTrue(found, result)
        self.assertLessEqual(found[2].count(",") + 1, 8)
        return found.groups()

    def machine_with_edges(self, compiler, edges):
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        program = self.folder / "edges"
        built = subprocess.run([compiler, "-O1", "-DEDGES", f"-fsanitize-coverage={edges}", "-I",
                                SOURCE / "frng", SOURCE / "tests/sut/machine.c", "-o", program],
                               capture_output=True, text=True)
        if built.returncode != 0:
            self.skipTest(f"{compiler} builds no programs with {edges}: {built.stderr}")
        return program

    def test_eight_operations_in_order_are_found_by_their_draws(self):
        for seed in range(1, 6):
            result = self.search_machine(seed)
            self.expect_chain(result)
            self.assert_says(result, r"guide +\d+ new states, \d+ of them from splices")

    def test_eight_operations_in_order_are_found_by_their_edges(self):
        for compiler, edges in BUILDS:
            with self.subTest(f"{compiler} {edges}"):
                program = self.machine_with_edges(compiler, edges)
                for options in ({}, {"RESETS": "1"}):
                    result = self.search(program, "--rng-seed", 1, *TIME, environment=options)
                    self.assert_exit(result, 1)

    def test_events_say_what_splices_found_and_the_chain(self):
        result = self.search_machine(2, "--json", "-")
        done = frng.json_lines(result.stdout)[-1]
        self.assertIn(",", done["seed"])
        self.assert_says(result, "guide +{states} new states, {spliced} of them from".format(
            **done["guide"]))
        off = self.search(MACHINE, "--guide", "off", "--time", "500ms", "--json", "-")
        self.assertNotIn("guide", frng.json_lines(off.stdout)[-1])

    def test_a_chain_of_seeds_repeats_the_run_wherever_it_goes(self):
        result = self.search_machine(2, "--findings", "found")
        size, seed = self.expect_chain(result)
        again = self.replay(MACHINE, "--size", size, "--seed", seed)
        self.assert_exit(again, 1)
        name, = (path.name for path in (self.folder / "found").glob("*.json"))
        self.assert_exit(self.replay("--finding", f"found/{name}"), 1)
        self.assert_exit(self.reduce(MACHINE, "--size", size, "--seed", seed), 1)
        short = self.replay(MACHINE, "--size", int(size) - 1, "--seed", seed)
        self.assert_exit(short, 0)
        self.assertEqual(self.search_machine(3, "--findings", "found").exit, 1)

    @frng.long
    def test_jobs_and_modes_do_not_matter(self):
        for seed in (1, 4):
            results = [self.search_machine(seed, *options).stdout for options in (
                ("--jobs", 1), ("--jobs", 4), ("--jobs", 3, "--mode", "fork"))]
            self.assertTrue(CHAIN.fullmatch(results[0]), results)
            self.assertEqual(len(set(results)), 1, results)

    @frng.long
    def test_edges_do_not_depend_on_the_runs_before(self):
        """Such as those of filling entropy, of which a run guesses how much it needs."""
        for compiler, edges in BUILDS:
            with self.subTest(f"{compiler} {edges}"):
                program = self.machine_with_edges(compiler, edges)
                results = [self.search(program, "--rng-seed", 5, *TIME, *options,
                                       environment={"LEADS": "1"}).stdout
                           for options in ((), ("--jobs", 1), ("--mode", "fork"))]
                self.assertEqual(len(set(results)), 1, results)

    def test_lies_about_features_keep_no_failure_from_a_search(self):
        """Nor do they make it slow: a run is made again for what is new, and each run once."""
        for lie in ("turns", "wild", "count"):
            for mode in ("fork", "persistent"):
                with self.subTest(lie=lie, mode=mode):
                    result = self.search(FEATURES, "--rng-seed", 3, "--mode", mode, *TIME, "--",
                                         lie)
                    self.assert_found(result, 3)

    def test_without_the_guide_there_are_no_splices(self):
        result = self.search(MACHINE, "--rng-seed", 1, "--jobs", 1, "--time", "1s", "--guide", "off")
        self.assert_exit(result, 0)
        self.assertNotIn("guide", result.stderr)

    def test_a_guide_is_one_of_two(self):
        for word in ("", "on", "Auto"):
            self.assert_one_line(self.search(MACHINE, "--guide", word), 2, "--guide", "auto or off")

    def test_a_chain_that_makes_no_sense_is_refused_in_one_line(self):
        for seed in ("17:4", "17:0,5", "17:4,", ",5", "1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9"):
            result = self.replay(MACHINE, "--size", 16, "--seed", seed)
            self.assert_one_line(result, 129, f"--seed '{seed}' is not valid")


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
