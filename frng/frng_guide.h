/* frng_guide.h: what a target records for guided runs. frng_main.h includes it.
 *
 * Each program records its newest draws, and how high it came by frng_maximize. The rest is there
 * if it is built with the flags of `pkg-config --variable=guided frng`.
 *
 * The compiler calls the functions below at each comparison of integers and at each switch, and
 * the program calls those that compare texts. They return at once but in a run that the driver
 * looks at, from the byte on where it differs from an earlier one; processes of other runs soon
 * call few of them (frng__guide_skip). A run that is looked at notes, in shared memory
 * (PROTOCOL.md), how near the sides of each comparison came to each other; its newest draws; and
 * sides that differ, the newest of each place. It judges nothing: the driver finds out which draw a
 * side came from.
 *
 * A run's records count once it has passed. No function here may be instrumented itself.
 * C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_GUIDE_H
#define FRNG_GUIDE_H

#include "frng.h"
#include "frng_protocol.h"

#include <errno.h>
#ifdef FRNG_GUIDED
#include <link.h>
#endif
#include <string.h>
#include <sys/mman.h>

FRNG__WRAPS

#define FRNG__UNSEEN __attribute__((FRNG__QUIET))
#define FRNG__HOOK FRNG__C_LINKAGE FRNG__UNSEEN __attribute__((no_sanitize("thread"))) void

enum {
    FRNG__PLACE_PAIRS = 4, /* of a place in a run, the newest */
    FRNG__EQUAL_MAX = 3,   /* equal comparisons before one, which make it another place */
    FRNG__CALLS = 1000     /* of hooks, before they are worth a change of the program */
};

#ifdef FRNG_GUIDED
/* What the run in progress has recorded of a place. */
typedef struct frng__guide_place {
    uint32_t epoch; /* of the run that this is of */
    uint32_t count; /* pairs that were recorded */
    uint16_t pair[FRNG__PLACE_PAIRS];
} frng__guide_place;
#endif

static struct {
    bool is_on;    /* the test runs, and what it compares may be new */
    bool has_news; /* so it was */
    frng_guide_table *table;
    frng_guide_record *records; /* those of the run in progress; NULL: it is not looked at */
    uint32_t calls;             /* of hooks, up to one that becomes a no-op; 0: none does */
    uint64_t room;              /* for records, in all */
    uint32_t run, epoch;        /* index in the order; number in the process */
    uint32_t from, count;       /* see frng_guide_table; records of the run */
    uint32_t draws;             /* of the run */
    uint32_t equal;             /* comparisons since the last branch whose sides were equal */
    const frng *f;
    frng_guide_record newest[FRNG_GUIDE_DRAWS_MAX]; /* of its draws */
#ifdef FRNG_GUIDED
    frng__guide_place places[FRNG_GUIDE_SITES];
#endif
} frng__guide;

/* Take the driver's request for the runs of an order: a table and its records, or NULL. */
static inline FRNG__UNSEEN void frng__guide_order(void *table, uint64_t size) {
    frng__guide.table = NULL;
    if (table == NULL || size < sizeof(frng_guide_table)) return;
    frng__guide.table = (frng_guide_table *)table;
    frng__guide.room = (size - sizeof(frng_guide_table)) / sizeof(frng_guide_record);
}

/* A process begins that makes the runs of the order, and no other ones. */
static inline FRNG__UNSEEN void frng__guide_process(void) {
#ifdef FRNG_GUIDED
    frng__guide.calls = frng__guide.table == NULL ? FRNG__CALLS : 0;
#endif
}

/* True if another run would find no room for its records. */
static inline FRNG__UNSEEN bool frng__guide_is_full(void) {
    const frng_guide_table *t = frng__guide.table;
    return t != NULL &&
           (t->used > frng__guide.room || frng__guide.room - t->used < FRNG_GUIDE_RUN_MAX);
}

/* Begin to record run `run`, which draws from `f`. Return false if it is not looked at. */
static inline FRNG__UNSEEN bool frng__guide_begin(const frng *f, uint64_t run) {
    if (frng__guide.table == NULL || frng__guide_is_full()) return false;
    frng__guide.records =
        (frng_guide_record *)(void *)(frng__guide.table + 1) + frng__guide.table->used;
    frng__guide.f = f;
    frng__guide.run = (uint32_t)run;
    frng__guide.from = run < FRNG_GUIDE_RUNS ? frng__guide.table->from[run] : 0;
    frng__guide.epoch++;
    frng__guide.count = frng__guide.draws = frng__guide.equal = 0;
    frng__guide.has_news = false;
    return true;
}

