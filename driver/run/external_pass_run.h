/* external_pass_run.h: runs an external pass on a test case. */
#ifndef EXTERNAL_PASS_RUN_H
#define EXTERNAL_PASS_RUN_H

#include "candidate_set.h"
#include "child.h"
#include "scratch_dir.h"

/* Give the file in the scratch_dir, which is open, to the candidate set's external pass; test case
 * 1 becomes what that makes of it. How it went goes to set->answer. It is run as `base` has it,
 * but for what it reads and prints. An outcome that is an error when it could not be started. */
outcome external_pass_run(const scratch_dir *w, candidate_set *set, const child_order *base,
                          run_result *result);

#endif
