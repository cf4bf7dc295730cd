/* report_story.h: the draws of a failure as a story, one row an operation. */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include "html.h"
#include "night.h"

/* Write the story of the smallest failure of the program that has one; else nothing. */
void report_story_put(html *h, const night_program *p);

#endif
