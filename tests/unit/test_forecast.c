/* forecast.h, future.h, flight.h together: what may come about, how likely, and what is left of it
 * when a flight ends. */
#include "forecast.h"
#include "suite.h"

#include "rejected_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Passes: to leave out a byte, or as many as can be ---- */

static bool find_byte(const testcase *t, site *s) {
    if (s->c > 0) *s = (site){s->a + 1, 0, 0};
    return s->a < t->count;
}

static uint64_t all_behind(const testcase *t, const site *s) { return t->count - s->a; }

static bool leave_out(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)t;
    return patch_delete(p, s->a, by);
}

static const pass one = {"one", true, STEP_ALL, find_byte, pass_limit_one, leave_out};
static const pass most = {"most", true, STEP_MOST, find_byte, all_behind, leave_out};
static const pass *const one_alone[] = {&one, NULL}, *const most_alone[] = {&most, NULL};

/* ---- What is under way, and what may come of it ---- */

enum { FLIGHTS = 8 };

static forecast ahead;
static flights row;
static future *now;

static future *future_of_text(const char *text) {
    testcase t;
    const size_t size = strlen(text);
    ck_assert(testcase_init(&t, (const uint8_t *)text, size, size, NULL, 0));
    future *f = future_of(&t);
    ck_assert_ptr_nonnull(f);
    testcase_finish(&t);
    return f;
}

static bool is_text(const future *f, const char *text) {
    return f->bytes.size == strlen(text) && memcmp(f->bytes.bytes, text, f->bytes.size) == 0;
}

/* How things are: this text, and a schedule that begins. */
static prospect *begin(const char *text, const pass *const *passes) {
    schedule p;
    ck_assert(forecast_init(&ahead, FLIGHTS));
    ck_assert(flights_init(&row, FLIGHTS));
    now = future_of_text(text);
    schedule_init(&p, passes);
    forecast_begin(&ahead, &p, now, NULL);
    return forecast_now(&ahead);
}

static void finish(void) {
    flights_finish(&row);
    forecast_finish(&ahead);
    future_release(now);
    now = NULL;
}

static prospect *pick(double least) {
    bool is_short = true;
    prospect *p = forecast_pick(&ahead, least, &is_short);
    ck_assert(!is_short);
    return p;
}

/* The next candidate of a prospect's schedule goes on its way. */
static const flight *send(prospect *p, double odds) {
    patch edits;
    flight *f = flights_add(&row);
    f->after = p->after;
    f->if_success = p->if_success;
    f->best = future_share(p->best);
    const testcase *base = p->base != NULL ? &p->base->bytes : NULL;
    ck_assert(schedule_next(&p->schedule, &p->best->bytes, base, &edits));
    flight_add(f, &p->schedule, f->number, p->schedule.is_on_base ? NULL : &edits);
    forecast_split(&ahead, p, f->number, &edits, odds);
    return f;
}

/* The oldest flight ends; a success is what the forecast has made of it. */
static void end(bool success) {
    const flight *ended = flights_take(&row);
    future *was = now;
    patch done = {0};
    ck_assert(!ended->is_stale);
    if (success) {
        prospect *next = forecast_of_success(&ahead, ended->number);
        if (next != NULL && next->best == NULL)
            next->best = future_patched(&was->bytes, next->edits);
        now = future_share(next != NULL ? next->best : flights_best_after(&row, ended->number));
        ck_assert_ptr_nonnull(now);
        ck_assert(ended->candidates[0].edits != NULL);
        done = *ended->candidates[0].edits;
    }
    flights_settle(&row, ended, success, success ? &done : NULL, was, now);
    if (success) future_release(was);
    forecast_settle(&ahead, &row, ended->number, success);
}

static void expect_chance(const prospect *p, double chance) {
    ck_assert_ptr_nonnull(p);
    ck_assert_msg(fabs(p->chance - chance) < 1e-9, "%f, not %f", p->chance, chance);
}

/* The draw that the edits of flight `i` in the row begin at; -1: it has none. */
static int draw_of(size_t i) {
    const patch *edits = row.ring[(row.first + i) % row.max]->candidates[0].edits;
    return edits != NULL ? (int)edits->changes[0].first : -1;
}

static bool is_stale(size_t i) { return row.ring[(row.first + i) % row.max]->is_stale; }

/* ---- One level ---- */

