#include "options.h"

#include "clock.h"
#include "messages.h"
#include "nearest.h"
#include "pool.h"
#include "seed_input.h"
#include "units.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC_MAX = 40, CODE_BASE = 1000 /* above every character */ };
enum { CODE_HELP = CODE_BASE - 2, CODE_VERSION = CODE_BASE - 1 };

/* The tables that getopt_long wants, made from ours. */
typedef struct getopt_tables {
    struct option longs[SPEC_MAX + 3];
    char shorts[2 * SPEC_MAX + 8];
} getopt_tables;

static void make_tables(const option_spec *specs, size_t count, getopt_tables *t) {
    char *shorts = t->shorts;
    assert(count <= SPEC_MAX);
    memset(t, 0, sizeof *t);
    *shorts++ = '-'; /* operands come in order, as code 1 */
    *shorts++ = ':'; /* a missing value is code ':' */
    *shorts++ = 'h';
    for (size_t i = 0; i < count; i++) {
        const int has_value = specs[i].expected != NULL ? required_argument : no_argument;
        t->longs[i] = (struct option){specs[i].name, has_value, NULL, CODE_BASE + (int)i};
        if (specs[i].letter == 0) continue;
        *shorts++ = specs[i].letter;
        if (has_value == required_argument) *shorts++ = ':';
    }
    t->longs[count] = (struct option){"help", no_argument, NULL, CODE_HELP};
    t->longs[count + 1] = (struct option){"version", no_argument, NULL, CODE_VERSION};
}

/* The option that a code of getopt_long stands for. */
static const option_spec *find_spec(const option_spec *specs, size_t count, int code) {
    for (size_t i = 0; i < count; i++) {
        if (code == CODE_BASE + (int)i || (specs[i].letter != 0 && code == specs[i].letter)) {
            return &specs[i];
        }
    }
    return NULL;
}

static const option_spec *find_name(const option_spec *specs, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(specs[i].name, name) == 0) return &specs[i];
    }
    return NULL;
}

static bool set_option(const option_spec *spec, void *options, const char *value) {
    if (spec->set((char *)options + spec->at, value)) return true;
    message("--%s '%s' is not valid: give %s", spec->name, value, spec->expected);
    return false;
}

/* ---- What is wrong ---- */

/* The option that may have been meant by a word such as --sede=5, or NULL. */
static const char *find_meant(const option_spec *specs, size_t count, const char *word) {
    if (strncmp(word, "--", 2) != 0) return NULL;
    const size_t length = strcspn(word + 2, "=");
    const char *meant = NULL;
    size_t least = length / 3 + 1; /* more than that is another word */
    for (size_t i = 0; i < count + 2; i++) {
        const char *name = i < count ? specs[i].name : i == count ? "help" : "version";
        const size_t distance = nearest_distance(word + 2, length, name);
        if (distance > least || (distance == least && meant != NULL)) continue;
        least = distance;
        meant = name;
    }
    return meant;
}

static void say_unknown_name(const char *option, const char *meant) {
    if (meant == NULL) {
        message_usage("unknown option '%s'", option);
    } else {
        message("unknown option '%s': did you mean --%s? See '%s --help'", option, meant,
                message_program());
    }
}

/* getopt's code for an option that is not known, or has a value it should not have. */
static void say_unknown(char *const *argv, const option_spec *specs, size_t count) {
    const char *word = argv[optind - 1];
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt >= CODE_HELP && strncmp(word, "--", 2) == 0) { /* musl has wide letters there */
        message("option '%s' takes no value", word);
    } else if (optopt != 0) {
        say_unknown_name(letter, NULL);
    } else {
        say_unknown_name(word, find_meant(specs, count, word));
    }
}

/* getopt_long takes --see for --seed, until there is a --seek as well: scripts break by that. */
static bool is_whole_name(const char *word, const char *name) {
    const size_t length = strcspn(word + 2, "=");
    if (strlen(name) == length) return true;
    message("option '%.*s' is cut short: say --%s", (int)length + 2, word, name);
    return false;
}

