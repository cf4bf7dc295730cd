/* suite.c: what test_ports.py asks of each port, in C. Its first argument chooses what it does:
 *
 *     answers     read lines: "entropy 00ff" begins a run, "expand 7s 20" asks for bytes, any other
 *                 one is a draw (draw_by_name.h). Print a line for each but the first: the bytes,
 *                 or "VALUE USED EXHAUSTED", or "?" for a draw that a port lacks
 *     records     the same, and before the line of a draw one for each of its records: start,
 *                 taken, kind, width, min, max, value
 *     calls FILE  be a target that makes the draws in a file, over and over
 *     draws N     be a target that draws N bytes; and so on, see main
 *
 * SPDX-License-Identifier: MIT */
#include "draw_by_name.h"

#include <frng_main.h>
#include <inttypes.h>

enum { LINE_MAX_SIZE = 8192, CALLS_MAX = 64 };

/* ---- Answers ---- */

static void print_record(frng *f, frng_kind kind, size_t start, size_t width, uint64_t min,
                         uint64_t max, uint64_t value) {
    printf("%zu %zu %d %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", start, f->used - start,
           (int)kind, width, min, max, value);
}

static bool fill(frng *f, size_t count) {
    (void)f, (void)count;
    return false; /* all bytes are ready */
}

static size_t read_hex(const char *text, uint8_t *bytes) {
    size_t size = 0;
    unsigned byte;
    while (sscanf(text + 2 * size, "%2x", &byte) == 1) bytes[size++] = (uint8_t)byte;
    return size;
}

static void answer_expand(const char *arguments) {
    uint8_t bytes[LINE_MAX_SIZE];
    char *end;
    const uint64_t seed = strtoull(arguments, &end, 10);
    const size_t size = strtoull(end + (*end == 's'), NULL, 10);
    (*end == 's' ? frng_expand_styled : frng_expand)(seed, bytes, size);
    for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static void answer_draw(frng *f, const char *call) {
    char value[DRAW_TEXT_MAX];
    bool ok;
    if (draw_by_name(f, call, value, &ok) && ok != f->exhausted)
        printf("%s %zu %d\n", value, frng_used(f), f->exhausted);
    else
        printf("?\n");
}

static int answer(frng_host *host) {
    static char line[LINE_MAX_SIZE];
    static uint8_t entropy[LINE_MAX_SIZE];
    frng f = frng_init(entropy, 0);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "expand ", 7) == 0) {
            answer_expand(line + 7);
        } else if (strncmp(line, "entropy ", 8) == 0) {
            f = frng_init(entropy, read_hex(line + 8, entropy));
            f.host = host;
        } else {
            answer_draw(&f, line);
        }
    }
    return 0;
}

/* ---- Targets ---- */

static const char *argument = ""; /* the second one of the program */

static bool test_calls(frng *f) {
    static char calls[CALLS_MAX][128];
    static size_t count;
    FILE *file = count == 0 ? fopen(argument, "r") : NULL;
    while (file != NULL && fgets(calls[count], sizeof calls[0], file) != NULL) count++;
    if (file != NULL) fclose(file);
    for (;;) {
        frng_step(f, "all kinds");
        for (size_t i = 0; i < count; i++) {
            char value[DRAW_TEXT_MAX], name[32];
            bool ok = false;
            sscanf(calls[i], "%31s", name);
            frng_note(f, name);
            if (!draw_by_name(f, calls[i], value, &ok)) abort();
            FRNG_TRY(ok);
            FRNG_ASSERT(strcmp(name, "u8") != 0 || strcmp(value, "77") != 0, "77");
        }
    }
}

static bool test_draws(frng *f) {
    uint8_t x;
    for (int i = 0; i < atoi(argument); i++) FRNG_TRY(frng_u8(f, &x));
    return true;
}

static bool test_two_bugs(frng *f) {
    uint8_t x, previous = 255;
    int high = 0;
    for (;; previous = x) {
        FRNG_TRY(frng_u8(f, &x));
        FRNG_ASSERT(x != 0 || previous != 0, "few");
        high += x >= 128;
        FRNG_ASSERT(high < 4, "many");
    }
}

static bool test_stateful(frng *f) {
    static int runs;
    uint8_t x;
    FRNG_TRY(frng_u8(f, &x));
    FRNG_ASSERT(runs++ < 50, "too many runs");
    return true;
}

static bool test_exits(frng *f) {
    uint8_t x, previous = 0;
    for (;; previous = x) {
        FRNG_TRY(frng_u8(f, &x));
        if (x < 64) exit(0);
        FRNG_ASSERT(x <= 250 || previous <= 250, "two large ones");
    }
}

static bool test_hangs(frng *f) {
    volatile bool hangs = false;
    uint8_t x;
    for (;;) {
        FRNG_TRY(frng_u8(f, &x));
        hangs = x == 200;
        while (hangs) {
        }
    }
}

typedef struct target {
    const char *name;
    frng_test test;
} target;

int main(int argc, char **argv) {
    static const target targets[] = {
        {"calls", test_calls},       {"draws", test_draws}, {"two-bugs", test_two_bugs},
        {"stateful", test_stateful}, {"exits", test_exits}, {"hangs", test_hangs},
    };
    static frng_host recorder = {.fill = fill, .drawn = print_record};
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "answers") == 0) return answer(NULL);
    if (strcmp(name, "records") == 0) return answer(&recorder);
    if (argc > 2) argument = argv[2];
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(name, targets[i].name) == 0) return frng_run(targets[i].test);
    }
    fprintf(stderr, "suite: no such sub-command: %s\n", name);
    return 2;
}
