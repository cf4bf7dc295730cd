#include "byte_diff.h"

#include <stdlib.h>
#include <string.h>

bool byte_diff_mark(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, bool *in_a,
                    bool *in_b) {
    if (a_size > BYTE_DIFF_MAX || b_size > BYTE_DIFF_MAX) return false;
    const size_t width = b_size + 1;
    uint16_t *longest = calloc((a_size + 1) * width, sizeof *longest); /* of the rests from i, j */
    if (longest == NULL) return false;
    for (size_t i = a_size; i-- > 0;) {
        for (size_t j = b_size; j-- > 0;) {
            const uint16_t down = longest[(i + 1) * width + j], right = longest[i * width + j + 1];
            const uint16_t both = (uint16_t)(longest[(i + 1) * width + j + 1] + 1);
            longest[i * width + j] = a[i] == b[j] ? both : down > right ? down : right;
        }
    }
    memset(in_a, 0, a_size * sizeof *in_a);
    memset(in_b, 0, b_size * sizeof *in_b);
    for (size_t i = 0, j = 0; i < a_size && j < b_size;) {
        if (a[i] == b[j]) {
            in_a[i++] = in_b[j++] = true;
        } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    free(longest);
    return true;
}
