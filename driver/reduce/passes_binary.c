/* Passes for files of chunks, each of which says how long it is.
 *
 * After a head of the file, each chunk has a length, a body of as many bytes, and a few bytes of
 * a fixed count before the length and around the body, as types and check sums are. The layout
 * is guessed: with it, the chunks end where the file does, or a few bytes before. Records, the
 * simplest chunks, are found in any number and of any size. Formats that have more than that are
 * rows of a table (form.h). The last pass removes whole files of several. */
#include "bytes.h"
#include "form.h"
#include "pass.h"
#include "patch.h"

#include <string.h>

typedef struct layout {
    size_t head;   /* bytes of the file before the first chunk */
    size_t before; /* bytes of each chunk before its length */
    size_t after;  /* and after its length, around the body */
    size_t width;  /* bytes of the length; 0: 7 bits in each, and one more follows (LEB128) */
    bool is_big;   /* big-endian */
} layout;

/* A chunk from `start` to `end`. */
typedef struct chunk {
    size_t start, end;
    form_number length;
} chunk;

static form_number number_at(const testcase *t, const layout *l, size_t at) {
    form_number n = {.at = (uint32_t)at,
                     .code = l->width == 0 ? 'v'
                             : l->is_big   ? 'b'
                                           : 'l',
                     .first = (uint8_t)l->width};
    if (!form_read_number(t, t->count, &n)) n.width = 0;
    return n;
}

/* Read the chunk at a place. False if the file ends before it does. */
static bool read_chunk(const testcase *t, const layout *l, size_t at, chunk *c) {
    enum { WIDTH_MAX = 8, VARINT_MAX = 5 };
    const form_number length = number_at(t, l, at + l->before);
    const size_t fixed = l->before + length.width + l->after;
    if (length.width == 0 || length.width > (l->width > 0 ? WIDTH_MAX : VARINT_MAX)) return false;
    if (t->count - at < fixed || length.value > t->count - at - fixed) return false;
    *c = (chunk){at, at + fixed + (size_t)length.value, length};
    return true;
}

/* ---- Chunks: of a layout that is guessed ---- */

enum { SIDES = 2, HEADS = 33, SIZES = 5, KINDS = 6, LAYOUTS = KINDS * SIZES * SIZES * HEADS };

static const uint8_t widths[KINDS] = {4, 4, 2, 2, 1, 0};

static layout layout_of(size_t way) {
    static const uint8_t sizes[SIZES] = {0, 1, 2, 4, 8};
    const size_t kind = way / HEADS / SIZES / SIZES;
    return (layout){.head = way % HEADS,
                    .before = sizes[way / HEADS % SIZES],
                    .after = sizes[way / HEADS / SIZES % SIZES],
                    .width = widths[kind],
                    .is_big = kind % 2 == 0};
}

/* Return the count of chunks if the file is a row of at least two, or 0. Those that are more than a
 * length and a body must not be too many, and much of the file must be their bodies. Lengths of 2
 * and 4 bytes can have more around them: few files fit by chance. Of other lengths a few chunks do,
 * but in small files. */
static size_t count_chunks(const testcase *t, const layout *l) {
    enum { CHUNKS_MAX = 4096, PADDING_MAX = 3, SIZE_SURE = 64, SURE_MIN = 4 };
    const bool is_plain = l->head + l->before + l->after == 0;
    size_t chunks = 0, bodies = 0, at = l->head;
    chunk c;
    if (l->width < 2 && (l->before > 1 || l->after > 1)) return 0;
    const size_t padding = l->width < 4 ? 0 : PADDING_MAX;
    for (; at + padding < t->count; at = c.end) {
        if (!read_chunk(t, l, at, &c) || (++chunks > CHUNKS_MAX && !is_plain)) return 0;
        bodies += (size_t)c.length.value;
    }
    const size_t least = l->width < 2 && !is_plain && t->count >= SIZE_SURE ? SURE_MIN : 2;
    return chunks >= least && (is_plain || bodies >= t->count / 4) ? chunks : 0;
}

/* way: the layout; at: the chunk; count: the size of the file when it was found. */
static bool chunks_next(const testcase *t, position *p) {
    bool is_visited = p->is_visited;
    chunk c;
    p->is_visited = true;
    for (; p->way < LAYOUTS; p->way++, is_visited = false) {
        const layout l = layout_of(p->way);
        const bool is_same = is_visited && p->count == t->count;
        if (!is_same && count_chunks(t, &l) == 0) continue;
        if (!is_visited) {
            p->at = l.head;
        } else if (is_same) {
            if (!read_chunk(t, &l, p->at, &c)) continue;
            p->at = c.end;
        }
        p->count = t->count;
        if (read_chunk(t, &l, p->at, &c)) return true;
    }
    return false;
}

