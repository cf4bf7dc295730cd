/* json_replay.h: the events of a replay as JSON Lines. */
#ifndef JSON_REPLAY_H
#define JSON_REPLAY_H

#include "json_event.h"
#include "json_output.h"
#include "trace.h"

/* Most lines of each kind; the last line counts all. */
enum { JSON_REPLAY_RUNS = 1000, JSON_REPLAY_DRAWS = 10000 };

struct json_replay {
    json_output *out; /* borrowed; NULL: no output */
    const run_setup *setup;
    found_input input;    /* what is replayed, for its command; its failure has size and seed */
    const uint8_t *bytes; /* the whole input */
    bool has_seed;
    uint64_t draws; /* that the run reported; UINT64_MAX: not traced */
    int error;      /* errno of the first line that could not be written, or 0 */
};

typedef struct replay_counts {
    uint64_t passed, failed, other; /* other: as --only does not ask, or as --ignore names */
} replay_counts;

/* A draw, or a line that the test says, and what stands before it. */
struct replay_draw {
    const frng_trace_record *record; /* the first */
    uint64_t number;                 /* of the draw; of a line: of draws before it */
    uint64_t offset, size;
    bool is_inside; /* the input has all of its bytes */
    const uint8_t *bytes;
    const char *kind, *text;
    const frng_trace_record *note; /* the last note, which names the draw; NULL: none */
    const frng_trace_record *step; /* the last step, if it begins with the draw; NULL: none */
    uint64_t step_number;
    json_t *notes; /* notes and steps without a draw; NULL: none */
};

/* Put the line `start`. */
void json_replay_start(json_replay *j, uint64_t runs);

/* A run that has ended. */
struct replay_run {
    uint64_t number;    /* from 1 on */
    const failure *how; /* NULL: it passed */
    bool counts;        /* the failure is one that --only asks for, and --ignore does not name */
    int64_t elapsed_ns; /* since the start of the replay */
};

/* Put a line `run`. */
void json_replay_run(json_replay *j, const replay_run *r);

/* Put the line `alive`: the time is `when` (UTC), and `runs` have ended. */
void json_replay_alive(json_replay *j, const char *when, uint64_t runs, int64_t elapsed_ns);

/* Put a line `draw` for each row of the trace. */
void json_replay_draws(json_replay *j, const trace *t);

/* Put the line `wrong_record`, after the draws. */
void json_replay_wrong_record(json_replay *j, const wrong_record *w);

/* The end of a replay. */
struct replay_end {
    const char *word; /* the outcome */
    const char *how;  /* signature of the first failure; "": none */
    const replay_counts *counts;
    int64_t elapsed_ns;
};

/* Put the line `done`. */
void json_replay_done(json_replay *j, const replay_end *end);

#endif
