#include "headroom.h"

#include "client.h"
#include "messages.h"
#include "units.h"

#include <string.h>

/* Of a run that seems to fail for want of memory. */
enum { RERUNS = 3 };

/* Enough for the loader and the libraries of any program. */
#define MEMORY_AMPLE ((uint64_t)256 << 20)

/* Run it on empty input. False when nobody knows how that ends. */
static bool run_empty(containment c, const run_config *config, uint64_t memory_max,
                      int interrupt_fd, int64_t deadline_ns, run_result *result) {
    run_config limited = *config;
    limited.memory_max = memory_max;
    limited.size_max = 0;
    const pool_config one = {.jobs = 1,
                             .create = runner_spawn_create,
                             .config = &limited,
                             .containment = c,
                             .interrupt_fd = interrupt_fd};
    const client_input empty = client_seed((seed_input){0});
    const run_end end = client_run_once(&one, &empty, RUN_SHOW, deadline_ns, result);
    return end == END_DONE || end == END_ENVIRONMENT;
}

/* Of one whose symbols were stripped, this is what is left to tell: a sanitizer says so itself. */
static bool blames_limit(const bytes_tail *output) {
    static const char *const words[] = {"Sanitizer failed to allocate 0x",
                                        "Sanitizer: CHECK failed: sanitizer_allocator"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (memmem(output->bytes, output->size, words[i], strlen(words[i])) != NULL) return true;
    }
    return false;
}

/* Whether both failed, in one way. */
static bool ends_alike(const outcome *a, const outcome *b) {
    if (a->verdict == VERDICT_ERROR || b->verdict == VERDICT_ERROR) {
        return a->verdict == b->verdict && a->fault == b->fault;
    }
    return outcome_failed(a) && outcome_failed(b) &&
           signature_equal(outcome_signature(a), outcome_signature(b));
}

bool headroom_check(const target_command *s, containment c, const run_config *config,
                    int interrupt_fd, int64_t deadline_ns) {
    run_result limited, ample;
    const uint64_t memory_max = config->memory_max;
    uint64_t enough = memory_max > UINT64_MAX / 2 ? UINT64_MAX : memory_max * 2;
    if (enough < MEMORY_AMPLE) enough = MEMORY_AMPLE;
    if (!target_command_takes_memory_limit(s)) return false;
    if (!run_empty(c, config, memory_max, interrupt_fd, deadline_ns, &limited)) return true;
    const bool is_suspect =
        limited.last.verdict == VERDICT_FAIL || limited.last.verdict == VERDICT_ERROR;
    if (!is_suspect) return true;
    if (blames_limit(&limited.output)) {
        target_command_refuse_memory(s->path, "a sanitizer");
        return false;
    }
    if (!run_empty(c, config, enough, interrupt_fd, deadline_ns, &ample)) return true;
    for (int i = 0; i < RERUNS; i++) { /* it may be flaky */
        run_result again;
        if (!run_empty(c, config, memory_max, interrupt_fd, deadline_ns, &again)) return true;
        if (!ends_alike(&again.last, &limited.last)) return true;
    }
    const bool is_known =
        ample.last.verdict != VERDICT_MEMORY && ample.last.verdict != VERDICT_TIMEOUT;
    if (!is_known || ends_alike(&limited.last, &ample.last)) return true;
    char limit[UNITS_TEXT_MAX], needed[UNITS_TEXT_MAX];
    message("%s: --memory %s is too little: it fails on empty input where with %s it does not",
            s->path, units_format_size(limit, memory_max), units_format_size(needed, enough));
    return false;
}
