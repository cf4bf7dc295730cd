/* json_replay.h: the events of a replay as JSON Lines. */
#ifndef JSON_REPLAY_H
#define JSON_REPLAY_H

#include "event.h"
#include "json_output.h"
#include "trace.h"

#include "frng_protocol.h"
#include "summary.h"

/* Most lines of each kind; the last line counts all. */
enum { JSON_REPLAY_RUNS = 1000, JSON_REPLAY_DRAWS = 10000 };

typedef struct json_replay {
    json_output *out; /* borrowed; NULL: no output */
    const run_setup *setup;
    found_input input;    /* what is replayed, for its command; its failure has size and seed */
    const uint8_t *bytes; /* the whole input */
    bool has_seed;
    uint64_t draws; /* that the run reported; UINT64_MAX: not traced */
    int error;      /* errno of the first line that could not be written, or 0 */
} json_replay;

typedef struct replay_counts {
    uint64_t passed, failed, other; /* other: as --only does not ask, or as --ignore names */
} replay_counts;

/* Put the line `start`. */
void json_replay_start(json_replay *j, uint64_t runs);

/* A run that has ended. */
typedef struct replay_run {
    uint64_t number;    /* from 1 on */
    const failure *how; /* NULL: it passed */
    bool counts;        /* the failure is one that --only asks for, and --ignore does not name */
    int64_t elapsed_ns; /* since the start of the replay */
} replay_run;

/* Put a line `run`. */
void json_replay_run(json_replay *j, const replay_run *r);

/* Put the line `alive`: the time is `when` (UTC), and `runs` have ended. */
void json_replay_alive(json_replay *j, const char *when, uint64_t runs, int64_t elapsed_ns);

/* Put a line `draw` for each row of the trace. */
void json_replay_draws(json_replay *j, const trace *t);

/* Put the line `wrong_record`, after the draws. */
void json_replay_wrong_record(json_replay *j, const wrong_record *w);

/* The end of a replay. */
typedef struct replay_end {
    const char *word; /* the outcome */
    const char *how;  /* signature of the first failure; "": none */
    const replay_counts *counts;
    int64_t elapsed_ns;
} replay_end;

/* Put the line `done`. */
void json_replay_done(json_replay *j, const replay_end *end);

#endif
