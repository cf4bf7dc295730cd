/* One table has the options of all tools, options.def, and one struct has a field for each.
 *
 * So a row that several tools share is written once, and every use of a command line reads the
 * same: parsing, --help, the completions of shells, and the list of tools that have an option.
 *
 * Options stand before and after the target, and a name is written in full: `--see` for `--seed`
 * would break scripts once there is a `--seek`. An option that follows is not taken for a value.
 * Results are lines of options without dashes (size=41 seed=7), so that users paste what
 * frng-search printed.
 *
 * What is wrong is one line that says what to do: the nearest option of a typo, the tool that has
 * an option, ours for that of another tool. Options that do not go together are rows there too, in
 * the order of their messages. */
#include "options.h"

#include "bytes.h"
#include "clock.h"
#include "frng.h"
#include "messages.h"
#include "numbers.h"
#include "output_site.h"
#include "phrase.h"
#include "pool.h"
#include "proc.h"
#include "program.h"
#include "worker_log.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Command lines ---- */

/* True if a backslash within `quote` (0: unquoted) makes the character `next` literal. */
static bool is_escape(char quote, char next) {
    if (quote == '"') return next != '\0' && strchr("\"\\$`", next) != NULL;
    return quote == '\0' && next != '\0';
}

char *words_next(char **rest, bool *ok) {
    char *from = *rest + strspn(*rest, " \t\n");
    if (*from == '\0') return NULL;
    char *word = from, *to = from;
    char quote = '\0';
    for (; *from != '\0' && (quote != '\0' || strchr(" \t\n", *from) == NULL); from++) {
        if (*from == '\\' && is_escape(quote, from[1])) {
            *to++ = *++from;
        } else if (quote == '\0' && (*from == '\'' || *from == '"')) {
            quote = *from;
        } else if (quote != '\0' && *from == quote) {
            quote = '\0';
        } else {
            *to++ = *from;
        }
    }
    *ok = *ok && quote == '\0';
    *rest = *from != '\0' ? from + 1 : from;
    *to = '\0';
    return word;
}

bool words_check(const char *line) {
    char *words = memory_text("%s", line), *rest = words;
    bool ok = true;
    size_t count = 0;
    while (ok && words_next(&rest, &ok) != NULL) count++;
    free(words);
    return ok && count > 0;
}

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

/* Take bytes as they were pasted; their digits replace them in place. */
static bool set_hex(void *field, const char *value) {
    *(const char **)field = value;
    return bytes_pasted_hex(value, NULL) && bytes_pasted_hex(value, (char *)(uintptr_t)value);
}

static bool set_styled_seed(void *field, const char *value) {
    return seed_text_parse(value, field);
}

static bool set_duration(void *field, const char *value) {
    return numbers_parse_duration(value, field);
}

static bool set_sync(void *field, const char *value) {
    int64_t *sync_ns = field;
    *sync_ns = 0;
    if (strcmp(value, "never") == 0) return true;
    return numbers_parse_duration(value, sync_ns) && *sync_ns > 0;
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
    static regex_t compiled;
    site_rule *rule = field;
    if (rule->text != NULL) regfree(&compiled);
    const bool ok = value[0] != '\0' && output_site_rule(value, &compiled) == NULL;
    *rule = ok ? (site_rule){value, &compiled} : (site_rule){NULL, NULL};
    return ok;
}

/* ---- The table ---- */

enum { S = TOOL_SEARCH, P = TOOL_REPLAY, R = TOOL_REDUCE, O = TOOL_REPORT, U = TOOL_STATUS };

typedef enum option_group {
    OPTION_INPUT, /* the input and its runs */
    OPTION_STOP,
    OPTION_RESULTS,
    OPTION_OUTPUT,
    OPTION_END, /* without a heading */
    OPTION_GROUPS
} option_group;

/* A kind of value (options.def). */
typedef struct option_kind {
    const char *expected, *completion;
    bool (*set)(void *field, const char *value);
    bool (*parse)(const char *value, uint64_t *number);
    uint64_t least, most;
} option_kind;

