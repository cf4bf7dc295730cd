/* An allocation that fails is made once more, without the reserve. */
#include "memory.h"

#include "messages.h"

#include <errno.h>
#include <stdlib.h>

enum { RESERVE_BYTES = 1 << 20 };

static void *reserve;
static bool is_short;

void memory_reserve(void) { reserve = malloc(RESERVE_BYTES); }

bool memory_is_short(void) { return is_short; }

/* True if a call that returned this is to be made once more. */
static bool is_missing(const void *memory) {
    if (memory != NULL) return false;
    free(reserve);
    reserve = NULL;
    return is_short = true;
}

void *memory_need(void *memory) {
    if (memory == NULL) bug_end(ENOMEM);
    return memory;
}

void *memory_new(size_t size) {
    void *memory = malloc(size);
    return memory_need(is_missing(memory) ? malloc(size) : memory);
}

void *memory_zeroed(size_t count, size_t size) {
    void *memory = calloc(count, size);
    return memory_need(is_missing(memory) ? calloc(count, size) : memory);
}

void *memory_grown(void *list, size_t count, size_t size) {
    void *volatile old = list; /* it stays where reallocarray fails, which gcc does not see */
    void *memory = reallocarray(old, count, size);
    return memory_need(is_missing(memory) ? reallocarray(old, count, size) : memory);
}

FILE *memory_stream(char **text, size_t *size) {
    FILE *stream = open_memstream(text, size);
    return memory_need(is_missing(stream) ? open_memstream(text, size) : stream);
}

/* The C library may close it well, and leave no text, or not all of it. */
char *memory_close(FILE *stream, char *const *text) {
    const bool has_failed = ferror(stream) != 0;
    return memory_need(fclose(stream) == 0 && !has_failed ? *text : NULL);
}

char *memory_format(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const size_t room = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *text = memory_new(room);
    vsnprintf(text, room, format, arguments);
    return text;
}

char *memory_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format(format, arguments);
    va_end(arguments);
    return text;
}
