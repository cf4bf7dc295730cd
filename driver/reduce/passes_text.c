/* Passes that delete bytes of a text whose format they guess.
 *
 * They delete the units that its outline shows (functions, statements, elements of a list, blocks,
 * elements of a document), blocks and tokens; and several places at once, for what does not go
 * alone: a field of all rows, a name and its uses. A guess that does not fit costs time only.
 *
 * The passes try large rows of units of the outermost level first, and inner ones later: what goes
 * as a whole needs no cleaning up. A level that gives nothing is left for another one, and has a
 * second turn. */
#include "bytes.h"
#include "outline.h"
#include "pass.h"
#include "patch.h"

#include <string.h>

/* Delete a row of units, given as one: the last ones with the separator before them. */
static bool unit_delete(const unit *row, patch *edits) {
    const size_t start = row->is_last && row->comma != SIZE_MAX ? row->comma : row->start;
    return row->end == start || patch_delete(edits, start, row->end - start);
}

/* ---- Rows: units of one level that go together, of an outline ---- */

/* The outlines of which each level is tried. The first sweep over the units leaves a level after
 * a row of misses. The second one tries all rows, but in a level of many units no single
 * ones: each row is found by a walk over the text, and `bytes` gets there too. */
typedef struct row_mode {
    outline_kind first;
    size_t kinds, levels;
    size_t misses_max; /* without a success, before a level is left */
    size_t units_fine; /* the part of a level that is never divided */
} row_mode;

enum { UNITS, ALL_UNITS, TERMS, BLANKS, FOLDS };
static const row_mode row_modes[] = {
    [UNITS] = {OUTLINE_BRACKETS, 3, OUTLINE_LEVELS, 24, SIZE_MAX},
    [ALL_UNITS] = {OUTLINE_BRACKETS, 3, OUTLINE_LEVELS, SIZE_MAX, 512},
    [TERMS] = {OUTLINE_TERMS, 1, OUTLINE_LEVELS, SIZE_MAX, SIZE_MAX},
    [BLANKS] = {OUTLINE_BLANKS, 1, 2, 8, SIZE_MAX},
    [FOLDS] = {OUTLINE_BLANKS, 1, 3, 8, SIZE_MAX},
};

static const row_mode *mode_of(const position *p) { return &row_modes[p->pass->mode]; }

enum { BODIES = 1024 }; /* added to the way of units */

static outline rows_outline(const testcase *t, const position *p) {
    const row_mode *m = mode_of(p);
    if (p->way >= BODIES) return outline_begin(t, OUTLINE_BODIES, 0);
    return outline_begin(t, (outline_kind)(m->first + p->way % m->kinds), p->way / m->kinds);
}

static void count_units(const testcase *t, position *p) {
    outline o = rows_outline(t, p);
    p->other = 0;
    p->count = t->count;
    for (unit u; outline_next(&o, t, &u);) p->other++;
}

/* Move to the first row of a level: all its units. */
static void begin_level(const testcase *t, position *p) {
    count_units(t, p);
    p->at = p->misses = 0;
    p->rows = (row_search){.size = p->other, .before = t->count, .has_slowed = p->rows.has_slowed};
}

/* Begin behind a unit that stays with as many units as went before it. After the first, second,
 * fourth and so on all the rest is tried. */
static void begin_row(position *p) {
    row_search *r = &p->rows;
    const bool is_power = (p->at & (p->at - 1)) == 0;
    r->size = is_power && p->other > p->at ? p->other - p->at : larger(r->gone, 1);
    r->bad = 0;
}

/* Move on from a row that went or not: a row that went doubles the next one; one that stays is
 * searched by halves for the last unit that has to stay. */
