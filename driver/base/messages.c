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
#include "proc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
static int bug_status;
static bool is_child, is_reported;

int bug_init(int exit_status) {
    void *memory =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return errno;
    shared = memory;
    bug_status = exit_status;
    return 0;
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

/* ---- Calls that are refused ---- */

static const char *const calls[] = {"memfd_create(2)", "signalfd4(2)", "socketpair(2)",
                                    "pipe2(2)",        "prctl(2)",     "ftruncate(2)",
                                    "fcntl(2)",        "clone(2)",     "setsid(2)"};

/* Try the call of this row without effect. Some get what they reject where they are allowed. */
static int try_call(size_t row) {
    int fds[] = {-1, -1}, result, signal_number;
    const proc_command nothing = {"", (char *[]){NULL}, (char *[]){NULL}};
    const proc_setup setup = {.place = PROC_OWN_SESSION};
    proc none;
    switch (row) {
    case 0: result = fds[0] = memfd_create("refused", MFD_CLOEXEC); break;
    case 1: result = fds[0] = signalfd(-1, &setup.mask, SFD_CLOEXEC); break;
    case 2: result = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds); break;
    case 3: result = pipe2(fds, O_CLOEXEC); break;
    case 4: result = prctl(PR_GET_PDEATHSIG, &signal_number); break;
    case 5: result = ftruncate(-1, 0); break;
    case 6: result = fcntl(-1, F_GETFD); break;
    case 7: result = (int)syscall(SYS_clone, CLONE_SIGHAND, CLONE_SIGHAND, NULL, NULL, 0); break;
    default: return proc_spawn(&nothing, &setup, &none);
    }
    const int error = result < 0 ? errno : 0;
    if (fds[0] >= 0) close(fds[0]);
    if (fds[1] >= 0) close(fds[1]);
    return error;
}

const char *refused_call(int *error_number) {
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        *error_number = try_call(i);
        if (*error_number == EPERM || *error_number == ENOSYS) return calls[i];
    }
    return NULL;
}
