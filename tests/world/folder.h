/* folder.h: a file system in memory for several processes, which die, and for a machine that loses
 * power. */
#ifndef WORLD_FOLDER_H
#define WORLD_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

enum {
    WORLD_NODES = 257,
    WORLD_PROCESSES = 4,
    WORLD_NAME = 64,
    WORLD_ENTRIES = 64,
    WORLD_BYTES = 3072
};

/* What a call of a process meets. */
typedef enum world_fault {
    FAULT_KILL,  /* the process dies before the call */
    FAULT_POWER, /* all do, and what is not synced may be gone */
    FAULT_ONCE,  /* the call fails */
    FAULT_DONE,  /* the call does its work, and fails */
    FAULT_LONG,  /* this call and many after it fail */
    FAULTS
} world_fault;

typedef struct world_file {
    const char *name;
    const char *bytes; /* those that are safe, if the caller asked for these */
    size_t size;
    int folder; /* that it is in */
} world_file;

/* Make an empty world. Calls of process 0, the user, never fail. `point` is called in each call of
 * another process: there others may go on. */
void world_begin(int (*who)(void), void (*point)(const char *what));

/* Let call number `when` of a process from now on, from 1, meet a fault. 0: none. */
void world_plan(int who, int when, world_fault what, int error);

/* Let no call of a process fail from now on. */
void world_calm(int who);

/* Begin another life of a process. */
void world_start(int who);
bool world_is_dead(int who);
bool world_lost_power(void); /* once, or more often */
void world_hours_pass(void);

/* When the power fails, are names that are not synced kept? Their files then lack what is not. */
void world_keep_names(bool are_kept);

/* Call `take` with each file in all folders, as it is now, or as it is after a loss of power. */
typedef enum world_view { VIEW_NOW, VIEW_SAFE } world_view;
void world_each(world_view view, void (*take)(void *context, const world_file *f), void *context);

/* Of the test: see what a process is about to do. `old` is what has the name, or NULL. */
void world_sees_rename(int who, const world_file *made, const world_file *old);
void world_sees_unlink(int who, const world_file *old);

#endif
