/* frng_leaks.h: finds the runs that leak memory, for frng_main.h.
 *
 * It is for programs with LeakSanitizer, which is part of AddressSanitizer, too.
 *
 * A leak check takes milliseconds, a run of a small test a microsecond. So a run is only checked if
 * it ends with more blocks than it began with, and does so again when it is made once more: then it
 * is no library that keeps a block since its first use. The check itself is made in a process of
 * its own, where the run has been made once before, without leaks that count. The leak check at the
 * exit is left out.
 *
 * All this needs a driver that asks for it (PROTOCOL.md). Without one, LeakSanitizer works as it
 * always does. SPDX-License-Identifier: MIT */
#ifndef FRNG_LEAKS_H
#define FRNG_LEAKS_H

#include "frng_protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define FRNG__LEAKS_LINKAGE extern "C"
#else
#define FRNG__LEAKS_LINKAGE
#endif

/* Functions of the sanitizers, NULL in other programs. The names are ours, so that a program may
 * include the headers of the sanitizers. */
FRNG__LEAKS_LINKAGE __attribute__((weak)) void frng__lsan_disable(void) __asm__("__lsan_disable");
FRNG__LEAKS_LINKAGE __attribute__((weak)) void frng__lsan_enable(void) __asm__("__lsan_enable");
FRNG__LEAKS_LINKAGE __attribute__((weak)) void
frng__lsan_check(void) __asm__("__lsan_do_leak_check");
FRNG__LEAKS_LINKAGE __attribute__((weak)) int
frng__lsan_look(void) __asm__("__lsan_do_recoverable_leak_check");
FRNG__LEAKS_LINKAGE __attribute__((weak)) int
frng__hook_blocks(void (*taken)(const volatile void *, size_t),
                  void (*freed)(const volatile void *)) //
    __asm__("__sanitizer_install_malloc_and_free_hooks");

#ifndef FRNG__UNCOUNTED
#define FRNG__UNCOUNTED
__attribute__((weak)) bool frng__leaks_uncounted; /* for frng_fiber.h: set while leaks are none */
#endif

typedef struct frng__leak_state {
    bool is_ready;   /* blocks are counted, and leaks can be checked */
    bool is_start;   /* the program has not reached frng_run: its leaks do not count */
    bool is_off;     /* no leak is checked any more */
    bool is_precise; /* all blocks are counted */
    uint64_t wanted; /* the driver's request: frng_leaks_request */
    long blocks;     /* taken and not freed */
} frng__leak_state;

static inline frng__leak_state *frng__leaks(void) {
    static frng__leak_state state;
    return &state;
}

/* LeakSanitizer asks this before each check. A program may have a definition of its own in another
 * file; in the file with frng_main.h it defines FRNG_OWN_LSAN_HOOK first. */
#ifndef FRNG_OWN_LSAN_HOOK
FRNG__LEAKS_LINKAGE int frng__leaks_are_off(void) __asm__("__lsan_is_turned_off");
FRNG__LEAKS_LINKAGE __attribute__((weak, visibility("default"))) int frng__leaks_are_off(void) {
    return frng__leaks()->is_off;
}
#endif

/* What the program leaks before frng_run is no finding. */
__attribute__((constructor(101))) static void frng__leaks_of_start(void) {
    const char *offer = getenv(FRNG_DRIVER_VARIABLE);
    if (offer == NULL || offer[0] == '\0' || frng__lsan_disable == NULL) return;
    frng__leaks()->is_start = true;
    frng__lsan_disable();
}

static inline void frng__block_taken(const volatile void *block, size_t size) {
    (void)block;
    (void)size;
    (__atomic_fetch_add)(&frng__leaks()->blocks, 1, __ATOMIC_RELAXED);
}

static inline void frng__block_freed(const volatile void *block) {
    if (block != NULL) (__atomic_fetch_sub)(&frng__leaks()->blocks, 1, __ATOMIC_RELAXED);
}

/* Compilers may assume that malloc changes no variable of the program. */
static inline long frng__blocks(void) {
    return (__atomic_load_n)(&frng__leaks()->blocks, __ATOMIC_RELAXED);
}

/* Exit handlers run before the leak check, and may check leaks themselves. */
static inline void frng__leaks_at_exit(void) {
    if (frng__leaks()->wanted != FRNG_LEAKS_AT_EXIT) frng__leaks()->is_off = true;
}

/* Prepare to find leaks for a driver, at the beginning of frng_run. */
static inline void frng__leaks_prepare(void) {
    frng__leak_state *leaks = frng__leaks();
    void *volatile block;
    if (frng__lsan_check == NULL || frng__lsan_look == NULL || frng__lsan_disable == NULL) return;
    if (leaks->is_start) frng__lsan_enable();
    leaks->is_start = false;
    if (frng__hook_blocks == NULL || frng__hook_blocks(frng__block_taken, frng__block_freed) == 0) {
        return;
    }
    leaks->is_ready = atexit(frng__leaks_at_exit) == 0;
    /* Some versions of LeakSanitizer without AddressSanitizer do not count realloc. */
    block = realloc(NULL, 1);
    leaks->is_precise = frng__blocks() == 1;
    free(block);
}

/* Take the driver's request for the next runs. */
static inline void frng__leaks_want(uint64_t wanted) {
    if (frng__leaks()->is_ready) frng__leaks()->wanted = wanted;
}

/* True if a run that began with `before` blocks may have leaked some. */
static inline bool frng__leaks_may_be(long before) {
    const long now = frng__blocks();
    return frng__leaks()->is_precise ? now > before : now != before;
}

/* Overwrite the part of the stack that calls have used, and stacks of threads that have ended:
 * pointers there hide leaks. */
static void frng__wipe_fibers(void) __attribute__((weakref("frng__wipe_threads"), unused));
__attribute__((noinline)) static void frng__wipe_stack(void) {
    volatile char used[8192];
    size_t i;
    if (frng__wipe_fibers != NULL) frng__wipe_fibers();
    for (i = 0; i < sizeof used; i++) used[i] = 0;
}

/* End the process by the report of LeakSanitizer if there is a leak. */
static inline void frng__leaks_check(void) {
    fflush(NULL);
    frng__wipe_stack();
    frng__lsan_check();
}

/* True if there are leaks already, which are none of this run. */
static inline bool frng__leaks_before(void) {
    frng__wipe_stack();
    return frng__lsan_look() != 0;
}

#endif
