/* passes_words.c: passes that delete the same of several places of a text at once, or small rows of
 * what does not go alone. */
#include "outline.h"
#include "pass.h"
#include "patch.h"
#include "text_signs.h"

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
    if (t->trace != TRACE_NONE) return false;
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

/* The list that is read, and its fields that go. */
typedef struct list_edit {
    size_t fields, start, end, comma;
    bool is_last;
} list_edit;

static bool end_list(const list_edit *l, const position *p, patch *edits) {
    if (l->fields != fields_of(p) || l->end == l->start) return true;
    const size_t start = l->is_last && l->comma != SIZE_MAX ? l->comma : l->start;
    return patch_delete(edits, start, l->end - start);
}

static bool columns_edit(const testcase *t, const position *p, patch *edits) {
    outline o = columns_begin(t, p);
    list_edit l = {0};
    unit u;
    while (outline_next(&o, t, &u)) {
        if (u.comma == SIZE_MAX) {
            if (!end_list(&l, p, edits)) return false;
            l = (list_edit){0};
        }
        const size_t field = l.fields++;
        if (field == p->at) l = (list_edit){l.fields, u.start, u.end, u.comma, u.is_last};
        if (field > p->at && field - p->at < p->by) {
            l.end = u.end;
            l.is_last = u.is_last;
        }
    }
    return end_list(&l, p, edits) && edits->count > 0;
}

const pass pass_columns = {.name = "columns",
                           .cost = PASS_CHEAP,
                           .how = STEP_MOST,
                           .next = columns_next,
                           .limit = columns_limit,
                           .edit = columns_edit};

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

/* at: the first of at least two equal words; way: the end that is cut. */
static bool words_next(const testcase *t, position *p) {
    if (t->trace != TRACE_NONE || t->count > WORDS_TEXT_MAX) return false;
    position_leave(p, &p->way);
    for (; p->at < t->count; p->at++, p->way = 0) {
        if (p->way == CUT_WAYS || !begins_word(t, p->at)) continue;
        if (find_word(t, p->at, 0) < p->at) continue;
        if (find_word(t, p->at, p->at + 1) < t->count) return true;
    }
    return false;
}

static uint64_t words_limit(const testcase *t, const position *p) { return word_size(t, p->at); }

static bool words_edit(const testcase *t, const position *p, patch *edits) {
    const size_t size = word_size(t, p->at);
    if (p->by > size) return false;
    for (size_t at = p->at; at < t->count; at = find_word(t, p->at, at + 1)) {
        const size_t first = p->way == CUT_TAIL ? at + size - (size_t)p->by : at;
        if (!patch_delete(edits, first, (size_t)p->by)) return false;
    }
    return true;
}

const pass pass_words = {.name = "words",
                         .how = STEP_VALUE,
                         .next = words_next,
                         .limit = words_limit,
                         .edit = words_edit};

/* ---- Runs: a few lines, tokens or bytes that do not go alone ---- */

typedef enum run_kind { RUN_LINES, RUN_TOKENS, RUN_BYTES } run_kind;

/* The largest run, the largest distance of a pair and the largest texts for them: in a long one
 * there is more to do than this. */
static const struct {
    size_t run, run_text, distance, pair_text;
} reach[] = {[RUN_LINES] = {.distance = 16, .pair_text = 1 << 14},
             [RUN_TOKENS] = {16, 1 << 16, 8, 1024},
             [RUN_BYTES] = {.run = 8, .run_text = 1024}};

static bool begins_piece(const testcase *t, run_kind kind, size_t at) {
    switch (kind) {
    case RUN_LINES: return at == 0 || text_byte(t, at - 1) == '\n';
    case RUN_TOKENS: return text_begins_token(t, at);
    case RUN_BYTES: return true;
    }
    return false;
}

static size_t skip_pieces(const testcase *t, run_kind kind, size_t at, size_t count) {
    for (; count > 0 && at < t->count; count--) {
        do {
            at++;
        } while (at < t->count && !begins_piece(t, kind, at));
    }
    return count > 0 ? SIZE_MAX : at;
}

/* Move to the next piece, or to the first for the next way. False after the last way. */
static bool next_piece(const testcase *t, position *p, size_t ways) {
    const run_kind kind = (run_kind)p->pass->mode;
    position_leave(p, &p->at);
    for (; p->way < ways; p->way++, p->at = 0) {
        while (p->at < t->count && !begins_piece(t, kind, p->at)) p->at++;
        if (p->at < t->count) return true;
    }
    return false;
}

/* way: the pieces of the run, from 2 on; at: the first one. */
static bool runs_next(const testcase *t, position *p) {
    const run_kind kind = (run_kind)p->pass->mode;
    return t->trace == TRACE_NONE && t->count <= reach[kind].run_text &&
           next_piece(t, p, reach[kind].run - 1);
}

static bool runs_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = skip_pieces(t, (run_kind)p->pass->mode, p->at, p->way + 2);
    return end != SIZE_MAX && patch_delete(edits, p->at, end - p->at);
}

const pass pass_token_runs = {.name = "token-runs",
                              .how = STEP_ALL,
                              .next = runs_next,
                              .edit = runs_edit,
                              .mode = RUN_TOKENS};
const pass pass_byte_runs = {
    .name = "byte-runs", .how = STEP_ALL, .next = runs_next, .edit = runs_edit, .mode = RUN_BYTES};

/* ---- Pairs: two lines or tokens at a distance, as `do` and `done` ---- */

/* way: the pieces between the two; at: the first one. */
static bool pairs_next(const testcase *t, position *p) {
    const run_kind kind = (run_kind)p->pass->mode;
    return t->trace == TRACE_NONE && t->count <= reach[kind].pair_text &&
           next_piece(t, p, reach[kind].distance);
}

static bool pairs_edit(const testcase *t, const position *p, patch *edits) {
    const run_kind kind = (run_kind)p->pass->mode;
    const size_t end = skip_pieces(t, kind, p->at, 1),
                 other = skip_pieces(t, kind, p->at, p->way + 2);
    if (other == SIZE_MAX) return false;
    const size_t other_end = skip_pieces(t, kind, other, 1);
    return other_end != SIZE_MAX && patch_delete(edits, p->at, end - p->at) &&
           patch_delete(edits, other, other_end - other);
}

const pass pass_line_pairs = {.name = "line-pairs",
                              .how = STEP_ALL,
                              .next = pairs_next,
                              .edit = pairs_edit,
                              .mode = RUN_LINES};
const pass pass_token_pairs = {.name = "token-pairs",
                               .how = STEP_ALL,
                               .next = pairs_next,
                               .edit = pairs_edit,
                               .mode = RUN_TOKENS};
