/* options.h: a command line, read by a table. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "identity.h"
#include "spawn.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One option. `set` stores a value (NULL for an option that takes none) and returns false for one
 * that is not valid; `expected` then tells the user what is. */
typedef struct option_spec {
    const char *name;     /* without the dashes */
    char letter;          /* short form, or 0 */
    const char *expected; /* NULL: takes no value */
    bool (*set)(void *options, const char *value);
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
} operands;

/* Parse argv; options may stand before and after the system under test. --help and --version are
 * known to every table. Says what is wrong itself. */
options_answer options_parse(int argc, char **argv, const option_spec *specs, size_t count,
                             void *options, operands *rest);

/* What searching and replaying share. */
typedef struct run_options {
    int64_t timeout_ns;
    uint64_t memory_max;
    spawn_stdin stdin_kind;
    bool has_only;
    identity only;
} run_options;

extern const run_options run_options_default;

bool run_options_set_timeout(run_options *o, const char *value);
bool run_options_set_memory(run_options *o, const char *value);
bool run_options_set_stdin(run_options *o, const char *value);
bool run_options_set_only(run_options *o, const char *value);

/* Those that are not at their defaults, as " --timeout 1s", for a replay line; freed by the
 * caller. NULL when out of memory. */
char *run_options_text(const run_options *o);

/* What is expected of values of the same kind in several tables. */
#define OPTIONS_EXPECT_SIZE "a size of at most 8G, such as 41, 64K or 4M"
#define OPTIONS_EXPECT_DURATION "a duration, such as 500ms, 10s, 5m or 1.5h"
#define OPTIONS_EXPECT_SEED "a number below 2^64, decimal or 0x and hex"
#define OPTIONS_EXPECT_IDENTITY "exit:N, signal:NAME or timeout, such as signal:SIGABRT"
#define OPTIONS_EXPECT_MEMORY "a size, such as 512M or 2G"
#define OPTIONS_EXPECT_STDIN "file or pipe"

/* A size of entropy, at most TRIAL_SIZE_MAX. */
bool options_parse_entropy_size(const char *value, uint64_t *size);

#endif
