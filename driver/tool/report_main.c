/* frng-report: events and findings become one page.
 *
 * The page is report.html, which a step of the build cuts into three pieces (report_html.h) and to
 * which it adds the digest of its script. Behind the first go the events, a line of JSON each, in
 * ASCII and without "<": no text in them can end the element that holds them. Behind the second go
 * results as plain HTML, for readers without script: each verdict, and the command that replays it.
 * All else is up to the script. Only what it cannot know is added on the way: failures with a short
 * seed get the bytes of it, to be shown beside those of a reduction, and findings the command that
 * replays them.
 *
 * Pages have limits. The kinds of events are a table: the less the page would miss one, the sooner
 * there is no room for it. The page and a message count what is left out. The page is written at
 * the end, and only if a source had an event or a finding, so that a slip in the command line costs
 * no page. */
#include "atomic_file.h"
#include "files.h"
#include "finding_table.h"
#include "json_values.h"
#include "memory.h"
#include "messages.h"
#include "phrase.h"
#include "report_html.h"
#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXPANDED_MAX = 2048 };      /* bytes of a seed or a finding that are shown; else none */
enum { LINE_BYTES_MAX = 4 << 20 }; /* longer lines are skipped, so that no file takes all memory */

/* The events that the page shows, and the size of a page, in MiB, that has no room for more. */
enum { POINTS_MAX = 12, BESTS_MAX = 14, EVENTS_MAX = 16 };
static const struct shown_event {
    const char *name;
    size_t room;
} shown_events[] = {
    {"start", EVENTS_MAX}, {"done", EVENTS_MAX},   {"best", BESTS_MAX},
    {"draw", BESTS_MAX},   {"say", BESTS_MAX},     {"other", POINTS_MAX},
    {"step", POINTS_MAX},  {"tested", POINTS_MAX}, {"size", POINTS_MAX},
    {"alive", POINTS_MAX}, {"run", POINTS_MAX},    {"nondeterministic", POINTS_MAX},
};

enum { RESULTS_MAX = 64 };  /* in plain HTML */
enum { SEARCHES_MAX = 20 }; /* whose charts have points; of later ones there is no room for them */

typedef struct html_page {
    FILE *out, *to_results; /* in memory; NULL once they are closed */
    char *text, *results;
    size_t size, results_size;
    size_t result_count;
    json_t *start, *best;      /* of what has no end yet; best: the last one. NULL: none */
    uint64_t taken;            /* events of frng, and findings */
    uint64_t torn;             /* lines that are not events */
    uint64_t searches;         /* that began before the next event */
    uint64_t left;             /* events for which the page has no room */
    json_int_t foreign_schema; /* of an event of another version of frng; 0: none */
} html_page;

static bool is_stdout(const tool_options *o) { return strcmp(o->output, "-") == 0; }

/* ---- Plain results ---- */

/* Put a text within HTML; NULL: nothing. */
static void put_html(FILE *out, const char *before, const char *text, const char *after) {
    if (text == NULL) return;
    fputs(before, out);
    for (const char *at = phrase_escaped_lines(text); *at != '\0'; at++) {
        const char *entity = *at == '&'   ? "&amp;"
                             : *at == '<' ? "&lt;"
                             : *at == '>' ? "&gt;"
                                          : NULL;
        entity != NULL ? fputs(entity, out) : fputc(*at, out);
    }
    fputs(after, out);
}

/* Put the result of a search or reduction, which `start` began and `end` or its best has ended; or
 * a finding. */
