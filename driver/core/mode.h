/* mode.h: the ways to execute a run. */
#ifndef MODE_H
#define MODE_H

/* In order of speed: the slowest and plainest first. */
typedef enum run_mode {
    MODE_SPAWN,     /* a fresh process for each run */
    MODE_FORK,      /* a fork of the fork server for each run */
    MODE_PERSISTENT /* many runs in one process */
} run_mode;

/* Return the word for a mode in --mode, reports and JSON. */
const char *run_mode_name(run_mode mode);

#endif
