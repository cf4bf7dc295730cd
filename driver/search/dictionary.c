/* How draws get entries of a dictionary.
 *
 * Nothing tells which draw is compared with which entry. So each change is a guess, and of several
 * draws at once. Numbers of as many bytes as the largest value of a draw are as likely as the rest
 * together: they are what a fresh run does not hit. */
#include "dictionary.h"

#include "bytes.h"
#include "frng_encode.h"
#include "frng_expand.h"
#include "frng_more.h"

#include <string.h>

typedef struct writer {
    const dictionary *d;
    const letter_table *letters;
    uint64_t *random;
    uint64_t last; /* number written */
    uint8_t *bytes;
    size_t size, most; /* size > most: there is no room */
} writer;

static uint64_t below(writer *w, uint64_t count) {
    return (frng__splitmix64(w->random) >> 32) * count >> 32;
}

/* ---- Entries ---- */

/* Return the index of the first number that is at least `least`. */
static size_t first_from(const number_list *l, uint64_t least) {
    return first_row_from(l->numbers, l->count, sizeof l->numbers[0], least);
}

static const size_t list_most[DICTIONARY_LISTS] = {32, 256, DICTIONARY_MAX};

void dictionary_add_number(dictionary *d, uint64_t number) {
    for (int i = DICTIONARY_LISTS - 1; i >= 0; i--) {
        number_list *l = &d->lists[i];
        const size_t at = first_from(l, number);
        if (l->count == list_most[i] || (at < l->count && l->numbers[at] == number)) continue;
        memmove(&l->numbers[at + 1], &l->numbers[at], (l->count++ - at) * sizeof l->numbers[0]);
        l->numbers[at] = number;
    }
}

void dictionary_add_text(dictionary *d, const char *text) {
    const size_t size = strlen(text);
    if (d->text_count == DICTIONARY_MAX || size == 0 || size > DICTIONARY_TEXT_MAX) return;
    for (size_t i = 0; i < d->text_count; i++)
        if (strcmp(d->texts[i], text) == 0) return;
    memcpy(d->texts[d->text_count++], text, size + 1);
}

/* Choose a number of the dictionary from min to max; now and then a neighbour of it, its sum with a
 * small number, the number chosen before, or min. False if the dictionary has none there. */
static bool pick_number(writer *w, uint64_t min, uint64_t max, uint64_t *number) {
    const number_list *d = &w->d->lists[below(w, DICTIONARY_LISTS)];
    size_t from = first_from(d, min), end = max < UINT64_MAX ? first_from(d, max + 1) : d->count;
    if (from == end) return false;
    const size_t wide = first_from(d, larger(min, max / 256 + 1)); /* of as many bytes as max */
    if (wide < end && below(w, 2) == 0) from = wide;
    *number = d->numbers[from + below(w, end - from)];
    switch (below(w, 16)) {
    case 0: ++*number; break;
    case 1: --*number; break;
    case 2: *number += d->numbers[below(w, larger(1, first_from(d, 256)))]; break;
    case 3: *number = w->last; break;
    case 4: *number = min; break;
    default: break;
    }
    w->last = *number;
    return true;
}

/* Choose a text; the first are as likely as the first numbers. */
static const char *pick_text(writer *w) {
    const size_t most = list_most[below(w, DICTIONARY_LISTS)];
    return w->d->texts[below(w, smaller(most, w->d->text_count))];
}

/* ---- Draws ---- */

