/* file_report.h: what a person reads of a file being reduced as a predicate says. */
#ifndef FILE_REPORT_H
#define FILE_REPORT_H

#include "reduction.h"

typedef enum file_end {
    FILE_REDUCED,     /* `best` is what it became */
    FILE_INCONCLUSIVE /* it was interesting once, and not again */
} file_end;

/* How it ended. All is borrowed. */
typedef struct file_report {
    const subject *subject; /* the predicate, by a path that holds in any folder, and its arguments
                               but for the name of the file */
    const char *file;       /* as it was said */
    const char *name;       /* that candidates have; NULL where they are on stdin */
    const char *output;     /* where the best is */
    file_end end;
    bool unfinished; /* stopped by a signal, the budget or an error */
    uint64_t size;   /* bytes of the file */
    reduction_case best;
    const pass_statistics *passes;
    size_t pass_count;
    const pass_statistics *reducers;
    size_t reducer_count;
    progress progress;
    uint64_t calls_to_size; /* of these, until it was as short as it is */
    unsigned jobs;
    int64_t timeout_ns; /* of a run */
} file_report;

/* What is about to be done. */
void file_report_start(const subject *s, const char *file, uint64_t size, unsigned jobs,
                       size_t reducer_count);

/* The first run said no: how it ended, and what it printed. */
void file_report_not_interesting(const char *file, int wait_status, bool is_late,
                                 int64_t timeout_ns, const bytes_tail *printed);

/* The output of an earlier reduction is taken up again, or is not interesting any more. */
void file_report_resumed(const char *output, uint64_t size, bool is_interesting);

void file_report_best(const progress *p);
void file_report_flaky(const failure *f);

/* A reducer is not asked any more: it does not work, or (is_broken false) is of no use. */
void file_report_set_aside(const char *reducer, bool is_broken);

/* The summary on standard error; with what each pass and reducer did. */
void file_report_end(const file_report *r, bool with_passes);

/* The result line, for standard output, ended by a newline: size=2 output=FILE. Freed by the
 * caller; NULL when out of memory. */
char *file_report_result_line(uint64_t size, const char *output);

#endif
