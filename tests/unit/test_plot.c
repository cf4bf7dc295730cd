/* plot.h and history.h: numbers as bars, curves and columns. */
#include "fixture.h"

#include "clock.h"
#include "history.h"
#include "plot.h"

static canvas c;

static void begin(canvas_charset charset, unsigned columns, unsigned rows) {
    canvas_init(&c, columns, rows, charset);
}

/* Return all rows, each ended by "|". */
static const char *shown(void) {
    static char text[CANVAS_ROWS_MAX * 64];
    char one[CANVAS_TEXT_MAX];
    text[0] = '\0';
    for (unsigned i = 0; i < c.rows; i++) {
        canvas_text(&c, i, false, one);
        strcat(text, one);
        strcat(text, "|");
    }
    return text;
}

static const char *bar(canvas_charset charset, double part) {
    begin(charset, 4, 1);
    plot_bar((canvas_pen){&c, 0, 0, 4, INK_PLAIN}, part);
    return shown();
}

TEST(a_bar_is_full_by_its_part) {
    ck_assert_str_eq(bar(CHARSET_UTF8, 0), "····|");
    ck_assert_str_eq(bar(CHARSET_UTF8, 1), "████|");
    ck_assert_str_eq(bar(CHARSET_UTF8, 0.5), "██··|");
    ck_assert_str_eq(bar(CHARSET_UTF8, 0.4), "█▌··|");
    ck_assert_str_eq(bar(CHARSET_UTF8, 7), "████|");
    ck_assert_str_eq(bar(CHARSET_ASCII, 0.6), "##..|");
    ck_assert_str_eq(bar(CHARSET_ASCII, -1), "....|");
}

static const char *curve(canvas_charset charset, const double *heights) {
    begin(charset, 4, 2);
    plot_curve(&c, (canvas_area){0, 0, 2, 4}, heights, INK_PLAIN);
    return shown();
}

TEST(a_curve_joins_its_points) {
    const double falling[8] = {1, 1, 1, 0.5, 0.5, 0, 0, 0};
    const double high[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const double some[8] = {PLOT_NONE, PLOT_NONE, 0, 0, PLOT_NONE, 0, 0, PLOT_NONE};
    ck_assert_str_eq(curve(CHARSET_UTF8, falling), "⠉⢹⣀|  ⢸⣀|");
    ck_assert_str_eq(curve(CHARSET_ASCII, falling), "':.|  :.|");
    ck_assert_str_eq(curve(CHARSET_UTF8, high), "⠉⠉⠉⠉||");
    ck_assert_str_eq(curve(CHARSET_ASCII, high), "''''||");
    ck_assert_str_eq(curve(CHARSET_UTF8, some), "| ⣀⢀⡀|");
    ck_assert_str_eq(curve(CHARSET_ASCII, some), "| ...|");
}

static const char *columns(canvas_charset charset, const double *heights, unsigned width) {
    begin(charset, 8, 2);
    plot_columns(&c, (canvas_area){0, 0, 2, 8}, (plot_heights){heights, 4, width}, INK_PLAIN);
    return shown();
}

TEST(columns_show_none_nothing_little_and_all) {
    const double heights[4] = {PLOT_NONE, 0, 0.001, 1};
    ck_assert_str_eq(columns(CHARSET_UTF8, heights, 2), "      █|  _ ▁ █|");
    ck_assert_str_eq(columns(CHARSET_UTF8, heights, 1), "   █| _▁█|");
    ck_assert_str_eq(columns(CHARSET_ASCII, heights, 2), "      #|  _ . #|");
    ck_assert_str_eq(columns(CHARSET_UTF8, heights, 4), "|    ___|");
}

TEST(a_history_is_a_curve_on_logarithmic_axes) {
    history h = {0};
    double heights[4];
    history_heights(&h, 10, heights, 4);
    ck_assert(heights[0] < 0 && heights[3] < 0);
    history_add(&h, 1, 1023);
    history_add(&h, 2, 1023);
    history_add(&h, 31, 31);
    history_add(&h, 1000, 0);
    ck_assert_uint_eq(h.count, 3);
    ck_assert_uint_eq(history_most(&h), 1023);
    ck_assert_uint_eq(history_least(&h), 0);
    history_heights(&h, 1023, heights, 4);
    ck_assert(heights[0] == 1 && heights[1] > 0.49 && heights[1] < 0.51 && heights[3] == 0);
}

TEST(a_long_history_keeps_its_shape) {
    history h = {0};
    for (uint64_t i = 0; i < 100000; i++) history_add(&h, i, 100000 - i);
    ck_assert_uint_le(h.count, HISTORY_MAX);
    ck_assert_uint_eq(h.points[0].y, 100000);
    ck_assert_uint_eq(h.points[h.count - 1].y, 1);
    for (size_t i = 1; i < h.count; i++) ck_assert(h.points[i].x > h.points[i - 1].x);
}

TEST(a_rate_is_that_of_the_last_seconds) {
    meter m = {0};
    uint64_t count = 0;
    ck_assert(meter_rate(&m, 0, 0) == 0);
    for (int ms = 0; ms < 10000; ms += 100) {
        count += ms < 5000 ? 1000 : 10; /* 10,000 a second, then 100 */
        meter_add(&m, ms * CLOCK_NS_PER_MS, count);
    }
    const double rate = meter_rate(&m, 10000 * CLOCK_NS_PER_MS, count);
    ck_assert_msg(rate > 90 && rate < 110, "%f", rate);
}
