#include "simulated.h"

#include "frng_expand.h"
#include "frng_more.h"

#include <math.h>
#include <stdlib.h>

/* ---- The entropy of a model: expanded as it is drawn ---- */

typedef struct entropy {
    frng_host host; /* first, so that fill() finds the rest */
    frng_expansion expansion;
    uint8_t *bytes; /* of the largest size any model sees */
} entropy;

static entropy source;

void models_init(uint64_t size_max) {
    source.bytes = malloc((size_t)size_max);
    if (source.bytes == NULL) abort();
}

void models_finish(void) { free(source.bytes); }

static bool fill(frng *f, size_t count) {
    size_t end = (f->used + count + 63) / 64 * 64;
    if (end > f->size) end = f->size;
    frng_expansion_fill(&source.expansion, source.bytes + f->ready, end - f->ready);
    f->ready = end;
    return true;
}

static frng entropy_begin(seed_input t) {
    source.host.fill = fill;
    source.expansion =
        t.style == SEED_STYLED ? frng_expansion_styled(t.seed) : frng_expansion_init(t.seed);
    frng f = frng_init(source.bytes, (size_t)t.size);
    f.ready = 0;
    f.host = &source.host;
    return f;
}

/* ---- Models ---- */

ending run_model(const model *m, seed_input t) {
    if (m->whole != NULL) {
        model of_style = *m;
        if (t.style == SEED_STYLED) of_style.p = m->styled;
        return (ending){m->whole(&of_style, t.seed, t.size), t.size};
    }
    frng f = entropy_begin(t);
    bool fails = false;
    if (!m->test(m, &f, &fails)) fails = false;
    return (ending){fails, frng_used(&f)};
}

/* Uniform in [0, 1), a function of the seed and the salt. */
static double hashed(uint64_t seed, uint64_t salt) {
    uint64_t state = seed ^ (salt * UINT64_C(0xd1342543de82ef95));
    frng__splitmix64(&state);
    return (double)(frng__splitmix64(&state) >> 11) * 0x1p-53;
}

/* Fails with n bytes or more, whatever they are, and having read n. */
bool size_alone(const model *m, frng *f, bool *fails) {
    const uint8_t *bytes;
    FRNG_TRY(frng_bytes(f, (size_t)m->n, &bytes));
    *fails = true;
    return true;
}

/* The same, but it reads all before it looks. */
bool size_read_whole(const model *m, uint64_t seed, uint64_t size) {
    (void)seed;
    return size >= m->n;
}

/* Messages of 1 + 0..7 bytes; a step fails with probability p once n messages were handled. */
static bool messages(const model *m, frng *f, bool *fails) {
    for (uint64_t handled = 0;; handled++) {
        uint8_t length;
        const uint8_t *body;
        uint32_t dice;
        FRNG_TRY(frng_u8_max(f, 7, &length));
        FRNG_TRY(frng_bytes(f, length, &body));
        FRNG_TRY(frng_u32(f, &dice));
        if (handled >= m->n && (double)dice * 0x1p-32 < m->p) {
            *fails = true;
            return true;
        }
    }
}

/* Each 8-byte draw is the bad one with probability p: depths are geometric. */
bool marker(const model *m, frng *f, bool *fails) {
    for (;;) {
        double x;
        FRNG_TRY(frng_f64(f, &x));
        if (x < m->p) {
            *fails = true;
            return true;
        }
    }
}

/* Operation 0 of 4, n times in a row. */
static bool in_a_row(const model *m, frng *f, bool *fails) {
    for (uint64_t row = 0; row < m->n;) {
        uint8_t operation;
        FRNG_TRY(frng_u8_max(f, 3, &operation));
        row = operation == 0 ? row + 1 : 0;
    }
    *fails = true;
    return true;
}

/* The sum of 16-bit amounts passes n. */
static bool sum_over(const model *m, frng *f, bool *fails) {
    uint64_t sum = 0;
    while (sum <= m->n) {
        uint16_t amount;
        FRNG_TRY(frng_u16_max(f, 1000, &amount));
        sum += amount;
    }
    *fails = true;
    return true;
}

/* A random strategy of +1 and -1 comes to n: depths have a very long tail. */
static bool drunkard(const model *m, frng *f, bool *fails) {
    for (int64_t at = 0; at < (int64_t)m->n;) {
        bool up;
        FRNG_TRY(frng_bool(f, &up));
        at += up ? 1 : -1;
    }
    *fails = true;
    return true;
}

/* A list drawn with its length first; fails when it has n items and one of them is 0. */
static bool length_prefixed(const model *m, frng *f, bool *fails) {
    uint8_t count;
    bool zero = false;
    FRNG_TRY(frng_u8_max(f, 200, &count));
    for (uint8_t i = 0; i < count; i++) {
        uint8_t item;
        FRNG_TRY(frng_u8_max(f, 9, &item));
        zero = zero || item == 0;
    }
    *fails = zero && count >= m->n;
    return true;
}

/* Swarm weights, then a queue that overflows at n: what fails early is a matter of the weights. */
static bool swarm_queue(const model *m, frng *f, bool *fails) {
    uint32_t weights[4];
    FRNG_TRY(frng_swarm_weights(f, weights, 4));
    for (uint64_t queued = 0; queued < m->n;) {
        size_t operation;
        FRNG_TRY(frng_weighted(f, weights, 4, &operation));
        if (operation == 0) queued++;
        if (operation > 0 && queued > 0) queued--;
    }
    *fails = true;
    return true;
}

