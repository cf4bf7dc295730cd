/* How guided runs are planned.
 *
 * The corpus has inputs whose runs showed something new: two sides of a comparison nearer to each
 * other than ever. Each entry has its draws and its replacements (replacements.h). A guided run
 * makes a replacement, changes some draws of an entry, or is fresh. A replacement that no run
 * before it had is made next, down to a chain of CHAIN_MAX of them: so a test that goes from state
 * to state is followed through all, and a checksum is made right after what it is of has changed.
 *
 * Guided runs come in rows, between fresh runs. Row n is planned from the results of row
 * n - ROWS_AHEAD, before anything later is looked at. So the same seed plans the same runs, with
 * any number of jobs, at any speed. A row is a candidate set: a worker has it made like any other,
 * with the records of its runs. Of each place whose sides came nearer in a row, its best run is
 * news. A row has few runs while there is news, for the next ones go on from there.
 *
 * How high runs come to a goal of the test is one more such nearness. Half of the runs of a row go
 * on from the runs that came highest: with some draws changed, added or left out, or up to the
 * highest place, or a draw before, with fresh bytes behind. One of a row that comes as high takes
 * the place of the highest: so rows walk along what does not rise at once.
 *
 * A run repeats an entry up to a byte, and is looked at only behind it: most of it costs what it
 * costs without guidance. A new entry is repeated once, to be looked at whole.
 *
 * Where a target records neither comparisons nor goals, its draws tell how far a run came: the more
 * it made before it ended, the higher it is. Half of the runs that go on from the highest have
 * numbers and texts of the program (dictionary.h). Rows have many runs then: it is the row that
 * costs, and its fork.
 *
 * Fresh runs are never looked at: they cost what they cost without guidance. They get as much time
 * as guided runs. Where no goal was reached, they get a ninth of it once they have found nothing
 * for long, while guided runs show news, and SHARES_MOST times as much once these show none. */
#include "guide.h"

#include "bytes.h"
#include "frng_encode.h"
#include "frng_expand.h"
#include "replacements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_AHEAD = 2,
    ROW_NEWS = 8, /* runs of a row after one with news; twice as many after each other one */
    ROW_MOST = FRNG_GUIDE_RUNS,
    ROW_MOST_DRAWS = CANDIDATE_SET_COUNT_MAX, /* ... by draws, all of which are looked at whole */
    FRESH_COST = 256,                         /* of a run, and its bytes */
    GUIDED_COST = 512,                        /* of a guided run, and its bytes; */
    DRAWS_COST = 2048,    /* the same where fresh runs have no hooks that slow them down */
    RECORD_COST = 8,      /* and of each of its records */
    QUIET_COST = 1 << 20, /* what shows nothing new for so long gives fresh runs a share more */
    SHARES_MOST = 16,     /* at most so many */
    TURN_AT = 5 << 20,    /* cost of 20,000 fresh runs: then guided ones get ... */
    TURN_SHARES = 9,      /* so many shares, unless they have shown nothing new for ... */
    TURN_QUIET = 64 << 20,
    ENTRY_MAX = 8192, /* bytes */
    CORPUS_MAX = 1024,
    REPLACEMENTS_MAX = 256,  /* of an entry */
    CUT = 8,                 /* bytes that an entry keeps after the last news, half of the time */
    CHAIN_MAX = 12,          /* links */
    CHAIN_REPLACEMENTS = 16, /* looked at in a run that shows nothing new */
    CHAIN_FOLLOWED = 3,
    CHAIN_SUMS = 3,  /* links after which a sum may be made right */
    LINKS_MAX = 256, /* chains that wait */
    NEWEST = 8,
    TAIL_SIZES = 10, /* fresh bytes: 8, 16, ..., 4096 */
    TRIED_SLOTS = 1 << 16,
    DRAWS_SHARES = 8, /* shares of fresh runs where draws alone guide, until there is news */
    RAN_OUT = 1,      /* how high a run came that ended for lack of bytes */
    FIRST_GOAL = FRNG_GUIDE_SITES - FRNG_GUIDE_GOALS /* place */
};

