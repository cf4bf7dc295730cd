/* events.h: events as JSON Lines, for programs: the lines and fields that events.def lists. */
#pragma once

#include "event.h"
#include "failure.h"
#include "seed_input.h"

#include <jansson.h>

/* ---- The lines of events.def and the objects within them, as bits ---- */

/* Version of the events; fields may be added within it. */
enum { EVENTS_SCHEMA = 1 };

/* Tasks of an EVENT: 1 << run_task, and a replay. */
enum { OF_SEARCH = 1, OF_REDUCE = 2, OF_FILE = 4, OF_REPLAY = 8 };

enum {
#define EVENT(id, ...) AT_##id,
#define OBJECT(id, ...) AT_##id,
#include "events.def"
    AT_MAYBE
};

#define EVENT(id, ...) static const uint64_t id = UINT64_C(1) << AT_##id;
#define OBJECT(id, ...) static const uint64_t id = UINT64_C(1) << AT_##id;
#include "events.def"
static const uint64_t MAYBE = UINT64_C(1) << AT_MAYBE; /* of a row: absent if it would be null */

/* ---- Values of JSON, of other objects too ---- */

/* Set a member to a new value; NULL becomes null. The name is unique. */
void json_set(json_t *object, const char *name, json_t *value);

/* Return a number. JSON's integers end at INT64_MAX here. */
json_t *json_of_integer(uint64_t value);

/* Return a number that may be unknown, or a limit that may be none: NULL for UINT64_MAX. */
json_t *json_of_known(uint64_t value);

/* Return untrusted text of any length, with escapes for bytes that are not UTF-8; NULL for NULL. */
json_t *json_of_text(const char *value);

/* Return an array of untrusted texts, ended by NULL. NULL becomes an empty one. */
json_t *json_of_texts(const char *const *values);

/* Return a seed as a string, since many JSON readers keep at most 53 bits of a number; NULL for
 * NULL. */
json_t *json_of_seed(const seed_input *t);

/* Write an object as a line (stream_send), and free it. Returns 0 or an errno; then *is_torn says
 * whether a file got a part of the line. The next line ends that part. */
int json_put_line(int fd, bool *is_torn, json_t *object);

/* ---- A sink ---- */

typedef struct ignored_row ignored_row;
typedef struct replay_draw replay_draw;
typedef struct trace trace;

enum {
    /* Steps of a reduction that become lines at first; later ones only if they save much. */
    EVENTS_STEPS = 4096,
    EVENTS_STEP_SHARE = 256,
    /* Time between signs of life. Progress comes every 100 ms at least: a minute has one. */
    EVENTS_ALIVE_MS = 59500,
    /* Most bytes of an input or a result that are shown as hex. */
    EVENTS_HEX_MAX = 4096,
    /* Most lines of each kind of a replay; its last line counts all. */
    EVENTS_RUNS = 1000,
    EVENTS_DRAWS = 10000
};

/* The lines under way. Zeroed but for `utc`: no output. */
typedef struct events {
    int out;                                        /* a descriptor; 0: no output */
    const char *(*utc)(char text[SUMMARY_UTC_MAX]); /* the wall clock */
    const run_setup *setup;                         /* of the event STARTED */
    const char *mode;                               /* of the runs, at present */
    tested_runs tested;                             /* runs of one size that are in no line yet */
    uint64_t told;                                  /* runs of that size in lines so far */
    uint64_t last_size;                             /* size in the last line `size` or `step` */
    uint64_t steps;                                 /* lines `step` */
    int64_t alive_ns;                               /* elapsed time at the last sign of life */
    bool has_size;
    bool is_brief;    /* without what runs printed */
    int64_t every_ns; /* the time within which the next sign of life is promised; 0: the usual */
    bool is_torn;     /* the last line may be cut, as by a full disk */
    int error;        /* errno of the first line that could not be written, or 0 */
} events;

/* The function of an event_sink whose context is `events`. Before the first failure, a size becomes
 * a line `size` only if it is the largest so far; after that, whenever it changes. */
void events_take(void *context, const event *e);

/* What the values of events.def speak of. A line needs those that its rows name. */
typedef struct events_scope {
    const run_setup *setup;
    const event *event;
    const progress *progress;
    const char *mode, *when; /* when: now */
    int64_t every_ns;        /* the next sign of life comes within this time */
    found_input found;       /* without a failure: none */
    const run_claim *claim;
    const claim_level *level;
    bool has_failed; /* the claim is about smaller failures than the best */
    const wrong_record *wrong;
    size_t draw; /* of the explanation */
    const ignored_row *ignored;
    const pass_statistics *pass;
    const file_outcome *file;
    const tally_row *row;
    const histogram *values;
    /* Of a replay: */
    rerun_count seen;               /* runs, and those that failed */
    bool has_seed;                  /* the input does; else it is `input_bytes` */
    const uint8_t *input_bytes;     /* all of them */
    uint64_t records;               /* that the run reported; UINT64_MAX: without --trace */
    uint64_t number;                /* of the run, from 1 on */
    bool counts;                    /* its failure is one that --only asks for */
    const char *word, *how;         /* of the end: the outcome, the first signature (NULL: none) */
    uint64_t passed, failed, other; /* other: as --only does not ask, or as --ignore names */
    const replay_draw *shown;
} events_scope;

/* Put the line of events.def whose bit is `line`, if there is an output: a line of a replay. The
 * setup is that of `s`. */
void events_put(events *s, uint64_t line, events_scope v);

/* Put a line `draw` for each row of the trace of a replay, and `say` for what the test says. */
void events_put_trace(events *s, const trace *t);
