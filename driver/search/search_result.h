/* search_result.h: what a search makes of its failures at its end. */
#pragma once

#include "found_list.h"
#include "search.h"

/* List the smallest failure of each other signature, and a smaller flaky one like the best. */
void search_result_list_others(search_result *r, found_list *l);

/* List earlier bests: where a reduction ends depends on where it starts. */
void search_result_list_rivals(search_result *r, const found_list *l);

/* Drop failures that never failed again, but are like one that did. */
void search_result_trim_once(search_result *r);

/* Sort answers: those that are not flaky first, and smaller ones first. */
void search_result_sort(search_answers *each);

/* Return the answer that is the same failure, or NULL. */
search_answer *search_answers_find(search_answers *each, const failure *f);

/* Put an answer in its place, unless the one of its signature is better. Return the answer for its
 * signature, or NULL if there is no room for one. */
const search_answer *search_answers_put(search_answers *each, const failure *f,
                                        const strategy_claim *claim);
