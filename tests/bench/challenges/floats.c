/* floats: lists of readings of -100 to 100. Fails when two in a row are 10 or more, and the second
 * is larger by a quarter to a half.
 *
 * Smallest: 10 and 10.25. No shorter list has two readings. The first must be 10 or more, and whole
 * numbers are simpler than others; then the second is 10.25 to 10.5, where smaller is simpler.
 *
 *     floats              [10, 10.25]
 *         10f99399999999991910cd370ad7a3703d1a
 */
#include "challenge.h"

static bool draw_list(frng *f) {
    double before = 0, now;
    for (size_t count = 0;; count++, before = now) {
        bool more;
        FRNG_TRY(frng_more(f, count, 0, 100, &more));
        if (!more) return true;
        FRNG_TRY(frng_f64_range(f, -100, 100, &now));
        const bool jumps = count > 0 && now - before >= 0.25 && now - before <= 0.5;
        FRNG_ASSERT(!jumps || before < 10, "from %g to %g", before, now);
    }
}

TEST_AGAIN(draw_list)
