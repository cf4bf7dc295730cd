/* reduction.h: the state of a reduction, and how its best changes; for reduce.c, which proposes,
 * accept.c, which judges, and explain.c. */
#ifndef REDUCTION_H
#define REDUCTION_H

#include "engine.h"
#include "event.h"
#include "patch.h"
#include "reduce.h"
#include "schedule.h"
#include "window.h"

/* ---- The state ---- */

/* The simplest test case that failed. */
typedef struct best_case {
    testcase testcase;
    failure failure;
    bool is_confirmed; /* it failed again in a fresh process: it is the result */
} best_case;

/* The last best that was confirmed, which is the result, and the first one. */
typedef struct confirmed_cases {
    testcase testcase; /* of result->best */
    testcase first;
    failure first_failure;
    double share;      /* of its reruns in which the first one failed */
    bool is_first;     /* the result is the first one */
    bool is_announced; /* the result was announced */
    bool is_strict;    /* a test case was flaky: a step must fail as often as the one it replaces */
    uint64_t calls;    /* when the last best was confirmed */
    int64_t announced_ns;
} confirmed_cases;

/* Failures of other signatures, the simplest of each. */
typedef struct other_failures {
    distinct_failures failures;
    testcase cases[DISTINCT_FAILURES_MAX];  /* of these failures */
    bool is_pending[DISTINCT_FAILURES_MAX]; /* not rerun yet */
} other_failures;

/* The schedule and the candidates in flight. */
typedef struct shrink_loop {
    const pass *passes[PASS_MAX + 1]; /* ended by NULL */
    schedule now;                     /* after all results that were taken */
    schedule ahead;                   /* the same, if no candidate in flight becomes the best */
    window flight;
    uint32_t batch_max;  /* candidates in a candidate set */
    run_purpose purpose; /* RUN_TRY_UNWATCHED if the failure is no leak */
    candidate_form form; /* of candidates */
    testcase tried;      /* buffer for a candidate */
} shrink_loop;

typedef struct external_member {
    unsigned strikes; /* times it broke */
    unsigned barren;  /* candidates in a row that were not simpler */
    bool is_dropped;  /* it is never asked again */
} external_member;

/* The turns of the external passes. */
typedef struct external_turn {
    external_member *members; /* in the order of config->external_passes; owned */
    size_t at;                /* the pass whose turn it is */
    uint64_t next;            /* its next instance to ask for */
    uint64_t done;            /* its instances of this best whose results were taken */
    unsigned known;           /* its candidates in a row that were run before */
    bool is_warm;             /* it made a candidate: several instances may be in flight */
    bool has_won;             /* one had a success in this turn, or the best has changed */
} external_turn;

typedef struct reduction {
    const reduce_config *config;
    const event_sink *sink;
    reduce_result *result;
    int64_t start_ns;
    file_stamp program; /* of the first run that is known; all others are of it */
    client client;
    failure target;           /* the failure that steps must be like */
    bytes_tail judged_output; /* of the failure that is being judged */
    best_case best;
    testcase base;      /* the best when the current site began, once the site had a success */
    byte_change change; /* of the last step */
    confirmed_cases confirmed;
    shrink_loop loop;
    external_turn external;
    rejected_cache rejected;
    other_failures others;
    bool can_choose;       /* the target can take choices */
    bool has_looked;       /* a candidate was rerun to see its site: nothing is in flight */
    bool distrusts;        /* a record was wrong: no records are used any more */
    bool has_warned_alike; /* EVENT_ALIKE was emitted */
} reduction;

/* End the reduction, for memory has run out. */
void reduction_stop_for_memory(reduction *r);

/* ---- The beginning ---- */

/* Run the input until it fails, at most CONFIRM_TRIES times, for it may be flaky, and once more in
 * a fresh process. It is the first best and the first result. False if it does not fail as
 * configured, or if the client stops. */
bool accept_first(reduction *r);

/* Take the first best, which was run as choices, with the draws that it reported. Return false if
 * it did not fail as before. */
bool accept_choices(reduction *r, const run_result *run, const candidate_set *set);

/* ---- Candidates ---- */

/* A candidate that was run. */
typedef struct tried_candidate {
    const run_result *run;
    const candidate_set *set;
    uint32_t at;      /* its index in the set */
    size_t draws_max; /* draws of choices that it may make; SIZE_MAX: any count */
    bool keeps_base;  /* if it becomes the best, the base stays */
} tried_candidate;

/* Make a failed candidate the best, by a pass of this name. Return false if it is not simpler, made
 * too many draws of choices, is uninteresting or, once a test case was flaky, fails less often than
 * the result. The previous best becomes the base, unless the candidate keeps it. Counting how often
 * a candidate fails, or a rerun that shows its site, cancels everything in flight. */
bool accept_try(reduction *r, const tried_candidate *c, pass_statistics *s);

/* Never propose a test case again: it is uninteresting, or the best. */
void accept_bar(reduction *r, testcase *t);

/* ---- Single runs ---- */

/* Make the test case of a run that drew `drawn` of these bytes, with the records of its set. Emits
 * the first record that the bytes contradict: from then on no records are used, and each byte is a
 * draw. False when out of memory, which ends the reduction. */
bool accept_testcase(reduction *r, const candidate_set *set, const uint8_t *bytes, size_t size,
                     uint64_t drawn, testcase *t);

/* True if a run of these bytes failed in a way that steps accept. A rerun that shows its site
 * cancels everything in flight. */
bool accept_is_alike(reduction *r, const run_result *run, const uint8_t *bytes, uint64_t size);

/* ---- The best, confirmed and announced ---- */

/* True if the best has waited long enough to be confirmed. */
bool confirm_is_due(const reduction *r);

/* Rerun the best until it has `times` reruns in all, and announce it. False if the client stops or
 * if a rerun passes and another test case becomes the best. */
bool confirm_best(reduction *r, unsigned times);

/* Confirm the best at the end, if there is time, and announce the result. */
void confirm_last(reduction *r);

/* Announce a result that needs no rerun, if the last announcement is some time ago. */
void confirm_announce_now_and_then(reduction *r);

/* Rerun the failures of other signatures that candidates met, and announce those that repeat. */
void confirm_others(reduction *r);

void reduction_emit_progress(reduction *r);

/* Run a test case in this form, with its draws recorded, while nothing is in flight. Return the
 * result, and its candidate set in *runs. NULL if the client stops, or if the target cannot take
 * choices. */
const run_result *reduction_run(reduction *r, const testcase *t, candidate_form form, batch *runs);

/* ---- The end ---- */

/* Explain r->result->bytes within the limits of r->config->explain. Does nothing without a result.
 * The counts of the result do not change. */
void explain_result(reduction *r);

#endif
