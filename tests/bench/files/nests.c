/* The predicates of more_cases.py whose lines or signs belong together, as those that open and
 * close. The options are those of formats.c.
 *
 *     -DPREDICATE=latex        environments are nested well, and a `\ref` names a `\label` of an
 *                              equation in the document
 *     -DPREDICATE=conditions   #if, #else and #endif are nested well, and a name is defined twice,
 *                              with different values
 *     -DPREDICATE=lisp         brackets are nested well, and a `let` binds a name twice
 *     -DPREDICATE=pdf          objects, dictionaries and streams are well-formed, and two objects
 *                              are the `/Parent` of each other
 *     -DPREDICATE=hex          `key = value` with two digits for each byte of a value, and one has
 *                              the byte 7f and after it 00
 *
 * SPDX-License-Identifier: MIT
 */
#include "pieces.h"

/* ---- latex ---- */

/* Read the argument in braces, if there is one. False if it does not end. */
static bool argument(piece *rest, piece *got) {
    char by;
    *got = (piece){rest->at, 0};
    if (rest->size == 0 || *rest->at != '{') return true;
    rest->at++, rest->size--;
    *got = cut(rest, "{}", &by);
    return by == '}';
}

static piece command(piece *rest) {
    piece got = {rest->at, 0};
    while (got.size < rest->size && is_word_sign(got.at[got.size])) got.size++;
    rest->at += got.size, rest->size -= got.size;
    return got;
}

bool latex(piece file) {
    piece stack[DEPTH_MAX], name;
    size_t depth = 0, labels = 0, references = 0;
    char by;
    while (cut(&file, "\\{}", &by), by != '\0') {
        const piece what = command(&file);
        if (by != '\\' || !argument(&file, &name)) return false;
        if (is(what, "begin")) {
            if (depth == DEPTH_MAX || name.size == 0) return false;
            stack[depth++] = name;
        } else if (is(what, "end")) {
            if (depth == 0 || !same(stack[--depth], name)) return false;
        } else if (depth > 1 && is(stack[0], "document") && labels < ITEMS_MAX) {
            if (is(what, "label") && is(stack[depth - 1], "equation")) items[labels++] = name;
            if (is(what, "ref")) others[references++ % ITEMS_MAX] = name;
        }
    }
    if (depth > 0 || references > ITEMS_MAX) return false;
    for (size_t i = 0; i < labels * references; i++) {
        const piece label = items[i / references];
        if (label.size > 0 && same(label, others[i % references])) return true;
    }
    return false;
}

/* ---- conditions ---- */

bool conditions(piece file) {
    bool has_else[DEPTH_MAX], found = false;
    size_t depth = 0, names = 0;
    char by;
    while (file.size > 0) {
        piece line = trim(cut(&file, "\n", &by));
        if (line.size == 0 || *line.at != '#') continue;
        line.at++, line.size--;
        const piece what = token(&line), name = token(&line), value = trim(line);
        if (is(what, "if") || is(what, "ifdef") || is(what, "ifndef")) {
            if (name.size == 0 || depth == DEPTH_MAX) return false;
            has_else[depth++] = false;
        } else if (is(what, "else")) {
            if (depth == 0 || has_else[depth - 1]) return false;
            has_else[depth - 1] = true;
        } else if (is(what, "endif")) {
            if (depth-- == 0) return false;
        } else if (!is(what, "define") || name.size == 0 || names == ITEMS_MAX) {
            return false;
        } else {
            for (size_t i = 0; i < names; i++)
                found |= same(items[i], name) && !same(others[i], value);
            items[names] = name;
            others[names++] = value;
        }
    }
    return found && depth == 0;
}

/* ---- lisp ---- */

/* A list that is open: its first word, the forms read in it, and whether it binds names. */
typedef struct list {
    piece head;
    size_t forms, names; /* `names`: of items, those before it */
    bool binds;
} list;

/* True if the name that begins a list is bound by another one in the list around it. */
static bool is_bound(const list *around, piece name, size_t *names) {
    bool found = false;
    for (size_t i = around->names; i < *names; i++) found |= same(items[i], name);
    if (*names < ITEMS_MAX) items[(*names)++] = name;
    return found;
}

