/* before.c: a program of before styled seeds, for the tests of --expand. Its first argument says
 * what it does not know: "styles", "styles,bytes" (nor explicit bytes), or "nothing". */
#include "older_target.h"

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
    if (strstr(what, "styles") != NULL) older_target_lacks |= FRNG_CAN_STYLE;
    if (strstr(what, "bytes") != NULL) older_target_lacks |= FRNG_CAN_GIVEN;
    return frng_run(test);
}