static void leave_row(const testcase *t, position *p) {
    row_search *r = &p->rows;
    const bool was_rest = r->bad == 0 && p->at > 0 && p->at + r->size == p->other;
    const size_t fine = mode_of(p)->units_fine, least = larger(p->other / fine, 1);
    p->misses = p->count == t->count ? p->misses + 1 : 0;
    if (p->count != t->count) {
        r->gone += r->size;
        r->bad = r->bad > r->size ? r->bad - r->size : 0;
        r->size *= 2;
        count_units(t, p);
    } else if (was_rest && larger(r->gone, 1) < r->size) {
        r->size = larger(r->gone, 1);
        r->gone = 0;
        return;
    } else {
        r->bad = r->size;
    }
    if (r->bad > least) {
        r->size = r->bad / 2;
    } else if (r->bad > 0) {
        p->at += r->bad;
        begin_row(p);
    }
}

/* Where units of a large text hardly go any more, rows of bodies have a turn, and then the units
 * again. Bodies that have to stay are many, so that they are not searched for: a row that goes
 * doubles the next one, and one that stays halves it. */
enum { BODIES_FIRST = 64, BODIES_LEAST = 8, TEXT_LARGE = 1 << 15 };

/* True if the last rows have deleted less than a part of the text. Asked after each row, it looks
 * after some, and at the end. */
static bool is_slow(const testcase *t, position *p, bool is_end) {
    enum { ROWS = 32, PART = 64 };
    row_search *r = &p->rows;
    if (++r->tried % ROWS > 0 && !is_end) return false;
    const bool slow = r->before - t->count < t->count / PART;
    r->before = t->count;
    return slow;
}

static void begin_bodies(const testcase *t, position *p) {
    position bodies = *p;
    bodies.way += BODIES;
    begin_level(t, &bodies);
    bodies.rows.size = BODIES_FIRST;
    p->rows.has_slowed = true;
    if (bodies.other > 0) *p = bodies;
}

/* Move to the next row of bodies. False at the end. */
static bool bodies_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    if (p->count != t->count) {
        count_units(t, p);
        r->size = smaller(2 * r->size, PATCH_FEW);
    } else {
        p->at += r->size;
        r->size = larger(r->size / 2, BODIES_LEAST);
    }
    r->has_slowed = is_slow(t, p, p->at >= p->other);
    return p->at < p->other && !r->has_slowed;
}

/* at: the units behind the row; way: the level and its outline; other: its units in a text of
 * `count` bytes. */
static bool rows_next(const testcase *t, position *p) {
    const row_mode *m = mode_of(p);
    if (p->way >= BODIES) {
        if (bodies_next(t, p)) return true;
        p->way -= BODIES;
        begin_level(t, p);
    } else if (!p->is_visited) {
        begin_level(t, p);
    } else {
        leave_row(t, p);
        const bool is_text_large = p->pass->mode == UNITS && t->count >= TEXT_LARGE;
        if (is_text_large && is_slow(t, p, false) && !p->rows.has_slowed) begin_bodies(t, p);
    }
    p->is_visited = true;
    while (p->at >= p->other || p->misses > m->misses_max) {
        if (++p->way == m->kinds * m->levels) return false;
        begin_level(t, p);
    }
    return true;
}

static bool rows_edit(const testcase *t, const position *p, patch *edits) {
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > p->rows.size ? end - p->rows.size : 0;
    outline o = rows_outline(t, p);
    unit u, gone = {0, 0, SIZE_MAX, false};
    for (size_t i = 0; i < end && outline_next(&o, t, &u); i++) {
        if (i < first) continue;
        if (u.start != gone.end || gone.end == gone.start) {
            if (!unit_delete(&gone, edits)) return false;
            gone = (unit){u.start, u.start, u.comma, false};
        }
        gone.end = u.end;
        gone.is_last = u.is_last;
    }
    return unit_delete(&gone, edits) && edits->count > 0;
}

PASS(units, "units", CHEAP, ALL, rows_next, NULL, rows_edit, .mode = UNITS, .in_slices = true)
PASS(all_units, "all-units", CHEAP, ALL, rows_next, NULL, rows_edit, .mode = ALL_UNITS)
PASS(terms, "terms", CHEAP, ALL, rows_next, NULL, rows_edit, .mode = TERMS)
PASS(blanks, "blanks", CHEAP, ALL, rows_next, NULL, rows_edit, .mode = BLANKS)
PASS(folds, "folds", COSTLY, ALL, rows_next, NULL, rows_edit, .mode = FOLDS)

