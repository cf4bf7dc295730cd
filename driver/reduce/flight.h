/* flight.h: candidates under way, candidate set by candidate set, in the order in which results
 * come back. */
#ifndef FLIGHT_H
#define FLIGHT_H

#include "candidate_set.h"
#include "future.h"
#include "schedule.h"

/* One test case of a candidate set. */
typedef struct candidate {
    uint64_t digest;
    schedule before; /* the schedule that proposed it, which waits to be told */
    patch *edits;    /* owned; over the best. NULL where that is of no use (any more) */
} candidate;

/* A candidate set under way. */
typedef struct flight {
    size_t count;
    candidate candidates[CANDIDATE_SET_COUNT_MAX];
    future *best;               /* owned share: what it was made of */
    uint64_t number;            /* of the flight, from 1 */
    uint64_t after;             /* the flight that it takes to end ... */
    bool if_success;            /* ... so; 0: none, it is of how things are */
    bool is_stale;              /* it took for granted what did not come about */
    const candidate_set *given; /* its test cases; borrowed */
    bool is_counted;            /* a candidate was left out, for it is in this one */
    bool is_dropped;            /* nobody waits for what becomes of it */
    bool is_merge; /* its one candidate is of successes that came too late, and of no schedule */
} flight;

/* Flights in a row. Zeroed it is empty. */
typedef struct flights {
    size_t max, first, count;
    uint64_t number; /* of the last one */
    flight **ring;   /* `max` of them */
} flights;

/* Room for so many. False when out of memory. */
bool flights_init(flights *f, size_t max);
void flights_finish(flights *f);

/* An empty one at the end of the row; there must be room. */
flight *flights_add(flights *f);

/* The first, which stays valid until another is added; it is out of the row. */
flight *flights_take(flights *f);

/* Give up the last one, or all. */
void flights_drop_last(flights *f);
void flights_clear(flights *f);

/* Candidates in all. */
size_t flights_load(const flights *f);

bool flights_have(const flights *f, uint64_t digest);

/* Whether a flight of this number is under way and not stale. */
bool flights_count_on(const flights *f, uint64_t number);

/* The next one that is of no use any more, whatever becomes of it, and was not dropped; it is then.
 * NULL when there is none. */
flight *flights_drop_useless(flights *f);

/* What the flights that count on a success of this one are made of, or NULL. */
future *flights_best_after(const flights *f, uint64_t number);

/* The best has changed from `was` to `is` by `done` (NULL: nobody knows how, or it is as it was),
 * and what all that is under way took for granted is not so. Edits of what was made of `was`
 * follow, or are of no use any more. */
void flights_outdate(flights *f, const patch *done, future *was, future *is);

/* The same for those that took it for granted that a flight, which is under way no more, would end
 * otherwise, and for all that count on these. The others stay what they are. */
void flights_settle(flights *f, const flight *ended, bool success, const patch *done, future *was,
                    future *is);

/* Add a candidate with a copy of its edits, where somebody may ask for them. */
void flight_add(flight *f, const schedule *before, uint64_t digest, const patch *edits);
void flight_clear(flight *f);

#endif
