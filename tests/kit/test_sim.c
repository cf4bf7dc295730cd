/* frng_sim.h: each fault on literal bytes, in a world of three nodes. */
#include "frng_sim.h"
#include "suite.h"

#include <signal.h>

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define MS(n) ((uint64_t)(n)*FRNG_SIM_MS)

enum { A, B, C, NODES, QUEUE = 32 };
static const char *const names[NODES] = {"A", "B", "C"};

typedef struct message {
    int number;
    char rest[20];
} message;

static frng f;
static frng_sim sim;
static frng_sim_event events[QUEUE];
static message messages[QUEUE];

/* ---- What happened, as "12 B<A 7" for a message, "12 B!3" for a timer, and so on ---- */

static char seen[2048], said[4096];

__attribute__((format(printf, 2, 0))) static void hear(frng *g, const char *format,
                                                       va_list arguments) {
    const size_t used = strlen(said);
    (void)g;
    vsnprintf(said + used, sizeof said - used, format, arguments);
    strncat(said, "\n", sizeof said - strlen(said) - 1);
}

static bool fill_nothing(frng *g, size_t count) {
    (void)g;
    (void)count;
    return false;
}

/* A world over these bytes. A fault k has weight 16, so that byte 16 k means it. */
static void begin(const uint8_t *entropy, size_t size) {
    static const frng_host listener = {fill_nothing, NULL, NULL, NULL, NULL, hear};
    static frng_host host;
    host = listener;
    f = frng_init(entropy, size);
    f.host = &host;
    seen[0] = said[0] = '\0';
    frng_sim_init(&sim, &f, names, events, messages);
    for (size_t i = 0; i < FRNG_SIM_FAULTS; i++) sim.weights[i] = i < 16 ? 16 : 0;
}
#define BEGIN(...) begin(BYTES(__VA_ARGS__), sizeof BYTES(__VA_ARGS__))
#define FAULT(name) (uint8_t)(16 * (FRNG_SIM_##name))
#define ON_A 1 /* 0 would be rejected */
#define ON_B 86
#define ON_C 171

static void send(uint8_t from, uint8_t to, int number) {
    const message m = {.number = number, .rest = "and its end"};
    frng_sim_send(&sim, from, to, "note", &m);
}

static void timer(uint8_t node, uint64_t ms, uint32_t kind) {
    frng_sim_after(&sim, node, MS(ms), kind, 7);
}

static void see(const frng_sim_event *e) {
    const size_t used = strlen(seen);
    char *at = seen + used;
    const size_t room = sizeof seen - used;
    const int ms = (int)(e->at / FRNG_SIM_MS);
    const message *m = e->message;
    ck_assert_uint_eq(e->at, sim.now);
    switch ((frng_sim_type)e->type) {
    case FRNG_SIM_MESSAGE:
        ck_assert_str_eq(m->rest, "and its end");
        ck_assert_str_eq(e->name, "note");
        snprintf(at, room, "%d %s<%s %d; ", ms, names[e->node], names[e->from], m->number);
        break;
    case FRNG_SIM_TIMER:
        ck_assert_uint_eq(e->data, 7);
        snprintf(at, room, "%d %s!%u; ", ms, names[e->node], e->kind);
        break;
    case FRNG_SIM_CRASHED: snprintf(at, room, "%d %s crashes; ", ms, names[e->node]); break;
    case FRNG_SIM_RESTARTED: snprintf(at, room, "%d %s restarts; ", ms, names[e->node]); break;
    case FRNG_SIM_YOURS:
        snprintf(at, room, "%d %s own %u %d; ", ms, names[e->node], e->kind,
                 (int)(e->data / FRNG_SIM_MS));
        break;
    }
}

static void expect(const char *all) {
    frng_sim_event e;
    while (frng_sim_next(&sim, &e)) see(&e);
    ck_assert_str_eq(seen, all);
}

