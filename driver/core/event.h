/* event.h: the setup, the progress and the results of a search or a reduction, and its events.
 *
 * Engines emit events and know nothing of the sinks that print or keep them. */
#pragma once

#include "failure.h"
#include "frng_protocol.h"
#include "tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct ignored_counts ignored_counts;
typedef struct signature_filter signature_filter;
typedef struct wrong_record wrong_record;

/* ---- Progress ---- */

typedef enum search_activity {
    ACTIVITY_STARTING,
    ACTIVITY_GROWING,   /* fresh runs at growing sizes: nothing has failed */
    ACTIVITY_BISECTING, /* prefixes of the best */
    ACTIVITY_PROBING,   /* some fresh runs far below the best */
    ACTIVITY_ENDING     /* fresh runs just below the best, which end the search if all pass */
} search_activity;

/* A row of runs of one size, and how many of them are made. */
typedef struct search_stint {
    search_activity activity;
    uint64_t passed; /* runs that passed, in a row */
    uint64_t wanted; /* runs that have to pass; 0: unknown */
} search_stint;

/* The powers of two in 64 bits, and one size more. */
enum { CLAIM_LEVELS_MAX = 65 };

/* Passes of a search without a failure at one size. */
typedef struct claim_level {
    uint64_t size, runs; /* bytes; runs of so many that passed */
    uint64_t counted;    /* those of `runs` that the bound counts: as many plain as styled */
    double bound;        /* as that of a run_claim. All of these hold together */
} claim_level;

/* The smallest size first. */
typedef struct claim_levels {
    size_t count;
    claim_level list[CLAIM_LEVELS_MAX];
} claim_levels;

/* The evidence of a search that no smaller input fails. */
typedef struct run_claim {
    uint64_t below;     /* bytes of the best - 1: the size of the fresh runs that `passed` counts */
    uint64_t passed;    /* number of those that passed, all in a row; 0: none */
    uint64_t counted;   /* those of `passed` that the bound counts: as many plain as styled */
    uint64_t stretches; /* stretches of fresh runs that the search began so far, at any size;
                           growing is one */
    double bound;       /* with 95% confidence, counted over whole searches, a fresh run of `below`
                         bytes fails less often than this (confidence_bound); with
                         EXPAND_BOTH a run whose style is drawn by a fair coin. 0: every input of
                         that size was run. 1: unknown. If nothing failed, the greatest of
                         `levels` */
    uint64_t rounds;  /* if nothing failed: the least number of runs that passed at each of `sizes`
                         sizes (smaller ones are run once, because larger runs include theirs) */
    uint64_t sizes;   /* number of sizes for `rounds` */
    uint64_t largest; /* the largest of these sizes, in bytes */
    claim_levels levels; /* these sizes; none: unknown */
    bool is_partial;     /* larger sizes had too few runs, so that nothing is claimed of them */
    bool all_masked; /* each run of a byte or more failed in a way that --only or --ignore leaves
                         out, so that nothing was tested */
} run_claim;

/* True if the bound says something: no output has one that would be rounded to 100%. */
#define CLAIM_BOUND_MAX 0.99
static inline bool run_claim_is_bounded(const run_claim *c) { return c->bound <= CLAIM_BOUND_MAX; }

typedef struct progress {
    uint64_t size;      /* of a search: bytes of the last run; of a reduction: bytes of the best */
    uint64_t runs;      /* of a reduction: all calls, reruns included */
    uint64_t discarded; /* of `runs` of a search: those that the test discarded */
    uint64_t reruns;    /* of a search: runs that only repeated a failure */
    uint64_t errors;    /* of a search: writes to its findings folder that failed */
    uint64_t steps;     /* of a reduction: steps to a simpler test case */
    int64_t elapsed_ns; /* since the start */
    const struct failure *best;       /* of a search; NULL while nothing has failed twice */
    const tally_row *goal;            /* of a search: the most frequent; NULL: none */
    uint64_t goal_most;               /* how high any run came */
    run_claim claim;                  /* of a search: the evidence so far */
    search_stint stint;               /* of a search */
    const char *pass;                 /* of a reduction: the pass at work; NULL before the first */
    unsigned pass_number, pass_count; /* of a reduction: its place among the passes, from 1 on */
    uint64_t draws;     /* of a reduction: draws of the best; each byte is one without a trace */
    uint64_t rank_bits; /* of a reduction: bits that the ranks of these draws have together */
} progress;

