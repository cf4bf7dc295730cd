/* A rerun outside has a pool of one worker, a subreaper, which changes nothing of what it sees. */
#include "outside.h"

#include "event.h"
#include "pool.h"

#include <errno.h>

bool outside_is_due(const outside_look *o, const failure *f, bool is_last) {
    const failure_row *like = failure_table_marked(o->found, f, FAILURE_OUTSIDE);
    if (!o->is_inside || f->repeated == 0) return false;
    return like == NULL || (is_last && !seed_input_equal(like->failure.input, f->input));
}

/* Make `count` reruns in a pool, up to the first that fails, or (RERUNS_UNTIL_PASS) passes. */
static failure reruns_in(client *c, pool *p, const reruns_job *what, unsigned count,
                         reruns_until until) {
    failure f = *what->failure;
    const reruns_job job = {what->input, &f, what->like};
    const bool ends_by_pass = until == RERUNS_UNTIL_PASS;
    f.output = NULL;
    f.reruns = f.repeated = 0;
    c->pool = p;
    while (f.reruns < count && f.repeated == (ends_by_pass ? f.reruns : 0) && client_is_running(c))
        reruns_make(c, &job, f.reruns + 1, RERUNS_ALL);
    return f;
}

static void add_reruns(failure *f, const failure *more) {
    f->reruns += more->reruns;
    f->repeated += more->repeated;
}

/* A flaky failure would have to pass five times there, and fail five times here between them. One
 * that fails there in another way is held to its signature. */
static bool stands(client *c, pool *outside, const reruns_job *what) {
    enum { ENOUGH = 5 };
    pool *inside = c->pool;
    failure *f = what->failure, here = {0}, more = {0};
    const failure same = {.signature = f->signature};
    const failure there = reruns_in(c, outside, what, 1, RERUNS_ALL);
    const bool is_other = there.repeated > 0 && !signature_equal(there.signature, f->signature);
    const bool is_doubtful = client_is_running(c) && (there.repeated == 0 || is_other);
    reruns_job again = *what;
    if (is_other) again.like = &same;
    if (is_doubtful) here = reruns_in(c, inside, &again, ENOUGH, RERUNS_UNTIL_PASS);
    if (here.repeated == ENOUGH) more = reruns_in(c, outside, &again, ENOUGH - 1, RERUNS_ALL);
    c->pool = inside;
    if (!is_doubtful || !client_is_running(c)) return true;
    if (more.reruns == ENOUGH - 1 && more.repeated == 0) return false;
    if (is_other) return true;
    add_reruns(f, &there);
    add_reruns(f, &here);
    add_reruns(f, &more);
    return true;
}

/* Ask in a pool of its own. */
static bool stands_there(client *c, const reruns_job *what) {
    pool *outside = pool_create_outside(c->pool);
    if (outside == NULL) {
        client_stop_broken(c, errno);
        return true;
    }
    const bool is_same = stands(c, outside, what);
    pool_destroy(outside);
    return is_same;
}

bool outside_stands(outside_look *o, client *c, const reruns_job *what) {
    const failure known = *what->failure;
    if (!client_is_running(c) || stands_there(c, what)) {
        if (client_is_running(c) ||
            failure_table_marked(o->found, &known, FAILURE_OUTSIDE) != NULL) {
            failure_table_row(o->found, &known)->marks |= FAILURE_OUTSIDE;
            return true;
        }
    } else {
        o->is_inside = false;
        event_emit(c->config.sink, &(event){.kind = EVENT_OUTSIDE, .failure = what->failure});
        if (!pool_move_outside(c->pool)) client_stop_broken(c, errno);
    }
    what->failure->reruns = what->failure->repeated = 0;
    return false;
}
