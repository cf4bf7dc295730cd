/* glibc: a file in memory that is full loses its last byte.
 *
 * Library: the GNU C Library's fmemopen
 * Bug: in mode w+, the last byte that fits is written and then made a null byte
 * Packages: libc6-dev
 *
 * POSIX.1-2017, fmemopen: "If a stream open for update is flushed or closed and the last write has
 * advanced the current buffer size, a null byte shall be written at the end of the buffer if it
 * fits." fmemopen(3): "if there is space". SPDX-License-Identifier: MIT */
#include <frng_main.h>

#include <stdio.h>

static bool test(frng *f) {
    for (;;) {
        uint8_t room, length;
        bool truncates;
        char buffer[9] = "";
        FRNG_TRY(frng_u8_range(f, 1, 8, &room) && frng_u8_max(f, 8, &length));
        FRNG_TRY(frng_bool(f, &truncates));
        FILE *file = fmemopen(buffer, room, truncates ? "w+" : "r+");
        const size_t written = fwrite("12345678", 1, length, file);
        const bool ok = fclose(file) == 0 && written == length && length <= room;
        FRNG_ASSERT(!ok || memcmp(buffer, "12345678", length) == 0, "%s: %d of %d bytes: '%s'",
                    truncates ? "w+" : "r+", length, room, buffer);
    }
}

FRNG_MAIN(test)
