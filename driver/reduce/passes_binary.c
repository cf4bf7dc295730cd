/* Passes for files of chunks, each of which says how long it is.
 *
 * After a head of the file, each chunk has a length, a body of as many bytes, and a few bytes of
 * a fixed count before the length and around the body, as types and check sums are. The layout
 * is guessed: with it, the chunks end where the file does, or a few bytes before. Records, the
 * simplest chunks, are found in any number and of any size. Or a number at the beginning counts
 * equal parts, as the pages of a database. Archives with a directory are rows of a table, as are
 * files of nested chunks. The last pass removes whole files of several. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

typedef struct layout {
    size_t head;   /* bytes of the file before the first chunk */
    size_t before; /* bytes of each chunk before its length */
    size_t after;  /* and after its length, around the body */
    size_t width;  /* bytes of the length; 0: 7 bits in each, and one more follows (LEB128) */
    bool is_big;   /* big-endian */
    bool is_whole; /* the length is that of the chunk, not of its body */
    size_t block;  /* the length is in octal digits, and a chunk is of whole blocks (tar); 0: not */
} layout;

/* A chunk from `start` to `end`, with its length at `field`, of `width` bytes. */
typedef struct chunk {
    size_t start, field, width, body, end;
} chunk;

static size_t shift_of(const layout *l, size_t i) { return 8 * (l->is_big ? l->width - 1 - i : i); }

static uint64_t read_number(const testcase *t, const layout *l, size_t at) {
    uint64_t number = 0;
    for (size_t i = 0; i < l->width; i++) {
        const uint64_t byte = testcase_rank(t, at + i);
        if (l->block == 0) number |= byte << shift_of(l, i);
        if (l->block > 0 && byte >= '0' && byte <= '7') number = 8 * number + (byte - '0');
    }
    return number;
}

static bool set_number(const testcase *t, const layout *l, size_t at, uint64_t to, patch *edits) {
    for (size_t i = 0; i < l->width; i++) {
        const uint64_t byte = to >> shift_of(l, i) & 0xff;
        if (testcase_rank(t, at + i) != byte && !patch_set(edits, at + i, byte)) return false;
    }
    return true;
}

/* Return the bytes of a number of 7 bits in each, or 0 if it does not end in reach. */
static size_t varint_width(const testcase *t, size_t at) {
    enum { WIDTH_MAX = 5 };
    size_t width = 0;
    while (width < WIDTH_MAX && at + width < t->count) {
        if (testcase_rank(t, at + width++) < 0x80) return width;
    }
    return 0;
}

static uint64_t read_varint(const testcase *t, size_t at, size_t width) {
    uint64_t number = 0;
    for (size_t i = 0; i < width; i++) number |= (testcase_rank(t, at + i) & 0x7f) << 7 * i;
    return number;
}

/* Set a number that gets no larger: bytes that it needs no more go. */
static bool set_varint(const testcase *t, const chunk *c, uint64_t to, patch *edits) {
    size_t width = 0;
    do {
        const uint64_t byte = (to & 0x7f) | (to > 0x7f ? 0x80 : 0);
        const size_t at = c->field + width++;
        if (testcase_rank(t, at) != byte && !patch_set(edits, at, byte)) return false;
        to >>= 7;
    } while (to > 0);
    return width == c->width || patch_delete(edits, c->field + width, c->width - width);
}

static size_t varint_size(uint64_t number) { return (size_t)(bits(number | 1) + 6) / 7; }

/* A length of DER is a byte below 128, or 128 and the count of the bytes that follow; of more bytes
 * than DER_MAX it is read as one that no file has. */
enum { DER = UINT8_MAX, DER_LONG = 0x80, DER_MAX = 5 };

static size_t der_width(const testcase *t, size_t at) {
    const size_t byte = at < t->count ? (size_t)testcase_rank(t, at) : 0;
    return byte < DER_LONG ? 1 : smaller(byte - DER_LONG + 1, DER_MAX);
}

