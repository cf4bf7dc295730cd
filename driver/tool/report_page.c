/* An event gets into the page as a line of JSON in ASCII, without "<": no text in it can end the
 * element that holds it. On the way, failures get what the script would have to compute: a command
 * that replays them, if they have none, and the bytes of a short seed, which are shown beside those
 * of its reduction.
 *
 * Pages have limits. Above CHARTS_MAX bytes, events that only add a point to a chart are left out;
 * but the best of a search that a kill ended is its result, so the last one is held back, and added
 * when the search ends. Above EVENTS_MAX bytes, all is left out. The page and a message count what
 * is left out.
 *
 * Results are plain HTML, one for each search, reduction or finding, for a browser without script.
 */
#include "report_page.h"

#include "bytes.h"
#include "event_lines.h"
#include "failure.h"
#include "json_fields.h"
#include "phrase.h"
#include "seed_input.h"
#include "units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHARTS_MAX = 12 << 20, EVENTS_MAX = 16 << 20, RESULTS_MAX = 64 };
enum { EXPANDED_MAX = 2048 }; /* bytes of a seed that are shown */

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static bool is_text(const json_t *object, const char *name, const char *value) {
    return text_equal(text_of(object, name), value);
}

/* ---- Lines of the page ---- */

static void put_line(report_page *p, const json_t *event) {
    char *text = json_dumps(event, JSON_COMPACT | JSON_ENSURE_ASCII);
    if (text == NULL) p->failed = true;
    for (const char *at = text; at != NULL && *at != '\0';) {
        const size_t plain = strcspn(at, "<");
        fwrite(at, 1, plain, p->to_events);
        at += plain;
        if (*at == '<') fputs("\\u003c", p->to_events), at++;
    }
    fputc('\n', p->to_events);
    free(text);
}

/* Put an event, and free it. */
static void put_new(report_page *p, json_t *event) {
    if (event == NULL) p->failed = true;
    if (event != NULL) put_line(p, event);
    json_decref(event);
}

/* ---- Plain results ---- */

static void put_escaped(FILE *out, const char *text) {
    const size_t size = strlen(text);
    char *safe = malloc(4 * size + 1);
    if (safe == NULL) return;
    bytes_escape((const uint8_t *)text, size, true, safe, 4 * size + 1);
    for (const char *at = safe; *at != '\0'; at++) {
        const char *entity = *at == '&'   ? "&amp;"
                             : *at == '<' ? "&lt;"
                             : *at == '>' ? "&gt;"
                                          : NULL;
        entity != NULL ? fputs(entity, out) : fputc(*at, out);
    }
    free(safe);
}

static void put_element(FILE *out, const char *before, const char *text, const char *after) {
    if (text == NULL) return;
    fputs(before, out);
    put_escaped(out, text);
    fputs(after, out);
}

/* Put the result of a search or reduction, which `start` began and `end` or its best has ended; or
 * a finding. */
static void put_result(report_page *p, const json_t *start, const json_t *end) {
    const json_t *size = json_object_get(end, "size");
    const char *predicate = text_of(start, "predicate");
    const char *name =
        path_base(predicate != NULL ? text_of(start, "file") : text_of(start, "sut"));
    const char *ended = text_of(end, "outcome"), *way = text_of(end, "signature");
    FILE *out = p->to_results;
    if (way == NULL) way = text_of(end, "identity");
    if (p->result_count++ >= RESULTS_MAX) return;
    put_element(out, "<h1>", name != NULL && name[0] != '\0' ? name : "a program", "");
    const char *reason = text_of(end, "reason");
    const bool is_open = is_text(end, "outcome", "inconclusive");
    const bool is_found = !is_open && (predicate != NULL || way != NULL);
    if (is_found && json_is_integer(size) && json_integer_value(size) >= 0) {
        const uint64_t bytes = (uint64_t)json_integer_value(size);
        fprintf(out, " %s %s byte%s</h1>\n", predicate != NULL ? "is reduced to" : "fails on",
                units_format_count(UNITS_TEXT, bytes), bytes == 1 ? "" : "s");
    } else {
        put_element(out, ": ", ended != NULL ? ended : "has not ended", "");
        put_element(out, " (", is_open ? reason : NULL, ")");
        fputs("</h1>\n", out);
    }
    if (!is_text(end, "reason", "unfinished")) put_element(out, "<p><code>", way, "</code></p>\n");
    put_element(out, "<pre><code>", text_of(end, "replay"), "</code></pre>\n");
}

