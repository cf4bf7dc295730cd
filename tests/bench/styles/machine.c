/* machine: both ends of a connection. A close that crosses a reset, with data under way, leaves
 * an end half open. */
#include <frng_main.h>

typedef enum state { CLOSED, OPENING, OPEN, CLOSING } state;
typedef enum packet { NONE, SYN, ACK, DATA, FIN, RESET } packet;

typedef struct end {
    state now;
    packet inbox[4];
    int waiting;
} end;

static void post(end *to, packet p) {
    if (to->waiting < 4) to->inbox[to->waiting++] = p;
}

static void receive(end *e, end *other, bool *was_late) {
    if (e->waiting == 0) return;
    const packet p = e->inbox[0];
    memmove(e->inbox, e->inbox + 1, sizeof e->inbox - sizeof *e->inbox);
    e->waiting--;
    if (p == SYN && e->now == CLOSED) {
        e->now = OPEN;
        post(other, ACK);
    } else if (p == ACK && e->now == OPENING) {
        e->now = OPEN;
    } else if (p == DATA && e->now == CLOSING) {
        *was_late = true;
    } else if (p == FIN) {
        e->now = CLOSED;
    } else if (p == RESET) {
        FRNG_ASSERT(!*was_late || e->now != CLOSING, "half open");
        e->now = CLOSED;
        *was_late = false;
    }
}

static bool test(frng *f) {
    end ends[2] = {{.now = CLOSED}, {.now = CLOSED}};
    bool was_late = false;
    for (;;) {
        bool side;
        uint8_t operation;
        FRNG_TRY(frng_bool(f, &side));
        FRNG_TRY(frng_u8_max(f, 6, &operation));
        end *e = &ends[side], *other = &ends[!side];
        if (operation == 0 && e->now == CLOSED) {
            e->now = OPENING;
            post(other, SYN);
        } else if (operation == 1 && e->now == OPEN) {
            post(other, DATA);
        } else if (operation == 2 && e->now == OPEN) {
            e->now = CLOSING;
            post(other, FIN);
        } else if (operation == 3 && e->now != CLOSED) {
            post(other, RESET);
        } else if (operation > 3) {
            receive(e, other, &was_late);
        }
    }
}

FRNG_MAIN(test)
