/* How guided runs are planned.
 *
 * The corpus has inputs whose runs showed something new: an edge, or two sides of a comparison
 * nearer to each other than ever. Each entry has its draws and its wishes (wishes.h). A guided run
 * fulfils a wish, repeats the beginning of an entry with fresh bytes behind it, changes some of its
 * draws, or is fresh. A wish that a guided run has and no run before it had is fulfilled next, down
 * to a chain of CHAIN_MAX of them: so a test that goes from state to state is followed through all.
 *
 * Guided runs come in rows, between fixed numbers of fresh runs. Row n is planned from the results
 * of row n - ROWS_AHEAD, before anything later is looked at, and what is new is decided in the
 * order of the runs. So the same seed plans the same runs, with any number of jobs, at any speed.
 * A row is a candidate set: a worker has it made like any other, with the records of its runs.
 *
 * Fresh runs are never looked at: they cost what they cost without guidance. They cost as much as
 * guided runs together, and FRESH_REST times that once those have shown nothing new for long. */
#include "guide.h"

#include "bytes.h"
#include "frng_encode.h"
#include "frng_expand.h"
#include "wishes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_AHEAD = 2,
    ROW_FIRST = 16,    /* runs of the first rows */
    ROW_NEWS = 64,     /* the same later, while there is news */
    ROW_REST = 256,    /* the same later */
    NEWS_ROWS = 8,     /* rows without news that end that */
    RUN_COST = 4,      /* cost of a guided run, in those of small fresh ones */
    FRESH_SHARE = 1,   /* cost of fresh runs to that of guided ones, while there is news */
    REST_RUNS = 10000, /* guided runs without news until that is FRESH_REST */
    FRESH_REST = 7,
    ENTRY_MAX = 8192, /* bytes */
    CORPUS_MAX = 1024,
    WISHES_MAX = 256,  /* of an entry */
    CUT = 8,           /* bytes that an entry keeps after the last news, half of the time */
    CHAIN_MAX = 12,    /* links */
    CHAIN_WISHES = 16, /* looked at in a run that shows nothing new */
    CHAIN_FOLLOWED = 2,
    LINKS_MAX = 256, /* chains that wait */
    NEWEST = 8,
    TAIL_SIZES = 10, /* fresh bytes: 8, 16, ..., 4096 */
    TRIED_WORDS = 4096
};

typedef struct entry {
    uint8_t *bytes;
    uint32_t size, draw_count, wish_count, next;
    frng_guide_record *draws;
    wish *wishes;
} entry;

/* A wish to fulfil, of a run that is no entry. */
typedef struct chain_link {
    uint8_t *bytes;
    uint32_t size, depth;
    wish wish;
} chain_link;

typedef struct guided_case {
    uint32_t from;  /* what it changes begins here */
    uint32_t depth; /* of its chain; 0: it begins none */
} guided_case;

typedef struct row {
    uint64_t at;   /* cost of the fresh runs before it */
    uint64_t cost; /* of the guided runs before it */
    uint32_t count;
    guided_case cases[CANDIDATE_SET_COUNT_MAX];
    uint64_t ends[CANDIDATE_SET_COUNT_MAX];
    uint8_t *bytes;
    frng_guide_table *known;
} row;

struct guide {
    uint64_t random;
    bool has_begun;
    uint64_t planned, taken, under_way; /* rows; those under way follow those taken */
    uint64_t next_at, cost;             /* of the next row to plan */
    uint64_t quiet;                     /* guided runs since the last news */
    uint64_t quiet_rows;
    row rows[ROWS_AHEAD];
    frng_guide_table *known;
    entry corpus[CORPUS_MAX];
    uint32_t corpus_count;
    chain_link links[LINKS_MAX];
    uint32_t link_count;
    uint64_t tried[TRIED_WORDS];
    uint32_t tried_count;
    letter_table letters;
    guide_run run; /* that is looked at */
    wish wishes[WISHES_MAX];
};

