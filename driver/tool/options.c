#include "options.h"

#include "input_source.h"
#include "messages.h"
#include "nearest.h"
#include "reduce_options.h"
#include "replay_options.h"
#include "report_options.h"
#include "search_options.h"
#include "status_options.h"
#include "subject.h"
#include "target.h"
#include "tool.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_BASE = 1000 /* above every character */ };
enum { CODE_HELP = CODE_BASE - 2, CODE_VERSION = CODE_BASE - 1 };

/* The tables for getopt_long. */
typedef struct getopt_tables {
    struct option longs[OPTIONS_MAX + 3];
    char shorts[2 * OPTIONS_MAX + 8];
} getopt_tables;

static void make_tables(const option_list *list, getopt_tables *t) {
    char *shorts = t->shorts;
    const size_t count = list->count;
    memset(t, 0, sizeof *t);
    *shorts++ = '-'; /* operands come in order, as code 1 */
    *shorts++ = ':'; /* a missing value is code ':' */
    *shorts++ = 'h';
    for (size_t i = 0; i < list->count; i++) {
        const int has_value = list->specs[i].kind != NULL ? required_argument : no_argument;
        t->longs[i] = (struct option){list->specs[i].name, has_value, NULL, CODE_BASE + (int)i};
        if (list->specs[i].letter == 0) continue;
        *shorts++ = list->specs[i].letter;
        if (has_value == required_argument) *shorts++ = ':';
    }
    t->longs[count] = (struct option){"help", no_argument, NULL, CODE_HELP};
    t->longs[count + 1] = (struct option){"version", no_argument, NULL, CODE_VERSION};
}

/* What an argument is parsed with and into. */
typedef struct parser {
    char **argv;
    const option_table *table;
    const option_list *list;
    void *options;
    operands *rest;
} parser;

/* Return the option of a code of getopt_long, or NULL. */
static const option_spec *find_spec(const option_list *list, int code) {
    for (size_t i = 0; i < list->count; i++) {
        if (code == CODE_BASE + (int)i ||
            (list->specs[i].letter != 0 && code == list->specs[i].letter)) {
            return &list->specs[i];
        }
    }
    return NULL;
}

/* Return the option that a text such as seed=5 begins with, or NULL. */
static const option_spec *find_name(const option_list *list, const char *text) {
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->specs[i].name;
        if (strlen(name) == length && strncmp(text, name, length) == 0) return &list->specs[i];
    }
    return NULL;
}

static bool set_option(const option_spec *spec, void *options, const char *value) {
    void *field = (char *)options + spec->at;
    if (spec->kind == NULL) {
        *(bool *)field = true;
        return true;
    }
    if (spec->kind->set(field, value)) return true;
    message("--%s '%s' is not valid: give %s", spec->name, value, spec->kind->expected);
    return false;
}

/* ---- Errors ---- */

/* Print the command line of frng-replay for that of a tool that takes no single input. */
static void print_replay(char *const *argv) {
    char *line = NULL, *replay = program_beside(argv[0], "frng-replay");
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (out != NULL) {
        subject_put_word(out, replay != NULL ? replay : "frng-replay");
        while (*++argv != NULL) {
            fputc(' ', out);
            subject_put_word(out, *argv);
        }
        fclose(out);
    }
    message("one input is run by frng-replay: %s", line != NULL ? line : "out of memory");
    free(replay);
    free(line);
}