typedef struct option_row {
    unsigned tools; /* of tool_kind */
    option_group group;
    const char *name; /* without the dashes */
    char letter;      /* short form, or 0 */
    const option_kind *kind;
    size_t at;           /* offset of its field */
    const char *value;   /* name of the value in the help; NULL: it is a flag */
    const char *initial; /* default value, as users write it; or NULL */
    const char *help;
} option_row;

/* clang-format off */
#define KIND(name, set, completion, expected)                                                      \
    static const option_kind kind_##name = {expected, completion, set, NULL, 0, 0};
#define NUMBER(name, parse, least, most, expected)                                                 \
    static const option_kind kind_##name = {expected, NULL, NULL, parse, least, most};
#include "options.def"
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
    const char *name, *operand, *synopsis; /* what is missing from an empty command line */
    const char *most;                      /* names of the options that --help lists; NULL: all */
    const char *usage;                     /* usage lines, and the purpose of the tool */
    const char *notes;                     /* end of the help: example, exit statuses */
} tools[] = {
#define TOOL(tool, ...) {TOOL_##tool, __VA_ARGS__},
#include "options.def"
};
enum { TOOLS = sizeof tools / sizeof tools[0] };

static const struct tool_text *text_of(tool_kind tool) {
    const struct tool_text *t = tools;
    while (t->tool != tool) t++;
    return t;
}

/* Return the next row of a tool after `last` (NULL: the first), or NULL at the end. */
static const option_row *next_row(tool_kind tool, const option_row *last) {
    const option_row *row = last != NULL ? last + 1 : rows;
    while (row < rows + ROWS && (row->tools & tool) == 0) row++;
    return row < rows + ROWS ? row : NULL;
}

/* Return the row of a tool whose name stands at the start of a text, before `end` or the end of the
 * text; or NULL. */
static const option_row *find_name(tool_kind tool, const char *text, char end) {
    const char ends[] = {end, '\0'};
    const size_t length = strcspn(text, ends);
    const option_row *row = NULL;
    while ((row = next_row(tool, row)) != NULL) {
        if (strlen(row->name) == length && strncmp(text, row->name, length) == 0) break;
    }
    return row;
}

static uint64_t bit_of(const option_row *row) { return UINT64_C(1) << (row - rows); }

/* Move to the next word of a list that blanks separate. Return its length; 0 at the end. */
static size_t next_word(const char **list) {
    *list += strspn(*list, " ");
    return strcspn(*list, " ");
}

/* Return the first option of a list of names that is on the command line, or NULL. */
static const option_row *find_given(const tool_options *o, const char *names) {
    for (size_t length; (length = next_word(&names)) > 0; names += length) {
        const option_row *row = find_name(o->tool, names, ' ');
        if (row != NULL && (o->given & bit_of(row)) != 0) return row;
    }
    return NULL;
}

static bool set_word(unsigned *field, const char *words, const char *value) {
    *field = 0;
    for (size_t length; (length = next_word(&words)) > 0; words += length, ++*field)
        if (length == strlen(value) && strncmp(words, value, length) == 0) return true;
    return false;
}

static bool set_option(const option_row *row, tool_options *o, const char *value) {
    void *field = (char *)o + row->at;
    const option_kind *kind = row->kind;
    uint64_t *number = field;
    const bool ok = kind->set != NULL     ? kind->set(field, value)
                    : kind->parse != NULL ? kind->parse(value, number) && *number >= kind->least &&
                                                *number <= kind->most
                                          : set_word(field, kind->completion, value);
    if (ok) return true;
    return message("--%s '%s' is not valid: give %s", row->name, value, kind->expected);
}

bool options_set(tool_options *o, const char *name, const char *value) {
    const option_row *row = find_name(o->tool, name, '=');
    assert(row != NULL);
    o->given |= bit_of(row);
    return set_option(row, o, value);
}

bool options_given(const tool_options *o, const char *names) {
    return find_given(o, names) != NULL;
}

/* ---- Errors ---- */

