/* report_page.h: gathers what a report is made of: the events and findings that its script draws,
 * and results as plain HTML. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "finding.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct report_page {
    char *events, *results; /* when the page has ended: lines of JSON, and HTML */
    FILE *to_events, *to_results;
    size_t events_size, results_size;
    uint64_t taken;            /* events of frng, and findings */
    uint64_t torn;             /* lines that are not events */
    uint64_t left;             /* events for which the page has no room */
    json_int_t foreign_schema; /* of an event of another version of frng; 0: none */
    size_t result_count;
    bool failed;          /* out of memory */
    json_t *start, *best; /* of the search or reduction that is open; NULL: none */
    bool best_left;       /* `best` has found no room yet */
} report_page;

/* Begin a page. Call report_page_finish in any case. */
void report_page_begin(report_page *p);

/* Begin a file of events. */
void report_page_source(report_page *p, const char *name);

/* Take a line, or a finding that was read from a path. */
void report_page_line(report_page *p, const char *line, size_t size);
void report_page_finding(report_page *p, const char *path, const finding *f);

/* End the page: set `events` and `results`. Return false when out of memory. */
bool report_page_end(report_page *p);
void report_page_finish(report_page *p);

#endif
