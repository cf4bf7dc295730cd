/* How a comparison becomes a replacement.
 *
 * A run says which draws it made and what it compared. Where one side of a comparison is the value
 * of a draw, the test would have gone another way if that draw had had the value of the other side.
 * The bytes before the draw stay as they are, and so do its bounds: the bytes that encode the
 * wanted value are known at once.
 *
 * A number is compared with each of the newest draws: it may be the value, sign- or zero-extended
 * to the width of the draw, or the lower part of it. A text, or a number of several bytes, is
 * looked for in the stream of all that was drawn, each value as its bytes: so it is found where a
 * test draws it letter by letter, or reads it from raw bytes. A string gets the letters of the
 * other text one by one, and its end. At last, the newest draw may get what both sides differ by:
 * so one that is computed from it is met, too. So is one that is read from digits or from base64:
 * these are looked for in the stream as well, and get those of the other side.
 *
 * Records are untrusted: a draw that the bytes of the run contradict is none, and what else they
 * say makes at worst replacements that are of no use. */
#include "replacements.h"

#include "bytes.h"
#include "frng_encode.h"
#include "record_check.h"

#include <string.h>

enum {
    DRAWS_BACK = 32,    /* draws that a number is compared with */
    MATCHES = 2,        /* places of a side that get a replacement */
    STREAM_MAX = 4096,  /* bytes of drawn values, the newest */
    STREAM_BACK = 1024, /* those that a text is looked for in */
    STREAM_PARTS = 256  /* the same for a number */
};

/* ---- Records ---- */

/* True if the bytes of the run encode this draw, and its width is one: that of bytes is not looked
 * at in a trace. */
static bool is_draw(const guide_run *run, const frng_guide_record *r) {
    const uint64_t start = r->u.draw.start, end = r->u.draw.end;
    if (start > end || end > run->size || r->kind > FRNG_KIND_MAX) return false;
    if (r->width < 1 || r->width > 8) return false;
    const frng_trace_record draw = {
        .taken = end - start,
        .kind = r->kind,
        .width = r->width,
        .u.draw = {.min = r->u.draw.min, .max = r->u.draw.max, .value = r->u.draw.value}};
    return record_check(run->bytes + start, end - start, &draw, 1).error == RECORD_RIGHT;
}

/* Insert a record into a list, the oldest first. Most come in their order. */
static void insert(const frng_guide_record **list, size_t *count, const frng_guide_record *r) {
    size_t i = (*count)++;
    for (; i > 0 && list[i - 1]->draws > r->draws; i--) list[i] = list[i - 1];
    list[i] = r;
}

void guide_learn_letter(const frng_guide_record *d, letter_table *letters) {
    const uint64_t pick = d->u.draw.value & UINT32_MAX, letter = d->u.draw.value >> 32;
    if (d->kind != FRNG_LETTER || pick == 0 || d->u.draw.max > 256 || pick > d->u.draw.max) return;
    letters->index[d->u.draw.max][letter & UINT8_MAX] = (uint16_t)pick;
}

void guide_run_read(guide_run *run, const frng_guide_record *records, size_t count,
                    letter_table *letters) {
    run->draw_count = run->pair_count = 0;
    for (size_t i = 0; i < count; i++) {
        const frng_guide_record *r = &records[i];
        const bool is_text =
            r->type == FRNG_GUIDE_TEXT && larger(r->width, r->second) <= FRNG_GUIDE_TEXT_MAX;
        const bool is_pair = r->type == FRNG_GUIDE_PAIR && r->width >= 1 && r->width <= 8;
        if ((is_text || is_pair) && run->pair_count < FRNG_GUIDE_RUN_MAX)
            insert(run->pairs, &run->pair_count, r);
        if (r->type != FRNG_GUIDE_DRAW || run->draw_count == FRNG_GUIDE_DRAWS_MAX) continue;
        if (!is_draw(run, r)) continue;
        insert(run->draws, &run->draw_count, r);
        guide_learn_letter(r, letters);
    }
}

/* ---- Values ---- */

uint64_t guide_value(const frng_guide_record *d) {
    return d->kind == FRNG_LETTER ? d->u.draw.value >> 32 : d->u.draw.value;
}

static uint64_t extend(uint64_t value, unsigned width) {
    const unsigned lost = 64 - 8 * width;
    return (uint64_t)((int64_t)(value << lost) >> lost);
}

