/* frng_main.h: the main of a target, from bytes on stdin to a verdict.
 *
 *     static bool test(frng *f) { ... }
 *     FRNG_MAIN(test)
 *
 * is the whole program. One with a main of its own returns frng_run(test) from it. Entropy is
 * read from stdin, or from the file that FRNG_INPUT names, so that a debugger keeps the terminal.
 *
 * A test that returns true, or false because its entropy ran out, has passed: exit status 0, which
 * a discarded run has, too (frng_assume). A test that returns false with entropy left (`return
 * x == y`) fails with exit status 1. A crash fails. If the entropy cannot be read, the exit status
 * is 125: no verdict. Without entropy (stdin is a terminal, /dev/null or closed) and with arguments
 * that FRNG_MAIN does not know, it is 2. A test that has arguments of its own writes a main.
 *
 * When a driver offers the protocol (PROTOCOL.md), the program starts once and makes many runs:
 * each in a forked process, or many in one, with entropy expanded as it is drawn. The driver sees
 * the draws in shared memory, even after a crash. Threads, files and other state from before
 * frng_run are shared by all runs.
 *
 * With -DFRNG_LIBFUZZER, FRNG_MAIN makes a libFuzzer target instead of a main. AFL++ drives the
 * program through stdin.
 *
 * Include it in one file of the program. C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_MAIN_H
#define FRNG_MAIN_H

#include "frng_protocol.h" /* first: see FRNG__CODE */

#include "frng.h"
#include "frng_assert.h"
#include "frng_choices.h"
#include "frng_crash.h"
#include "frng_expand.h"
#include "frng_leaks.h"
#include "frng_more.h"
#include "frng_stay.h"
#include "frng_ubsan.h"
#include "frng_usage.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

FRNG__WRAPS

enum { FRNG_EXIT_PASS = 0, FRNG_EXIT_FAIL = 1, FRNG_EXIT_CANNOT_JUDGE = 125 };

typedef bool (*frng_test)(frng *f);

/* A function that each run calls: guided runs do not look into it. */
#define FRNG__OFTEN static inline __attribute__((FRNG__QUIET))

/* Tools search an executable for this text to know that it reads FRNG_INPUT. */
__attribute__((used)) static const char frng__marker[] = "frng_main:1";

FRNG__ONCE void *frng__cannot_read(const char *name, const char *why) {
    fprintf(stderr, "frng: cannot read entropy from %s: %s\n", name, why);
    return NULL;
}

/* Return the contents of `file`, *size bytes, which the caller frees: all of them, if they are less
 * than `size_max`. The block has no byte more, so that sanitizers see reads past the end. After a
 * message, return NULL on failure. */
FRNG__ONCE uint8_t *frng__read_all(FILE *file, const char *name, size_t size_max, size_t *size) {
    size_t capacity = 4096;
    uint8_t *bytes = (uint8_t *)malloc(capacity);
    *size = 0;
    while (bytes != NULL) {
        uint8_t *larger;
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity || *size >= size_max) break;
        capacity *= 2;
        larger = (uint8_t *)realloc(bytes, capacity);
        if (larger == NULL) free(bytes);
        bytes = larger;
    }
    if (bytes == NULL) return (uint8_t *)frng__cannot_read(name, "out of memory");
    if (ferror(file)) {
        frng__cannot_read(name, strerror(errno)); /* before free, which may set errno */
        free(bytes);
        return NULL;
    }
    {
        uint8_t *exact = (uint8_t *)realloc(bytes, *size > 0 ? *size : 1);
        return exact != NULL ? exact : bytes;
    }
}

/* ---- Reporting: the frng of a run is in memory that the driver sees ---- */

/* The choices of a run. */
typedef struct frng__choices {
    const uint8_t *first, *at, *end;
    const uint8_t *seen; /* the end of those that were looked at */
    bool has_ended;      /* a draw wanted more */
} frng__choices;

/* The state of the current run. */
typedef struct frng__run_state {
    const void *sites[256]; /* places that drew in this run, by their first draws */
    frng_report *report;    /* NULL: without a driver */
    /* A copy of the driver's requests: a test can overwrite the report by mistake. */
    frng_trace_record *records;
    uint64_t *runs;
    frng_label_table *labels; /* NULL: not wanted */
    frng_label_row *label_rows;
    uint8_t label_guesses[64]; /* rows of names, by their addresses */
    uint64_t record_count, run_count, label_count;
    uint64_t report_size; /* bytes that are mapped */
    int control;          /* descriptor of the socket to the driver, or -1 */
    int entropy;          /* descriptor of the entropy file, or -1 */
    uint8_t *bytes;       /* expanded or explicit entropy, in a block of `capacity` */
    size_t capacity;
    frng_expansion expansion;
    frng_host plain, counting, tracing; /* fill entropy; count draws too; record each draw too */
    frng_host again;                    /* of a run that is made once more: records nothing */
    frng_host choosing;                 /* writes the bytes of choices; records each draw too */
    frng_host guiding;                  /* records draws, goals, comparisons (frng_guide.h) */
    bool chooses;                       /* the runs of this order get choices */
    frng__choices choices;              /* of this run */
    uint8_t *chosen;                    /* where their bytes go, in the report */
    size_t chosen_size;
    const uint32_t *weights; /* of the draw in progress */
    const void *frame;       /* of the stack where the run began */
    uint32_t site_count;
    uint64_t draws;        /* of this run, or FRNG_FEW_DRAWS or more */
    uint64_t wants;        /* FRNG_WANTS_... */
    bool has_ended;        /* the process makes no other run */
    bool can_check;        /* its program is of FRNG_MAIN, which knows --check */
    char step[32];         /* the first bytes of the name of the step in progress, or "" */
    const char *step_name; /* which was here */
    bool digests, counts;  /* counts: `draws` is exact */
    bool is_styled;        /* the seed of this run */
    bool ignored_children; /* the program ignores SIGCHLD; this process must not while it waits */
    void (*volatile leave)(int); /* exit() */
} frng__run_state;

/* A fork copies each page that it writes. So what runs write is on one page, with what exit()
 * writes: the first variables of .bss follow the end of .data. */
__attribute__((section(".data.frng"), aligned(4096))) static frng__run_state frng__the_state;
#define frng__state() (&frng__the_state)

#ifdef __cplusplus
#define FRNG__C_LINKAGE extern "C"
#else
#define FRNG__C_LINKAGE
#endif

/* What guided runs record: goals, and comparisons where the program is built for that. */
#include "frng_guide.h"

/* What tells failures of one assertion apart. */
#include "frng_shape.h"

/* Report "file:line" to the driver; frng_assert.h calls it. */
FRNG__C_LINKAGE void frng_on_assert(const char *site);
FRNG__C_LINKAGE __attribute__((weak)) void frng_on_assert(const char *site) {
    frng_report *report = frng__state()->report;
    size_t length = strlen(site);
    if (report == NULL) return;
    if (length >= sizeof report->site) { /* keep the end of a long path */
        site += length - (sizeof report->site - 1);
        length = sizeof report->site - 1;
    }
    memcpy(report->site, site, length);
    report->site[length] = '\0';
}

/* The program's constants and initialized variables, where its linker names them; else NULL. */
extern char frng__constants __asm__("__executable_start") __attribute__((weak));
extern char frng__constants_end __asm__("edata") __attribute__((weak));

/* Return the name of the step in progress up to its first quote or colon, or digit: what follows
 * may be drawn, and must not make one failure many. A constant of the program keeps its digits.
 * frng_assert.h calls it. */