static void append(writer *w, const void *bytes, size_t size) {
    if (w->size > w->most || size > w->most - w->size) {
        w->size = w->most + 1;
        return;
    }
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static bool append_draw(writer *w, const frng_guide_record *r, uint64_t value) {
    uint8_t encoded[FRNG_ENCODED_MAX];
    const size_t size = guide_encode(r, value, w->letters, encoded);
    append(w, encoded, size);
    return size > 0;
}

static bool is_end(const frng_guide_record *r) { return (uint32_t)r->u.draw.value == 0; }

/* Write a text in the place of a string that begins with draw `at`, now and then two. Return its
 * draws; 0: none does, or its alphabet is not known to have the letters. */
static size_t put_string(writer *w, const frng_guide_record *draws, size_t count, size_t at) {
    const frng_guide_record *r = &draws[at];
    const size_t before = w->size;
    size_t end = at;
    if (at > 0 && draws[at - 1].kind == FRNG_LETTER && !is_end(&draws[at - 1])) return 0;
    for (uint64_t texts = below(w, 4) == 0 ? 2 : 1; texts > 0; texts--) {
        for (const char *c = pick_text(w); *c != '\0'; c++) {
            if (append_draw(w, r, (uint8_t)*c)) continue;
            w->size = before;
            return 0;
        }
    }
    if (below(w, 4) > 0) append_draw(w, r, 0); /* a string of the most letters has no end */
    while (end < count && draws[end].kind == FRNG_LETTER && !is_end(&draws[end])) end++;
    return (end < count && draws[end].kind == FRNG_LETTER ? end + 1 : end) - at;
}

/* Write a text or a number into bytes, at their beginning, behind what was written, or anywhere.
 * Return where it ends; 0: it has no room. */
static size_t put_within(writer *w, uint8_t *bytes, size_t size, size_t written) {
    const bool is_text = w->d->text_count > 0 && below(w, 2) == 0;
    const char *text = is_text ? pick_text(w) : "";
    const size_t width = is_text ? strlen(text) : (size_t)1 << below(w, 4);
    uint64_t number;
    if (width > size || (!is_text && !pick_number(w, 0, UINT64_MAX >> (64 - 8 * width), &number)))
        return 0;
    size_t at = below(w, 2) == 0 ? written : below(w, size - width + 1);
    if (at > size - width) at = 0;
    memcpy(bytes + at, is_text ? (const void *)text : &number, width);
    return at + width;
}

/* Write some entries into bytes that a draw took as they are. */
static size_t put_bytes(writer *w, const frng_guide_record *r, const uint8_t *from) {
    const size_t size = r->u.draw.end - r->u.draw.start, before = w->size;
    append(w, from + r->u.draw.start, size);
    if (w->size > w->most) return 1;
    size_t written = 0;
    do {
        written = put_within(w, w->bytes + before, size, written);
    } while (written > 0 && below(w, 4) > 0);
    return 1;
}

/* Choose a part of a date, or leave it. */
static int pick_part(writer *w, uint64_t most, int part) {
    uint64_t number;
    const bool is_picked = below(w, 4) > 0 && pick_number(w, 1, most, &number);
    return is_picked && number >= 1 && number <= most ? (int)number : part;
}

/* Write a date, of which most parts are numbers. */
static size_t put_date(writer *w, const frng_guide_record *r) {
    int year, month, day;
    frng__day(r->u.draw.value, &year, &month, &day);
    year = pick_part(w, 9999, year);
    month = pick_part(w, 12, month);
    const uint64_t date = frng_day(year, month, pick_part(w, 31, day));
    return append_draw(w, r, date < r->u.draw.min ? date + FRNG__DAYS : date);
}

/* Write something else in the place of draw `at`, and of those behind it that belong to it. Return
 * how many these are; 0: nothing fits. */
static size_t put_entry(writer *w, const frng_guide_record *draws, size_t count, size_t at,
                        const uint8_t *from) {
    const frng_guide_record *r = &draws[at];
    uint64_t number;
    switch ((int)r->kind) {
    case FRNG_BYTES: return put_bytes(w, r, from);
    case FRNG_LETTER: return w->d->text_count > 0 ? put_string(w, draws, count, at) : 0;
    case FRNG_DATE: return put_date(w, r);
    case FRNG_BOOL:
    case FRNG_CHANCE: return append_draw(w, r, below(w, 2));
    case FRNG_INT:
    case FRNG_MIXED_INT:
        if ((int64_t)r->u.draw.max < 0) return 0;
        number = (int64_t)r->u.draw.min < 0 ? 0 : r->u.draw.min;
        return pick_number(w, number, r->u.draw.max, &number) && append_draw(w, r, number);
    case FRNG_UINT:
    case FRNG_INDEX:
    case FRNG_MIXED_UINT:
        return pick_number(w, r->u.draw.min, r->u.draw.max, &number) && append_draw(w, r, number);
    default: return 0;
    }
}

size_t dictionary_rewrite(const dictionary *d, uint64_t *random, const frng_guide_record *draws,
                          size_t count, const uint8_t *from, size_t size,
                          const letter_table *letters, uint8_t *bytes, size_t most) {
    writer w = {.d = d, .letters = letters, .random = random, .bytes = bytes, .most = most};
    const uint64_t share = 1 + below(&w, 8); /* of the draws from `first` on, in eighths */
    const size_t first = below(&w, 2) == 0 ? 0 : below(&w, count);
    size_t done = 0;
    for (size_t i = 0, taken; i < count; i += taken) {
        if (draws[i].u.draw.start < done) break; /* the target reported draws in no order */
        append(&w, from + done, draws[i].u.draw.start - done);
        done = draws[i].u.draw.start;
        taken = i >= first && below(&w, 8) < share ? put_entry(&w, draws, count, i, from) : 0;
        if (taken == 0) append(&w, from + done, draws[i].u.draw.end - done);
        if (taken == 0) taken = 1;
        done = draws[i + taken - 1].u.draw.end;
        if (done > size) return 0;
    }
    append(&w, from + done, size - done);
    return w.size > most ? 0 : w.size;
}
