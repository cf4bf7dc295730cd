/* The pieces of lines for people.
 *
 * Each text is made on the heap and lent: it is freed when so many others were made that no line
 * needs it any more, so the calls nest like expressions. Of a long output an excerpt is shown: its
 * lines are marked by what runtimes print of failures, by the site, and from the end. */
#include "phrase.h"

#include "failure.h"
#include "memory.h"
#include "seed_input.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *phrase_plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* ---- Texts that are lent ---- */

/* Keep a new text until as many others are kept. Return it. */
static const char *lend(char *text) {
    enum { LENT_MAX = 64 }; /* more than any line has */
    static char *lent[LENT_MAX];
    static size_t next;
    char **place = &lent[next++ % LENT_MAX];
    free(*place);
    return *place = text;
}

const char *phrase_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format(format, arguments);
    va_end(arguments);
    return lend(text);
}

static char *escape(const char *text, bool keeps_lines) {
    const size_t size = strlen(text), text_max = 4 * size + 1;
    char *safe = memory_new(text_max);
    bytes_escape((const uint8_t *)text, size, keeps_lines, safe, text_max);
    return safe;
}

const char *phrase_discarded(uint64_t count) {
    return count > 0 ? phrase_format(" (%s discarded)", COUNT(count)) : "";
}

const char *phrase_escaped(const char *text) { return lend(escape(text, false)); }

const char *phrase_escaped_lines(const char *text) { return lend(escape(text, true)); }

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "@%+=:,./_-";

/* Put a word with bytes that must not reach a terminal, as every sh takes it. The output of a
 * command loses the newlines at its end; the third character of IFS is one. */
static void put_printed(FILE *out, const char *word) {
    size_t length = strlen(word), newlines = 0;
    while (length > 0 && word[length - 1] == '\n') length--, newlines++;
    fputs("\"$(printf '", out);
    for (size_t i = 0; i < length; i++) {
        const bool is_bare = (i > 0 || word[i] != '-') && strchr(plain, word[i]) != NULL;
        if (is_bare) fputs(word[i] == '%' ? "%%" : (const char[]){word[i], '\0'}, out);
        if (!is_bare) fprintf(out, "\\%03o", (unsigned char)word[i]);
    }
    fputs("')\"", out);
    while (newlines-- > 0) fputs("\"${IFS#??}\"", out);
}

static void put_word(FILE *out, const char *word) {
    char *safe = escape(word, false);
    if (strcmp(safe, word) != 0) {
        put_printed(out, word);
    } else if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
    } else {
        fputc('\'', out);
        for (const char *at = word; *at != '\0'; at++)
            *at == '\'' ? fputs("'\\''", out) : fputc(*at, out);
        fputc('\'', out);
    }
    free(safe);
}

/* ---- Excerpts of outputs ---- */

enum { EXCERPT_LINES = 6, HEAD_LINES = 2 };

/* Parts of the lines that name a failure: of runtimes, sanitizers, assertions and compilers. */
static const char *const marks[] = {
    "panic: ", "panicked at ", "Error: ",          "Error [", "Exception",
    "ERROR: ", "error: ",      "fatal error",      "FATAL",   "ssertion",
    "Assert",  "SUMMARY: ",    "terminate called", "what():", "***: t",
};

static bool is_marked(const char *line) {
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strstr(line, marks[i]) != NULL) return true;
    return false;
}

/* The lines of an output, and those of them that are shown. */
typedef struct excerpt {
    size_t count, shown_count;
    char *lines[BYTES_TAIL_TEXT_MAX];
    bool is_shown[BYTES_TAIL_TEXT_MAX];
} excerpt;

/* Cut text into lines, without empty lines at the end. */
static void cut(excerpt *e, char *text, size_t length) {
    e->count = e->shown_count = 0;
    while (length > 0 && text[length - 1] == '\n') text[--length] = '\0';
    for (char *line = length > 0 ? text : NULL; line != NULL; e->count++) {
        e->lines[e->count] = strsep(&line, "\n");
        e->is_shown[e->count] = false;
    }
}

static void choose(excerpt *e, size_t i) {
    if (e->is_shown[i] || e->shown_count == EXCERPT_LINES) return;
    e->is_shown[i] = true;
    e->shown_count++;
}

/* Choose the first marked line, the next line that is not blank, and the last marked line; or the
 * first lines if no line is marked. */
