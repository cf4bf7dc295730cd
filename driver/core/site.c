#include "site.h"

#include "bytes.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const families[] = {"asan",  "hwasan", "lsan", "msan", "tsan",   "ubsan",
                                       "glibc", "go",     "java", "node", "python", "rust"};

bool site_has_kind(const char *text) {
    const size_t length = strcspn(text, ": ");
    if (text[length] != ':') return false;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (strlen(families[i]) == length && strncmp(text, families[i], length) == 0) return true;
    }
    return false;
}

static void escape(const char *from, char *to, size_t to_max) {
    bytes_escape((const uint8_t *)from, strlen(from), false, to, to_max);
}

void site_join(const char *kind, const char *place, char site[SITE_MAX]) {
    char name[SITE_KIND_MAX], where[SITE_PLACE_MAX];
    escape(kind, name, sizeof name);
    escape(place, where, sizeof where);
    snprintf(site, SITE_MAX, "%s%s%s", name, name[0] != '\0' && where[0] != '\0' ? " at " : "",
             where);
}

void site_split(const char *site, char kind[SITE_MAX], char place[SITE_MAX]) {
    kind[0] = place[0] = '\0';
    if (!site_has_kind(site)) {
        snprintf(place, SITE_MAX, "%s", site);
        return;
    }
    const char *at = strstr(site, " at ");
    const size_t length = at != NULL ? (size_t)(at - site) : strlen(site);
    snprintf(kind, SITE_MAX, "%.*s", (int)length, site);
    if (at != NULL) snprintf(place, SITE_MAX, "%s", at + 4);
}

size_t site_line_length(const char *place) {
    const char *in = strstr(place, " in ");
    while (in != NULL && (in == place || !isdigit((unsigned char)in[-1])))
        in = strstr(in + 1, " in ");
    return in != NULL ? (size_t)(in - place) : strlen(place);
}

const char *site_format(signature id, const char *site, char text[SITE_TEXT_MAX]) {
    if (site_has_kind(site)) {
        snprintf(text, SITE_TEXT_MAX, "%s", site);
    } else {
        snprintf(text, SITE_TEXT_MAX, "%s%s%s", signature_format(id, SIGNATURE_TEXT),
                 site[0] != '\0' ? " at " : "", site);
    }
    return text;
}

bool site_is_address(const char *site) {
    const char *plus = strstr(site, "+0x");
    return plus != NULL && strspn(plus, "+x0123456789abcdef") == strlen(plus);
}

bool site_may_equal(const char *a, bool a_is_known, const char *b, bool b_is_known) {
    char a_kind[SITE_MAX], a_place[SITE_MAX], b_kind[SITE_MAX], b_place[SITE_MAX];
    if (strcmp(a, b) == 0) return true;
    if (a[0] == '\0' || b[0] == '\0') return !(a_is_known && b_is_known);
    if (site_is_address(a) == site_is_address(b)) return false;
    site_split(a, a_kind, a_place);
    site_split(b, b_kind, b_place);
    return strcmp(a_kind, b_kind) == 0;
}
