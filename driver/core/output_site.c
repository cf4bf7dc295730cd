/* How the site of a failure is found in the output of its run.
 *
 * Each format of reports (an assertion, a traceback of Python, ...) has some rows in one table. The
 * formats are tried in the order of trust: a report of the end of the process comes before what
 * may be printed by a program that goes on. For each format all lines of the output are read once,
 * from a state START on. A row applies to a line if its words are in it (a fast check), its
 * pattern matches, its pattern of foreign code does not, and it is a row of the current state; then
 * its templates set the kind and the place, and its state is the next one. So "the last frame"
 * is a row that also applies in the state that it leads to, and "the first" is one that does not.
 * In a template a digit stands for a group of the pattern, all else for itself.
 *
 * Reports of sanitizers need more than that: a summary names the kind better than the report, the
 * place is in the first stack, and frames without debug information give functions or addresses.
 *
 * An output has at most BYTES_TAIL_MAX bytes here, and a pattern is compiled when a line first has
 * its words: an output takes 0.2 ms on average and 0.9 ms at worst, the first one 1 ms more. */
#include "output_site.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { GROUPS = 6 };

/* ---- Lines ---- */

/* An output as text. Zeros and the ends \r of lines are blanks. */
typedef struct output_text {
    size_t size;                   /* with the final zero */
    char text[BYTES_TAIL_MAX + 8]; /* lines end by \n, or by a zero once they are cut */
} output_text;

static output_text *text_of(const bytes_tail *output) {
    static output_text all; /* stacks may be small */
    const bool is_cut = output->total > BYTES_TAIL_MAX;
    all.size = 0;
    for (size_t i = 0; i < output->size; i++) {
        const char c = (char)output->bytes[i];
        if (is_cut && i == BYTES_TAIL_HEAD) all.text[all.size++] = '\n';
        all.text[all.size++] = c == '\0' || c == '\r' ? ' ' : c;
    }
    all.text[all.size++] = '\0';
    return &all;
}

/* Return the first line. */
static const char *cut_lines(output_text *all) {
    for (char *end = all->text; (end = strchr(end, '\n')) != NULL; end++) *end = '\0';
    return all->text;
}

static const char *next_line(const output_text *all, const char *line) {
    line += strlen(line) + 1;
    return line < all->text + all->size ? line : NULL;
}

typedef struct pattern {
    const char *words; /* in each line that matches; "": unknown */
    const char *text;  /* POSIX extended regular expression; NULL matches nothing */
    bool is_compiled;
    regex_t compiled;
} pattern;

static bool matches(pattern *p, const char *line, regmatch_t group[GROUPS]) {
    if (p->text == NULL || strstr(line, p->words) == NULL) return false;
    if (!p->is_compiled) {
        const int error = regcomp(&p->compiled, p->text, REG_EXTENDED);
        assert(error == 0);
        p->is_compiled = error == 0;
    }
    return regexec(&p->compiled, line, GROUPS, group, 0) == 0;
}

/* ---- What was found ---- */

/* A kind and a place, "" for none. */
typedef struct output_found {
    char kind[SITE_KIND_MAX], place[SITE_MAX];
} output_found;

static void fill(const char *template, const char *line, const regmatch_t group[GROUPS], char *to,
                 size_t room) {
    size_t at = 0;
    for (; *template != '\0' && at + 1 < room; template ++) {
        const regmatch_t *g = isdigit((unsigned char)*template) ? &group[*template - '0'] : NULL;
        const char *text = g == NULL ? template : g->rm_so < 0 ? "" : line + g->rm_so;
        const int length = g == NULL ? 1 : (int)(g->rm_eo - g->rm_so);
        at += (size_t)snprintf(to + at, room - at, "%.*s", length, text);
    }
    if (at == 0) to[0] = '\0';
}

