/* frng_guide.h: what a target records for guided runs. frng_main.h includes it where the program is
 * built with the flags of `pkg-config --variable=guided frng`; without them nothing of it is there.
 *
 * The compiler calls the functions below at each comparison of integers, at each switch and at each
 * edge, and the program calls those that compare texts. They return at once but in a run that the
 * driver looks at. Of such a run they record, in shared memory (PROTOCOL.md): the draws; the sides
 * of comparisons that differ, the newest of each place; texts; and what was news: the sides of a
 * comparison nearer to each other than ever, or a new edge, with the bytes drawn until then. They
 * judge nothing: the driver finds out which draw a side came from.
 *
 * A run's records count once it has passed. No function here may be instrumented itself.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_GUIDE_H
#define FRNG_GUIDE_H

#include "frng.h"
#include "frng_protocol.h"

#include <string.h>

#define FRNG__UNSEEN __attribute__((FRNG__QUIET))
#define FRNG__HOOK FRNG__C_LINKAGE FRNG__UNSEEN void

enum { FRNG__SITE_PAIRS = 16 }; /* of a place in a run, the newest */

/* What the run in progress has recorded of a place. */
typedef struct frng__guide_place {
    uint32_t run;                    /* epoch of the run that this is of */
    uint32_t pairs;                  /* that were recorded */
    uint16_t news;                   /* 1 + record of its news, or 0 */
    uint16_t pair[FRNG__SITE_PAIRS]; /* their records */
} frng__guide_place;

static struct {
    bool is_on; /* the test runs, and is looked at */
    frng_guide_table *table;
    frng_guide_record *records; /* those of the run in progress */
    uint64_t room;              /* for records, in all */
    uint32_t run, epoch;        /* index in the order; number in the process */
    uint32_t count, draws;      /* records of the run; its draws */
    const frng *f;
    uint16_t draw[FRNG_GUIDE_DRAWS_MAX]; /* records of the newest draws */
    frng__guide_place places[FRNG_GUIDE_SITES];
} frng__guide;

/* Take the driver's wish for the runs of an order. */
static inline FRNG__UNSEEN void frng__guide_order(frng_report *report, uint64_t report_size) {
    const uint64_t offset = report->guide_offset, size = report->guide_size;
    frng__guide.table = NULL;
    if (offset % 8 != 0 || offset < sizeof *report || size > report_size) return;
    if (offset > report_size - size || size < sizeof(frng_guide_table)) return;
    frng__guide.table = (frng_guide_table *)(void *)((uint8_t *)report + offset);
    frng__guide.room = (size - sizeof(frng_guide_table)) / sizeof(frng_guide_record);
}

/* True if another run would find no room for its records. */
static inline FRNG__UNSEEN bool frng__guide_is_full(void) {
    if (frng__guide.table == NULL) return false;
    return frng__guide.table->used > frng__guide.room ||
           frng__guide.room - frng__guide.table->used < FRNG_GUIDE_RUN_MAX;
}

/* Begin to record run `run`, which draws from `f`. Return false if it is not looked at. */
static inline FRNG__UNSEEN bool frng__guide_begin(const frng *f, uint64_t run) {
    if (frng__guide.table == NULL || frng__guide_is_full()) return false;
    frng__guide.records =
        (frng_guide_record *)(void *)(frng__guide.table + 1) + frng__guide.table->used;
    frng__guide.f = f;
    frng__guide.run = (uint32_t)run;
    frng__guide.epoch++;
    frng__guide.count = frng__guide.draws = 0;
    return true;
}

/* The test begins, or has returned. */
static inline FRNG__UNSEEN void frng__guide_look(bool begins) {
    frng__guide.is_on = begins && frng__guide.table != NULL && frng__guide.records != NULL;
}

/* The run has passed: its records count. */
static inline FRNG__UNSEEN void frng__guide_end(void) {
    if (frng__guide.table == NULL || frng__guide.records == NULL) return;
    frng__guide.table->used += frng__guide.count;
    frng__guide.records = NULL;
}

/* ---- Records ---- */