/* The run has passed: its records count. Where nothing was new, draws that it repeated do not. */
static inline FRNG__UNSEEN void frng__guide_end(void) {
    const uint32_t draws = frng__guide.draws, most = FRNG_GUIDE_DRAWS_MAX;
    const bool is_known = !frng__guide.has_news;
    uint32_t i = draws > most ? draws - most : 0;
    if (frng__guide.table == NULL || frng__guide.records == NULL) return;
    for (; i < draws; i++) {
        const frng_guide_record *r = &frng__guide.newest[i % most];
        if (is_known && r->u.draw.end <= frng__guide.from) continue;
        frng__guide.records[frng__guide.count++] = *r;
    }
    if (!is_known || frng__guide.from < FRNG_GUIDE_NEWS)
        frng__guide.table->used += frng__guide.count;
    frng__guide.records = NULL;
}

/* ---- Records ---- */

/* Fill in the head of a record. */
static inline FRNG__UNSEEN frng_guide_record *frng__guide_record(frng_guide_record *r, int type,
                                                                 int kind, size_t width) {
    r->type = (uint8_t)type;
    r->kind = (uint8_t)kind;
    r->width = (uint8_t)width;
    r->second = 0;
    r->run = frng__guide.run;
    r->draws = frng__guide.draws;
    return r;
}

static FRNG__UNSEEN void frng__guide_drawn(frng *f, frng_kind kind, size_t start, size_t width,
                                           uint64_t min, uint64_t max, uint64_t value) {
    frng_guide_record *r = &frng__guide.newest[frng__guide.draws % FRNG_GUIDE_DRAWS_MAX];
    if (frng__guide.records == NULL) return;
    frng__guide_record(r, FRNG_GUIDE_DRAW, (int)kind, width);
    frng__guide.draws++;
    frng__guide.is_on = f->used > (frng__guide.from & ~FRNG_GUIDE_NEWS);
    r->u.draw.start = start;
    r->u.draw.end = f->used;
    r->u.draw.min = min;
    r->u.draw.max = max;
    r->u.draw.value = value;
}

/* The sides of a comparison are this near, or a goal is this high. As near as ever is news, too, if
 * fewer bytes were drawn: more can follow. */
static inline FRNG__UNSEEN void frng__guide_near(uint32_t site, uint64_t near) {
    frng_guide_site *best = &frng__guide.table->sites[site];
    const uint32_t used = (uint32_t)frng__guide.f->used;
    if (near < best->near || (near == best->near && used >= best->at - best->at / 4)) return;
    best->near = near;
    best->at = used;
    best->run = frng__guide.run;
    frng__guide.has_news = true;
}

#ifdef FRNG_GUIDED
#define FRNG__WITHIN(at, from, to)                                                                 \
    ((uintptr_t)(at) - (uintptr_t)(from) < (uintptr_t)(to) - (uintptr_t)(from))

extern const char frng__linked[] __asm__("__executable_start"), frng__linked_end[] __asm__("etext");
extern const char frng__start[] __asm__("_start");
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak));
FRNG__C_LINKAGE __attribute__((weak)) void __sanitizer_print_stack_trace(void);

/* Whether the program has much code before or behind that of the test, apart from a sanitizer. */
static inline FRNG__UNSEEN bool frng__guide_has_neighbors(void) {
    const ptrdiff_t much = 4096; /* more than the C library's start, and than the compiler's own */
    if (frng__linked_end - frng__code_end > much) return true;
    return frng__code - frng__start > 4 * much && /* draws can be there, too */
           !FRNG__WITHIN(__sanitizer_print_stack_trace, frng__linked, frng__linked_end);
}

/* Whether the program seems to have more code than the test, such as a library that comes with no
 * compiler. */
