/* progress.h: the progress of a search or a reduction, on standard error. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "summary.h"

/* The progress line. On a terminal one line is rewritten. Elsewhere plain lines appear at growing
 * intervals, so that a log shows life and stays short. Ready when zeroed. */
typedef struct progress_line {
    int64_t next_ns;  /* elapsed time of the next line */
    int64_t pause_ns; /* time between lines; grows for plain lines */
} progress_line;

void progress_line_show(progress_line *line, run_task t, const progress *p);

#endif
