#include "common_options.h"

#include "clock.h"
#include "output_site.h"
#include "pool.h"
#include "proc.h"
#include "seed_input.h"
#include "subject.h"
#include "units.h"

#include <stdio.h>
#include <string.h>

/* ---- Kinds ---- */

static bool set_text(void *field, const char *value) {
    *(const char **)field = value;
    return value[0] != '\0';
}

static bool set_count(void *field, const char *value) {
    return units_parse_count(value, field) && *(uint64_t *)field >= 1;
}

static bool set_size(void *field, const char *value) {
    return units_parse_size(value, field) && *(uint64_t *)field <= INPUT_SIZE_MAX;
}

static bool set_seed(void *field, const char *value) { return units_parse_seed(value, field); }

static bool set_duration(void *field, const char *value) {
    return units_parse_duration(value, field);
}

const option_kind option_file = {"the name of a file", OPTION_COMPLETE_FILE, set_text};
const option_kind option_finding = {"the name of a file", OPTION_COMPLETE_FINDING, set_text};
const option_kind option_stream = {"the name of a file, or -", OPTION_COMPLETE_FILE, set_text};
const option_kind option_folder = {"the name of a folder", OPTION_COMPLETE_FOLDER, set_text};
const option_kind option_program = {"the name of a program", OPTION_COMPLETE_COMMAND, set_text};
const option_kind option_count = {"a whole number, at least 1, such as 500 or 10k", NULL,
                                  set_count};
const option_kind option_size = {"a size of at most 8G, such as 41, 64K or 4MiB", NULL, set_size};
const option_kind option_seed = {"a number below 2^64, decimal or 0x and hex", NULL, set_seed};
const option_kind option_duration = {"a duration, such as 500ms, 10s, 1.5h or 1h30m", NULL,
                                     set_duration};

/* ---- Options of all tools ---- */

static bool set_memory(void *field, const char *value) {
    return units_parse_size(value, field) && *(uint64_t *)field > 0;
}

static bool set_stdin(void *field, const char *value) {
    const bool is_pipe = strcmp(value, "pipe") == 0;
    *(run_stdin *)field = is_pipe ? RUN_STDIN_PIPE : RUN_STDIN_FILE;
    return is_pipe || strcmp(value, "file") == 0;
}

static const option_kind memory_kind = {"a size, such as 512M or 2G", NULL, set_memory};
static const option_kind stdin_kind = {"file or pipe", "file pipe", set_stdin};

static bool add_pattern(void *field, const char *value) {
    signature_patterns *patterns = field;
    if (patterns->count == SIGNATURE_PATTERNS_MAX) return false;
    return signature_pattern_parse(value, &patterns->list[patterns->count++]);
}

static bool set_rule(void *field, const char *value) {
    site_rule *rule = field;
    if (rule->text != NULL) regfree(&rule->compiled);
    rule->text =
        value[0] != '\0' && output_site_rule(value, &rule->compiled) == NULL ? value : NULL;
    return rule->text != NULL;
}

static const option_kind pattern_kind = {
    "exit:N, signal:NAME, timeout or a kind such as asan:SEGV, with ' at PLACE' or a * at its end; "
    "32 times at most",
    NULL, add_pattern};
static const option_kind rule_kind = {"a POSIX extended regular expression, such as 'bug ([0-9]+)'",
                                      NULL, set_rule};

#define TIMEOUT_INITIAL "10s"
#define AT(field) offsetof(run_options, field)

const option_spec run_options_specs[RUN_OPTIONS_COUNT] = {
    {"timeout", 0, OPTION_INPUT, &option_duration, AT(timeout_ns), "TIME",
     "Kill runs after this long", TIMEOUT_INITIAL, false},
    {"memory", 0, OPTION_INPUT, &memory_kind, AT(memory_max), "SIZE", "Limit address space", NULL,
     true},
    {"stdin", 0, OPTION_INPUT, &stdin_kind, AT(stdin_kind), "KIND", "Input as file or pipe", "file",
     false},
};

const option_spec filter_options_specs[FILTER_OPTIONS_COUNT] = {
    {"only", 0, OPTION_RESULTS, &pattern_kind, AT(filter.only), "S", "Count only such failures",
     NULL, true},
    {"ignore", 0, OPTION_RESULTS, &pattern_kind, AT(filter.ignored), "S", "Ignore such failures",
     NULL, false},
    {"signature", 0, OPTION_RESULTS, &rule_kind, AT(rule), "REGEX",
     "Tell failures apart by what it finds in output", NULL, false},
};

char *run_options_text(const run_options *o) {
    char unit[UNITS_TEXT_MAX];
    char *text = NULL;
    size_t length;
    int64_t usual_ns;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    if (!units_parse_duration(TIMEOUT_INITIAL, &usual_ns) || o->timeout_ns != usual_ns) {
        fprintf(out, " --timeout %s", units_format_duration(unit, o->timeout_ns));
    }
    if (o->memory_max != 0) fprintf(out, " --memory %s", units_format_size(unit, o->memory_max));
    if (o->stdin_kind == RUN_STDIN_PIPE) fputs(" --stdin pipe", out);
    if (o->rule.text != NULL) {
        fputs(" --signature ", out);
        subject_put_word(out, o->rule.text);
    }
    fclose(out);
    return text;
}

