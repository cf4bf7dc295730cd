/* options.h: a command line, read by a table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "containment.h"
#include "mode.h"
#include "runner_spawn.h"
#include "signature.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One option. `set` stores a value (NULL for an option that takes none) in a field of the options,
 * and returns false for one that is not valid; `expected` then tells the user what is. */
typedef struct option_spec {
    const char *name;     /* without the dashes */
    char letter;          /* short form, or 0 */
    const char *expected; /* NULL: takes no value */
    bool (*set)(void *field, const char *value);
    size_t at; /* where the field is in the options */
} option_spec;

typedef enum options_answer {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_VERSION,
    OPTIONS_WRONG
} options_answer;

/* What stands beside the options: the system under test (NULL for none), and its arguments after
 * "--", ended by NULL. Both point into argv. */
typedef struct operands {
    char *sut;
    char **args;
    uint64_t given;    /* bit i: option i of the table was said */
    const char *extra; /* a second operand, where none may be; or NULL */
} operands;

/* Parse argv; options may stand before and after the system under test, and have their full names.
 * --help and --version are known to every table. Operands such as "size=16 seed=5", in one word or
 * several, are options where the table has these names; they are cut in place. Says itself what is
 * wrong. */
options_answer options_parse(int argc, char **argv, const option_spec *specs, size_t count,
                             void *options, operands *rest);

/* The first of some names, ended by NULL, whose option was said; or NULL. */
const char *options_first_given(const operands *rest, const option_spec *specs, size_t count,
                                const char *const *names);

/* Print that no program was named. */
void options_missing_target(void);

/* Setters of single fields: a bool that becomes true, a text that may not be empty. */
bool options_set_flag(void *flag, const char *value);
bool options_set_text(void *text, const char *value);

/* What all tools share. The setters take the whole. */
typedef struct run_options {
    int64_t timeout_ns;
    uint64_t memory_max;
    run_stdin stdin_kind;
    bool has_only;
    signature only;
} run_options;

extern const run_options run_options_default;

bool run_options_set_timeout(void *options, const char *value);
bool run_options_set_memory(void *options, const char *value);
bool run_options_set_stdin(void *options, const char *value);
bool run_options_set_only(void *options, const char *value);

/* Those that are not at their defaults, as " --timeout 1s", for a replay line; freed by the
 * caller. NULL when out of memory. */
char *run_options_text(const run_options *o);

/* What searching and reducing share. */
typedef struct work_options {
    run_options run;
    operands rest;
    unsigned jobs;
    int64_t budget_ns; /* CLOCK_NEVER: none */
    bool has_mode;     /* false: auto */
    run_mode mode;
    bool has_containment; /* false: the best that is granted */
    containment containment;
    const char *findings; /* folder, or NULL */
    const char *json;     /* file, "-", or NULL */
    bool quiet, verbose;
} work_options;

void work_options_init(work_options *o);
bool work_options_set_jobs(void *jobs, const char *value);
bool work_options_set_time(void *budget_ns, const char *value);
bool work_options_set_mode(void *options, const char *value);
bool work_options_set_containment(void *options, const char *value);

/* What is wrong with them together, or NULL. */
const char *work_options_conflict(const work_options *o);

/* What is expected of values of the same kind in several tables. */
#define OPTIONS_EXPECT_SIZE "a size of at most 8G, such as 41, 64K or 4MiB"
#define OPTIONS_EXPECT_DURATION "a duration, such as 500ms, 10s, 1.5h or 1h30m"
#define OPTIONS_EXPECT_SEED "a number below 2^64, decimal or 0x and hex"
#define OPTIONS_EXPECT_IDENTITY "exit:N, signal:NAME or timeout, such as signal:SIGABRT"
#define OPTIONS_EXPECT_MEMORY "a size, such as 512M or 2G"
#define OPTIONS_EXPECT_STDIN "file or pipe"
#define OPTIONS_EXPECT_JOBS "a whole number from 1 to 256"
#define OPTIONS_EXPECT_CONTAINMENT "auto, namespace or subreaper"
#define OPTIONS_EXPECT_MODE "auto, spawn, fork or persistent"
#define OPTIONS_EXPECT_COUNT "a whole number, at least 1, such as 500 or 10k"
#define OPTIONS_EXPECT_FILE "the name of a file"
#define OPTIONS_EXPECT_FOLDER "the name of a folder"
#define OPTIONS_EXPECT_STREAM "the name of a file, or -"

/* A size of entropy, at most INPUT_SIZE_MAX. */
bool options_set_entropy_size(void *size, const char *value);

#endif
