/* predicate.h: the runner that judges files by a predicate, after an external pass if there is one.
 *
 * An interesting test case is reported as the failure exit:0, which a reduction looks for; others
 * pass. */
#pragma once

#include "proc.h"
#include "runner.h"
#include "work_folder.h"

#include <stdint.h>

/* Borrowed by its runners, with all it points to. */
typedef struct runner_predicate_config {
    proc_command command; /* has an absolute path, since it runs in another folder */
    const char *root;     /* the parent of the runs' folders (work_folder_make) */
    const char *name;     /* path of the file in the folder of a run */
    const char *linked;   /* an absolute folder, to whose other files there are links; NULL: none */
    const char *output;   /* path of the result, to which no link is made */
    unsigned mode;        /* mode of the file */
    run_limits limits;    /* a test case that takes longer is not interesting */
    int64_t external_pass_timeout_ns;
    sigset_t mask; /* a run's initial signal mask */
} runner_predicate_config;

/* A runner_factory; config is a runner_predicate_config. */
runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number);
