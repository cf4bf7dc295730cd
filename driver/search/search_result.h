/* search_result.h: what a search makes of its runs, and of its failures at its end. */
#pragma once

#include "search.h"

/* Return what runs drew, as far as their statistics (NULL: there are none) tell. */
strategy_draws search_result_draws(const tally *t);

/* List the answers of --all, the best first. */
void search_result_list_each(search_result *r);

/* List the best of each other signature, and a smaller flaky one like the best. */
void search_result_list_others(search_result *r);

/* List earlier bests: where a reduction ends depends on where it starts. */
void search_result_list_starts(search_result *r);

/* List failures that never failed again, and are like none that did. */
void search_result_list_once(search_result *r);

/* True if a run of an input of another search would show nothing new, or cannot be made. */
bool search_is_no_news(const search_config *c, failure_table *known, const failure *f);
