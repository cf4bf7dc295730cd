/* simulated.h: model systems for strategy_simulation, and attacks on what a search claims of them.
 * A model is a pure function of (seed, style, size): does this run fail, and how many bytes had it
 * drawn. Models that draw do so with frng.h from the real expansion. */
#ifndef SIMULATED_H
#define SIMULATED_H

#include "frng.h"
#include "seed_input.h"
#include "strategy.h"

#define MIB(n) ((uint64_t)(n) << 20)

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

enum { MODELS = 32 };
extern const model models[MODELS];

/* Before the first run: inputs have at most `size_max` bytes. */
void models_init(uint64_t size_max);
void models_finish(void);
ending run_model(const model *m, seed_input t);

/* The shapes that claims are tried on. */
bool marker(const model *m, frng *f, bool *fails);
bool size_alone(const model *m, frng *f, bool *fails);
bool size_read_whole(const model *m, uint64_t seed, uint64_t size);
bool plateau(const model *m, uint64_t seed, uint64_t size);
bool slope(const model *m, uint64_t seed, uint64_t size);
bool whole_hash(const model *m, uint64_t seed, uint64_t size);
bool terraces(const model *m, uint64_t seed, uint64_t size);
bool rare_from(const model *m, uint64_t seed, uint64_t size);
bool never(const model *m, uint64_t seed, uint64_t size);

/* Return the share of the runs that fail at a size: of a marker, a plateau, a slope, a hash or
 * terraces. */
double model_share(const model *m, seed_expansion expand, uint64_t size);

/* ---- Attacks (simulated_claims.c) ----
 *
 * On the claims of searches that keep going, alone and in fleets. Each search begins below a
 * failure, and doubles its attempts whenever it is done. After each run its claim is compared with
 * the truth: an adversary who knows the truth stops it at its worst moment, so that it counts as
 * false if it ever was. */

typedef struct fleet fleet;

typedef struct claim_attack {
    const char *name;
    unsigned workers;
    void (*meddle)(fleet *f); /* after each step of a worker: makes workers adopt failures */
    bool reads_signs;         /* pooled are the last signs of the workers, given now and then */
} claim_attack;

enum { CLAIM_ATTACKS = 8 };
extern const claim_attack claim_attacks[CLAIM_ATTACKS];

/* How often a claim was false at any moment, as shares of the repetitions. */
typedef struct claim_refutation {
    double own;     /* of one worker, in the mean */
    double pooled;  /* of the fleet */
    double unwary;  /* of the fleet, if each claim counted one stretch only */
    double adopted; /* adoptions of a worker, in the mean */
} claim_refutation;

claim_refutation claim_attack_run(const claim_attack *a, const model *m, seed_expansion expand,
                                  uint64_t repetitions);

#endif
