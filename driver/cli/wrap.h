/* wrap.h: a replay under another program: a debugger, valgrind, strace. */
#ifndef WRAP_H
#define WRAP_H

#include "proc.h"
#include "sut.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command that runs the system under test, and the entropy in a private file for it. */
typedef struct wrap {
    char *words; /* what `argv` begins with points in here */
    char *path;  /* of the wrapping program */
    char **argv, **envp;
    char folder[PATH_MAX]; /* of the entropy; "" when there is none */
    int lock_fd;           /* of the folder, or -1 */
    char *file;            /* of the entropy */
    char *input;           /* FRNG_INPUT=..., in envp */
    bool keeps_stdin;      /* it gets the terminal and not the entropy as stdin */
} wrap;

/* `line` has passed words_check, and is cut by words_next. The file is made below `temporary`, and is private. Says what is wrong itself; wrap_finish in any case. */
bool wrap_init(wrap *w, const char *line, const sut *s, const char *temporary, const uint8_t *bytes,
               size_t size);
void wrap_finish(wrap *w); /* removes the folder */

#endif