size_t guide_encode(const frng_guide_record *d, uint64_t value, const letter_table *letters,
                    uint8_t *bytes) {
    const uint64_t min = d->u.draw.min, max = d->u.draw.max;
    frng_request r = {(frng_kind)d->kind, d->width, min, max, NULL};
    switch ((int)d->kind) {
    case FRNG_UINT:
    case FRNG_INDEX:
    case FRNG_WEIGHTED:
    case FRNG_MIXED_UINT:
    case FRNG_DATE:
        if (value < min || value > max) return 0;
        return frng_encode(&r, value - min, bytes);
    case FRNG_INT:
    case FRNG_MIXED_INT:
        if ((int64_t)value < (int64_t)min || (int64_t)value > (int64_t)max) return 0;
        return frng_encode(&r, frng__unzigzag(min, max, value), bytes);
    case FRNG_BOOL:
    case FRNG_CHANCE: return value > 1 ? 0 : frng_encode(&r, value, bytes);
    case FRNG_SUBSET: return (value & ~max) != 0 ? 0 : frng_encode(&r, value, bytes);
    case FRNG_LETTER:
        if (value > UINT8_MAX || max > 256) return 0;
        if (value > 0 && letters->index[max][value] == 0) return 0;
        r.min = min & UINT32_MAX; /* the string may end elsewhere */
        return frng_encode(&r, value > 0 ? letters->index[max][value] : 0, bytes);
    case FRNG_REAL:
    case FRNG_F64: return frng_encode(&r, value, bytes);
    default: return 0;
    }
}

/* ---- Replacements ---- */

/* Drawn values as bytes, and the draw of each. */
typedef struct finder {
    const guide_run *run;
    const letter_table *letters;
    size_t first; /* the first draw that may change */
    replacement *list;
    size_t count, most;
    size_t length;
    uint8_t stream[STREAM_MAX];
    uint16_t draw[STREAM_MAX];
    uint32_t starts[FRNG_GUIDE_DRAWS_MAX + 1]; /* of each draw in the stream */
} finder;

static void add_replacement(finder *f, uint64_t from, uint64_t to, const uint8_t *bytes,
                            size_t size) {
    replacement *change = &f->list[f->count];
    if (f->count == f->most || size > REPLACEMENT_MAX || size == 0 || from > to) return;
    if (size == to - from && memcmp(f->run->bytes + from, bytes, size) == 0) return;
    for (size_t i = 0; i < f->count; i++) {
        const replacement *old = &f->list[i];
        if (old->from == from && old->to == to && old->size == size &&
            memcmp(old->bytes, bytes, size) == 0)
            return;
    }
    *change = (replacement){.from = (uint32_t)from, .to = (uint32_t)to, .size = (uint32_t)size};
    memcpy(change->bytes, bytes, size);
    f->count++;
}

/* Add a value for a draw. False if the draw cannot have it. */
static bool want(finder *f, const frng_guide_record *d, uint64_t value) {
    uint8_t bytes[FRNG_ENCODED_MAX];
    const size_t size = guide_encode(d, value, f->letters, bytes);
    if (size > 0) add_replacement(f, d->u.draw.start, d->u.draw.end, bytes, size);
    return size > 0;
}

/* x is one side of a comparison, y the other. */
static void want_number(finder *f, const frng_guide_record *r, uint64_t x, uint64_t y) {
    const uint64_t mask = UINT64_MAX >> (64 - 8 * r->width);
    int matches = 0;
    for (size_t i = f->run->draw_count, back = 0; i > f->first && back < DRAWS_BACK; i--) {
        const frng_guide_record *d = f->run->draws[i - 1];
        if (d->draws >= r->draws) continue;
        back++;
        const uint64_t value = guide_value(d);
        if ((value & mask) != x || d->kind == FRNG_BYTES || d->kind == FRNG_MORE) continue;
        const bool is_part = (value & ~mask) != 0 && (value | mask) != UINT64_MAX;
        if (is_part) {
            want(f, d, (value & ~mask) | y);
        } else if (!want(f, d, y)) {
            want(f, d, extend(y, r->width));
        }
        if (++matches == MATCHES) return;
    }
}

/* Let the newest draw differ by as much as the sides do. For a sum, three replacements: the
 * difference added, subtracted (the sum may be complemented) and by XOR; and if the newest draw is
 * of raw bytes, its last byte changes. */
static void want_step(finder *f, const frng_guide_record *r, bool is_sum) {
    size_t i = f->run->draw_count;
    while (i > f->first && f->run->draws[i - 1]->draws >= r->draws) i--;
    if (i == f->first) return;
    const frng_guide_record *d = f->run->draws[i - 1];
    const uint64_t step = extend(r->u.pair.a - r->u.pair.b, r->width), end = d->u.draw.end;
    const bool is_raw = d->kind == FRNG_BYTES;
    if (d->kind == FRNG_MORE || (is_raw && (!is_sum || end == d->u.draw.start))) return;
    const uint64_t value = is_raw ? f->run->bytes[end - 1] : guide_value(d);
    const uint64_t steps[] = {value + step, value - step, value ^ (r->u.pair.a ^ r->u.pair.b)};
    for (size_t k = 0; k < (is_sum ? 3 : 1); k++) {
        const uint8_t byte = (uint8_t)steps[k];
        if (is_raw) add_replacement(f, end - 1, end, &byte, 1);
        if (!is_raw && !want(f, d, steps[k]) && is_sum && d->kind == FRNG_UINT)
            want(f, d, steps[k] & UINT64_MAX >> (64 - 8 * d->width));
    }
}