/* What was said about faults, without times and "network". */
static void expect_said(const char *text) {
    ck_assert_msg(strstr(said, text) != NULL, "'%s' is not in:\n%s", text, said);
}

/* ---- Time ---- */

TEST(events_come_in_the_order_of_time_then_of_their_making) {
    BEGIN(255);
    timer(A, 5, 1);
    timer(B, 2, 2);
    send(A, B, 3);
    timer(C, 5, 4);
    send(C, A, 5);
    timer(A, 0, 6);
    timer(B, 1, 7);
    expect("0 A!6; 1 B<A 3; 1 A<C 5; 1 B!7; 2 B!2; 5 A!1; 5 C!4; ");
    ck_assert(f.exhausted);
}

TEST(what_happens_after_the_quiet_stretch_waits_for_the_next_deviation) {
    BEGIN(3, FAULT(NOTHING), 2);
    timer(A, 3, 1);
    timer(A, 4, 2);
    timer(A, 5, 3);
    timer(A, 6, 4);
    expect("3 A!1; 4 A!2; 5 A!3; ");
    ck_assert_uint_eq(frng_used(&f), 3);
    ck_assert_uint_eq(sim.now, MS(5));
}

TEST(units_and_latency_are_the_callers) {
    BEGIN(3, FAULT(HOLD), ON_A, 2, 255);
    sim.latency = MS(7);
    sim.quiet_unit = MS(2);
    sim.length_unit = MS(10);
    send(B, A, 1);
    expect("26 A<B 1; ");
    expect_said("    6.000 ms  network  holds messages to A for 20 ms\n");
}

TEST(a_message_stays_valid_while_its_handler_sends) {
    frng_sim_event e;
    BEGIN(255);
    send(A, B, 1);
    ck_assert(frng_sim_next(&sim, &e));
    for (int i = 0; i < 10; i++) send(B, C, 10 + i);
    timer(B, 1, 1);
    frng_sim_cancel(&sim, B, 1);
    ck_assert_int_eq(((const message *)e.message)->number, 1);
    for (int i = 0; i < 10; i++) {
        ck_assert(frng_sim_next(&sim, &e));
        ck_assert_int_eq(((const message *)e.message)->number, 10 + i);
    }
}

TEST(cancelled_timers_never_fire) {
    BEGIN(255);
    timer(A, 1, 1);
    timer(A, 2, 2);
    timer(B, 3, 1);
    timer(A, 4, 1);
    send(B, A, 5);
    frng_sim_cancel(&sim, A, 1);
    expect("1 A<B 5; 2 A!2; 3 B!1; ");
}

/* ---- Messages ---- */

TEST(the_next_message_comes_twice) {
    BEGIN(0, FAULT(TWICE), ON_B, 4, 255);
    send(A, C, 1);
    send(A, B, 2);
    send(C, B, 3);
    expect("1 C<A 1; 1 B<A 2; 1 B<C 3; 5 B<A 2; ");
    expect_said("repeats the next message to B after 4 ms");
}

TEST(the_next_message_comes_later) {
    BEGIN(0, FAULT(DELAY), ON_B, 4, 255);
    send(A, B, 2);
    send(C, B, 3);
    expect("1 B<C 3; 5 B<A 2; ");
    expect_said("delays the next message to B by 4 ms");
}

TEST(the_next_message_is_lost_and_draws_no_length) {
    BEGIN(0, FAULT(LOSE), ON_B, 255);
    send(A, C, 1);
    send(A, B, 2);
    send(C, B, 3);
    expect("1 C<A 1; 1 B<C 3; ");
    expect_said("loses the next message to B\n");
    expect_said("    1.000 ms  network  loses note from A to B\n");
}

