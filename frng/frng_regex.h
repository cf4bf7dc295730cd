/* frng_regex.h: texts that match a regular expression.
 *
 *     char id[37];
 *     FRNG_TRY(frng_regex(f, "[a-z]+(-[0-9]{2})?", id));
 *
 * A pattern has letters, `.` for any that prints, classes of ASCII such as [a-z_], [^"], \d, \w, \s
 * and \D, groups with alternatives, (a|b), and the counts ? * + {2} {2,} {2,5}; without an end they
 * end 32 above their minimum. ^ and $ around all change nothing. Fewer letters are simpler, and the
 * first ones. A wrong pattern traps. No I/O; C11 and C++11. SPDX-License-Identifier: MIT */
#ifndef FRNG_REGEX_H
#define FRNG_REGEX_H

#include "frng_more.h"

FRNG__WRAPS

/* Draw a text that matches, into an array (no pointer) that has room for the longest one. */
#define frng_regex(f, pattern, text) frng_regex_of(f, pattern, sizeof(text), text)

typedef struct frng__regex {
    frng *f;
    const char *pattern;
    size_t at; /* in the pattern */
    char *text;
} frng__regex;

/* The letters of a class, each once, the simplest first; or one letter of `width` bytes. */
typedef struct frng__set {
    char list[128];
    size_t count, width;
} frng__set;

FRNG__COLD void frng__re_wrong(const frng__regex *r, const char *what) {
    const frng_host *host = r->f->host;
    if (host != NULL && host->misuse != NULL)
        host->misuse("frng_regex: %s, byte %d of \"%s\"", what, (int)r->at, r->pattern);
    FRNG_TRAP();
}

/* Step over a letter of the pattern if it is the next one. */
FRNG__HELPER bool frng__re_is(frng__regex *r, char letter) {
    if (r->pattern[r->at] != letter) return false;
    r->at++;
    return true;
}

FRNG__HELPER void frng__set_add(frng__set *set, int low, int high) {
    for (; low <= high; low++) {
        size_t i = 0;
        while (i < set->count && set->list[i] != (char)low) i++;
        if (i == set->count) set->list[set->count++] = (char)low;
    }
}

/* Add the letters that print and are not in `others`. */
FRNG__HELPER void frng__set_add_others(frng__set *set, frng__set others) {
    for (const char *letter = FRNG_PRINTABLE; *letter != '\0'; letter++) {
        const size_t before = others.count;
        frng__set_add(&others, *letter, *letter);
        if (others.count > before) frng__set_add(set, *letter, *letter);
    }
}

/* Add what follows a backslash. Return the letter, or -1 for several. */
FRNG__HELPER int frng__re_escaped(frng__regex *r, frng__set *set) {
    static const char *const meant[] = {"d09", "wazAZ09__", "s  \t\r", "n\n\n", "r\r\r", "t\t\t"};
    const char letter = r->pattern[r->at++], lower = (char)(letter | 32);
    const bool is_other = letter == 'D' || letter == 'W' || letter == 'S';
    const bool is_name = (lower >= 'a' && lower <= 'z') || (letter >= '0' && letter <= '9');
    frng__set named = {{0}, 0, 1};
    if (letter >= ' ' && letter < 0x7f && !is_name) frng__set_add(&named, letter, letter);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        for (const char *p = meant[i]; p[1] != '\0' && *meant[i] == letter + 32 * is_other; p += 2)
            frng__set_add(&named, p[1], p[2]);
    if (named.count == 0) frng__re_wrong(r, "an unknown letter after \\");
    if (is_other) frng__set_add_others(set, named);
    for (size_t i = 0; !is_other && i < named.count; i++)
        frng__set_add(set, named.list[i], named.list[i]);
    return named.count == 1 ? named.list[0] : -1;
}

/* One letter of a class, or -1 for several. */
FRNG__HELPER int frng__re_member(frng__regex *r, frng__set *set) {
    const char letter = r->pattern[r->at++];
    if (letter == '\0') frng__re_wrong(r, "a class without ]");
    if ((signed char)letter < 0) frng__re_wrong(r, "a class with a letter beyond ASCII");
    if (letter == '\\') return frng__re_escaped(r, set);
    frng__set_add(set, letter, letter);
    return letter;
}

/* The rest of a class, after [. */
FRNG__HELPER void frng__re_class(frng__regex *r, frng__set *set) {
    const bool is_negated = frng__re_is(r, '^');
    frng__set named = {{0}, 0, 1}, end = named, *to = is_negated ? &named : set;
    do {
        const int low = frng__re_member(r, to);
        if (r->pattern[r->at] != '-' || r->pattern[r->at + 1] == ']') continue;
        r->at++;
        const int high = frng__re_member(r, &end);
        if (low < 0 || high < low) frng__re_wrong(r, "a range whose end is before its beginning");
        frng__set_add(to, low, high);
    } while (!frng__re_is(r, ']'));
    if (is_negated) frng__set_add_others(set, named);
    if (set->count == 0) frng__re_wrong(r, "a class without letters");
}

/* The letters of an item that is no group. */
FRNG__HELPER void frng__re_letters(frng__regex *r, frng__set *set) {
    const frng__set none = {{0}, 0, 1};
    const char letter = r->pattern[r->at++];
    *set = none;
    for (const char *special = "?*+{}]^$"; *special != '\0'; special++)
        if (letter == *special) frng__re_wrong(r, "a letter that needs a \\ before it");
    if (letter == '.') {
        frng__set_add_others(set, none);
    } else if (letter == '[') {
        frng__re_class(r, set);
    } else if (letter == '\\') {
        (void)frng__re_escaped(r, set);
    } else {
        set->list[set->count++] = letter;
        for (; (r->pattern[r->at] & 0xc0) == 0x80 && set->width < 4; set->width++)
            set->list[set->width] = r->pattern[r->at++];
    }
}

