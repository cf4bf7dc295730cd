/* fleet_json.h: a fleet as a JSON object (driver/tool.schema.json). */
#ifndef FLEET_JSON_H
#define FLEET_JSON_H

#include <jansson.h>

typedef struct fleet_view fleet_view;

/* Return the object, which the caller frees; NULL when out of memory. `status` is the exit status
 * of the tool, `when` the time of the look, UTC in ISO 8601. */
json_t *fleet_json(const fleet_view *v, int status, const char *when);

#endif
