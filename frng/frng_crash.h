/* frng_crash.h: where a run crashed, for frng_main.h.
 *
 * A driver that wants it (FRNG_WANTS_CRASH) gets the frames of a signal that ends the run, as text
 * in the place of a site: "@offset@offset file", the innermost first, offsets in hexadecimal. They
 * are of the first file that is no library of the system; a long path is its name alone. A stack
 * overflow is "@overflow". A handler writes this, on a stack of its own, and raises the signal
 * again. It is there only where nothing handles the signal yet, as sanitizers do.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_CRASH_H
#define FRNG_CRASH_H

#include "frng_protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Strict C11 hides what this takes. */
#if defined(SA_SIGINFO) && defined(SA_ONSTACK) && defined(SS_DISABLE)

enum { FRNG__CRASH_FRAMES = 32, FRNG__CRASH_OWN = 6, FRNG__CRASH_FILE_MAX = 90 };

typedef struct frng__crash_state {
    char *site; /* of the report, `room` bytes */
    size_t room;
    pid_t pid;
    void *volatile thread; /* the address of the errno of the one that crashed first */
    volatile sig_atomic_t number;
    int count;
    void *frames[FRNG__CRASH_FRAMES];
    uintptr_t offsets[FRNG__CRASH_FRAMES]; /* in their files; 0: in none of the program */
    int files[FRNG__CRASH_FRAMES];         /* the files in the order of the map */
    char file[512], last[512];             /* of the innermost frame; of the line before */
    int innermost;
    int (*backtrace)(void **frames, int count); /* of the C library, or NULL */
} frng__crash_state;

static inline frng__crash_state *frng__crash(void) {
    static frng__crash_state state;
    return &state;
}

/* dlsym, for backtrace of glibc: a test may have a function of that name. A program that is linked
 * to no shared library has neither. */
#ifdef __cplusplus
extern "C" {
#endif
static int (*frng__crash_function(void *where, const char *name))(void **frames, int count)
    __attribute__((weakref("dlsym"), unused));
/* Of libgcc, which a static program has if anything in it unwinds, as glibc does. */
static int frng__crash_unwind(int (*take)(void *context, void *frames), void *frames)
    __attribute__((weakref("_Unwind_Backtrace"), unused));
static uintptr_t frng__crash_counter(void *context)
    __attribute__((weakref("_Unwind_GetIP"), unused));
#ifdef __cplusplus
}
#endif

FRNG__ONCE int frng__crash_take_frame(void *context, void *frames) {
    void ***next = (void ***)frames;
    *(*next)++ = (void *)frng__crash_counter(context);
    return *next < frng__crash()->frames + FRNG__CRASH_FRAMES ? 0 : 5; /* _URC_END_OF_STACK */
}

/* backtrace without glibc's shared library, into the frames of the state. */
FRNG__ONCE int frng__crash_walk(void **frames, int count) {
    void **next = frames;
    if (count > 1) frng__crash_unwind(frng__crash_take_frame, &next);
    return (int)(next - frames);
}

/* Take a line of /proc/self/maps: "start-end perms offset device inode  file". */
FRNG__ONCE void frng__crash_take_line(const char *line, int *files) {
    frng__crash_state *s = frng__crash();
    char *rest;
    const uintptr_t start = (uintptr_t)strtoull(line, &rest, 16);
    const uintptr_t end = *rest == '-' ? (uintptr_t)strtoull(rest + 1, &rest, 16) : start;
    const uintptr_t offset = strlen(rest) > 6 ? (uintptr_t)strtoull(rest + 6, NULL, 16) : 0;
    const char *file = strchr(rest, '/');
    int i;
    if (file == NULL || strncmp(file, "/lib", 4) == 0 || strncmp(file, "/usr/lib", 8) == 0) return;
    if (strcmp(file, s->last) != 0) ++*files;
    memcpy(s->last, file, strlen(file) + 1);
    for (i = 0; i < s->count; i++) {
        const uintptr_t at = (uintptr_t)s->frames[i] - (i > 0); /* others are where calls return */
        if (at < start || at >= end) continue;
        s->offsets[i] = at - start + offset;
        s->files[i] = *files;
        if (i > s->innermost) continue;
        s->innermost = i;
        memcpy(s->file, s->last, sizeof s->file);
    }
}

/* Find the frames in the files of the program. */
FRNG__ONCE void frng__crash_read_map(void) {
    static char line[512], piece[4096];
    const int map = open("/proc/self/maps", O_RDONLY);
    size_t length = 0;
    ssize_t count, i;
    int files = 0;
    while (map >= 0 && (count = read(map, piece, sizeof piece)) > 0) {
        for (i = 0; i < count; i++) {
            if (piece[i] != '\n' && length + 1 < sizeof line) line[length++] = piece[i];
            if (piece[i] != '\n') continue;
            line[length] = '\0';
            frng__crash_take_line(line, &files);
            length = 0;
        }
    }
    if (map >= 0) close(map);
}

/* Write the frames that are in the innermost one's file. */
FRNG__ONCE void frng__crash_write(void) {
    frng__crash_state *s = frng__crash();
    const char *file = s->file;
    size_t at = 0, length;
    int i, own = 0;
    s->innermost = FRNG__CRASH_FRAMES;
    memset(s->offsets, 0, sizeof s->offsets);
    frng__crash_read_map();
    length = strlen(file);
    if (length > FRNG__CRASH_FILE_MAX) file = strrchr(file, '/') + 1;
    length = strlen(file);
    if (length > FRNG__CRASH_FILE_MAX) return;
    for (i = s->innermost; i < s->count && own < FRNG__CRASH_OWN; i++) {
        int digit = (int)sizeof(uintptr_t) * 2;
        if (s->offsets[i] == 0 || s->files[i] != s->files[s->innermost]) continue;
        while (digit > 1 && s->offsets[i] >> (digit - 1) * 4 == 0) digit--;
        if (at + (size_t)digit + length + 3 > s->room) break;
        s->site[at++] = '@';
        while (digit-- > 0) s->site[at++] = "0123456789abcdef"[s->offsets[i] >> digit * 4 & 15];
        own++;
    }
    if (own == 0) return;
    s->site[at++] = ' ';
    memcpy(s->site + at, file, length + 1);
}

