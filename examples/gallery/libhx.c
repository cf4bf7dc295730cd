/* libhx: a string that is not quite reversed.
 *
 * Library: libHX's in-place string functions
 * Bug: `HX_strrev` leaves `ab` as it is, and crashes on an empty string
 * Packages: libhx-dev
 * Link: -lHX
 *
 * libHX's documentation, "String operations" (string_ops.rst of libhx-doc): "HX_strrev: Reverse the
 * string in-place. Returns the original argument." The other promises of that section are tested
 * too: HX_chomp removes '\r' and '\n' from the right edge, HX_strltrim and HX_strrtrim remove
 * whitespace, and return how much.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <libHX/string.h>

enum { LENGTH_MAX = 12 };

static void reverse(const char *text) {
    char got[LENGTH_MAX + 1], wanted[LENGTH_MAX + 1];
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) wanted[i] = text[length - 1 - i];
    wanted[length] = '\0';
    strcpy(got, text);
    FRNG_ASSERT(HX_strrev(got) == got, "another string is returned");
    FRNG_ASSERT(strcmp(got, wanted) == 0, "\"%s\" is reversed to \"%s\"", text, got);
}

/* What is cut off at the left and at the right, where the characters in `cut` are. */
static void trim(const char *text, const char *cut) {
    char got[LENGTH_MAX + 1];
    const size_t length = strlen(text), left = strspn(text, cut);
    size_t end = length;
    while (end > 0 && strchr(cut, text[end - 1]) != NULL) end--;

    strcpy(got, text);
    FRNG_ASSERT(HX_strrtrim(got) == length - end, "\"%s\" is trimmed to \"%s\"", text, got);
    FRNG_ASSERT(strlen(got) == end, "\"%s\" is trimmed to \"%s\"", text, got);
    strcpy(got, text);
    FRNG_ASSERT(HX_strltrim(got) == left, "\"%s\" is trimmed to \"%s\"", text, got);
    FRNG_ASSERT(strcmp(got, text + left) == 0, "\"%s\" is trimmed to \"%s\"", text, got);
}

static void chomp(const char *text) {
    char got[LENGTH_MAX + 1];
    size_t end = strlen(text);
    while (end > 0 && strchr("\r\n", text[end - 1]) != NULL) end--;
    strcpy(got, text);
    FRNG_ASSERT(HX_chomp(got) == got, "another string is returned");
    FRNG_ASSERT(strlen(got) == end, "\"%s\" is chomped to \"%s\"", text, got);
}

static bool draw_text(frng *f, char *text) {
    uint8_t length, letter;
    frng_note(f, "length");
    FRNG_TRY(frng_u8_max(f, LENGTH_MAX, &length));
    frng_note(f, "letters");
    for (uint8_t i = 0; i < length; i++) {
        FRNG_TRY(frng_u8_max(f, 5, &letter));
        text[i] = "abc \r\n"[letter];
    }
    text[length] = '\0';
    return true;
}

static bool test(frng *f) {
    char text[LENGTH_MAX + 1];
    uint8_t operation;
    for (;;) {
        FRNG_TRY(draw_text(f, text));
        frng_note(f, "reverse, trim, chomp");
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        switch (operation) {
        case 0: reverse(text); break;
        case 1: trim(text, " \r\n"); break;
        default: chomp(text); break;
        }
    }
}

FRNG_MAIN(test)
