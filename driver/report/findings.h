/* findings.h: reads a folder of findings into a night. */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "night.h"
#include "store.h"

/* A folder of findings. `skipped` takes the files that are named as findings, but are none. */
typedef struct findings_folder {
    const char *path;
    store_skipped skipped;
} findings_folder;

/* Read the findings of a folder, which is there and stays as it is. Return 0 or an errno. */
int findings_read(night *n, const findings_folder *from);

#endif
