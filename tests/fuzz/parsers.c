/* Texts that come from outside: what is taken is within its bounds and the same when it was written
 * and read again; what is shown is valid UTF-8 that no terminal obeys, and a refusal one line. */
int report_main(int argc, char **argv);
#define main report_main
#include "report_main.c" /* whose functions are its own */
#undef main

/* No target runs a tool. */
int session_main(tool_kind tool, int argc, char **argv, int (*run)(session *s, tool_options *o)) {
    return (void)tool, (void)argv, (void)run, argc;
}

#include "bytes.h"
#include "constants.h"
#include "failure.h"
#include "fuzz.h"
#include "output_site.h"
#include "pass.h"
#include "phrase.h"
#include "pool.h"
#include "seed_input.h"
#include "signature_filter.h"
#include "target.h"
#include "worker_log.h"

#include <math.h>
#include <sys/mman.h>

enum { WORDS_MAX = 40 };

/* No control character but these, valid UTF-8, and no C1 control: c2 80 to c2 9f. */
static void check_harmless(const char *text, size_t length, const char *allowed) {
    FUZZ_HOLDS(strlen(text) == length && text_errors((const uint8_t *)text, length) == 0);
    for (size_t i = 0; i < length; i++) {
        const uint8_t c = (uint8_t)text[i];
        FUZZ_HOLDS((c >= ' ' && c != 0x7f) || strchr(allowed, c) != NULL);
        FUZZ_HOLDS(c != 0xc2 || (uint8_t)text[i + 1] >= 0xa0);
    }
}

/* ---- What programs print ---- */

static void check_escape(const uint8_t *bytes, size_t size, bool keep_lines) {
    const char *allowed = keep_lines ? "\n\t" : "";
    const size_t room = 4 * size + 1;
    char *text = malloc(room), *again = malloc(room);
    FUZZ_HOLDS(text != NULL && again != NULL);
    const size_t length = bytes_escape(bytes, size, keep_lines, text, room);
    check_harmless(text, length, allowed);
    FUZZ_HOLDS(length >= size);
    FUZZ_HOLDS(bytes_escape((const uint8_t *)text, length, keep_lines, again, room) == length);
    FUZZ_HOLDS(strcmp(text, again) == 0); /* what is harmless stays as it is */
    const size_t part = size > 0 ? bytes[0] % (length + 1) : 0;
    char *exact = malloc(part + 1); /* for AddressSanitizer */
    FUZZ_HOLDS(exact != NULL);
    const size_t kept = bytes_escape(bytes, size, keep_lines, exact, part + 1);
    check_harmless(exact, kept, allowed);
    FUZZ_HOLDS(kept <= part && memcmp(exact, text, kept) == 0);
    free(exact);
    free(again);
    free(text);
}

static void check_hex(const uint8_t *bytes, size_t size, const char *text) {
    size_t count = 0;
    char *hex = malloc(2 * size + 1);
    uint8_t *back = malloc(size + 1);
    FUZZ_HOLDS(hex != NULL && back != NULL);
    bytes_to_hex(bytes, size, hex);
    FUZZ_HOLDS(bytes_from_hex(hex, back, size, &count) && count == size);
    FUZZ_HOLDS(size == 0 || memcmp(back, bytes, size) == 0);
    FUZZ_HOLDS(size == 0 || !bytes_from_hex(hex, back, size - 1, &count));
    if (bytes_from_hex(text, back, size, &count)) {
        bytes_to_hex(back, count, hex);
        FUZZ_HOLDS(strcasecmp(hex, text) == 0);
        FUZZ_HOLDS(bytes_pasted_hex(text, NULL));
    }
    char *pasted = strdup(text);
    FUZZ_HOLDS(pasted != NULL);
    if (bytes_pasted_hex(pasted, pasted)) {
        FUZZ_HOLDS(strlen(pasted) <= strlen(text) && strlen(pasted) / 2 <= size);
        FUZZ_HOLDS(bytes_from_hex(pasted, back, size, &count));
    }
    free(pasted);
    free(back);
    free(hex);
}

