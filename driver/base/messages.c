#include "messages.h"

#include "stream.h"
#include "units.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *program_name = "frng";
static bool on_terminal;
static bool status_shown;

void message_init(const char *program, bool is_terminal) {
    program_name = program;
    on_terminal = is_terminal;
}

bool message_is_terminal(void) { return on_terminal; }

FILE *message_stream(void) {
    stream_wait(stderr);
    if (status_shown) fputs("\r\033[K", stderr);
    status_shown = false;
    return stderr;
}

void message_status(const char *line) {
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    fprintf(stderr, "\r%.*s\033[K", known ? size.ws_col - 1 : 79, line);
    fflush(stderr);
    status_shown = true;
}

/* One line, whatever is in its arguments: control characters are escaped in the finished text. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    va_list arguments;
    char *raw = NULL;
    va_start(arguments, format);
    const int length = vasprintf(&raw, format, arguments);
    va_end(arguments);
    FILE *stream = message_stream();
    if (length < 0) {
        fprintf(stream, "%s: out of memory\n", program_name);
        return;
    }
    const size_t text_max = 4 * (size_t)length + 1;
    char *text = malloc(text_max);
    if (text != NULL) bytes_escape((const uint8_t *)raw, (size_t)length, false, text, text_max);
    fprintf(stream, "%s: %s\n", program_name, text != NULL ? text : "out of memory");
    free(text);
    free(raw);
}

void message_unknown_option(const char *option, const char *meant) {
    if (meant != NULL) {
        say("unknown option '%s': did you mean --%s? See '%s --help'", option, meant, program_name);
    } else {
        say("unknown option '%s'; see '%s --help'", option, program_name);
    }
}

void message_abbreviated_option(const char *option, const char *name) {
    say("option '%s' is cut short: say --%s", option, name);
}

void message_missing_value(const char *option) {
    say("option '%s' needs a value; see '%s --help'", option, program_name);
}

void message_needless_value(const char *option) { say("option '%s' takes no value", option); }

void message_bad_value(const char *option, const char *value, const char *expected) {
    say("%s '%s' is not valid: give %s", option, value, expected);
}

void message_no_sut(void) {
    say("which program? Usage: %s ./sut [options] [-- ARG...]; see '%s --help'", program_name,
        program_name);
}

void message_no_file(void) {
    say("which file? Usage: %s --predicate CMD FILE [options] [-- ARG...]; see '%s --help'",
        program_name, program_name);
}

void message_extra_argument(const char *argument) {
    say("unexpected argument '%s': arguments for the program under test follow '--'", argument);
}

void message_file_without_predicate(const char *program, const char *file) {
    say("unexpected argument '%s': to reduce a file, say %s --predicate %s %s", file, program_name,
        program, file);
}

void message_usage(const char *what) { say("%s; see '%s --help'", what, program_name); }

void message_option_needs(const char *option, const char *other) {
    say("--%s needs --%s; see '%s --help'", option, other, program_name);
}

void message_options_exclude(const char *option, const char *other) {
    say("--%s and --%s exclude each other; see '%s --help'", option, other, program_name);
}

void message_sut_not_on_path(const char *name, bool is_here) {
    if (is_here) {
        say("%s: not found on PATH; for the file in this folder say ./%s", name, name);
    } else {
        say("%s: not found on PATH; give the path to the program", name);
    }
}

void message_sut_is_folder(const char *path) {
    say("%s: is a directory; give the program in it", path);
}

void message_sut_not_executable(const char *path) {
    say("%s: not executable; try 'chmod +x %s'", path, path);
}

void message_sut_cannot_start(const char *path, int error_number) {
    switch (error_number) {
    case ENOENT:
        if (access(path, F_OK) == 0) {
            say("%s: cannot be started: its interpreter was not found; check the first line of a "
                "script, or the loader of a binary",
                path);
        } else {
            say("%s: not found; check the path, or build it first", path);
        }
        break;
    case ENOEXEC:
        say("%s: cannot be started: not a program of this machine; a script begins with #! and "
            "its interpreter",
            path);
        break;
    case EACCES:
        say("%s: cannot be started: permission denied; check that it, its interpreter and its "
            "folders may be executed",
            path);
        break;
    default: say("%s: cannot be started: %s", path, strerror(error_number)); break;
    }
}

void message_sut_no_protocol(const char *path, const char *mode) {
    say("%s: cannot be run with --mode %s: it includes no frng_main.h; say --mode spawn", path,
        mode);
}

void message_sut_no_trace(const char *path) {
    say("%s: tells no draws: it includes no frng_main.h", path);
}

void message_sut_fails_on_nothing(const char *path) {
    say("%s: fails on empty input: does it need arguments? They follow '--'", path);
}

void message_sut_rebuilt(const char *path) {
    say("%s: has been rebuilt or replaced; from now on the new one is run, and what passed before "
        "counts no more",
        path);
}

void message_memory_sanitizer(const char *path, const char *sanitizer) {
    say("%s: --memory cannot be used: it was built with %s, which reserves more address space than "
        "there is memory; build it without, or leave --memory out",
        path, sanitizer);
}

void message_memory_too_little(const char *path, uint64_t memory_max, uint64_t enough) {
    char given[UNITS_TEXT_MAX], needed[UNITS_TEXT_MAX];
    say("%s: --memory %s is too little: it fails on empty input where with %s it does not", path,
        units_format_size(given, memory_max), units_format_size(needed, enough));
}

void message_sut_run_again(const char *path) {
    say("%s: exited with 127: running it once more, hidden, to see whether it could be loaded",
        path);
}

void message_sut_cannot_load(const char *path, const bytes_tail *output) {
    const uint8_t *end = memchr(output->bytes, '\n', output->size);
    const size_t length = end != NULL ? (size_t)(end - output->bytes) : output->size;
    say("%s: cannot be loaded: %.*s", path, (int)length, (const char *)output->bytes);
}

void message_dump_to_terminal(void) {
    say("--dump writes bytes, which a terminal does not show: say '--dump | xxd', or '> file'");
}

void message_cannot_open(const char *path, int error_number) {
    say("%s: cannot be opened: %s", path, strerror(error_number));
}

void message_cannot_read(const char *path, const char *why) {
    say("%s: cannot be read: %s", path, why);
}

void message_cannot_write(const char *path, int error_number) {
    say("%s: cannot be written: %s", path, strerror(error_number));
}

void message_work_folder(const char *path, int error_number) {
    if (error_number == ENOENT) {
        say("%s: the folder that runs work in is gone; see that no run removes it, nor what is "
            "around it",
            path);
    } else {
        say("%s: no run can work in this folder: %s", path, strerror(error_number));
    }
}

void message_mount_left(const char *path, int error_number) {
    say("%s: a run left a mount here, which cannot be removed (%s); unmount it", path,
        strerror(error_number));
}

void message_input_too_large(const char *name, uint64_t size_max) {
    say("%s: larger than %llu bytes, the most that %s takes", name, (unsigned long long)size_max,
        program_name);
}

void message_not_reduced(const char *why) { say("not reduced: %s", why); }

void message_finding_bytes(const char *folder, size_t count) {
    say("%s: %zu finding%s bytes and no seed; frng-replay and frng-reduce take such", folder, count,
        count == 1 ? " has" : "s have");
}

void message_finding_skipped(const char *folder, const char *name, const char *why) {
    say("%s/%s: skipped: %s", folder, name, why);
}

void message_finding_too_large(const char *name, uint64_t size_max) {
    say("%s: skipped: larger than --size-max %llu", name, (unsigned long long)size_max);
}

void message_finding_rebuilt(const char *folder) {
    say("%s: the program has been rebuilt since; its findings are run again", folder);
}

void message_finding_other_program(const char *name, const char *was, const char *is) {
    say("%s: note: was found in %s, and this runs %s", name, was, is);
}

void message_finding_other_build(const char *name, const char *sut) {
    say("%s: note: was found in another build of %s", name, sut);
}

void message_finding_not_stored(const char *folder, int error_number) {
    say("%s: the finding could not be stored: %s; it is printed below", folder,
        strerror(error_number));
}

void message_reducer_not_installed(const char *name) {
    say("%s: not found; install the package creduce or cvise, or give the path to it", name);
}

void message_no_time_to_look(const char *file) {
    say("%s: the predicate had not answered once when --time was over; nothing is reduced", file);
}

void message_not_interesting(const char *file, const char *how) {
    say("%s: not interesting: the predicate %s; for what is interesting it exits with 0", file,
        how);
}

void message_predicate_takes_all(const char *path) {
    say("%s: exits with 0 for an empty file, and for random bytes: does it check anything?", path);
}

void message_known_not_kept(const char *output, int error_number) {
    say("%s.known: cannot be written: %s; going on later will ask some questions again", output,
        strerror(error_number));
}

void message_would_overwrite(const char *path, const char *other) {
    say("%s: is %s itself, and would be overwritten; give another --output, or --json", path,
        other);
}

void message_system(const char *what, int error_number) {
    say("%s: %s", what, strerror(error_number));
}

void message_no_namespaces(void) {
    say("pid namespaces are refused here; leave --containment at auto");
}

void message_shortage(int error_number) {
    say("the system is short of %s: waiting for it (%s)",
        error_number == ENOMEM    ? "memory"
        : error_number == ENFILE  ? "descriptors"
        : error_number == ENOBUFS ? "buffers"
                                  : "processes",
        strerror(error_number));
}

void message_cores_piped(const char *program) {
    say("crashes are slow here: the kernel pipes each to %s, and the hard limit on core files "
        "keeps "
        "%s from preventing that; raise it (ulimit -Hc), or change /proc/sys/kernel/core_pattern",
        program, program_name);
}

void message_workers_stuck(void) {
    say("worker processes were stuck most of the time, and had to be killed; does the program "
        "trace (ptrace) or freeze its parent process?");
}

void message_unkillable(int pid) {
    say("process %d, which a run left behind, cannot be killed; it is left alone", pid);
}

void message_run_not_ended(int error_number) {
    if (error_number == ETIME) {
        say("a run does not die of SIGKILL; is kill(2) refused by a sandbox, or the machine "
            "stuck?");
    } else {
        say("cannot wait for a run: %s; frng needs wait4(2), which a sandbox may refuse",
            strerror(error_number));
    }
}

void message_workers_died(void) {
    say("worker processes keep dying; is something killing them, or memory short?");
}
