/* bytes.h: hex, tails and escaping, against plain references. */
#include "bytes.h"
#include "suite.h"

#include <signal.h>

/* ---- Hex ---- */

TEST(hex_is_pairs_of_digits_of_either_case) {
    uint8_t bytes[256], back[256] = {0};
    char text[513];
    size_t size = 0;
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)i;
    bytes_to_hex(bytes, 256, text);
    ck_assert_int_eq(strncmp(text, "000102030405060708090a0b0c0d0e0f10", 34), 0);
    ck_assert(bytes_from_hex(text, back, 256, &size) && size == 256);
    ck_assert_mem_eq(back, bytes, 256);
    for (int c = 1; c < 256; c++) {
        const char pair[] = {'0', (char)c, '\0'}, swapped[] = {(char)c, '0', '\0'};
        const bool digit = strchr("0123456789abcdefABCDEF", c) != NULL;
        ck_assert_int_eq(bytes_from_hex(pair, bytes, 1, &size), digit);
        ck_assert_int_eq(bytes_from_hex(swapped, bytes, 1, &size), digit);
    }
    ck_assert(bytes_from_hex("AabB", bytes, 2, &size) && bytes[0] == 0xaa && bytes[1] == 0xbb);
    ck_assert(!bytes_from_hex("abc", bytes, 2, &size) && !bytes_from_hex("00:00", bytes, 3, &size));
    bytes[2] = 9;
    ck_assert(!bytes_from_hex("aabbcc", bytes, 2, &size) && bytes[2] == 9);
    ck_assert(bytes_from_hex("", bytes, 0, &size) && size == 0);
}

/* ---- Tails ---- */

static bytes_tail tail;

/* Add `size` bytes of a sequence that repeats after 251, in pieces of `piece`. */
static void add_in_pieces(size_t size, size_t piece) {
    static uint8_t all[5 * BYTES_TAIL_MAX];
    for (size_t i = 0; i < size; i++) all[i] = (uint8_t)(i % 251);
    memset(&tail, 0, sizeof tail);
    for (size_t at = 0; at < size; at += piece) {
        bytes_tail_add(&tail, all + at, size - at < piece ? size - at : piece);
    }
    const size_t kept = size < BYTES_TAIL_MAX ? size : BYTES_TAIL_MAX;
    ck_assert_uint_eq(tail.total, size);
    ck_assert_uint_eq(tail.size, kept);
    const size_t head = size > BYTES_TAIL_MAX ? BYTES_TAIL_HEAD : kept;
    if (head > 0) ck_assert_mem_eq(tail.bytes, all, head);
    if (kept > head) ck_assert_mem_eq(tail.bytes + head, all + size - kept + head, kept - head);
}

TEST(both_ends_of_all_are_kept) {
    static const size_t sizes[] = {0,
                                   1,
                                   BYTES_TAIL_MAX - 1,
                                   BYTES_TAIL_MAX,
                                   BYTES_TAIL_MAX + 1,
                                   2 * BYTES_TAIL_MAX,
                                   5 * BYTES_TAIL_MAX};
    static const size_t pieces[] = {
        1, 7, 1000, BYTES_TAIL_MAX - 1, BYTES_TAIL_MAX, BYTES_TAIL_MAX + 1, 5 * BYTES_TAIL_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++) {
            add_in_pieces(sizes[i], pieces[j]);
        }
    }
}

TEST(a_line_stands_where_bytes_were_left_out) {
    static char text[BYTES_TAIL_TEXT_MAX], expected[BYTES_TAIL_TEXT_MAX];
    static const size_t sizes[] = {0, 5, BYTES_TAIL_MAX, BYTES_TAIL_MAX + 1, 3 * BYTES_TAIL_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        add_in_pieces(sizes[i], 100);
        const size_t head = sizes[i] > BYTES_TAIL_MAX ? BYTES_TAIL_HEAD : tail.size;
        bytes_escape(tail.bytes, head, true, expected, sizeof expected);
        if (sizes[i] > BYTES_TAIL_MAX) {
            strcat(expected, "\n...\n");
            bytes_escape(tail.bytes + head, tail.size - head, true, expected + strlen(expected),
                         sizeof expected - strlen(expected));
        }
        const size_t length = bytes_tail_text(&tail, text);
        ck_assert_str_eq(text, expected);
        ck_assert_uint_eq(length, strlen(expected));
    }
    memset(&tail, 0, sizeof tail); /* the longest that there is */
    for (size_t i = 0; i < 2 * BYTES_TAIL_MAX; i++) bytes_tail_add(&tail, (const uint8_t *)"", 1);
    ck_assert_uint_eq(bytes_tail_text(&tail, text), 4 * BYTES_TAIL_MAX + strlen("\n...\n"));
}

/* ---- Escaping ---- */

static bool is_within(uint8_t byte, uint8_t low, uint8_t high) {
    return byte >= low && byte <= high;
}

/* The length of the well-formed sequence at `b`, 0 for none: table 3-7 of the Unicode Standard,
 * row by row. */
