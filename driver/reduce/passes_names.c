/* passes_names.c: passes that know which names of a text are used.
 *
 * What nobody uses goes all at once or by halves, and so do its uses of others: declarations and
 * groups of LLVM. The name that a unit defines is guessed: the word before its first sign, if it
 * has a mark, as in $f or @f. A unit whose name occurs once in the text is not used. In C, where
 * names have no mark, `units` is faster: it deletes what is used, too, with its users. */
#include "bytes.h"
#include "outline.h"
#include "pass.h"
#include "patch.h"

#include <string.h>

enum {
    LEVELS = 3,
    TEXT_MIN = 1 << 15,
    IN_VAIN = 10,
    SLOTS = 1 << 17,
    SLOTS_BYTE = 4,
    MANY = 2,
    NO_MARK = 1
};

/* How often words of a hash occur: 0, 1 or MANY. Two words of one hash count as used. */
typedef struct name_counts {
    uint8_t slots[SLOTS / SLOTS_BYTE];
} name_counts;

static size_t hash_more(size_t hash, uint8_t c) { return (hash ^ c) * 0x01000193u; }

static size_t slot_of(size_t hash) { return (hash ^ hash >> 15) % SLOTS; }

static unsigned count_of(const name_counts *n, size_t hash) {
    const size_t slot = slot_of(hash);
    return n->slots[slot / SLOTS_BYTE] >> slot % SLOTS_BYTE * 2 & 3;
}

/* A mark before a name is a part of it: $f is not @f. */
static uint8_t mark_before(const testcase *t, size_t at) {
    const uint8_t c = at > 0 ? text_byte(t, at - 1) : '\n';
    return memchr("$@%#!", c, 5) != NULL ? c : NO_MARK;
}

static void count_names(const testcase *t, name_counts *n) {
    memset(n, 0, sizeof *n);
    for (size_t at = 0, hash = 0; at <= t->count; at++) {
        const uint8_t c = text_byte(t, at);
        if (text_is_word(c)) {
            if (hash == 0) hash = hash_more(0, mark_before(t, at));
            hash = hash_more(hash, c);
        } else if (hash > 0) {
            const size_t slot = slot_of(hash);
            const unsigned step = count_of(n, hash) < MANY;
            n->slots[slot / SLOTS_BYTE] += (uint8_t)(step << slot % SLOTS_BYTE * 2);
            hash = 0;
        }
    }
}

static bool is_unused(const testcase *t, const name_counts *n, const unit *u) {
    size_t end = u->start;
    if (u->comma != SIZE_MAX) return false;
    while (end < u->end && memchr("(=;{[", text_byte(t, end), 5) == NULL) end++;
    if (end == u->end) return false;
    while (end > u->start && !text_is_word(text_byte(t, end - 1))) end--;
    size_t start = end;
    while (start > u->start && text_is_word(text_byte(t, start - 1))) start--;
    const uint8_t mark = mark_before(t, start);
    size_t hash = hash_more(0, mark);
    if (mark == NO_MARK) return false;
    for (size_t i = start; i < end; i++) hash = hash_more(hash, text_byte(t, i));
    return count_of(n, hash) == 1;
}

/* Delete the unused units from..to - 1 of a level, and return how many it has. */
static size_t walk_unused(const testcase *t, size_t level, size_t from, size_t to, patch *edits) {
    name_counts names;
    size_t count = 0;
    outline o = outline_begin(t, OUTLINE_BRACKETS, level);
    count_names(t, &names);
    for (unit u; outline_next(&o, t, &u);) {
        if (!is_unused(t, &names, &u)) continue;
        if (count >= from && count < to && !patch_delete(edits, u.start, u.end - u.start)) return 0;
        count++;
    }
    return count;
}

/* way: the level; at: the unused units behind the row, which stay; other: all in a text of `count`
 * bytes. */
static bool unused_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    const bool has_gone = p->count != t->count;
    if (!p->is_visited) {
        r->size = PATCH_MAX;
    } else {
        p->misses = has_gone ? 0 : p->misses + 1;
        p->at += row_search_go_on(r, has_gone);
    }
    p->is_visited = true;
    for (; p->way < LEVELS && t->count >= TEXT_MIN; p->way++) {
        if (p->misses <= IN_VAIN) p->other = walk_unused(t, p->way, 0, 0, NULL);
        p->count = t->count;
        if (p->misses <= IN_VAIN && p->at < p->other) {
            r->size = smaller(smaller(r->size, PATCH_MAX), p->other - p->at);
            return true;
        }
        p->at = p->misses = 0;
        r->size = PATCH_MAX;
    }
    return false;
}

static bool unused_edit(const testcase *t, const position *p, patch *edits) {
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, size = smaller(end, p->rows.size);
    return walk_unused(t, p->way, end - size, end, edits) > 0 && edits->count > 0;
}

PASS(unused, "unused", CHEAP, ALL, unused_next, NULL, unused_edit)
