/* passes_text.c: passes that delete bytes of a file whose format they guess.
 *
 * A guess that does not fit costs nothing.
 * Blocks, tokens and brackets go at one place. Columns, words, and pairs and rows of small things
 * go at several places at once, for what does not go alone: a field of all rows, a name and its
 * uses. */
#include "bytes.h"
#include "outline.h"
#include "pass.h"
#include "patch.h"

/* ---- Blocks: large ones first. Where much goes at any place, the size halves with each level;
 * `bytes` clears a file from its beginning on. ---- */

enum { BLOCKS_IN_VAIN = 8, LARGE_IN_VAIN = 128, BLOCK_LARGE = 4096 };

static size_t block_size(const position *p) { return (size_t)1 << p->way; }

/* True if blocks of half the size are tried: there are few of them, or some of this size went. */
static bool is_finer(const testcase *t, const position *p) {
    const size_t half = block_size(p) / 2,
                 few = half < BLOCK_LARGE ? BLOCKS_IN_VAIN : LARGE_IN_VAIN;
    return half > 0 && (t->count / half <= few || t->count < p->count);
}

/* way: the binary logarithm of the size of a block; at: the block; other: the size of the file when
 * the block was tried; count: when the first one of its size was. */
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
    return true;
}

static bool blocks_edit(const testcase *t, const position *p, patch *edits) {
    const size_t rest = t->count - p->at, size = block_size(p);
    return p->at < t->count && patch_delete(edits, p->at, rest < size ? rest : size);
}

PASS(blocks, "blocks", CHEAP, ALL, blocks_next, NULL, blocks_edit, .mode = 2)

/* In small texts, lines and tokens are better blocks. */
PASS(large_blocks, "large-blocks", CHEAP, ALL, blocks_next, NULL, blocks_edit, .mode = 1 << 15)

/* ---- Brackets: delete their contents, the contents and the brackets, or only the brackets ---- */

enum { TAKE_CONTENTS, TAKE_ALL, TAKE_BRACKETS, BRACKET_WAYS };

static bool opens(const testcase *t, size_t at) { return text_closing_sign(text_byte(t, at)) != 0; }

static bool brackets_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = text_closing(t, p->at);
    if (end == t->count) return false;
    switch (p->way) {
    case TAKE_CONTENTS: return end > p->at + 1 && patch_delete(edits, p->at + 1, end - p->at - 1);
    case TAKE_ALL: return patch_delete(edits, p->at, end - p->at + 1);
    default: return patch_delete(edits, p->at, 1) && patch_delete(edits, end, 1);
    }
}

PASS(brackets, "brackets", CHEAP, ALL, position_next_nearby, NULL, brackets_edit,
     .saves_bytes = true, .nearby = {0, 0, BRACKET_WAYS, opens, NULL})

/* ---- Recognise text ---- */

