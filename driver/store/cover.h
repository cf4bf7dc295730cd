/* cover.h: findings of other processes that make one of this process needless. */
#ifndef COVER_H
#define COVER_H

#include "kept.h"
#include "store.h"

#include <stdbool.h>
#include <stddef.h>

/* Names of findings that do not always fail here. Empty if zeroed. */
typedef struct cover_doubts {
    char (*names)[STORE_NAME_MAX]; /* owned */
    size_t count;
} cover_doubts;

void cover_doubts_finish(cover_doubts *d);
/* Add a name, or take it off the list. When memory is out, the list stays as it is. */
void cover_doubt(cover_doubts *d, const char *name);
void cover_trust(cover_doubts *d, const char *name);
bool cover_is_doubted(const cover_doubts *d, const char *name);

/* What is asked of the reruns of a finding that never failed here. */
typedef enum cover_proof {
    COVER_FAILED, /* it failed in all of them */
    COVER_PROVEN  /* they are as many as the final best has, too */
} cover_proof;

/* True if the folder has a smaller finding of the same program, arguments, build, signature and
 * site, which is not doubted. It is looked for among the COVER_READS smallest findings. */
bool cover_is_there(store *s, const kept *e, const cover_doubts *d, cover_proof proof);

enum { COVER_READS = 64 };

#endif
