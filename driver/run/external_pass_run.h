/* external_pass_run.h: runs an external pass on a test case. */
#ifndef EXTERNAL_PASS_RUN_H
#define EXTERNAL_PASS_RUN_H

#include "candidate_set.h"
#include "child.h"
#include "scratch_dir.h"

/* Run the candidate set's external pass on the file in the open scratch folder, and store its
 * candidate as test case 1. Set set->answer to the result. `base` describes the process, except for
 * its program, input and output. Returns an error if the process could not be started. */
outcome external_pass_run(const scratch_dir *w, candidate_set *set, const child_order *base,
                          run_result *result);

#endif
