/* One table has the options of all tools, options.def, and one struct has a field for each. So a
 * row that several tools share is written once, and every use of a command line reads the same:
 * parsing, --help, the completions of shells, and the list of tools that have an option.
 *
 * getopt_long splits the words; it takes abbreviations, and the option that follows for a value,
 * and both are refused here: `--see` for `--seed` would break scripts once there is a `--seek`.
 * Results are lines of options without dashes (size=41 seed=7), so that users paste what frng-
 * search printed.
 *
 * What is wrong is one line that says what to do: the nearest option of a typo, the tool that has
 * an option, the command line of frng-replay for one input. Options that do not go together are
 * rows too, in conflict_of, in the order of their messages. */
#include "options.h"

#include "bytes.h"
#include "clock.h"
#include "frng.h"
#include "messages.h"
#include "output_site.h"
#include "phrase.h"
#include "pool.h"
#include "proc.h"
#include "target.h"
#include "units.h"
#include "worker_file.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds of values ---- */

static bool set_flag(void *field, const char *value) {
    (void)value;
    return *(bool *)field = true;
}

static bool set_text(void *field, const char *value) {
    *(const char **)field = value;
    return value[0] != '\0';
}

static bool set_wrap(void *field, const char *value) {
    return set_text(field, value) && words_check(value);
}

/* Take a name that can be that of a file. */
static bool set_worker(void *field, const char *value) {
    return set_text(field, value) && value[0] != '.' && strchr(value, '/') == NULL &&
           strlen(value) <= WORKER_NAME_MAX;
}

static bool set_hex(void *field, const char *value) {
    *(const char **)field = value;
    return strlen(value) % 2 == 0 && strspn(value, "0123456789abcdefABCDEF") == strlen(value);
}

static bool set_styled_seed(void *field, const char *value) {
    return seed_text_parse(value, field);
}

static bool set_duration(void *field, const char *value) {
    return units_parse_duration(value, field);
}

static bool set_sync(void *field, const char *value) {
    int64_t *sync_ns = field;
    *sync_ns = 0;
    if (strcmp(value, "never") == 0) return true;
    return units_parse_duration(value, sync_ns) && *sync_ns > 0;
}

static bool add_pattern(void *field, const char *value) {
    signature_patterns *patterns = field;
    if (patterns->count == SIGNATURE_PATTERNS_MAX) return false;
    return signature_pattern_parse(value, &patterns->list[patterns->count++]);
}

static bool add_requirement(void *field, const char *value) {
    requirement_list *r = field;
    if (r->count == REQUIREMENTS_MAX || !requirement_parse(value, &r->list[r->count])) return false;
    r->count++;
    return true;
}

static bool add_reducer(void *field, const char *value) {
    reducer_options *r = field;
    if (value[0] == '\0' || r->count == REDUCERS_MAX) return false;
    r->commands[r->count++] = value;
    return true;
}

static bool set_rule(void *field, const char *value) {
    site_rule *rule = field;
    if (rule->text != NULL) regfree(&rule->compiled);
    rule->text =
        value[0] != '\0' && output_site_rule(value, &rule->compiled) == NULL ? value : NULL;
    return rule->text != NULL;
}

#define KIND(name, set, completion, expected)                                                      \
    static const option_kind kind_##name = {expected, completion, set, NULL, 0, 0};
#define NUMBER(name, parse, min, max, expected)                                                    \
    static const option_kind kind_##name = {expected, NULL, NULL, parse, min, max};
/* clang-format off */
KIND(flag, set_flag, NULL, NULL)
KIND(file, set_text, COMPLETE_FILE, "the name of a file")
KIND(finding, set_text, COMPLETE_FINDING, "the name of a file")
KIND(stream, set_text, COMPLETE_FILE, "the name of a file, or -")
KIND(folder, set_text, COMPLETE_FOLDER, "the name of a folder")
KIND(program, set_text, COMPLETE_COMMAND, "the name of a program")
KIND(wrap, set_wrap, COMPLETE_COMMAND, "a program and its arguments, such as 'gdb --args'")
KIND(reducer, add_reducer, COMPLETE_COMMAND,
     "a program, and the commands of it to use; 64 times at most")
