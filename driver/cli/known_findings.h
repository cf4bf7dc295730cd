/* known_findings.h: the findings of earlier searches, as the inputs that a search runs first. */
#ifndef KNOWN_FINDINGS_H
#define KNOWN_FINDINGS_H

#include "search.h"
#include "session.h"

typedef struct known_findings {
    search_known *list; /* the best first */
    size_t count;
} known_findings;

/* Load the findings of this program and its arguments with at most size_max bytes; none without
 * --findings. Prints a message about each that is skipped. Returns false, likewise, if they cannot
 * be read. known_findings_finish in any case. */
bool known_findings_load(known_findings *k, const session *s, uint64_t size_max);
void known_findings_finish(known_findings *k);

#endif
