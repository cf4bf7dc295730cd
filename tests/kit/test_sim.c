/* frng_sim.h: scripts in a world of three nodes, each with the bytes that draw its faults, and what
 * they lead to; and what holds of clocks and of full queues. */
#include "frng_sim.h"
#include "heard.h"
#include "suite.h"

#include <signal.h>

#define MS(n) ((uint64_t)(n)*FRNG_SIM_MS)

enum { A, B, C, NODES, QUEUE = 32 };
static const char *const names[NODES] = {"A", "B", "C"};

typedef struct message {
    int number;
    char rest[20];
} message;

static frng f;
static frng_sim sim;
static uint64_t clock_at_first;
static frng_sim_event events[QUEUE];
static message messages[QUEUE];

/* ---- What happened, as "12 B<A 7" for a message, "12 B!3" for a timer, and so on ---- */

static char seen[2048];

/* A world over these bytes. A fault k has weight 16, so that byte 16 k means it. */
static void begin(const uint8_t *entropy, size_t size) {
    f = heard(entropy, size);
    seen[0] = '\0';
    frng_sim_init(&sim, &f, names, events, messages);
    clock_at_first = frng_sim_clock(&sim, A);
    for (size_t i = 0; i < FRNG_SIM_FAULTS; i++) sim.weights[i] = i < 16 ? 16 : 0;
}
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

__attribute__((format(printf, 1, 2))) static void saw(const char *format, ...) {
    const size_t used = strlen(seen);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(seen + used, sizeof seen - used, format, arguments);
    va_end(arguments);
}

static void see(const frng_sim_event *e) {
    const int ms = (int)(e->at / FRNG_SIM_MS);
    const message *m = e->message;
    ck_assert_uint_eq(e->at, sim.now);
    switch ((frng_sim_type)e->type) {
    case FRNG_SIM_MESSAGE:
        ck_assert_str_eq(m->rest, "and its end");
        ck_assert_str_eq(e->name, "note");
        saw("%d %s<%s %d; ", ms, names[e->node], names[e->from], m->number);
        break;
    case FRNG_SIM_TIMER:
        ck_assert_uint_eq(e->data, 7);
        saw("%d %s!%u; ", ms, names[e->node], e->kind);
        break;
    case FRNG_SIM_CRASHED: saw("%d %s crashes; ", ms, names[e->node]); break;
    case FRNG_SIM_RESTARTED: saw("%d %s restarts; ", ms, names[e->node]); break;
    case FRNG_SIM_YOURS:
        saw("%d %s own %u %d; ", ms, names[e->node], e->kind, (int)(e->data / FRNG_SIM_MS));
        break;
    }
}

/* ---- Scripts ---- */

static bool next(void) {
    frng_sim_event e;
    const bool is_one = frng_sim_next(&sim, &e);
    if (is_one) see(&e);
    return is_one;
}

static void exchange(void) {
    send(A, B, 1);
    send(B, A, 2);
    send(A, C, 3);
    send(C, B, 4);
    send(C, A, 5);
}

static void see_nodes(char what) {
    if (what == 't') saw("now %d; ", (int)(sim.now / FRNG_SIM_MS));
    if (what != 't') saw(what == 'u' ? "up" : "clocks");
    for (uint8_t node = A; node < NODES && what != 't'; node++) {
        const int64_t ahead = (int64_t)(frng_sim_clock(&sim, node) - sim.now - clock_at_first);
        if (what == 'c') saw(" %d", (int)(ahead / FRNG_SIM_MS));
        if (what == 'u' && frng_sim_is_up(&sim, node)) saw(" %s", names[node]);
    }
    if (what != 't') saw("; ");
}

/* Words of a script: A>B3 sends message 3, A!5/1 sets timer 1 to 5 ms from now, A-1 cancels it, .
 * takes an event, * all there are, E is an exchange of 5 messages, h heals; u, c and t say who is
 * up, how far clocks are ahead, and the time. */
