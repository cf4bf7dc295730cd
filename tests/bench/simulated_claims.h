/* simulated_claims.h: attacks on the claims of searches that keep going, alone and in fleets.
 *
 * Each search begins below a failure, and doubles its attempts whenever it is done. After each run
 * its claim is compared with the truth: an adversary who knows the truth stops it at its worst
 * moment, so that it counts as false if it ever was. */
#ifndef SIMULATED_CLAIMS_H
#define SIMULATED_CLAIMS_H

#include "simulated_models.h"
#include "strategy.h"

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
