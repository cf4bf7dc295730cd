#include "reruns.h"

#include "pool.h"

#include <assert.h>
#include <string.h>

void failure_of_run(failure *f, const run_result *r, seed_input input) {
    memset(f, 0, sizeof *f);
    f->input = input;
    f->signature = outcome_signature(&r->last);
    f->is_site_known = r->is_site_known;
    f->program = r->program;
    memcpy(f->site, r->site, sizeof f->site);
}

/* Take the site of a rerun. The first one that failed is certain; later ones add what it lacks. */
static void take_site(failure *f, const failure *seen, bool is_first) {
    const bool lacks = f->site[0] == '\0' || (site_is_address(f->site) && seen->site[0] != '\0');
    if (!(is_first && seen->is_site_known) && !lacks) return;
    memcpy(f->site, seen->site, sizeof f->site);
    f->is_site_known |= seen->is_site_known;
}

/* Add a rerun to the counts. A run that stopped its worker is neither a pass nor a failure. */
static void add(const reruns_job *what, const run_result *r) {
    failure *f = what->failure;
    const bool is_stuck = r->last.verdict == VERDICT_STUCK;
    f->reruns++;
    if (f->repeated == 0 || is_stuck) f->cause = outcome_cause(f->signature, &r->last);
    if (!outcome_failed(&r->last)) return;
    failure seen;
    failure_of_run(&seen, r, f->input);
    if (what->like != NULL && !failure_is_alike(&seen, what->like)) return;
    /* The first run may have shared its process: only the signature of a rerun is certain. */
    take_site(f, &seen, f->repeated == 0);
    if (f->repeated++ == 0) f->signature = seen.signature;
    f->program = seen.program;
    if (f->output != NULL) *f->output = r->output;
}

static bool is_last(unsigned number, unsigned count) { return count > 1 && number + 1 == count; }

/* Return the purpose of rerun number `number` of `count`. A person may read the output of the last
 * of several. */
static run_purpose purpose_of(const failure *f, unsigned number, unsigned count) {
    if (f->repeated == 0) return RUN_CONFIRM;
    return is_last(number, count) ? RUN_READ : RUN_SHOW;
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
            if (is_last(submitted, count) && f->reruns < submitted)
                break; /* whether it fails is unknown */
            client_submit(c, &what->input, purpose_of(f, submitted, count));
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
