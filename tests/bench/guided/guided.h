/* guided.h: what known.c and new.c share. Each test is built alone: -DSELECTED=magic.
 * SPDX-License-Identifier: MIT */
#ifndef GUIDED_H
#define GUIDED_H

#include <frng_main.h>

#define TEST_OF_(name) test_##name
#define TEST_OF(name) TEST_OF_(name)
#define TEST(name) __attribute__((unused)) static bool TEST_OF(name)(frng * f)

#endif
