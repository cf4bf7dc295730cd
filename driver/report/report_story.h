/* report_story.h: the draws of a failure as a story, one row an operation. */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include "html.h"
#include "night.h"

/* Return the work that has the story of the smallest failure of the program; NULL if none has. */
const night_work *report_story_of(const night_program *p);

/* Write this story; nothing if there is none. */
void report_story_put(html *h, const night_program *p);

/* Write the story of a work, of at most `most` rows or draws, without a heading. */
void report_story_put_work(html *h, const night_work *w, size_t most);

#endif