/* Added in pieces of any length, both ends are kept, and printed by a report line by line. */
static void check_tail(const uint8_t *bytes, size_t size) {
    static bytes_tail tail;
    bytes_tail_clear(&tail);
    for (size_t at = 0, count = 0; at < 3 * size; at += count) {
        const size_t from = at % size;
        count = (size_t)bytes[from] * 37 + 1;
        if (count > size - from) count = size - from;
        bytes_tail_add(&tail, bytes + from, count);
    }
    FUZZ_HOLDS(tail.total == 3 * size);
    FUZZ_HOLDS(tail.size == (tail.total < BYTES_TAIL_MAX ? tail.total : BYTES_TAIL_MAX));
    const size_t head = tail.total > BYTES_TAIL_MAX ? BYTES_TAIL_HEAD : tail.size;
    for (size_t i = 0; i < head; i++) FUZZ_HOLDS(tail.bytes[i] == bytes[i % size]);
    for (size_t i = 0; i < tail.size - head; i++) {
        FUZZ_HOLDS(tail.bytes[tail.size - 1 - i] == bytes[size - 1 - i % size]);
    }
    const char *printed = phrase_excerpt(&tail, "");
    check_harmless(printed, strlen(printed), "\n\t");
}

void fuzz_text(fuzz_input *in) {
    char *text = fuzz_rest(in);
    const char *args[] = {text, NULL};
    const run_target s = {.replay = "frng-replay", .sut = text, .options = "", .args = args};
    check_escape(in->bytes, in->size, false);
    check_escape(in->bytes, in->size, true);
    check_hex(in->bytes, in->size, text);
    check_tail(in->bytes, in->size);
    const char *line = phrase_replay(&s, "--seed", "2");
    check_harmless(line, strlen(line), "");
    words_check(text);
    free(text);
}

/* ---- Sites in outputs, and patterns of them ---- */

/* A pattern that was made of a site matches it. */
static void check_site(const char *site) {
    char kind[SITE_MAX], place[SITE_MAX], again[SITE_MAX], text[SITE_TEXT_MAX];
    const signature id = {SIGNATURE_EXIT, 1};
    signature_filter f = {.only = {.count = 1}};
    const size_t length = strlen(site);
    FUZZ_HOLDS(length < SITE_MAX);
    check_harmless(site, length, "");
    site_split(site, kind, place);
    site_join(kind, place, again);
    FUZZ_HOLDS(strcmp(site, again) == 0 || length >= SITE_PLACE_MAX);
    FUZZ_HOLDS(strlen(site_format(id, site, text)) < SITE_TEXT_MAX);
    if (strchr(text, '*') != NULL || !signature_pattern_parse(text, &f.only.list[0])) return;
    FUZZ_HOLDS(signature_filter_match(&f, id, site, true) == SIGNATURE_MATCHES);
}

/* A program, whose tables the input writes over: most of it is code. */
void fuzz_constants(fuzz_input *in) {
    const int fd = memfd_create("program", MFD_CLOEXEC);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_HOLDS(write(fd, in->bytes, in->size) == (ssize_t)in->size);
    dictionary *found = constants_find(path);
    const number_list *all = found != NULL ? &found->lists[DICTIONARY_LISTS - 1] : NULL;
    FUZZ_HOLDS(found == NULL || all->count + found->text_count > 0);
    for (size_t i = 1; found != NULL && i < all->count; i++)
        FUZZ_HOLDS(all->numbers[i - 1] < all->numbers[i]);
    for (size_t i = 0; found != NULL && i < found->text_count; i++)
        FUZZ_HOLDS(strnlen(found->texts[i], DICTIONARY_TEXT_MAX + 1) <= DICTIONARY_TEXT_MAX);
    free(found);
    close(fd);
}