bool lisp(piece file) {
    static list stack[DEPTH_MAX];
    size_t depth = 0, names = 0;
    bool found = false;
    for (piece word; word = token(&file), word.size > 0;) {
        list *in = depth > 0 ? &stack[depth - 1] : NULL;
        if (is(word, "(")) {
            if (depth == DEPTH_MAX) return false;
            const bool binds = in != NULL && in->forms == 1 && is(in->head, "let");
            stack[depth++] = (list){.names = names, .binds = binds};
            continue;
        }
        if (in == NULL) return false;
        if (is(word, ")")) {
            names = in->names + (depth > 1 && stack[depth - 2].binds);
            if (--depth > 0) stack[depth - 1].forms++;
            continue;
        }
        if (in->forms++ > 0) continue;
        in->head = word;
        if (depth > 1 && stack[depth - 2].binds) {
            found |= is_word_sign(*word.at) && is_bound(&stack[depth - 2], word, &names);
        }
    }
    return found && depth == 0;
}

/* ---- pdf ---- */

static long number(piece word) {
    long value = 0;
    if (word.size == 0 || word.size > 6) return -1;
    for (size_t i = 0; i < word.size; i++) {
        if (word.at[i] < '0' || word.at[i] > '9') return -1;
        value = 10 * value + (word.at[i] - '0');
    }
    return value;
}

static bool skip(piece *rest, const char *text) {
    const size_t size = strlen(text);
    if (rest->size < size || memcmp(rest->at, text, size) != 0) return false;
    rest->at += size, rest->size -= size;
    return true;
}

/* Read a stream up to its end. False if that is not where its length says. */
static bool stream(piece *rest, long length) {
    if (!skip(rest, "\n") || length < 0 || (size_t)length > rest->size) return false;
    rest->at += length, rest->size -= (size_t)length;
    return skip(rest, "\nendstream");
}

enum { OBJECTS_MAX = 1000 };
static long parents[OBJECTS_MAX];

/* Read what is between `obj` and `endobj`. */
static bool object(piece *rest, long own) {
    char stack[DEPTH_MAX];
    size_t depth = 0;
    long length = -1;
    for (piece word; word = token(rest), word.size > 0;) {
        const char sign = *word.at;
        if (is(word, "endobj")) return depth == 0;
        if (is(word, "stream") && (depth > 0 || !stream(rest, length))) return false;
        if (is(word, "<") || is(word, "[")) {
            if (depth == DEPTH_MAX || (sign == '<' && !skip(rest, "<"))) return false;
            stack[depth++] = sign == '<' ? '>' : ']';
        } else if (is(word, ">") || is(word, "]")) {
            if (depth == 0 || stack[--depth] != sign) return false;
            if (sign == '>' && !skip(rest, ">")) return false;
        } else if (is(word, "/")) {
            const piece key = token(rest);
            if (is(key, "Length")) length = number(token(rest));
            if (is(key, "Parent")) parents[own] = number(token(rest));
        }
    }
    return false;
}

bool pdf(piece file) {
    if (!skip(&file, "%PDF-")) return false;
    char by;
    cut(&file, "\n", &by);
    for (piece word; word = token(&file), word.size > 0;) {
        const long own = number(word);
        if (is(word, "%")) {
            cut(&file, "\n", &by);
            continue;
        }
        if (own <= 0 || own >= OBJECTS_MAX || number(token(&file)) < 0) return false;
        if (!is(token(&file), "obj") || !object(&file, own)) return false;
    }
    for (long i = 1; i < OBJECTS_MAX; i++) {
        const long parent = parents[i];
        if (parent > 0 && parent != i && parent < OBJECTS_MAX && parents[parent] == i) return true;
    }
    return false;
}

/* ---- hex ---- */

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool hex(piece file) {
    bool found = false;
    char by;
    while (file.size > 0) {
        piece value = cut(&file, "\n", &by);
        const piece key = trim(cut(&value, "=", &by));
        bool is_marked = false;
        if (key.size == 0 && by == '\0') continue;
        value = trim(value);
        if (key.size == 0 || by == '\0' || value.size % 2 != 0) return false;
        for (size_t i = 0; i < value.size; i += 2) {
            if (!is_hex(value.at[i]) || !is_hex(value.at[i + 1])) return false;
            found |= is_marked && is((piece){value.at + i, 2}, "00");
            is_marked |= is((piece){value.at + i, 2}, "7f");
        }
    }
    return found;
}