/* A share of the seeds fails with n bytes or more, all read; of these seeds, half and ever fewer
 * fail with less. */
static double plateau_share(const model *m, uint64_t size) {
    return size >= m->n ? m->p : m->p * 0.5 * (double)size / (double)m->n;
}

bool plateau(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < plateau_share(m, size);
}

/* The share grows with the logarithm of the size, up to n bytes. */
static double slope_share(const model *m, uint64_t size) {
    const double part = log2(1 + (double)size) / log2(1 + (double)m->n);
    return m->p * (part < 1 ? part : 1);
}

bool slope(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < slope_share(m, size);
}

/* A hash of all the input decides, so a prefix says nothing. */
bool whole_hash(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && hashed(seed, size) < m->p;
}

/* The same, at odd sizes only. */
static bool odd_sizes(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && size % 2 == 1 && hashed(seed, size) < m->p;
}

/* The same, where the input is full records only. */
static bool whole_records(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && size % 16 == 0 && hashed(seed, size) < m->p;
}

/* The same, within these sizes only; the growing strategies meet it at 128. */
static bool window(const model *m, uint64_t seed, uint64_t size) {
    return size >= 100 && size <= 200 && hashed(seed, size) < m->p;
}

/* A seed fails or not on each of the terraces, which are an eighth of their size wide: bounds gain
 * a little each time and the share stays as it is, so that a search has many chances to stop. */
bool terraces(const model *m, uint64_t seed, uint64_t size) {
    if (size < m->n) return false;
    const double terrace = floor(log2((double)size) * 6);
    return hashed(seed, 1 + (uint64_t)terrace) < m->p;
}

/* A share of the seeds fails with n bytes or more. */
bool rare_from(const model *m, uint64_t seed, uint64_t size) {
    return size >= m->n && hashed(seed, 1) < m->p;
}

bool never(const model *m, uint64_t seed, uint64_t size) {
    (void)m, (void)seed, (void)size;
    return false;
}

static double plain_share(const model *m, uint64_t size) {
    if (m->test == marker) return 1 - pow(1 - m->p, (double)(size / 8));
    if (m->whole == plateau) return plateau_share(m, size);
    if (m->whole == slope) return slope_share(m, size);
    if (m->whole == whole_hash || m->whole == terraces) return size >= m->n ? m->p : 0;
    abort();
}

double model_share(const model *m, seed_expansion expand, uint64_t size) {
    model styled = *m;
    styled.p = m->styled;
    if (expand != EXPAND_BOTH) return plain_share(m, size);
    return (plain_share(m, size) + plain_share(&styled, size)) / 2;
}

const model models[MODELS] = {
    {.name = "size >= 0", .test = size_alone, .n = 0},
    {.name = "size >= 1", .test = size_alone, .n = 1},
    {.name = "size >= 2", .test = size_alone, .n = 2},
    {.name = "size >= 16", .test = size_alone, .n = 16},
    {.name = "size >= 17", .test = size_alone, .n = 17},
    {.name = "size >= 41", .test = size_alone, .n = 41},
    {.name = "size >= 1000", .test = size_alone, .n = 1000},
    {.name = "size >= 100000", .test = size_alone, .n = 100000},
    {.name = "size >= 41, reads all", .whole = size_read_whole, .n = 41},
    {.name = "size >= 100000, reads all", .whole = size_read_whole, .n = 100000},
    {.name = "marker 1/20", .test = marker, .p = 0.05},
    {.name = "marker 1/1000", .test = marker, .p = 0.001},
    {.name = "marker 1/20000", .test = marker, .p = 0.00005},
    {.name = "slope 10%", .whole = slope, .n = 4096, .p = 0.1},
    {.name = "3 in a row", .test = in_a_row, .n = 3},
    {.name = "5 in a row", .test = in_a_row, .n = 5},
    {.name = "8 in a row", .test = in_a_row, .n = 8},
    {.name = "sum > 20000", .test = sum_over, .n = 20000},
    {.name = "messages, 10 then 1/50", .test = messages, .n = 10, .p = 0.02},
    {.name = "random strategy to 12", .test = drunkard, .n = 12},
    {.name = "length-prefixed list", .test = length_prefixed, .n = 20},
    {.name = "swarm queue", .test = swarm_queue, .n = 12},
    {.name = "plateau 4% from 16", .whole = plateau, .n = 16, .p = 0.04},
    {.name = "plateau 1% from 60", .whole = plateau, .n = 60, .p = 0.01},
    {.name = "whole hash 30%", .whole = whole_hash, .n = 41, .p = 0.3},
    {.name = "whole hash 10%", .whole = whole_hash, .n = 41, .p = 0.1},
    {.name = "whole hash 5%", .whole = whole_hash, .n = 41, .p = 0.05},
    {.name = "whole hash 2%", .whole = whole_hash, .n = 41, .p = 0.02},
    {.name = "odd sizes 50%", .whole = odd_sizes, .n = 33, .p = 0.5, .size_max = 4095},
    {.name = "records of 16, 100%", .whole = whole_records, .n = 64, .p = 1},
    {.name = "records of 16, 20%", .whole = whole_records, .n = 64, .p = 0.2},
    {.name = "only 100..200, 20%", .whole = window, .p = 0.2},
};