/* An input, some of its draws, and replacements of it. */
typedef struct entry {
    uint32_t size, draw_count, replacement_count;
    uint32_t next;  /* replacement to make */
    uint32_t depth; /* of its chain, if it is a link of one */
    uint32_t peak;  /* bytes drawn when it came higher to a goal than any before; 0: it did not */
    frng_guide_record *draws;
    replacement *replacements;
    uint8_t *bytes;
} entry;

typedef struct row {
    uint64_t at;   /* cost of the fresh runs before it */
    uint64_t cost; /* of the guided runs before it */
    uint32_t count;
    uint32_t depth[CANDIDATE_SET_COUNT_MAX]; /* of chains; 0: none begins there */
    uint32_t again[CANDIDATE_SET_COUNT_MAX]; /* 1 and the entry that is looked at whole; or 0 */
    uint64_t ends[CANDIDATE_SET_COUNT_MAX];
    uint8_t bytes[GUIDE_SET_BYTES];
    frng_guide_table known;
} row;

struct guide {
    uint64_t size_max;       /* of an input */
    const dictionary *words; /* of the program; or NULL */
    bool by_draws;           /* nothing but the draws of runs tells how far they came */
    uint64_t random;
    uint64_t planned, taken, under_way; /* rows; those under way follow those taken */
    uint64_t next_at, cost;             /* of the next row to plan */
    uint64_t drawn_share, drawn_most;   /* of the bytes of fresh runs, in 1/1024; of any run */
    uint64_t quiet_cost, quiet_rows;    /* of guided rows since the last news */
    uint64_t drawn;                     /* most bytes of a run */
    uint32_t corpus_count, looked_count, link_count;
    entry *corpus[CORPUS_MAX], *links[LINKS_MAX];
    uint64_t tried[TRIED_SLOTS];
    letter_table letters;
    guide_run run; /* that is looked at */
    replacement replacements[REPLACEMENTS_MAX];
    frng_guide_site known[FRNG_GUIDE_SITES];
    uint64_t offered[FRNG_GUIDE_GOALS];           /* how high fresh runs came that were offered */
    entry *highest[FRNG_GUIDE_GOALS];             /* runs that came highest to goals, up to there */
    uint32_t goal_count, goals[FRNG_GUIDE_GOALS]; /* which goals have one */
    row rows[ROWS_AHEAD];
};

/* ---- Random numbers ---- */

static uint64_t draw(guide *g) { return frng__splitmix64(&g->random); }
static uint64_t below(guide *g, uint64_t count) { return (draw(g) >> 32) * count >> 32; }
static bool coin(guide *g) { return draw(g) >> 63; }

/* ---- The corpus ---- */

/* Return the first `size` bytes of the run, with `draws` draws and `count` replacements of it, as
 * far as they are within. */
static entry *entry_create(const guide_run *run, uint64_t size, size_t draws,
                           const replacement *replacements, size_t count) {
    entry *e =
        memory_new(sizeof *e + draws * sizeof *e->draws + count * sizeof *replacements + size);
    *e = (entry){.size = (uint32_t)size, .draws = (void *)(e + 1)};
    for (size_t i = 0; i < draws; i++)
        if (run->draws[i]->u.draw.end <= size) e->draws[e->draw_count++] = *run->draws[i];
    e->replacements = (void *)(e->draws + e->draw_count);
    for (size_t i = 0; i < count; i++)
        if (replacements[i].to <= size) e->replacements[e->replacement_count++] = replacements[i];
    e->bytes = (void *)(e->replacements + e->replacement_count);
    memcpy(e->bytes, run->bytes, size);
    return e;
}

/* Keep the run, in the place of entry `again` - 1 unless that is 0. */
static void keep(guide *g, uint64_t size, size_t replacements, uint32_t again, uint64_t peak) {
    entry *e = entry_create(&g->run, size, g->run.draw_count, g->replacements, replacements);
    const bool is_full = g->corpus_count == CORPUS_MAX;
    const uint64_t at = again > 0 ? again - 1 : is_full ? below(g, CORPUS_MAX) : g->corpus_count++;
    if (again > 0) peak = larger(peak, g->corpus[at]->peak);
    e->peak = (uint32_t)smaller(peak, size);
    free(g->corpus[at]);
    g->corpus[at] = e;
}