/* A count at two times, of which the second is at most 1.5 s old. Zeroed: at the start. */
typedef struct meter {
    int64_t at_ns[2];
    uint64_t count[2];
} meter;

void meter_add(meter *m, int64_t at_ns, uint64_t count);

/* Return how much the count rises in a second, by the last few seconds. */
double meter_rate(const meter *m, int64_t at_ns, uint64_t count);

/* Counts of one pass of a reduction. */
typedef struct pass_statistics {
    const char *name;
    uint64_t calls, successes;
    uint64_t bytes; /* bytes that it took off the test case */
} pass_statistics;

/* ---- What each draw of a failure means, as far as runs have shown ---- */

typedef enum statement_kind {
    STATEMENT_FIXED,  /* the draw can have no other value */
    STATEMENT_ANY,    /* all values that were run fail */
    STATEMENT_ONLY,   /* none but its own */
    STATEMENT_RANGE,  /* low, low + step, ... high, and no other */
    STATEMENT_SET,    /* `values`, and no other */
    STATEMENT_EXCEPT, /* all but `values` */
    STATEMENT_SOME,   /* `failed` of `tried` values */
    STATEMENT_EQUAL   /* the value of another draw only, whatever that is */
} statement_kind;

enum { STATEMENT_VALUES_MAX = 16 };

/* Which values of a draw fail, the other draws being as they are. */
typedef struct statement {
    statement_kind kind;
    bool is_exact; /* all values were run; EQUAL: all pairs */
    uint64_t low, high, step;
    uint64_t values[STATEMENT_VALUES_MAX];
    size_t value_count;
    size_t other;           /* EQUAL: number of the other draw */
    uint32_t tried, failed; /* values other than its own that were run, and those that failed */
} statement;

/* A draw, and the values of its statement as records of a trace have them. */
typedef struct explained_draw {
    statement statement;
    frng_trace_record record; /* of the draw */
    bool is_part;             /* it is in a record with others: bytes */
    bool is_index;            /* values are indices of a weighted draw, not numbers drawn */
} explained_draw;

/* Set in the value of a letter whose character a run has shown: in bits 32 to 39. */
#define EXPLANATION_LETTER_KNOWN (UINT64_C(1) << 63)

typedef enum explanation_state {
    EXPLANATION_NONE,    /* not wanted, or there is no result */
    EXPLANATION_MADE,    /* as far as the budget went */
    EXPLANATION_LONG,    /* the target tells no draws, and the input has too many bytes */
    EXPLANATION_FLAKY,   /* a run says little */
    EXPLANATION_SLOW,    /* runs take long, and no option asks for it */
    EXPLANATION_STOPPED, /* the reduction was stopped */
    EXPLANATION_DIFFERS  /* the result did not fail again, with the same draws */
} explanation_state;

/* What ended an explanation before its end. */
typedef enum explanation_cut { CUT_NONE, CUT_CALLS, CUT_TIME, CUT_STOPPED } explanation_cut;

typedef struct explanation {
    explanation_state state;
    bool is_asked;         /* by an option */
    explained_draw *draws; /* owned; NULL unless MADE */
    size_t count;
    size_t explained;           /* draws that have a statement */
    frng_trace_record *records; /* owned: the trace, if the target reports its draws */
    size_t record_count;
    uint64_t runs;
    explanation_cut cut;
    size_t any_count;                   /* draws whose statement is ANY */
    uint32_t together, together_failed; /* runs with all of those at random, and failures */
} explanation;

static inline void explanation_finish(explanation *e) {
    free(e->draws);
    free(e->records);
    *e = (explanation){0};
}

/* The statement of a draw in words, by its offset in the input. */
typedef struct remark {
    uint64_t start;
    const char *text;
} remark;