/* Print which other tools have an option such as --seed=5. False if none has. */
static bool print_others(const parser *p, const char *word) {
    static const option_table *const tables[] = {&search_options_table, &replay_options_table,
                                                 &reduce_options_table, &report_options_table,
                                                 &status_options_table};
    static const char *const tools[] = {"frng-search", "frng-replay", "frng-reduce", "frng-report",
                                        "frng-status"};
    char others[80] = "";
    option_list list;
    if (strncmp(word, "--", 2) != 0) return false;
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        option_list_fill(&list, tables[i]);
        if (find_name(&list, word + 2) == NULL) continue;
        if (others[0] != '\0') strcat(others, ", ");
        strcat(others, tools[i]);
    }
    if (others[0] == '\0') return false;
    option_list_fill(&list, &(option_table){.sections = {OPTION_SECTION(input_options_specs, 0)}});
    if (!p->table->takes_files && find_name(&list, word + 2) != NULL) {
        print_replay(p->argv);
    } else {
        message("%.*s is not an option of %s, but of %s", (int)strcspn(word, "="), word,
                message_program(), others);
    }
    return true;
}

/* Return the option nearest to a word such as --sede=5, or NULL. */
static const char *find_meant(const option_list *list, const char *word) {
    if (strncmp(word, "--", 2) != 0) return NULL;
    const size_t length = strcspn(word + 2, "=");
    const char *meant = NULL;
    size_t least = length / 3 + 1; /* more than that is another word */
    for (size_t i = 0; i < list->count + 2; i++) {
        const char *name = i < list->count    ? list->specs[i].name
                           : i == list->count ? "help"
                                              : "version";
        const size_t distance = nearest_distance(word + 2, length, name);
        if (distance > least || (distance == least && meant != NULL)) continue;
        least = distance;
        meant = name;
    }
    return meant;
}

static void print_unknown_name(const char *option, const char *meant) {
    if (meant == NULL) {
        message_usage("unknown option '%s'", option);
    } else {
        message("unknown option '%s': did you mean --%s? See '%s --help'", option, meant,
                message_program());
    }
}

/* Print the error of getopt's code '?': an unknown option, or a value for a flag. */
static void print_unknown(const parser *p) {
    const char *word = p->argv[optind - 1];
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt >= CODE_HELP && strncmp(word, "--", 2) == 0) { /* musl has wide letters there */
        message("option '%s' takes no value", word);
    } else if (optopt != 0) {
        print_unknown_name(letter, NULL);
    } else if (!print_others(p, word)) {
        print_unknown_name(word, find_meant(p->list, word));
    }
}

/* Refuse abbreviations: --see for --seed would break scripts once there is a --seek. */
static bool is_whole_name(const parser *p, const char *word, const char *name) {
    const size_t length = strcspn(word + 2, "=");
    if (strlen(name) == length) return true;
    if (print_others(p, word)) return false;
    message("option '%.*s' is cut short: say --%s", (int)length + 2, word, name);
    return false;
}

static const char *name_of(const option_spec *spec, int code) {
    return spec != NULL ? spec->name : code == CODE_HELP ? "help" : "version";
}

/* ---- Operands ---- */

/* --predicate, and the options that name the input. With one of these, a second operand is not a
 * file to reduce. */
static const char *const inputs[] = {"predicate", "size", "seed", "input", "hex", "finding", NULL};

/* True if the word is of a result line: size=16. */
static bool is_result(const char *word) {
    static const char *const results[] = {"size=", "seed=", "hex="};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (strncmp(word, results[i], strlen(results[i])) == 0) return true;
    }
    return false;
}

static const option_spec *find_result(const option_list *list, const char *word) {
    return is_result(word) ? find_name(list, word) : NULL;
}

static void print_extra(const parser *p) {
    const operands *rest = p->rest;
    const bool takes_input = find_name(p->list, "size") != NULL;
    const bool is_file = find_name(p->list, "predicate") != NULL &&
                         options_first_given(rest, p->table, inputs) == NULL;
    if (is_file) {
        message("unexpected argument '%s': to reduce a file, say %s --predicate %s %s", rest->extra,
                message_program(), rest->sut, rest->extra);
    } else if (!takes_input && is_result(rest->extra)) {
        print_replay(p->argv);
    } else {
        message("unexpected argument '%s': arguments for the program under test follow '--'",
                rest->extra);
    }
}

