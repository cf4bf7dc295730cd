#include "look.h"

#include "clock.h"
#include "pool.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static look_answer judge(look *l, const run_result *run, int64_t timeout_ns) {
    l->end = run->last;
    l->took_ns = run->took_ns;
    l->printed = run->output;
    l->is_late = WIFSIGNALED(run->last.status) && WTERMSIG(run->last.status) == SIGKILL &&
                 run->took_ns >= timeout_ns;
    switch (run->last.verdict) {
    case VERDICT_FAIL: return LOOK_INTERESTING;
    case VERDICT_PASS:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: break;
    case VERDICT_STUCK: l->error_number = ETIME; return LOOK_BROKEN;
    case VERDICT_ERROR: return LOOK_ENVIRONMENT;
    }
    return LOOK_NOT;
}

static look_answer ask(look *l, pool *p, int64_t timeout_ns, int64_t deadline_ns) {
    const run_result *run;
    batch runs;
    while (clock_now_ns() < deadline_ns) {
        switch (pool_wait(p, deadline_ns, &runs, &run)) {
        case POOL_RESULT: return judge(l, run, timeout_ns);
        case POOL_IDLE: break;
        case POOL_INTERRUPTED: return LOOK_INTERRUPTED;
        case POOL_BROKEN: l->error_number = errno; return LOOK_BROKEN;
        }
    }
    return LOOK_SPENT;
}

look_answer look_at(look *l, containment c, const runner_predicate_config *predicate,
                    const uint8_t *bytes, size_t size, int interrupt_fd, int64_t deadline_ns) {
    const pool_config one = {.jobs = 1,
                             .create = runner_predicate_create,
                             .config = predicate,
                             .containment = c,
                             .interrupt_fd = interrupt_fd,
                             .candidate_set_bytes = size + 1};
    memset(l, 0, sizeof *l);
    pool *p = pool_create(&one);
    if (p == NULL) {
        l->error_number = errno;
        return LOOK_BROKEN;
    }
    candidate_set *given = pool_candidate_set(p);
    given->count = 1;
    given->ends[0] = size;
    if (size > 0) memcpy(given->bytes, bytes, size);
    pool_submit_candidate_set(p, given, RUN_SHOW);
    const look_answer answer = ask(l, p, predicate->timeout_ns, deadline_ns);
    pool_destroy(p);
    return answer;
}