static const char *name_of(const option_spec *spec, int code) {
    return spec != NULL ? spec->name : code == CODE_HELP ? "help" : "version";
}

/* ---- Operands ---- */

/* Options that say which input it is. Where one of these, or --predicate itself, was said, a second
 * operand is no file to reduce. */
static const char *const inputs[] = {"predicate", "size", "seed", "input", "hex", "finding", NULL};

static void say_extra(const option_spec *specs, size_t count, const operands *rest) {
    const bool is_file = find_name(specs, count, "predicate") != NULL &&
                         options_first_given(rest, specs, count, inputs) == NULL;
    if (is_file) {
        message("unexpected argument '%s': to reduce a file, say %s --predicate %s %s", rest->extra,
                message_program(), rest->sut, rest->extra);
    } else {
        message("unexpected argument '%s': arguments for the program under test follow '--'",
                rest->extra);
    }
}

static void set_operand(operands *rest, char *word) {
    if (rest->sut == NULL) {
        rest->sut = word;
    } else if (rest->extra == NULL) {
        rest->extra = word;
    }
}

/* What result lines are made of. */
static const char *const results[] = {"size", "seed", "hex"};

/* The option that a word such as size=16 says, or NULL. */
static const option_spec *find_result(const option_spec *specs, size_t count, const char *word) {
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const size_t length = strlen(results[i]);
        if (strncmp(word, results[i], length) == 0 && word[length] == '=') {
            return find_name(specs, count, results[i]);
        }
    }
    return NULL;
}

/* A system under test, or what a result line says. */
static bool take_operand(const option_spec *specs, size_t count, void *options, operands *rest,
                         char *word) {
    if (find_result(specs, count, word) == NULL) {
        set_operand(rest, word);
        return true;
    }
    char *next = NULL;
    for (char *part = strtok_r(word, " \n", &next); part != NULL;
         part = strtok_r(NULL, " \n", &next)) {
        const option_spec *spec = find_result(specs, count, part);
        if (spec == NULL) {
            message("unexpected argument '%s': arguments for the program under test follow '--'",
                    part);
            return false;
        }
        rest->given |= UINT64_C(1) << (spec - specs);
        if (!set_option(spec, options, strchr(part, '=') + 1)) return false;
    }
    return true;
}

/* ---- All of it ---- */

