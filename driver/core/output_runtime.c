#include "output_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- Assertions of C and C++ ---- */

/* Set the place "file:line" that ends before `end`, as it is. */
static bool place_before(output_found *found, const char *line, const char *end) {
    const char *digits = end;
    while (digits > line && isdigit((unsigned char)digits[-1])) digits--;
    if (digits == end || digits == line || digits[-1] != ':') return false;
    const char *start = digits - 1;
    while (start > line && start[-1] != ' ') start--;
    if (start == digits - 1) return false;
    const char *slash = start[0] == '/' ? digits : start;
    while (start[0] == '/' && slash > start && slash[-1] != '/') slash--;
    snprintf(found->place, sizeof found->place, "%.*s", (int)(end - slash), slash);
    return true;
}

/* "prog: file.c:12: func: Assertion `x' failed." of glibc, and the same without the program of
 * libstdc++. */
static bool find_glibc_assertion(const output_lines *all, output_found *found) {
    const char *line = NULL;
    while ((line = output_lines_find(all, line, "Assertion ")) != NULL) {
        for (const char *at = line; (at = strchr(at, ':')) != NULL; at++) {
            if (strstr(at, "Assertion ") == NULL) break;
            if (isdigit((unsigned char)at[1])) {
                const char *end = at + 1 + strspn(at + 1, "0123456789");
                if (end[0] == ':' && place_before(found, line, end)) return true;
            }
        }
        line = output_lines_next(all, line);
        if (line == NULL) break;
    }
    return false;
}

/* "Assertion failed: x (file.c: func: 12)" of musl. */
static bool find_musl_assertion(const output_lines *all, output_found *found) {
    const char *line = output_lines_find(all, NULL, "Assertion failed: ");
    const char *open = line != NULL ? strrchr(line, '(') : NULL;
    const char *colon = open != NULL ? strstr(open, ": ") : NULL;
    const char *last = line != NULL ? strrchr(line, ' ') : NULL;
    char text[512];
    if (colon == NULL || last <= colon || !isdigit((unsigned char)last[1])) return false;
    snprintf(text, sizeof text, "%.*s:%.*s", (int)(colon - open - 1), open + 1,
             (int)strspn(last + 1, "0123456789"), last + 1);
    return place_before(found, text, text + strlen(text));
}

/* "file.c:12: assertion failed: x" of FRNG_ASSERT, and "ERROR:file.c:12:func: assertion failed" of
 * GLib. */
static bool find_other_assertion(const output_lines *all, output_found *found) {
    const char *line = output_lines_find(all, NULL, ": assertion failed");
    if (line == NULL) return false;
    if (strncmp(line, "ERROR:", 6) == 0) line += 6;
    const char *colon = strchr(line, ':');
    while (colon != NULL && !isdigit((unsigned char)colon[1])) colon = strchr(colon + 1, ':');
    if (colon == NULL) return false;
    return place_before(found, line, colon + 1 + strspn(colon + 1, "0123456789"));
}

/* "terminate called after throwing an instance of 'X'", and libc++'s words. */
static bool find_exception(const output_lines *all, output_found *found) {
    static const char gnu[] = "terminate called after throwing an instance of '";
    static const char llvm[] = "terminating with uncaught exception of type ";
    const char *line = output_lines_find(all, NULL, gnu);
    if (line != NULL) {
        const char *type = strstr(line, gnu) + sizeof gnu - 1;
        const char *end = strrchr(type, '\'');
        const int length = end != NULL ? (int)(end - type) : (int)strlen(type);
        snprintf(found->place, sizeof found->place, "%.*s", length, type);
        return true;
    }
    line = output_lines_find(all, NULL, llvm);
    if (line == NULL) return false;
    const char *type = strstr(line, llvm) + sizeof llvm - 1, *end = strstr(type, ": ");
    const int length = end != NULL ? (int)(end - type) : (int)strlen(type);
    snprintf(found->place, sizeof found->place, "%.*s", length, type);
    return true;
}

bool output_assertion(const output_lines *all, output_found *found) {
    return find_other_assertion(all, found) || find_glibc_assertion(all, found) ||
           find_musl_assertion(all, found) || find_exception(all, found);
}

