/* canary.h: --canary: an installed program that must fail, in place of the target. A search that
 * finds no failure of it shows that searches find nothing on this machine. */
#ifndef CANARY_H
#define CANARY_H

#include "search_options.h"

#include <stdbool.h>

typedef struct canary {
    char *program;  /* its path */
    char *findings; /* the folder `canary` in that of --findings; NULL without --findings */
} canary;

/* Replace the target and its arguments in *o, and what could hide the failure or keep the search
 * from ending: filters, required labels, sizes, attempts, most of the time. Jobs, modes, limits and
 * seeds stay. *c owns what *o borrows then. Returns false after a message. Call canary_finish in
 * any case; *c is zeroed before. */
bool canary_replace_target(canary *c, search_options *o);
void canary_finish(canary *c);

/* Print what it means if the canary was not found. */
void canary_report(const search_options *o, bool found);

#endif
