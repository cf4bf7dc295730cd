#include "html.h"

#include "bytes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(html *h, const char *text, size_t size) {
    if (h->failed || size == 0) return;
    if (h->room - h->size < size) {
        const size_t room = 2 * (h->room + size);
        char *grown = realloc(h->text, room);
        if (grown == NULL) {
            h->failed = true;
            return;
        }
        h->text = grown;
        h->room = room;
    }
    memcpy(h->text + h->size, text, size);
    h->size += size;
}

void html_raw(html *h, const char *markup) { add(h, markup, strlen(markup)); }

static const char *entity_of(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

static void add_escaped(html *h, const char *text) {
    const char *plain = text; /* what is not added yet */
    for (; *text != '\0'; text++) {
        const char *entity = entity_of(*text);
        if (entity == NULL) continue;
        add(h, plain, (size_t)(text - plain));
        html_raw(h, entity);
        plain = text + 1;
    }
    add(h, plain, (size_t)(text - plain));
}

void html_text(html *h, const char *text, size_t most) {
    size_t size = strnlen(text, most + 1);
    const bool is_cut = size > most;
    if (is_cut) size = most;
    while (is_cut && size > 0 && ((uint8_t)text[size] & 0xc0) == 0x80)
        size--; /* whole characters */
    char *safe = malloc(4 * size + 1);
    if (safe == NULL) {
        h->failed = true;
        return;
    }
    bytes_escape((const uint8_t *)text, size, true, safe, 4 * size + 1);
    add_escaped(h, safe);
    if (is_cut) html_raw(h, "…");
    free(safe);
}

size_t html_left(const html *h) {
    if (h->limit == 0) return SIZE_MAX;
    return h->size < h->limit ? h->limit - h->size : 0;
}

/* ---- Formats ---- */

/* A conversion of a format: %s, %d, %u or %zu, either 64-bit one of inttypes.h, %.1f or %%. */
typedef struct conversion {
    size_t length; /* of its text */
    char letter;
    int longs;    /* "l"s before an integer */
    bool is_size; /* "z" before it */
    int decimals; /* of %f */
} conversion;

static conversion read_conversion(const char *at) {
    conversion c = {.length = 1};
    while (strchr(".0123456789lz", at[c.length]) != NULL) {
        const char one = at[c.length++];
        if (one == 'l') c.longs++;
        if (one == 'z') c.is_size = true;
        if (one >= '0' && one <= '9') c.decimals = one - '0';
    }
    c.letter = at[c.length++];
    return c;
}

static uint64_t take_unsigned(const conversion *c, va_list *values) {
    if (c->is_size) return va_arg(*values, size_t);
    if (c->longs == 2) return va_arg(*values, unsigned long long);
    return c->longs == 1 ? va_arg(*values, unsigned long) : va_arg(*values, unsigned);
}

enum { NUMBER_MAX = 400 }; /* room for any double */

static void add_value(html *h, const conversion *c, va_list *values) {
    char number[NUMBER_MAX];
    switch (c->letter) {
    case '%': html_raw(h, "%"); return;
    case 's': html_text(h, va_arg(*values, const char *), HTML_TEXT_MAX); return;
    case 'd': snprintf(number, sizeof number, "%d", va_arg(*values, int)); break;
    case 'u': snprintf(number, sizeof number, "%" PRIu64, take_unsigned(c, values)); break;
    default:
        assert(c->letter == 'f');
        snprintf(number, sizeof number, "%.*f", c->decimals, va_arg(*values, double));
    }
    html_raw(h, number);
}

void html_put(html *h, const char *format, ...) {
    va_list values;
    va_start(values, format);
    while (*format != '\0') {
        const size_t plain = strcspn(format, "%");
        add(h, format, plain);
        format += plain;
        if (*format == '\0') break;
        const conversion c = read_conversion(format);
        add_value(h, &c, &values);
        format += c.length;
    }
    va_end(values);
}

void html_finish(html *h) {
    free(h->text);
    *h = (html){.text = NULL};
}
