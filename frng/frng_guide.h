/* frng_guide.h: what a run shows, for frng_main.h: its features (PROTOCOL.md). They are pairs of
 * consecutive draws, notes, steps or labels, and edges of the program where it counts them. A
 * driver that asks for features learns the first run that shows each, and after how many bytes.
 *
 * Edges come from clang's -fsanitize-coverage=inline-8bit-counters, in the executable itself, or
 * from -fsanitize-coverage=trace-pc of gcc and clang. A program with an own
 * __sanitizer_cov_trace_pc keeps that one. SPDX-License-Identifier: MIT */
#ifndef FRNG_GUIDE_H
#define FRNG_GUIDE_H

#include "frng.h"
#include "frng_protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define FRNG__GUIDE_LINKAGE extern "C"
#else
#define FRNG__GUIDE_LINKAGE
#endif

/* Code that notes edges has none. */
#if defined(__clang__) && __clang_major__ >= 13
#define FRNG__NO_EDGES __attribute__((no_sanitize("coverage")))
#elif !defined(__clang__) && defined(__GNUC__) && __GNUC__ >= 12
#define FRNG__NO_EDGES __attribute__((no_sanitize_coverage))
#endif

#ifdef FRNG__NO_EDGES
#define FRNG__GUIDE_CODE FRNG__NO_EDGES static inline
#else
#define FRNG__GUIDE_CODE static inline
#endif

#define FRNG__OF_LINKER __attribute__((weak, visibility("hidden")))

typedef struct frng__guide_state {
    frng_feature_table *wanted;          /* NULL: the driver asks for none */
    frng_feature_table *next;            /* of the run that begins, until it calls the test */
    frng_feature_table *volatile active; /* NULL: no run is in progress that shows any */
    const frng *f;
    uint64_t run;
    uint64_t before;     /* the draw or the name before the next one */
    uint64_t looks_left; /* words of counters that the run may still look at between draws */
    bool is_traced;      /* the program was built with trace-pc */
} frng__guide_state;

FRNG__GUIDE_CODE frng__guide_state *frng__guide(void) {
    static frng__guide_state state;
    return &state;
}

FRNG__GUIDE_CODE uint64_t frng__guide_mix(uint64_t x) {
    x = (x ^ (x >> 32)) * UINT64_C(0xff51afd7ed558ccd);
    return (x ^ (x >> 29)) * UINT64_C(0xc4ceb9fe1a85ec53);
}

/* Note that the run shows a feature after `offset` bytes. Threads may do so at once. */
FRNG__GUIDE_CODE void frng__guide_show(frng_feature_table *table, uint64_t hash, uint64_t offset) {
    const frng__guide_state *state = frng__guide();
    const uint32_t feature = (uint32_t)(hash >> 48);
    frng_feature_record *record;
    uint64_t at;
    if (table->seen[feature] != 0) return;
    /* In parentheses they are no macros of frng_atomic.h. */
    if ((__atomic_exchange_n)(&table->seen[feature], 1, __ATOMIC_RELAXED) != 0) return;
    at = (__atomic_fetch_add)(&table->count, 1, __ATOMIC_RELAXED);
    if (at >= FRNG_FEATURES) return;
    record = &table->records[at];
    record->run = (uint32_t)state->run;
    record->feature = feature;
    record->offset = offset;
}

/* ---- Edges ---- */

/* The linker makes these symbols. The names are ours, so that a program may declare them too.
 * libFuzzer would miss the counters of a file that names them. */
#ifndef FRNG_LIBFUZZER
#ifdef __cplusplus
extern "C" {
#endif
extern uint8_t frng__counters[] __asm__("__start___sancov_cntrs") FRNG__OF_LINKER;
extern uint8_t frng__counters_end[] __asm__("__stop___sancov_cntrs") FRNG__OF_LINKER;
extern __attribute__((weak)) const char frng__code[] __asm__("__executable_start");
extern __attribute__((weak)) const char frng__code_end[] __asm__("etext");
#ifdef __cplusplus
}
#endif
#endif

/* Return the counters of edges, *count of them. */
FRNG__GUIDE_CODE uint8_t *frng__edges(size_t *count) {
#ifdef FRNG_LIBFUZZER
    *count = 0;
    return NULL;
#else
    *count = (size_t)((uintptr_t)frng__counters_end - (uintptr_t)frng__counters);
    return frng__counters;
#endif
}

