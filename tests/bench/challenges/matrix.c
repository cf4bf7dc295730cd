/* matrix: matrices of up to 12 rows and 12 columns. Fails when of two numbers beside each other the
 * left one is larger, and of the two below them the right one. The first column is not looked at.
 *
 * Smallest: 2 rows and 3 columns, of which the first does not matter.
 *
 *     matrix              2 x 3: 0 0 -1, 0 0 1
 *         162b0000ff000001
 */
#include "challenge.h"

enum { SIDE_MAX = 12 };

typedef struct matrix {
    uint8_t rows, columns;
    int8_t cells[SIDE_MAX][SIDE_MAX];
} matrix;

static bool draw_matrix(frng *f, matrix *m) {
    FRNG_TRY(frng_u8_range(f, 1, SIDE_MAX, &m->rows));
    FRNG_TRY(frng_u8_range(f, 1, SIDE_MAX, &m->columns));
    for (size_t i = 0; i < m->rows; i++) {
        for (size_t j = 0; j < m->columns; j++) FRNG_TRY(frng_i8(f, &m->cells[i][j]));
    }
    return true;
}

static void check(const matrix *m, size_t i, size_t j) {
    const int a = m->cells[i][j], b = m->cells[i][j + 1];
    const int c = m->cells[i + 1][j], d = m->cells[i + 1][j + 1];
    FRNG_ASSERT(a <= b || c >= d, "at %zu, %zu", i, j);
}

static bool test(frng *f) {
    matrix m;
    for (;;) {
        FRNG_TRY(draw_matrix(f, &m));
        for (size_t i = 0; i + 1 < m.rows; i++) {
            for (size_t j = 1; j + 1 < m.columns; j++) check(&m, i, j);
        }
    }
}
