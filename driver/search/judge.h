/* judge.h: the failures of a search: what it knows of them, and how it judges a run that failed.
 * Private to search.c and judge.c. */
#ifndef JUDGE_H
#define JUDGE_H

#include "engine.h"
#include "event.h"
#include "search.h"

typedef enum found_state {
    FOUND_SURE,     /* it failed in each rerun: the strategy may rely on it */
    FOUND_ANSWERED, /* the same, but an answer of --all is like it and no larger */
    FOUND_FLAKY,    /* it failed again, but not always */
    FOUND_ONCE,     /* it never failed again */
    FOUND_LIMITED,  /* it failed for lack of memory, or stopped its worker */
    FOUND_OTHER     /* it is not what the search pursues */
} found_state;

/* A failure that was rerun, or could not be. */
typedef struct found {
    failure failure;
    found_state state;
    bool is_announced; /* as a best, before it was known to be flaky */
    bool is_aside;     /* a rerun of it passed: the search never relies on it again */
    rerun_count more;  /* reruns of it, and of failures like it, that `failure` does not count */
} found;

enum { FOUND_MAX = 256, UNRELIABLE_MAX = 64 };

typedef struct search {
    const search_config *config;
    const event_sink *sink;
    search_result *result;
    client client;
    strategy *strategy;
    uint64_t under_way; /* runs of the batches in the pool */
    file_stamp program; /* the file of the target, as the first runs had it */
    found *list;        /* the failures by their inputs, the smallest first; FOUND_MAX at most */
    size_t count;
    uint64_t unreliable[UNRELIABLE_MAX]; /* a ring: sizes of failures that the strategy took as
                                            passes, so that its claims of these do not hold */
    size_t unreliable_count;
    bool is_strict; /* a failure was flaky: each later one must fail in all reruns that are due */
    bool has_warned_alike;    /* EVENT_ALIKE was emitted */
    uint64_t unread;          /* answered failures of servers, whose messages are unknown */
    bytes_tail judged_output; /* of the failure that is being judged */
    failure known;            /* taken from the source */
    bool is_known_untried;    /* `known` was not run: the client had stopped */
    uint64_t size;            /* bytes of the run committed last */
    uint64_t watched_from;    /* number of the run from which on leaks are looked for */
    int64_t start_ns;
} search;

/* Return the smallest failure in a state, or NULL. The best is the smallest one that is SURE. */
found *search_smallest(const search *s, found_state state);
const failure *search_best(const search *s);

/* Return the reruns of all failures like this one (failure_is_alike). Together they decide whether
 * it is flaky: an input that fails in each of its reruns may do so by luck, and does if others like
 * it pass. */
rerun_count search_evidence(const search *s, const failure *f);

/* Recall that a rerun of this failure passed in another search. */
void search_recall(search *s, const failure *f);

bool search_is_unreliable_size(const search *s, uint64_t size);

/* Return the answer of --all with the signature and site of a failure, or NULL. */
search_answer *search_answer_like(search_answers *each, const failure *f);

/* True if --all has an answer like a failure, and no larger; or no room for its signature. */
bool search_is_answered(const search *s, const failure *f);

/* Rerun a failure until it has `due` reruns, or until one passes. What is under way is
 * cancelled. */
void search_rerun(search *s, failure *f, unsigned due, reruns_until until);

/* Rerun a sure failure as often as it takes to call it reliable. If a rerun passes, it counts as a
 * pass from now on; return false then. */
bool search_verify(search *s, found *sure);

typedef enum judgement {
    JUDGED_FAILED,     /* it is accepted: the strategy may rely on it */
    JUDGED_UNRELIABLE, /* it counts as a pass */
    JUDGED_MASKED      /* it is not of what the search pursues, and counts as a pass */
} judgement;

/* Judge a run that did not pass. Rerun it with the bytes that it drew, if the target reported them.
 * If that prefix does not fail again, *drawn becomes unknown. Then, or if the target reported
 * nothing, rerun it with all bytes. Reruns cancel what is under way. */
judgement search_judge(search *s, seed_input t, const run_result *r, uint64_t *drawn);

/* Cancel all batches in the pool. */
void search_cancel(search *s);

/* Return how far the search is. */
progress search_progress(const search *s);

/* Emit a confirmed failure, a best or another one, with the evidence of all failures like it. */
void search_emit_failure(const search *s, event_kind kind, const failure *f);

#endif
