/* The predicates of more_cases.py: formats that people write, as a parser of each would see them.
 * Exit status 0: well-formed and interesting; 1: not; 2: unreadable. One of them is compiled into a
 * program of its own, as predicates.c says; NAME is read where no argument names a file.
 *
 *     -DPREDICATE=csv      each row has as many fields as the header, and one has `open` in the
 *                          column `state` and a negative number in the column `total`
 *     -DPREDICATE=sql      CREATE TABLE and INSERT alone, each row has a value for each column, and
 *                          two rows have the same value in the column `serial` of the same table
 *     -DPREDICATE=shell    do/done, if/then/fi and case/esac are nested well, and an `exit` is in a
 *                          loop that is in an `if`
 *     -DPREDICATE=xml      tags are nested well, and two elements have the same `id`, the second in
 *                          a `list`
 *     -DPREDICATE=ini      `key = value` in sections, and an `include` names a section that has a
 *                          `path`
 *     -DPREDICATE=yaml     keys at consistent indentations, and a mapping that is in another one
 *                          has a key twice
 *     -DPREDICATE=rules    recipes follow a rule, variables are set; a rule needs one that needs it
 *     -DPREDICATE=chunks   magic, then length, type, data and check sum again and again; a `tRNS`
 *                          has more bytes than the `PLTE` before it has colours
 *
 * SPDX-License-Identifier: MIT
 */
#include "pieces.h"

/* ---- csv ---- */

static long column_of(piece row, const char *name) {
    char by;
    for (long i = 0;; i++) {
        if (is(cut(&row, ",", &by), name)) return i;
        if (by == '\0') return -1;
    }
}

bool csv(piece file) {
    char by, end;
    const piece header = cut(&file, "\n", &end);
    const long state = column_of(header, "state"), total = column_of(header, "total");
    size_t columns = 1;
    bool found = false;
    for (size_t i = 0; i < header.size; i++) columns += header.at[i] == ',';
    while (file.size > 0) {
        piece row = cut(&file, "\n", &end);
        bool is_open = false, is_negative = false;
        size_t fields = 0;
        do {
            const piece field = cut(&row, ",", &by);
            is_open |= (long)fields == state && is(field, "open");
            is_negative |= (long)fields == total && field.size > 1 && *field.at == '-' &&
                           field.at[1] >= '1' && field.at[1] <= '9';
            fields++;
        } while (by != '\0');
        if (fields != columns) return false;
        found |= is_open && is_negative;
    }
    return found;
}

/* ---- sql ---- */

typedef struct table {
    piece name;
    size_t columns, serial; /* SIZE_MAX: it has none */
} table;

static table tables[DEPTH_MAX];
static size_t table_count, serial_count;

static bool create(piece *rest) {
    table *t = &tables[table_count];
    if (!is(token(rest), "TABLE") || table_count == DEPTH_MAX - 1) return false;
    *t = (table){token(rest), 0, (size_t)-1};
    if (!is_word_sign(t->name.size > 0 ? *t->name.at : 0) || !is(token(rest), "(")) return false;
    for (;; t->columns++) {
        piece name = token(rest);
        if (name.size == 0 || !is_word_sign(*name.at)) return false;
        if (is(name, "serial")) t->serial = t->columns;
        do name = token(rest);
        while (name.size > 0 && !is(name, ",") && !is(name, ")"));
        if (name.size == 0) return false;
        if (is(name, ")")) break;
    }
    t->columns++;
    table_count++;
    return is(token(rest), ";");
}

static bool row(piece *rest, const table *t, bool *found) {
    for (size_t i = 0;; i++) {
        const piece value = token(rest);
        if (value.size == 0 || is_in(*value.at, "(),;")) return false;
        if (i == t->serial) {
            for (size_t k = 0; k < serial_count; k++)
                *found |= same(items[k], value) && same(others[k], t->name);
            if (serial_count < ITEMS_MAX) {
                others[serial_count] = t->name;
                items[serial_count++] = value;
            }
        }
        const piece sign = token(rest);
        if (is(sign, ")")) return i + 1 == t->columns;
        if (!is(sign, ",")) return false;
    }
}

static bool insert(piece *rest, bool *found) {
    const table *t = tables;
    if (!is(token(rest), "INTO")) return false;
    const piece name = token(rest);
    while (t < tables + table_count && !same(t->name, name)) t++;
    if (t == tables + table_count || !is(token(rest), "VALUES")) return false;
    for (;;) {
        if (!is(token(rest), "(") || !row(rest, t, found)) return false;
        const piece sign = token(rest);
        if (is(sign, ";")) return true;
        if (!is(sign, ",")) return false;
    }
}

