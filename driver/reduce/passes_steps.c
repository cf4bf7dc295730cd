/* passes_steps.c: passes that delete or change whole steps (frng_step).
 *
 * The last ones take a step as a record, as a fault of a simulated world is: a stretch of time in
 * which nothing happens, what happens then, to whom, and for how long. A record that goes leaves
 * its stretch to the next one, so that all that follows stays where it was in time. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

static bool draw_begins_step(const testcase *t, size_t at) { return t->draws[at].begins_step; }

/* Return the draw that begins the step `steps` steps after draw `at`, or t->count. */
static size_t draw_of_step_after(const testcase *t, size_t at, uint64_t steps) {
    while (steps > 0 && ++at < t->count) steps -= draw_begins_step(t, at);
    return at;
}

/* ---- Delete whole steps (frng_step), whatever they draw. The draws that chose a step, such as a
 * coin and an index, come before its mark ---- */

enum { LEADS = 4 };

/* way: the number of draws that chose each step, which differs from target to target. */
static uint64_t steps_limit(const testcase *t, const position *p) {
    enum { LOOK_MAX = 1024 };
    uint64_t steps = 0;
    if (p->way > p->at) return 0;
    for (size_t i = p->at + 1; i < t->count && steps < LOOK_MAX; i++)
        steps += draw_begins_step(t, i);
    return steps;
}

static bool steps_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = draw_of_step_after(t, p->at, p->by);
    return end > p->at && patch_delete(edits, p->at - p->way, end - p->at);
}

PASS(steps, "steps", CHEAP, MOST, position_next_nearby, steps_limit, steps_edit,
     .nearby = {0, 0, LEADS, draw_begins_step, NULL})

/* ---- Records ---- */

enum { LEADS_MAX = 3 };

/* True for an amount of something, whose rank is how much there is. */
static bool is_extent(const draw *d) {
    const bool counts = d->kind == FRNG_UINT || d->kind == FRNG_MIXED_UINT || d->kind == FRNG_BYTES;
    return counts && draw_rank_max(d) >= SELECTOR_VALUES;
}

/* True if the draws `back` before the first marks mean the same. */
static bool leads_alike(const testcase *t, size_t first, size_t back) {
    enum { LOOK_MAX = 16 };
    if (first < back) return false;
    size_t i = draw_of_step_after(t, first, 1);
    for (size_t looks = 0; i < t->count && looks < LOOK_MAX;
         looks++, i = draw_of_step_after(t, i, 1)) {
        if (!same_note(&t->draws[i - back], &t->draws[first - back])) return false;
    }
    return true;
}

/* Return how many draws of each record come before its mark: those that chose the step. */
static size_t lead_of(const testcase *t) {
    size_t first = 0, lead = 0;
    while (first < t->count && !draw_begins_step(t, first)) first++;
    while (lead < LEADS_MAX && leads_alike(t, first, lead + 1)) lead++;
    return lead < LEADS_MAX ? lead : 0; /* all draws are alike: a guess */
}

/* The draws first..end - 1 of the step whose mark is `mark`. */
typedef struct record {
    size_t mark, first, end;
} record;

/* Return the end of the last record: at the next draw that means what its first does, if it is at
 * least as long as the one before. */
static size_t last_end(const testcase *t, size_t first, size_t mark) {
    size_t before = mark;
    while (before > 0 && !draw_begins_step(t, --before)) {
    }
    const size_t length = draw_begins_step(t, before) && before < mark ? mark - before : 1;
    size_t end = first + length > mark ? first + length : mark + 1;
    if (end > t->count) return t->count;
    while (end < t->count && !same_note(&t->draws[first], &t->draws[end])) end++;
    return end;
}

/* Return the record of the step at a mark. */
static record record_at(const testcase *t, size_t lead, size_t mark) {
    record r = {mark, mark - lead, draw_of_step_after(t, mark, 1)};
    r.end = r.end < t->count ? r.end - lead : last_end(t, r.first, mark);
    return r;
}

