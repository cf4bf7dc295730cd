/* share.h: failures that others put into the folder of findings, before a search or during it. */
#pragma once

#include "event.h"

typedef struct failure failure;
typedef struct tool_options tool_options;
typedef struct search_source search_source;
typedef struct session session;

typedef struct sharing sharing;

/* List the findings of a session that have at most --size-max bytes; none without --findings.
 * Prints a message if there are others. Returns NULL after a message if the folder cannot be read
 * or memory is out. The session and the options are borrowed. */
sharing *share_open(session *s, const tool_options *o);

/* Print what is left to be said of the findings that were opened, and close. NULL is allowed. */
void share_close(sharing *h);

/* Return what the engine is to run: the findings that are known at the start, the best first (all
 * with --all, else until one has failed); with --sync then those that appear. After the search's
 * deadline, its first call takes a last look. */
search_source share_source(sharing *h);

/* Adopt the reduced finding that was opened last, if this confirmed failure is that of its seed. To
 * call before the failure is kept, which it replaces. */
void share_adopt(sharing *h, const failure *of);

/* Return why it is no verdict that the finding that was opened last passes: in one more run it made
 * other draws than those that it was found with. */
run_doubt share_doubt(sharing *h);

/* Take an event of the search. With --sync look at the folder if that is due: then also write what
 * is still to be written there, and report that this search lives. */
void share_take(sharing *h, const event *e);

/* ---- When to look: pure, for tests ---- */

/* The longest span without news, in intervals, and the longest interval. */
enum { SYNC_BACKOFF_MAX = 16 };
#define SYNC_MAX_NS (INT64_MAX / (2 * SYNC_BACKOFF_MAX))

/* Times are those of one clock that never goes back (clock_now_ns), in nanoseconds. */
typedef struct sync_schedule {
    int64_t interval_ns; /* the span after news */
    int64_t next_ns;     /* time of the next look */
    unsigned factor;     /* the present span, in intervals: a power of 2 up to SYNC_BACKOFF_MAX */
} sync_schedule;

/* Take a look that was made at now_ns. `chance` is any number: it decides how much shorter or
 * longer than the span the wait is, so that those who start together do not look together. */
void sync_schedule_looked(sync_schedule *s, int64_t now_ns, bool has_news, uint32_t chance);

/* Return the longest time between the last look and the next one, whatever the chance was. */
int64_t sync_schedule_within_ns(const sync_schedule *s);

/* ---- Whether to list: pure ---- */

/* Longer than the ticks of any file system's clock: the longest are the two seconds of FAT. */
enum { FOLDER_WATCH_SETTLE_MS = 3000 };

/* A folder that was never seen if zeroed. */
typedef struct folder_watch {
    bool has_seen;
    file_stamp stamp;   /* of the folder at the last look */
    int64_t since_ns;   /* time of the first look that saw this stamp (clock_now_ns) */
    int64_t settled_ns; /* how much older the stamp was when the folder was listed last */
} folder_watch;

/* Take the stamp that the folder had at now_ns (clock_now_ns). Return true if the folder is to be
 * listed now. */
bool folder_watch_look(folder_watch *w, const file_stamp *stamp, int64_t now_ns);