KIND(worker, set_worker, NULL,
     "a name of at most 200 bytes, without a slash and without a dot at its start")
NUMBER(count, units_parse_count, 1, UINT64_MAX, "a whole number, at least 1, such as 500 or 10k")
NUMBER(attempts, units_parse_count, 1, UINT64_C(1000000000000),
       "a whole number, at least 1, such as 500 or 10k")
NUMBER(runs, units_parse_count, 1, 1000000000, "a whole number, at least 1, such as 500 or 10k")
NUMBER(jobs, units_parse_count, 1, POOL_JOBS_MAX, "a whole number from 1 to 256")
NUMBER(size, units_parse_size, 0, INPUT_SIZE_MAX, "a size of at most 8G, such as 41, 64K or 4MiB")
NUMBER(memory, units_parse_size, 1, UINT64_MAX, "a size, such as 512M or 2G")
NUMBER(seed, units_parse_seed, 0, UINT64_MAX, "a number below 2^64, decimal or 0x and hex")
KIND(styled_seed, set_styled_seed, NULL,
     "a number below 2^64, decimal or 0x and hex, with an s behind it if the seed is styled")
KIND(hex, set_hex, NULL, "an even count of hex digits")
KIND(duration, set_duration, NULL, "a duration, such as 500ms, 10s, 1.5h or 1h30m")
KIND(sync, set_sync, "never", "a duration above 0, such as 30s or 5m, or never")
KIND(pattern, add_pattern, NULL,
     "exit:N, signal:NAME, timeout or a kind such as asan:SEGV, with ' at PLACE' or a * at its "
     "end; 32 times at most")
KIND(rule, set_rule, NULL, "a POSIX extended regular expression, such as 'bug ([0-9]+)'")
KIND(requirement, add_requirement, NULL,
     "a label and a share of the runs, above 0% and at most 100%, such as long:2.5%; 64 times at "
     "most")
/* Words in the order of their enums. */
KIND(stdin, NULL, "file pipe", "file or pipe")
KIND(expand, NULL, "uniform styled both", "both, uniform or styled")
KIND(effort, NULL, "normal high", "normal or high")
KIND(explain, NULL, "auto yes no", "auto, yes or no")
KIND(mode, NULL, "auto spawn fork persistent", "auto, spawn, fork or persistent")
KIND(containment, NULL, "auto namespace subreaper", "auto, namespace or subreaper")
KIND(ui, NULL, "auto screen line none", "auto, screen, line or none")
/* clang-format on */

/* ---- The table ---- */

enum { S = TOOL_SEARCH, P = TOOL_REPLAY, R = TOOL_REDUCE, O = TOOL_REPORT, U = TOOL_STATUS };

/* clang-format off */
#define OPTION(tools, group, name, letter, kind, field, value, initial, help)                      \
    {tools, OPTION_##group, name, letter, &kind_##kind, offsetof(tool_options, field), value,      \
     initial, help},
/* clang-format on */
static const option_row rows[] = {
#include "options.def"
};
enum { ROWS = sizeof rows / sizeof rows[0] };
_Static_assert(ROWS <= 64, "`given` has a bit for each");

