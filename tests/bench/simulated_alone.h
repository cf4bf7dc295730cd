/* simulated_alone.h: whether a simulated worker does as the strategy does that makes every run. */
#ifndef SIMULATED_ALONE_H
#define SIMULATED_ALONE_H

#include "simulated_target.h"

#include <stdbool.h>

/* Compare searches of an hour that are alone, and print their means. False if the model's differ
 * from those of strategy.c by more than chance. */
bool simulated_alone_agrees(const simulated_target *t, unsigned searches);

#endif