/* Set the kind to "family:name": letters and digits stay, all else becomes single hyphens. */
static void set_kind(output_found *found, const char *text) {
    size_t at = strcspn(text, ":") + 1, start = at;
    snprintf(found->kind, sizeof found->kind, "%.*s", (int)start, text);
    for (const char *c = text + start; *c != '\0' && at + 1 < sizeof found->kind; c++) {
        if (isalnum((unsigned char)*c) || *c == '_' || *c == '.') {
            found->kind[at++] = *c;
        } else if (at > start && found->kind[at - 1] != '-') {
            found->kind[at++] = '-';
        }
    }
    while (at > start && found->kind[at - 1] == '-') at--;
    found->kind[at] = '\0';
}

/* ---- Formats ---- */

/* In the order of trust. */
enum { FRNG, GLIBC, MUSL, THROWN, LIBCXX, PYTHON, RUST, GO, JAVA, NODE, HEAP, UBSAN, FORMATS };

enum { START = 1, OPEN = 2, PLACED = 4, ENDED = 8, ANY = START | OPEN | PLACED | ENDED };

/* "file:line" after a blank: as it is, but without an absolute folder. Its second group. */
#define FILE_LINE "(/[^ :]*/)?([^ :/][^ :]*:[0-9]+)"

#define SITE 16

/* A message of UBSan; and that of a check of -fsanitize, which holds the words of a pattern. */
#define UNDEFINED "([^/ :]+:[0-9]+)(:[0-9]+)?: runtime error: "
#define CHECK(NAME, WORDS)                                                                         \
    ROW(UBSAN, ANY, START | SITE, "ubsan:" NAME, "1",                                              \
        ": runtime error: ", UNDEFINED ".*(" WORDS ")", NULL)