typedef struct remarks {
    const remark *list; /* by offset */
    size_t count;
} remarks;

/* ---- Setup and summary ---- */

/* Exit statuses of the tools. */
enum {
    EXIT_PASSED = 0,
    EXIT_FOUND = 1,
    EXIT_ENVIRONMENT = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_OUTPUT = 4,
    EXIT_UNJUDGED = 125, /* of frng-replay, as git bisect expects it: no verdict */
    EXIT_USAGE = 129     /* of frng-replay: the command line is wrong for every build */
};

typedef enum run_task {
    TASK_SEARCH,
    TASK_REDUCE,     /* reduce the input of a failure */
    TASK_REDUCE_FILE /* reduce a file that a predicate finds interesting */
} run_task;

/* The target (or the predicate) as the user named it. All is borrowed. */
typedef struct run_target {
    const char *sut;
    const char *const *args; /* ended by NULL */
    const char *replay;      /* frng-replay, at the path by which this tool was called */
    const char *options;     /* options that every call of frng-replay needs; "" or " --a b" */
} run_target;

/* Room for a time as text: 2026-11-22T08:30:00Z. */
enum { SUMMARY_UTC_MAX = 32 };

/* Where, when and how the tool was called. NULL: unknown. All is borrowed. */
typedef struct run_call {
    const char *tool, *host;
    const char *when;        /* of the start: UTC, ISO 8601 */
    uint64_t pid;            /* its process */
    const char *const *argv; /* of the tool, ended by NULL */
} run_call;

/* The parameters of a search or a reduction. All is borrowed. */
typedef struct run_setup {
    run_task task;
    const run_target *subject;
    run_call call;
    run_limits limits;
    int64_t budget_ns;  /* of all runs together; CLOCK_NEVER: none */
    uint64_t calls_max; /* of a reduction; UINT64_MAX: none */
    const char *version, *mode, *containment;
    const char *digest; /* of the target; NULL: unknown */
    unsigned jobs;
    uint64_t rng_seed, attempts, size_max; /* SEARCH */
    seed_expansion expand;                 /* SEARCH */
    const signature_filter *filter;        /* SEARCH */
    const char *filter_text;               /* SEARCH: the same, as options */
    bool finds_each;                       /* SEARCH: the smallest failure of each signature */
    bool keeps_going;                      /* SEARCH: at its end, with twice the attempts */
    uint64_t size;                         /* REDUCE, REDUCE_FILE: bytes of the input */
    const char *file, *output;             /* REDUCE_FILE: paths */
    const char *name;                      /* REDUCE_FILE: of candidates */
    bool is_folder;              /* REDUCE_FILE: of several files, or a folder, as the output is */
    bool is_of_folder;           /* these: they are those of one folder, whose name `name` is */
    bool is_inside;              /* these: runs are in that folder */
    const char *const *operands; /* these: files and folders of the user, ended by NULL, */
    const char *const *names;    /* and those that are left, as runs get them, */
    const char *const *places;   /* and all, so */
    bool is_linked;       /* REDUCE_FILE: runs get links to the other files of the current folder */
    size_t command_count; /* REDUCE_FILE: commands of reducers */
} run_setup;

/* What became of one of several files that are reduced. */
typedef struct file_outcome {
    const char *path;
    uint64_t before, after; /* bytes */
    bool is_gone;
} file_outcome;

/* Why a run that passes is no verdict on its input. */
typedef enum run_doubt {
    DOUBT_NONE,
    DOUBT_UNREAD, /* it was seen not to read it */
    DOUBT_DRAWS   /* it made other draws than the finding */
} run_doubt;

/* The answer on the target when a search or a reduction ends. */
typedef enum run_answer {
    ANSWER_NONE, /* stopped too early; a search: no run passed, and no failure counts; or none read
                    its input */
    ANSWER_PASSED,
    ANSWER_DIFFERENT,    /* a reduction: the input fails, but not as --only asks */
    ANSWER_UNMET,        /* a search: all runs passed, but too few had a label of --require */
    ANSWER_DISCARDED,    /* a search: nothing failed, but the test discarded nearly all runs */
    ANSWER_INCONCLUSIVE, /* only failures that did not fail again, or that a limit caused */
    ANSWER_FOUND
} run_answer;

