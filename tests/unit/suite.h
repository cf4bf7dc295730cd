/* suite.h: unit tests that register themselves. A file of TEST blocks is a whole program:
 *
 *     TEST(an_empty_list_has_no_first) { ... }
 *     TEST_EACH(every_size_is_kept, SIZES) { ... _i counts from 0 to SIZES - 1 ... }
 *     TEST_RAISES(a_negative_size_is_a_bug, SIGABRT) { ... }
 *     SUITE(.timeout_s = 90, .before_each = open_list)        optional, once
 *
 * FRNG_TEST=part in the environment runs only the tests whose name contains `part`. A program that
 * runs no test fails. */
#ifndef SUITE_H
#define SUITE_H

#include "emulated.h"

#include <assert.h>
#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Check writes the place of each assertion that holds to a file, and names the last one if the test
 * then crashes. Loops of a million assertions would do little else: after the first places, only
 * one in SUITE_PLACES_STEP is written. */
enum { SUITE_PLACES_EXACT = 4096, SUITE_PLACES_STEP = 256 };

static inline void suite_mark(const char *file, int line) {
    static uint64_t places;
    if (places++ < SUITE_PLACES_EXACT || places % SUITE_PLACES_STEP == 0) _mark_point(file, line);
}
#define _mark_point(file, line) suite_mark(file, line)

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ROW(...)                                                                                   \
    { __VA_ARGS__ } /* clang-format gives a call fewer lines */

/* How the tests of a file run. */
typedef struct suite_options {
    double timeout_s;                        /* of each test; 60 by default */
    void (*before_all)(void);                /* in the process that outlives every test */
    void (*after_all)(void);                 /* there, however the tests end */
    void (*before_each)(void);               /* in the test's own process */
    void (*after_each)(void);                /* there, after a test that passes */
    int (*as_program)(const char *argument); /* instead of the tests if main has an argument */
    const char *emulator_lacks;              /* skips all tests in qemu-user */
} suite_options;

typedef struct suite_test {
    const TTest *test;
    int signal, count;
    struct suite_test *next;
} suite_test;

static suite_test *suite_first;
static suite_options suite_settings;
static void (*suite_before_all)(void), (*suite_before_each)(void), (*suite_after_all)(void);

/* Insert by line: the order of constructors is the compiler's. */
static inline void suite_register(suite_test *t) {
    suite_test **at = &suite_first;
    assert(t->count > 0 && "a test that repeats no time never runs");
    while (*at != NULL && (*at)->test->line < t->test->line) at = &(*at)->next;
    t->next = *at;
    *at = t;
}

#define TEST(name) SUITE_TEST(name, 0, 1)
#define TEST_EACH(name, times) SUITE_TEST(name, 0, times)
#define TEST_RAISES(name, signal) SUITE_TEST(name, signal, 1)

#define SUITE_TEST(name, raised, times)                                                            \
    static void name(int _i);                                                                      \
    __attribute__((constructor)) static void suite_register_##name(void) {                         \
        static const TTest test = {#name, name, __FILE__, __LINE__};                               \
        static suite_test entry;                                                                   \
        entry = (suite_test){&test, (raised), (int)(times), NULL};                                 \
        suite_register(&entry);                                                                    \
    }                                                                                              \
    static void name(int _i CK_ATTRIBUTE_UNUSED)

#define SUITE(...)                                                                                 \
    __attribute__((constructor)) static void suite_set(void) {                                     \
        suite_settings = (suite_options){__VA_ARGS__};                                             \
    }                                                                                              \
    _Static_assert(1, "a semicolon follows")

int main(int argc, char **argv) {
    const suite_options *o = &suite_settings;
    if (argc > 1 && o->as_program != NULL) return o->as_program(argv[1]);
    if (argc > 1) { /* a test that starts itself would start itself for ever */
        fprintf(stderr, "%s plays no parts: %s\n", argv[0], argv[1]);
        return 2;
    }
    if (o->emulator_lacks != NULL && emulator_lacks(argv[0], o->emulator_lacks)) return 77;
    const char *slash = strrchr(argv[0], '/'), *name = slash != NULL ? slash + 1 : argv[0];
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, o->timeout_s > 0 ? o->timeout_s : 60);
    tcase_add_unchecked_fixture(tests, suite_before_all, suite_after_all);
    tcase_add_unchecked_fixture(tests, o->before_all, o->after_all);
    tcase_add_checked_fixture(tests, suite_before_each, NULL);
    tcase_add_checked_fixture(tests, o->before_each, o->after_each);
    const char *part = getenv("FRNG_TEST");
    for (const suite_test *t = suite_first; t != NULL; t = t->next) {
        if (part != NULL && strstr(t->test->name, part) == NULL) continue;
        tcase_add_loop_test_raise_signal(tests, t->test, t->signal, 0, t->count);
    }
    suite_add_tcase(suite, tests);
    SRunner *checks = srunner_create(suite);
    srunner_run_all(checks, CK_ENV);
    const int run = srunner_ntests_run(checks), failed = srunner_ntests_failed(checks);
    srunner_free(checks);
    if (run == 0) fprintf(stderr, "%s has run no test\n", argv[0]);
    return run > 0 && failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
