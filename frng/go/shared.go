package frng

// What the ports share. Made by tests/ports/shared.py: do not edit.

// Of a check: runs, bytes, cost of a run, passes at a size, at the last; reductions; a finding
const checkRuns = 1000
const checkSizeMin = 16
const checkSizeMax = 4096
const checkRunCost = 4096
const checkLower = 50
const checkEnd = 100
const checkUnread = 10
const checkTimeoutS = 10
const checkIdle = 4
const checkReduceCalls = 5000
const checkReduceS = 120
const checkInputMax = 67108864
const saysVariables = "RUNS SEED PROFILE FINDINGS REPLAY TIMEOUT REDUCE SEARCH INPUT DRIVER STATISTICS"
const saysNoNumber = "is no number, or too large"
const saysNoProfile = "is no profile: there is ci"
const saysNoInput = "is no input; say \"size=16 seed=7\", \"hex=0100\" or \"size=2 hex=0100\""
const saysNoRuns = "no findings, and FRNG_RUNS=0: nothing was run"
const saysNoDraw = "read its input: the test makes no draw"
const saysDiscarded = "were discarded: draw only what the test accepts"
const saysNotKnown = "is not known; did you mean"
const saysFlaky = "failed, and then passed: the test keeps state, or is not repeatable"
const saysState = "in a new process it passes: the test or a fixture keeps state"
const saysOtherDraws = "passes, but was found with other draws: it no longer tests what it did"
const saysReduced = "reduced by frng-reduce"
const saysUnfinished = "not finished after {} calls; the line below goes on"
const saysFound = "found by frng-search"
const saysGoOn = "to go on:"
const saysAlone = "makes this run alone"
const saysNoTools = "these tools are not on PATH; README of frng says how to get them"
const saysPasses = "FRNG_REPLAY does not fail"
const saysRepeats = "repeats the search"

var styleWidths = [8]uint64{1, 1, 2, 4, 4, 4, 8, 8}
var styleEdges = [8]uint64{0, 0, 0, 8, 24, 48, 60, 63}
var styleRepeats = [8]uint64{0, 0, 0, 8, 32, 56, 62, 63}
var styleRare = [8]uint64{0, 0, 0, 0, 2, 4, 8, 16}
var styleLeads = [8]uint64{0, 0, 0, 0, 0, 1, 1, 2}
