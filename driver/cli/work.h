/* work.h: what a process that searches or reduces has: a system under test and how it is run, a
 * folder of findings, events, and the ways to tell of all that. */
#ifndef WORK_H
#define WORK_H

#include "common_options.h"
#include "jsonl.h"
#include "progress.h"
#include "report.h"
#include "runner_forkserver.h"
#include "store.h"
#include "target_command.h"
#include "tool_init.h"

enum {
    EXIT_PASSED = 0,
    EXIT_FOUND = 1,
    EXIT_ENVIRONMENT = 2,
    EXIT_INCONCLUSIVE = 3,
    EXIT_OUTPUT = 4
};

/* Zeroed, with options, it is ready for work_prepare. */
typedef struct work {
    const work_options *options;
    tool_signals signals;
    target_command target;
    containment containment;       /* of all that starts runs */
    runner_forkserver_config runs; /* how runs are made */
    subject subject;
    char *replay_options; /* of the subject */
    char *replay;         /* of the subject */
    store *store;         /* NULL without --findings */
    FILE *json_file;      /* NULL without --json, or for standard output */
    jsonl jsonl;
    progress_line progress_line;
    int64_t deadline_ns; /* of the budget; 0: it has not begun */
    int64_t told_ns;     /* elapsed time when a best was told last; 0: never */
    int signal_number;   /* that stopped it, or 0 */
    bool shortage_told, unkillable_told;
    bool output_failed; /* something could not be written: exit 4 */
    bool has_no_cores;  /* crashes cost no time for their cores */
} work;

/* How an engine failed, if it did. */
typedef struct work_error {
    bool is_broken;      /* our own processes: error_number */
    bool is_environment; /* the system under test cannot be started: error, output */
    int error_number;
    const outcome *error;
    const bytes_tail *output;
    const char *folder; /* that runs work in; NULL where they have none */
} work_error;

/* Find the program, see how it can be run on up to size_max bytes, open what is written to. `tool`
 * is argv[0]. False when that failed, and was said. work_finish in any case. */
bool work_prepare(work *w, const char *tool, uint64_t size_max);
void work_finish(work *w);

/* The parts of it for a work without a system under test: how runs are contained, and where --json
 * goes. */
bool work_choose_containment(work *w);
bool work_open_events(work *w);

/* Whether what is written to `path` spares the program, which has been found. Says it if not. */
bool work_spares_program(const work *w, const char *path);

/* The moment when the budget is spent, which begins when this is first asked. */
int64_t work_deadline(work *w);

/* Say it if the program is not what it was; findings that are kept have its new digest. */
void work_look_at_program(work *w);

/* Keep a failure in the folder of findings, with its bytes or (NULL) its seed. False when it could
 * not be, or there is none; the first such failure is said. */
bool work_keep(work *w, const failure *f, const uint8_t *bytes);

/* Whether a failure leaves a core. */
bool work_is_crash(const failure *f);

/* Whether a failure is worth a line: a best is soon beaten by the next. */
bool work_is_news(work *w, bool is_best, int64_t elapsed_ns);

/* What a pool is to call when the system is short of something: said once, when it is long or
 * --verbose. The context is the work. */
void work_tell_shortage(void *context, int error_number, int64_t waited_ns);

/* What a pool is to call when a process that a run left cannot be killed: frng warns once. The
 * context is the work. */
void work_tell_unkillable(void *context, pid_t pid);

void work_tell_doubted(work *w, isolation_violation why, const seed_input *t);

/* Something crashes, or may: where that is slow, say once why. */
void work_tell_cores(work *w);
void work_tell_error(const work *w, const work_error *e);

/* The smallest failure has `size` bytes. Where that is none, arguments may have been forgotten. */
void work_tell_empty(const work *w, uint64_t size);

/* Whether events take the place of the result line. */
bool work_has_events_on_stdout(const work *w);

/* The exit status that follows from errors, or `otherwise`. Ends the events. */
int work_exit_status(work *w, const work_error *e, int otherwise);

#endif
