/* site.h: where and in which way a run failed, as one text: "queue.c:31" (an assertion),
 * "queue.c:31 in pop" (the same, and the step of the test that was in progress),
 * "asan:heap-buffer-overflow at rax.c:1071" (a kind and a place), "glibc:free-invalid-pointer" (a
 * kind alone), or "std::out_of_range". A kind is one of a few words, a colon and a name.
 *
 * A site without debug information is an address: "ring+0x1a2b", a module and offsets in it. It
 * stays the same from run to run, but says nothing to other builds. */
#ifndef SITE_H
#define SITE_H

#include "signature.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SITE_KIND_MAX = 64,   /* bytes of a kind, its NUL included */
    SITE_PLACE_MAX = 112, /* of a place */
    SITE_MAX = SITE_KIND_MAX + 4 + SITE_PLACE_MAX,
    SITE_TEXT_MAX = SIGNATURE_TEXT_MAX + 4 + SITE_MAX
};

/* True if a text begins as a kind does: "asan:". */
bool site_has_kind(const char *text);

/* Write a site of a kind and a place, either of which may be "". Both are untrusted: what is not
 * printable is escaped, and long ones are cut. */
void site_join(const char *kind, const char *place, char site[SITE_MAX]);

/* Split a site into its kind and its place, "" for none. */
void site_split(const char *site, char kind[SITE_MAX], char place[SITE_MAX]);

/* Return the length of a place without its step: of "queue.c:31" in "queue.c:31 in pop". */
size_t site_line_length(const char *place);

#define SITE_TEXT ((char[SITE_TEXT_MAX]){0}) /* room in an argument, as UNITS_TEXT is (units.h) */

/* Write a signature and a site ("": none) as one text: exit:1, signal:SIGABRT at queue.c:31, or the
 * site alone if it has a kind. Return `text`. */
const char *site_format(signature id, const char *site, char text[SITE_TEXT_MAX]);

/* True if two sites may be of the same bug: they are equal, or one of them is unknown, or one is an
 * address and the other is not. An empty site is unknown, unless it is known that there is none. */
bool site_may_equal(const char *a, bool a_is_known, const char *b, bool b_is_known);

/* True if the place of a site is an address. */
bool site_is_address(const char *site);

#endif