/* ---- Texts ---- */

static size_t stream_size(const frng_guide_record *d) {
    return d->kind == FRNG_BYTES ? d->u.draw.max : d->kind == FRNG_LETTER ? 1 : d->width;
}

/* Lay out what was drawn, the newest up to STREAM_MAX bytes. */
static void lay_out(finder *f) {
    const guide_run *run = f->run;
    size_t first = run->draw_count, room = STREAM_MAX;
    for (; first > 0 && stream_size(run->draws[first - 1]) <= room; first--)
        room -= stream_size(run->draws[first - 1]);
    for (size_t i = 0; i < run->draw_count; i++) {
        const frng_guide_record *d = run->draws[i];
        const uint64_t value = guide_value(d);
        f->starts[i] = (uint32_t)f->length;
        for (size_t k = 0; i >= first && k < stream_size(d); k++, f->length++) {
            const bool is_raw = d->kind == FRNG_BYTES;
            f->stream[f->length] =
                (uint8_t)(is_raw ? run->bytes[d->u.draw.start + k] : value >> (8 * k));
            f->draw[f->length] = (uint16_t)i;
        }
    }
    f->starts[run->draw_count] = (uint32_t)f->length;
}

/* Let the letters of a string, from draw `at` to draw `last`, be these: it may become shorter or
 * longer. */
static void want_string(finder *f, size_t at, size_t last, const uint8_t *y, size_t size) {
    uint8_t bytes[REPLACEMENT_MAX + FRNG_ENCODED_MAX];
    const frng_guide_record *d = f->run->draws[at];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        const size_t more = guide_encode(d, y[i], f->letters, bytes + used);
        used += more;
        if (more == 0 || used > REPLACEMENT_MAX) return;
    }
    add_replacement(f, d->u.draw.start, f->run->draws[last]->u.draw.end, bytes, used);
}

/* Let the values from byte `p` of the stream on be these bytes. */
static void want_bytes(finder *f, size_t p, const uint8_t *y, size_t size) {
    uint8_t bytes[REPLACEMENT_MAX + FRNG_ENCODED_MAX];
    size_t used = 0, done = 0, i = f->draw[p];
    const frng_guide_record *const *draws = f->run->draws;
    uint64_t from = draws[i]->u.draw.start, to = from;
    if (draws[i]->kind == FRNG_BYTES) from += p - f->starts[i];
    for (; done < size; i++) {
        if (i == f->run->draw_count) return;
        const frng_guide_record *d = draws[i];
        const bool is_raw = d->kind == FRNG_BYTES;
        const size_t before = p + done - f->starts[i]; /* bytes of the draw that stay */
        const size_t some = smaller(size - done, stream_size(d) - before);
        uint64_t value = guide_value(d);
        if (used + some > REPLACEMENT_MAX) return;
        if (is_raw) memcpy(bytes + used, y + done, some);
        for (size_t k = before; !is_raw && k < before + some; k++)
            value = (value & ~(UINT64_C(255) << (8 * k))) | (uint64_t)y[done + k - before]
                                                                << (8 * k);
        if (d->kind == FRNG_INT) value = extend(value, d->width);
        const size_t more = is_raw ? some : guide_encode(d, value, f->letters, bytes + used);
        if (more == 0 && some > 0) return;
        used += more;
        done += some;
        to = is_raw ? d->u.draw.start + before + some : d->u.draw.end;
    }
    add_replacement(f, from, to, bytes, used);
}

/* Find what was drawn as x, within `back` bytes, when `draws` draws had been made, and replace it
 * by y there. Return the number of places. */
static int want_text(finder *f, uint64_t draws, size_t back, const uint8_t *x, size_t x_size,
                     const uint8_t *y, size_t y_size) {
    int matches = 0;
    size_t end = f->length, looked = 0;
    if (x_size == 0 || y_size == 0) return 0;
    while (end > 0 && f->run->draws[f->draw[end - 1]]->draws >= draws) end--;
    const size_t least = f->starts[f->first] + x_size;
    for (; end >= least && looked < back && matches < MATCHES; end--, looked++) {
        const size_t p = end - x_size;
        if (f->stream[p] != x[0] || memcmp(f->stream + p, x, x_size) != 0) continue;
        matches++;
        if (f->run->draws[f->draw[p]]->kind == FRNG_LETTER) {
            want_string(f, f->draw[p], f->draw[end - 1], y, y_size);
        } else {
            want_bytes(f, p, y, y_size);
        }
    }
    return matches;
}

