/* The site of a failure is found in the output of its run, wherever it is and however long that is.
 *
 * Each format of reports (an assertion, a traceback of Python, ...) has some rows in one table. The
 * lines are read once, and each format is in a state, from START on. A row applies to a line if its
 * words are in it (a fast check), its pattern matches, its pattern of foreign code does not, and it
 * is a row of the current state; then its templates set the kind and the place, and its state is
 * the next one. So "the last frame" is a row that also applies in the state that it leads to, and
 * "the first" is one that does not. In a template a digit stands for a group of the pattern, all
 * else for itself.
 *
 * Of messages that end a process (an assertion, a report of a sanitizer) the last one counts: the
 * program went on after those before. Where there is none, the formats count in the order of trust,
 * each by what its rows say, since a program may print its exceptions and go on.
 *
 * Text is collected, and read when there is much of it, or at the end: a run that passes has few
 * lines, and nobody reads them. A line of any length is read in pieces. */
#include "output_site.h"

#include "memory.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { GROUPS = 6 };

/* ---- Patterns ---- */

typedef struct pattern {
    const char *words; /* in each line that matches; "": unknown */
    const char *text;  /* POSIX extended regular expression; NULL matches nothing */
    bool is_compiled;
    regex_t compiled;
} pattern;

/* REG_NOTBOL in a piece of a line that does not begin it. */
static int line_flags;

static bool matches(pattern *p, const char *line, regmatch_t group[GROUPS]) {
    if (p->text == NULL || strstr(line, p->words) == NULL) return false;
    if (!p->is_compiled) {
        const int error = regcomp(&p->compiled, p->text, REG_EXTENDED);
        assert(error == 0);
        p->is_compiled = error == 0;
    }
    return regexec(&p->compiled, line, GROUPS, group, line_flags) == 0;
}

/* ---- What was found ---- */

/* A kind and a place, "" for none. */
typedef struct output_found {
    char kind[SITE_KIND_MAX], place[SITE_MAX];
} output_found;

static void fill_template(const char *template, const char *line, const regmatch_t group[GROUPS],
                          char *to, size_t room) {
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
    assert(site_has_kind(found->kind));
}

/* ---- Formats ---- */

/* Those that end a process, then the others in the order of trust. */
enum {
    FRNG,
    GLIBC,
    MUSL,
    THROWN,
    LIBCXX,
    HEAP,
    ENDING,
    PYTHON = ENDING,
    RUST,
    GO,
    ZIG,
    JAVA,
    JAVA_PRINTED,
    NODE,
    OTHER,
    UBSAN,
    RUNNER,
    SCRIPT,
    FORMATS
};

/* States; and what else a row does: it begins another message, names a site, takes the message back
 * that follows from the one before, or says that the last message ended the process. */
enum {
    START = 1,
    OPEN = 2,
    PLACED = 4,
    ENDED = 8,
    AGAIN = 16,
    ANY = START | OPEN | PLACED | ENDED | AGAIN,
    BEGINS = 32,
    SITE = 64,
    UNDO = 128,
    LAST = 256,
    RECURS = 512 /* of a stack: all its frames count if that overflowed */
};

/* "file:line" after a blank: as it is, but without an absolute folder. Its second group. The name
 * must not end with a digit: a time of day such as 09:11 would match. */
#define FILE_LINE "(/[^ :]*/)?([^ :/][^ :]*[^ :0-9]:[0-9]+)"

/* A message of UBSan; and that of a check of -fsanitize, which holds the words of a pattern. */
#define UNDEFINED "([^/ :]*[^/ :0-9]:[0-9]+)(:[0-9]+)?: runtime error: "
#define CHECK(NAME, WORDS)                                                                         \
    ROW(UBSAN, ANY, START | SITE, "ubsan:" NAME, "1",                                              \
        ": runtime error: ", UNDEFINED ".*(" WORDS ")", NULL)