FRNG__C_LINKAGE const char *frng__step_in_progress(void);
FRNG__C_LINKAGE __attribute__((weak)) const char *frng__step_in_progress(void) {
    char *name = frng__state()->step;
    const uintptr_t at = (uintptr_t)frng__state()->step_name;
    const bool is_constant =
        at >= (uintptr_t)&frng__constants && at < (uintptr_t)&frng__constants_end;
    size_t length = strcspn(name, &"0123456789\"':\r\n"[is_constant ? 10 : 0]);
    while (length > 0 && strchr(" \t(=-+#.", name[length - 1]) != NULL) length--;
    name[length] = '\0';
    return name;
}

/* Expand more of the seed: the bytes needed, or as many as are ready if that is more, but at most
 * 32 KiB, which stay in a cache. The generator is in the report, where a test can overwrite it by
 * mistake: check it. */
FRNG__OFTEN bool frng__fill(frng *f, size_t count) {
    frng__run_state *state = frng__state();
    size_t want = f->used + count - f->ready;
    size_t more = f->ready < 32768 ? f->ready : 32768;
    if (f->base != state->bytes || f->size > state->capacity || f->ready > f->size) return false;
    if (want > f->size - f->ready) return false;
    if (more < want) more = want;
    more = (more + 7) & ~(size_t)7; /* whole words */
    if (more > f->size - f->ready) more = f->size - f->ready;
    frng_expansion_fill(&state->expansion, state->bytes + f->ready, more);
    f->ready += more;
    return true;
}

/* ---- Choices ---- */

static inline bool frng__fill_none(frng *f, size_t count) {
    (void)f, (void)count;
    return false;
}

/* Take the next choice if it is for a draw of this kind and width; the width of an index or of a
 * weighted draw may be another one. If it is not, or at the end, the draw has its simplest value,
 * and the choice stays: so a list that lacks some draws is in step again after them. */
static inline frng_choice frng__next_choice(frng__choices *c, frng_kind kind, size_t width) {
    const frng_choice simplest = {0, 0, false, 0};
    frng_choice next = simplest;
    const size_t size = frng_choice_load(&next, c->at, (size_t)(c->end - c->at));
    if (size == 0) c->has_ended = true;
    if (c->seen < c->at + size) c->seen = c->at + size;
    if (size == 0 || next.kind != (int)kind) return simplest;
    if (next.width != width && kind != FRNG_INDEX && kind != FRNG_WEIGHTED) return simplest;
    c->at += size;
    return next;
}

/* Return the bytes that a list takes, if its choices are drawn as they stand. */
FRNG__COLD size_t frng__choices_size(const uint8_t *at, const uint8_t *end) {
    uint8_t bytes[FRNG_ENCODED_MAX];
    frng_choice c;
    size_t size = 0, taken;
    while ((taken = frng_choice_load(&c, at, (size_t)(end - at))) > 0) {
        const frng_request any = {(frng_kind)c.kind, c.width, 0, UINT64_MAX, NULL};
        const int kind = c.kind;
        if (frng_choice_is_end(&c)) break;
        const bool is_short =
            kind == FRNG_MIXED_UINT || kind == FRNG_MIXED_INT || kind == FRNG_REAL;
        size += is_short ? frng_encode(&any, c.number, bytes) : c.width;
        at += taken;
    }
    return size;
}

/* True if the list says that the entropy ends here. */
static inline bool frng__choices_end(frng__choices *c) {
    frng_choice next;
    const size_t size = frng_choice_load(&next, c->at, (size_t)(c->end - c->at));
    if (size == 0 || !frng_choice_is_end(&next)) return false;
    c->has_ended = true;
    c->seen = c->at + size;
    return true;
}

/* Write the bytes of the draw that begins at f->used, and move the end of the entropy if they go
 * beyond it. The generator is in the report: check it. */
static inline bool frng__write_choice(frng *f, frng_kind kind, size_t width, uint64_t min,
                                      uint64_t max, const uint32_t *weights) {
    frng__run_state *state = frng__state();
    frng_request r = {kind, width, min, max, weights};
    uint8_t bytes[FRNG_ENCODED_MAX];
    size_t size = 0;
    if (f->base != state->chosen || f->size > state->chosen_size || f->used > f->size) return false;
    if (frng__choices_end(&state->choices)) return false;
    if (kind == FRNG_BYTES) {
        if (max > state->chosen_size - f->used) return false;
        for (; size < max; size++) {
            state->chosen[f->used + size] =
                (uint8_t)frng__next_choice(&state->choices, kind, width).number;
        }
    } else {
        const frng_choice c = frng__next_choice(&state->choices, kind, width);
        if (c.is_drawn) r.weights = NULL;
        size = frng_encode(&r, c.number, bytes);
        if (size == 0 || size > state->chosen_size - f->used) return false;
        memcpy(state->chosen + f->used, bytes, size);
    }
    state->weights = weights;
    f->ready = f->used + size;
    if (f->size < f->ready) f->size = f->ready;
    return true;
}

static inline bool frng__choose(frng *f, frng_kind kind, size_t width, uint64_t min, uint64_t max,
                                const uint32_t *weights) {
    if (frng__write_choice(f, kind, width, min, max, weights)) return true;
    frng__state()->report->ran_out = 1;
    return false;
}

/* Return the index that a weighted draw of `value` means, as a record has it. */
static inline uint64_t frng__index_of(const uint32_t *weights, uint64_t sum, uint64_t value) {
    uint64_t before = 0, index = 0, k;
    for (k = 0; before < sum; k++) {
        before += weights[k];
        if (before <= value) index = k + 1;
    }
    return (index + 1) | k << 32;
}

/* ---- Records ---- */

/* Return an empty record, or NULL if there is no room or no trace. */
FRNG__OFTEN frng_trace_record *frng__next_record(frng__run_state *state) {
    uint64_t at;
    if (state->record_count == 0) return NULL;
    at = state->report->traced++;
    if (at >= state->record_count) return NULL;
    memset(&state->records[at], 0, sizeof state->records[at]); /* used by an earlier run */
    return &state->records[at];
}

static inline uint64_t frng__mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return digest ^ (digest >> 32);
}

/* Return the number of a place in the program, or 0 if there are too many. */
static inline uint32_t frng__site(frng__run_state *state, const void *place) {
    const uint32_t room = sizeof state->sites / sizeof state->sites[0];
    uint32_t i = 0;
    while (i < state->site_count && state->sites[i] != place) i++;
    if (i == room) return 0;
    if (i == state->site_count) state->sites[state->site_count++] = place;
    return i + 1;
}

/* Return how many units of 16 bytes the stack has grown since the run began, or 0 if that is too
 * much: the draw is made on another stack. */
static inline uint16_t frng__depth(const frng__run_state *state, const void *frame) {
    const uintptr_t grown = ((uintptr_t)state->frame - (uintptr_t)frame) / 16;
    return grown <= UINT16_MAX ? (uint16_t)grown : 0;
}

/* The function that draws calls this one, since draws are inline: its place is that of the draw. */
FRNG__COLD void frng__drawn(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                            uint64_t max, uint64_t value) {
    frng__run_state *state = frng__state();
    frng_report *report = state->report;
    frng_trace_record *record;
    state->draws++;
    if (state->digests) {
        uint64_t digest = frng__mix(report->digest, (uint64_t)kind << 8 | width);
        digest = frng__mix(frng__mix(digest, start), f->used);
        report->digest = frng__mix(frng__mix(frng__mix(digest, min), max), value);
    }
    if (state->chooses) f->ready = f->used;
    record = frng__next_record(state);
    if (record == NULL) return;
    record->start = start;
    record->taken = f->used - start;
    record->kind = (uint8_t)kind;
    record->width = (uint8_t)width;
#if !defined(FRNG_GUIDED) && !defined(FRNG__NO_SITES)
    record->site = frng__site(state, __builtin_return_address(0));
    record->depth = frng__depth(state, __builtin_frame_address(0));
#endif
    record->u.draw.min = min;
    record->u.draw.max = max;
    record->u.draw.value = value;
    if (state->chooses && kind == FRNG_WEIGHTED && state->weights != NULL) {
        record->u.draw.index = frng__index_of(state->weights, max + 1, value);
    }
}

