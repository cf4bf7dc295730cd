/* file_watch.h: sees whether anything happens to a file, or in a folder, while a run lasts. */
#pragma once

#include "failure.h"

#include <stdbool.h>

/* What is watched. It costs one of the user's inotify instances, of which there may be none left:
 * then nothing is seen. */
typedef struct file_watch {
    int fd; /* -1: nothing is seen */
} file_watch;

file_watch file_watch_begin(const char *path);
void file_watch_end(file_watch *w);

typedef struct file_events {
    reading_state
        reading;     /* a file was opened: to read it, to map it, or to look at it in any way */
    bool is_changed; /* an entry came, went, or has other rights; or that is unknown */
} file_events;

/* Return what was seen since the last call. */
file_events file_watch_take(const file_watch *w);