bool sql(piece file) {
    bool found = false;
    for (;;) {
        const piece word = token(&file);
        if (word.size == 0) return found;
        if (is(word, "CREATE") ? !create(&file) : !is(word, "INSERT") || !insert(&file, &found))
            return false;
    }
}

/* ---- shell ---- */

static const char *const openers[] = {"do", "then", "case"};
static const char *const closers[] = {"done", "fi", "esac"};

/* Nest a word in command position. False if it does not fit. */
static bool nest(piece word, char *stack, size_t *depth, bool *found) {
    for (char i = 0; i < 3; i++) {
        if (is(word, openers[(int)i])) {
            if (*depth == DEPTH_MAX) return false;
            stack[(*depth)++] = i;
        }
        if (is(word, closers[(int)i]) && (*depth == 0 || stack[--*depth] != i)) return false;
    }
    if (is(word, "exit") && *depth >= 2)
        *found |= stack[*depth - 1] == 0 && memchr(stack, 1, *depth - 1) != NULL;
    return true;
}

bool shell(piece file) {
    char stack[DEPTH_MAX], by;
    size_t depth = 0, pending = 0; /* `if`, `while` and `for` that wait for then or do */
    bool is_command = true, found = false;
    while (file.size > 0) {
        const char next = *file.at;
        if (next == '#' && is_command) {
            cut(&file, "\n", &by);
            continue;
        }
        if (is_in(next, "\n;&|") || next == ' ' || next == '\t') {
            is_command |= is_in(next, "\n;&|");
            file.at++, file.size--;
            continue;
        }
        const piece word = token(&file);
        if (*word.at == '"' && (word.size < 2 || word.at[word.size - 1] != '"')) return false;
        if (!is_command) continue;
        if (is(word, "if") || is(word, "while") || is(word, "for")) pending++;
        if ((is(word, "then") || is(word, "do")) && pending-- == 0) return false;
        if (!nest(word, stack, &depth, &found)) return false;
        is_command = is(word, "then") || is(word, "do") || is(word, "else") || is(word, "if") ||
                     is(word, "while");
    }
    return depth == 0 && pending == 0 && found;
}

/* ---- xml ---- */

/* The value of `id` among the attributes; empty if there is none. False if they are wrong. */
static bool id_of(piece rest, piece *id) {
    for (;;) {
        const piece name = token(&rest);
        if (name.size == 0) return true;
        if (!is_word_sign(*name.at) || !is(token(&rest), "=")) return false;
        const piece value = token(&rest);
        if (value.size < 2 || *value.at != '"' || value.at[value.size - 1] != '"') return false;
        if (is(name, "id")) *id = value;
    }
}

bool xml(piece file) {
    piece stack[DEPTH_MAX];
    size_t depth = 0, lists = 0, ids = 0, roots = 0;
    bool found = false;
    char by;
    while (file.size > 0) {
        const piece text = cut(&file, "<", &by);
        if (by == '\0') return found && depth == 0 && trim(text).size == 0;
        piece tag = cut(&file, ">", &by);
        if (by == '\0' || tag.size == 0 || (depth == 0 && trim(text).size > 0)) return false;
        if (is_in(*tag.at, "?!")) continue;
        if (*tag.at == '/') {
            if (depth-- == 0 || !same(stack[depth], trim((piece){tag.at + 1, tag.size - 1})))
                return false;
            lists -= is(stack[depth], "list");
            continue;
        }
        const bool is_closed = tag.at[tag.size - 1] == '/';
        tag.size -= is_closed;
        const piece name = token(&tag);
        piece id = {name.at, 0};
        if (name.size == 0 || !is_word_sign(*name.at) || !id_of(tag, &id)) return false;
        if (depth == 0 && roots++ > 0) return false;
        for (size_t i = 0; id.size > 0 && lists > 0 && i < ids; i++) found |= same(items[i], id);
        if (id.size > 0 && ids < ITEMS_MAX) items[ids++] = id;
        if (is_closed) continue;
        if (depth == DEPTH_MAX) return false;
        stack[depth++] = name;
        lists += is(name, "list");
    }
    return found && depth == 0;
}

/* ---- ini ---- */

bool ini(piece file) {
    size_t wanted = 0, have = 0;
    piece section = {NULL, 0};
    char by;
    while (file.size > 0) {
        const piece line = trim(cut(&file, "\n", &by));
        if (line.size == 0 || is_in(*line.at, "#;")) continue;
        if (*line.at == '[') {
            if (line.size < 3 || line.at[line.size - 1] != ']') return false;
            section = (piece){line.at + 1, line.size - 2};
            continue;
        }
        piece value = line;
        const piece key = trim(cut(&value, "=", &by));
        if (by == '\0' || key.size == 0 || section.size == 0) return false;
        if (is(key, "include") && wanted < ITEMS_MAX) items[wanted++] = trim(value);
        if (is(key, "path") && have < ITEMS_MAX) others[have++] = section;
    }
    for (size_t i = 0; i < wanted; i++) {
        for (size_t k = 0; k < have; k++) {
            if (same(items[i], others[k])) return true;
        }
    }
    return false;
}

