/* reduction.h: the state of a reduction, and how its best changes.
 *
 * It is for reduce.c, which proposes, accept.c, which judges, and explain.c. */
#pragma once

#include "event.h"
#include "patch.h"
#include "reduce.h"
#include "schedule.h"

/* ---- Rejected candidates: test cases that are known to be uninteresting (rejected.c) ---- */

/* A bounded hash table of 64-bit digests. When it is full, it forgets all of them. */
typedef struct rejected_cache {
    uint64_t *digests; /* 0: empty */
    size_t capacity;   /* a power of two */
    size_t count;
    bool *has_prefix; /* of this length, up to prefix_max */
    size_t prefix_max;
    size_t prefix_end;     /* longer than all prefixes in the table */
    rejected_table *table; /* digests of whole test cases for the workers; NULL: none */
} rejected_cache;

/* Make an empty cache for test cases of at most `size_max` bytes. */
void rejected_cache_init(rejected_cache *c, size_t size_max);
void rejected_cache_finish(rejected_cache *c);

void rejected_cache_clear(rejected_cache *c);

/* Find or add the digest of a whole test case (digest_of). */
bool rejected_cache_has_digest(const rejected_cache *c, uint64_t digest);
void rejected_cache_add_digest(rejected_cache *c, uint64_t digest);

/* True if the bytes begin with a rejected prefix. */
bool rejected_cache_has_prefix(const rejected_cache *c, const uint8_t *bytes, size_t size);

/* Reject all test cases that begin with the bytes: a run that passed drew no more of them. */
void rejected_cache_add_prefix(rejected_cache *c, const uint8_t *bytes, size_t size);

/* ---- The state ---- */

typedef struct sent_candidate {
    uint64_t digest;
    size_t draws;    /* before it runs */
    schedule before; /* the schedule that proposed it, before it gets the result */
} sent_candidate;

typedef struct sent_set {
    candidate_set *set;                            /* borrowed from the pool */
    bool is_stale;                                 /* the best has changed since it was submitted */
    sent_candidate candidates[CANDIDATE_SET_MOST]; /* those of the set */
} sent_set;

typedef struct external_member {
    unsigned strikes; /* times it broke */
    unsigned barren;  /* candidates in a row that were not simpler */
    bool is_dropped;  /* it is never asked again */
} external_member;

typedef struct external_turn {
    external_member *members; /* in the order of config->external_passes; owned */
    size_t at;                /* the pass whose turn it is */
    uint64_t next;            /* its next instance to ask for */
    unsigned known;           /* its candidates in a row that were run before */
    bool is_warm;             /* it made a candidate: several instances may be in flight */
    bool has_won;             /* one had a success in this turn, or the best has changed */
} external_turn;

/* A test case that failed, and how. Both are owned. */
typedef struct failed_case {
    testcase testcase;
    failure failure;
} failed_case;

typedef struct reduction {
    const reduce_config *config;
    const event_sink *sink;
    reduce_result *result; /* its best is the last one that was confirmed */
    client client;
    failure target;           /* the failure that steps must be like */
    bytes_tail judged_output; /* of the failure that is being judged */

    failed_case best;   /* the simplest test case that failed */
    bool is_confirmed;  /* it failed again in a fresh process: it is the result */
    testcase base;      /* the best when the current site began, once the site had a success */
    byte_change change; /* of the last step */
    failed_case first;  /* the first result */
    double share;       /* of its reruns in which the first one failed */
    bool is_first;      /* the result is the first one */
    bool is_announced;  /* the result was announced */
    bool is_cold;   /* no candidate runs in a process that has stayed: a best passed elsewhere */
    bool is_warm;   /* the best has failed in such a process only */
    bool is_strict; /* a test case was flaky: a step must fail as often as the one before */
    unsigned trust; /* then steps may be taken in a row before their reruns; 0: none */
    unsigned taken; /* such steps */
    uint64_t confirmed;              /* the calls when the last best was confirmed */
    uint64_t announced;              /* the calls when a result was last announced */
    size_t least_size;               /* the size of the best, */
    uint64_t least_bits, least_made; /* and how few bits its ranks had, after so many candidates */

    const pass *passes[PASS_MAX + 1]; /* ended by NULL */
    schedule now;                     /* after all results that were taken */
    unsigned renewals;                /* rounds in which the passes have new shares */
    schedule ahead;                   /* the same, if no candidate in flight becomes the best */
    sent_set *window;                 /* with `slots` sets in flight; owned */
    size_t slots, oldest, flying;     /* to remove all sets, or the newest, lower `flying` */
    uint32_t batch_max;               /* candidates in a candidate set */
    run_purpose purpose;              /* RUN_TRY_UNWATCHED if the failure is no leak */
    candidate_form form;              /* of candidates */
    testcase tried;                   /* buffer for a candidate */
    rejected_cache rejected;
    external_turn external;

    bool can_choose;       /* the target can take choices */
    bool has_cancelled;    /* a candidate was rerun: nothing is in flight */
    bool distrusts;        /* a record was wrong: no records are used any more */
    bool has_warned_alike; /* EVENT_ALIKE was emitted */
} reduction;

