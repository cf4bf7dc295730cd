#include "corpus.h"

#include "candidate_set.h"
#include "seeds.h"

#include <stdlib.h>

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

/* Add the first `size` bytes of a run, unless they were added last. */
static void add(corpus *c, corpus_row row, seed_input run, uint64_t size) {
    seed_prefix prefix;
    if (size == 0 || !seed_input_prefix(run, size, &prefix)) return;
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

corpus_plan corpus_plan_row(const corpus *c, corpus_row row, uint64_t size_limit) {
    const uint64_t random = seeds_fresh(c->master_seed, UINT64_MAX - row.number, 0);
    const size_t count = visible(c, row.number);
    const corpus_row found = count > 0 ? c->entries[count - 1].row : (corpus_row){0, 0};
    const size_t rank = pick_rank(random, count + 1); /* the last one is no prefix */
    const uint64_t length = ROW_MIN + ROW_STEP * (row.number - found.number);
    corpus_plan plan = {.count = length < ROW_MAX ? length : ROW_MAX,
                        .is_barren = row.before - found.before >= CORPUS_BARREN,
                        .random = random >> 8};
    if (rank < count) plan.prefix = c->entries[count - 1 - rank].prefix;
    if (seed_prefix_size(&plan.prefix) >= size_limit) plan.prefix.count = 0;
    return plan;
}
