#include "folder_sync.h"

#include "beacon.h"
#include "clock.h"
#include "engine.h"
#include "files.h"
#include "folder_watch.h"
#include "keeping.h"
#include "known_findings.h"
#include "name_set.h"
#include "options.h"
#include "search.h"
#include "session.h"
#include "sync_schedule.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct folder_sync {
    session *session;
    const tool_options *options;
    known_findings *known;
    search_source start; /* the known findings, until the first look */
    enum { SYNC_STARTS, SYNC_LOOKS, SYNC_ENDS } state;
    sync_schedule schedule;
    folder_watch watch;
    store_names names;      /* of the last listing */
    size_t next;            /* index of the first name that was not taken */
    name_set tried;         /* names that need not be opened: they were, or they are ours */
    name_set torn;          /* names of files that could not be read when they were opened first */
    distinct_failures mine; /* what this search keeps: the smallest of each signature */
    char
        limit[STORE_NAME_MAX]; /* a name that is not wanted, nor any after it; "": all are wanted */
};

/* ---- What is wanted ---- */

/* Raise the limit to the first name that cannot be that of a smaller input. */
static void raise_limit(folder_sync *y, seed_input t) {
    char name[STORE_NAME_MAX];
    const finding f = {.input = t};
    store_name(&f, name);
    if (strcmp(name, y->limit) > 0) strcpy(y->limit, name);
}

/* Without a best any finding will do, and with --all each may have a signature of its own. */
static void set_limit(folder_sync *y, const failure *best) {
    y->limit[0] = '\0';
    if (best == NULL || y->options->all) return;
    raise_limit(y, best->input);
    for (size_t i = 0; i < y->mine.count; i++) raise_limit(y, y->mine.list[i].input);
}

static bool is_within_limit(const folder_sync *y, const char *name) {
    if (store_name_size(name) > y->options->size_max) return false;
    return y->limit[0] == '\0' || strcmp(name, y->limit) < 0;
}

/* Return the next name that is wanted, and leave it the next one; NULL if there is none. */
static const char *find_name(folder_sync *y) {
    for (; y->next < y->names.count; y->next++) {
        const char *name = y->names.list[y->next];
        if (!is_within_limit(y, name)) return NULL;
        if (!name_set_has(&y->tried, name)) return name;
    }
    return NULL;
}

/* True if a finding is smaller than the best, or than what this search has of its signature. */
static bool is_of_use(const folder_sync *y, const failure *best, const failure *known) {
    if (best == NULL || seed_input_less(known->input, best->input)) return true;
    if (known->alike.reruns == 0) return y->options->all; /* its signature is unknown */
    const size_t i = distinct_failures_find(&y->mine, known);
    if (i == y->mine.count) return y->options->all;
    return seed_input_less(known->input, y->mine.list[i].input);
}

/* ---- Opening findings ---- */

/* Take a file that is not a whole finding. Something may be copying it there: that is why it has
 * another chance at the next look. */
static void take_torn(folder_sync *y, const char *name, const char *why) {
    if (why == NULL) return; /* its owner has removed it */
    if (name_set_has(&y->torn, name)) {
        skipped_files_add(&y->known->skipped, name, why);
        name_set_add(&y->tried, name);
    } else if (name_set_add(&y->torn, name)) {
        folder_watch_forget(&y->watch);
    }
}

static bool read_finding(folder_sync *y, const char *name, failure *known) {
    const char *why;
    finding f;
    if (!store_read(y->session->output.store, name, &f, &why)) {
        take_torn(y, name, why);
        return false;
    }
    const bool ok = known_findings_take(y->known, name, &f, known);
    finding_free(&f);
    return name_set_add(&y->tried, name) && ok;
}

/* ---- Looking at the folder ---- */

/* The first look: from now on listings say what is to be opened, and what has been opened since the
 * start is known. */
static void end_start(folder_sync *y) {
    const known_findings *k = y->known;
    y->state = SYNC_LOOKS;
    for (size_t i = 0; i < k->next; i++) name_set_add(&y->tried, k->names.list[i]);
}

/* List the folder. Returns true if there is something new that is wanted. */
static bool list(folder_sync *y) {
    store_names_free(&y->names);
    y->next = 0;
    if (store_list(y->session->output.store, &y->names) != 0) folder_watch_forget(&y->watch);
    return find_name(y) != NULL;
}

static void look(folder_sync *y, int64_t now_ns) {
    session *s = y->session;
    store_stamp seen;
    const bool is_there = store_look(s->output.store, &seen) == 0;
    if (y->state == SYNC_STARTS) end_start(y);
    const bool has_news = is_there && folder_watch_look(&y->watch, &seen, now_ns) && list(y);
    keeping_retry(s, is_there ? &seen : NULL);
    sync_schedule_looked(&y->schedule, now_ns, has_news, randombytes_random());
    beacon_sign(s->output.beacon, sync_schedule_within_ns(&y->schedule));
}

/* After the deadline look once more, so that all searches end with the same best. */
static void take_last_look(folder_sync *y) {
    const int64_t now_ns = clock_now_ns();
    if (y->state == SYNC_ENDS || now_ns < y->session->deadline_ns) return;
    look(y, now_ns);
    y->state = SYNC_ENDS;
}

/* ---- The engine's side ---- */

static bool next(void *context, const failure *best, failure *to) {
    folder_sync *y = context;
    const char *name;
    set_limit(y, best);
    take_last_look(y);
    if (y->state == SYNC_STARTS) return y->start.next(y->start.context, best, to);
    while (!regular_should_stop(CLOCK_NEVER) && (name = find_name(y)) != NULL) {
        y->next++;
        if (read_finding(y, name, to) && is_of_use(y, best, to)) return true;
    }
    return false;
}

search_source folder_sync_source(folder_sync *y) { return (search_source){next, y}; }

/* A failure of this search: its finding need not be opened. */
static void take_own(folder_sync *y, const failure *f) {
    char name[STORE_NAME_MAX];
    const finding kept = {.input = f->input};
    store_name(&kept, name);
    name_set_add(&y->tried, name);
    distinct_failures_add(&y->mine, f);
    sync_schedule_hurry(&y->schedule, clock_now_ns(), randombytes_random());
}

void folder_sync_take(folder_sync *y, const event *e) {
    if (y == NULL) return;
    if (e->kind == EVENT_BEST || e->kind == EVENT_OTHER) take_own(y, e->failure);
    const int64_t now_ns = clock_now_ns();
    if (y->state != SYNC_ENDS && sync_schedule_is_due(&y->schedule, now_ns)) look(y, now_ns);
}

folder_sync *folder_sync_create(session *s, const tool_options *o, known_findings *known) {
    folder_sync *y = calloc(1, sizeof *y); /* its failures are large */
    if (y == NULL) return NULL;
    y->session = s;
    y->options = o;
    y->known = known;
    y->start = known_findings_source(known);
    y->schedule = sync_schedule_begin(o->sync_ns, clock_now_ns(), randombytes_random());
    return y;
}

void folder_sync_destroy(folder_sync *y) {
    if (y == NULL) return;
    distinct_failures_finish(&y->mine);
    store_names_free(&y->names);
    name_set_clear(&y->tried);
    name_set_clear(&y->torn);
    free(y);
}
