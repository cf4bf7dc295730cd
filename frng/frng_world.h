/* frng_world.h: the world of frng_sim.h without its faults: virtual time, nodes, messages, timers.
 *
 * Its events are in an array of the caller, the next one last. Each has room for a message in
 * another one; the room of the event that was taken last stays untouched until the next.
 * C11 and C++11. No allocation, no globals. SPDX-License-Identifier: MIT */
#ifndef FRNG_WORLD_H
#define FRNG_WORLD_H

#include "frng_assert.h"
#include "frng_more.h"

#include <string.h>

enum { FRNG_SIM_NODES = 16, FRNG_SIM_MS = 1000 };
#define FRNG__SIM_NEVER (UINT64_MAX / 4) /* the longest wait: sums with it are times, too */

typedef enum frng_sim_fault {
    FRNG_SIM_NOTHING,
    FRNG_SIM_TWICE, /* the next message to it comes, and once more after so long */
    FRNG_SIM_DELAY, /* ... comes later, by so long */
    FRNG_SIM_LOSE,  /* ... never comes */
    FRNG_SIM_HOLD,  /* messages to it wait for so long */
    FRNG_SIM_PAUSE, /* ... and its timers: it stands still */
    FRNG_SIM_DEAF,  /* messages sent to it are lost for so long */
    FRNG_SIM_MUTE,  /* ... that it sends */
    FRNG_SIM_CUT,   /* ... both */
    FRNG_SIM_SPLIT, /* ... between some nodes (whom: a set) and the others */
    FRNG_SIM_CRASH, /* its timers and messages to it are gone; it restarts after so long */
    FRNG_SIM_AHEAD, /* its clock and its timers step ahead by so much */
    FRNG_SIM_BACK,
    FRNG_SIM_OWN, /* to OWN + 3: yours; weight 0 until you set it */
    FRNG_SIM_FAULTS = FRNG_SIM_OWN + 4
} frng_sim_fault;

/* What happens. */
typedef enum frng_sim_type {
    FRNG_SIM_MESSAGE,   /* a message comes to `node`: from, name, message */
    FRNG_SIM_TIMER,     /* a timer of the node runs out: kind, data */
    FRNG_SIM_CRASHED,   /* the node has crashed: forget what is in its memory */
    FRNG_SIM_RESTARTED, /* it restarts: go on from what is on its disk, set timers */
    FRNG_SIM_YOURS      /* a fault of yours hits it; kind: of FRNG_SIM_OWN 0, of OWN + 1 1, ..;
                           data: how long */
} frng_sim_type;

typedef struct frng_sim_event {
    uint64_t at, data; /* at: in virtual time, microseconds */
    const char *name;
    void *message;
    uint32_t kind;
    uint8_t type, node, from;
    bool is_late; /* a fault has moved it */
} frng_sim_event;

typedef struct frng_events {
    frng_sim_event *list;
    void *taken; /* the message of the event that was taken last */
    size_t count, capacity, size;
} frng_events;

typedef struct frng_sim {
    frng *f;
    uint64_t now, latency, quiet_unit, length_unit;
    const char *const *names;
    size_t nodes, faulty;
    uint32_t weights[FRNG_SIM_FAULTS];
    int64_t offset[FRNG_SIM_NODES], drift[FRNG_SIM_NODES];
    frng_events queue; /* private from here on */
    uint64_t until;    /* of the quiet stretch */
    bool is_planned, is_healed, is_down[FRNG_SIM_NODES];
    uint64_t lost[FRNG_SIM_NODES][FRNG_SIM_NODES]; /* from, to: messages are lost until then */
    uint64_t wait[2][FRNG_SIM_NODES];              /* messages or timers wait until then */
    uint64_t fate_length[FRNG_SIM_NODES];
    size_t fate[FRNG_SIM_NODES]; /* of the next message to each */
} frng_sim;

/* ---- The queue ---- */

static inline void frng__events_init(frng_events *q, frng_sim_event *list, size_t count,
                                     void *messages, size_t room, size_t size) {
    FRNG_ASSERT(count > 0 && room >= count, "room for %zu messages, and %zu events", room, count);
    q->list = list;
    q->count = 0;
    q->capacity = count - 1;
    q->size = size;
    for (size_t i = 0; i < count; i++) list[i].message = (char *)messages + i * size;
    q->taken = list[count - 1].message;
}

/* Put an event, which has changed or is new, into the first `count`: behind those that come sooner,
 * and those of the same time if it is new. */
static inline void frng__events_place(frng_events *q, size_t count, bool is_new, frng_sim_event e) {
    const uint64_t before = e.at + is_new;
    for (; count > 0 && q->list[count - 1].at < before; count--)
        q->list[count] = q->list[count - 1];
    q->list[count] = e;
}

/* Add a copy of an event and of `message`, if it is a message. */
static inline void frng__events_add(frng_events *q, frng_sim_event e, const void *message) {
    FRNG_ASSERT(q->count < q->capacity, "no room for more than %zu events", q->capacity);
    e.message = q->list[q->count].message;
    if (e.type == FRNG_SIM_MESSAGE) memcpy(e.message, message, q->size);
    frng__events_place(q, q->count++, true, e);
}

