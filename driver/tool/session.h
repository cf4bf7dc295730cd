/* session.h: the common part of frng-search and frng-reduce, from start to exit status.
 *
 * It has the target and its mode, findings, event sinks, and messages that are printed once. A
 * replay has less of it. */
#pragma once

#include "engine.h"
#include "events.h"
#include "input_source.h"
#include "keeper.h"
#include "options.h"
#include "search.h"
#include "server.h"
#include "store.h"
#include "target.h"
#include "text.h"
#include "tool.h"

/* A search or a reduction, with its sinks of events. */
typedef struct session_task {
    input_source input;  /* of a replay or a reduction of a failure; then its result */
    run_setup setup;     /* content of the event STARTED */
    int64_t deadline_ns; /* end of the budget; 0: the budget has not begun */
    int64_t last_ns;     /* end of the last reruns after it */
    events json;
    text_sink text;
} session_task;

typedef struct session {
    const tool_options *options;
    tool_signals signals;
    session_task first, *now; /* `now` is `first`, or a reduction of what it has found */
    /* The search from whose starts a reduction begins, too; may be NULL. */
    const search_result *searched;
    target_command target;   /* or the predicate */
    const char *silent;      /* file of a target that names the protocol, and did not answer the
                                  probe; NULL: none. Borrowed from the target */
    containment containment; /* of the workers and the probe */
    work_folder work;        /* for the files of their runs; removed at the end */
    run_config runs;         /* configuration of the runs */
    pool *pool;        /* its first worker probed the target; NULL once the search has taken it */
    int signal_number; /* signal that stopped the session, or 0 */

    keeper *keeper;              /* of the findings of this session; NULL without --findings */
    int keeper_error;            /* errno of the trouble that was printed; 0: none, or it is over */
    struct fleet_report *report; /* of a search that reports (fleet_report.h); NULL: it does not */
    bool failed;                 /* an output was not written, or the probe failed: exit 4 */
    bool warned_of_unkillable;
} session;

/* ---- Before the run ---- */

/* The whole of a tool: begin with its options, call `run`, which returns the exit status, and end
 * the process by the signal that stopped the session, if one did. */
int session_main(tool_kind tool, int argc, char **argv, int (*run)(session *s, tool_options *o));

/* Prepare to test a target: find it, choose its mode for inputs of up to size_max bytes, and open
 * the outputs. *s is zeroed except for `signals`, `now` and its input. Returns false after a
 * message with the reason. */
bool session_prepare(session *s, tool_options *o, uint64_t size_max);

/* The parts of session_prepare, for a session without a target, or without workers. */
bool session_begin(session *s, const tool_options *options);
bool session_find_target(session *s, tool_options *o);
bool session_choose_containment(session *s);

/* Open the file of --json, to whose end events go; "-" is standard output, where they take the
 * place of results. Waits for the reader of a pipe. Returns false after a message. */
bool session_open_events(session *s);
bool session_prints_events(const session *s);

/* Return true if all events were written. Prints an error, but not if the reader of standard output
 * wanted no more of them. */
bool session_end_events(const session *s);

/* Return the time when the budget ends (clock_now_ns). The budget begins with the first call. */
int64_t session_deadline(session *s);

/* ---- During the run ---- */

/* Return the configuration of the session's workers. The caller may add room for candidates. */
pool_config session_pool(session *s, runner_factory create, const void *config);

/* Open the pool of the target's runs. Returns NULL with errno. */
pool *session_open_pool(session *s);

/* True if what fails has to fail outside of the user namespace that workers are in, too. */
bool session_looks_outside(const session *s);

/* Make no more runs in one: what is reduced is to fail in the user's own world. */
void session_leave_namespace(session *s);

/* Emit the event STARTED. Before that, the caller sets the task and its parameters in its setup. */
void session_start(session *s);

/* Print the messages that belong to an event, then pass the event to the sinks. A failure that is
 * to be kept must already be on disk. */
void session_emit(session *s, const event *e);

/* Take the end of a search or a reduction: the signal that stopped it; say that the target was
 * rebuilt. */
void session_take_end(session *s, const run_stop *stop);

/* Record that an output file could not be written. Prints the first such error. */
void session_output_failed(session *s, const char *path, int error);

/* ---- Findings: failures that are kept ---- */

/* Keep a failure as a finding. `draft` has its bytes, or none: its seed suffices. Return true if it
 * is on disk; false without --findings. */
bool session_save(session *s, const failure *f, finding draft);

/* Keep a failure that never failed again, with its output, in the folder `unconfirmed` of the
 * findings. No tool runs it again or lists it unless it is named. Return its path, which the caller
 * frees, or NULL: there is no folder, or it is full. */
char *session_set_aside(session *s, const failure *f);

/* Return the path of the finding of a failure, or of the reduced one that is better than its seed.
 * The caller frees it. NULL if it is not on disk, as without --findings. */
char *session_finding_path(const session *s, const failure *f, const uint8_t *bytes);

/* Write the final reruns of a failure that is stored, and what `draft` has of a reduction. */
void session_conclude(session *s, const failure *f, finding draft);

/* Try again what is only in memory, at each sync. `seen` is by store_look, just now; NULL: look. */
void session_retry(session *s, const file_stamp *seen);

/* The same at the end: what is not on disk makes the exit status 4. */
void session_end_findings(session *s);

/* Print errors, the summary, the result line if `has_result`; emit the last event. Returns the exit
 * status. */
int session_report(session *s, const summary *r, bool has_result);

/* Print a hint if a failure has `size` 0: the target may need more memory, or arguments. */
void session_warn_empty(const session *s, const failure *best);

/* ---- A reduction of the input of a failure (reduce_failure.c) ---- */

typedef struct atomic_file atomic_file;

/* Most bytes that can be reduced: findings hold no more, and draws take memory. */
#define REDUCE_FAILURE_SIZE_MAX ((uint64_t)FINDING_BYTES_MAX)

/* Reduce the input of the session by its options, save the result and report it; the result takes
 * the input's place. `from` is the seed that it comes from, whose size is 0 if it has none; the
 * result goes to `output`, if not NULL, too. Returns the exit status. */
int reduce_failure(session *s, seed_input from, const atomic_file *output);

/* Run an input, which passes, once more by itself. Return why that is no verdict on a finding with
 * these draws. */
run_doubt reduce_failure_doubt(session *s, client_input in, draws_seen kept);

/* Run a reduction in a pool of such workers. Returns the pool, which the caller destroys, or
 * NULL. */
pool *reduce_failure_run(session *s, pool_config workers, const reduce_config *config,
                         const event_sink *sink, reduce_result *result);
