/* frng_assert.h: FRNG_ASSERT, for any file of a target.
 *
 *     FRNG_ASSERT(found);
 *     FRNG_ASSERT(found == count, "found %zu of %zu", found, count);
 *
 * A failing assertion prints file, line, expression and message on stderr, reports its site to the
 * driver if there is one, and aborts. It is never compiled out, NDEBUG or not.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_ASSERT_H
#define FRNG_ASSERT_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
/* void frng_on_assert(const char *site) gets "file:line" before the abort, if it is defined:
 * frng_main.h defines it, unless the program has one of its own. */
static void frng__on_assert(const char *site) __attribute__((weakref("frng_on_assert"), unused));
#ifdef __cplusplus
}
#endif

/* Print the failed assertion. The condition is the text up to the first comma outside of brackets
 * and quotes; the rest is the message in source form, which `format` replaces. */
__attribute__((format(printf, 3, 4), noreturn, noinline, cold, unused)) static void
frng__assert_failed(const char *site, const char *text, const char *format, ...) {
    va_list arguments;
    int depth = 0, length = 0;
    char quote = 0;
    for (; text[length] != 0 && (depth > 0 || quote != 0 || text[length] != ','); length++) {
        const char c = text[length];
        if (quote != 0 && c == '\\' && text[length + 1] != 0) {
            length++;
        } else if (quote != 0 || c == '"' || c == '\'') {
            quote = quote == 0 ? c : c == quote ? (char)0 : quote;
        } else {
            depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        }
    }
    fflush(stdout);
    fprintf(stderr, "%s: assertion failed: %.*s", site, length, text);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    fflush(stderr);
    if (frng__on_assert != NULL) frng__on_assert(site);
    abort();
}

/* FRNG_ASSERT(condition) or FRNG_ASSERT(condition, format literal, up to 14 arguments). */
#define FRNG_ASSERT(...)                                                                           \
    FRNG__ASSERT_PICK(__VA_ARGS__, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE,        \
                      FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE,  \
                      FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE,  \
                      FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE, FRNG__ASSERT_MORE,  \
                      FRNG__ASSERT_ONE, 0)                                                         \
    (#__VA_ARGS__, __VA_ARGS__)

#define FRNG__ASSERT_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, name, ...) name
#define FRNG__ASSERT_ONE(text, condition)                                                          \
    ((condition) ? (void)0 : frng__assert_failed(FRNG__SITE, text, "%s", ""))
#define FRNG__ASSERT_MORE(text, condition, ...)                                                    \
    ((condition) ? (void)0 : frng__assert_failed(FRNG__SITE, text, ": " __VA_ARGS__))
#define FRNG__SITE __FILE__ ":" FRNG__TEXT(__LINE__)
#define FRNG__TEXT(x) FRNG__TEXT2(x)
#define FRNG__TEXT2(x) #x

#endif