/* False if the kernel cannot read there. */
FRNG__ONCE bool frng__crash_can_read(uintptr_t at) {
    return access((const char *)at, F_OK) == 0 || errno != EFAULT;
}

/* Read where the signal came: the program counter, the stack pointer, and, as after a call, where
 * that returns to. They are 0 where their place is not known. */
FRNG__ONCE void frng__crash_read_context(const void *context, uintptr_t at[3]) {
    at[0] = at[1] = at[2] = 0;
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
#ifdef __aarch64__
    enum { COUNTER = 33, STACK = 32, RETURN = 31 };
#else
    enum { COUNTER = sizeof(long) == 8 ? 16 : 14, STACK = sizeof(long) == 8 ? 15 : 7, RETURN = 0 };
#endif
    const ucontext_t *all = (const ucontext_t *)context;
    uintptr_t words[40];
    memcpy(words, &all->uc_mcontext,
           sizeof words < sizeof all->uc_mcontext ? sizeof words : sizeof all->uc_mcontext);
    at[0] = words[COUNTER];
    at[1] = words[STACK];
    if (RETURN != 0)
        at[2] = words[RETURN];
    else if (frng__crash_can_read(at[1]))
        memcpy(&at[2], (const void *)at[1], sizeof at[2]);
#else
    (void)context;
#endif
}

/* Find the frames beyond the innermost, which is known on most machines. */
FRNG__ONCE int frng__crash_find_frames(void *counter) {
    enum { OWN = 4 }; /* this function, two that called it, and what the kernel calls then */
    void **frames = frng__crash()->frames;
    const int count = frng__crash()->backtrace(frames, FRNG__CRASH_FRAMES);
    int first = counter != NULL ? 0 : OWN;
    while (counter != NULL && first < count && frames[first] != counter) first++;
    memmove(frames, frames + first, (size_t)(FRNG__CRASH_FRAMES - first) * sizeof *frames);
    return count - first;
}

/* Write where the run crashed, unless there is a site. A call of what is no code has only the frame
 * of its caller. The search for frames reads the code, and crashes if the stack is spoiled: what is
 * written then stays. */
FRNG__ONCE void frng__crash_find(int number, const siginfo_t *info, const void *context) {
    enum { BELOW = 1 << 16 };
    frng__crash_state *s = frng__crash();
    const uintptr_t fault = (uintptr_t)info->si_addr;
    uintptr_t at[3];
    if (s->pid != getpid() || s->site[0] != '\0') return;
    frng__crash_read_context(context, at);
    if ((number == SIGSEGV || number == SIGBUS) && at[1] != 0 &&
        ((fault <= at[1] && fault + BELOW > at[1]) || !frng__crash_can_read(at[1]))) {
        memcpy(s->site, "@overflow", sizeof "@overflow");
        return;
    }
    s->frames[0] = (void *)at[0];
    s->frames[1] = (void *)at[2];
    s->count = at[1] != 0 && !frng__crash_can_read(at[0]) ? 2 : 1;
    if (at[1] != 0) frng__crash_write();
    if (s->count > 1 || s->backtrace == NULL) return;
    s->count = frng__crash_find_frames((void *)at[0]);
    frng__crash_write();
}

FRNG__ONCE void frng__crash_handle(int number, siginfo_t *info, void *context) {
    frng__crash_state *s = frng__crash();
    void *none = NULL;
    if (__atomic_compare_exchange_n(&s->thread, &none, (void *)&errno, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
        s->number = number;
        frng__crash_find(number, info, context);
    } else if (none != (void *)&errno) {
        for (;;) pause(); /* the other thread ends the run */
    }
    number = (int)s->number; /* also if this handler crashed */
    signal(number, SIG_DFL);
    raise(number);
}

/* Let the handler write to a site, where nothing else handles the signals. */
FRNG__ONCE void frng__crash_watch(char *site, size_t room) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static char stack[1 << 16];
    void *const behind = (void *)-1; /* RTLD_NEXT: in the libraries */
    frng__crash_state *s = frng__crash();
    struct sigaction action, before;
    stack_t own;
    size_t i;
    for (i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &before) != 0 || before.sa_handler != SIG_DFL) return;
    }
    if (sigaltstack(NULL, &own) != 0 || (own.ss_flags & SS_DISABLE) == 0) return;
    memset(&own, 0, sizeof own);
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    if (sigaltstack(&own, NULL) != 0) return;
    s->site = site;
    s->room = room;
    s->pid = getpid();
    if (frng__crash_function != NULL) s->backtrace = frng__crash_function(behind, "backtrace");
    if (s->backtrace == NULL && frng__crash_unwind != NULL && frng__crash_counter != NULL)
        s->backtrace = frng__crash_walk;
    if (s->backtrace != NULL) s->backtrace(s->frames, 1); /* loads what it needs */
    memset(&action, 0, sizeof action);
    action.sa_sigaction = frng__crash_handle;
    action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
    for (i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

#else
FRNG__ONCE void frng__crash_watch(char *site, size_t room) { (void)site, (void)room; }
#endif
#endif
