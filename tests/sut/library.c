/* library.c: the shared library that linked.c needs, and may not find.
 * SPDX-License-Identifier: MIT */
int library_answer(void);

int library_answer(void) { return 41; }
