/* passes_spans.c: passes that know which draws a call of the test has made.
 *
 * The depth of the stack at each draw tells them: a call's draws are those that follow its first
 * one and are no less deep. So a test that draws a tree by recursion has a tree of calls, without
 * marks. Where depths are unknown (0) these passes have no site. */
#include "pass.h"
#include "patch.h"

/* ---- Put a child in the place of its parent: delete what the parent drew before it and behind it,
 * and what its callers draw behind it ---- */

enum { CHILD_REACH = 24, HOIST_WAYS = 4 };

static bool is_in_call(const testcase *t, size_t at) { return t->draws[at].depth > 0; }

/* Return the end of the call that begins at a draw: the next draw of a caller, or, unless
 * `is_strict`, of the next call of this place. */
static size_t call_end(const testcase *t, size_t at, bool is_strict) {
    const draw *d = &t->draws[at];
    while (++at < t->count && t->draws[at].depth >= d->depth)
        if (!is_strict && t->draws[at].depth == d->depth && same_place(d, &t->draws[at])) break;
    return at;
}

static bool hoist_child_fits(const testcase *t, const position *p) {
    const draw *parent = &t->draws[p->at], *child = &t->draws[p->other];
    return same_place(parent, child) && parent->depth < child->depth &&
           call_end(t, p->at, true) > p->other;
}

/* True for the largest number of few, of which another draw of its place can have more. */
static bool is_largest_of_few(const draw *d, const draw *wider) {
    return same_place(d, wider) && draw_is_number(d) && d->min == wider->min &&
           d->max < wider->max && d->rank > 0 && d->rank == draw_rank_max(d);
}

/* Where the depth is limited, a call at the limit has other draws. Among more values than there its
 * largest one is an ordinary number. */
static bool leave_limit(const testcase *t, size_t at, patch *edits) {
    const draw *d = &t->draws[at];
    size_t wider = 0;
    while (wider < t->count && !is_largest_of_few(d, &t->draws[wider])) wider++;
    return wider == t->count ||
           (patch_delete(edits, at, 1) && patch_insert(edits, at, wider, d->rank));
}

/* way: calls that end with the parent's, twice; odd: the child's call has several of its place. */
static bool hoist_child_edit(const testcase *t, const position *p, patch *edits) {
    const size_t child_end = call_end(t, p->other, p->way & 1);
    size_t end = call_end(t, p->at, p->way > 1);
    for (size_t callers = p->way / 2; callers > 1 && end < t->count; callers--) {
        const uint16_t least = t->draws[end].depth;
        while (++end < t->count && t->draws[end].depth >= least) continue;
    }
    if (end <= child_end || !patch_delete(edits, p->at, p->other - p->at)) return false;
    for (size_t i = p->other; i < child_end; i++)
        if (!leave_limit(t, i, edits)) return false;
    return patch_delete(edits, child_end, end - child_end);
}

PASS(hoist_child, "hoist-child", LATE, ALL, position_next_nearby, NULL, hoist_child_edit,
     .saves_bytes = true, .nearby = {1, CHILD_REACH, HOIST_WAYS, is_in_call, hoist_child_fits})
