/* frng-report: events and findings become one page.
 *
 * The page is report.html, which a step of the build cuts into three pieces (report_html.h) and to
 * which it adds the digest of its script. Between the pieces go results as plain HTML, and the
 * events (report_page.h). It is written at the end, and only if a source had an event or a finding,
 * so that a slip in the command line costs no page. */
#include "atomic_file.h"
#include "event_lines.h"
#include "files.h"
#include "finding_table.h"
#include "frng.h"
#include "messages.h"
#include "options.h"
#include "report_html.h"
#include "report_page.h"
#include "summary.h"
#include "tool.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES_MAX = 4 << 20 }; /* longer lines are skipped, so that no file takes all memory */

static bool is_stdout(const tool_options *o) { return strcmp(o->output, "-") == 0; }

/* ---- Sources ---- */

/* Read the findings of a folder: the best of each program and signature, as frng-replay --list. */
static int read_folder(report_page *p, const char *folder) {
    skipped_files skipped = {.folder = folder};
    finding_table t = {.grouping = GROUP_BY_PATH};
    const int error = finding_table_read(&t, folder, SIZE_MAX, &skipped);
    skipped_files_end(&skipped);
    finding_table_sort(&t);
    for (size_t i = 0; i < t.count; i++) {
        char *path = finding_row_path(&t.rows[i]);
        if (path == NULL) p->failed = true;
        if (path != NULL) report_page_finding(p, path, &t.rows[i].smallest);
        free(path);
    }
    finding_table_finish(&t);
    return error;
}

/* Read the lines of a stream, up to its end. */
static void read_lines(report_page *p, FILE *in, char *line) {
    size_t size = 0;
    for (int c; (c = getc_unlocked(in)) != EOF;) {
        if (c == '\n') {
            if (size > LINE_BYTES_MAX) p->torn++;
            if (size > 0 && size <= LINE_BYTES_MAX) report_page_line(p, line, size);
            size = 0;
        } else {
            if (size < LINE_BYTES_MAX) line[size] = (char)c;
            if (size <= LINE_BYTES_MAX) size++;
        }
    }
    if (size > LINE_BYTES_MAX) p->torn++;
    if (size > 0 && size <= LINE_BYTES_MAX) report_page_line(p, line, size);
}

/* Read events from a descriptor, which stays open. Return 0 or an errno. */
static int read_events(report_page *p, int fd, const char *name) {
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    FILE *in = copy >= 0 ? fdopen(copy, "r") : NULL;
    char *line = malloc(LINE_BYTES_MAX);
    int error = in == NULL ? errno : line == NULL ? ENOMEM : 0;
    if (error == 0) {
        report_page_source(p, name);
        errno = 0;
        read_lines(p, in, line);
        if (ferror(in)) error = errno != 0 ? errno : EIO;
    }
    free(line);
    if (in != NULL) fclose(in);
    if (in == NULL && copy >= 0) close(copy);
    return error;
}

/* Read a file as a finding. False: it is none. */
static bool read_finding_file(report_page *p, int fd, const char *path) {
    char begin[2];
    finding f;
    const char *why;
    if (pread(fd, begin, sizeof begin, 0) != sizeof begin || memcmp(begin, "{\n", 2) != 0)
        return false;
    if (!finding_read(AT_FDCWD, path, &f, &why)) return false;
    report_page_finding(p, path, &f);
    finding_free(&f);
    return true;
}

/* Read the events, the finding or the folder that is open. Return 0 or an errno. */
static int read_open(report_page *p, int fd, const char *path) {
    struct stat status;
    if (fstat(fd, &status) != 0) return errno;
    if (fd == STDIN_FILENO) {
        return S_ISDIR(status.st_mode) ? EISDIR : read_events(p, fd, "standard input");
    }
    if (S_ISDIR(status.st_mode)) return read_folder(p, path);
    return read_finding_file(p, fd, path) ? 0 : read_events(p, fd, path);
}

static bool read_source(report_page *p, const char *path) {
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int error = fd < 0 ? errno : 0;
    if (error == 0) error = read_open(p, fd, path);
    if (fd >= 0 && !is_stdin) close(fd);
    if (error != 0) message_error(error, "%s: cannot be read", path);
    return error == 0;
}

/* True if the page would replace what it is made of. */
static bool is_source(const tool_options *o) {
    struct stat output, source;
    if (is_stdout(o) || stat(o->output, &output) != 0 || !S_ISREG(output.st_mode)) return false;
    for (size_t i = 0; i < o->rest.file_count; i++) {
        if (stat(o->rest.files[i], &source) == 0 && source.st_dev == output.st_dev &&
            source.st_ino == output.st_ino) {
            message("--output %s would replace the events: name another file", o->output);
            return true;
        }
    }
    return false;
}

/* ---- The page ---- */

static int write_page(const tool_options *o, const report_page *p) {
    atomic_file file;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return errno;
    fwrite(report_html_1, 1, sizeof report_html_1, out);
    fwrite(p->results, 1, p->results_size, out);
    fwrite(report_html_2, 1, sizeof report_html_2, out);
    fwrite(p->events, 1, p->events_size, out);
    fwrite(report_html_3, 1, sizeof report_html_3, out);
    int error = ferror(out) ? ENOMEM : 0;
    if (fclose(out) != 0) error = ENOMEM;
    if (error == 0 && is_stdout(o)) error = stream_write_all(STDOUT_FILENO, text, size);
    if (error == 0 && !is_stdout(o)) {
        error = atomic_file_open(&file, o->output);
        if (error == 0) error = atomic_file_put(&file, text, size);
        atomic_file_close(&file);
    }
    free(text);
    return error;
}

/* Print how many lines are not events, of which a kill leaves one, and how many had no room. */
static void warn_unread(const report_page *p) {
    if (p->torn == 1) message("1 line is not an event, and is skipped");
    if (p->torn > 1) message("%" PRIu64 " lines are not events, and are skipped", p->torn);
    if (p->left > 0)
        message("too many events for a page: %s are left out",
                units_format_count(UNITS_TEXT, p->left));
}

static int report_on(const tool_options *o, report_page *p) {
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
        return EXIT_ENVIRONMENT;
    }
    if (p->taken == 0) {
        message("%s%s: no events of frng in it; give a file that --json wrote, or a folder of "
                "findings",
                o->rest.files[0], o->rest.file_count > 1 ? " and the rest" : "");
        return EXIT_ENVIRONMENT;
    }
    const int error = report_page_end(p) ? write_page(o, p) : ENOMEM;
    warn_unread(p);
    if (error == 0) return EXIT_PASSED;
    message_error(error, "%s: cannot be written", is_stdout(o) ? "standard output" : o->output);
    return EXIT_OUTPUT;
}

static int report(const tool_options *o) {
    report_page p;
    if (is_source(o)) return EXIT_ENVIRONMENT;
    report_page_begin(&p);
    int status = p.failed ? EXIT_ENVIRONMENT : EXIT_PASSED;
    if (p.failed) message_error(ENOMEM, "frng-report");
    if (status == EXIT_PASSED) status = report_on(o, &p);
    report_page_finish(&p);
    return status;
}

int main(int argc, char **argv) {
    static tool_signals signals;
    tool_options o;
    int status;
    if (!options_begin(TOOL_REPORT, argc, argv, &signals, &o, &status)) return status;
    return report(&o);
}
