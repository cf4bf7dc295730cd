/* findings.h: reads a folder of findings into a night. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "night.h"

/* Read the findings of a folder that exists. `skipped` takes files that are no findings (store.h).
 * Returns 0 or an errno. */
int findings_read(night *n, const char *folder,
                  void (*skipped)(const char *folder, const char *name, const char *why));

#endif
