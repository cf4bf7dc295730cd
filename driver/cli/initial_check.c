#include "initial_check.h"

#include "summary.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

static void judge(initial_check *c, int64_t timeout_ns) {
    const int status = c->run.last.status;
    c->is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && c->run.took_ns >= timeout_ns;
    switch (c->run.last.verdict) {
    case VERDICT_FAIL: c->stop.end = END_DONE; return;
    case VERDICT_PASS:
    case VERDICT_TIMEOUT:
    case VERDICT_MEMORY: c->stop.end = END_PASSES; return;
    case VERDICT_STUCK: run_stop_broken(&c->stop, ETIME); return;
    case VERDICT_ERROR: c->stop.end = END_ENVIRONMENT; return;
    }
}

void initial_check_run(initial_check *c, pool_config workers,
                       const runner_predicate_config *predicate, const uint8_t *bytes, size_t size,
                       int64_t deadline_ns, client_hooks hooks) {
    const client_input in = client_bytes(bytes, size);
    memset(c, 0, sizeof *c);
    workers.jobs = 1;
    workers.create = runner_predicate_create;
    workers.config = predicate;
    workers.candidate_set_bytes = size + 1;
    const client_config config = {.deadline_ns = deadline_ns, .hooks = hooks};
    c->stop = client_run_once(&workers, &config, &in, &c->run);
    if (c->stop.end == END_DONE) judge(c, predicate->timeout_ns);
}
