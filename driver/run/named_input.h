/* named_input.h: the input in a real file, whose name stands in the arguments in place of @@. */
#pragma once

#include "file_watch.h"
#include "work_folder.h"

#include <stdbool.h>
#include <stdint.h>

/* Return argv with the path of the file in place of each @@ of its words after the first; what
 * follows an @@ as an extension does ends the name of the file: @@.png. The caller frees the words
 * that differ, and the list, by named_argv_free. NULL without memory. */
char **named_argv(char *const *argv, const char *path);
void named_argv_free(char **named, char *const *argv);

/* Make the file `name` of a folder available under its names with extensions. Returns 0 or an
 * errno. */
int named_links(int folder_fd, const char *name, char *const *argv);

/* The file of a job, which each of its runs gets anew. */
typedef struct named_input {
    const job_folder *job; /* NULL: no file can be made, and @@ is /dev/stdin */
    char *const *asked;    /* the arguments, with their @@ */
    char **argv;           /* owned: with paths */
    int fd;                /* of the file; -1: it has to be made */
    file_watch watch;      /* of its folder */
} named_input;

/* Make it, if an argument has an @@; else `argv` stays NULL. Returns 0 or an errno. The arguments
 * are borrowed. */
int named_input_open(named_input *n, const job_folder *job, char *const *argv);
void named_input_close(named_input *n);

/* Write the input of the next run. What the last one did to the file or its folder is gone. Returns
 * 0 or an errno. */
int named_input_write(named_input *n, const uint8_t *bytes, uint64_t size);

/* Return what tells if a run opened the file; NULL if there is none. */
static inline file_watch *named_input_watch(named_input *n) {
    return n->job != NULL ? &n->watch : NULL;
}