static inline FRNG__UNSEEN bool frng__guide_has_others(void) {
    static const char usual[] =
        " ld libc libm libgcc libgcc_s libstdc++ libasan libubsan libtsan liblsan libpthread "
        "libdl librt libunwind libatomic libc++ libc++abi libclang_rt ";
    const ElfW(Dyn) * d;
    const char *names = NULL;
    bool is_dynamic = false;
    for (d = _DYNAMIC; d != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB) names = (const char *)d->d_un.d_ptr;
    if ((uintptr_t)names < (uintptr_t)frng__linked) names += (uintptr_t)frng__linked; /* musl */
    for (d = _DYNAMIC; d != NULL && d->d_tag != DT_NULL; d++) {
        char name[32] = " ";
        size_t size = 1;
        const char *at = names + d->d_un.d_val;
        if (d->d_tag != DT_NEEDED) continue;
        is_dynamic = true;
        while (size < sizeof name - 2 && *at != 0 && *at != '.' && *at != '-') name[size++] = *at++;
        name[size] = ' ';
        if (strstr(usual, name) == NULL) return true;
    }
    return is_dynamic && frng__guide_has_neighbors();
}

/* Return the index of the place that called from `pc`; the program may be loaded anywhere. */
static inline FRNG__UNSEEN uint32_t frng__guide_site(uintptr_t pc) {
    const uint64_t offset = (uint64_t)(pc - (uintptr_t)&frng__guide);
    const uint32_t site = (uint32_t)((offset * UINT64_C(0x9e3779b97f4a7c15)) >> 32) %
                          (FRNG_GUIDE_SITES - FRNG_GUIDE_GOALS);
    return site - (site == FRNG_GUIDE_OUTSIDE);
}

/* Return the record for another pair of this place: an older one of it, if it has many; NULL
 * without room, which draws need, too. */
static inline FRNG__UNSEEN frng_guide_record *frng__guide_pair(uint32_t site, int type, int kind,
                                                               size_t width) {
    frng__guide_place *p = &frng__guide.places[site];
    uint16_t *slot;
    if (p->epoch != frng__guide.epoch) p->epoch = frng__guide.epoch, p->count = 0;
    slot = &p->pair[p->count % FRNG__PLACE_PAIRS];
    if (p->count < FRNG__PLACE_PAIRS) {
        if (frng__guide.count == FRNG_GUIDE_RUN_MAX - FRNG_GUIDE_DRAWS_MAX) return NULL;
        *slot = (uint16_t)frng__guide.count++;
    }
    p->count++;
    return frng__guide_record(&frng__guide.records[*slot], type, kind, width);
}

/* Record that a comparison was seen in code outside of the test. Calls of strcmp and the like do
 * not count: their hooks see the calls of all code, also of code that is not instrumented. */
static inline FRNG__UNSEEN void frng__guide_look(uintptr_t pc) {
    if (frng__guide.table->sites[FRNG_GUIDE_OUTSIDE].near == 0 &&
        !FRNG__WITHIN(pc, frng__code, frng__code_end) &&
        !FRNG__WITHIN(pc, frng__code_of_main, frng__code_of_main_end) &&
        !FRNG__WITHIN(pc, frng__code_of_cold, frng__code_of_cold_end))
        frng__guide_near(FRNG_GUIDE_OUTSIDE, 1);
}

static FRNG__UNSEEN __attribute__((noinline)) void
frng__guide_numbers(uint64_t a, uint64_t b, unsigned width, bool is_constant, uintptr_t pc) {
    /* Compilers compare all sides of a condition without a branch between them: as if there were
     * one, it is another place if those before are equal. */
    const uint32_t site = frng__guide_site(pc - 256 * (uintptr_t)frng__guide.equal);
    const unsigned lost = 64 - 8 * width;
    const int64_t difference = (int64_t)((a - b) << lost) >> lost;
    frng_guide_record *r;
    frng__guide_look(pc);
    frng__guide_near(site, UINT64_MAX -
                               (difference < 0 ? 0 - (uint64_t)difference : (uint64_t)difference));
    if (a == b && frng__guide.equal < FRNG__EQUAL_MAX) frng__guide.equal++;
    if (a == b || (r = frng__guide_pair(site, FRNG_GUIDE_PAIR, is_constant, width)) == NULL) return;
    r->u.pair.a = a;
    r->u.pair.b = b;
}