static void put_result(html_page *p, const json_t *start, const json_t *end) {
    const bool has_size = json_is_integer(json_object_get(end, "size"));
    const uint64_t size = json_count(end, "size");
    const bool of_file = json_text(start, "predicate") != NULL;
    const char *name = path_base(json_text(start, of_file ? "file" : "sut")),
               *ended = json_text(end, "outcome"), *way = json_text(end, "signature"),
               *reason = json_text(end, "reason");
    const bool is_open = text_equal(ended, "inconclusive");
    const double lasted_s = json_number_value(json_object_get(end, "lasted")); /* 0: unknown */
    FILE *out = p->to_results;
    if (way == NULL) way = json_text(end, "identity");
    if (p->result_count++ >= RESULTS_MAX) return;
    put_html(out, "<h1>", name != NULL && name[0] != '\0' ? name : "a program", "");
    if (!is_open && (of_file || way != NULL) && has_size) {
        fprintf(out, " %s %s</h1>\n", of_file ? "is reduced to" : "fails on",
                COUNTED(size, "byte"));
    } else {
        put_html(out, ": ", ended != NULL ? ended : "has not ended", "");
        put_html(out, " (", is_open ? reason : NULL, ")");
        fputs("</h1>\n", out);
    }
    put_html(out, "<p>", json_text(end, "claim"), "</p>\n");
    if (!text_equal(reason, "unfinished"))
        put_html(out, "<p><code>", way, "</code></p>\n");
    else if (has_size && lasted_s > 0 && lasted_s < 1e9)
        fprintf(out, "<p>the run of %s had not ended after %s</p>\n", COUNTED(size, "byte"),
                numbers_format_elapsed(NUMBERS_TEXT, (int64_t)(lasted_s * 1e9)));
    put_html(out, "<pre><code>", json_text(end, "replay"), "</code></pre>\n");
}

/* Put the result of what has begun, if it has one, and forget that. */
static void end_work(html_page *p, const json_t *end) {
    if (p->start != NULL || end != NULL) put_result(p, p->start, end != NULL ? end : p->best);
    json_decref(p->start);
    json_decref(p->best);
    p->start = p->best = NULL;
}

/* Take a result, or what it needs. */
static void take_result(html_page *p, json_t *e) {
    const char *name = json_text(e, "event");
    if (text_equal(name, "start")) {
        end_work(p, NULL); /* it was killed */
        p->start = json_incref(e);
    } else if (text_equal(name, "best") && p->start != NULL) {
        json_decref(p->best);
        p->best = json_incref(e);
    } else if (text_equal(name, "done")) {
        end_work(p, e);
    }
}

/* ---- Events ---- */

/* Add the bytes of a short seed to a failure: a reduction may begin with them. */
static void expand(json_t *f) {
    const json_t *size = json_object_get(f, "size");
    const char *seed = json_text(f, "seed");
    uint8_t bytes[EXPANDED_MAX];
    seed_input input = {.size = (uint64_t)json_integer_value(size)};
    if (!json_is_integer(size) || input.size > EXPANDED_MAX) return;
    if (seed == NULL || json_text(f, "hex") != NULL || !seed_text_parse(seed, &input)) return;
    seed_input_expand(&input, bytes);
    json_object_set_new(f, "expanded", json_hex(bytes, input.size));
}

static void expand_all(json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) expand(json_array_get(list, i));
}

/* Put an event, and free it. */
static void put_event(html_page *p, json_t *e) {
    char *text = memory_need(json_dumps(e, JSON_COMPACT | JSON_ENSURE_ASCII));
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '<')
            fputs("\\u003c", p->out);
        else
            putc_unlocked(*at, p->out);
    }
    putc_unlocked('\n', p->out);
    free(text);
    json_decref(e);
}

static void put_if_room(html_page *p, json_t *e, size_t room) {
    p->taken++;
    take_result(p, e);
    p->searches += text_equal(json_text(e, "event"), "start");
    const bool has_charts = p->searches <= SEARCHES_MAX;
    if ((room <= POINTS_MAX && !has_charts) || (size_t)ftello(p->out) >= room << 20) {
        p->left++;
        json_decref(e);
        return;
    }
    if (text_equal(json_text(e, "event"), "done")) {
        expand(e);
        expand_all(json_object_get(e, "failures"));
        expand_all(json_object_get(e, "also"));
    }
    put_event(p, e);
}

static const struct shown_event *find_shown(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof shown_events / sizeof *shown_events; i++)
        if (strcmp(name, shown_events[i].name) == 0) return &shown_events[i];
    return NULL;
}

static void take_line(html_page *p, const char *line, size_t size) {
    json_t *e = json_loadb(line, size, 0, NULL);
    const char *name = json_text(e, "event");
    const struct shown_event *shown = find_shown(name);
    const json_t *schema = json_object_get(e, "schema");
    const bool is_event = name != NULL && json_is_integer(schema);
    const bool is_foreign = json_integer_value(schema) != EVENTS_SCHEMA;
    if (!is_event) p->torn++;
    if (is_event && shown != NULL && is_foreign) p->foreign_schema = json_integer_value(schema);
    if (is_event && shown != NULL && !is_foreign) put_if_room(p, json_incref(e), shown->room);
    json_decref(e);
}

