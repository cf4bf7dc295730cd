#include "messages.h"

#include "bytes.h"
#include "live.h"
#include "refused.h"
#include "stream.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *program_name = "frng";
static bool on_terminal;

void message_init(const char *program, bool is_terminal) {
    assert(program != NULL);
    program_name = program;
    on_terminal = is_terminal;
}

const char *message_program(void) { return program_name; }

bool message_is_terminal(void) { return on_terminal; }

/* ---- One line ---- */

static char *format_escaped(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
static void print_line(const char *format, va_list arguments, const char *separator,
                       const char *detail, const char *end) __attribute__((format(printf, 1, 0)));

/* Return the text with its control characters escaped, which the caller frees; NULL without
 * memory. */
static char *format_escaped(const char *format, va_list arguments) {
    char *raw = NULL;
    const int length = vasprintf(&raw, format, arguments);
    if (length < 0) return NULL;
    const size_t text_max = 4 * (size_t)length + 1;
    char *text = malloc(text_max);
    if (text != NULL) bytes_escape((const uint8_t *)raw, (size_t)length, false, text, text_max);
    free(raw);
    return text;
}

/* Print a message, then `separator`, `detail` and `end`. */
static void print_line(const char *format, va_list arguments, const char *separator,
                       const char *detail, const char *end) {
    char *text = format_escaped(format, arguments);
    fprintf(message_stream(), "%s: %s%s%s%s\n", program_name, text != NULL ? text : "out of memory",
            separator, detail, end);
    free(text);
}

void message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "", "", "");
    va_end(arguments);
}

void message_error(int error_number, const char *format, ...) {
    va_list arguments;
    char why[160];
    int refused_with = 0;
    const bool may_be_refused = error_number == EPERM || error_number == ENOSYS;
    const char *call = may_be_refused ? refused_call(&refused_with) : NULL;
    snprintf(why, sizeof why, "%s%s%s%s", strerror(error_number), call != NULL ? "; " : "",
             call != NULL ? call : "", call != NULL ? " is refused, as by a sandbox" : "");
    va_start(arguments, format);
    print_line(format, arguments, ": ", why, "");
    va_end(arguments);
}

void message_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "; see '", program_name, " --help'");
    va_end(arguments);
}

/* ---- The stream ---- */

FILE *message_stream(void) {
    stream_wait(stderr);
    live_erase();
    return stderr;
}
