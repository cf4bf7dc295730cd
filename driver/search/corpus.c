#include "corpus.h"

#include "candidate_set.h"
#include "frng_expand.h"
#include "seeds.h"

#include <stdlib.h>
#include <string.h>

/* The length of rows: short after a find, since a deeper one may follow from it. */
enum { ROW_MIN = 16, ROW_STEP = 4, ROW_MAX = 4096 };

/* A prefix, which ends where a feature was first shown. */
typedef struct entry {
    seed_prefix prefix;
    corpus_row row; /* in which it was found */
} entry;

struct corpus {
    feature_map *known;
    uint64_t master_seed;
    size_t count, room;
    entry *entries; /* in the order in which they were found */
    run_guide counts;
};

corpus *corpus_create(feature_map *known, uint64_t master_seed) {
    corpus *c = calloc(1, sizeof *c);
    if (c == NULL) return NULL;
    c->known = known;
    c->master_seed = master_seed;
    return c;
}

void corpus_destroy(corpus *c) {
    if (c == NULL) return;
    free(c->entries);
    free(c);
}

run_guide corpus_count(const corpus *c) { return c->counts; }

/* ---- Learning ---- */

static bool make_room(corpus *c) {
    if (c->count < c->room) return true;
    const size_t room = c->room == 0 ? 64 : 2 * c->room;
    entry *entries = realloc(c->entries, room * sizeof *entries);
    if (entries == NULL) return false;
    c->entries = entries;
    c->room = room;
    return true;
}

/* Find one seed for two short links. Return false if they are too long, or none is found. */
static bool join(const seed_link links[2], seed_link *joined) {
    enum { JOINED_MAX = 2, SEEDS_MAX = 1 << 20 }; /* one in 65,536 has the bytes */
    const seed_prefix both = {2, {links[0], links[1]}};
    uint8_t wanted[JOINED_MAX], bytes[JOINED_MAX];
    seed_link one = {.size = links[0].size + links[1].size, .style = SEED_PLAIN};
    if (one.size > JOINED_MAX) return false;
    seed_prefix_expand(&both, wanted);
    for (; one.seed < SEEDS_MAX; one.seed++) {
        frng_expand(one.seed, bytes, one.size);
        if (memcmp(bytes, wanted, one.size) != 0) continue;
        *joined = one;
        return true;
    }
    return false;
}

/* Join two links of a prefix, so that there is room for another one. */
static bool make_room_in(seed_prefix *p) {
    for (uint32_t i = 0; i + 1 < p->count; i++) {
        if (!join(&p->links[i], &p->links[i])) continue;
        p->count--;
        memmove(&p->links[i + 1], &p->links[i + 2], (p->count - i - 1) * sizeof p->links[0]);
        return true;
    }
    return false;
}

/* Add the first `size` bytes of a run, unless they were added last. */
static void add(corpus *c, corpus_row row, seed_input run, uint64_t size) {
    seed_prefix prefix;
    if (size == 0) return;
    run = seed_input_cut(run, size);
    if (run.prefix.count == SEED_LINKS_MAX - 1 && !make_room_in(&run.prefix)) return;
    if (!seed_input_prefix(run, size, &prefix)) return;
    if (c->count > 0 && seed_prefix_equal(&prefix, &c->entries[c->count - 1].prefix)) return;
    if (!make_room(c)) return;
    c->entries[c->count++] = (entry){prefix, row};
    if (prefix.count > 1) {
        c->counts.spliced++;
    } else {
        c->counts.fresh++;
    }
}

void corpus_learn(corpus *c, corpus_row row, const batch *runs, const feature_list *shown) {
    for (uint32_t i = 0; i < shown->count; i++) {
        const frng_feature_record *record = &shown->records[i];
        if (record->run >= runs->count || c->known->seen[record->feature] != 0) continue;
        c->known->seen[record->feature] = 1;
        add(c, row, batch_input(runs, record->run), record->offset);
    }
}

/* ---- Planning ---- */

/* Return the number of entries that count for a row. */
static size_t visible(const corpus *c, uint64_t row) {
    size_t count = c->count;
    while (count > 0 && c->entries[count - 1].row.number + CORPUS_LAG > row) count--;
    return count;
}

/* Pick one of `count` things by how new they are, the newest for 0: those of ranks 1 to 2, 3 to 6,
 * 7 to 14 and so on together as often as the newest alone. */