static struct row {
    int format;
    uint16_t from, to; /* the states in which it applies; the next one, and what else it does */
    const char *kind, *place;
    pattern line, foreign;
} rows[] = {
#define ROW(FORMAT, FROM, TO, KIND, PLACE, WORDS, LINE, FOREIGN)                                   \
    {                                                                                              \
        FORMAT, FROM, TO, KIND, PLACE, {.words = WORDS, .text = LINE}, {                           \
            .words = "", .text = FOREIGN                                                           \
        }                                                                                          \
    }
    /* FRNG_ASSERT, also with its step; and "domain:ERROR:file.c:12:func: assertion failed" of GLib.
     * What a logger writes before the place is not read, here and below. */
    ROW(FRNG, ANY, START | SITE, NULL, "35", ": assertion failed",
        "(.*ERROR:|.* |^)" FILE_LINE "(:[^ :0-9].*)?: assertion failed( in [^:]+)?(:| \\(|$)",
        NULL),
    /* "prog: file.c:12: func: Assertion `x' failed."; libstdc++ has no program. */
    ROW(GLIBC, ANY, START | SITE, NULL, "3", "Assertion ", "(^|.* )" FILE_LINE ": .*Assertion [`']",
        NULL),
    /* "Assertion failed: x (file.c: func: 12)" */
    ROW(MUSL, ANY, START | SITE, NULL, "2:3",
        "Assertion failed: ", "\\((/[^:]*/)?([^:/()][^:()]*): [^ :]+: ([0-9]+)\\)", NULL),
    ROW(THROWN, ANY, START | SITE, NULL, "1", "terminate called",
        "terminate called after throwing an instance of '(.*)'", NULL),
    ROW(LIBCXX, ANY, START | SITE, NULL, "1", "uncaught exception",
        "terminating .* uncaught exception of type (([^:]|:[^ ])+)", NULL),
/* The last exception, also in a group, whose lines follow a bar, and its last own frame. */
#define BAR "^( *[|+] )?"
#define PYTHON_FRAME "  File \"(.*/)?([^/\"<]+)\", line ([0-9]+)"
#define PYTHON_FOREIGN "/lib(64)?/python|/(site|dist)-packages/"
    ROW(PYTHON, ANY, START | BEGINS, NULL, "", "Traceback",
        "Traceback \\(most recent call last\\):", NULL),
    /* faulthandler tells of a signal: the first own frame */
    ROW(PYTHON, ANY, AGAIN | BEGINS, NULL, NULL, "Current thread ",
        "Current thread .* \\(most recent call first\\):", NULL),
    ROW(PYTHON, AGAIN, START | SITE, NULL, "2:3", "  File \"", "^" PYTHON_FRAME " in ",
        PYTHON_FOREIGN),
    ROW(PYTHON, AGAIN, AGAIN, NULL, NULL, "  File \"", "^  File \"", NULL),
    ROW(PYTHON, ANY, OPEN | RECURS, NULL, "3:4", "  File \"", BAR PYTHON_FRAME, PYTHON_FOREIGN),
    ROW(PYTHON, ANY, OPEN, NULL, NULL, "  File \"", BAR "  File \"", NULL),
    ROW(PYTHON, OPEN, START | SITE, "python:2", NULL, "", BAR "([A-Za-z_.][A-Za-z_.0-9]*)(:|$)",
        NULL),
    ROW(PYTHON, OPEN, START, NULL, NULL, "", "^([^ ]|$)", NULL),
/* "panicked at src/main.rs:4:5:"; before Rust 1.73 "panicked at 'message', src/main.rs:4:5". The
     * first of panics that follow one another; the last of those with other lines between, but not
     * one that only tells of a thread that panicked before. */
#define PANIC "panicked at (('.*', )?([^:]*/)?([^/:]+:[0-9]+))?"
    ROW(RUST, ENDED, ENDED, NULL, NULL, "panicked at ", "panicked at .*value: (Any|PoisonError)",
        NULL),
    ROW(RUST, ANY, ENDED | BEGINS | SITE, "rust:stack-overflow", NULL, " has overflowed its stack",
        "^thread .* has overflowed its stack$", NULL),
    ROW(RUST, START | ENDED, OPEN | BEGINS | SITE, "rust:panic", "4", "panicked at ", PANIC, NULL),
    ROW(RUST, OPEN, PLACED | UNDO, NULL, NULL, "value: ", "value: (Any|PoisonError)", NULL),
    ROW(RUST, OPEN, PLACED, NULL, NULL, "", "^", NULL),
    ROW(RUST, AGAIN, PLACED, NULL, NULL, "", "^", NULL),
    ROW(RUST, PLACED, AGAIN, NULL, NULL, "panicked at ", "panicked at ", NULL),
    ROW(RUST, PLACED, PLACED, NULL, NULL, "",
        "^([ \t]|note: |stack backtrace:|$)|panicked while |non-unwinding panic", NULL),
    ROW(RUST, PLACED, ENDED, NULL, NULL, "", "^", NULL),
    /* The last panic, and the first own frame of the first goroutine. */
    ROW(GO, ANY, OPEN | BEGINS, "go:1", NULL, ": ", "(panic|fatal error): ", NULL),
    ROW(GO, OPEN, PLACED | SITE, NULL, NULL, "goroutine ", "^goroutine [0-9]+ .*\\[.*\\]:", NULL),
    ROW(GO, PLACED, ENDED | SITE | RECURS, NULL, "2", ".go:", "^\t(.*/)?([^/]+\\.go:[0-9]+)",
        "/go/src/|/src/runtime/|/usr/lib/go"),
/* The last panic, signal or error of main or a test, and its first own frame, also in C.
     * "panic: " without a thread may be another's words: its frame tells. */
#define ZIG_FRAME "^(.*/)?([^/]+\\.[a-z]+:[0-9]+):[0-9]+: 0x[0-9a-f]+ in "
    ROW(ZIG, ANY, OPEN | BEGINS | SITE, "zig:panic", NULL,
        "panic: ", "^thread [0-9]+ panic: ", NULL),
    ROW(ZIG, ANY, OPEN | BEGINS, "zig:panic", NULL, "panic: ", "^panic: ", NULL),
    ROW(ZIG, ANY, OPEN | BEGINS, "zig:1", NULL, " at address 0x",
        "^(Segmentation fault|Bus error|Illegal instruction|Arithmetic exception) at address 0x",
        NULL),
    ROW(ZIG, ANY, OPEN | BEGINS, "zig:1", NULL, "error: ", "^error: ([A-Za-z_0-9]+)$", NULL),
    ROW(ZIG, ANY, OPEN | BEGINS, "zig:1", NULL, " FAIL (", " FAIL \\(([A-Za-z_0-9]+)\\)$", NULL),
    ROW(ZIG, OPEN, ENDED | SITE, NULL, "2", ": 0x", ZIG_FRAME, "/std/"),
/* The last cause, and its first frame outside of the platform. */
#define JAVA_FRAME "^\tat .*\\((.*/)?([^:()/]+:[0-9]+)\\)"
#define JAVA_FOREIGN "^\tat (java|jdk|sun|javax|scala|kotlin|clojure)\\."
    ROW(JAVA, ANY, OPEN | BEGINS | SITE, "java:1", NULL, "Exception in thread",
        "Exception in thread \"[^\"]*\" ([^: ]+)", NULL),
    ROW(JAVA, OPEN | PLACED, OPEN | SITE, "java:1", NULL, "Caused by", "^Caused by: ([^: ]+)",
        NULL),
    ROW(JAVA, OPEN, PLACED | SITE | RECURS, NULL, "2", "\tat ", JAVA_FRAME, JAVA_FOREIGN),
    ROW(JAVA, PLACED, START, NULL, NULL, "", "^[^\t]", NULL),
    /* The last one that the program printed itself: its frames follow at once, then its cause. */
    ROW(JAVA_PRINTED, ANY, OPEN | BEGINS, "java:1", NULL, "",
        "^(([a-z_][A-Za-z_0-9]*\\.)*[A-Z][A-Za-z_0-9$]*)(: .*)?$", NULL),
    ROW(JAVA_PRINTED, PLACED | AGAIN, AGAIN | SITE, "java:1", NULL, "Caused by",
        "^Caused by: ([^: ]+)", NULL),
    ROW(JAVA_PRINTED, OPEN | AGAIN, PLACED | SITE, NULL, "2", "\tat ", JAVA_FRAME, JAVA_FOREIGN),
    ROW(JAVA_PRINTED, OPEN | PLACED | AGAIN, START, NULL, NULL, "", "^[^\t]", NULL),
/* "TypeError: text" or "Error [CODE]: text", then its frames. What ends the process is headed by
 * its place and a line with an arrow; it may be of any class, or no error. */
#define NODE_ERROR "^([^ :[]*Error)([: []|$)"
    ROW(NODE, ANY, PLACED | BEGINS, NULL, "3", ":",
        "^(file://)?(/.*/)([^/:]+\\.[cm]?[jt]sx?:[0-9]+)$", "/node_modules/"),
    ROW(NODE, PLACED, AGAIN | SITE, NULL, NULL, "^", "^[ \t]*\\^+$", NULL),
    ROW(NODE, AGAIN, OPEN, "node:1", "", "Error", NODE_ERROR, NULL),
    ROW(NODE, AGAIN, OPEN, "node:1", "", "", "^([A-Za-z_$][A-Za-z_0-9$.]*)(: |$)", NULL),
    ROW(NODE, ANY, OPEN | BEGINS, "node:1", NULL, "Error", NODE_ERROR, NULL),
    ROW(NODE, OPEN, ENDED | SITE | RECURS, NULL, "3", "    at ",
        "^    at (.*\\()?(.*/)?([^/:]+:[0-9]+)", "[( ]node:|/node_modules/"),
    ROW(NODE, OPEN, OPEN | SITE, NULL, NULL, "    at ", "^    at ", NULL),
    ROW(NODE, ANY, ENDED | LAST, NULL, NULL, "Node.js v", "Node.js v", NULL),
/* What ended a program of another language, and its first own frame: OCaml, Ada, D, Pascal, Elixir,
 * Crystal, SBCL; without a kind Haskell, Fortran, Tcl, Octave, Racket, R (a function), escript. The
 * frames of Nim come first, the last one counts. */
#define ENDS(TO, KIND, PLACE, WORDS, LINE, FOREIGN)                                                \
    ROW(OTHER, ANY, TO | BEGINS | SITE, KIND, PLACE, WORDS, LINE, FOREIGN)
#define STACK(WORDS, LINE) ROW(OTHER, ANY, OPEN | BEGINS, NULL, NULL, WORDS, LINE, NULL)
#define OWN(PLACE, WORDS, LINE, FOREIGN)                                                           \
    ROW(OTHER, OPEN, ENDED | SITE, NULL, PLACE, WORDS, LINE, FOREIGN)
#define OCAML "^Fatal error: exception ([A-Za-z_0-9.]+)"
    ENDS(ENDED, "ocaml:1", "3:4", "Fatal error: exception ",
         OCAML "\\(\"(.*/)?([^\"/]+)\", ([0-9]+), [0-9]+\\)$", NULL),
    ENDS(OPEN, "ocaml:1", NULL, "Fatal error: exception ", OCAML, NULL),
    OWN("2:4", " in file \"",
        "^[A-Z].* in file \"(.*/)?([^\"/]+)\"( \\(inlined\\))?, line ([0-9]+)",
        " (Stdlib|Camlinternal)"),
    ENDS(ENDED, "ada:1", "3", "raised ", "^raised ([A-Z_.0-9]+) : (.*/)?([^ /:]+\\.ad[abs]:[0-9]+)",
         NULL),
    ENDS(ENDED, "ada:1", NULL, "raised ", "^raised ([A-Z_.0-9]+) : ", NULL),
#define D_ERROR "^([A-Za-z_][A-Za-z_0-9.]*)@(.*/)?([^/()]+\\.di?(-[^/()]*)?)\\(([0-9]+)\\)"
    ENDS(ENDED, "d:1", "3:5", "@", D_ERROR, "@/usr/|/phobos/"),
    ENDS(OPEN, "d:1", NULL, "@", D_ERROR, NULL),
    OWN("2", " [0x", "^(.*/)?([^ ?/:]+:[0-9]+) \\[0x", "^/usr/|/phobos/"),
    ROW(OTHER, ANY, OPEN | BEGINS, NULL, "2:3", ".nim(",
        "^(.*/)?([^/()]+\\.nim)\\(([0-9]+)\\) +[A-Za-z_]", "/lib/(system|pure)/|/\\.nimble/"),
    ROW(OTHER, ANY, ENDED | SITE, "nim:2", NULL,
        "unhandled exception: ", "^Error: unhandled exception: (.* )?\\[([A-Za-z_0-9]+)\\]$", NULL),
    STACK("unhandled exception occurred", "^An unhandled exception occurred at \\$"),
    ROW(OTHER, OPEN, OPEN | SITE, "pascal:1", NULL, ": ",
        "^(E[A-Z][A-Za-z_0-9]*|Exception): ", NULL),
    ENDS(OPEN, "pascal:1", NULL, "untime error ", "^(Runtime error [0-9]+) at \\$", NULL),
    OWN("3:1", " line ", "^  \\$[0-9A-F]+ .* line ([0-9]+) of (.*/)?([^ /]+)$", NULL),
    ENDS(OPEN, "elixir:1", NULL, "** (", "^\\*\\* \\(([A-Z]+[a-z][A-Za-z_0-9.]*)\\)", NULL),
    OWN("3", ".ex", "^    (\\([^)]*\\) )?(.*/)?([^ /:]+\\.exs?:[0-9]+): ",
        "^    \\((elixir|stdlib|kernel|mix|ex_unit) "),
    ENDS(OPEN, "crystal:1", NULL, "Unhandled exception",
         "^Unhandled exception.*: .*\\(([A-Z][A-Za-z_0-9:]*)\\)$", NULL),
    OWN("2", "  from ", "^  from (.*/)?([^ /:]+:[0-9]+):[0-9]+ in '", "/lib/crystal/"),
    ENDS(OPEN, "lisp:1", NULL, " in thread", "^Unhandled ([A-Z][A-Z0-9:*+-]*) in thread", NULL),
    OWN("1", ": (", "^[0-9]+: \\(+([A-Z*+%][^ ()]*)",
        "^[0-9]+: \\(+(SB-|INVOKE-DEBUGGER|C?ERROR |SIGNAL |LAMBDA|FLET|LABELS)"),
    STACK("CallStack (", "^CallStack \\(from "),
    OWN("2", "called at ", "^  .*, called at (.*/)?([^ /:]+:[0-9]+):", "called at libraries/"),
    ENDS(ENDED, NULL, "23", "hs:", "^[^ :]+: (.*/)?([^ /:]+\\.l?hs:)\\(?([0-9]+)[:,]", NULL),
    ENDS(ENDED, NULL, "3:1", "At line ",
         "^At line ([0-9]+) of file (.*/)?([^ /]+\\.[fF][^ /]*)( \\(|$)", NULL),
    ROW(OTHER, START, OPEN | BEGINS, NULL, NULL, "Backtrace",
        "^(Error termination\\. Backtrace:|Backtrace for this error:)", NULL),
    OWN("2", "\tat ", "^\tat (.*/)?([^ /:]+:[0-9]+)$", "/libgfortran/"),
    STACK("while executing", "^    while executing$"),
    OWN("3:4", " line ", "^    \\((procedure|file) \"(.*/)?([^\"/]+)\" line ([0-9]+)\\)", NULL),
    STACK("called from", "^error: called from$"),
    OWN("1:2", " at line ", "^    ([^ ]+) at line ([0-9]+)", NULL),
    STACK("context...", "^  context\\.\\.\\.:"),
    OWN("2", ".rkt:", "^   (.*/)?([^ /:]+\\.rkt:[0-9]+):", "/collects/"),
    STACK("exception ", "^escript: exception "),
    OWN("2:3", ".erl, line ", "^  in .*\\((.*/)?([^ /]+\\.erl), line ([0-9]+)\\)",
        " (escript|erl_eval):"),
    ROW(OTHER, ANY, AGAIN | BEGINS, NULL, "1", "Error in ",
        "^Error in ([A-Za-z._][A-Za-z._0-9]*)\\(", NULL),
    ROW(OTHER, AGAIN, ENDED | SITE, NULL, NULL, "Execution halted", "^Execution halted$", NULL),
/* glibc's own checks */
#define HEAP_CHECK(WORDS, LINE) ROW(HEAP, ANY, START | SITE, "glibc:1", NULL, WORDS, LINE, NULL)
    HEAP_CHECK(" ***: terminated", "^\\*\\*\\* (.*) \\*\\*\\*: terminated"),
    HEAP_CHECK("(): ", "^((free|malloc|malloc_consolidate|realloc|calloc|munmap_chunk)\\(\\): .*)"),
    HEAP_CHECK("(): ", "((free|malloc|realloc|munmap_chunk)\\(\\): (invalid |corrupted |unaligned "
                       "|double free|memory corruption|mismatching |un?sorted ).*)$"),
    HEAP_CHECK("corrupted ",
               "^(corrupted (double-linked list|size vs\\. prev_size|unsorted chunks).*)"),
    HEAP_CHECK("double free or corruption", "^(double free or corruption.*)"),
    HEAP_CHECK("unaligned tcache chunk", "^(unaligned tcache chunk.*)"),
    HEAP_CHECK("Fatal glibc error: ", "^(Fatal glibc error: .*)"),
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
/* The first failure that a test runner tells of: GoogleTest, Catch2, doctest, CppUTest, Boost.Test,
 * Unity, pytest, minitest, go test, Test::More; and the first frame of .NET or Mono. */
#define PLACE "(.*/)?([^ /:]+:[0-9]+)"
#define FAILURE(PLACED, WORDS, LINE)                                                               \
    ROW(RUNNER, START, ENDED | SITE, NULL, PLACED, WORDS, LINE, NULL)
    FAILURE("2", ": Failure", "^" PLACE ": Failure"),
    FAILURE("2", ": FAILED:", "^" PLACE ": FAILED:"),
    FAILURE("2", "ERROR: ", "^" PLACE ": (FATAL )?ERROR: (CHECK|REQUIRE|FAIL|test case)"),
    FAILURE("2", "error: Failure in ", "^" PLACE ": error: Failure in "),
    FAILURE("3:4", "error: in ", "^((.*/)?([^ /:(]+))\\(([0-9]+)\\): (fatal )?error: in "),
    FAILURE("2", ":FAIL", "^" PLACE ":[A-Za-z_0-9]+:FAIL"),
    FAILURE("2", ".py:", "^(.*/)?([^ /:]+\\.py:[0-9]+): [A-Za-z_.]*(Error|Exception|Failed)"),
    FAILURE("2", ".rb:", "\\[(.*/)?([^ /:]+\\.rb:[0-9]+)\\]:$"),
    FAILURE("1", "_test.go:", "^ +([^ /:]+_test\\.go:[0-9]+): "),
    FAILURE("2:3", "#   at ", "^#   at (.*/)?([^ /]+) line ([0-9]+)\\.$"),
    FAILURE("2:3", ":line ", "^   at .* in (.*[/\\\\])?([^ /:]+):line ([0-9]+)"),
    FAILURE("3", " in ", "^  at .*\\) (\\[0x[0-9a-f]+\\] )?in (.*/)?([^ <>/:]+:[0-9]+) *$"),
/* The last message of a script that ended: of Perl, PHP, Lua, Clojure; the first frame of Ruby. */
#define MESSAGE(PLACED, WORDS, LINE) ROW(SCRIPT, ANY, START | SITE, NULL, PLACED, WORDS, LINE, NULL)
    MESSAGE("2:3", " line ",
            "^[^#].* at (.*/)?([^ /]+) line ([0-9]+)(, <[A-Za-z]+> (line|chunk) [0-9]+)?\\.$"),
    MESSAGE("2:4", "atal error: ", "Fatal error: .* in (.*/)?([^ /:]+)(:| on line )([0-9]+)"),
    MESSAGE("2", "lua", "^lua[^ ]*: (.*/)?([^ /:]+:[0-9]+): "),
    MESSAGE("2", "xecution error ", "^Execution error .*\\((.*/)?([^():/]+:[0-9]+)\\)\\.$"),
    MESSAGE("2", ".rb:", "^(.*/)?([^ /:]+\\.rb:[0-9]+):in .*: .*\\([A-Z].*\\)$"),
};

