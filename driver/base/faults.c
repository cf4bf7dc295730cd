#include "faults.h"

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
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls: name, type, what it returns when it fails, parameters, arguments. Those with an
 * ellipsis get what can follow it, which is how they are called on all that Linux runs on.
 * driver/meson.build lists the same names for the linker, which notices any difference. */
// clang-format off
#define CALLS(CALL) \
    CALL(access, int, -1, (const char *path, int mode), (path, mode)) \
    CALL(calloc, void *, NULL, (size_t count, size_t size), (count, size)) \
    CALL(chdir, int, -1, (const char *path), (path)) \
    CALL(dup2, int, -1, (int from, int to), (from, to)) \
    CALL(execve, int, -1, (const char *path, char *const *argv, char *const *envp), \
         (path, argv, envp)) \
    CALL(faccessat, int, -1, (int at, const char *path, int mode, int flags), \
         (at, path, mode, flags)) \
    CALL(fchmod, int, -1, (int fd, mode_t mode), (fd, mode)) \
    CALL(fchmodat, int, -1, (int at, const char *path, mode_t mode, int flags), \
         (at, path, mode, flags)) \
    CALL(fcntl, int, -1, (int fd, int what, void *more), (fd, what, more)) \
    CALL(fcntl64, int, -1, (int fd, int what, void *more), (fd, what, more)) \
    CALL(fdopendir, DIR *, NULL, (int fd), (fd)) \
    CALL(flock, int, -1, (int fd, int how), (fd, how)) \
    CALL(fflush, int, EOF, (FILE * file), (file)) \
    CALL(fopen, FILE *, NULL, (const char *path, const char *mode), (path, mode)) \
    CALL(fopen64, FILE *, NULL, (const char *path, const char *mode), (path, mode)) \
    CALL(fputs, int, EOF, (const char *text, FILE *file), (text, file)) \
    CALL(fstat, int, -1, (int fd, void *status), (fd, status)) \
    CALL(fstat64, int, -1, (int fd, void *status), (fd, status)) \
    CALL(fstatat, int, -1, (int at, const char *path, void *status, int flags), \
         (at, path, status, flags)) \
    CALL(fstatat64, int, -1, (int at, const char *path, void *status, int flags), \
         (at, path, status, flags)) \
    CALL(fsync, int, -1, (int fd), (fd)) \
    CALL(ftruncate, int, -1, (int fd, long size), (fd, size)) \
    CALL(ftruncate64, int, -1, (int fd, int64_t size), (fd, size)) \
    CALL(kill, int, -1, (pid_t pid, int number), (pid, number)) \
    CALL(lseek, long, -1, (int fd, long offset, int whence), (fd, offset, whence)) \
    CALL(lseek64, int64_t, -1, (int fd, int64_t offset, int whence), (fd, offset, whence)) \
    CALL(lstat, int, -1, (const char *path, void *status), (path, status)) \
    CALL(lstat64, int, -1, (const char *path, void *status), (path, status)) \
    CALL(malloc, void *, NULL, (size_t size), (size)) \
    CALL(memfd_create, int, -1, (const char *name, unsigned flags), (name, flags)) \
    CALL(mkdir, int, -1, (const char *path, mode_t mode), (path, mode)) \
    CALL(mkdtemp, char *, NULL, (char *path), (path)) \
    CALL(mmap, void *, MAP_FAILED, \
         (void *at, size_t size, int protection, int flags, int fd, long offset), \
         (at, size, protection, flags, fd, offset)) \
    CALL(mmap64, void *, MAP_FAILED, \
         (void *at, size_t size, int protection, int flags, int fd, int64_t offset), \
         (at, size, protection, flags, fd, offset)) \
    CALL(mount, int, -1, \
         (const char *source, const char *target, const char *type, unsigned long flags, \
          const void *data), \
         (source, target, type, flags, data)) \
    CALL(open, int, -1, (const char *path, int flags, mode_t mode), (path, flags, mode)) \
    CALL(open64, int, -1, (const char *path, int flags, mode_t mode), (path, flags, mode)) \
    CALL(opendir, DIR *, NULL, (const char *path), (path)) \
    CALL(open_memstream, FILE *, NULL, (char **text, size_t *size), (text, size)) \
    CALL(openat, int, -1, (int at, const char *path, int flags, mode_t mode), \
         (at, path, flags, mode)) \
    CALL(openat64, int, -1, (int at, const char *path, int flags, mode_t mode), \
         (at, path, flags, mode)) \
    CALL(pipe2, int, -1, (int *ends, int flags), (ends, flags)) \
    CALL(poll, int, -1, (struct pollfd * fds, nfds_t count, int timeout_ms), \
         (fds, count, timeout_ms)) \
    CALL(prctl, int, -1, \
         (int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d), \
         (what, a, b, c, d)) \
    CALL(pread, ssize_t, -1, (int fd, void *bytes, size_t size, long offset), \
         (fd, bytes, size, offset)) \
    CALL(pread64, ssize_t, -1, (int fd, void *bytes, size_t size, int64_t offset), \
         (fd, bytes, size, offset)) \
    CALL(pwrite, ssize_t, -1, (int fd, const void *bytes, size_t size, long offset), \
         (fd, bytes, size, offset)) \
    CALL(pwrite64, ssize_t, -1, (int fd, const void *bytes, size_t size, int64_t offset), \
         (fd, bytes, size, offset)) \
    CALL(read, ssize_t, -1, (int fd, void *bytes, size_t size), (fd, bytes, size)) \
    CALL(readdir, struct dirent *, NULL, (DIR * folder), (folder)) \
    CALL(readdir64, void *, NULL, (DIR * folder), (folder)) \
    CALL(readlink, ssize_t, -1, (const char *path, char *text, size_t size), (path, text, size)) \
    CALL(realloc, void *, NULL, (void *old, size_t size), (old, size)) \
    CALL(reallocarray, void *, NULL, (void *old, size_t count, size_t size), (old, count, size)) \
    CALL(realpath, char *, NULL, (const char *path, char *whole), (path, whole)) \
    CALL(recv, ssize_t, -1, (int fd, void *bytes, size_t size, int flags), \
         (fd, bytes, size, flags)) \
    CALL(recvmsg, ssize_t, -1, (int fd, struct msghdr *message, int flags), (fd, message, flags)) \
    CALL(rename, int, -1, (const char *from, const char *to), (from, to)) \
    CALL(renameat, int, -1, (int from_at, const char *from, int to_at, const char *to), \
         (from_at, from, to_at, to)) \
    CALL(rmdir, int, -1, (const char *path), (path)) \
    CALL(send, ssize_t, -1, (int fd, const void *bytes, size_t size, int flags), \
         (fd, bytes, size, flags)) \
    CALL(sendmsg, ssize_t, -1, (int fd, const struct msghdr *message, int flags), \
         (fd, message, flags)) \
    CALL(setpgid, int, -1, (pid_t pid, pid_t group), (pid, group)) \
    CALL(setrlimit, int, -1, (int what, const void *limit), (what, limit)) \
    CALL(setrlimit64, int, -1, (int what, const void *limit), (what, limit)) \
    CALL(setsid, pid_t, -1, (void), ()) \
    CALL(signalfd, int, -1, (int fd, const sigset_t *set, int flags), (fd, set, flags)) \
    CALL(socketpair, int, -1, (int domain, int type, int protocol, int *ends), \
         (domain, type, protocol, ends)) \
    CALL(stat, int, -1, (const char *path, void *status), (path, status)) \
    CALL(stat64, int, -1, (const char *path, void *status), (path, status)) \
    CALL(statfs, int, -1, (const char *path, void *status), (path, status)) \
    CALL(statfs64, int, -1, (const char *path, void *status), (path, status)) \
    CALL(strdup, char *, NULL, (const char *text), (text)) \
    CALL(strndup, char *, NULL, (const char *text, size_t size), (text, size)) \
    CALL(symlink, int, -1, (const char *to, const char *path), (to, path)) \
    CALL(timerfd_create, int, -1, (int clock, int flags), (clock, flags)) \
    CALL(umount2, int, -1, (const char *path, int flags), (path, flags)) \
    CALL(unlink, int, -1, (const char *path), (path)) \
    CALL(unlinkat, int, -1, (int at, const char *path, int flags), (at, path, flags)) \
    CALL(unshare, int, -1, (int flags), (flags)) \
    CALL(vasprintf, int, -1, (char **text, const char *format, va_list more), \
         (text, format, more)) \
    CALL(wait4, pid_t, -1, (pid_t pid, int *status, int flags, void *usage), \
         (pid, status, flags, usage)) \
    CALL(waitid, int, -1, (int what, unsigned id, void *info, int flags), (what, id, info, flags)) \
    CALL(waitpid, pid_t, -1, (pid_t pid, int *status, int flags), (pid, status, flags)) \
    CALL(write, ssize_t, -1, (int fd, const void *bytes, size_t size), (fd, bytes, size))