static size_t der_size(uint64_t to) { return to < DER_LONG ? 1 : 1 + (size_t)(bits(to) + 7) / 8; }

/* The first byte of a long length as a part of the number of all its bytes. */
static uint64_t der_prefix(size_t width) {
    return width > 1 ? (DER_LONG + width - 1) << 8 * (width - 1) : 0;
}

static bool set_length(const testcase *t, const layout *l, const chunk *c, uint64_t to,
                       patch *edits) {
    if (l->block > 0) return false; /* a check sum goes with it */
    if (l->width == DER) {
        const layout der = {.width = der_size(to), .is_big = true};
        return set_number(t, &der, c->field, to + der_prefix(der.width), edits) &&
               (der.width == c->width ||
                patch_delete(edits, c->field + der.width, c->width - der.width));
    }
    if (l->is_whole) to += c->end - c->start - c->body;
    return l->width > 0 ? set_number(t, l, c->field, to, edits) : set_varint(t, c, to, edits);
}

/* Read the chunk at a place. False if the file ends before it does. */
static bool read_chunk(const testcase *t, const layout *l, size_t at, chunk *c) {
    const size_t field = at + l->before;
    layout number = *l;
    if (l->width == 0) number.width = varint_width(t, field);
    if (l->width == DER) number.width = der_width(t, field);
    const size_t width = number.width, fixed = l->before + width + l->after;
    if (width == 0 || at > t->count || t->count - at < fixed) return false;
    uint64_t length = l->width > 0 ? read_number(t, &number, field) : read_varint(t, field, width);
    if (l->width == DER) length -= der_prefix(width);
    if (l->is_whole) length -= fixed; /* less than that is far too much now */
    if (l->block > 0) length = (length + l->block - 1) / l->block * l->block;
    if (length > t->count - at - fixed) return false;
    *c = (chunk){at, field, width, (size_t)length, at + fixed + (size_t)length};
    return true;
}

/* ---- Chunks: of a layout that is guessed ---- */

enum { SIDES = 2, HEADS = 33, SIZES = 5, KINDS = 6, LAYOUTS = 1 + KINDS * SIZES * SIZES * HEADS };

static const uint8_t widths[KINDS] = {4, 4, 2, 2, 1, 0};

