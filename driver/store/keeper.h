/* keeper.h: what one search or reduction keeps in a folder of findings.
 *
 * A finding that is in the folder is never written again, but for the final reruns of one that this
 * process wrote. What cannot be written stays in memory and is tried again: the best of each
 * signature. On a full disk larger findings of this process make room for smaller ones. Those of
 * other processes are never touched. */
#ifndef KEEPER_H
#define KEEPER_H

#include "store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct keeper keeper;

/* Keep findings in a store, which is borrowed. NULL when out of memory. */
keeper *keeper_create(store *s);
void keeper_destroy(keeper *k); /* NULL is allowed */

/* From now on this search adopts findings of others, and a smaller finding with a seed makes a
 * larger one of the same program, arguments, build, signature and site needless, if it failed in
 * all of its reruns: the larger one is not written. If this process wrote it, it is removed once
 * the smaller one has failed here too. */
void keeper_share(keeper *k);

/* Keep a finding that has just failed again here: write it, unless it is there already or needless.
 * A finding of another process that failed here is passed to this function, too. Return 0 if the
 * finding, or one that makes it needless, is on disk; else an errno: it stays in memory. If a
 * finding of another program or other arguments has its name, that stays, and this one gets a name
 * apart (EEXIST: that is taken, too). */
int keeper_save(keeper *k, const finding *f);

/* Write the name of a finding's file, of one that is not kept the one that it would have. */
void keeper_file(const keeper *k, const finding *f, char name[STORE_NAME_MAX]);

/* Write the final reruns and the remarks of a finding that this process wrote: once, when its
 * search ends. Its time stays. Do nothing if another process wrote it, or if it was never saved. */
void keeper_conclude(keeper *k, const finding *f);

/* Take note that an input passed here at least once: its finding makes no other one needless. The
 * next keeper_retry writes those that it made needless so far. */
void keeper_doubt(keeper *k, const seed_input *input);

/* Write what is only in memory, at each sync. If another folder is at the path than before, write
 * the best finding of each signature to it. `seen` is what store_look has just seen; NULL: look.
 * Return 0, or an errno: the folder is gone, or a finding is still only in memory. */
int keeper_retry(keeper *k, const store_stamp *seen);

/* The same at the end. A smaller finding that never failed here makes a larger one needless only if
 * it has all reruns of a final best. Return 0 if the best finding of each signature is on disk, or
 * went away with the folder after it was stored. */
int keeper_finish(keeper *k);

/* Counts since the start. */
typedef struct keeper_counts {
    uint64_t errors;  /* attempts to write that failed */
    uint64_t waiting; /* findings that are only in memory now */
    uint64_t removed; /* findings of this process that made room on a full disk */
    uint64_t moves;   /* how often another folder was at the path */
    bool is_gone;     /* at the end the folder was not there */
} keeper_counts;

keeper_counts keeper_count(const keeper *k); /* all 0 for NULL */

#endif