static void choose_message(excerpt *e) {
    size_t first = 0, last = e->count;
    while (first < e->count && !is_marked(e->lines[first])) first++;
    for (size_t i = 0; i < HEAD_LINES && first == e->count; i++) choose(e, i);
    if (first == e->count) return;
    choose(e, first);
    size_t after = first + 1;
    while (after < e->count && e->lines[after][strspn(e->lines[after], " \t")] == '\0') after++;
    if (after < e->count) choose(e, after);
    while (!is_marked(e->lines[last - 1])) last--;
    choose(e, last - 1);
}

/* Choose the first line with this place: the frame of a stack. */
static void choose_place(excerpt *e, const char *place) {
    for (size_t i = 0; i < e->count && place[0] != '\0'; i++) {
        const char *found = strstr(e->lines[i], place);
        if (found == NULL || isdigit((unsigned char)found[strlen(place)])) continue;
        choose(e, i);
        return;
    }
}

/* True for the line that bytes_tail_text puts in place of bytes. */
static bool is_left_out(const char *line) {
    const size_t length = strlen(line), end = sizeof BYTES_LEFT_OUT - 1;
    return strncmp(line, "... ", 4) == 0 && length > end &&
           strcmp(line + length - end, BYTES_LEFT_OUT) == 0;
}

static void put_excerpt(FILE *out, const bytes_tail *output, const char *site) {
    static const char gap[] = "...";
    static char text[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    static excerpt e;
    char kind[SITE_MAX], place[SITE_MAX];
    const char *label = "output", *omitted = NULL; /* in place of lines that are not shown */
    if (output == NULL) return;
    cut(&e, text, bytes_tail_text(output, text));
    if (e.count > EXCERPT_LINES) {
        site_split(site, kind, place);
        place[site_line_length(place)] = '\0';
        choose_message(&e);
        choose_place(&e, place);
    }
    for (size_t i = e.count; i > 0; i--) choose(&e, i - 1);
    for (size_t i = 0; i < e.count; i++) {
        const char *line = e.lines[i];
        if (!e.is_shown[i]) {
            if (omitted == NULL || is_left_out(line)) omitted = is_left_out(line) ? line : gap;
            continue;
        }
        if (omitted != NULL && (label[0] == '\0' || omitted != gap)) {
            fprintf(out, "  %-8s %s\n", label, omitted);
            label = "";
        }
        fprintf(out, "  %-8s %s\n", label, line);
        label = "";
        omitted = NULL;
    }
}

const char *phrase_excerpt(const bytes_tail *output, const char *site) {
    char *text = NULL;
    FILE *out = memory_stream(&text, &(size_t){0});
    put_excerpt(out, output, site);
    return lend(memory_close(out, &text));
}

/* ---- Commands ---- */

const char *phrase_words(const char *before, const char *const *words) {
    char *line = NULL;
    FILE *out = memory_stream(&line, &(size_t){0});
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        fputs(i == 0 ? before : " ", out);
        put_word(out, words[i]);
    }
    return lend(memory_close(out, &line));
}

const char *phrase_shell(const char *word) {
    return phrase_words("", (const char *const[]){word, NULL});
}

const char *phrase_command(const run_target *s) {
    return phrase_format("%s%s", phrase_shell(s->sut), phrase_words(" ", s->args));
}

const char *phrase_replay(const run_target *s, const char *option, const char *value) {
    return phrase_format("%s %s %s %s%s%s", phrase_shell(s->replay), phrase_shell(s->sut), option,
                         phrase_shell(value), s->options, phrase_words(" -- ", s->args));
}

const char *const phrase_doubts[] = {
    [DOUBT_NONE] = "",
    [DOUBT_UNREAD] = ", but did not read its input",
    [DOUBT_DRAWS] = ", but was found with other draws: it no longer tests what it did",
};

const char *phrase_input(const seed_input *t) {
    if (t->style == SEED_GIVEN)
        return phrase_format("%s of a guided run", COUNTED(t->size, "byte"));
    return phrase_format("size %" PRIu64 ", seed %s", t->size, seed_text_format(SEED_TEXT, t));
}

const char *phrase_replay_found(const run_target *s, const found_input *c) {
    const seed_input *input = &c->failure->input;
    char text[2 * PHRASE_HEX_MAX + 1];
    if (c->bytes == NULL) {
        snprintf(text, sizeof text, "--size %" PRIu64 " --seed", input->size);
        return phrase_replay(s, text, seed_text_format(SEED_TEXT, input));
    }
    if (input->size <= PHRASE_HEX_MAX) {
        bytes_to_hex(c->bytes, input->size, text);
        return phrase_replay(s, "--hex", text);
    }
    if (c->saved == NULL) return NULL;
    return phrase_replay(s, c->is_finding ? "--finding" : "--input", c->saved);
}