void fuzz_sites(fuzz_input *in) {
    static bytes_tail output;
    char site[SITE_MAX], *text = fuzz_rest(in);
    regex_t rule;
    signature_filter f = {.only = {.count = 1}};
    static output_scan *scan;
    if (scan == NULL) scan = output_scan_create();
    FUZZ_HOLDS(scan != NULL);
    bytes_tail_clear(&output);
    bytes_tail_add(&output, in->bytes, in->size);
    output_scan_begin(scan, NULL);
    output_scan_add(scan, in->bytes, in->size);
    output_scan_end(scan, site);
    check_site(site);
    FUZZ_HOLDS(output_messages_alike(&output, &output, site));
    FUZZ_HOLDS(output_site_rule("[a-z]+ ?([^ ]*)", &rule) == NULL);
    output_scan_begin(scan, &rule);
    output_scan_add(scan, in->bytes, in->size);
    output_scan_end(scan, site);
    check_site(site);
    regfree(&rule);
    if (signature_pattern_parse(text, &f.only.list[0])) {
        const signature id = {SIGNATURE_SIGNAL, 6};
        const signature_match unknown = signature_filter_match(&f, id, "", false);
        const signature_match none = signature_filter_match(&f, id, "", true);
        FUZZ_HOLDS(none != SIGNATURE_MATCH_UNKNOWN);
        FUZZ_HOLDS(unknown == none || unknown == SIGNATURE_MATCH_UNKNOWN);
    }
    free(text);
}

/* ---- Files of frng's own ---- */

static void check_same(char *text, char *again) {
    FUZZ_HOLDS(text != NULL && again != NULL && strcmp(text, again) == 0);
    free(text);
    free(again);
}

void fuzz_finding(fuzz_input *in) {
    const char *why = NULL;
    finding f, again;
    if (!finding_from_json((const char *)in->bytes, in->size, &f, &why)) {
        FUZZ_HOLDS(why != NULL && f.owned == NULL);
        return;
    }
    FUZZ_HOLDS(f.args != NULL && f.of.input.size <= INPUT_SIZE_MAX && f.of.repeated <= f.of.reruns);
    FUZZ_HOLDS(f.bytes == NULL || f.of.input.size <= in->size / 2);
    char *text = finding_to_json(&f);
    FUZZ_HOLDS(text != NULL && finding_from_json(text, strlen(text), &again, &why));
    FUZZ_HOLDS(f.of.input.size == again.of.input.size &&
               signature_equal(f.of.signature, again.of.signature));
    FUZZ_HOLDS((f.bytes == NULL) == (again.bytes == NULL));
    FUZZ_HOLDS(f.bytes == NULL || memcmp(f.bytes, again.bytes, f.of.input.size) == 0);
    check_same(text, finding_to_json(&again));
    finding_free(&again);
    finding_free(&f);
}

void fuzz_worker(fuzz_input *in) {
    const char *why = NULL;
    worker_report r;
    if (!worker_report_parse("w.node-7-1", (const char *)in->bytes, in->size, &r, &why)) {
        FUZZ_HOLDS(why != NULL && r.owned == NULL);
        return;
    }
    FUZZ_HOLDS(r.name != NULL && r.target.args != NULL && r.target.filter != NULL);
    FUZZ_HOLDS(r.state <= WORKER_FAILED && isfinite(r.every) && r.every > 0);
    FUZZ_HOLDS(isfinite(r.rate) && r.rate >= 0 && isfinite(r.totals.seconds));
    FUZZ_HOLDS(r.totals.seconds >= 0 && r.evidence.counted <= r.evidence.passed);
    FUZZ_HOLDS(r.evidence.counted == 0 || r.evidence.stretches > 0);
    FUZZ_HOLDS(!r.best.is_known || r.best.input.size <= INPUT_SIZE_MAX);
    worker_report_free(&r);
}

/* ---- The page of frng-report ---- */

/* True if a tag of a result begins here. */
static bool begins_tag(const char *text) {
    static const char *const tags[] = {"<h1>",    "</h1>", "<p>",    "</p>", "<code>",
                                       "</code>", "<pre>", "</pre>", NULL};
    for (size_t i = 0; tags[i] != NULL; i++) {
        if (strncmp(text, tags[i], strlen(tags[i])) == 0) return true;
    }
    return false;
}

/* Each line becomes one of JSON without "<"; in results all markup is ours. */
static void check_page(const html_page *p) {
    const char *line = p->text + sizeof report_html_1;
    const char *end =
        p->text + p->size - p->results_size - sizeof report_html_2 - sizeof report_html_3;
    while (line < end) {
        const size_t length = strcspn(line, "\n");
        FUZZ_HOLDS(line[length] == '\n');
        json_t *event = json_loadb(line, length, 0, NULL);
        FUZZ_HOLDS(json_is_object(event));
        json_decref(event);
        for (size_t i = 0; i < length; i++) FUZZ_HOLDS(line[i] >= 0x20 && line[i] != '<');
        line += length + 1;
    }
    for (const char *c = p->results; *c != '\0'; c++) {
        FUZZ_HOLDS((unsigned char)*c >= 0x20 || *c == '\n' || *c == '\t');
        if (*c == '<') FUZZ_HOLDS(begins_tag(c));
    }
}

