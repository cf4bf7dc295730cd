/* file_watch.h: sees whether anything happens to a file, or in a folder, while a run lasts. */
#pragma once

#include "failure.h"

#include <stdbool.h>

/* What is watched. It costs one of the user's inotify instances, of which there may be none left:
 * then nothing is seen. */
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