/* Take a line as a row says. */
static void apply(const struct row *r, const char *line, const regmatch_t group[GROUPS],
                  output_found *found) {
    char kind[SITE_MAX];
    if (r->place != NULL) fill_template(r->place, line, group, found->place, sizeof found->place);
    if (r->kind == NULL) return;
    fill_template(r->kind, line, group, kind, sizeof kind);
    set_kind(found, kind);
}

bool output_site_is_family(const char *text, size_t length) {
    static const char *const others[] = {"asan:", "hwasan:", "lsan:", "msan:", "tsan:", "kernel:"};
    for (size_t i = 0; i < COUNT(others) + COUNT(rows); i++) {
        const char *kind = i < COUNT(others) ? others[i] : rows[i - COUNT(others)].kind;
        if (kind != NULL && strncmp(kind, text, length) == 0 && kind[length] == ':') return true;
    }
    return false;
}

/* What a format has shown so far. */
typedef struct format_scan {
    uint16_t state;
    bool is_found, has_first, is_ended;
    uint64_t line;                        /* number of the line that named `last` */
    output_found now, first, last, older; /* older: before the message that goes on */
} format_scan;

static void take_row(format_scan *f, const struct row *r, const char *line,
                     const regmatch_t group[GROUPS], uint64_t number) {
    if ((r->to & BEGINS) != 0) {
        if (f->is_found && !f->has_first) f->first = f->last;
        f->has_first = f->is_found;
        f->older = f->last;
        f->now = (output_found){"", ""};
    }
    apply(r, line, group, &f->now);
    f->state = r->to & ANY;
    f->is_ended |= (r->to & LAST) != 0;
    if ((r->to & UNDO) != 0 && f->has_first) f->last = f->older;
    if ((r->to & SITE) == 0) return;
    f->last = f->now;
    f->is_found = true;
    f->line = number;
}

