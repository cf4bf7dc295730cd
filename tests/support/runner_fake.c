#include "runner_fake.h"

#include <errno.h>
#include <stdlib.h>

typedef struct runner_fake {
    runner base;
    const runner_fake_config *config;
} runner_fake;

static outcome judge(const runner_fake_config *config, const batch *runs, uint32_t i,
                     bool capture) {
    candidate_set *given = runs->candidates;
    if (given == NULL) {
        return config->judge(config->context, batch_input(runs, i));
    }
    const uint32_t index = (uint32_t)runs->first_seed + i;
    given->passes[index] = CANDIDATE_PASS_UNKNOWN;
    given->reported = given->record_count = 0;
    return config->judge_given(config->context, given, index, capture);
}

static void runner_fake_run(runner *r, const batch *runs, run_purpose purpose, run_result *result) {
    const runner_fake_config *config = ((runner_fake *)r)->config;
    *result = (run_result){.last = outcome_of_status(0)};
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS) {
        result->last = judge(config, runs, result->ran, runner_is_shown(purpose));
        result->is_site_known = runs->candidates == NULL && runner_is_shown(purpose);
        result->ran++;
    }
}

static void runner_fake_destroy(runner *r) { free(r); }

runner *runner_fake_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {runner_fake_run, runner_fake_destroy};
    runner_fake *r = malloc(sizeof *r);
    (void)watch;
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    *r = (runner_fake){{&ops}, config};
    return &r->base;
}
