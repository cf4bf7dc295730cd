/* mode.h: the ways to execute a run, to feed it and to contain it. */
#ifndef MODE_H
#define MODE_H

/* In order of speed: the slowest and plainest first. */
typedef enum run_mode {
    MODE_SPAWN,     /* a fresh process for each run */
    MODE_FORK,      /* a fork of the fork server for each run */
    MODE_PERSISTENT /* many runs in one process */
} run_mode;

/* Return the word for a mode in --mode, reports and JSON. */
static inline const char *run_mode_name(run_mode mode) {
    static const char *const names[] = {
        [MODE_SPAWN] = "spawn", [MODE_FORK] = "fork", [MODE_PERSISTENT] = "persistent"};
    return names[mode];
}

typedef enum run_stdin {
    RUN_STDIN_FILE, /* a memory file: a read returns all requested bytes */
    RUN_STDIN_PIPE  /* a pipe: reads return fewer bytes, as is usual for pipes */
} run_stdin;

/* Ordered from the weakest, which every process may use, to the strongest, which only some machines
 * permit. */
typedef enum containment {
    CONTAINMENT_SUBREAPER, /* adopts orphans, and kills them one by one */
    CONTAINMENT_USER,      /* pid 1 of a pid namespace, inside a user namespace */
    CONTAINMENT_NAMESPACE  /* pid 1 of a pid namespace */
} containment;

/* Kinds of isolation violations, which show that runs in a shared process cannot be trusted. */
typedef enum isolation_violation {
    ISOLATION_NONE,
    ISOLATION_FRESH_PASSES, /* a run failed, but passes in a fresh process */
    ISOLATION_FRESH_FAILS,  /* a run passed, but fails in a fresh process */
    ISOLATION_OTHER_COUNT,  /* a run drew another number of bytes than in a fresh process */
    ISOLATION_OTHER_DRAWS,  /* a run made other draws than in a fresh process */
    ISOLATION_BATCH_END,    /* all runs passed, and then their process failed at its exit */
    ISOLATION_LEFTOVER      /* a run left processes behind */
} isolation_violation;

#endif