/* ---- yaml ---- */

typedef struct level {
    size_t indent, first; /* `first`: of items, its keys */
} level;

/* Make the line's indentation the innermost level. False if it fits none. */
static bool indent_to(level *stack, size_t *depth, size_t indent, size_t keys, bool may_nest) {
    while (*depth > 0 && stack[*depth - 1].indent > indent) --*depth;
    if (*depth > 0 && stack[*depth - 1].indent == indent) return true;
    if (!may_nest || *depth == DEPTH_MAX) return false;
    stack[(*depth)++] = (level){indent, keys};
    return true;
}

bool yaml(piece file) {
    level stack[DEPTH_MAX];
    size_t depth = 0, keys = 0;
    bool may_nest = true, found = false;
    char by;
    while (file.size > 0) {
        const piece line = cut(&file, "\n", &by);
        piece text = trim(line);
        if (text.size == 0 || *text.at == '#') continue;
        const size_t indent = (size_t)(text.at - line.at), before = depth;
        if (!indent_to(stack, &depth, indent, keys, may_nest)) return false;
        if (may_nest && before > 0 && depth <= before && indent > stack[before - 1].indent)
            return false;
        if (depth < before) keys = keys > stack[depth].first ? stack[depth].first : keys;
        may_nest = false;
        if (*text.at == '-') {
            if (text.size < 3 || text.at[1] != ' ') return false;
            continue;
        }
        const piece key = trim(cut(&text, ":", &by));
        if (by == '\0' || key.size == 0) return false;
        for (size_t i = stack[depth - 1].first; i < keys; i++)
            found |= depth > 1 && same(items[i], key);
        if (keys < ITEMS_MAX) items[keys++] = key;
        may_nest = trim(text).size == 0;
    }
    return found;
}

/* ---- rules ---- */

static bool variables_are_set(piece text, size_t set) {
    char by;
    while (cut(&text, "$", &by), by != '\0') {
        if (text.size == 0 || *text.at != '(') continue;
        text.at++, text.size--;
        const piece name = cut(&text, ")", &by);
        bool found = false;
        for (size_t i = 0; i < set; i++) found |= same(items[i], name);
        if (by == '\0' || !found) return false;
    }
    return true;
}

/* True if the rule for `a` needs b; pairs are in others. */
static bool needs(size_t pairs, piece a, piece b) {
    for (size_t i = 0; i < pairs; i += 2) {
        if (same(others[i], a) && same(others[i + 1], b)) return true;
    }
    return false;
}

bool rules(piece file) {
    size_t set = 0, pairs = 0;
    bool in_rule = false;
    char by;
    while (file.size > 0) {
        piece line = cut(&file, "\n", &by);
        if (line.size > 0 && *line.at == '\t') {
            if (!in_rule || !variables_are_set(line, set)) return false;
            continue;
        }
        line = trim(line);
        if (line.size == 0 || *line.at == '#') continue;
        if (!variables_are_set(line, set)) return false;
        const piece name = trim(cut(&line, ":=", &by));
        in_rule = by == ':';
        if (by == '\0' || name.size == 0) return false;
        if (by == '=' && set < ITEMS_MAX) items[set++] = name;
        for (piece word; in_rule && (word = trim(cut(&line, " ", &by)), word.size > 0 || by);) {
            if (word.size == 0 || pairs + 2 > ITEMS_MAX) continue;
            others[pairs++] = name;
            others[pairs++] = word;
        }
    }
    for (size_t i = 0; i < pairs; i += 2) {
        if (!same(others[i], others[i + 1]) && needs(pairs, others[i + 1], others[i])) return true;
    }
    return false;
}

/* ---- chunks ---- */

bool chunks(piece file) {
    size_t colours = 0;
    bool has_palette = false, found = false;
    if (file.size < 4 || memcmp(file.at, "\x89IMG", 4) != 0) return false;
    for (file.at += 4, file.size -= 4; file.size > 0;) {
        size_t length = 0;
        if (file.size < 12) return false;
        for (int i = 0; i < 4; i++) length = length << 8 | (unsigned char)file.at[i];
        if (length > file.size - 12) return false;
        const piece type = {file.at + 4, 4};
        if (is(type, "PLTE")) {
            if (length == 0 || length % 3 != 0) return false;
            has_palette = true;
            colours = length / 3;
        }
        found |= is(type, "tRNS") && has_palette && length > colours;
        file.at += 12 + length;
        file.size -= 12 + length;
    }
    return found;
}
