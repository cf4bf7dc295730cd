/* fleet_folder.h: reads a findings folder of a fleet, and changes nothing in it. */
#ifndef FLEET_FOLDER_H
#define FLEET_FOLDER_H

#include "finding_table.h"
#include "fleet.h"
#include "store.h"

/* More findings of a folder than these are counted and not opened: the smallest ones matter. */
enum { FLEET_FOLDER_FINDINGS_MAX = 10000 };

/* Read the files of the workers. `skipped` takes those that cannot be read, by their names in the
 * folder workers/. A folder without workers has none. Return 0 or an errno. */
int fleet_folder_read_workers(fleet *f, const char *folder, store_skipped skipped);

#endif