/* Return the end of so many chunks from a place on, or SIZE_MAX if there are fewer. */
static size_t skip_chunks(const testcase *t, const layout *l, size_t at, uint64_t count) {
    chunk c = {.end = at};
    for (; count > 0; count--) {
        if (!read_chunk(t, l, c.end, &c)) return SIZE_MAX;
    }
    return c.end;
}

static bool chunks_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    const size_t end = skip_chunks(t, &l, p->at, p->by);
    return end != SIZE_MAX && patch_delete(edits, p->at, end - p->at);
}

PASS(chunks, "chunks", CHEAP, MOST, chunks_next, position_rest, chunks_edit, .idle_min = 64)

/* ---- Halves of a row of chunks: the last and the first half, quarters and eighths. Halves of
 * bytes would cut a chunk: they are for a file of no sure layout ---- */

enum { OF_CHUNKS, OF_BYTES }; /* those of a text are of bytes */

/* way: the layout, or LAYOUTS; at: whether it is sure; other: the share and the side; count: the
 * size of the file when it was tried; misses: layouts that gained nothing. */
static bool chunk_halves_next(const testcase *t, position *p) {
    enum { IN_VAIN = 6, SIZE_MIN = 16, MISSES_MAX = 4, SURE_MIN = 4 };
    if (p->is_visited && p->count != t->count && p->way < LAYOUTS) p->at = 1;
    p->other = p->is_visited && p->count == t->count ? p->other + 1 : 0;
    if (!p->is_visited && p->pass->mode == OF_BYTES) p->way = LAYOUTS;
    p->is_visited = true;
    p->count = t->count;
    for (; p->way < LAYOUTS; p->way++, p->other = 0) {
        const layout l = layout_of(p->way);
        p->misses += p->other == IN_VAIN;
        const size_t chunks =
            p->other >= IN_VAIN || p->misses >= MISSES_MAX ? 0 : count_chunks(t, &l);
        if (chunks == 0) continue;
        if (chunks >= SURE_MIN && l.width >= 4) p->at = 1;
        return true;
    }
    return p->at == 0 && p->other < IN_VAIN && t->count >= SIZE_MIN;
}

static bool chunk_halves_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = p->way < LAYOUTS ? layout_of(p->way) : (layout){0};
    const bool is_last = p->other % 2 == 0;
    const size_t part = p->other / 2 + 1;
    size_t count = 0, at = l.head, size = t->count >> part;
    if (p->way == LAYOUTS) return patch_delete(edits, is_last ? t->count - size : 0, size);
    for (chunk c = {.end = at}; read_chunk(t, &l, c.end, &c);) count++;
    size = count >> part;
    if (is_last) at = skip_chunks(t, &l, at, count - size);
    return size > 0 && patch_delete(edits, at, skip_chunks(t, &l, at, size) - at);
}

PASS(chunk_halves, "halves", CHEAP, ALL, chunk_halves_next, NULL, chunk_halves_edit)
PASS(halves, "halves", CHEAP, ALL, chunk_halves_next, NULL, chunk_halves_edit, .mode = OF_BYTES)

/* ---- Records of one size, as those of logins: rows of them go, by halves. Bytes as far apart as
 * a record is large are equal far more often than near ones ---- */

/* Count bytes that differ from the one so far behind them, of some of the file. */
static size_t count_different(const testcase *t, size_t distance) {
    enum { PART = 4, SAMPLES = 4096 };
    const size_t last = t->count - t->count / PART, step = (last / SAMPLES) | 1;
    size_t count = 0;
    for (size_t at = 0; at < last && at + distance < t->count; at += step)
        count += testcase_rank(t, at) != testcase_rank(t, at + distance);
    return count;
}

enum { RECORD_MAX = 4096 };

/* Return the size of records that all have the same byte at one place, where that byte is rare
 * elsewhere in the file; 0 if there are none. */
