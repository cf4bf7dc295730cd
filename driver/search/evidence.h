/* evidence.h: the results of all reruns of a search. Together they decide whether the target is
 * flaky: an input that fails in each of its reruns may do so by luck, and does if others like it
 * pass. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct evidence evidence;

/* Return empty evidence, or NULL if memory is out. */
evidence *evidence_create(void);
void evidence_destroy(evidence *e); /* NULL is allowed */

/* Add reruns of a failure like this one, and how many of them failed. */
void evidence_add(evidence *e, const failure *f, rerun_count more);

/* Return the reruns of all failures like this one (failure_is_alike), its own included. Beyond a
 * limit of signatures, the last ones share one count. */
rerun_count evidence_of(const evidence *e, const failure *f);

/* Record that a rerun of this input passed: the search never relies on the input again. The last
 * 1024 of them are remembered. All inputs of no bytes are one. */
void evidence_set_aside(evidence *e, seed_input t);
bool evidence_was_set_aside(const evidence *e, seed_input t);

/* Record that the strategy took a failure of `size` bytes as a pass: its claim of that size does
 * not hold. The last 64 sizes are remembered. */
void evidence_add_unreliable_size(evidence *e, uint64_t size);
bool evidence_is_unreliable_size(const evidence *e, uint64_t size);

#endif
