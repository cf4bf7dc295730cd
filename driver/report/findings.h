/* findings.h: reads a folder of findings into a night. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "night.h"
#include "store.h"

/* Read the findings of a folder that exists, and leave it as it is. `skipped` takes files that are
 * no findings. Returns 0 or an errno. */
int findings_read(night *n, const char *folder, store_skipped skipped, void *context);

#endif
