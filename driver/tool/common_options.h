/* common_options.h: the kinds of option values, and the options that several tools share. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include "mode.h"
#include "options.h"
#include "progress_kind.h"
#include "signature_filter.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds, by the type of the field that they set. */
/* Of text: */
extern const option_kind option_file, option_finding, option_stream, option_folder, option_program;
extern const option_kind option_count, option_size, option_seed; /* uint64_t */
extern const option_kind option_duration;                        /* int64_t */

/* ---- Options of all tools ---- */

/* A rule that finds the sites of failures in their output. */
typedef struct site_rule {
    const char *text; /* as the user wrote it; NULL: there is none */
    regex_t compiled;
} site_rule;

/* Return the compiled rule, or NULL if there is none. */
static inline const regex_t *site_rule_of(const site_rule *r) {
    return r->text != NULL ? &r->compiled : NULL;
}

typedef struct run_options {
    int64_t timeout_ns;
    uint64_t memory_max; /* 0: no limit */
    run_stdin stdin_kind;
    signature_filter filter; /* --only and --ignore */
    site_rule rule;          /* --signature */
} run_options;

enum { RUN_OPTIONS_COUNT = 3, FILTER_OPTIONS_COUNT = 3 };
extern const option_spec run_options_specs[RUN_OPTIONS_COUNT];
extern const option_spec filter_options_specs[FILTER_OPTIONS_COUNT]; /* of run_options, too */

/* Return the options that differ from their defaults, such as " --timeout 1s", for a replay line.
 * The caller frees them. NULL when out of memory. */
char *run_options_text(const run_options *o);

/* Return --only and --ignore as options, such as " --only exit:1", "" for none. The caller frees
 * them. NULL when out of memory. */
char *filter_options_text(const signature_filter *f);

/* Return a message about options that do not go with @@ in the arguments, or NULL. */
const char *run_options_file_conflict(const run_options *o);

/* ---- Options of search and reduction ---- */

/* The values of --mode and --containment; is_forced is false for "auto". */
typedef struct mode_choice {
    bool is_forced;
    run_mode mode;
} mode_choice;

typedef struct containment_choice {
    bool is_forced;
    containment containment;
} containment_choice;

typedef struct work_options {
    run_options run;
    operands rest;
    unsigned jobs;
    int64_t budget_ns; /* CLOCK_NEVER: no limit */
    mode_choice mode;
    containment_choice containment;
    const char *findings; /* folder, or NULL */
    const char *json;     /* file, "-", or NULL */
    progress_kind ui;
    bool quiet, verbose;
} work_options;

enum { WORK_OPTIONS_COUNT = 8 };
extern const option_spec work_options_specs[WORK_OPTIONS_COUNT];

/* Zero *o, and set the initial values that the table lacks. */
void work_options_init(work_options *o);

/* Return a message about options that exclude each other, or NULL. */
const char *work_options_conflict(const work_options *o);

#endif
