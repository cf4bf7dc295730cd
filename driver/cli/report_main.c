/* frng-report: options, events and findings, one page. */
#include "atomic_file.h"
#include "browser.h"
#include "events.h"
#include "findings.h"
#include "frng.h"
#include "messages.h"
#include "report_options.h"
#include "report_page.h"
#include "skipped_files.h"
#include "stream.h"
#include "summary.h"
#include "tool_init.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const report_options *o) { return strcmp(o->output, "-") == 0; }

static int read_folder(night *n, const char *path) {
    skipped_files skipped = {.folder = path};
    const findings_folder folder = {path, {skipped_files_add, &skipped}};
    const int error = findings_read(n, &folder);
    skipped_files_end(&skipped);
    return error;
}

/* Read the events or the folder that is open. Returns 0 or an errno. */
static int read_open(night *n, int fd, const char *path) {
    struct stat status;
    if (fstat(fd, &status) != 0) return errno;
    if (!S_ISDIR(status.st_mode)) return events_read(n, fd, path);
    return fd == STDIN_FILENO ? EISDIR : read_folder(n, path);
}

static bool read_source(night *n, const char *path) {
    const bool is_stdin = strcmp(path, "-") == 0;
    const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int error = fd < 0 ? errno : 0;
    if (error == 0) error = read_open(n, fd, is_stdin ? "standard input" : path);
    if (fd >= 0 && !is_stdin) close(fd);
    if (error != 0) message_error(error, "%s: cannot be read", path);
    return error == 0;
}

/* True if the page would replace what it is made of. */
static bool is_source(const report_options *o) {
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

static int write_page(const report_options *o, const html *page) {
    atomic_file file;
    if (is_stdout(o)) return stream_write_all(STDOUT_FILENO, page->text, page->size);
    int error = atomic_file_open(&file, o->output);
    if (error == 0) error = atomic_file_put(&file, page->text, page->size);
    atomic_file_close(&file);
    return error;
}

/* Warn of lines that are no events: a kill leaves one torn line, and many show that the file is
 * something else. */
static void warn_unread(const night *n) {
    const uint64_t lost = n->torn + n->too_long;
    if (lost == 1) message("1 line is no event, and is skipped");
    if (lost > 1) message("%" PRIu64 " lines are no events, and are skipped", lost);
}

static int report(const report_options *o, const tool_signals *signals) {
    night n = {.programs = NULL};
    html page = {.text = NULL};
    sigset_t held;
    int status = EXIT_PASSED;
    if (is_source(o)) return EXIT_ENVIRONMENT;
    tool_let_through(&held); /* while events come from a pipe */
    for (size_t i = 0; i < o->rest.file_count && status == EXIT_PASSED; i++) {
        if (!read_source(&n, o->rest.files[i])) status = EXIT_ENVIRONMENT;
    }
    tool_hold_back(&held);
    night_end(&n);
    if (status == EXIT_PASSED) {
        warn_unread(&n);
        report_page_put(&page, &n);
        const int error = page.failed ? ENOMEM : write_page(o, &page);
        if (error != 0) {
            message_error(error, "%s: cannot be written",
                          is_stdout(o) ? "standard output" : o->output);
            status = EXIT_OUTPUT;
        }
    }
    html_finish(&page);
    night_finish(&n);
    if (status == EXIT_PASSED && o->open) browser_show(o->output, &signals->mask);
    return status;
}

int main(int argc, char **argv) {
    static tool_signals signals;
    report_options o;
    if (!tool_init(&signals, "frng-report")) return EXIT_ENVIRONMENT;
    switch (report_options_parse(argc, argv, &o)) {
    case OPTIONS_HELP: return options_print_help(&report_options_table) ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_VERSION:
        return tool_print("frng-report " FRNG_VERSION "\n") ? EXIT_PASSED : EXIT_OUTPUT;
    case OPTIONS_WRONG: return EXIT_ENVIRONMENT;
    case OPTIONS_RUN: break;
    }
    return report(&o, &signals);
}
