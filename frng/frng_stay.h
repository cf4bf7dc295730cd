/* frng_stay.h: a process that stays between the orders of a driver, for frng_main.h.
 *
 * A fork takes 0.3 ms, a run of a small test a microsecond. So where the driver allows it, the
 * process that has made the runs of an order answers, and reads the next order, while its server
 * sleeps. An order that is not for it it passes on, and stops until the next one that is. A failure
 * need not end it: FRNG_ASSERT, and a test that returns false, leave the run by a jump to its
 * beginning. What the run had in its hands then stays behind, as memory, descriptors and locks. The
 * driver makes runs again in new processes to see whether that matters (PROTOCOL.md). In C++ it is
 * an exception, so that destructors run; whatever the test does with it, the run has failed.
 *
 * No run is left by a jump in another thread, fiber or process than that in which it began, nor
 * while other threads live, while SIGABRT has a handler, while leaks are looked for, in a program
 * with fibers in it, or in one in C with C++ in it. Such a run ends its process, as does any crash.
 * A process ends by itself once runs have left much, and now and then in any case.
 *
 * A search asks for less: its runs that fail as the driver knows already are left and counted, and
 * the process goes on within its order, at the end of which it ends. Such runs are many, and a call
 * to the kernel takes longer than a short one. So handlers, threads and the mask of signals are
 * looked at before some of them only.
 *
 * FRNG_NO_JUMP=1 in the environment turns all this off. SPDX-License-Identifier: MIT */
#ifndef FRNG_STAY_H
#define FRNG_STAY_H

#include "frng.h"
#include "frng_leaks.h"
#include "frng_protocol.h"
#include "frng_ubsan.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Strict C11 hides what this takes; a guided run keeps state of its own. */
#if (!defined(__cplusplus) || defined(__cpp_exceptions)) && !defined(FRNG_GUIDED) &&               \
    !defined(FRNG_LIBFUZZER) && defined(SA_SIGINFO) && defined(MAP_ANONYMOUS) &&                   \
    defined(F_DUPFD_CLOEXEC)
#define FRNG__CAN_STAY 1
#else
#define FRNG__CAN_STAY 0
#endif

#if FRNG__CAN_STAY

/* What the process tells its server when it stops, or ends. PASSES_ON: the server makes the order,
 * if there is one (type). */
enum { FRNG__STAY_BUSY, FRNG__STAY_STOPS, FRNG__STAY_ENDS, FRNG__STAY_PASSES_ON };

typedef struct frng__stay_shared {
    frng_message order;         /* in progress */
    volatile uint64_t state;    /* FRNG__STAY_... */
    volatile uint64_t status;   /* wait status of the run that failed; 0: none did */
    volatile uint64_t has_left; /* not 0: a child of the process lives */
    volatile uint64_t answered; /* not 0: the process has answered orders to the driver itself */
} frng__stay_shared;

typedef struct frng__stay_state {
    frng__stay_shared *shared; /* NULL: no process can stay */
    pid_t child;               /* of the server: the process that stays, or 0 */
    bool is_awaited;           /* that of the order in progress may stay */
    /* Of the process: */
#ifndef __cplusplus
    jmp_buf start;
#endif
    sigset_t mask;
    bool has_masked;         /* a run was left with another mask */
    const char *base;        /* its stack, where a jump leads to */
    void *thread;            /* the address of its errno */
    volatile uint64_t *mark; /* not 0 in this process, 0 in its children; NULL: no such memory */
    pid_t pid;
    int control; /* its own descriptor of the socket to the driver, or -1 */
    struct stat socket, entropy_file;
    int unused; /* its lowest descriptor that is not in use */
    long memory_kb;
    uint64_t orders, jumps, looked; /* the last at the last look at descriptors */
    volatile bool is_in_run;
    volatile int left;     /* wait status of the run that was left; 0: none was */
    volatile uint64_t run; /* in progress, by its index in the order */
    bool stays;            /* the order in progress lets the process stay */
    frng_report *report;
    frng_known_table *counted;  /* the order counts known failures; or NULL */
    uint64_t known, used, room; /* how many there are; runs that ended so, and the most of them */
    frng_known_failure failures[FRNG_KNOWN_MAX]; /* copies */
} frng__stay_state;

static inline frng__stay_state *frng__stay(void) {
    static frng__stay_state state;
    return &state;
}

/* True if the C library knows that the process has one thread. */
extern char frng__is_single __asm__("__libc_single_threaded") __attribute__((weak));

