/* What becomes of a failure.
 *
 * Those like it say whether it is ignored, unwanted, answered, as flaky as one of them, or news.
 * standing_deeds says what is done then. */
#include "search_state.h"

#include <string.h>

const standing_deeds_of standing_deeds[] = {
    [NEWS] = {PURSUE, PURSUE}, [IGNORED] = {COUNT, COUNT},  [UNWANTED] = {TELL, TELL},
    [ANSWERED] = {MASK, TELL}, [LIKE_FLAKY] = {MASK, TELL},
};

bool standing_is_answered(const search *s, const failure *f) {
    const failure_row *like = failure_table_answer(s->found, f);
    if (like != NULL) return f->input.size >= like->failure.input.size;
    return s->found->answers == DISTINCT_FAILURES_MAX;
}

/* True if a round goes down from another failure, and all failures like f were flaky, one of them
 * with no more bytes: reruns of f would find it flaky, too. While a round grows, f is rerun all the
 * same, since a larger input may fail each time. */
static bool is_like_flaky(const search *s, const failure *f) {
    bool is_flaky = false;
    if (s->config->goal == SEARCH_SMALLEST || failure_table_best(s->found) == NULL) return false;
    for (size_t i = 0; i < s->found->count; i++) {
        const failure_row *e = &s->found->rows[i];
        if (!failure_is_same(&e->failure, f)) continue;
        if (e->state <= FAILURE_ANSWERED) return false;
        is_flaky |= e->state == FAILURE_FLAKY && f->input.size >= e->failure.input.size;
    }
    return is_flaky;
}

standing standing_of(const search *s, const failure *f) {
    const signature_filter *of = s->config->filter;
    const signature_match m = signature_filter_match(of, f->signature, f->site, f->is_site_known);
    if (signature_filter_ignores(of, f->signature, f->site)) return IGNORED;
    if (m == SIGNATURE_DIFFERS) return UNWANTED; /* else it counts, or may */
    return standing_is_answered(s, f) ? ANSWERED : is_like_flaky(s, f) ? LIKE_FLAKY : NEWS;
}

/* What depends on its site, which is unknown or an address, is news; but a hung run prints nothing,
 * and a rerun of it takes its whole time limit. */
standing standing_of_run(const search *s, const failure *f, uint64_t drawn) {
    failure needed = *f;
    if (drawn < f->input.size) needed.input.size = drawn;
    const standing seen = standing_of(s, &needed);
    bool is_known = is_like_flaky(s, &needed), may_be_known = is_known;
    for (size_t i = 0; i < s->found->count; i++) {
        const failure_row *e = &s->found->rows[i];
        is_known |= e->answer > 0 && failure_is_same(&e->failure, f);
        may_be_known |= e->answer > 0 && failure_is_alike(&e->failure, f);
    }
    const bool is_hang = f->signature.kind == SIGNATURE_TIMEOUT;
    const bool is_sure = !may_be_known || (is_known && (f->is_site_known || is_hang));
    return standing_deeds[seen].failed == MASK && !is_sure ? NEWS : seen;
}

failure standing_failure(const batch *b, const known_runs *all, const known_run *run) {
    const known_failure *k = &all->failures->list[run->failure];
    failure f = {.input = batch_input(b, run->run), .signature = k->signature};
    f.is_site_known = k->site[0] != '\0';
    memcpy(f.site, k->site, sizeof f.site);
    return f;
}

/* Of each failure the run that drew least decides. */
bool standing_are_masked(const search *s, const batch *b, const known_runs *all) {
    const known_run *least[FRNG_KNOWN_MAX] = {NULL};
    for (uint32_t i = 0; i < all->count; i++) {
        const known_run *run = &all->list[i], **at = &least[run->failure];
        if (*at == NULL || run->drawn < (*at)->drawn) *at = run;
    }
    for (size_t i = 0; i < FRNG_KNOWN_MAX; i++) {
        if (least[i] == NULL) continue;
        const failure f = standing_failure(b, all, least[i]);
        const deed due = standing_deeds[standing_of_run(s, &f, least[i]->drawn)].failed;
        if (due != COUNT && due != MASK) return false;
    }
    return true;
}
