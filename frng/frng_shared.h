/* frng_shared.h: what the ports share. Made by tests/ports/shared.py: do not edit.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_SHARED_H
#define FRNG_SHARED_H

/* Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding */
enum {
    FRNG_CHECK_RUNS = 1000,
    FRNG_CHECK_SIZE_MIN = 16,
    FRNG_CHECK_SIZE_MAX = 4096,
    FRNG_CHECK_RUN_COST = 4096,
    FRNG_CHECK_LOWER = 50,
    FRNG_CHECK_END = 100,
    FRNG_CHECK_UNREAD = 10,
    FRNG_CHECK_TIMEOUT_S = 10,
    FRNG_CHECK_IDLE = 4,
    FRNG_CHECK_REDUCE_CALLS = 5000,
    FRNG_CHECK_REDUCE_S = 120,
    FRNG_CHECK_INPUT_MAX = 67108864,
};

/* Tables of eight bytes, the first one lowest. */
#define FRNG__STYLE_WIDTHS UINT64_C(0x0808040404020101)
#define FRNG__STYLE_EDGES UINT64_C(0x3f3c301808000000)
#define FRNG__STYLE_REPEATS UINT64_C(0x3f3e382008000000)
#define FRNG__STYLE_RARE UINT64_C(0x1008040200000000)
#define FRNG__STYLE_LEADS UINT64_C(0x0201010000000000)

/* Variables, without FRNG_. */
#define FRNG__VARIABLES_0 "RUNS", "PROFILE", "REPLAY", "REDUCE", "INPUT", "STATISTICS"
#define FRNG__VARIABLES_1 "SEED", "FINDINGS", "TIMEOUT", "SEARCH", "DRIVER"

#define FRNG__NO_NUMBER "is no number, or too large"
#define FRNG__NO_PROFILE "is no profile: there is ci"
#define FRNG__NO_INPUT "is no input; say \"size=16 seed=7\", \"hex=0100\" or \"size=2 hex=0100\""
#define FRNG__NO_RUNS "no findings, and FRNG_RUNS=0: nothing was run"
#define FRNG__NO_DRAW "read its input: the test makes no draw"
#define FRNG__DISCARDED "were discarded: draw only what the test accepts"
#define FRNG__NOT_KNOWN "is not known; did you mean"
#define FRNG__FLAKY "failed, and then passed: the test keeps state, or is not repeatable"
#define FRNG__STATE "in a new process it passes: the test or a fixture keeps state"
#define FRNG__OTHER_DRAWS "passes, but was found with other draws: it no longer tests what it did"
#define FRNG__REDUCED "reduced by frng-reduce"
#define FRNG__UNFINISHED "not finished after {} calls; the line below goes on"
#define FRNG__FOUND "found by frng-search"
#define FRNG__GO_ON "to go on:"
#define FRNG__ALONE "makes this run alone"
#define FRNG__NO_TOOLS "these tools are not on PATH; README of frng says how to get them"
#define FRNG__PASSES "FRNG_REPLAY does not fail"
#define FRNG__REPEATS "repeats the search"

#endif