/* Return record `number` of the run, filled in. */
static inline FRNG__UNSEEN frng_guide_record *frng__guide_record(uint32_t number, int type,
                                                                 uint32_t site) {
    frng_guide_record *r = &frng__guide.records[number];
    r->type = (uint8_t)type;
    r->kind = r->width = r->second = 0;
    r->run = frng__guide.run;
    r->draws = frng__guide.draws;
    r->site = site;
    return r;
}

/* Return a new record, or NULL without room. Each place gets the rest that draws leave. */
static inline FRNG__UNSEEN frng_guide_record *frng__guide_next(int type, uint32_t site) {
    const uint32_t left = frng__guide.draws < FRNG_GUIDE_DRAWS_MAX
                              ? FRNG_GUIDE_DRAWS_MAX - frng__guide.draws
                              : 0; /* for draws */
    if (frng__guide.count + left >= FRNG_GUIDE_RUN_MAX) return NULL;
    return frng__guide_record(frng__guide.count++, type, site);
}

static FRNG__UNSEEN void frng__guide_drawn(frng *f, frng_kind kind, size_t start, size_t width,
                                           uint64_t min, uint64_t max, uint64_t value) {
    uint16_t *slot = &frng__guide.draw[frng__guide.draws % FRNG_GUIDE_DRAWS_MAX];
    frng_guide_record *r;
    if (frng__guide.records == NULL) return;
    if (frng__guide.draws < FRNG_GUIDE_DRAWS_MAX) *slot = (uint16_t)frng__guide.count++;
    r = frng__guide_record(*slot, FRNG_GUIDE_DRAW, 0);
    frng__guide.draws++;
    r->kind = (uint8_t)kind;
    r->width = (uint8_t)width;
    r->u.draw.start = start;
    r->u.draw.end = f->used;
    r->u.draw.min = min;
    r->u.draw.max = max;
    r->u.draw.value = value;
}

/* Return the index of the place that called from `pc`; the program may be loaded anywhere. */
static inline FRNG__UNSEEN uint32_t frng__guide_site(uintptr_t pc, uint32_t count) {
    const uint64_t offset = (uint64_t)(pc - (uintptr_t)&frng__guide);
    return (uint32_t)((offset * UINT64_C(0x9e3779b97f4a7c15)) >> 32) % count;
}

static inline FRNG__UNSEEN frng__guide_place *frng__guide_place_of(uint32_t site) {
    frng__guide_place *p = &frng__guide.places[site];
    if (p->run == frng__guide.epoch) return p;
    p->run = frng__guide.epoch;
    p->news = 0;
    p->pairs = 0;
    return p;
}

/* The sides of a comparison are this near. As near as ever is news, too, if fewer bytes were drawn:
 * more can follow. */
static inline FRNG__UNSEEN void frng__guide_near(uint32_t site, uint64_t near, uint32_t bits) {
    frng_guide_site *best = &frng__guide.table->sites[site];
    const uint32_t used = (uint32_t)frng__guide.f->used;
    const bool is_nearer =
        near > best->near || (near == best->near && used < best->at - best->at / 4);
    frng__guide_place *p;
    frng_guide_record *r;
    if (!is_nearer && bits <= best->bits) return;
    p = frng__guide_place_of(site);
    if (p->news == 0) {
        r = frng__guide_next(FRNG_GUIDE_SITE, site);
        if (r == NULL) return;
        p->news = (uint16_t)frng__guide.count;
        r->u.now.near = 0;
        r->u.now.bits = 0;
    }
    r = &frng__guide.records[p->news - 1];
    if (is_nearer) r->u.now.near = best->near = near, best->at = used;
    if (bits > best->bits) r->u.now.bits = best->bits = bits;
    r->u.now.at = used;
}

/* Return the record for another pair of this place: an older one of it, if it has many. */
static inline FRNG__UNSEEN frng_guide_record *frng__guide_pair(uint32_t site, int type) {
    frng__guide_place *p = frng__guide_place_of(site);
    uint16_t *slot = &p->pair[p->pairs++ % FRNG__SITE_PAIRS];
    frng_guide_record *r;
    if (p->pairs > FRNG__SITE_PAIRS) return frng__guide_record(*slot, type, site);
    r = frng__guide_next(type, site);
    if (r == NULL)
        p->pairs = 0;
    else
        *slot = (uint16_t)(r - frng__guide.records);
    return r;
}

