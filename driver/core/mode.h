/* mode.h: the ways to make a run. */
#ifndef MODE_H
#define MODE_H

/* The slowest and plainest first. */
typedef enum run_mode {
    MODE_SPAWN,     /* a fresh process for each run */
    MODE_FORK,      /* a fork for each run, of a process that stays */
    MODE_PERSISTENT /* many runs in one process */
} run_mode;

/* The words for --mode, reports and JSON. */
const char *run_mode_name(run_mode mode);

#endif
