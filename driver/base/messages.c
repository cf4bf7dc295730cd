/* How messages are printed.
 *
 * All that goes to standard error passes message_stream: it waits for room, so that a signal can
 * end a tool whose messages nobody reads, and erases the screen, which is drawn again below. A text
 * is formatted as a whole and escaped before it is printed, however long it is.
 *
 * An assertion that fails in a worker must not look like a run that crashed. So the first one of
 * all processes writes its text into memory that they share and ends its process with a status of
 * its own; the driver sees that, and prints the one line. */
#include "messages.h"

#include "bytes.h"
#include "files.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *program_name = "frng";
static bool on_terminal;
static void (*erase)(void); /* NULL: there is nothing to erase */

void message_init(const char *program, bool is_terminal) {
    assert(program != NULL);
    program_name = program;
    on_terminal = is_terminal;
}

void message_before(void (*erases)(void)) { erase = erases; }

const char *message_program(void) { return program_name; }

bool message_is_terminal(void) { return on_terminal; }

/* ---- One line ---- */

#define FORMATS __attribute__((format(printf, 1, 0)))

/* Return the text with its control characters escaped, which the caller frees; NULL without
 * memory. */
FORMATS static char *format_escaped(const char *format, va_list arguments) {
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
FORMATS static void print_line(const char *format, va_list arguments, const char *separator,
                               const char *detail, const char *end) {
    char *text = format_escaped(format, arguments);
    fprintf(message_stream(), "%s: %s%s%s%s\n", program_name, text != NULL ? text : "out of memory",
            separator, detail, end);
    free(text);
}

bool message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "", "", "");
    va_end(arguments);
    return false;
}

bool message_error(int error_number, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, ": ", strerror(error_number), "");
    va_end(arguments);
    return false;
}

bool message_usage(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments, "; see '", program_name, " --help'");
    va_end(arguments);
    return false;
}

FILE *message_stream(void) {
    stream_wait(stderr);
    if (erase != NULL) erase();
    return stderr;
}

/* ---- Assertions ---- */

enum { TEXT_MAX = 512 };

/* The first assertion that failed, shared with the processes that are forked. */
typedef struct bug {
    atomic_bool is_found;
    char text[TEXT_MAX];
} bug;

static bug *shared; /* NULL before bug_init */
static int bug_status = EXIT_FAILURE;
static void (*before_end)(void);
static bool is_child, is_reported;

int bug_init(int exit_status) {
    void *memory =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    shared = memory;
    bug_status = exit_status;
    return 0;
}

void bug_before_end(void (*ends)(void)) { before_end = ends; }

void bug_end(int error_number) {
    if (is_child) _exit(bug_status);
    message_error(error_number, "cannot go on");
    if (before_end != NULL) before_end();
    exit(bug_status);
}

void bug_begin_process(void) { is_child = true; }

bool bug_was_found(void) { return shared != NULL && shared->is_found; }

int bug_report(int exit_status) {
    if (!bug_was_found()) return exit_status;
    if (!is_reported) {
        is_reported = true; /* printing may fail an assertion, too */
        fprintf(message_stream(), "%s: bug in frng: %s; please report it\n", message_program(),
                shared->text);
    }
    return bug_status;
}

/* What the assert() of glibc and of musl calls. In place of the C library's own, since that dies of
 * a signal, as a worker does that a run kills. <assert.h> declares it with another type in each. */
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                             const char *function);

_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line,
                             const char *function) {
    char text[TEXT_MAX];
    (void)function;
    snprintf(text, sizeof text, "%s:%u: %s", path_base(file), line, expression);
    if (shared == NULL) {
        message("assertion failed: %s", text);
        abort();
    }
    if (!atomic_exchange(&shared->is_found, true)) memcpy(shared->text, text, sizeof text);
    _exit(is_child ? bug_status : bug_report(bug_status));
}