FRNG__HELPER size_t frng__re_number(frng__regex *r) {
    size_t number = 0, digits = 0;
    for (; r->pattern[r->at] >= '0' && r->pattern[r->at] <= '9' && digits < 5; digits++)
        number = 10 * number + (size_t)(r->pattern[r->at++] - '0');
    if (digits < 1 || digits > 4) frng__re_wrong(r, "no number up to 9999 in a count");
    return number;
}

/* How many times an item comes: once without a count. */
FRNG__HELPER void frng__re_count(frng__regex *r, size_t *min, size_t *max) {
    enum { BEYOND = 32 };
    const char letter = r->pattern[r->at];
    *min = letter == '?' || letter == '*' ? 0 : 1;
    *max = letter == '*' || letter == '+' ? *min + BEYOND : 1;
    if (letter != '?' && letter != '*' && letter != '+' && letter != '{') return;
    r->at++;
    if (letter == '{') {
        *min = *max = frng__re_number(r);
        if (frng__re_is(r, ','))
            *max = r->pattern[r->at] == '}' ? *min + BEYOND : frng__re_number(r);
        if (!frng__re_is(r, '}') || *max < *min) frng__re_wrong(r, "a count other than {2,5}");
    }
    (void)frng__re_is(r, '?'); /* which text would match first does not matter */
}

FRNG__HELPER bool frng__re_put(frng__regex *r, const frng__set *set, size_t min, size_t max) {
    bool more = true;
    for (size_t done = 0; more; done++) {
        char letter = set->list[0];
        size_t pick = 0;
        if (min < max) {
            FRNG_TRY(frng__letter(r->f, set->count, done, min, max, set->list, &letter, &more));
        } else {
            more = done < max;
            if (more && set->count > 1) FRNG_TRY(frng_pick(r->f, set->count, &pick));
            letter = set->list[pick];
        }
        for (size_t i = 0; more && i < set->width; i++) *r->text++ = i == 0 ? letter : set->list[i];
    }
    return true;
}

FRNG__HELPER bool frng__re_choice(frng__regex *r, bool draws, size_t *longest);

/* An item and its count. Step over it, and draw it if `draws`. */
FRNG__HELPER bool frng__re_item(frng__regex *r, bool draws, size_t *longest) {
    const bool is_group = frng__re_is(r, '(');
    frng__set set;
    size_t min, max, one;
    if (is_group && frng__re_is(r, '?') && !frng__re_is(r, ':'))
        frng__re_wrong(r, "a group (? that is not (?:");
    const size_t start = r->at;
    if (is_group) {
        FRNG_TRY(frng__re_choice(r, false, longest));
        if (!frng__re_is(r, ')')) frng__re_wrong(r, "a group without )");
    } else {
        frng__re_letters(r, &set);
        *longest = set.width;
    }
    frng__re_count(r, &min, &max);
    if (max > 1 && *longest == 0) frng__re_wrong(r, "a count of a group that is always empty");
    *longest *= max;
    const size_t end = r->at;
    if (draws && !is_group) FRNG_TRY(frng__re_put(r, &set, min, max));
    for (size_t done = 0; draws && is_group; done++) {
        bool more = done < max;
        if (min < max) FRNG_TRY(frng_more(r->f, done, min, max, &more));
        r->at = more ? start : end;
        if (!more) break;
        FRNG_TRY(frng__re_choice(r, true, &one));
    }
    return true;
}

/* Items up to the end, a | or a ). */
FRNG__HELPER bool frng__re_row(frng__regex *r, bool draws, size_t *longest) {
    for (*longest = 0;;) {
        const char *p = &r->pattern[r->at];
        size_t one;
        if (*p == '\0' || *p == '|' || *p == ')' || (*p == '$' && p[1] == '\0')) return true;
        FRNG_TRY(frng__re_item(r, draws, &one));
        *longest += one;
        if (*longest > 1 << 16) frng__re_wrong(r, "a text of more than 64 KiB");
    }
}

/* Rows with | between them, of which one is drawn. */
FRNG__HELPER bool frng__re_choice(frng__regex *r, bool draws, size_t *longest) {
    const size_t start = r->at;
    size_t one, count = 0, pick = 0;
    *longest = 0;
    do {
        FRNG_TRY(frng__re_row(r, false, &one));
        if (one > *longest) *longest = one;
        count++;
    } while (frng__re_is(r, '|'));
    if (!draws) return true;
    const size_t end = r->at;
    if (count > 1) FRNG_TRY(frng_pick(r->f, count, &pick));
    r->at = start;
    for (; pick > 0; pick--, r->at++) FRNG_TRY(frng__re_row(r, false, &one));
    FRNG_TRY(frng__re_row(r, true, &one));
    r->at = end;
    return true;
}

/* The same into `room` bytes, with the zero at its end. */
FRNG_DRAW bool frng_regex_of(frng *f, const char *pattern, size_t room, char *text) {
    const size_t start = pattern[0] == '^' ? 1 : 0;
    frng__regex r = {f, pattern, start, text};
    size_t longest;
    (void)frng__re_choice(&r, false, &longest);
    if (!frng__re_is(&r, '$') && pattern[r.at] != '\0') frng__re_wrong(&r, "a ) without (");
    if (longest >= room)
        frng__trap(f, "frng_regex: %llu bytes for texts of up to %llu, and a zero", room, longest);
    r.at = start;
    const bool ok = frng__re_choice(&r, true, &longest);
    *(ok ? r.text : text) = '\0';
    return ok;
}

FRNG__WRAPS_END
#endif
