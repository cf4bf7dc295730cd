/* Findings of other searches.
 *
 * At the start the names in the folder are listed. A finding is opened when its turn comes, the
 * smallest first, offered to the engine, which runs it, and forgotten: names are the index, so that
 * 100,000 findings cost a listing.
 *
 * With --sync a search looks at the folder now and then. A fleet must not look at the same time,
 * nor often at a folder where nothing happens. So each waits a span that differs by up to a quarter
 * either way, and that doubles after each look without news. News brings the first span back.
 *
 * A look is one stat. The folder is listed again if its stamp has changed. But its clock may have
 * ticks of seconds, and a change within the tick of the last one leaves the stamp as it is. So the
 * folder is listed until its stamp has stayed the same for longer than any tick. Stamps are never
 * compared with the clock of this machine: only the time between two looks counts.
 *
 * Of a listing, names that are smaller than what this search has are opened, once each. What fails
 * here too is adopted; what passes is left to those whose it is. Of a reduced finding the seed is
 * run that its reduction began with. If that fails alike, this search stores nothing worse. Bytes
 * that follow from no seed, of a guided run or a file, are run as they are, unless they are many:
 * a search holds them to its end. */
#include "share.h"

#include "clock.h"
#include "engine.h"
#include "files.h"
#include "finding_table.h"
#include "fleet_report.h"
#include "keeper.h"
#include "memory.h"
#include "messages.h"
#include "options.h"
#include "search.h"
#include "session.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { GIVEN_MAX = 64 << 10 }; /* bytes of a finding without a seed */

struct sharing {
    session *session;
    const tool_options *options;
    skipped_files skipped;
    bool said_rebuilt;
    store_names names;           /* of the start, or of the last listing */
    size_t next;                 /* index of the first name that was not taken */
    store_names tried;           /* they need not be opened: they were, or they are ours */
    char opened[STORE_NAME_MAX]; /* last */
    bool is_reduced;             /* a reduction of this build wrote that one */
    char limit[STORE_NAME_MAX];  /* not wanted, nor any name after it; "": all are wanted */
    /* With --sync only. */
    enum { SHARE_STARTS, SHARE_LOOKS, SHARE_ENDS } state;
    sync_schedule schedule;
    folder_watch watch;
};

static bool syncs(const sharing *h) { return h->options->sync_ns > 0; }

/* ---- When to look ---- */

static int64_t span_ns(const sync_schedule *s) { return s->interval_ns * s->factor; }

void sync_schedule_looked(sync_schedule *s, int64_t now_ns, bool has_news, uint32_t chance) {
    s->factor = has_news ? 1 : s->factor < SYNC_BACKOFF_MAX ? 2 * s->factor : s->factor;
    const int64_t span = span_ns(s);
    const double part = (double)chance / UINT32_MAX;
    s->next_ns = clock_after(now_ns, span - span / 4 + (int64_t)((double)(span / 2) * part));
}

int64_t sync_schedule_within_ns(const sync_schedule *s) { return span_ns(s) + span_ns(s) / 4; }

bool folder_watch_look(folder_watch *w, const file_stamp *stamp, int64_t now_ns) {
    if (!w->has_seen || !file_stamp_equal(&w->stamp, stamp)) {
        *w = (folder_watch){.has_seen = true, .stamp = *stamp, .since_ns = now_ns};
    } else if (w->settled_ns >= FOLDER_WATCH_SETTLE_MS * CLOCK_NS_PER_MS) {
        return false;
    }
    w->settled_ns = now_ns - w->since_ns;
    return true;
}

/* ---- One finding ---- */

static bool has_only_bytes(const finding *f) { return f->bytes != NULL && f->from.size == 0; }

/* Return a finding as a known failure of its input, or of the seed that was reduced. Its signature
 * and reruns hold only for what it has, and for the build that they are of. */
static failure known_of(const finding *f, seed_input input, bool is_same_program) {
    failure known = {.input = input};
    if (!is_same_program || f->from.size > 0) return known;
    known.signature = f->of.signature;
    known.alike = (rerun_count){f->of.reruns, f->of.repeated};
    memcpy(known.site, f->of.site, sizeof known.site);
    known.is_site_known = known.site[0] != '\0';
    return known;
}