/* ---- Hoisting: brackets inside brackets of their kind take the place of those ---- */

/* at: the outer bracket; other: the inner one. */
static bool hoist_next(const testcase *t, position *p) {
    if (p->is_visited && p->other < t->count && text_is_opening(text_byte(t, p->other)))
        p->other = text_closing(t, p->other);
    p->is_visited = true;
    for (; p->at < t->count; p->at++, p->other = 0) {
        if (!text_is_opening(text_byte(t, p->at))) continue;
        const size_t end = text_closing(t, p->at);
        if (p->other <= p->at) p->other = p->at + 1;
        if (end == t->count) continue;
        while (p->other < end && text_byte(t, p->other) != text_byte(t, p->at)) p->other++;
        if (p->other < end) return true;
    }
    return false;
}

static bool hoist_edit(const testcase *t, const position *p, patch *edits) {
    if (p->other >= t->count) return false;
    const size_t end = text_closing(t, p->at), inner = text_closing(t, p->other);
    return inner < end && end < t->count && patch_delete(edits, p->at, p->other - p->at) &&
           patch_delete(edits, inner + 1, end - inner);
}

PASS(hoist, "hoist", CHEAP, ALL, hoist_next, NULL, hoist_edit, .saves_bytes = true)

/* ---- Levels: what is inside the deepest nest takes the place of levels around it, however many
 * there are and however far off their ends ---- */

enum { NEST_BRACKETS, NEST_TAGS, NEST_WAYS };
enum { LEVELS_MIN = 8 }; /* `hoist` and external passes are as fast in flatter texts */

/* A place of a text, how many levels it is in, and how many of these never close. */
typedef struct nest {
    size_t at, depth, open;
} nest;

/* Go behind the sign at a place, which may open or close a level. */
static void pass_sign(const testcase *t, size_t way, nest *n) {
    const uint8_t c = text_byte(t, n->at), next = text_byte(t, n->at + 1);
    const bool is_tag = way == NEST_TAGS && c == '<' && (next == '/' || text_is_word(next));
    n->at = is_tag ? text_tag_end(t, n->at) : n->at + 1;
    const bool is_alone = text_byte(t, n->at - 2) == '/';
    const bool opens = way == NEST_TAGS ? is_tag && next != '/' && !is_alone : text_is_opening(c);
    const bool closes = way == NEST_TAGS ? is_tag && next == '/' : text_is_closing(c);
    n->depth = n->depth + opens - (closes && n->depth > 0);
}

/* Find the first of the deepest places. */
static nest find_deepest(const testcase *t, size_t way) {
    nest n = {0}, deepest = {0};
    while (n.at < t->count) {
        pass_sign(t, way, &n);
        if (n.depth > deepest.depth) deepest = (nest){n.at, n.depth, n.depth};
        if (n.depth < deepest.open) deepest.open = n.depth;
    }
    return deepest;
}

/* at: the outermost level that goes; other: the levels of the deepest nest in a text of `count`
 * bytes. */
static bool levels_next(const testcase *t, position *p) {
    if (p->is_visited && p->count == t->count) p->at++;
    for (p->is_visited = true; p->way < NEST_WAYS; p->way++, p->at = 0) {
        const nest d = find_deepest(t, p->way);
        if (p->at < d.open) p->at = d.open;
        p->other = d.depth;
        p->count = t->count;
        if (p->other >= LEVELS_MIN && p->at + 1 < p->other) return true;
    }
    return false;
}

static uint64_t levels_limit(const testcase *t, const position *p) {
    (void)t;
    return p->other - p->at - 1;
}

/* A level of the deepest nest: where the sign begins that opens it, and behind that; the same of
 * the sign that closes it. */
typedef struct frame {
    size_t start, inner, close, end;
} frame;

/* Find the level p->at and `count` more, each `step` deeper. False if one stays open, in another
 * text. */