/* ---- What failures get ---- */

/* Return the arguments of a program, ended by NULL. The caller frees them; the texts are borrowed.
 * NULL when out of memory. */
static const char **args_of(const json_t *start) {
    const json_t *list = json_object_get(start, "args");
    const char **args = calloc(json_array_size(list) + 1, sizeof *args);
    size_t count = 0;
    for (size_t i = 0; args != NULL && i < json_array_size(list); i++) {
        args[count] = json_string_value(json_array_get(list, i));
        if (args[count] != NULL) count++;
    }
    return args;
}

/* Return the command that replays bytes or a seed; NULL if there is none. */
static char *replay_of(const json_t *start, const char *hex, const seed_input *input) {
    const char **args = args_of(start);
    const run_target target = {text_of(start, "sut"), args, "frng-replay", ""};
    char *line = NULL;
    if (target.sut != NULL && args != NULL && hex != NULL)
        line = phrase_replay_bytes(&target, "--hex", hex);
    if (target.sut != NULL && args != NULL && hex == NULL && input != NULL)
        line = phrase_replay_seed(&target, *input);
    free(args);
    return line;
}

/* Add to a failure what it lacks. `shows`: a reduction may begin with its bytes. */
static void complete(const json_t *start, json_t *f, bool shows) {
    const json_t *size = json_object_get(f, "size");
    const char *hex = text_of(f, "hex"), *seed = text_of(f, "seed");
    seed_input input = {.size = 0};
    const bool has_seed = json_is_integer(size) && json_integer_value(size) >= 0 && seed != NULL &&
                          seed_text_parse(seed, &input);
    if (has_seed) input = seed_input_cut(input, (uint64_t)json_integer_value(size));
    if (text_of(f, "replay") == NULL && json_is_integer(size)) {
        char *line = replay_of(start, hex, has_seed ? &input : NULL);
        if (line != NULL) json_object_set_new(f, "replay", json_string(line));
        free(line);
    }
    if (shows && has_seed && hex == NULL && input.size <= EXPANDED_MAX) {
        uint8_t bytes[EXPANDED_MAX];
        char text[2 * EXPANDED_MAX + 1];
        seed_input_expand(&input, bytes);
        bytes_to_hex(bytes, (size_t)input.size, text);
        json_object_set_new(f, "expanded", json_string(text));
    }
}

static void complete_list(const json_t *start, json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        complete(start, json_array_get(list, i), true);
}

/* ---- Events ---- */

/* The events that the page knows; `adds_point`: it says nothing that a later one does not. */
static const struct {
    const char *name;
    bool adds_point;
} known[] = {{"start", false}, {"done", false}, {"draw", false}, {"say", false},
             {"best", true},   {"other", true}, {"step", true},  {"tested", true},
             {"size", true},   {"alive", true}, {"run", true},   {"nondeterministic", true}};

/* Put an event, or a best that was held back, if there is room. */
static bool put_event(report_page *p, const json_t *event, size_t room) {
    if ((size_t)ftello(p->to_events) >= room) return false;
    put_line(p, event);
    return true;
}

/* End the search or reduction that is open. */
static void end_work(report_page *p) {
    if (p->best_left && !put_event(p, p->best, EVENTS_MAX)) p->left++;
    if (p->start != NULL) put_result(p, p->start, p->best);
    json_decref(p->start);
    json_decref(p->best);
    p->start = p->best = NULL;
    p->best_left = false;
}

/* Keep an event as the best of its search. One that had no room is left out for good. */
static void set_best(report_page *p, json_t *event) {
    if (p->best_left) p->left++;
    json_decref(p->best);
    p->best = json_incref(event);
    p->best_left = false;
}

