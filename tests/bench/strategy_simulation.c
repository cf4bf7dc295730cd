/* strategy_simulation.c: the strategy against model systems, many times over, in one process.
 *
 *     strategy_simulation [--quick]
 *
 * A model is a pure function of (seed, style, size): does this run fail, and how many bytes had it
 * drawn. Models that draw do so with frng.h from the real expansion. Four tables are printed: what
 * a search costs and where it ends; how often the final claim of a search is false, of plain inputs
 * and of the mixture; and how the cost grows with size_max. Cost is in bytes: RUN_BYTES a run and
 * its size. */
#include "candidate_set.h"
#include "frng_expand.h"
#include "frng_more.h"
#include "strategy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATTEMPTS = 100, RUN_BYTES = 4096, BATCH = 64 };

#define MIB(n) ((uint64_t)(n) << 20)

/* ---- The entropy of a model: expanded as it is drawn ---- */

typedef struct entropy {
    frng_host host; /* first, so that fill() finds the rest */
    frng_expansion expansion;
    uint8_t *bytes; /* of the largest size any model sees */
} entropy;

static entropy source;

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

typedef struct model model;

struct model {
    const char *name;
    /* A run of a drawing model: false when out of entropy, else *fails. */
    bool (*test)(const model *m, frng *f, bool *fails);
    /* A run of a model that looks at the seed and the size as a whole and draws all. */
    bool (*whole)(const model *m, uint64_t seed, uint64_t size);
    uint64_t n; /* parameters, as the model likes */
    double p;
    double styled;     /* a model that looks at the whole: p of styled runs */
    uint64_t size_max; /* bytes; 0 for the usual */
};

typedef struct ending {
    bool failed;
    uint64_t drawn; /* bytes */
} ending;