/* ---- Chains ---- */

static uint64_t hash(uint64_t h, const uint8_t *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i++) h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* True if no run, as far as is remembered, had these bytes before this replacement. */
static bool is_untried(guide *g, const replacement *change) {
    uint64_t h = hash(change->from, g->run.bytes, change->from);
    h = hash((h ^ change->to) * UINT64_C(0x9e3779b97f4a7c15), change->bytes, change->size);
    uint64_t *slot = &g->tried[frng__splitmix64(&h) % TRIED_SLOTS];
    const bool is_new = *slot != h;
    *slot = h;
    return is_new;
}

/* Follow some of the replacements that the run has behind byte `from`. */
static void follow(guide *g, size_t count, uint64_t from, uint32_t depth) {
    unsigned followed = 0;
    const uint64_t size = smaller(g->run.size, ENTRY_MAX);
    for (size_t i = 0; i < count && followed < CHAIN_FOLLOWED; i++) {
        const replacement *change = &g->replacements[i];
        if (change->from < from || change->to > size || !is_untried(g, change)) continue;
        followed++;
        if (g->link_count == LINKS_MAX) { /* the oldest goes */
            free(g->links[0]);
            memmove(&g->links[0], &g->links[1], --g->link_count * sizeof g->links[0]);
        }
        entry *link = entry_create(&g->run, size, 0, change, 1);
        link->depth = depth;
        g->links[g->link_count++] = link;
    }
}

/* ---- Planning ---- */

/* Have the newest run looked at from byte `from` on; where draws guide, each is from byte 0 on. */
static void set_from(const guide *g, row *r, uint32_t from) {
    if (!g->by_draws) r->known.from[r->count - 1] = from;
}

/* Append a case: the first `head` bytes of an entry, a replacement in the place of what follows
 * (NULL: none), its last `rest` bytes, and fresh ones, as far as an input may have them. Return
 * where it was put; NULL without room. */
static uint8_t *put(guide *g, row *r, const entry *e, uint64_t head, const replacement *change,
                    uint64_t rest, bool has_tail, uint32_t depth) {
    const uint64_t start = r->count > 0 ? r->ends[r->count - 1] : 0;
    const uint64_t most = smaller(UINT64_C(8) << below(g, TAIL_SIZES), 8 + 2 * g->drawn);
    if (change != NULL && head + change->size > g->size_max) change = NULL;
    if (head + (change != NULL ? change->size : 0) + rest > g->size_max) rest = 0;
    const uint64_t size = head + (change != NULL ? change->size : 0) + rest;
    const uint64_t tail = has_tail ? smaller(most, g->size_max - size) : 0;
    if (GUIDE_SET_BYTES - start < size + tail) return NULL;
    uint8_t *at = r->bytes + start;
    if (head > 0) memcpy(at, e->bytes, head);
    if (change != NULL) memcpy(at + head, change->bytes, change->size);
    if (rest > 0) memcpy(at + size - rest, e->bytes + e->size - rest, rest);
    (coin(g) ? frng_expand : frng_expand_styled)(draw(g), at + size, tail);
    r->depth[r->count] = depth;
    r->again[r->count] = 0;
    r->ends[r->count++] = start + size + tail;
    set_from(g, r, (uint32_t)head | (depth == 0 ? FRNG_GUIDE_NEWS : 0));
    return at;
}

/* Make a replacement, with the same bytes behind it or fresh ones. */
static bool put_replacement(guide *g, row *r, const entry *e, const replacement *change,
                            uint32_t depth) {
    return put(g, r, e, change->from, change, coin(g) ? e->size - change->to : 0, true, depth) !=
           NULL;
}

/* Write the bytes of another value of a draw of an entry. Return their count, or 0. */
static size_t encode_other(guide *g, const entry *e, const frng_guide_record *d, uint8_t *bytes) {
    const uint64_t min = d->u.draw.min, max = d->u.draw.max;
    const uint64_t step = UINT64_C(1) << below(g, 8u * d->width);
    uint64_t value = guide_value(d);
    switch (below(g, 5)) {
    case 0: value ^= step; break;
    case 1: value += step; break;
    case 2: value -= step; break;
    case 3: value = guide_value(&e->draws[below(g, e->draw_count)]); break;
    default: value = max - min < UINT32_MAX ? min + below(g, max - min + 1) : draw(g);
    }
    return guide_encode(d, value, &g->letters, bytes);
}