static void set_operand(operands *rest, char *word) {
    if (rest->files != NULL) {
        rest->files[rest->file_count++] = word; /* getopt has left this place behind */
    } else if (rest->sut == NULL) {
        rest->sut = word;
    } else if (rest->extra == NULL) {
        rest->extra = word;
    }
}

/* Take the target, or the options of a result line. */
static bool take_operand(const option_list *list, void *options, operands *rest, char *word) {
    if (find_result(list, word) == NULL) {
        set_operand(rest, word);
        return true;
    }
    char *next = NULL;
    for (char *part = strtok_r(word, " \n", &next); part != NULL;
         part = strtok_r(NULL, " \n", &next)) {
        const option_spec *spec = find_result(list, part);
        if (spec == NULL) {
            message("unexpected argument '%s': arguments for the program under test follow '--'",
                    part);
            return false;
        }
        rest->given |= UINT64_C(1) << (spec - list->specs);
        if (!set_option(spec, options, strchr(part, '=') + 1)) return false;
    }
    return true;
}

/* ---- The table ---- */

void option_list_fill(option_list *list, const option_table *table) {
    list->count = 0;
    for (size_t k = 0; k < OPTION_SECTIONS_MAX; k++) {
        const option_section *s = &table->sections[k];
        for (size_t i = 0; i < s->count; i++) {
            assert(list->count < OPTIONS_MAX);
            list->specs[list->count] = s->specs[i];
            list->specs[list->count++].at += s->at;
        }
    }
}

static void set_initial_values(const option_list *list, void *options) {
    for (size_t i = 0; i < list->count; i++) {
        const option_spec *spec = &list->specs[i];
        if (spec->initial == NULL) continue;
        const bool is_valid = set_option(spec, options, spec->initial);
        assert(is_valid);
        (void)is_valid;
    }
}

bool options_given(const operands *rest, const option_table *table, const char *name) {
    option_list list;
    option_list_fill(&list, table);
    const option_spec *spec = find_name(&list, name);
    return spec != NULL && (rest->given >> (spec - list.specs) & 1) != 0;
}

const char *options_first_given(const operands *rest, const option_table *table,
                                const char *const *names) {
    while (*names != NULL && !options_given(rest, table, *names)) names++;
    return *names;
}

/* ---- Parsing ---- */

/* Refuse an option where a value is expected: for --finding --trace getopt takes --trace as the
 * name of a file. --finding=--trace is that file. */
static bool is_value(const option_spec *spec, const char *word, char *const *argv) {
    const bool is_word = spec->kind != NULL && optarg == argv[optind - 1];
    if (!is_word || strncmp(optarg, "--", 2) != 0 || optarg[2] == '\0') return true;
    message_usage("option '%s' needs a value before '%s'", word, optarg);
    return false;
}

/* Take one code of getopt_long. `word` is the argument that it came from. */
static options_answer take_code(const parser *p, int code, const char *word) {
    const option_spec *spec = find_spec(p->list, code);
    bool ok = false;
    if (code >= CODE_HELP && !is_whole_name(p, word, name_of(spec, code))) return OPTIONS_WRONG;
    if (spec != NULL) p->rest->given |= UINT64_C(1) << (spec - p->list->specs);
    switch (code) {
    case 'h':
    case CODE_HELP: return OPTIONS_HELP;
    case CODE_VERSION: return OPTIONS_VERSION;
    case ':': message_usage("option '%s' needs a value", word); break;
    case '?': print_unknown(p); break;
    case 1: ok = take_operand(p->list, p->options, p->rest, optarg); break;
    default: ok = is_value(spec, word, p->argv) && set_option(spec, p->options, optarg); break;
    }
    return ok ? OPTIONS_RUN : OPTIONS_WRONG;
}