static layout layout_of(size_t way) {
    static const uint8_t sizes[SIZES] = {0, 1, 2, 4, 8};
    const layout tar = {.before = 124, .after = 376, .width = 12, .block = 512};
    if (way-- == 0) return tar;
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
static size_t fits(const testcase *t, const layout *l) {
    enum { CHUNKS_MAX = 4096, PADDING_MAX = 3, SIZE_SURE = 64, SURE_MIN = 4 };
    const bool is_plain = l->head + l->before + l->after == 0;
    size_t chunks = 0, bodies = 0, at = l->head;
    chunk c;
    if (l->width < 2 && (l->before > 1 || l->after > 1)) return 0;
    const size_t padding = l->width < 4 ? 0 : PADDING_MAX;
    for (; at + padding < t->count; at = c.end) {
        if (!read_chunk(t, l, at, &c) || (++chunks > CHUNKS_MAX && !is_plain)) return 0;
        bodies += c.body;
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
        if (!is_same && fits(t, &l) == 0) continue;
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

PASS(chunks, "chunks", CHEAP, MOST, chunks_next, position_rest, chunks_edit)

/* ---- Halves of a row of chunks: the last and the first half, quarters and eighths. Halves of
 * bytes would cut a chunk: they are for a file of no sure layout ---- */

/* way: the layout, or LAYOUTS; at: whether it is sure; other: the share and the side; count: the
 * size of the file when it was tried; misses: layouts that gained nothing. */
static bool chunk_halves_next(const testcase *t, position *p) {
    enum { IN_VAIN = 6, SIZE_MIN = 16, MISSES_MAX = 4, SURE_MIN = 4 };
    if (p->is_visited && p->count != t->count && p->way < LAYOUTS) p->at = 1;
    p->other = p->is_visited && p->count == t->count ? p->other + 1 : 0;
    p->is_visited = true;
    p->count = t->count;
    for (; p->way < LAYOUTS; p->way++, p->other = 0) {
        const layout l = layout_of(p->way);
        p->misses += p->other == IN_VAIN;
        const size_t chunks = p->other >= IN_VAIN || p->misses >= MISSES_MAX ? 0 : fits(t, &l);
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

/* ---- Places: a block goes, and each aligned number that is the place of a byte behind it is
 * lowered by as much, as the tables of an executable or an archive need it ---- */

enum { PLACE_KINDS = 2, PLACE_LEAST = 64, PLACES_FEW = 4, PLACES_SHARE = 256, BLOCK_MIN = 8 };

/* way: the kind, little-endian first. */
static layout place_of(const position *p) {
    return (layout){.width = (size_t)p->pass->mode, .is_big = p->way % 2 > 0};
}

static bool has_places(const testcase *t, const position *p) {
    const layout l = place_of(p);
    const size_t few = larger(PLACES_FEW, t->count / l.width / PLACES_SHARE);
    size_t count = 0;
    for (size_t at = 0; at + l.width <= t->count && count < few; at += l.width) {
        const uint64_t place = read_number(t, &l, at);
        count += place >= PLACE_LEAST && place <= t->count;
    }
    return count == few;
}

/* at: the block, of rows.size bytes; count: the size of the file when it was tried; other: the
 * blocks of a kind that went. A size is left after a row of misses, and a kind if it never wins. */
static bool places_next(const testcase *t, position *p) {
    enum { MISSES_MAX = 24, IN_VAIN = 20 };
    row_search *r = &p->rows;
    const bool has_won = p->count != t->count;
    if (p->is_visited) {
        p->at += has_won ? 0 : r->size;
        p->misses = has_won ? 0 : p->misses + 1;
        p->other += has_won;
        r->tried++;
    }
    for (p->is_visited = true; p->way < PLACE_KINDS; p->way++, r->size = 0) {
        if (r->size == 0) {
            r->tried = p->other = p->at = p->misses = 0;
            if (!has_places(t, p)) continue;
            for (r->size = BLOCK_MIN; r->size <= t->count / 2;) r->size *= 2;
        }
        for (; r->size >= BLOCK_MIN; r->size /= 2, p->at = p->misses = 0) {
            if (p->other == 0 && r->tried > IN_VAIN) break;
            if (p->at >= t->count || p->misses > MISSES_MAX) continue;
            p->count = t->count;
            return true;
        }
    }
    return false;
}

static bool places_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = place_of(p);
    if (p->at >= t->count) return false;
    const size_t end = smaller(p->at + p->rows.size, t->count), size = end - p->at;
    if (!patch_delete(edits, p->at, size)) return false;
    for (size_t at = 0; at + l.width <= t->count; at += l.width) {
        const uint64_t place = read_number(t, &l, at);
        if ((at + l.width > p->at && at < end) || place < end || place > t->count) continue;
        if (!set_number(t, &l, at, place - size, edits)) return false;
    }
    return true;
}

PASS(places, "places", CHEAP, ALL, places_next, NULL, places_edit, .mode = 8)
PASS(short_places, "short-places", CHEAP, ALL, places_next, NULL, places_edit, .mode = 4)

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
    return read_chunk(t, &l, p->at, &c) ? larger(c.body / stride_of(p), 1) : 1;
}

static bool bodies_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    const size_t size = (size_t)p->by * stride_of(p);
    chunk c;
    if (!read_chunk(t, &l, p->at, &c) || size > c.body) return false;
    const uint64_t length = c.body - size;
    if (!set_length(t, &l, &c, length, edits)) return false;
    /* What follows the body stays: a check sum, mostly. */
    const size_t after = l.after < 8 ? l.after : 4, end = c.end - after;
    return patch_delete(edits, end - (p->other % SIDES == 0 ? size : c.body), size);
}

PASS(bodies, "bodies", CHEAP, VALUE, bodies_next, bodies_limit, bodies_edit, .mode = 2)
PASS(body_strides, "body-strides", CHEAP, MOST, bodies_next, bodies_limit, bodies_edit,
     .mode = STRIDES)

/* ---- Items: of a body that is a row of them, behind their count or not; with the count and the
 * body's length. In one of two passes with those of the same numbers of bodies that count as many
 * ---- */

enum { FIXED, INNER_SIZES = 3, INNER_KINDS = 1 + 2 * INNER_SIZES * INNER_SIZES };

/* The items of a body: `start` is behind their count, of `width` bytes. They have `size` bytes
 * each, or the layout of chunks. */
typedef struct items {
    size_t start, width, count, size;
    layout inner;
} items;

static size_t item_end(const testcase *t, const items *of, size_t at) {
    chunk c;
    if (of->size > 0) return at + of->size;
    return read_chunk(t, &of->inner, at, &c) ? c.end : SIZE_MAX;
}

/* Find the items of a chunk. False if it is no such row of at least two. */
static bool find_items(const testcase *t, const chunk *c, size_t kind, items *of) {
    const size_t body = c->end - c->body, number = kind - 1;
    const bool is_counted = number % 2 == 0 || kind == FIXED;
    const size_t width = is_counted ? varint_width(t, body) : 0;
    const uint64_t count = is_counted ? read_varint(t, body, width) : 0;
    *of = (items){.start = body + width, .width = width};
    if (c->body < width + 2 || (is_counted && (width == 0 || count < 2))) return false;
    of->inner = (layout){.before = number / 2 % INNER_SIZES, .after = number / 2 / INNER_SIZES};
    if (kind == FIXED) of->size = (size_t)((c->end - of->start) / count);
    if (kind == FIXED && of->size == 0) return false;
    size_t at = of->start;
    for (; at < c->end; of->count++) at = item_end(t, of, at);
    return at == c->end && of->count > 1 && (!is_counted || of->count == count);
}

static bool find_row(const testcase *t, const position *p, chunk *c, items *of) {
    const layout l = layout_of(p->way);
    return read_chunk(t, &l, p->at, c) && find_items(t, c, p->other, of) &&
           p->rows.gone < of->count;
}

/* Move to the next row of items: at, way: as in chunks_next; other: the kind of the items. */
static bool next_items(const testcase *t, position *p, chunk *c, items *of) {
    if (p->is_visited) p->count = t->count;
    while (!p->is_visited || !find_row(t, p, c, of)) {
        if (!p->is_visited || ++p->other == INNER_KINDS) {
            p->other = 0;
            if (!chunks_next(t, p)) return false;
        }
        p->rows = (row_search){.size = SIZE_MAX};
    }
    return true;
}

/* rows.gone: the items behind the row, which stay. */
static bool items_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    chunk c;
    items of;
    r->gone += row_search_go_on(r, p->count != t->count);
    if (!next_items(t, p, &c, &of)) return false;
    r->size = smaller(r->size, of.count - r->gone);
    return true;
}

/* Delete items first..end - 1 of a chunk. */
static bool delete_items(const testcase *t, const layout *l, const chunk *c, const items *of,
                         const size_t ends[2], patch *edits) {
    const chunk number = {.field = of->start - of->width, .width = of->width};
    const uint64_t left = of->count - (ends[1] - ends[0]);
    const size_t width = of->width > 0 ? varint_size(left) : 0;
    size_t at = of->start, from = at;
    for (size_t i = 0; i < ends[1]; i++) {
        if (i == ends[0]) from = at;
        at = item_end(t, of, at);
    }
    const uint64_t length = c->body - (at - from) - (of->width - width);
    return set_length(t, l, c, length, edits) &&
           (of->width == 0 || set_varint(t, &number, left, edits)) &&
           patch_delete(edits, from, at - from);
}

static bool items_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    chunk c, other = {.end = l.head};
    items of, like;
    size_t alike = 0;
    if (!find_row(t, p, &c, &of)) return false;
    const size_t end = of.count - p->rows.gone;
    const size_t ends[] = {end > p->rows.size ? end - p->rows.size : 0, end};
    while (p->pass->mode > 0 && read_chunk(t, &l, other.end, &other)) {
        size_t kind = 0;
        if (other.start == c.start) continue;
        while (kind < INNER_KINDS &&
               !(find_items(t, &other, kind, &like) && like.width > 0 && like.count == of.count))
            kind++;
        if (kind == INNER_KINDS) continue;
        if (!delete_items(t, &l, &other, &like, ends, edits)) return false;
        alike++;
    }
    return (p->pass->mode == 0 || alike > 0) && delete_items(t, &l, &c, &of, ends, edits);
}

