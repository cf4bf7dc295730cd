/* replay_text.h: the lines that frng-replay prints for people. */
#ifndef REPLAY_TEXT_H
#define REPLAY_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* Print the verdict: of `runs` runs, `failed` failed, and `other` failed in a way that does not
 * count, for the reason `not_by`. `how` is the signature to show. */
void replay_text_verdict(uint64_t failed, uint64_t other, uint64_t runs, const char *how,
                         const char *not_by);

/* Print the file in which a debugger finds the entropy; `by_environment`: through FRNG_INPUT. */
void replay_text_wrapped(const char *file, bool by_environment, bool by_name);

#endif
