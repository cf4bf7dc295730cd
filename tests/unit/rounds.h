/* rounds.h: how often a check on random data is repeated. Sanitizers make each round slow; the
 * plain builds run all of them, on the same data. */
#ifndef ROUNDS_H
#define ROUNDS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROUNDS_ARE_SLOW
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ROUNDS_ARE_SLOW
#endif

/* One in how many is made. */
#ifdef ROUNDS_ARE_SLOW
enum { ROUNDS_STEP = 20 };
#else
enum { ROUNDS_STEP = 1 };
#endif

#endif