/* ---- Random numbers ---- */

static uint64_t draw(guide *g) { return frng__splitmix64(&g->random); }
static uint64_t below(guide *g, uint64_t count) { return (draw(g) >> 32) * count >> 32; }
static bool coin(guide *g) { return draw(g) >> 63; }

/* ---- What is new ---- */

/* Take a record of news. Return true if it is news here too, as in the target: another worker may
 * have seen it before. */
static bool is_news(guide *g, const frng_guide_record *r, uint64_t *at) {
    if (r->type == FRNG_GUIDE_EDGE && r->site < FRNG_GUIDE_EDGES) {
        uint64_t *word = &g->known->edges[r->site / 64];
        const uint64_t bit = UINT64_C(1) << r->site % 64;
        if ((*word & bit) != 0) return false;
        *word |= bit;
        *at = larger(*at, r->u.at);
        return true;
    }
    if (r->type != FRNG_GUIDE_SITE || r->site >= FRNG_GUIDE_SITES) return false;
    frng_guide_site *best = &g->known->sites[r->site];
    const frng_guide_site now = r->u.now;
    const bool is_nearer = now.near > best->near || (now.near == best->near && now.near > 0 &&
                                                     now.at < best->at - best->at / 4);
    const bool has_more = now.bits > best->bits;
    if (is_nearer) best->near = now.near, best->at = now.at;
    if (has_more) best->bits = now.bits;
    if (is_nearer || has_more) *at = larger(*at, now.at);
    return is_nearer || has_more;
}

/* ---- The corpus ---- */

static void drop(entry *e) {
    free(e->bytes);
    free(e->draws);
    free(e->wishes);
    *e = (entry){0};
}

/* Return a copy; NULL when out of memory. */
static void *copy_of(const void *from, size_t size) {
    void *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL && size > 0) memcpy(copy, from, size);
    return copy;
}