static void skip_large(sharing *h, const char *name) {
    char why[64];
    snprintf(why, sizeof why, "larger than --size-max %" PRIu64, h->options->size_max);
    skipped_files_add(&h->skipped, name, why);
}

/* Make a finding a known failure. False if it is not for this search; prints the reason, but counts
 * all after the first few. */
static bool take_finding(sharing *h, const char *name, const finding *f, failure *known) {
    const char *digest = h->session->target.digest;
    const run_target *ours = &h->session->target.subject;
    seed_input input = f->bytes == NULL || has_only_bytes(f) ? f->of.input : f->from;
    const bool is_large = input.size > h->options->size_max;
    const char *why = NULL;
    if (!finding_has_subject(f, ours->sut, ours->args)) {
        if (!h->options->quiet) /* it is usual where many programs share a folder */
            skipped_files_add(&h->skipped, name, "it is of another program or arguments");
        return false;
    }
    if (has_only_bytes(f) && !is_large &&
        (input.size > GIVEN_MAX || !seed_input_keep(f->bytes, input.size, &input)))
        why = "it has no seed; frng-reduce takes its bytes";
    if (why != NULL) skipped_files_add(&h->skipped, name, why);
    if (why == NULL && is_large) skip_large(h, name);
    if (why != NULL || is_large) return false;
    const bool has_digests = digest != NULL && f->sut_digest != NULL;
    const bool is_same = has_digests && strcmp(digest, f->sut_digest) == 0;
    if (has_digests && !is_same && !h->said_rebuilt) {
        h->said_rebuilt = true;
        message("%s: the program has been rebuilt since; its findings are run again",
                h->options->findings);
    }
    *known = known_of(f, input, is_same);
    h->is_reduced = f->of.form == FORM_REDUCED && is_same;
    return true;
}

/* Open the next finding. False if it is not for this search. */
static bool open_next(sharing *h, failure *known) {
    const char *name = h->names.list[h->next++], *why;
    finding f;
    const bool is_read = store_read(h->options->findings, name, &f, &why);
    strcpy(h->opened, name);
    h->is_reduced = false;
    if (!is_read && why == NULL) return false; /* its owner has removed it */
    if (!is_read) skipped_files_add(&h->skipped, name, why);
    const bool ok = is_read && take_finding(h, name, &f, known);
    if (is_read) finding_free(&f);
    store_names_add(&h->tried, name);
    return ok;
}

/* ---- What is wanted ---- */

static void name_input(seed_input t, char name[STORE_NAME_MAX]) {
    store_name(&(finding){.of.input = t, .bytes = seed_input_bytes(&t)}, name);
}

/* Raise the limit to the first name that cannot be that of a smaller input. */
static void raise_limit(sharing *h, seed_input t) {
    char name[STORE_NAME_MAX];
    name_input(t, name);
    if (strcmp(name, h->limit) > 0) strcpy(h->limit, name);
}

/* Without a best any finding will do, and with --all each may have a signature of its own. */
static void set_limit(sharing *h, const failure *best, const failure_table *mine) {
    h->limit[0] = '\0';
    if (best == NULL || h->options->all) return;
    raise_limit(h, best->input);
    for (size_t i = 0; syncs(h) && i < mine->count; i++) {
        if (mine->rows[i].is_best) raise_limit(h, mine->rows[i].failure.input);
    }
}

/* Go to the next name that is wanted. False if there is none. */
static bool find_name(sharing *h) {
    for (; h->next < h->names.count; h->next++) {
        const char *name = h->names.list[h->next];
        if (store_name_size(name) > h->options->size_max) return false;
        if (h->limit[0] != '\0' && strcmp(name, h->limit) >= 0) return false;
        if (!store_names_has(&h->tried, name)) return true;
    }
    return false;
}

/* ---- Looking at the folder ---- */

/* List the folder. True if there is something new that is wanted. */
static bool list(sharing *h) {
    store_names_free(&h->names);
    h->next = 0;
    if (store_list(h->options->findings, &h->names) != 0) h->watch.has_seen = false;
    return find_name(h);
}

