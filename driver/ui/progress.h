/* progress.h: signs of life on standard error while a search or a reduction runs. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "summary.h"

/* On a terminal one line that is rewritten; elsewhere a plain line now and then, so that a log
 * shows life and stays short. Zeroed it is ready. */
typedef struct progress_line {
    int64_t next_ns;  /* elapsed time at which to show the next one */
    int64_t pause_ns; /* between plain lines; grows */
} progress_line;

void progress_line_show(progress_line *line, run_task t, const progress *p);

#endif