static inline frng_trace_record *frng__new_record(const frng *f, uint8_t kind, uint8_t width) {
    frng_trace_record *record = frng__next_record(frng__state());
    if (record == NULL) return NULL;
    record->start = f->used;
    record->kind = kind;
    record->width = width;
    return record;
}

FRNG__COLD void frng__record_name(const frng *f, uint8_t kind, uint8_t width, const char *name) {
    frng_trace_record *record = frng__new_record(f, kind, width);
    if (record != NULL) strncpy(record->u.text, name, sizeof record->u.text - 1);
}

/* Record what the test says. The end of a long line is lost. */
__attribute__((format(printf, 2, 0))) static inline void frng__said(frng *f, const char *format,
                                                                    va_list arguments) {
    char line[FRNG_SAY_MAX + 1];
    const int error = errno;
    const int wanted = vsnprintf(line, sizeof line, format, arguments);
    const size_t width = sizeof((frng_trace_record *)0)->u.text;
    size_t at = 0, length;
    errno = error;
    if (wanted < 0) return;
    if (wanted > FRNG_SAY_MAX) memcpy(line + FRNG_SAY_MAX - 3, "...", 3);
    length = strlen(line);
    do {
        const size_t some = length - at < width ? length - at : width;
        frng_trace_record *record = frng__new_record(f, FRNG_TRACE_SAY, at + some < length);
        if (record == NULL) return;
        memcpy(record->u.text, line + at, some);
        at += some;
    } while (at < length);
}

static inline void frng__noted(frng *f, const char *name) {
    frng__record_name(f, FRNG_TRACE_NOTE, 0, name);
}

/* ---- Labels and statistics, for a driver that wants them ---- */

/* Count a draw, in most runs only the first ones, since counting costs as much as a small draw. */
FRNG__OFTEN void frng__count_draw(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                                  uint64_t max, uint64_t value) {
    frng__run_state *state = frng__state();
    (void)kind, (void)start, (void)width, (void)min, (void)max, (void)value;
    if (++state->draws >= FRNG_FEW_DRAWS && !state->counts) f->host = &state->plain;
}

FRNG__OFTEN void frng__count_value(frng_histogram *h, uint64_t value) {
    if (h->count == 0 || value < h->min) h->min = value;
    if (h->count == 0 || value > h->max) h->max = value;
    h->count++;
    h->buckets[frng__bucket(value)]++;
}

static inline bool frng__is_label(const frng_label_row *row, int kind, const char *name) {
    return row->kind == (uint64_t)kind && strncmp(row->name, name, sizeof row->name - 1) == 0;
}

/* Return the index of the row of a name, which is added if it is new; UINT64_MAX if there is no
 * room. A label and a measure are different, even under one name. */
static inline uint64_t frng__find_label(frng__run_state *state, int kind, const char *name) {
    frng_label_table *labels = state->labels;
    const uint64_t used = labels->used < state->label_count ? labels->used : state->label_count;
    uint8_t *guess = &state->label_guesses[(uintptr_t)name % 64];
    uint64_t i = *guess;
    if (i < used && frng__is_label(&state->label_rows[i], kind, name)) return i;
    for (i = 0; i < used && !frng__is_label(&state->label_rows[i], kind, name); i++) {
    }
    *guess = (uint8_t)i;
    if (i < used) return i;
    if (i == state->label_count) {
        labels->lost++;
        return UINT64_MAX;
    }
    memset(&state->label_rows[i], 0, sizeof state->label_rows[i]); /* used by an earlier order */
    strncpy(state->label_rows[i].name, name, sizeof state->label_rows[i].name - 1);
    state->label_rows[i].kind = (uint64_t)kind;
    labels->used = i + 1;
    return i;
}

/* Mix a word of the test's state into the digest. */
FRNG__COLD void frng__take_state(const frng *f, uint64_t word) {
    frng__run_state *state = frng__state();
    frng_trace_record *record;
    state->report->wants |= FRNG_HAS_STATES;
    if (state->digests) state->report->digest = frng__mix(state->report->digest, ~word);
    if ((state->wants & FRNG_WANTS_STATES) == 0) return;
    record = frng__next_record(state);
    if (record == NULL) return;
    record->start = f->used;
    record->kind = FRNG_TRACE_STATE;
    record->u.draw.value = word;
}

static inline void frng__step_begun(const char *name) {
    frng__run_state *state = frng__state();
    size_t i;
    for (i = 0; i + 1 < sizeof state->step && name[i] != '\0'; i++) state->step[i] = name[i];
    state->step[i] = '\0';
    state->step_name = name;
}

/* For a driver that wants no labels, and without one. */
static inline void frng__marked_step(frng *f, int mark, const char *name, uint64_t value) {
    (void)f;
    if (mark == FRNG_STEP && value == 0) frng__step_begun(name);
    if (mark == FRNG_LAST_RUN) frng__state()->has_ended = true;
}

/* Of a guided run. */
static inline void frng__marked_goal(frng *f, int mark, const char *name, uint64_t value) {
    if (mark == FRNG_GOAL) frng__guide_near(frng__goal_place(name), value);
    frng__marked_step(f, mark, name, value);
}

/* Record a step in the trace. Note a label, a measure or a goal of the run in progress: it counts
 * when the run ends. */
static inline void frng__marked(frng *f, int mark, const char *name, uint64_t value) {
    frng__run_state *state = frng__state();
    uint64_t i;
    frng__marked_step(f, mark, name, value);
    if (mark == FRNG_STATE) {
        frng__take_state(f, value);
        return;
    }
    if (mark == FRNG_STEP) {
        frng__record_name(f, FRNG_TRACE_STEP, value == 2, name);
    }
    if (mark == FRNG_WORLD_NOTE) frng__record_name(f, FRNG_TRACE_NOTE, 1, name);
    if (mark == FRNG_MOMENT) {
        frng_trace_record *record = frng__new_record(f, FRNG_TRACE_SAY, 1);
        if (record != NULL) memcpy(&record->u, name, sizeof record->u);
    }
    if (mark != FRNG_LABEL && mark != FRNG_MEASURE && mark != FRNG_GOAL) return;
    if (state->labels == NULL || (i = frng__find_label(state, mark, name)) == UINT64_MAX) return;
    if (mark == FRNG_GOAL && (state->report->marked >> i & 1) != 0 &&
        state->label_rows[i].value > value)
        return;
    state->label_rows[i].value = value;
    state->report->marked |= UINT64_C(1) << i;
}

/* Count the labels and measures of the run that has ended. */
FRNG__OFTEN void frng__count_marks(const frng *f) {
    frng__run_state *state = frng__state();
    uint64_t marked = state->report->marked;
    state->report->marked = 0;
    for (; marked != 0; marked &= marked - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(marked);
        frng_label_row *row = &state->label_rows[i];
        if (i >= state->label_count) return;
        if (row->kind == FRNG_ROW_GOAL &&
            (row->values.count == 0 || row->value > row->values.max)) {
            row->values.buckets[FRNG_GOAL_RUN] = (uint32_t)state->report->run;
            row->values.buckets[FRNG_GOAL_DRAWN] = (uint32_t)f->used;
        }
        frng__count_value(&row->values, row->kind == FRNG_ROW_LABEL ? f->used : row->value);
    }
}

