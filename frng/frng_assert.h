/* frng_assert.h: FRNG_ASSERT, for any file of a target.
 *
 *     FRNG_ASSERT(found);
 *     FRNG_ASSERT(found == count, "found %zu of %zu", found, count);
 *
 * A failing assertion prints file, line, expression and message on stderr, reports its site to the
 * driver if there is one, and aborts. The site is file and line, the step in progress, if there is
 * one (frng_step), and the shape of a message with an unquoted %s (frng_shape.h). It is never
 * compiled out, NDEBUG or not.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_ASSERT_H
#define FRNG_ASSERT_H

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
/* void frng_on_assert(const char *site) gets "file:line", perhaps with " in step" and " 'shape'",
 * before the abort, if it is defined: frng_main.h defines it, unless the program has one of its
 * own. */
static void frng__on_assert(const char *site) __attribute__((weakref("frng_on_assert"), unused));
/* Return the step of the test that is in progress, or "". */
static const char *frng__step_name(void) __attribute__((weakref("frng__step_in_progress"), unused));
/* Write the shape of a message (frng_shape.h), or "". */
static void frng__message_shape_of(const char *format, va_list arguments, char *text)
    __attribute__((weakref("frng__message_shape"), unused));
/* Leave the run in place of its process, if that can be (frng_stay.h); one that has failed as the
 * driver knows already, before anything is printed. In C++ an exception does, or destructors would
 * not run. */
#ifdef __cplusplus
static void frng__end_run(int status) __attribute__((weakref("frng__throw_run"), unused));
static void frng__end_known(int status) __attribute__((weakref("frng__throw_known"), unused));
}
#else
static void frng__end_run(int status) __attribute__((weakref("frng__leave_run"), unused));
static void frng__end_known(int status) __attribute__((weakref("frng__leave_known"), unused));
#endif

/* Report where an assertion failed, and the shape of its message, if that has one. The end of a
 * long path is kept. */
__attribute__((unused)) static void frng__report_shape(const char *site, const char *step,
                                                       const char *shape) {
    char text[128];
    const size_t more = *step != 0 ? 4 + strlen(step) : 0, room = sizeof text - 1 - more;
    size_t length = strlen(site);
    if (length > room) site += length - room;
    if (length > room) length = room;
    memcpy(text, site, length);
    if (more > 0) memcpy(text + length, " in ", 4);
    if (more > 0) memcpy(text + length + 4, step, more - 4);
    text[length + more] = 0;
    if (*shape != 0 && room - length > 3)
        snprintf(text + length + more, room - length + 1, " '%.*s'", (int)(room - length - 3),
                 shape);
    frng__on_assert(text);
}

__attribute__((unused)) static void frng__report_site(const char *site, const char *step) {
    frng__report_shape(site, step, "");
}

/* Print the failed assertion. The condition is the text up to the first comma outside of brackets
 * and quotes; the rest is the message in source form, which `format` replaces. */
__attribute__((format(printf, 3, 4), noreturn, noinline, cold, unused)) static void
frng__assert_failed(const char *site, const char *text, const char *format, ...) {
    va_list arguments;
    const char *step = frng__step_name != NULL ? frng__step_name() : "";
    int depth = 0, length = 0;
    char quote = 0, shape[64] = "";
    if (format[0] == ':' && frng__message_shape_of != NULL) { /* the message is the test's */
        va_start(arguments, format);
        frng__message_shape_of(format, arguments, shape);
        va_end(arguments);
    }
    if (frng__on_assert != NULL) frng__report_shape(site, step, shape);
    if (frng__end_known != NULL && frng__on_assert != NULL) frng__end_known(SIGABRT);
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
    fprintf(stderr, "%s: assertion failed%s%s: %.*s", site, *step != 0 ? " in " : "", step, length,
            text);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    fflush(stderr);
    if (frng__end_run != NULL) frng__end_run(SIGABRT);
    abort();
}

/* A limit of frng ends the run, which neither passes nor fails: drivers know this line and status
 * (PROTOCOL.md), frng_check.h this site. */
__attribute__((format(printf, 1, 2), noreturn, noinline, cold, unused)) static void
frng__no_verdict(const char *format, ...) {
    char text[128];
    const int length = snprintf(text, sizeof text, "usage: ");
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "\nfrng: %s\n", text);
    fflush(stderr);
    if (frng__on_assert != NULL) frng__on_assert(text);
    _exit(2);
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
