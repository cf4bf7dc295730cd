/* excerpt.h: the lines of an output that tell a person why a run failed. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include "bytes.h"

#include <stdio.h>

/* Print six lines at most, the first one behind the label "output": all of them where there are no
 * more. Else the first line that names a failure, the line after it and the last line that names
 * one, or else the first two lines; and then the last ones. A line "..." stands for those left out
 * between them. Nothing is printed for an output without words. */
void excerpt_put(FILE *out, const bytes_tail *output);

#endif