/* Count the run that has ended, and passed. */
FRNG__OFTEN void frng__count_run(const frng *f) {
    frng__run_state *state = frng__state();
    frng_label_table *labels = state->labels;
    labels->runs++;
    frng__count_value(&labels->drawn, f->used);
    if (f->discarded) {
        state->report->marked = 0; /* labels are shares of the others */
    } else if (f->exhausted) {
        labels->ran_out++;
    } else if (state->draws < FRNG_FEW_DRAWS) {
        labels->few[state->draws]++;
    }
    if (state->counts) frng__count_value(&labels->draws, state->draws);
    frng__count_marks(f);
}

/* Return the host of a run that is not traced. `counts`: its draws are counted to the end. */
FRNG__OFTEN frng_host *frng__host_of(bool counts) {
    frng__run_state *state = frng__state();
    state->draws = 0;
    state->counts = counts && state->labels != NULL;
    return state->labels != NULL ? &state->counting : &state->plain;
}

/* ---- What the driver asks for ---- */

/* Return where `count` rows of `width` bytes are in the report, after its head; NULL if there are
 * none, or not all of them are there. */
FRNG__ONCE void *frng__in_report(uint64_t offset, uint64_t count, uint64_t width) {
    const uint64_t size = frng__state()->report_size;
    if (offset < sizeof(frng_report) || offset > size || offset % sizeof(uint64_t) != 0)
        return NULL;
    if (count == 0 || count > (size - offset) / width) return NULL;
    return (uint8_t *)frng__state()->report + offset;
}

/* Copy the driver's request for a table of labels: its head, and at least one row. */
FRNG__ONCE void frng__read_label_request(const frng_report *head) {
    frng__run_state *state = frng__state();
    const uint64_t at = head->labels_offset, count = head->labels_count;
    void *rows = frng__in_report(at + sizeof(frng_label_table), count, sizeof(frng_label_row));
    void *labels = frng__in_report(at, 1, sizeof(frng_label_table));
    const bool are_there = labels != NULL && rows != NULL && count <= FRNG_LABELS_MAX;
    state->labels = are_there ? (frng_label_table *)labels : NULL;
    state->label_rows = (frng_label_row *)rows;
    state->label_count = are_there ? count : 0;
    state->plain.mark = state->counting.mark = are_there ? frng__marked : frng__marked_step;
}

/* Copy the driver's requests for the next runs. A process that a run left behind can overwrite them
 * later. */
FRNG__ONCE void frng__read_requests(void) {
    frng__run_state *state = frng__state();
    const frng_report head = *state->report;
    state->records = (frng_trace_record *)frng__in_report(head.trace_offset, head.trace_count,
                                                          sizeof(frng_trace_record));
    state->record_count = state->records != NULL ? head.trace_count : 0;
    state->runs = (uint64_t *)frng__in_report(head.runs_offset, head.runs_count, sizeof(uint64_t));
    state->run_count = state->runs != NULL ? head.runs_count : 0;
    frng__read_label_request(&head);
    state->tracing.say = state->choosing.say =
        state->record_count > 0 && (head.wants & FRNG_WANTS_SAYS) != 0 ? frng__said : NULL;
    state->wants = head.wants;
    frng__leaks_want(head.leaks);
    frng__guide_order(frng__in_report(head.guide_offset, head.guide_size, 1), head.guide_size);
}

/* Report that run `run` has passed. */
FRNG__OFTEN void frng__passed(const frng *f, uint64_t run) {
    frng__run_state *state = frng__state();
    const frng__choices *c = &state->choices;
    const bool ran_out = !f->discarded && (f->exhausted || (state->chooses && c->has_ended));
    const bool discarded = f->discarded && (state->wants & FRNG_WANTS_DISCARDS) != 0;
    const uint64_t used = state->chooses ? (uint64_t)(c->seen - c->first) : (uint64_t)f->used;
    frng__guide_end();
    if (state->labels != NULL) frng__count_run(f);
    if (discarded)
        state->report->wants += state->is_styled ? FRNG_DISCARDED_STYLED : FRNG_DISCARDED;
    if (run >= state->run_count) return;
    state->runs[run] =
        used | (ran_out ? FRNG_RUN_RAN_OUT : 0) | (discarded ? FRNG_RUN_DISCARDED : 0);
}

/* Map the report behind this descriptor, and close it. Return NULL if it is no report. */
FRNG__ONCE frng_report *frng__map_report(int file, uint64_t *size) {
    const off_t end = lseek(file, 0, SEEK_END);
    frng_report *mapped;
    if (end < 0 || lseek(file, (off_t)offsetof(frng_report, size), SEEK_SET) < 0 ||
        read(file, size, sizeof *size) != (ssize_t)sizeof *size) {
        return NULL;
    }
    if (*size < sizeof *mapped || *size > (uint64_t)end || *size > SIZE_MAX / 2) return NULL;
    mapped = (frng_report *)mmap(NULL, (size_t)*size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapped == MAP_FAILED) return NULL;
    if (mapped->magic == FRNG_REPORT_MAGIC) return mapped;
    munmap(mapped, (size_t)*size);
    return NULL;
}

/* Print which bug of its caller ends a draw. */
__attribute__((format(printf, 1, 2))) static inline void frng__misused(const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    fflush(stderr);
}

/* Set what hears of the draws of a run, and which entropy it gets. */
FRNG__ONCE void frng__set_hosts(void) {
    frng__run_state *state = frng__state();
    state->plain.fill = state->counting.fill = state->tracing.fill = frng__fill;
    state->again.fill = frng__fill;
    state->counting.drawn = frng__count_draw;
    state->tracing.drawn = frng__drawn;
    state->tracing.note = frng__noted;
    state->tracing.mark = frng__marked;
    state->plain.misuse = state->counting.misuse = state->tracing.misuse = frng__misused;
    state->again.misuse = frng__misused;
    state->choosing = state->tracing;
    state->choosing.fill = frng__fill_none;
    state->choosing.choose = frng__choose;
    state->guiding = state->plain;
    state->guiding.drawn = frng__guide_drawn;
    state->guiding.mark = frng__marked_goal;
}

/* Map the report that a driver offers in FRNG_DRIVER. Return the control descriptor, or -1 for an
 * ordinary run. */
FRNG__ONCE int frng__meet_driver(void) {
    frng__run_state *state = frng__state();
    char *offer = getenv(FRNG_DRIVER_VARIABLE);
    int version, control, report, entropy;
    if (offer == NULL || sscanf(offer, "%d,%d,%d,%d", &version, &control, &report, &entropy) != 4) {
        return -1;
    }
    if (version != FRNG_PROTOCOL_VERSION) return -1;
    offer[0] = '\0'; /* not for child processes; strict C11 has no unsetenv */
    state->report = frng__map_report(report, &state->report_size);
    if (state->report == NULL) return -1;
    state->control = control;
    state->entropy = entropy;
    frng__leaks_prepare();
    frng__read_requests();
    if ((state->wants & FRNG_WANTS_CRASH) != 0)
        frng__crash_watch(state->report->site, sizeof state->report->site);
    if (control >= 0) fcntl(control, F_SETFD, FD_CLOEXEC);
    if (entropy >= 0) fcntl(entropy, F_SETFD, FD_CLOEXEC);
    return control;
}

/* ---- One run ---- */