/* ---- Stack overflows ---- */

/* Places in frames, the oldest first, and how often each came. */
typedef struct recursion {
    bool is_told; /* a message said that a stack overflowed */
    unsigned count;
    struct {
        char place[SITE_PLACE_MAX];
        unsigned times;
    } places[32];
} recursion;

static void take_place(recursion *r, const char *place) {
    unsigned i = 0;
    while (i < r->count && strcmp(r->places[i].place, place) != 0) i++;
    if (i == COUNT(r->places)) return;
    if (i == r->count) snprintf(r->places[r->count++].place, SITE_PLACE_MAX, "%s", place);
    r->places[i].times++;
}

/* Return the place of a stack overflow, or "": the least that recurs. The top of the stack is
 * chance, and so is the number of its frames. */
static const char *recurring(const recursion *r) {
    const char *least = "";
    unsigned most = 3;
    for (unsigned i = 0; i < r->count; i++)
        most = r->places[i].times > most ? r->places[i].times : most;
    for (unsigned i = 0; i < r->count; i++) {
        const char *place = r->places[i].place;
        if (r->places[i].times * 2 < most) continue;
        if (least[0] == '\0' || strcmp(place, least) < 0) least = place;
    }
    return least;
}

static bool tells_overflow(const char *line) {
    static const char *const words[] = {"StackOverflowError", "fatal error: stack overflow",
                                        "RecursionError: maximum recursion depth",
                                        "RangeError: Maximum call stack size"};
    for (size_t i = 0; i < COUNT(words); i++) {
        if (strstr(line, words[i]) != NULL) return true;
    }
    return false;
}

