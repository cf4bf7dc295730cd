/* linked.c: a system under test that needs a shared library of its own; scenarios take it away.
 * Fails iff it gets at least 41 bytes. SPDX-License-Identifier: MIT */
#include <stdio.h>

int library_answer(void);

int main(void) {
    int size = 0;
    while (getchar() != EOF) size++;
    return size >= library_answer() ? 1 : 0;
}