PASS(items_alike, "items-alike", CHEAP, ALL, items_next, NULL, items_edit, .mode = 1)
PASS(items, "items", CHEAP, ALL, items_next, NULL, items_edit)

/* rows.gone: the item; rows.bad: the side of it that is cut. */
static bool item_bodies_next(const testcase *t, position *p) {
    chunk c;
    items of;
    if (p->is_visited && p->count == t->count) p->rows.gone += p->rows.bad++ % SIDES;
    p->rows.bad %= SIDES;
    while (next_items(t, p, &c, &of)) {
        if (of.size == 0) return true;
        p->rows.gone = of.count;
    }
    return false;
}

static bool find_item(const testcase *t, const position *p, chunk *c, chunk *item) {
    items of;
    if (!find_row(t, p, c, &of) || of.size > 0) return false;
    const size_t at = skip_chunks(t, &of.inner, of.start, of.count - 1 - p->rows.gone);
    return at != SIZE_MAX && read_chunk(t, &of.inner, at, item);
}

static uint64_t item_bodies_limit(const testcase *t, const position *p) {
    chunk c, item;
    return find_item(t, p, &c, &item) ? larger(item.body, 1) : 1;
}

static bool item_bodies_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    chunk c, item;
    if (!find_item(t, p, &c, &item) || p->by > item.body) return false;
    const size_t size = (size_t)p->by, width = varint_size(item.body - size);
    const size_t body = item.field + item.width;
    return set_length(t, &l, &c, c.body - size - (item.width - width), edits) &&
           set_varint(t, &item, item.body - size, edits) &&
           patch_delete(edits, p->rows.bad == 0 ? body : body + item.body - size, size);
}

