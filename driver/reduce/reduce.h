/* reduce.h: reduce bytes that make the target fail to the simplest that fail in the same way.
 *
 * The order is that of testcase.h. The target runs in a pool's workers. */
#pragma once

#include "engine.h"
#include "event.h"
#include "failure_table.h"
#include "pass.h"
#include "testcase.h"

enum { REDUCE_PASS_MAX = PASS_MAX + 1 };

/* The budget of the explanation of the result. */
typedef struct explain_limits {
    uint64_t calls_max; /* runs; 0: no explanation */
    bool is_asked;      /* by an option: also if it takes long */
} explain_limits;

typedef struct reduce_config {
    const uint8_t *bytes; /* the input to reduce; borrowed */
    size_t size;
    const signature_filter *filter; /* failures that count; NULL: all do. The input's must */
    bool any_failure;               /* a step may fail with any signature, not only the input's */
    bool is_file;                   /* the input is a file, not entropy: text stays text */
    bool has_memory_limit;          /* the pool's runs have one, which may cause failures */
    bool is_fresh;        /* the pool runs each test case in a fresh process, over plain stdin */
    bool is_unconfirmed;  /* nothing but the answer is rerun in a fresh process, once */
    unsigned jobs;        /* workers of the pool, at least 1 */
    uint64_t calls_max;   /* limit of runs; UINT64_MAX: none */
    uint64_t runs_before; /* of the program, which count in the choice of runs to compare */
    explain_limits explain;
    const failure *known; /* if it always failed, this very input did so; NULL: nothing is known */
    draws_seen kept;      /* draws of the finding that the input is of; a count of 0: unknown */
    failure_table *met;   /* gets what candidates met that fails otherwise; NULL: unwanted */
    bool is_new;          /* users have not seen the input: it is announced */
    bool is_reduced;      /* the input is the answer of a reduction: only confirm and explain it */
    const testcase *other_answer; /* from another start: a reduction that comes to it, too, ends
                                     there; NULL: there is none */
    int64_t deadline_ns;          /* on clock_now_ns's clock; CLOCK_NEVER: none */
    int64_t last_ns;              /* the same for the last reruns after it */
    const pass *const *passes;    /* ended by NULL; NULL: passes_for chooses */
    bool is_coarse; /* of those that it chooses only the cheap ones: other files wait */
    const external_pass *external_passes; /* those that the pool's runner can ask; borrowed */
    size_t external_pass_count;
} reduce_config;

typedef struct reduce_result {
    run_stop stop;
    bool found;           /* `best` failed in a rerun; it is flaky if some rerun did not fail */
    failure best;         /* its reruns are its own, in fresh processes */
    testcase bytes;       /* of `best`; freed by reduce_finish */
    bool is_other_answer; /* it came to config->other_answer, which `bytes` may not show */
    bool has_hung;        /* a candidate did, which ends a reduction from another start */
    outcome seen; /* for END_PASSES: of the input's last run at the beginning. A failure there did
                       not repeat, or does not count */
    bool is_unwanted;        /* for END_PASSES: the input fails, but that failure does not count */
    run_doubt doubt;         /* for END_PASSES: why its passes are no verdict */
    failure_cause limit;     /* for END_PASSES: the limit that seems to have caused that failure */
    explanation explanation; /* of `bytes`; freed by reduce_finish */
    uint64_t ignored;        /* failed candidates that config->filter ignores */
    uint64_t calls, successes;
    uint64_t calls_to_size; /* calls until the best reached its final size */
    int64_t elapsed_ns;
    size_t statistics_count;
    pass_statistics statistics[REDUCE_PASS_MAX];
    pass_statistics *external_passes; /* one for each in the config, and one without a name; freed
                                         by reduce_finish */
} reduce_result;

/* Return the bytes and the trace records that a candidate set needs for an input of this size. */
uint64_t reduce_candidate_set_bytes(size_t size);
uint64_t reduce_candidate_set_records(size_t size);

/* Return the bytes that a candidate set needs to hold choices too. */
uint64_t reduce_choices_bytes(size_t size);

/* Return why it is no verdict that the first run of a set passed. `kept` are the draws of the
 * finding that its input is of; a count of 0: unknown. */
run_doubt reduce_doubt(const run_result *run, const candidate_set *set, draws_seen kept);

/* Reduce the input. *result is filled in any case. It is large: keep it off the stack. */
void reduce_run(const reduce_config *config, pool *p, const event_sink *sink,
                reduce_result *result);
void reduce_finish(reduce_result *result);

/* Add the counts of all passes of another reduction, which may be taken from it. */
void reduce_add_statistics(reduce_result *to, reduce_result *from);