options_answer options_parse(int argc, char **argv, const option_table *table, void *options,
                             operands *rest) {
    option_list list;
    getopt_tables tables;
    const parser p = {argv, table, &list, options, rest};
    int code;
    option_list_fill(&list, table);
    make_tables(&list, &tables);
    set_initial_values(&list, options);
    *rest = (operands){.files = table->takes_files && argc > 0 ? argv + 1 : NULL};
    opterr = 0;
    optind = 0;                      /* 0 makes GNU getopt begin anew */
    for (const char *word = argv[1]; /* the next argument of getopt_long */
         (code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;
         word = argv[optind]) {
        const options_answer answer = take_code(&p, code, word);
        if (answer != OPTIONS_RUN) return answer;
    }
    rest->args = argv + optind;
    if (rest->files != NULL) {
        while (optind < argc) set_operand(rest, argv[optind++]);
    }
    if (rest->extra != NULL) print_extra(&p);
    return rest->extra == NULL ? OPTIONS_RUN : OPTIONS_WRONG;
}

void options_missing_target(void) {
    message_usage("which program? Usage: %s ./sut [options] [-- ARG...]", message_program());
}

/* ---- Help ---- */

enum { HELP_COLUMN = 29 };

/* Print a row, and on the same line its joined row (NULL: none). */
static void print_row(FILE *out, const option_spec *spec, const option_spec *joined) {
    const option_spec *const rows[] = {spec, joined};
    int width = fprintf(out, "%*s", 6 - (spec->letter != 0 ? 4 : 0), "");
    for (size_t i = 0; i < 2 && rows[i] != NULL; i++) {
        if (i > 0) width += fprintf(out, "; ");
        if (rows[i]->letter != 0) width += fprintf(out, "-%c, ", rows[i]->letter);
        width += fprintf(out, "--%s", rows[i]->name);
        if (rows[i]->value != NULL) width += fprintf(out, " %s", rows[i]->value);
    }
    fprintf(out, "%*s %s", width < HELP_COLUMN ? HELP_COLUMN - width : 0, "", spec->help);
    if (spec->initial != NULL) fprintf(out, " (default: %s)", spec->initial);
    if (joined != NULL) {
        fprintf(out, "; %c%s", tolower((unsigned char)joined->help[0]), joined->help + 1);
    }
    fputs("\n", out);
}

/* Print the rows of one group. */
static void print_group(FILE *out, const option_list *list, option_group group) {
    const option_spec *open = NULL; /* row that waits for its joined row */
    for (size_t i = 0; i < list->count; i++) {
        const option_spec *spec = &list->specs[i];
        if (spec->group != group) continue;
        if (open == NULL && spec->joins_next) {
            open = spec;
            continue;
        }
        print_row(out, open != NULL ? open : spec, open != NULL ? spec : NULL);
        open = NULL;
    }
    assert(open == NULL);
}

static void print_groups(FILE *out, const option_list *list) {
    static const char *const headings[OPTION_GROUPS] = {
        [OPTION_INPUT] = "What to run",
        [OPTION_STOP] = "When to stop",
        [OPTION_RESULTS] = "Results",
        [OPTION_OUTPUT] = "Output",
    };
    static const option_spec help = {.name = "help", .letter = 'h', .help = "Print this help"};
    static const option_spec version = {.name = "version", .help = "Print the version"};
    for (option_group group = 0; group < OPTION_GROUPS; group++) {
        size_t i = 0;
        while (i < list->count && list->specs[i].group != group) i++;
        if (i == list->count) continue;
        fprintf(out, "%s:\n", headings[group]);
        print_group(out, list, group);
    }
    print_row(out, &help, &version);
}

bool options_print_help(const option_table *table) {
    char *text = NULL;
    size_t length;
    option_list list;
    option_list_fill(&list, table);
    FILE *out = open_memstream(&text, &length);
    if (out != NULL) {
        fprintf(out, "%s\n", table->usage);
        print_groups(out, &list);
        fprintf(out, "%s", table->notes);
        if (fclose(out) == 0) {
            const bool ok = tool_print(text);
            free(text);
            return ok;
        }
    }
    message_error(ENOMEM, "standard output: cannot be written");
    return false;
}
