/* coverage.c: the lines that no run has reached, of a target built with gcc --coverage.
 *
 * Such a program holds the names of its files of counters, *.gcda, and adds to these as its
 * processes end; what a run reached that crashed or was killed is lost. gcov prints the counts as
 * JSON, file by file: it runs as any child does, without a shell, with a time limit, and is killed
 * when a signal ends the tool. A header has lines in several, so that counts are added up: a
 * source becomes an array of its lines, null where there is no code. Left out are the sources of
 * frng and of the system, and main, whose process is killed at the end. */
#include "atomic_file.h"
#include "bytes.h"
#include "clock.h"
#include "files.h"
#include "messages.h"
#include "options.h"
#include "phrase.h"
#include "program.h"
#include "spawn.h"
#include "target.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GCOV_TIMEOUT_S = 30, GCOV_WORDS_MAX = 16, GCOV_OUTPUT_MAX = 256 << 20, LINES_MAX = 1 << 24 };

/* What was counted, and what ended that early. */
typedef struct counts {
    json_t *sources;
    tool_signals *signals;
    int stopped_by; /* signal; 0: none */
    bool is_over;   /* gcov was stopped, or cannot be run */
} counts;

/* Return the name of the notes of the compiler beside a file of counters. */
static const char *notes_of(const char *name) {
    return phrase_format("%.*s.gcno", (int)(strlen(name) - strlen(".gcda")), name);
}

static bool is_regular(const char *name) {
    uint64_t size;
    const int file = regular_open(AT_FDCWD, name, 0, &size);
    if (file >= 0) close(file);
    return file >= 0;
}

/* Call `take` for the name of each file of counters in the program. Return their count. Other bytes
 * of the program can stand right before a name: it is the longest text that has notes. */
static size_t each_counters(const target_command *s, void (*take)(counts *c, const char *name),
                            counts *c) {
    static const char suffix[] = ".gcda"; /* and the zero behind it */
    const char *why;
    size_t size, count = 0;
    char *program = atomic_file_read(AT_FDCWD, s->path, SIZE_MAX / 2, &size, &why);
    if (program == NULL) return 0;
    const char *at = program, *const end = program + size;
    while ((at = memmem(at, (size_t)(end - at), suffix, sizeof suffix)) != NULL) {
        const char *name = at;
        while (name > program && name[-1] != '\0') name--;
        while (name < at && access(notes_of(name), F_OK) != 0) name++;
        if (take != NULL) take(c, name);
        at += sizeof suffix;
        count++;
    }
    free(program);
    return count;
}

bool target_counts_lines(const target_command *s) { return each_counters(s, NULL, NULL) > 0; }

static bool is_left_out(const char *source) {
    const char *name = path_base(source), *dot = strrchr(name, '.');
    return (strncmp(source, "/usr/", 5) == 0 && strncmp(source, "/usr/src/", 9) != 0) ||
           (strncmp(name, "frng", 4) == 0 && dot != NULL && dot[1] == 'h');
}

/* A line of code: how many times runs reached it, and in which function it is. */
static void add_line(json_t *lines, json_t *line, const json_t *names) {
    json_int_t number, count;
    const char *function = "";
    if (json_unpack(line, "{s:I, s:I, s?s}", "line_number", &number, "count", &count,
                    "function_name", &function) != 0 ||
        strcmp(function, "main") == 0 || number < 0 || number > LINES_MAX)
        return;
    while ((json_int_t)json_array_size(lines) <= number) json_array_append_new(lines, json_null());
    json_t *before = json_array_get(lines, (size_t)number);
    count += json_integer_value(json_array_get(before, 0));
    json_array_set_new(lines, (size_t)number,
                       json_pack("[I, O]", count, json_object_get(names, function)));
}

static void add_file(json_t *sources, json_t *file) {
    const char *source = json_string_value(json_object_get(file, "file"));
    json_t *names = json_object(), *function, *line;
    size_t i;
    json_array_foreach(json_object_get(file, "functions"), i, function) {
        json_object_set(names, json_string_value(json_object_get(function, "name")),
                        json_object_get(function, "demangled_name"));
    }
    if (json_object_get(sources, source) == NULL)
        json_object_set_new(sources, source, json_array());
    json_array_foreach(json_object_get(file, "lines"), i, line) {
        add_line(json_object_get(sources, source), line, names);
    }
    json_decref(names);
}

/* ---- gcov ---- */

static bool is_signalled(void *context) {
    counts *c = context;
    c->stopped_by = tool_take_signal(c->signals);
    return c->stopped_by != 0;
}

static outcome run_gcov(counts *c, proc_command command, int out) {
    static run_result result; /* large */
    const runner_watch watch = {
        .fd = c->signals->signal_fd, .cancelled = is_signalled, .context = c};
    const int silence = open("/dev/null", O_RDWR | O_CLOEXEC);
    const child_setup how = {.command = &command,
                             .watch = &watch,
                             .timeout_ns = GCOV_TIMEOUT_S * CLOCK_NS_PER_S,
                             .setup = {.stdin_fd = silence,
                                       .stdout_fd = out,
                                       .stderr_fd = silence,
                                       .place = PROC_OWN_GROUP,
                                       .file_max = GCOV_OUTPUT_MAX,
                                       .mask = c->signals->mask}};
    run_result_clear(&result);
    const outcome o = child_run(&how, &result);
    if (silence >= 0) close(silence);
    return o;
}

