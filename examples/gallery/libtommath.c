/* libtommath: all roots of 0 are 1.
 *
 * Library: LibTomMath
 * Bug: the square root of 0 is 1, and so are all other roots of it
 * Packages: libtommath-dev
 * Link: -ltommath
 *
 * tommath.h: mp_root_u32 "finds one of the b'th root of a, such that |c|**b <= |a|; returns error
 * if a < 0 and b is even". The test multiplies: c ** b <= a < (c + 1) ** b.
 * SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <tommath.h>

static void must(mp_err status) {
    FRNG_ASSERT(status == MP_OKAY, "libtommath: %s", mp_error_to_string(status));
}

/* Compare root ** b with a. */
static mp_ord compare_power(long root, uint32_t b, const mp_int *a) {
    mp_int power;
    must(mp_init_i64(&power, root));
    must(mp_expt_u32(&power, b, &power));
    const mp_ord order = mp_cmp(&power, a);
    mp_clear(&power);
    return order;
}

static long root_of(const mp_int *a, uint32_t b) {
    mp_int c;
    must(mp_init(&c));
    must(mp_root_u32(a, b, &c));
    const long root = (long)mp_get_i64(&c);
    mp_clear(&c);
    return root;
}

static void check(uint32_t x, uint32_t b) {
    mp_int a;
    must(mp_init_u32(&a, x));
    const long root = root_of(&a, b);
    FRNG_ASSERT(compare_power(root, b, &a) != MP_GT && compare_power(root + 1, b, &a) == MP_GT,
                "the root %u of %u is %ld, says libtommath", b, x, root);
    mp_clear(&a);
}

static bool test(frng *f) {
    uint16_t x;
    uint8_t b;
    for (;;) {
        frng_note(f, "number");
        FRNG_TRY(frng_u16_max(f, 999, &x));
        frng_note(f, "root");
        FRNG_TRY(frng_u8_range(f, 2, 9, &b));
        check(x, b);
    }
}

FRNG_MAIN(test)
