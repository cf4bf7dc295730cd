/* json_replay.h: the events of a replay as JSON Lines. */
#ifndef JSON_REPLAY_H
#define JSON_REPLAY_H

#include "event.h"
#include "json_output.h"

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

/* Put a line `run`. `f` is its failure; NULL: it passed. */
void json_replay_run(json_replay *j, uint64_t number, const failure *f, bool counts,
                     int64_t elapsed_ns);

/* Put the line `alive`: the time is `when` (UTC), and `runs` have ended. */
void json_replay_alive(json_replay *j, const char *when, uint64_t runs, int64_t elapsed_ns);

/* Put a line `draw` for each row of the trace: `count` records of the `told` ones. */
void json_replay_draws(json_replay *j, const frng_trace_record *records, uint64_t count,
                       uint64_t told);

/* Put the line `wrong_record`, after the draws. */
void json_replay_wrong_record(json_replay *j, const wrong_record *w);

/* Put the line `done`. `how` is the signature of the first failure; "": none. */
void json_replay_done(json_replay *j, const char *word, const replay_counts *t, const char *how,
                      int64_t elapsed_ns);

#endif
