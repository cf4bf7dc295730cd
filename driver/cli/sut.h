/* sut.h: the system under test, found on disk and made ready to be started. */
#ifndef SUT_H
#define SUT_H

#include "common_options.h"
#include "file_stamp.h"
#include "proc.h"

#include <stdbool.h>

typedef struct sut {
    char *path;      /* of its file */
    char **argv;     /* ended by NULL; argv[0] is what the user said, until it is made absolute */
    char **envp;     /* the environment, without FRNG_INPUT and FRNG_DRIVER */
    char *digest;    /* of its file; NULL if that cannot be read */
    file_stamp mark; /* of the file that has the digest */
} sut;

/* Find and check it. Says what is wrong itself. Strings of `what` and `envp` are borrowed. */
bool sut_resolve(sut *s, const char *name, char *const *args, char **envp);
void sut_finish(sut *s);

/* Whether it can run in less address space than there is. Says itself why not. */
bool sut_takes_memory_limit(const sut *s);
/* Print that it was built with a sanitizer, for which --memory has no use. */
void sut_refuse_memory(const char *path, const char *sanitizer);

/* From now on it can be started from any folder; its argv[0] is its path. Says what is wrong. */
bool sut_make_absolute(sut *s);

/* Its file may have been replaced or written: digest and mark are those of now. Returns true when
 * the digest has changed, and is known. */
bool sut_look_again(sut *s);

/* Whether it includes frng_main.h, and so reads its entropy from FRNG_INPUT. */
bool sut_reads_frng_input(const sut *s);

/* Whether its file, a binary or a script, has the name of the variable that offers the protocol:
 * it may speak it then. */
bool sut_names_protocol(const sut *s);

/* The value of PATH in an environment, or what a shell takes without one. */
const char *sut_path_folders(char *const *envp);

static inline proc_command sut_command(const sut *s) {
    return (proc_command){s->path, s->argv, s->envp};
}

#endif
