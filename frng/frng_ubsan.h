/* frng_ubsan.h: a report of UBSan ends the program, as one of AddressSanitizer does.
 *
 * By itself UBSan prints a report and goes on, so that a run with one passes. UBSAN_OPTIONS or a
 * __ubsan_default_options of the program decides otherwise if it names halt_on_error.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_UBSAN_H
#define FRNG_UBSAN_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The sanitizer asks for it at its start, before anything may be instrumented. One that another
 * file of the program defines takes the place of ours. One in this file, behind the header, is
 * renamed by a macro, and its options follow ours: the last one of a name counts. For one before
 * the header define FRNG_OWN_UBSAN_HOOK. clang puts its own, also a weak one, before ours. */
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);
void __ubsan_on_report(void);
#ifdef __clang__
extern const char *frng__ubsan_hook(void) __asm__("__ubsan_default_options") __attribute__((weak));
#else
#define frng__ubsan_hook __ubsan_default_options
#endif
#if !defined(FRNG_OWN_UBSAN_HOOK) && !defined(__clang__)
__attribute__((weak)) const char *frng__own_ubsan_options(void);

__attribute__((weak, used, visibility("default"), no_sanitize("address", "thread", "undefined")))
const char *
__ubsan_default_options(void) {
    static char all[256] = "halt_on_error=1:";
    const char *own = &frng__own_ubsan_options != NULL ? frng__own_ubsan_options() : "";
    size_t at = sizeof "halt_on_error=1:" - 1;
    for (; *own != '\0' && at + 1 < sizeof all; own++) all[at++] = *own;
    return all;
}

/* Where another file of the program has its own, gcc's sanitizer goes on, but it calls this before
 * it prints a report: then the run has failed. */
__attribute__((weak)) volatile unsigned char frng__ubsan_reported = 0;

__attribute__((weak, used, visibility("default"),
               no_sanitize("address", "thread", "undefined"))) void
__ubsan_on_report(void) {
    frng__ubsan_reported = 1;
}
#endif

/* The flags of the sanitizer where it is part of the program, as with clang: the first one is
 * halt_on_error. */
extern bool frng__ubsan_flags __asm__("_ZN7__ubsan11ubsan_flagsE") __attribute__((weak));
#ifdef __cplusplus
}
#endif

__attribute__((constructor)) static inline void frng__ubsan_halt(void) {
    const char *options = getenv("UBSAN_OPTIONS");
    if (&frng__ubsan_flags == NULL || strstr(frng__ubsan_hook(), "halt_on_error=") != NULL) return;
    if (options == NULL || strstr(options, "halt_on_error=") == NULL) frng__ubsan_flags = true;
}

/* True if there was a report, unless the options name halt_on_error. */
static inline bool frng__ubsan_has_reported(void) {
#if !defined(FRNG_OWN_UBSAN_HOOK) && !defined(__clang__)
    const char *options = frng__ubsan_reported != 0 ? getenv("UBSAN_OPTIONS") : NULL;
    return frng__ubsan_reported != 0 && strstr(frng__ubsan_hook(), "halt_on_error=") == NULL &&
           (options == NULL || strstr(options, "halt_on_error=") == NULL);
#else
    return false;
#endif
}

#if !defined(FRNG_OWN_UBSAN_HOOK) && !defined(__clang__)
#define __ubsan_default_options frng__own_ubsan_options
#endif

#endif
