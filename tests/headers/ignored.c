/* Must not compile with -Werror: a draw whose verdict nobody looks at. */
#include "frng.h"

int main(void) {
    uint8_t x;
    frng f = frng_init(NULL, 0);
    frng_u8(&f, &x);
    return x;
}