static const struct tool_text {
    tool_kind tool;
    const char *name, *usage;     /* usage lines, and the purpose of the tool */
    const char *notes;            /* end of the help: example, exit statuses */
    int wrong, unable, unwritten; /* exit statuses: usage, no start, standard output */
} tools[] = {
    {TOOL_SEARCH, "frng-search",
     "Usage: frng-search TARGET [options] [-- ARG...]\n"
     "Find the smallest random input on which a program exits nonzero, dies or hangs.\n",
     "Example: frng-search ./target --attempts 1000 --findings found -- strict\n"
     "Exit status: 0 no failure, 1 failure found, 2 error, 3 no repeat, 4 unwritten\n",
     EXIT_ENVIRONMENT, EXIT_ENVIRONMENT, EXIT_OUTPUT},
    {TOOL_REPLAY, "frng-replay",
     "Usage: frng-replay TARGET --size N --seed S [options] [-- ARG...]\n"
     "       frng-replay TARGET --input FILE | --hex BYTES | --finding FILE ...\n"
     "       frng-replay --list DIR\n"
     "Run a program once on the input that frng-search found, in the foreground.\n",
     "Example: frng-replay ./target --size 41 --seed 16842751 --wrap 'gdb --args'\n"
     "Exit status: 0 the run passes, 1 it fails, 125 it cannot be judged, 129 usage\n"
     "error; 'git bisect run' expects these.\n",
     EXIT_USAGE, EXIT_UNJUDGED, EXIT_UNJUDGED},
    {TOOL_REDUCE, "frng-reduce",
     "Usage: frng-reduce TARGET --size N --seed S | --input FILE [options] [-- ARG...]\n"
     "       frng-reduce --predicate CMD FILE [options] [-- ARG...]\n"
     "Simplify the input of a failing run, or any file that a program judges.\n",
     "Example: frng-reduce ./target --size 41 --seed 16842751 --output least.bin\n"
     "Exit status: 0 passed, 1 reduced (files: 0), 2 error, 3 no repeat, 4 unwritten\n",
     EXIT_ENVIRONMENT, EXIT_ENVIRONMENT, EXIT_OUTPUT},
    {TOOL_REPORT, "frng-report",
     "Usage: frng-report EVENTS... [options]\n"
     "Make one HTML page with charts of searches and reductions. EVENTS is a file\n"
     "that their '--json' wrote, a finding, a folder of findings, or - for standard\n"
     "input.\n",
     "Example: 'frng-search ./target --reduce --json events.jsonl' writes the events,\n"
     "and 'frng-report events.jsonl' makes report.html of them, for a browser.\n"
     "Exit status: 0 the page is written, 2 usage error, or EVENTS cannot be read,\n"
     "4 the page cannot be written.\n",
     EXIT_ENVIRONMENT, EXIT_ENVIRONMENT, EXIT_OUTPUT},
    {TOOL_STATUS, "frng-status",
     "Usage: frng-status DIR... [options]\n"
     "Show the searches that share these folders of findings: running and silent\n"
     "workers, findings, and the bound of all passes together. Change nothing.\n",
     "Example: 'frng-search ./target --time 8h --keep-going --findings found' on many\n"
     "machines is a fleet, and 'frng-status found' shows it.\n"
     "Exit status: 0 nothing found, 1 found, 2 usage error or unreadable folder,\n"
     "3 a worker is silent, 4 output not written\n",
     EXIT_ENVIRONMENT, EXIT_ENVIRONMENT, EXIT_OUTPUT},
};
enum { TOOLS = sizeof tools / sizeof tools[0] };

static const struct tool_text *text_of(tool_kind tool) {
    const struct tool_text *t = tools;
    while (t->tool != tool) t++;
    return t;
}

const option_row *options_next(tool_kind tool, const option_row *last) {
    const option_row *row = last != NULL ? last + 1 : rows;
    while (row < rows + ROWS && (row->tools & tool) == 0) row++;
    return row < rows + ROWS ? row : NULL;
}

/* Return the row of a tool that a text such as seed=5 begins with, or NULL. */
static const option_row *find_name(tool_kind tool, const char *text) {
    const size_t length = strcspn(text, "=");
    const option_row *row = NULL;
    while ((row = options_next(tool, row)) != NULL) {
        if (strlen(row->name) == length && strncmp(text, row->name, length) == 0) break;
    }
    return row;
}

static uint64_t bit_of(const option_row *row) { return UINT64_C(1) << (row - rows); }

/* True if an option is on the command line. */
static bool is_given(const tool_options *o, const char *name) {
    const option_row *row = find_name(o->tool, name);
    return row != NULL && (o->given & bit_of(row)) != 0;
}

