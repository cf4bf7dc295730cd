/* Patterns of failures, by --only and --ignore.
 *
 * Each failure can be written in some ways: its signature or its kind, with or without its place,
 * or the place alone, with or without its folders, its step and its shape. A pattern matches if it
 * fits one of them; its signature is written as theirs are when it is parsed.
 *
 * The site of a run in a fork server may be unknown until a rerun shows it. Then a pattern that
 * depends on it gives no answer, and the caller reruns the failure to get one. */
#include "signature_filter.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Patterns ---- */

static const char between[] = " at ";

/* Parse the signature that a text begins with, up to " at " or the end. Return the rest of the
 * text, from " at " on; NULL if it begins with no whole signature. */
static const char *parse_how(const char *text, signature *how) {
    char head[SIGNATURE_TEXT_MAX];
    const char *at = strstr(text, between);
    const size_t length = at != NULL ? (size_t)(at - text) : strlen(text);
    if (length >= sizeof head) return NULL;
    snprintf(head, sizeof head, "%.*s", (int)length, text);
    return signature_parse(head, how) ? text + length : NULL;
}

/* True if a text with a `*` at its end, `length` bytes before it, can begin a signature. */
static bool can_begin(const char *text, size_t length) {
    static const char *const begins[] = {"exit:", "signal:", "timeout"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        const size_t size = strlen(begins[i]);
        if (strncmp(text, begins[i], length < size ? length : size) == 0) return true;
    }
    return false;
}

/* True if a text begins with a file and a line, or a file and a `*` in its place. */
static bool is_place(const char *text) {
    const size_t length = strcspn(text, ":");
    signature how;
    if (parse_how(text, &how) != NULL) return false; /* "timeout at a.c:3" */
    return text[length] == ':' && memchr(text, '.', length) != NULL &&
           (isdigit((unsigned char)text[length + 1]) || text[length + 1] == '*');
}

bool signature_pattern_parse(const char *text, signature_pattern *p) {
    const size_t length = strlen(text);
    const char *star = strchr(text, '*');
    signature how;
    const char *rest = parse_how(text, &how);
    *p = (signature_pattern){.text = text};
    const int size = snprintf(p->written, sizeof p->written, "%s%s",
                              rest != NULL ? signature_format(how, SIGNATURE_TEXT) : "",
                              rest != NULL ? rest : text);
    if (size >= (int)sizeof p->written || (star != NULL && star != text + length - 1)) return false;
    if (rest != NULL) return rest[0] == '\0' || rest[sizeof between - 1] != '\0';
    if (site_has_kind(text)) return text[strcspn(text, ":") + 1] != '\0';
    if (is_place(text)) return true;
    return star != NULL && strstr(text, between) == NULL && can_begin(text, length - 1);
}

/* True if `text` is the pattern, or begins with it up to a `*` at its end. The rest that " *"
 * stands for may be missing. */
static bool fits_pattern(const char *pattern, const char *text) {
    const size_t length = strlen(pattern);
    if (length == 0 || pattern[length - 1] != '*') return strcmp(pattern, text) == 0;
    const size_t size = strlen(text);
    const bool is_all = length > 1 && pattern[length - 2] == ' ' && size == length - 2;
    return strncmp(pattern, text, is_all ? size : length - 1) == 0;
}

/* Match a failure. Unless `is_site_known`, an empty site is one that no run has shown yet. */
static signature_match match(const signature_pattern *p, signature id, const char *site,
                             bool is_site_known) {
    char kind[SITE_MAX], place[SITE_MAX], bare[SITE_MAX], line[SITE_MAX];
    char text[SITE_TEXT_MAX];
    const char *how = signature_format(id, SIGNATURE_TEXT);
    site_split(site, kind, place);
    snprintf(line, sizeof line, "%.*s", (int)site_line_length(place), place);
    snprintf(bare, sizeof bare, "%.*s", (int)site_shapeless_length(place), place);
    const char *slash = strrchr(line, '/');
    const size_t folders = slash != NULL ? (size_t)(slash + 1 - line) : 0;
    const char *heads[] = {how, kind[0] != '\0' ? kind : how, is_place(p->written) ? "" : how};
    const char *places[] = {"", place, place + folders, bare, bare + folders, line, line + folders};
    enum { PLACES = sizeof places / sizeof places[0] };
    for (size_t i = 0; i < 3 * PLACES; i++) {
        const char *head = heads[i / PLACES], *at = places[i % PLACES];
        const bool has_both = head[0] != '\0' && at[0] != '\0';
        snprintf(text, sizeof text, "%s%s%s", head, has_both ? between : "", at);
        if (fits_pattern(p->written, text)) return SIGNATURE_MATCHES;
    }
    snprintf(text, sizeof text, "%s%s", how, between);
    const bool depends = site_has_kind(p->written) || is_place(p->written) ||
                         strncmp(p->written, text, strlen(text)) == 0;
    return depends && !is_site_known && site[0] == '\0' ? SIGNATURE_MATCH_UNKNOWN
                                                        : SIGNATURE_DIFFERS;
}

static signature_match match_any(const signature_patterns *list, signature id, const char *site,
                                 bool is_site_known) {
    signature_match result = SIGNATURE_DIFFERS;
    for (size_t i = 0; i < list->count; i++) {
        const signature_match m = match(&list->list[i], id, site, is_site_known);
        if (m == SIGNATURE_MATCHES) return m;
        if (m == SIGNATURE_MATCH_UNKNOWN) result = m;
    }
    return result;
}

bool signature_filter_is_empty(const signature_filter *f) {
    return f->only.count == 0 && f->ignored.count == 0;
}

bool signature_filter_ignores(const signature_filter *f, signature id, const char *site) {
    return match_any(&f->ignored, id, site, true) == SIGNATURE_MATCHES;
}

signature_match signature_filter_match(const signature_filter *f, signature id, const char *site,
                                       bool is_site_known) {
    const signature_match ignored = match_any(&f->ignored, id, site, is_site_known);
    const signature_match only =
        f->only.count == 0 ? SIGNATURE_MATCHES : match_any(&f->only, id, site, is_site_known);
    if (ignored == SIGNATURE_MATCHES || only == SIGNATURE_DIFFERS) return SIGNATURE_DIFFERS;
    return ignored == SIGNATURE_MATCH_UNKNOWN ? ignored : only;
}

void ignored_add(ignored_counts *all, const failure *f, uint64_t runs) {
    size_t i = 0;
    while (i < all->count && !failure_is_same(&all->list[i], f)) i++;
    if (i == IGNORED_MAX) {
        all->rest += runs;
        return;
    }
    ignored_row *row = &all->list[i];
    if (i == all->count) {
        *row = (ignored_row){.signature = f->signature};
        memcpy(row->site, f->site, sizeof row->site);
        all->count++;
    }
    row->runs += runs;
}
