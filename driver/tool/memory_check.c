#include "memory_check.h"

#include "client.h"
#include "clock.h"
#include "messages.h"
#include "pool.h"
#include "session.h"
#include "units.h"

#include <string.h>

/* Reruns of a run that seems to fail for lack of memory. */
enum { RERUNS = 3 };

/* Bytes, enough for the loader and the libraries of any program. */
#define MEMORY_AMPLE ((uint64_t)256 << 20)

/* Limit of the time of a run, for nothing can show meanwhile that the tool lives. */
enum { RUN_MAX_S = 10 };

/* Run the target on empty input. Returns false if the outcome is unknown. */
static bool run_empty(session *s, uint64_t memory_max, run_result *result) {
    run_config limited = s->runs.spawn;
    const client_input empty = client_seed((seed_input){.size = 0});
    limited.memory_max = memory_max;
    limited.size_max = 0;
    if (limited.timeout_ns > RUN_MAX_S * CLOCK_NS_PER_S)
        limited.timeout_ns = RUN_MAX_S * CLOCK_NS_PER_S;
    pool_config one = session_pool(s, runner_spawn_create, &limited);
    one.jobs = 1;
    const client_config config = {.deadline_ns = session_deadline(s)};
    const run_stop stop = client_run_once(&one, &config, &empty, result);
    return stop.end == END_DONE || stop.end == END_ENVIRONMENT;
}

/* True if a sanitizer blames the limit in its output. Its symbols may be stripped. */
static bool blames_limit(const bytes_tail *output) {
    static const char *const words[] = {"Sanitizer failed to allocate 0x",
                                        "Sanitizer: CHECK failed: sanitizer_allocator"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (memmem(output->bytes, output->size, words[i], strlen(words[i])) != NULL) return true;
    }
    return false;
}

/* True if both failed in the same way. */
static bool ends_alike(const outcome *a, const outcome *b) {
    if (a->verdict == VERDICT_ERROR || b->verdict == VERDICT_ERROR) {
        return a->verdict == b->verdict && a->fault == b->fault;
    }
    return outcome_failed(a) && outcome_failed(b) &&
           signature_equal(outcome_signature(a), outcome_signature(b));
}

/* True if each rerun ends like the first run. If false, the target may be flaky. */
static bool repeats(session *s, uint64_t memory_max, const outcome *first) {
    for (int i = 0; i < RERUNS; i++) {
        static run_result again; /* large */
        if (!run_empty(s, memory_max, &again) || !ends_alike(&again.last, first)) return false;
    }
    return true;
}

bool memory_check(session *s) {
    static run_result limited, ample; /* large */
    const uint64_t memory_max = s->runs.spawn.memory_max;
    const char *path = s->target.sut.path;
    uint64_t enough = memory_max > UINT64_MAX / 2 ? UINT64_MAX : memory_max * 2;
    if (enough < MEMORY_AMPLE) enough = MEMORY_AMPLE;
    if (!target_takes_memory_limit(&s->target.sut)) return false;
    if (!run_empty(s, memory_max, &limited)) return true;
    const verdict seen = limited.last.verdict;
    if (seen != VERDICT_FAIL && seen != VERDICT_ERROR) return true;
    if (blames_limit(&limited.output)) {
        target_refuse_memory(path, "a sanitizer");
        return false;
    }
    if (!run_empty(s, enough, &ample) || !repeats(s, memory_max, &limited.last)) return true;
    const bool is_known =
        ample.last.verdict != VERDICT_MEMORY && ample.last.verdict != VERDICT_TIMEOUT;
    if (!is_known || ends_alike(&limited.last, &ample.last)) return true;
    message("%s: --memory %s is too little: it fails on empty input, but not with %s", path,
            units_format_size(UNITS_TEXT, memory_max), units_format_size(UNITS_TEXT, enough));
    return false;
}