/* Return the first of `names`, ended by NULL, that is on the command line; or NULL. */
static const char *first_given(const tool_options *o, const char *const *names) {
    while (*names != NULL && !is_given(o, *names)) names++;
    return *names;
}

/* Set a field to the number of a word in a list. */
static bool set_word(unsigned *field, const char *words, const char *value) {
    const size_t length = strlen(value);
    *field = 0;
    for (const char *word = words; *word != '\0'; ++*field) {
        const size_t count = strcspn(word, " ");
        if (count == length && strncmp(word, value, length) == 0) return true;
        word += count + (word[count] == ' ');
    }
    return false;
}

static bool set_option(const option_row *row, tool_options *o, const char *value) {
    void *field = (char *)o + row->at;
    const option_kind *kind = row->kind;
    uint64_t *number = field;
    const bool ok = kind->set != NULL ? kind->set(field, value)
                    : kind->parse != NULL
                        ? kind->parse(value, number) && *number >= kind->min && *number <= kind->max
                        : set_word(field, kind->completion, value);
    if (ok) return true;
    message("--%s '%s' is not valid: give %s", row->name, value, kind->expected);
    return false;
}

/* ---- Errors ---- */

enum { CODE_BASE = 1000 /* getopt's code of row 0, above every character */ };

/* Print the command line of frng-replay for that of a tool that takes no single input. */
static void print_replay(char *const *argv) {
    char *line = NULL, *replay = program_beside(argv[0], "frng-replay");
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (out != NULL) {
        phrase_put_shell(out, replay != NULL ? replay : "frng-replay");
        while (*++argv != NULL) {
            fputc(' ', out);
            phrase_put_shell(out, *argv);
        }
        fclose(out);
    }
    message("one input is run by frng-replay: %s", line != NULL ? line : "out of memory");
    free(replay);
    free(line);
}

/* Print which other tools have an option such as --seed=5. False if none has. */
static bool print_others(const tool_options *o, const char *word) {
    char others[80] = "";
    if (strncmp(word, "--", 2) != 0) return false;
    for (size_t i = 0; i < TOOLS; i++) {
        if (find_name(tools[i].tool, word + 2) == NULL) continue;
        if (others[0] != '\0') strcat(others, ", ");
        strcat(others, tools[i].name);
    }
    if (others[0] == '\0') return false;
    const option_row *row = find_name(TOOL_REPLAY, word + 2);
    const bool names_input = row != NULL && row->tools == (TOOL_REPLAY | TOOL_REDUCE);
    if (names_input && o->rest.files == NULL) {
        print_replay(o->argv);
    } else {
        message("%.*s is not an option of %s, but of %s", (int)strcspn(word, "="), word,
                message_program(), others);
    }
    return true;
}

/* Return the edit distance (optimal string alignment) from the `length` characters at `word` to
 * `name`: the least count of insertions, deletions, replacements and swaps of neighbours. Entry
 * [i][k] of the table is the distance between the first i characters of the word and the first k of
 * the name. Longer words are as far as can be. */
static size_t distance_of(const char *word, size_t length, const char *name) {
    enum { MOST = 31 };
    size_t table[MOST + 1][MOST + 1];
    const size_t count = strlen(name);
    if (length > MOST || count > MOST) return SIZE_MAX;
    for (size_t i = 0; i <= length; i++) {
        for (size_t k = 0; k <= count; k++) {
            size_t *d = &table[i][k];
            *d = i + k;
            if (i == 0 || k == 0) continue;
            const bool is_same = word[i - 1] == name[k - 1];
            const bool is_swap =
                i > 1 && k > 1 && word[i - 1] == name[k - 2] && word[i - 2] == name[k - 1];
            *d = smaller(smaller(table[i - 1][k], table[i][k - 1]) + 1,
                         table[i - 1][k - 1] + !is_same);
            if (is_swap) *d = smaller(*d, table[i - 2][k - 2] + 1);
        }
    }
    return table[length][count];
}

