/* story_fields.h: the draws of a run in the fields of an event. */
#ifndef STORY_FIELDS_H
#define STORY_FIELDS_H

#include "story.h"

#include <jansson.h>
#include <stdbool.h>

/* Add the draw of an object: `step`, `note`, `notes`, `offset`, `bytes`, `kind`, `value`, `text`.
 * If it has a `step_number`, the step begins only where that changes. Returns false when out of
 * memory. */
bool story_fields_add(const json_t *item, story *s);

/* Add a line that the test says: `step`, `step_number`, `text`. Returns false without memory. */
bool story_fields_add_say(const json_t *item, story *s);

/* Replace the story by the explanation of an event, if it has one. Returns false when out of
 * memory. */
bool story_fields_read(const json_t *line, story *s);

#endif
