#include "reruns.h"

#include <assert.h>
#include <string.h>

/* Return the failure that a run reported. */
static failure failure_of(const run_result *r) {
    failure f = {.signature = outcome_signature(&r->last)};
    memcpy(f.site, r->site, sizeof f.site);
    return f;
}

/* Add a rerun to the counts. A run that stopped its worker is neither a pass nor a failure. */
static void add(const reruns_job *what, const run_result *r) {
    failure *f = what->failure;
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    f->reruns++;
    if (f->repeated == 0 || is_stuck) f->cause = outcome_cause(f->signature, &r->last);
    if (!outcome_failed(&r->last)) return;
    const failure seen = failure_of(r);
    if (what->like != NULL && !failure_is_alike(&seen, what->like)) return;
    /* The first run may have shared its process: only the signature of a rerun is certain. */
    if (f->repeated++ == 0) f->signature = seen.signature;
    f->program = r->program;
    if (r->site[0] != '\0') memcpy(f->site, r->site, sizeof f->site);
    if (what->output != NULL) *what->output = r->output;
}

bool reruns_make(client *c, const reruns_job *what, unsigned count, reruns_until until) {
    failure *f = what->failure;
    const unsigned passes_before = f->reruns - f->repeated;
    unsigned submitted = f->reruns;
    bool has_passed = false;
    assert(f->repeated <= f->reruns);
    while (f->reruns < count && client_is_running(c) &&
           !(has_passed && until == RERUNS_UNTIL_PASS)) {
        for (; submitted < count && pool_has_room(c->pool); submitted++) {
            client_submit(c, &what->input, f->repeated > 0 ? RUN_SHOW : RUN_CONFIRM);
        }
        batch runs;
        const run_result *r = client_wait(c, &runs);
        if (r != NULL) {
            add(what, r);
            c->reruns++;
        }
        has_passed = f->reruns - f->repeated > passes_before;
    }
    pool_cancel(c->pool);
    return client_is_running(c) && !has_passed;
}
