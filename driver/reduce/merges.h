/* merges.h: successes that came too late: another one had changed the best already. They are tried
 * again together, as one patch. */
#ifndef MERGES_H
#define MERGES_H

#include "patch.h"

enum { MERGES_MAX = 64 };

/* Zeroed it is empty. All patches are over the best. */
typedef struct merges {
    size_t count;
    patch *list[MERGES_MAX]; /* owned; the oldest first */
    size_t trying;           /* so many of them at once; 0: all */
} merges;

/* Takes the patch, which is freed with free; at once where there is no room. */
void merges_add(merges *m, patch *late);

/* The best has changed by a patch: those that do not fit any more are gone. Or (NULL) nobody knows
 * how: then all are. */
void merges_rebase(merges *m, const patch *done);

/* What to try next. False when there is nothing. */
bool merges_next(merges *m, patch *together);

/* What became of it, unless they were rebased since. After a success the others are to be. */
void merges_told(merges *m, bool success);

void merges_finish(merges *m);

#endif
