// What the ports share. Made by tests/ports/shared.py: do not edit.
// SPDX-License-Identifier: MIT

// Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding
export const RUNS = 1000;
export const SIZE_MIN = 16;
export const SIZE_MAX = 4096;
export const RUN_COST = 4096;
export const LOWER = 50;
export const END = 100;
export const UNREAD = 10;
export const TIMEOUT_S = 10;
export const IDLE = 4;
export const REDUCE_CALLS = 5000;
export const REDUCE_S = 120;
export const INPUT_MAX = 67108864;
export const STYLE_WIDTHS = [1, 1, 2, 4, 4, 4, 8, 8];
export const STYLE_EDGES = [0, 0, 0, 8, 24, 48, 60, 63];
export const STYLE_REPEATS = [0, 0, 0, 8, 32, 56, 62, 63];
export const STYLE_RARE = [0, 0, 0, 0, 2, 4, 8, 16];
export const STYLE_LEADS = [0, 0, 0, 0, 0, 1, 1, 2];
const NAMES = 'RUNS SEED PROFILE FINDINGS REPLAY TIMEOUT REDUCE SEARCH INPUT DRIVER STATISTICS';
export const VARIABLES = NAMES.split(' ');
export const NO_NUMBER = 'is no number, or too large';
export const NO_PROFILE = 'is no profile: there is ci';
export const NO_INPUT = 'is no input; say "size=16 seed=7", "hex=0100" or "size=2 hex=0100"';
export const NO_RUNS = 'no findings, and FRNG_RUNS=0: nothing was run';
export const NO_DRAW = 'read its input: the test makes no draw';
export const DISCARDED = 'were discarded: draw only what the test accepts';
export const NOT_KNOWN = 'is not known; did you mean';
export const FLAKY = 'failed, and then passed: the test keeps state, or is not repeatable';
export const STATE = 'in a new process it passes: the test or a fixture keeps state';
export const OTHER_DRAWS =
    'passes, but was found with other draws: it no longer tests what it did';
export const REDUCED = 'reduced by frng-reduce';
export const UNFINISHED = 'not finished after {} calls; the line below goes on';
export const FOUND = 'found by frng-search';
export const GO_ON = 'to go on:';
export const ALONE = 'makes this run alone';
export const NO_TOOLS = 'these tools are not on PATH; README of frng says how to get them';
export const PASSES = 'FRNG_REPLAY does not fail';
export const REPEATS = 'repeats the search';