PASS(item_bodies, "item-bodies", CHEAP, VALUE, item_bodies_next, item_bodies_limit,
     item_bodies_edit)

/* ---- Nested chunks: each body is a row of chunks of the same layout, or is not; with the lengths
 * of all chunks around what goes ---- */

enum { DEPTH_MAX = 64, NESTINGS = 2 };

static const layout nestings[NESTINGS] = {
    {.before = 1, .width = DER, .is_big = true},                /* keys and certificates */
    {.after = 4, .width = 4, .is_big = true, .is_whole = true}, /* MP4 */
};

/* The row after `left` others: from `start` on, `count` chunks; and those around it, the outermost
 * first. */
typedef struct nested_row {
    size_t left, start, count, depth;
    chunk around[DEPTH_MAX + 1];
} nested_row;

/* Return the count of chunks that fill a part of the file, or 0; also if it is hardly bodies, as
 * zeros are. */
static size_t count_chunks(const testcase *t, const layout *l, size_t at, size_t end) {
    enum { BODIES_SHARE = 8 };
    size_t count = 0, bodies = 0;
    chunk c = {.end = at};
    for (; c.end < end; count++, bodies += c.body)
        if (!read_chunk(t, l, c.end, &c)) return 0;
    return c.end == end && bodies >= (end - at) / BODIES_SHARE ? count : 0;
}