/* Set the place of an exception that a stack overflow raised. */
static void place_overflow(const recursion *r, output_found *found) {
    static const char *const kinds[] = {"java:java.lang.StackOverflowError", "go:fatal-error",
                                        "python:RecursionError", "node:RangeError"};
    for (size_t i = 0; i < COUNT(kinds) && r->is_told; i++) {
        if (strcmp(found->kind, kinds[i]) == 0) strcpy(found->place, recurring(r));
    }
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
                                .text = "\\(([^()]*/)?([^/()]+)(\\+0x[0-9a-f]+)\\)"};

/* Frames that are not the program's own: the runtimes of sanitizers, the C library, the headers of
 * the system and of frng. */
static pattern foreign_frame = {
    .words = "",
    .text =
        "/(libsanitizer|compiler-rt)/|sanitizer_common|\\.\\./(sysdeps|csu)/"
        "|[ /](nptl|stdlib|malloc|string|libio|posix|stdio-common|debug|misc)/\\./| nptl/"
        "|/usr/lib/|/usr/include/([^/ ]*-linux-[^/ "
        "]*/)?((bits|sys|gnu)/|(ctype|math|pthread|stdio|stdlib"
        "|strings?|wchar)\\.h:)|/include/c\\+\\+/|/rustc/|/frng(_main|_more|_assert|_expand)?\\.h:"
        "|[(/"
        "](libasan|libubsan|libtsan|liblsan|libmsan|libhwasan|libclang_rt|libc\\.so|libc-2|libm\\."
        "so"
        "|ld-linux|libgcc_s|libstdc|libpthread|libc\\+\\+)[^/]*\\+0x|\\[vdso\\]"
        "|" FRAME_NAME "(__interceptor_|__asan_|__sanitizer|__ubsan|__msan|__tsan|__lsan|__libc_|__"
        "GI_|frng__|frng_run"
        "|operator (new|delete)"
        "|(_start|start_thread|clone|clone3|malloc|calloc|realloc|free|abort|raise|gsignal) )"};

