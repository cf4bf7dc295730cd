/* named_input.h: the input in a real file, named where arguments have @@; and watched files. */
#pragma once

#include "work_folder.h"

/* ---- Watching a file, or a folder ---- */

/* What is watched. It costs an inotify instance of the user. Without one, nothing is seen. */
typedef struct file_watch {
    int fd;          /* -1: nothing is seen */
    bool is_changed; /* an entry came, went, or has other rights; or that is unknown; until the user
                        resets it */
} file_watch;

file_watch file_watch_begin(const char *path);
void file_watch_end(file_watch *w);

/* Return whether a file was opened since the last call: to read it, to map it, or to look at it in
 * any way. */
reading_state file_watch_take(file_watch *w);

/* ---- The input as a file ---- */

/* Return argv with the path of the file in place of each @@ of its words after the first; what
 * follows an @@ as an extension does ends the name of the file: @@.png. The caller frees the words
 * that differ, and the list. */
char **named_argv(char *const *argv, const char *path);

/* Make the file `name` of a folder available under its names with extensions. Returns 0 or an
 * errno. */
int named_links(int folder_fd, const char *name, char *const *argv);

/* The file of a job, which each of its runs gets anew. */
typedef struct named_input {
    const job_folder *job; /* NULL if no file can be made: @@ is /dev/stdin then */
    char *const *asked;    /* the arguments, with their @@ */
    char **argv;           /* owned: with paths */
    int fd;                /* of the file; -1: it has to be made */
    file_watch watch;      /* of its folder */
} named_input;

/* Make it, if an argument has an @@; else `argv` stays NULL. The arguments are borrowed. */
void named_input_open(named_input *n, const job_folder *job, char *const *argv);
void named_input_close(named_input *n);

/* Write the input of the next run. What the last one did to the file or its folder is gone. Returns
 * 0 or an errno. */
int named_input_write(named_input *n, const uint8_t *bytes, uint64_t size);

/* Return what tells if a run opened the file, or NULL where @@ is no file. */
static inline file_watch *named_input_watch(named_input *n) {
    return n->job != NULL ? &n->watch : NULL;
}
