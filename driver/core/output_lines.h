/* output_lines.h: an output as lines, for the parsers of output_site. */
#ifndef OUTPUT_LINES_H
#define OUTPUT_LINES_H

#include "bytes.h"
#include "site.h"

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_TEXT_MAX = BYTES_TAIL_MAX + 8 };

/* The lines of an output, each ended by a zero, in order. */
typedef struct output_lines {
    size_t size;                /* bytes of `text` that lines take */
    char text[OUTPUT_TEXT_MAX]; /* other zeros and the ends \r of lines are blanks */
} output_lines;

void output_lines_cut(output_lines *all, const bytes_tail *output);

/* Return the first line; the line after `line`. NULL after the last one. */
const char *output_lines_first(const output_lines *all);
const char *output_lines_next(const output_lines *all, const char *line);

/* Return the first line that contains these words, from `from` on (NULL: from the first). */
const char *output_lines_find(const output_lines *all, const char *from, const char *words);

/* The kind and the place that a parser found; "" for none. */
typedef struct output_found {
    char kind[SITE_KIND_MAX];
    char place[SITE_MAX];
} output_found;

/* Set a kind of a family: the first `length` bytes of `name`, whose letters and digits stay, and
 * all else becomes single hyphens. */
void output_found_name(output_found *found, const char *family, const char *name, size_t length);

/* Set the place "file:line" from the first `length` bytes of `path`, followed by ":line" or
 * ":line:column". The folder goes. Return false, and leave the place, if it has another form. */
bool output_found_place(output_found *found, const char *path, size_t length);

/* ---- Parsers: true if they found something ---- */

bool output_sanitizer(const output_lines *all, output_found *found); /* asan, lsan, msan, tsan */
bool output_ubsan(const output_lines *all, output_found *found);
bool output_assertion(const output_lines *all, output_found *found); /* of C, and std::terminate */
bool output_glibc(const output_lines *all, output_found *found);
bool output_python(const output_lines *all, output_found *found);
bool output_rust(const output_lines *all, output_found *found);
bool output_go(const output_lines *all, output_found *found);
bool output_java(const output_lines *all, output_found *found);
bool output_node(const output_lines *all, output_found *found);

#endif