static size_t pick_rank(uint64_t random, size_t count) {
    unsigned classes = 0;
    while (((size_t)2 << classes) - 1 < count) classes++;
    const unsigned class = (unsigned)(random >> 32) % (classes + 1);
    const size_t first = ((size_t)1 << class) - 1, width = (size_t)1 << class;
    const size_t rank = first + (size_t)(random & UINT32_MAX) % width;
    return rank < count ? rank : (size_t)(random & UINT32_MAX) % count;
}

/* Where a row goes on. */
typedef enum cut_place {
    CUT_WHERE_SHOWN, /* behind the draw that showed something new */
    CUT_AT_END,      /* the same again, for twice the chance */
    CUT_NEAR,        /* soon behind the first fresh byte of the run that showed it */
    CUT_ANYWHERE,
    CUT_PLACES
} cut_place;

/* Pick where to go on. Behind all that the longest run drew nothing is fresh. */
static cut_place pick_place(uint64_t size, uint64_t longest, uint64_t random) {
    const cut_place place = (cut_place)(random % CUT_PLACES);
    if (size < longest) return place;
    return place % 2 == 0 ? CUT_NEAR : CUT_ANYWHERE;
}

/* Return where to cut a prefix. What it showed may depend on bytes in the midst of a draw, or show
 * only after all draws, so that its end is not always the place to go on from. */
static uint64_t cut_at(const seed_prefix *p, uint64_t longest, uint64_t random) {
    const uint64_t size = seed_prefix_size(p);
    if (size == 0) return 0;
    const uint64_t last = p->links[p->count - 1].size;
    switch (pick_place(size, longest, random)) {
    case CUT_NEAR: return size - last + 1 + pick_rank(random / CUT_PLACES, last);
    case CUT_ANYWHERE: return random / CUT_PLACES % size;
    case CUT_WHERE_SHOWN:
    case CUT_AT_END:
    case CUT_PLACES: break;
    }
    return size;
}

/* Return the first `size` bytes of a prefix. */
static seed_prefix cut(const seed_prefix *p, uint64_t size) {
    seed_prefix shorter = {.count = 0};
    for (uint32_t i = 0; i < p->count && size > 0; i++) {
        seed_link link = p->links[i];
        if (link.size > size) link.size = size;
        shorter.links[shorter.count++] = link;
        size -= link.size;
    }
    return shorter;
}

/* Rows without anything new after which more of them begin from old entries. */
enum { PATIENCE = 16 };

/* Pick the rank of the entry to begin from: 0 is the newest, `count` no entry. What was found last
 * is often one step from the next find; but it may lead nowhere, and one of many others may be the
 * one that is a step away. */
static size_t pick_parent(size_t count, uint64_t rows_since, uint64_t random) {
    enum { HOWS = 4 };
    const uint64_t rest = random / HOWS;
    const bool is_patient = rows_since < PATIENCE;
    switch (random % HOWS) {
    case 0: return 0;
    case 1: return is_patient ? 0 : rest % (count + 1);
    case 2: return is_patient ? pick_rank(rest, count + 1) : rest % (count + 1);
    default: return pick_rank(rest, count + 1);
    }
}

/* Return random number `which` of a row. */
static uint64_t random_of(const corpus *c, corpus_row row, uint64_t which) {
    return seeds_fresh(c->master_seed, UINT64_MAX - row.number * 4 - which, 0);
}

corpus_plan corpus_plan_row(const corpus *c, corpus_row row, corpus_sizes sizes) {
    const size_t count = visible(c, row.number);
    const corpus_row found = count > 0 ? c->entries[count - 1].row : (corpus_row){0, 0};
    const uint64_t rows_since = row.number - found.number;
    const size_t rank = pick_parent(count, rows_since, random_of(c, row, 0));
    const uint64_t length = ROW_MIN + ROW_STEP * rows_since;
    corpus_plan plan = {.count = length < ROW_MAX ? length : ROW_MAX,
                        .barren = row.before - found.before,
                        .random = random_of(c, row, 1)};
    if (rank >= count) return plan;
    const seed_prefix *parent = &c->entries[count - 1 - rank].prefix;
    if (seed_prefix_size(parent) >= sizes.limit) return plan;
    plan.parent_size = seed_prefix_size(parent);
    plan.prefix = cut(parent, cut_at(parent, sizes.longest, random_of(c, row, 2)));
    return plan;
}
