/* patch.h: the digest of what a patch makes is that of the bytes it makes. */
#include "patch.h"
#include "suite.h"

#include "candidate_set.h"
#include "drawn.h"
#include "window.h"

static testcase numbers(const uint64_t *ranks, size_t count) {
    testcase t;
    uint8_t bytes[64] = {0};
    ck_assert_uint_le(count, sizeof bytes);
    ck_assert(testcase_init(&t, traced_run_of(bytes, count)));
    for (size_t i = 0; i < count; i++) {
        if (i % 3 == 1) t.draws[i] = (draw){FRNG_UINT, 2, 0, 999, 0, false};
        t.draws[i].rank = ranks[i];
    }
    return t;
}

static void check(const prefix_hashes *o, const testcase *t, const patch *p) {
    testcase made = {0};
    ck_assert(patch_apply(p, t, &made));
    ck_assert_uint_eq(prefix_hashes_patched(o, t, p), digest_of(made.bytes, made.size));
    testcase_finish(&made);
}

TEST(every_kind_of_change) {
    static patch p;
    static const uint64_t ranks[] = {7, 300, 0, 255, 999, 1, 7, 2, 7};
    testcase t = numbers(ranks, sizeof ranks / sizeof ranks[0]);
    prefix_hashes o = {0};
    ck_assert(prefix_hashes_make(&o, &t));
    check(&o, &t, &p);
    ck_assert(patch_delete(&p, 0, 2));
    check(&o, &t, &p);
    ck_assert(patch_set(&p, 4, 12));
    check(&o, &t, &p);
    ck_assert(patch_insert(&p, 6, 1, 77));
    check(&o, &t, &p);
    ck_assert(patch_set_alike(&p, 6, 2, 0));
    check(&o, &t, &p);
    ck_assert(patch_copy(&p, (draw_row){8, 9}, (draw_row){2, 8}));
    check(&o, &t, &p);
    ck_assert_uint_eq(p.count, 5);
    patch_clear(&p);
    ck_assert(patch_delete(&p, 0, t.count)); /* nothing is left */
    check(&o, &t, &p);
    prefix_hashes_finish(&o);
    testcase_finish(&t);
}

TEST(every_stretch_can_go) {
    static patch p;
    static const uint64_t ranks[] = {0, 0, 0, 0, 1, 0, 0, 0};
    testcase t = numbers(ranks, sizeof ranks / sizeof ranks[0]);
    prefix_hashes o = {0};
    ck_assert(prefix_hashes_make(&o, &t));
    for (size_t first = 0; first < t.count; first++) {
        for (size_t count = 1; first + count <= t.count; count++) {
            patch_clear(&p);
            ck_assert(patch_delete(&p, first, count));
            check(&o, &t, &p);
        }
    }
    prefix_hashes_finish(&o);
    testcase_finish(&t);
}
