/* wrap.h: a replay under another program: a debugger, valgrind, strace. */
#ifndef WRAP_H
#define WRAP_H

#include "proc.h"
#include "report_shm.h"
#include "target_command.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A command that runs the system under test, and the entropy in a private file for it. */
typedef struct wrap {
    char *words; /* the first of `argv` point into this */
    char *path;  /* of the wrapping program */
    char **argv, **envp;
    char folder[PATH_MAX]; /* of the entropy; "" when there is none */
    int lock_fd;           /* of the folder, or -1 */
    char *file;            /* of the entropy */
    size_t size;           /* bytes in it */
    char *input;           /* FRNG_INPUT=..., in envp */
    int file_fd;           /* the file, open: its offset shows whether stdin was read; or -1 */
    bool is_debugger;      /* by its name: its exit status is not that of the program */
    bool reports;          /* the program has frng_main.h, and reports its progress in `heard` */
    report_shm heard;      /* where it reports */
    bool keeps_stdin;      /* stdin is the terminal, not the input */
} wrap;

/* The evidence that the program, and not only the wrapper, has run. */
typedef enum wrap_evidence {
    WRAP_NOTHING, /* none */
    WRAP_RAN,     /* it read its input: the wrapper ends as it does */
    WRAP_PASSED   /* it reported that its test passed */
} wrap_evidence;

/* Prepare to run the target under the words of `line`, which has passed words_check. The input is
 * in a private folder below `temporary`. Prints what is wrong. Call wrap_finish in any case. */
bool wrap_init(wrap *w, const char *line, const target_command *s, const char *temporary,
               const uint8_t *bytes, size_t size);
void wrap_finish(wrap *w); /* removes the folder */

/* Return the evidence, after the wrapper has ended. */
wrap_evidence wrap_look(const wrap *w);

#endif
