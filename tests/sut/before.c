/* before.c: a program of before styled seeds, for the tests of --expand. Its first argument says
 * what it does not know: "styles", "styles,bytes" (nor explicit bytes), or "nothing". */
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

static ssize_t send_less(int fd, const void *message, size_t size, int flags);
static ssize_t receive_less(int fd, void *message, size_t size, int flags);
#define send send_less
#define recv receive_less
#include <frng_main.h>
#undef send
#undef recv

static uint64_t unknown; /* flags of HELLO, and the same ones of RUN */

static ssize_t send_less(int fd, const void *message, size_t size, int flags) {
    frng_message m;
    memcpy(&m, message, sizeof m);
    if (m.type == FRNG_HELLO) m.flags &= ~unknown;
    return send(fd, &m, size, flags);
}

static ssize_t receive_less(int fd, void *message, size_t size, int flags) {
    const ssize_t received = recv(fd, message, size, flags);
    frng_message m;
    memcpy(&m, message, sizeof m);
    if (received > 0 && (m.flags & unknown) != 0) abort(); /* it never said that it could */
    return received;
}

/* Fails when a key is put that is there already. */
static bool test(frng *f) {
    uint64_t keys[64];
    for (size_t count = 0; count < 64; count++) {
        uint8_t operation;
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        FRNG_TRY(frng_u64(f, &keys[count]));
        for (size_t i = 0; i < count; i++) FRNG_ASSERT(keys[i] != keys[count]);
    }
    return true;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strstr(what, "styles") != NULL) {
        unknown |= FRNG_CAN_STYLE | FRNG_HALF_STYLED | FRNG_CAN_PREFIX;
    }
    if (strstr(what, "bytes") != NULL) unknown |= FRNG_CAN_GIVEN;
    return frng_run(test);
}
