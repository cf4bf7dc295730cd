/* kept.h: the findings that a keeper knows of, in memory. */
#ifndef KEPT_H
#define KEPT_H

#include "failure.h"
#include "store.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum kept_place {
    KEPT_IN_MEMORY, /* it could not be written yet */
    KEPT_ON_DISK    /* this process or another one wrote it */
} kept_place;

typedef enum kept_writer {
    KEPT_OF_OTHERS, /* or of none yet */
    KEPT_OF_US,
    KEPT_CONCLUDED /* with its final reruns */
} kept_writer;

enum { KEPT_WHEN_MAX = 32, KEPT_DIGEST_MAX = 2 * 32 + 1 };

/* A finding that failed here. Owned by its list. */
typedef struct kept {
    char name[STORE_NAME_MAX]; /* by store_name */
    char file[STORE_NAME_MAX]; /* the same, or by store_name_apart */
    seed_input input;
    bool has_bytes, is_reduced;
    bool
        has_seed; /* of bytes: their reduction has ended, and began with a seed that the text has */
    signature signature;
    char site[SITE_MAX];
    char digest[KEPT_DIGEST_MAX]; /* of the build that failed; "": unknown */
    char when[KEPT_WHEN_MAX];
    kept_place place;
    kept_writer writer;
    unsigned reruns, repeated; /* of the text */
    unsigned round;            /* in which the keeper tried it last */
    bool is_outdated;          /* this process wrote the file, of an earlier build */
    char *text;                /* the file */
} kept;

/* In the order in which they were added. Empty if zeroed. */
typedef struct kept_list {
    kept **list; /* owned */
    size_t count;
} kept_list;

void kept_list_finish(kept_list *l);

/* Add a finding, or update the one of its name: its text only if that is not on disk or is of
 * another build, and never its time. Return NULL when out of memory. */
kept *kept_list_put(kept_list *l, const finding *f);

/* Return the one of this name, or NULL. */
kept *kept_list_find(const kept_list *l, const char *name);

/* Forget one. */
void kept_list_drop(kept_list *l, const kept *e);

/* Replace the text, but for its time. Return false when out of memory: the text stays. */
bool kept_rewrite(kept *e, const finding *f);

/* True if a finding of the same name has other reruns than the text, remarks, or is reduced now. */
bool kept_is_news(const kept *e, const finding *f);

/* True if a finding that was read is of the same program and arguments. Programs are compared by
 * file name, without their folders. */
bool kept_has_subject(const kept *e, const finding *other);

/* Let the file have a name apart. Return false if it has one already. */
bool kept_set_apart(kept *e);

/* True if `a` is to replace `b`: it has the same build, signature and site, is smaller, and always
 * failed, or both are flaky. Of bytes of one size the later ones are the simpler ones. Bytes
 * replace a seed, which a later search starts from, once they have it: at the end of their
 * reduction. */
bool kept_replaces(const kept_list *l, const kept *a, const kept *b);

#endif
