/* passes_outline.c: passes that delete nested units of a text: of the outermost ones first half of
 * them, then fewer and fewer; then those inside them, of all parents in one row. This is
 * hierarchical delta debugging. The last units go first: what is defined early is used later. */
#include "outline.h"
#include "pass.h"
#include "patch.h"
#include "text_signs.h"

/* ---- Units: a row of units of one level ---- */

enum { CHUNKS = 32, SWEEPS = 2, NESTED_KINDS = 3 };

/* The most rows of a level that each sweep tries, as binary logarithms. */
static const unsigned rows_max[SWEEPS] = {4, 9};

/* The first sweep over all levels tries large rows alone. The second one goes down to single units,
 * but not in levels of many: each row is found by a walk over the text, and `lines` and others
 * get there too.
 * way: the sweep, the level, the outline and the binary logarithm of the units in a row; at: the
 * units after the row; other: the units of the level in a text of `count` bytes. */
typedef struct row {
    outline_kind kind;
    size_t sweep, level, chunk;
} row;

static row row_of(const position *p) {
    const size_t number = p->way / CHUNKS;
    return (row){.kind = (outline_kind)(number % NESTED_KINDS),
                 .level = number / NESTED_KINDS % OUTLINE_LEVELS,
                 .sweep = number / NESTED_KINDS / OUTLINE_LEVELS,
                 .chunk = CHUNKS - 1 - p->way % CHUNKS};
}

/* True for a row that is too small for its sweep. */
static bool is_fine(const position *p) {
    const row r = row_of(p);
    return (p->other >> r.chunk) >> rows_max[r.sweep] > 0;
}

static size_t units_of(const testcase *t, const position *p) {
    const row r = row_of(p);
    return outline_count(t, r.kind, r.level);
}

/* Leave the chunks that are larger than all units. */
static void skip_large(position *p, size_t units) {
    while (row_of(p).chunk > 0 && (size_t)1 << (row_of(p).chunk - 1) >= units) p->way++;
}

static bool units_next(const testcase *t, position *p) {
    if (t->trace != TRACE_NONE) return false;
    size_t units = p->is_visited && p->count == t->count ? p->other : units_of(t, p);
    if (p->is_visited && p->other == units) p->at += (size_t)1 << row_of(p).chunk;
    p->is_visited = true;
    for (; row_of(p).sweep < SWEEPS; p->way++, p->at = 0) {
        if (p->way % CHUNKS == 0) {
            units = units_of(t, p);
            skip_large(p, units);
        }
        p->other = units;
        p->count = t->count;
        if (p->at < units && !is_fine(p)) return true;
    }
    return false;
}

/* A row of units that is being deleted. */
typedef struct deletion {
    size_t start, end, comma;
} deletion;

static bool delete_row(const deletion *d, bool is_last, patch *edits) {
    const size_t start = is_last && d->comma != SIZE_MAX ? d->comma : d->start;
    return d->end == start || patch_delete(edits, start, d->end - start);
}

static bool units_edit(const testcase *t, const position *p, patch *edits) {
    const row r = row_of(p);
    const size_t chunk = (size_t)1 << r.chunk;
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > chunk ? end - chunk : 0;
    outline o = outline_begin(t, r.kind, r.level);
    deletion d = {0, 0, SIZE_MAX};
    bool is_last = false;
    unit u;
    for (size_t i = 0; i < end && outline_next(&o, t, &u); i++) {
        if (i < first) continue;
        if (u.start != d.end || d.end == d.start) {
            if (!delete_row(&d, is_last, edits)) return false;
            d = (deletion){u.start, u.start, u.comma};
        }
        d.end = u.end;
        is_last = u.is_last;
    }
    return delete_row(&d, is_last, edits) && edits->count > 0;
}

const pass pass_units = {
    .name = "units", .cost = PASS_CHEAP, .how = STEP_ALL, .next = units_next, .edit = units_edit};

/* ---- Hoisting: brackets inside brackets of their kind take the place of those ---- */

static uint8_t closing_sign(uint8_t c) {
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : 0;
}

/* Return the index of the bracket that closes the one at a place, or t->count if none in reach. */
static size_t closing(const testcase *t, size_t at) {
    return text_closing(t, at, closing_sign(text_byte(t, at)));
}

