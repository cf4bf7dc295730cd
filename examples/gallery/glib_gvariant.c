/* glib_gvariant: the smallest double is "too big".
 *
 * Library: GLib's GVariant
 * Bug: what is printed of a subnormal double cannot be parsed: too big
 * Packages: libglib2.0-dev
 * Link: $(pkg-config --cflags --libs glib-2.0)
 *
 * GLib's documentation: g_variant_print "pretty-prints value in the format understood by
 * g_variant_parse()". So each value that is printed can be parsed, and is itself again.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <glib.h>
#include <string.h>

/* Store a new value: a number, or one in a tuple or a variant. */
static bool draw_value(frng *f, int depth, GVariant **value) {
    uint8_t kind;
    uint64_t bits;
    double x;
    frng_note(f, "kind");
    FRNG_TRY(frng_u8_max(f, depth > 0 ? 4 : 2, &kind));
    if (kind > 2) {
        FRNG_TRY(draw_value(f, depth - 1, value));
        *value = kind == 3 ? g_variant_new_tuple(value, 1) : g_variant_new_variant(*value);
        return true;
    }
    frng_note(f, "bits");
    FRNG_TRY(frng_u64(f, &bits));
    memcpy(&x, &bits, sizeof x);
    if (x != x) x = 0; /* NaN is not equal to itself */
    *value = kind == 0   ? g_variant_new_uint64(bits)
             : kind == 1 ? g_variant_new_int64((gint64)bits)
                         : g_variant_new_double(x);
    return true;
}

/* Parse what is printed of `value`. */
static void check(GVariant *value) {
    GError *error = NULL;
    char *text = g_variant_print(value, TRUE);
    GVariant *parsed = g_variant_parse(NULL, text, NULL, NULL, &error);
    FRNG_ASSERT(parsed != NULL, "g_variant_parse(\"%s\"): %s", text, error->message);
    FRNG_ASSERT(g_variant_equal(parsed, value), "\"%s\" is another value", text);
    g_variant_unref(parsed);
    g_free(text);
}

static bool test(frng *f) {
    GVariant *value;
    for (;;) {
        FRNG_TRY(draw_value(f, 2, &value));
        g_variant_ref_sink(value);
        check(value);
        g_variant_unref(value);
    }
}

FRNG_MAIN(test)
