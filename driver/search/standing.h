/* standing.h: what counts: what is known of failures like one, and what becomes of it. */
#pragma once

#include "known_failures.h"
#include "search_state.h"

typedef enum standing { NEWS, IGNORED, UNWANTED, ANSWERED, LIKE_FLAKY } standing;

/* Go down from it, tell users if it is a best, count it, or nothing. */
typedef enum deed { PURSUE, TELL, COUNT, MASK } deed;

/* When its run has failed, and when a rerun has confirmed it. */
typedef struct standing_deeds_of {
    deed failed, confirmed;
} standing_deeds_of;

extern const standing_deeds_of standing_deeds[];

/* True if an answer of --all is like it, and no larger; or if there are too many of them. */
bool standing_is_answered(const search *s, const failure *f);

standing standing_of(const search *s, const failure *f);

/* The same of a run that may have drawn less. */
standing standing_of_run(const search *s, const failure *f, uint64_t drawn);

/* Return the failure of a run of a batch that failed as known. */
failure standing_failure(const batch *b, const known_runs *all, const known_run *run);

/* True if all of them are masked without a rerun. */
bool standing_are_masked(const search *s, const batch *b, const known_runs *all);