static void take_finding(html_page *p, const char *path, const finding *f) {
    const char *none[] = {NULL}, **args = f->args != NULL ? f->args : none;
    const run_target target = {f->sut != NULL ? f->sut : "", args, "frng-replay", ""};
    const char *replay = phrase_replay(&target, "--finding", path);
    json_t *words = json_array();
    for (size_t i = 0; args[i] != NULL; i++) json_array_append_new(words, json_word_shown(args[i]));
    json_t *e =
        json_pack("{ss so so sI ss so s{sI sI} sb so}", "event", "finding", "sut",
                  json_word_shown(f->sut), "args", words, "size", (json_int_t)f->of.input.size,
                  "signature", site_format(f->of.signature, f->of.site, SITE_TEXT), "site",
                  json_word_shown(failure_site(&f->of)), "rate", "reruns", (json_int_t)f->of.reruns,
                  "repeated", (json_int_t)f->of.repeated, "reduced", f->of.form == FORM_REDUCED,
                  "replay", json_word_shown(replay));
    if (e != NULL && f->bytes != NULL && f->of.input.size <= EXPANDED_MAX)
        json_object_set_new(e, "hex", json_hex(f->bytes, (size_t)f->of.input.size));
    if (e != NULL) put_result(p, e, e);
    put_if_room(p, e, EVENTS_MAX);
}

/* ---- Sources ---- */

/* Read the findings of a folder: the best of each program and signature, as frng-replay --list. */
static int read_findings(html_page *p, const char *folder) {
    finding_table t = {.count = 0};
    const int error = finding_table_read(&t, folder);
    for (size_t i = 0; i < t.count && error == 0; i++)
        take_finding(p, t.rows[i].path, &t.rows[i].smallest);
    finding_table_finish(&t);
    return error;
}

static int read_events(html_page *p, FILE *in, const char *name) {
    static char line[LINE_BYTES_MAX];
    size_t size = 0;
    end_work(p, NULL);
    put_event(p, json_pack("{ss so}", "event", "source", "name", json_word_shown(name)));
    errno = 0;
    for (int c = 0; c != EOF;) {
        c = getc_unlocked(in);
        if (c != EOF && c != '\n') {
            if (size < LINE_BYTES_MAX) line[size] = (char)c;
            if (size <= LINE_BYTES_MAX) size++;
            continue;
        }
        if (size > LINE_BYTES_MAX) p->torn++;
        if (size > 0 && size <= LINE_BYTES_MAX) take_line(p, line, size);
        size = 0;
    }
    return !ferror(in) ? 0 : errno != 0 ? errno : EIO;
}

/* Read a file as a finding. False: it is none. */
static bool read_finding_file(html_page *p, int fd, const char *path) {
    char begin[2];
    finding f;
    const char *why;
    if (pread(fd, begin, sizeof begin, 0) != sizeof begin || memcmp(begin, "{\n", 2) != 0)
        return false;
    if (!finding_read(AT_FDCWD, path, &f, &why)) return false;
    take_finding(p, path, &f);
    finding_free(&f);
    return true;
}

static bool read_source(html_page *p, const char *path);

static int has_events(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".jsonl") == 0 &&
           (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN);
}

/* Read the findings of a folder, and the files of events in it, which frng-ci makes. */
static int read_page_folder(html_page *p, const char *folder) {
    struct dirent **files = NULL;
    const int error = read_findings(p, folder);
    const int count = error == 0 ? scandir(folder, &files, has_events, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        read_source(p, phrase_format("%s/%s", folder, files[i]->d_name)); /* or says why not */
        free(files[i]);
    }
    free(files);
    return error;
}

