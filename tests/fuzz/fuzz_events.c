/* Events: any lines make a page, in which all markup is ours: each "<"
 * begins a tag that the page writes, and no control character is left. */
#include "events.h"
#include "fuzz.h"
#include "report_page.h"

static void take_lines(night *n, const char *text, size_t size) {
    events e;
    events_begin(&e, n, "events");
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - text) : size;
        events_take(&e, text, length);
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

/* True if a tag that the page may have begins here. */
static bool begins_tag(const char *text, size_t size) {
    static const char *const tags[] = {
        "!DOCTYPE", "a ",   "body", "button", "circle", "code", "dd",    "del", "desc", "details",
        "div",      "dl",   "dt",   "figure", "foot",   "h1",   "h2",    "h3",  "head", "html",
        "i>",       "ins",  "li",   "line",   "link",   "main", "meta",  "nav", "p>",   "p ",
        "path",     "pre",  "scri", "sec",    "small",  "span", "style", "sum", "svg",  "table",
        "td",       "text", "th",   "title",  "tr",     "ul"};
    if (size > 0 && *text == '/') text++, size--;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        const size_t length = strlen(tags[i]);
        if (length <= size && memcmp(text, tags[i], length) == 0) return true;
    }
    return size >= 2 && (text[0] == 'a' || text[0] == 'p' || text[0] == 'i') && text[1] == '>';
}

static void check_page(const html *h) {
    const char *script = NULL;
    size_t scripts = 0;
    for (size_t i = 0; i < h->size; i++) {
        const unsigned char c = (unsigned char)h->text[i];
        FUZZ_HOLDS(c >= 0x20 || c == '\n' || c == '\t');
        if (c == '<') FUZZ_HOLDS(begins_tag(h->text + i + 1, h->size - i - 1));
        if (c == '<' && h->size - i > 7 && memcmp(h->text + i, "<script", 7) == 0) {
            script = h->text + i;
            scripts++;
        }
    }
    FUZZ_HOLDS(scripts == 1 && script != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    night n = {.programs = NULL};
    html h = {.text = NULL};
    take_lines(&n, (const char *)bytes, size);
    FUZZ_HOLDS(!n.failed);
    FUZZ_HOLDS(n.torn <= n.lines);
    night_end(&n);
    report_page_put(&h, &n);
    FUZZ_HOLDS(!h.failed);
    check_page(&h);
    html_finish(&h);
    night_finish(&n);
    return 0;
}
