/* What a process that stayed says of a candidate is believed only as far as it was checked.
 *
 * It keeps copies of the last pass and of the failure after it, which the process makes again in
 * front of other candidates: once in their message, or before each of them where their failures do
 * not end it. What fails there may be put off, and is then judged by what a new process says. */
#include "warm.h"

#include "memory.h"

#include <string.h>

enum { AHEAD_BYTES_MAX = 3 * WARM_BYTES_MAX };

void warm_begin(const warm_state *w, part *p, bool may_stay, bool stays) {
    if (w->is_put_off) {
        p->batch.count = 1;
        p->flags &= ~(uint64_t)FRNG_DIGEST;
        if (w->starts && may_stay && !w->is_off) p->flags |= FRNG_STAY;
        return;
    }
    const candidate_set *set = p->batch.candidates;
    if (!may_stay || w->is_off || set->ends[set->count - 1] > WARM_BYTES_MAX) return;
    p->flags |= FRNG_STAY;
    if (!w->is_next || !stays) return;
    p->batch.count = 1;
    p->flags |= FRNG_DIGEST;
}

/* Test case 0 of the known ones fills the room before the middle, 1 is the pass that ends there,
 * and 2 the failure that begins there. */
static void keep_known(warm_state *w, const candidate_set *from, uint64_t i, bool failed) {
    const uint64_t size = candidate_set_size(from, (uint32_t)i);
    const uint64_t to = failed ? WARM_BYTES_MAX : WARM_BYTES_MAX - size;
    if (size > 0) memcpy(w->known.bytes + to, candidate_set_bytes(from, (uint32_t)i), size);
    w->known.ends[failed ? 2 : 0] = failed ? to + size : to;
}

/* Keep what a part has shown. A pass of a set that is run in another way is dropped. */
static void keep_ends(warm_state *w, const part *p, const char *site) {
    const candidate_set *set = p->batch.candidates;
    const uint64_t at = p->batch.first_seed + p->done.count;
    const bool failed = part_has_failed(p);
    candidate_set *k = &w->known;
    const bool is_alike = k->form == set->form && k->chosen_max == set->chosen_max;
    if (failed && !is_alike) w->has_pass = false;
    uint64_t passed = at;
    while (passed > p->batch.first_seed && set->passes[passed - 1].is_counted) passed--;
    if (passed > p->batch.first_seed && (failed || is_alike)) {
        keep_known(w, set, passed - 1, false);
        w->has_pass = true;
    }
    if (!failed) return;
    keep_known(w, set, at, true);
    k->ends[1] = WARM_BYTES_MAX;
    k->count = 3;
    k->form = set->form;
    k->chosen_max = set->chosen_max;
    w->failed_size = set->chosen_size;
    w->failed = p->ended;
    memcpy(w->failed_site, site, sizeof w->failed_site);
}

void warm_keep(warm_state *w, const part *p, const char *site) {
    const bool failed = part_has_failed(p), goes_on = (p->done.flags & FRNG_WENT_ON) != 0;
    if ((p->flags & FRNG_STAY) == 0 || w->is_off || p->end != PART_DONE) return;
    if (failed ? !goes_on : w->failed.verdict == VERDICT_PASS) return;
    if (w->known.bytes == NULL) w->known.bytes = memory_new(2 * (size_t)WARM_BYTES_MAX);
    keep_ends(w, p, site);
    w->is_due = failed || p->is_warm;
}

batch warm_known(warm_state *w) {
    return (batch){
        .first_seed = w->has_pass ? 1 : 2, .count = w->has_pass ? 2 : 1, .candidates = &w->known};
}

/* True if a failure that did not end its process is compared. */
static bool is_compared(const warm_state *w, uint64_t number, bool is_told) {
    enum { COMPARED_SHARE = 100, TOLD_SHARE = 16, TOLD_SHARE_OF_STARTS = 32 }; /* 1 / N */
    const uint64_t far = UINT64_C(0x1041041041041041);
    const bool is_power = (number & (number - 1)) == 0 && (!w->starts || (number & far) != 0);
    const uint64_t told = w->starts ? TOLD_SHARE_OF_STARTS : TOLD_SHARE;
    return is_power || number % (is_told ? told : COMPARED_SHARE) == 0;
}

/* Append `count` test cases of a set from number `first` on. */
static void append_cases(candidate_set *to, const candidate_set *from, uint64_t first,
                         uint32_t count) {
    const uint64_t start = candidate_set_start(from, (uint32_t)first);
    const uint64_t before = to->count > 0 ? to->ends[to->count - 1] : 0;
    memcpy(to->bytes + before, from->bytes + start, from->ends[first + count - 1] - start);
    for (uint64_t i = first; i < first + count; i++)
        to->ends[to->count++] = before + from->ends[i] - start;
}

/* True if the known runs make the same choices in the room of this set. A pass may draw more where
 * there is more room: then it is dropped. One that has less room still passes. */