/* Return the first draw of a record that is a quantity and has a partner: a draw of its meaning at
 * its place behind the record. r->end: there is none. */
static size_t stretch_of(const testcase *t, const record *r) {
    for (size_t i = r->first; i < r->end && r->end + (i - r->first) < t->count; i++) {
        const draw *d = &t->draws[i], *partner = &t->draws[r->end + (i - r->first)];
        if (is_extent(d) && same_note(d, partner)) return i;
    }
    return r->end;
}

static uint64_t sum_within(const draw *d, uint64_t sum) { return smaller(sum, draw_rank_max(d)); }

/* ---- Delete a record, and change draws of others near it, which have notes (frng_note) to know
 * what they mean by. Time stays, or what follows comes earlier ---- */

enum {
    OPTIONS_MAX = 96,
    NEAR_BEFORE = 2, /* records */
    NEAR_BEHIND = 3,
    NAMED_BEHIND = 6,
    CHANGES_MAX = 3
};

/* A draw, and another value of it. */
typedef struct option {
    size_t at;
    uint64_t rank;
} option;

/* What may change when a record goes. */
typedef struct options {
    record gone;
    size_t partner; /* of its stretch, or t->count */
    uint64_t sum;   /* of both, for the partner: time stays */
    size_t count;
    option list[OPTIONS_MAX];
} options;

static void offer(const testcase *t, options *o, size_t at, uint64_t rank) {
    const draw *d = &t->draws[at];
    if (o->count == OPTIONS_MAX || rank == d->rank || d->note == 0) return;
    for (size_t i = 0; i < o->count; i++) {
        if (o->list[i].at == at && o->list[i].rank == rank) return;
    }
    o->list[o->count++] = (option){at, rank};
}

static void offer_selections(const testcase *t, options *o, size_t at) {
    for (uint64_t rank = 0; rank <= draw_rank_max(&t->draws[at]); rank++) offer(t, o, at, rank);
}

/* Offer all selections of a record, and lengths of what it begins: as long as can be, as both
 * together, until what went would have ended. `since`: the time from this record to the other. */
static void offer_record(const testcase *t, options *o, const record *r, uint64_t since) {
    const size_t stretch = stretch_of(t, r);
    for (size_t i = r->first; i < r->end; i++) {
        const draw *d = &t->draws[i];
        const size_t place = o->gone.first + (i - r->first);
        if (draw_is_selector(d)) offer_selections(t, o, i);
        if (!is_extent(d) || i == o->partner || i == stretch) continue;
        offer(t, o, i, draw_rank_max(d));
        if (place >= o->gone.end || !same_note(d, &t->draws[place])) continue;
        offer(t, o, i, sum_within(d, d->rank + t->draws[place].rank));
        offer(t, o, i, sum_within(d, since + t->draws[place].rank));
    }
}

/* Offer other names in a record: selections that are no kinds of things. */
static void offer_names(const testcase *t, options *o, const record *r) {
    for (size_t i = r->first; i < r->end; i++) {
        const draw *d = &t->draws[i];
        if (draw_is_selector(d) && d->kind != FRNG_WEIGHTED) offer_selections(t, o, i);
    }
}

static uint64_t rank_of_stretch(const testcase *t, const record *r) {
    const size_t stretch = stretch_of(t, r);
    return stretch < r->end ? t->draws[stretch].rank : 0;
}

/* Move to the record before one. False if there is none. */
static bool go_back(const testcase *t, size_t lead, record *r) {
    for (size_t i = r->mark; i-- > lead;) {
        if (!draw_begins_step(t, i)) continue;
        *r = record_at(t, lead, i);
        return true;
    }
    return false;
}

