/* messages.h: standard error, and every message on it that tells a person what went wrong.
 *
 * A message is one line: what is wrong, and what to do. Text that comes from outside is escaped. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The name that begins each message, borrowed; and whether standard error is a terminal that can
 * rewrite a line. Call it first. */
void message_init(const char *program, bool is_terminal);

/* Standard error, with the status line wiped off. For reports. */
FILE *message_stream(void);

/* As message_init was told. */
bool message_is_terminal(void);

/* The status line: what it says now, cut to the terminal's width. Only on a terminal. */
void message_status(const char *line);

/* ---- Usage ---- */
/* `meant` is the name of an option that may have been meant, or NULL. */
void message_unknown_option(const char *option, const char *meant);
void message_abbreviated_option(const char *option, const char *name);
void message_missing_value(const char *option);
void message_needless_value(const char *option);
void message_bad_value(const char *option, const char *value, const char *expected);
void message_no_sut(void);
void message_no_file(void);
void message_extra_argument(const char *argument);
/* A program and a file, as for C-Reduce. */
void message_file_without_predicate(const char *program, const char *file);
void message_usage(const char *what);
void message_option_needs(const char *option, const char *other);
void message_options_exclude(const char *option, const char *other);

/* ---- The system under test ---- */
void message_sut_not_on_path(const char *name, bool is_here);
void message_sut_is_folder(const char *path);
void message_sut_not_executable(const char *path);
void message_sut_cannot_start(const char *path, int error_number);
void message_sut_no_protocol(const char *path, const char *mode);
void message_sut_no_trace(const char *path);
void message_sut_fails_on_nothing(const char *path);
void message_sut_rebuilt(const char *path);
/* `sanitizer` is what it was built with, and goes with no limit of memory. */
void message_memory_sanitizer(const char *path, const char *sanitizer);
/* On empty input it ends otherwise with so many bytes of memory than with `enough`. */
void message_memory_too_little(const char *path, uint64_t memory_max, uint64_t enough);
/* It exited with 127, which may be the dynamic linker's status. */
void message_sut_run_again(const char *path);
void message_sut_cannot_load(const char *path, const bytes_tail *output);

/* ---- Findings, files and output ---- */
void message_dump_to_terminal(void);
void message_cannot_open(const char *path, int error_number);
void message_cannot_read(const char *path, const char *why);
void message_cannot_write(const char *path, int error_number);
void message_work_folder(const char *path, int error_number);
void message_mount_left(const char *path, int error_number);
void message_input_too_large(const char *name, uint64_t size_max);
void message_not_reduced(const char *why);
void message_finding_bytes(const char *folder, size_t count);
void message_finding_skipped(const char *folder, const char *name, const char *why);
void message_finding_too_large(const char *name, uint64_t size_max);
void message_finding_rebuilt(const char *folder);
void message_finding_other_program(const char *name, const char *was, const char *is);
void message_finding_other_build(const char *name, const char *sut);
void message_finding_not_stored(const char *folder, int error_number);

/* ---- Reducers ---- */
void message_reducer_not_installed(const char *name);

/* ---- Predicates ---- */
/* `how` is how the predicate ended: "exited with status 1". */
void message_no_time_to_look(const char *file);
void message_not_interesting(const char *file, const char *how);
void message_predicate_takes_all(const char *path);
void message_known_not_kept(const char *output, int error_number);
/* `path` is said of an option or of what goes with it, and is the same file as `other`. */
void message_would_overwrite(const char *path, const char *other);

/* ---- Ourselves ---- */
/* Something is waited for, since others have all of it: processes, memory, descriptors. */
void message_shortage(int error_number);
void message_system(const char *what, int error_number);
void message_workers_died(void);
/* A run does not die (ETIME), or the system refuses to wait for it. */
void message_run_not_ended(int error_number);
void message_workers_stuck(void);
/* `pid` is of a process that a run left behind. */
void message_unkillable(int pid);
void message_no_namespaces(void);
/* Each crash is piped to a program, and that cannot be prevented. */
void message_cores_piped(const char *program);

#endif