static struct row {
    int format;
    uint8_t from, to; /* the states in which it applies; the next one, and SITE: a site is named */
    const char *kind, *place;
    pattern line, foreign;
} rows[] = {
#define ROW(FORMAT, FROM, TO, KIND, PLACE, WORDS, LINE, FOREIGN)                                   \
    {                                                                                              \
        FORMAT, FROM, TO, KIND, PLACE, {.words = WORDS, .text = LINE}, {                           \
            .words = "", .text = FOREIGN                                                           \
        }                                                                                          \
    }
    /* FRNG_ASSERT, also with its step; and "ERROR:file.c:12:func: assertion failed" of GLib. */
    ROW(FRNG, START, ENDED | SITE, NULL, "35", ": assertion failed",
        "(^ERROR:|^| )" FILE_LINE "(:.*)?: assertion failed( in [^:]+)?", NULL),
    /* "prog: file.c:12: func: Assertion `x' failed."; libstdc++ has no program. */
    ROW(GLIBC, START, ENDED | SITE, NULL, "3", "Assertion ", "(^| )" FILE_LINE ":.*Assertion ",
        NULL),
    /* "Assertion failed: x (file.c: func: 12)" */
    ROW(MUSL, START, ENDED | SITE, NULL, "2:3",
        "Assertion failed: ", "\\((/[^:]*/)?([^:/()][^:()]*): .* ([0-9]+)\\)", NULL),
    ROW(THROWN, START, ENDED | SITE, NULL, "1", "terminate called",
        "terminate called after throwing an instance of '(.*)'", NULL),
    ROW(LIBCXX, START, ENDED | SITE, NULL, "1", "uncaught exception",
        "terminating .* uncaught exception of type (([^:]|:[^ ])+)", NULL),
    /* The last exception, and the last own frame before it. */
    ROW(PYTHON, ANY, START, NULL, "", "Traceback", "^Traceback \\(most recent call last\\):", NULL),
    ROW(PYTHON, ANY, OPEN, NULL, "2:3", "  File \"", "^  File \"(.*/)?([^/\"<]+)\", line ([0-9]+)",
        "/lib(64)?/python|/(site|dist)-packages/"),
    ROW(PYTHON, ANY, OPEN, NULL, NULL, "  File \"", "^  File \"", NULL),
    ROW(PYTHON, OPEN, START | SITE, "python:1", NULL, "", "^([A-Za-z_.][A-Za-z_.0-9]*)(:|$)", NULL),
    ROW(PYTHON, OPEN, START, NULL, NULL, "", "^([^ ]|$)", NULL),
    /* "panicked at src/main.rs:4:5:"; before Rust 1.73 "panicked at 'message', src/main.rs:4:5" */
    ROW(RUST, START, ENDED | SITE, "rust:panic", "4", "panicked at ",
        "panicked at (('.*', )?([^:]*/)?([^/:]+:[0-9]+))?", NULL),
    /* The first panic, and the first own frame of the first goroutine. */
    ROW(GO, START, OPEN, "go:1", NULL, ": ", "^(panic|fatal error): ", NULL),
    ROW(GO, OPEN, PLACED | SITE, NULL, NULL, "goroutine ", "goroutine ", NULL),
    ROW(GO, PLACED, ENDED, NULL, "2", ".go:", "^\t(.*/)?([^/]+\\.go:[0-9]+)",
        "/go/src/|/src/runtime/|/usr/lib/go"),
    /* The last cause, and its first frame outside of the platform. */
    ROW(JAVA, ANY, OPEN | SITE, "java:1", NULL, "Exception in thread",
        "^Exception in thread \".*\" ([^: ]+)", NULL),
    ROW(JAVA, OPEN | PLACED, OPEN, "java:1", NULL, "Caused by", "^Caused by: ([^: ]+)", NULL),
    ROW(JAVA, OPEN, PLACED, NULL, "2", "\tat ", "^\tat .*\\((.*/)?([^:()/]+:[0-9]+)\\)",
        "^\tat (java|jdk|sun|javax)\\."),
    /* "TypeError: text" or "Error [CODE]: text", then its frames. */
    ROW(NODE, START, OPEN, "node:1", NULL, "Error", "^([^ :[]*Error)([: []|$)", NULL),
    ROW(NODE, OPEN, ENDED | SITE, NULL, "3", "    at ", "^    at (.*\\()?(.*/)?([^/:]+:[0-9]+)",
        "[( ]node:|/node_modules/"),
    ROW(NODE, OPEN, OPEN | SITE, NULL, NULL, "    at ", "^    at ", NULL),
    ROW(NODE, ANY, ENDED, NULL, NULL, "Node.js v", "Node.js v", NULL),
    /* glibc's own checks */
    ROW(HEAP, START, ENDED | SITE, "glibc:1", NULL, " ***: terminated",
        "^\\*\\*\\* (.*) \\*\\*\\*: terminated", NULL),
    ROW(HEAP, START, ENDED | SITE, "glibc:1", NULL, "",
        "^(((free|malloc|malloc_consolidate|realloc|calloc|munmap_chunk)\\(\\): |corrupted "
        "|double free or corruption|unaligned tcache chunk|Fatal glibc error: ).*)",
        NULL),
    /* The last message counts: a check that ends the process is that. */
    CHECK("unsigned-integer-overflow", "unsigned integer overflow"),
    CHECK("signed-integer-overflow", "signed integer overflow|division of |negation of "),
    CHECK("integer-divide-by-zero", "division by zero"),
    CHECK("shift-exponent", "shift exponent"),
    CHECK("shift-base", "left shift of"),
    CHECK("bounds", "out of bounds"),
    CHECK("nonnull-attribute", "null pointer passed"),
    CHECK("returns-nonnull-attribute", "null pointer returned"),
    CHECK("pointer-overflow", "applying |pointer index expression|ion of unsigned offset"),
    CHECK("null", "null pointer"),
    CHECK("alignment", "misaligned address"),
    CHECK("object-size", "insufficient space"),
    CHECK("bool", "valid value for type 'bool'"),
    CHECK("enum", "valid value for type"),
    CHECK("unreachable", "unreachable program point"),
    CHECK("return", "without returning a value"),
    CHECK("implicit-conversion", "implicit conversion"),
    CHECK("float-cast-overflow", "outside the range of representable values"),
    CHECK("vla-bound", "variable length array bound"),
    CHECK("function", "pointer to incorrect function type"),
    CHECK("vptr", "which does not point to an object of type"),
    CHECK("builtin", "passing zero to "),
    CHECK("assume", "assumption is violated"),
    CHECK("cfi", "control flow integrity check"),
    ROW(UBSAN, ANY, START | SITE, "ubsan:3", "1", ": runtime error: ", UNDEFINED "([^,;:0-9']*)",
        NULL),
};

