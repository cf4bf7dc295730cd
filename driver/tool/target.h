/* target.h: the program that is tested: its command, and what its files say of its runs. */
#pragma once

#include "environment.h"
#include "files.h"
#include "proc.h"
#include "summary.h"

/* ---- The target ---- */

typedef struct target_command {
    char *path;
    char **argv; /* ended by NULL; argv[0] is the user's name until made absolute, and borrowed */
    environment env;
    bool takes_file;        /* its arguments name the file of the input: @@ */
    char *digest;           /* digest of the file; NULL if unreadable */
    file_stamp mark;        /* stamp of the file with this digest */
    run_target subject;     /* its form in texts; set by the caller */
    char *options, *replay; /* own those of the subject */
} target_command;

/* Find and check the target. Prints errors. The name and the strings of the environment are
 * borrowed. Call target_finish in any case. */
bool target_find(target_command *s, const char *name, char *const *args);
void target_finish(target_command *s);

/* Make path and argv[0] absolute, so that the target can be started from any folder. Prints
 * errors. */
bool target_make_absolute(target_command *s);

/* Update digest and mark, of a file that was replaced or rewritten. */
void target_update(target_command *s);

static inline proc_command target_proc(const target_command *s) {
    return (proc_command){s->path, s->argv, s->env.list};
}

/* ---- Sanitizers ---- */

/* True if the target can run under --memory. Prints the reason if not: a sanitizer, shown by its
 * symbols, reserves far more address space than it uses. */
bool target_takes_memory_limit(const target_command *s);

/* True if the symbols of the target show any sanitizer that prints reports. */
bool target_prints_reports(const target_command *s);

/* ---- Coverage, of a target built with gcc --coverage (coverage.c) ---- */

bool target_counts_lines(const target_command *s);

/* Print which lines no run has reached since the build: few of them, or all. Return the signal that
 * came meanwhile and ended gcov, or 0. */
typedef struct tool_signals tool_signals;
int target_print_unreached(const target_command *s, tool_signals *signals, bool is_whole);

/* ---- What the files of its command line say ---- */

/* The file that is started, and each regular file that an argument names as it stands: so an
 * interpreter, or an emulator, is known by what it runs. */

/* True if the target reads its input from FRNG_INPUT, and not from stdin: a file has the marker of
 * frng_main.h, "frng_main:1" and a zero. */
bool target_reads_frng_input(const target_command *s);

/* Return the first file that names the protocol: it contains FRNG_DRIVER, or is a script with the
 * word `frng` in its first MiB. So it may read FRNG_INPUT, too. NULL: none does, and the target is
 * never offered it. Borrowed. */
const char *target_names_protocol(const target_command *s);
