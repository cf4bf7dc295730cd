/* program_version.h: the file of the target, and its replacement during the search. */
#ifndef PROGRAM_VERSION_H
#define PROGRAM_VERSION_H

#include "file_stamp.h"

#include <stdbool.h>

/* Unknown if zeroed. */
typedef struct program_version {
    file_stamp now, before; /* the file that ran last, and the one that it replaced */
    bool is_replaced;       /* since the strategy began; the search begins anew then */
} program_version;

/* Record the file of a run. Return true if it replaced another one. Workers notice a replacement at
 * different times, so runs of the file before are no news. */
bool program_version_update(program_version *v, const file_stamp *ran);

/* True if a failure of this file may not be one of the present file. */
bool program_version_is_outdated(const program_version *v, const file_stamp *failed);

#endif
