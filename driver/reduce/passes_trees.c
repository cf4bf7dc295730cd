/* Passes for files of values within values: lists and maps that say how many they have.
 *
 * The formats are rows of a table: what a first byte begins. A file is one value. Members of a
 * list or map go by halves of rows, the outermost first, and its count follows; strings get
 * shorter, with their lengths. */
#include "bytes.h"
#include "pass.h"
#include "patch.h"

enum { ATOM, STRING, LIST, MAP, TAG, DECIMAL, NUMBER, OPEN_LIST, OPEN_MAP };
enum { DEPTH_MAX = 64, HEADS_MAX = 16, TREES = 3, SIDES = 2 };

/* What the bytes first..last begin: for each, twice as many bytes of a number as for the one before
 * it, or, if none, the number is that from the first on. Then come more bytes. */
typedef struct head {
    uint8_t first, last, kind, width, more;
} head;

static const head trees[TREES][HEADS_MAX] = {
    /* CBOR */
    {{0x00, 0x17, ATOM, 0, 0},
     {0x18, 0x1b, ATOM, 1, 0},
     {0x20, 0x37, ATOM, 0, 0},
     {0x38, 0x3b, ATOM, 1, 0},
     {0x40, 0x57, STRING, 0, 0},
     {0x58, 0x5b, STRING, 1, 0},
     {0x60, 0x77, STRING, 0, 0},
     {0x78, 0x7b, STRING, 1, 0},
     {0x80, 0x97, LIST, 0, 0},
     {0x98, 0x9b, LIST, 1, 0},
     {0xa0, 0xb7, MAP, 0, 0},
     {0xb8, 0xbb, MAP, 1, 0},
     {0xc0, 0xd7, TAG, 0, 0},
     {0xd8, 0xdb, TAG, 1, 0},
     {0xe0, 0xf7, ATOM, 0, 0},
     {0xf8, 0xfb, ATOM, 1, 0}},
    /* MessagePack */
    {{0x00, 0x7f, ATOM, 0, 0},
     {0x80, 0x8f, MAP, 0, 0},
     {0x90, 0x9f, LIST, 0, 0},
     {0xa0, 0xbf, STRING, 0, 0},
     {0xc0, 0xc3, ATOM, 0, 0},
     {0xc4, 0xc6, STRING, 1, 0},
     {0xc7, 0xc9, STRING, 1, 1},
     {0xca, 0xcb, ATOM, 4, 0},
     {0xcc, 0xcf, ATOM, 1, 0},
     {0xd0, 0xd3, ATOM, 1, 0},
     {0xd4, 0xd8, ATOM, 1, 1},
     {0xd9, 0xdb, STRING, 1, 0},
     {0xdc, 0xdd, LIST, 2, 0},
     {0xde, 0xdf, MAP, 2, 0},
     {0xe0, 0xff, ATOM, 0, 0}},
    /* bencode, whose lists have ends */
    {{'0', '9', DECIMAL, 0, 0},
     {'i', 'i', NUMBER, 0, 0},
     {'l', 'l', OPEN_LIST, 0, 0},
     {'d', 'd', OPEN_MAP, 0, 0}},
};

/* A value: where its number is, of `width` bytes, or in the first byte; its members or bytes. */
typedef struct value {
    size_t start, field, width, body, end;
    uint64_t number, count; /* count: members, of a map pairs */
    int kind;
    uint8_t first;
} value;

static bool is_list(const value *v) {
    return v->kind == LIST || v->kind == TAG || v->kind == OPEN_LIST;
}
static bool is_map(const value *v) { return v->kind == MAP || v->kind == OPEN_MAP; }
static bool is_open(const value *v) { return v->kind == OPEN_LIST || v->kind == OPEN_MAP; }
static bool is_string(const value *v) { return v->kind == STRING || v->kind == DECIMAL; }

static bool read_head(const testcase *t, size_t way, size_t at, value *v) {
    const uint64_t byte = at < t->count ? testcase_rank(t, at) : 0;
    const head *h = trees[way];
    size_t i = 0;
    while (i < HEADS_MAX && !(byte >= h[i].first && byte <= h[i].last)) i++;
    if (at >= t->count || i == HEADS_MAX) return false;
    h += i;
    *v = (value){.start = at, .field = at + 1, .kind = h->kind, .first = h->first};
    v->width = (size_t)h->width << (byte - h->first) * (h->width > 0);
    v->body = v->field + v->width + h->more;
    if (v->body > t->count) return false;
    if (v->width == 0) v->number = byte - h->first;
    if (v->width <= 8)
        for (i = 0; i < v->width; i++) v->number = v->number << 8 | testcase_rank(t, v->field + i);
    return true;
}

/* Read a number in digits up to a sign: of the length of a string before a colon, or alone. */
static bool read_digits(const testcase *t, value *v) {
    const uint8_t sign = v->kind == DECIMAL ? ':' : 'e';
    size_t at = v->kind == DECIMAL ? v->start : v->field;
    v->field = at;
    for (v->number = 0; at < t->count && testcase_rank(t, at) != sign; at++) {
        const uint64_t byte = testcase_rank(t, at);
        if ((byte < '0' || byte > '9') && byte != '-') return false;
        v->number = 10 * v->number + (byte - '0');
    }
    v->width = at - v->field;
    v->body = at + 1;
    return at < t->count && v->width < DEPTH_MAX / 4;
}

