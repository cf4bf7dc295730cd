/* sanitizer_options.h: options of sanitizers for runs whose output is not shown.
 *
 * To name the functions and lines of a report ("symbolize") takes a sanitizer a hundred times as
 * long as to fail. */
#ifndef SANITIZER_OPTIONS_H
#define SANITIZER_OPTIONS_H

#include <stdbool.h>

#define SANITIZER_OPTION "symbolize=0"

/* Return a copy of an environment where the options of all sanitizers end in SANITIZER_OPTION.
 * Return NULL if the user's options decide on that, or without memory: then runs are slower. */
char **sanitizer_options_environment(char *const *envp);
void sanitizer_options_free(char **envp);

#endif
