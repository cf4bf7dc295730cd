/* Passes for the intermediate language of LLVM, and for texts like it.
 *
 * A definition becomes a declaration, so that what uses it can stay. What nobody uses goes all at
 * once or by halves, and so do its uses of others. An instruction goes, and what it defines has no
 * value any more where it stays used; unnamed values have numbers without gaps. */
#include "bytes.h"
#include "outline.h"
#include "pass.h"
#include "patch.h"

#include <string.h>

/* ---- Declarations: definitions lose their bodies, by halves of rows of them ---- */

typedef struct definition {
    size_t start, linkage, body, end; /* before its first word, its second one, its body; behind */
} definition;

typedef struct instruction {
    draw_row line;
    size_t name;
    bool has_name;
} instruction;

enum { DEFINITION_CHANGES = 7, INSTRUCTIONS_MAX = 256 };

/* Return the bytes of a name, with the sign before it. */
static size_t name_size(const testcase *t, size_t at) {
    size_t size = 1;
    while (text_is_word(text_byte(t, at + size)) || memchr(".-$", text_byte(t, at + size), 3))
        size++;
    return size;
}

/* Find the first definition at a place or after it: a line with a global name that ends with a
 * brace, up to a line that begins with the other one. What only definitions have counts as its
 * body. */
static bool next_definition(const testcase *t, size_t at, definition *d) {
    static const char *const tails[] = {" comdat", " personality", " prefix", " !", NULL};
    size_t line = at, end;
    do {
        at = line;
        while (at < t->count && !text_has(t, at, "define ")) at = text_line_end(t, at);
        line = text_line_end(t, at);
        end = at;
        while (end < line && text_byte(t, end) != '@') end++;
    } while (at < t->count && (end == line || text_byte(t, line - 2) != '{'));
    for (end = line; end < t->count && text_byte(t, end) != '}';) end = text_line_end(t, end);
    if (end >= t->count) return false;
    *d = (definition){at, at + sizeof "define", line - 2, end + 1};
    while (at < d->body && !text_has_one(t, at, tails)) at++;
    d->body = at;
    return true;
}

/* True if an instruction is a jump to the block behind it, whose name goes with it. */
static bool joins_blocks(const testcase *t, size_t word, instruction *i) {
    size_t label = i->line.end;
    while (label < t->count && text_byte(t, label) == '\n') label++;
    const size_t size = name_size(t, label - 1);
    if (!text_has(t, word, "br label ") || size == 1 || text_byte(t, label - 1 + size) != ':')
        return false;
    *i = (instruction){{i->line.start, text_line_end(t, label)}, label - 1, true};
    return true;
}

/* Find the next instruction of a function that ends no block: its line, and the sign before the
 * name of what it defines. */
static bool next_instruction(const testcase *t, const definition *d, instruction *i) {
    static const char *const ends[] = {"ret ", "br ",     "switch ",     "invoke ",
                                       "to ",  "resume ", "unreachable", NULL};
    for (size_t at = larger(i->line.end, text_line_end(t, d->body)); at < d->end;
         at = i->line.end) {
        size_t word = text_skip_blanks(t, at);
        *i = (instruction){.line = {at, text_line_end(t, at)}, .name = word};
        if (text_byte(t, word) == '%') word = text_skip_blanks(t, word + name_size(t, word));
        i->has_name = text_byte(t, word) == '=';
        if (i->has_name) word = text_skip_blanks(t, word + 1);
        const bool is_end =
            i->name == at || !text_is_word(text_byte(t, word)) || text_has_one(t, word, ends);
        if (!is_end || joins_blocks(t, word, i)) return true;
    }
    return false;
}

enum { EXPORT, DECLARE, UNDEFINE };
static const size_t row_max[] = {PATCH_MAX, PATCH_FEW / DEFINITION_CHANGES, INSTRUCTIONS_MAX};

static size_t count_in_row(const testcase *t, int mode) {
    size_t count = 0;
    for (definition d = {0}; next_definition(t, d.end, &d);) {
        count += mode != UNDEFINE;
        for (instruction i = {0}; mode == UNDEFINE && next_instruction(t, &d, &i);) count++;
    }
    return count;
}

