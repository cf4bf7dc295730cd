/* size_search.h: the state of a search over sizes, after any number of runs. Private to strategy.c.
 *
 * The state is a plain struct that can be copied. The number of parts in which the runs of a
 * request pass must not matter: passed(3) equals passed(1) and passed(2). */
#ifndef SIZE_SEARCH_H
#define SIZE_SEARCH_H

#include "strategy.h"

/* The next runs: `count` of them, with the seeds from first.seed on, in the styles of `mix`. The
 * search is done if `count` is 0. */
typedef struct size_request {
    seed_input first;
    uint64_t count;
    batch_mix mix;
} size_request;

enum { SIZE_LEVELS_MAX = 65 }; /* the powers of two in 64 bits, and size_max */

/* Credit is in quarters of a run. A run that passed gives CREDIT_RUN. A masked run, which ended
 * in a failure that counts as a pass, showed less than that (size_search_masked). */
enum { CREDIT_MASKED = 1, CREDIT_RUN = 4 };

typedef enum size_phase {
    PHASE_EMPTY,  /* one run of no bytes */
    PHASE_GROW,   /* fresh runs at all levels, cheapest first */
    PHASE_BISECT, /* one seed, over its own prefixes */
    PHASE_FRESH,  /* fresh runs at one size below the best: a stretch */
    PHASE_OVER
} size_phase;

/* The fresh runs of one size while growing. */
typedef struct size_level {
    uint64_t runs;
    uint64_t styled;  /* those of `runs` that were styled */
    uint64_t masked;  /* those of `runs` that were masked */
    uint64_t credit;  /* of these runs */
    uint64_t drawn;   /* bytes that they drew together; UINT64_MAX: unknown */
    uint64_t ran_out; /* those of them whose bytes ran out */
    uint64_t rows;    /* that have ended; with EXPAND_BOTH odd ones are styled */
} size_level;

/* Fresh runs of one size, all of which passed. */
typedef struct size_stretch {
    uint64_t size;   /* bytes */
    uint64_t passed; /* masked runs included */
    uint64_t styled; /* those of `passed` that were styled */
    uint64_t credit; /* of these runs, in quarters of a run */
    uint64_t number; /* 1 for the first stretch of a search, in order of their starts */
} size_stretch;

typedef struct size_search {
    size_phase phase;
    bool failed; /* best is valid */
    seed_input best;
    uint64_t fresh; /* number of the next fresh run, at any size (seeds.h) */

    bool is_thorough; /* growing: all levels get all their runs, for a known failure may hide others
                         at larger sizes; and growing ends. Else those below 16 bytes get one, for
                         they are prefixes of the others; and rows that grow follow if endless */
    size_level levels[SIZE_LEVELS_MAX];
    uint64_t row; /* growing: runs that `level` still gets in a row */
    unsigned level;
    uint64_t used; /* growing: the most bytes that a run used; UINT64_MAX: unknown */
    uint64_t top;  /* growing: bytes of the largest run */

    uint64_t passing; /* bisecting: bytes with which the seed of best passes, as far as known */
    uint64_t from;    /* bytes with which that seed first failed */
    bool is_drawn;    /* a run failed before it had drawn all, so that what follows does not matter;
                         else the target may look at all bytes, and a failure says little of other
                         sizes */

    size_stretch stretch; /* the stretch under way */
    size_stretch floor;   /* the last one below best that the search left without a failure; size 0:
                             none */
    uint64_t stretches;   /* number of stretches begun so far; growing is one */
    uint64_t growing;     /* number of growing among them; 0: nothing is claimed of it */
    uint64_t step;        /* bytes from the stretch up to best, a power of two; 0: not begun */
    uint64_t probes_max;  /* most runs of a stretch while step is above 1 */
    int trust;            /* number of failures whose bound gained something, minus the others */
    uint64_t tries;       /* fresh runs that all failures together took */
    uint64_t hits;        /* number of these failures */
} size_search;

size_search size_search_begin(void);
size_search size_search_resume(seed_input best);

/* Go on below a failure of another search, no larger than the best. At another size a new stretch
 * begins; at the same size the stretch goes on. */
void size_search_adopt(const strategy_config *config, size_search *s, seed_input best);

/* True if no number of attempts asks for another run: everything smaller was run. The search is
 * over. */
bool size_search_is_exhausted(const strategy_config *config, const size_search *s);

/* Go on where the search is over, after config->attempts was raised. It is over still if that asks
 * for no more runs. */
void size_search_go_on(const strategy_config *config, size_search *s);

size_request size_search_request(const strategy_config *config, const size_search *s);

/* Take what runs of the request drew, before they are taken themselves. */
void size_search_drew(const strategy_config *config, size_search *s, strategy_draws draws);

/* Guess what `count` runs of the request will draw. */
strategy_draws size_search_predict(const strategy_config *config, const size_search *s,
                                   uint64_t count);

void size_search_passed(const strategy_config *config, size_search *s, uint64_t count);

/* Take one run that ended as `mask` says, after `drawn` bytes (or STRATEGY_DRAWN_UNKNOWN). */
void size_search_masked(const strategy_config *config, size_search *s, uint64_t drawn,
                        strategy_result mask);
void size_search_failed(const strategy_config *config, size_search *s, seed_input failing,
                        uint64_t drawn);
search_stint size_search_stint(const strategy_config *config, const size_search *s);
strategy_claim size_search_claim(const strategy_config *config, const size_search *s);

#endif