static bool fits(warm_state *w, const candidate_set *set) {
    if (w->known.form != set->form) return false;
    if (w->known.chosen_max == set->chosen_max) return true;
    if (set->form != CANDIDATE_CHOICES || w->failed_size > set->chosen_max) return false;
    w->has_pass &= set->chosen_max < w->known.chosen_max;
    return true;
}

bool warm_leaves_room(warm_state *w, const part *p) {
    const bool had_other = w->known.chosen_max != p->batch.candidates->chosen_max;
    if (had_other) w->failed_size = UINT64_MAX;
    return had_other;
}

/* Return how many failures like the known one follow before one that is compared. */
static uint32_t count_uncompared(const warm_state *w, const part *p) {
    const candidate_set *set = p->batch.candidates;
    const known_failure *meant = &set->meant;
    uint32_t count = 0;
    if (!set->goes_on || (p->flags & FRNG_DIGEST) != 0 ||
        !signature_equal(outcome_signature(&w->failed), meant->signature) ||
        strcmp(w->failed_site, meant->site) != 0)
        return 0;
    while (count < set->count && (w->is_trusted || !is_compared(w, w->failures + count + 1, true)))
        count++;
    return count;
}

bool warm_put_ahead(warm_state *w, part *p, uint64_t room) {
    const candidate_set *set = p->batch.candidates;
    if (w->counts_none || !fits(w, set)) return false;
    const uint32_t uncompared = count_uncompared(w, p);
    const batch known = warm_known(w);
    batch own = p->batch;
    p->goes_on = uncompared > 0;
    if (p->goes_on) own.count = (uint32_t)smaller(own.count, uncompared + UINT64_C(1));
    const uint64_t start = candidate_set_start(&w->known, (uint32_t)known.first_seed);
    const uint32_t times = p->goes_on ? own.count : 1;
    const uint64_t bytes = times * (w->known.ends[2] - start) + set->ends[set->count - 1];
    if (own.count + times * known.count > CANDIDATE_SET_COUNT_MAX || bytes > room ||
        bytes > AHEAD_BYTES_MAX)
        return false;
    if (w->ahead.bytes == NULL) w->ahead.bytes = memory_new(AHEAD_BYTES_MAX);
    w->ahead.count = 0;
    for (uint32_t i = 0; i < times; i++) {
        append_cases(&w->ahead, &w->known, known.first_seed, known.count);
        append_cases(&w->ahead, set, own.first_seed + i, p->goes_on ? 1 : own.count);
    }
    w->ahead.form = set->form;
    w->ahead.chosen_max = set->chosen_max;
    w->met.count = 1;
    w->met.list[0] = (known_failure){.signature = outcome_signature(&w->failed)};
    memcpy(w->met.list[0].site, w->failed_site, sizeof w->failed_site);
    w->counted.failures = &w->met;
    /* The next failure beyond these ends the message. */
    w->counted.count = FRNG_KNOWN_RUNS - (1 + 2 * uncompared);
    p->own = own;
    p->ahead = known.count;
    p->batch.first_seed = 0;
    p->batch.count = w->ahead.count;
    p->batch.candidates = &w->ahead;
    p->batch.known = &w->counted;
    p->flags |= FRNG_COUNT_KNOWN;
    return true;
}

bool warm_is_known(const warm_state *w, const outcome *end, uint64_t passed, const char *site) {
    return passed == w->has_pass && outcome_failed_alike(end, &w->failed) &&
           strcmp(site, w->failed_site) == 0;
}

bool warm_puts_off(warm_state *w, const part *p) {
    const bool goes_on = (p->done.flags & FRNG_WENT_ON) != 0;
    const bool is_fresh = w->starts && !p->is_warm; /* it counts, and a warm one is like it */
    const bool is_next = w->is_next && p->is_warm && !(w->starts && goes_on);
    if ((p->flags & FRNG_STAY) == 0 || p->end != PART_DONE || part_is_lost(p)) return false;
    if (is_next) w->is_next = false;
    if (!outcome_failed(&p->ended) || (is_fresh && w->failures > 0)) return false;
    const bool is_due =
        goes_on && !w->is_trusted && is_compared(w, ++w->failures, p->batch.candidates->is_told);
    w->is_next |= is_due;
    return !is_fresh && (is_due || (p->is_warm && (is_next || !goes_on)));
}

void warm_put_off(warm_state *w, part *p, const char *site) {
    w->is_put_off = p->done.count < p->batch.count;
    w->is_off |= !w->is_put_off; /* no run has failed, but the process that stayed */
    w->seen = p->ended;
    memcpy(w->site, site, sizeof w->site);
    p->done.status = p->done.flags = 0;
    p->ended = outcome_of_status(0);
}

bool warm_is_same(const warm_state *w, const part *p, const char *site) {
    return p->end == PART_DONE && !part_is_lost(p) && outcome_failed_alike(&p->ended, &w->seen) &&
           strcmp(site, w->site) == 0;
}