TEST(held_messages_come_afterwards_in_their_order) {
    BEGIN(0, FAULT(HOLD), ON_A, 10, 20);
    send(B, A, 1);
    timer(A, 2, 1);
    timer(A, 3, 2);
    frng_sim_event e;
    while (strlen(seen) < 10 && frng_sim_next(&sim, &e)) see(&e);
    send(C, A, 2);
    send(A, C, 3);
    expect("2 A!1; 3 A!2; 4 C<A 3; 10 A<B 1; 10 A<C 2; ");
}

static void exchange(void) {
    send(A, B, 1);
    send(B, A, 2);
    send(A, C, 3);
    send(C, B, 4);
    send(C, A, 5);
}

/* Let 1 ms pass, so that the fault has happened, then exchange messages; and again later. */
static void expect_exchange(const char *during, const char *after) {
    frng_sim_event e;
    timer(A, 1, 0);
    timer(A, 12, 0);
    ck_assert(frng_sim_next(&sim, &e));
    exchange();
    while (frng_sim_next(&sim, &e) && e.type != FRNG_SIM_TIMER) see(&e);
    ck_assert_str_eq(seen, during);
    seen[0] = '\0';
    exchange();
    expect(after);
}
#define ALL "13 B<A 1; 13 A<B 2; 13 C<A 3; 13 B<C 4; 13 A<C 5; "

TEST(one_that_is_cut_off_hears_and_says_nothing) {
    BEGIN(0, FAULT(CUT), ON_A, 10, 255);
    expect_exchange("2 B<C 4; ", ALL);
    expect_said("cuts off A for 10 ms");
    expect_said("loses note from A to B");
    expect_said("loses note from C to A");
}

TEST(one_that_is_deaf_still_sends) {
    BEGIN(0, FAULT(DEAF), ON_A, 10, 255);
    expect_exchange("2 B<A 1; 2 C<A 3; 2 B<C 4; ", ALL);
    expect_said("loses messages to A for 10 ms");
}

TEST(one_that_is_mute_still_hears) {
    BEGIN(0, FAULT(MUTE), ON_A, 10, 255);
    expect_exchange("2 A<B 2; 2 B<C 4; 2 A<C 5; ", ALL);
    expect_said("loses messages from A for 10 ms");
}

TEST(a_split_parts_a_set_of_nodes_from_the_others) {
    BEGIN(0, FAULT(SPLIT), 1U << A | 1U << C, 10, 255);
    expect_exchange("2 C<A 3; 2 A<C 5; ", ALL);
    expect_said("splits off A for 10 ms");
    expect_said("splits off C for 10 ms");
}

TEST(the_longer_one_of_two_cuts_counts) {
    BEGIN(0, FAULT(CUT), ON_A, 10, 0, FAULT(CUT), ON_B, 3, 255);
    expect_exchange("", ALL);
}

/* ---- Processes ---- */

TEST(one_that_is_paused_does_all_of_it_afterwards) {
    BEGIN(0, FAULT(PAUSE), ON_A, 10, 255);
    send(B, A, 1);
    timer(A, 2, 1);
    timer(A, 12, 2);
    send(A, C, 3);
    frng_sim_event e;
    ck_assert(frng_sim_next(&sim, &e)); /* at 1 ms, at C */
    ck_assert(!frng_sim_is_up(&sim, A) && frng_sim_is_up(&sim, B));
    expect("10 A<B 1; 10 A!1; 12 A!2; ");
    ck_assert(frng_sim_is_up(&sim, A));
}

TEST(a_crash_drops_timers_and_messages_to_the_node) {
    BEGIN(0, FAULT(CRASH), ON_A, 10, 255);
    send(B, A, 1);
    send(A, B, 2);
    timer(A, 2, 1);
    timer(B, 3, 2);
    frng_sim_event e;
    ck_assert(frng_sim_next(&sim, &e));
    see(&e);
    ck_assert(!frng_sim_is_up(&sim, A));
    send(C, A, 3); /* comes while it is down */
    expect("0 A crashes; 1 B<A 2; 3 B!2; 10 A restarts; ");
    ck_assert(frng_sim_is_up(&sim, A));
    expect_said("crashes A for 10 ms");
    expect_said("loses note from C to A");
}

