/* failure_fields.h: a failure in the fields of an event, or in a finding. */
#ifndef FAILURE_FIELDS_H
#define FAILURE_FIELDS_H

#include "finding.h"
#include "night.h"

#include <jansson.h>

/* Read the failure of an event, which the caller finishes. It is not known if it has no size. */
void failure_fields_read(night *n, const json_t *line, night_failure *f);

/* Read the failure of a finding in the file `path`. */
void failure_fields_of_finding(night *n, const finding *from, const char *path, night_failure *f);

#endif
