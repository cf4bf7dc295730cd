/* runner_predicate.h: the runner that asks a program whether a file is interesting: each test case
 * in a fresh private folder, under the name of the file it comes from. An
 * interesting one is reported as the failure exit:0, which a reduction looks for; others pass.
 *
 * The one test case of a candidate set that names an external pass is given to that program; what
 * it makes of it is judged, unless candidate_set_sift refuses it. */
#ifndef RUNNER_PREDICATE_H
#define RUNNER_PREDICATE_H

#include "proc.h"
#include "runner.h"

/* Borrowed by its runners, with all it points to. */
typedef struct runner_predicate_config {
    proc_command command; /* an absolute path: it runs in another folder */
    const char *root;     /* the folder in which those of the runs are made (scratch_dir.h) */
    const char *name;     /* of the file, which is no path */
    unsigned mode;        /* of the file */
    bool on_stdin;        /* the test case is its stdin, and there is no file */
    int64_t timeout_ns;   /* for one run; nothing that takes longer is of interest */
    int64_t external_pass_timeout_ns;
    uint64_t memory_max; /* RLIMIT_AS of a run in bytes; 0: none */
    uint64_t size_max;   /* bytes of a test case */
    sigset_t mask;       /* the signal mask that a run starts with */
} runner_predicate_config;

/* A runner_factory; config is a runner_predicate_config. */
runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number);

#endif