/* Read the value at a place, and all in it. */
static bool read_value(const testcase *t, size_t way, size_t at, size_t depth, value *v) {
    value member;
    if (depth == DEPTH_MAX || !read_head(t, way, at, v)) return false;
    if ((v->kind == DECIMAL || v->kind == NUMBER) && !read_digits(t, v)) return false;
    v->end = v->body;
    if (is_string(v)) {
        v->end += smaller(v->number, t->count);
        return v->end <= t->count;
    }
    if (!is_list(v) && !is_map(v)) return true;
    const uint64_t members = v->kind == TAG ? 1 : v->kind == MAP ? 2 * v->number : v->number;
    uint64_t count = 0;
    for (; is_open(v) ? v->end < t->count && testcase_rank(t, v->end) != 'e' : count < members;
         count++) {
        if (!read_value(t, way, v->end, depth + 1, &member)) return false;
        v->end = member.end;
    }
    v->count = is_map(v) ? count / 2 : count;
    v->end += is_open(v);
    return v->end <= t->count && !(is_map(v) && count % 2 > 0);
}

/* Find the list, map or string after `left` others, from the outermost on. */
static bool find_value(const testcase *t, const position *p, size_t at, size_t *left, value *v) {
    value member;
    if (!read_value(t, p->way, at, 0, v)) return false;
    const bool has_members = is_list(v) || is_map(v);
    const bool is_wanted = p->pass->mode > 0 ? is_string(v) && v->number > 0 : v->count > 0;
    if (is_wanted && (*left)-- == 0) return true;
    size_t body = v->body;
    for (uint64_t i = is_map(v) ? 2 * v->count : v->count; has_members && i > 0; i--) {
        if (find_value(t, p, body, left, &member)) {
            *v = member;
            return true;
        }
        if (!read_value(t, p->way, body, 0, &member)) return false;
        body = member.end;
    }
    return false;
}

/* False if the file is no such value, or has too few. */
static bool find_site(const testcase *t, const position *p, value *v) {
    size_t left = p->other;
    return read_value(t, p->way, 0, 0, v) && v->end == t->count && v->count > 0 &&
           find_value(t, p, 0, &left, v);
}

/* way: the format; other: the value; rows.gone: the members behind the row, which stay, or the side
 * of a string that is cut. */
static bool trees_next(const testcase *t, position *p) {
    row_search *r = &p->rows;
    const bool has_gone = p->count != t->count, is_string_pass = p->pass->mode > 0;
    value v;
    if (p->is_visited) r->gone += is_string_pass ? !has_gone : row_search_go_on(r, has_gone);
    if (!p->is_visited) r->size = SIZE_MAX;
    for (p->is_visited = true; p->way < TREES; *r = (row_search){.size = SIZE_MAX}) {
        const bool is_found = find_site(t, p, &v);
        if (is_found && r->gone < (is_string_pass ? SIDES : v.count)) {
            r->size = (size_t)smaller(r->size, v.count - r->gone);
            p->count = t->count;
            return true;
        }
        p->other = is_found ? p->other + 1 : 0;
        p->way += !is_found;
    }
    return false;
}

static bool set_number(const testcase *t, const value *v, uint64_t to, patch *edits) {
    if (v->kind == TAG || is_open(v)) return is_open(v);
    if (v->kind != DECIMAL && v->width == 0) return patch_set(edits, v->start, v->first + to);
    size_t width = v->width;
    for (; width > 0; width--) {
        const size_t at = v->field + width - 1;
        const uint64_t byte = v->kind == DECIMAL ? '0' + to % 10 : to & 0xff;
        if (v->kind == DECIMAL && to == 0 && width < v->width) break;
        if (testcase_rank(t, at) != byte && !patch_set(edits, at, byte)) return false;
        to = v->kind == DECIMAL ? to / 10 : to >> 8;
    }
    return width == 0 || patch_delete(edits, v->field, width);
}

static bool members_edit(const testcase *t, const position *p, patch *edits) {
    value v, member;
    if (!find_site(t, p, &v) || p->rows.gone >= v.count) return false;
    const uint64_t end = v.count - p->rows.gone, first = end - smaller(end, p->rows.size);
    const size_t values = is_map(&v) ? 2 : 1;
    size_t at = v.body, from = at;
    for (uint64_t i = 0; i < values * end; i++) {
        if (i == values * first) from = at;
        if (!read_value(t, p->way, at, 0, &member)) return false;
        at = member.end;
    }
    return set_number(t, &v, v.count - (end - first), edits) &&
           patch_delete(edits, from, at - from);
}

static uint64_t strings_limit(const testcase *t, const position *p) {
    value v;
    return find_site(t, p, &v) ? v.number : 1;
}

static bool strings_edit(const testcase *t, const position *p, patch *edits) {
    value v;
    if (!find_site(t, p, &v) || p->by > v.number) return false;
    const size_t size = (size_t)p->by;
    return set_number(t, &v, v.number - p->by, edits) &&
           patch_delete(edits, p->rows.gone > 0 ? v.body : v.end - size, size);
}

PASS(tree_members, "tree-members", CHEAP, ALL, trees_next, NULL, members_edit)
PASS(tree_strings, "tree-strings", CHEAP, VALUE, trees_next, strings_limit, strings_edit, .mode = 1)
