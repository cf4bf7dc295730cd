#include "nearest.h"

#include "bytes.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* Fills the usual table row by row: row i holds the distances between the first i characters of
 * the word and each prefix of the name. */
size_t nearest_distance(const char *word, size_t length, const char *name) {
    size_t rows[3][NEAREST_NAME_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t count = strlen(name);
    assert(count <= NEAREST_NAME_MAX);
    for (size_t k = 0; k <= count; k++) row[k] = k;
    for (size_t i = 1; i <= length; i++) {
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
        row[0] = i;
        for (size_t k = 1; k <= count; k++) {
            const bool is_same = word[i - 1] == name[k - 1];
            row[k] = smaller(smaller(last[k], row[k - 1]) + 1, last[k - 1] + !is_same);
            const bool is_swap =
                i > 1 && k > 1 && word[i - 1] == name[k - 2] && word[i - 2] == name[k - 1];
            if (is_swap) row[k] = smaller(row[k], before[k - 2] + 1);
        }
    }
    return row[count];
}