bool output_site_is_foreign(const char *place) {
    regmatch_t group[GROUPS];
    return matches(&foreign_frame, place, group);
}

/* What a stack says of the place, in order of preference; "" for nothing. */
typedef struct stack_site {
    char place[SITE_PLACE_MAX];    /* of the first own frame with a file */
    char function[SITE_PLACE_MAX]; /* of the first own frame with a function alone */
    char address[SITE_PLACE_MAX];  /* the first two own frames without either */
    unsigned addresses;
} stack_site;

static void take_address(stack_site *s, const char *line, const regmatch_t group[GROUPS]) {
    char module[82];
    fill_template("2", line, group, module, sizeof module);
    const size_t length = strlen(s->address);
    if (s->addresses == 0 || strncmp(s->address, module, strlen(module)) == 0) {
        fill_template(s->addresses == 0 ? "23" : "3", line, group, s->address + length,
                      sizeof s->address - length);
    }
    s->addresses++;
}

static void take_frame(stack_site *s, const char *line, recursion *r) {
    char place[SITE_PLACE_MAX];
    regmatch_t group[GROUPS];
    if (matches(&foreign_frame, line, group)) return;
    if (matches(&frame_place, line, group)) {
        fill_template("1", line, group, place, sizeof place);
        if (s->place[0] == '\0') memcpy(s->place, place, sizeof place);
        take_place(r, place);
        return;
    }
    if (s->function[0] == '\0' && matches(&frame_function, line, group))
        fill_template("3", line, group, s->function, sizeof s->function);
    if (s->addresses < 2 && matches(&frame_address, line, group)) take_address(s, line, group);
}