/* at: the outer bracket; other: the inner one. */
static bool hoist_next(const testcase *t, position *p) {
    if (t->trace != TRACE_NONE) return false;
    if (p->is_visited && p->other < t->count && text_is_opening(text_byte(t, p->other)))
        p->other = closing(t, p->other);
    p->is_visited = true;
    for (; p->at < t->count; p->at++, p->other = 0) {
        if (!text_is_opening(text_byte(t, p->at))) continue;
        const size_t end = closing(t, p->at);
        if (p->other <= p->at) p->other = p->at + 1;
        if (end == t->count) continue;
        while (p->other < end && text_byte(t, p->other) != text_byte(t, p->at)) p->other++;
        if (p->other < end) return true;
    }
    return false;
}

static bool hoist_edit(const testcase *t, const position *p, patch *edits) {
    if (p->other >= t->count) return false;
    const size_t end = closing(t, p->at), inner = closing(t, p->other);
    return inner < end && end < t->count && patch_delete(edits, p->at, p->other - p->at) &&
           patch_delete(edits, inner + 1, end - inner);
}

const pass pass_hoist = {.name = "hoist",
                         .cost = PASS_CHEAP,
                         .saves_bytes = true,
                         .how = STEP_ALL,
                         .next = hoist_next,
                         .edit = hoist_edit};

/* ---- Levels: what is inside the deepest nest takes the place of levels around it, however many
 * there are and however far off their ends ---- */

enum { NEST_BRACKETS, NEST_TAGS, NEST_WAYS };
enum { LEVELS_MIN = 8 }; /* `hoist` and external passes are as fast in flatter texts */

/* A place of a text, and how many levels it is in. */
typedef struct nest {
    size_t at, depth;
} nest;

/* Return the index after the sign at a place, which may open or close a level. */
static size_t pass_sign(const testcase *t, size_t way, nest *n) {
    const uint8_t c = text_byte(t, n->at), next = text_byte(t, n->at + 1);
    if (way == NEST_BRACKETS) {
        n->depth += text_is_opening(c);
        n->depth -= text_is_closing(c) && n->depth > 0;
        return n->at + 1;
    }
    if (c != '<' || !(next == '/' || text_is_word(next))) return n->at + 1;
    const size_t end = outline_tag_end(t, n->at);
    if (next == '/') {
        n->depth -= n->depth > 0;
    } else if (text_byte(t, end - 2) != '/') {
        n->depth++;
    }
    return end;
}

/* The first of the deepest places, and how many of the levels around it never close. */
typedef struct deepest_nest {
    nest inmost;
    size_t open;
} deepest_nest;

static deepest_nest find_deepest(const testcase *t, size_t way) {
    nest n = {0};
    deepest_nest d = {0};
    while (n.at < t->count) {
        n.at = pass_sign(t, way, &n);
        if (n.depth > d.inmost.depth) d = (deepest_nest){n, n.depth};
        if (n.depth < d.open) d.open = n.depth;
    }
    return d;
}

/* at: the outermost level that goes; other: the levels of the deepest nest in a text of `count`
 * bytes. */
static bool levels_next(const testcase *t, position *p) {
    if (t->trace != TRACE_NONE) return false;
    if (p->is_visited && p->count == t->count) p->at++;
    for (; p->way < NEST_WAYS; p->way++, p->at = 0, p->is_visited = false) {
        if (!p->is_visited || p->count != t->count) {
            const deepest_nest d = find_deepest(t, p->way);
            if (p->at < d.open) p->at = d.open;
            p->other = d.inmost.depth;
        }
        p->is_visited = true;
        p->count = t->count;
        if (p->other >= LEVELS_MIN && p->at + 1 < p->other) return true;
    }
    return false;
}

static uint64_t levels_limit(const testcase *t, const position *p) {
    (void)t;
    return p->other - p->at - 1;
}

