/* Change no value, but write each in the one way that is its smallest: without numbers that the
 * draw rejects. */
#include "pass.h"

static bool find(const testcase *t, site *s) {
    (void)t;
    return s->c == 0;
}

static bool edit(const testcase *t, const site *s, uint64_t by, patch *p) {
    (void)t;
    (void)s;
    (void)by;
    (void)p;
    return true;
}

const pass pass_canonical = {"canonical", false, STEP_ALL, find, pass_limit_one, edit};
