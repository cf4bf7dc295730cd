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
typedef struct convoy {
    const mover *mover;
    const size_t *draws;
    uint64_t *starts; /* position of each when the convoy is at 0 */
    size_t count;
} convoy;

static bool ask_convoy(void *context, const uint64_t *positions, size_t count, bool *fails) {
    const convoy *c = context;
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
static size_t find_hints(const explored *all, size_t count, size_t number,
                         uint64_t hints[HINTS_MAX]) {
    const domain *own = &all[number].domain;
    size_t used = 0;
    for (size_t by = 1; by < count && by <= OTHERS_MAX && used < HINTS_MAX; by++) {
        const domain *o = &all[(number + count - by) % count].domain;
        const uint64_t position = o->first + o->axis.at - own->first;
        bool is_new = o->order == own->order && own->order != DOMAIN_UNORDERED;
        for (size_t i = 0; i < used; i++) is_new &= hints[i] != position;
        if (is_new) hints[used++] = position;
    }
    return used;
}

bool relations_explore(explored *all, size_t count, size_t number, const mover *m, uint64_t all_max,
                       uint64_t *random) {
    explored *of = &all[number];
    uint64_t start = 0, hints[HINTS_MAX];
    convoy alone = {m, &number, &start, 1};
    axis line = of->domain.axis;
    line.hint_count = find_hints(all, count, number, hints);
    line.hints = hints;
    return explore(&line, &(asker){ask_convoy, &alone}, all_max, random, &of->known,
                   &of->statement);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* True if a convoy fails somewhere else: near, at an end or at random. */
static bool can_move(convoy *c, const axis *l, uint64_t *random, bool *is_spent) {
    uint64_t tried[5];
    bool fails[5];
    size_t count = 0;
    if (l->at > 0) tried[count++] = 0;
    if (l->at < l->last) tried[count++] = l->last;
    if (l->at > 1) tried[count++] = l->at - 1;
    if (l->last - l->at > 1) tried[count++] = l->at + 1;
    if (l->last > 3 && l->last < UINT64_MAX) tried[count++] = explore_random(random, l->last);
    *is_spent = count > 0 && !ask_convoy(c, tried, count, fails);
    for (size_t i = 0; i < count && !*is_spent; i++) {
        if (fails[i] && tried[i] != l->at) return true;
    }
    return false;
}

/* Explore draws that move together. True if more than one position fails, and those that do are a
 * range: *low..*high are the positions of the first draw. *is_spent: the budget is spent. */
static bool explore_convoy(const explored *all, const size_t *draws, size_t count, const mover *m,
                           uint64_t *random, uint64_t *low, uint64_t *high, bool *is_spent) {
    uint64_t starts[GROUP_MAX];
    convoy together = {m, draws, starts, count};
    answers known = {0};
    statement s;
    uint64_t below = UINT64_MAX, above = UINT64_MAX;
    assert(count <= GROUP_MAX);
    for (size_t i = 0; i < count; i++) {
        const axis *l = &all[draws[i]].domain.axis;
        below = least(below, l->at);
        above = least(above, l->last - l->at);
    }
    for (size_t i = 0; i < count; i++) starts[i] = all[draws[i]].domain.axis.at - below;
    const axis l = {below + above, below, true};
    if (!can_move(&together, &l, random, is_spent)) return false;
    *is_spent = !explore(&l, &(asker){ask_convoy, &together}, EXPLORE_ALL_MAX, random, &known, &s);
    answers_finish(&known);
    if (*is_spent || !(s.kind == STATEMENT_ANY || (s.kind == STATEMENT_RANGE && s.step == 1)))
        return false;
    *low = starts[0] + (s.kind == STATEMENT_ANY ? 0 : s.low);
    *high = starts[0] + (s.kind == STATEMENT_ANY ? l.last : s.high);
    return true;
}

/* ---- Pairs ---- */

/* A claim: a draw fails where it is in a relation to another one, whose positions are low..high. */
typedef struct claim {
    const explored *all;
    size_t subject, other;
    relation relation;
    uint64_t low, high;
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
    const claim *claim;
    const mover *mover;
    move moves[2 * PAIRS_TOGETHER];
    size_t count;
    bool agree, is_spent;
} pairs;

static void ask_pairs(pairs *p) {
    question questions[PAIRS_TOGETHER];
    bool fails[PAIRS_TOGETHER];
    const size_t count = p->count;
    p->count = 0;
    if (count == 0 || !p->agree || p->is_spent) return;
    for (size_t i = 0; i < count; i++) questions[i] = (question){&p->moves[2 * i], 2};
    p->is_spent = !p->mover->ask(p->mover->context, questions, count, fails);
    for (size_t i = 0; i < count && !p->is_spent; i++) {
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
static void want_pairs_of(pairs *p, uint64_t other, uint64_t *random) {
    const claim *c = p->claim;
    const explored *subject = &c->all[c->subject];
    const uint64_t last = subject->domain.axis.last;
    const uint64_t same = key_of(&c->all[c->other], other) - subject->domain.first;
    want_pair(p, 0, other);
    want_pair(p, last, other);
    want_pair(p,
              last < UINT64_MAX ? explore_random(random, last + 1) : explore_random(random, last),
              other);
    if (key_of(&c->all[c->other], other) < subject->domain.first || same > last) return;
    for (uint64_t i = 0; i <= NEAR; i++) {
        if (same >= i) want_pair(p, same - i, other);
        if (last - same >= i) want_pair(p, same + i, other);
    }
    if (same > 0) want_pair(p, explore_random(random, same), other);
    if (same < last) want_pair(p, same + 1 + explore_random(random, last - same), other);
}

/* Return a position of low..high: an end, or one near an end or anywhere. */
static uint64_t sample_of(const claim *c, unsigned i, uint64_t *random) {
    const uint64_t span = c->high - c->low;
    if (i < 2) return i == 0 ? c->low : c->high;
    uint64_t by =
        span < UINT64_MAX ? explore_random(random, span + 1) : explore_random(random, span);
    if (i % 2 == 0) by >>= explore_random(random, 64);
    return c->low + by;
}

/* True if pairs of values fail as a claim predicts: all pairs if they are few. */
static bool holds(const claim *c, const mover *m, uint64_t *random, bool *is_exact,
                  bool *is_spent) {
    const uint64_t last = c->all[c->subject].domain.axis.last, span = c->high - c->low;
    pairs p = {.claim = c, .mover = m, .agree = true};
    *is_exact = span < PAIRS_ALL && last < PAIRS_ALL && (span + 1) * (last + 1) <= PAIRS_ALL;
    for (uint64_t o = 0; *is_exact && o <= span; o++) {
        for (uint64_t s = 0; s <= last; s++) want_pair(&p, s, c->low + o);
    }
    for (unsigned i = 0; !*is_exact && i < OTHERS; i++)
        want_pairs_of(&p, sample_of(c, i, random), random);
    ask_pairs(&p);
    *is_spent = p.is_spent;
    return p.agree && !p.is_spent;
}

static void take(explored *all, const claim *c, bool is_exact) {
    statement *s = &all[c->subject].statement;
    *s = (statement){.kind = STATEMENT_RELATED,
                     .relation = c->relation,
                     .other = c->other,
                     .low = c->low,
                     .high = c->high,
                     .is_scoped = c->low > 0 || c->high < all[c->other].domain.axis.last,
                     .is_exact = is_exact,
                     .tried = s->tried,
                     .failed = s->failed};
}

/* Take a claim if it holds where the other draw has any value, or else where both can move
 * together, which is c->low..c->high. False once the budget is spent. */
static bool try_claim(explored *all, const claim *c, const mover *m, uint64_t *random) {
    const axis *s = &all[c->subject].domain.axis, *o = &all[c->other].domain.axis;
    const uint64_t below = least(s->at, o->at), above = least(s->last - s->at, o->last - o->at);
    bool is_spent, is_exact;
    claim wide = *c;
    if (c->low == o->at - below) wide.low = 0;
    if (c->high == o->at + above) wide.high = o->last;
    if (holds(&wide, m, random, &is_exact, &is_spent)) {
        take(all, &wide, is_exact);
    } else if (!is_spent && (wide.low < c->low || wide.high > c->high) &&
               holds(c, m, random, &is_exact, &is_spent)) {
        take(all, c, is_exact);
    }
    return !is_spent;
}

/* ---- All draws ---- */

static bool is_free(const explored *e) {
    const statement_kind kind = e->statement.kind;
    return kind == STATEMENT_NONE || kind == STATEMENT_FIXED || kind == STATEMENT_ANY;
}

/* Take the mirror image of a claim that is the same both ways: its pairs were run. */
static void mirror(explored *all, size_t subject) {
    const statement s = all[subject].statement;
    claim c = {all, s.other, subject, s.relation, 0, all[subject].domain.axis.last};
    const bool is_same = s.relation == RELATION_EQUAL || s.relation == RELATION_DIFFERENT;
    if (is_same && !s.is_scoped && all[s.other].statement.kind != STATEMENT_RELATED && fits(&c))
        take(all, &c, s.is_exact);
}

/* Look for a relation of a draw to another one. False once the budget is spent. */
static bool relate(explored *all, size_t subject, size_t other, const mover *m, uint64_t *random) {
    const size_t both[2] = {other, subject};
    claim c = {all, subject, other, RELATION_EQUAL, 0, 0};
    bool is_spent;
    while (c.relation < RELATION_COUNT && !fits(&c)) c.relation++;
    if (c.relation == RELATION_COUNT) return true;
    if (!explore_convoy(all, both, 2, m, random, &c.low, &c.high, &is_spent)) return !is_spent;
    for (; c.relation < RELATION_COUNT; c.relation++) {
        if (!fits(&c)) continue;
        if (!try_claim(all, &c, m, random)) return false;
        if (all[subject].statement.kind != STATEMENT_RELATED) continue;
        mirror(all, subject);
        return true;
    }
    return true;
}

/* Look for relations of a draw to those before it, the nearest first, and to those after it. */
static bool relate_to_all(explored *all, size_t count, size_t subject, const mover *m,
                          uint64_t *random) {
    const explored *e = &all[subject];
    for (size_t by = 1; by < count && by <= OTHERS_MAX; by++) {
        const size_t other = (subject + count - by) % count;
        const domain *o = &all[other].domain;
        if (o->order != e->domain.order || o->axis.last == 0) continue;
        if (!relate(all, subject, other, m, random)) return false;
        if (e->statement.kind == STATEMENT_RELATED) return true;
    }
    return true;
}

/* ---- Groups ---- */

/* Draws of one domain with one value, each of which fails with that value only. */
typedef struct group {
    explored *all;
    size_t members[GROUP_MAX], count;
} group;

static bool belongs(const explored *first, const explored *e) {
    const axis *a = &first->domain.axis, *b = &e->domain.axis;
    return e->statement.kind == STATEMENT_ONLY && first->domain.order == e->domain.order &&
           first->domain.first == e->domain.first && a->last == b->last && a->at == b->at;
}

/* Want all members at one position, but member `odd` at another one. */
static bool ask_odd(const group *g, size_t odd, uint64_t position, uint64_t other, const mover *m,
                    bool *fails) {
    move moves[GROUP_MAX];
    for (size_t i = 0; i < g->count; i++)
        moves[i] = (move){g->members[i], i == odd ? other : position};
    return m->ask(m->context, &(question){moves, g->count}, 1, fails);
}

/* True if members pass where one differs, wherever the others are in low..high. */
static bool needs_all(const group *g, uint64_t low, uint64_t high, const mover *m, uint64_t *random,
                      bool *is_spent) {
    const axis *a = &g->all[g->members[0]].domain.axis;
    bool fails = false;
    for (size_t i = 0; i < g->count; i++) {
        for (unsigned j = 0; j < 2 * NEAR; j++) {
            const uint64_t position = low + explore_random(random, high - low + 1);
            uint64_t other = explore_random(random, a->last);
            if (j < NEAR) other = position > 0 ? position - 1 : 0;
            if (other >= position) other++;
            *is_spent = !ask_odd(g, i, position, other, m, &fails);
            if (*is_spent || fails) return false;
        }
    }
    return true;
}

/* Relate the members of a group if they fail together, with any value of a range. False once the
 * budget is spent. */
static bool try_group(const group *g, size_t number, const mover *m, uint64_t *random) {
    uint64_t low, high;
    bool is_spent;
    explored *all = g->all;
    if (!explore_convoy(all, g->members, g->count, m, random, &low, &high, &is_spent))
        return !is_spent;
    if (high - low == UINT64_MAX) high--; /* all but one value are a range, too */
    if (!needs_all(g, low, high, m, random, &is_spent)) return !is_spent;
    for (size_t i = 0; i < g->count; i++) {
        const claim c = {all, g->members[i], g->members[i == 0], RELATION_EQUAL, low, high};
        take(all, &c, false);
        all[c.subject].statement.group = number;
    }
    return true;
}

static bool find_groups(explored *all, size_t count, const mover *m, uint64_t *random) {
    size_t number = 1;
    for (size_t i = 0; i < count; i++) {
        group g = {.all = all};
        bool is_first = all[i].domain.order != DOMAIN_UNORDERED && all[i].domain.axis.last > 0;
        for (size_t j = 0; j < i && is_first; j++) is_first = !belongs(&all[i], &all[j]);
        for (size_t j = i; is_first && j < count && g.count < GROUP_MAX; j++) {
            if (belongs(&all[i], &all[j])) g.members[g.count++] = j;
        }
        if (g.count > 2 && !try_group(&g, number++, m, random)) return false;
    }
    return true;
}

bool relations_find(explored *draws, size_t count, const mover *m, uint64_t *random) {
    for (size_t i = 0; i < count; i++) {
        if (is_free(&draws[i]) || draws[i].domain.order == DOMAIN_UNORDERED) continue;
        if (draws[i].statement.kind == STATEMENT_RELATED) continue; /* a mirror image */
        if (!relate_to_all(draws, count, i, m, random)) return false;
    }
    return find_groups(draws, count, m, random);
}
