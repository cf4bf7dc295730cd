/* explanation.h: what each draw of a failure means, as far as runs have shown. */
#pragma once

#include "frng_protocol.h"

#include <stdlib.h>

typedef enum statement_kind {
    STATEMENT_FIXED,  /* the draw can have no other value */
    STATEMENT_ANY,    /* all values that were run fail */
    STATEMENT_ONLY,   /* none but its own */
    STATEMENT_RANGE,  /* low, low + step, ... high, and no other */
    STATEMENT_SET,    /* `values`, and no other */
    STATEMENT_EXCEPT, /* all but `values` */
    STATEMENT_SOME,   /* `failed` of `tried` values */
    STATEMENT_EQUAL   /* the value of another draw only, whatever that is */
} statement_kind;

enum { STATEMENT_VALUES_MAX = 16 };

/* Which values of a draw fail, the other draws being as they are. */
typedef struct statement {
    statement_kind kind;
    bool is_exact; /* all values were run; EQUAL: all pairs */
    uint64_t low, high, step;
    uint64_t values[STATEMENT_VALUES_MAX];
    size_t value_count;
    size_t other;           /* EQUAL: number of the other draw */
    uint32_t tried, failed; /* values other than its own that were run, and those that failed */
} statement;

/* A draw, and the values of its statement as records of a trace have them. */
typedef struct explained_draw {
    statement statement;
    frng_trace_record record; /* of the draw */
    bool is_part;             /* it is in a record with others: bytes */
    bool is_index;            /* values are indices of a weighted draw, not numbers drawn */
} explained_draw;

/* Set in the value of a letter whose character a run has shown: in bits 32 to 39. */
#define EXPLANATION_LETTER_KNOWN (UINT64_C(1) << 63)

typedef enum explanation_state {
    EXPLANATION_NONE,    /* not wanted, or there is no result */
    EXPLANATION_MADE,    /* as far as the budget went */
    EXPLANATION_LONG,    /* the target tells no draws, and the input has too many bytes */
    EXPLANATION_FLAKY,   /* a run says little */
    EXPLANATION_SLOW,    /* runs take long, and no option asks for it */
    EXPLANATION_STOPPED, /* the reduction was stopped */
    EXPLANATION_DIFFERS  /* the result did not fail again, with the same draws */
} explanation_state;

/* What ended an explanation before its end. */
typedef enum explanation_cut { CUT_NONE, CUT_CALLS, CUT_TIME, CUT_STOPPED } explanation_cut;

typedef struct explanation {
    explanation_state state;
    bool is_asked;         /* by an option */
    explained_draw *draws; /* owned; NULL unless MADE */
    size_t count;
    size_t explained;           /* draws that have a statement */
    frng_trace_record *records; /* owned: the trace, if the target reports its draws */
    size_t record_count;
    uint64_t runs;
    explanation_cut cut;
    size_t any_count;                   /* draws whose statement is ANY */
    uint32_t together, together_failed; /* runs with all of those at random, and failures */
} explanation;

static inline void explanation_finish(explanation *e) {
    free(e->draws);
    free(e->records);
    *e = (explanation){0};
}

/* The statement of a draw in words, by its offset in the input. */
typedef struct remark {
    uint64_t start;
    const char *text;
} remark;

typedef struct remarks {
    const remark *list; /* by offset */
    size_t count;
} remarks;