/* ---- Called by the instrumentation ---- */

#define FRNG__PC ((uintptr_t)__builtin_return_address(0))

/* A call costs more than a hook that returns at once. So on x86-64 a process whose runs are not
 * looked at replaces calls by a no-op as they come, after FRNG__CALLS of them. Those by way of a
 * linkage table stay, and all once there are threads, which could be within the five bytes. The
 * pages of those calls stay writable: to protect them anew each time costs what this gains. */
static FRNG__UNSEEN __attribute__((noinline)) void frng__guide_skip(uintptr_t pc, uintptr_t hook) {
#ifdef __x86_64__
    extern char is_single __asm__("__libc_single_threaded") __attribute__((weak)); /* not of musl */
    static uintptr_t from = UINTPTR_MAX, to; /* can be written: whole pages of the program */
    const uintptr_t call = pc - 5, page = 4096;
    const int error = errno; /* of the test */
    int32_t distance;
    frng__guide.calls = FRNG__CALLS;
    memcpy(&distance, (const void *)(call + 1), sizeof distance);
    if (*(const uint8_t *)call != 0xe8 || pc + (uintptr_t)(intptr_t)distance != hook) return;
    frng__guide.calls = 0;
    if (&is_single == NULL || !is_single) return;
    if (call < from || pc > to) {
        from = (call < from ? call : from) / page * page;
        to = ((pc > to ? pc : to) + page - 1) / page * page;
        if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
            from = UINTPTR_MAX; /* none of them can */
            errno = error;
            return;
        }
    }
    memcpy((void *)call, "\x0f\x1f\x44\x00\x00", 5);
    frng__guide.calls = 1;
#else
    (void)pc, (void)hook;
#endif
}

#define FRNG__HOOKED(name, does)                                                                   \
    if (frng__guide.is_on) {                                                                       \
        does;                                                                                      \
    } else if (frng__guide.calls > 0 && --frng__guide.calls == 0) {                                \
        frng__guide_skip(FRNG__PC, (uintptr_t)name);                                               \
    }
#define FRNG__COMPARES(name, type, is_constant)                                                    \
    FRNG__HOOK name(type a, type b);                                                               \
    FRNG__HOOK name(type a, type b) {                                                              \
        FRNG__HOOKED(name, frng__guide_numbers(a, b, sizeof a, is_constant, FRNG__PC))             \
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

/* An edge is a place that the run comes to or not. (clang calls the others only beside this.) */
FRNG__HOOK __sanitizer_cov_trace_pc(void);
FRNG__HOOK __sanitizer_cov_trace_pc(void) {
    FRNG__HOOKED(__sanitizer_cov_trace_pc, frng__guide.equal = 0; frng__guide_look(FRNG__PC);
                 frng__guide_near(frng__guide_site(FRNG__PC), 1))
}

/* ---- Texts ---- */

/* Copy a text of up to `size` bytes, as far as there is room. Return the count. */
static inline FRNG__UNSEEN size_t frng__guide_copy(uint8_t *to, const uint8_t *text, size_t size,
                                                   bool ends) {
    size_t n = 0;
    for (; n < size && n < FRNG_GUIDE_TEXT_MAX && !(ends && n > 0 && text[n - 1] == 0); n++)
        to[n] = text[n];
    return n;
}

/* Record two texts of up to `size` bytes that were compared; `ends`: they end at a 0. */
static FRNG__UNSEEN void frng__guide_texts(const void *first, const void *second, size_t size,
                                           bool ends, uintptr_t pc) {
    const uint8_t *a = (const uint8_t *)first, *b = (const uint8_t *)second;
    const uint32_t site = frng__guide_site(pc);
    frng_guide_record *r = frng__guide_pair(site, FRNG_GUIDE_TEXT, 0, 0);
    size_t alike = 0;
    while (alike < size && a[alike] == b[alike] && !(ends && a[alike] == 0)) alike++;
    frng__guide_near(site, 1 + alike);
    if (r == NULL) return;
    r->width = (uint8_t)frng__guide_copy(r->u.text[0], a, size, ends);
    r->second = (uint8_t)frng__guide_copy(r->u.text[1], b, size, ends);
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

FRNG__WRAPS_END
#endif
