/* search_result.h: what a search makes of its failures at its end. */
#pragma once

#include "found_list.h"
#include "search.h"

/* List the smallest failure of each other signature, and a smaller flaky one like the best. */
void search_result_list_others(search_result *r, found_list *l);

/* List earlier bests: where a reduction ends depends on where it starts. */
void search_result_list_rivals(search_result *r, const found_list *l);

/* Sort answers: those that are not flaky first, and smaller ones first. */
void search_result_sort(search_answers *each);
