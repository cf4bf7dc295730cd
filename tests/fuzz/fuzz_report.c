/* The page of frng-report: of any lines, each becomes a line of JSON without "<" or control
 * characters, and results are HTML in which all markup is ours. */
#include "fuzz.h"
#include "report_page.h"

/* True if a tag of a result begins here. */
static bool begins_tag(const char *text) {
    static const char *const tags[] = {"<h1>",    "</h1>", "<p>",    "</p>", "<code>",
                                       "</code>", "<pre>", "</pre>", NULL};
    for (size_t i = 0; tags[i] != NULL; i++) {
        if (strncmp(text, tags[i], strlen(tags[i])) == 0) return true;
    }
    return false;
}

static void check_events(const report_page *p) {
    for (const char *line = p->events; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        FUZZ_HOLDS(line[length] == '\n');
        json_t *event = json_loadb(line, length, 0, NULL);
        FUZZ_HOLDS(json_is_object(event));
        json_decref(event);
        for (size_t i = 0; i < length; i++) FUZZ_HOLDS(line[i] >= 0x20 && line[i] != '<');
        line += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    report_page p;
    const char *text = (const char *)bytes, *end = text + size;
    report_page_begin(&p);
    report_page_source(&p, "events");
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;
        report_page_line(&p, text, (size_t)(stop - text));
        text = stop + (newline != NULL);
    }
    FUZZ_HOLDS(report_page_end(&p));
    check_events(&p);
    for (const char *c = p.results; *c != '\0'; c++) {
        FUZZ_HOLDS((unsigned char)*c >= 0x20 || *c == '\n' || *c == '\t');
        if (*c == '<') FUZZ_HOLDS(begins_tag(c));
    }
    report_page_finish(&p);
    return 0;
}