static ending run_model(const model *m, seed_input t) {
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
static bool size_alone(const model *m, frng *f, bool *fails) {
    const uint8_t *bytes;
    FRNG_TRY(frng_bytes(f, (size_t)m->n, &bytes));
    *fails = true;
    return true;
}

/* The same, but it reads all before it looks. */
static bool size_read_whole(const model *m, uint64_t seed, uint64_t size) {
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
static bool marker(const model *m, frng *f, bool *fails) {
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

static bool plateau(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < plateau_share(m, size);
}

/* The share grows with the logarithm of the size, up to n bytes. */
static double slope_share(const model *m, uint64_t size) {
    const double part = log2(1 + (double)size) / log2(1 + (double)m->n);
    return m->p * (part < 1 ? part : 1);
}

static bool slope(const model *m, uint64_t seed, uint64_t size) {
    return hashed(seed, 1) < slope_share(m, size);
}

/* A hash of all the input decides, so a prefix says nothing. */
static bool whole_hash(const model *m, uint64_t seed, uint64_t size) {
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
static bool terraces(const model *m, uint64_t seed, uint64_t size) {
    if (size < m->n) return false;
    const double terrace = floor(log2((double)size) * 6);
    return hashed(seed, 1 + (uint64_t)terrace) < m->p;
}

static bool never(const model *m, uint64_t seed, uint64_t size) {
    (void)m, (void)seed, (void)size;
    return false;
}

static const model models[] = {
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
enum { MODELS = sizeof models / sizeof models[0] };

/* ---- Searches ---- */

typedef struct search {
    strategy_claim claim;
    uint64_t runs;
    double cost; /* bytes */
} search;

static search simulate(const model *m, const strategy_config *config, bool drawn_known) {
    search s = {.runs = 0};
    strategy *w = strategy_create(config);
    batch t;
    while (strategy_next(w, BATCH, &t) == STRATEGY_RUN) {
        ending v = {false, 0};
        uint32_t ran = 0;
        while (ran < t.count && !v.failed) v = run_model(m, batch_input(&t, ran++));
        strategy_feed(w, ran, v.failed, v.failed && drawn_known ? v.drawn : STRATEGY_DRAWN_UNKNOWN);
        s.runs += ran;
        s.cost += (double)ran * (double)(RUN_BYTES + t.size);
    }
    s.claim = strategy_claim_now(w);
    strategy_destroy(w);
    return s;
}

typedef struct summary {
    uint64_t found;                 /* searches that met a failure; sizes are of these */
    uint64_t median, ninety, worst; /* bytes; nine in ten searches end at `ninety` or below */
    double runs, cost;              /* means */
} summary;

static int compare_sizes(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static summary repeat(const model *m, strategy_config config, bool drawn_known,
                      uint64_t repetitions) {
    summary sum = {.found = 0};
    uint64_t *sizes = calloc(repetitions, sizeof *sizes);
    if (sizes == NULL) abort();
    for (uint64_t i = 0; i < repetitions; i++) {
        config.master_seed = i;
        const search s = simulate(m, &config, drawn_known);
        sum.runs += (double)s.runs / (double)repetitions;
        sum.cost += s.cost / (double)repetitions;
        if (s.claim.failed) sizes[sum.found++] = s.claim.best.size;
    }
    qsort(sizes, sum.found, sizeof *sizes, compare_sizes);
    if (sum.found > 0) {
        sum.median = sizes[sum.found / 2];
        sum.ninety = sizes[sum.found * 9 / 10];
        sum.worst = sizes[sum.found - 1];
    }
    free(sizes);
    return sum;
}

static strategy_config config_of(const model *m) {
    return (strategy_config){.attempts = ATTEMPTS,
                             .size_max = m->size_max > 0 ? m->size_max : MIB(4)};
}

/* ---- What a search costs and where it ends ---- */

static void print_summary(const summary *s) {
    printf("| %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %5.0f %7.2f ", s->median, s->ninety, s->worst,
           s->runs, s->cost / 0x1p20);
}

/* False if a search for a model that fails on size alone did not end at just that size. */
static bool print_search_row(const model *m, bool known, uint64_t repetitions) {
    const summary s = repeat(m, config_of(m), known, repetitions);
    printf("%-25s %-7s ", m->name, known ? "known" : "unknown");
    print_summary(&s);
    printf("|%s\n", s.found < repetitions ? " MISSED" : "");
    const bool exact = m->test == size_alone || m->whole == size_read_whole;
    return !exact || (s.median == m->n && s.worst == m->n);
}

static bool print_searches(uint64_t repetitions) {
    bool exact = true;
    printf("Searches, %d attempts, %" PRIu64 " of each. Sizes in bytes: median, nine in ten,"
           " worst; runs and MiB on average.\n\n",
           ATTEMPTS, repetitions);
    printf("%-25s %-7s | %6s %6s %6s %5s %7s |\n", "model", "drawn", "median", "9/10", "worst",
           "runs", "MiB");
    for (size_t i = 0; i < MODELS; i++) {
        const model *m = &models[i];
        if (!print_search_row(m, true, repetitions)) exact = false;
        if (!print_search_row(m, false, repetitions)) exact = false;
    }
    return exact;
}

/* ---- What a search says, and how often that is false ---- */

/* The true share of failures at a size. */
static double truth(const model *m, uint64_t size) {
    if (m->test == marker) return 1 - pow(1 - m->p, (double)(size / 8));
    if (m->whole == plateau) return plateau_share(m, size);
    if (m->whole == slope) return slope_share(m, size);
    if (m->whole == whole_hash || m->whole == terraces) return size >= m->n ? m->p : 0;
    abort();
}

typedef struct refutation {
    double ours, three; /* shares of the searches */
    double bound;       /* mean */
} refutation;

/* The true share of failures in the runs of a search. */
static double truth_of(const model *m, seed_expansion expand, uint64_t size) {
    model styled = *m;
    styled.p = m->styled;
    return expand == EXPAND_BOTH ? (truth(m, size) + truth(&styled, size)) / 2 : truth(m, size);
}

static refutation refute(const model *m, seed_expansion expand, uint64_t repetitions) {
    refutation r = {.ours = 0};
    strategy_config config = config_of(m);
    config.expand = expand;
    for (uint64_t i = 0; i < repetitions; i++) {
        config.master_seed = ~i;
        const strategy_claim claim = simulate(m, &config, true).claim;
        if (!claim.failed) continue;
        const double share = truth_of(m, expand, claim.below);
        if (share > claim.confidence_bound) r.ours += 1 / (double)repetitions;
        if (share > 3 / (double)claim.passed) r.three += 1 / (double)repetitions;
        r.bound += claim.confidence_bound / (double)repetitions;
    }
    return r;
}

static const double shares[] = {0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.1, 0.2};
enum { SHARES = sizeof shares / sizeof shares[0] };

static const model shapes[] = {{.name = "plateau from 16", .whole = plateau, .n = 16},
                               {.name = "plateau from 1000", .whole = plateau, .n = 1000},
                               {.name = "slope to 4096", .whole = slope, .n = 4096},
                               {.name = "whole hash from 41", .whole = whole_hash, .n = 41},
                               {.name = "terraces from 16", .whole = terraces, .n = 16},
                               {.name = "marker", .test = marker}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* False if the claims are false too often. */
static bool print_claim_row(const model *m, seed_expansion expand, uint64_t repetitions) {
    const refutation r = refute(m, expand, repetitions);
    const double shape = expand == EXPAND_BOTH ? (m->p + m->styled) / 2 : m->p;
    printf("%-20s %5.1f%% | %8.1f%% %6.1f%% %6.1f%%\n", m->name, 100 * shape, 100 * r.bound,
           100 * r.ours, 100 * r.three);
    return r.ours <= 0.05;
}

static bool print_claims(uint64_t repetitions) {
    bool honest = true;
    printf("\nFinal claims that are false, of %" PRIu64
           " searches; at most 5%% should be. Beside it"
           " the rule of three.\n\n%-20s %6s | %9s %7s %7s\n",
           repetitions, "shape", "fails", "it says", "false", "three");
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            model m = shapes[i];
            m.p = shares[k];
            if (!print_claim_row(&m, EXPAND_UNIFORM, repetitions)) honest = false;
        }
    }
    return honest;
}

/* Mixtures in which both styles fail alike, one of them alone, or one of them often. A marker draws
 * its bytes, and its share of styled ones is not known. */
static bool print_claims_of_mixtures(uint64_t repetitions) {
    static const double parts[][2] = {{1, 1}, {2, 0}, {0, 2}, {0.2, 1.8}, {1.8, 0.2}};
    bool honest = true;
    printf("\nThe same of mixtures; the shape is the mean of both styles, before it their parts."
           "\n\n");
    for (size_t i = 0; i < SHAPES; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            for (size_t j = 0; j < sizeof parts / sizeof *parts && shapes[i].whole != NULL; j++) {
                model m = shapes[i];
                m.p = shares[k] * parts[j][0];
                m.styled = shares[k] * parts[j][1];
                printf("%3.1f + %3.1f  ", parts[j][0], parts[j][1]);
                if (!print_claim_row(&m, EXPAND_BOTH, repetitions)) honest = false;
            }
        }
    }
    return honest;
}

/* ---- How cost grows with size_max ---- */

static void print_growth(uint64_t repetitions) {
    static const model growing[] = {{.name = "never fails", .whole = never},
                                    {.name = "size >= 41", .test = size_alone, .n = 41},
                                    {.name = "marker 1/20000", .test = marker, .p = 0.00005},
                                    {.name = "size >= 50000", .test = size_alone, .n = 50000}};
    printf("\nCost by size_max: runs, and MiB.\n\n%-16s %9s | %18s\n", "model", "size_max",
           "runs, MiB");
    for (size_t i = 0; i < sizeof growing / sizeof growing[0]; i++) {
        for (uint64_t kib = 64; kib <= 64 * 1024; kib *= 4) {
            model m = growing[i];
            m.size_max = kib * 1024;
            printf("%-16s %5" PRIu64 " KiB", m.name, kib);
            const summary sum = repeat(&m, config_of(&m), true, repetitions);
            printf(" | %7.0f %10.1f\n", sum.runs, sum.cost / 0x1p20);
        }
    }
}

int main(int argc, char **argv) {
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: strategy_simulation [--quick]\n");
        return 2;
    }
    source.bytes = malloc(MIB(64));
    if (source.bytes == NULL) abort();
    const bool exact = print_searches(quick ? 40 : 400);
    const bool honest = print_claims(quick ? 200 : 2000);
    const bool mixed_honest = print_claims_of_mixtures(quick ? 100 : 1000);
    print_growth(quick ? 10 : 100);
    free(source.bytes);
    if (!exact) printf("\nWRONG: a model of size alone did not end at its size\n");
    if (!honest || !mixed_honest) printf("\nWRONG: claims are false more often than they say\n");
    return exact && honest && mixed_honest ? EXIT_SUCCESS : EXIT_FAILURE;
}