/* Return the option nearest to a word such as --sede=5, or NULL. */
static const char *find_meant(tool_kind tool, const char *word) {
    if (strncmp(word, "--", 2) != 0) return NULL;
    const size_t length = strcspn(word + 2, "=");
    const char *meant = NULL;
    size_t least = length / 3 + 1; /* more than that is another word */
    for (const option_row *row = NULL; (row = options_next(tool, row)) != NULL;) {
        const size_t distance = distance_of(word + 2, length, row->name);
        if (distance > least || (distance == least && meant != NULL)) continue;
        least = distance;
        meant = row->name;
    }
    return meant;
}

/* Print the error of getopt's code '?': an unknown option, or a value for a flag. */
static void print_unknown(const tool_options *o) {
    const char *word = o->argv[optind - 1];
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt >= CODE_BASE && strncmp(word, "--", 2) == 0) { /* musl has wide letters there */
        message("option '%s' takes no value", word);
    } else if (optopt != 0) {
        message_usage("unknown option '%s'", letter);
    } else if (!print_others(o, word)) {
        const char *meant = find_meant(o->tool, word);
        if (meant == NULL) {
            message_usage("unknown option '%s'", word);
        } else {
            message("unknown option '%s': did you mean --%s? See '%s --help'", word, meant,
                    message_program());
        }
    }
}

/* Refuse abbreviations. */
static bool is_whole_name(const tool_options *o, const char *word, const char *name) {
    const size_t length = strcspn(word + 2, "=");
    if (strlen(name) == length) return true;
    if (print_others(o, word)) return false;
    message("option '%.*s' is cut short: say --%s", (int)length + 2, word, name);
    return false;
}

/* Refuse an option where a value is expected: for --finding --trace getopt takes --trace as the
 * name of a file. --finding=--trace is that file. */
static bool is_value(const option_row *row, const char *word, char *const *argv) {
    const bool is_word = row->value != NULL && optarg == argv[optind - 1];
    if (!is_word || strncmp(optarg, "--", 2) != 0 || optarg[2] == '\0') return true;
    message_usage("option '%s' needs a value before '%s'", word, optarg);
    return false;
}

/* ---- Operands ---- */

/* Return the row of a word of a result line, such as size=16, or NULL. */
static const option_row *find_result(tool_kind tool, const char *word) {
    const bool is_result = strncmp(word, "size=", 5) == 0 || strncmp(word, "seed=", 5) == 0 ||
                           strncmp(word, "hex=", 4) == 0;
    return is_result ? find_name(tool, word) : NULL;
}

static void print_unexpected(const char *word) {
    message("unexpected argument '%s': arguments for the program under test follow '--'", word);
}

