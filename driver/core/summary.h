/* summary.h: the setup and the results of a search or a reduction; exit statuses of the tools. */
#pragma once

#include "explanation.h"
#include "failure.h"
#include "progress.h"
#include "tally.h"

typedef struct ignored_counts ignored_counts;
typedef struct signature_filter signature_filter;

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
    bool is_folder;              /* REDUCE_FILE: of several files, or a folder, as the output is */
    bool is_of_folder;           /* these: they are those of one folder */
    bool is_inside;              /* these: runs are in that folder */
    const char *const *operands; /* REDUCE_FILE: files and folders of the user, ended by NULL, */
    const char *const *names;    /* and those that are left, as runs get them, */
    const char *const *places;   /* and all, so */
    bool is_linked;              /* REDUCE_FILE: runs get links to the user's other files, */
    const char *below;           /* from a folder on below which this path is the current one */
    bool is_bare;                /* REDUCE_FILE: runs get no names of files */
    size_t command_count;        /* REDUCE_FILE: commands of reducers */
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
    const failure *failure; /* NULL: nothing failed */
    const uint8_t *bytes;   /* NULL: they follow from the seed */
    const char *saved;      /* path of a file with the bytes; NULL: none */
    bool is_finding;        /* `saved` is a finding */
    const run_claim *claim; /* of an answer of --all; else NULL */
} found_input;

typedef struct found_list {
    found_input list[DISTINCT_FAILURES_MAX + 1];
    size_t count;
} found_list;

/* The end and the results of a search or a reduction. All is borrowed. */
typedef struct summary {
    const run_setup *setup;
    run_stop stop;
    run_answer answer;
    found_input best;  /* of a search also when INCONCLUSIVE */
    found_list others; /* the best of each other signature; of a search also the smallest flaky
                          failure that is like the best, and smaller */
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
    found_list each;      /* with --all: of each signature, the best first, which is `best` */
    run_claim grown;      /* with --all: the runs that showed no failure of another signature */
    found_list once;      /* of other signatures: the smallest that never failed again */
    const failure *alike; /* those of EVENT_ALIKE, both; NULL: none */
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
