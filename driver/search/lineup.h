/* lineup.h: the batches in flight, in the order of the strategy.
 *
 * A batch ends at its first run that does not pass. If the strategy takes that as a pass, the rest
 * of the batch is submitted again, and the results of later batches wait for it. So results are
 * taken in the same order whatever the sizes of batches, and no run is made twice. */
#ifndef LINEUP_H
#define LINEUP_H

#include "runner.h"

#include <stdbool.h>

typedef struct client client;
typedef struct lineup lineup;

/* Return an empty lineup, or NULL if memory is out. */
lineup *lineup_create(void);
void lineup_destroy(lineup *l); /* NULL is allowed */

/* True if one more batch may be submitted: the pool and the lineup have room. */
bool lineup_has_room(const lineup *l, const client *c);

bool lineup_is_empty(const lineup *l);

/* Return the number of runs in all these batches. */
uint64_t lineup_runs(const lineup *l);

/* Submit a batch. */
void lineup_submit(lineup *l, client *c, const batch *b, run_purpose purpose);

/* Return the result of the oldest batch, and the batch in *b; both live until the next call.
 * Return NULL once the client has stopped, and from time to time before that. */
const run_result *lineup_wait(lineup *l, client *c, batch *b);

/* Go on with the batch that lineup_wait returned last, from run `ran` on. It is the oldest
 * again. */
void lineup_continue(lineup *l, uint32_t ran);

/* Cancel all batches. */
void lineup_cancel(lineup *l, client *c);

#endif
