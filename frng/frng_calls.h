/* frng_calls.h: calls of unmodified libraries, answered by the test.
 *
 * A program that defines `open` gets the calls to it of all its shared libraries, too: the linker
 * looks for a name in the program first. FRNG__CALL defines one by its assembler name, so that what
 * the system's headers make of it (a macro, a fortified inline, noexcept in C++) does not matter.
 * FRNG__NEXT is the definition that would have been called: that of libc, or of a sanitizer.
 *
 *     FRNG__CALL(int, fsync, int file) {
 *         return is_ours(file) ? keep(file) : FRNG__NEXT(int, fsync, int)(file);
 *     }
 *
 * Calls that a library binds to itself (-Bsymbolic), makes inside libc, or as instructions of its
 * own, do not come here. A library that is opened by dlopen needs a program linked with -rdynamic.
 * For system calls by number there is one definition of syscall() for all headers: each has a hook.
 * One file of the program; Linux with 64 bits. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_CALLS_H
#define FRNG_CALLS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "frng_assert.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#ifndef __LP64__
#error "frng_calls.h: the types of calls are those of 64 bits"
#endif
#ifndef RTLD_NEXT /* another header was first, without _GNU_SOURCE */
#define RTLD_NEXT ((void *)-1L)
#endif

#define FRNG__CALL(type, name, ...)                                                                \
    __attribute__((used, visibility("default")))                                                   \
    type frng__call_##name(__VA_ARGS__) __asm__(#name);                                            \
    type frng__call_##name(__VA_ARGS__)

/* Another name of a call. */
#define FRNG__SAME(other, name)                                                                    \
    extern __typeof__(frng__call_##name) frng__call_##other __asm__(#other)                        \
        __attribute__((alias(#name), visibility("default")));
/* A call that has another name where files are large; both are the same with 64 bits. */
#define FRNG__CALL64(type, name, ...)                                                              \
    type frng__call_##name(__VA_ARGS__) __asm__(#name);                                            \
    FRNG__SAME(name##64, name)                                                                     \
    FRNG__CALL(type, name, __VA_ARGS__)

#define FRNG__NEXT(type, name, ...)                                                                \
    __extension__({                                                                                \
        static type (*frng__real_)(__VA_ARGS__);                                                   \
        if (frng__real_ == NULL) frng__find_next(&frng__real_, #name);                             \
        frng__real_;                                                                               \
    })

__attribute__((unused, no_sanitize_address)) static void frng__find_next(void *function,
                                                                         const char *name) {
    void *const found = dlsym(RTLD_NEXT, name);
    FRNG_ASSERT(found != NULL, "no library has %s", name);
    memcpy(function, &found, sizeof found);
}

/* Answers a system call of syscall(), with the address that it returns to: true if it has stored
 * the result. Each header has a hook, or NULL, which it sets in a constructor. */
typedef bool (*frng__syscall_hook)(long number, const long *arguments, void *caller, long *result);
static frng__syscall_hook frng__files_hook, frng__threads_hook;

FRNG__CALL(long, syscall, long number, long a, long b, long c, long d, long e, long g) {
    const long arguments[6] = {a, b, c, d, e, g};
    void *const caller = __builtin_return_address(0);
    long result;
    if (frng__files_hook != NULL && frng__files_hook(number, arguments, caller, &result))
        return result;
    if (frng__threads_hook != NULL && frng__threads_hook(number, arguments, caller, &result))
        return result;
    return FRNG__NEXT(long, syscall, long, long, long, long, long, long, long)(number, a, b, c, d,
                                                                               e, g);
}
#endif
