/* frng_protocol.h: messages and shared memory of a driver and a target.
 *
 * PROTOCOL.md explains each field, and is all that another implementation needs.
 * SPDX-License-Identifier: MIT */
#ifndef FRNG_PROTOCOL_H
#define FRNG_PROTOCOL_H

/* Where the code of this file, the test, begins and ends in each section, for guided runs. With
 * -ffunction-sections or -flto it seems to be elsewhere. */
#define FRNG__BOUNDS(name, section)                                                                \
    __asm__(".pushsection " section ",\"ax\",%progbits\n" #name ":\n.subsection 1\n" #name         \
            "_end:\n.popsection");                                                                 \
    extern const char name[] __asm__(#name), name##_end[] __asm__(#name "_end")
#define FRNG__CODE                                                                                 \
    FRNG__BOUNDS(frng__code, ".text");                                                             \
    FRNG__BOUNDS(frng__code_of_main, ".text.startup");                                             \
    FRNG__BOUNDS(frng__code_of_cold, ".text.unlikely")
#ifdef FRNG_GUIDED
FRNG__CODE;
#endif
#include "frng_more.h"

#include <stddef.h>
#include <stdint.h>

/* A function beside the runs, which touches nothing of the test: compilers neither optimize nor
 * sanitize it, so that a test compiles in less time. Builds of frng itself sanitize all. */
#ifdef FRNG_SANITIZE_ALL
#define FRNG__PLAIN unused
#else
#define FRNG__PLAIN unused, no_sanitize("address", "undefined")
#endif
#if defined(_FORTIFY_SOURCE) && defined(__OPTIMIZE__) /* whose checks want to be optimized */
#define FRNG__ONCE static __attribute__((noinline, cold, FRNG__PLAIN))
#elif defined(__clang__)
#define FRNG__ONCE static __attribute__((noinline, cold, optnone, FRNG__PLAIN))
#else
#define FRNG__ONCE static __attribute__((noinline, cold, optimize("O0"), FRNG__PLAIN))
#endif

#define FRNG_PROTOCOL_VERSION 1

/* FRNG_DRIVER=version,control,report,entropy: decimal, the last three inherited descriptors. */
#define FRNG_DRIVER_VARIABLE "FRNG_DRIVER"

#define FRNG_REPORT_MAGIC UINT64_C(0x31747270676e7266) /* "frngprt1" */
#define FRNG_REPORT_MAGIC_REVERSED UINT64_C(0x66726e6770727431)

/* The beginning of the report, a shared memory file. The driver writes the first block before a
 * run, the target the second one while it runs. */
typedef struct frng_report {
    uint64_t magic;         /* FRNG_REPORT_MAGIC */
    uint64_t size;          /* bytes of the file */
    uint64_t trace_offset;  /* bytes from its start to the records of the trace */
    uint64_t trace_count;   /* records there is room for; 0: no trace is wanted */
    uint64_t stop;          /* not 0: begin no further run */
    uint64_t runs_offset;   /* bytes from its start to the table of runs that have passed */
    uint64_t runs_count;    /* rows there is room for; 0: none are wanted */
    uint64_t labels_offset; /* bytes from its start to the table of labels */
    uint64_t labels_count;  /* labels there is room for, at most 64; 0: no table is wanted */
    uint64_t leaks;         /* frng_leaks_request */
    uint64_t chosen_offset; /* FRNG_CHOSEN: bytes from its start to the bytes of the run ... */
    uint64_t chosen_size;   /* ... and their limit */
    uint64_t wants;         /* FRNG_WANTS_...; the target adds FRNG_HAS_... */
    uint64_t ran_out;       /* not 0: a run of choices wants more than there is */
    uint64_t guide_offset;  /* bytes from its start to the table of comparisons ... */
    uint64_t guide_size;    /* ... and its size, with the records; 0: they are not wanted */

    uint64_t run;          /* index in the batch of the run in progress: the count of passed runs */
    uint64_t seed;         /* of that run */
    uint64_t left_batch;   /* 1: its process ends because no run is left, not because of this one */
    uint64_t digest;       /* of the draws of run digest_run */
    uint64_t digest_drawn; /* bytes that it drew, once it has passed */
    uint64_t traced;       /* records of this run, also those beyond trace_count, which are lost */
    uint64_t marked;       /* bit i: the run in progress has label i of the table */
    uint64_t leak_state;   /* FRNG_LEAK_..., or 0 */
    uint64_t generator[8]; /* the generator itself, in some layout; HELLO says where in the report
                              the count of bytes drawn is */
    char site[128];        /* file:line of the assertion that failed, ended by 0; "" for none */
} frng_report;

/* A part of a line; a size of 0: none. */
typedef struct frng_part {
    uint8_t at, size;
} frng_part;

/* What a line of a simulated world is, as the first record of the line. Its width is 1 and its text
 * is empty, so a driver that does not know it shows the line alone. The line has the names. */
typedef struct frng_moment {
    uint8_t zero, fate;          /* the end of the empty text; FRNG_FATE_... */
    frng_part from, to;          /* the nodes of a message; or the one that speaks; or none */
    frng_part what;              /* the name of a message, or what is said; it can be cut off */
    uint64_t at, sent, reserved; /* the world's time, in microseconds; `sent` is of a message */
} frng_moment;

/* A record of the trace. A note, a step or a line has `text` in place of min, max and value. A line
 * can take several records: all but the last have a width of 1, and full texts without a 0, but for
 * a frng_moment. */
typedef struct frng_trace_record {
    uint64_t start; /* offset of its first byte in the entropy */
    uint64_t taken; /* bytes, rejected ones too */
    uint8_t kind;   /* frng_kind, or FRNG_TRACE_... */
    uint8_t width;  /* bytes of one number */
    uint16_t depth; /* of the stack at a draw; 0: unknown */
    uint32_t site;  /* the place in the program that made it, from 1 on; 0: unknown */
    union {
        struct {
            uint64_t min, max, value;
            uint64_t index; /* FRNG_WEIGHTED: the index + 1, and the count << 32; or 0 */
        } draw;
        char text[32]; /* ended by 0 if there is room */
        frng_moment moment;
    } u;
} frng_trace_record;

enum {
    FRNG_TRACE_STATE = 252, /* a word of frng_digest, as `value`, if the driver asks for it */
    FRNG_TRACE_SAY = 253,   /* a line of frng_say, if the driver asks for it */
    FRNG_TRACE_STEP = 254,  /* an operation begins here */
    FRNG_TRACE_NOTE = 255
};

/* True if a draw that no note names stands right before a step. */
FRNG__ONCE bool frng__is_before_step(const frng_trace_record *records, uint64_t count, uint64_t i) {
    const uint8_t kind = records[i].kind;
    return i + 1 < count && records[i + 1].kind == FRNG_TRACE_STEP && kind <= FRNG_KIND_MAX &&
           kind != FRNG_MORE && kind != FRNG_LETTER && kind != FRNG_BYTES &&
           (i == 0 || records[i - 1].kind != FRNG_TRACE_NOTE);
}

/* Return the draw that chose the first step of a run, which is the one right before it; or NULL. */
FRNG__ONCE const frng_trace_record *frng__first_chooser(const frng_trace_record *records,
                                                        uint64_t count) {
    uint64_t i = 0;
    while (i + 1 < count && records[i].kind != FRNG_TRACE_STEP) i++;
    return i > 0 && frng__is_before_step(records, count, i - 1) ? &records[i - 1] : NULL;
}

/* True if a draw chooses the step after it: it is as the one before the first step. The bounds of
 * an index follow what can be chosen. Without a first one, an index is such a draw. */
FRNG__ONCE bool frng__is_chooser(const frng_trace_record *records, uint64_t count, uint64_t i,
                                 const frng_trace_record *first) {
    const frng_trace_record *r = &records[i];
    const bool is_index = r->kind == FRNG_INDEX || r->kind == FRNG_WEIGHTED;
    if (!frng__is_before_step(records, count, i)) return false;
    if (first == NULL || is_index) return is_index && (first == NULL || r->kind == first->kind);
    return r->kind == first->kind && r->width == first->width &&
           r->u.draw.min == first->u.draw.min && r->u.draw.max == first->u.draw.max;
}

/* What has become of a message; FRNG_FATE_NONE: the line is not about one. */
enum { FRNG_FATE_NONE, FRNG_FATE_SENT, FRNG_FATE_CAME, FRNG_FATE_LOST };

/* More that the driver wants of a run: a number of the report. */
enum {
    FRNG_WANTS_SAYS = 1, /* the trace has the lines of frng_say */
    FRNG_WANTS_STATES =
        2, /* the trace has the words of frng_digest, and an ordinary run a digest */
    FRNG_WANTS_OTHER_MEMORY = 4, /* an ordinary run begins with other garbage in unused memory, and
                                    the heap gives blocks in another order */
    FRNG_WANTS_DISCARDS = 8,     /* rows, and the report, tell which runs are discarded */
    FRNG_WANTS_CRASH = 16        /* the frames of a signal that ends the run, in place of a site */
};

/* A run of the order has called frng_digest. */
#define FRNG_HAS_STATES (UINT64_C(1) << 63)

/* A run of the order drew from fewer bytes than it did before findings told their draws. */
#define FRNG_HAS_NARROWED (UINT64_C(1) << 62)

/* What the target adds to `wants` for each run that it discards, by the style of its seed: two
 * counts of 27 bits. */
#define FRNG_DISCARDED (UINT64_C(1) << 8)
#define FRNG_DISCARDED_STYLED (UINT64_C(1) << 35)

/* Bytes of a line of frng_say, at most: five records. */
enum { FRNG_SAY_MAX = 5 * 32 - 1 };

/* A row of the table of runs is a u64: the bytes that the run drew, and this bit where it passed
 * because its entropy ran out, and the next one where it was discarded. All ones, as the driver
 * leaves it: unknown. FRNG_CHOSEN: the bytes of its choices that the run looked at, and this bit
 * where it wanted more. */
#define FRNG_RUN_RAN_OUT (UINT64_C(1) << 63)
#define FRNG_RUN_DISCARDED (UINT64_C(1) << 62)

/* Counts of values, in ranges that are exact below 16 and at most an eighth of the value wide. */
typedef struct frng_histogram {
    uint64_t count, min, max;
    uint32_t buckets[512];
} frng_histogram;

/* Return the index in `buckets` for a value: at most 495. */
static inline unsigned frng__bucket(uint64_t value) {
    const unsigned high = value < 16 ? 0 : 63 - (unsigned)__builtin_clzll(value);
    return high == 0 ? (unsigned)value : 16 + (high - 4) * 8 + (unsigned)(value >> (high - 3) & 7);
}

/* A label, a measure or a goal: the runs that had it, which have ended, and their sizes or values.
 * Two buckets of a goal, which no value has, are the run of the largest, and what it drew. */
typedef struct frng_label_row {
    char name[56];         /* ended by 0 */
    uint64_t kind;         /* FRNG_ROW_LABEL, FRNG_ROW_MEASURE or FRNG_ROW_GOAL */
    uint64_t value;        /* measure, goal: the number of the last run that had it */
    frng_histogram values; /* label: bytes drawn by the runs; measure, goal: their numbers */
} frng_label_row;

enum { FRNG_ROW_LABEL = 2, FRNG_ROW_MEASURE = 3, FRNG_ROW_GOAL = 8 };
enum { FRNG_GOAL_RUN = 496, FRNG_GOAL_DRAWN = 497 };

enum { FRNG_LABELS_MAX = 64, FRNG_FEW_DRAWS = 4 };

/* The head of the table of labels; the rows follow it. It counts runs of one order that have
 * ended, but not the one that ended its process by failing. */
typedef struct frng_label_table {
    uint64_t runs;
    uint64_t ran_out;             /* runs that passed because their entropy ran out */
    uint64_t used;                /* rows in use */
    uint64_t lost;                /* marks of labels without room for a row */
    uint64_t few[FRNG_FEW_DRAWS]; /* runs that made i draws and ended with entropy left */
    frng_histogram drawn;         /* bytes drawn by each run */
    frng_histogram draws;         /* draws of some runs */
} frng_label_table;

/* ---- Comparisons: what a target that is built for it records of each run ---- */

/* The place of a comparison in the program, by a hash of its address: how near the sides of it came
 * to each other in any run. Or a goal: how high it came. Larger is nearer; 0 is unknown. */
typedef struct frng_guide_site {
    uint64_t near; /* numbers: all ones minus the distance; texts: 1 and the bytes alike; a goal:
                      its number */
    uint32_t at;   /* bytes drawn then */
    uint32_t run;  /* target: the run of the order; driver: all ones, an earlier one */
} frng_guide_site;

enum {
    FRNG_GUIDE_SITES = 4096,
    FRNG_GUIDE_GOALS = 256,                                       /* the last of them */
    FRNG_GUIDE_OUTSIDE = FRNG_GUIDE_SITES - FRNG_GUIDE_GOALS - 1, /* seen outside of the test */
    FRNG_GUIDE_RUNS = 256,
    FRNG_GUIDE_RUN_MAX = 1024,  /* records of a run */
    FRNG_GUIDE_DRAWS_MAX = 256, /* those of draws */
    FRNG_GUIDE_TEXT_MAX = 24
};

/* Set in `from`: the run has records only if it comes nearer at a place. */
#define FRNG_GUIDE_NEWS (UINT32_C(1) << 31)

/* The head of the table; records follow. */
typedef struct frng_guide_table {
    uint64_t used;                           /* target: records of the runs that have passed */
    uint32_t from[FRNG_GUIDE_RUNS];          /* driver: run i repeats an earlier one up to here */
    frng_guide_site sites[FRNG_GUIDE_SITES]; /* driver: as known; target: as it finds out */
} frng_guide_table;

/* Return the place of the goal of this name, of which the first 55 bytes count: FNV-1a. */
static inline uint32_t frng__goal_place(const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < 55 && name[i] != '\0'; i++)
        hash = (hash ^ (uint8_t)name[i]) * UINT64_C(0x100000001b3);
    return FRNG_GUIDE_SITES - FRNG_GUIDE_GOALS + (uint32_t)(hash % FRNG_GUIDE_GOALS);
}

