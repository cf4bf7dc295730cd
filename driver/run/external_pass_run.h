/* external_pass_run.h: runs an external pass on a test case. */
#ifndef EXTERNAL_PASS_RUN_H
#define EXTERNAL_PASS_RUN_H

#include "candidate_set.h"
#include "child.h"
#include "scratch_dir.h"

/* Give the file in the open scratch folder to the external pass of the candidate set, and put what
 * it makes into test case 1. Set set->answer to how that went. The process runs as `base` says, but
 * for its input and output. Returns an error if it could not be started. */
outcome external_pass_run(const scratch_dir *w, candidate_set *set, const child_order *base,
                          run_result *result);

#endif
