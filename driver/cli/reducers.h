/* reducers.h: the list behind --reducer: programs that make candidates, and which of their commands
 * are wanted. */
#ifndef REDUCERS_H
#define REDUCERS_H

#include "external_pass.h"

#include <stdbool.h>
#include <stddef.h>

/* Zeroed it is empty. */
typedef struct reducers {
    external_pass *list; /* as they were added; those of one program coarse to fine */
    size_t count;
} reducers;

/* Append what `cmd` says: words as words_next cuts them, a program and the commands wanted of it.
 * Without commands: all that clex, topformflat and clang_delta are known for, and "all" of any
 * other. These three are found where Debian has them, too. False when there is no such program, or
 * no memory; says so itself, and the list is as it was. */
bool reducers_add(reducers *r, const char *cmd);

void reducers_finish(reducers *r);

#endif