/* Return what a stack says best. */
static const char *best_of(const stack_site *s) {
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
static pattern summary_end = {.words = "", .text = "(^| )([0-9]|[^ ]*[/(:.])"};
static pattern summary_place = {.words = ":", .text = "([^/ :]+:[0-9]+)(:[0-9]+)?( in .*)?$"};

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

enum { REPORT_LINE_MAX = 1024 };

/* The report that counts: its first line, its summary, and its first two stacks. */
typedef struct sanitizer_scan {
    enum { BEFORE, REPORTED, IN_FIRST, BETWEEN, IN_SECOND, OVER } stage;
    uint64_t line; /* its number */
    char report[REPORT_LINE_MAX], summary[REPORT_LINE_MAX];
    stack_site stacks[2];
} sanitizer_scan;

static void take_frames(sanitizer_scan *z, const char *line, recursion *r) {
    regmatch_t group[GROUPS];
    const bool is_frame = matches(&frame, line, group);
    const bool is_second = z->stage >= BETWEEN;
    if (is_frame) {
        z->stage = is_second ? IN_SECOND : IN_FIRST;
        take_frame(&z->stacks[is_second], line, r);
    } else if (z->stage == IN_FIRST || z->stage == IN_SECOND) {
        z->stage = is_second ? OVER : BETWEEN;
    }
}

/* Take a line. The program goes on after a race, and its leaks come last: then the first report
 * stays. */
static void take_report(sanitizer_scan *z, const char *line, uint64_t number, recursion *r) {
    regmatch_t group[GROUPS];
    if (matches(&report_line, line, group)) {
        const bool goes_on = strstr(line, "ThreadSanitizer: ") || strstr(line, "LeakSanitizer: ");
        if (goes_on && z->report[0] != '\0') {
            z->stage = OVER;
            return;
        }
        *z = (sanitizer_scan){.stage = REPORTED, .line = number};
        snprintf(z->report, sizeof z->report, "%.*s", REPORT_LINE_MAX - 1, line);
    } else if (z->summary[0] == '\0' && matches(&summary_line, line, group)) {
        snprintf(z->summary, sizeof z->summary, "%.*s", REPORT_LINE_MAX - 1, line);
        if (z->report[0] == '\0') z->line = number;
    } else if (z->stage > BEFORE && z->stage < OVER) {
        take_frames(z, line, r);
    }
}

static bool find_sanitizer(const sanitizer_scan *z, const recursion *r, output_found *found) {
    regmatch_t group[GROUPS], ignored[GROUPS];
    const bool has_report = z->report[0] != '\0';
    const bool is_named = z->summary[0] != '\0' &&
                          strstr(z->summary, "undefined-behavior") == NULL &&
                          name_kind(z->summary, &summary_end, found);
    if (!is_named && (!has_report || !name_kind(z->report, &error_end, found))) return false;
    if (has_report && strstr(found->kind, "san:data-race") != NULL)
        name_kind(z->report, &error_end, found);
    const char *place = best_of(&z->stacks[0]), *other = best_of(&z->stacks[1]);
    const bool is_race = strcmp(found->kind, "tsan:data-race") == 0; /* either may come first */
    if (is_race && other[0] != '\0' && strcmp(other, place) < 0) place = other;
    if (strstr(z->report, "Sanitizer: stack-overflow") != NULL && recurring(r)[0] != '\0')
        place = recurring(r);
    snprintf(found->place, sizeof found->place, "%.*s", SITE_PLACE_MAX - 1, place);
    if (place[0] == '\0' && is_named && matches(&summary_place, z->summary, group) &&
        !matches(&foreign_frame, z->summary, ignored))
        fill_template("1", z->summary, group, found->place, sizeof found->place);
    return true;
}

/* ---- Outputs ---- */

enum {
    PIECE_MAX = 4096,       /* of a line */
    PIECE_OVERLAP = 1024,   /* so that one of two pieces has what lies at their border */
    TEXT_MAX = 128 * 1024,  /* read together */
    RULE_OVERLAP = 4 * 1024 /* of texts, since a rule may match several lines */
};

struct output_scan {
    const regex_t *rule;
    char place[SITE_MAX]; /* that the rule found */
    uint64_t line;        /* number of the line that is read */
    format_scan formats[FORMATS];
    sanitizer_scan sanitizer;
    recursion recursion;
    size_t size, taken; /* bytes of `text`; those in lines that were read */
    bool is_begin;      /* text + taken begins a line, */
    bool is_text_begin; /* and so does text */
    bool is_return;     /* the last byte was a carriage return */
    char text[TEXT_MAX + 1];
};

output_scan *output_scan_create(void) {
    output_scan *s = memory_new(sizeof *s);
    output_scan_begin(s, NULL);
    return s;
}

void output_scan_begin(output_scan *s, const regex_t *rule) {
    memset(s, 0, offsetof(output_scan, text));
    s->rule = rule;
    s->is_begin = s->is_text_begin = true;
    for (size_t i = 0; i < FORMATS; i++) s->formats[i].state = START;
}

static void take_line(output_scan *s, const char *line) {
    regmatch_t group[GROUPS], ignored[GROUPS];
    uint32_t done = 0; /* formats of which a row has taken it */
    const char *words = NULL;
    char place[SITE_PLACE_MAX];
    bool has_words = false;
    s->line++;
    take_report(&s->sanitizer, line, s->line, &s->recursion);
    s->recursion.is_told |= tells_overflow(line);
    for (struct row *r = rows; r < rows + COUNT(rows); r++) {
        format_scan *f = &s->formats[r->format];
        const bool applies = (r->from & f->state) != 0 && (done >> r->format & 1) == 0;
        if (!applies && (r->to & RECURS) == 0) continue;
        if (r->line.words != words) has_words = strstr(line, words = r->line.words) != NULL;
        if (!has_words || !matches(&r->line, line, group) || matches(&r->foreign, line, ignored))
            continue;
        if ((r->to & RECURS) != 0) {
            fill_template(r->place, line, group, place, sizeof place);
            take_place(&s->recursion, place);
        }
        if (!applies) continue;
        take_row(f, r, line, group, s->line);
        done |= UINT32_C(1) << r->format;
    }
}

/* Return the size of a terminal's code at the start of a text, such as "\033[1;31m"; 0 for none. */
static size_t code_size(const char *text, size_t size) {
    if (text[0] != '\033' || size < 3 || (text[1] != '[' && text[1] != '(')) return 0;
    size_t at = 2;
    while (text[1] == '[' && at + 1 < size && strchr("0123456789;?", text[at]) != NULL) at++;
    return at + 1;
}

/* Read a line, or a piece of one, without the codes that color it. */
static void take_piece(output_scan *s, const char *line, size_t length) {
    static char plain[PIECE_MAX + 1];
    size_t size = 0;
    for (size_t at = 0, code; at<length; at += code> 0 ? code : 1) {
        code = code_size(line + at, length - at);
        if (code == 0) plain[size++] = line[at];
    }
    plain[size] = '\0';
    line_flags = s->is_begin ? 0 : REG_NOTBOL;
    take_line(s, plain);
    line_flags = 0;
}

/* Read what has come, but not a last line that may go on. */
static void take_lines(output_scan *s, bool is_last) {
    for (;;) {
        const char *line = s->text + s->taken;
        const size_t left = s->size - s->taken;
        const char *end = memchr(line, '\n', left);
        const size_t length = end != NULL ? (size_t)(end - line) : left;
        if (end == NULL && (is_last ? left == 0 : left <= PIECE_MAX)) return;
        const bool is_cut = length > PIECE_MAX;
        take_piece(s, line, is_cut ? PIECE_MAX : length);
        s->taken += is_cut ? PIECE_MAX - PIECE_OVERLAP : length + (end != NULL);
        s->is_begin = !is_cut;
    }
}

/* Look for the first match of the user's rule, but not in a last line that may go on. */
static void take_rule(output_scan *s, bool is_last) {
    regmatch_t group[GROUPS];
    char *end = is_last ? NULL : memrchr(s->text, '\n', s->size);
    if (s->rule == NULL || s->place[0] != '\0') return;
    if (end == NULL) end = s->text + s->size;
    const char after = *end;
    *end = '\0';
    if (regexec(s->rule, s->text, 2, group, s->is_text_begin ? 0 : REG_NOTBOL) == 0)
        fill_template(s->rule->re_nsub > 0 && group[1].rm_so >= 0 ? "1" : "0", s->text, group,
                      s->place, sizeof s->place);
    *end = after;
}

/* Drop what was read, but for what the rule may need. */
static void drop_read(output_scan *s) {
    size_t from = s->taken;
    if (s->rule != NULL) {
        from = s->taken > RULE_OVERLAP ? s->taken - RULE_OVERLAP : 1;
        while (from < s->taken && s->text[from - 1] != '\n') from++;
    }
    s->is_text_begin = from < s->taken || s->is_begin;
    s->size -= from;
    s->taken -= from;
    memmove(s->text, s->text + from, s->size);
}

void output_scan_add(output_scan *s, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const char c = (char)bytes[i];
        const bool is_pair = c == '\n' && s->is_return;
        s->is_return = c == '\r';
        if (is_pair) continue;
        s->text[s->size++] = c == '\0' ? ' ' : c == '\r' ? '\n' : c;
        if (s->size < TEXT_MAX) continue;
        take_rule(s, false);
        take_lines(s, false);
        drop_read(s);
    }
}