static size_t size_by_column(const testcase *t) {
    enum { LEAST = 8, SHARE = 16 };
    size_t counts[UINT8_MAX + 1] = {0};
    for (size_t i = 0; i < t->count; i++) counts[(uint8_t)testcase_rank(t, i)]++;
    for (size_t size = SHARE; size <= smaller(RECORD_MAX, t->count / LEAST); size++) {
        for (size_t first = 0; first < size; first++) {
            const uint64_t byte = testcase_rank(t, first);
            size_t at = first;
            if (counts[(uint8_t)byte] > t->count / SHARE) continue;
            while (at < t->count && testcase_rank(t, at) == byte) at += size;
            if (at >= t->count) return size;
        }
    }
    return 0;
}

/* Return the size, of which a multiple may fit better, or 0. */
static size_t record_size(const testcase *t) {
    enum { NEAR = 8, PART = 4 };
    size_t best = 0, near = SIZE_MAX, fewest = SIZE_MAX;
    for (size_t size = 1; size <= smaller(RECORD_MAX, t->count / PART); size++) {
        const size_t count = count_different(t, size);
        if (size <= NEAR)
            near = smaller(near, count);
        else if (count < fewest)
            fewest = count, best = size;
    }
    for (size_t size = NEAR + 1; fewest < near / 2 && size <= best; size++)
        if (best % size == 0 && count_different(t, size) < near / 2) return size;
    return size_by_column(t);
}

/* way: the size. */
static bool records_next(const testcase *t, position *p) {
    enum { IN_VAIN = 16 };
    if (!p->is_visited) p->way = record_size(t);
    return p->way > 0 && position_next_row(t, p, t->count / p->way, SIZE_MAX, IN_VAIN);
}

static bool records_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = t->count - p->at * p->way, size = p->rows.size * p->way;
    return size <= end && patch_delete(edits, end - size, size);
}

PASS(records, "records", CHEAP, ALL, records_next, NULL, records_edit)

/* ---- Places: a block goes, and each aligned number that is the place of a byte behind it is
 * lowered by as much, as the tables of an executable or an archive need it. An image of a file
 * system numbers its blocks, in some in both orders ---- */

enum { PLACE_KINDS = 2, PLACE_LEAST = 64, PLACES_FEW = 4, PLACES_SHARE = 256, BLOCK_MIN = 8 };
enum { OF_BLOCKS = 2 }; /* the alignment of such numbers, and the mode */

/* way: the kind, little-endian first. A place of 8 bytes has 4 that count. */
static layout layout_at(const position *p) {
    return (layout){.width = 4, .is_big = p->way % 2 > 0};
}

static bool has_places(const testcase *t, const position *p) {
    const layout l = layout_at(p);
    const size_t few = larger(PLACES_FEW, t->count / l.width / PLACES_SHARE);
    size_t count = 0;
    for (size_t at = 0; at + l.width <= t->count && count < few; at += l.width) {
        const uint64_t place = number_at(t, &l, at).value;
        count += place >= PLACE_LEAST && place <= t->count;
    }
    return count == few;
}

/* Return the size of the blocks most of which numbers name, or 0. A block begins behind padding. */
static size_t block_size(const testcase *t, const position *p) {
    enum { LEAST = 512, MOST = 4096, NUMBER_LEAST = 8, NUMBERS = 1 << 14, LOOKS_MAX = 1 << 20 };
    static bool seen[NUMBERS]; /* stacks may be small */
    const layout l = layout_at(p);
    size_t best = 0, most = NUMBER_LEAST - 1;
    for (size_t size = LEAST; size <= MOST; size *= 2) {
        size_t count = 0;
        memset(seen, 0, sizeof seen);
        for (size_t at = 0; at + l.width <= smaller(t->count, LOOKS_MAX); at += OF_BLOCKS) {
            const uint64_t n = number_at(t, &l, at).value;
            if (n < NUMBER_LEAST || n >= smaller(t->count / size, NUMBERS) || seen[n]) continue;
            seen[n] = true;
            count += testcase_rank(t, n * size - 1) == 0 && testcase_rank(t, n * size) != 0;
        }
        if (count > most) best = size, most = count;
    }
    return best;
}

/* at: the block, of rows.size bytes; rows.gone: the bytes that a number counts; count: the size of
 * the file when it was tried; other: the blocks of a kind that went. A size is left after a row of
 * misses, and a kind if it never wins. */
