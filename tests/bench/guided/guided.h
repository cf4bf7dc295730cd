/* guided.h: what the suites share. Each test is built alone: -DSELECTED=magic.
 * With -DGOALS those of known.c and new.c that have a GOAL name it.
 * SPDX-License-Identifier: MIT */
#ifndef GUIDED_H
#define GUIDED_H

#include "draw.h"
#include <frng_main.h>

#ifdef WITHOUT_FAILURES /* to measure rates: what is compared stays */
__attribute__((unused)) static volatile unsigned failures;
#undef FRNG_ASSERT
#define FRNG_ASSERT(condition, ...) failures += !(condition)
#endif

#ifdef GOALS
#define GOAL(f, name, value) frng_maximize(f, name, value)
#else
#define GOAL(f, name, value) ((void)(value))
#endif

#define TEST_OF_(name) test_##name
#define TEST_OF(name) TEST_OF_(name)
#define TEST(name) __attribute__((unused)) static bool TEST_OF(name)(frng * f)

#endif