/* Rows come before those in them. A file of DER is one chunk: many of text fit as several. */
static bool find_row_within(const testcase *t, const layout *l, size_t at, size_t end,
                            nested_row *row) {
    const size_t count = row->depth < DEPTH_MAX ? count_chunks(t, l, at, end) : 0;
    if (row->depth == 0 && l->width == DER && count != 1) return false;
    row->start = at;
    row->count = count;
    if (count > 0 && row->left-- == 0) return true;
    for (size_t i = 0; i < count; i++, row->depth--) {
        chunk *c = &row->around[row->depth++];
        if (!read_chunk(t, l, at, c)) return false;
        at = c->end;
        if (find_row_within(t, l, at - c->body, at, row)) return true;
    }
    return false;
}

/* way: the layout; other: the row; rows.gone: the chunks behind, which stay; mode: whether the body
 * of one chunk gets shorter, and rows.bad is the side that is cut. */
static bool nested_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    const bool has_won = p->count != t->count;
    if (!p->is_visited) r->size = SIZE_MAX;
    if (p->is_visited && p->pass->mode == 0) r->gone += row_search_go_on(r, has_won);
    if (p->is_visited && p->pass->mode > 0 && !has_won) r->gone += r->bad++ % SIDES;
    for (p->is_visited = true; p->way < NESTINGS; *r = (row_search){.size = SIZE_MAX}) {
        nested_row row = {.left = p->other};
        const bool is_found = find_row_within(t, &nestings[p->way], 0, t->count, &row);
        if (is_found && r->gone < row.count) {
            if (r->size < SIZE_MAX) r->size = smaller(r->size, row.count - r->gone);
            p->count = t->count;
            return true;
        }
        p->other = is_found ? p->other + 1 : 0;
        p->way += !is_found;
    }
    return false;
}

/* Find the bytes to delete, and the chunks around them. Of a row, the head of the chunk that has it
 * goes first; the file's own chunk keeps its head while the row has several chunks. */
static draw_row find_nested(const testcase *t, const position *p, nested_row *row) {
    const layout *l = &nestings[p->way];
    *row = (nested_row){.left = p->other};
    if (!find_row_within(t, l, 0, t->count, row) || p->rows.gone >= row->count)
        return (draw_row){0};
    const size_t end = row->count - p->rows.gone;
    const size_t count = p->pass->mode > 0 ? 1 : smaller(end, p->rows.size);
    const size_t from = skip_chunks(t, l, row->start, end - count);
    if (p->pass->mode == 0) {
        if (p->rows.size < SIZE_MAX) return (draw_row){from, skip_chunks(t, l, from, count)};
        if (row->depth == 0 || (row->depth == 1 && row->count > 1)) return (draw_row){0};
        const chunk *head = &row->around[--row->depth];
        return (draw_row){head->start, head->end - head->body};
    }
    const chunk *c = &row->around[row->depth];
    const bool has_row = read_chunk(t, l, from, &row->around[row->depth++]) &&
                         count_chunks(t, l, c->end - c->body, c->end) > 0;
    return has_row ? (draw_row){0} : (draw_row){c->end - c->body, c->end};
}

static uint64_t nested_limit(const testcase *t, const position *p) {
    nested_row row;
    const draw_row bytes = find_nested(t, p, &row);
    return bytes.end - bytes.start;
}

static bool nested_edit(const testcase *t, const position *p, patch *edits) {
    nested_row row;
    const draw_row bytes = find_nested(t, p, &row);
    size_t size = (size_t)p->by;
    if (size > bytes.end - bytes.start) return false;
    const size_t from = p->rows.bad % SIDES > 0 ? bytes.start : bytes.end - size;
    if (!patch_delete(edits, from, size)) return false;
    for (const layout *l = &nestings[p->way]; row.depth-- > 0;) {
        const chunk *c = &row.around[row.depth];
        const uint64_t length = c->body - size;
        if (!set_length(t, l, c, length, edits)) return false;
        if (l->width == DER) size += c->width - der_size(length);
    }
    return true;
}

