/* guided.h: what known.c and new.c share. Each test is built alone: -DSELECTED=magic.
 * SPDX-License-Identifier: MIT */
#ifndef GUIDED_H
#define GUIDED_H

#include <frng_main.h>

#ifdef WITHOUT_FAILURES /* to measure rates: what is compared stays */
__attribute__((unused)) static volatile unsigned failures;
#undef FRNG_ASSERT
#define FRNG_ASSERT(condition, ...) failures += !(condition)
#endif

#define TEST_OF_(name) test_##name
#define TEST_OF(name) TEST_OF_(name)
#define TEST(name) __attribute__((unused)) static bool TEST_OF(name)(frng * f)

#endif
