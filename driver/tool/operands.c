/* Users write what they have beside the target: a finding, a file, a size and a seed, arguments.
 *
 * What a target that speaks the protocol gets there is an input, since it takes no arguments: it is
 * taken, as by its option. Beside any other program a word can mean two things (the file of a
 * predicate, an argument), and the wrong one would run for an hour: so nothing runs, and the whole
 * command line of each is printed, to be pasted. Lines for this tool keep the user's options; those
 * for another tool have the options of runs alone. */
#include "options.h"

#include "bytes.h"
#include "messages.h"
#include "numbers.h"
#include "phrase.h"
#include "program.h"
#include "seed_input.h"
#include "store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What a word names ---- */

static bool is_kind(const char *path, mode_t kind) {
    struct stat status;
    return stat(path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

static bool is_file(const char *path) { return is_kind(path, S_IFREG) || is_kind(path, S_IFIFO); }

static bool is_program(const char *name) {
    char *path = proc_find(name, program_folders());
    const bool is_there = path != NULL && is_kind(path, S_IFREG) && access(path, X_OK) == 0;
    free(path);
    return is_there;
}

/* True if it is a finding; and, unless `o` is NULL, one of the target. */
static bool is_finding(const char *path, const tool_options *o) {
    const char *why;
    finding f;
    if (!is_kind(path, S_IFREG) || !finding_read(AT_FDCWD, path, &f, &why)) return false;
    const bool is_of = o == NULL || (f.sut != NULL && o->rest.sut != NULL &&
                                     strcmp(path_base(f.sut), path_base(o->rest.sut)) == 0);
    finding_free(&f);
    return is_of;
}

static bool has_findings(const char *folder) {
    store_names names = {.count = 0};
    const bool has_any =
        is_kind(folder, S_IFDIR) && store_list(folder, &names) == 0 && names.count > 0;
    store_names_free(&names);
    return has_any;
}

static bool names_protocol(const target_command *t) { return target_names_protocol(t) != NULL; }

/* Ask a question about the target, called with these arguments and those behind "--". */
static bool ask(const tool_options *o, bool (*question)(const target_command *), char *const *args,
                size_t count) {
    const operands *r = &o->rest;
    const size_t more = r->args != NULL ? text_count(r->args) : 0;
    target_command t = {.path = proc_find(r->sut, program_folders()),
                        .argv = tool_need(calloc(count + more + 2, sizeof *t.argv))};
    t.argv[0] = r->sut;
    if (count > 0) memcpy(t.argv + 1, args, count * sizeof *args);
    if (more > 0) memcpy(t.argv + 1 + count, r->args, more * sizeof *args);
    const bool answer = t.path != NULL && question(&t);
    free(t.argv);
    free(t.path);
    return answer;
}

static bool speaks(const tool_options *o, char *const *args, size_t count) {
    return ask(o, names_protocol, args, count);
}

/* ---- Whole command lines ---- */

/* What a line has: the tool, unless it is this one; an input or a predicate; arguments. */
typedef struct line {
    const char *tool;       /* NULL: this one, with the options of the user */
    const char *sut;        /* NULL: none */
    const char *options[4]; /* ended by NULL if there are less */
    char *const *args;      /* before those behind "--" */
    size_t arg_count;
} line;

static bool is_operand(const operands *r, const char *word) {
    size_t i = 0;
    while (i < r->extra_count && r->extras[i] != word) i++;
    return word == r->sut || i < r->extra_count;
}

static const char *line_of(const tool_options *o, const line *l) {
    const operands *r = &o->rest;
    char *const *more = r->args != NULL ? r->args : (char *const[]){NULL};
    const char **words = tool_need(calloc(text_count(o->argv) + l->arg_count + 8, sizeof *words));
    char *tool = program_beside(o->argv[0], l->tool != NULL ? l->tool : path_base(o->argv[0]));
    char *runs = l->tool != NULL ? run_options_text(&o->run, RUN_OPTIONS_REPLAY) : NULL;
    size_t n = 0;
    words[n++] = tool;
    if (l->sut != NULL) words[n++] = l->sut;
    for (size_t i = 0; i < 4 && l->options[i] != NULL; i++) words[n++] = l->options[i];
    for (char **word = o->argv + 1; l->tool == NULL && word < r->end; word++) {
        if (!is_operand(r, *word)) words[n++] = *word;
    }
    const char *head = phrase_words("", words);
    memset(words, 0, n * sizeof *words);
    size_t to = 0; /* `more` may be NULL, and so may `args` */
    for (size_t i = 0; i < l->arg_count; i++) words[to++] = l->args[i];
    for (size_t i = 0; i < text_count(more); i++) words[to++] = more[i];
    const char *all =
        phrase_format("%s%s%s", head, runs != NULL ? runs : "", phrase_words(" -- ", words));
    free(runs);
    free(tool);
    free(words);
    return all;
}

/* Say what is wrong, then one line, or two, below each other; NULL: no second one. */
static void advise(const tool_options *o, const char *why, const line *a, const line *b) {
    if (b == NULL) {
        message("%s %s", why, line_of(o, a));
        return;
    }
    message("%s", why);
    fprintf(message_stream(), "  %s\n", line_of(o, a));
    fprintf(message_stream(), "  %s\n", line_of(o, b));
}

/* ---- What the words behind the target mean ---- */

/* An input that the last operands give, as the words of an option. */
typedef struct reading {
    const char *options[4];
    size_t first;    /* the operands before it are something else */
    bool is_certain; /* it can be nothing else */
    bool is_file;
} reading;

/* Find a size and a seed in words as a search prints them: "size 29, seed 7 (run 7)". */
static bool find_words(const operands *r, reading *in) {
    char size[24], seed[SEED_TEXT_MAX];
    const char *all = "";
    for (size_t i = 0; i < r->extra_count && i < 16; i++)
        all = phrase_format("%s %s", all, r->extras[i]);
    const char *at = strstr(all, "size");
    if (at == NULL ||
        sscanf(at, "size%*[ =:]%23[0-9]%*[ ,;]seed%*[ =:]%23[0-9a-fxs]", size, seed) != 2)
        return false;
    *in = (reading){
        {"--size", phrase_format("%s", size), "--seed", phrase_format("%s", seed)}, 0, true, false};
    return true;
}

static bool are_numbers(const char *size, const char *seed) {
    uint64_t bytes;
    seed_input parsed;
    return numbers_parse_size(size, &bytes) && bytes <= INPUT_SIZE_MAX &&
           seed_text_parse(seed, &parsed);
}

/* True for bytes in hex that are no number: "0100", "01 00", 0x0100. */
static bool is_hex(const char *word) {
    const bool is_number = word[strspn(word, "0123456789")] == '\0' && word[0] != '0';
    return strlen(word) > 1 && bytes_pasted_hex(word, NULL) && !(is_number && strlen(word) <= 20);
}

/* Read the last operands as an input. False if they are none. */
static bool read_input(const tool_options *o, reading *in) {
    const operands *r = &o->rest;
    const size_t last = r->extra_count - 1;
    char *const word = r->extras[last];
    *in = (reading){.first = last};
    if (is_finding(word, NULL)) {
        *in = (reading){{"--finding", word}, last, is_finding(word, o), true};
    } else if (find_words(r, in)) {
        return true;
    } else if (last > 0 && are_numbers(r->extras[last - 1], word)) {
        *in = (reading){{"--size", r->extras[last - 1], "--seed", word}, last - 1, false, false};
    } else if (is_file(word) || strcmp(word, "-") == 0) {
        *in = (reading){{"--input", word}, last, false, true};
    } else if (is_hex(word)) {
        *in = (reading){{"--hex", word}, last, false, false};
    } else {
        return false;
    }
    return true;
}

static line line_of_input(const tool_options *o, const reading *in) {
    const operands *r = &o->rest;
    line l = {.sut = r->sut, .args = r->extras, .arg_count = in->first};
    memcpy(l.options, in->options, sizeof l.options);
    return l;
}

/* Print what to do with operands that are no input for this tool. */
static void refuse_arguments(const tool_options *o, bool lacks_input) {
    const operands *r = &o->rest;
    const char *word = r->extras[0];
    const bool is_protocol = speaks(o, NULL, 0);
    reading in;
    line l = {.sut = r->sut, .args = r->extras, .arg_count = r->extra_count};
    if (lacks_input) {
        message_usage(
            access(word, F_OK) != 0 && strpbrk(word, "/.") != NULL
                ? "%s: no such file; which input? Give --size and --seed, --input, --hex or "
                  "--finding"
                : "unexpected argument '%s': which input? Give --size and --seed, --input, "
                  "--hex or --finding",
            word);
        return;
    }
    if (o->tool == TOOL_SEARCH && read_input(o, &in) &&
        (is_protocol || in.is_certain || strcmp(in.options[0], "--finding") == 0)) {
        l = line_of_input(o, &in);
        l.tool = "frng-replay";
        advise(o, "one input is run by frng-replay:", &l, NULL);
        return;
    }
    const line without = {.sut = r->sut};
    if (is_protocol) {
        const bool refuses = ask(o, target_refuses_arguments, NULL, 0);
        const char *how = refuses ? "leave it out:" : "without it, or for the program, say";
        advise(o, phrase_format("unexpected argument '%s': %s", word, how), &without,
               refuses ? NULL : &l);
        return;
    }
    advise(o,
           phrase_format(
               "unexpected argument '%s': arguments for the program under test follow '--':", word),
           &l, NULL);
}

/* Take an input without an option, or print the lines that it can mean. */
static bool settle_input(tool_options *o) {
    const operands *r = &o->rest;
    char *const first = r->extras[0];
    reading in;
    if (!read_input(o, &in)) {
        refuse_arguments(o, true);
        return false;
    }
    if (in.first > 0 && is_finding(first, NULL)) {
        message_usage("give one finding at a time");
        return false;
    }
    if (in.first == 0 && (in.is_certain || speaks(o, NULL, 0))) {
        bool ok = options_set(o, in.options[0] + 2, in.options[1]);
        return ok && (in.options[2] == NULL || options_set(o, in.options[2] + 2, in.options[3]));
    }
    const line given = line_of_input(o, &in);
    const line file = {.options = {"--predicate", r->sut, first}};
    const bool is_judged = o->tool == TOOL_REDUCE && in.is_file && !speaks(o, r->extras, in.first);
    advise(
        o,
        is_judged && r->extra_count > 1 ? "one file is reduced at a time; for a file that a "
                                          "program judges, or an input of the program, say"
        : is_judged
            ? phrase_format("unexpected argument '%s': to reduce this file, or what %s reads, say",
                            first, r->sut)
            : phrase_format("unexpected argument '%s': for an input of %s, say", first, r->sut),
        is_judged ? &file : &given, is_judged ? &given : NULL);
    return false;
}

/* ---- The target ---- */

/* Put the program before a file or a number that was written before it. */
static void put_program_first(operands *r) {
    const char *word = r->sut;
    const bool is_number = word[strspn(word, "0123456789")] == '\0';
    size_t i = 0;
    if (is_program(word) || !(is_number || is_file(word))) return;
    while (i < r->extra_count && (strchr(r->extras[i], '/') == NULL || !is_program(r->extras[i])))
        i++;
    if (i == r->extra_count) return;
    char *const program = r->extras[i];
    memmove(r->extras + 1, r->extras, i * sizeof *r->extras);
    r->extras[0] = r->sut;
    r->sut = program;
}

/* Print the line of a target whose arguments are in one word with it. False if it is none. */
static bool print_split(const tool_options *o) {
    enum { ARGS_MAX = 64 };
    char *args[ARGS_MAX], *copy = tool_need(strdup(o->rest.sut)), *rest = copy;
    const char *sut = o->rest.sut;
    bool ok = strpbrk(sut, " \t") != NULL && access(sut, F_OK) != 0;
    const char *program = ok ? words_next(&rest, &ok) : NULL;
    size_t count = 0;
    while (ok && count < ARGS_MAX && (args[count] = words_next(&rest, &ok)) != NULL) count++;
    ok = ok && program != NULL && count > 0 && is_program(program);
    line l = {.sut = program, .args = args, .arg_count = count};
    const bool is_ours =
        ok && count <= 4 && strncmp(args[0], "--", 2) == 0 && options_has(o->tool, args[0] + 2);
    if (is_ours) {
        memcpy(l.options, args, count * sizeof *args);
        l.arg_count = 0;
    }
    if (ok)
        advise(o,
               phrase_format(is_ours ? "'%s' is no program, but several words:"
                                     : "'%s' is no program; its arguments follow '--':",
                             sut),
               &l, NULL);
    free(copy);
    return ok;
}

/* Settle a target that stands alone: take a finding in its place. */
static bool settle_target(tool_options *o, bool takes_input) {
    char *const sut = o->rest.sut;
    const line replay = {.tool = "frng-replay", .options = {"--finding", sut}};
    const line reduce = {.tool = "frng-reduce", .options = {"--finding", sut}};
    if (!is_program(sut) && is_finding(sut, NULL)) {
        if (takes_input) {
            o->rest.sut = NULL;
            return options_set(o, "finding", sut);
        }
        if (o->tool != TOOL_SEARCH) return true;
        advise(o, phrase_format("%s: is a finding; to replay or to reduce it, say", sut), &replay,
               &reduce);
        return false;
    }
    if (print_split(o)) return false;
    if (!takes_input || !is_file(sut) || is_program(sut)) return true;
    message_usage(o->tool == TOOL_REDUCE
                      ? "%s: is no program; give one that reads it, as in PROGRAM "
                        "--input %s, or judges it, as in --predicate PROGRAM %s"
                      : "%s: is no program; give one that reads it, as in PROGRAM "
                        "--input %s",
                  sut, sut, sut);
    return false;
}

/* True for what can be reduced, or could be if it were a file. */
static bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool settle_file(const tool_options *o) {
    const operands *r = &o->rest;
    line l = {.sut = r->sut, .args = r->extras};
    size_t files = 0;
    for (size_t i = 0; i < r->extra_count; i++) files += is_there(r->extras[i]);
    if (r->extra_count > 0 && files == 0) {
        l.arg_count = r->extra_count;
        advise(o,
               phrase_format("unexpected argument '%s': arguments for the predicate follow '--':",
                             r->extras[0]),
               &l, NULL);
    } else if (is_file(o->predicate) && !is_program(o->predicate) && is_program(r->sut)) {
        l = (line){.tool = "frng-reduce", .options = {"--predicate", r->sut, o->predicate}};
        advise(o,
               phrase_format("--predicate %s: is no program, and %s is one; the file comes last:",
                             o->predicate, r->sut),
               &l, NULL);
    } else {
        return true;
    }
    return false;
}

bool operands_settle(tool_options *o) {
    operands *r = &o->rest;
    const bool takes_input =
        o->tool != TOOL_SEARCH && !options_given(o, "size seed input hex finding");
    if (o->input.file != NULL && is_finding(o->input.file, NULL))
        message("note: %s is a finding, and its text is the input; --finding takes its bytes",
                phrase_escaped(o->input.file));
    if (r->sut == NULL || o->list != NULL) return true;
    if (o->predicate != NULL) return settle_file(o);
    char *const last = r->extra_count > 0 ? r->extras[r->extra_count - 1] : r->sut;
    if (has_findings(last)) {
        const line listed = {.tool = "frng-replay", .options = {"--list", last}};
        advise(o, phrase_format("%s: is a folder of findings; to list them, say", last), &listed,
               NULL);
        return false;
    }
    put_program_first(r);
    if (r->extra_count == 0) return settle_target(o, takes_input);
    if (!is_finding(r->sut, NULL)) {
        char *path = program_find(r->sut);
        if (path == NULL) return false;
        free(path);
    }
    if (takes_input) return settle_input(o);
    refuse_arguments(o, false);
    return false;
}

bool operands_offer_arguments(tool_options *o, char **from, const char *why) {
    operands *r = &o->rest;
    const size_t count = text_count(from);
    char **args = tool_need(calloc(count + 1, sizeof *args));
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(from[i], "--") != 0) args[n++] = from[i];
    const bool ok =
        r->sut != NULL && r->files == NULL && o->predicate == NULL && !speaks(o, args, n);
    r->end = from;
    const line l = {.sut = r->sut, .args = args, .arg_count = n};
    if (ok) advise(o, why, &l, NULL);
    free(args);
    return ok;
}
