#include "external_pass.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Append a word to the text of a call. Return NULL if it does not fit. */
__attribute__((format(printf, 3, 4))) static char *add_text(external_pass_call *call, size_t *used,
                                                            const char *format, ...) {
    va_list arguments;
    char *word = call->text + *used;
    const size_t room = sizeof call->text - *used;
    va_start(arguments, format);
    const int length = vsnprintf(word, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) return NULL;
    *used += (size_t)length + 1;
    return word;
}

bool external_pass_make_call(const external_pass *g, uint64_t number, const char *file,
                             external_pass_call *call) {
    size_t used = 0;
    char *name = (char *)file, *first = NULL, *second = NULL;
    memset(call, 0, sizeof *call);
    if (file[0] == '-') name = add_text(call, &used, "./%s", file); /* else it would be an option */
    call->argv[0] = g->program;
    switch (g->dialect) {
    case EXTERNAL_PASS_IN_PLACE:
        call->argv[1] = name;
        call->argv[2] = first = g->command;
        call->argv[3] = second = add_text(call, &used, "%llu", (unsigned long long)number);
        break;
    case EXTERNAL_PASS_CLEX:
        if (number > INT_MAX) return false; /* the program would count from 0 again */
        call->argv[1] = first = g->command;
        call->argv[2] = second = add_text(call, &used, "%llu", (unsigned long long)number);
        call->argv[3] = name;
        call->writes_stdout = true;
        break;
    case EXTERNAL_PASS_CLANG_DELTA:
        if (number >= INT_MAX) return false;
        call->argv[1] = first = add_text(call, &used, "--transformation=%s", g->command);
        call->argv[2] = second =
            first == NULL ? NULL
                          : add_text(call, &used, "--counter=%llu", (unsigned long long)number + 1);
        call->argv[3] = name;
        call->writes_stdout = true;
        break;
    case EXTERNAL_PASS_LINES:
        call->argv[1] = first = second = g->command;
        call->reads_stdin = true;
        call->writes_stdout = true;
        break;
    }
    return name != NULL && first != NULL && second != NULL;
}

static external_pass_answer judge_exit(external_pass_dialect dialect, int status) {
    int made = 0, none = 1, none_too = 1;
    switch (dialect) {
    case EXTERNAL_PASS_IN_PLACE: break;
    case EXTERNAL_PASS_CLEX: made = 51, none = none_too = 71; break;
    /* 255 is "No variables need to be renamed!" as well as "Unsupported file type!". */
    case EXTERNAL_PASS_CLANG_DELTA: none_too = 255; break;
    case EXTERNAL_PASS_LINES: none = none_too = 0; break; /* the program never reports the end */
    }
    if (status == made) return EXTERNAL_PASS_MADE;
    return status == none || status == none_too ? EXTERNAL_PASS_NONE : EXTERNAL_PASS_BROKEN;
}

external_pass_answer external_pass_judge(const external_pass *g, int wait_status) {
    if (!WIFEXITED(wait_status)) return EXTERNAL_PASS_BROKEN;
    return judge_exit(g->dialect, WEXITSTATUS(wait_status));
}

static bool is_blank(uint8_t byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

/* Keep the lines of `bytes` that are not blank and not first..last, without their indentation.
 * Return the number of lines that are not blank. topformflat is not idempotent: each time it adds a
 * line before the first, and a blank after each line it made, so a candidate would grow by more
 * than the length of a short line. C-Reduce and C-Vise format once and leave out blank lines as
 * well. */
static uint64_t keep_lines(uint8_t *bytes, size_t *size, uint64_t first, uint64_t last) {
    const uint8_t *at = bytes, *const end = bytes + *size;
    uint8_t *to = bytes;
    uint64_t count = 0;
    while (at < end) {
        while (at < end && is_blank(*at)) at++;
        const uint8_t *newline = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        const uint8_t *next = newline != NULL ? newline + 1 : end;
        if (at < end && newline != at) {
            if (count < first || count > last) {
                memmove(to, at, (size_t)(next - at));
                to += next - at;
            }
            count++;
        }
        at = next;
    }
    *size = (size_t)(to - bytes);
    return count;
}

external_pass_answer external_pass_finish(const external_pass *g, uint64_t number, uint8_t *bytes,
                                          size_t *size) {
    if (g->dialect != EXTERNAL_PASS_LINES) return EXTERNAL_PASS_MADE;
    assert(g->lines > 0);
    if (number > (UINT64_MAX - g->lines) / g->lines) return EXTERNAL_PASS_NONE;
    const uint64_t first = number * g->lines;
    const uint64_t count = keep_lines(bytes, size, first, first + g->lines - 1);
    return first < count ? EXTERNAL_PASS_MADE : EXTERNAL_PASS_NONE;
}
