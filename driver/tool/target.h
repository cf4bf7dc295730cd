/* target.h: the programs of a command line, found and checked, and what their files say of runs. */
#pragma once

#include "event.h"
#include "failure.h"
#include "files.h"
#include "proc.h"

#include <stdbool.h>

/* ---- Programs ---- */

/* Return the PATH of the environment, or the default of a shell. */
const char *program_folders(void);

/* True if the path is a file that can be executed. Prints the reason if not. */
bool program_check(const char *path);

/* Return an absolute path, which the caller frees; or NULL with errno. A symbolic link in the last
 * component stays, since a program can depend on the name in its argv[0]. */
char *program_absolute(const char *path);

/* True if a write to `path` does not overwrite the program. Prints a message if it would. */
bool program_is_kept(const char *program, const char *path);

/* Return the path of another tool in the folder of `tool`, or its bare name if `tool` is bare. The
 * caller frees it. NULL when out of memory. */
char *program_beside(const char *tool, const char *other);

/* Print why a program cannot be found or started. */
void program_not_on_path(const char *name);
void program_cannot_start(const char *path, int error_number);

/* Print why a program cannot be started or loaded, or why its run cannot be ended. `output` is of a
 * run that the dynamic linker ended. Return false, and print nothing, for a fault of the system or
 * of a folder. */
bool program_print_fault(const char *path, const outcome *error, const bytes_tail *output);

/* ---- The target ---- */

enum { TERSE_VARIABLES = 5 };
typedef struct target_command {
    char *path;
    char **argv; /* ended by NULL; argv[0] is the user's name until made absolute, and borrowed */
    char **
        envp; /* the environment, without FRNG_INPUT and FRNG_DRIVER, and with UBSAN_HALTS; room for
                    one */
    char **terse_envp;                  /* of runs whose output is not shown; NULL: envp */
    char *terse_texts[TERSE_VARIABLES]; /* owned; variables of terse_envp */
    char *shown[TERSE_VARIABLES];       /* owned; of envp, in place of those that hide reports */
    char *halting;          /* owned; UBSAN_OPTIONS of envp, or NULL: as the user has it */
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

/* True if one of these arguments has an "@@": the name of a file that holds the input. */
bool target_names_file(char *const *args);

/* Make path and argv[0] absolute, so that the target can be started from any folder. Prints
 * errors. */
bool target_make_absolute(target_command *s);

/* Update digest and mark, of a file that was replaced or rewritten. */
void target_update(target_command *s);

static inline proc_command target_proc(const target_command *s) {
    return (proc_command){s->path, s->argv, s->envp};
}

/* ---- Sanitizers ---- */

#define SANITIZER_OPTION "symbolize=0"

/* By itself UBSan reports and goes on, so that a run with a report passes. Any target gets this
 * option first of those in UBSAN_OPTIONS, since one that a script starts shows no symbols. It is
 * left out if they decide on it, or if the program contains the opposite as its own option. */
#define UBSAN_HALTS "halt_on_error=1"

/* True if the target can run under --memory. Prints the reason if not: a sanitizer, shown by its
 * symbols, reserves far more address space than it uses. */
bool target_takes_memory_limit(const target_command *s);

/* True if the symbols of the target show any sanitizer that prints reports. */
bool target_prints_reports(const target_command *s);

/* Set terse_envp, where the options of all sanitizers end in SANITIZER_OPTION: to name the
 * functions and lines of a report takes a sanitizer a hundred times as long as to fail. Leave it
 * NULL if the user's options decide on that, or without memory: then runs are slower. */
void target_make_terse(target_command *s);

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

/* True if the program is a test of FRNG_MAIN, which takes no arguments of its own: it has the text
 * that says so (frng_usage.h). */
bool target_refuses_arguments(const target_command *s);

/* True if a file is a program of the other byte order, which cannot speak with us. */
bool program_is_foreign(const char *path);