/* Take a line as a row says. */
static void apply(const struct row *r, const char *line, const regmatch_t group[GROUPS],
                  output_found *found) {
    char kind[SITE_MAX];
    if (r->place != NULL) fill(r->place, line, group, found->place, sizeof found->place);
    if (r->kind == NULL) return;
    fill(r->kind, line, group, kind, sizeof kind);
    set_kind(found, kind);
}

static bool find_format(int format, const output_text *all, output_found *found) {
    regmatch_t group[GROUPS], ignored[GROUPS];
    uint8_t state = START;
    bool is_site = false;
    for (const char *line = all->text; line != NULL; line = next_line(all, line)) {
        for (struct row *r = rows; r < rows + COUNT(rows); r++) {
            if (r->format != format || (r->from & state) == 0) continue;
            if (!matches(&r->line, line, group) || matches(&r->foreign, line, ignored)) continue;
            apply(r, line, group, found);
            state = r->to & ANY;
            is_site |= (r->to & SITE) != 0;
            break;
        }
    }
    return is_site;
}

/* ---- Stacks of sanitizers ---- */

/* Lines of a stack: "#1 0x55e3 in main /tmp/a.c:9:5" or "#1 main a.c:9 (a.out+0x12) (BuildId: 5)".
 */
#define FRAME "^ *#[0-9]+ +"
#define FRAME_NAME FRAME "(0x[^ ]+ +)?(in )?"

static pattern frame = {.words = "#", .text = FRAME};
static pattern frame_place = {.words = ":",
                              .text = "([^/ :]+:[0-9]+)(:[0-9]+)?( \\([^()]*\\))* *$"};
static pattern frame_function = {.words = "#", .text = FRAME_NAME "([^ (<0-9][^ (]*)"};
static pattern frame_address = {.words = "+0x",
                                .text = "\\(([^()]*/)?([^/()+]+)(\\+0x[0-9a-f]+)\\)"};

/* Frames that are not the program's own: the runtimes of sanitizers, the C library, the headers of
 * the system and of frng. */
static pattern foreign_frame = {
    .words = "",
    .text =
        "/(libsanitizer|compiler-rt)/|sanitizer_common|\\.\\./(sysdeps|csu)/"
        "|\\./(nptl|stdlib|malloc|string|libio|posix|stdio-common|debug|misc)/\\./"
        "|/usr/(include|lib)/|/include/c\\+\\+/|/rustc/|/frng(_main|_more|_assert|_expand)?\\.h:"
        "|[(/"
        "](libasan|libubsan|libtsan|liblsan|libmsan|libhwasan|libclang_rt|libc\\.so|libc-2|libm\\."
        "so"
        "|ld-linux|libgcc_s|libstdc|libpthread|libc\\+\\+)[^/]*\\+0x|\\[vdso\\]"
        "|" FRAME_NAME "(__interceptor_|__asan_|__sanitizer|__ubsan|__msan|__tsan|__lsan|__libc_|__"
        "GI_|frng__|frng_run"
        "|operator (new|delete)"
        "|(_start|start_thread|clone|clone3|malloc|calloc|realloc|free|abort|raise) )"};

/* What a stack says of the place, in order of preference; "" for nothing. */
typedef struct stack_site {
    char place[SITE_PLACE_MAX];    /* of the first own frame with a file, or the least of all */
    char function[SITE_PLACE_MAX]; /* of the first own frame with a function alone */
    char address[SITE_PLACE_MAX];  /* the first two own frames without either */
    unsigned addresses;
} stack_site;

static void take_address(stack_site *s, const char *line, const regmatch_t group[GROUPS]) {
    char module[82];
    fill("2", line, group, module, sizeof module);
    const size_t length = strlen(s->address);
    if (s->addresses == 0 || strncmp(s->address, module, strlen(module)) == 0) {
        fill(s->addresses == 0 ? "23" : "3", line, group, s->address + length,
             sizeof s->address - length);
    }
    s->addresses++;
}