/* Change any draw of an entry in place, mostly one of the last. Return where it begins. */
static uint64_t change(guide *g, const entry *e, uint8_t *bytes) {
    const uint64_t most = coin(g) ? e->draw_count : smaller(e->draw_count, NEWEST);
    const frng_guide_record *d = &e->draws[e->draw_count - 1 - below(g, most)];
    const uint64_t size = d->u.draw.end - d->u.draw.start;
    uint8_t encoded[FRNG_ENCODED_MAX];
    if (d->kind == FRNG_BYTES) {
        if (size > 0) bytes[d->u.draw.start + below(g, size)] = (uint8_t)draw(g);
    } else if (encode_other(g, e, d, encoded) == size) {
        memcpy(bytes + d->u.draw.start, encoded, size);
    }
    return d->u.draw.start;
}

/* Repeat an entry with some draws changed. */
static bool put_changed(guide *g, row *r, const entry *e) {
    uint8_t *at = put(g, r, e, e->size, NULL, 0, coin(g), 0);
    uint64_t from = e->size;
    if (at == NULL) return false;
    for (uint64_t times = coin(g) ? 1 : 1 + below(g, 4); e->draw_count > 0 && times > 0; times--)
        from = smaller(from, change(g, e, at));
    set_from(g, r, (uint32_t)from | FRNG_GUIDE_NEWS);
    return true;
}

/* Repeat an entry up to its peak, or to a draw before, with fresh bytes behind. */
static bool put_beginning(guide *g, row *r, const entry *e) {
    uint64_t head = e->peak;
    const uint64_t most = coin(g) ? e->draw_count : smaller(e->draw_count, NEWEST);
    if (most > 0 && coin(g))
        head = smaller(head, e->draws[e->draw_count - 1 - below(g, most)].u.draw.start);
    return put(g, r, e, head, NULL, 0, true, 0) != NULL;
}

/* Repeat an entry without some draws that follow each other, mostly one; with as many bytes more,
 * the same again or fresh ones; or with another value of a draw in as many bytes as that needs. */
static bool put_moved(guide *g, row *r, const entry *e) {
    if (e->draw_count == 0) return put_beginning(g, r, e);
    const uint64_t at = below(g, e->draw_count), most = coin(g) ? 1 : e->draw_count - at;
    const frng_guide_record *first = &e->draws[at], *last = &e->draws[at + below(g, most)];
    const uint64_t start = first->u.draw.start, end = last->u.draw.end, how = below(g, 4);
    if (end < start) return put_beginning(g, r, e); /* the target reported draws in no order */
    replacement change = {.size = (uint32_t)smaller(end - start, REPLACEMENT_MAX)};
    memcpy(change.bytes, e->bytes + start, change.size);
    if (coin(g)) frng_expand(draw(g), change.bytes, change.size);
    if (how == 1) change.size = (uint32_t)encode_other(g, e, first, change.bytes);
    const uint64_t rest = how > 1 ? start : how == 1 ? first->u.draw.end : end;
    return put(g, r, e, start, how > 0 ? &change : NULL, e->size - rest, coin(g), 0) != NULL;
}

/* Repeat an entry with entries of the dictionary in the place of some draws. */
static bool put_words(guide *g, row *r, const entry *e) {
    uint8_t bytes[ENTRY_MAX];
    if (e->draw_count == 0) return put_changed(g, r, e);
    const size_t size =
        dictionary_rewrite(g->words, &g->random, e->draws, e->draw_count, e->bytes, e->size,
                           &g->letters, bytes, smaller(sizeof bytes, g->size_max));
    const entry written = {.size = (uint32_t)size, .bytes = bytes};
    return put(g, r, &written, size, NULL, 0, coin(g), 0) != NULL;
}

