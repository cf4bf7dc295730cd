/* The predicates of cases.py: formats that people write, as a parser of each would see them.
 * Exit status 0: well-formed and interesting; 1: not; 2: unreadable. One of them is compiled into a
 * program of its own, as predicates.c says; NAME is read where no argument names a file.
 *
 *     -DPREDICATE=csv      each row has as many fields as the header, and one has `open` in the
 *                          column `state` and a negative number in the column `total`
 *     -DPREDICATE=sql      CREATE TABLE and INSERT alone, each row has a value for each column, and
 *                          two rows have the same value in the column `serial` of the same table
 *     -DPREDICATE=ini      `key = value` in sections, and an `include` names a section that has a
 *                          `path`
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
