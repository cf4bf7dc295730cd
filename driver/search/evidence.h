/* evidence.h: what the reruns of a search have shown. A program is flaky or not by all of them
 * together: one input that fails in each of its reruns may be luck, and is if others like it pass.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct evidence evidence;

/* Empty. NULL when memory is out. */
evidence *evidence_create(void);
void evidence_destroy(evidence *e); /* NULL is allowed */

/* The program is another now: empty again. */
void evidence_forget(evidence *e);

/* So many reruns were made of a failure like this one, and so many of them failed. */
void evidence_add(evidence *e, const failure *f, rerun_count more);

/* The reruns of all failures like this one (failure_is_alike), its own included. Beyond a limit of
 * signatures, those that come last count as one. */
rerun_count evidence_of(const evidence *e, const failure *f);

/* A rerun of this input has passed: it is never to be relied on again. The last 1024 of them are
 * remembered. All inputs of no bytes are one. */
void evidence_set_aside(evidence *e, seed_input t);
bool evidence_was_set_aside(const evidence *e, seed_input t);

/* A failure of that many bytes was fed to the strategy as a pass: its claim of that size does not
 * hold. The last 64 sizes are remembered. */
void evidence_add_unreliable_size(evidence *e, uint64_t size);
bool evidence_is_unreliable_size(const evidence *e, uint64_t size);

#endif
