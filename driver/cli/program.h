/* program.h: programs that the command line names: found, checked, and named so that they can be
 * started from any folder. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "bytes.h"

#include <stdbool.h>

/* Whether it is a file that can be executed. Says itself why not. */
bool program_check(const char *path);

/* A path that holds in any folder, freed by the caller; NULL with errno. A program may go by the
 * name it is called with, so that a link in the last component stays. */
char *program_absolute(const char *path);

/* Print why a program cannot be found, started or loaded, or its run not be ended. The output is
 * that of a run that the dynamic linker ended. */
void program_not_on_path(const char *name);
void program_cannot_start(const char *path, int error_number);
void program_cannot_load(const char *path, const bytes_tail *output);
void program_run_not_ended(int error_number);

/* The last component of a path. */
const char *program_name(const char *path);

#endif
