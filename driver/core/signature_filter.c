/* Patterns of failures, by --only and --ignore.
 *
 * A pattern is split when it is parsed: it begins with a whole signature (exit:3 at queue.c:*), or
 * is a place alone (queue.c:31), or is a text with a star that a failure is compared to as it is
 * written (asan:*). Each failure can be written in some ways: its signature or its kind, with or
 * without its place, the place with or without its folders and its step. A pattern matches if it
 * fits one of them.
 *
 * The site of a run in a fork server may be unknown until a rerun shows it. Then a pattern that
 * depends on it gives no answer, and the caller reruns the failure to get one. */
#include "signature_filter.h"

#include "failure.h"

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
    return text[length] == ':' && memchr(text, '.', length) != NULL &&
           (isdigit((unsigned char)text[length + 1]) || text[length + 1] == '*');
}

bool signature_pattern_parse(const char *text, signature_pattern *p) {
    const size_t length = strlen(text);
    const bool has_star = length > 0 && text[length - 1] == '*';
    const char *star = strchr(text, '*');
    *p = (signature_pattern){.text = text};
    if (star != NULL && star != text + length - 1) return false;
    const char *rest = parse_how(text, &p->how);
    p->has_how = rest != NULL;
    if (p->has_how) return rest[0] == '\0' || rest[sizeof between - 1] != '\0';
    if (site_has_kind(text)) return text[strcspn(text, ":") + 1] != '\0';
    p->is_place = is_place(text);
    if (p->is_place) return true;
    return has_star && strstr(text, between) == NULL && can_begin(text, length - 1);
}

/* True if `text` is the pattern, or begins with it up to a `*` at its end. The rest that " *"
 * stands for may be missing. */
static bool fits(const char *pattern, const char *text) {
    const size_t length = strlen(pattern);
    if (length == 0 || pattern[length - 1] != '*') return strcmp(pattern, text) == 0;
    const size_t size = strlen(text);
    const bool is_all = length > 1 && pattern[length - 2] == ' ' && size == length - 2;
    return strncmp(pattern, text, is_all ? size : length - 1) == 0;
}

/* True if a place, with or without its folders, and with or without its step, is as the pattern
 * says. */
static bool place_fits(const char *pattern, const char *place) {
    char line[SITE_MAX];
    const size_t length = site_line_length(place);
    snprintf(line, sizeof line, "%.*s", (int)length, place);
    const char *slash = strrchr(line, '/');
    const size_t folders = slash != NULL ? (size_t)(slash + 1 - line) : 0;
    return place[0] != '\0' && (fits(pattern, place) || fits(pattern, place + folders) ||
                                fits(pattern, line) || fits(pattern, line + folders));
}

/* True if what a pattern says before a place, all up to `rest`, is true of a failure. */
static bool head_fits(const signature_pattern *p, const char *rest, signature id,
                      const char *kind) {
    if (p->is_place) return true;
    if (p->has_how) return signature_equal(p->how, id);
    if (kind[0] != '\0' && rest != NULL)
        return strlen(kind) == (size_t)(rest - p->text) &&
               strncmp(p->text, kind, strlen(kind)) == 0;
    return fits(p->text, signature_format(id, SIGNATURE_TEXT)) ||
           (kind[0] != '\0' && fits(p->text, kind));
}

/* Match a failure. Unless `is_site_known`, an empty site is one that no run has shown yet. */
static signature_match match(const signature_pattern *p, signature id, const char *site,
                             bool is_site_known) {
    char kind[SITE_MAX], place[SITE_MAX];
    const bool is_known = is_site_known || site[0] != '\0', depends = site_has_kind(p->text);
    const signature_match otherwise = is_known ? SIGNATURE_DIFFERS : SIGNATURE_MATCH_UNKNOWN;
    const char *rest = strstr(p->text, between), *wanted = p->is_place ? p->text : NULL;
    site_split(site, kind, place);
    if (!head_fits(p, rest, id, kind)) return depends ? otherwise : SIGNATURE_DIFFERS;
    if (wanted == NULL && rest != NULL) wanted = rest + sizeof between - 1;
    return wanted == NULL || place_fits(wanted, place) ? SIGNATURE_MATCHES : otherwise;
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

/* ---- Ignored runs ---- */

void ignored_add(ignored_counts *all, const failure *f) {
    size_t i = 0;
    while (i < all->count && !failure_is_same(&all->list[i], f)) i++;
    if (i == IGNORED_MAX) {
        all->rest++;
        return;
    }
    ignored_row *row = &all->list[i];
    if (i == all->count) {
        *row = (ignored_row){.signature = f->signature};
        memcpy(row->site, f->site, sizeof row->site);
        all->count++;
    }
    row->runs++;
}