static bool llvm_next(const testcase *t, position *p) {
    const int mode = p->pass->mode;
    const bool is_known = p->is_visited && p->count == t->count;
    return position_next_row(t, p, is_known ? p->other : count_in_row(t, mode), row_max[mode],
                             SIZE_MAX);
}

/* Put a text in the place of units; there is room for one more than twice as many. */
static bool put_text(const testcase *t, size_t at, size_t size, const char *text, patch *edits) {
    const size_t end = at + size;
    size_t more = strlen(text) > size ? strlen(text) - size : 0;
    for (; *text != '\0'; at++) {
        if (more > 0 && more-- > 0 && !patch_insert(edits, at, at, (uint8_t)*text++)) return false;
        if (at < end && text_byte(t, at) != (uint8_t)*text && !patch_set(edits, at, (uint8_t)*text))
            return false;
        if (at < end) text++;
    }
    return at >= end || patch_delete(edits, at, end - at);
}

/* Delete the linkage that makes a definition one of this file alone. */
static bool export_one(const testcase *t, const definition *d, patch *edits) {
    static const char *const words[] = {
        "internal ", "private ", "linkonce_odr ",         "linkonce ",
        "weak_odr ", "weak ",    "available_externally ", NULL};
    size_t after = d->linkage;
    while (text_has_one(t, d->linkage, words) && text_byte(t, after) != ' ') after++;
    return after == d->linkage || patch_delete(edits, d->linkage, after + 1 - d->linkage);
}

static bool declare_one(const testcase *t, const definition *d, patch *edits) {
    return put_text(t, d->start + 2, 4, "clare", edits) && export_one(t, d, edits) &&
           patch_delete(edits, d->body, d->end - d->body);
}

static bool definitions_edit(const testcase *t, const position *p, patch *edits) {
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > p->rows.size ? end - p->rows.size : 0;
    definition d = {0};
    for (size_t i = 0; i < end && next_definition(t, d.end, &d); i++) {
        if (i >= first && !(p->pass->mode == EXPORT ? export_one : declare_one)(t, &d, edits))
            return false;
    }
    return edits->count > 0;
}

PASS(export, "export", CHEAP, ALL, llvm_next, NULL, definitions_edit, .mode = EXPORT)
PASS(declare, "declare", CHEAP, ALL, llvm_next, NULL, definitions_edit, .mode = DECLARE)

/* ---- Unused: the name that a unit defines is guessed: the first one before a sign that has a
 * mark, as in $f or @f. A unit whose name occurs once in the text is not used. Definitions that
 * have kept their bodies have to stay. In C, where names have no mark, `units` is faster: it
 * deletes what is used, too, with its users ---- */

