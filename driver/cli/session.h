/* session.h: what searching and reducing share from their start to their exit status: the program
 * and how it is run, findings, the sinks of events, and messages that are printed once. */
#ifndef SESSION_H
#define SESSION_H

#include "common_options.h"
#include "json_sink.h"
#include "pool.h"
#include "runner_forkserver.h"
#include "store.h"
#include "target_command.h"
#include "text_sink.h"
#include "tool_init.h"

/* The program, and how commands name it. */
typedef struct session_target {
    target_command sut;
    run_target subject;
    char *replay_options; /* of the subject */
    char *replay;         /* of the subject */
} session_target;

/* The places that are written to. */
typedef struct session_output {
    store *store;    /* NULL without --findings */
    FILE *json_file; /* NULL without --json, or for standard output */
    json_sink json;
    text_sink text;
    bool failed; /* something could not be written: exit 4 */
} session_output;

/* Messages that were printed, or need not be. */
typedef struct session_warned {
    bool shortage, unkillable, cores;
} session_warned;

typedef struct session {
    const work_options *options;
    tool_signals signals;
    session_target target;
    containment containment;       /* of all that starts runs */
    runner_forkserver_config runs; /* how runs are made */
    run_setup setup;               /* of the event STARTED */
    session_output output;
    session_warned warned;
    int64_t deadline_ns; /* of the budget; 0: it has not begun */
    int signal_number;   /* that stopped it, or 0 */
} session;

/* ---- Before the run ---- */

/* Prepare to test a program: find it, see how it can be run on up to size_max bytes, open all that
 * is written to. *s is zeroed but for its startup. `tool` is argv[0]. Returns false after a message
 * that says why. session_finish in any case. */
bool session_prepare(session *s, const work_options *options, const char *tool, uint64_t size_max);
void session_finish(session *s);

/* End the tool with this exit status, or by the signal that stopped the session. */
int session_exit(const session *s, int status);

/* The parts of session_prepare for a session without a program under test. */
void session_begin(session *s, const work_options *options);
bool session_choose_containment(session *s);
bool session_open_events(session *s);

/* True if writing to `path` spares the program. Prints a message if not. */
bool session_spares_program(const session *s, const char *path);

/* The moment when the budget is spent. The budget begins with the first call. */
int64_t session_deadline(session *s);

/* ---- While it runs ---- */

/* A pool of the session's workers, to which the caller may add room for candidates. */
pool_config session_pool(session *s, runner_factory create, const void *config);

/* Emit the event STARTED, once the task and its parameters are in s->setup. */
void session_start(session *s);

/* Pass an event on to the sinks, after the messages that belong to it. Failures that are to be kept
 * must be on disk before. */
void session_emit(session *s, const event *e);

/* Store a failure as a finding, with its bytes or (NULL) its seed. Returns false if there is no
 * folder of findings, or after an error, of which the first is printed. */
bool session_store(session *s, const failure *f, const uint8_t *bytes);

/* An output file could not be written. Prints the first such error. */
void session_output_failed(session *s, const char *path, int error);

/* Print once why crashes are slow, where they are. */
void session_warn_cores(session *s);

/* ---- After it ---- */

/* Print errors, the summary, the result line if `has_result`, and the last event. Returns the exit
 * status. */
int session_report(session *s, const summary *r, bool has_result);

/* Print a hint if the program failed with `size` 0 and without arguments. */
void session_warn_empty(const session *s, uint64_t size);

#endif
