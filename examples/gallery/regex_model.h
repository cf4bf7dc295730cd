/* regex_model.h: regular expressions over the letters a and b, and what they match. Shared by the
 * tests of libraries that match them.
 *
 * The model keeps the set of positions that a match can have reached, as the bits of a number.
 * SPDX-License-Identifier: MIT */
#ifndef REGEX_MODEL_H
#define REGEX_MODEL_H

#include <frng_main.h>

#include <stdio.h>
#include <string.h>

typedef enum regex_kind { REGEX_LETTER, REGEX_SEQUENCE, REGEX_CHOICE, REGEX_REPEAT } regex_kind;

typedef struct regex {
    regex_kind kind;
    char letter;
    int min, max;    /* how often it repeats; a max of 0 is no limit */
    int left, right; /* the parts, as indices of the same array */
} regex;

enum { REGEX_DEPTH = 4, REGEX_PARTS = 1 << (REGEX_DEPTH + 1), REGEX_TEXT = 6 };

/* The repetitions that are drawn: ? * + alone, or {2,2} and {0,2} too. */
typedef enum regex_repeats { REGEX_PLAIN = 3, REGEX_COUNTED = 5 } regex_repeats;

/* An expression: parts[0] is the whole. */
typedef struct regex_tree {
    regex parts[REGEX_PARTS];
    int count;
    regex_repeats repeats;
} regex_tree;

static inline bool regex_draw_part(frng *f, regex_tree *tree, int depth, int *index) {
    static const struct { int min, max; } often[] = {{0, 1}, {0, 0}, {1, 0}, {2, 2}, {0, 2}};
    uint8_t kind, choice;
    *index = tree->count++;
    regex *part = &tree->parts[*index];
    frng_note(f, "kind");
    FRNG_TRY(frng_u8_max(f, depth > 0 ? REGEX_REPEAT : REGEX_LETTER, &kind));
    part->kind = (regex_kind)kind;
    if (part->kind == REGEX_LETTER) {
        frng_note(f, "letter");
        FRNG_TRY(frng_u8_max(f, 1, &choice));
        part->letter = choice == 0 ? 'a' : 'b';
        return true;
    }
    if (part->kind == REGEX_REPEAT) {
        frng_note(f, "how often");
        FRNG_TRY(frng_u8_max(f, (uint8_t)(tree->repeats - 1), &choice));
        part->min = often[choice].min;
        part->max = often[choice].max;
        return regex_draw_part(f, tree, depth - 1, &part->left);
    }
    return regex_draw_part(f, tree, depth - 1, &part->left) &&
           regex_draw_part(f, tree, depth - 1, &part->right);
}

static inline bool regex_draw(frng *f, regex_repeats repeats, regex_tree *tree) {
    int whole;
    tree->count = 0;
    tree->repeats = repeats;
    return regex_draw_part(f, tree, REGEX_DEPTH, &whole);
}

/* A text of at most REGEX_TEXT letters. */
static inline bool regex_draw_text(frng *f, char *text) {
    uint8_t length, letter;
    frng_note(f, "length");
    FRNG_TRY(frng_u8_max(f, REGEX_TEXT, &length));
    frng_note(f, "text");
    for (; length > 0; length--) {
        FRNG_TRY(frng_u8_max(f, 1, &letter));
        *text++ = letter == 0 ? 'a' : 'b';
    }
    *text = '\0';
    return true;
}

/* Append a part to `text`, in the syntax that POSIX and XML Schema share. */
static inline void regex_print(const regex_tree *tree, int index, char *text) {
    const regex *part = &tree->parts[index];
    char *end = text + strlen(text);
    if (part->kind == REGEX_LETTER) {
        sprintf(end, "%c", part->letter);
        return;
    }
    if (part->kind != REGEX_SEQUENCE) strcat(text, "(");
    regex_print(tree, part->left, text);
    if (part->kind == REGEX_CHOICE) strcat(text, "|");
    if (part->kind != REGEX_REPEAT) regex_print(tree, part->right, text);
    if (part->kind != REGEX_SEQUENCE) strcat(text, ")");
    end = text + strlen(text);
    if (part->kind != REGEX_REPEAT) return;
    if (part->max == 0) sprintf(end, "%c", part->min == 0 ? '*' : '+');
    if (part->max == 1) sprintf(end, "?");
    if (part->max > 1) sprintf(end, "{%d,%d}", part->min, part->max);
}

/* Return the positions in `text` that a part can reach from the positions `from`. */
static inline unsigned regex_reach(const regex_tree *tree, int index, const char *text,
                                   unsigned from) {
    const regex *part = &tree->parts[index];
    unsigned to = 0;
    switch (part->kind) {
    case REGEX_LETTER:
        for (unsigned i = 0; text[i] != '\0'; i++) {
            if ((from >> i & 1) != 0 && text[i] == part->letter) to |= 2U << i;
        }
        return to;
    case REGEX_SEQUENCE:
        return regex_reach(tree, part->right, text, regex_reach(tree, part->left, text, from));
    case REGEX_CHOICE:
        return regex_reach(tree, part->left, text, from) |
               regex_reach(tree, part->right, text, from);
    case REGEX_REPEAT: break;
    }
    if (part->min == 0) to = from;
    for (int i = 1; i <= (part->max == 0 ? REGEX_TEXT + 1 : part->max); i++) {
        from = regex_reach(tree, part->left, text, from);
        if (i >= part->min) to |= from;
    }
    return to;
}

/* Whether the expression matches all of `text`. */
static inline bool regex_matches(const regex_tree *tree, const char *text) {
    return (regex_reach(tree, 0, text, 1) >> strlen(text) & 1) == 1;
}

#endif
