/* part.h: a part of a batch that a server makes by one message, and how it ended. */
#pragma once

#include "frng_protocol.h"
#include "runner.h"

typedef enum part_end {
    PART_DONE,      /* `done` is the answer, or that of a server that was killed at a deadline */
    PART_CANCELLED, /* the batch was cancelled */
    PART_LOST       /* the server died or sent nonsense, and was killed */
} part_end;

/* A part of a batch that the server makes by one message, and how it ended. */
typedef struct part {
    batch batch;    /* as many runs as fit in a message */
    uint32_t ahead; /* of these, those before the batch's: known ones of a process that stays */
    batch own;      /* if there are such: the runs of the batch */
    bool goes_on;   /* they are before each run of the batch, which is counted if it fails so */
    uint64_t flags; /* those of FRNG_RUN; FRNG_DIGEST applies to the last run */
    frng_leaks_request leaks;
    frng_message message;
    uint32_t known; /* of its runs failed as known, and did not end it */
    bool is_first;  /* no run came before these in their process */
    bool is_warm;   /* the process stayed for them after other runs */
    part_end end;
    frng_message done; /* what is known of the runs, whatever the end */
    outcome ended;     /* of run done.count, if that ended the part; else it is a pass */
} part;

/* Return the seed (in a candidate set: the index) of a run of the message; of one ahead, that of
 * the batch's first. */
static inline uint64_t part_seed(const part *p, uint64_t run) {
    if (p->ahead == 0) return p->batch.first_seed + run;
    if (p->goes_on) return p->own.first_seed + run / (p->ahead + 1);
    return p->own.first_seed + (run > p->ahead ? run - p->ahead : 0);
}

#define OUTCOME_HUNG ((outcome){VERDICT_TIMEOUT, 0, FAULT_NONE, 0, OUTCOME_DRAWN_UNKNOWN})

/* True if the run in progress has no end: it may have killed the server; or the server cannot fork
 * now, whereas this process waits for resources. */
static inline bool part_is_lost(const part *p) {
    return p->end == PART_LOST || (p->done.flags & FRNG_NO_PROCESS) != 0;
}

/* True if a run of the message failed. */
static inline bool part_has_failed(const part *p) {
    return p->end == PART_DONE && !part_is_lost(p) && outcome_failed(&p->ended) &&
           p->done.count < p->batch.count;
}
