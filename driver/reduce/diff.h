/* diff.h: how two test cases differ, as a patch. */
#ifndef DIFF_H
#define DIFF_H

#include "patch.h"

/* Make *p what turns `t`, of bytes that nobody tells the meaning of, into these bytes. False when
 * it takes more than to leave something out, or that in more places than a patch has room for. */
bool diff_deletions(const testcase *t, const uint8_t *bytes, size_t size, patch *p);

/* Make *p the one change of draws that leads from `t` to `next`, to move other patches by: what is
 * put in their place it does not say. False when there is none. */
bool diff_change(const testcase *t, const testcase *next, patch *p);

#endif
