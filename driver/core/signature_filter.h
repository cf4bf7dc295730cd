/* signature_filter.h: the failures that count, by the patterns of --only and --ignore.
 *
 * A pattern is exit:N, signal:NAME, timeout or a kind (asan:heap-buffer-overflow), alone or with
 * " at PLACE", or a place alone. Without a place it matches any. A `*` at the end stands for any
 * rest. A place without folders also matches one with folders, and one without a step
 * (queue.c:31) any step there (queue.c:31 in pop). The same holds for shapes of messages. */
#pragma once

#include "failure.h"

/* ---- Patterns ---- */

enum { SIGNATURE_PATTERNS_MAX = 32 };

typedef struct signature_pattern {
    const char *text;            /* as the user wrote it; borrowed */
    char written[SITE_TEXT_MAX]; /* signal:SIGABRT for signal:6 */
} signature_pattern;

/* Parse a pattern. Return false for text that no failure can match. */
bool signature_pattern_parse(const char *text, signature_pattern *p);

typedef enum signature_match {
    SIGNATURE_DIFFERS,
    SIGNATURE_MATCHES,
    SIGNATURE_MATCH_UNKNOWN /* it depends on the site, which is unknown */
} signature_match;

typedef struct signature_patterns {
    size_t count;
    signature_pattern list[SIGNATURE_PATTERNS_MAX];
} signature_patterns;

/* A failure counts if one of `only` matches it, or if that is empty, and none of `ignored` does.
 * All failures count if it is zeroed. */
typedef struct signature_filter {
    signature_patterns only, ignored;
} signature_filter;

bool signature_filter_is_empty(const signature_filter *f);

/* True if a failure is ignored, as far as its site is known. */
bool signature_filter_ignores(const signature_filter *f, signature id, const char *site);

/* Return whether a failure counts. MATCHES: it does. */
signature_match signature_filter_match(const signature_filter *f, signature id, const char *site,
                                       bool is_site_known);

enum { IGNORED_MAX = 16 };

typedef struct ignored_row {
    signature signature;
    char site[SITE_MAX];
    uint64_t runs;
} ignored_row;

/* Empty if zeroed. */
typedef struct ignored_counts {
    size_t count;
    ignored_row list[IGNORED_MAX];
    uint64_t rest; /* runs of further signatures */
} ignored_counts;

void ignored_add(ignored_counts *all, const failure *f, uint64_t runs);
