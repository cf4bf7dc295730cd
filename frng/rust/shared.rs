//! What the ports share. Made by tests/ports/shared.py: do not edit.
//! SPDX-License-Identifier: MIT

#![allow(dead_code)] // ALONE: its line names cargo

// Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding
pub const RUNS: usize = 1000;
pub const SIZE_MIN: usize = 16;
pub const SIZE_MAX: usize = 4096;
pub const RUN_COST: usize = 4096;
pub const LOWER: usize = 50;
pub const END: usize = 100;
pub const UNREAD: usize = 10;
pub const TIMEOUT_S: u64 = 10;
pub const IDLE: usize = 4;
pub const REDUCE_CALLS: usize = 5000;
pub const REDUCE_S: u64 = 120;
pub const INPUT_MAX: usize = 67108864;
pub const STYLE_WIDTHS: [u64; 8] = [1, 1, 2, 4, 4, 4, 8, 8];
pub const STYLE_EDGES: [u64; 8] = [0, 0, 0, 8, 24, 48, 60, 63];
pub const STYLE_REPEATS: [u64; 8] = [0, 0, 0, 8, 32, 56, 62, 63];
pub const STYLE_RARE: [u64; 8] = [0, 0, 0, 0, 2, 4, 8, 16];
pub const STYLE_LEADS: [u64; 8] = [0, 0, 0, 0, 0, 1, 1, 2];
pub const VARIABLES: &str =
    "RUNS SEED PROFILE FINDINGS REPLAY TIMEOUT REDUCE SEARCH INPUT DRIVER STATISTICS";
pub const NO_NUMBER: &str = "is no number, or too large";
pub const NO_PROFILE: &str = "is no profile: there is ci";
pub const NO_INPUT: &str =
    "is no input; say \"size=16 seed=7\", \"hex=0100\" or \"size=2 hex=0100\"";
pub const NO_RUNS: &str = "no findings, and FRNG_RUNS=0: nothing was run";
pub const NO_DRAW: &str = "read its input: the test makes no draw";
pub const DISCARDED: &str = "were discarded: draw only what the test accepts";
pub const NOT_KNOWN: &str = "is not known; did you mean";
pub const FLAKY: &str = "failed, and then passed: the test keeps state, or is not repeatable";
pub const STATE: &str = "in a new process it passes: the test or a fixture keeps state";
pub const OTHER_DRAWS: &str =
    "passes, but was found with other draws: it no longer tests what it did";
pub const REDUCED: &str = "reduced by frng-reduce";
pub const UNFINISHED: &str = "not finished after {} calls; the line below goes on";
pub const FOUND: &str = "found by frng-search";
pub const GO_ON: &str = "to go on:";
pub const ALONE: &str = "makes this run alone";
pub const NO_TOOLS: &str = "these tools are not on PATH; README of frng says how to get them";
pub const PASSES: &str = "FRNG_REPLAY does not fail";
pub const REPEATS: &str = "repeats the search";