/* Take the next event. */
static inline frng_sim_event frng__events_take(frng_events *q) {
    const frng_sim_event e = q->list[--q->count];
    q->list[q->count].message = q->taken;
    q->taken = e.message;
    return e;
}

/* Remove a node's timers of a kind; or all of them, and the messages to it. */
static inline void frng__events_drop(frng_events *q, size_t node, uint32_t kind, bool all) {
    size_t kept = 0;
    for (size_t i = 0; i < q->count; i++) {
        const frng_sim_event e = q->list[i];
        const bool is_timer = e.type == FRNG_SIM_TIMER, is_its = e.node == node;
        if (is_its && (all ? e.type <= FRNG_SIM_TIMER : is_timer && e.kind == kind)) continue;
        q->list[i].message = q->list[kept].message;
        q->list[kept++] = e;
    }
    q->count = kept;
}

/* ---- Nodes ---- */

#define frng_sim_init(sim, f, names, events, messages)                                             \
    do {                                                                                           \
        frng__sim_init(sim, f, names, sizeof(names) / sizeof *(names));                            \
        frng__events_init(&(sim)->queue, events, sizeof(events) / sizeof *(events), messages,      \
                          sizeof(messages) / sizeof *(messages), sizeof *(messages));              \
    } while (0)
static inline void frng__sim_init(frng_sim *s, frng *f, const char *const *names, size_t nodes) {
    static const uint8_t weights[FRNG_SIM_FAULTS] = {1, 2, 3, 4, 3, 2, 2, 2, 5, 2, 4, 1, 1};
    FRNG_ASSERT(nodes > 0 && nodes <= FRNG_SIM_NODES, "%zu nodes, not 1 to 16", nodes);
    memset(s, 0, sizeof *s);
    s->f = f;
    s->latency = s->quiet_unit = s->length_unit = FRNG_SIM_MS;
    s->names = names;
    s->nodes = s->faulty = nodes;
    for (size_t i = 0; i < FRNG_SIM_FAULTS; i++) s->weights[i] = weights[i];
}
__attribute__((format(printf, 3, 4), unused)) static void
frng_sim_say(const frng_sim *s, size_t node, const char *format, ...) {
    const char *who = node < s->nodes ? s->names[node] : "network";
    char text[128];
    va_list arguments;
    if (!frng_listens(s->f)) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frng_say(s->f, "%9.3f ms  %-8s %s", (double)s->now / 1000, who, text);
}

static inline bool frng__sim_lasts(const frng_sim *s, uint64_t until) {
    return until > s->now && !s->is_healed;
}
static inline bool frng_sim_is_up(const frng_sim *s, size_t node) {
    return !s->is_down[node] && !frng__sim_lasts(s, s->wait[FRNG_SIM_TIMER][node]);
}
static inline uint64_t frng_sim_clock(const frng_sim *s, size_t node) {
    const int64_t now = (int64_t)s->now, start = INT64_C(1000000000000) + s->offset[node];
    const int64_t gained =
        now / 1000000 * s->drift[node] + now % 1000000 * s->drift[node] / 1000000;
    return (uint64_t)(start + now + gained);
}
static inline void frng_sim_after(frng_sim *s, uint8_t node, uint64_t delay, uint32_t kind,
                                  uint64_t data) {
    FRNG_ASSERT(s->drift[node] > -1000000, "a clock that stands still or runs back");
    const uint64_t rate = (uint64_t)(1000000 + s->drift[node]);
    uint64_t wait = delay < FRNG__SIM_NEVER ? delay : FRNG__SIM_NEVER;
    if (s->drift[node] != 0) wait = wait / rate * 1000000 + wait % rate * 1000000 / rate + 3;
    const frng_sim_event e = {s->now + wait, data, "", NULL, kind, FRNG_SIM_TIMER, node, 0, false};
    frng__events_add(&s->queue, e, NULL);
}
static inline void frng_sim_cancel(frng_sim *s, uint8_t node, uint32_t kind) {
    frng__events_drop(&s->queue, node, kind, false);
}
static inline void frng__sim_loses(const frng_sim *s, const char *name, size_t from, size_t to) {
    frng_sim_say(s, s->nodes, "loses %s from %s to %s", name, s->names[from], s->names[to]);
}

static inline void frng_sim_send(frng_sim *s, uint8_t from, uint8_t to, const char *name,
                                 const void *message) {
    const frng_sim_event e = {s->now + s->latency, 0,  name, NULL, 0,
                              FRNG_SIM_MESSAGE,    to, from, false};
    const bool fits = s->queue.count + 2 * s->nodes < s->queue.capacity; /* room for timers */
    if (fits && !frng__sim_lasts(s, s->lost[from][to]))
        frng__events_add(&s->queue, e, message);
    else
        frng__sim_loses(s, name, from, to);
}
#endif