/* Move to the record behind one. False if there is none. */
static bool go_on(const testcase *t, size_t lead, record *r) {
    const size_t mark = r->end + lead;
    if (mark >= t->count || !draw_begins_step(t, mark)) return false;
    *r = record_at(t, lead, mark);
    return true;
}

static void find_options(const testcase *t, const position *p, options *o) {
    const size_t lead = lead_of(t);
    const bool is_names_only = p->pass->mode == CHANGES_MAX;
    const record gone = record_at(t, lead, p->at);
    const size_t stretch = stretch_of(t, &gone);
    *o = (options){.gone = gone, .partner = t->count};
    if (stretch < gone.end) {
        o->partner = gone.end + (stretch - gone.first);
        const draw *d = &t->draws[o->partner];
        o->sum = sum_within(d, d->rank + t->draws[stretch].rank);
    }
    record r = gone;
    for (size_t i = 0; i < NAMED_BEHIND && is_names_only && go_on(t, lead, &r); i++)
        offer_names(t, o, &r);
    for (size_t i = 0; i < NEAR_BEHIND && !is_names_only && go_on(t, lead, &r); i++)
        offer_record(t, o, &r, 0);
    uint64_t since = rank_of_stretch(t, &gone);
    r = gone;
    for (size_t i = 0; i < NEAR_BEFORE && !is_names_only && go_back(t, lead, &r); i++) {
        offer_record(t, o, &r, since);
        since += rank_of_stretch(t, &r);
    }
}

/* Return an option of a way, of which there are so many as the pass's mode says; the largest comes
 * first. A way is the number of the options, with OPTIONS_MAX values each digit, and whether what
 * follows comes earlier. */
static size_t option_of(const position *p, size_t number) {
    size_t left = p->way / 2;
    for (size_t i = number + 1; i < (size_t)p->pass->mode; i++) left /= OPTIONS_MAX;
    return number > 0 ? left % OPTIONS_MAX : left;
}

static bool change_fits(const testcase *t, const position *p, const options *o) {
    const bool is_earlier = p->way % 2 > 0;
    if (is_earlier && (o->partner == t->count || o->sum == t->draws[o->partner].rank)) return false;
    for (size_t i = 1; i < (size_t)p->pass->mode; i++) {
        const size_t own = option_of(p, i);
        for (size_t k = 0; k < i; k++) {
            const size_t other = option_of(p, k);
            if (own >= other || o->list[own].at == o->list[other].at) return false;
        }
    }
    return true;
}

static bool change_next(const testcase *t, position *p) {
    options o;
    if (t->step_count < 2) return false;
    position_leave(p, &p->way);
    for (; p->at < t->count; p->at++, p->way = 0) {
        if (!draw_begins_step(t, p->at)) continue;
        find_options(t, p, &o);
        for (; option_of(p, 0) < o.count; p->way++) {
            if (change_fits(t, p, &o)) return true;
        }
    }
    return false;
}

static bool change_edit(const testcase *t, const position *p, patch *edits) {
    options o;
    const bool is_earlier = p->way % 2 > 0;
    find_options(t, p, &o);
    if (!patch_delete(edits, o.gone.first, o.gone.end - o.gone.first)) return false;
    if (!is_earlier && o.partner < t->count && !patch_set(edits, o.partner, o.sum)) return false;
    for (size_t i = 0; i < (size_t)p->pass->mode; i++) {
        const option *one = &o.list[option_of(p, i)];
        if (!patch_set(edits, one->at, one->rank)) return false;
    }
    return true;
}

/* A pass for each number of changes. Those of three are names behind it: what is numbered by its
 * place in a list has another number when an entry before it goes, or stays. */
#define CHANGE(id, text, changes)                                                                  \
    PASS(id, text, LATE, ALL, change_next, NULL, change_edit, .idle_share = 4, .idle_min = 64,     \
         .mode = changes)
CHANGE(change_record, "change-record", 1)
CHANGE(change_records, "change-records", 2)
CHANGE(change_names, "change-names", CHANGES_MAX)