/* Return the exit status of a test that has returned `returned`. */
static __attribute__((noinline)) int frng__verdict(const frng *f, bool returned) {
    if (frng__ubsan_has_reported()) return FRNG_EXIT_FAIL; /* which has said what */
    if (returned || f->exhausted) return FRNG_EXIT_PASS;
    if (frng__stay_counts(FRNG_EXIT_FAIL << 8)) return FRNG_EXIT_FAIL; /* known: say nothing */
    fprintf(stderr, "frng: the test returned false after %zu of %zu bytes of entropy\n", f->used,
            f->size);
    return FRNG_EXIT_FAIL;
}

/* Call the test, and return its exit status. */
FRNG__OFTEN int frng__judge(frng_test test, frng *f) {
    bool returned;
    frng__state()->frame = __builtin_frame_address(0);
    frng__state()->site_count = 0;
    returned = test(f);
    if (frng__guide.is_on) frng__guide.is_on = false;
    return frng__verdict(f, returned);
}

/* The beginning of a run, to return to. */
typedef struct frng__beginning {
    frng f;
    frng_expansion expansion;
    frng__choices choices;
} frng__beginning;

/* Make a run once more, without a record of its draws: `f` stays that of the run that has passed,
 * since a test that keeps state may end its process here. Return true if it passed, and may have
 * leaked. A failure says nothing: the test may keep state. */
FRNG__COLD bool frng__leaks_again(frng_test test, const frng__beginning *start) {
    frng__run_state *state = frng__state();
    frng again = start->f;
    const long before = frng__blocks();
    bool passed;
    *(volatile uint64_t *)&state->report->leak_state = FRNG_LEAK_AGAIN;
    again.host = &state->again;
    state->again.fill = state->chooses ? frng__fill_none : frng__fill;
    state->again.choose = state->chooses ? frng__choose : NULL;
    state->expansion = start->expansion;
    state->choices = start->choices;
    passed = test(&again) || again.exhausted;
    *(volatile uint64_t *)&state->report->leak_state = 0;
    return passed && frng__leaks_may_be(before);
}

/* Check a run that has passed for leaks, if FRNG_LEAKS_CHECK asks for it. A leak ends the process.
 * Its first time does not count. If threads leaked then, which LeakSanitizer cannot ignore, the
 * second time counts if it keeps blocks. */
FRNG__COLD void frng__leaks_find(frng_test test, const frng__beginning *start) {
    frng_report *report = frng__state()->report;
    const bool has_leaked = frng__leaks_before();
    const bool keeps_blocks = frng__leaks_again(test, start);
    if (has_leaked && !keeps_blocks) return;
    *(volatile uint64_t *)&report->leak_state = FRNG_LEAK_CHECK;
    frng__leaks_check();
    report->leak_state = 0;
}

/* Make a run that the driver wants to be checked for leaks. Return its exit status. */
FRNG__COLD int frng__run_checked(frng_test test, frng *f) {
    const frng__beginning start = {*f, frng__state()->expansion, frng__state()->choices};
    int status;
    if (frng__leaks_before()) {
        status = frng__judge(test, f);
        frng__state()->report->leak_state = FRNG_LEAK_START;
        return status;
    }
    frng__lsan_disable();
    frng__leaks_uncounted = true;
    status = frng__judge(test, f);
    frng__leaks_uncounted = false;
    frng__lsan_enable();
    if (status == FRNG_EXIT_PASS) frng__leaks_find(test, &start);
    return status;
}

/* Make a run, and look whether it may leak. Return its exit status. */
FRNG__OFTEN int frng__run_watched(frng_test test, frng *f) {
    const frng__beginning start = {*f, frng__state()->expansion, frng__state()->choices};
    const long before = frng__blocks();
    const int status = frng__judge(test, f);
    if (status == FRNG_EXIT_PASS && frng__leaks_may_be(before) && frng__leaks_again(test, &start)) {
        frng__state()->report->leak_state = FRNG_LEAK_SUSPECT;
    }
    return status;
}

/* Make a run. Return its exit status. */
FRNG__OFTEN int frng__run_once(frng_test test, frng *f) {
    const uint64_t wanted = frng__leaks()->wanted;
    if (wanted == FRNG_LEAKS_CHECK) return frng__run_checked(test, f);
    if (wanted == FRNG_LEAKS_WATCH) return frng__run_watched(test, f);
    return frng__judge(test, f);
}

/* A byte of garbage: words of it leave other rests than 0 does when divided by small numbers. */
enum { FRNG__GARBAGE = 0xd3 };

/* Leave garbage in the unused part of the stack, or zeros. */
FRNG__COLD void frng__fill_stack(uint64_t word) {
    volatile uint64_t stack[8192];
    for (size_t i = 0; i < sizeof stack / sizeof *stack; i++) stack[i] = word;
}

/* Leave garbage in the unused part of the heap, and small blocks in the opposite order. */
FRNG__COLD void frng__stir_heap(void) {
    enum { SMALL = 7, CLASSES = 64, LARGE = 100000 };
    void *blocks[SMALL], *large = malloc(LARGE);
    for (size_t size = 16; size <= (size_t)16 * CLASSES; size += 16) {
        for (int i = 0; i < SMALL; i++) {
            blocks[i] = malloc(size);
            if (blocks[i] != NULL) memset(blocks[i], FRNG__GARBAGE, size);
            __asm__ volatile("" : : "r"(blocks[i]) : "memory");
        }
        for (int i = 0; i < SMALL; i++) free(blocks[i]); /* the last one comes first */
    }
    if (large != NULL) memset(large, FRNG__GARBAGE, LARGE);
    __asm__ volatile("" : : "r"(large) : "memory");
    free(large);
}

/* Prepare a run that is compared with one in another process. */
FRNG__ONCE void frng__prepare_comparison(void) {
    frng__run_state *state = frng__state();
    const bool is_other = (state->wants & FRNG_WANTS_OTHER_MEMORY) != 0;
    state->digests = (state->wants & FRNG_WANTS_STATES) != 0;
    if (!state->digests) return;
    if (is_other) frng__stir_heap();
    frng__fill_stack(is_other ? UINT64_C(0x0101010101010101) * FRNG__GARBAGE : 0);
}

/* Return the size of an input that is too large: /dev/zero has no end. A file has one. */
FRNG__ONCE size_t frng__input_end(const char *name, bool has_driver) {
    struct stat status;
    const int error = name != NULL ? stat(name, &status) : fstat(STDIN_FILENO, &status);
    const bool is_file = error == 0 && S_ISREG(status.st_mode);
    return is_file || has_driver ? SIZE_MAX : (size_t)FRNG_STREAM_MIB << 20;
}

/* Run `test` on the entropy of stdin or FRNG_INPUT. Return the exit status. */
FRNG__ONCE int frng__run_input(frng_test test, bool has_driver) {
    frng__run_state *state = frng__state();
    const char *name = getenv("FRNG_INPUT");
    const char *lack = name == NULL && !has_driver ? frng__no_entropy() : NULL;
    FILE *file = name != NULL ? fopen(name, "rb") : stdin;
    const size_t end = frng__input_end(name, has_driver);
    uint8_t *bytes;
    size_t size;
    int status;
    frng local, *f = &local;
    if (!has_driver) frng__check_variables();
    if (lack != NULL) return frng__refuse_run(lack, state->can_check);
    if (!has_driver && state->can_check) frng__name_unread("frng: ");
    if (name == NULL) name = "stdin";
    if (file == NULL) {
        frng__cannot_read(name, strerror(errno));
        return FRNG_EXIT_CANNOT_JUDGE;
    }
    bytes = frng__read_all(file, name, end, &size);
    if (file != stdin) fclose(file);
    if (bytes == NULL) return FRNG_EXIT_CANNOT_JUDGE;
    if (size >= end) return frng__refuse_stream(name, bytes);
    if (state->report != NULL) f = (frng *)(void *)state->report->generator;
    *f = frng_init(bytes, size);
    if (state->report == NULL) { /* only to know its step */
        state->plain.fill = frng__fill_none;
        state->plain.mark = frng__marked_step;
    }
    f->host = frng__host_of(true);
    if (state->record_count > 0) f->host = &state->tracing;
    if (state->report != NULL) frng__prepare_comparison();
    status = frng__run_once(test, f);
    if (status == FRNG_EXIT_PASS) frng__passed(f, 0);
    free(bytes);
    return status;
}