/* Show the edges that were taken since the last look, and clear their counters. */
FRNG__GUIDE_CODE void frng__guide_look(frng_feature_table *table, uint64_t offset) {
    size_t count, i = 0;
    uint8_t *counters = frng__edges(&count);
    while (i < count) {
        uint64_t word = 0;
        if (i + sizeof word <= count) memcpy(&word, counters + i, sizeof word);
        if (i + sizeof word <= count && word == 0) {
            i += sizeof word;
            continue;
        }
        if (counters[i] != 0) {
            counters[i] = 0;
            frng__guide_show(table, frng__guide_mix(UINT64_C(0x6567646500000000) + i), offset);
        }
        i++;
    }
}

/* With trace-pc this is called at each edge. Of a program that may be anywhere in memory only the
 * offset of the edge counts, and of a shared library its offset in a page. */
#if defined(FRNG__NO_EDGES) && !defined(FRNG_LIBFUZZER) && !defined(__AFL_COMPILER)
FRNG__GUIDE_LINKAGE FRNG__NO_EDGES void __sanitizer_cov_trace_pc(void);
FRNG__GUIDE_LINKAGE FRNG__NO_EDGES __attribute__((weak)) void __sanitizer_cov_trace_pc(void) {
    frng__guide_state *state = frng__guide();
    frng_feature_table *table = state->active;
    uint64_t at = (uint64_t)(uintptr_t)__builtin_return_address(0);
    state->is_traced = true;
    if (table == NULL) return;
    if (at >= (uintptr_t)frng__code && at < (uintptr_t)frng__code_end) {
        at -= (uintptr_t)frng__code;
    } else {
        at = at % 4096 + (UINT64_C(1) << 40);
    }
    frng__guide_show(table, frng__guide_mix(UINT64_C(0x7063000000000000) + at), state->f->used);
}
#endif

/* ---- Pairs ---- */

/* Show the pair of the draw or the name before this one, and this one. */
FRNG__GUIDE_CODE void frng__guide_event(const frng *f, uint64_t event) {
    frng__guide_state *state = frng__guide();
    if (state->active == NULL) return;
    frng__guide_show(state->active, frng__guide_mix(state->before * 31 + event), f->used);
    state->before = event;
}

/* Ranges that depend on a state tell states apart. They count exactly below 64, and beyond that in
 * eighths of their power of two. */
FRNG__GUIDE_CODE uint64_t frng__guide_range(uint64_t range) {
    return range < 64 ? range : 64 + frng__bucket(range);
}

FRNG__GUIDE_CODE void frng__guide_draw(const frng *f, frng_kind kind, size_t start, size_t width,
                                       uint64_t min, uint64_t max) {
    frng__guide_state *state = frng__guide();
    size_t words;
    if (state->active == NULL) return;
    frng__edges(&words);
    words = words / sizeof(uint64_t) + 1;
    if (words <= state->looks_left) {
        state->looks_left -= words;
        frng__guide_look(state->active, start);
    }
    frng__guide_event(f, frng__guide_mix((uint64_t)kind << 32 | (uint64_t)width << 16 |
                                         frng__guide_range(max - min)));
}

FRNG__GUIDE_CODE void frng__guide_name(const frng *f, uint64_t kind, const char *name) {
    uint64_t hash = kind;
    size_t i;
    if (frng__guide()->active == NULL) return;
    for (i = 0; i < 64 && name[i] != '\0'; i++) hash = frng__guide_mix(hash + (uint8_t)name[i] + 1);
    frng__guide_event(f, hash);
}

/* ---- Runs ---- */

/* Begin run `run`. `is_alone`: it is the only one of its order, so that it may take the time to
 * look at counters between draws. */
FRNG__GUIDE_CODE void frng__guide_begin(const frng *f, uint64_t run, bool is_alone) {
    frng__guide_state *state = frng__guide();
    state->active = NULL;
    state->next = state->wanted;
    state->f = f;
    state->run = run;
    state->before = 0;
    state->looks_left = is_alone ? UINT64_C(1) << 24 : 0;
}

/* The run calls the test. What it does before differs from order to order. */
FRNG__GUIDE_CODE void frng__guide_call(void) {
    frng__guide_state *state = frng__guide();
    uint8_t *counters;
    size_t count;
    if (state->next == NULL) return;
    counters = frng__edges(&count);
    if (count > 0) memset(counters, 0, count);
    state->active = state->next;
    state->next = NULL;
}

/* True if the runs show edges. Filling entropy would be some of them, and follow from the runs
 * before in the order: all of it must be ready when a run begins. */
FRNG__GUIDE_CODE bool frng__guide_needs_all(void) {
    size_t count;
    frng__edges(&count);
    return frng__guide()->wanted != NULL && (count > 0 || frng__guide()->is_traced);
}

/* End the run in progress, which has passed. */
FRNG__GUIDE_CODE void frng__guide_end(const frng *f) {
    frng__guide_state *state = frng__guide();
    if (state->active == NULL) return;
    frng__guide_look(state->active, f->used);
    state->active = NULL;
}

#endif