static size_t well_formed(const uint8_t *b, size_t size) {
    static const struct {
        uint8_t lead_low, lead_high, second_low, second_high, length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!is_within(b[0], rows[i].lead_low, rows[i].lead_high)) continue;
        if (size < rows[i].length) return 0;
        if (rows[i].length > 1 && !is_within(b[1], rows[i].second_low, rows[i].second_high)) {
            return 0;
        }
        for (size_t k = 2; k < rows[i].length; k++) {
            if (!is_within(b[k], 0x80, 0xbf)) return 0;
        }
        return rows[i].length;
    }
    return 0;
}

/* Well-formed characters that a terminal would obey and not show. */
static bool is_control(const uint8_t *b) {
    if (b[0] < 0x20 || b[0] == 0x7f) return true;
    if (b[0] == 0xc2) return b[1] < 0xa0; /* U+0080 to U+009F */
    if (b[0] != 0xe2) return false;
    if (b[1] == 0x80) return is_within(b[2], 0xa8, 0xae); /* U+2028 to U+202E */
    return b[1] == 0x81 && is_within(b[2], 0xa6, 0xa9);   /* U+2066 to U+2069 */
}

static void reference_escape(const uint8_t *bytes, size_t size, bool keep_lines, char *text) {
    for (size_t at = 0; at < size;) {
        const size_t length = well_formed(bytes + at, size - at);
        const bool line = keep_lines && (bytes[at] == '\n' || bytes[at] == '\t');
        if (length > 0 && (line || !is_control(bytes + at))) {
            memcpy(text, bytes + at, length);
            text += length;
            at += length;
        } else {
            text += sprintf(text, "\\x%02x", bytes[at++]);
        }
    }
    *text = '\0';
}

static void check_escape(const uint8_t *bytes, size_t size) {
    char expected[64], text[64];
    for (int keep_lines = 0; keep_lines < 2; keep_lines++) {
        reference_escape(bytes, size, keep_lines, expected);
        const size_t length = bytes_escape(bytes, size, keep_lines, text, sizeof text);
        if (strcmp(text, expected) != 0 || length != strlen(expected)) {
            ck_abort_msg("%02x %02x %02x %02x (%zu) give '%s', not '%s'", bytes[0], bytes[1],
                         bytes[2], bytes[3], size, text, expected);
        }
    }
}

/* Bytes at the edges of every range that the tables of UTF-8 know. */
static const uint8_t edges[] = {0x00, 0x0a, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0x81, 0x8f,
                                0x90, 0x9f, 0xa0, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa,
                                0xae, 0xaf, 0xbf, 0xc0, 0xc2, 0xe2, 0xff};
enum { EDGES = sizeof edges };

TEST(escape_of_short_inputs) {
    uint8_t bytes[4] = {0};
    check_escape(bytes, 0);
    for (unsigned i = 0; i < 256 * 256; i++) {
        bytes[0] = (uint8_t)(i / 256);
        bytes[1] = (uint8_t)i;
        check_escape(bytes, 1);
        check_escape(bytes, 2);
    }
    for (size_t i = 0; i < 64 * EDGES * EDGES; i++) {
        bytes[0] = (uint8_t)(0xc0 + i % 64);
        bytes[1] = edges[i / 64 / EDGES];
        bytes[2] = edges[i / 64 % EDGES];
        check_escape(bytes, 3);
    }
}

TEST(escape_of_random_bytes) {
    uint64_t state = 1;
    for (int round = 0; round < 100000; round++) {
        uint8_t bytes[12];
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            const uint8_t byte = (uint8_t)(state >> 33);
            bytes[i] = round % 2 == 0 ? byte : edges[byte % EDGES];
        }
        check_escape(bytes, sizeof bytes);
    }
}

/* Whatever fits is whole: no half of a character and no half of an escape. */
TEST(escape_cuts_between_characters) {
    static const uint8_t bytes[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x01z";
    static const size_t ends[] = {1, 3, 6, 10, 14, 15};
    char full[32], text[32];
    ck_assert_uint_eq(bytes_escape(bytes, sizeof bytes - 1, false, full, sizeof full), 15);
    for (size_t text_max = 1; text_max <= 20; text_max++) {
        size_t expected = 0;
        for (size_t i = 0; i < 6; i++) {
            if (ends[i] < text_max) expected = ends[i];
        }
        memset(text, 'X', sizeof text);
        ck_assert_uint_eq(bytes_escape(bytes, sizeof bytes - 1, false, text, text_max), expected);
        ck_assert_uint_eq(strlen(text), expected);
        ck_assert_int_eq(strncmp(text, full, expected), 0);
        ck_assert_msg(text[text_max] == 'X', "wrote past %zu bytes", text_max);
    }
}

TEST(the_base_of_a_path_is_what_follows_the_last_slash) {
    ck_assert_str_eq(path_base("/a/b"), "b");
    ck_assert_str_eq(path_base("b"), "b");
    ck_assert_str_eq(path_base("a/"), "");
    ck_assert_ptr_null(path_base(NULL));
    ck_assert(text_equal(NULL, NULL) && !text_equal("a", NULL) && text_equal("a", (char[]){"a"}));
}

TEST_RAISES(escape_needs_room_for_an_end, SIGABRT) {
    char text[1];
    bytes_escape((const uint8_t *)"a", 1, false, text, 0);
}