static bool places_next(const testcase *t, position *p) {
    enum { MISSES_MAX = 24, IN_VAIN = 20 };
    row_search *r = &p->rows;
    const bool has_won = p->count != t->count, of_blocks = p->pass->mode == OF_BLOCKS;
    const size_t kinds = of_blocks ? 1 : PLACE_KINDS;
    if (p->is_visited) {
        p->at += has_won ? 0 : r->size;
        p->misses = has_won ? 0 : p->misses + 1;
        p->other += has_won;
        r->tried++;
    }
    for (p->is_visited = true; p->way < kinds; p->way++, r->size = 0) {
        if (r->size == 0) {
            r->tried = p->other = p->at = p->misses = 0;
            r->gone = of_blocks ? block_size(t, p) : has_places(t, p);
            if (r->gone == 0) continue;
            for (r->size = BLOCK_MIN; r->size <= t->count / 2;) r->size *= 2;
        }
        for (; r->size >= larger(BLOCK_MIN, r->gone); r->size /= 2, p->at = p->misses = 0) {
            if (p->other == 0 && r->tried > IN_VAIN) break;
            if (p->at >= t->count || p->misses > MISSES_MAX) continue;
            p->count = t->count;
            return true;
        }
    }
    return false;
}

static bool places_edit(const testcase *t, const position *p, patch *edits) {
    layout l = layout_at(p);
    if (p->at >= t->count) return false;
    const size_t end = smaller(p->at + p->rows.size, t->count), unit = p->rows.gone;
    const size_t last = t->count - (unit - 1); /* the size of an image is often another number */
    if (!patch_delete(edits, p->at, end - p->at)) return false;
    for (size_t orders = unit > 1 ? 2 : 1; orders > 0; orders--, l.is_big = !l.is_big) {
        for (size_t at = 0; at + l.width <= t->count; at += (size_t)p->pass->mode) {
            const form_number n = number_at(t, &l, at);
            const uint64_t place = n.value * unit;
            if ((at + l.width > p->at && at < end) || place < end || place > last) continue;
            if (!form_set(t, &n, n.value - (end - p->at) / unit, edits)) return false;
        }
    }
    return true;
}

PASS(numbered, "numbered", CHEAP, ALL, places_next, NULL, places_edit, .idle_min = 16,
     .mode = OF_BLOCKS)
PASS(places, "places", CHEAP, ALL, places_next, NULL, places_edit, .mode = 4)

/* ---- Bodies: shorter ones, with their lengths; by multiples of 16, which keep the sizes of what
 * is in them, then of 1; by other multiples before any value changes ---- */

enum { STRIDE_MIN = 3, STRIDES = 14 };

/* other: the stride and the side that is cut. */
static size_t stride_of(const position *p) {
    const size_t number = p->other / SIDES;
    return p->pass->mode == STRIDES ? number + STRIDE_MIN : number == 0 ? 16 : 1;
}

static bool bodies_next(const testcase *t, position *p) {
    const size_t ways = (size_t)p->pass->mode * SIDES;
    if (p->is_visited && p->count == t->count && ++p->other < ways) return true;
    p->other = 0;
    return chunks_next(t, p);
}

static uint64_t bodies_limit(const testcase *t, const position *p) {
    const layout l = layout_of(p->way);
    chunk c;
    return read_chunk(t, &l, p->at, &c) ? larger(c.length.value / stride_of(p), 1) : 1;
}

static bool bodies_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    const size_t size = (size_t)p->by * stride_of(p);
    chunk c;
    if (!read_chunk(t, &l, p->at, &c) || size > c.length.value) return false;
    if (!form_set(t, &c.length, c.length.value - size, edits)) return false;
    /* What follows the body stays: a check sum, mostly. */
    const size_t after = l.after < 8 ? l.after : 4, end = c.end - after;
    return patch_delete(edits, end - (p->other % SIDES == 0 ? size : (size_t)c.length.value), size);
}

PASS(bodies, "bodies", CHEAP, VALUE, bodies_next, bodies_limit, bodies_edit, .idle_min = 64,
     .mode = 2)
PASS(body_strides, "body-strides", CHEAP, MOST, bodies_next, bodies_limit, bodies_edit,
     .idle_min = 128, .mode = STRIDES)

/* ---- Members of the lists of a format, with what they point to, and all numbers that count,
 * measure or point behind them; and shorter bodies ---- */

/* The last file that was read as a layout. Not on the stack, which may be small. */
static form last_form;

/* way: the format; other: the list or the body; rows.gone: the members behind the row, which stay,
 * or the side of a body that is cut. */
