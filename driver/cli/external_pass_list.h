/* external_pass_list.h: the list behind --reducer: programs that make candidates, and which of
 * their commands are wanted. */
#ifndef EXTERNAL_PASS_LIST_H
#define EXTERNAL_PASS_LIST_H

#include "external_pass.h"

#include <stdbool.h>
#include <stddef.h>

/* Zeroed it is empty. */
typedef struct external_pass_list {
    external_pass *list; /* as they were added; those of one program coarse to fine */
    size_t count;
} external_pass_list;

/* Append what `cmd` says: words as words_next cuts them, a program and the commands wanted of it.
 * Without commands: all that clex, topformflat and clang_delta are known for, and "all" of any
 * other. These three are found where Debian has them, too. False when there is no such program, or
 * no memory; says so itself, and the list is as it was. */
bool external_pass_list_add(external_pass_list *r, const char *cmd);

void external_pass_list_finish(external_pass_list *r);

#endif
