#include "relations.h"

#include <assert.h>
#include <stdlib.h>

enum {
    PAIRS_ALL = 1024,    /* pairs of values that are all asked */
    PAIRS_TOGETHER = 32, /* pairs asked at a time */
    OTHERS = 12,         /* values of the other draw in a sample of pairs */
    NEAR = 2,            /* values beside that of the other draw in a sample */
    OTHERS_MAX = 256,    /* draws that a draw is compared with */
    HINTS_MAX = 8,       /* values of other draws that a draw is given */
    GROUP_MAX = 64       /* draws that must all be equal */
};

/* ---- One draw alone, and several moved together ---- */

/* Draws that move together: their keys keep their distances. */
typedef struct joint_move {
    const mover *mover;
    const size_t *draws;
    uint64_t *starts; /* position of each draw when they are at 0 together */
    size_t count;
} joint_move;

static bool ask_joint(void *context, const uint64_t *positions, size_t count, bool *fails) {
    const joint_move *c = context;
    move *moves = calloc(count * c->count, sizeof *moves);
    question *questions = calloc(count, sizeof *questions);
    bool ok = moves != NULL && questions != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        questions[i] = (question){moves + i * c->count, c->count};
        for (size_t j = 0; j < c->count; j++)
            moves[i * c->count + j] = (move){c->draws[j], c->starts[j] + positions[i]};
    }
    ok = ok && c->mover->ask(c->mover->context, questions, count, fails);
    free(moves);
    free(questions);
    return ok;
}

/* Find the positions of a draw that the nearest other draws have. Return their count. */
static size_t find_hints(const relation_search *r, size_t number, uint64_t hints[HINTS_MAX]) {
    const domain *own = &r->draws[number].domain;
    size_t used = 0;
    for (size_t by = 1; by < r->count && by <= OTHERS_MAX && used < HINTS_MAX; by++) {
        const domain *o = &r->draws[(number + r->count - by) % r->count].domain;
        const uint64_t position = o->first + o->axis.at - own->first;
        bool is_new = o->order == own->order && own->order != DOMAIN_UNORDERED;
        for (size_t i = 0; i < used; i++) is_new &= hints[i] != position;
        if (is_new) hints[used++] = position;
    }
    return used;
}