typedef enum frng_guide_type {
    FRNG_GUIDE_DRAW = 1,
    FRNG_GUIDE_PAIR = 2, /* two numbers that were compared and differ */
    FRNG_GUIDE_TEXT = 3  /* two texts */
} frng_guide_type;

typedef struct frng_guide_record {
    uint8_t type;   /* frng_guide_type */
    uint8_t kind;   /* DRAW: frng_kind; PAIR: 1: `a` is a constant */
    uint8_t width;  /* DRAW, PAIR: bytes of one number; TEXT: bytes of the first text */
    uint8_t second; /* TEXT: bytes of the second */
    uint32_t run;   /* its index in the order */
    uint64_t draws; /* made before it in its run */
    union {
        struct {
            uint64_t start, end, min, max, value;
        } draw; /* as in a trace */
        struct {
            uint64_t a, b;
        } pair;
        uint8_t text[2][FRNG_GUIDE_TEXT_MAX]; /* the beginnings of both */
    } u;
} frng_guide_record;

/* ---- The draws of a finding: their kinds and bounds (DRAWS.md) ---- */

/* Draws that a finding keeps, at most. */
enum { FRNG_DRAWS_KEPT = 4096 };

/* Entropy that is no file may have no end: a run takes less than this. */
enum { FRNG_STREAM_MIB = 256 };

