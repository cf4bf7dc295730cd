/* program.h: programs of a command line, found and checked. */
#pragma once

#include "failure.h"
#include "proc.h"

/* Return the PATH of the environment, or the default of a shell. */
const char *program_folders(void);

/* True if the path is a file that can be executed. Prints the reason if not. */
bool program_check(const char *path);

/* Return the path of a program as a shell finds it, which the caller frees. NULL after a message
 * with the reason. */
char *program_find(const char *name);

/* Return an absolute path, which the caller frees; or NULL with errno. A symbolic link in the last
 * component stays, since a program can depend on the name in its argv[0]. */
char *program_absolute(const char *path);

/* True if a write to `path` does not overwrite the program. Prints a message if it would. */
bool program_is_kept(const char *program, const char *path);

/* Return the path of another tool in the folder of `tool`, or its bare name if `tool` is bare. The
 * caller frees it. */
char *program_beside(const char *tool, const char *other);

/* Print why a program cannot be found or, returning false, started. */
void program_not_on_path(const char *name);
bool program_cannot_start(const char *path, int error_number);

/* Print why a program cannot be started or loaded, or why its run cannot be ended. `output` is of a
 * run that the dynamic linker ended. Return false, and print nothing, for a fault of the system or
 * of a folder. */
bool program_print_fault(const char *path, const outcome *error, const bytes_tail *output);