/* Return which other tools have the option of this name, which ends at an = or the end; or NULL. */
static const char *explain_others(const char *word, const char *name) {
    char others[80] = "";
    for (size_t i = 0; i < TOOLS; i++) {
        if (find_name(tools[i].tool, name, '=') == NULL) continue;
        if (others[0] != '\0') strcat(others, ", ");
        strcat(others, tools[i].name);
    }
    if (others[0] == '\0') return NULL;
    if (strncmp(word, "--", 2) == 0 && word + 2 == name)
        return phrase_format("%.*s is not an option of %s, but of %s", (int)strcspn(word, "="),
                             word, message_program(), others);
    return phrase_format("unknown option '%s': --%.*s is an option of %s", word,
                         (int)strcspn(name, "="), name, others);
}

/* ---- Options of other tools ---- */

static const struct foreign {
    const char *names, *ours; /* separated by blanks */
    const char *none;         /* said where a tool has none of ours, or NULL */
} foreign[] = {
#define FOREIGN(...) {__VA_ARGS__},
#include "options.def"
};

/* True if a list of names has this one, which ends at an =; an underscore is a dash. */
static bool is_listed(const char *names, const char *name) {
    const size_t length = strcspn(name, "=");
    for (size_t count; (count = next_word(&names)) > 0; names += count) {
        size_t same = 0;
        while (same < length && (name[same] == '_' ? '-' : name[same]) == names[same]) same++;
        if (same == length && count == length) return true;
    }
    return false;
}

static const struct foreign *find_foreign(const char *name) {
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (is_listed(foreign[i].names, name)) return &foreign[i];
    return NULL;
}

/* Return what we call the option of another tool, or NULL. `name` is the word without dashes. */
static const char *explain_foreign(const tool_options *o, const char *word, const char *name) {
    const bool is_alone = word[1] == '-' && strcspn(name, "=") == 1; /* --t is no letter */
    const struct foreign *f = is_alone ? NULL : find_foreign(name);
    char ours[40], meant[80] = "";
    if (f == NULL) return NULL;
    const char *at = f->ours;
    for (size_t length; (length = next_word(&at)) > 0; at += length) {
        snprintf(ours, sizeof ours, "%.*s", (int)length, at);
        if (find_name(o->tool, ours, '=') == NULL) continue;
        strcat(strcat(meant, meant[0] != '\0' ? " or --" : "--"), ours);
    }
    snprintf(ours, sizeof ours, "%.*s", (int)strcspn(f->ours, " "), f->ours);
    if (meant[0] != '\0')
        return phrase_format("unknown option '%s': did you mean %s? See '%s --help'", word, meant,
                             message_program());
    if (f->none == NULL) return explain_others(word, ours);
    return phrase_format("unknown option '%s': %s; see '%s --help'", word, f->none,
                         message_program());
}

/* True if so many insertions, deletions, replacements and swaps of neighbours make a name of the
 * `length` characters at `word`. */
static bool is_near(const char *word, size_t length, const char *name, size_t edits) {
    for (; length > 0 && *word == *name; length--) word++, name++;
    if (length == 0 || *name == '\0') return length + strlen(name) <= edits;
    if (edits-- == 0) return false;
    const bool is_swap = length > 1 && word[0] == name[1] && word[1] == name[0];
    return (is_swap && is_near(word + 2, length - 2, name + 2, edits)) ||
           is_near(word + 1, length - 1, name + 1, edits) ||
           is_near(word + 1, length - 1, name, edits) || is_near(word, length, name + 1, edits);
}

/* Return the name of the option that is meant by an unknown name: one that begins so, or the
 * nearest one; or NULL. */
static const char *find_meant(tool_kind tool, const char *word) {
    enum { EDITS_MAX = 3 };
    const size_t length = strcspn(word, "=");
    const size_t most = smaller(length / 3 + 1, EDITS_MAX); /* more than that is another word */
    for (size_t edits = 0; edits <= most; edits++) {
        for (const option_row *row = NULL; (row = next_row(tool, row)) != NULL;) {
            const bool begins_so = length > 1 && strncmp(word, row->name, length) == 0;
            if (begins_so || is_near(word, length, row->name, edits)) return row->name;
        }
    }
    return NULL;
}