void fuzz_report(fuzz_input *in) {
    html_page p = {.taken = 0};
    const char *text = (const char *)in->bytes, *end = text + in->size;
    open_page(&p);
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;
        take_line(&p, text, (size_t)(stop - text));
        text = stop + (newline != NULL);
    }
    close_page(&p);
    check_page(&p);
    free(p.text);
    free(p.results);
}

/* ---- Command lines: the first byte chooses a tool, the words are lines ---- */

static void check_taken(const tool_options *o) {
    const bool takes_input = o->list == NULL && o->predicate == NULL && o->tool != TOOL_SEARCH;
    const input_options *i = &o->input;
    if (o->tool == TOOL_REPORT || o->tool == TOOL_STATUS) {
        FUZZ_HOLDS(o->rest.file_count > 0);
        return;
    }
    FUZZ_HOLDS(o->rest.sut != NULL || i->finding != NULL || o->dump || o->list != NULL);
    FUZZ_HOLDS(o->run.limits.timeout_ns > 0 || o->predicate != NULL);
    FUZZ_HOLDS(o->run.filter.only.count <= SIGNATURE_PATTERNS_MAX);
    FUZZ_HOLDS(o->run.filter.ignored.count <= SIGNATURE_PATTERNS_MAX);
    FUZZ_HOLDS(o->attempts <= UINT64_C(1000000000000) && o->size_max <= INPUT_SIZE_MAX);
    FUZZ_HOLDS(o->calls_max >= 1 && o->reducers.count <= REDUCERS_MAX);
    FUZZ_HOLDS(o->predicate != NULL || o->reducers.count == 0);
    if (takes_input) {
        const bool has_seed = options_given(o, "seed");
        FUZZ_HOLDS(i->seeded.size <= INPUT_SIZE_MAX && options_given(o, "size") >= has_seed);
        FUZZ_HOLDS(has_seed + (i->file != NULL) + (i->hex != NULL) + (i->finding != NULL) == 1);
    }
    if (o->tool == TOOL_REPLAY) {
        FUZZ_HOLDS(o->runs >= 1 && o->runs <= 1000000000);
    } else {
        FUZZ_HOLDS(o->jobs >= 1 && o->jobs <= POOL_JOBS_MAX && o->budget_ns > 0);
        FUZZ_HOLDS(o->rest.args != NULL && !(o->quiet && o->verbose));
    }
    if (o->run.rule.text != NULL) regfree(o->run.rule.compiled);
    free(run_options_text(&o->run, RUN_OPTIONS_REPLAY));
}

void fuzz_options(fuzz_input *in) {
    char *argv[WORDS_MAX + 1] = {(char *)(uintptr_t) "frng"}, *said = NULL, *word;
    int argc = 1;
    tool_options o;
    size_t length = 0;
    const uint8_t tool = fuzz_u8(in);
    char *text = fuzz_rest(in);
    for (char *rest = text; argc < WORDS_MAX && (word = strsep(&rest, "\n")) != NULL;) {
        argv[argc++] = word;
    }
    FILE *terminal = stderr;
    stderr = open_memstream(&said, &length);
    FUZZ_HOLDS(stderr != NULL);
    const options_answer answer = options_parse((tool_kind)(1U << tool % 5), argc, argv, &o);
    if (answer == OPTIONS_RUN) check_taken(&o);
    fclose(stderr);
    stderr = terminal;
    FUZZ_HOLDS((answer == OPTIONS_WRONG) == (length > 0));
    if (length > 0) {
        FUZZ_HOLDS(said[length - 1] == '\n');
        said[length - 1] = '\0';
        for (char *line = said; (line = strstr(line, "\n  frng")) != NULL;) *line = ' ';
        FUZZ_HOLDS(strpbrk(said, "\n\x1b\a\b\r\t\f\v\x7f") == NULL);
    }
    free(said);
    free(text);
}
