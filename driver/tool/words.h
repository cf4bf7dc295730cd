/* words.h: splits a command in an option's value into words, as in --wrap 'gdb --args'. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>

/* Return the next word, cut off *rest in place as by a shell: blanks separate words, quotes group,
 * and a backslash makes the next character literal; nothing is expanded. NULL at the end. Sets *ok
 * to false if a quote is left open. */
char *words_next(char **rest, bool *ok);

/* True if `line` has a word, and no quote is left open. */
bool words_check(const char *line);

#endif
