/* debug_line.h: the line of a program's source that an address comes from (DWARF 2 to 5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a section, from `at` up to `end`; an empty range if the file lacks the section. */
typedef struct debug_bytes {
    const uint8_t *at, *end;
} debug_bytes;

/* The sections .debug_line, .debug_line_str and .debug_str of one file, which are untrusted. */
typedef struct debug_sections {
    debug_bytes lines, line_texts, texts;
} debug_sections;

enum { DEBUG_PATH_MAX = 512 };

/* Write the path of the source, which may be relative, and return the line. 0: unknown. */
uint64_t debug_line_find(const debug_sections *s, uint64_t address, char path[DEBUG_PATH_MAX]);