/* Let the program of GCOV, which may have arguments, print a file of counters. */
static void ask_gcov(counts *c, const char *name, int out) {
    const char *given = getenv("GCOV");
    char *words = memory_text("%s", given != NULL && given[0] != '\0' ? given : "gcov"),
         *rest = words;
    char *argv[GCOV_WORDS_MAX + 4] = {NULL}, *path = NULL;
    size_t count = 0;
    bool ok = true;
    while (ok && count < GCOV_WORDS_MAX && (argv[count] = words_next(&rest, &ok)) != NULL) count++;
    if (ok && count > 0) path = proc_find(argv[0], program_folders());
    argv[count] = (char *)(uintptr_t) "--json-format"; /* exec changes nothing */
    argv[count + 1] = (char *)(uintptr_t) "--stdout";
    argv[count + 2] = (char *)(uintptr_t)name;
    c->is_over = path == NULL;
    if (path == NULL) {
        message("coverage: %s: cannot be run; GCOV names the gcov of your compiler",
                ok && count > 0 ? phrase_escaped(argv[0]) : "GCOV");
    } else {
        const outcome o = run_gcov(c, (proc_command){path, argv, environ}, out);
        c->is_over = c->stopped_by != 0 || o.verdict == VERDICT_TIMEOUT;
        if (o.verdict == VERDICT_TIMEOUT)
            message("coverage: %s has not ended after %d s", argv[0], GCOV_TIMEOUT_S);
    }
    free(path);
    free(words);
}

/* A file that is none is left out: gcov would take no counts for counts of 0, or wait for ever. */
static void add_counters(counts *c, const char *name) {
    json_t *text, *file;
    size_t i;
    const bool is_there = !c->is_over && is_regular(name) && is_regular(notes_of(name));
    const int out = is_there ? memfd_create("gcov", MFD_CLOEXEC) : -1;
    if (out < 0) return;
    ask_gcov(c, name, out);
    FILE *printed = lseek(out, 0, SEEK_SET) == 0 ? fdopen(out, "r") : NULL;
    while (printed != NULL && (text = json_loadf(printed, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        json_array_foreach(json_object_get(text, "files"), i, file) {
            const char *source = json_string_value(json_object_get(file, "file"));
            if (source != NULL && !is_left_out(source)) add_file(c->sources, file);
        }
        json_decref(text);
    }
    if (printed != NULL)
        fclose(printed);
    else
        close(out);
}

/* ---- The report ---- */

/* Return the first line of code from `at` on, or the count of lines. */
static size_t code_from(const json_t *lines, size_t at) {
    while (at < json_array_size(lines) && json_is_null(json_array_get(lines, at))) at++;
    return at;
}

static bool is_reached(const json_t *lines, size_t at) {
    return json_integer_value(json_array_get(json_array_get(lines, at), 0)) > 0;
}

/* Return the function that a line of code is in; NULL for line 0, which has no code. */
static const char *function_at(const json_t *lines, size_t at) {
    return json_string_value(json_array_get(json_array_get(lines, at), 1));
}

static bool same_function(const json_t *lines, size_t a, size_t b) {
    const char *of_a = function_at(lines, a), *of_b = function_at(lines, b);
    return of_a != NULL && of_b != NULL && strcmp(of_a, of_b) == 0;
}

/* Return the last line of the row that begins at one: of one function, and not reached. */
static size_t row_last(const json_t *lines, size_t at) {
    size_t next = code_from(lines, at + 1);
    while (same_function(lines, at, next) && !is_reached(lines, next)) {
        at = next;
        next = code_from(lines, at + 1);
    }
    return at;
}

static void print_lines(const char *source, size_t first, size_t last, const char *function,
                        bool is_called) {
    FILE *out = message_stream();
    fprintf(out, "  %s:%zu", phrase_escaped(source), first);
    if (last > first) fprintf(out, "-%zu", last);
    fprintf(out, is_called ? "  in %s\n" : "  %s is never called\n", phrase_escaped(function));
}

/* Print the first `most` rows of a source. Return the count of all. A function whose first line is
 * in one was not called. */
static size_t print_source(const char *source, const json_t *lines, size_t most) {
    size_t count = 0, before = 0, last;
    for (size_t at = code_from(lines, 0); at < json_array_size(lines);
         before = last, at = code_from(lines, last + 1)) {
        last = at;
        if (is_reached(lines, at)) continue;
        last = row_last(lines, at);
        if (count++ < most)
            print_lines(source, at, last, function_at(lines, at), same_function(lines, before, at));
    }
    return count;
}

int target_print_unreached(const target_command *s, tool_signals *signals, bool is_whole) {
    enum { ROWS_FEW = 16 };
    const size_t most = is_whole ? SIZE_MAX : ROWS_FEW;
    json_t *sources = json_object(), *lines;
    counts c = {.sources = sources, .signals = signals};
    const char *source;
    size_t all = 0, rows = 0;
    each_counters(s, add_counters, &c);
    json_object_foreach(sources, source, lines) all += print_source(source, lines, 0);
    if (!c.is_over || all > 0)
        message("coverage: %s",
                all > 0 ? "not reached by any run since the build:"
                : json_object_size(sources) > 0
                    ? "runs since the build have reached all lines outside main"
                    : "no counts: each run that ends writes *.gcda where the program was "
                      "built, and gcov of that gcc reads them (GCOV=gcov-N)");
    json_object_foreach(sources, source, lines) {
        rows += print_source(source, lines, most - smaller(most, rows));
    }
    if (rows > most) fprintf(message_stream(), "  and %zu more with --verbose\n", rows - most);
    json_decref(sources);
    return c.stopped_by;
}