const char *phrase_goal(const run_target *s, const tally_row *goal) {
    const failure at = {.input = goal->at};
    const found_input c = {.failure = &at, .bytes = seed_input_bytes(&goal->at)};
    const char *most =
        phrase_format("%s: at most %s", phrase_escaped(goal->name), COUNT(goal->most));
    const char *replay = goal->most > 0 ? phrase_replay_found(s, &c) : NULL;
    return phrase_format("%s%s%s%s%s", most, goal->most > 0 ? ", " : "",
                         goal->most > 0 ? phrase_input(&goal->at) : "",
                         replay != NULL ? "\n           " : "", replay != NULL ? replay : "");
}

/* True if a path stays below the current folder. */
static bool is_below(const char *path) {
    return path[0] != '/' && strncmp(path, "../", 3) != 0 && strstr(path, "/../") == NULL;
}

/* Return what puts links to the other files of the current folder in a new one, and to those above
 * it as far as runs have them. */
static const char *link_around(const run_setup *s) {
    const char *below = s->below != NULL ? s->below : "", *up = "";
    for (const char *c = below; (c = strchr(c, '/')) != NULL; c++) up = phrase_format("%s/..", up);
    const char *all = phrase_format("cp -rs \"$PWD\"%s/. \"$d\"", up);
    return below[0] == '\0' ? all : phrase_format("%s && d=$d/%s", all, phrase_shell(below));
}

/* Return what copies the files of a result, by their names if they may be below folders. */
static const char *copy_files(const run_setup *s, const char *out) {
    const char *all = "";
    if (s->is_of_folder && !s->is_inside)
        return phrase_format("mkdir -p -- \"$d\"/%s && cp -r -- %s/. \"$d\"/%s",
                             phrase_shell(s->places[0]), out, phrase_shell(s->places[0]));
    if (!s->is_linked) return phrase_format("cp -r -- %s/. \"$d\"", out);
    for (size_t i = 0; s->names[i] != NULL; i++)
        all = phrase_format("%s%scp -r -- %s/%s \"$d\"/%s", all, i > 0 ? " && " : "", out,
                            phrase_shell(path_base(s->names[i])), phrase_shell(s->names[i]));
    return all;
}

/* The same of several files, or of a folder. The originals are links among others. */
static const char *check_files(const run_setup *s, bool is_first) {
    const char *out = phrase_shell(s->output), *all = phrase_words("", s->operands), *copy;
    if (!s->is_linked && is_first)
        copy = phrase_format("cp -r -- %s%s \"$d\"", all, s->is_inside ? "/." : "");
    else if (!s->is_linked)
        copy = copy_files(s, out);
    else if (is_first)
        copy = link_around(s);
    else
        copy = phrase_format("%s && (cd \"$d\" && rm -rf -- %s%s) && %s", link_around(s),
                             is_below(s->output) ? phrase_format("%s ", out) : "",
                             phrase_words("", s->places), copy_files(s, out));
    return phrase_format(
        "(d=$(mktemp -d) && %s && cd \"$d\" && %s%s%s)", copy, phrase_shell(s->subject->sut),
        s->is_bare ? "" : phrase_words(" ", s->names), phrase_words(" ", s->subject->args));
}

const char *phrase_check(const run_setup *s, bool is_first) {
    const char *result = is_first ? s->file : s->output, *hide = "";
    const char *copy = phrase_shell(s->places[0]), *made = phrase_shell(result);
    const char *around =
        s->is_linked ? phrase_format("%s && cp --remove-destination", link_around(s)) : "cp";
    if (s->is_folder) return check_files(s, is_first);
    if (s->is_linked && is_below(result) &&
        strcmp(result, s->places[0]) != 0) /* its runs do not see it */
        hide = phrase_format(" && rm -f \"$d\"/%s \"$d\"/%s.state", made, made);
    return phrase_format("(d=$(mktemp -d) && %s -- %s \"$d\"/%s%s && cd \"$d\" && %s%s%s%s)",
                         around, made, copy, hide, phrase_shell(s->subject->sut),
                         s->is_bare ? "" : " ", s->is_bare ? "" : copy,
                         phrase_words(" ", s->subject->args));
}