static void look_for_news(sharing *h, int64_t now_ns) {
    session *s = h->session;
    file_stamp seen;
    const bool is_there = store_look(h->options->findings, &seen) == 0;
    if (h->state == SHARE_STARTS) h->state = SHARE_LOOKS; /* from now on listings say what is new */
    const bool has_news = is_there && folder_watch_look(&h->watch, &seen, now_ns) && list(h);
    session_retry(s, is_there ? &seen : NULL);
    sync_schedule_looked(&h->schedule, now_ns, has_news, randombytes_random());
    fleet_report_sign(s->report, sync_schedule_within_ns(&h->schedule));
}

void share_adopt(sharing *h, const failure *of) {
    const char *why;
    finding f;
    if (!h->is_reduced || !store_read(h->options->findings, h->opened, &f, &why)) return;
    if (f.from.seed == of->input.seed && f.from.style == of->input.style &&
        failure_is_same(&f.of, of))
        keeper_adopt(h->session->keeper, &f);
    finding_free(&f);
}

run_doubt share_doubt(sharing *h) {
    const char *why;
    finding f;
    run_doubt doubt = DOUBT_NONE;
    if (!store_read(h->options->findings, h->opened, &f, &why)) return doubt;
    const bool is_judged = f.of.input.size <= REDUCE_FAILURE_SIZE_MAX;
    uint8_t *expanded = is_judged && f.bytes == NULL ? memory_new(f.of.input.size + 1) : NULL;
    const uint8_t *bytes = f.bytes != NULL ? f.bytes : expanded;
    if (expanded != NULL) seed_input_expand(&f.of.input, expanded);
    if (bytes != NULL && is_judged)
        doubt = reduce_failure_doubt(h->session, client_bytes(bytes, f.of.input.size), f.of.draws);
    if (doubt == DOUBT_UNREAD && f.of.draws.is_untold) doubt = DOUBT_NONE; /* no target of frng.h */
    free(expanded);
    finding_free(&f);
    return doubt;
}

void share_take(sharing *h, const event *e) {
    const bool has_failed = e->kind == EVENT_BEST || e->kind == EVENT_OTHER;
    char name[STORE_NAME_MAX];
    if (!syncs(h)) return;
    if (has_failed) name_input(e->failure->input, name);
    if (has_failed) store_names_add(&h->tried, name); /* it need not be opened */
    const int64_t now_ns = clock_now_ns();
    if (h->state != SHARE_ENDS && now_ns >= h->schedule.next_ns) look_for_news(h, now_ns);
}

/* ---- The engine's side ---- */

static bool next(void *context, const failure *best, failure_table *mine, failure *to) {
    sharing *h = context;
    const int64_t now_ns = clock_now_ns();
    set_limit(h, best, mine);
    if (syncs(h) && h->state != SHARE_ENDS && now_ns >= h->session->now->deadline_ns) {
        look_for_news(h, now_ns); /* so that all searches end with the same best */
        h->state = SHARE_ENDS;
    }
    const bool is_start = h->state == SHARE_STARTS;
    while (!regular_should_stop(is_start ? h->session->now->deadline_ns : CLOCK_NEVER) &&
           find_name(h)) {
        if (open_next(h, to)) return true;
    }
    if (is_start) skipped_files_end(&h->skipped);
    return false;
}

search_source share_source(sharing *h) { return (search_source){next, h}; }

sharing *share_open(session *s, const tool_options *o) {
    static sharing h; /* large, and there is one search */
    const char *folder = o->findings;
    h = (sharing){.session = s, .options = o, .skipped.folder = folder};
    h.schedule.interval_ns = o->sync_ns < SYNC_MAX_NS ? o->sync_ns : SYNC_MAX_NS;
    sync_schedule_looked(&h.schedule, clock_now_ns(), true, randombytes_random());
    const int error = folder != NULL ? store_list(folder, &h.names) : 0;
    if (error != 0) {
        message_error(error, "%s: cannot be opened", folder);
        share_close(&h);
        return NULL;
    }
    for (size_t i = 0; i < h.names.count; i++) {
        if (store_name_size(h.names.list[i]) > o->size_max) skip_large(&h, h.names.list[i]);
    }
    skipped_files_end(&h.skipped);
    return &h;
}

void share_close(sharing *h) {
    if (h == NULL) return;
    skipped_files_end(&h->skipped);
    store_names_free(&h->names);
    store_names_free(&h->tried);
}