static void obey(const char *word) {
    unsigned number, kind;
    char to;
    const uint8_t node = (uint8_t)(word[0] - 'A');
    if (sscanf(word + 1, ">%c%u", &to, &number) == 2)
        send(node, (uint8_t)(to - 'A'), (int)number);
    else if (sscanf(word + 1, "!%u/%u", &number, &kind) == 2)
        timer(node, number, kind);
    else if (sscanf(word + 1, "-%u", &kind) == 1)
        frng_sim_cancel(&sim, node, kind);
    else if (word[0] == '.')
        ck_assert(next());
    else if (word[0] == '*')
        while (next()) continue;
    else if (word[0] == 'E')
        exchange();
    else if (word[0] == 'h')
        frng_sim_heal(&sim);
    else
        see_nodes(word[0]);
}

typedef struct story {
    const char *name;
    const uint8_t entropy[24];
    size_t size; /* of the entropy, all of which is drawn, or as much as is `used` */
    const char *script, *seen, *said[3];
    size_t used;
    uint64_t latency, quiet_unit, length_unit, faulty; /* 0: as ever */
} story;
#define E(...) {__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__})
#define ALL "13 B<A 1; 13 A<B 2; 13 C<A 3; 13 B<C 4; 13 A<C 5; "
#define ROUND "A!1/0 A!12/0 . E " /* 1 ms passes, so that the fault has happened; later again */