static void put_patterns(FILE *out, const char *option, const signature_patterns *p) {
    for (size_t i = 0; i < p->count; i++) {
        fprintf(out, " --%s ", option);
        subject_put_word(out, p->list[i].text);
    }
}

char *filter_options_text(const signature_filter *f) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    put_patterns(out, "only", &f->only);
    put_patterns(out, "ignore", &f->ignored);
    fclose(out);
    return text;
}

const char *run_options_file_conflict(const run_options *o) {
    if (o->stdin_kind != RUN_STDIN_PIPE) return NULL;
    return "@@ and --stdin pipe exclude each other: a pipe has no name to open again";
}

/* ---- Options of search and reduction ---- */

static bool set_jobs(void *field, const char *value) {
    uint64_t count;
    if (!units_parse_count(value, &count) || count < 1 || count > POOL_JOBS_MAX) return false;
    *(unsigned *)field = (unsigned)count;
    return true;
}

static bool set_mode(void *field, const char *value) {
    mode_choice *choice = field;
    choice->is_forced = strcmp(value, "auto") != 0;
    for (choice->mode = MODE_SPAWN; choice->mode <= MODE_PERSISTENT; choice->mode++) {
        if (strcmp(value, run_mode_name(choice->mode)) == 0) return true;
    }
    return !choice->is_forced;
}

/* Parse --containment. session_choose_containment tests later if namespaces are permitted. */
static bool set_containment(void *field, const char *value) {
    containment_choice *choice = field;
    const bool is_namespace = strcmp(value, "namespace") == 0;
    choice->is_forced = strcmp(value, "auto") != 0;
    choice->containment = is_namespace ? CONTAINMENT_NAMESPACE : CONTAINMENT_SUBREAPER;
    return !choice->is_forced || is_namespace || strcmp(value, "subreaper") == 0;
}

static bool set_ui(void *field, const char *value) {
    static const char *const names[] = {[PROGRESS_AUTO] = "auto",
                                        [PROGRESS_SCREEN] = "screen",
                                        [PROGRESS_LINE] = "line",
                                        [PROGRESS_NONE] = "none"};
    progress_kind *kind = field;
    for (*kind = PROGRESS_AUTO; *kind <= PROGRESS_NONE; ++*kind) {
        if (strcmp(value, names[*kind]) == 0) return true;
    }
    return false;
}

static const option_kind ui_kind = {"auto, screen, line or none", "auto screen line none", set_ui};
static const option_kind jobs_kind = {"a whole number from 1 to 256", NULL, set_jobs};
static const option_kind mode_kind = {"auto, spawn, fork or persistent",
                                      "auto spawn fork persistent", set_mode};
static const option_kind containment_kind = {"auto, namespace or subreaper",
                                             "auto namespace subreaper", set_containment};

#undef AT
#define AT(field) offsetof(work_options, field)

const option_spec work_options_specs[WORK_OPTIONS_COUNT] = {
    {"jobs", 'j', OPTION_INPUT, &jobs_kind, AT(jobs), "N",
     "Make N runs at once (default: one per processor)", NULL, false},
    {"mode", 0, OPTION_INPUT, &mode_kind, AT(mode), "MODE", "Run by spawn, fork or persistent",
     "auto", false},
    {"containment", 0, OPTION_INPUT, &containment_kind, AT(containment), "HOW",
     "Isolate by namespace or subreaper", "auto", false},
    {"time", 0, OPTION_STOP, &option_duration, AT(budget_ns), "TIME", "Stop after this long", NULL,
     false},
    {"json", 0, OPTION_OUTPUT, &option_stream, AT(json), "FILE",
     "Write events as JSON Lines; - is standard output", NULL, false},
    {"ui", 0, OPTION_OUTPUT, &ui_kind, AT(ui), "HOW", "Progress by screen, line or none", "auto",
     false},
    {"quiet", 'q', OPTION_OUTPUT, NULL, AT(quiet), NULL, "Print the result alone", NULL, true},
    {"verbose", 'v', OPTION_OUTPUT, NULL, AT(verbose), NULL, "Print each new best too", NULL,
     false},
};

void work_options_init(work_options *o) {
    *o = (work_options){.budget_ns = CLOCK_NEVER, .jobs = proc_cpu_count()};
    if (o->jobs > POOL_JOBS_MAX) o->jobs = POOL_JOBS_MAX;
}

const char *work_options_conflict(const work_options *o) {
    if (o->quiet && o->verbose) return "--quiet and --verbose exclude each other";
    if (o->quiet && o->ui == PROGRESS_SCREEN) return "--quiet and --ui screen exclude each other";
    return NULL;
}