#define FRNG_DRAWS_DIGEST UINT64_C(0xcbf29ce484222325) /* of no draws */

/* Return the digest of the same draws and one more: FNV-1a of 18 bytes. */
static inline uint64_t frng__digest_draw(uint64_t digest, uint64_t kind, uint64_t width,
                                         uint64_t min, uint64_t max) {
    const uint64_t prime = UINT64_C(0x100000001b3);
    digest = ((digest ^ (uint8_t)kind) * prime ^ (uint8_t)width) * prime;
    for (int i = 0; i < 8; i++) digest = (digest ^ (uint8_t)(min >> 8 * i)) * prime;
    for (int i = 0; i < 8; i++) digest = (digest ^ (uint8_t)(max >> 8 * i)) * prime;
    return digest;
}

/* ---- Known failures: runs that end in one of them need not end their process ---- */

enum { FRNG_KNOWN_MAX = 16, FRNG_KNOWN_RUNS = 4096 };

typedef struct frng_known_failure {
    uint64_t status; /* wait status */
    uint64_t least;  /* runs that drew less do not count */
    char site[128];  /* as in the report */
} frng_known_failure;

/* A run that ended so. */
typedef struct frng_known_run {
    uint32_t run;     /* its index in the order */
    uint32_t failure; /* index of a known one */
    uint64_t drawn;   /* bytes */
} frng_known_run;

