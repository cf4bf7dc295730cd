/* keeper.h: what one search or reduction keeps in a folder of findings. */
#pragma once

#include "store.h"

typedef struct keeper keeper;

/* Keep findings in a folder: all of one program and one list of arguments. All are borrowed. */
keeper *keeper_create(const char *folder);
void keeper_destroy(keeper *k); /* NULL is allowed */

/* Keep a finding that has just failed again here: write it, unless it is there already, and then
 * remove those that it replaces: larger ones of its signature that this process wrote. A finding of
 * another process that failed here is passed to this function, too. Return 0 if the finding is on
 * disk; else an errno: it stays in memory. If a finding of another program or other arguments has
 * its name, that stays, and this one gets a name apart (EEXIST: that is taken, too). */
int keeper_save(keeper *k, const finding *f);

/* Take the answer of another process's reduction, of the same build, that is in the folder, after
 * the seed that it began with has failed here with its signature. It replaces what this process
 * wrote and is worse. */
void keeper_adopt(keeper *k, const finding *f);

/* Write the name of a finding's file; for a seed that is not kept, of the answer that is better, or
 * else the name that it would have. */
void keeper_file(const keeper *k, const finding *f, char name[STORE_NAME_MAX]);

/* Write the final reruns and the remarks of a finding that was saved, when its search ends. Its
 * time stays. What the file has of the same build is never less than before. */
void keeper_conclude(keeper *k, const finding *f);

/* Write what is only in memory, at each sync. If another folder is at the path than before, write
 * the best finding of each signature to it. `seen` is what store_look has just seen; NULL: look.
 * Return 0, or an errno: the folder is gone, or a finding is still only in memory. */
int keeper_retry(keeper *k, const file_stamp *seen);

/* The same at the end. Return 0 if the best finding of each signature is on disk, or went away with
 * the folder after it was stored. */
int keeper_finish(keeper *k);

/* Counts since the start. */
typedef struct keeper_counts {
    uint64_t errors;  /* attempts to write that failed */
    uint64_t waiting; /* findings that are only in memory now */
    bool is_gone;     /* at the end the folder was not there */
} keeper_counts;

keeper_counts keeper_count(const keeper *k); /* all 0 for NULL */
