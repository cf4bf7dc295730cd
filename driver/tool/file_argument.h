/* file_argument.h: "@@" in the arguments of a target: the name of a file that holds the input. */
#ifndef FILE_ARGUMENT_H
#define FILE_ARGUMENT_H

#include <stdbool.h>

#define FILE_ARGUMENT "@@"

/* The name of the input of a run: its standard input is a private file that can be opened again. */
#define FILE_ARGUMENT_OF_RUN "/dev/stdin"

/* True if one of these arguments has an @@. */
bool file_argument_is_named(char *const *args);

/* Replace each @@ behind argv[0] by a path. Returns the new strings, ended by NULL, which argv
 * needs and the caller frees by file_argument_free; NULL when out of memory. */
char **file_argument_put(char **argv, const char *path);
void file_argument_free(char **words); /* NULL is allowed */

#endif
