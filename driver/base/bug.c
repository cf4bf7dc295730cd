#include "bug.h"

#include "messages.h"
#include "text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
