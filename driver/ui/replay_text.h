/* replay_text.h: the lines that frng-replay prints for people. */
#ifndef REPLAY_TEXT_H
#define REPLAY_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* The verdict: `failed` of `runs` runs failed as `how` says, `other` of them not as --only asks. */
void replay_text_verdict(uint64_t failed, uint64_t other, uint64_t runs, const char *how);

/* The file in which a debugger finds the entropy. */
void replay_text_wrapped(const char *file, bool by_environment);

/* In place of a verdict: --wrap ended as `how` says ("": it passed), and the program may not have
 * run. */
void replay_text_wrapped_unknown(const char *how);

#endif