/* Return what is meant by an unknown option, or NULL. */
static const char *explain_option(const tool_options *o, const char *word) {
    const bool is_long = word[1] == '-';
    const char *name = word + 1 + is_long, letter[] = {word[1], '\0'};
    const option_row *row = find_name(o->tool, name, '=');
    const char *near = row != NULL ? row->name : is_long ? find_meant(o->tool, name) : NULL;
    const char *said = row == NULL ? explain_foreign(o, word, name) : NULL;
    if (said == NULL && row == NULL) said = explain_others(word, name);
    if (said == NULL && row == NULL && !is_long && strchr("0123456789./", word[2]) != NULL)
        said = explain_foreign(o, word, letter); /* -t5, not -trimmed */
    if (said != NULL || near == NULL) return said;
    return phrase_format("unknown option '%s': did you mean --%s? See '%s --help'", word, near,
                         message_program());
}

/* Print what is meant by an unknown option, the word before `next`. Returns false. */
static bool refuse_unknown(const tool_options *o, const char *word, char **next) {
    const char *said = explain_option(o, word);
    const bool has_sut = o->rest.sut != NULL;
    if (access(next[-1], F_OK) == 0)
        return message("unknown option '%s': for the file of that name say ./%s", next[-1],
                       next[-1]);
    if (said == NULL)
        return message_usage("unknown option '%s'%s", word,
                             has_sut ? ": arguments for the program follow '--'" : "");
    return message("%s%s", said,
                   word[1] != '-' && has_sut ? "; arguments for the program follow '--'" : "");
}

/* ---- Operands ---- */

/* Return the row of a word of a result line, such as size=16, or NULL. */
static const option_row *find_result(tool_kind tool, const char *word) {
    const bool is_result = strncmp(word, "size=", 5) == 0 || strncmp(word, "seed=", 5) == 0 ||
                           strncmp(word, "hex=", 4) == 0;
    return is_result ? find_name(tool, word, '=') : NULL;
}

/* Return the row of a word that gives one input, as --seed does, or seed=5 of a result line; or
 * NULL. */
static const option_row *find_input(const char *word) {
    const option_row *row = strncmp(word, "--", 2) == 0 ? find_name(TOOL_REPLAY, word + 2, '=')
                                                        : find_result(TOOL_REPLAY, word);
    return row != NULL && row->tools == (P | R) ? row : NULL;
}

static void set_operand(operands *rest, char *word) {
    if (rest->files != NULL) {
        rest->files[rest->file_count++] = word; /* a place that was read */
    } else if (rest->sut == NULL) {
        rest->sut = word;
    } else {
        rest->extras[rest->extra_count++] = word;
    }
}

/* Take the target, or the options of a result line. */
static bool take_operand(tool_options *o, char *word) {
    if (find_result(o->tool, word) == NULL) {
        set_operand(&o->rest, word);
        return true;
    }
    char *run = strstr(word, " (run ");
    if (run != NULL && run[strcspn(run, ")\n")] == ')') *run = '\0'; /* as a search prints it */
    for (const char *part = word, *end; *part != '\0'; part = end + strspn(end, " \n")) {
        const option_row *row = find_result(o->tool, part);
        end = part + strcspn(part, " \n");
        if (row == NULL)
            return message("unexpected argument '%.*s': the result ends before it; leave it out",
                           (int)(end - part), part);
        const char *value = strchr(part, '=') + 1;
        if (strcmp(row->name, "hex") == 0) /* it stays, and blanks in it are ignored */
            end = value + strlen(value);
        else
            value = phrase_format("%.*s", (int)strcspn(value, ",; \n"), value);
        o->given |= bit_of(row);
        if (!set_option(row, o, value)) return false;
    }
    return true;
}

/* ---- What does not go together ---- */

/* Return a message about options that do not go with @@ in these arguments, or NULL. */
static const char *file_conflict(const tool_options *o, char *const *args) {
    if (!texts_name_input(args)) return NULL;
    if (o->mode == MODE_FORK || o->mode == MODE_PERSISTENT)
        return "@@ needs a new process for each run; leave --mode out, or say --mode spawn";
    if (o->run.limits.stdin_kind != RUN_STDIN_PIPE) return NULL;
    return "@@ and --stdin pipe exclude each other: a pipe has no name to open again";
}