static bool levels_edit(const testcase *t, const position *p, patch *edits) {
    const nest inmost = find_deepest(t, p->way).inmost;
    const size_t outer = p->at, inner = p->at + (size_t)p->by;
    size_t outer_start = 0, inner_start = 0, inner_end = 0, outer_end = 0;
    if (inner >= inmost.depth) return false;
    for (nest n = {0}; n.at < inmost.at;) {
        const size_t start = n.at, depth = n.depth;
        n.at = pass_sign(t, p->way, &n);
        if (n.depth == depth + 1 && depth == outer) outer_start = start;
        if (n.depth == depth + 1 && depth == inner) inner_start = start;
    }
    for (nest n = inmost; n.at < t->count && outer_end == 0;) {
        n.at = pass_sign(t, p->way, &n);
        if (n.depth == inner && inner_end == 0) inner_end = n.at;
        if (n.depth == outer) outer_end = n.at;
    }
    if (inner_end == 0 || outer_end == 0) return false; /* another text, in which they stay open */
    return patch_delete(edits, outer_start, inner_start - outer_start) &&
           (outer_end == inner_end || patch_delete(edits, inner_end, outer_end - inner_end));
}

const pass pass_levels = {.name = "levels",
                          .cost = PASS_CHEAP,
                          .how = STEP_RUN,
                          .next = levels_next,
                          .limit = levels_limit,
                          .edit = levels_edit};

/* ---- Unwrapping: the tags of an element go, or the lines around an indented block ---- */

enum { UNWRAP_TAGS, UNWRAP_INDENTS, UNWRAP_WAYS };

/* Return the index of the tag that closes the element at a place, or t->count if none in reach.
 * Elements of one name that are many levels deep, or never close, are for `levels`. */
static size_t closing_tag(const testcase *t, size_t at) {
    const size_t last = text_reach(t, at);
    size_t depth = 0;
    if (text_byte(t, outline_tag_end(t, at) - 2) == '/') return t->count;
    for (size_t i = at; i < last; i++) {
        const bool closes = text_byte(t, i + 1) == '/';
        if (text_byte(t, i) != '<' || !outline_same_name(t, i + 1 + closes, at + 1)) continue;
        if (closes && --depth == 0) return i;
        if (closes || text_byte(t, outline_tag_end(t, i) - 2) == '/') continue;
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

/* at: the tag or the line; way: what is unwrapped. */
static bool unwrap_next(const testcase *t, position *p) {
    if (t->trace != TRACE_NONE) return false;
    position_leave(p, &p->at);
    for (; p->way < UNWRAP_WAYS; p->way++, p->at = 0) {
        for (; p->at < t->count; p->at++) {
            const bool is_tag = text_byte(t, p->at) == '<' && text_is_word(text_byte(t, p->at + 1));
            const bool is_line = p->at == 0 || text_byte(t, p->at - 1) == '\n';
            if (p->way == UNWRAP_TAGS && is_tag && closing_tag(t, p->at) < t->count) return true;
            if (p->way == UNWRAP_INDENTS && is_line && begins_block(t, p->at)) return true;
        }
    }
    return false;
}

/* Delete the lines of a block that are indented as its first one, and indent the others less. */
static bool unwrap_block(const testcase *t, size_t at, patch *edits) {
    const size_t indent = indent_of(t, at);
    size_t line = text_line_end(t, at), inner = indent_of(t, line);
    if (!begins_block(t, at) || !patch_delete(edits, at, line - at)) return false;
    for (size_t end; line < t->count; line = end) {
        const size_t own = indent_of(t, line), less = inner - indent;
        end = text_line_end(t, line);
        if (own == SIZE_MAX) continue;
        if (own < indent || (own == indent && !outline_continues(t, line + own))) break;
        const size_t count = own == indent ? end - line : own < less ? own : less;
        if (count > 0 && !patch_delete(edits, line, count)) return false;
    }
    return true;
}

static bool unwrap_edit(const testcase *t, const position *p, patch *edits) {
    if (p->way == UNWRAP_INDENTS) return unwrap_block(t, p->at, edits);
    const size_t close = closing_tag(t, p->at);
    return close < t->count && patch_delete(edits, p->at, outline_tag_end(t, p->at) - p->at) &&
           patch_delete(edits, close, outline_tag_end(t, close) - close);
}

const pass pass_unwrap = {.name = "unwrap",
                          .cost = PASS_CHEAP,
                          .saves_bytes = true,
                          .how = STEP_ALL,
                          .next = unwrap_next,
                          .edit = unwrap_edit};
