/* memory.h: memory that callers need not be told is missing.
 *
 * Where the system has none, a reserve is given up, and the call is made again: so there is enough
 * left to stop and tell what was found, which engines do once memory_is_short. Without it the
 * process ends with a line, and a worker without one. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Return new memory, which the caller frees: as malloc, calloc and reallocarray do. */
void *memory_new(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_grown(void *list, size_t count, size_t size);

/* Return a new text. */
__attribute__((format(printf, 1, 2))) char *memory_text(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *memory_format(const char *format, va_list arguments);

/* Open a stream whose bytes become a text, as open_memstream does. Close it, and return that. */
FILE *memory_stream(char **text, size_t *size);
char *memory_close(FILE *stream, char *const *text);

/* Return what a library has allocated: it ends the process if that is NULL. */
void *memory_need(void *memory);

/* Set aside the reserve. */
void memory_reserve(void);

/* True once it is used: stop soon. */
bool memory_is_short(void);
