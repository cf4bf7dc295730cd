/* The draws of effort.c over libhegel (0.36), whose C interface is declared here as far as it is
 * used: `./test SEED CASES` prints what it found, and in what time. A failing assertion is a jump.
 * SPDX-License-Identifier: MIT */
#pragma once
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct hegel hegel; /* any of its objects */
enum { HEGEL_VALID = 0, HEGEL_OVERRUN = 2, HEGEL_INTERESTING = 3 };

hegel *hegel_context_new(void);
const char *hegel_context_last_error(const hegel *);
int hegel_settings_new(hegel *, hegel **);
int hegel_settings_set_test_cases(hegel *, hegel *, uint64_t);
int hegel_settings_set_seed(hegel *, hegel *, uint64_t, bool);
int hegel_settings_set_database(hegel *, hegel *, const char *);
int hegel_settings_set_verbosity(hegel *, hegel *, uint32_t);
int hegel_settings_set_suppress_health_check(hegel *, hegel *, uint32_t);
int hegel_settings_set_report_multiple_failures(hegel *, hegel *, bool);
int hegel_run_start(hegel *, const hegel *, void *callback, void *user, hegel **);
int hegel_next_test_case(hegel *, hegel *, hegel **);
int hegel_mark_complete(hegel *, hegel *, int status, const char *origin);
int hegel_test_case_free(hegel *, hegel *);
int hegel_run_result(hegel *, hegel *, hegel **);
int hegel_run_result_failure_count(hegel *, const hegel *, size_t *);
int hegel_run_result_failure(hegel *, const hegel *, size_t, hegel **);
int hegel_failure_reproduction_blob(hegel *, const hegel *, const char **);
int hegel_test_case_from_blob(hegel *, const hegel *, const char *, void *, void *, hegel **);
int hegel_generate_integer(hegel *, hegel *, int64_t min, int64_t max, int64_t *);
int hegel_new_collection(hegel *, hegel *, uint64_t min, uint64_t max, hegel **);
int hegel_collection_more(hegel *, hegel *, hegel *, bool *);
int hegel_collection_free(hegel *, hegel *);

typedef struct frng {
    bool exhausted;
} frng;

static struct {
    hegel *context, *run, *test_case, *operations;
    jmp_buf start;
    char origin[64]; /* of the failure */
    unsigned draws;
    uint8_t bytes[1 << 20];
} bench;

#define FRNG_TRY(draw)                                                                             \
    do {                                                                                           \
        if (!(draw)) return false;                                                                 \
    } while (0)
#define FRNG_ASSERT(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition)) bench_fail(__LINE__);                                                    \
    } while (0)
#define OPERATIONS                                                                                 \
    for (;;)                                                                                       \
        if (!bench_more(f)) {                                                                      \
            f->exhausted = true;                                                                   \
            return false;                                                                          \
        } else

static inline void bench_fail(int line) {
    snprintf(bench.origin, sizeof bench.origin, "line %d", line);
    longjmp(bench.start, 1);
}

static inline bool bench_is_drawn(frng *f, int result) {
    f->exhausted |= result != 0;
    bench.draws += !f->exhausted;
    return !f->exhausted;
}

static inline bool bench_more(frng *f) {
    bool more = false;
    if (bench.operations == NULL) {
        const int made =
            hegel_new_collection(bench.context, bench.test_case, 0, UINT64_MAX, &bench.operations);
        f->exhausted |= made != 0;
    }
    return !f->exhausted &&
           hegel_collection_more(bench.context, bench.test_case, bench.operations, &more) == 0 &&
           more;
}

static inline bool bench_draw(frng *f, int64_t min, int64_t max, int64_t *x) {
    *x = 0;
    return !f->exhausted &&
           bench_is_drawn(f, hegel_generate_integer(bench.context, bench.test_case, min, max, x));
}

#define BENCH_DRAW(name, type, most)                                                               \
    static inline bool frng_##name##_range(frng *f, type min, type max, type *x) {                 \
        int64_t any;                                                                               \
        const bool ok = bench_draw(f, (int64_t)min, (int64_t)max, &any);                           \
        *x = (type)any;                                                                            \
        return ok;                                                                                 \
    }                                                                                              \
    static inline bool frng_##name##_max(frng *f, type max, type *x) {                             \
        return frng_##name##_range(f, 0, max, x);                                                  \
    }                                                                                              \
    static inline bool frng_##name(frng *f, type *x) { return frng_##name##_range(f, 0, most, x); }