/* And those that are more than a call. */
#define SPECIAL_CALLS(CALL) CALL(asprintf, int) CALL(clone, int) CALL(close, int) CALL(fork, int) \
    CALL(syscall, long)

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

/* What the linker makes of them; of those of C's library, as other programs know them. */
#define DECLARE(name, type, failure, parameters, arguments) \
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

static plan plans[FAULTS_PLANS_MAX];
static size_t plan_count;
static faults_role role;
static faults_log *seen; /* report_shm with those that are forked; NULL before the beginning */
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
        errno = p->error;
        return true;
    }
    return false;
}

#define DEFINE(name, type, failure, parameters, arguments)                                         \
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
    char who[8], what[FAULTS_NAME_MAX], plus[2] = "", error[16];
    int length = 0;
    *p = (plan){.kind = KINDS};
    if (sscanf(text, "%7[a-z]:%19[a-z0-9_]:%" SCNu64 "%1[+]:%15[A-Z0-9]%n", who, what, &p->first,
               plus, error, &length) != 5) {
        plus[0] = '\0';
        if (sscanf(text, "%7[a-z]:%19[a-z0-9_]:%" SCNu64 ":%15[A-Z0-9]%n", who, what, &p->first,
                   error, &length) != 4) {
            return NULL;
        }
    }
    p->last = plus[0] == '+' ? UINT64_MAX : p->first;
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
    if (fd >= 0 && __real_ftruncate(fd, (long)size) != 0) return false;
    faults_log *made = __real_mmap(NULL, size, PROT_READ | PROT_WRITE,
                                   fd >= 0 ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS, fd, 0);
    if (made == MAP_FAILED) return false;
    made->capacity = capacity;
    memcpy(made->names, names, sizeof names);
    seen = made;
    return true;
}

bool faults_keep_log(const char *path) {
    enum { RECORDS = 1 << 17 };
    const int fd = __real_open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return false;
    const bool ok = make_log(fd, RECORDS);
    __real_close(fd);
    return ok;
}

bool faults_begin(void) {
    role = FAULTS_DRIVER;
    return seen != NULL || make_log(-1, 0);
}
