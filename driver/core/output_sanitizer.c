#include "output_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Frames ---- */

/* Parts of the paths of frames that are not the program's own: the runtimes of sanitizers, the C
 * library, the headers of the system and of frng. */
static const char *const foreign_files[] = {
    "/libsanitizer/", "/compiler-rt/",   "sanitizer_common", "../sysdeps/", "../csu/",
    "./nptl/./",      "./stdlib/./",     "./malloc/./",      "./string/./", "./libio/./",
    "./posix/./",     "./stdio-common/", "./debug/./",       "./misc/./",   "/usr/include/",
    "/usr/lib/",      "/include/c++/",   "/rustc/",          "/frng.h:",    "/frng_main.h:",
    "/frng_more.h:",  "/frng_assert.h:", "/frng_expand.h:",
};
static const char *const foreign_modules[] = {
    "libasan",     "libubsan",   "libtsan", "liblsan", "libmsan",  "libhwasan",
    "libclang_rt", "libc.so",    "libc-2",  "libm.so", "ld-linux", "libgcc_s",
    "libstdc",     "libpthread", "libc++",  "[vdso]",
};
static const char *const foreign_functions[] = {
    "__interceptor_", "__asan_",  "__sanitizer", "__ubsan",      "__msan",          "__tsan",
    "__lsan",         "__libc_",  "__GI_",       "frng__",       "frng_run",        "_start ",
    "start_thread ",  "clone ",   "clone3 ",     "operator new", "operator delete", "malloc ",
    "calloc ",        "realloc ", "free ",       "abort ",       "raise ",
};

static bool holds_any(const char *text, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strstr(text, parts[i]) != NULL) return true;
    }
    return false;
}

static bool begins_any(const char *text, const char *const *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strncmp(text, parts[i], strlen(parts[i])) == 0) return true;
    }
    return false;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* A line of a stack: "#1 0x55e3 in main /tmp/a.c:9:5" or "#1 main a.c:9 (a.out+0x12)". */
typedef struct frame {
    unsigned number;
    char function[SITE_PLACE_MAX]; /* and what follows; "" if unknown */
    char place[SITE_PLACE_MAX];    /* file:line, or "" */
    char module[SITE_PLACE_MAX];   /* name of its file, or "" */
    char offset[24];               /* "+0x12", or "" */
    bool is_foreign;
} frame;

/* Cut "(/path/module+0x12)" off the end of a frame's text, and the build id after it. */
static void take_module(frame *f, char *text) {
    char *id = strstr(text, " (BuildId: ");
    if (id != NULL) *id = '\0';
    char *open = strrchr(text, '('), *plus = strrchr(text, '+');
    const size_t length = strlen(text);
    if (open == NULL || plus == NULL || plus < open || length == 0 || text[length - 1] != ')')
        return;
    const size_t digits = strspn(plus + 1, "x0123456789abcdef");
    if (strncmp(plus, "+0x", 3) != 0 || plus[1 + digits] != ')') return;
    snprintf(f->offset, sizeof f->offset, "%.*s", (int)digits + 1, plus);
    *plus = *open = '\0';
    const char *slash = strrchr(open + 1, '/');
    snprintf(f->module, sizeof f->module, "%s", slash != NULL ? slash + 1 : open + 1);
}

/* Take "file:line" or "file:line:column" at the end of a frame's text. */
static void take_place(frame *f, const char *text) {
    size_t end = strlen(text);
    output_found found = {"", ""};
    while (end > 0 && text[end - 1] == ' ') end--;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t at = end;
        while (at > 0 && isdigit((unsigned char)text[at - 1])) at--;
        if (at == end || at == 0 || text[at - 1] != ':') break;
        end = at - 1;
    }
    size_t start = end;
    while (start > 0 && text[start - 1] != '/' && text[start - 1] != ' ') start--;
    if (text[end] == ':' && output_found_place(&found, text + start, end - start))
        snprintf(f->place, sizeof f->place, "%.*s", (int)sizeof f->place - 1, found.place);
}

/* Parse a line. False if it is no frame. */
static bool parse_frame(const char *line, frame *f) {
    char text[1024];
    *f = (frame){0};
    line += strspn(line, " ");
    if (line[0] != '#' || !isdigit((unsigned char)line[1])) return false;
    char *rest;
    f->number = (unsigned)strtoul(line + 1, &rest, 10);
    rest += strspn(rest, " ");
    if (strncmp(rest, "0x", 2) == 0) rest += strcspn(rest, " ");
    rest += strspn(rest, " ");
    if (strncmp(rest, "in ", 3) == 0) rest += 3;
    snprintf(text, sizeof text, "%s", rest);
    take_module(f, text);
    snprintf(f->function, sizeof f->function, "%.*s", (int)sizeof f->function - 1, text);
    take_place(f, text);
    f->is_foreign = holds_any(text, foreign_files, COUNT(foreign_files)) ||
                    begins_any(text, foreign_functions, COUNT(foreign_functions)) ||
                    begins_any(f->module, foreign_modules, COUNT(foreign_modules));
    return true;
}

