/* target_command.h: the system under test, found on disk and made ready to be started. */
#ifndef TARGET_COMMAND_H
#define TARGET_COMMAND_H

#include "common_options.h"
#include "file_stamp.h"
#include "proc.h"

#include <stdbool.h>

typedef struct target_command {
    char *path;      /* of its file */
    char **argv;     /* ended by NULL; argv[0] is what the user said, until it is made absolute */
    char **envp;     /* the environment, without FRNG_INPUT and FRNG_DRIVER */
    char *digest;    /* of its file; NULL if that cannot be read */
    file_stamp mark; /* of the file that has the digest */
} target_command;

/* Find and check it. Says what is wrong itself. Strings of `what` and `envp` are borrowed. */
bool target_command_find(target_command *s, const char *name, char *const *args, char **envp);
void target_command_finish(target_command *s);

/* Whether it can run in less address space than there is. Says itself why not. */
bool target_command_takes_memory_limit(const target_command *s);
/* Print that it was built with a sanitizer, for which --memory has no use. */
void target_command_refuse_memory(const char *path, const char *sanitizer);

/* From now on it can be started from any folder; its argv[0] is its path. Says what is wrong. */
bool target_command_make_absolute(target_command *s);

/* Its file may have been replaced or written: digest and mark are those of now. Returns true when
 * the digest has changed, and is known. */
bool target_command_update(target_command *s);

/* Whether it includes frng_main.h, and so reads its entropy from FRNG_INPUT. */
bool target_command_reads_frng_input(const target_command *s);

/* Whether its file, a binary or a script, has the name of the variable that offers the protocol:
 * it may speak it then. */
bool target_command_names_protocol(const target_command *s);

/* The value of PATH in an environment, or what a shell takes without one. */
const char *target_command_path_folders(char *const *envp);

static inline proc_command target_command_proc(const target_command *s) {
    return (proc_command){s->path, s->argv, s->envp};
}

#endif
