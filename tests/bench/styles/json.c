/* json: values are written and checked by a scanner, which takes the escape of a quote after an
 * escaped backslash in a key of a nested object for the end of the string. */
#include <frng_main.h>

enum { TEXT = 8192 };

typedef struct writer {
    char text[TEXT];
    size_t length;
} writer;

static void put(writer *w, char c) {
    if (w->length + 1 < TEXT) w->text[w->length++] = c;
}

static bool draw_string(frng *f, writer *w) {
    static const char letters[] = "ab\"\\ c";
    put(w, '"');
    for (size_t n = 0;; n++) {
        bool more;
        uint8_t index;
        FRNG_TRY(frng_bool(f, &more));
        if (!more || n > 20) break;
        FRNG_TRY(frng_u8_max(f, 5, &index));
        if (letters[index] == '"' || letters[index] == '\\') put(w, '\\');
        put(w, letters[index]);
    }
    put(w, '"');
    return true;
}

static bool draw_value(frng *f, writer *w, int depth);

static bool draw_members(frng *f, writer *w, int depth, bool is_object) {
    put(w, is_object ? '{' : '[');
    for (int n = 0; n < 10; n++) {
        bool more;
        FRNG_TRY(frng_bool(f, &more));
        if (!more) break;
        if (n > 0) put(w, ',');
        if (is_object) FRNG_TRY(draw_string(f, w));
        if (is_object) put(w, ':');
        FRNG_TRY(draw_value(f, w, depth + 1));
    }
    put(w, is_object ? '}' : ']');
    return true;
}

static bool draw_value(frng *f, writer *w, int depth) {
    uint8_t kind, digit;
    FRNG_TRY(frng_u8_max(f, depth < 5 ? 3 : 1, &kind));
    if (kind >= 2) return draw_members(f, w, depth, kind == 2);
    if (kind == 1) return draw_string(f, w);
    FRNG_TRY(frng_u8_max(f, 9, &digit));
    put(w, (char)('0' + digit));
    return true;
}

/* Return the depth after the last byte; -1 if it is not what a value has. */
static int scan(const writer *w) {
    int depth = 0;
    bool is_key = false;
    for (size_t i = 0; i < w->length; i++) {
        const char c = w->text[i];
        if (c == '"') {
            for (i++; i < w->length && w->text[i] != '"'; i++) {
                const bool bug = is_key && depth > 1 && i + 3 < w->length &&
                                 memcmp(&w->text[i], "\\\\\\\"", 4) == 0;
                if (bug)
                    i += 2; /* now at the backslash of the quote, which it steps over */
                else if (w->text[i] == '\\')
                    i++;
            }
        }
        is_key = c == '{' || (c == ',' && depth > 1);
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    return depth;
}

static bool test(frng *f) {
    static writer w;
    w.length = 0;
    FRNG_TRY(draw_value(f, &w, 0));
    if (w.length + 1 >= TEXT) return true;
    w.text[w.length] = '\0';
    FRNG_ASSERT(scan(&w) == 0, "%s", w.text);
    return true;
}

FRNG_MAIN(test)