/* Find the last message that ended a process, or else what is trusted most. */
static void conclude_site(const output_scan *s, output_found *found) {
    uint64_t line = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        const format_scan *f = &s->formats[i];
        if (!f->is_found || (i >= ENDING && line > 0) || f->line <= line) continue;
        /* An error that Node prints is caught, unless the process says that it ends. */
        *found = i == NODE && f->has_first && !f->is_ended ? f->first : f->last;
        line = f->line;
    }
    const sanitizer_scan *z = &s->sanitizer;
    output_found other = {"", ""};
    bool is_ending = false;
    for (size_t i = 0; i < ENDING; i++) is_ending |= s->formats[i].is_found;
    if ((!is_ending || z->line > line) && find_sanitizer(z, &s->recursion, &other)) *found = other;
    place_overflow(&s->recursion, found);
}

void output_scan_end(output_scan *s, char site[SITE_MAX]) {
    output_found found = {"", ""};
    take_rule(s, true);
    if (s->place[0] == '\0') {
        take_lines(s, true);
        conclude_site(s, &found);
    } else {
        strcpy(found.place, s->place);
    }
    site_join(found.kind, found.place, site);
}

const char *output_site_rule(const char *text, regex_t *rule) {
    static char reason[128];
    const int error = regcomp(rule, text, REG_EXTENDED | REG_NEWLINE);
    if (error == 0) return NULL;
    regerror(error, rule, reason, sizeof reason);
    return reason;
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

/* True if a line names a place, and no longer number. */
static bool has_place(const char *line, const char *place) {
    const char *at = place[0] != '\0' ? strstr(line, place) : NULL;
    return at != NULL && !isdigit((unsigned char)at[strlen(place)]);
}

static bool has_letter(const char *line) {
    while (*line != '\0' && !isalpha((unsigned char)*line)) line++;
    return *line != '\0';
}

/* True if a line ends where what it has to say begins: after a colon or an opening bracket. */
static bool opens_message(const char *line) {
    size_t length = strlen(line);
    while (length > 0 && line[length - 1] == ' ') length--;
    return length > 0 && strchr(":([{", line[length - 1]) != NULL;
}

const char *output_message(const bytes_tail *output, const char *site,
                           char message[OUTPUT_END_MAX]) {
    static char text[BYTES_TAIL_TEXT_MAX]; /* stacks may be small */
    char kind[SITE_MAX], place[SITE_MAX];
    char *rest = text;
    bool has_begun = false; /* its line names the place */
    message[0] = '\0';
    bytes_tail_text(output, text);
    site_split(site, kind, place);
    place[site_line_length(place)] = '\0';
    for (const char *line; (line = strsep(&rest, "\n")) != NULL;) {
        const bool is_blank = line[strspn(line, " \t")] == '\0';
        if (is_blank || (has_letter(message) && !has_letter(line))) continue;
        if (has_begun) { /* the first line of the message only opens it */
            const size_t length = strlen(message);
            snprintf(message + length, OUTPUT_END_MAX - length, "%s%s",
                     message[length - 1] == ' ' ? "" : " ", line + strspn(line, " \t"));
            break;
        }
        snprintf(message, OUTPUT_END_MAX, "%s", line);
        has_begun = has_place(line, place);
        if (has_begun && !opens_message(line)) break;
    }
    return message;
}

bool output_messages_alike(const bytes_tail *a, const bytes_tail *b, const char *site) {
    char a_end[OUTPUT_END_MAX], b_end[OUTPUT_END_MAX], kind[SITE_MAX], place[SITE_MAX];
    const char *a_line = output_message(a, site, OUTPUT_END);
    const char *b_line = output_message(b, site, OUTPUT_END);
    site_split(site, kind, place);
    place[site_line_length(place)] = '\0';
    if (place[0] != '\0' && !has_place(a_line, place) && !has_place(b_line, place)) return true;
    normalize(a_line, a_end);
    normalize(b_line, b_end);
    return strcmp(a_end, b_end) == 0;
}
