/* models: small systems under test whose smallest failure is known, to measure searches on.
 *
 *     models NAME [N] < entropy
 *
 * `models --list` prints each name with the size in bytes of its smallest failing entropy.
 * SPDX-License-Identifier: MIT */
#include "frng_main.h"

#include <unistd.h>

static size_t model_argument; /* N of the models that take one */

/* ---- Failures that depend on size ---- */

/* Draw all bytes: sizes beyond those that runs draw are not tried. */
static const uint8_t *all_bytes(frng *f, size_t *size) {
    const uint8_t *bytes = NULL;
    *size = frng_left(f);
    return frng_bytes(f, *size, &bytes) ? bytes : NULL;
}

/* At N bytes or more. Smallest: N. */
static bool size_alone(frng *f) {
    size_t size;
    all_bytes(f, &size);
    FRNG_ASSERT(size < model_argument);
    return true;
}

static bool never(frng *f) {
    size_t size;
    all_bytes(f, &size);
    return true;
}

/* One test in 26 at 64 bytes or more, all of them from 4096 on: a plateau between, where a search
 * that looks only a few times believes that nothing fails. Smallest: 64. */
static bool plateau(frng *f) {
    size_t size;
    const uint8_t *bytes = all_bytes(f, &size);
    FRNG_ASSERT(size < 64 || (bytes[0] >= 10 && size < 4096));
    return true;
}

/* One test in ten, by a hash of all bytes, at 20 or more: a prefix of a failing run says nothing
 * about it. Smallest: 20. */
static bool whole_hash(frng *f) {
    const size_t size = frng_left(f);
    const uint8_t *bytes;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    FRNG_TRY(frng_bytes(f, size, &bytes));
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    FRNG_ASSERT(size < 20 || (hash >> 32) % 10 != 0);
    return true;
}

/* ---- Failures that depend on values ---- */

/* A byte of 0xa5 anywhere. Smallest: 1. */
static bool marker(frng *f) {
    for (;;) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
        FRNG_ASSERT(byte != 0xa5);
    }
}

/* The same one of eight values three times in a row: one test in 512 at the smallest, 3. */
static bool three_in_a_row(frng *f) {
    int row = 0;
    for (;;) {
        uint8_t value;
        FRNG_TRY(frng_u8_max(f, 7, &value));
        row = value == 5 ? row + 1 : 0;
        FRNG_ASSERT(row < 3);
    }
}

/* Bytes that add up to more than 2000. Smallest: 8, all of them nearly 255. */
static bool sum(frng *f) {
    uint32_t total = 0;
    for (;;) {
        uint8_t byte;
        FRNG_TRY(frng_u8(f, &byte));
        total += byte;
        FRNG_ASSERT(total <= 2000);
    }
}

static bool tree(frng *f, int depth) {
    bool again;
    FRNG_ASSERT(depth < 8);
    FRNG_TRY(frng_bool(f, &again));
    if (!again) return true;
    FRNG_TRY(tree(f, depth + 1));
    return tree(f, depth + 1);
}

/* Binary trees, one after the other, until one is eight levels deep. Smallest: 8. */
static bool geometric_depth(frng *f) {
    for (;;) FRNG_TRY(tree(f, 0));
}

/* A list behind its length; two neighbours equal in their lowest four bits fail, but only when
 * all of the list was there. Smallest: 5, the length and two numbers. */
static bool length_prefixed(frng *f) {
    uint16_t items[255];
    uint8_t count;
    FRNG_TRY(frng_u8(f, &count));
    for (size_t i = 0; i < count; i++) FRNG_TRY(frng_u16(f, &items[i]));
    for (size_t i = 1; i < count; i++) FRNG_ASSERT((items[i] & 15) != (items[i - 1] & 15));
    return true;
}

/* ---- State machines against a model ---- */

enum { QUEUE_CAPACITY = 4096 };

typedef struct queue {
    uint8_t items[QUEUE_CAPACITY];
    size_t capacity, head, count;
} queue;

