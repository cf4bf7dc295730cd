/* forecast.h: what is to be tried next, for each way in which what is under way may end. */
#ifndef FORECAST_H
#define FORECAST_H

#include "flight.h"
#include "future.h"
#include "schedule.h"

/* One such way, and the schedule then. */
typedef struct prospect {
    uint64_t after;  /* the flight it is decided by; 0: none, this is how things are ... */
    bool if_success; /* ... and how that is to end */
    double chance;   /* that it comes about */
    bool is_ended;   /* its schedule has nothing (more) to propose */
    schedule schedule;
    future *best, *base; /* what its schedule goes by; NULL: not made yet, or not needed */
    patch *edits;        /* owned; what they make of the base is the best */
} prospect;

typedef struct forecast {
    size_t count, capacity;
    prospect *prospects;
} forecast;

/* For so many flights. False when out of memory. */
bool forecast_init(forecast *f, size_t flight_count);
void forecast_finish(forecast *f);

/* Forget all but how things are. Shares of the futures are taken. */
void forecast_begin(forecast *f, const schedule *now, future *best, future *base);

/* The likeliest that has something to propose, of those with a chance of `least` at least and the
 * one that is how things are. NULL when there is none, or (is_short) no memory. */
prospect *forecast_pick(forecast *f, double least, bool *is_short);

/* The candidate that the prospect's schedule has just proposed (not told yet) is on its way in a
 * flight: by these edits, and with these odds of success, where 0 is not looked beyond. */
void forecast_split(forecast *f, prospect *p, uint64_t number, const patch *edits, double odds);

/* The prospect that a success of this flight leads to, or NULL. */
prospect *forecast_of_success(forecast *f, uint64_t number);

/* A flight has ended so; the flights that took something else for granted are stale already. What
 * cannot come about any more is gone. */
void forecast_settle(forecast *f, const flights *under_way, uint64_t number, bool success);

/* The prospect that is how things are, or NULL: some flight will tell. */
prospect *forecast_now(forecast *f);

#endif