/* Options that do not go with another one, or that need it. */
static const struct conflict {
    const char *options;
    enum { EXCLUDE, NEED } how;
    const char *others;
    const char *text; /* NULL: the usual one */
} conflicts[] = {
#define CONFLICT(...) {__VA_ARGS__},
#include "options.def"
};

/* Print the first row that the command line goes against, and return false. */
static bool has_no_conflict(const tool_options *o) {
    for (size_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++) {
        const struct conflict *c = &conflicts[i];
        const option_row *row = find_given(o, c->options);
        if (row == NULL || (find_given(o, c->others) != NULL) == (c->how == NEED)) continue;
        if (c->text != NULL) return message_usage("%s", c->text);
        return c->how == NEED
                   ? message_usage("--%s needs --%s", row->name, c->others)
                   : message_usage("--%s and --%s exclude each other", row->name, c->others);
    }
    return true;
}

/* Return what is wrong with the input of a replay or a reduction, or NULL. */
static const char *wrong_input(const tool_options *o) {
    const input_options *in = &o->input;
    if (o->list != NULL && o->rest.sut != NULL) return NOT_LISTED;
    if ((o->tool & (P | R)) == 0 || o->list != NULL || o->predicate != NULL) return NULL;
    if (find_given(o, "size input hex finding") == NULL)
        return "which input? Give --size and --seed, --input, --hex or --finding";
    if (find_given(o, "size") != NULL && in->hex != NULL && in->seeded.size != strlen(in->hex) / 2)
        return "--size and --hex disagree: leave --size out, --hex gives the size";
    return o->tool == TOOL_REPLAY ? file_conflict(o, o->rest.args) : NULL;
}

/* Print that there is no target, and none of the files that a tool takes, and return false. True if
 * none is needed here. */
static bool has_target(const tool_options *o) {
    const struct tool_text *t = text_of(o->tool);
    const bool is_file = o->predicate != NULL;
    if (o->rest.sut != NULL || o->rest.file_count > 0) return true;
    if (o->dump || o->list != NULL || (o->input.finding != NULL && !is_file)) return true;
    return message_usage("which %s? Usage: %s %s", is_file ? "file" : t->operand, message_program(),
                         is_file ? "--predicate CMD FILE... [options] [-- ARG...]" : t->synopsis);
}

