/* null_test [BYTES]: draws so many bytes, or all, and passes; to measure what a run costs around
 * the test. bare_loop calls the same test. SPDX-License-Identifier: MIT */
#include "null_test.h"

#include "frng_main.h"

int main(int argc, char **argv) {
    (void)argc;
    null_test_parse(argv + 1);
    return frng_run(null_test);
}
