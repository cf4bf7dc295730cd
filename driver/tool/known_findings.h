/* known_findings.h: the findings of earlier searches, which a search runs first. */
#ifndef KNOWN_FINDINGS_H
#define KNOWN_FINDINGS_H

#include "finding_table.h"
#include "store_names.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct failure failure;
typedef struct finding finding;
typedef struct tool_options tool_options;
typedef struct search_source search_source;
typedef struct session session;

/* The names are listed at the start. A finding is opened when its turn comes, and none is kept. */
typedef struct known_findings {
    const session *session;
    const tool_options *options;
    store_names names;
    size_t next; /* index of the first name that was not opened */
    skipped_files skipped;
    size_t reduced_count; /* findings with bytes and no seed that were opened */
    bool said_rebuilt;
} known_findings;

/* List the findings that have at most --size-max bytes; none without --findings. Prints a message
 * if there are others. Returns false after a message if the folder cannot be read. Call
 * known_findings_finish in any case. */
bool known_findings_list(known_findings *k, const session *s, const tool_options *o);
void known_findings_finish(known_findings *k);

/* Return them as a source, the best first: all with --all, else until one has failed. It lives as
 * long as *k. */
search_source known_findings_source(known_findings *k);

/* Make a finding a known input. Returns false if it is not for this search: it is of another
 * program or other arguments, too large, or has no seed. Prints the reason, but counts all after
 * the first few. */
bool known_findings_take(known_findings *k, const char *name, const finding *f, failure *known);

/* The same of a file, which may also not be a finding. */
bool known_findings_read(known_findings *k, const char *name, failure *known);

/* Print what is left to be said of the findings that were opened. */
void known_findings_conclude(known_findings *k);

#endif
