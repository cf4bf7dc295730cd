/* words.h: splits a command in an option's value into words, as in --wrap 'gdb --args'. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>

/* Cut the next word off *rest, in place, as a shell does: blanks separate, quotes group, and a
 * backslash takes the next character as it is; nothing is expanded. NULL at the end. *ok becomes
 * false for a quote that is left open. */
char *words_next(char **rest, bool *ok);

/* True if `line` has a word, and no quote is left open. */
bool words_check(const char *line);

#endif