/* Run the input until it fails, at most CONFIRM_TRIES times, for it may be flaky, and once more in
 * a fresh process, unless it is but another start. It is the first best and the first result. False
 * if it does not fail as configured, or if the client stops. */
bool accept_first(reduction *r);

/* ---- Candidates ---- */

/* Make the failed last candidate of a set the best, by a pass of these statistics. Return false if
 * it is not simpler, made more than `draws_max` draws of choices, is uninteresting or, once a test
 * case was flaky, fails less often than the result. The previous best becomes the base, unless the
 * candidate keeps it. Counting how often a candidate fails, or a rerun that shows its site, cancels
 * everything in flight. */
bool accept_try(reduction *r, const run_result *run, const candidate_set *set, size_t draws_max,
                bool keeps_base, pass_statistics *s);

/* Never propose a test case again: it is uninteresting, or the best. */
void accept_bar(reduction *r, testcase *t);

/* ---- Single runs ---- */

/* Make the test case of the last run of a set; of choices, of the bytes that they made. Emits the
 * first record that the bytes contradict: from then on no records are used, and each byte is a
 * draw. False if it reported no bytes. */
bool accept_testcase(reduction *r, const run_result *run, const candidate_set *set, testcase *t);

/* True if the last run of a set failed in a way that steps accept. A rerun that shows its site
 * cancels everything in flight. */
bool accept_is_alike(reduction *r, const run_result *run, const candidate_set *set);

/* True if a run of choices made just the bytes of a test case. */
static inline bool accept_made(const candidate_set *set, const testcase *t) {
    return set->chosen_size == t->size && memcmp(candidate_set_chosen(set), t->bytes, t->size) == 0;
}

/* ---- The best, confirmed and announced ---- */

/* True if the best has waited long enough to be confirmed. */
bool confirm_is_due(const reduction *r);

/* Rerun the best until it has `times` reruns in all, and announce it. False if the client stops or
 * if a rerun passes and another test case becomes the best. */
bool confirm_best(reduction *r, unsigned times);

/* Confirm the best at the end, if there is time, and announce the result. */
void confirm_last(reduction *r, unsigned times);

/* Announce a result that needs no rerun, if the last announcement is some calls ago. */
void confirm_announce_now_and_then(reduction *r);

/* Rerun the failures of other signatures that candidates met, and announce those that repeat. */
void confirm_others(reduction *r);

void reduction_emit_progress(reduction *r);

/* Return the bits that the ranks of the draws have together: 0 if each value is the simplest. */
uint64_t reduction_rank_bits(const testcase *t);

/* Run a test case in this form, with its draws recorded, while nothing is in flight. Return the
 * result, and its candidate set in *runs. NULL if the client stops, or choices are not taken. */
const run_result *reduction_run(reduction *r, const testcase *t, candidate_form form, batch *runs);

/* Explain r->result->bytes within the limits of r->config->explain. Does nothing without a result.
 * The counts of the result do not change. */
void explain_result(reduction *r);