/* The place of a goal without a name: how many draws a run made. */
static uint32_t depth_place(void) { return frng__goal_place(""); }

/* True if a run that came so high to a place is there because it ended for lack of bytes. */
static bool is_ran_out(const guide *g, uint32_t place, uint64_t near) {
    return g->by_draws && place == depth_place() && near == RAN_OUT;
}

/* Go on from a run that came highest to a goal, if there is one that did not run out of bytes. */
static bool put_climb(guide *g, row *r) {
    uint32_t goal = g->goals[below(g, g->goal_count)];
    while (g->goal_count > 1 && is_ran_out(g, FIRST_GOAL + goal, g->known[FIRST_GOAL + goal].near))
        goal = g->goals[below(g, g->goal_count)];
    const entry *e = g->highest[goal];
    const uint64_t how = below(g, 8);
    if (g->words != NULL && coin(g)) return put_words(g, r, e);
    return how == 0 ? put_moved(g, r, e) : how <= 3 ? put_beginning(g, r, e) : put_changed(g, r, e);
}

/* Repeat a new entry, to look at all of it: its own run was not, up to what it changed. */
static bool put_again(guide *g, row *r) {
    const entry *e = g->corpus[g->looked_count];
    if (put(g, r, e, e->size, NULL, 0, false, 0) == NULL) return false;
    set_from(g, r, 0);
    r->again[r->count - 1] = ++g->looked_count;
    return true;
}

/* Plan the next run. False if the row has no room for it. */
static bool plan_one(guide *g, row *r, uint32_t most) {
    if (g->goal_count > 0 && r->count < most / 2) return put_climb(g, r);
    if (g->looked_count < g->corpus_count) return put_again(g, r);
    if (g->link_count > 0 && r->count < most / (g->goal_count > 0 ? 1 : 2)) {
        entry *link = g->links[--g->link_count];
        const bool is_put = put_replacement(g, r, link, link->replacements, link->depth);
        free(link);
        return is_put;
    }
    const uint32_t count = g->corpus_count;
    if (count == 0 || below(g, 8) == 0) return put(g, r, NULL, 0, NULL, 0, true, 0) != NULL;
    entry *e = g->corpus[coin(g) ? below(g, count) : count - 1 - below(g, smaller(count, NEWEST))];
    if (e->peak > 0 && below(g, 3) == 0) return put_beginning(g, r, e);
    const bool has_new = e->next < e->replacement_count;
    if (below(g, 2) == 0 && (has_new || (e->replacement_count > 0 && below(g, 4) == 0)))
        return put_replacement(
            g, r, e, &e->replacements[has_new ? e->next++ : below(g, e->replacement_count)], 1);
    return g->words != NULL && coin(g) ? put_words(g, r, e) : put_changed(g, r, e);
}

/* Let fresh runs follow for what guided ones cost. */
static void charge(guide *g, uint64_t cost) {
    const bool has_depth = g->by_draws && g->highest[depth_place() - FIRST_GOAL] != NULL;
    const bool has_goal = g->goal_count > has_depth;
    const bool may_turn = !g->by_draws && !has_goal && g->quiet_cost < TURN_QUIET;
    const uint64_t shares = smaller(1 + g->quiet_cost / QUIET_COST, has_goal ? 1 : SHARES_MOST);
    g->next_at += may_turn && g->next_at >= TURN_AT ? cost / TURN_SHARES : cost * shares;
    g->cost += cost;
    g->quiet_cost += cost;
}

/* Plan a row, from all results so far. */
static void plan(guide *g) {
    row *r = &g->rows[g->planned++ % ROWS_AHEAD];
    const uint32_t most = (uint32_t)smaller((uint64_t)ROW_NEWS << smaller(g->quiet_rows, 10),
                                            g->by_draws ? ROW_MOST_DRAWS : ROW_MOST);
    r->at = g->next_at;
    r->cost = g->cost;
    r->count = 0;
    memcpy(r->known.sites, g->known, sizeof g->known);
    for (uint32_t i = 0; i < g->goal_count; i++) /* as high is news to the target, too */
        r->known.sites[FIRST_GOAL + g->goals[i]].near--;
    while (r->count < most && plan_one(g, r, most)) continue;
    assert(r->count > 0);
}