TEST(how_things_are) {
    const prospect *p = begin("abc", one_alone);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq(ahead.count, 1);
    ck_assert_uint_eq(p->after, 0);
    expect_chance(p, 1);
    ck_assert_ptr_eq(p->best, now);
    ck_assert_ptr_null(p->base);
    ck_assert_ptr_eq(pick(2), p); /* which needs no chance */
    ck_assert_ptr_null(forecast_of_success(&ahead, 1));
    ck_assert_uint_eq(now->owners, 2);
    forecast_begin(&ahead, &p->schedule, now, now);
    ck_assert_uint_eq(now->owners, 3);
    finish();
    forecast nothing = {0};
    forecast_finish(&nothing);
}

TEST(split_in_two) {
    prospect *p = begin("abc", one_alone);
    const uint64_t number = send(p, 0.25)->number;
    ck_assert_uint_eq(ahead.count, 2);
    prospect *s = forecast_of_success(&ahead, number);
    ck_assert_ptr_nonnull(s);
    ck_assert_ptr_ne(s, p);
    ck_assert_ptr_null(forecast_now(&ahead));
    ck_assert_ptr_null(forecast_of_success(&ahead, number + 1));
    ck_assert(p->after == number && !p->if_success);
    ck_assert(s->after == number && s->if_success);
    expect_chance(p, 0.75);
    expect_chance(s, 0.25);
    ck_assert(s->schedule.is_on_base && !p->schedule.is_on_base);
    ck_assert_ptr_eq(s->base, now);
    ck_assert_ptr_null(s->best); /* until it is asked for */
    ck_assert_ptr_eq(pick(0), p);
    ck_assert_ptr_null(s->best);
    p->is_ended = true;
    ck_assert_ptr_null(pick(0.26));
    ck_assert_ptr_eq(pick(0.25), s);
    ck_assert(is_text(s->best, "bc"));
    ck_assert_ptr_null(s->edits);
    s->is_ended = true;
    ck_assert_ptr_null(pick(0));
    finish();
}

TEST(one_end_or_the_other) {
    for (int success = 0; success < 2; success++) {
        send(begin("abc", one_alone), 0.25);
        end(success == 1);
        ck_assert_uint_eq(ahead.count, 1);
        const prospect *p = forecast_now(&ahead);
        expect_chance(p, 1);
        ck_assert_ptr_eq(p->best, now);
        ck_assert(is_text(now, success ? "bc" : "abc"));
        ck_assert(p->schedule.won == (success == 1));
        finish();
    }
}

/* Not looked beyond a success: then nothing is left. */
TEST(no_odds) {
    for (int success = 0; success < 2; success++) {
        send(begin("abc", one_alone), 0);
        ck_assert_uint_eq(ahead.count, 1);
        ck_assert_ptr_null(forecast_of_success(&ahead, 1));
        expect_chance(&ahead.prospects[0], 1);
        flights_settle(&row, flights_take(&row), success == 1, NULL, now, now);
        forecast_settle(&ahead, &row, 1, success == 1);
        ck_assert_uint_eq(ahead.count, success ? 0 : 1);
        ck_assert((forecast_now(&ahead) == NULL) == (success == 1));
        finish();
    }
}

/* There is no room: it is as if nobody looked beyond. */
TEST(no_room) {
    prospect *p = begin("abcdefghijklmnopqrstuvwxyz", one_alone);
    patch edits;
    for (uint64_t number = 1; number < 24; number++) {
        ck_assert(schedule_next(&p->schedule, &now->bytes, NULL, &edits));
        forecast_split(&ahead, p, number, &edits, 0.5);
        ck_assert_uint_eq(ahead.count, number < 2 * FLIGHTS + 1 ? number + 1 : 2 * FLIGHTS + 2);
    }
    finish();
}

/* ---- The site that makes progress ---- */

