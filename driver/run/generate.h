/* generate.h: runs an external pass on a test case. */
#ifndef GENERATE_H
#define GENERATE_H

#include "candidate_set.h"
#include "child.h"
#include "workplace.h"

/* Give the file in the workplace, which is open, to the candidate set's external pass; its test
 * case becomes what that made of it. How it went goes to given->answer, to be run as `base` has it
 * but for what it reads and prints. An outcome that is an error when it could not be started. */
outcome generate_run(const workplace *w, candidate_set *given, const child_order *base,
                     run_result *result);

#endif
