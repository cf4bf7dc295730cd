/* Bytes of targets, files and users are untrusted: any byte may come, in any number.
 *
 * Zeros and broken UTF-8 are among them. So a reader of hex takes all of a text or nothing; an
 * output of any length takes the room of its two ends; and what is shown of it has no byte that a
 * terminal obeys.
 *
 * Adding to an output is cheap, since runs that print much wait for it. */
#include "bytes.h"

#include "numbers.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

void bytes_to_hex(const uint8_t *bytes, size_t size, char *text) {
    sodium_bin2hex(text, 2 * size + 1, bytes, size);
}

bool bytes_from_hex(const char *text, uint8_t *bytes, size_t size_max, size_t *size) {
    return sodium_hex2bin(bytes, size_max, text, strlen(text), NULL, size, NULL) == 0;
}

bool bytes_pasted_hex(const char *text, char *digits) {
    static const char hex[] = "0123456789abcdefABCDEF", between[] = " \t\r\n,;:{}[]()'\"";
    bool is_dump = false; /* the line begins with an offset, as those of xxd */
    for (const char *at = text; *at != '\0';) {
        if (at == text || at[-1] == '\n') {
            is_dump = strspn(at, hex) == 8 && at[8] == ':' && at[9] == ' ';
            at += is_dump ? strlen("00000000:") : 0;
        }
        const bool is_quoted = at[0] == 'b' && (at[1] == '\'' || at[1] == '"'); /* of Python */
        if (is_quoted || strchr(between, *at) != NULL) {
            at += is_dump && at[0] == ' ' && at[1] == ' ' ? strcspn(at, "\n") : 1;
            continue;
        }
        const bool is_escape = at[0] == '\\' && at[1] == 'x';
        const bool is_marked = is_escape || (at[0] == '0' && (at[1] | 0x20) == 'x');
        at += is_marked ? 2 : 0;
        const size_t count = strspn(at, hex);
        const bool is_single = is_marked && count == 1;
        if (count == 0 || (count % 2 != 0 && !is_single) || (is_escape && count > 2)) return false;
        if (digits != NULL && is_single) *digits++ = '0';
        if (digits != NULL) digits = (char *)memmove(digits, at, count) + count;
        at += count;
    }
    if (digits != NULL) *digits = '\0';
    return true;
}

void bytes_tail_clear(bytes_tail *tail) { tail->size = tail->total = 0; }

/* Moving what is kept takes some microseconds, about as long as to read the next bytes. */
void bytes_tail_add(bytes_tail *tail, const uint8_t *bytes, size_t size) {
    enum { REST_MAX = BYTES_TAIL_MAX - BYTES_TAIL_HEAD };
    const size_t fitting = smaller(size, BYTES_TAIL_MAX - tail->size), left = size - fitting;
    const size_t last = smaller(left, REST_MAX);
    uint8_t *rest = tail->bytes + BYTES_TAIL_HEAD;
    tail->total += size;
    if (fitting > 0) memcpy(tail->bytes + tail->size, bytes, fitting);
    tail->size += fitting;
    if (last == 0) return;
    memmove(rest, rest + last, REST_MAX - last);
    memcpy(rest + REST_MAX - last, bytes + size - last, last);
}

void bytes_tail_copy(bytes_tail *to, const bytes_tail *from) {
    if (to == from) return;
    bytes_tail_clear(to);
    if (from == NULL) return;
    to->size = from->size;
    to->total = from->total;
    memcpy(to->bytes, from->bytes, from->size);
}

size_t bytes_tail_text(const bytes_tail *tail, char text[BYTES_TAIL_TEXT_MAX]) {
    const bool is_cut = tail->total > BYTES_TAIL_MAX;
    const size_t head = is_cut ? BYTES_TAIL_HEAD : tail->size;
    size_t length = bytes_escape(tail->bytes, head, true, text, BYTES_TAIL_TEXT_MAX);
    if (!is_cut) return length;
    length += (size_t)sprintf(text + length, "\n... %s" BYTES_LEFT_OUT "\n",
                              numbers_format_count(NUMBERS_TEXT, tail->total - BYTES_TAIL_MAX));
    return length + bytes_escape(tail->bytes + head, tail->size - head, true, text + length,
                                 BYTES_TAIL_TEXT_MAX - length);
}

size_t utf8_length(const uint8_t *bytes, size_t size, uint32_t *point) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t lead = bytes[0];
    const size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || length > size) return 0;
    *point = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return 0;
        *point = *point << 6 | (bytes[i] & 0x3fu);
    }
    const bool is_one = *point >= smallest[length] && *point <= 0x10ffff && lead < 0xf8;
    return is_one && (*point < 0xd800 || *point >= 0xe000) ? length : 0;
}

/* True for what shows nothing, or turns the text around. */
static bool is_hidden(uint32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

size_t bytes_escape(const uint8_t *bytes, size_t size, bool keep_lines, char *text,
                    size_t text_max) {
    size_t at = 0, length = 0;
    assert(text_max > 0);
    while (at < size) {
        char piece[8];
        uint32_t point;
        size_t piece_length = utf8_length(bytes + at, size - at, &point);
        if (piece_length > 0 && is_hidden(point)) piece_length = 0;
        size_t taken = piece_length;
        if (piece_length > 0) {
            memcpy(piece, bytes + at, piece_length);
        } else if (keep_lines && (bytes[at] == '\n' || bytes[at] == '\t')) {
            piece[0] = (char)bytes[at];
            piece_length = taken = 1;
        } else {
            piece_length = (size_t)snprintf(piece, sizeof piece, "\\x%02x", bytes[at]);
            taken = 1;
        }
        if (length + piece_length >= text_max) break;
        memcpy(text + length, piece, piece_length);
        length += piece_length;
        at += taken;
    }
    text[length] = '\0';
    return length;
}

/* ---- Texts ---- */

const char *path_base(const char *path) {
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

bool text_equal(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool texts_equal(const char *const *a, const char *const *b) {
    static const char *const none[] = {NULL};
    size_t i = 0;
    if (a == NULL) a = none;
    if (b == NULL) b = none;
    while (a[i] != NULL && text_equal(a[i], b[i])) i++;
    return text_equal(a[i], b[i]);
}

bool texts_name_input(char *const *list) {
    while (*list != NULL && strstr(*list, "@@") == NULL) list++;
    return *list != NULL;
}

size_t first_row_from(const void *rows, size_t count, size_t size, uint64_t least) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        uint64_t begin;
        memcpy(&begin, (const uint8_t *)rows + middle * size, sizeof begin);
        if (begin < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t text_count(char *const *list) {
    size_t count = 0;
    while (list[count] != NULL) count++;
    return count;
}