enum {
    LEVELS = 3,
    TEXT_MIN = 1 << 15,
    TEXT_MAX = 1 << 23, /* each walk over more takes a second */
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

/* Return the index after the name that begins at a place: a word, or a string behind a mark. */
static size_t name_end(const testcase *t, size_t at) {
    if (mark_before(t, at) != NO_MARK && text_byte(t, at) == '"') return text_skip_string(t, at);
    while (text_is_word(text_byte(t, at))) at++;
    return at;
}

static size_t hash_name(const testcase *t, size_t at, size_t end) {
    size_t hash = hash_more(0, mark_before(t, at));
    for (; at < end; at++) hash = hash_more(hash, text_byte(t, at));
    return hash;
}

static void count_names(const testcase *t, name_counts *n) {
    memset(n, 0, sizeof *n);
    for (size_t at = 0, end; at < t->count; at = larger(end, at + 1)) {
        end = name_end(t, at);
        if (end == at) continue;
        const size_t hash = hash_name(t, at, end), slot = slot_of(hash);
        const unsigned step = count_of(n, hash) < MANY;
        n->slots[slot / SLOTS_BYTE] += (uint8_t)(step << slot % SLOTS_BYTE * 2);
    }
}

/* Brackets before the name are those of its type. */
static bool is_unused(const testcase *t, const name_counts *n, const unit *u) {
    size_t first = u->start;
    while (text_is_space(text_byte(t, first))) first++;
    if (u->comma != SIZE_MAX || text_has(t, first, "define ")) return false;
    for (size_t at = first, end; at < u->end; at = larger(end, at + 1)) {
        end = name_end(t, at);
        const uint8_t next = text_byte(t, text_skip_blanks(t, end));
        if (end > at && mark_before(t, at) != NO_MARK && memchr("(=;{[", next, 5) != NULL)
            return count_of(n, hash_name(t, at, end)) == 1;
        if (text_byte(t, at) == '=' || text_byte(t, at) == ';') return false;
        if (text_is_opening(text_byte(t, at))) end = text_closing(t, at);
    }
    return false;
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

/* way: the level. */
static bool unused_next(const testcase *t, position *p) {
    for (; p->way < LEVELS && t->count >= TEXT_MIN && t->count <= TEXT_MAX; p->way++) {
        if (p->misses <= IN_VAIN &&
            position_next_row(t, p, walk_unused(t, p->way, 0, 0, NULL), PATCH_MAX, IN_VAIN))
            return true;
        p->at = p->misses = 0;
        p->is_visited = false;
    }
    return false;
}

static bool unused_edit(const testcase *t, const position *p, patch *edits) {
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, size = smaller(end, p->rows.size);
    return walk_unused(t, p->way, end - size, end, edits) > 0 && edits->count > 0;
}

PASS(unused, "unused", CHEAP, ALL, unused_next, NULL, unused_edit)

/* ---- Instructions: rows of them go, by halves ---- */

/* Return the number of an unnamed value or a block, or SIZE_MAX for a name. */
static size_t number_at(const testcase *t, size_t at, size_t end) {
    size_t number = 0;
    for (; at < end; at++) {
        if (text_byte(t, at) < '0' || text_byte(t, at) > '9') return SIZE_MAX;
        number = 10 * number + (text_byte(t, at) - '0');
    }
    return number;
}

static bool is_alike(const testcase *t, size_t a, size_t b, size_t size) {
    while (size > 0 && text_byte(t, a + size - 1) == text_byte(t, b + size - 1)) size--;
    return size == 0;
}

/* Change a use of a name in a function that loses instructions: `at` is behind the sign. */
static bool change_use(const testcase *t, size_t at, size_t size, const instruction *gone,
                       size_t count, patch *edits) {
    char text[24];
    size_t before = 0;
    const size_t number = number_at(t, at, at + size);
    for (size_t i = 0; i < count; i++) {
        const size_t name = gone[i].name + 1, own = name_size(t, name - 1) - 1;
        if (!gone[i].has_name) continue;
        if (number != SIZE_MAX) before += number_at(t, name, name + own) < number;
        if (own == size && is_alike(t, name, at, size))
            return text_byte(t, at - 1) == '%' && put_text(t, at - 1, size + 1, "undef", edits);
    }
    snprintf(text, sizeof text, "%zu", number - before);
    return before == 0 || put_text(t, at, size, text, edits);
}

/* Delete instructions of a function. */
static bool undefine_in(const testcase *t, const definition *d, const instruction *gone,
                        size_t count, patch *edits) {
    size_t k = 0;
    for (size_t at = d->start, size; at < d->end; at += size) {
        const bool is_label = text_byte(t, at - 1) == '\n';
        size = 1;
        if (k < count && at == gone[k].line.start) {
            size = gone[k].line.end - at;
            if (!patch_delete(edits, at, size)) return false;
            k++;
        } else if (text_byte(t, at) == '%') {
            size = name_size(t, at);
            if (size > 1 && !change_use(t, at + 1, size - 1, gone, count, edits)) return false;
        } else if (is_label && text_is_word(text_byte(t, at))) {
            size = name_size(t, at - 1) - 1;
            if (text_byte(t, at + size) == ':' && !change_use(t, at, size, gone, count, edits))
                return false;
        }
    }
    return true;
}

static bool undefine_edit(const testcase *t, const position *p, patch *edits) {
    instruction gone[INSTRUCTIONS_MAX];
    if (p->at >= p->other) return false;
    const size_t end = p->other - p->at, first = end > p->rows.size ? end - p->rows.size : 0;
    size_t number = 0;
    for (definition d = {0}; number < end && next_definition(t, d.end, &d);) {
        size_t count = 0;
        for (instruction i = {0}; number < end && next_instruction(t, &d, &i); number++)
            if (number >= first) gone[count++] = i;
        if (count > 0 && !undefine_in(t, &d, gone, count, edits)) return false;
    }
    return edits->count > 0;
}

PASS(undefine, "undefine", CHEAP, ALL, llvm_next, NULL, undefine_edit, .mode = UNDEFINE)
