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

TEST(pasted_hex_is_that_of_dumps_lists_and_strings) {
    static const struct {
        const char *text, *digits; /* NULL: refused */
    } rows[] = {
        {"", ""},
        {"0100fF", "0100fF"},
        {"0x0100", "0100"},
        {"0X01", "01"},
        {"01 00\tff\n02\r\n", "0100ff02"},
        {"01:00:ff", "0100ff"},
        {"01,00, ff", "0100ff"},
        {"{0x01, 0x0, 0xA};", "01000A"},
        {"[0x01, 0xff]", "01ff"},
        {"\\x01\\x00\\x7", "010007"},
        {"b'\\x01\\xb0'", "01b0"},
        {"\"\\x01\"", "01"},
        {"0100 0b00 ab\n", "01000b00ab"},
        {"00000000: 0100 0100 61  ..abcdef  ab\n00000010: ff  .\n", "0100010061ff"},
        {"00000000: 01", "01"},
        {"0", NULL},
        {"010", NULL},
        {"01 0", NULL},
        {"1, 0", NULL},
        {"0x", NULL},
        {"0x010", NULL},
        {"000x01", NULL},
        {"\\x01ab", NULL},
        {"\\x01g", NULL},
        {"-", NULL},
        {"01-00", NULL},
        {"0000000 01 00\n", NULL}, /* od has offsets, too */
        {"00000000  01 00  |..|", NULL},
        {"\xff", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[80];
        snprintf(text, sizeof text, "%s", rows[i].text);
        const bool is_taken = bytes_pasted_hex(text, NULL);
        ck_assert_msg(is_taken == (rows[i].digits != NULL), "%s", rows[i].text);
        ck_assert_str_eq(text, rows[i].text);
        if (is_taken) ck_assert(bytes_pasted_hex(text, text));
        if (is_taken) ck_assert_str_eq(text, rows[i].digits);
    }
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
            if (sizes[i] / pieces[j] <= 2 * BYTES_TAIL_MAX) add_in_pieces(sizes[i], pieces[j]);
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
            sprintf(expected + strlen(expected), "\n... %s bytes left out ...\n",
                    sizes[i] == BYTES_TAIL_MAX + 1 ? "1" : "131,072");
            bytes_escape(tail.bytes + head, tail.size - head, true, expected + strlen(expected),
                         sizeof expected - strlen(expected));
        }
        const size_t length = bytes_tail_text(&tail, text);
        ck_assert_str_eq(text, expected);
        ck_assert_uint_eq(length, strlen(expected));
    }
    memset(&tail, 0, sizeof tail); /* the longest that there is */
    for (size_t i = 0; i < 2 * BYTES_TAIL_MAX; i++) bytes_tail_add(&tail, (const uint8_t *)"", 1);
    ck_assert_uint_eq(bytes_tail_text(&tail, text),
                      4 * BYTES_TAIL_MAX + strlen("\n... 65,536 bytes left out ...\n"));
}

/* ---- Escaping ---- */

static const struct {
    const char *bytes, *escaped;
} escapes[] = {
    {"a~ ", "a~ "},
    {"\x1f\x7f\x80", "\\x1f\\x7f\\x80"},
    /* The edges of what is well formed: table 3-7 of the Unicode Standard. */
    {"\xc1\xbf\xc2\xa0", "\\xc1\\xbf\xc2\xa0"},
    {"\xdf\xbf\xdf\xc0", "\xdf\xbf\\xdf\\xc0"},
    {"\xe0\x9f\xbf\xe0\xa0\x80", "\\xe0\\x9f\\xbf\xe0\xa0\x80"},
    {"\xed\x9f\xbf\xed\xa0\x80", "\xed\x9f\xbf\\xed\\xa0\\x80"},
    {"\xee\x80\x80\xed\xbf\xbf", "\xee\x80\x80\\xed\\xbf\\xbf"},
    {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
    {"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
    {"\xf4\x90\x80\x80\xf5", "\\xf4\\x90\\x80\\x80\\xf5"},
    {"\xe2\x82x\xf0\x9f\x98", "\\xe2\\x82x\\xf0\\x9f\\x98"}, /* cut short */
    /* Well formed, but a terminal obeys it and does not show it. */
    {"\xc2\x9f", "\\xc2\\x9f"},
    {"\xe2\x80\xa7\xe2\x80\xa8", "\xe2\x80\xa7\\xe2\\x80\\xa8"},
    {"\xe2\x80\xae\xe2\x80\xaf", "\\xe2\\x80\\xae\xe2\x80\xaf"},
    {"\xe2\x81\xa5\xe2\x81\xa6", "\xe2\x81\xa5\\xe2\\x81\\xa6"},
    {"\xe2\x81\xa9\xe2\x81\xaa", "\\xe2\\x81\\xa9\xe2\x81\xaa"},
    {"\n\t", "\\x0a\\x09"},
};

TEST(what_is_not_printable_utf_8_is_escaped) {
    char text[64];
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        const uint8_t *bytes = (const uint8_t *)escapes[i].bytes;
        const size_t size = strlen(escapes[i].bytes);
        const size_t length = bytes_escape(bytes, size, false, text, sizeof text);
        ck_assert_str_eq(text, escapes[i].escaped);
        ck_assert_uint_eq(length, strlen(text));
        bytes_escape(bytes, size, true, text, sizeof text);
        ck_assert_str_eq(text, bytes[0] == '\n' ? "\n\t" : escapes[i].escaped);
    }
    ck_assert_uint_eq(bytes_escape((const uint8_t *)"", 1, true, text, sizeof text), 4);
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
