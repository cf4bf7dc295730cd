/* predicate.h: the runner that judges files by a predicate, after an external pass if there is one.
 *
 * An interesting test case is reported as the failure exit:0, which a reduction looks for; others
 * pass. */
#pragma once

#include "proc.h"
#include "runner.h"
#include "work_folder.h"

/* A file in the folders of runs. */
typedef struct predicate_file {
    const char *name; /* its path in the folder */
    const uint8_t *bytes;
    size_t size;
    unsigned mode;
    size_t argument; /* index in argv of its name, or of that of its folder */
    bool is_gone;    /* it was removed: the folders do not have it */
} predicate_file;

/* Borrowed by its runners, with all it points to. */
typedef struct runner_predicate_config {
    proc_command command; /* has an absolute path, since it runs in another folder */
    const char *root;     /* the parent of the runs' folders (work_folder_make) */
    const predicate_file *files;
    size_t file_count;
    size_t argument_count; /* names behind argv[0]. One goes with the last of its files */
    size_t at;          /* the file whose bytes test cases are. file_count: a test case has a byte
                           for each file that is not gone, 0 where it is to be removed */
    bool is_empty;      /* the other files are empty */
    bool is_bare;       /* argv has no names of files */
    const char *linked; /* an absolute folder, to whose other files there are links; NULL: none */
    const char *below;  /* the path in it that runs are at, ended by a slash, or "" */
    const char *words;  /* in the folders above that path there are links to what this names */
    const char *output; /* path of the result, to which no link is made */
    run_limits limits;  /* a test case that takes longer is not interesting */
    int64_t external_pass_timeout_ns;
    sigset_t mask; /* a run's initial signal mask */
} runner_predicate_config;

/* A runner_factory; config is a runner_predicate_config. */
runner *runner_predicate_create(const void *config, const runner_watch *watch, int *error_number);
