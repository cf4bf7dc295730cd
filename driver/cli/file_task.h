/* file_task.h: what the reduction of a file needs, made ready: the file, the predicate, reducers,
 * private folders for their runs, and the places that are written to. */
#ifndef FILE_TASK_H
#define FILE_TASK_H

#include "atomic_file.h"
#include "external_pass_list.h"
#include "input_source.h"
#include "known.h"
#include "reduce_options.h"
#include "runner_predicate.h"
#include "session.h"

#include <limits.h>
#include <sys/stat.h>

/* Seconds that a run gets while nothing is known of how long it takes. */
enum { FILE_TASK_TIMEOUT_S = 300 };

typedef struct file_task {
    session *session;
    const reduce_options *options;
    const char *path;   /* of the file, as it was said */
    input_source file;  /* its bytes */
    struct stat status; /* of the file */
    char *output_path;  /* as it was said, or follows */
    atomic_file output;
    char **args; /* of the predicate */
    external_pass_list reducers;
    char root[PATH_MAX];               /* of private folders; "" when there is none */
    int lock_fd;                       /* of the root, or -1 */
    runner_predicate_config predicate; /* points into all of that */
    known_key key; /* what digests of an earlier reduction must have been made for */
} file_task;

/* Prepare it in a session that is zeroed but for its startup. Returns false after a message.
 * file_task_finish, and session_finish, in any case. */
bool file_task_prepare(file_task *t, session *s, const reduce_options *o);
void file_task_finish(file_task *t);

#endif
