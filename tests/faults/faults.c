#include "faults.h"

#include "calls.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// clang-format off
typedef enum kind {
#define KIND(name, ...) KIND_##name,
    CALLS(KIND) SPECIAL_CALLS(KIND) KINDS
#undef KIND
} kind;

static const char names[KINDS][FAULTS_NAME_MAX] = {
#define NAME(name, ...) #name,
    CALLS(NAME) SPECIAL_CALLS(NAME)
#undef NAME
};

/* The linker's names: of the C library's own function, and of the wrapper that tools call. */
#define DECLARE(name, type, failure, parameters, arguments, errors) \
    type __real_##name parameters; \
    type __wrap_##name parameters;
CALLS(DECLARE)
// clang-format on

int __real_fork(void);
int __wrap_fork(void);
int __real_close(int fd);
int __wrap_close(int fd);
int __real_clone(int (*run)(void *), void *stack, int flags, void *argument, void *a, void *b,
                 void *c);
int __wrap_clone(int (*run)(void *), void *stack, int flags, void *argument, void *a, void *b,
                 void *c);
long __real_syscall(long what, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long what, long a, long b, long c, long d, long e, long f);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

_Static_assert((int)KINDS < (int)FAULTS_KINDS_MAX, "there is no room in the log");

/* Calls that are to fail. */
typedef struct plan {
    faults_role role;
    kind kind;
    uint64_t first, last; /* numbers */
    int error;
} plan;

enum { ASSERTION = -1 }; /* in place of an errno: an assertion fails in the call */

static plan plans[FAULTS_PLANS_MAX];
static size_t plan_count;
static faults_role role;
static faults_log *seen; /* shared with processes that are forked; NULL before the beginning */
extern const char __executable_start;

/* Count a call. Whether it is to fail, with errno set. */
static bool fails(kind k, const void *caller) {
    if (seen == NULL) return false;
    const uint64_t number = 1 + __atomic_fetch_add(&seen->made[role][k], 1, __ATOMIC_RELAXED);
    const uint64_t at = __atomic_fetch_add(&seen->count, 1, __ATOMIC_RELAXED);
    const uint64_t site = (uint64_t)((uintptr_t)caller - (uintptr_t)&__executable_start);
    if (at < seen->capacity) {
        seen->records[at] = (faults_record){(uint16_t)role, (uint16_t)k, (uint32_t)number, site};
    }
    for (size_t i = 0; i < plan_count; i++) {
        const plan *p = &plans[i];
        if (p->role != role || p->kind != k || number < p->first || number > p->last) continue;
        __atomic_fetch_add(&seen->injected, 1, __ATOMIC_RELAXED);
        assert(p->error != ASSERTION);
        errno = p->error;
        return true;
    }
    return false;
}

#define DEFINE(name, type, failure, parameters, arguments, errors)                                 \
    type __wrap_##name parameters {                                                                \
        if (fails(KIND_##name, __builtin_return_address(0))) return failure;                       \
        return __real_##name arguments;                                                            \
    }
CALLS(DEFINE)

int __wrap_asprintf(char **text, const char *format, ...) {
    va_list more;
    if (fails(KIND_asprintf, __builtin_return_address(0))) return -1;
    va_start(more, format);
    const int length = __real_vasprintf(text, format, more);
    va_end(more);
    return length;
}

int __wrap_fork(void) {
    if (fails(KIND_fork, __builtin_return_address(0))) return -1;
    const int pid = __real_fork();
    if (pid == 0) role = FAULTS_WORKER;
    return pid;
}

/* Where it forks, too. */
long __wrap_syscall(long what, long a, long b, long c, long d, long e, long f) {
    if (fails(KIND_syscall, __builtin_return_address(0))) return -1;
    const long result = __real_syscall(what, a, b, c, d, e, f);
    if (what == SYS_clone && result == 0) role = FAULTS_WORKER;
    return result;
}

/* What a child that has memory of its own begins with. */
typedef struct beginning {
    int (*run)(void *);
    void *argument;
} beginning;

static int begin_worker(void *argument) {
    const beginning *b = argument;
    role = FAULTS_WORKER;
    return b->run(b->argument);
}

int __wrap_clone(int (*run)(void *), void *stack, int flags, void *argument, void *a, void *b,
                 void *c) {
    beginning worker = {run, argument};
    if (fails(KIND_clone, __builtin_return_address(0))) return -1;
    if ((flags & CLONE_VM) != 0) return __real_clone(run, stack, flags, argument, a, b, c);
    return __real_clone(begin_worker, stack, flags, &worker, a, b, c);
}

/* A descriptor is closed whatever close says of it. */
int __wrap_close(int fd) {
    const bool is_to_fail = fails(KIND_close, __builtin_return_address(0));
    const int error = errno;
    const int result = __real_close(fd);
    if (!is_to_fail) return result;
    errno = error;
    return -1;
}

/* ---- Plans and logs ---- */

static bool parse_error(const char *name, int *error) {
    *error = ASSERTION;
    if (strcmp(name, "ASSERTION") == 0) return true;
    for (int i = 1; i < 200; i++) {
        const char *known = strerrorname_np(i);
        if (known == NULL || strcmp(known, name) != 0) continue;
        *error = i;
        return true;
    }
    return false;
}

/* Take one plan, and what is after it. NULL when it is none. */
static const char *parse_plan(const char *text, plan *p) {
    char who[8], what[FAULTS_NAME_MAX], error[16];
    int length = 0;
    *p = (plan){.kind = KINDS};
    if (sscanf(text, "%7[a-z]:%19[a-z0-9_]:%" SCNu64 "%n", who, what, &p->first, &length) != 3)
        return NULL;
    text += length;
    p->last = *text == '+' ? UINT64_MAX : p->first;
    if (*text == '+') text++;
    if (sscanf(text, ":%15[A-Z0-9]%n", error, &length) != 1) return NULL;
    p->role = strcmp(who, "worker") == 0 ? FAULTS_WORKER : FAULTS_DRIVER;
    for (kind k = 0; k < KINDS; k++) {
        if (strcmp(names[k], what) == 0) p->kind = k;
    }
    const bool ok = (p->role == FAULTS_WORKER || strcmp(who, "driver") == 0) && p->kind < KINDS &&
                    p->first > 0 && parse_error(error, &p->error);
    return ok ? text + length : NULL;
}

bool faults_plan(const char *text) {
    plan_count = 0;
    do {
        if (plan_count == FAULTS_PLANS_MAX) return false;
        text = parse_plan(text, &plans[plan_count]);
        if (text == NULL) return false;
        plan_count++;
    } while (*text++ == ',');
    return text[-1] == '\0';
}

/* Shared memory for a log, in a file or in none. */
static bool make_log(int fd, uint64_t capacity) {
    const size_t size = sizeof *seen + capacity * sizeof seen->records[0];
    if (fd >= 0 && __real_ftruncate64(fd, (long)size) != 0) return false;
    faults_log *made = __real_mmap64(NULL, size, PROT_READ | PROT_WRITE,
                                     fd >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, fd, 0);
    if (made == MAP_FAILED) return false;
    made->capacity = capacity;
    memcpy(made->names, names, sizeof names);
    seen = made;
    return true;
}

bool faults_keep_log(const char *path) {
    enum { RECORDS = 1 << 17 };
    const int fd = __real_open64(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    const bool ok = make_log(fd, RECORDS);
    __real_close(fd);
    return ok;
}

bool faults_begin(void) {
    role = FAULTS_DRIVER;
    return seen != NULL || make_log(-1, 0);
}
