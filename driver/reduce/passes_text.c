/* passes_text.c: passes that delete bytes of a file whose format they guess. A guess that does not
 * fit costs nothing. The passes have no site in a test case with a trace. */
#include "pass.h"
#include "patch.h"
#include "text_signs.h"

/* ---- Bytes: rows of bytes, first as many as were last deleted ---- */

static bool bytes_next(const testcase *t, position *p) {
    return t->trace == TRACE_NONE && position_next_draw(t, p);
}

static bool bytes_edit(const testcase *t, const position *p, patch *edits) {
    (void)t;
    return patch_delete(edits, p->at, p->by);
}

const pass pass_bytes = {.name = "bytes",
                         .cost = PASS_CHEAP,
                         .how = STEP_RUN,
                         .next = bytes_next,
                         .limit = position_rest,
                         .edit = bytes_edit};

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
    if (t->trace != TRACE_NONE || t->count < (size_t)p->pass->mode) return false;
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

const pass pass_blocks = {.name = "blocks",
                          .cost = PASS_CHEAP,
                          .how = STEP_ALL,
                          .next = blocks_next,
                          .edit = blocks_edit,
                          .mode = 2}; /* the least size of a file */

/* In small texts, lines and tokens are better blocks. */
const pass pass_large_blocks = {.name = "large-blocks",
                                .cost = PASS_CHEAP,
                                .how = STEP_ALL,
                                .next = blocks_next,
                                .edit = blocks_edit,
                                .mode = 1 << 15};

/* ---- Brackets: delete their contents, the contents and the brackets, or only the brackets ---- */

enum { TAKE_CONTENTS, TAKE_ALL, TAKE_BRACKETS, BRACKET_WAYS };

/* Return the sign that closes the bracket that opens at a position, or 0 if none opens there. */
static uint8_t closing_at(const testcase *t, const position *p) {
    static const char brackets[] = "(){}[]<>";
    for (const char *open = brackets; *open != '\0'; open += 2) {
        if (t->draws[p->at].rank == (uint8_t)open[0]) return (uint8_t)open[1];
    }
    return 0;
}

static bool is_bracket(const testcase *t, const position *p) {
    const uint8_t close = closing_at(t, p);
    return close != 0 && text_closing(t, p->at, close) < t->count;
}

static bool brackets_next(const testcase *t, position *p) {
    return t->trace == TRACE_NONE && position_next_nearby(t, p);
}

static bool brackets_edit(const testcase *t, const position *p, patch *edits) {
    const size_t end = text_closing(t, p->at, closing_at(t, p));
    switch (p->way) {
    case TAKE_CONTENTS: return end > p->at + 1 && patch_delete(edits, p->at + 1, end - p->at - 1);
    case TAKE_ALL: return patch_delete(edits, p->at, end - p->at + 1);
    default: return patch_delete(edits, p->at, 1) && patch_delete(edits, end, 1);
    }
}

const pass pass_brackets = {.name = "brackets",
                            .cost = PASS_CHEAP,
                            .saves_bytes = true,
                            .how = STEP_ALL,
                            .next = brackets_next,
                            .edit = brackets_edit,
                            .nearby = {.ways = BRACKET_WAYS, .fits = is_bracket}};

/* ---- Tokens: words, numbers and single signs, each with the blanks after it ---- */

static size_t token_end(const testcase *t, size_t at) {
    do {
        at++;
    } while (at < t->count && !text_begins_token(t, at));
    return at;
}

static bool tokens_next(const testcase *t, position *p) {
    while (bytes_next(t, p)) {
        if (text_begins_token(t, p->at)) return true;
    }
    return false;
}

/* The limit, position_rest, is higher than the number of tokens: counting them at each position
 * would read all of the rest each time. */
static bool tokens_edit(const testcase *t, const position *p, patch *edits) {
    size_t end = p->at;
    for (uint64_t i = 0; i < p->by; i++) {
        if (end >= t->count) return false; /* there are fewer tokens */
        end = token_end(t, end);
    }
    return end <= t->count && patch_delete(edits, p->at, end - p->at);
}

const pass pass_tokens = {.name = "tokens",
                          .cost = PASS_CHEAP,
                          .how = STEP_MOST,
                          .next = tokens_next,
                          .limit = position_rest,
                          .edit = tokens_edit};

/* ---- Recognise text ---- */

static bool is_control(uint8_t c) {
    return (c < ' ' && !(c >= '\t' && c <= '\r') && c != '\x1b') || c == 0x7f;
}

/* Return the size of the UTF-8 character at `bytes`, or 0 if it is not one of a text. */
static size_t character(const uint8_t *bytes, size_t size) {
    const uint8_t c = bytes[0];
    const size_t length = c < 0x80   ? 1
                          : c < 0xc2 ? 0
                          : c < 0xe0 ? 2
                          : c < 0xf0 ? 3
                          : c < 0xf5 ? 4
                                     : 0;
    if (length == 0 || length > size || is_control(c)) return 0;
    for (size_t i = 1; i < length; i++) {
        if (bytes[i] >> 6 != 2) return 0;
    }
    if ((c == 0xe0 && bytes[1] < 0xa0) || (c == 0xf0 && bytes[1] < 0x90)) return 0; /* overlong */
    if ((c == 0xed && bytes[1] > 0x9f) || (c == 0xf4 && bytes[1] > 0x8f)) return 0; /* none */
    return length;
}

bool text_is(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at < size) {
        const size_t length = character(bytes + at, size - at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}