typedef struct frng_known_table {
    uint64_t known; /* driver: failures */
    uint64_t room;  /* driver: runs that it takes, FRNG_KNOWN_RUNS at most */
    uint64_t used;  /* target: runs */
    frng_known_failure failures[FRNG_KNOWN_MAX];
    frng_known_run runs[FRNG_KNOWN_RUNS];
} frng_known_table;

/* What the driver wants to know of leaks: a number of the report. */
typedef enum frng_leaks_request {
    FRNG_LEAKS_AT_EXIT = 0, /* nothing: let the process check leaks at its exit */
    FRNG_LEAKS_IGNORE = 1,  /* nothing, and no check at the exit */
    FRNG_LEAKS_WATCH = 2,   /* stop after a run that may leak */
    FRNG_LEAKS_CHECK = 3    /* make a run twice, and check for leaks of the second time */
} frng_leaks_request;

/* The state of the search for leaks, in the report. No other number means anything, so that a run
 * that overwrites the report by mistake hides no failure. */
#define FRNG_LEAK_AGAIN UINT64_C(0x6e696167616b656c)   /* a run that has passed is made again */
#define FRNG_LEAK_SUSPECT UINT64_C(0x65706d69616b656c) /* the last run has passed, and may leak */
#define FRNG_LEAK_CHECK UINT64_C(0x6b6568636b61656c)   /* leaks are checked: a failure is a leak */
#define FRNG_LEAK_START UINT64_C(0x747261746b61656c)   /* the program leaks before any run */