/* ---- Stacks ---- */

/* What a stack says of the place, in order of preference. */
typedef struct stack_site {
    char place[SITE_PLACE_MAX];    /* of the first own frame with a file, or the least of all */
    char function[SITE_PLACE_MAX]; /* of the first own frame with a function alone */
    char address[SITE_PLACE_MAX];  /* the first two own frames without either */
    unsigned addresses;
} stack_site;

static void take_frame(stack_site *s, const frame *f, bool takes_least) {
    const size_t name = strcspn(f->function, " (");
    if (f->is_foreign) return;
    if (f->place[0] != '\0') {
        if (s->place[0] == '\0' || (takes_least && strcmp(f->place, s->place) < 0))
            memcpy(s->place, f->place, sizeof s->place);
        return;
    }
    if (name > 0 && f->function[0] != '<' && s->function[0] == '\0')
        snprintf(s->function, sizeof s->function, "%.*s", (int)name, f->function);
    const size_t length = strlen(s->address);
    if (f->module[0] == '\0' || s->addresses >= 2) return;
    if (s->addresses == 0) {
        snprintf(s->address, sizeof s->address, "%.80s%s", f->module, f->offset);
    } else if (strncmp(s->address, f->module, strlen(f->module)) == 0) {
        snprintf(s->address + length, sizeof s->address - length, "%s", f->offset);
    }
    s->addresses++;
}

static const char *stack_place(const stack_site *s) {
    if (s->place[0] != '\0') return s->place;
    return s->function[0] != '\0' ? s->function : s->address;
}

/* Read the first stack from a line on. Return the line after it, or NULL at the end. */
static const char *read_stack(const output_lines *all, const char *line, bool takes_least,
                              stack_site *s) {
    frame f;
    memset(s, 0, sizeof *s);
    while (line != NULL && !parse_frame(line, &f)) line = output_lines_next(all, line);
    for (; line != NULL && parse_frame(line, &f); line = output_lines_next(all, line))
        take_frame(s, &f, takes_least);
    return line;
}

/* ---- Reports ---- */

static const struct {
    const char *name, *family;
} sanitizers[] = {
    {"HWAddressSanitizer: ", "hwasan"}, {"AddressSanitizer: ", "asan"},
    {"MemorySanitizer: ", "msan"},      {"ThreadSanitizer: ", "tsan"},
    {"LeakSanitizer: ", "lsan"},        {"UndefinedBehaviorSanitizer: ", "ubsan"},
};

/* Return the length of the words of a summary that name the failure, up to a path, a module or a
 * number. */
static size_t words_of(const char *text) {
    size_t end = 0;
    while (text[end] != '\0') {
        const char *word = text + end + (end > 0);
        const size_t length = strcspn(word, " ");
        if (length == 0 || isdigit((unsigned char)word[0]) || memchr(word, '/', length) != NULL ||
            memchr(word, '(', length) != NULL || memchr(word, ':', length) != NULL)
            break;
        end = (size_t)(word - text) + length;
    }
    return end;
}

/* Return the length of the words of a report's first line that name the failure: "data race",
 * "heap-buffer-overflow on address". */
static size_t words_of_error(const char **text) {
    static const char bad_free[] = "attempting free on address";
    static const char *const ends[] = {" on ", " (", ":", " 0x"};
    if (strncmp(*text, bad_free, sizeof bad_free - 1) == 0) {
        *text = "bad-free";
        return strlen(*text);
    }
    if (strncmp(*text, "attempting ", 11) == 0) *text += 11;
    size_t length = strlen(*text);
    for (size_t i = 0; i < COUNT(ends); i++) {
        const char *end = strstr(*text, ends[i]);
        if (end != NULL && (size_t)(end - *text) < length) length = (size_t)(end - *text);
    }
    return length;
}

/* Set the kind that a line names. `is_summary`: it is the summary, else the first line. */
static bool name_kind(const char *line, bool is_summary, output_found *found) {
    for (size_t i = 0; i < COUNT(sanitizers); i++) {
        const char *text = strstr(line, sanitizers[i].name);
        if (text == NULL) continue;
        text += strlen(sanitizers[i].name);
        if (strstr(text, "leaked in") != NULL || strstr(text, "detected memory leaks") != NULL) {
            output_found_name(found, "lsan", "leak", 4);
            return true;
        }
        const size_t length = is_summary ? words_of(text) : words_of_error(&text);
        output_found_name(found, sanitizers[i].family, text, length);
        return length > 0;
    }
    return false;
}

