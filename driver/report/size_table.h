/* size_table.h: how many runs of each size a search made, and how many of them failed, in bounded
 * memory. */
#ifndef SIZE_TABLE_H
#define SIZE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The runs of the sizes from `low` to `high`. */
typedef struct size_row {
    uint64_t low, high;
    uint64_t runs, failures;
} size_row;

/* Rows in no order, some of the same sizes, until size_table_sort. Empty if zeroed. */
typedef struct size_table {
    size_row *rows;
    size_t count, room;
    bool failed; /* out of memory: runs are missing */
} size_table;

enum { SIZE_TABLE_MAX = 32768 };

void size_table_add(size_table *t, uint64_t size, uint64_t runs, uint64_t failures);

/* Sort the rows, and make one of those that overlap. If more than `most` are left, add up
 * neighbours, as many powers of a ratio at a time as it takes. */
void size_table_sort(size_table *t, size_t most);

void size_table_finish(size_table *t);

#endif
