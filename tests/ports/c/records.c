/* records.c: the records of draws. Reads lines: "entropy 00ff" begins a run, any other one is a
 * draw (draw_by_name.h). Prints each record as a line: start, taken, kind, width, min, max, value.
 * A line with a dot ends the records of a draw. SPDX-License-Identifier: MIT */
#include "draw_by_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_SIZE = 4096 };

static void print_record(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                         uint64_t max, uint64_t value) {
    printf("%zu %zu %d %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", start, f->used - start,
           (int)kind, width, min, max, value);
}

static bool fill(frng *f, size_t count) {
    (void)f, (void)count;
    return false; /* all bytes are ready */
}

static frng_host host = {.fill = fill, .drawn = print_record};

static size_t read_hex(const char *text, uint8_t *bytes) {
    size_t size = 0;
    unsigned byte;
    while (sscanf(text + 2 * size, "%2x", &byte) == 1) bytes[size++] = (uint8_t)byte;
    return size;
}

int main(void) {
    static char line[2 * LINE_MAX_SIZE], value[DRAW_TEXT_MAX];
    static uint8_t entropy[LINE_MAX_SIZE];
    frng f = frng_init(entropy, 0);
    while (fgets(line, sizeof line, stdin) != NULL) {
        bool ok;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "entropy ", 8) == 0) {
            f = frng_init(entropy, read_hex(line + 8, entropy));
            f.host = &host;
            continue;
        }
        if (!draw_by_name(&f, line, value, &ok)) return 1;
        printf(".\n");
    }
    return 0;
}