static bool find_frames(const testcase *t, const position *p, size_t step, size_t count,
                        frame *frames) {
    const size_t way = p->way % NEST_WAYS, inmost = find_deepest(t, way).at;
    memset(frames, 0, (count + 1) * sizeof *frames);
    for (nest n = {0}; n.at < t->count && frames[0].end == 0;) {
        const nest before = n;
        pass_sign(t, way, &n);
        const size_t deeper = smaller(before.depth, n.depth) - p->at, number = deeper / step;
        frame *f = number <= count && deeper % step == 0 && before.depth != n.depth
                       ? &frames[number]
                       : NULL;
        if (f == NULL || (n.at <= inmost) != (n.depth > before.depth) || f->end > 0) continue;
        if (n.at <= inmost)
            *f = (frame){.start = before.at, .inner = n.at};
        else
            *f = (frame){f->start, f->inner, before.at, n.at};
    }
    return frames[0].end > 0 && frames[count].end > 0;
}

static bool levels_edit(const testcase *t, const position *p, patch *edits) {
    frame f[2];
    return find_frames(t, p, (size_t)p->by, 1, f) &&
           patch_delete(edits, f[0].start, f[1].start - f[0].start) &&
           (f[0].end == f[1].end || patch_delete(edits, f[1].end, f[0].end - f[1].end));
}

PASS(levels, "levels", CHEAP, RUN, levels_next, levels_limit, levels_edit)

/* ---- Frames: all levels of the deepest nest stay, and lose what stands between each and the next:
 * all at once, then halves of them. Braces become square brackets, which hold a value without its
 * key; or the last of what is in a level stays, and its key in quotes becomes empty ---- */

enum { FRAME_SQUARE, FRAME_BARE, FRAME_LAST, FRAME_CHANGES };
enum { FRAMES_MAX = PATCH_MAX / 4, FRAMES_IN_VAIN = 16 };

/* Delete what stands before the level in a frame; all, or up to the last comma and the key. */
static bool delete_before(const testcase *t, const position *p, size_t at, size_t end,
                          patch *edits) {
    size_t last = at, depth = 0;
    if (p->way / NEST_WAYS != FRAME_LAST) return at == end || patch_delete(edits, at, end - at);
    for (size_t i = at, after; i < end; i = larger(after, i + 1)) {
        const uint8_t c = text_byte(t, i);
        after = text_skip_string(t, i);
        depth = depth + text_is_opening(c) - (text_is_closing(c) && depth > 0);
        if (c == ',' && depth == 0) last = i + 1;
    }
    while (last < end && text_is_space(text_byte(t, last))) last++;
    const size_t key = text_skip_string(t, last);
    return (last == at || patch_delete(edits, at, last - at)) &&
           (key <= last + 2 || key > end || patch_delete(edits, last + 1, key - last - 2));
}

/* Change a sign of a frame. */
static bool square(const testcase *t, const position *p, size_t at, patch *edits) {
    const uint8_t c = text_byte(t, at), to = c == '{' ? '[' : c == '}' ? ']' : c;
    return c == to || p->way / NEST_WAYS != FRAME_SQUARE || patch_set(edits, at, to);
}

/* way: the change and the kind of the nest; at: the levels around the row; other: all but the
 * inmost in a text of `count` bytes. */
static bool frames_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    if (p->is_visited) {
        const bool has_gone = p->count != t->count;
        p->misses = has_gone ? 0 : p->misses + 1;
        if (has_gone) p->at += r->size;
        p->at += row_search_go_on(r, has_gone);
    }
    for (; p->way < NEST_WAYS * FRAME_CHANGES; p->way++, p->at = p->misses = r->size = 0) {
        const nest d = find_deepest(t, p->way % NEST_WAYS);
        p->at = larger(p->at, d.open);
        if (d.depth < LEVELS_MIN || p->at + 1 >= d.depth || p->misses > FRAMES_IN_VAIN) continue;
        const size_t left = d.depth - 1 - p->at;
        r->size = smaller(r->size > 0 ? smaller(r->size, left) : left, FRAMES_MAX);
        p->is_visited = true;
        p->count = t->count;
        return true;
    }
    return false;
}