/* ---- Results ---- */

/* Keep what the run had drawn when it came highest to a goal, or as high, in the place of an
 * earlier one. */
static void keep_highest(guide *g, uint32_t goal, uint64_t at) {
    entry *e = entry_create(&g->run, smaller(g->run.size, at), g->run.draw_count, NULL, 0);
    if (g->highest[goal] == NULL) g->goals[g->goal_count++] = goal;
    free(g->highest[goal]);
    e->peak = e->size;
    g->highest[goal] = e;
}

/* How many draws a run made is how high it came, unless it ended for lack of bytes: what it drew
 * then follows from what it was given. The newest such run is the highest as long as no other kind
 * was seen. All show letters, which texts are written in. */
static void note_depth(guide *g, const candidate_set *set, uint32_t passed) {
    frng_guide_site *deepest = &set->known->sites[depth_place()];
    for (uint64_t i = 0; i < set->log_count; i++) {
        const frng_guide_record *r = &set->log[i];
        if (r->type != FRNG_GUIDE_DRAW || r->run >= passed) continue;
        const uint64_t depth = set->passes[r->run].ran_out ? RAN_OUT : RAN_OUT + 1 + r->draws;
        guide_learn_letter(r, &g->letters);
        if (depth < deepest->near || set->passes[r->run].discarded) continue;
        *deepest = (frng_guide_site){depth, (uint32_t)r->u.draw.end, r->run};
    }
}

/* Find out what a row has shown that was not known. Return whether it is anything; has_news[i] is 1
 * and the bytes that run `i` had drawn at its last news, or 0; peaks[i] the same where it came
 * highest to a goal, or as high as any; climbs[i] 1 and the run that did so to goal `i`, or 0. */
static bool find_news(guide *g, const candidate_set *set, uint32_t passed, uint64_t *has_news,
                      uint64_t *peaks, uint32_t *climbs) {
    bool is_any = false;
    for (uint32_t i = 0; i < FRNG_GUIDE_SITES; i++) {
        frng_guide_site now = set->known->sites[i], *best = &g->known[i];
        if (now.run >= passed || now.near < larger(1, best->near)) continue;
        if (i >= FIRST_GOAL && set->passes[now.run].discarded) continue;
        const bool is_shorter = !is_ran_out(g, i, now.near) && now.at < best->at - best->at / 4;
        const bool is_news = now.near > best->near || is_shorter;
        if (!is_news && i < FIRST_GOAL) continue;
        if (i >= FIRST_GOAL) climbs[i - FIRST_GOAL] = 1 + now.run;
        if (i >= FIRST_GOAL) peaks[now.run] = larger(peaks[now.run], 1 + (uint64_t)now.at);
        *best = (frng_guide_site){now.near, now.at, UINT32_MAX};
        if (!is_news) continue;
        has_news[now.run] = larger(has_news[now.run], 1 + (uint64_t)now.at);
        is_any = true;
    }
    return is_any;
}

/* Look at run `k`, whose records these are. `news`, `peak`, `climbs`: see find_news. */
static void learn(guide *g, const row *r, uint32_t k, uint64_t news, uint64_t peak,
                  const uint32_t *climbs, const frng_guide_record *records, size_t count) {
    const uint32_t depth = r->depth[k];
    const uint32_t from = g->by_draws ? 0 : r->known.from[k] & ~FRNG_GUIDE_NEWS;
    const bool is_whole = r->again[k] > 0, is_kept = news > 0 || is_whole;
    uint64_t size = smaller(g->run.size, ENTRY_MAX);
    const bool is_looked_at = is_kept || (depth > 0 && depth < CHAIN_MAX);
    if (!is_looked_at && peak == 0) return;
    guide_run_read(&g->run, records, count, &g->letters);
    for (uint32_t i = 0; peak > 0 && i < FRNG_GUIDE_GOALS; i++)
        if (climbs[i] == 1 + k) keep_highest(g, i, g->known[FIRST_GOAL + i].at);
    if (!is_looked_at) return;
    const replacement_steps steps = is_kept               ? STEPS_ALL
                                    : depth <= CHAIN_SUMS ? STEPS_OF_SUM
                                                          : STEPS_NONE;
    const size_t replacements =
        replacements_find(&g->run, &g->letters, is_kept ? 0 : from, steps, g->replacements,
                          is_kept ? REPLACEMENTS_MAX : CHAIN_REPLACEMENTS);
    if (!is_whole && news > 0 && news - 1 + CUT < size && coin(g)) size = news - 1 + CUT;
    if (is_kept) keep(g, size, replacements, r->again[k], peak > 0 ? peak - 1 : 0);
    if (!is_whole) follow(g, replacements, from, depth + 1);
}