/* Read events, a finding, or a folder of these. */
static bool read_source(html_page *p, const char *path) {
    struct stat status;
    const bool is_stdin = strcmp(path, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(path, "re");
    int error = in == NULL || fstat(fileno(in), &status) != 0 ? errno : 0;
    if (error == 0 && S_ISDIR(status.st_mode)) {
        error = is_stdin ? EISDIR : read_page_folder(p, path);
    } else if (error == 0 && (is_stdin || !read_finding_file(p, fileno(in), path))) {
        error = read_events(p, in, is_stdin ? "standard input" : path);
    }
    if (in != NULL && !is_stdin) fclose(in);
    return error == 0 || message_error(error, "%s: cannot be read", path);
}

/* True if the page would replace what it is made of. */
static bool is_source(const tool_options *o) {
    for (size_t i = 0; i < o->rest.file_count && !is_stdout(o); i++) {
        if (!file_is_same(o->output, o->rest.files[i])) continue;
        message("--output %s would replace the events: name another file", o->output);
        return true;
    }
    return false;
}

/* ---- The page ---- */

static void open_page(html_page *p) {
    p->out = memory_stream(&p->text, &p->size);
    p->to_results = memory_stream(&p->results, &p->results_size);
    fwrite(report_html_1, 1, sizeof report_html_1, p->out);
}

static void close_page(html_page *p) {
    FILE *out = p->out;
    end_work(p, NULL);
    if (p->result_count > RESULTS_MAX)
        fprintf(p->to_results, "<p>… and %zu more.</p>\n", p->result_count - RESULTS_MAX);
    memory_close(p->to_results, &p->results);
    put_event(p, json_pack("{ss sI sI}", "event", "page", "torn", (json_int_t)p->torn, "left",
                           (json_int_t)p->left));
    fwrite(report_html_2, 1, sizeof report_html_2, out);
    fwrite(p->results, 1, p->results_size, out);
    fwrite(report_html_3, 1, sizeof report_html_3, out);
    p->out = NULL;
    memory_close(out, &p->text);
}

/* Return 0 or an errno. */
static int write_page(const tool_options *o, const html_page *p) {
    atomic_file file;
    if (is_stdout(o)) return stream_write_all(STDOUT_FILENO, p->text, p->size);
    int error = atomic_file_open(&file, o->output);
    if (error == 0) error = atomic_file_put(&file, p->text, p->size);
    atomic_file_close(&file);
    return error;
}

/* Read all sources. Return the exit status, with a message if it is not 0. */
static int read_sources(const tool_options *o, html_page *p) {
    sigset_t held;
    bool is_read = true;
    tool_let_through(&held); /* while events come from a pipe */
    for (size_t i = 0; i < o->rest.file_count && is_read; i++)
        is_read = read_source(p, o->rest.files[i]);
    tool_hold_back(&held);
    if (!is_read) return EXIT_ENVIRONMENT;
    if (p->foreign_schema != 0) {
        message("events of schema %lld: this frng-report reads schema %d; use the one of the frng "
                "that wrote them",
                (long long)p->foreign_schema, EVENTS_SCHEMA);
    } else if (p->taken == 0) {
        message("%s%s: no events of frng in it; give a file that --json wrote, or a folder of "
                "findings",
                o->rest.files[0], o->rest.file_count > 1 ? " and the rest" : "");
    }
    return p->foreign_schema == 0 && p->taken > 0 ? EXIT_PASSED : EXIT_ENVIRONMENT;
}

static int report_events(session *s, tool_options *o) {
    html_page p = {.taken = 0};
    (void)s;
    if (is_source(o)) return EXIT_ENVIRONMENT;
    open_page(&p);
    const int status = read_sources(o, &p);
    close_page(&p);
    const int error = status == EXIT_PASSED ? write_page(o, &p) : 0;
    free(p.text);
    free(p.results);
    if (status != EXIT_PASSED) return status;
    if (p.torn == 1) message("1 line is not an event, and is skipped"); /* a kill leaves one */
    if (p.torn > 1) message("%" PRIu64 " lines are not events, and are skipped", p.torn);
    if (p.left > 0) message("too many events for a page: %s are left out", COUNT(p.left));
    if (error == 0) return EXIT_PASSED;
    message_error(error, "%s: cannot be written", is_stdout(o) ? "standard output" : o->output);
    return EXIT_OUTPUT;
}

int main(int argc, char **argv) { return session_main(TOOL_REPORT, argc, argv, report_events); }
