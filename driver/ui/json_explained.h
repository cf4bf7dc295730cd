/* json_explained.h: what each draw of a failure means, as JSON. */
#ifndef JSON_EXPLAINED_H
#define JSON_EXPLAINED_H

#include "explanation.h"

#include <jansson.h>

/* Return the explanation as an object; null if there is none. */
json_t *json_explained(const explanation *e);

#endif