bool relations_explore(relation_search *r, size_t number) {
    explored *of = &r->draws[number];
    uint64_t start = 0, hints[HINTS_MAX];
    joint_move alone = {r->mover, &number, &start, 1};
    axis line = of->domain.axis;
    assert(number < r->count && !r->is_spent);
    line.hint_count = find_hints(r, number, hints);
    line.hints = hints;
    line.all_max = r->all_max;
    r->is_spent =
        !explain_values(&line, &(asker){ask_joint, &alone}, r->random, &of->known, &of->statement);
    return !r->is_spent;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* True if draws together fail somewhere else: near, at an end or at random. */
static bool can_move(relation_search *r, joint_move *c, const axis *l) {
    uint64_t tried[5];
    bool fails[5];
    size_t count = 0;
    if (l->at > 0) tried[count++] = 0;
    if (l->at < l->last) tried[count++] = l->last;
    if (l->at > 1) tried[count++] = l->at - 1;
    if (l->last - l->at > 1) tried[count++] = l->at + 1;
    if (l->last > 3 && l->last < UINT64_MAX)
        tried[count++] = explain_values_random(r->random, l->last);
    if (count > 0 && !ask_joint(c, tried, count, fails)) r->is_spent = true;
    for (size_t i = 0; i < count && !r->is_spent; i++) {
        if (fails[i] && tried[i] != l->at) return true;
    }
    return false;
}

/* Positions of a draw, from `low` to `high`. */
typedef struct span {
    uint64_t low, high;
} span;

/* Explore draws that move together. True if more than one position fails, and those that do are a
 * range: *of_first are the positions of the first draw. */
static bool explore_joint(relation_search *r, const size_t *draws, size_t count, span *of_first) {
    uint64_t starts[GROUP_MAX];
    joint_move together = {r->mover, draws, starts, count};
    answers known = {0};
    statement s;
    uint64_t below = UINT64_MAX, above = UINT64_MAX;
    assert(count <= GROUP_MAX);
    for (size_t i = 0; i < count; i++) {
        const axis *l = &r->draws[draws[i]].domain.axis;
        below = least(below, l->at);
        above = least(above, l->last - l->at);
    }
    for (size_t i = 0; i < count; i++) starts[i] = r->draws[draws[i]].domain.axis.at - below;
    const axis l = {
        .last = below + above, .at = below, .is_ordered = true, .all_max = EXPLAIN_VALUES_ALL_MAX};
    if (!can_move(r, &together, &l)) return false;
    r->is_spent = !explain_values(&l, &(asker){ask_joint, &together}, r->random, &known, &s);
    answers_finish(&known);
    if (r->is_spent || !(s.kind == STATEMENT_ANY || (s.kind == STATEMENT_RANGE && s.step == 1)))
        return false;
    of_first->low = starts[0] + (s.kind == STATEMENT_ANY ? 0 : s.low);
    of_first->high = starts[0] + (s.kind == STATEMENT_ANY ? l.last : s.high);
    return true;
}

/* ---- Pairs ---- */

/* A claim: a draw fails where it is in a relation to another one. */
typedef struct claim {
    const explored *all;
    size_t subject, other;
    relation relation;
    span others; /* positions of the other draw */
} claim;

static uint64_t key_of(const explored *e, uint64_t position) { return e->domain.first + position; }

static bool predicts(const claim *c, uint64_t subject, uint64_t other) {
    return relation_holds(c->relation, key_of(&c->all[c->subject], subject),
                          key_of(&c->all[c->other], other));
}

/* True if a claim agrees with what is known of its draw alone. */
static bool fits(const claim *c) {
    const explored *e = &c->all[c->subject];
    const uint64_t other = c->all[c->other].domain.axis.at;
    for (size_t i = 0; i < e->known.count; i++) {
        const answer *a = &e->known.list[i];
        if (predicts(c, a->position, other) != a->fails) return false;
    }
    return true;
}

/* Pairs to ask, and whether all asked so far were as the claim predicts. */
typedef struct pairs {
    relation_search *search;
    const claim *claim;
    move moves[2 * PAIRS_TOGETHER];
    size_t count;
    bool agree;
} pairs;

static void ask_pairs(pairs *p) {
    question questions[PAIRS_TOGETHER];
    bool fails[PAIRS_TOGETHER];
    const size_t count = p->count;
    p->count = 0;
    if (count == 0 || !p->agree || p->search->is_spent) return;
    for (size_t i = 0; i < count; i++) questions[i] = (question){&p->moves[2 * i], 2};
    const mover *m = p->search->mover;
    p->search->is_spent = !m->ask(m->context, questions, count, fails);
    for (size_t i = 0; i < count && !p->search->is_spent; i++) {
        if (predicts(p->claim, p->moves[2 * i].position, p->moves[2 * i + 1].position) != fails[i])
            p->agree = false;
    }
}

static void want_pair(pairs *p, uint64_t subject, uint64_t other) {
    p->moves[2 * p->count] = (move){p->claim->subject, subject};
    p->moves[2 * p->count + 1] = (move){p->claim->other, other};
    if (++p->count == PAIRS_TOGETHER) ask_pairs(p);
}

/* Want pairs of a value of the other draw: with its neighbours, the extremes and others. */
static void want_pairs_of(pairs *p, uint64_t other) {
    uint64_t *random = p->search->random;
    const claim *c = p->claim;
    const explored *subject = &c->all[c->subject];
    const uint64_t last = subject->domain.axis.last;
    const uint64_t same = key_of(&c->all[c->other], other) - subject->domain.first;
    want_pair(p, 0, other);
    want_pair(p, last, other);
    want_pair(p, explain_values_random_upto(random, last), other);
    if (key_of(&c->all[c->other], other) < subject->domain.first || same > last) return;
    for (uint64_t i = 0; i <= NEAR; i++) {
        if (same >= i) want_pair(p, same - i, other);
        if (last - same >= i) want_pair(p, same + i, other);
    }
    if (same > 0) want_pair(p, explain_values_random(random, same), other);
    if (same < last) want_pair(p, same + 1 + explain_values_random(random, last - same), other);
}

/* Return a position of the other draw: an end, or one near an end or anywhere. */
static uint64_t sample_of(const claim *c, unsigned i, uint64_t *random) {
    if (i < 2) return i == 0 ? c->others.low : c->others.high;
    uint64_t by = explain_values_random_upto(random, c->others.high - c->others.low);
    if (i % 2 == 0) by >>= explain_values_random(random, 64);
    return c->others.low + by;
}

/* True if pairs of values fail as a claim predicts: all pairs if they are few. */
static bool holds(relation_search *r, const claim *c, bool *is_exact) {
    const uint64_t last = c->all[c->subject].domain.axis.last,
                   most = c->others.high - c->others.low;
    pairs p = {.search = r, .claim = c, .agree = true};
    *is_exact = most < PAIRS_ALL && last < PAIRS_ALL && (most + 1) * (last + 1) <= PAIRS_ALL;
    for (uint64_t o = 0; *is_exact && o <= most; o++) {
        for (uint64_t s = 0; s <= last; s++) want_pair(&p, s, c->others.low + o);
    }
    for (unsigned i = 0; !*is_exact && i < OTHERS; i++)
        want_pairs_of(&p, sample_of(c, i, r->random));
    ask_pairs(&p);
    return p.agree && !r->is_spent;
}

static void take(relation_search *r, const claim *c, bool is_exact) {
    statement *s = &r->draws[c->subject].statement;
    *s = (statement){.kind = STATEMENT_RELATED,
                     .relation = c->relation,
                     .other = c->other,
                     .low = c->others.low,
                     .high = c->others.high,
                     .is_scoped =
                         c->others.low > 0 || c->others.high < r->draws[c->other].domain.axis.last,
                     .is_exact = is_exact,
                     .tried = s->tried,
                     .failed = s->failed};
}

/* Take a claim if it holds where the other draw has any value, or else where both can move
 * together, which is c->others. */
static void try_claim(relation_search *r, const claim *c) {
    const axis *s = &r->draws[c->subject].domain.axis, *o = &r->draws[c->other].domain.axis;
    const uint64_t below = least(s->at, o->at), above = least(s->last - s->at, o->last - o->at);
    bool is_exact;
    claim wide = *c;
    if (c->others.low == o->at - below) wide.others.low = 0;
    if (c->others.high == o->at + above) wide.others.high = o->last;
    const bool is_wider = wide.others.low < c->others.low || wide.others.high > c->others.high;
    if (holds(r, &wide, &is_exact)) {
        take(r, &wide, is_exact);
    } else if (!r->is_spent && is_wider && holds(r, c, &is_exact)) {
        take(r, c, is_exact);
    }
}

/* ---- All draws ---- */

static bool is_free(const explored *e) {
    const statement_kind kind = e->statement.kind;
    return kind == STATEMENT_NONE || kind == STATEMENT_FIXED || kind == STATEMENT_ANY;
}

/* Take the reverse of a claim that is the same both ways: its pairs were run. */
static void reverse(relation_search *r, size_t subject) {
    const statement s = r->draws[subject].statement;
    const claim c = {
        r->draws, s.other, subject, s.relation, {0, r->draws[subject].domain.axis.last}};
    const bool is_same = s.relation == RELATION_EQUAL || s.relation == RELATION_DIFFERENT;
    const bool is_open = r->draws[s.other].statement.kind != STATEMENT_RELATED;
    if (is_same && !s.is_scoped && is_open && fits(&c)) take(r, &c, s.is_exact);
}

/* Look for a relation of a draw to another one. */
static void relate(relation_search *r, size_t subject, size_t other) {
    const size_t both[2] = {other, subject};
    claim c = {r->draws, subject, other, RELATION_EQUAL, {0, 0}};
    while (c.relation < RELATION_COUNT && !fits(&c)) c.relation++;
    if (c.relation == RELATION_COUNT || !explore_joint(r, both, 2, &c.others)) return;
    for (; c.relation < RELATION_COUNT && !r->is_spent; c.relation++) {
        if (!fits(&c)) continue;
        try_claim(r, &c);
        if (r->draws[subject].statement.kind != STATEMENT_RELATED) continue;
        reverse(r, subject);
        return;
    }
}

/* Look for relations of a draw to those before it, the nearest first, and to those after it. */
static void relate_to_all(relation_search *r, size_t subject) {
    const explored *e = &r->draws[subject];
    for (size_t by = 1; by < r->count && by <= OTHERS_MAX && !r->is_spent; by++) {
        const size_t other = (subject + r->count - by) % r->count;
        const domain *o = &r->draws[other].domain;
        if (o->order != e->domain.order || o->axis.last == 0) continue;
        relate(r, subject, other);
        if (e->statement.kind == STATEMENT_RELATED) return;
    }
}

/* ---- Groups ---- */

/* Draws of one domain with one value, each of which fails with that value only. */
typedef struct group {
    size_t members[GROUP_MAX], count;
} group;

static bool belongs(const explored *first, const explored *e) {
    const axis *a = &first->domain.axis, *b = &e->domain.axis;
    return e->statement.kind == STATEMENT_ONLY && first->domain.order == e->domain.order &&
           first->domain.first == e->domain.first && a->last == b->last && a->at == b->at;
}

/* True if the members of a group fail at one position, but one of them at another. */
static bool ask_outlier(relation_search *r, const group *g, size_t outlier, span positions) {
    move moves[GROUP_MAX];
    bool fails = false;
    for (size_t i = 0; i < g->count; i++)
        moves[i] = (move){g->members[i], i == outlier ? positions.high : positions.low};
    r->is_spent = !r->mover->ask(r->mover->context, &(question){moves, g->count}, 1, &fails);
    return fails && !r->is_spent;
}

/* True if members pass where one differs, wherever the others are in a span. */
static bool needs_all(relation_search *r, const group *g, span where) {
    const axis *a = &r->draws[g->members[0]].domain.axis;
    for (size_t i = 0; i < g->count; i++) {
        for (unsigned j = 0; j < 2 * NEAR; j++) {
            const uint64_t position =
                where.low + explain_values_random(r->random, where.high - where.low + 1);
            uint64_t other = explain_values_random(r->random, a->last);
            if (j < NEAR) other = position > 0 ? position - 1 : 0;
            if (other >= position) other++;
            if (ask_outlier(r, g, i, (span){position, other}) || r->is_spent) return false;
        }
    }
    return true;
}

/* Relate the members of a group if they fail together, with any value of a range. */
static void try_group(relation_search *r, const group *g, size_t number) {
    span where;
    if (!explore_joint(r, g->members, g->count, &where)) return;
    if (where.high - where.low == UINT64_MAX) where.high--; /* all but one value are a range, too */
    if (!needs_all(r, g, where)) return;
    for (size_t i = 0; i < g->count; i++) {
        const claim c = {r->draws, g->members[i], g->members[i == 0], RELATION_EQUAL, where};
        take(r, &c, false);
        r->draws[c.subject].statement.group = number;
    }
}

static void find_groups(relation_search *r) {
    const explored *all = r->draws;
    size_t number = 1;
    for (size_t i = 0; i < r->count && !r->is_spent; i++) {
        group g = {.count = 0};
        bool is_first = all[i].domain.order != DOMAIN_UNORDERED && all[i].domain.axis.last > 0;
        for (size_t j = 0; j < i && is_first; j++) is_first = !belongs(&all[i], &all[j]);
        for (size_t j = i; is_first && j < r->count && g.count < GROUP_MAX; j++) {
            if (belongs(&all[i], &all[j])) g.members[g.count++] = j;
        }
        if (g.count > 2) try_group(r, &g, number++);
    }
}

bool relations_find(relation_search *r) {
    for (size_t i = 0; i < r->count && !r->is_spent; i++) {
        if (is_free(&r->draws[i]) || r->draws[i].domain.order == DOMAIN_UNORDERED) continue;
        if (r->draws[i].statement.kind == STATEMENT_RELATED)
            continue; /* by the reverse of a claim */
        relate_to_all(r, i);
    }
    if (!r->is_spent) find_groups(r);
    return !r->is_spent;
}
