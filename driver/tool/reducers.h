/* reducers.h: the external passes of --reducer.
 *
 * What they consist of lives to the end of the process. */
#pragma once

#include "external_pass.h"

/* In the order of addition; default commands from coarse to fine. */
typedef struct reducer_list {
    external_pass *list;
    size_t count;
} reducer_list;

/* Append the external passes of a program and its commands. False after a message. */
bool reducers_add(reducer_list *l, const char *cmd);