options_answer options_parse(int argc, char **argv, const option_spec *specs, size_t count,
                             void *options, operands *rest) {
    getopt_tables tables;
    int code;
    make_tables(specs, count, &tables);
    *rest = (operands){NULL, NULL, 0, NULL};
    opterr = 0;
    optind = 0;                      /* 0 has the GNU getopt begin anew */
    for (const char *word = argv[1]; /* the one that getopt_long takes next */
         (code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;
         word = argv[optind]) {
        const option_spec *spec = find_spec(specs, count, code);
        bool ok = false;
        if (code >= CODE_HELP && !is_whole_name(word, name_of(spec, code))) return OPTIONS_WRONG;
        if (spec != NULL) rest->given |= UINT64_C(1) << (spec - specs);
        switch (code) {
        case 'h':
        case CODE_HELP: return OPTIONS_HELP;
        case CODE_VERSION: return OPTIONS_VERSION;
        case ':':
            message_usage("option '%s' needs a value", argv[optind < argc ? optind - 1 : argc - 1]);
            break;
        case '?': say_unknown(argv, specs, count); break;
        case 1: ok = take_operand(specs, count, options, rest, optarg); break;
        default: ok = set_option(spec, options, optarg); break;
        }
        if (!ok) return OPTIONS_WRONG;
    }
    rest->args = argv + optind;
    if (rest->extra != NULL) say_extra(specs, count, rest);
    return rest->extra == NULL ? OPTIONS_RUN : OPTIONS_WRONG;
}

const char *options_first_given(const operands *rest, const option_spec *specs, size_t count,
                                const char *const *names) {
    for (; *names != NULL; names++) {
        for (size_t i = 0; i < count; i++) {
            if ((rest->given >> i & 1) != 0 && strcmp(specs[i].name, *names) == 0) return *names;
        }
    }
    return NULL;
}

void options_missing_target(void) {
    message_usage("which program? Usage: %s ./sut [options] [-- ARG...]", message_program());
}

bool options_set_flag(void *flag, const char *value) {
    (void)value;
    *(bool *)flag = true;
    return true;
}

bool options_set_text(void *text, const char *value) {
    *(const char **)text = value;
    return value[0] != '\0';
}

const run_options run_options_default = {.timeout_ns = 10 * CLOCK_NS_PER_S};

bool run_options_set_timeout(void *options, const char *value) {
    run_options *o = options;
    return units_parse_duration(value, &o->timeout_ns);
}

bool run_options_set_memory(void *options, const char *value) {
    run_options *o = options;
    return units_parse_size(value, &o->memory_max) && o->memory_max > 0;
}

bool run_options_set_stdin(void *options, const char *value) {
    run_options *o = options;
    o->stdin_kind = strcmp(value, "pipe") == 0 ? RUN_STDIN_PIPE : RUN_STDIN_FILE;
    return strcmp(value, "pipe") == 0 || strcmp(value, "file") == 0;
}

bool run_options_set_only(void *options, const char *value) {
    run_options *o = options;
    o->has_only = true;
    return signature_parse(value, &o->only);
}

char *run_options_text(const run_options *o) {
    char unit[UNITS_TEXT_MAX];
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return NULL;
    if (o->timeout_ns != run_options_default.timeout_ns) {
        fprintf(out, " --timeout %s", units_format_duration(unit, o->timeout_ns));
    }
    if (o->memory_max != 0) fprintf(out, " --memory %s", units_format_size(unit, o->memory_max));
    if (o->stdin_kind == RUN_STDIN_PIPE) fputs(" --stdin pipe", out);
    fclose(out);
    return text;
}

bool options_set_entropy_size(void *size, const char *value) {
    uint64_t *to = size;
    return units_parse_size(value, to) && *to <= INPUT_SIZE_MAX;
}

/* ---- Searching and reducing ---- */

void work_options_init(work_options *o) {
    *o = (work_options){.run = run_options_default, .budget_ns = CLOCK_NEVER};
    o->jobs = proc_cpu_count();
    if (o->jobs > POOL_JOBS_MAX) o->jobs = POOL_JOBS_MAX;
}

bool work_options_set_jobs(void *jobs, const char *value) {
    uint64_t count;
    if (!units_parse_count(value, &count) || count < 1 || count > POOL_JOBS_MAX) return false;
    *(unsigned *)jobs = (unsigned)count;
    return true;
}

bool work_options_set_time(void *budget_ns, const char *value) {
    return units_parse_duration(value, budget_ns);
}

bool work_options_set_mode(void *options, const char *value) {
    work_options *o = options;
    o->has_mode = strcmp(value, "auto") != 0;
    for (o->mode = MODE_SPAWN; o->mode <= MODE_PERSISTENT; o->mode++) {
        if (strcmp(value, run_mode_name(o->mode)) == 0) return true;
    }
    return !o->has_mode;
}

/* Which namespaces, if they are wanted, is for the machine to say. */
bool work_options_set_containment(void *options, const char *value) {
    work_options *o = options;
    const bool wants_namespace = strcmp(value, "namespace") == 0;
    o->has_containment = strcmp(value, "auto") != 0;
    o->containment = wants_namespace ? CONTAINMENT_NAMESPACE : CONTAINMENT_SUBREAPER;
    return !o->has_containment || wants_namespace || strcmp(value, "subreaper") == 0;
}

const char *work_options_conflict(const work_options *o) {
    return o->quiet && o->verbose ? "--quiet and --verbose exclude each other" : NULL;
}
