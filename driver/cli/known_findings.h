/* known_findings.h: the findings of earlier searches, which a search runs first. */
#ifndef KNOWN_FINDINGS_H
#define KNOWN_FINDINGS_H

#include "search.h"
#include "session.h"

typedef struct known_findings {
    search_known *list; /* the best first */
    size_t count, next;
} known_findings;

/* Load the findings of this target and its arguments that have a seed and at most size_max bytes;
 * none without --findings. Prints a message for each skipped finding. Returns false after a
 * message if the findings cannot be read. Call known_findings_finish in any case. */
bool known_findings_load(known_findings *k, const session *s, uint64_t size_max);

/* Return them as a source, from the first one on. It lives as long as *k. */
search_source known_findings_source(known_findings *k);
void known_findings_finish(known_findings *k);

#endif