static bool frames_edit(const testcase *t, const position *p, patch *edits) {
    frame f[FRAMES_MAX + 1];
    const size_t count = p->rows.size;
    if (!find_frames(t, p, 1, count, f)) return false;
    for (size_t i = 0; i < count; i++) {
        if (!square(t, p, f[i].start, edits)) return false;
        if (!delete_before(t, p, f[i].inner, f[i + 1].start, edits)) return false;
    }
    for (size_t i = count; i-- > 0;) {
        const size_t from = f[i + 1].end, to = f[i].close;
        if (to > from && !patch_delete(edits, from, to - from)) return false;
        if (!square(t, p, to, edits)) return false;
    }
    return edits->count > 0;
}

PASS(frames, "frames", CHEAP, ALL, frames_next, NULL, frames_edit)

/* ---- Unwrapping: the tags of an element go, or the lines around an indented block; or all of an
 * element goes but for one tag, as in <a/> ---- */

enum { UNWRAP_TAGS, UNWRAP_INDENTS, UNWRAP_EMPTY, UNWRAP_WAYS };

/* Return the index of the tag that closes the element at a place, or t->count if none in reach.
 * Elements of one name that are many levels deep, or never close, are for `levels`. */
static size_t closing_tag(const testcase *t, size_t at) {
    const size_t last = text_reach(t, at);
    size_t depth = 0;
    if (text_byte(t, text_tag_end(t, at) - 2) == '/') return t->count;
    for (size_t i = at; i < last; i++) {
        const bool closes = text_byte(t, i + 1) == '/';
        if (text_byte(t, i) != '<' || !text_same_name(t, i + 1 + closes, at + 1)) continue;
        if (closes && --depth == 0) return i;
        if (closes || text_byte(t, text_tag_end(t, i) - 2) == '/') continue;
        if (++depth > OUTLINE_DEPTH_MAX) break;
    }
    return t->count;
}

/* Return how far the line at a place is indented, or SIZE_MAX if it is empty. */
static size_t indent_of(const testcase *t, size_t line) {
    const size_t text = text_skip_blanks(t, line);
    return text_byte(t, text) == '\n' ? SIZE_MAX : text - line;
}

static bool begins_block(const testcase *t, size_t line) {
    const size_t next = text_line_end(t, line);
    const size_t indent = indent_of(t, line), inner = indent_of(t, next);
    return next < t->count && indent != SIZE_MAX && inner != SIZE_MAX && inner > indent;
}

/* Delete the lines of a block that are indented as its first one, and indent the others less. */
static bool unwrap_block(const testcase *t, size_t at, patch *edits) {
    const size_t indent = indent_of(t, at);
    size_t line = text_line_end(t, at), inner = indent_of(t, line);
    if (!patch_delete(edits, at, line - at)) return false;
    for (size_t end; line < t->count; line = end) {
        const size_t own = indent_of(t, line), less = inner - indent;
        end = text_line_end(t, line);
        if (own == SIZE_MAX) continue;
        if (own < indent || (own == indent && !text_is_continuation(t, line + own))) break;
        const size_t count = own == indent ? end - line : own < less ? own : less;
        if (count > 0 && !patch_delete(edits, line, count)) return false;
    }
    return true;
}

/* at: the tag or the line; way: what is unwrapped. */
static bool unwrap_edit(const testcase *t, const position *p, patch *edits) {
    const bool is_line = p->at == 0 || text_byte(t, p->at - 1) == '\n';
    if (p->way == UNWRAP_INDENTS)
        return is_line && begins_block(t, p->at) && unwrap_block(t, p->at, edits);
    if (text_byte(t, p->at) != '<' || !text_is_word(text_byte(t, p->at + 1))) return false;
    const size_t close = closing_tag(t, p->at), end = text_tag_end(t, p->at);
    const size_t close_end = close < t->count ? text_tag_end(t, close) : close;
    if (close == t->count) return false;
    if (p->way == UNWRAP_EMPTY) /* the slash of the closing tag stays, and its end */
        return patch_delete(edits, end - 1, close + 2 - end) &&
               patch_delete(edits, close + 2, close_end - close - 3);
    return patch_delete(edits, p->at, end - p->at) && patch_delete(edits, close, close_end - close);
}

