/* The page of frng-report: of any lines, each becomes a line of JSON without "<" or control
 * characters, and results are HTML in which all markup is ours. */
#define main report_main
#include "report_main.c" /* whose functions are its own */
#undef main

#include "fuzz.h"

/* True if a tag of a result begins here. */
static bool begins_tag(const char *text) {
    static const char *const tags[] = {"<h1>",    "</h1>", "<p>",    "</p>", "<code>",
                                       "</code>", "<pre>", "</pre>", NULL};
    for (size_t i = 0; tags[i] != NULL; i++) {
        if (strncmp(text, tags[i], strlen(tags[i])) == 0) return true;
    }
    return false;
}

static void check_events(const page *p) {
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
    page p = {.failed = false};
    const char *text = (const char *)bytes, *end = text + size;
    p.to_events = open_memstream(&p.events, &p.events_size);
    p.to_results = open_memstream(&p.results, &p.results_size);
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;
        take_line(&p, text, (size_t)(stop - text));
        text = stop + (newline != NULL);
    }
    end_work(&p);
    FUZZ_HOLDS(end_stream(p.to_events) && end_stream(p.to_results) && !p.failed);
    check_events(&p);
    for (const char *c = p.results; *c != '\0'; c++) {
        FUZZ_HOLDS((unsigned char)*c >= 0x20 || *c == '\n' || *c == '\t');
        if (*c == '<') FUZZ_HOLDS(begins_tag(c));
    }
    free(p.events);
    free(p.results);
    return 0;
}