static const story stories[] = {
    ROW("events come in the order of time, then of their making", E(255),
        "A!5/1 B!2/2 A>B3 C!5/4 C>A5 A!0/6 B!1/7",
        "0 A!6; 1 B<A 3; 1 A<C 5; 1 B!7; 2 B!2; 5 A!1; 5 C!4; "),
    ROW("after the quiet stretch comes the next deviation", E(3, FAULT(NOTHING), 2),
        "A!3/1 A!4/2 A!5/3 A!6/4", "3 A!1; 4 A!2; 5 A!3; "),
    ROW("units and latency are the caller's", E(3, FAULT(HOLD), ON_A, 2, 255), "B>A1", "26 A<B 1; ",
        {"    6.000 ms  network  holds messages to A for 20 ms\n"}, .latency = MS(7),
        .quiet_unit = MS(2), .length_unit = MS(10)),
    ROW("cancelled timers never fire", E(255), "A!1/1 A!2/2 B!3/1 A!4/1 B>A5 A-1",
        "1 A<B 5; 2 A!2; 3 B!1; "),
    ROW("no entropy is no world", {0}, 0, "A!1/1 * t", "now 0; "),
    ROW("a deviation cut short does not happen", E(5, FAULT(CRASH), ON_A), "A!2/1 A!6/2 * h",
        "2 A!1; 6 A!2; "),
    ROW("without events deviations go on until the entropy ends",
        E(200, FAULT(CRASH), ON_A, 9, 200, FAULT(NOTHING), 200), "* t h",
        "200 A crashes; 209 A restarts; now 600; "),
    ROW("healing ends all faults and draws no more",
        E(0, FAULT(CUT), ON_A, 200, 0, FAULT(CRASH), ON_B, 200, 0, FAULT(PAUSE), ON_C, 200, 0,
          FAULT(LOSE), ON_A, 3),
        "C!1/1 A!30/2 * h u A>C3 C>A4",
        "0 B crashes; up A C; 3 B restarts; 3 C!1; 4 C<A 3; 4 A<C 4; 30 A!2; ",
        {"    3.000 ms  network  all faults end\n"}, .used = 16),
    /* messages */
    ROW("the next one comes twice", E(0, FAULT(TWICE), ON_B, 4, 255), "A>C1 A>B2 C>B3",
        "1 C<A 1; 1 B<A 2; 1 B<C 3; 5 B<A 2; ",
        {"repeats the next message to B after 4 ms", "  A -> B note, 1 ms\n",
         "  A -> B note, 5 ms\n"}),
    ROW("the next one comes later", E(0, FAULT(DELAY), ON_B, 4, 255), "A>B2 C>B3",
        "1 B<C 3; 5 B<A 2; ", {"delays the next message to B by 4 ms"}),
    ROW("the next one is lost and draws no length", E(0, FAULT(LOSE), ON_B, 255), "A>C1 A>B2 C>B3",
        "1 C<A 1; 1 B<C 3; ",
        {"loses the next message to B\n", "    0.000 ms  network  A -> B note, sent\n",
         "    1.000 ms  network  A -> B note, lost after 1 ms\n"}),
    ROW("held ones come afterwards in their order", E(0, FAULT(HOLD), ON_A, 10, 20),
        "B>A1 A!2/1 A!3/2 . . C>A2 A>C3", "2 A!1; 3 A!2; 4 C<A 3; 10 A<B 1; 10 A<C 2; "),
    ROW("one that is cut off hears and says nothing", E(0, FAULT(CUT), ON_A, 10, 255),
        ROUND ". . E", "1 A!0; 2 B<C 4; 12 A!0; " ALL,
        {"cuts off A for 10 ms", "A -> B note, lost\n", "C -> A note, lost\n"}),
    ROW("one that is deaf still sends", E(0, FAULT(DEAF), ON_A, 10, 255), ROUND ". . . . E",
        "1 A!0; 2 B<A 1; 2 C<A 3; 2 B<C 4; 12 A!0; " ALL, {"loses messages to A for 10 ms"}),
    ROW("one that is mute still hears", E(0, FAULT(MUTE), ON_A, 10, 255), ROUND ". . . . E",
        "1 A!0; 2 A<B 2; 2 B<C 4; 2 A<C 5; 12 A!0; " ALL, {"loses messages from A for 10 ms"}),
    ROW("a split parts a set of nodes from the others",
        E(0, FAULT(SPLIT), 1U << A | 1U << C, 10, 255), ROUND ". . . E",
        "1 A!0; 2 C<A 3; 2 A<C 5; 12 A!0; " ALL,
        {"splits off A for 10 ms", "splits off C for 10 ms"}),
    ROW("the longer one of two cuts counts",
        E(0, FAULT(CUT), ON_A, 10, 0, FAULT(CUT), ON_B, 3, 255), ROUND ". E",
        "1 A!0; 12 A!0; " ALL),
    /* processes */
    ROW("one that is paused does all of it afterwards", E(0, FAULT(PAUSE), ON_A, 10, 255),
        "B>A1 A!2/1 A!12/2 A>C3 . u * u", "1 C<A 3; up B C; 10 A<B 1; 10 A!1; 12 A!2; up A B C; "),
    ROW("a crash drops timers and messages to the node", E(0, FAULT(CRASH), ON_A, 10, 255),
        "B>A1 A>B2 A!2/1 B!3/2 . u C>A3 * u",
        "0 A crashes; up B C; 1 B<A 2; 3 B!2; 10 A restarts; up A B C; ",
        {"crashes A for 10 ms", "    0.000 ms  network  B -> A note, lost\n",
         "C -> A note, lost after 1 ms\n"}),
    ROW("what is sent while a node is down can come after it restarts",
        E(0, FAULT(CRASH), ON_A, 10, 255), ". C>A3", "0 A crashes; 10 A restarts; 20 A<C 3; ",
        .latency = MS(20)),
    ROW("a crash of what is down hits the next node that is up",
        E(0, FAULT(CRASH), ON_A, 9, 0, FAULT(CRASH), ON_A, 9, 0, FAULT(PAUSE), ON_B, 9, 0,
          FAULT(CRASH), ON_B, 9, 0, FAULT(CRASH), ON_B, 9, 20),
        "", "0 A crashes; 0 B crashes; 0 C crashes; 9 A restarts; 9 B restarts; 9 C restarts; ",
        {"pauses C for 9 ms"}),
    ROW("faults hit only nodes that may be faulty", E(0, FAULT(CRASH), 255, 1, 255), "",
        "0 A crashes; 1 A restarts; ", .faulty = 1 << A),
    ROW("in the order of their numbers", E(0, FAULT(CRASH), 255, 1, 0, FAULT(SPLIT), 2, 9, 255),
        "E", "0 C crashes; 1 B<A 1; 1 A<B 2; 1 B<C 4; 1 A<C 5; 1 C restarts; ",
        {"splits off C for 9 ms"}, .faulty = 1 << A | 1 << C),
    ROW("the longer one of a pause and a hold counts",
        E(0, FAULT(PAUSE), ON_A, 10, 0, FAULT(HOLD), ON_A, 3, 0, FAULT(PAUSE), ON_A, 2, 255),
        "B>A1 A!1/1", "10 A<B 1; 10 A!1; "),
    ROW("timers set for a node that is down are gone", E(0, FAULT(CRASH), ON_A, 10, 255),
        ". A!2/1 A!11/2", "0 A crashes; 10 A restarts; 11 A!2; "),
    ROW("a fault of one's own is an event", E(4, FAULT(OWN) + 32, ON_C, 9, 255), "",
        "4 C own 2 9; "),
    ROW("a clock that steps takes its timers along",
        E(0, FAULT(AHEAD), ON_A, 10, 5, FAULT(BACK), ON_B, 10, 255),
        "A!4/1 A!30/2 B!30/3 C!30/4 * c", "0 A!1; 20 A!2; 30 C!4; 40 B!3; clocks 10 -10 0; "),
};