static inline FRNG__UNSEEN void frng__guide_numbers(uint64_t a, uint64_t b, unsigned width,
                                                    bool is_constant, uintptr_t pc) {
    const uint32_t site = frng__guide_site(pc, FRNG_GUIDE_SITES);
    const unsigned lost = 64 - 8 * width;
    const int64_t difference = (int64_t)((a - b) << lost) >> lost;
    const uint64_t distance = difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference;
    frng_guide_record *r;
    frng__guide_near(site, UINT64_MAX - distance, 65 - (uint32_t)__builtin_popcountll(a ^ b));
    if (a == b || (r = frng__guide_pair(site, FRNG_GUIDE_PAIR)) == NULL) return;
    r->kind = is_constant;
    r->width = (uint8_t)width;
    r->u.pair.a = a;
    r->u.pair.b = b;
}

/* ---- Called by the instrumentation ---- */

#define FRNG__PC ((uintptr_t)__builtin_return_address(0))
#define FRNG__COMPARES(name, type, is_constant)                                                    \
    FRNG__HOOK name(type a, type b);                                                               \
    FRNG__HOOK name(type a, type b) {                                                              \
        if (frng__guide.is_on) frng__guide_numbers(a, b, sizeof a, is_constant, FRNG__PC);         \
    }
FRNG__COMPARES(__sanitizer_cov_trace_cmp1, uint8_t, false)
FRNG__COMPARES(__sanitizer_cov_trace_cmp2, uint16_t, false)
FRNG__COMPARES(__sanitizer_cov_trace_cmp4, uint32_t, false)
FRNG__COMPARES(__sanitizer_cov_trace_cmp8, uint64_t, false)
FRNG__COMPARES(__sanitizer_cov_trace_const_cmp1, uint8_t, true)
FRNG__COMPARES(__sanitizer_cov_trace_const_cmp2, uint16_t, true)
FRNG__COMPARES(__sanitizer_cov_trace_const_cmp4, uint32_t, true)
FRNG__COMPARES(__sanitizer_cov_trace_const_cmp8, uint64_t, true)

FRNG__HOOK __sanitizer_cov_trace_cmpf(float a, float b);
FRNG__HOOK __sanitizer_cov_trace_cmpf(float a, float b) { (void)a, (void)b; }
FRNG__HOOK __sanitizer_cov_trace_cmpd(double a, double b);
FRNG__HOOK __sanitizer_cov_trace_cmpd(double a, double b) { (void)a, (void)b; }

/* A switch: cases[0] of them, of cases[1] bits, from cases[2] on. */
FRNG__HOOK __sanitizer_cov_trace_switch(uint64_t value, void *list);
FRNG__HOOK __sanitizer_cov_trace_switch(uint64_t value, void *list) {
    const uint64_t *cases = (const uint64_t *)list;
    const unsigned width = (unsigned)(cases[1] / 8) > 0 ? (unsigned)(cases[1] / 8) : 1;
    uint64_t i;
    if (!frng__guide.is_on) return;
    for (i = 0; i < cases[0] && i < 64; i++)
        frng__guide_numbers(cases[2 + i], value, width, true, FRNG__PC + (uintptr_t)i);
}

FRNG__HOOK __sanitizer_cov_trace_pc(void);
FRNG__HOOK __sanitizer_cov_trace_pc(void) {
    uint32_t edge;
    uint64_t *word, bit;
    frng_guide_record *r;
    if (!frng__guide.is_on) return;
    edge = frng__guide_site(FRNG__PC, FRNG_GUIDE_EDGES);
    word = &frng__guide.table->edges[edge / 64];
    bit = UINT64_C(1) << edge % 64;
    if ((*word & bit) != 0 || (r = frng__guide_next(FRNG_GUIDE_EDGE, edge)) == NULL) return;
    *word |= bit;
    r->u.at = frng__guide.f->used;
}

/* ---- Texts ---- */

