/* repetition.h: the runs of a process, made once more in a new process. A run that fails among
 * others, and passes alone, is flaky; or the runs before it cause its failure. Then it fails again
 * after the same runs. */
#ifndef REPETITION_H
#define REPETITION_H

#include "forkserver_client.h"

/* Repeat the runs of a batch up to run `at`, which failed, and say if it is flaky: that run does
 * not fail again. Also false if that remains unknown. `life` is what the process had run before, if
 * the fork server makes its runs in itself, and else NULL: a forked process begins with the batch.
 */
bool repetition_shows_flaky(forkserver_client *c, const server_life *life, const batch *runs,
                            uint64_t at);

#endif
