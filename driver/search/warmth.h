/* warmth.h: processes that go on after masked runs, and which runs are evidence then.
 *
 * The runs of a size are in rows by their numbers: a first one, one up to 8192, and then rows of
 * 8192. In a row, processes go on after masked runs if at its start one in a hundred was masked, so
 * that their ends would take most of the time. No process is shared by two rows. So numbers and
 * results alone decide which runs are evidence, and with it what is claimed. */
#pragma once

#include "bytes.h"
#include "strategy.h"

/* Runs of a size whose process may have made a masked run before them. A search takes failures from
 * them as from any run, but the claim does not count their passes. */
typedef struct size_warmth {
    uint64_t runs, styled;                /* styled: those of `runs` that were */
    uint64_t discarded, discarded_styled; /* runs that the test discarded: no evidence either */
    uint64_t until; /* number of the run at this size from which on they are evidence */
    bool goes_on;   /* processes go on after masked runs of the row in progress */
} size_warmth;

/* Runs of the request that did not fail, and their credit: all of them are masked, or none. */
typedef struct runs_taken {
    uint64_t count, credit;
    bool is_masked;
    uint64_t discarded, discarded_styled;
} runs_taken;

/* Return the runs but for those that do not count. */
static inline uint64_t kept(uint64_t runs, uint64_t others) { return runs - smaller(runs, others); }

/* Return how many runs of a batch are styled. */
uint64_t warmth_styled(const batch *b);

/* Let processes go on after masked runs of a batch, if they may: its first run is run `at` of its
 * size. */
void warmth_let_go_on(const size_warmth *w, batch *b, uint64_t at);

/* Take the first runs of a request, from run `at` of its size on. Up to the last of them, `masked`
 * runs were masked. They may be warm later only if `of` may know failures. Run `second` begins the
 * second row. */
void warmth_take(size_warmth *w, const runs_taken *r, const batch *of, uint64_t at, uint64_t masked,
                 uint64_t second);
