/* Batches in flight, in a ring by their numbers.
 *
 * The pool returns results in the order of submission. That is the order of the strategy, but for
 * batches that go on: a run that counts as a pass ended its batch, and the rest of the batch is
 * submitted behind later ones, though its results come first for the strategy. So a second ring has
 * the numbers as they were submitted, and a result that comes too early is kept, with its tally,
 * until the batches before it are done. */
#include "lineup.h"

#include "engine.h"
#include "event.h"
#include "pool.h"
#include "stats.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

enum { LINEUP_MAX = 2048 }; /* several times what any pool takes */

typedef enum place_state { PLACE_WAITING, PLACE_IN_FLIGHT, PLACE_DONE } place_state;

/* A result that outlives the next call for the pool. */
typedef struct kept_result {
    run_result result;
    tally tally;
} kept_result;

/* A batch, and its result if it came before that of an older one. */
typedef struct place {
    place_state state; /* WAITING: only the oldest can be; the pool has no room for it */
    batch what;
    run_purpose purpose;
    kept_result *kept; /* DONE */
} place;

struct lineup {
    uint64_t first;               /* number of the oldest batch; batches have rising numbers */
    uint64_t count;               /* batches that were not returned yet */
    uint64_t in_flight;           /* those of them in the pool */
    uint64_t submitted;           /* index of the oldest one in `numbers` */
    place places[LINEUP_MAX];     /* a ring, by number */
    uint64_t numbers[LINEUP_MAX]; /* a ring: those of these batches, as they were submitted */
    place last;                   /* of the batch that lineup_wait returned last */
    kept_result *last_kept;       /* its result, if that was kept */
};

lineup *lineup_create(void) { return calloc(1, sizeof(lineup)); }

static place *place_of(lineup *l, uint64_t number) { return &l->places[number % LINEUP_MAX]; }

/* Forget all batches and results. */
static void clear(lineup *l) {
    for (uint64_t i = 0; i < l->count; i++) {
        place *p = place_of(l, l->first + i);
        free(p->kept);
        p->kept = NULL;
    }
    l->count = l->in_flight = 0;
}

void lineup_destroy(lineup *l) {
    if (l == NULL) return;
    clear(l);
    free(l->last_kept);
    free(l);
}

static bool is_first_waiting(const lineup *l) {
    return l->count > 0 && l->places[l->first % LINEUP_MAX].state == PLACE_WAITING;
}

bool lineup_has_room(const lineup *l, const client *c) {
    return !is_first_waiting(l) && l->count < LINEUP_MAX - 1 && pool_has_room(c->pool);
}

bool lineup_is_empty(const lineup *l) { return l->count == 0; }

uint64_t lineup_runs(const lineup *l) {
    uint64_t runs = 0;
    for (uint64_t i = 0; i < l->count; i++)
        runs += l->places[(l->first + i) % LINEUP_MAX].what.count;
    return runs;
}

static void submit(lineup *l, client *c, uint64_t number) {
    place *p = place_of(l, number);
    l->numbers[(l->submitted + l->in_flight++) % LINEUP_MAX] = number;
    p->state = PLACE_IN_FLIGHT;
    pool_submit(c->pool, &p->what, p->purpose);
}

void lineup_submit(lineup *l, client *c, const batch *b, run_purpose purpose) {
    assert(l->count < LINEUP_MAX);
    const uint64_t number = l->first + l->count++;
    *place_of(l, number) = (place){.what = *b, .purpose = purpose};
    submit(l, c, number);
}

/* Return the oldest batch, whose result is `r`. */
static const run_result *take_first(lineup *l, batch *b, const run_result *r) {
    l->last = *place_of(l, l->first);
    *b = l->last.what;
    place_of(l, l->first)->kept = NULL;
    l->first++;
    l->count--;
    return r;
}

/* Return a copy of a result with its tally; NULL if memory is out. */
static kept_result *copy_of(const run_result *r) {
    kept_result *kept = malloc(sizeof *kept);
    if (kept == NULL) return NULL;
    kept->result = *r;
    if (r->tally != NULL) { /* most of it has no rows and takes no memory */
        tally_clear(&kept->tally);
        tally_merge(&kept->tally, r->tally);
        kept->result.tally = &kept->tally;
    }
    return kept;
}

/* Keep the result of a later batch. Stop the client if memory is out. */
static void keep(client *c, place *p, const run_result *r) {
    p->state = PLACE_DONE;
    p->kept = copy_of(r);
    if (p->kept != NULL) return;
    client_stop_broken(c, ENOMEM);
}

const run_result *lineup_wait(lineup *l, client *c, batch *b) {
    batch ran;
    free(l->last_kept);
    l->last_kept = NULL;
    if (client_is_running(c) && l->count > 0 && place_of(l, l->first)->state == PLACE_DONE) {
        l->last_kept = place_of(l, l->first)->kept;
        return take_first(l, b, &l->last_kept->result);
    }
    if (is_first_waiting(l) && pool_has_room(c->pool)) submit(l, c, l->first);
    const run_result *r = client_wait(c, &ran);
    if (r == NULL) return NULL;
    assert(l->in_flight > 0);
    const uint64_t number = l->numbers[l->submitted++ % LINEUP_MAX];
    l->in_flight--;
    assert(place_of(l, number)->what.first_seed == ran.first_seed);
    if (number == l->first) return take_first(l, b, r);
    keep(c, place_of(l, number), r);
    return NULL;
}

void lineup_continue(lineup *l, uint32_t ran) {
    assert(l->count < LINEUP_MAX && l->first > 0 && ran < l->last.what.count);
    l->first--;
    l->count++;
    place *p = place_of(l, l->first);
    *p = (place){.state = PLACE_WAITING, .what = l->last.what, .purpose = l->last.purpose};
    p->what.first_seed += ran;
    p->what.count -= ran;
}

void lineup_cancel(lineup *l, client *c) {
    clear(l);
    pool_cancel(c->pool);
}
