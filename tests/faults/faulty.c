/* In test builds of the tools only: what is to fail, from the environment, before main begins. */
#include "faults.h"

#include <stdlib.h>

__attribute__((constructor)) static void begin(void) {
    const char *plan = getenv("FRNG_FAULTS"), *log = getenv("FRNG_FAULTS_LOG");
    if (log != NULL && !faults_keep_log(log)) abort();
    if (plan != NULL && plan[0] != '\0' && !faults_plan(plan)) abort();
    if ((plan != NULL || log != NULL) && !faults_begin()) abort();
}
