/* frng.c: frng.h and its like for frng.zig.
 * SPDX-License-Identifier: MIT */
#define FRNG__NO_SITES /* they would be places in frng.zig */
#include <frng_main.h>
#include <frng_more.h>
#include <frng_regex.h>
#include <frng_utf8.h>

int frng_zig_run(frng_test test, int argc, char **argv) { return frng__main(test, argc, argv); }

/* The runner of `zig build test` reads stdout: what a check prints goes to stderr. */
int frng_zig_check(frng_test test, const frng_check_options *options) {
    const int out = dup(STDOUT_FILENO);
    int status;
    fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    status = frng_check(test, options);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    return status;
}

const size_t frng_zig_size_max = FRNG_CHECK_INPUT_MAX; /* bytes of a finding */

void frng_zig_expand(uint64_t seed, bool is_styled, uint8_t *bytes, size_t size) {
    if (is_styled)
        frng_expand_styled(seed, bytes, size);
    else
        frng_expand(seed, bytes, size);
}

/* ---- The draws of frng_more.h ---- */

bool frng_zig_mixed(frng *f, bool is_signed, size_t width, uint64_t min, uint64_t max,
                    uint64_t *x) {
    return frng__mixed(f, is_signed ? FRNG_MIXED_INT : FRNG_MIXED_UINT, width, min, max, x);
}

bool frng_zig_string(frng *f, const char *letters, size_t count, size_t min, size_t max, char *text,
                     size_t *length) {
    return frng_string_of(f, letters, count, min, max, text, length);
}

bool frng_zig_utf8(frng *f, size_t min, size_t max, char *text, size_t *size) {
    return frng_utf8(f, min, max, text, size);
}

bool frng_zig_regex(frng *f, const char *pattern, size_t room, char *text) {
    return frng_regex_of(f, pattern, room, text);
}

bool frng_zig_f64_any(frng *f, double *x) { return frng_f64_any(f, x); }

bool frng_zig_f64_range(frng *f, double min, double max, double *x) {
    return frng_f64_range(f, min, max, x);
}

bool frng_zig_subset(frng *f, size_t count, uint64_t *mask) { return frng_subset(f, count, mask); }

bool frng_zig_permutation(frng *f, size_t count, size_t *order) {
    return frng_permutation(f, count, order);
}

bool frng_zig_pick_weighted(frng *f, const uint32_t *weights, size_t count, size_t *index) {
    return frng_pick_weighted(f, weights, count, index);
}

bool frng_zig_swarm(frng *f, uint32_t *weights, size_t count) {
    return frng_swarm(f, weights, count);
}

bool frng_zig_date(frng *f, const int *first, const int *last, int *day) {
    if (first == NULL) return frng_date(f, &day[0], &day[1], &day[2]);
    return frng_date_range(f, frng_day(first[0], first[1], first[2]),
                           frng_day(last[0], last[1], last[2]), &day[0], &day[1], &day[2]);
}

void frng_zig_say(frng *f, const char *line) { frng_say(f, "%s", line); }
