/* scale.h: places and labels on axes. */
#include "fixture.h"
#include "scale.h"

#include <math.h>
#include <stdlib.h>

typedef struct literal {
    scale_kind kind;
    double low, high;
} literal;

static const literal literals[] = {
    {SCALE_COUNT, 0, 0},       {SCALE_COUNT, 0, 1},       {SCALE_COUNT, 0, 7},
    {SCALE_COUNT, 0, 1e7},     {SCALE_COUNT, 100, 101},   {SCALE_COUNT, 150, 900},
    {SCALE_COUNT, 0, 1.8e19},  {SCALE_COUNT, 4e6, 4.1e6}, {SCALE_SHARE, 0.3, 1},
    {SCALE_SHARE, 0.00002, 1}, {SCALE_SHARE, 1e-9, 1},
};

TEST_EACH(places_grow_with_values_and_stay_within, sizeof literals / sizeof literals[0]) {
    const literal *l = &literals[_i];
    const scale s = scale_of(l->kind, l->low, l->high);
    double before = -1;
    ck_assert_double_eq(scale_at(&s, s.low), 0);
    ck_assert_double_eq(scale_at(&s, s.high), 1);
    for (int i = 0; i <= 100; i++) {
        const double at = scale_at(&s, s.low + (s.high - s.low) * i / 100);
        ck_assert(at > before && at <= 1);
        before = at;
    }
    ck_assert_double_eq(scale_at(&s, -5), 0);
    ck_assert_double_eq(scale_at(&s, INFINITY), 1);
    ck_assert_double_eq(scale_at(&s, NAN), 0);
}

TEST_EACH(labels_are_few_and_do_not_overlap, sizeof literals / sizeof literals[0]) {
    const literal *l = &literals[_i];
    const scale s = scale_of(l->kind, l->low, l->high);
    for (size_t most = 3; most <= SCALE_TICKS_MAX; most++) {
        double ticks[SCALE_TICKS_MAX];
        const size_t count = scale_ticks(&s, most, ticks);
        ck_assert(count >= 1 && count <= most);
        for (size_t i = 0; i < count; i++) {
            ck_assert(ticks[i] >= s.low * (1 - 1e-6) && ticks[i] <= s.high * (1 + 1e-6));
            if (i == 0) continue;
            ck_assert(scale_at(&s, ticks[i]) - scale_at(&s, ticks[i - 1]) >= 0.08);
        }
    }
}

TEST(labels_are_short) {
    const scale counts = scale_of(SCALE_COUNT, 0, 1e7), shares = scale_of(SCALE_SHARE, 0.001, 1);
    char text[SCALE_LABEL_MAX];
    ck_assert_str_eq(scale_label(&counts, 0, text), "0");
    ck_assert_str_eq(scale_label(&counts, 20, text), "20");
    ck_assert_str_eq(scale_label(&counts, 1000, text), "1k");
    ck_assert_str_eq(scale_label(&counts, 2500000, text), "2.5M");
    ck_assert_str_eq(scale_label(&shares, 0.001, text), "0.1%");
    ck_assert_str_eq(scale_label(&shares, 1, text), "100%");
}