static void take_frame(stack_site *s, const char *line, bool takes_least) {
    char place[SITE_PLACE_MAX];
    regmatch_t group[GROUPS];
    if (matches(&foreign_frame, line, group)) return;
    if (matches(&frame_place, line, group)) {
        fill("1", line, group, place, sizeof place);
        if (s->place[0] == '\0' || (takes_least && strcmp(place, s->place) < 0))
            memcpy(s->place, place, sizeof place);
        return;
    }
    if (s->function[0] == '\0' && matches(&frame_function, line, group))
        fill("3", line, group, s->function, sizeof s->function);
    if (s->addresses < 2 && matches(&frame_address, line, group)) take_address(s, line, group);
}

/* Read the first stack from *line on, and set *line to the one after it, or NULL. Return what it
 * says best. */
static const char *read_stack(const output_text *all, const char **line, bool takes_least,
                              stack_site *s) {
    regmatch_t group[GROUPS];
    memset(s, 0, sizeof *s);
    while (*line != NULL && !matches(&frame, *line, group)) *line = next_line(all, *line);
    for (; *line != NULL && matches(&frame, *line, group); *line = next_line(all, *line))
        take_frame(s, *line, takes_least);
    if (s->place[0] != '\0') return s->place;
    return s->function[0] != '\0' ? s->function : s->address;
}

/* ---- Reports of sanitizers ---- */

#define SANITIZER "(HWAddress|Address|Memory|Thread|Leak|UndefinedBehavior)Sanitizer: "

static pattern report_line = {
    .words = "Sanitizer: ",
    .text = "^==.*(ERROR|WARNING): .*Sanitizer: |^WARNING: ThreadSanitizer: "};
static pattern summary_line = {.words = "SUMMARY: ", .text = "SUMMARY: "};
static pattern named = {.words = "Sanitizer: ", .text = SANITIZER "(attempting )?"};
static pattern leak = {.words = "leak", .text = "leaked in|detected memory leaks"};
static pattern bad_free = {.words = "attempting free", .text = "attempting free on address"};
static pattern error_end = {.words = "", .text = " on | \\(|:| 0x"};
static pattern summary_end = {.words = "", .text = "(^| )([0-9]|[^ ]*[/(:])"};
static pattern summary_place = {.words = ":", .text = "([^/ :]+:[0-9]+)(:[0-9]+)?( in .*)?$"};

/* Return the first line that matches, from `line` on, or NULL. */
static const char *find_line(const output_text *all, const char *line, pattern *p) {
    regmatch_t group[GROUPS];
    while (line != NULL && !matches(p, line, group)) line = next_line(all, line);
    return line;
}

/* Set the kind that a line names: "asan", the capitals of AddressSanitizer, and the words up to
 * `end`. */
static bool name_kind(const char *line, pattern *end, output_found *found) {
    regmatch_t group[GROUPS], ignored[GROUPS];
    char text[SITE_MAX];
    size_t at = 0;
    if (!matches(&named, line, group)) return false;
    const char *name = line + group[0].rm_eo;
    const size_t length = matches(end, name, ignored) ? (size_t)ignored[0].rm_so : strlen(name);
    for (const char *c = line + group[1].rm_so; c < line + group[1].rm_eo; c++) {
        if (isupper((unsigned char)*c)) text[at++] = (char)tolower((unsigned char)*c);
    }
    snprintf(text + at, sizeof text - at, "san:%.*s", (int)length, name);
    if (matches(&bad_free, line, ignored)) snprintf(text, sizeof text, "asan:bad-free");
    const bool is_leak = matches(&leak, name, ignored);
    set_kind(found, is_leak ? "lsan:leak" : text);
    return is_leak || length > 0;
}

