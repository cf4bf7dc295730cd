/* json_statistics.h: statistics of runs as JSON. */
#ifndef JSON_STATISTICS_H
#define JSON_STATISTICS_H

#include "tally.h"

#include <jansson.h>

/* Return a new object; NULL when out of memory. */
json_t *json_statistics(const tally *t);

#endif
