#include "scale.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

scale scale_of(scale_kind kind, double low, double high) {
    if (kind == SCALE_SHARE) {
        const double floor_of = pow(10, floor(log10(low)));
        return (scale){kind, floor_of < 0.1 ? floor_of : 0.1, 1};
    }
    if (low < 0) low = 0;
    return (scale){kind, low, high > low ? high : low + 1};
}

static double stretch(const scale *s, double value) {
    return s->kind == SCALE_COUNT ? log1p(value) : log(value);
}

double scale_at(const scale *s, double value) {
    if (!(value > s->low)) return 0;
    if (value >= s->high) return 1;
    return (stretch(s, value) - stretch(s, s->low)) / (stretch(s, s->high) - stretch(s, s->low));
}

/* Write the values 1, 2 and 5 times the powers of ten that `leads` names, and 0. */
static size_t find_ticks(const scale *s, size_t leads, double ticks[SCALE_TICKS_MAX], size_t most) {
    static const double lead[] = {1, 2, 5};
    size_t count = 0;
    if (s->low <= 0 && s->kind == SCALE_COUNT) ticks[count++] = 0;
    for (int power = -12; power < 20; power++) {
        for (size_t i = 0; i < leads; i++) {
            const double value = lead[i] * pow(10, power);
            if (value < s->low * (1 - 1e-9) || value > s->high * (1 + 1e-9)) continue;
            if (s->kind == SCALE_COUNT && value < 0.99) continue;
            if (count == most) return most + 1;
            ticks[count++] = value;
        }
    }
    return count;
}

/* Write at most `most` values at equal steps. */
static size_t find_linear(const scale *s, size_t most, double ticks[SCALE_TICKS_MAX]) {
    double step = 1;
    const double span = s->high - s->low;
    for (int i = 0; span / step > (double)most - 1; i++) step *= i % 3 == 1 ? 2.5 : 2;
    size_t count = 0;
    for (double value = ceil(s->low / step) * step; value <= s->high && count < most; value += step)
        ticks[count++] = value;
    return count;
}

static size_t drop_close(const scale *s, size_t count, double ticks[SCALE_TICKS_MAX]) {
    const double apart = 0.08;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_close =
            kept > 0 && scale_at(s, ticks[i]) - scale_at(s, ticks[kept - 1]) < apart;
        if (!is_close) ticks[kept++] = ticks[i];
    }
    return kept;
}

size_t scale_ticks(const scale *s, size_t most, double ticks[SCALE_TICKS_MAX]) {
    assert(most >= 3 && most <= SCALE_TICKS_MAX);
    size_t count = find_ticks(s, 3, ticks, most);
    if (count > most) count = find_ticks(s, 1, ticks, most);
    if (count > most) { /* every second or third power of ten, counted from the high end */
        double all[64];
        size_t total = 0;
        for (int power = 20; power > -13; power--) {
            const double value = pow(10, power);
            if (value >= s->low * (1 - 1e-9) && value <= s->high * (1 + 1e-9) &&
                (s->kind == SCALE_SHARE || power >= 0))
                all[total++] = value;
        }
        const size_t step = (total + most - 2) / (most - 1);
        count = 0;
        for (size_t i = total; i > 0; i--) {
            if ((i - 1) % step == 0 && count < most) ticks[count++] = all[i - 1];
        }
    }
    if (count < 3 && s->kind == SCALE_COUNT) count = find_linear(s, most, ticks);
    return drop_close(s, count, ticks);
}

const char *scale_label(const scale *s, double value, char text[SCALE_LABEL_MAX]) {
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    size_t unit = 0;
    if (s->kind == SCALE_SHARE) {
        snprintf(text, SCALE_LABEL_MAX, "%.6g%%", 100 * value);
        return text;
    }
    while (value >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    snprintf(text, SCALE_LABEL_MAX, "%.4g%s", value, units[unit]);
    return text;
}