/* A failure and its bytes, failure->input.size of them. */
typedef struct found_input {
    const failure *failure; /* NULL: there is none */
    const uint8_t *bytes;   /* NULL: they follow from the seed */
    const char *saved;      /* path of a file with the bytes; NULL: none */
    bool is_finding;        /* `saved` is a finding */
} found_input;

/* The answer of a search for one signature. */
typedef struct found_failure {
    found_input input;
    run_claim claim;
} found_failure;

/* The end and the results of a search or a reduction. All is borrowed. */
typedef struct summary {
    const run_setup *setup;
    run_end end;
    const run_stop *stop; /* of END_ENVIRONMENT and END_BROKEN: the error */
    run_answer answer;
    found_input best; /* of a search also when INCONCLUSIVE */
    const found_input *others;
    size_t other_count;
    progress progress;

    const char *folder; /* working folder of the runs; NULL if they have none */
    uint64_t ignored;   /* failed runs that --ignore names; a reduction: failed candidates */

    /* Of a search: */
    uint64_t guided;         /* runs that were guided: no claim counts them */
    bool is_unguided;        /* they saw no comparison outside of the test, which has others */
    bool end_failed;         /* a process failed at its end that had made passing runs */
    uint64_t ends;           /* of such processes that were judged */
    uint64_t attempts_alike; /* it made fewer runs than it would have, for they took too much CPU
                                time: the --attempts that makes about as many; 0: it did not */
    run_claim claim;
    const found_failure *each; /* with --all: of each signature, the first is `best` */
    size_t each_count;         /* 0: nothing failed, or the search is for one failure */
    bool is_each_full;         /* `each` has no room for another signature */
    run_claim grown;         /* with --all: the runs that showed no failure of another signature */
    const found_input *once; /* of other signatures: the smallest that never failed again */
    size_t once_count;
    const failure *alike;                       /* those of EVENT_ALIKE, both; NULL: none */
    const ignored_counts *ignored_by_signature; /* runs that failed as --ignore says; NULL: none */
    const tally *tally;                         /* NULL: no statistics */
    uint64_t limited[CAUSE_COUNT];              /* failed runs that each limit may have caused */

    /* Of a reduction: */
    bool has_draws;       /* the target reported its draws */
    bool is_ignored;      /* DIFFERENT: --ignore names the failure */
    signature seen;       /* if there is no best: how the input failed */
    run_doubt doubt;      /* INCONCLUSIVE: why a pass is no verdict */
    failure_cause limit;  /* INCONCLUSIVE: the limit that may have caused that */
    unsigned starts;      /* inputs that were reduced; 0: of a file, or without a best, */
    unsigned same_starts; /* and those of them that came to the best */
    const pass_statistics *passes, *reducers;
    size_t pass_count, reducer_count;
    const explanation *explanation; /* of the best; NULL: none */
    uint64_t calls_to_size;         /* calls until the best had its final size */
    const file_outcome *files;      /* of several files, each */
    size_t file_count;
} summary;

/* Return the word for the outcome in events. */
const char *summary_word(const summary *s);

/* Return the exit status; `output_failed` means that a result could not be written. */
int summary_exit_status(const summary *s, bool output_failed);

/* ---- Events ---- */

