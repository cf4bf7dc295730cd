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
    char *words; /* what `argv` begins with points in here */
    char *path;  /* of the wrapping program */
    char **argv, **envp;
    char folder[PATH_MAX]; /* of the entropy; "" when there is none */
    int lock_fd;           /* of the folder, or -1 */
    char *file;            /* of the entropy */
    size_t size;           /* bytes in it */
    char *input;           /* FRNG_INPUT=..., in envp */
    int file_fd;           /* the file, open: its offset tells whether stdin was read; or -1 */
    bool is_debugger;      /* by its name: how it ends says nothing of the program */
    bool reports;          /* the program has frng_main.h, and tells in `heard` how far it came */
    report_shm heard;      /* where it reports */
    bool keeps_stdin;      /* it gets the terminal and not the entropy as stdin */
} wrap;

/* What shows that the program, and not only the wrapper, has run. */
typedef enum wrap_evidence {
    WRAP_NOTHING, /* nothing does */
    WRAP_RAN,     /* it read its entropy, and how the wrapper ended is how it ended */
    WRAP_PASSED   /* it told itself that its test passed */
} wrap_evidence;

/* `line` has passed words_check, and is cut by words_next. The file is private, in a folder made
 * below `temporary`. Says what is wrong itself; wrap_finish in any case. */
bool wrap_init(wrap *w, const char *line, const target_command *s, const char *temporary,
               const uint8_t *bytes, size_t size);
void wrap_finish(wrap *w); /* removes the folder */

/* To be asked when the wrapper has ended. */
wrap_evidence wrap_look(const wrap *w);

#endif