void guide_take(guide *g, const candidate_set *set, uint32_t passed) {
    const row *r = &g->rows[g->taken++ % ROWS_AHEAD];
    uint64_t news[CANDIDATE_SET_COUNT_MAX] = {0}, peaks[CANDIDATE_SET_COUNT_MAX] = {0}, i = 0;
    uint32_t climbs[FRNG_GUIDE_GOALS] = {0};
    const uint64_t made = smaller(passed + 1, r->count);
    assert(g->under_way-- > 0 && passed <= r->count);
    g->quiet_rows++;
    if (g->by_draws) note_depth(g, set, passed);
    if (find_news(g, set, passed, news, peaks, climbs)) g->quiet_rows = g->quiet_cost = 0;
    for (uint32_t k = 0; k < passed; k++) {
        const uint64_t begin = i;
        while (i < set->log_count && set->log[i].run == k) i++;
        g->run.bytes = candidate_set_bytes(set, k);
        g->run.size = smaller(set->passes[k].drawn, candidate_set_size(set, k));
        const uint64_t wanted = set->passes[k].ran_out ? candidate_set_size(set, k) : g->run.size;
        g->drawn = larger(g->drawn, smaller(wanted, ENTRY_MAX));
        learn(g, r, k, news[k], peaks[k], climbs, &set->log[begin], i - begin);
    }
    charge(g, made * (g->by_draws ? DRAWS_COST : GUIDED_COST) + r->ends[made - 1] +
                  set->log_count * RECORD_COST);
    plan(g);
}

/* Return the number of a goal's place, or FRNG_GUIDE_GOALS if another goal, or the count of draws,
 * shares the place: then the heights that guided runs record there may be of either. */
static uint32_t goal_of(const guide *g, const tally *t, const tally_row *goal) {
    const uint32_t place = frng__goal_place(goal->name);
    if (g->by_draws && place == depth_place()) return FRNG_GUIDE_GOALS;
    for (size_t i = 0; i < t->row_count; i++) {
        const tally_row *other = &t->rows[i];
        if (other != goal && other->kind == TALLY_GOAL && frng__goal_place(other->name) == place)
            return FRNG_GUIDE_GOALS;
    }
    return place - FIRST_GOAL;
}

void guide_offer(guide *g, const tally *t) {
    static uint8_t bytes[ENTRY_MAX];
    if (t->lost > 0) return; /* of too many names, those that have a row depend on the batches */
    for (size_t i = 0; i < t->row_count && g->corpus_count < CORPUS_MAX; i++) {
        const tally_row *goal = &t->rows[i];
        const uint32_t at = goal->kind == TALLY_GOAL ? goal_of(g, t, goal) : FRNG_GUIDE_GOALS;
        if (at == FRNG_GUIDE_GOALS) continue;
        const uint64_t size = smaller(goal->at.size, smaller(ENTRY_MAX, g->size_max));
        uint64_t *offered = &g->offered[at];
        if (goal->most <= larger(*offered, g->known[FIRST_GOAL + at].near)) continue;
        *offered = goal->most;
        const seed_input from = seed_input_cut(goal->at, size);
        seed_input_expand(&from, bytes);
        g->run.bytes = bytes;
        g->corpus[g->corpus_count++] = entry_create(&g->run, size, 0, NULL, 0);
    }
}

uint64_t guide_height(const guide *g, const tally *t, const tally_row *goal) {
    const uint32_t at = g != NULL ? goal_of(g, t, goal) : FRNG_GUIDE_GOALS;
    return at == FRNG_GUIDE_GOALS ? goal->most : larger(goal->most, g->known[FIRST_GOAL + at].near);
}