/* Set the place that a summary names, unless it is foreign. */
static void place_of_summary(const char *line, output_found *found) {
    char text[1024];
    frame f;
    const char *name = strstr(line, "Sanitizer: ") + 11;
    const char *end = strstr(line, " in ");
    const char *start = name + words_of(name);
    snprintf(text, sizeof text, "#0 %.*s", end != NULL ? (int)(end - start) : (int)strlen(start),
             start);
    if (!parse_frame(text, &f) || f.is_foreign || f.place[0] == '\0') return;
    memcpy(found->place, f.place, sizeof f.place);
}

static const char *find_report(const output_lines *all) {
    for (const char *line = output_lines_first(all); line != NULL;
         line = output_lines_next(all, line)) {
        const bool is_report = strstr(line, "ERROR: ") != NULL || strstr(line, "WARNING: ") != NULL;
        if (is_report && strncmp(line, "==", 2) == 0 && strstr(line, "Sanitizer: ") != NULL)
            return line;
        if (strncmp(line, "WARNING: ThreadSanitizer: ", 26) == 0) return line;
    }
    return NULL;
}

static void place_of_stacks(const output_lines *all, const char *report, output_found *found) {
    stack_site first, second;
    const bool takes_least = strcmp(found->kind, "asan:stack-overflow") == 0;
    const char *rest = read_stack(all, report, takes_least, &first);
    const char *place = stack_place(&first);
    if (strcmp(found->kind, "tsan:data-race") == 0) { /* either access may come first */
        read_stack(all, rest, false, &second);
        const char *other = stack_place(&second);
        if (other[0] != '\0' && strcmp(other, place) < 0) place = other;
    }
    if (place[0] != '\0') snprintf(found->place, sizeof found->place, "%s", place);
}

bool output_sanitizer(const output_lines *all, output_found *found) {
    const char *report = find_report(all);
    const char *summary = output_lines_find(all, report, "SUMMARY: ");
    const bool is_named = summary != NULL && strstr(summary, "undefined-behavior") == NULL &&
                          name_kind(summary, true, found);
    if (!is_named && (report == NULL || !name_kind(report, false, found))) return false;
    if (strstr(found->kind, "san:data-race") != NULL && report != NULL)
        name_kind(report, false, found);
    if (report != NULL) place_of_stacks(all, report, found);
    if (found->place[0] == '\0' && summary != NULL && is_named) place_of_summary(summary, found);
    return true;
}

/* ---- Undefined behaviour ---- */

/* Messages of checks, and their names in -fsanitize. */
static const struct {
    const char *words, *name;
} checks[] = {
    {"signed integer overflow", "signed-integer-overflow"},
    {"division by zero", "integer-divide-by-zero"},
    {"division of ", "signed-integer-overflow"},
    {"negation of ", "signed-integer-overflow"},
    {"shift exponent", "shift-exponent"},
    {"left shift of", "shift-base"},
    {"out of bounds", "bounds"},
    {"null pointer passed", "nonnull-attribute"},
    {"null pointer returned", "returns-nonnull-attribute"},
    {"applying ", "pointer-overflow"},
    {"pointer index expression", "pointer-overflow"},
    {"addition of unsigned offset", "pointer-overflow"},
    {"subtraction of unsigned offset", "pointer-overflow"},
    {"null pointer", "null"},
    {"misaligned address", "alignment"},
    {"insufficient space", "object-size"},
    {"valid value for type 'bool'", "bool"},
    {"valid value for type", "enum"},
    {"unreachable program point", "unreachable"},
    {"without returning a value", "return"},
    {"unsigned integer overflow", "unsigned-integer-overflow"},
    {"implicit conversion", "implicit-conversion"},
    {"outside the range of representable values", "float-cast-overflow"},
    {"variable length array bound", "vla-bound"},
    {"pointer to incorrect function type", "function"},
    {"which does not point to an object of type", "vptr"},
    {"passing zero to ", "builtin"},
    {"assumption is violated", "assume"},
    {"control flow integrity check", "cfi"},
};

bool output_ubsan(const output_lines *all, output_found *found) {
    static const char words[] = ": runtime error: ";
    const char *last = NULL; /* a check that ends the process is the last one */
    for (const char *line = output_lines_find(all, NULL, words); line != NULL;
         line = output_lines_find(all, line, words)) {
        last = line;
        line = output_lines_next(all, line);
        if (line == NULL) break;
    }
    if (last == NULL) return false;
    char text[1024];
    frame f;
    const char *colon = strstr(last, words), *message = colon + sizeof words - 1;
    const char *name = message;
    for (size_t i = 0; i < COUNT(checks) && name == message; i++) {
        if (strstr(message, checks[i].words) != NULL) name = checks[i].name;
    }
    output_found_name(found, "ubsan", name,
                      name == message ? strcspn(name, ",;:0123456789'") : strlen(name));
    snprintf(text, sizeof text, "#0 %.*s", (int)(colon - last), last);
    if (!parse_frame(text, &f) || f.place[0] == '\0' || name[0] == '\0') return false;
    memcpy(found->place, f.place, sizeof f.place);
    return true;
}