PASS(unwrap, "unwrap", CHEAP, ALL, position_next_of_way, NULL, unwrap_edit, .saves_bytes = true,
     .nearby = {0, 0, UNWRAP_WAYS, NULL, NULL})

/* ---- Blocks: large ones first, from the end. Where much goes at any place, the size halves with
 * each level; `bytes` clears a file from its beginning on. In small texts, lines and tokens are
 * better blocks ---- */

enum { BLOCKS_IN_VAIN = 8, BLOCK_LARGE = 4096 };

static size_t block_size(const position *p) { return (size_t)1 << p->way; }

/* True if blocks of half the size are tried: there are few of them, or some of this size went. */
static bool is_finer(const testcase *t, const position *p) {
    const bool is_text = p->pass->mode == TEXT_LARGE;
    const size_t half = block_size(p) / 2, large = is_text ? BLOCK_LARGE : 16;
    const size_t few = half < large ? BLOCKS_IN_VAIN : is_text ? 128 : 2048;
    return half > 0 && (t->count / half <= few || t->count < p->count);
}

/* way: the binary logarithm of the size of a block; at: the bytes after the block; other: the size
 * of the file when the block was tried; count: when the first one of its size was. */
static bool blocks_next(const testcase *t, position *p) {
    if (t->count < (size_t)p->pass->mode) return false;
    if (!p->is_visited) {
        while (block_size(p) <= t->count / 2) p->way++;
        p->at = t->count;
    } else if (p->other == t->count) {
        p->at += block_size(p);
    }
    p->is_visited = true;
    if (p->at >= t->count) {
        if (!is_finer(t, p)) return false;
        p->way--;
        p->at = 0;
        p->count = t->count;
    }
    p->other = t->count;
    return p->at < t->count;
}

static bool blocks_edit(const testcase *t, const position *p, patch *edits) {
    if (p->at >= t->count) return false;
    const size_t end = t->count - p->at, size = smaller(end, block_size(p));
    return patch_delete(edits, end - size, size);
}

PASS(blocks, "blocks", CHEAP, ALL, blocks_next, NULL, blocks_edit)
PASS(large_blocks, "large-blocks", CHEAP, ALL, blocks_next, NULL, blocks_edit, .mode = TEXT_LARGE)

/* ---- Brackets: delete their contents, the contents and the brackets, or only the brackets; and
 * clauses: delete brackets and the name before them, as of a call, or what follows a sign as `=`,
 * or make a 0 of what is in the brackets or follows ---- */

enum { TAKE_CONTENTS, TAKE_ALL, TAKE_BRACKETS, BRACKET_WAYS };
enum { TAKE_CALL, MAKE_ZERO, CLAUSE_WAYS };

/* Tags of elements are for `unwrap`. */
static bool opens(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at), next = text_byte(t, at + 1);
    if (c == '<' && (next == '/' || (text_is_word(next) && closing_tag(t, at) < t->count)))
        return false;
    return text_closing_sign(c) != 0;
}

static bool begins_clause(const testcase *t, size_t at) {
    const uint8_t c = text_byte(t, at), before = at > 0 ? text_byte(t, at - 1) : 0;
    return opens(t, at) || (memchr("=:?", c, 3) != NULL && text_byte(t, at + 1) != c &&
                            memchr("=:!<>", before, 5) == NULL);
}

static bool brackets_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = text_closing(t, p->at);
    if (end == t->count) return false;
    switch (p->way) {
    case TAKE_CONTENTS: return end > p->at + 1 && patch_delete(edits, p->at + 1, end - p->at - 1);
    case TAKE_ALL: return patch_delete(edits, p->at, end - p->at + 1);
    default: return patch_delete(edits, p->at, 1) && patch_delete(edits, end, 1);
    }
}

