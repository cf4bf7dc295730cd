/* program_version.h: which file the target is, and whether it was replaced during the search. */
#ifndef PROGRAM_VERSION_H
#define PROGRAM_VERSION_H

#include "file_stamp.h"

#include <stdbool.h>

/* Zeroed nothing is known. */
typedef struct program_version {
    file_stamp now, before; /* what was run last, and what that replaced */
    bool is_replaced;       /* since the strategy began; the search begins anew then */
} program_version;

/* Take the file that a run was of. Return true if it replaced another one. Workers learn of it at
 * different times, so runs of the file before are no news. */
bool program_version_update(program_version *v, const file_stamp *ran);

/* True if a failure of this file may not be one of the present file. */
bool program_version_is_outdated(const program_version *v, const file_stamp *failed);

#endif