typedef enum frng_message_type {
    FRNG_HELLO = 1, /* target: its abilities */
    FRNG_RUN = 2,   /* driver: make these runs */
    FRNG_DONE = 3   /* target: they were made, or one of them ended its process */
} frng_message_type;

enum {
    /* HELLO's flags: abilities of the target. */
    FRNG_CAN_EXPAND = 1,   /* makes the entropy of a seed itself; else it is in the entropy file */
    FRNG_CAN_BATCH = 2,    /* can make many runs in one process, and digests */
    FRNG_CAN_GIVEN = 4,    /* can take the bytes of many runs from the entropy file */
    FRNG_CAN_STYLE = 16,   /* expands styled seeds, too */
    FRNG_CAN_CHOOSE = 128, /* can take choices (frng_choices.h) in place of bytes */
    FRNG_CAN_GUIDE = 1024, /* records comparisons (frng_guide_table) of runs */
    FRNG_CAN_CLIMB = 4096, /* records goals in such a table */
    FRNG_CAN_GUIDE_OLD = 512, /* ... in a layout of before: it gets no table */
    FRNG_HAS_OTHERS = 8192,   /* has more code than the test, which can compare, too */
    FRNG_NO_FORK = 256,       /* makes its runs in itself: its end is that of the run in progress */
    FRNG_CAN_STAY = 2048,     /* can let the process of an order stay for the next one */
    /* RUN's flags. */
    FRNG_ONE_PROCESS = 1,   /* all runs of the batch in one process */
    FRNG_DIGEST = 2,        /* digest the draws of run `digest_run` of the batch */
    FRNG_GIVEN = 4,         /* no seeds: the entropy file has `count` u64 ends, then the bytes */
    FRNG_STYLED = 16,       /* the seeds are styled */
    FRNG_HALF_STYLED = 32,  /* odd seeds are styled, even ones are plain */
    FRNG_CHOSEN = 128,      /* with FRNG_GIVEN: these bytes are choices */
    FRNG_STAY = 256,        /* in the process that stays, or in a new one that then stays */
    FRNG_COUNT_KNOWN = 512, /* a run that fails as the table of known failures says is counted
                               there, if it can be left; then the next one begins */
    /* DONE's flags. */
    FRNG_LEFTOVER = 1,   /* a run left a process behind, which lives */
    FRNG_NO_PROCESS = 2, /* fork failed, or its end is unknown: `status` is an errno */
    FRNG_WARM = 4,       /* the process had made the runs of an order before */
    FRNG_WENT_ON = 8,    /* run `count` failed, but did not end the process */
    FRNG_STAYED = 16     /* the process of the runs stays for the next order */
};

/* Runs of one order, at most. */
#define FRNG_COUNT_MAX (UINT64_C(1) << 24)

/* Every message is one of these, in one packet. Fields that a type does not use are 0. */
typedef struct frng_message {
    uint64_t type;         /* frng_message_type */
    uint64_t version;      /* HELLO: FRNG_PROTOCOL_VERSION */
    uint64_t flags;        /* HELLO, RUN, DONE */
    uint64_t drawn_offset; /* HELLO: bytes into the report of the count of bytes drawn ...
                              RUN with FRNG_COUNT_KNOWN: of the frng_known_table */
    uint64_t drawn_width;  /* ... and its width, 4 or 8; 0: not reported */
    uint64_t first_seed;   /* RUN: seeds count up from here, modulo 2^64 */
    uint64_t count; /* RUN: runs, 1 to FRNG_COUNT_MAX; DONE: those that passed before `status` */
    uint64_t size;  /* RUN: bytes of entropy for each; given: of the whole entropy file */
    uint64_t digest_run; /* RUN */
    uint64_t status;     /* DONE: wait status of what ended run `count`, or 0 if nothing did */
} frng_message;

#endif
