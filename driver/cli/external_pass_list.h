/* external_pass_list.h: the list behind --reducer: programs that make candidates, and which of
 * their commands are wanted. */
#ifndef EXTERNAL_PASS_LIST_H
#define EXTERNAL_PASS_LIST_H

#include "external_pass.h"

#include <stdbool.h>
#include <stddef.h>

/* Empty when zeroed. */
typedef struct external_pass_list {
    external_pass *list; /* as they were added; those of one program coarse to fine */
    size_t count;
} external_pass_list;

/* Append the commands of `cmd`: a program and its commands, as words_next cuts them. Without
 * commands it means all known ones of clex, topformflat and clang_delta, and "all" of any other
 * program. These three are also searched in Debian's folders. On failure (no program, no memory)
 * prints why and leaves the list as it was. */
bool external_pass_list_add(external_pass_list *r, const char *cmd);

void external_pass_list_finish(external_pass_list *r);

#endif
