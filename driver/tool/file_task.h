/* file_task.h: the prepared parts of a file's reduction: the file, the predicate, external passes,
 * private folders for runs, and output files. */
#ifndef FILE_TASK_H
#define FILE_TASK_H

#include "atomic_file.h"
#include "external_pass_list.h"
#include "input_source.h"
#include "predicate.h"

#include <limits.h>
#include <sys/stat.h>

typedef struct tool_options tool_options;
typedef struct session session;

/* Time limit of a run, in seconds, until a first run shows how long runs take. */
enum { FILE_TASK_TIMEOUT_S = 300 };

typedef struct file_task {
    session *session;
    const tool_options *options;
    const char *path;   /* path of the file, from the command line */
    input_source file;  /* bytes of the file */
    struct stat status; /* status of the file */
    char *output_path;  /* --output, or `path` with ".reduced" */
    atomic_file output;
    char **args; /* arguments of the predicate */
    external_pass_list reducers;
    char root[PATH_MAX];               /* parent of the private folders, or "" */
    int lock_fd;                       /* lock of root, or -1 */
    runner_predicate_config predicate; /* points into the fields above */
} file_task;

/* Prepare the task. *s is zeroed except for `signals`. Returns false after a message. Call
 * file_task_finish and session_finish in any case. */
bool file_task_prepare(file_task *t, session *s, const tool_options *o);
void file_task_finish(file_task *t);

#endif