PASS(nested_rows, "nested-rows", CHEAP, ALL, nested_next, nested_limit, nested_edit)
PASS(nested_bodies, "nested-bodies", CHEAP, VALUE, nested_next, nested_limit, nested_edit,
     .mode = 1)

/* ---- Parts: fewer of them, with the number that counts them ---- */

enum { PLACES = 128, PART_MIN = 8, PARTS_MIN = 2 };

/* at: the number; way: its kind. */
static layout count_of(const position *p) {
    return (layout){.width = widths[p->way], .is_big = p->way % 2 == 0};
}

static bool counts_parts(const testcase *t, const position *p) {
    const layout l = count_of(p);
    if (p->at >= PLACES || t->count - p->at < l.width) return false;
    const uint64_t count = read_number(t, &l, p->at);
    return count >= PARTS_MIN && t->count % count == 0 && t->count / count >= PART_MIN;
}

static uint64_t parts_limit(const testcase *t, const position *p) {
    const layout l = count_of(p);
    return read_number(t, &l, p->at) - 1;
}

static bool parts_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = count_of(p);
    if (!counts_parts(t, p)) return false;
    const uint64_t count = read_number(t, &l, p->at);
    if (p->by >= count) return false;
    const size_t size = (size_t)(t->count / count * p->by);
    return t->count - size >= p->at + l.width && set_number(t, &l, p->at, count - p->by, edits) &&
           patch_delete(edits, t->count - size, size);
}

PASS(parts, "parts", CHEAP, VALUE, position_next_nearby, parts_limit, parts_edit,
     .nearby = {0, 0, KINDS - 1, NULL, counts_parts})

/* ---- Members: those of an archive, each with its entry in the directory; the counts, the size of
 * the directory and the places behind a member follow ---- */

enum { NONE = UINT8_MAX, MEMBERS_MAX = 1024, COUNTS = 2, TAILS = 3, TAIL = 2, PLACE = 4 };

/* Where the record that counts the entries begins, and where in it the numbers are. A directory
 * whose record does not say its place begins behind it. */
typedef struct archive {
    const char *sign;
    uint8_t sign_size, record, counts[COUNTS], size, place;
    uint8_t entry, tails, member; /* bytes of an entry; in it: lengths of what follows; the place */
    bool is_last, is_big;         /* the record is the last one of its sign */
} archive;

static const archive archives[] = {
    {"PK\5\6", 4, 22, {8, 10}, 12, 16, 46, 28, 42, true, false},           /* ZIP */
    {"\0\0\1\0", 4, 6, {4, NONE}, NONE, NONE, 16, NONE, 12, false, false}, /* icons */
    {"\0\1\0\0", 4, 12, {4, NONE}, NONE, NONE, 16, NONE, 8, false, true},  /* fonts */
    {"OTTO", 4, 12, {4, NONE}, NONE, NONE, 16, NONE, 8, false, true},
};

/* Where entries begin, the last one is their end, and members; and where these end. */
typedef struct directory {
    size_t record, count, entries[MEMBERS_MAX + 1], places[MEMBERS_MAX], ends[MEMBERS_MAX];
} directory;

static uint64_t number_of(const testcase *t, const archive *a, size_t at, size_t width) {
    const layout l = {.width = width, .is_big = a->is_big};
    return read_number(t, &l, at);
}

static bool has_sign(const testcase *t, const archive *a, size_t at) {
    size_t i = 0;
    while (i < a->sign_size && testcase_rank(t, at + i) == (uint8_t)a->sign[i]) i++;
    return i == a->sign_size;
}

/* A member ends where the next one begins, or the directory, or the file. */
static void find_ends(const testcase *t, const archive *a, directory *d) {
    for (size_t i = 0; i < d->count; i++) {
        const size_t at = d->places[i];
        d->ends[i] = a->is_last ? d->record : t->count;
        if (at < d->entries[0]) d->ends[i] = d->entries[0];
        for (size_t k = 0; k < d->count; k++)
            if (d->places[k] > at) d->ends[i] = smaller(d->ends[i], d->places[k]);
    }
}

