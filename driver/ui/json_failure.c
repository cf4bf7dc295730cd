#include "json_failure.h"

#include "failure.h"
#include "ignored.h"
#include "json_event.h"
#include "rate.h"
#include "signature_filter.h"
#include "site.h"
#include "subject.h"

#include <stdlib.h>

enum { DECIMALS = 4 }; /* of bounds and shares, rounded outward */

/* ---- One failure ---- */

void json_failure_put_input(json_t *line, const found_input *c, bool has_bytes) {
    const char *name = has_bytes ? "hex" : "seed";
    json_set_null(line, "size");
    json_set_null(line, name);
    if (c->failure == NULL) return;
    const uint64_t size = c->failure->input.size;
    json_set_integer(line, "size", size);
    if (!has_bytes) {
        json_set_seed(line, name, &c->failure->input);
    } else if (size <= JSON_EVENT_HEX_MAX) {
        json_set_hex(line, name, c->bytes, size, JSON_EVENT_HEX_MAX);
    }
}

void json_failure_put_flaky(json_t *line, const failure *f) {
    char text[32];
    if (f == NULL || failure_evidence(f).reruns == 0) {
        json_set_null(line, "flaky");
    } else if (failure_is_of_flaky(f)) {
        snprintf(text, sizeof text, "%u/%u", f->repeated, f->reruns);
        json_set_word(line, "flaky", text);
    } else {
        json_object_set_new(line, "flaky", json_false());
    }
}

void json_failure_put_signature(json_t *line, const failure *f) {
    json_set_word(line, "identity",
                  f != NULL ? signature_format(f->signature, SIGNATURE_TEXT) : NULL);
    json_set_text(line, "site", f != NULL && f->site[0] != '\0' ? f->site : NULL);
    json_set_text(line, "signature",
                  f != NULL ? site_format(f->signature, f->site, SITE_TEXT) : NULL);
}

void json_failure_put(json_t *line, const failure *f) {
    json_failure_put_signature(line, f);
    json_failure_put_flaky(line, f);
    if (f != NULL) json_set_output(line, "output", f->output);
}

void json_failure_put_evidence(json_t *line, const failure *f) {
    json_set_null(line, "evidence");
    if (f == NULL || failure_evidence(f).reruns == 0) return;
    json_t *evidence = json_object();
    json_set_integer(evidence, "reruns", failure_evidence(f).reruns);
    json_set_integer(evidence, "repeated", failure_evidence(f).repeated);
    json_object_set_new(line, "evidence", evidence);
}

void json_failure_put_rate_of(json_t *line, uint64_t failed, uint64_t runs) {
    json_set_null(line, "rate");
    if (runs == 0) return;
    const rate_interval often = rate_of(failed, runs);
    json_t *rate = json_object();
    json_set_integer(rate, "reruns", runs);
    json_set_integer(rate, "repeated", failed);
    json_set_real(rate, "low", rate_round_down(often.low, DECIMALS));
    json_set_real(rate, "high", rate_round_up(often.high, DECIMALS));
    json_object_set_new(line, "rate", rate);
}

void json_failure_put_rate(json_t *line, const failure *f) {
    const rerun_count none = {0, 0}, seen = f != NULL ? failure_evidence(f) : none;
    json_failure_put_rate_of(line, seen.repeated, seen.reruns);
}

void json_failure_put_replay(json_t *line, const run_setup *setup, const found_input *c) {
    char *command = NULL;
    if (c->failure != NULL) {
        command = setup->task == TASK_REDUCE_FILE
                      ? subject_check_line(setup->subject, setup->output, setup->name)
                      : subject_replay_line_found(setup->subject, c);
    }
    json_set_text(line, "replay", command);
    free(command);
}

/* ---- Several failures ---- */

static json_t *item_of(const run_setup *setup, const found_input *c, bool has_bytes) {
    json_t *item = json_object();
    json_failure_put_input(item, c, has_bytes);
    json_failure_put(item, c->failure);
    json_failure_put_rate(item, c->failure);
    json_failure_put_replay(item, setup, c);
    return item;
}

void json_failure_put_also(json_t *line, const summary *s, bool has_bytes) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->other_count; i++)
        json_array_append_new(array, item_of(s->setup, &s->others[i], has_bytes));
    json_object_set_new(line, "also", array);
}

/* Return the bound, rounded up to three significant digits or to DECIMALS: a night of passes bounds
 * a share of some millionths. */
static double bound_of(const run_claim *c) {
    enum { BOUND_DECIMALS_MAX = 15 };
    int decimals = DECIMALS;
    if (c->bound <= 0) return 0;
    for (double unit = 0.01; c->bound < unit && decimals < BOUND_DECIMALS_MAX; unit /= 10)
        decimals++;
    return rate_round_up(c->bound, decimals);
}

/* Put the claim on smaller failures; null if there is none. */
static void put_smaller(json_t *line, const run_claim *c) {
    json_set_null(line, "smaller");
    if (c->passed == 0) return;
    json_t *smaller = json_object();
    json_set_integer(smaller, "size", c->below);
    json_set_integer(smaller, "runs", c->passed);
    json_set_real(smaller, "bound", bound_of(c));
    json_object_set_new(line, "smaller", smaller);
}

/* Put `below`, `passed`, `bound` and `confidence`. */
static void put_bound(json_t *line, const run_claim *c, bool has_failed) {
    enum { PERCENT = 95 };
    const bool is_claim = has_failed && c->passed > 0;
    json_set_known(line, "below", is_claim ? c->below : UINT64_MAX, UINT64_MAX);
    json_set_known(line, "passed", is_claim ? c->passed : UINT64_MAX, UINT64_MAX);
    json_set_null(line, "bound");
    if (is_claim && c->bound < 1) json_set_real(line, "bound", bound_of(c));
    json_set_real(line, "confidence", PERCENT / 100.0);
}

void json_failure_put_each(json_t *line, const summary *s) {
    if (!s->setup->finds_each) return;
    json_t *array = json_array();
    for (size_t i = 0; i < s->each_count; i++) {
        json_t *item = item_of(s->setup, &s->each[i].input, false);
        put_smaller(item, &s->each[i].claim);
        put_bound(item, &s->each[i].claim, true);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, "failures", array);
}

void json_failure_put_ignored(json_t *line, const summary *s) {
    const signature_filter *filter = s->setup->filter;
    const ignored *all = s->ignored_by_signature;
    if (filter == NULL || filter->ignored.count == 0 || all == NULL) return;
    json_t *array = json_array();
    for (size_t i = 0; i < all->count; i++) {
        json_t *item = json_object();
        const ignored_row *row = &all->list[i];
        json_set_text(item, "signature", site_format(row->signature, row->site, SITE_TEXT));
        json_set_integer(item, "runs", row->runs);
        json_array_append_new(array, item);
    }
    json_object_set_new(line, "ignored", array);
}

/* ---- Claims ---- */

void json_failure_put_claim(json_t *line, const run_claim *c, bool has_failed) {
    put_bound(line, c, has_failed);
    json_set_null(line, "tested");
    if (has_failed || c->sizes == 0) return;
    json_t *tested = json_object();
    json_set_integer(tested, "runs", c->rounds);
    json_set_integer(tested, "sizes", c->sizes);
    json_set_integer(tested, "largest", c->largest);
    json_object_set_new(line, "tested", tested);
}
