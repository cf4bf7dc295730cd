/* lin.c: how long frng_lin_check takes, for histories of 64 operations on a register, of which 8
 * never returned: of clients that wait for each answer, linearizable or with one result changed.
 *
 *     lin [HISTORIES]      a line for each kind: what: median, 99.9%, worst us; how many unknown */
#include <frng_expand.h>
#include <frng_lin.h>

#include <stdlib.h>
#include <time.h>

enum { PUT, GET, OPS = 64, LOST = 8, SLOTS = 8192, CLIENTS_MAX = 16, HISTORIES = 2000 };

static uint64_t memory[FRNG_LIN_WORDS(SLOTS, 1)];
static uint64_t seed;

static uint64_t below(uint64_t n) {
    uint64_t word;
    frng_expand(seed++, (uint8_t *)&word, sizeof(word));
    return word % n;
}

static bool model(uint64_t *state, const frng_lin_op *op) {
    if (op->kind == PUT) *state = op->in;
    return op->kind == PUT || frng_lin_gave(op, *state);
}

/* When an operation takes effect; UINT64_MAX: never. */
typedef struct effect {
    uint64_t at;
    size_t op;
} effect;

static int by_time(const void *a, const void *b) {
    const effect *x = (const effect *)a, *y = (const effect *)b;
    return (x->at > y->at) - (x->at < y->at);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return when the operation of this client, called at `call`, takes effect, and when it returns. */
static uint64_t takes_effect(uint64_t call, uint64_t back, bool lost) {
    if (!lost) return call + below(back - call + 1);
    if (below(3) == 0) return UINT64_MAX;
    return below(4) == 0 ? back + below(20000) : call + below(back - call + 1);
}

/* A linearizable history: operations take 1 to 3 ms, clients pause up to 1 ms; a client whose
 * request got lost goes on after 5 ms. */
static void linearizable(frng_lin *h, size_t clients) {
    uint64_t free_at[CLIENTS_MAX] = {0}, back[OPS], value = 0;
    effect effects[OPS];
    bool lost[OPS] = {false};
    frng_lin_init(h, memory, FRNG_LIN_WORDS(SLOTS, 1));
    for (int left = LOST; left > 0;) {
        bool *one = &lost[below(OPS)];
        left -= !*one;
        *one = true;
    }
    for (size_t i = 0; i < OPS; i++) {
        size_t who = 0;
        for (size_t k = 1; k < clients; k++)
            if (free_at[k] < free_at[who]) who = k;
        const uint64_t call = free_at[who] + below(1000);
        back[i] = call + 1000 + below(2000);
        free_at[who] = lost[i] ? call + 5000 : back[i];
        effects[i].op = frng_lin_call(h, call, (uint32_t)who, below(2) == 0 ? PUT : GET, 1 + i);
        effects[i].at = takes_effect(call, back[i], lost[i]);
    }
    qsort(effects, OPS, sizeof(*effects), by_time);
    for (size_t k = 0; k < OPS && effects[k].at != UINT64_MAX; k++) {
        const size_t i = effects[k].op;
        if (h->ops[i].kind == PUT) value = h->ops[i].in;
        if (!lost[i]) frng_lin_return(h, i, back[i], h->ops[i].kind == PUT ? 0 : value);
    }
}

/* Let a read return what another operation wrote. */
static void change_a_result(frng_lin *h) {
    for (;;) {
        frng_lin_op *op = &h->ops[below(OPS)];
        const uint64_t other = h->ops[below((uint64_t)(op - h->ops) + 1)].in;
        if (op->kind != GET || op->back == FRNG_LIN_NEVER || op->out == other) continue;
        op->out = other;
        return;
    }
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void measure(size_t clients, bool changed, size_t histories) {
    double *us = (double *)malloc(histories * sizeof(*us));
    size_t answers[3] = {0};
    if (us == NULL) exit(1);
    seed = clients;
    for (size_t k = 0; k < histories; k++) {
        const uint64_t initial = 0;
        frng_lin h;
        linearizable(&h, clients);
        if (changed) change_a_result(&h);
        const double begin = now_us();
        answers[frng_lin_check(&h, model, &initial, 1)]++;
        us[k] = now_us() - begin;
    }
    qsort(us, histories, sizeof(*us), by_size);
    printf(
        "frng_lin, %zu clients, %s: %.0f, %.0f, %.0f us (median, 99.9%%, worst); %zu yes, %zu no, "
        "%zu unknown\n",
        clients, changed ? "one result changed" : "linearizable", us[histories / 2],
        us[histories * 999 / 1000], us[histories - 1], answers[FRNG_LIN_YES], answers[FRNG_LIN_NO],
        answers[FRNG_LIN_UNKNOWN]);
    free(us);
}

int main(int argc, char **argv) {
    const long histories = argc > 1 ? strtol(argv[1], NULL, 10) : HISTORIES;
    for (size_t clients = 2; clients <= CLIENTS_MAX / 2 && histories > 0; clients *= 2) {
        measure(clients, false, (size_t)histories);
        measure(clients, true, (size_t)histories);
    }
    return 0;
}