/* ---- Messages of glibc's own checks ---- */

bool output_glibc(const output_lines *all, output_found *found) {
    static const char *const begins[] = {"free(): ",
                                         "malloc(): ",
                                         "malloc_consolidate(): ",
                                         "realloc(): ",
                                         "calloc(): ",
                                         "munmap_chunk(): ",
                                         "double free or corruption",
                                         "corrupted size vs",
                                         "corrupted double-",
                                         "unaligned tcache chunk",
                                         "Fatal glibc error: ",
                                         "corrupted "};
    for (const char *line = output_lines_first(all); line != NULL;
         line = output_lines_next(all, line)) {
        if (strncmp(line, "*** ", 4) == 0 && strstr(line, " ***: terminated") != NULL) {
            output_found_name(found, "glibc", line + 4, (size_t)(strstr(line, " ***:") - line - 4));
            return true;
        }
        for (size_t i = 0; i < COUNT(begins); i++) {
            if (strncmp(line, begins[i], strlen(begins[i])) != 0) continue;
            output_found_name(found, "glibc", line, strlen(line));
            return true;
        }
    }
    return false;
}

/* ---- Python ---- */

/* Set the place of "  File "/x/p.py", line 12, in f" unless the file is of Python itself. */
static bool place_of_python(const char *line, output_found *found) {
    static const char *const foreign[] = {"/lib/python", "/lib64/python", "/site-packages/",
                                          "/dist-packages/", "\"<"};
    char text[512];
    const char *open = strstr(line, "File \""), *close = strstr(line, "\", line ");
    if (open == NULL || close == NULL || close < open) return false;
    for (size_t i = 0; i < COUNT(foreign); i++) {
        if (strstr(open, foreign[i]) != NULL) return false;
    }
    const int length = snprintf(text, sizeof text, "%.*s", (int)(close - open - 6), open + 6);
    const size_t digits = strspn(close + 8, "0123456789");
    if (length < 0 || (size_t)length + digits + 2 > sizeof text) return false;
    snprintf(text + length, sizeof text - (size_t)length, ":%.*s", (int)digits, close + 8);
    return output_found_place(found, text, (size_t)length);
}

/* Return the length of an exception's dotted name at the start of a line, or 0. */
static size_t name_of_exception(const char *line) {
    size_t length = 0;
    while (isalnum((unsigned char)line[length]) || line[length] == '_' || line[length] == '.')
        length++;
    const bool ends = line[length] == ':' || line[length] == '\0';
    return ends && !isdigit((unsigned char)line[0]) ? length : 0;
}

bool output_python(const output_lines *all, output_found *found) {
    bool is_in_frames = false, is_found = false;
    for (const char *line = output_lines_first(all); line != NULL;
         line = output_lines_next(all, line)) {
        if (strncmp(line, "Traceback (most recent call last):", 34) == 0) found->place[0] = '\0';
        if (strncmp(line, "  File \"", 8) == 0) {
            place_of_python(line, found);
            is_in_frames = true;
        } else if (is_in_frames && line[0] != ' ') {
            const size_t length = name_of_exception(line);
            if (length > 0) output_found_name(found, "python", line, length);
            is_found |= length > 0;
            is_in_frames = false;
        }
    }
    return is_found;
}

/* ---- Rust ---- */

/* "panicked at src/main.rs:4:5:", or before Rust 1.73 "panicked at 'message', src/main.rs:4:5". */
bool output_rust(const output_lines *all, output_found *found) {
    static const char words[] = "panicked at ";
    const char *line = output_lines_find(all, NULL, words);
    if (line == NULL) return false;
    output_found_name(found, "rust", "panic", 5);
    const char *at = strstr(line, words) + sizeof words - 1, *comma = strrchr(at, ',');
    if (at[0] == '\'' && comma != NULL) at = comma + 2;
    const char *colon = strchr(at, ':');
    while (colon != NULL && !isdigit((unsigned char)colon[1])) colon = strchr(colon + 1, ':');
    if (colon != NULL) output_found_place(found, at, (size_t)(colon - at));
    return true;
}

/* ---- Go ---- */