TEST(a_message_sent_while_a_node_is_down_can_come_after_it_restarts) {
    BEGIN(0, FAULT(CRASH), ON_A, 10, 255);
    sim.latency = MS(20);
    frng_sim_event e;
    ck_assert(frng_sim_next(&sim, &e));
    send(C, A, 3);
    expect("10 A restarts; 20 A<C 3; ");
}

TEST(a_crash_of_what_is_down_hits_the_next_node_that_is_up) {
    BEGIN(0, FAULT(CRASH), ON_A, 9, 0, FAULT(CRASH), ON_A, 9, 0, FAULT(PAUSE), ON_B, 9, 0,
          FAULT(CRASH), ON_B, 9, 0, FAULT(CRASH), ON_B, 9, 20);
    expect("0 A crashes; 0 B crashes; 0 C crashes; 9 A restarts; 9 B restarts; 9 C restarts; ");
    expect_said("pauses C for 9 ms");
    ck_assert_uint_eq(frng_used(&f), 21);
}

TEST(faults_hit_only_nodes_that_may_be_faulty) {
    BEGIN(0, FAULT(CRASH), 255, 1, 255);
    sim.faulty = 1;
    expect("0 A crashes; 1 A restarts; ");
}

TEST(the_longer_one_of_a_pause_and_a_hold_counts) {
    BEGIN(0, FAULT(PAUSE), ON_A, 10, 0, FAULT(HOLD), ON_A, 3, 0, FAULT(PAUSE), ON_A, 2, 255);
    send(B, A, 1);
    timer(A, 1, 1);
    expect("10 A<B 1; 10 A!1; ");
}

TEST(timers_set_for_a_node_that_is_down_are_gone) {
    BEGIN(0, FAULT(CRASH), ON_A, 10, 255);
    frng_sim_event e;
    ck_assert(frng_sim_next(&sim, &e));
    timer(A, 2, 1);
    timer(A, 11, 2);
    expect("10 A restarts; 11 A!2; ");
}

TEST(a_fault_of_ones_own_is_an_event) {
    BEGIN(4, FAULT(OWN) + 32, ON_C, 9, 255);
    expect("4 C own 2 9; ");
}

/* ---- Clocks ---- */

TEST(a_clock_that_steps_takes_its_timers_along) {
    BEGIN(0, FAULT(AHEAD), ON_A, 10, 5, FAULT(BACK), ON_B, 10, 255);
    timer(A, 4, 1);
    timer(A, 30, 2);
    timer(B, 30, 3);
    timer(C, 30, 4);
    const uint64_t before = frng_sim_clock(&sim, A);
    expect("0 A!1; 20 A!2; 30 C!4; 40 B!3; ");
    ck_assert_uint_eq(frng_sim_clock(&sim, A), before + sim.now + MS(10));
    ck_assert_uint_eq(frng_sim_clock(&sim, B), before + sim.now - MS(10));
    ck_assert_uint_eq(frng_sim_clock(&sim, C), before + sim.now);
}

TEST(a_timer_never_fires_before_its_clock_says_so) {
    static const int64_t drifts[] = {-200000, -100, -1, 1, 77, 50000, 500000};
    for (size_t i = 0; i < sizeof drifts / sizeof *drifts; i++) {
        for (uint64_t delay = 1; delay < 100000; delay = delay * 7 / 3 + 1) {
            frng_sim_event e;
            BEGIN(255);
            sim.drift[A] = drifts[i];
            sim.now = 12345 * delay;
            sim.quiet_unit = MS(1000);
            const uint64_t due = frng_sim_clock(&sim, A) + delay, start = sim.now;
            frng_sim_after(&sim, A, delay, 0, 0);
            sim.until = UINT64_MAX;
            ck_assert(frng_sim_next(&sim, &e));
            const uint64_t shows = frng_sim_clock(&sim, A);
            ck_assert_msg(shows >= due && shows <= due + 5, "%d ppm, %d us", (int)drifts[i],
                          (int)delay);
            ck_assert_uint_gt(sim.now, start);
        }
    }
}

