/* Passes for files of chunks, each of which says how long it is.
 *
 * After a head of the file, each chunk has a length, a body of as many bytes, and a few bytes of
 * a fixed count before the length and around the body, as types and check sums are. The layout
 * is guessed: with it, the chunks end where the file does, or a few bytes before. Records, the
 * simplest chunks, are found in any number and of any size. Or a number at the beginning counts
 * equal parts, as the pages of a database. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

typedef struct layout {
    size_t head;   /* bytes of the file before the first chunk */
    size_t before; /* bytes of each chunk before its length */
    size_t after;  /* and after its length, around the body */
    size_t width;  /* bytes of the length; 0: 7 bits in each, and one more follows (LEB128) */
    bool is_big;   /* big-endian */
} layout;

/* A chunk from `start` to `end`, with its length at `field`, of `width` bytes. */
typedef struct chunk {
    size_t start, field, width, body, end;
} chunk;

static size_t shift_of(const layout *l, size_t i) { return 8 * (l->is_big ? l->width - 1 - i : i); }

static uint64_t read_number(const testcase *t, const layout *l, size_t at) {
    uint64_t number = 0;
    for (size_t i = 0; i < l->width; i++) number |= testcase_rank(t, at + i) << shift_of(l, i);
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

/* Read the chunk at a place. False if the file ends before it does. */
static bool read_chunk(const testcase *t, const layout *l, size_t at, chunk *c) {
    const size_t field = at + l->before, width = l->width > 0 ? l->width : varint_width(t, field);
    const size_t fixed = l->before + width + l->after;
    if (width == 0 || at > t->count || t->count - at < fixed) return false;
    const uint64_t length = l->width > 0 ? read_number(t, l, field) : read_varint(t, field, width);
    if (length > t->count - at - fixed) return false;
    *c = (chunk){at, field, width, (size_t)length, at + fixed + (size_t)length};
    return true;
}

/* ---- Chunks: of a layout that is guessed ---- */

enum { HEADS = 33, SIZES = 5, KINDS = 6, LAYOUTS = KINDS * SIZES * SIZES * HEADS };

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

/* True if the file is a row of at least two chunks. Those that are more than a length and a body
 * must not be too many, and much of the file must be their bodies. Lengths of 2 and 4 bytes can
 * have more around them: few files fit by chance. */
static bool fits(const testcase *t, const layout *l) {
    enum { CHUNKS_MAX = 4096, PADDING_MAX = 3 };
    const bool is_plain = l->head + l->before + l->after == 0;
    size_t chunks = 0, bodies = 0, at = l->head;
    chunk c;
    if (l->width < 2 && (l->before > 1 || l->after > 1)) return false;
    const size_t padding = l->width < 4 ? 0 : PADDING_MAX;
    for (; at + padding < t->count; at = c.end) {
        if (!read_chunk(t, l, at, &c) || (++chunks > CHUNKS_MAX && !is_plain)) return false;
        bodies += c.body;
    }
    return chunks > 1 && (is_plain || bodies >= t->count / 4);
}

/* way: the layout; at: the chunk; count: the size of the file when it was found. */
static bool chunks_next(const testcase *t, position *p) {
    bool is_visited = p->is_visited;
    chunk c;
    p->is_visited = true;
    for (; p->way < LAYOUTS; p->way++, is_visited = false) {
        const layout l = layout_of(p->way);
        const bool is_same = is_visited && p->count == t->count;
        if (!is_same && !fits(t, &l)) continue;
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

static bool chunks_edit(const testcase *t, const position *p, patch *edits) {
    const layout l = layout_of(p->way);
    chunk c = {.end = p->at};
    for (uint64_t i = 0; i < p->by; i++) {
        if (!read_chunk(t, &l, c.end, &c)) return false; /* there are fewer */
    }
    return patch_delete(edits, p->at, c.end - p->at);
}

PASS(chunks, "chunks", CHEAP, MOST, chunks_next, position_rest, chunks_edit)

/* ---- Bodies: shorter ones, with their lengths; by multiples of 16, which keep the sizes of what
 * is in them, then of 1; by other multiples before any value changes ---- */

enum { SIDES = 2, STRIDE_MIN = 3, STRIDES = 14 };

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
    if (!(l.width > 0 ? set_number(t, &l, c.field, length, edits)
                      : set_varint(t, &c, length, edits)))
        return false;
    /* What follows the body stays: a check sum, mostly. */
    const size_t after = l.after < 8 ? l.after : 4, end = c.end - after;
    return patch_delete(edits, end - (p->other % SIDES == 0 ? size : c.body), size);
}

PASS(bodies, "bodies", CHEAP, VALUE, bodies_next, bodies_limit, bodies_edit, .mode = 2)
PASS(body_strides, "body-strides", CHEAP, MOST, bodies_next, bodies_limit, bodies_edit,
     .mode = STRIDES)

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