bool output_go(const output_lines *all, output_found *found) {
    const char *line = output_lines_first(all), *frames = NULL;
    for (; line != NULL; line = output_lines_next(all, line)) {
        const bool is_panic = strncmp(line, "panic: ", 7) == 0;
        if (!is_panic && strncmp(line, "fatal error: ", 13) != 0) continue;
        output_found_name(found, "go", is_panic ? "panic" : "fatal-error", is_panic ? 5 : 11);
        frames = output_lines_find(all, line, "goroutine ");
        break;
    }
    for (line = frames; line != NULL; line = output_lines_next(all, line)) {
        const char *end = strstr(line, ".go:");
        const bool is_foreign = strstr(line, "/go/src/") != NULL ||
                                strstr(line, "/src/runtime/") != NULL ||
                                strstr(line, "/usr/lib/go") != NULL;
        if (line[0] != '\t' || end == NULL || is_foreign) continue;
        if (output_found_place(found, line, (size_t)(end + 3 - line))) break;
    }
    return frames != NULL;
}

/* ---- Java ---- */

/* Set the place of "\tat Main.f(Main.java:5)", unless it is of the platform. */
static bool place_of_java(const char *line, output_found *found) {
    static const char *const foreign[] = {"\tat java.", "\tat jdk.", "\tat sun.", "\tat javax."};
    const char *open = strchr(line, '('), *colon = open != NULL ? strchr(open, ':') : NULL;
    for (size_t i = 0; i < COUNT(foreign); i++) {
        if (strncmp(line, foreign[i], strlen(foreign[i])) == 0) return false;
    }
    return colon != NULL && output_found_place(found, open + 1, (size_t)(colon - open - 1));
}

/* The last cause, and its first frame outside of the platform. */
bool output_java(const output_lines *all, output_found *found) {
    static const char in_thread[] = "Exception in thread \"", cause[] = "Caused by: ";
    const char *line = output_lines_find(all, NULL, in_thread);
    bool is_found = false, has_place = false;
    for (; line != NULL; line = output_lines_next(all, line)) {
        const char *name = NULL;
        if (strncmp(line, cause, sizeof cause - 1) == 0) name = line + sizeof cause - 1;
        if (strncmp(line, in_thread, sizeof in_thread - 1) == 0) {
            name = strstr(line + sizeof in_thread - 1, "\" ");
            if (name != NULL) name += 2;
        }
        if (name != NULL) {
            output_found_name(found, "java", name, strcspn(name, ": "));
            is_found = true;
            has_place = false;
        } else if (strncmp(line, "\tat ", 4) == 0 && !has_place) {
            has_place = place_of_java(line, found);
        }
    }
    return is_found;
}

/* ---- Node ---- */

/* Set the place of "    at f (/x/a.js:3:11)" or "    at /x/a.js:3:11", unless it is Node's own. */
static bool place_of_node(const char *line, output_found *found) {
    const char *open = strrchr(line, '('), *path = open != NULL ? open + 1 : line + 7;
    if (strncmp(path, "node:", 5) == 0 || strstr(path, "/node_modules/") != NULL) return false;
    const char *colon = path;
    do {
        colon = strchr(colon + 1, ':');
    } while (colon != NULL && !isdigit((unsigned char)colon[1]));
    return colon != NULL && output_found_place(found, path, (size_t)(colon - path));
}

/* The name of an error, "TypeError: text" or "Error [CODE]: text", then its frames. */
bool output_node(const output_lines *all, output_found *found) {
    bool is_found = false;
    const char *end = output_lines_find(all, NULL, "Node.js v");
    for (const char *line = output_lines_first(all); line != NULL && line != end;
         line = output_lines_next(all, line)) {
        const size_t length = strcspn(line, ": [");
        const bool is_error = length >= 5 && strncmp(line + length - 5, "Error", 5) == 0;
        const bool is_frame = strncmp(line, "    at ", 7) == 0;
        if (is_error && line[0] != ' ' && found->kind[0] == '\0')
            output_found_name(found, "node", line, length);
        if (!is_frame || found->kind[0] == '\0') continue;
        is_found = true;
        if (place_of_node(line, found)) break;
    }
    return is_found;
}
