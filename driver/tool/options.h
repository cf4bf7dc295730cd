/* options.h: the command lines of the five tools, by one table (options.def). */
#pragma once

#include "reduce.h"
#include "screen.h"
#include "seed_input.h"
#include "signature_filter.h"
#include "tally.h"
#include "target.h"
#include "tool.h"

#include <regex.h>

typedef enum tool_kind {
    TOOL_SEARCH = 1,
    TOOL_REPLAY = 2,
    TOOL_REDUCE = 4,
    TOOL_REPORT = 8,
    TOOL_STATUS = 16
} tool_kind;

/* ---- The options, after a command line was parsed ---- */

/* A rule that finds the sites of failures in their output. */
typedef struct site_rule {
    const char *text;  /* as the user wrote it, or NULL */
    regex_t *compiled; /* NULL: none */
} site_rule;

typedef struct run_options {
    run_limits limits;
    signature_filter filter; /* --only and --ignore */
    site_rule rule;          /* --signature */
} run_options;

typedef struct input_options {
    seed_input seeded;   /* --size and --seed */
    const char *file;    /* file of the bytes, "-" for stdin, or NULL */
    const char *hex;     /* hex digits, or NULL */
    const char *finding; /* file of the finding, or NULL */
} input_options;

/* The rest of the command line. */
typedef struct operands {
    char *sut;     /* the target, or NULL: none */
    char **args;   /* its arguments after "--", in argv, ended by NULL; NULL before that */
    char **extras; /* the operands behind the target; until the next line is parsed */
    size_t extra_count;
    char **files; /* all operands, in argv, of a tool that takes files in place of a target */
    size_t file_count;
} operands;

/* The values of --mode are those of run_mode, and this one. */
enum { MODE_AUTO = MODE_PERSISTENT + 1 };

typedef enum containment_choice {
    CONTAINMENT_AUTO,
    CONTAINMENT_BY_NAMESPACE,
    CONTAINMENT_BY_SUBREAPER
} containment_choice;

/* The values of --explain, and of --reducer, a repeatable option. */
typedef enum explain_choice {
    EXPLAIN_AUTO /* with few runs */,
    EXPLAIN_YES,
    EXPLAIN_NO
} explain_choice;
typedef enum guide_choice { GUIDE_AUTO, GUIDE_OFF } guide_choice;

enum { REDUCERS_MAX = 64 };
typedef struct reducer_options {
    const char *commands[REDUCERS_MAX];
    size_t count;
} reducer_options;

/* All options of all tools. Those that a tool lacks have their initial values. */
typedef struct tool_options {
    tool_kind tool;
    char **argv; /* the whole command line */
    operands rest;
    uint64_t given; /* bit i: the option of row i is on the command line */
    run_options run;
    input_options input;
    bool help, help_all, version;
    bool quiet, verbose;
    const char *json;     /* file, "-", or NULL */
    const char *findings; /* folder, or NULL */

    /* Of searches and reductions. */
    uint64_t jobs;
    int64_t budget_ns; /* CLOCK_NEVER: no limit */
    unsigned mode;
    containment_choice containment;
    screen_kind ui;

    /* Of searches. */
    uint64_t attempts;
    uint64_t runs_max; /* reruns count; 0: no limit */
    requirement_list requirements;
    uint64_t size_max;
    uint64_t rng_seed;
    seed_expansion expand;
    guide_choice guide;
    bool keep_going, all, reduce, coverage;
    int64_t sync_ns;    /* between looks at the findings of others; 0: never */
    const char *worker; /* name of this search in the folder of findings; NULL: none is given */

    /* Of reductions; `output` also of pages: a file, or - for a page. */
    const char *output;
    uint64_t calls_max; /* UINT64_MAX: no limit */
    explain_choice explain;
    bool any_failure;
    bool unconfirmed;
    const char *predicate;    /* program that judges a file; NULL: reduce the input of a failure */
    reducer_options reducers; /* only with a predicate */

    /* Of replays. */
    const char *list; /* folder whose findings are listed, and nothing is run; or NULL */
    const char *wrap; /* command of the wrapper, or NULL; it has passed words_check */
    uint64_t runs;
    bool dump, trace;

    /* Of frng-status. */
    bool prints_json;
} tool_options;

/* ---- Parsing ---- */

typedef enum options_answer {
    OPTIONS_RUN,
    OPTIONS_HELP,
    OPTIONS_VERSION,
    OPTIONS_WRONG
} options_answer;

/* Parse a command line. Options may precede and follow the target, and cannot be abbreviated.
 * Operands such as "size=16 seed=5" (a result line), in one word or several, count as options if
 * the tool has these. Prints errors.
 *
 * After OPTIONS_RUN there is a target or file where the tool needs one, and exactly one input where
 * it takes one; with a predicate, `sut` is the file to reduce, and a timeout of 0 means that
 * --timeout is absent. */
options_answer options_parse(tool_kind tool, int argc, char **argv, tool_options *o);

/* Set an option of the tool, as on the command line. False after a message. */
bool options_set(tool_options *o, const char *name, const char *value);

/* True if an option of this list, separated by blanks, is given. */
bool options_given(const tool_options *o, const char *names);

/* Begin a tool: tool_init, then parse the command line, and answer --help and --version. Return
 * false if the tool ends here, with this exit status. */
bool options_begin(tool_kind tool, int argc, char **argv, tool_signals *signals, tool_options *o,
                   int *status);

/* Find the target. If its arguments name the file of the input, put the name of each run's standard
 * input there; a wrapper does that itself. Returns false after a message, as about options that do
 * not go with the target. Call target_finish in any case. */
bool options_find_target(const tool_options *o, target_command *t);

/* Return the next word of a command line in a value, as of --wrap 'gdb --args', cut off *rest in
 * place as by a shell: blanks separate words, quotes group, and a backslash makes the next one
 * literal; nothing is expanded. NULL at the end. Sets *ok to false if a quote is left open. */
char *words_next(char **rest, bool *ok);

/* True if `line` has a word, and no quote is left open. */
bool words_check(const char *line);

/* Options as a text, such as " --timeout 1s --memory 2G", "" for none: those of runs that differ
 * from their defaults, for a replay line; or --only and --ignore. The caller frees it. */
typedef enum run_options_part { RUN_OPTIONS_REPLAY, RUN_OPTIONS_FILTER } run_options_part;
char *run_options_text(const run_options *o, run_options_part part);

/* ---- The words that are no options (operands.c) ---- */

/* Settle what was parsed: take an input that can be meant in one way alone, as by its option. False
 * after a message that says what to write. */
bool operands_settle(tool_options *o);