static bool clauses_edit(const testcase *t, const position *p, patch *edits) {
    const bool is_clause = !opens(t, p->at);
    const size_t end = is_clause ? text_value_end(t, p->at) : text_closing(t, p->at);
    size_t name = p->at;
    if (p->way == MAKE_ZERO)
        return end > p->at + 2 && end < t->count && text_byte(t, p->at) != '{' &&
               patch_set(edits, p->at + 1, '0') && patch_delete(edits, p->at + 2, end - p->at - 2);
    if (is_clause) return patch_delete(edits, p->at, end - p->at);
    while (name > 0 && text_is_word(text_byte(t, name - 1))) name--;
    return end < t->count && name < p->at && patch_delete(edits, name, p->at + 1 - name) &&
           patch_delete(edits, end, 1);
}

PASS(brackets, "brackets", CHEAP, ALL, position_next_nearby, NULL, brackets_edit,
     .saves_bytes = true, .in_slices = true, .nearby = {0, 0, BRACKET_WAYS, opens, NULL})
PASS(clauses, "clauses", COSTLY, ALL, position_next_nearby, NULL, clauses_edit, .in_slices = true,
     .nearby = {0, 0, CLAUSE_WAYS, begins_clause, NULL})

/* ---- Recognise text ---- */

static bool is_control(uint32_t c) {
    return (c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1b') || c == 0x7f;
}

size_t text_errors(const uint8_t *bytes, size_t size) {
    size_t errors = 0;
    uint32_t point;
    for (size_t at = 0, length; at < size; at += larger(length, 1)) {
        length = utf8_length(bytes + at, size - at, &point);
        errors += length == 0 || is_control(point);
    }
    return errors;
}

uint8_t text_unit_width(const uint8_t *bytes, size_t size, bool *is_big) {
    enum { MARK = 0xfeff, UNITS_MIN = 8, ERRORS_SHARE = 16 };
    for (size_t kind = 0; kind < 4; kind++) {
        const size_t width = kind < 2 ? 4 : 2, count = size / width;
        size_t errors = 0;
        bool is_marked = false;
        *is_big = kind % 2 > 0;
        for (size_t at = 0; at + width <= size; at += width) {
            uint32_t sign = 0;
            for (size_t i = 0; i < width; i++)
                sign |= (uint32_t)bytes[at + (*is_big ? width - 1 - i : i)] << 8 * i;
            if (at == 0) is_marked = sign == MARK;
            errors += sign > (is_marked ? 0x10ffff : UINT8_MAX) || is_control(sign);
        }
        if (count >= UNITS_MIN && errors <= count / ERRORS_SHARE) return (uint8_t)width;
    }
    return 1;
}

/* ---- Columns: the same field of all lists that have as many fields ---- */

enum { FIELDS_MAX = 64, FIELD_LEVELS = 6, COLUMN_OUTLINES = FIELD_LEVELS + OUTLINE_LEVELS };

/* way: the outline and FIELDS_MAX less the fields of a list; at: the column. */
static outline columns_begin(const testcase *t, const position *p) {
    const size_t number = p->way / FIELDS_MAX;
    if (number < FIELD_LEVELS) return outline_begin(t, OUTLINE_FIELDS, number);
    return outline_begin(t, OUTLINE_BRACKETS, number - FIELD_LEVELS);
}

static size_t fields_of(const position *p) { return FIELDS_MAX - p->way % FIELDS_MAX; }

/* Count the lists that have `fields` fields. */
static void count_lists(const testcase *t, const position *p, uint8_t *lists) {
    outline o = columns_begin(t, p);
    size_t fields = 0;
    unit u;
    bool is_more;
    do {
        is_more = outline_next(&o, t, &u);
        if (!is_more || u.comma == SIZE_MAX) {
            if (fields <= FIELDS_MAX && lists[fields] < 2) lists[fields]++;
            fields = 0;
        }
        fields++;
    } while (is_more);
}

static bool columns_next(const testcase *t, position *p) {
    position_leave(p, &p->at);
    while (p->way / FIELDS_MAX < COLUMN_OUTLINES) {
        uint8_t lists[FIELDS_MAX + 1] = {0};
        const size_t outlines = p->way / FIELDS_MAX;
        count_lists(t, p, lists);
        for (; p->way / FIELDS_MAX == outlines; p->way++, p->at = 0) {
            const size_t fields = fields_of(p);
            if (fields > 1 && lists[fields] > 1 && p->at < fields) return true;
        }
    }
    return false;
}

static uint64_t columns_limit(const testcase *t, const position *p) {
    (void)t;
    return fields_of(p) - p->at;
}

static bool columns_edit(const testcase *t, const position *p, patch *edits) {
    outline o = columns_begin(t, p);
    size_t fields = 0; /* of the list that is read */
    unit u, gone = {0};
    bool is_more;
    do {
        is_more = outline_next(&o, t, &u);
        if (!is_more || u.comma == SIZE_MAX) { /* the list has ended */
            if (fields == fields_of(p) && !unit_delete(&gone, edits)) return false;
            gone = (unit){0};
            fields = 0;
        }
        const size_t field = fields++;
        if (field == p->at) gone = u;
        if (field > p->at && field - p->at < p->by) {
            gone.end = u.end;
            gone.is_last = u.is_last;
        }
    } while (is_more);
    return edits->count > 0;
}

PASS(columns, "columns", CHEAP, MOST, columns_next, columns_limit, columns_edit)

/* ---- Rows of bytes, first as many as were last deleted; runs: a few bytes or tokens (words,
 * numbers and single signs, each with the blanks after it) that do not go alone; and pairs: two
 * tokens at a distance ---- */

enum { BYTES, BYTE_RUNS, TOKEN_RUNS, TOKEN_PAIRS };

/* The largest text for a pass: in a long one there is more to do. */
static const size_t text_max[] = {SIZE_MAX, 1024, 1 << 16, 1024};

static bool begins_piece(const testcase *t, const position *p, size_t at) {
    return p->pass->mode <= BYTE_RUNS || text_begins_token(t, at);
}

static bool piece_fits(const testcase *t, const position *p) {
    return t->count <= text_max[p->pass->mode] && begins_piece(t, p, p->at);
}

static size_t skip_pieces(const testcase *t, const position *p, size_t at, size_t count) {
    for (; count > 0 && at < t->count; count--) {
        do {
            at++;
        } while (at < t->count && !begins_piece(t, p, at));
    }
    return count > 0 ? SIZE_MAX : at;
}

/* way: the pieces of a run, from 2 on; at: the first one. The limit of rows, position_rest, is
 * higher than the number of pieces: to count them at each position would read all of the rest. */
static bool runs_edit(const testcase *t, const position *p, patch *edits) {
    const size_t count = p->pass->how == STEP_ALL ? p->way + 2 : (size_t)p->by;
    const size_t end = skip_pieces(t, p, p->at, count);
    return end != SIZE_MAX && patch_delete(edits, p->at, end - p->at);
}

/* way: the pieces between the two; at: the first one. */
static bool pairs_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = skip_pieces(t, p, p->at, 1), other = skip_pieces(t, p, p->at, p->way + 2);
    if (other == SIZE_MAX) return false;
    const size_t other_end = skip_pieces(t, p, other, 1);
    return other_end != SIZE_MAX && patch_delete(edits, p->at, end - p->at) &&
           patch_delete(edits, other, other_end - other);
}

PASS(bytes, "bytes", CHEAP, RUN, position_next_nearby, position_rest, runs_edit,
     .nearby = {0, 0, 1, NULL, NULL}, .mode = BYTES)
#define PIECES(id, text, ways, edit, which)                                                        \
    PASS(id, text, COSTLY, ALL, position_next_of_way, NULL, edit,                                  \
         .nearby = {0, 0, ways, NULL, piece_fits}, .mode = which)
PIECES(token_runs, "token-runs", 15, runs_edit, TOKEN_RUNS)
PIECES(byte_runs, "byte-runs", 7, runs_edit, BYTE_RUNS)
PIECES(token_pairs, "token-pairs", 8, pairs_edit, TOKEN_PAIRS)