/* Parts of a program that a jump would harm, or that need its exit: NULL without them. */
extern char frng__has_fibers __asm__("frng__fibers") __attribute__((weak));
#ifndef __cplusplus
extern char frng__has_cpp __asm__("__gxx_personality_v0") __attribute__((weak));
#endif
extern char frng__has_gcov __asm__("__gcov_dump") __attribute__((weak));
extern char frng__has_profile __asm__("__llvm_profile_write_file") __attribute__((weak));

/* Map the memory that the kernel clears in children, and set it. */
FRNG__ONCE void frng__stay_mark(void) {
#ifdef MADV_WIPEONFORK
    enum { SIZE = 1 }; /* a page */
    void *mark = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mark == MAP_FAILED || madvise(mark, SIZE, MADV_WIPEONFORK) != 0) return;
    frng__stay()->mark = (volatile uint64_t *)mark;
    *frng__stay()->mark = 1;
#endif
}

/* Prepare the server for processes that stay. Return the flag of HELLO, or 0. */
FRNG__ONCE uint64_t frng__stay_prepare(void) {
    const char *off = getenv("FRNG_NO_JUMP");
    const bool has_exit = &frng__has_gcov != NULL || &frng__has_profile != NULL;
    void *shared;
    if (has_exit || &frng__has_fibers != NULL) return 0;
#ifndef __cplusplus
    if (&frng__has_cpp != NULL) return 0;
#endif
    if (off != NULL && off[0] != '\0' && strcmp(off, "0") != 0) return 0;
    if (frng__stay()->shared != NULL) return FRNG_CAN_STAY; /* by an earlier check */
    shared = mmap(NULL, sizeof(frng__stay_shared), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 0;
    frng__stay()->shared = (frng__stay_shared *)shared;
    frng__stay_mark();
    return FRNG_CAN_STAY;
}

/* True if the process of this order may stay. */
FRNG__ONCE bool frng__stay_is_allowed(const frng_message *order) {
    const uint64_t both = FRNG_STAY | FRNG_ONE_PROCESS;
    return frng__stay()->shared != NULL && (order->flags & both) == both;
}

/* Let the process that stays make the runs of an order. Return its pid; 0 if none stays. */
FRNG__ONCE pid_t frng__stay_resume(const frng_message *order) {
    frng__stay_state *s = frng__stay();
    if (!frng__stay_is_allowed(order)) return 0;
    s->is_awaited = true;
    s->shared->order = *order;
    s->shared->state = FRNG__STAY_BUSY;
    s->shared->has_left = 0;
    s->shared->status = 0;
    s->shared->answered = 0;
    if (s->child != 0) kill(s->child, SIGCONT);
    return s->child;
}

/* Wait until a process ends, or has stopped to stay. Return as waitpid does. */
FRNG__ONCE pid_t frng__stay_await(pid_t child, int *ended) {
    const frng__stay_state *s = frng__stay();
    for (;;) {
        /* Orphans end, too, while a process stays: -1 */
        const pid_t which = s->is_awaited ? -1 : child;
        const pid_t reaped = waitpid(which, ended, s->is_awaited ? WUNTRACED : 0);
        if ((reaped < 0 && errno == EINTR) || (reaped > 0 && reaped != child)) continue;
        if (reaped < 0 || !WIFSTOPPED(*ended)) return reaped;
        if (s->shared->state != FRNG__STAY_BUSY) return reaped; /* else the test stops itself */
    }
}

/* Take what a process has told that could stay for further orders. Return flags of DONE. */
FRNG__ONCE uint64_t frng__stay_take(pid_t child, int ended, uint64_t *status) {
    frng__stay_state *s = frng__stay();
    uint64_t flags = 0;
    if (s->is_awaited) {
        const bool is_over = s->shared->state == FRNG__STAY_ENDS && ended == 0;
        const bool has_told = WIFSTOPPED(ended) || is_over;
        if (s->child == child || s->shared->answered != 0) flags |= FRNG_WARM;
        if (has_told) *status = s->shared->status;
        if (has_told && *status != 0) flags |= FRNG_WENT_ON;
        if (has_told && s->shared->has_left != 0) flags |= FRNG_LEFTOVER;
        s->child = WIFSTOPPED(ended) ? child : 0;
        s->is_awaited = false;
    }
    return s->child != 0 ? flags | FRNG_STAYED : flags;
}

/* True if the process of this order has answered it to the driver itself, and began others. Make
 * *order the last one. */
FRNG__ONCE bool frng__stay_went_on(frng_message *order) {
    if (!frng__stay_is_allowed(order) || frng__stay()->shared->answered == 0) return false;
    *order = frng__stay()->shared->order;
    return true;
}

/* True if it has passed on the next order, or the first one, or ended without any. */
FRNG__ONCE bool frng__stay_passes_on(void) {
    const frng__stay_shared *shared = frng__stay()->shared;
    return shared != NULL && shared->state == FRNG__STAY_PASSES_ON;
}

/* Take the order that the process that stays has passed on. False if it passed on none. */
FRNG__ONCE bool frng__stay_has_order(frng_message *order) {
    if (!frng__stay_passes_on()) return false;
    frng__stay()->shared->state = FRNG__STAY_BUSY;
    *order = frng__stay()->shared->order;
    return order->type != 0;
}

/* Return how many runs of the order have ended in known failures. */
static inline uint64_t frng__stay_counted(void) {
    const frng_known_table *counted = frng__stay()->counted;
    return counted != NULL ? counted->used : 0;
}

/* End the process that stays. */
FRNG__ONCE void frng__stay_end(void) {
    frng__stay_state *s = frng__stay();
    if (s->child == 0) return;
    kill(s->child, SIGKILL);
    while (waitpid(s->child, NULL, 0) < 0 && errno == EINTR) continue;
    s->child = 0;
}

/* ---- In the process ---- */

FRNG__ONCE int frng__stay_unused(void) {
    const int file = dup(STDERR_FILENO);
    if (file >= 0) close(file);
    return file;
}

/* Note what the process is before its first run. It keeps the socket to the driver, for its next
 * orders, where the test seldom meets it. */
FRNG__ONCE void frng__stay_begin(int entropy, int control) {
    enum { FAR = 500 };
    frng__stay_state *s = frng__stay();
    struct rusage used;
    struct stat file;
    memset(&file, 0, sizeof file);
    memset(&used, 0, sizeof used);
    getrusage(RUSAGE_SELF, &used);
    s->memory_kb = used.ru_maxrss;
    s->entropy_file = s->socket = file;
    s->control = s->stays ? fcntl(control, F_DUPFD_CLOEXEC, FAR) : -1;
    if (entropy >= 0) fstat(entropy, &s->entropy_file);
    if (s->control >= 0) fstat(s->control, &s->socket);
    s->unused = frng__stay_unused();
    s->pid = getpid();
    if (s->mark != NULL && *s->mark != 0) s->mark = NULL; /* an emulator may know no such memory */
    if (s->mark != NULL) *s->mark = 1;
    s->thread = &errno;
    s->orders = s->jumps = s->looked = 0;
    sigprocmask(SIG_SETMASK, NULL, &s->mask);
}

/* True if the runs that were left have kept much. *used becomes what the process has used. */
FRNG__COLD bool frng__stay_has_kept_much(struct rusage *used) {
    enum { MEMORY_KB = 64 << 10, DESCRIPTORS = 64 };
    frng__stay_state *s = frng__stay();
    const bool has_left = s->jumps > s->looked;
    s->looked = s->jumps;
    if (getrusage(RUSAGE_SELF, used) != 0 || used->ru_maxrss - s->memory_kb > MEMORY_KB)
        return true;
    return has_left && frng__stay_unused() > s->unused + DESCRIPTORS;
}

/* True in the process that began the run, and not in one that the test forked. */
static inline bool frng__stay_is_own(void) {
    const frng__stay_state *s = frng__stay();
    return s->mark != NULL ? *s->mark != 0 : s->pid == getpid();
}

/* True for the first, second, fourth, eighth ... jump, and each 256th, before which all is looked
 * at. */
static inline bool frng__stay_is_look_due(void) {
    const uint64_t jumps = frng__stay()->jumps;
    return (jumps & (jumps - 1)) == 0 || jumps % 256 == 0;
}

/* True if the process has one thread. The C library sees no thread that it has not made. */
static inline bool frng__stay_is_single(void) {
    enum { ALONE = 3 /* links to the folder of a process with one thread */ };
    struct stat tasks;
    if (&frng__is_single != NULL && frng__is_single != 0 && !frng__stay_is_look_due()) return true;
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == ALONE;
}

/* True if this is the process that began the run, and an abort would end it. Where known failures
 * are counted, the kernel is asked only now and then: a call to it takes as long as a run. */
static inline bool frng__stay_is_plain(void) {
    const frng__stay_state *s = frng__stay();
    struct sigaction on_abort;
    if (s->mark != NULL && *s->mark == 0) return false;
    if (s->mark != NULL && s->counted != NULL && !frng__stay_is_look_due()) return true;
    return s->pid == getpid() && sigaction(SIGABRT, NULL, &on_abort) == 0 &&
           on_abort.sa_handler == SIG_DFL;
}

/* True if the run in progress can be left by a jump from here, or its process go on. */
FRNG__COLD bool frng__stay_can_jump(void) {
    enum { STACK_MAX = 64 << 20 };
    const frng__stay_state *s = frng__stay();
    const frng__leak_state *leaks = frng__leaks();
    const char *here = (const char *)__builtin_frame_address(0);
    if (!s->is_in_run || s->thread != (void *)&errno) return false;
    if ((uintptr_t)s->base - (uintptr_t)here > STACK_MAX) return false;
    if (leaks->is_ready && leaks->wanted != FRNG_LEAKS_IGNORE) return false;
    if (frng__ubsan_has_reported()) return false;
    return frng__stay_is_plain() && frng__stay_is_single();
}

/* Return the number of the known failure that the run in progress has ended in; 0: it is new. */
FRNG__COLD uint32_t frng__stay_known(int status) {
    const frng__stay_state *s = frng__stay();
    const frng *f = (const frng *)(const void *)s->report->generator;
    uint32_t i;
    for (i = 0; i < s->known; i++) {
        const frng_known_failure *k = &s->failures[i];
        if (k->status == (uint64_t)status && k->least <= f->used &&
            strncmp(k->site, s->report->site, sizeof k->site) == 0)
            return i + 1;
    }
    return 0;
}

/* True if the failure of the run in progress is known, and its process can go on. */
FRNG__COLD bool frng__stay_counts(int status) {
    const frng__stay_state *s = frng__stay();
    struct rusage used;
    if (s->counted == NULL || s->used >= s->room || frng__stay_known(status) == 0) return false;
    return frng__stay_can_jump() && !(frng__stay_is_look_due() && frng__stay_has_kept_much(&used));
}

/* Count the run that has ended so, and was left. False if its failure is not known. */
FRNG__COLD bool frng__stay_count(int status) {
    frng__stay_state *s = frng__stay();
    const uint32_t number = s->counted != NULL ? frng__stay_known(status) : 0;
    frng_known_run *row;
    if (number == 0 || s->used >= s->room) return false;
    row = &s->counted->runs[s->used];
    row->run = (uint32_t)s->run;
    row->failure = number - 1;
    row->drawn = ((const frng *)(const void *)s->report->generator)->used;
    s->counted->used = ++s->used;
    s->report->site[0] = '\0';
    return true;
}

#ifdef __cplusplus
#define FRNG__LEAVE(what) extern "C" __attribute__((weak)) void frng__throw_##what(int status)
struct frng__left_run {};
#else
#define FRNG__LEAVE(what)                                                                          \
    void frng__leave_##what(int status);                                                           \
    __attribute__((weak)) void frng__leave_##what(int status)
#endif

static inline void frng__stay_jump(int status) {
    frng__stay_state *s = frng__stay();
    s->is_in_run = false;
    s->left = status;
#ifdef __cplusplus
    throw frng__left_run();
#else
    longjmp(s->start, 1);
#endif
}

/* Leave the run in progress as if its process had ended with this wait status. It returns if that
 * cannot be. frng_assert.h calls it. */
FRNG__LEAVE(run) {
    if (frng__stay()->stays && frng__stay_can_jump()) frng__stay_jump(status);
}

/* The same of a run whose failure is known. */
FRNG__LEAVE(known) {
    if (frng__stay()->is_in_run && frng__stay_counts(status)) frng__stay_jump(status);
}

/* True if the process goes on after a test that has failed by returning. */
static inline bool frng__stay_goes_on(int status) {
    frng__stay_state *s = frng__stay();
    if (!(s->stays ? frng__stay_can_jump() : frng__stay_counts(status))) return false;
    s->is_in_run = false;
    s->jumps++;
    return true;
}

/* True if the run in progress was left, also if its exception has gone no further. */
static inline bool frng__stay_has_left(void) { return frng__stay()->left != 0; }

/* Return the wait status of the run that was left. */
static inline int frng__stay_left(void) {
    frng__stay_state *s = frng__stay();
    const int left = s->left;
    s->left = 0;
    s->jumps++;
    if (s->counted == NULL || s->has_masked || frng__stay_is_look_due()) {
        sigset_t mask = s->mask;
        sigprocmask(SIG_SETMASK, &s->mask, &mask);
        s->has_masked |= memcmp(&mask, &s->mask, sizeof mask) != 0;
    }
    return left;
}

/* True if the runs may have left so much that the process should end. */
FRNG__ONCE bool frng__stay_is_worn(void) {
    enum { ORDERS = 1024, JUMPS = 256, CPU_US = 100000 };
    const frng__stay_state *s = frng__stay();
    struct rusage used;
    if (s->orders >= ORDERS || s->jumps >= JUMPS || alarm(0) > 0) return true;
    if (frng__stay_has_kept_much(&used)) return true;
    return used.ru_utime.tv_sec > 0 || used.ru_stime.tv_sec > 0 ||
           used.ru_utime.tv_usec + used.ru_stime.tv_usec > CPU_US;
}

/* True if a descriptor has the file that it had before the first run, which can close or replace
 * it. */
FRNG__ONCE bool frng__stay_is_file(int descriptor, const struct stat *before) {
    struct stat file;
    return descriptor >= 0 && fstat(descriptor, &file) == 0 && file.st_dev == before->st_dev &&
           file.st_ino == before->st_ino;
}

/* Answer an order, and read the next one. False if the server has to: the order is not one for this
 * process, or a test that simulates a disk or a network has left its calls failing. */
FRNG__ONCE bool frng__stay_exchange(uint64_t passed) {
    frng__stay_state *s = frng__stay();
    frng__stay_shared *shared = s->shared;
    const uint64_t size = sizeof shared->order, answered = shared->answered;
    frng_message done;
    ssize_t got;
    memset(&done, 0, sizeof done);
    done.type = FRNG_DONE;
    done.flags = FRNG_STAYED;
    if (s->orders > 1) done.flags |= FRNG_WARM;
    if (shared->status != 0) done.flags |= FRNG_WENT_ON;
    done.count = passed;
    done.status = shared->status;
    shared->order.type = 0;
    shared->answered = 1;
    shared->state = FRNG__STAY_PASSES_ON;
    if (write(s->control, &done, size) != (ssize_t)size) {
        shared->answered = answered;
        shared->state = FRNG__STAY_STOPS;
        return false;
    }
    while ((got = read(s->control, &shared->order, size)) < 0 && errno == EINTR) continue;
    if (got == 0) _exit(0); /* the driver has hung up */
    if (got != (ssize_t)size || !frng__stay_is_allowed(&shared->order)) return false;
    shared->state = FRNG__STAY_BUSY;
    shared->status = 0;
    return true;
}

/* Tell how the runs of an order have ended, and wait for the next order: to the driver, or, without
 * the socket, to the server, which then makes the process go on. */
FRNG__ONCE void frng__stay_answer(int status, uint64_t passed) {
    frng__stay_state *s = frng__stay();
    frng__stay_shared *shared = s->shared;
    pid_t reaped = 0;
    int i;
    fflush(NULL);
    s->orders++;
    for (i = 0; i < 1000 && (reaped = waitpid(-1, NULL, WNOHANG)) > 0; i++) continue;
    shared->has_left = reaped >= 0;
    shared->status = (uint64_t)status;
    shared->state = reaped >= 0 || frng__stay_is_worn() ? FRNG__STAY_ENDS : FRNG__STAY_STOPS;
    if (shared->state == FRNG__STAY_ENDS) _exit(0);
    /* a thread would go on between orders, unless the process is stopped */
    if (&frng__is_single == NULL || frng__is_single == 0 ||
        !frng__stay_is_file(s->control, &s->socket) || !frng__stay_exchange(passed))
        raise(SIGSTOP);
}

/* End the process before it has made a run of an order that it cannot take. */
FRNG__ONCE void frng__stay_refuse(void) {
    frng__stay()->shared->state = FRNG__STAY_PASSES_ON;
    _exit(0);
}

#else

FRNG__ONCE uint64_t frng__stay_prepare(void) { return 0; }
static inline bool frng__stay_has_left(void) { return false; }
static inline uint64_t frng__stay_counted(void) { return 0; }
FRNG__ONCE void frng__stay_end(void) {}
static inline bool frng__stay_goes_on(int status) {
    (void)status;
    return false;
}
FRNG__COLD bool frng__stay_counts(int status) {
    (void)status;
    return false;
}
FRNG__ONCE bool frng__stay_passes_on(void) { return false; }

FRNG__ONCE bool frng__stay_went_on(frng_message *order) {
    (void)order;
    return false;
}

FRNG__ONCE bool frng__stay_has_order(frng_message *order) {
    (void)order;
    return false;
}

FRNG__ONCE pid_t frng__stay_resume(const frng_message *order) {
    (void)order;
    return 0;
}

FRNG__ONCE pid_t frng__stay_await(pid_t child, int *ended) {
    pid_t reaped;
    while ((reaped = waitpid(child, ended, 0)) < 0 && errno == EINTR) continue;
    return reaped;
}

FRNG__ONCE uint64_t frng__stay_take(pid_t child, int ended, uint64_t *status) {
    (void)child, (void)ended, (void)status;
    return 0;
}

#endif
#endif
