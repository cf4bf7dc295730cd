/* replay_wrap.h: a replay under another program: a debugger, valgrind, strace. */
#ifndef REPLAY_WRAP_H
#define REPLAY_WRAP_H

#include "proc.h"
#include "target.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command that runs the target, and a private file with the entropy for it. */
typedef struct wrap {
    char *words; /* the first strings of argv point into this */
    char *path;  /* path of the wrapper */
    char **argv, **envp;
    char folder[PATH_MAX]; /* private folder of the entropy, or "" */
    int lock_fd;           /* lock of the folder, or -1 */
    char *file;            /* path of the entropy's file */
    char *input;           /* "FRNG_INPUT=...", for envp */
    char **file_words;     /* owns arguments with this path; NULL: the target names no file */
    int file_fd;           /* open file, or -1 */
    bool keeps_stdin;      /* stdin is the terminal, not the input */
} replay_wrap;

/* What is to be run under which command. All is borrowed. */
typedef struct replay_wrap_setup {
    const char *line; /* the command; it has passed words_check */
    const target_command *target;
    const char *temporary; /* the folder in which the private one is made */
    const uint8_t *bytes;  /* the input */
    size_t size;
} replay_wrap_setup;

/* Prepare to run a target under a command. Writes the input to a private folder. Prints errors.
 * Call replay_wrap_finish in any case. */
bool replay_wrap_init(replay_wrap *w, const replay_wrap_setup *of);
void replay_wrap_finish(replay_wrap *w); /* removes the folder */

#endif
