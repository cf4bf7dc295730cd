/* event.c: what an event of frng_sim.h costs, with 3 or 8 nodes that answer every message and set a
 * timer for each answer.
 *
 *     event [EVENTS]       a line for each: what: ns */
#include <frng_sim.h>

#include <stdlib.h>
#include <time.h>

enum { EVENTS = 2000000, QUEUE = 128 };

typedef struct message {
    uint64_t words[8];
} message;

static const char *const three[] = {"A", "B", "C"};
static const char *const eight[] = {"A", "B", "C", "D", "E", "F", "G", "H"};

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void handle(frng_sim *s, const frng_sim_event *e) {
    const uint8_t next = (uint8_t)((e->node + 1U) % s->nodes);
    static const message m = {{0}};
    if (e->type == FRNG_SIM_MESSAGE) frng_sim_after(s, e->node, 10 * FRNG_SIM_MS, 0, 0);
    if (e->type == FRNG_SIM_TIMER) frng_sim_send(s, e->node, next, "ping", &m);
}

/* One quiet stretch without end: no fault comes. */
static void measure(frng_sim *s, size_t nodes, long events) {
    frng_sim_event e;
    s->quiet_unit = UINT64_MAX / 1024;
    for (uint8_t node = 0; node < nodes; node++) frng_sim_after(s, node, node * 100U, 0, 0);
    const double begin = now_ns();
    for (long i = 0; i < events; i++) {
        if (!frng_sim_next(s, &e)) exit(1);
        handle(s, &e);
    }
    printf("frng_sim, an event of %zu nodes: %.0f ns\n", nodes,
           (now_ns() - begin) / (double)events);
}

int main(int argc, char **argv) {
    static frng_sim_event events[QUEUE];
    static message messages[QUEUE];
    const uint8_t entropy[1] = {255};
    const long count = argc > 1 ? strtol(argv[1], NULL, 10) : EVENTS;
    frng_sim s;
    frng f = frng_init(entropy, sizeof(entropy));
    if (count < 1) return 2;
    frng_sim_init(&s, &f, three, events, messages);
    measure(&s, 3, count);
    f = frng_init(entropy, sizeof(entropy));
    frng_sim_init(&s, &f, eight, events, messages);
    measure(&s, 8, count);
    return 0;
}