/* Record two texts of up to `size` bytes that were compared; `ends`: they end at a 0. */
static FRNG__UNSEEN void frng__guide_texts(const void *first, const void *second, size_t size,
                                           bool ends, uintptr_t pc) {
    const uint8_t *a = (const uint8_t *)first, *b = (const uint8_t *)second;
    const uint32_t site = frng__guide_site(pc, FRNG_GUIDE_SITES);
    frng_guide_record *r = frng__guide_pair(site, FRNG_GUIDE_TEXT);
    size_t alike = 0, n;
    while (alike < size && a[alike] == b[alike] && !(ends && a[alike] == 0)) alike++;
    frng__guide_near(site, 1 + alike, 0);
    if (r == NULL) return;
    if (size > sizeof r->u.text[0]) size = sizeof r->u.text[0];
    for (n = 0; n < size && !(ends && n > 0 && a[n - 1] == 0); n++) r->u.text[0][n] = a[n];
    r->width = (uint8_t)n;
    for (n = 0; n < size && !(ends && n > 0 && b[n - 1] == 0); n++) r->u.text[1][n] = b[n];
    r->second = (uint8_t)n;
}

/* Sanitizers say what their own functions compare. Elsewhere these stand for those of the library,
 * under another name, since C++ declares them in another way. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define FRNG__INTERCEPTED
#elif __has_feature(thread_sanitizer)
#define FRNG__INTERCEPTED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FRNG__INTERCEPTED
#endif

#ifdef FRNG__INTERCEPTED
#define FRNG__TEXTS(name, size, ends, folds, result, ...)                                          \
    FRNG__HOOK __sanitizer_weak_hook_##name(void *pc, __VA_ARGS__, result);                        \
    FRNG__HOOK __sanitizer_weak_hook_##name(void *pc, __VA_ARGS__, result) {                       \
        (void)got;                                                                                 \
        if (frng__guide.is_on) frng__guide_texts(a, b, size, ends, (uintptr_t)pc);                 \
    }
FRNG__TEXTS(strstr, SIZE_MAX, true, false, char *got, const char *a, const char *b)
#else
/* Compare two texts of up to `size` bytes; `folds`: letters of both cases are the same. */
static inline FRNG__UNSEEN int frng__guide_compare(const void *first, const void *second,
                                                   size_t size, bool ends, bool folds) {
    const uint8_t *a = (const uint8_t *)first, *b = (const uint8_t *)second;
    for (; size > 0; a++, b++, size--) {
        int x = *a, y = *b;
        if (folds && x >= 'A' && x <= 'Z') x += 'a' - 'A';
        if (folds && y >= 'A' && y <= 'Z') y += 'a' - 'A';
        if (x != y) return x - y;
        if (ends && x == 0) return 0;
    }
    return 0;
}

#define FRNG__TEXTS(name, size, ends, folds, result, ...)                                          \
    FRNG__C_LINKAGE int frng__guide_##name(__VA_ARGS__) __asm__(#name);                            \
    FRNG__C_LINKAGE FRNG__UNSEEN __attribute__((weak)) int frng__guide_##name(__VA_ARGS__) {       \
        if (frng__guide.is_on) frng__guide_texts(a, b, size, ends, FRNG__PC);                      \
        return frng__guide_compare(a, b, size, ends, folds);                                       \
    }

FRNG__C_LINKAGE char *frng__guide_strstr(const char *a, const char *b) __asm__("strstr");
FRNG__C_LINKAGE FRNG__UNSEEN __attribute__((weak)) char *frng__guide_strstr(const char *a,
                                                                            const char *b) {
    size_t length = 0;
    if (frng__guide.is_on) frng__guide_texts(a, b, SIZE_MAX, true, FRNG__PC);
    while (b[length] != 0) length++;
    for (; frng__guide_compare(a, b, length, true, false) != 0; a++)
        if (*a == 0) return NULL;
    return (char *)(uintptr_t)a;
}
#endif

FRNG__TEXTS(memcmp, n, false, false, int got, const void *a, const void *b, size_t n)
FRNG__TEXTS(strcmp, SIZE_MAX, true, false, int got, const char *a, const char *b)
FRNG__TEXTS(strncmp, n, true, false, int got, const char *a, const char *b, size_t n)
FRNG__TEXTS(strcasecmp, SIZE_MAX, true, true, int got, const char *a, const char *b)
FRNG__TEXTS(strncasecmp, n, true, true, int got, const char *a, const char *b, size_t n)

#endif
