/* folder_watch.h: whether a folder has to be listed again. Pure: the caller looks at the folder and
 * reads the clock.
 *
 * A folder's stamp changes with its entries, but its clock may have ticks of seconds, and a change
 * within the tick of the last one leaves it as it is. So a folder is listed again until its stamp
 * has stayed the same for longer than any tick. Stamps are never compared with the clock of this
 * machine: only the time between two looks counts. */
#ifndef FOLDER_WATCH_H
#define FOLDER_WATCH_H

#include "store.h"

#include <stdbool.h>
#include <stdint.h>

/* Longer than the ticks of any file system's clock: the longest are the two seconds of FAT. */
enum { FOLDER_WATCH_SETTLE_MS = 3000 };

/* A folder that was never seen if zeroed. */
typedef struct folder_watch {
    enum { WATCH_UNSEEN = 0, WATCH_CHANGED, WATCH_SETTLED } state;
    store_stamp stamp; /* stamp of the folder at the last look */
    int64_t since_ns;  /* time of the first look that saw this stamp (clock_now_ns) */
} folder_watch;

/* Take the stamp that the folder had at now_ns (clock_now_ns). Return true if the folder is to be
 * listed now. */
bool folder_watch_look(folder_watch *w, const store_stamp *stamp, int64_t now_ns);

/* List the folder at the next look in any case. */
static inline void folder_watch_forget(folder_watch *w) { w->state = WATCH_UNSEEN; }

#endif
