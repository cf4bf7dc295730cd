/* target_command.h: the target: its file, arguments, environment and digest. */
#ifndef TARGET_COMMAND_H
#define TARGET_COMMAND_H

#include "common_options.h"
#include "file_stamp.h"
#include "proc.h"

#include <stdbool.h>

typedef struct target_command {
    char *path;
    char **argv;     /* ended by NULL; argv[0] is the user's name until made absolute */
    char **envp;     /* the environment, without FRNG_INPUT and FRNG_DRIVER */
    char **words;    /* owns arguments with the name of a file; NULL: none */
    char *digest;    /* digest of the file; NULL if unreadable */
    file_stamp mark; /* stamp of the file with this digest */
} target_command;

/* Find and check the target. Prints errors. The strings of `args` and `envp` are borrowed. */
bool target_command_find(target_command *s, const char *name, char *const *args, char **envp);

/* Put the name of the file with the input in place of each @@ of the arguments. False after a
 * message. */
bool target_command_put_file(target_command *s);
void target_command_finish(target_command *s);

/* True if the target can run under --memory. Prints the reason if not. */
bool target_command_takes_memory_limit(const target_command *s);
/* Print that --memory cannot be used, since the target was built with a sanitizer. */
void target_command_refuse_memory(const char *path, const char *sanitizer);

/* Make path and argv[0] absolute, so that the target can be started from any folder. Prints
 * errors. */
bool target_command_make_absolute(target_command *s);

/* Update digest and mark. True if the digest changed: the file was replaced or rewritten. */
bool target_command_update(target_command *s);

/* What the files of the command line say: the one that is started, and each regular file that an
 * argument names as it stands. So an interpreter, or an emulator, is known by what it runs. */

/* True if the target reads its input from FRNG_INPUT, and not from stdin, as frng_main.h does. */
bool target_command_reads_frng_input(const target_command *s);

/* True if the target may read FRNG_INPUT: it does, or it names the protocol, as ports of frng.h do.
 * Of these some read stdin all the same. */
bool target_command_takes_frng_input(const target_command *s);

/* Return the first file that names the protocol: it contains FRNG_DRIVER, or is a script with the
 * word `frng`. NULL: none does, and the target is never offered it. Borrowed. */
const char *target_command_names_protocol(const target_command *s);

/* Return the first file that is a program of the other byte order, which cannot speak with us; NULL
 * for none. Borrowed. */
const char *target_command_of_other_order(const target_command *s);

/* Return the PATH of an environment, or the default of a shell. */
const char *target_command_path_folders(char *const *envp);

static inline proc_command target_command_proc(const target_command *s) {
    return (proc_command){s->path, s->argv, s->envp};
}

#endif