static bool find_directory(const testcase *t, const archive *a, directory *d) {
    if (t->count < a->record) return false;
    size_t left = a->is_last ? smaller(t->count - a->record, UINT16_MAX) : 0;
    for (d->record = a->is_last ? t->count - a->record : 0; !has_sign(t, a, d->record); d->record--)
        if (left-- == 0) return false;
    d->count = (size_t)number_of(t, a, d->record + a->counts[0], TAIL);
    size_t at = d->record + a->record;
    if (a->place != NONE) at = (size_t)number_of(t, a, d->record + a->place, PLACE);
    const size_t end = a->is_last ? d->record : t->count;
    if (d->count < 2 || d->count > MEMBERS_MAX) return false;
    for (size_t i = 0; i < d->count; i++) {
        if (at > t->count || t->count - at < a->entry) return false;
        d->entries[i] = at;
        d->places[i] = (size_t)number_of(t, a, at + a->member, PLACE);
        if (d->places[i] >= end) return false;
        for (size_t k = 0; k < TAILS && a->tails != NONE; k++)
            at += (size_t)number_of(t, a, d->entries[i] + a->tails + k * TAIL, TAIL);
        at += a->entry;
    }
    d->entries[d->count] = at;
    find_ends(t, a, d);
    return at <= t->count;
}

/* Return the bytes before a place that go with entries first..end - 1. */
static size_t gone_before(const directory *d, size_t at, size_t first, size_t end) {
    size_t size = at > d->entries[0] ? d->entries[end] - d->entries[first] : 0;
    for (size_t i = first; i < end; i++) size += at > d->places[i] ? d->ends[i] - d->places[i] : 0;
    return size;
}

static bool lower_in(const testcase *t, const archive *a, size_t at, size_t width, uint64_t by,
                     patch *edits) {
    const layout l = {.width = width, .is_big = a->is_big};
    return set_number(t, &l, at, read_number(t, &l, at) - by, edits);
}

/* way: the archive; rows.gone: the entries behind the row, which stay; count: bytes of the file. */
static bool members_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    directory d;
    if (!p->is_visited) r->size = MEMBERS_MAX;
    if (p->is_visited) r->gone += row_search_go_on(r, p->count != t->count);
    for (p->is_visited = true; p->way < sizeof archives / sizeof *archives; p->way++, r->gone = 0) {
        if (!find_directory(t, &archives[p->way], &d) || r->gone >= d.count) continue;
        r->size = smaller(r->size, d.count - r->gone);
        p->count = t->count;
        return true;
    }
    return false;
}

static bool members_edit(const testcase *t, const position *p, patch *edits) {
    const archive *a = &archives[p->way];
    directory d;
    if (!find_directory(t, a, &d) || p->rows.gone >= d.count) return false;
    const size_t end = d.count - p->rows.gone, first = end - smaller(end, p->rows.size);
    const size_t size = d.entries[end] - d.entries[first];
    if (!patch_delete(edits, d.entries[first], size)) return false;
    for (size_t i = 0; i < d.count; i++) {
        const bool goes = i >= first && i < end;
        const size_t at = d.entries[i] + a->member, by = gone_before(&d, d.places[i], first, end);
        if (goes ? !patch_delete(edits, d.places[i], d.ends[i] - d.places[i])
                 : by > 0 && !lower_in(t, a, at, PLACE, by, edits))
            return false;
    }
    for (size_t i = 0; i < COUNTS && a->counts[i] != NONE; i++)
        if (!lower_in(t, a, d.record + a->counts[i], TAIL, end - first, edits)) return false;
    const size_t by = gone_before(&d, d.entries[0], first, end);
    return a->place == NONE || (lower_in(t, a, d.record + a->place, PLACE, by, edits) &&
                                lower_in(t, a, d.record + a->size, PLACE, size, edits));
}

PASS(members, "members", CHEAP, ALL, members_next, NULL, members_edit)

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