BENCH_DRAW(bool, bool, true)
BENCH_DRAW(u8, uint8_t, UINT8_MAX)
BENCH_DRAW(u16, uint16_t, UINT16_MAX)
BENCH_DRAW(size, size_t, INT64_MAX)

static inline bool frng_index(frng *f, size_t count, size_t *i) {
    return frng_size_max(f, count - 1, i);
}

static inline bool frng_weighted(frng *f, const uint32_t *weights, size_t count, size_t *i) {
    (void)weights; /* any of them will do */
    return frng_index(f, count, i);
}

static inline bool frng_bytes(frng *f, size_t count, const uint8_t **bytes) {
    *bytes = bench.bytes;
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_u8(f, &bench.bytes[i]));
    return true;
}

/* Run the test once. Return the status of its end. */
static inline int bench_once(bool (*test)(frng *f)) {
    static frng f;
    f = (frng){false};
    bench.draws = 0;
    bench.operations = NULL;
    const bool fails = setjmp(bench.start) != 0 || (!test(&f) && !f.exhausted);
    if (bench.operations != NULL) hegel_collection_free(bench.context, bench.operations);
    return fails ? HEGEL_INTERESTING : f.exhausted ? HEGEL_OVERRUN : HEGEL_VALID;
}

static inline bool bench_start(uint64_t seed, uint64_t cases, hegel **settings) {
    hegel *c = bench.context = hegel_context_new();
    return hegel_settings_new(c, settings) == 0 &&
           hegel_settings_set_test_cases(c, *settings, cases) == 0 &&
           hegel_settings_set_seed(c, *settings, seed, true) == 0 &&
           hegel_settings_set_database(c, *settings, "") == 0 &&
           hegel_settings_set_verbosity(c, *settings, 0) == 0 &&
           hegel_settings_set_suppress_health_check(c, *settings, 0xff) == 0 &&
           hegel_settings_set_report_multiple_failures(c, *settings, false) == 0 &&
           hegel_run_start(c, *settings, NULL, NULL, &bench.run) == 0;
}

/* Make the smallest failure again. Return the number of its draws; 0 if nothing failed. */
static inline unsigned bench_smallest(bool (*test)(frng *f), const hegel *settings) {
    hegel *c = bench.context, *result, *failure;
    const char *blob;
    size_t count;
    const bool is_found =
        hegel_run_result(c, bench.run, &result) == 0 &&
        hegel_run_result_failure_count(c, result, &count) == 0 && count > 0 &&
        hegel_run_result_failure(c, result, 0, &failure) == 0 &&
        hegel_failure_reproduction_blob(c, failure, &blob) == 0 &&
        hegel_test_case_from_blob(c, settings, blob, NULL, NULL, &bench.test_case) == 0 &&
        bench_once(test) == HEGEL_INTERESTING;
    return is_found ? bench.draws : 0;
}

static inline int bench_main(bool (*test)(frng *f), int argc, char **argv) {
    hegel *settings;
    unsigned long long cases = 0, first = 0;
    if (argc != 3 ||
        !bench_start(strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0), &settings))
        return 2;
    const clock_t start = clock();
    for (;;) {
        if (hegel_next_test_case(bench.context, bench.run, &bench.test_case) != 0) return 2;
        if (bench.test_case == NULL) break;
        const int end = bench_once(test);
        cases++;
        if (end == HEGEL_INTERESTING && first == 0) first = cases;
        hegel_mark_complete(bench.context, bench.test_case, end,
                            end == HEGEL_INTERESTING ? bench.origin : NULL);
        hegel_test_case_free(bench.context, bench.test_case);
    }
    const double cpu = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("{\"cases\": %llu, \"first\": %llu, \"cpu\": %.4f, \"draws\": %u}\n", cases, first, cpu,
           bench_smallest(test, settings));
    return 0;
}

#define FRNG_MAIN(test)                                                                            \
    int main(int argc, char **argv) { return bench_main(test, argc, argv); }