static void print_extra(const tool_options *o) {
    /* With one of these, a second operand is not a file to reduce. */
    static const char *const inputs[] = {"predicate", "size",    "seed", "input",
                                         "hex",       "finding", NULL};
    const char *extra = o->rest.extra;
    if (o->tool == TOOL_REDUCE && first_given(o, inputs) == NULL) {
        message("unexpected argument '%s': to reduce a file, say %s --predicate %s %s", extra,
                message_program(), o->rest.sut, extra);
    } else if (o->tool == TOOL_SEARCH && find_result(TOOL_REPLAY, extra) != NULL) {
        print_replay(o->argv);
    } else {
        print_unexpected(extra);
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
static bool take_operand(tool_options *o, char *word) {
    if (find_result(o->tool, word) == NULL) {
        set_operand(&o->rest, word);
        return true;
    }
    char *next = NULL;
    for (char *part = strtok_r(word, " \n", &next); part != NULL;
         part = strtok_r(NULL, " \n", &next)) {
        const option_row *row = find_result(o->tool, part);
        if (row == NULL) {
            print_unexpected(part);
            return false;
        }
        o->given |= bit_of(row);
        if (!set_option(row, o, strchr(part, '=') + 1)) return false;
    }
    return true;
}

/* ---- What does not go together ---- */

const char *options_file_conflict(const tool_options *o, char *const *args) {
    if (!target_names_file(args)) return NULL;
    if (o->mode.is_forced && o->mode.mode != MODE_SPAWN)
        return "@@ needs a new process for each run; leave --mode out, or say --mode spawn";
    if (o->run.stdin_kind != RUN_STDIN_PIPE) return NULL;
    return "@@ and --stdin pipe exclude each other: a pipe has no name to open again";
}

#define CONFLICT(of_tools, is_wrong, text)                                                         \
    if ((o->tool & (of_tools)) != 0 && (is_wrong)) return text

static const char *conflict_of(const tool_options *o) {
    const input_options *in = &o->input;
    const signature_filter *f = &o->run.filter;
    const bool is_line = in->has_size && in->hex != NULL && !in->has_seed; /* of frng-reduce */
    const bool is_seeded = (in->has_size || in->has_seed) && !is_line;
    const int sources = is_seeded + (in->file != NULL) + (in->hex != NULL) + (in->finding != NULL);
    const bool has_runs = o->runs > 1, has_json = o->json != NULL, wraps = o->wrap != NULL;
    const unsigned inputs = o->predicate == NULL ? P | R : 0;

    CONFLICT(P,
             o->list != NULL && (sources > 0 || is_line || o->rest.sut != NULL || has_runs ||
                                 o->trace || o->dump || wraps || o->has_timeout || has_json),
             "--list takes only --only, --ignore and --quiet beside it");
    if (o->list != NULL) return NULL;
    CONFLICT(inputs, sources == 0,
             "which input? Give --size and --seed, --input, --hex or --finding");
    CONFLICT(inputs, sources > 1, "give one of --size and --seed, --input, --hex, --finding");
    CONFLICT(inputs, is_line && in->seeded.size != strlen(in->hex) / 2,
             "--size and --hex disagree: leave --size out, --hex gives the size");
    CONFLICT(inputs, is_seeded && !in->has_size, "--seed needs --size");
    CONFLICT(inputs, is_seeded && !in->has_seed, "--size needs --seed");
    CONFLICT(P, options_file_conflict(o, o->rest.args) != NULL,
             options_file_conflict(o, o->rest.args));
    CONFLICT(P, wraps && (has_runs || has_json || f->only.count > 0 || f->ignored.count > 0),
             "--wrap gives no verdict: leave out --runs, --json, --only and --ignore");
    CONFLICT(P, o->trace && (wraps || has_runs), "--trace goes with one run, unwrapped");
    CONFLICT(P, o->dump && (o->trace || wraps || has_runs || has_json), "--dump runs nothing");
    CONFLICT(S, o->keep_going && o->budget_ns == CLOCK_NEVER, "--keep-going needs --time");
    CONFLICT(S, o->sync_ns > 0 && o->findings == NULL, "--sync needs --findings");
    CONFLICT(S, o->worker != NULL && o->findings == NULL, "--worker needs --findings");
    CONFLICT(S | R, o->quiet && o->verbose, "--quiet and --verbose exclude each other");
    CONFLICT(S | R, o->quiet && o->ui == SCREEN_FULL, "--quiet and --ui screen exclude each other");
    CONFLICT(R, o->any_failure && f->only.count > 0, "--any-failure and --only exclude each other");
    return NULL;
}

/* Return the first option that does not go with --predicate, or NULL. */
static const char *not_of_files(const tool_options *o) {
    static const char *const of_failures[] = {
        "size",   "seed",      "hex",         "input",    "mode",   "finding", "stdin", "only",
        "ignore", "signature", "any-failure", "findings", "effort", "explain", NULL};
    return o->predicate != NULL ? first_given(o, of_failures) : NULL;
}

void options_missing_target(void) {
    message_usage("which program? Usage: %s TARGET [options] [-- ARG...]", message_program());
}

/* Return true if the tool has the target or the files that it needs. */
static bool has_operand(const tool_options *o) {
    const bool is_in_finding = o->input.finding != NULL && o->predicate == NULL;
    return o->rest.sut != NULL || o->rest.file_count > 0 || is_in_finding || o->dump ||
           o->list != NULL;
}

static void print_missing(const tool_options *o) {
    if (o->tool == TOOL_REPORT) {
        message_usage("which events? Usage: %s EVENTS... [-o FILE]", message_program());
    } else if (o->tool == TOOL_STATUS) {
        message_usage("which folder? Usage: %s DIR...", message_program());
    } else if (o->predicate != NULL) {
        message_usage("which file? Usage: %s --predicate CMD FILE [options] [-- ARG...]",
                      message_program());
    } else {
        options_missing_target();
    }
}

/* Check the whole command line. A replay says first what is wrong with its input. */
static bool check(const tool_options *o) {
    const char *conflict = conflict_of(o), *wrong = not_of_files(o);
    if (wrong != NULL) {
        message_usage("--%s and --predicate exclude each other", wrong);
    } else if (o->predicate == NULL && o->reducers.count > 0) {
        message_usage("--reducer needs --predicate");
    } else if (!has_operand(o) && (o->tool != TOOL_REPLAY || conflict == NULL)) {
        print_missing(o);
    } else if (conflict != NULL) {
        message_usage("%s", conflict);
    } else {
        return true;
    }
    return false;
}

/* ---- Help ---- */

static void print_row(const option_row *row) {
    enum { HELP_COLUMN = 29 };
    int width = row->letter != 0 ? printf("  -%c, ", row->letter) : printf("      ");
    width += printf("--%s", row->name);
    if (row->value != NULL) width += printf(" %s", row->value);
    printf("%*s %s", width < HELP_COLUMN ? HELP_COLUMN - width : 0, "", row->help);
    if (row->initial != NULL) printf(" (default: %s)", row->initial);
    puts("");
}

/* Print the rows of one group, below its heading. */
static void print_group(tool_kind tool, option_group group) {
    static const char *const headings[OPTION_GROUPS] = {
        [OPTION_INPUT] = "What to run:\n",
        [OPTION_STOP] = "When to stop:\n",
        [OPTION_RESULTS] = "Results:\n",
        [OPTION_OUTPUT] = "Output:\n",
        [OPTION_END] = "",
    };
    bool has_heading = false;
    for (const option_row *row = NULL; (row = options_next(tool, row)) != NULL;) {
        if (row->group != group) continue;
        if (!has_heading) fputs(headings[group], stdout);
        has_heading = true;
        print_row(row);
    }
}

/* Print the help to standard output. Returns false after a message if that fails. */
static bool print_help(tool_kind tool) {
    const struct tool_text *t = text_of(tool);
    printf("%s\n", t->usage);
    for (option_group group = 0; group < OPTION_GROUPS; group++) print_group(tool, group);
    return tool_print(t->notes);
}

/* ---- Parsing ---- */

/* The tables for getopt_long. */
typedef struct getopt_tables {
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 8];
} getopt_tables;

static void make_tables(tool_kind tool, getopt_tables *t) {
    char *shorts = t->shorts;
    struct option *longs = t->longs;
    memset(t, 0, sizeof *t);
    *shorts++ = '-'; /* operands come in order, as code 1 */
    *shorts++ = ':'; /* a missing value is code ':' */
    for (const option_row *row = NULL; (row = options_next(tool, row)) != NULL;) {
        const int has_value = row->value != NULL ? required_argument : no_argument;
        *longs++ = (struct option){row->name, has_value, NULL, CODE_BASE + (int)(row - rows)};
        if (row->letter == 0) continue;
        *shorts++ = row->letter;
        if (has_value == required_argument) *shorts++ = ':';
    }
}

/* Return the option of a code of getopt_long, or NULL. */
static const option_row *find_code(tool_kind tool, int code) {
    if (code >= CODE_BASE) return &rows[code - CODE_BASE];
    const option_row *row = options_next(tool, NULL);
    while (row != NULL && (row->letter == 0 || row->letter != code)) row = options_next(tool, row);
    return row;
}

/* Take one code of getopt_long. `word` is the argument that it came from. */
static bool take_code(tool_options *o, int code, const char *word) {
    const option_row *row = find_code(o->tool, code);
    if (row == NULL) {
        if (code == 1) return take_operand(o, optarg);
        if (code == '?') print_unknown(o);
        if (code == ':') message_usage("option '%s' needs a value", word);
        return false;
    }
    if (code >= CODE_BASE && !is_whole_name(o, word, row->name)) return false;
    o->given |= bit_of(row);
    return is_value(row, word, o->argv) && set_option(row, o, optarg);
}

static void set_initial_values(tool_options *o, tool_kind tool) {
    memset(o, 0, sizeof *o);
    o->tool = tool;
    o->jobs = (unsigned)smaller(proc_cpu_count(), POOL_JOBS_MAX);
    o->budget_ns = CLOCK_NEVER;
    o->calls_max = UINT64_MAX;
    for (const option_row *row = NULL; (row = options_next(tool, row)) != NULL;) {
        const bool is_valid = row->initial == NULL || set_option(row, o, row->initial);
        assert(is_valid);
        (void)is_valid;
    }
}

/* Set what follows from the options that were given. */
static void complete(tool_options *o) {
    enum { SYNC_OF_KEEP_GOING_S = 60 };
    o->input.has_size = is_given(o, "size");
    o->input.has_seed = is_given(o, "seed");
    o->has_rng_seed = is_given(o, "rng-seed");
    if (o->mode_word > 0) o->mode = (mode_choice){true, (run_mode)(o->mode_word - 1)};
    if (o->keep_going && o->findings != NULL && !is_given(o, "sync"))
        o->sync_ns = SYNC_OF_KEEP_GOING_S * CLOCK_NS_PER_S;
    o->has_timeout = is_given(o, "timeout");
    if (o->predicate != NULL && !o->has_timeout) o->run.timeout_ns = 0;
}

options_answer options_parse(tool_kind tool, int argc, char **argv, tool_options *o) {
    getopt_tables tables;
    const bool takes_files = tool == TOOL_REPORT || tool == TOOL_STATUS;
    int code;
    make_tables(tool, &tables);
    set_initial_values(o, tool);
    o->argv = argv;
    o->rest.files = takes_files && argc > 0 ? argv + 1 : NULL;
    opterr = 0;
    optind = 0;                      /* 0 makes GNU getopt begin anew */
    for (const char *word = argv[1]; /* the next argument of getopt_long */
         (code = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1;
         word = argv[optind]) {
        if (!take_code(o, code, word)) return OPTIONS_WRONG;
        if (o->help) return OPTIONS_HELP;
        if (o->version) return OPTIONS_VERSION;
    }
    o->rest.args = argv + optind;
    while (takes_files && optind < argc) set_operand(&o->rest, argv[optind++]);
    if (o->rest.extra != NULL) {
        print_extra(o);
        return OPTIONS_WRONG;
    }
    complete(o);
    return check(o) ? OPTIONS_RUN : OPTIONS_WRONG;
}

bool options_begin(tool_kind tool, int argc, char **argv, tool_signals *signals, tool_options *o,
                   int *status) {
    const struct tool_text *t = text_of(tool);
    char version[64];
    *status = t->unable;
    if (!tool_init(signals, t->name, t->unwritten)) return false;
    switch (options_parse(tool, argc, argv, o)) {
    case OPTIONS_HELP: *status = print_help(tool) ? EXIT_PASSED : t->unwritten; break;
    case OPTIONS_VERSION:
        snprintf(version, sizeof version, "%s " FRNG_VERSION "\n", t->name);
        *status = tool_print(version) ? EXIT_PASSED : t->unwritten;
        break;
    case OPTIONS_WRONG: *status = t->wrong; break;
    case OPTIONS_RUN: return true;
    }
    return false;
}

/* ---- Options as texts ---- */

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
        phrase_put_shell(out, o->rule.text);
    }
    fclose(out);
    return text;
}

static void put_patterns(FILE *out, const char *option, const signature_patterns *p) {
    for (size_t i = 0; i < p->count; i++) {
        fprintf(out, " --%s ", option);
        phrase_put_shell(out, p->list[i].text);
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