/* How programs read numbers: the digits, and how many there are at least for each byte. */
static const struct {
    const char *digits;
    size_t least; /* 0: as many as the number has */
} ways[] = {
    {"0123456789", 0}, {"0123456789abcdef", 0}, {"0123456789abcdef", 2}, {"0123456789ABCDEF", 2}};

/* Write a number. Return the count of digits. */
static size_t write_number(uint64_t number, const char *digits, size_t least, uint8_t *text) {
    const size_t base = strlen(digits);
    size_t n = 0;
    for (uint64_t rest = number; rest > 0 || n < larger(least, 1); rest /= base) n++;
    for (size_t i = n; i > 0; i--, number /= base) text[i - 1] = (uint8_t)digits[number % base];
    return n;
}

/* Look for a number that was drawn as a text. */
static void want_digits(finder *f, const frng_guide_record *r, uint64_t x, uint64_t y) {
    uint8_t a[20], b[20];
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const size_t least = ways[i].least * r->width;
        const size_t n = write_number(x, ways[i].digits, least, a);
        const size_t m = write_number(y, ways[i].digits, least, b);
        want_text(f, r->draws, STREAM_PARTS, a, n, b, m);
    }
}

/* Write the letters of base64 that bytes decide. Return their count. */
static size_t base64(const uint8_t *bytes, size_t size, uint8_t *letters) {
    size_t n = 0;
    for (; 6 * (n + 1) <= 8 * size; n++) {
        const size_t at = 6 * n / 8, next = at + 1 < size ? bytes[at + 1] : 0;
        letters[n] = (uint8_t) "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            [((size_t)bytes[at] << 8 | next) >> (10 - 6 * n % 8) & 63];
    }
    return n;
}

/* Side `x` of two texts. A string that has its full length was drawn without an end. */
static void want_texts(finder *f, const frng_guide_record *r, int x) {
    uint8_t as[2 * FRNG_GUIDE_TEXT_MAX], bs[2 * FRNG_GUIDE_TEXT_MAX];
    const size_t size[2] = {r->width, r->second};
    const uint8_t *a = r->u.text[x], *b = r->u.text[1 - x];
    size_t n = size[x], m = size[1 - x];
    if (n == 0 || m == 0 || want_text(f, r->draws, STREAM_BACK, a, n, b, m) > 0) return;
    if (a[n - 1] == 0 && b[m - 1] == 0) want_text(f, r->draws, STREAM_BACK, a, --n, b, --m);
    want_text(f, r->draws, STREAM_BACK, as, base64(a, n, as), bs, base64(b, m, bs));
}

/* Look for a number as it is, among raw bytes, and across draws. One byte may be compared as an
 * int. */
static void want_side(finder *f, const frng_guide_record *r, uint64_t x, uint64_t y) {
    uint8_t a[8], b[8];
    const size_t width = r->width > 1 && (x | y) < 256 ? 1 : r->width;
    frng__store_number(x, 8, a);
    frng__store_number(y, 8, b);
    want_number(f, r, x, y);
    want_text(f, r->draws, STREAM_PARTS, a, width, b, width);
}

size_t replacements_find(const guide_run *run, const letter_table *letters, uint64_t from,
                         replacement_steps steps, replacement *replacements, size_t most) {
    static finder f; /* large */
    f.run = run;
    f.letters = letters;
    f.list = replacements;
    f.most = most;
    f.count = f.length = f.first = 0;
    while (f.first < run->draw_count && run->draws[f.first]->u.draw.start < from) f.first++;
    if (f.first == run->draw_count) return 0;
    lay_out(&f);
    size_t newest = run->pair_count; /* comparisons to look at */
    for (int kind = 0; kind < (steps == STEPS_NONE ? 2 : 4); kind++) {
        if (kind == 2 && steps == STEPS_OF_SUM) newest = f.count > 0 ? 0 : smaller(newest, 1);
        for (size_t i = run->pair_count; i > run->pair_count - newest && f.count < most; i--) {
            const frng_guide_record *r = run->pairs[i - 1];
            const uint64_t a = r->u.pair.a, b = r->u.pair.b;
            if ((r->type == FRNG_GUIDE_TEXT) != (kind == 0)) continue;
            if (kind == 0) want_texts(&f, r, 0), want_texts(&f, r, 1);
            if (kind == 1) want_side(&f, r, b, a);
            if (kind == 1 && r->kind == 0) want_side(&f, r, a, b); /* else `a` is a constant */
            if (kind == 2) want_step(&f, r, steps == STEPS_OF_SUM);
            if (kind == 3) want_digits(&f, r, b, a);
            if (kind == 3 && r->kind == 0) want_digits(&f, r, a, b);
        }
    }
    return f.count;
}