static bool forms_next(const testcase *t, position *p) {
    const form_kind kind = (form_kind)p->pass->mode;
    const row_search all = {.size = SIZE_MAX};
    row_search *r = &p->rows;
    const bool has_won = p->count != t->count;
    if (!p->is_visited)
        *r = all;
    else
        r->gone += kind == FORM_LIST ? row_search_go_on(r, has_won) : !has_won;
    for (p->is_visited = true; p->way < form_ways(); p->way++, p->other = 0, *r = all) {
        if (!form_read(t, p->way, &last_form)) continue;
        for (uint32_t i; (i = form_find(&last_form, kind, p->other)) > 0; p->other++, *r = all) {
            const size_t most = kind == FORM_LIST ? last_form.nodes[i].members : SIDES;
            if (r->gone >= most) continue;
            if (r->size < SIZE_MAX) r->size = smaller(r->size, most - r->gone);
            p->count = t->count;
            return true;
        }
    }
    return false;
}

/* Put values in the place of the one around them, as long as all counts stay true. */
static bool unwrap(const testcase *t, const form_node *l, patch *edits) {
    const form_node *unit = &last_form.nodes[l->up];
    while (unit->kind != FORM_UNIT) unit = &last_form.nodes[unit->up];
    const bool is_file = unit == last_form.nodes;
    const bool is_one = is_file || last_form.nodes[unit->up].number.width > 0;
    if (l->multiple == 0 || l->multiple != (is_file ? 1 : last_form.nodes[unit->up].multiple))
        return false;
    if ((is_one && l->members > 1) || l->end - l->start == unit->end - unit->start) return false;
    if (l->start > unit->start && !patch_delete(edits, unit->start, l->start - unit->start))
        return false;
    return (unit->end <= l->end || patch_delete(edits, l->end, unit->end - l->end)) &&
           form_mend(t, &last_form, edits);
}

/* Return the list or body of a position, or NULL. */
static const form_node *find_node(const testcase *t, const position *p) {
    const bool is_read = form_read(t, p->way, &last_form);
    const uint32_t i = is_read ? form_find(&last_form, (form_kind)p->pass->mode, p->other) : 0;
    return i > 0 ? &last_form.nodes[i] : NULL;
}

static bool members_edit(const testcase *t, const position *p, patch *edits) {
    const form_node *l = find_node(t, p);
    if (l == NULL || p->rows.gone >= l->members) return false;
    const uint32_t list = (uint32_t)(l - last_form.nodes);
    if (p->rows.size == SIZE_MAX && !l->has_marks) return unwrap(t, l, edits);
    const size_t end = l->members - p->rows.gone, first = end - smaller(end, p->rows.size);
    return (p->rows.size == SIZE_MAX ? form_collect(&last_form, list, edits)
                                     : form_delete(&last_form, list, first, end, edits)) &&
           form_mend(t, &last_form, edits);
}

static uint64_t contents_limit(const testcase *t, const position *p) {
    const form_node *b = find_node(t, p);
    return b != NULL ? b->end - b->start : 1;
}

static bool contents_edit(const testcase *t, const position *p, patch *edits) {
    const form_node *b = find_node(t, p);
    const size_t size = (size_t)p->by;
    return b != NULL && size <= b->end - b->start &&
           patch_delete(edits, p->rows.gone > 0 ? b->start : b->end - size, size) &&
           form_mend(t, &last_form, edits);
}

PASS(members, "members", CHEAP, ALL, forms_next, NULL, members_edit, .mode = FORM_LIST)
PASS(contents, "contents", CHEAP, VALUE, forms_next, contents_limit, contents_edit,
     .mode = FORM_BODY)

/* ---- Whole files: halves of them go first, then quarters, down to each alone. A test case has a
 * byte for each file, which goes with 0 ---- */

static bool files_next(const testcase *t, position *p) {
    if (!p->is_visited) p->other = t->count - t->count / 2;
    if (p->is_visited) p->at += p->other;
    p->is_visited = true;
    if (p->at >= t->count) {
        p->at = 0;
        p->other = p->other > 1 ? (p->other + 1) / 2 : 0;
    }
    return p->other > 0;
}

static bool files_edit(const testcase *t, const position *p, patch *edits) {
    const size_t left = t->count - p->at, count = p->other < left ? p->other : left;
    size_t stays = 0;
    for (size_t i = p->at; i < p->at + count; i++) stays += testcase_rank(t, i) > 0;
    return stays > 0 &&
           patch_add(edits,
                     (change){.first = p->at, .count = count, .kind = CHANGE_SET, .rank = 0});
}

PASS(files, "files", CHEAP, ALL, files_next, NULL, files_edit)