TEST_EACH(a_script_leads_to_its_events, COUNT_OF(stories)) {
    const story *s = &stories[_i];
    char words[200];
    begin(s->entropy, s->size);
    if (s->latency > 0) sim.latency = s->latency;
    if (s->quiet_unit > 0) sim.quiet_unit = s->quiet_unit;
    if (s->length_unit > 0) sim.length_unit = s->length_unit;
    if (s->faulty > 0) sim.faulty = s->faulty;
    strcpy(words, s->script);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) obey(word);
    obey("*");
    ck_assert_msg(strcmp(seen, s->seen) == 0, "%s: %s", s->name, seen);
    ck_assert_msg(frng_used(&f) == (s->used > 0 ? s->used : s->size), "%s", s->name);
    for (size_t i = 0; i < COUNT_OF(s->said) && s->said[i] != NULL; i++)
        ck_assert_msg(strstr(said, s->said[i]) != NULL, "no '%s' in:\n%s", s->said[i], said);
}

/* ---- Clocks ---- */

TEST(a_timer_never_fires_before_its_clock_says_so) {
    static const int64_t drifts[] = {-200000, -100, -1, 1, 77, 50000, 500000};
    for (size_t i = 0; i < sizeof drifts / sizeof *drifts; i++) {
        for (uint64_t delay = 1; delay < 100000; delay = delay * 7 / 3 + 1) {
            frng_sim_event e;
            begin((const uint8_t[]){255}, 1);
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
        begin((const uint8_t[]){255, FAULT(NOTHING), 255}, 3);
        sim.drift[A] = drifts[i];
        frng_sim_after(&sim, A, UINT64_MAX, 1, 7);
        frng_sim_after(&sim, A, UINT64_MAX / 2, 1, 7);
        timer(B, 300, 2);
        obey("*");
        ck_assert_str_eq(seen, "300 B!2; ");
        sim.now = UINT64_MAX / 8;
        ck_assert_uint_gt(frng_sim_clock(&sim, A), UINT64_MAX / 9);
    }
}

/* ---- Queues ---- */

TEST(a_message_stays_valid_while_its_handler_sends) {
    frng_sim_event e;
    begin((const uint8_t[]){255}, 1);
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

TEST(a_full_queue_loses_messages_but_has_room_for_timers) {
    begin((const uint8_t[]){255}, 1);
    for (int i = 0; i < 100; i++) send(A, B, i);
    ck_assert_ptr_nonnull(strstr(said, "A -> B note, lost\n"));
    for (uint8_t node = 0; node < NODES; node++) timer(node, 2, 1);
    for (int i = 0; i < 25; i++) {
        frng_sim_event e;
        ck_assert(frng_sim_next(&sim, &e));
        ck_assert_int_eq(((const message *)e.message)->number, i);
    }
    obey("*");
    ck_assert_str_eq(seen, "2 A!1; 2 B!1; 2 C!1; ");
}

TEST_RAISES(too_many_timers_are_a_failure, SIGABRT) {
    begin((const uint8_t[]){255}, 1);
    for (int i = 0; i < 100; i++) timer(A, 2, 1);
}

TEST_RAISES(too_few_messages_for_the_events_are_a_failure, SIGABRT) {
    static message few[QUEUE - 1];
    frng_sim_init(&sim, &f, names, events, few);
}
