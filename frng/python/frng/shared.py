"""What the ports share. Made by tests/ports/shared.py: do not edit.

SPDX: MIT"""

# Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding
RUNS = 1000
SIZE_MIN = 16
SIZE_MAX = 4096
RUN_COST = 4096
LOWER = 50
END = 100
UNREAD = 10
TIMEOUT_S = 10
IDLE = 4
REDUCE_CALLS = 5000
REDUCE_S = 120
INPUT_MAX = 67108864
STYLE_WIDTHS = (1, 1, 2, 4, 4, 4, 8, 8)
STYLE_EDGES = (0, 0, 0, 8, 24, 48, 60, 63)
STYLE_REPEATS = (0, 0, 0, 8, 32, 56, 62, 63)
STYLE_RARE = (0, 0, 0, 0, 2, 4, 8, 16)
STYLE_LEADS = (0, 0, 0, 0, 0, 1, 1, 2)
VARIABLES = "RUNS SEED PROFILE FINDINGS REPLAY TIMEOUT REDUCE SEARCH INPUT DRIVER STATISTICS".split()
NO_NUMBER = "is no number, or too large"
NO_PROFILE = "is no profile: there is ci"
NO_INPUT = "is no input; say \"size=16 seed=7\", \"hex=0100\" or \"size=2 hex=0100\""
NO_RUNS = "no findings, and FRNG_RUNS=0: nothing was run"
NO_DRAW = "read its input: the test makes no draw"
DISCARDED = "were discarded: draw only what the test accepts"
NOT_KNOWN = "is not known; did you mean"
FLAKY = "failed, and then passed: the test keeps state, or is not repeatable"
STATE = "in a new process it passes: the test or a fixture keeps state"
OTHER_DRAWS = "passes, but was found with other draws: it no longer tests what it did"
REDUCED = "reduced by frng-reduce"
UNFINISHED = "not finished after {} calls; the line below goes on"
FOUND = "found by frng-search"
GO_ON = "to go on:"
ALONE = "makes this run alone"
NO_TOOLS = "these tools are not on PATH; README of frng says how to get them"
PASSES = "FRNG_REPLAY does not fail"
REPEATS = "repeats the search"