TEST(base_and_best_of_a_site) {
    prospect *p = begin("abcdef", most_alone);
    send(p, 0.5);
    prospect *first = forecast_of_success(&ahead, 1);
    p->is_ended = true;
    ck_assert_ptr_eq(pick(0), first);
    ck_assert_ptr_eq(first->base, now); /* what was the best before it */
    ck_assert(is_text(first->best, "bcdef"));
    send(first, 0.5); /* two, of the base */
    prospect *second = forecast_of_success(&ahead, 2);
    ck_assert_ptr_eq(second->base, now);
    first->is_ended = true;
    ck_assert_ptr_eq(pick(0), second);
    ck_assert(is_text(second->best, "cdef"));
    ck_assert(is_text(first->best, "bcdef"));
    ck_assert(second->schedule.is_on_base);
    ck_assert_int_eq(draw_of(1), -1); /* edits of a base are not over the best */
    end(true);
    ck_assert_uint_eq(ahead.count, 2);
    ck_assert(is_text(now, "bcdef"));
    finish();
}

/* The next site begins with the best: what was the base is not looked at any more. */
TEST(base_of_the_next_site) {
    prospect *p = begin("abcdef", one_alone);
    send(p, 0.5);
    p->is_ended = true;
    prospect *first = pick(0);
    send(first, 0.5); /* of the next site */
    ck_assert_uint_eq((uint64_t)draw_of(1), 1);
    const prospect *second = forecast_of_success(&ahead, 2);
    ck_assert_ptr_eq(second->base, first->best);
    first->is_ended = true;
    ck_assert_ptr_eq(pick(0), second);
    ck_assert(is_text(second->best, "bdef"));
    finish();
}

/* ---- Two levels ---- */

/* Flight 1: how things are; 2: if 1 fails; 3: if 1 succeeds; 4: if 3 does, too; 5: if 2 fails. */
static void send_five(void) {
    prospect *p = begin("abcdef", one_alone);
    send(p, 0.25);
    send(p, 0.5);
    expect_chance(p, 0.375);
    expect_chance(forecast_of_success(&ahead, 2), 0.375);
    p->is_ended = forecast_of_success(&ahead, 2)->is_ended = true;
    prospect *first = pick(0);
    ck_assert_ptr_eq(first, forecast_of_success(&ahead, 1));
    send(first, 0.2);
    expect_chance(first, 0.2);
    expect_chance(forecast_of_success(&ahead, 3), 0.05);
    ck_assert_ptr_null(forecast_of_success(&ahead, 1)); /* it goes by flight 3 now */
    first->is_ended = true;
    prospect *third = pick(0);
    ck_assert_ptr_eq(third, forecast_of_success(&ahead, 3));
    send(third, 0.5);
    send(p, 0.5);
    ck_assert_uint_eq(ahead.count, 6);
    ck_assert_ptr_eq(flights_best_after(&row, 1), first->best);
    ck_assert_ptr_eq(flights_best_after(&row, 3), third->best);
    ck_assert_ptr_null(flights_best_after(&row, 2));
}

static void expect_stale(const bool *stale) {
    for (size_t i = 0; i < 4; i++) ck_assert_msg(is_stale(i) == stale[i], "flight %d", (int)i + 2);
}

TEST(two_levels_after_a_success) {
    static const bool stale[] = {true, false, false, true};
    send_five();
    end(true);
    expect_stale(stale);
    ck_assert(is_text(now, "bcdef"));
    ck_assert_int_eq(draw_of(0), 0); /* 1 of what it was: it is still good for a merge */
    ck_assert_int_eq(draw_of(1), 1); /* of what is */
    ck_assert_int_eq(draw_of(2), 2); /* of what may be */
    ck_assert_int_eq(draw_of(3), 1);
    ck_assert_uint_eq(ahead.count, 3);
    expect_chance(forecast_of_success(&ahead, 4), 0.1);
    ck_assert_ptr_null(forecast_of_success(&ahead, 2));
    ck_assert_ptr_null(forecast_of_success(&ahead, 5));
    ck_assert_ptr_null(forecast_now(&ahead)); /* flight 3 will tell */
    ck_assert_uint_eq(row.ring[(row.first + 1) % row.max]->after, 0);
    (void)flights_take(&row);
    end(true);
    ck_assert(is_text(now, "bdef"));
    ck_assert_uint_eq(ahead.count, 2);
    expect_chance(forecast_of_success(&ahead, 4), 0.5);
    end(false);
    expect_chance(forecast_now(&ahead), 1);
    finish();
}

