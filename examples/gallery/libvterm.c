/* libvterm: a character that arrives in two parts.
 *
 * Library: libvterm, a terminal as a library
 * Bug: after ASCII, a character of UTF-8 whose bytes are in two writes is lost
 * Packages: libvterm-dev
 * Link: -lvterm
 *
 * A terminal gets its bytes in pieces of any size. So vterm_input_write of two pieces of a text
 * does what it does of the whole. SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <vterm.h>

/* Write a text in two pieces, and return the character in the second column. */
static unsigned show(const char *text, size_t first) {
    VTerm *terminal = vterm_new(2, 8);
    VTermScreen *screen = vterm_obtain_screen(terminal);
    VTermScreenCell cell;
    vterm_set_utf8(terminal, 1);
    vterm_screen_reset(screen, 1);
    vterm_input_write(terminal, text, first);
    vterm_input_write(terminal, text + first, strlen(text) - first);
    vterm_screen_get_cell(screen, (VTermPos){0, 1}, &cell);
    vterm_free(terminal);
    return cell.chars[0];
}

static bool test(frng *f) {
    static const char *const texts[] = {"ab", "\xc3\xa9\xc3\xa9", "a\xc3\xa9", "\xe2\x82\xac"};
    uint8_t i, first;
    for (;;) {
        FRNG_TRY(frng_u8_max(f, 3, &i));
        FRNG_TRY(frng_u8_max(f, (uint8_t)strlen(texts[i]), &first));
        const unsigned got = show(texts[i], first), whole = show(texts[i], strlen(texts[i]));
        FRNG_ASSERT(got == whole, "%s after %d bytes: U+%04X", texts[i], first, got);
    }
}

FRNG_MAIN(test)
