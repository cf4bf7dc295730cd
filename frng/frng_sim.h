/* frng_sim.h: a cluster in virtual time, whose faults are made of entropy.
 *
 * The world runs by itself: a message takes sim.latency, a timer fires on time; neither draws.
 * Entropy is a list of deviations, four bytes each: quiet stretch, what, whom, how long. So the
 * smallest failure is the one with the fewest faults.
 *
 *     static const char *const names[] = {"A", "B"};     // a node is an index of names
 *     typedef struct ping { int number; } ping;          // messages are of a type of yours
 *     typedef struct world { frng_sim sim; frng_sim_event events[32]; ping messages[32]; } world;
 *
 *     static void handle(world *w, const frng_sim_event *e) {
 *         const ping one = {1}, *got = (const ping *)e->message;
 *         const uint8_t me = e->node;
 *         if (e->type == FRNG_SIM_MESSAGE) FRNG_ASSERT(got->number == 1);
 *         if (e->type == FRNG_SIM_TIMER) frng_sim_send(&w->sim, me, me ^ 1, "ping", &one);
 *         if (e->type == FRNG_SIM_TIMER || e->type == FRNG_SIM_RESTARTED)
 *             frng_sim_after(&w->sim, me, 50 * FRNG_SIM_MS, 0, 0);
 *     }
 *     static bool test(frng *f) {
 *         static world w;
 *         frng_sim_event e;
 *         frng_sim_init(&w.sim, f, names, w.events, w.messages);
 *         for (uint8_t node = 0; node < 2; node++) frng_sim_after(&w.sim, node, 0, 0, 0);
 *         while (frng_sim_next(&w.sim, &e)) handle(&w, &e); // until entropy is out
 *         return true;
 *     }
 *
 * After init set what differs: .latency, .quiet_unit and .length_unit (a quiet stretch or length is
 * a byte times this; 1 ms), .weights[FRNG_SIM_...] (0: never; sum at most 256), .faulty (faults hit
 * these nodes: 1 << 1 for B), .offset[node] (us) and .drift[node] (ppm) of clocks. Times are in us.
 *
 * An event has a type, .at and .node. FRNG_SIM_MESSAGE: .from, .name and .message, valid until the
 * next event; lines of a trace: "A -> B ping, sent", then "1 ms" or "lost". FRNG_SIM_TIMER: .kind,
 * .data. FRNG_SIM_CRASHED: the node must forget what is in its memory. FRNG_SIM_RESTARTED: it goes
 * on from its disk, and sets timers.
 *     frng_sim_next(&sim, &e)                the next event; false: entropy is out
 *     frng_sim_send(&sim, from, to, name, &m)         copies m; it may be lost, late or come twice
 *     frng_sim_after(&sim, node, delay, kind, data)   sets a timer, on the node's clock
 *     frng_sim_cancel(&sim, node, kind)      cancels the node's timers of a kind
 *     frng_sim_clock(&sim, node)             what its clock shows; it does not start at 0
 *     frng_sim_is_up(&sim, node)             neither down nor paused
 *     frng_sim_heal(&sim)                    ends all faults; next draws no more: run on until a
 *                                            sim.now, and assert progress
 *     frng_sim_say(&sim, node, format, ...)  a line of the trace, with the time and the name
 * C11 and C++11. No allocation, no globals. SPDX-License-Identifier: MIT */
#ifndef FRNG_SIM_H
#define FRNG_SIM_H

#include "frng_assert.h"
#include "frng_more.h"
#include "frng_protocol.h"

#include <string.h>

FRNG__WRAPS

/* ---- The world: nodes, clocks, timers and messages in virtual time ----
 *
 * Its events are in an array of the caller, the next one last. Each has room for a message in
 * another one; the room of the event that was taken last stays untouched until the next. */

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
    uint64_t at, data; /* at: in virtual time, microseconds; data of a message: when it was sent */
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
    size_t nodes;
    uint64_t faulty; /* a set: bit n for node n */
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
    s->nodes = nodes;
    s->faulty = (UINT64_C(1) << nodes) - 1;
    for (size_t i = 0; i < FRNG_SIM_FAULTS; i++) s->weights[i] = weights[i];
}
/* ---- Lines of a trace ---- */

