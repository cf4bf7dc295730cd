/* challenges NAME, or the program linked as NAME: a system under test whose smallest failure is
 * known. frng-reduce is measured on them (challenges.py). SPDX-License-Identifier: MIT */
#include "challenge.h"

#include <frng_main.h>

const challenge *this_challenge;

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = argc > 1 ? argv[1] : slash != NULL ? slash + 1 : argv[0];
    return find_challenge(name) ? frng_run(run_challenge) : 64;
}
