#include "look.h"

#include "client.h"

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

look_answer look_at(look *l, containment c, const runner_predicate_config *predicate,
                    const uint8_t *bytes, size_t size, int interrupt_fd, int64_t deadline_ns) {
    const pool_config one = {.jobs = 1,
                             .create = runner_predicate_create,
                             .config = predicate,
                             .containment = c,
                             .interrupt_fd = interrupt_fd,
                             .candidate_set_bytes = size + 1};
    const client_input input = client_bytes(bytes, size);
    run_result run;
    memset(l, 0, sizeof *l);
    switch (client_run_once(&one, &input, RUN_SHOW, deadline_ns, &run)) {
    case END_DONE:
    case END_ENVIRONMENT: return judge(l, &run, predicate->timeout_ns);
    case END_SPENT: return LOOK_SPENT;
    case END_INTERRUPTED: return LOOK_INTERRUPTED;
    case END_PASSES:
    case END_BROKEN: break;
    }
    l->error_number = errno;
    return LOOK_BROKEN;
}