/* Keep the first `size` bytes of the run, with `count` wishes. */
static void keep(guide *g, uint64_t size, size_t count) {
    entry e = {.size = (uint32_t)size};
    const uint32_t at =
        g->corpus_count < CORPUS_MAX ? g->corpus_count : (uint32_t)below(g, CORPUS_MAX);
    e.bytes = copy_of(g->run.bytes, size);
    e.draws = malloc((g->run.draw_count + 1) * sizeof *e.draws);
    e.wishes = malloc((count + 1) * sizeof *e.wishes);
    if (e.bytes == NULL || e.draws == NULL || e.wishes == NULL) {
        drop(&e);
        return;
    }
    for (size_t i = 0; i < g->run.draw_count; i++) {
        if (g->run.draws[i]->u.draw.end <= size) e.draws[e.draw_count++] = *g->run.draws[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (g->wishes[i].to <= size) e.wishes[e.wish_count++] = g->wishes[i];
    }
    if (at == g->corpus_count)
        g->corpus_count++;
    else
        drop(&g->corpus[at]);
    g->corpus[at] = e;
}

/* ---- Chains ---- */

/* True if no run had these bytes before a wish, and this wish. */
static bool is_untried(guide *g, const wish *w) {
    uint64_t h = w->from;
    for (uint32_t i = 0; i < w->from; i++) h = (h ^ g->run.bytes[i]) * UINT64_C(0x100000001b3);
    h = (h ^ w->to) * UINT64_C(0x9e3779b97f4a7c15);
    for (uint32_t i = 0; i < w->size; i++) h = (h ^ w->bytes[i]) * UINT64_C(0x100000001b3);
    h = frng__splitmix64(&h);
    uint64_t *word = &g->tried[h >> 32 & (TRIED_WORDS - 1)];
    const uint64_t bit = UINT64_C(1) << (h & 63);
    if ((*word & bit) != 0) return false;
    if (++g->tried_count > TRIED_WORDS * 64 / 4) {
        memset(g->tried, 0, sizeof g->tried);
        g->tried_count = 0;
    }
    *word |= bit;
    return true;
}

/* Follow some of the wishes that the run has behind byte `from`. */
static void follow(guide *g, size_t count, uint64_t from, uint32_t depth) {
    unsigned followed = 0;
    for (size_t i = 0; i < count && followed < CHAIN_FOLLOWED; i++) {
        const wish *w = &g->wishes[i];
        const uint32_t size = (uint32_t)smaller(g->run.size, ENTRY_MAX);
        if (w->from < from || w->to > size || !is_untried(g, w)) continue;
        followed++;
        if (g->link_count == LINKS_MAX) { /* the oldest goes */
            free(g->links[0].bytes);
            memmove(&g->links[0], &g->links[1], --g->link_count * sizeof g->links[0]);
        }
        chain_link link = {copy_of(g->run.bytes, size), size, depth, *w};
        if (link.bytes != NULL) g->links[g->link_count++] = link;
    }
}

/* ---- Planning ---- */

/* Append a case: `head` bytes, the wish in the place of what follows (NULL: none), `rest` bytes
 * behind it, and fresh ones. Return where it was put; NULL if there is no room. */
static uint8_t *put(guide *g, row *r, const uint8_t *bytes, uint64_t head, const wish *w,
                    uint64_t rest, bool has_tail) {
    const uint64_t start = r->count > 0 ? r->ends[r->count - 1] : 0;
    const uint64_t size = head + (w != NULL ? w->size : 0) + rest;
    const uint64_t tail = has_tail ? UINT64_C(8) << below(g, TAIL_SIZES) : 0;
    if (GUIDE_SET_BYTES - start < size + tail) return NULL;
    uint8_t *at = r->bytes + start;
    if (head > 0) memcpy(at, bytes, head);
    if (w != NULL) memcpy(at + head, w->bytes, w->size);
    if (rest > 0) memcpy(at + size - rest, bytes + w->to, rest);
    if (coin(g))
        frng_expand(draw(g), at + size, tail);
    else
        frng_expand_styled(draw(g), at + size, tail);
    r->cases[r->count] = (guided_case){0};
    r->ends[r->count++] = start + size + tail;
    return at;
}

/* Fulfil a wish, with the same bytes behind it or fresh ones. */
static bool put_wish(guide *g, row *r, const uint8_t *bytes, uint32_t size, const wish *w,
                     uint32_t depth) {
    const uint64_t rest = coin(g) ? size - w->to : 0;
    if (put(g, r, bytes, w->from, w, rest, true) == NULL) return false;
    r->cases[r->count - 1] = (guided_case){w->from, depth};
    return true;
}

/* Change a draw of an entry in place. */
static void change(guide *g, const entry *e, uint8_t *bytes) {
    const frng_guide_record *d = &e->draws[below(g, e->draw_count)];
    const frng_guide_record *other = &e->draws[below(g, e->draw_count)];
    const uint64_t min = d->u.draw.min, max = d->u.draw.max, size = d->u.draw.end - d->u.draw.start;
    uint64_t value = guide_value(d);
    uint8_t encoded[FRNG_ENCODED_MAX];
    const uint64_t step = UINT64_C(1) << below(g, 8u * d->width);
    if (d->kind == FRNG_BYTES) {
        if (size > 0) bytes[d->u.draw.start + below(g, size)] = (uint8_t)draw(g);
        return;
    }
    switch (below(g, 5)) {
    case 0: value ^= step; break;
    case 1: value += step; break;
    case 2: value -= step; break;
    case 3: value = guide_value(other); break;
    default: value = max - min < UINT32_MAX ? min + below(g, max - min + 1) : draw(g);
    }
    if (guide_encode(d, value, &g->letters, encoded) == size)
        memcpy(bytes + d->u.draw.start, encoded, size);
}

static bool put_changed(guide *g, row *r, const entry *e) {
    uint8_t *at = put(g, r, e->bytes, e->size, NULL, 0, coin(g));
    for (uint64_t times = 1 + below(g, 4); at != NULL && times > 0; times--) change(g, e, at);
    return at != NULL;
}

/* Repeat a beginning of an entry, mostly up to one of its last draws. */
static bool put_beginning(guide *g, row *r, const entry *e) {
    const uint64_t most = coin(g) ? e->draw_count : smaller(e->draw_count, NEWEST);
    const frng_guide_record *d = &e->draws[e->draw_count - 1 - below(g, most)];
    const uint64_t head = below(g, 8) == 0 ? e->size : d->u.draw.start;
    return put(g, r, e->bytes, head, NULL, 0, true) != NULL;
}

/* Plan the next run. False if the row has no room for it. */
static bool plan_one(guide *g, row *r, uint32_t most) {
    if (g->link_count > 0 && r->count < most / 2) {
        const chain_link link = g->links[--g->link_count];
        const bool is_put = put_wish(g, r, link.bytes, link.size, &link.wish, link.depth);
        free(link.bytes);
        return is_put;
    }
    const uint32_t count = g->corpus_count;
    if (count == 0 || below(g, 8) == 0) return put(g, r, NULL, 0, NULL, 0, true) != NULL;
    const uint32_t newest = count < NEWEST ? count : NEWEST;
    entry *e = &g->corpus[coin(g) ? below(g, count) : count - 1 - below(g, newest)];
    const uint64_t how = below(g, 4);
    if (how < 2 && e->wish_count > 0 && (e->next < e->wish_count || below(g, 4) == 0)) {
        const uint32_t i = e->next < e->wish_count ? e->next++ : (uint32_t)below(g, e->wish_count);
        return put_wish(g, r, e->bytes, e->size, &e->wishes[i], 1);
    }
    if (e->draw_count == 0) return put(g, r, NULL, 0, NULL, 0, true) != NULL;
    return how % 2 == 0 ? put_beginning(g, r, e) : put_changed(g, r, e);
}

/* Plan a row, from all results so far. */
static void plan(guide *g) {
    row *r = &g->rows[g->planned % ROWS_AHEAD];
    const uint32_t most = g->planned < NEWS_ROWS      ? ROW_FIRST
                          : g->quiet_rows < NEWS_ROWS ? ROW_NEWS
                                                      : ROW_REST;
    *r = (row){.at = g->next_at, .cost = g->cost, .bytes = r->bytes, .known = r->known};
    while (r->count < most && plan_one(g, r, most)) continue;
    assert(r->count > 0);
    memcpy(r->known, g->known, sizeof *r->known);
    const uint64_t cost = guide_cost(r->count * RUN_COST, 0) + r->ends[r->count - 1];
    g->next_at += cost * (g->quiet < REST_RUNS ? FRESH_SHARE : FRESH_REST);
    g->cost += cost;
    g->planned++;
}

/* ---- Results ---- */

/* Look at a run that has passed, whose records these are. */
static bool learn(guide *g, const guided_case *c, const frng_guide_record *records, size_t count) {
    uint64_t at = 0;
    bool has_news = false;
    for (size_t i = 0; i < count; i++) has_news |= is_news(g, &records[i], &at);
    if (!has_news && (c->depth == 0 || c->depth >= CHAIN_MAX)) return false;
    guide_run_read(&g->run, records, count, &g->letters);
    const size_t wishes = wishes_find(&g->run, &g->letters, has_news ? 0 : c->from, g->wishes,
                                      has_news ? WISHES_MAX : CHAIN_WISHES);
    if (has_news) {
        uint64_t size = smaller(g->run.size, ENTRY_MAX);
        if (at + CUT < size && coin(g)) size = at + CUT;
        keep(g, size, wishes);
    }
    follow(g, wishes, c->from, c->depth + 1);
    return has_news;
}

/* Look at the first runs of a row. */
static void learn_all(guide *g, const row *r, const candidate_set *set, uint32_t passed) {
    uint64_t i = 0;
    bool has_news = false;
    for (uint32_t k = 0; k < passed; k++) {
        const uint64_t drawn = set->passes[k].drawn, begin = i;
        while (i < set->log_count && set->log[i].run == k) i++;
        g->run.bytes = candidate_set_bytes(set, k);
        g->run.size = smaller(drawn, candidate_set_size(set, k));
        const bool is_new = learn(g, &r->cases[k], &set->log[begin], i - begin);
        g->quiet = is_new ? 0 : g->quiet + 1;
        has_news |= is_new;
    }
    g->quiet_rows = has_news ? 0 : g->quiet_rows + 1;
}

void guide_take(guide *g, const candidate_set *set, uint32_t passed) {
    const row *r = &g->rows[g->taken % ROWS_AHEAD];
    assert(g->under_way > 0 && passed <= r->count);
    learn_all(g, r, set, passed);
    g->taken++;
    g->under_way--;
    plan(g);
}

/* ---- Turns ---- */

guide_answer guide_turn(const guide *g, uint64_t fresh, bool is_over, uint64_t *room) {
    const uint64_t next = g->taken + g->under_way;
    const bool is_planned = next < g->planned;
    const row *r = &g->rows[next % ROWS_AHEAD];
    const uint64_t at = is_planned ? r->at : g->next_at;
    *room = UINT64_MAX;
    if (!g->has_begun) return GUIDE_FRESH;
    if (is_over && (is_planned ? r->cost : g->cost) >= fresh)
        return g->under_way > 0 ? GUIDE_WAIT : GUIDE_FRESH;
    if (is_over || fresh >= at) return is_planned ? GUIDE_ROW : GUIDE_WAIT;
    *room = at - fresh;
    return GUIDE_FRESH;
}

void guide_fill(guide *g, candidate_set *set) {
    const row *r = &g->rows[(g->taken + g->under_way) % ROWS_AHEAD];
    assert(set->bytes_max >= GUIDE_SET_BYTES);
    set->is_guided = true;
    memcpy(set->known, r->known, sizeof *set->known);
    memcpy(set->bytes, r->bytes, r->ends[r->count - 1]);
    memcpy(set->ends, r->ends, r->count * sizeof r->ends[0]);
    set->count = r->count;
    g->under_way++;
}

void guide_forget(guide *g) { g->under_way = 0; }

void guide_begin(guide *g, uint64_t fresh) {
    g->has_begun = true;
    g->next_at = fresh;
    for (int i = 0; i < ROWS_AHEAD; i++) plan(g);
}

bool guide_has_begun(const guide *g) { return g->has_begun; }

/* ---- Life ---- */

guide *guide_create(uint64_t seed) {
    guide *g = calloc(1, sizeof *g);
    if (g == NULL) return NULL;
    g->random = seed;
    g->known = calloc(1, sizeof *g->known);
    bool ok = g->known != NULL;
    for (int i = 0; i < ROWS_AHEAD; i++) {
        g->rows[i].bytes = malloc(GUIDE_SET_BYTES);
        g->rows[i].known = malloc(sizeof *g->known);
        ok &= g->rows[i].bytes != NULL && g->rows[i].known != NULL;
    }
    if (ok) return g;
    guide_destroy(g);
    return NULL;
}

void guide_destroy(guide *g) {
    if (g == NULL) return;
    for (uint32_t i = 0; i < g->corpus_count; i++) drop(&g->corpus[i]);
    for (uint32_t i = 0; i < g->link_count; i++) free(g->links[i].bytes);
    for (int i = 0; i < ROWS_AHEAD; i++) {
        free(g->rows[i].bytes);
        free(g->rows[i].known);
    }
    free(g->known);
    free(g);
}