typedef enum event_kind {
    EVENT_STARTED,
    EVENT_PROGRESS,    /* something moved, or 100 ms have passed */
    EVENT_ALIVE,       /* a minute has passed; a sink makes it from PROGRESS */
    EVENT_TESTED,      /* a search took the result of a batch of runs */
    EVENT_STEP,        /* a reduction took a step: a simpler test case, not confirmed yet */
    EVENT_BEST,        /* a confirmed failure, smaller than all before */
    EVENT_OTHER,       /* a confirmed failure of another signature than the wanted one */
    EVENT_ALIKE,       /* two failures that may not be one, though nothing else tells them apart */
    EVENT_SHAPES,      /* a place whose messages have too many shapes: the others are one failure */
    EVENT_UNCONFIRMED, /* a failure that never failed again, with what it printed */
    EVENT_FLAKY,       /* the first failure that passed a rerun; the first of each cause */
    EVENT_REFUTED,     /* a best of a search that passed a later rerun; for its finding alone */
    EVENT_ISOLATION,   /* the first isolation violation */
    EVENT_NONDETERMINISTIC, /* the first run that differed in two new processes */
    EVENT_WRONG_RECORD,     /* the first record of a trace that its bytes contradict: from now on no
                               records are used */
    EVENT_LEAKS,            /* leaks cannot be found: the target leaks before any run */
    EVENT_OUTSIDE,      /* a failure comes from the user namespace: no more runs are made there */
    EVENT_REPLAYED,     /* a known input was rerun */
    EVENT_PASS_DROPPED, /* the reduction asks an external pass no more */
    EVENT_FINISHED
} event_kind;

/* Reason to drop an external pass. */
typedef enum pass_misdeed {
    MISDEED_BROKEN, /* it repeatedly crashed, hung or answered nonsense */
    MISDEED_BARREN  /* its candidates were repeatedly no smaller or known */
} pass_misdeed;

/* Runs of one size, and how they ended. */
typedef struct tested_runs {
    uint64_t size, runs;
    uint64_t failures;   /* runs that failed as the search looks for, and again */
    uint64_t others;     /* that failed in another way */
    uint64_t unreliable; /* that failed once, or perhaps only by a limit */
    uint64_t discarded;  /* that the test discarded */
    uint64_t drawn;      /* bytes that all runs drew; UINT64_MAX: unknown */
    bool is_fresh;       /* their seeds were not chosen by results */
} tested_runs;

enum { BYTE_CHANGE_SHOWN = 32 };

/* The difference of two test cases: at `offset`, `removed` bytes gave way to `inserted` ones. Of
 * each the first BYTE_CHANGE_SHOWN are kept. */
typedef struct byte_change {
    uint64_t offset, removed, inserted;
    uint8_t before[BYTE_CHANGE_SHOWN], after[BYTE_CHANGE_SHOWN];
} byte_change;

/* An event. Fields that its kind does not use are zero. Pointers are valid only during the call. */
typedef struct event {
    event_kind kind;
    progress progress;             /* PROGRESS, ALIVE, TESTED, STEP, BEST, OTHER */
    const tested_runs *tested;     /* TESTED */
    const byte_change *change;     /* STEP */
    const failure *failure;        /* BEST, OTHER, ALIKE, SHAPES, FLAKY, UNCONFIRMED */
    const failure *other;          /* ALIKE of a search: an earlier one of the same site */
    const uint8_t *bytes;          /* BEST, OTHER of a reduction: failure->input.size bytes */
    const seed_input *input;       /* REPLAYED, NONDETERMINISTIC, ISOLATION (NULL: it has
                                       no seed) */
    bool fails;                    /* REPLAYED */
    run_doubt doubt;               /* REPLAYED: why it says nothing that it passes */
    isolation_violation violation; /* ISOLATION */
    const wrong_record *wrong;     /* WRONG_RECORD */
    const char *mode;              /* ISOLATION: of later runs; NULL: as before */
    size_t external_pass;          /* PASS_DROPPED: index of the pass in the configuration */
    const char *name;              /* PASS_DROPPED: name of the pass, for sinks; UNCONFIRMED: path
                                      of its file, or NULL */
    pass_misdeed misdeed;          /* PASS_DROPPED */
    const run_setup *setup;        /* STARTED; valid until FINISHED */
    const summary *summary;        /* FINISHED */
} event;

/* A consumer of events, which takes all of them in order. */
typedef struct event_sink {
    void (*take)(void *context, const event *e); /* NULL: events are dropped */
    void *context;
} event_sink;

static inline void event_emit(const event_sink *sink, const event *e) {
    if (sink->take != NULL) sink->take(sink->context, e);
}
