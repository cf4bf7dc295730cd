/* splices.h: rows of splices, which alternate with rows of fresh runs. Private to size_search.c. */
#ifndef SPLICES_H
#define SPLICES_H

#include "corpus.h"
#include "size_search.h"

/* True if splices go before the row of fresh runs that was picked. */
bool splices_are_due(const strategy_config *config, const size_search *s);

/* A row of splices. */
typedef struct splices_row {
    corpus_plan plan;
    uint64_t size;  /* bytes of a run */
    uint64_t spent; /* cost of the rows up to this one */
    bool is_last;   /* fresh runs follow */
} splices_row;

/* Return the row under way. */
splices_row splices_now(const strategy_config *config, const size_search *s);

/* Take `count` runs of the row under way. Return true if fresh runs follow. */
bool splices_take(const strategy_config *config, size_search *s, uint64_t count);

/* True if what decides on the request of `ahead` is unknown by the results of `now`. */
bool splices_are_far_ahead(const size_search *ahead, const size_search *now);

#endif