/* ---- Many runs: the fork server ---- */

/* Return the end of the explicit bytes of run `run`, from the table in front of them. */
FRNG__OFTEN size_t frng__explicit_end(uint64_t run) {
    uint64_t end;
    memcpy(&end, frng__state()->bytes + run * sizeof end, sizeof end);
    return (size_t)end;
}

/* Return a generator over the explicit bytes of run `run`. */
FRNG__OFTEN frng frng__explicit(const frng_message *order, uint64_t run) {
    const size_t start = run > 0 ? frng__explicit_end(run - 1) : 0;
    const uint8_t *first = frng__state()->bytes + (size_t)order->count * sizeof(uint64_t);
    return frng_init(first + start, frng__explicit_end(run) - start);
}

/* Return a generator that draws the choices of run `run`. A test that looks at the bytes left sees
 * those of its choices, so that it ends where they do. */
FRNG__COLD frng frng__chosen(const frng_message *order, uint64_t run) {
    frng__run_state *state = frng__state();
    const frng list = frng__explicit(order, run);
    const size_t expected = frng__choices_size(list.base, list.base + list.size);
    frng f = frng_init(state->chosen, expected);
    if (f.size > state->chosen_size) f.size = state->chosen_size;
    f.base = state->chosen; /* where there is nothing to draw, too */
    f.ready = 0;
    state->choices.first = state->choices.at = state->choices.seen = list.base;
    state->choices.end = list.base + list.size;
    state->choices.has_ended = false;
    return f;
}

/* True if the seed of run `run` is styled. */
FRNG__OFTEN bool frng__is_styled(const frng_message *order, uint64_t run) {
    if ((order->flags & FRNG_HALF_STYLED) != 0) return (order->first_seed + run) % 2 == 1;
    return (order->flags & FRNG_STYLED) != 0;
}

/* Return a generator over the expansion of run `run`'s seed, with `ready` bytes or more ready. */
FRNG__OFTEN frng frng__expanded(const frng_message *order, uint64_t run, size_t ready) {
    frng__run_state *state = frng__state();
    frng f = frng_init(state->bytes, (size_t)order->size);
    const bool is_styled = frng__is_styled(order, run);
    const size_t least = is_styled ? 16 : 32; /* its bytes take longer, and most runs draw few */
    frng__expansion_begin(&state->expansion, order->first_seed + run, is_styled);
    ready = ((ready > least ? ready : least) + 7) & ~(size_t)7;
    if (ready > f.size) ready = f.size;
    if (ready > 0) frng_expansion_fill(&state->expansion, state->bytes, ready);
    f.ready = ready;
    return f;
}

/* The draws of 1 run in FRNG__COUNTED_SHARE are counted. Its seed decides, so that the counts do
 * not depend on how the driver cuts its runs into orders. */
enum { FRNG__COUNTED_SHARE = 64 };

/* Begin run `run`. `ready` is a guess at the bytes that it will draw. */
FRNG__OFTEN void frng__begin(const frng_message *order, uint64_t run, size_t ready) {
    const bool has_bytes = (order->flags & FRNG_GIVEN) != 0;
    frng__run_state *state = frng__state();
    frng_report *report = state->report;
    frng *f = (frng *)(void *)report->generator;
    *(volatile uint64_t *)&report->run = run;
    *(volatile uint64_t *)&report->seed = order->first_seed + run;
    report->traced = 0;
    report->ran_out = 0;
    state->step[0] = '\0';
    state->digests = (order->flags & FRNG_DIGEST) != 0 && run == order->digest_run;
    *f = state->chooses ? frng__chosen(order, run)
         : has_bytes    ? frng__explicit(order, run)
                        : frng__expanded(order, run, ready);
    report->marked = 0;
    state->is_styled = frng__is_styled(order, run);
    f->host = frng__host_of((order->first_seed + run) % FRNG__COUNTED_SHARE == 0);
    if (frng__guide_begin(f, run)) f->host = &state->guiding;
    if (state->digests || state->record_count > 0) f->host = &state->tracing;
    if (state->chooses) f->host = &state->choosing;
}

/* Allocate at least `size` bytes for entropy. Large blocks use huge pages if possible, since each
 * fork pays for each page. (Strict C11 hides madvise.) */
FRNG__ONCE bool frng__make_room(size_t size) {
    const size_t huge = (size_t)2 << 20;
    frng__run_state *state = frng__state();
    uint8_t *bytes;
    if (size <= state->capacity) return true;
    size = size < 65536 ? 65536 : (size + huge - 1) & ~(huge - 1);
    bytes = (uint8_t *)aligned_alloc(size < huge ? 4096 : huge, size);
    if (bytes == NULL) return false;
    free(state->bytes);
    state->bytes = bytes;
    state->capacity = size;
#ifdef MADV_HUGEPAGE
    if (size >= huge) madvise(bytes, size, MADV_HUGEPAGE);
#endif
    return true;
}