/* Return where a text is in a line; one that is cut off ends after it. */
static inline frng_part frng__sim_part(size_t at, const char *text) {
    const size_t size = strlen(text);
    const frng_part part = {(uint8_t)(at < 255 ? at : 255), (uint8_t)(size < 255 ? size : 255)};
    return part;
}
/* Say a line at this time, which begins with who speaks: NULL for the network. Of a message `e`
 * with a fate its text begins with "FROM -> TO NAME". What the line is comes before it, as data. */
static inline void frng__sim_line(const frng_sim *s, const char *who, const char *text,
                                  const frng_sim_event *e, uint8_t fate) {
    char when[40];
    const char *name = who != NULL ? who : "network";
    const size_t begin = (size_t)snprintf(when, sizeof when, "%9.3f ms  ", (double)s->now / 1000);
    const size_t start = begin + (strlen(name) > 8 ? strlen(name) : 8) + 1;
    frng_moment m;
    memset(&m, 0, sizeof m);
    m.at = s->now;
    m.fate = fate;
    if (e == NULL) {
        if (who != NULL) m.from = frng__sim_part(begin, who);
        m.what = frng__sim_part(start, text);
    } else {
        const char *from = s->names[e->from], *to = s->names[e->node];
        m.sent = e->data;
        m.from = frng__sim_part(start, from);
        m.to = frng__sim_part(start + strlen(from) + 4, to);
        m.what = frng__sim_part(start + strlen(from) + 4 + strlen(to) + 1, e->name);
    }
    frng__mark(s->f, FRNG_MOMENT, (const char *)&m, 0);
    frng_say(s->f, "%s%-8s %s", when, name, text);
}
__attribute__((format(printf, 3, 4), unused)) static void
frng_sim_say(const frng_sim *s, size_t node, const char *format, ...) {
    char text[128];
    va_list arguments;
    if (!frng_listens(s->f)) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    frng__sim_line(s, node < s->nodes ? s->names[node] : NULL, text, NULL, FRNG_FATE_NONE);
}
/* Say that a message is sent, comes or is lost, and how long after it was sent. */
static inline void frng__sim_tell(const frng_sim *s, const frng_sim_event *e, uint8_t fate) {
    static const char *const fates[] = {"", "sent", "", "lost"};
    char text[128], took[32] = "";
    if (!frng_listens(s->f)) return;
    if (fate == FRNG_FATE_CAME || s->now > e->data)
        snprintf(took, sizeof took, "%s%g ms", fate == FRNG_FATE_CAME ? "" : " after ",
                 (double)(s->now - e->data) / 1000);
    snprintf(text, sizeof text, "%s -> %s %s, %s%s", s->names[e->from], s->names[e->node], e->name,
             fates[fate], took);
    frng__sim_line(s, NULL, text, e, fate);
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
static inline void frng_sim_send(frng_sim *s, uint8_t from, uint8_t to, const char *name,
                                 const void *message) {
    const frng_sim_event e = {s->now + s->latency, s->now, name, NULL, 0,
                              FRNG_SIM_MESSAGE,    to,     from, false};
    const bool fits = s->queue.count + 2 * s->nodes < s->queue.capacity; /* room for timers */
    const bool goes = fits && !frng__sim_lasts(s, s->lost[from][to]);
    if (goes) frng__events_add(&s->queue, e, message);
    frng__sim_tell(s, &e, goes ? FRNG_FATE_SENT : FRNG_FATE_LOST);
}

/* ---- Its faults ---- */

/* Move what faults have held to now if all end, and a node's timers by a step of its clock. */
static inline void frng__sim_move(frng_sim *s, size_t node, uint64_t ahead, uint64_t back) {
    for (size_t i = 0; i < s->queue.count; i++) {
        frng_sim_event e = s->queue.list[i];
        if (e.type == FRNG_SIM_TIMER && e.node == node && !e.is_late)
            e.at = (e.at > s->now + ahead ? e.at - ahead : s->now) + back;
        if (s->is_healed && (e.is_late || e.type == FRNG_SIM_RESTARTED)) e.at = s->now;
        frng__events_place(&s->queue, i, false, e);
    }
}
static inline void frng_sim_heal(frng_sim *s) {
    frng_sim_say(s, s->nodes, "all faults end");
    s->is_healed = true;
    frng__sim_move(s, s->nodes, 0, 0);
}

static inline void frng__sim_crash(frng_sim *s, uint8_t node, uint64_t until) {
    frng_sim_event e = {s->now, 0, "", NULL, 0, FRNG_SIM_CRASHED, node, 0, false};
    s->is_down[node] = true;
    s->wait[0][node] = s->wait[1][node] = s->fate[node] = 0;
    for (size_t i = s->queue.count; i-- > 0;)
        if (s->queue.list[i].type == FRNG_SIM_MESSAGE && s->queue.list[i].node == node)
            frng__sim_tell(s, &s->queue.list[i], FRNG_FATE_LOST);
    frng__events_drop(&s->queue, node, 0, true);
    frng__events_add(&s->queue, e, NULL);
    e.type = FRNG_SIM_RESTARTED;
    e.at = until;
    frng__events_add(&s->queue, e, NULL);
}
static inline void frng__sim_hit(frng_sim *s, size_t what, uint8_t node, uint64_t set,
                                 uint64_t length) {
    const frng_sim_event yours = {s->now,         length, "", NULL, (uint32_t)(what - FRNG_SIM_OWN),
                                  FRNG_SIM_YOURS, node,   0,  false};
    const uint64_t until = s->now + length;
    if (what <= FRNG_SIM_LOSE) {
        s->fate[node] = what;
        s->fate_length[node] = length;
    } else if (what <= FRNG_SIM_PAUSE) {
        for (size_t type = 0; type <= (what == FRNG_SIM_PAUSE ? FRNG_SIM_TIMER : 0); type++)
            if (s->wait[type][node] < until) s->wait[type][node] = until;
    } else if (what <= FRNG_SIM_SPLIT) {
        for (size_t from = 0; from < s->nodes; from++)
            for (size_t to = 0; to < s->nodes; to++) {
                const uint64_t leaves = set >> from & 1, enters = set >> to & 1;
                if (leaves > enters ? what == FRNG_SIM_DEAF
                                    : leaves == enters || what == FRNG_SIM_MUTE)
                    continue;
                if (s->lost[from][to] < until) s->lost[from][to] = until;
            }
    } else if (what == FRNG_SIM_CRASH) {
        frng__sim_crash(s, node, until);
    } else if (what <= FRNG_SIM_BACK) {
        const bool is_ahead = what == FRNG_SIM_AHEAD;
        s->offset[node] += is_ahead ? (int64_t)length : -(int64_t)length;
        frng__sim_move(s, node, is_ahead ? length : 0, is_ahead ? 0 : length);
    } else {
        frng__events_add(&s->queue, yours, NULL);
    }
}
/* List the nodes that faults may hit. Return how many. */
static inline size_t frng__sim_faulty(const frng_sim *s, uint8_t *able) {
    size_t count = 0;
    for (uint8_t i = 0; i < s->nodes; i++)
        if ((s->faulty >> i & 1) != 0) able[count++] = i;
    FRNG_ASSERT(count > 0 && s->faulty >> s->nodes == 0, "faults for nodes 0x%llx of %d",
                (unsigned long long)s->faulty, (int)s->nodes);
    return count;
}

static inline bool frng__sim_fault(frng_sim *s) {
    static const char *const texts[][2] = {{"", ""},
                                           {"repeats the next message to", " after"},
                                           {"delays the next message to", " by"},
                                           {"loses the next message to", ""},
                                           {"holds messages to", " for"},
                                           {"pauses", " for"},
                                           {"loses messages to", " for"},
                                           {"loses messages from", " for"},
                                           {"cuts off", " for"},
                                           {"splits off", " for"},
                                           {"crashes", " for"},
                                           {"sets ahead the clock of", " by"},
                                           {"sets back the clock of", " by"},
                                           {"hits", " by a fault of yours,"}};
    size_t what, pick = 0, tries = 0;
    uint64_t set = 0, picks = 0;
    uint8_t length = 0, able[FRNG_SIM_NODES];
    char tail[32] = "";
    const size_t count = frng__sim_faulty(s, able);
    frng__world_note(s->f, "what");
    FRNG_TRY(frng_pick_weighted(s->f, s->weights, FRNG_SIM_FAULTS, &what));
    const char *const *text = texts[what < FRNG_SIM_OWN ? what : (size_t)FRNG_SIM_OWN];
    if (what == FRNG_SIM_NOTHING) return true;
    frng__world_note(s->f, "whom");
    if (what == FRNG_SIM_SPLIT)
        FRNG_TRY(frng_subset(s->f, count, &picks));
    else
        FRNG_TRY(frng_pick(s->f, count, &pick));
    frng__world_note(s->f, "long");
    if (what != FRNG_SIM_LOSE) FRNG_TRY(frng_u8(s->f, &length));
    if (what == FRNG_SIM_PAUSE || (what >= FRNG_SIM_CRASH && what <= FRNG_SIM_BACK))
        for (; s->is_down[able[pick]] && tries < count; tries++) pick = (pick + 1) % count;
    if (tries == count) return true; /* it would hit the next node that is up, but none is */
    if (what != FRNG_SIM_SPLIT) picks = UINT64_C(1) << pick;
    for (size_t i = 0; i < count; i++) set |= (picks >> i & 1) << able[i];
    if (frng_listens(s->f) && what != FRNG_SIM_LOSE)
        snprintf(tail, sizeof tail, " %g ms", (double)(length * s->length_unit) / 1000);
    frng__world_note(s->f, "");
    for (size_t i = 0; i < s->nodes; i++)
        if ((set >> i & 1) != 0)
            frng_sim_say(s, s->nodes, "%s %s%s%s", text[0], s->names[i], text[1], tail);
    frng__sim_hit(s, what, able[pick], set, length * s->length_unit);
    return true;
}
/* Does an event happen now? If not, it is lost or comes later. */
static inline bool frng__sim_happens(frng_sim *s, const frng_sim_event *e) {
    const size_t node = e->node;
    size_t fate = FRNG_SIM_NOTHING;
    frng_sim_event later = *e;
    later.is_late = true;
    if (e->type == FRNG_SIM_RESTARTED) s->is_down[node] = false;
    if (e->type > FRNG_SIM_TIMER) return true;
    later.at = s->wait[e->type][node];
    if (frng__sim_lasts(s, later.at)) {
        frng__events_add(&s->queue, later, e->message);
        return false;
    }
    if (e->type == FRNG_SIM_TIMER) return !s->is_down[node];
    if (!s->is_healed) fate = s->fate[node];
    s->fate[node] = FRNG_SIM_NOTHING;
    if (s->is_down[node]) fate = FRNG_SIM_LOSE;
    later.at = s->now + s->fate_length[node];
    if (fate == FRNG_SIM_TWICE || fate == FRNG_SIM_DELAY)
        frng__events_add(&s->queue, later, e->message);
    const bool comes = fate == FRNG_SIM_NOTHING || fate == FRNG_SIM_TWICE;
    if (comes || fate == FRNG_SIM_LOSE)
        frng__sim_tell(s, e, comes ? FRNG_FATE_CAME : FRNG_FATE_LOST);
    return comes;
}

static inline bool frng_sim_next(frng_sim *s, frng_sim_event *e) {
    uint8_t quiet;
    for (;;) {
        if (s->queue.count > 0 &&
            (s->is_healed || s->queue.list[s->queue.count - 1].at <= s->until)) {
            *e = frng__events_take(&s->queue);
            s->now = e->at;
            frng_digest(s->f,
                        s->now << 16 ^ (uint64_t)e->type << 8 ^ (uint64_t)e->node << 4 ^ e->from);
            if (frng__sim_happens(s, e)) return true;
            continue;
        }
        if (s->is_healed) return false;
        s->now = s->until;
        if (s->is_planned) FRNG_TRY(frng__sim_fault(s));
        s->is_planned = false;
        frng__told_step(s->f, "fault");
        frng__world_note(s->f, "quiet");
        FRNG_TRY(frng_u8(s->f, &quiet));
        s->until = s->now + quiet * s->quiet_unit;
        s->is_planned = true;
    }
}

FRNG__WRAPS_END
#endif
