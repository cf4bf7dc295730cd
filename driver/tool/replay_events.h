/* replay_events.h: --json of frng-replay. */
#ifndef REPLAY_EVENTS_H
#define REPLAY_EVENTS_H

#include "failure.h"
#include "json_replay.h"
#include "spawn.h"
#include "tool.h"

typedef struct input_source input_source;
typedef struct tool_options tool_options;
typedef struct target_command target_command;

typedef struct replay_events {
    json_replay json;
    json_output file; /* json.out, if there are events */
    char *options;    /* owned; of the replay command */
    run_target subject;
    run_setup setup;
    tool_call call;
    failure input; /* its size and seed */
    failure seen;  /* of the last run that failed */
    bytes_tail seen_output;
    int64_t start_ns;
    int64_t alive_ns; /* time of the last sign of life (clock_now_ns) */
    uint64_t runs;    /* count of runs that have ended */
} replay_events;

/* Begin the events of a replay, if --json asks for them. Returns false after a message. All is
 * borrowed until replay_events_finish, which is to be called in any case. */
bool replay_events_begin(replay_events *e, const tool_options *o, const target_command *sut,
                         const input_source *in, const char *const *argv);

/* A run that has ended. All is borrowed. */
typedef struct replayed_run {
    uint64_t number; /* from 1 on */
    const outcome *end;
    const char *site;         /* of its failure, or "" */
    const bytes_tail *output; /* what it printed; NULL: unknown */
    bool counts;              /* false for a failure that is not wanted */
} replayed_run;

/* Write the event of a run. */
void replay_events_run(replay_events *e, const replayed_run *run);

/* Return the pulse of runs: a sign of life each minute, if there are events. */
child_pulse replay_events_pulse(replay_events *e);

/* Write the event of the end. Returns false after a message if the events could not be written. */
bool replay_events_end(replay_events *e, const char *word, const replay_counts *counts,
                       const char *how);
void replay_events_finish(replay_events *e);

#endif