static void take_event(report_page *p, json_t *event, bool adds_point) {
    const bool is_done = is_text(event, "event", "done"), is_best = is_text(event, "event", "best");
    if (is_text(event, "event", "start")) {
        end_work(p);
        p->start = json_incref(event);
    }
    complete(p->start, event, is_done);
    complete_list(p->start, json_object_get(event, "failures"));
    complete_list(p->start, json_object_get(event, "also"));
    if (is_done || is_best) set_best(p, event);
    if (put_event(p, event, adds_point ? CHARTS_MAX : EVENTS_MAX)) return;
    if (is_done || is_best) {
        p->best_left = true;
    } else {
        p->left++;
    }
}

void report_page_line(report_page *p, const char *line, size_t size) {
    json_t *event = json_loadb(line, size, 0, NULL);
    const char *name = text_of(event, "event");
    const json_t *schema = json_object_get(event, "schema");
    const size_t count = sizeof known / sizeof known[0];
    size_t i = 0;
    while (name != NULL && i < count && strcmp(name, known[i].name) != 0) i++;
    if (name == NULL) {
        p->torn++;
    } else if (i < count && schema != NULL && json_integer_value(schema) != EVENTS_SCHEMA) {
        p->foreign_schema = json_integer_value(schema);
    } else if (i < count) {
        p->taken++;
        take_event(p, event, known[i].adds_point);
    }
    json_decref(event);
}

void report_page_source(report_page *p, const char *name) {
    end_work(p);
    put_new(p, json_pack("{ss so}", "event", "source", "name", json_word_shown(name)));
}

void report_page_finding(report_page *p, const char *path, const finding *f) {
    const char *none[] = {NULL}, **args = f->args != NULL ? f->args : none;
    const char *site = f->site != NULL ? f->site : "";
    char hex[2 * EXPANDED_MAX + 1] = "";
    const run_target target = {f->sut != NULL ? f->sut : "", args, "frng-replay", ""};
    char *replay = phrase_replay_bytes(&target, "--finding", path);
    json_t *words = json_array();
    for (size_t i = 0; args[i] != NULL; i++) json_array_append_new(words, json_word_shown(args[i]));
    if (f->bytes != NULL && f->input.size <= EXPANDED_MAX)
        bytes_to_hex(f->bytes, (size_t)f->input.size, hex);
    json_t *event = json_pack(
        "{ss so so sI ss so s{sI sI} sb so}", "event", "finding", "sut", json_word_shown(f->sut),
        "args", words, "size", (json_int_t)f->input.size, "signature",
        site_format(f->signature, site, SITE_TEXT), "site", json_word_shown(f->site), "rate",
        "reruns", (json_int_t)f->reruns, "repeated", (json_int_t)f->repeated, "reduced",
        f->is_reduced, "replay", json_word_shown(replay));
    if (event != NULL && f->bytes != NULL) json_object_set_new(event, "hex", json_string(hex));
    free(replay);
    p->taken++;
    if (event != NULL) put_result(p, event, event);
    if (event == NULL || put_event(p, event, EVENTS_MAX)) {
        p->failed = p->failed || event == NULL;
    } else {
        p->left++;
    }
    json_decref(event);
}

/* ---- Begin and end ---- */

void report_page_begin(report_page *p) {
    *p = (report_page){.failed = false};
    p->to_events = open_memstream(&p->events, &p->events_size);
    p->to_results = open_memstream(&p->results, &p->results_size);
    if (p->to_events == NULL || p->to_results == NULL) p->failed = true;
}

static bool end_stream(FILE **stream) {
    FILE *open = *stream;
    *stream = NULL;
    return open != NULL && ferror(open) == 0 && fclose(open) == 0;
}

bool report_page_end(report_page *p) {
    if (p->to_events == NULL || p->to_results == NULL) return false;
    end_work(p);
    put_new(p, json_pack("{ss sI sI}", "event", "page", "torn", (json_int_t)p->torn, "left",
                         (json_int_t)p->left));
    if (p->result_count > RESULTS_MAX)
        fprintf(p->to_results, "<p>… and %zu more.</p>\n", p->result_count - RESULTS_MAX);
    const bool is_whole = end_stream(&p->to_events), has_results = end_stream(&p->to_results);
    return is_whole && has_results && !p->failed;
}

void report_page_finish(report_page *p) {
    json_decref(p->start);
    json_decref(p->best);
    end_stream(&p->to_events);
    end_stream(&p->to_results);
    free(p->events);
    free(p->results);
}