TEST(a_timer_for_ever_never_fires) {
    static const int64_t drifts[] = {0, -100, 100};
    for (size_t i = 0; i < sizeof drifts / sizeof *drifts; i++) {
        BEGIN(255, FAULT(NOTHING), 255);
        sim.drift[A] = drifts[i];
        frng_sim_after(&sim, A, UINT64_MAX, 1, 7);
        frng_sim_after(&sim, A, UINT64_MAX / 2, 1, 7);
        timer(B, 300, 2);
        expect("300 B!2; ");
        sim.now = UINT64_MAX / 8;
        ck_assert_uint_gt(frng_sim_clock(&sim, A), UINT64_MAX / 9);
    }
}

/* ---- The end ---- */

TEST(healing_ends_all_faults_and_draws_no_more) {
    BEGIN(0, FAULT(CUT), ON_A, 200, 0, FAULT(CRASH), ON_B, 200, 0, FAULT(PAUSE), ON_C, 200, 0,
          FAULT(LOSE), ON_A, 3);
    timer(C, 1, 1);
    timer(A, 30, 2);
    expect("0 B crashes; ");
    ck_assert(f.exhausted);
    frng_sim_heal(&sim);
    ck_assert(frng_sim_is_up(&sim, A) && frng_sim_is_up(&sim, C));
    send(A, C, 3);
    send(C, A, 4);
    expect("0 B crashes; 3 B restarts; 3 C!1; 4 C<A 3; 4 A<C 4; 30 A!2; ");
    ck_assert_uint_eq(frng_used(&f), 16);
    expect_said("    3.000 ms  network  all faults end\n");
}

TEST(without_events_deviations_go_on_until_the_entropy_ends) {
    BEGIN(200, FAULT(CRASH), ON_A, 9, 200, FAULT(NOTHING), 200);
    expect("200 A crashes; 209 A restarts; ");
    ck_assert_uint_eq(sim.now, MS(600));
    frng_sim_heal(&sim);
    expect("200 A crashes; 209 A restarts; ");
}

TEST(a_full_queue_loses_messages_but_has_room_for_timers) {
    BEGIN(255);
    for (int i = 0; i < 100; i++) send(A, B, i);
    expect_said("loses note from A to B");
    for (uint8_t node = 0; node < NODES; node++) timer(node, 2, 1);
    for (int i = 0; i < 25; i++) {
        frng_sim_event e;
        ck_assert(frng_sim_next(&sim, &e));
        ck_assert_int_eq(((const message *)e.message)->number, i);
    }
    expect("2 A!1; 2 B!1; 2 C!1; ");
}

TEST_RAISES(too_many_timers_are_a_failure, SIGABRT) {
    BEGIN(255);
    for (int i = 0; i < 100; i++) timer(A, 2, 1);
}

TEST_RAISES(too_few_messages_for_the_events_are_a_failure, SIGABRT) {
    static message few[QUEUE - 1];
    frng_sim_init(&sim, &f, names, events, few);
}

TEST(no_entropy_is_no_world) {
    frng_sim_event e;
    begin(NULL, 0);
    timer(A, 1, 1);
    ck_assert(!frng_sim_next(&sim, &e));
    ck_assert(!frng_sim_next(&sim, &e));
    ck_assert_uint_eq(sim.now, 0);
}

TEST(a_deviation_cut_short_does_not_happen) {
    BEGIN(5, FAULT(CRASH), ON_A);
    timer(A, 2, 1);
    timer(A, 6, 2);
    expect("2 A!1; ");
    frng_sim_heal(&sim);
    expect("2 A!1; 6 A!2; ");
}
