#include "fake.h"

#include <errno.h>
#include <stdlib.h>

typedef struct fake_runner {
    runner base;
    const fake_config *config;
} fake_runner;

static outcome judge(const fake_config *config, const batch *runs, uint32_t i, bool capture) {
    candidate_set *given = runs->given;
    if (given == NULL) {
        return config->judge(config->context, (seed_input){runs->size, runs->first_seed + i});
    }
    const uint32_t index = (uint32_t)runs->first_seed + i;
    given->passes[index] = CANDIDATE_PASS_UNKNOWN;
    given->told = given->record_count = 0;
    return config->judge_given(config->context, given, index, capture);
}

static void fake_run(runner *r, const batch *runs, run_purpose purpose, run_result *result) {
    const fake_config *config = ((fake_runner *)r)->config;
    *result = (run_result){.last = outcome_of_status(0)};
    while (result->ran < runs->count && result->last.verdict == VERDICT_PASS) {
        result->last = judge(config, runs, result->ran, purpose != RUN_TRY);
        result->ran++;
    }
}

static void fake_destroy(runner *r) { free(r); }

runner *fake_create(const void *config, const runner_watch *watch, int *error_number) {
    static const runner_ops ops = {fake_run, fake_destroy};
    fake_runner *r = malloc(sizeof *r);
    (void)watch;
    *error_number = ENOMEM;
    if (r == NULL) return NULL;
    *r = (fake_runner){{&ops}, config};
    return &r->base;
}