static void place_of_stacks(const output_text *all, const char *line, output_found *found) {
    stack_site first, second;
    const bool takes_least = strcmp(found->kind, "asan:stack-overflow") == 0;
    const char *place = read_stack(all, &line, takes_least, &first);
    if (strcmp(found->kind, "tsan:data-race") == 0) { /* either access may come first */
        const char *other = read_stack(all, &line, false, &second);
        if (other[0] != '\0' && strcmp(other, place) < 0) place = other;
    }
    snprintf(found->place, sizeof found->place, "%s", place);
}

static bool find_sanitizer(const output_text *all, output_found *found) {
    regmatch_t group[GROUPS], ignored[GROUPS];
    const char *report = find_line(all, all->text, &report_line);
    const char *summary = find_line(all, report != NULL ? report : all->text, &summary_line);
    const bool is_named = summary != NULL && strstr(summary, "undefined-behavior") == NULL &&
                          name_kind(summary, &summary_end, found);
    if (!is_named && (report == NULL || !name_kind(report, &error_end, found))) return false;
    if (report != NULL && strstr(found->kind, "san:data-race") != NULL)
        name_kind(report, &error_end, found);
    if (report != NULL) place_of_stacks(all, report, found);
    if (found->place[0] == '\0' && is_named && matches(&summary_place, summary, group) &&
        !matches(&foreign_frame, summary, ignored))
        fill("1", summary, group, found->place, sizeof found->place);
    return true;
}

const char *output_site_rule(const char *text, regex_t *rule) {
    static char reason[128];
    const int error = regcomp(rule, text, REG_EXTENDED | REG_NEWLINE);
    if (error == 0) return NULL;
    regerror(error, rule, reason, sizeof reason);
    return reason;
}

void output_site(const bytes_tail *output, const regex_t *rule, char site[SITE_MAX]) {
    output_found found = {"", ""};
    output_text *all = text_of(output);
    regmatch_t group[GROUPS];
    if (rule != NULL && regexec(rule, all->text, 2, group, 0) == 0) {
        fill(rule->re_nsub > 0 && group[1].rm_so >= 0 ? "1" : "0", all->text, group, found.place,
             sizeof found.place);
    }
    if (found.place[0] == '\0') {
        cut_lines(all);
        bool is_found = find_sanitizer(all, &found);
        for (int i = 0; i < FORMATS && !is_found; i++) {
            found = (output_found){"", ""};
            is_found = find_format(i, all, &found);
        }
        if (!is_found) found = (output_found){"", ""};
    }
    site_join(found.kind, found.place, site);
}

/* ---- Ends of outputs ---- */

static pattern noise = {
    .words = "", .text = "([[:space:]]+)|\"[^\"]*\"|'[^']*'|[[:alnum:]_]*[0-9][[:alnum:]_]*"};

/* Copy a line without its blanks, with one sign for each word that holds a digit and for each
 * quotation. */
static void normalize(const char *line, char end[OUTPUT_END_MAX]) {
    regmatch_t group[GROUPS];
    size_t at = 0;
    while (at + 1 < OUTPUT_END_MAX && matches(&noise, line, group)) {
        at += (size_t)snprintf(end + at, OUTPUT_END_MAX - at, "%.*s%s", (int)group[0].rm_so, line,
                               group[1].rm_so < 0 ? "#" : "");
        line += group[0].rm_eo;
    }
    if (at + 1 < OUTPUT_END_MAX) snprintf(end + at, OUTPUT_END_MAX - at, "%s", line);
}

const char *output_last_line(const bytes_tail *output, char last[OUTPUT_END_MAX]) {
    output_text *all = text_of(output);
    last[0] = '\0';
    for (const char *line = cut_lines(all); line != NULL; line = next_line(all, line)) {
        if (line[strspn(line, " \t\v\f")] != '\0')
            snprintf(last, OUTPUT_END_MAX, "%.*s", OUTPUT_END_MAX - 1, line);
    }
    return last;
}

bool output_ends_alike(const bytes_tail *a, const bytes_tail *b) {
    char a_end[OUTPUT_END_MAX], b_end[OUTPUT_END_MAX];
    normalize(output_last_line(a, OUTPUT_END), a_end);
    normalize(output_last_line(b, OUTPUT_END), b_end);
    return strcmp(a_end, b_end) == 0;
}