static bool check(const tool_options *o) {
    if (!has_no_conflict(o)) return false;
    const char *wrong = wrong_input(o);
    return wrong == NULL ? has_target(o) : message_usage("%s", wrong);
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

static void print_most_used(const struct tool_text *t) {
    puts("Most used:");
    const char *name = t->most;
    for (size_t length; (length = next_word(&name)) > 0; name += length)
        print_row(find_name(t->tool, name, ' '));
}

static void print_groups(const struct tool_text *t) {
    static const char *const headings[OPTION_GROUPS] = {
        [OPTION_INPUT] = "What to run:\n",
        [OPTION_STOP] = "When to stop:\n",
        [OPTION_RESULTS] = "Results:\n",
        [OPTION_OUTPUT] = "Output:\n",
        [OPTION_END] = "",
    };
    for (option_group group = 0; group < OPTION_GROUPS; group++) {
        const char *heading = headings[group];
        for (const option_row *row = NULL; (row = next_row(t->tool, row)) != NULL;) {
            if (row->group != group) continue;
            fputs(heading, stdout);
            heading = "";
            print_row(row);
        }
    }
}

/* Print the help to standard output: the most used options, or groups of all below their headings.
 * Returns false after a message if that fails. */
static bool print_help(const struct tool_text *t, bool is_whole) {
    printf("%s\n", t->usage);
    if (t->most != NULL && !is_whole)
        print_most_used(t);
    else
        print_groups(t);
    return tool_print(t->notes);
}

/* ---- Parsing ---- */

/* Take the option of a row. `next` is behind its word, which may have its value; NULL: it is next,
 * unless it is a flag. */
static bool take_option(tool_options *o, const option_row *row, const char *value, char ***next) {
    const char *word = (*next)[-1];
    o->given |= bit_of(row);
    if (row->value == NULL && value != NULL) return message("option '%s' takes no value", word);
    if (row->value != NULL && value == NULL) {
        value = **next;
        if (value == NULL) return message_usage("option '%s' needs a value", word);
        if (strncmp(value, "--", 2) == 0 && value[2] != '\0') { /* --finding=--trace is that file */
            return message_usage("option '%s' needs a value before '%s'", word, value);
        }
        ++*next;
    }
    return set_option(row, o, value);
}

/* True if one dash begins the name of an option of ours or another tool. */
static bool is_name(tool_kind tool, const char *word) {
    const bool is_ours = find_name(tool, word + 1, '=') != NULL;
    return strcspn(word + 1, "=") > 1 && (is_ours || find_foreign(word + 1) != NULL);
}

/* Take a word of letters, such as -qj4. */
static bool take_letters(tool_options *o, const char *word, char ***next) {
    if (is_name(o->tool, word)) return refuse_unknown(o, word, *next);
    for (const char *letter = word + 1; *letter != '\0' && !o->help; letter++) {
        const option_row *row = NULL;
        do row = next_row(o->tool, row);
        while (row != NULL && row->letter != *letter);
        if (row == NULL)
            return refuse_unknown(o, letter == word + 1 ? word : (const char[]){'-', *letter, '\0'},
                                  *next);
        const char *rest = letter[1] != '\0' ? letter + 1 : NULL;
        if (row->value != NULL) return take_option(o, row, rest, next);
        take_option(o, row, NULL, next);
    }
    return true;
}

static bool take_word(tool_options *o, char ***next) {
    char *word = *(*next)++;
    const bool is_input = find_input(word) != NULL && (word[0] == '-' || o->rest.sut != NULL);
    if (o->tool == TOOL_SEARCH && is_input)
        return message_usage(
            "%s: one input is run by frng-replay; a search has --rng-seed and --size-max", word);
    if (word[0] != '-' || word[1] == '\0') return take_operand(o, word);
    if (word[1] != '-') return take_letters(o, word, next);
    const option_row *row = find_name(o->tool, word + 2, '=');
    const char *equals = strchr(word, '=');
    if (row != NULL) return take_option(o, row, equals != NULL ? equals + 1 : NULL, next);
    return refuse_unknown(o, word, *next);
}

static void set_initial_values(tool_options *o, tool_kind tool) {
    memset(o, 0, sizeof *o);
    o->tool = tool;
    o->jobs = (unsigned)smaller(proc_cpu_count(), POOL_JOBS_MAX);
    o->budget_ns = CLOCK_NEVER;
    o->calls_max = UINT64_MAX;
    o->mode = MODE_AUTO; /* of a replay, too */
    for (const option_row *row = NULL; (row = next_row(tool, row)) != NULL;) {
        const bool is_valid = row->initial == NULL || set_option(row, o, row->initial);
        assert(is_valid);
        (void)is_valid;
    }
}

static void forget(tool_options *o, const char *name) {
    const option_row *row = find_given(o, name);
    if (row != NULL) o->given &= ~bit_of(row);
}

static void complete(tool_options *o) {
    enum { SYNC_OF_KEEP_GOING_S = 60 };
    if (o->keep_going && o->findings != NULL && find_given(o, "sync") == NULL)
        o->sync_ns = SYNC_OF_KEEP_GOING_S * CLOCK_NS_PER_S;
    if (o->predicate != NULL && find_given(o, "timeout") == NULL) o->run.limits.timeout_ns = 0;
    /* What these say is so without them. */
    if (o->runs == 1) forget(o, "runs");
    if (o->sync_ns == 0) forget(o, "sync");
}

options_answer options_parse(tool_kind tool, int argc, char **argv, tool_options *o) {
    static char **extras; /* of the last command line */
    const bool takes_files = tool == TOOL_REPORT || tool == TOOL_STATUS;
    char **next = argc > 0 ? argv + 1 : argv;
    set_initial_values(o, tool);
    o->argv = argv;
    o->rest.files = takes_files ? next : NULL;
    free(extras);
    o->rest.extras = extras = memory_zeroed((size_t)argc + 1, sizeof *extras);
    while (*next != NULL && strcmp(*next, "--") != 0) {
        if (!take_word(o, &next)) return OPTIONS_WRONG;
        o->help_all = o->help && *next != NULL && strcmp(*next, "all") == 0;
        if (o->help) return OPTIONS_HELP;
        if (o->version) return OPTIONS_VERSION;
    }
    o->rest.args = *next != NULL ? next + 1 : next;
    for (char **file = o->rest.args; takes_files && *file != NULL; file++)
        set_operand(&o->rest, *file);
    if (!operands_settle(o)) return OPTIONS_WRONG;
    complete(o);
    return check(o) ? OPTIONS_RUN : OPTIONS_WRONG;
}

bool options_begin(tool_kind tool, int argc, char **argv, tool_signals *signals, tool_options *o,
                   int *status) {
    const struct tool_text *t = text_of(tool);
    const bool is_replay = tool == TOOL_REPLAY;
    const int unwritten = is_replay ? EXIT_UNJUDGED : EXIT_OUTPUT;
    char version[64];
    *status = is_replay ? EXIT_UNJUDGED : EXIT_ENVIRONMENT;
    if (!tool_init(signals, t->name, unwritten)) return false;
    switch (options_parse(tool, argc, argv, o)) {
    case OPTIONS_HELP: *status = print_help(t, o->help_all) ? EXIT_PASSED : unwritten; break;
    case OPTIONS_VERSION:
        snprintf(version, sizeof version, "%s " FRNG_VERSION "\n", t->name);
        *status = tool_print(version) ? EXIT_PASSED : unwritten;
        break;
    case OPTIONS_WRONG: *status = is_replay ? EXIT_USAGE : EXIT_ENVIRONMENT; break;
    case OPTIONS_RUN: return true;
    }
    return false;
}

bool options_find_target(const tool_options *o, target_command *t) {
    const operands *rest = &o->rest;
    const char *conflict = file_conflict(o, rest->args);
    if (!target_find(t, rest->sut, rest->args)) return false;
    if (!o->unconfirmed) target_update(t); /* it writes no finding to keep the digest in */
    if (conflict != NULL) return message("%s", conflict);
    t->options = run_options_text(&o->run, RUN_OPTIONS_REPLAY);
    t->replay = program_beside(o->argv[0], "frng-replay");
    t->subject = (run_target){.sut = rest->sut,
                              .args = (const char *const *)rest->args,
                              .replay = t->replay,
                              .options = t->options};
    if (o->json != NULL && !program_is_kept(t->path, o->json)) return false;
    if (o->coverage && !target_counts_lines(t))
        return message("--coverage: %s counts no lines; build it with gcc --coverage", rest->sut);
    return o->run.limits.memory_max == 0 || target_takes_memory_limit(t);
}

/* ---- Options as texts ---- */

static const char *with_option(const char *text, const char *name, const char *value) {
    return phrase_format("%s --%s %s", text, name, phrase_shell(value));
}

static const char *with_patterns(const char *text, const char *name,
                                 const signature_patterns *patterns) {
    for (size_t i = 0; i < patterns->count; i++)
        text = with_option(text, name, patterns->list[i].text);
    return text;
}

char *run_options_text(const run_options *o, run_options_part part) {
    const run_limits *limits = &o->limits;
    const bool is_filter = part == RUN_OPTIONS_FILTER;
    const char *text = is_filter ? with_patterns("", "only", &o->filter.only) : "";
    int64_t usual_ns;
    if (is_filter) return memory_text("%s", with_patterns(text, "ignore", &o->filter.ignored));
    if (!numbers_parse_duration(TIMEOUT_INITIAL, &usual_ns) || limits->timeout_ns != usual_ns)
        text =
            with_option(text, "timeout", numbers_format_duration(NUMBERS_TEXT, limits->timeout_ns));
    if (limits->memory_max != 0)
        text = with_option(text, "memory", numbers_format_size(NUMBERS_TEXT, limits->memory_max));
    if (limits->stdin_kind == RUN_STDIN_PIPE) text = with_option(text, "stdin", "pipe");
    if (o->rule.text != NULL) text = with_option(text, "signature", o->rule.text);
    return memory_text("%s", text);
}