static bool is_control(uint32_t c) {
    return (c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1b') || c == 0x7f;
}

bool text_is(const uint8_t *bytes, size_t size) {
    uint32_t point;
    for (size_t at = 0, length; at < size; at += length) {
        length = utf8_length(bytes + at, size - at, &point);
        if (length == 0 || is_control(point)) return false;
    }
    return true;
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
static size_t count_lists(const testcase *t, const position *p, uint8_t *lists) {
    outline o = columns_begin(t, p);
    size_t fields = 0, total = 0;
    unit u;
    while (outline_next(&o, t, &u)) {
        if (u.comma == SIZE_MAX) {
            if (fields <= FIELDS_MAX && lists[fields] < 2) lists[fields]++;
            fields = 0;
        }
        fields++;
        total++;
    }
    if (fields <= FIELDS_MAX && lists[fields] < 2) lists[fields]++;
    return total;
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

/* ---- Words: the same bytes of a word everywhere ---- */

enum { WORDS_TEXT_MAX = 1 << 16, CUT_TAIL = 0, CUT_WAYS = 2 };

static size_t word_size(const testcase *t, size_t at) {
    size_t size = 0;
    while (at + size < t->count && text_is_word(text_byte(t, at + size))) size++;
    return size;
}

static bool begins_word(const testcase *t, size_t at) {
    return text_is_word(text_byte(t, at)) && (at == 0 || !text_is_word(text_byte(t, at - 1)));
}

/* Return the next place of the word that begins at `word`, from a place on, or t->count. */
static size_t find_word(const testcase *t, size_t word, size_t at) {
    const uint64_t first = t->draws[word].rank;
    for (; at < t->count; at++) {
        if (t->draws[at].rank != first || !begins_word(t, at)) continue;
        if (outline_same_name(t, word, at)) return at;
    }
    return at;
}

/* True for the first of at least two equal words. */
static bool is_first_word(const testcase *t, size_t at) {
    return t->count <= WORDS_TEXT_MAX && begins_word(t, at) && find_word(t, at, 0) == at &&
           find_word(t, at, at + 1) < t->count;
}

static uint64_t words_limit(const testcase *t, const position *p) { return word_size(t, p->at); }

/* way: the end that is cut. */
static bool words_edit(const testcase *t, const position *p, patch *edits) {
    const size_t size = word_size(t, p->at);
    if (p->by > size) return false;
    for (size_t at = p->at; at < t->count; at = find_word(t, p->at, at + 1)) {
        const size_t first = p->way == CUT_TAIL ? at + size - (size_t)p->by : at;
        if (!patch_delete(edits, first, (size_t)p->by)) return false;
    }
    return true;
}

PASS(words, "words", COSTLY, VALUE, position_next_nearby, words_limit, words_edit,
     .nearby = {0, 0, CUT_WAYS, is_first_word, NULL})

/* ---- Rows of bytes, first as many as were last deleted, and of tokens: words, numbers and single
 * signs, each with the blanks after it; runs: a few that do not go alone; and pairs: two lines or
 * tokens at a distance, as `do` and `done` ---- */

typedef enum piece_kind { PIECE_LINE, PIECE_TOKEN, PIECE_BYTE } piece_kind;

/* The pieces of a pass, and the largest text for it: in a long one there is more to do. */
enum { BYTES, TOKENS, TOKEN_RUNS, BYTE_RUNS, LINE_PAIRS, TOKEN_PAIRS };
static const struct {
    piece_kind kind;
    size_t text_max;
} modes[] = {[BYTES] = {PIECE_BYTE, SIZE_MAX},      [TOKENS] = {PIECE_TOKEN, SIZE_MAX},
             [TOKEN_RUNS] = {PIECE_TOKEN, 1 << 16}, [BYTE_RUNS] = {PIECE_BYTE, 1024},
             [LINE_PAIRS] = {PIECE_LINE, 1 << 14},  [TOKEN_PAIRS] = {PIECE_TOKEN, 1024}};

static bool begins_piece(const testcase *t, piece_kind kind, size_t at) {
    switch (kind) {
    case PIECE_LINE: return at == 0 || text_byte(t, at - 1) == '\n';
    case PIECE_TOKEN: return text_begins_token(t, at);
    case PIECE_BYTE: return true;
    }
    return false;
}

static bool piece_fits(const testcase *t, const position *p) {
    return t->count <= modes[p->pass->mode].text_max &&
           begins_piece(t, modes[p->pass->mode].kind, p->at);
}

static size_t skip_pieces(const testcase *t, const position *p, size_t at, size_t count) {
    for (; count > 0 && at < t->count; count--) {
        do {
            at++;
        } while (at < t->count && !begins_piece(t, modes[p->pass->mode].kind, at));
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
PASS(tokens, "tokens", CHEAP, MOST, position_next_nearby, position_rest, runs_edit,
     .nearby = {0, 0, 1, text_begins_token, NULL}, .mode = TOKENS)

#define PIECES(id, text, ways, edit, which)                                                        \
    PASS(id, text, COSTLY, ALL, position_next_of_way, NULL, edit,                                  \
         .nearby = {0, 0, ways, NULL, piece_fits}, .mode = which)
PIECES(token_runs, "token-runs", 15, runs_edit, TOKEN_RUNS)
PIECES(byte_runs, "byte-runs", 7, runs_edit, BYTE_RUNS)
PIECES(line_pairs, "line-pairs", 16, pairs_edit, LINE_PAIRS)
PIECES(token_pairs, "token-pairs", 8, pairs_edit, TOKEN_PAIRS)