static void queue_push(queue *q, uint8_t value) {
    if (q->count == q->capacity) q->capacity *= 2; /* the bug: what had wrapped round stays */
    q->items[(q->head + q->count) % q->capacity] = value;
    q->count++;
}

static uint8_t queue_pop(queue *q) {
    const uint8_t value = q->items[q->head];
    q->head = (q->head + 1) % q->capacity;
    q->count--;
    return value;
}

/* A ring buffer that grows from four, against a plain array. The smallest failure needs six pushes
 * and a pop between the first and the fifth of them: 13. */
static bool queue_model(frng *f) {
    static queue q;
    static uint8_t model[QUEUE_CAPACITY];
    size_t first = 0, end = 0;
    q = (queue){.capacity = 4};
    while (end < QUEUE_CAPACITY) {
        uint8_t operation, value;
        FRNG_TRY(frng_u8_max(f, 2, &operation));
        if (operation == 0) {
            FRNG_TRY(frng_u8(f, &value));
            queue_push(&q, value);
            model[end++] = value;
        } else if (operation == 1 && q.count > 0) {
            FRNG_ASSERT(queue_pop(&q) == model[first++]);
        }
        FRNG_ASSERT(q.count == end - first);
        for (size_t i = 0; i < q.count; i++) {
            FRNG_ASSERT(q.items[(q.head + i) % q.capacity] == model[first + i]);
        }
    }
    return true;
}

/* A stack with push, pop and duplicate, drawn with swarm weights; duplicating its third element
 * fails. Smallest: 12 for the weights, 9 for a push, three times 8 for a duplicate: 45. */
static bool stack_model(frng *f) {
    uint8_t stack[64];
    uint32_t weights[3];
    size_t depth = 0;
    FRNG_TRY(frng_swarm_weights(f, weights, 3));
    for (;;) {
        size_t operation;
        FRNG_TRY(frng_weighted(f, weights, 3, &operation));
        if (operation == 0 && depth < 64) {
            FRNG_TRY(frng_u8(f, &stack[depth]));
            depth++;
        } else if (operation == 1 && depth > 0) {
            depth--;
        } else if (operation == 2 && depth > 0 && depth < 64) {
            FRNG_ASSERT(depth != 3);
            stack[depth] = stack[depth - 1];
            depth++;
        }
    }
}

/* ---- A program that prints too much ---- */

/* N MiB on stdout and on stderr each; fails like size_alone with 1000. */
static bool flood(frng *f) {
    static char noise[1 << 16];
    memset(noise, 'x', sizeof noise);
    for (size_t i = 0; i < model_argument * 16; i++) {
        for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
            if (write(fd, noise, sizeof noise) < 0) return true;
        }
    }
    size_t size;
    all_bytes(f, &size);
    FRNG_ASSERT(size < 1000);
    return true;
}

static const struct model {
    const char *name;
    frng_test test;
    const char *smallest;
} models[] = {
    {"size", size_alone, "N"},       {"plateau", plateau, "64"},     {"hash", whole_hash, "20"},
    {"marker", marker, "1"},         {"row", three_in_a_row, "3"},   {"sum", sum, "8"},
    {"depth", geometric_depth, "8"}, {"list", length_prefixed, "5"}, {"queue", queue_model, "13"},
    {"stack", stack_model, "45"},    {"flood", flood, "1000"},       {"never", never, "-"},
};

int main(int argc, char **argv) {
    const size_t count = sizeof models / sizeof *models;
    const char *name = argc > 1 ? argv[1] : "";
    if (argc > 2) model_argument = (size_t)strtoull(argv[2], NULL, 0);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, "--list") == 0) printf("%s %s\n", models[i].name, models[i].smallest);
        if (strcmp(name, models[i].name) == 0) return frng_run(models[i].test);
    }
    if (strcmp(name, "--list") == 0) return 0;
    fputs("usage: models NAME [N] < entropy, or models --list\n", stderr);
    return FRNG_EXIT_CANNOT_JUDGE;
}
