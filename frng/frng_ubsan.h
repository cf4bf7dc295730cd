/* frng_ubsan.h: undefined behavior that the sanitizer reports ends the program, as that of memory
 * does. By itself UBSan prints a report and goes on, so that a run with one passes. UBSAN_OPTIONS
 * or a __ubsan_default_options of the program decides otherwise if it names halt_on_error.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_UBSAN_H
#define FRNG_UBSAN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The sanitizer asks for it at its start. One that another file of the program defines takes its
 * place; for one in this file define FRNG_OWN_UBSAN_HOOK before it includes the header. */
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);
#ifndef FRNG_OWN_UBSAN_HOOK
__attribute__((weak, used, visibility("default"))) const char *__ubsan_default_options(void) {
    return "halt_on_error=1";
}
#endif

/* Its options where it is part of the program, as with clang: the first one is halt_on_error. */
extern bool frng__ubsan_flags __asm__("_ZN7__ubsan11ubsan_flagsE") __attribute__((weak));
#ifdef __cplusplus
}
#endif

/* clang puts its own __ubsan_default_options, also a weak one, before those of the program. */
__attribute__((constructor)) static inline void frng__ubsan_halt(void) {
    const char *options = getenv("UBSAN_OPTIONS");
    const char *defaults = __ubsan_default_options();
    if ((options != NULL && strstr(options, "halt_on_error=") != NULL) ||
        strstr(defaults, "halt_on_error=") != NULL)
        return;
    if (&frng__ubsan_flags != NULL) frng__ubsan_flags = true;
}

#endif