void guide_add_to_tally(const guide *g, tally *t) {
    t->compares_outside = g != NULL && g->known[FRNG_GUIDE_OUTSIDE].near > 0;
    for (size_t i = 0; g != NULL && i < t->row_count; i++) {
        tally_row *goal = &t->rows[i];
        const uint32_t at = goal->kind == TALLY_GOAL ? goal_of(g, t, goal) : FRNG_GUIDE_GOALS;
        const entry *e = at < FRNG_GUIDE_GOALS ? g->highest[at] : NULL;
        seed_input input;
        if (e != NULL && seed_input_keep(e->bytes, e->size, &input))
            tally_climbed(goal, guide_height(g, t, goal), input);
    }
}

/* ---- Turns ---- */

guide_answer guide_turn(const guide *g, uint64_t fresh, bool is_over, uint64_t *room) {
    const uint64_t next = g->taken + g->under_way;
    const bool is_planned = next < g->planned;
    const row *r = &g->rows[next % ROWS_AHEAD];
    const uint64_t at = is_planned ? r->at : g->next_at;
    *room = UINT64_MAX;
    if (g->planned == 0) return GUIDE_FRESH;
    if (is_over && (is_planned ? r->cost : g->cost) >= fresh)
        return g->under_way > 0 ? GUIDE_WAIT : GUIDE_FRESH;
    if (is_over || fresh >= at) return is_planned ? GUIDE_ROW : GUIDE_WAIT;
    *room = at - fresh;
    return GUIDE_FRESH;
}

void guide_fill(guide *g, candidate_set *set) {
    const row *r = &g->rows[(g->taken + g->under_way++) % ROWS_AHEAD];
    assert(set->bytes_max >= GUIDE_SET_BYTES);
    set->is_guided = true;
    *set->known = r->known;
    memcpy(set->bytes, r->bytes, r->ends[r->count - 1]);
    memcpy(set->ends, r->ends, r->count * sizeof r->ends[0]);
    set->count = r->count;
}

void guide_forget(guide *g) { g->under_way = 0; }

uint64_t guide_runs_under_way(const guide *g) {
    uint64_t runs = 0;
    for (uint64_t i = 0; g != NULL && i < g->under_way; i++)
        runs += g->rows[(g->taken + i) % ROWS_AHEAD].count;
    return runs;
}

uint64_t guide_cost(const guide *g, uint64_t runs, uint64_t size) {
    const uint64_t drawn = size / 1024 * g->drawn_share + size % 1024 * g->drawn_share / 1024;
    return runs * (FRESH_COST + smaller(drawn, g->drawn_most));
}

uint64_t guide_begin(guide *g, bool by_draws, uint64_t runs, uint64_t size, uint64_t drawn,
                     uint64_t most) {
    g->by_draws = by_draws;
    if (by_draws) g->quiet_cost = DRAWS_SHARES * QUIET_COST;
    if (!by_draws) g->words = NULL;
    g->drawn_share = smaller(1024, drawn / (1 + size / 1024));
    g->drawn_most = most;
    g->next_at = runs * FRESH_COST + drawn;
    for (int i = 0; i < ROWS_AHEAD; i++) plan(g);
    return runs * FRESH_COST + drawn;
}

bool guide_has_begun(const guide *g) { return g->planned > 0; }

/* ---- Life ---- */

guide *guide_create(uint64_t seed, uint64_t size_max, const dictionary *words) {
    guide *g = memory_zeroed(1, sizeof *g);
    g->random = seed;
    g->size_max = size_max;
    g->words = words;
    for (int i = 0; i < FRNG_GUIDE_SITES; i++) g->known[i].run = UINT32_MAX;
    return g;
}

void guide_destroy(guide *g) {
    if (g == NULL) return;
    while (g->corpus_count > 0) free(g->corpus[--g->corpus_count]);
    while (g->link_count > 0) free(g->links[--g->link_count]);
    for (size_t i = 0; i < FRNG_GUIDE_GOALS; i++) free(g->highest[i]);
    free(g);
}
