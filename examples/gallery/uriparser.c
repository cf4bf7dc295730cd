/* uriparser: a relative reference that leads elsewhere.
 *
 * Library: uriparser
 * Bug: the reference from `s://h/a` to `s://h/a/a` is `a`, which resolves to `s://h/a`
 * Packages: liburiparser-dev
 * Link: -luriparser
 *
 * Uri.h: uriRemoveBaseUri "tries to make a relative URI (a reference) from an absolute URI and a
 * given base URI", and uriAddBaseUri "performs reference resolution as described in section 5.2.2
 * of RFC 3986". A reference to a URI resolves to that URI.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <stdio.h>
#include <string.h>
#include <uriparser/Uri.h>

/* Store a URI of a host and up to three segments. */
static bool draw_uri(frng *f, const char *name, char *text) {
    static const char *const segments[] = {"a", "b", "c"};
    uint8_t count, segment;
    frng_note(f, name);
    FRNG_TRY(frng_u8_max(f, 3, &count));
    strcpy(text, "s://h/");
    for (uint8_t i = 0; i < count; i++) {
        FRNG_TRY(frng_u8_max(f, 2, &segment));
        if (i > 0) strcat(text, "/");
        strcat(text, segments[segment]);
    }
    return true;
}

static void parse(UriUriA *uri, const char *text) {
    const char *error;
    FRNG_ASSERT(uriParseSingleUriA(uri, text, &error) == URI_SUCCESS, "cannot parse '%s'", text);
}

/* Store the reference from `base` to `text`, and what it resolves to. */
static void there_and_back(const char *text, const char *base, char *reference, char *resolved) {
    UriUriA uri, base_uri, relative, parsed, absolute;
    parse(&uri, text);
    parse(&base_uri, base);
    FRNG_ASSERT(uriRemoveBaseUriA(&relative, &uri, &base_uri, URI_FALSE) == URI_SUCCESS,
                "no reference from %s to %s", base, text);
    uriToStringA(reference, &relative, 64, NULL);
    parse(&parsed, reference);
    FRNG_ASSERT(uriAddBaseUriA(&absolute, &parsed, &base_uri) == URI_SUCCESS,
                "cannot resolve '%s' at %s", reference, base);
    uriToStringA(resolved, &absolute, 64, NULL);
    UriUriA *const all[] = {&uri, &base_uri, &relative, &parsed, &absolute};
    for (size_t i = 0; i < 5; i++) uriFreeUriMembersA(all[i]);
}

static bool test(frng *f) {
    char base[64], text[64], reference[64], resolved[64];
    for (;;) {
        FRNG_TRY(draw_uri(f, "from", base));
        FRNG_TRY(draw_uri(f, "to", text));
        there_and_back(text, base, reference, resolved);
        FRNG_ASSERT(strcmp(resolved, text) == 0, "from %s to %s by '%s', which resolves to %s",
                    base, text, reference, resolved);
    }
}

FRNG_MAIN(test)