TEST(two_levels_after_a_failure) {
    static const bool stale[] = {false, true, true, false};
    send_five();
    end(false);
    expect_stale(stale);
    ck_assert(is_text(now, "abcdef"));
    ck_assert_int_eq(draw_of(0), 1);
    ck_assert_int_eq(draw_of(1), -1); /* over what did not come about */
    ck_assert_int_eq(draw_of(2), -1);
    ck_assert_int_eq(draw_of(3), 2);
    ck_assert_uint_eq(ahead.count, 3);
    expect_chance(forecast_of_success(&ahead, 2), 0.5);
    expect_chance(forecast_of_success(&ahead, 5), 0.25);
    ck_assert_ptr_nonnull(flights_drop_useless(&row));
    ck_assert_ptr_nonnull(flights_drop_useless(&row));
    ck_assert_ptr_null(flights_drop_useless(&row));
    end(true); /* 2 */
    ck_assert(is_text(now, "acdef"));
    ck_assert_uint_eq(ahead.count, 1);
    expect_chance(forecast_now(&ahead), 1);
    for (size_t i = 0; i < 3; i++) ck_assert(is_stale(i));
    ck_assert_int_eq(draw_of(2), 1); /* 5 was over what was the best */
    finish();
}

/* A merge is over the best as it was: nothing but a failure leaves it so. */
TEST(a_merge_under_way) {
    for (int success = 0; success < 2; success++) {
        patch edits = {0};
        prospect *p = begin("abcdef", one_alone);
        send(p, 0.5);
        flight *merge = flights_add(&row);
        merge->is_merge = true;
        merge->best = future_share(now);
        ck_assert(patch_delete(&edits, 4, 2));
        flight_add(merge, &p->schedule, 99, &edits);
        end(success == 1);
        ck_assert(is_stale(0) == (success == 1));
        ck_assert_int_eq(draw_of(0), success ? 3 : 4);
        ck_assert_ptr_eq(merge->best, now);
        finish();
    }
}

/* ---- Whatever comes ---- */

static void check_forecast(void) {
    double all = 0;
    size_t certain = 0;
    for (size_t i = 0; i < ahead.count; i++) {
        const prospect *p = &ahead.prospects[i];
        all += p->chance;
        certain += p->after == 0;
        ck_assert(p->after == 0 || flights_count_on(&row, p->after));
        ck_assert(p->best != NULL || (p->edits != NULL && p->base != NULL));
    }
    ck_assert(fabs(all - 1) < 1e-6);
    ck_assert_uint_le(certain, 1);
    ck_assert_uint_le(ahead.count, ahead.capacity);
    if (certain == 1) ck_assert_ptr_eq(forecast_now(&ahead)->best, now);
}

TEST(at_random) {
    uint64_t state = 1;
    for (int round = 0; round < 300; round++) {
        begin("abcdefghijklmnop", one_alone);
        for (int i = 0; i < 60; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const unsigned roll = (unsigned)(state >> 40);
            prospect *p = row.count < row.max ? pick(0.01) : NULL;
            if (p != NULL && roll % 3 > 0 && p->schedule.site.a + 2 < p->best->bytes.count) {
                send(p, (double)(1 + roll % 7) / 8);
            } else if (row.count > 0 && row.ring[row.first]->is_stale) {
                (void)flights_take(&row);
            } else if (row.count > 0) {
                end(roll % 5 < 2);
            }
            check_forecast();
        }
        while (row.count > 0) {
            if (row.ring[row.first]->is_stale) (void)flights_take(&row);
            if (row.count > 0 && !row.ring[row.first]->is_stale) end(false);
        }
        ck_assert_uint_eq(ahead.count, 1);
        ck_assert_ptr_nonnull(forecast_now(&ahead));
        finish();
    }
}

/* ---- Futures ---- */

TEST(futures) {
    patch edits = {0};
    future *f = future_of_text("abcdef");
    ck_assert_ptr_null(future_share(NULL));
    future_release(NULL);
    ck_assert(patch_delete(&edits, 1, 2));
    ck_assert(patch_set(&edits, 4, 'x'));
    future *made = future_patched(&f->bytes, &edits);
    ck_assert_ptr_nonnull(made);
    ck_assert(is_text(made, "adxf"));
    for (int i = 0; i < 2; i++) {
        ck_assert(future_digest(f, &edits) == rejected_cache_digest((const uint8_t *)"adxf", 4));
    }
    ck_assert_ptr_eq(future_share(f), f);
    future_release(f);
    ck_assert(is_text(f, "abcdef"));
    future_release(f);
    future_release(made);
}