/* Read bytes of the entropy file from `offset` on. Return 0 or an errno. */
FRNG__ONCE int frng__read_entropy(off_t offset, void *bytes, size_t size) {
    const int file = frng__state()->entropy;
    size_t at = 0;
    /* No run is in progress that could use the offset, and strict C11 hides pread. */
    if (lseek(file, offset, SEEK_SET) != offset) return errno;
    while (at < size) {
        const ssize_t count = read(file, (uint8_t *)bytes + at, size - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EINVAL;
        at += (size_t)count;
    }
    return 0;
}

/* Read the explicit bytes of the runs. Return 0 or an errno. */
FRNG__ONCE int frng__read_explicit(const frng_message *order) {
    const size_t size = (size_t)order->size;
    const int error = frng__read_entropy(0, frng__state()->bytes, size);
    size_t before = 0, room, i;
    if (error != 0) return error;
    if (order->count > size / sizeof(uint64_t)) return EINVAL;
    room = size - (size_t)order->count * sizeof(uint64_t);
    for (i = 0; i < order->count; i++) {
        const size_t end = frng__explicit_end(i);
        if (end < before || end > room) return EINVAL;
        before = end;
    }
    return 0;
}

/* Copy the driver's request for choices. False if it makes no sense. */
FRNG__ONCE bool frng__read_chosen(const frng_message *order) {
    frng__run_state *state = frng__state();
    const frng_report head = *state->report;
    state->chooses = (order->flags & FRNG_CHOSEN) != 0;
    state->chosen = NULL;
    state->chosen_size = 0;
    if (!state->chooses) return true;
    if ((order->flags & FRNG_GIVEN) == 0) return false;
    if (head.chosen_size == 0) return true; /* each run ends at its first draw */
    state->chosen = (uint8_t *)frng__in_report(head.chosen_offset, head.chosen_size, 1);
    if (state->chosen != NULL) state->chosen_size = (size_t)head.chosen_size;
    return state->chosen != NULL;
}

/* Copy the known failures that an order counts, if it does. */
FRNG__ONCE void frng__read_known(const frng_message *order) {
#if FRNG__CAN_STAY
    frng__stay_state *stay = frng__stay();
    const uint64_t at = (order->flags & FRNG_COUNT_KNOWN) != 0 ? order->drawn_offset : 0;
    frng_known_table *table = (frng_known_table *)frng__in_report(at, 1, sizeof *table);
    stay->report = frng__state()->report;
    stay->stays = frng__stay_is_allowed(order);
    stay->counted = stay->shared != NULL ? table : NULL;
    stay->used = 0;
    if (stay->counted == NULL) return;
    stay->known = table->known < FRNG_KNOWN_MAX ? table->known : (uint64_t)FRNG_KNOWN_MAX;
    stay->room = table->room < FRNG_KNOWN_RUNS ? table->room : (uint64_t)FRNG_KNOWN_RUNS;
    memcpy(stay->failures, table->failures, sizeof stay->failures);
#else
    (void)order;
#endif
}

/* Prepare for the runs of an order. Return 0 or an errno. */
FRNG__ONCE int frng__take_order(const frng_message *order) {
    if (order->type != FRNG_RUN) return EINVAL;
    if (order->count == 0 || order->count > FRNG_COUNT_MAX) return EINVAL;
    if (order->size > SIZE_MAX / 2 || !frng__make_room((size_t)order->size)) return ENOMEM;
    frng__read_requests();
    if (!frng__read_chosen(order)) return EINVAL;
    frng__read_known(order);
    return (order->flags & FRNG_GIVEN) != 0 ? frng__read_explicit(order) : 0;
}

/* Make run `run`, which has begun, and in persistent mode all runs after it. Return the wait status
 * of the one that failed, if the process can go on; else the process ends. 0: all have passed. */
static __attribute__((noinline)) int frng__run_rest(frng_test test, const frng_message *order,
                                                    uint64_t run) {
    frng__run_state *state = frng__state();
    frng_report *report = state->report;
    frng *f = (frng *)(void *)report->generator;
    const uint64_t end = (order->flags & FRNG_ONE_PROCESS) != 0 ? order->count : run + 1;
    for (;;) {
        int status;
#if FRNG__CAN_STAY
        if (frng__stay()->is_in_run) frng__stay()->run = run;
#endif
        status = frng__run_once(test, f);
#if FRNG__CAN_STAY && defined(__cplusplus)
        if (frng__stay_has_left()) return frng__stay_left();
#endif
        if (status != FRNG_EXIT_PASS && frng__stay_goes_on(status << 8)) return status << 8;
        if (status != FRNG_EXIT_PASS) state->leave(status);
        if (state->digests) report->digest_drawn = f->used;
        frng__passed(f, run);
        if (++run == end || *(volatile uint64_t *)&report->stop != 0) break;
        if (report->leak_state == FRNG_LEAK_SUSPECT || state->has_ended) break;
        if (frng__guide_is_full()) break;
        frng__begin(order, run, 0);
    }
    report->run = run;
    report->left_batch = 1;
    return 0;
}

/* Begin the life of a process that makes runs, and dies with its server. */
static inline void frng__begin_process(pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(FRNG_EXIT_CANNOT_JUDGE);
#if FRNG__CAN_STAY
    if (frng__stay()->stays || frng__stay()->counted != NULL)
        frng__stay_begin(frng__state()->entropy, frng__state()->control);
#endif
    close(frng__state()->control); /* so that no test can answer for its server */
    if (frng__state()->ignored_children) signal(SIGCHLD, SIG_IGN);
    frng__guide_process();
}

/* The same; a failure may be left by a jump, too, that leads here. */
static __attribute__((noinline)) int frng__run_or_leave(frng_test test, const frng_message *order,
                                                        uint64_t run) {
#if FRNG__CAN_STAY
    if (frng__stay()->stays || frng__stay()->counted != NULL) {
#ifndef __cplusplus
        if (setjmp(frng__stay()->start) != 0) return frng__stay_left();
#endif
        frng__stay()->base = (const char *)__builtin_frame_address(0);
        frng__stay()->is_in_run = true;
    }
#ifdef __cplusplus
    try {
        return frng__run_rest(test, order, run);
    } catch (const frng__left_run &) {
        return frng__stay_left();
    }
#endif
#endif
    return frng__run_rest(test, order, run);
}

#if FRNG__CAN_STAY
/* Count a run that has ended in a known failure, and begin the next one. Return 0 if it cannot be;
 * 1; or 2 if the order has no more runs. */
static inline int frng__go_on(const frng_message *order, int status) {
    const uint64_t next = frng__stay()->run + 1;
    frng_report *report = frng__state()->report;
    if (status == 0 || !frng__stay_count(status)) return 0;
    if (frng__state()->labels != NULL)
        frng__count_marks((const frng *)(const void *)report->generator);
    report->run = next;
    if (next < order->count && *(volatile uint64_t *)&report->stop == 0) {
        frng__begin(order, next, 0);
        return 1;
    }
    report->left_batch = 1;
    return 2;
}
#endif

/* Make run `run`, which has begun, and those after it, also after known failures. */
static inline int frng__run_order(frng_test test, const frng_message *order, uint64_t run) {
    int status = frng__run_or_leave(test, order, run);
#if FRNG__CAN_STAY
    int next;
    while ((next = frng__go_on(order, status)) == 1)
        status = frng__run_or_leave(test, order, frng__stay()->run + 1);
    if (next == 2) return 0;
#endif
    return status;
}

/* Return how many runs of an order have passed, now that a process that began at run `before` has
 * answered or ended. A test can overwrite the report, or exit(0): its run passed, and the next run
 * gets another process. */
FRNG__ONCE uint64_t frng__count_passed(const frng_message *order, uint64_t before, bool passed) {
    const frng_report *report = frng__state()->report;
    const bool one_process = (order->flags & FRNG_ONE_PROCESS) != 0;
    const uint64_t reported = one_process ? report->run : before;
    const uint64_t at = reported > before && reported <= order->count ? reported : before;
    const bool ended_in_run = !one_process || report->left_batch == 0 || at == before;
    return passed && ended_in_run && at < order->count ? at + 1 : at;
}

/* Make run `run`, which has begun, and all runs after it, in a process that may stay for further
 * orders. It ends the process. */
FRNG__OFTEN void frng__run_batch(frng_test test, const frng_message *order, uint64_t run,
                                 pid_t parent) {
    int status;
    frng__begin_process(parent);
    status = frng__run_order(test, order, run);
#if FRNG__CAN_STAY
    while (!frng__state()->has_ended && frng__stay_is_allowed(order) && frng__stay_is_own()) {
        const frng__stay_state *stay = frng__stay();
        const int entropy = frng__state()->entropy;
        frng__stay_answer(status, frng__count_passed(order, run, status == 0));
        order = &stay->shared->order;
        run = 0;
        if ((entropy >= 0 && !frng__stay_is_file(entropy, &stay->entropy_file)) ||
            frng__take_order(order) != 0)
            frng__stay_refuse();
        frng__begin(order, run, 0);
        frng__state()->report->left_batch = 0;
        status = frng__run_order(test, order, run);
    }
#endif
    if (status == SIGABRT) abort(); /* a known failure that could not be counted */
    frng__state()->leave(status >> 8);
}

/* Wait for the process of a batch and reap the orphans that have ended: at most 1000, since a run
 * can leave a process that forks for ever. Return the flags of DONE: FRNG_LEFTOVER if an orphan of
 * the batch lives (orphans become children of this process); FRNG_NO_PROCESS, with an errno as the
 * status, if the end of the process cannot be known. */
FRNG__ONCE uint64_t frng__reap(pid_t child, uint64_t *status) {
    uint64_t flags = 0;
    int ended = 0, i;
    pid_t reaped = frng__stay_await(child, &ended);
    *status = reaped < 0 ? (uint64_t)errno : (uint64_t)ended;
    if (reaped < 0) { /* the program ignores SIGCHLD */
        signal(SIGCHLD, SIG_DFL);
        frng__state()->ignored_children = true;
        return FRNG_NO_PROCESS;
    }
    flags = frng__stay_take(child, ended, status);
    for (i = 0; i < 1000 && (reaped = waitpid(-1, NULL, WNOHANG)) > 0; i++) continue;
    return flags | (reaped >= 0 && (flags & FRNG_STAYED) == 0 ? FRNG_LEFTOVER : 0);
}

/* True if the driver has hung up. */
FRNG__ONCE bool frng__driver_is_gone(void) {
    struct pollfd fd = {frng__state()->control, 0, 0};
    return poll(&fd, 1, 0) > 0;
}

/* Count the last of `passed` runs if it ended its process with exit(0), and so did not do that
 * itself. Its draws are unknown. */
FRNG__ONCE void frng__count_exited(uint64_t passed) {
    frng__run_state *state = frng__state();
    if (state->labels == NULL || state->labels->runs + frng__stay_counted() + 1 != passed) return;
    state->draws = FRNG_FEW_DRAWS;
    state->counts = false;
    frng__count_run((const frng *)(void *)state->report->generator);
}

/* Make the runs of an order until one does not pass. Each iteration makes at least one. A process
 * that stays may have made those of further orders, too: then *order is the last of them. False if
 * there is nothing to answer. */
FRNG__ONCE bool frng__make_runs(frng_test test, frng_message *order, frng_message *done) {
    frng_report *report = frng__state()->report;
    const frng *f = (const frng *)(void *)report->generator;
    const bool one_process = (order->flags & FRNG_ONE_PROCESS) != 0;
    const pid_t parent = getpid();
    size_t drawn = 0; /* by the run before: a guess for the next one */
    const uint64_t end = FRNG_LEFTOVER | FRNG_NO_PROCESS;
    while (done->count < order->count && (done->flags & end) == 0 && done->status == 0 &&
           *(volatile uint64_t *)&report->stop == 0 && report->leak_state != FRNG_LEAK_SUSPECT &&
           !frng__driver_is_gone()) {
        pid_t child;
        if (done->count > 0 && frng__guide_is_full()) break;
        child = frng__stay_resume(order);
        if (child == 0) { /* expanding before the fork saves the child a fault for each page */
            frng__begin(order, done->count, one_process ? 0 : drawn);
            report->left_batch = 0;
            child = fork();
        }
        if (child == 0) frng__run_batch(test, order, done->count, parent);
        if (child < 0) {
            done->flags = FRNG_NO_PROCESS;
            done->status = (uint64_t)errno;
            break;
        }
        done->flags = frng__reap(child, &done->status);
        if ((done->flags & FRNG_NO_PROCESS) != 0) break;
        if (frng__stay_passes_on()) return false;
        if (frng__stay_went_on(order)) { /* what is left of it is the driver's to order */
            done->count = frng__count_passed(order, 0, done->status == 0);
            break;
        }
        if (report->leak_state == FRNG_LEAK_AGAIN) { /* the run had passed before */
            report->leak_state = 0;
            report->site[0] = '\0';
            done->status = 0;
        }
        done->count = frng__count_passed(order, done->count, done->status == 0);
        if (done->status == 0) frng__count_exited(done->count);
        drawn = f->used;
    }
    return true;
}

/* Read the next order. False if the driver has hung up. */
FRNG__ONCE bool frng__receive(frng_message *order) {
    if (frng__stay_has_order(order)) return true;
    return read(frng__state()->control, order, sizeof *order) == (ssize_t)sizeof *order;
}

/* Make runs for a driver until it hangs up. Return the exit status. */
FRNG__ONCE int frng__serve(frng_test test, int control) {
    frng_message order, message;
    bool answers = true;
    memset(&message, 0, sizeof message);
    message.type = FRNG_HELLO;
    message.version = FRNG_PROTOCOL_VERSION;
    message.flags = FRNG_CAN_EXPAND | FRNG_CAN_BATCH | FRNG_CAN_STYLE | frng__stay_prepare();
    if (frng__state()->entropy >= 0) message.flags |= FRNG_CAN_GIVEN | FRNG_CAN_CHOOSE;
    message.flags |= FRNG_CAN_CLIMB;
#ifdef FRNG_GUIDED
    message.flags |= FRNG_CAN_GUIDE | (frng__guide_has_others() ? FRNG_HAS_OTHERS : 0);
#endif
    message.drawn_offset = offsetof(frng_report, generator) + offsetof(frng, used);
    message.drawn_width = sizeof(size_t);
    fflush(NULL); /* or each child writes the buffers again */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    /* Functions that children call. As their addresses are taken, the dynamic linker looks them up
     * at the start, and not in each child: a tenth of a fork, and a quarter of one that fails. */
    __asm__ volatile(""
                     :
                     : "rm"(getppid), "rm"(strncpy), "rm"(strlen), "rm"(strcspn), "rm"(strspn),
                       "rm"((const char *(*)(const char *, int))strchr), "rm"(snprintf),
                       "rm"(fprintf), "rm"(vfprintf), "rm"(fputc), "rm"(abort));
    frng__state()->leave = exit;
    /* Not by send, which comes with the names of <sys/socket.h>: tests simulate networks. */
    while (!frng__driver_is_gone() &&
           (!answers || write(control, &message, sizeof message) == (ssize_t)sizeof message) &&
           frng__receive(&order)) {
        const int error = frng__take_order(&order);
        answers = true;
        memset(&message, 0, sizeof message);
        message.type = FRNG_DONE;
        if (error != 0) {
            message.flags = FRNG_NO_PROCESS;
            message.status = (uint64_t)error;
            continue;
        }
        answers = frng__make_runs(test, &order, &message);
    }
    frng__stay_end();
    return FRNG_EXIT_PASS;
}

/* Run `test` on the entropy of this process, or as often as a driver asks. Return the exit status.
 */
FRNG__ONCE int frng_run(frng_test test) {
    const bool has_driver = frng__has_driver(); /* of any version */
    int control;
    frng__set_hosts();
    control = frng__meet_driver();
    __asm__ volatile("" : : "r"(frng__marker)); /* or --gc-sections drops it */
    return control >= 0 ? frng__serve(test, control) : frng__run_input(test, has_driver);
}

/* Make one run for libFuzzer, where only a crash is a failure. */
static inline int frng__run_fuzzer(frng_test test, const uint8_t *bytes, size_t size) {
    frng f = frng_init(bytes, size);
    frng__state()->plain.misuse = frng__misused;
    f.host = &frng__state()->plain;
    if (frng__verdict(&f, test(&f)) != FRNG_EXIT_PASS) abort();
    return 0;
}

/* With -DFRNG_LIBFUZZER -fsanitize=fuzzer the same file is a libFuzzer target. */
#ifdef FRNG_LIBFUZZER
#define FRNG_MAIN(test)                                                                            \
    FRNG__C_LINKAGE int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);                 \
    FRNG__C_LINKAGE int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {                \
        return frng__run_fuzzer(test, bytes, size);                                                \
    }
#else
#include "frng_check.h" /* it searches without a driver, with --check */
#define FRNG_MAIN(test)                                                                            \
    int main(int argc, char **argv) { return frng__main(test, argc, argv); }
#endif

FRNG__WRAPS_END
#endif
