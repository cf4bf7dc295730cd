/* folder_sync.h: adopts failures that other searches put into a shared folder of findings.
 *
 * A search looks at the folder now and then (sync_schedule), and lists it if it has changed
 * (folder_watch). Names say how large their findings are: only those that are smaller than what
 * this search has are opened, once each, and offered to the engine, which runs them. What fails
 * here too is adopted; what passes is left to those whose it is. */
#ifndef FOLDER_SYNC_H
#define FOLDER_SYNC_H

typedef struct event event;
typedef struct known_findings known_findings;
typedef struct tool_options tool_options;
typedef struct search_source search_source;
typedef struct session session;

typedef struct folder_sync folder_sync;

/* Begin to sync a search that is prepared. The session, the options and the findings that are known
 * at the start are borrowed. NULL when out of memory. */
folder_sync *folder_sync_create(session *s, const tool_options *o, known_findings *known);
void folder_sync_destroy(folder_sync *y); /* NULL is allowed */

/* Return what the engine is to run: the findings that are known at the start, the best first, then
 * those that appear. After the search's deadline, its first call takes a last look. */
search_source folder_sync_source(folder_sync *y);

/* Take an event of the search, and look at the folder if that is due: then also write what is still
 * to be written there, and report that this search lives. NULL is allowed. */
void folder_sync_take(folder_sync *y, const event *e);

#endif
