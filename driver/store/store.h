/* store.h: a failure as a small JSON file, and a folder of findings for any number of writers. */
#pragma once

#include "explanation.h"
#include "failure.h"
#include "files.h"

/* ---- A finding ---- */

/* The versions of the file's format: the second if the seed is styled, so that no reader of the
 * first takes it for a plain one. A reader skips files of a later version than it expects.
 */
enum { FINDING_FORMAT_PLAIN = 1, FINDING_FORMAT_STYLED };

enum {
    FINDING_BYTES_MAX = 64 << 20,                          /* of its entropy, which is hex there */
    FINDING_SIZE_MAX = 2 * FINDING_BYTES_MAX + 1024 * 1024 /* of its file */
};

/* A failure and its target. The writer borrows the pointers. Those of a finding that was read live
 * until finding_free, and are NULL where the file has no value. */
typedef struct finding {
    const char *sut;        /* path of the target, as the user wrote it */
    const char *sut_digest; /* hex BLAKE2b-256 of the target's file */
    const char **args;      /* arguments of the target, ended by NULL */
    failure of;             /* without its output; its size is that of `bytes`, if there are any */
    const uint8_t *bytes;   /* the entropy, or NULL: expand the seed */
    seed_input from;        /* the seed of the input that was reduced; its size is 0 if unknown */
    const char *when;       /* UTC, ISO 8601 */
    remarks remarks;        /* what each draw means; may be none */
    const char *output;     /* what the run printed, as bytes_tail_text writes it; NULL: not kept */
    void *owned;            /* private to finding.c */
} finding;

/* True if a finding is of this program and these arguments. Programs are compared by file name,
 * without their folders. */
bool finding_has_subject(const finding *f, const char *sut, const char *const *args);

/* Return the finding as JSON text, ended by a newline, which the caller frees. */
char *finding_to_json(const finding *f);

/* Parse `size` bytes. On failure return false; *why is a short constant text for the user. */
bool finding_from_json(const char *text, size_t size, finding *f, const char **why);

/* Read and parse a file of at most FINDING_SIZE_MAX bytes; once more if it is gone, or was replaced
 * meanwhile. The rest is as above; on failure errno is as in
 * atomic_file_read, or 0. */
bool finding_read(int folder_fd, const char *path, finding *f, const char **why);

void finding_free(finding *f);

/* ---- Names ----
 *
 * The names of the findings are the index of a folder: their order is that of the sizes, so that
 * the best finding is known before any is opened. */

/* A name is <size, 10 digits>-<seed, 16 hex digits>.json, with an s behind a styled seed. */
enum { STORE_NAME_MAX = 34 };

/* True if a file's name has this format. */
bool store_is_name(const char *name);

/* Return the size in such a name, in bytes of entropy. */
uint64_t store_name_size(const char *name);

/* Names in their order, the smallest first; empty when zeroed. */
typedef struct store_names {
    char (*list)[STORE_NAME_MAX];
    size_t count;
} store_names;

void store_names_free(store_names *names);

bool store_names_has(const store_names *names, const char *name);

/* Add a name that may be there already. */
void store_names_add(store_names *names, const char *name);

/* Make a folder, and those above it, if they are missing. Remove what killed writers left in it.
 * Return 0 or an errno. */
int store_make(const char *folder);

/* Write the name of a finding. If it has bytes, a digest of them stands for the seed. */
void store_name(const finding *f, char name[STORE_NAME_MAX]);

/* Change a name to one that depends on the program and the arguments too: for a finding whose name
 * is that of one of another program. */
void store_name_apart(const char *sut, const char *const *args, char name[STORE_NAME_MAX]);

/* Write or replace a file; without a text, sync what another process wrote. Only in the folder
 * that the stamp is of; NULL: in any. Return 0 when it is on disk, else an errno. */
int store_write(const char *folder, const file_stamp *of, const char *name, const char *text,
                size_t size);

/* The folder of failures that never failed again, within the folder of findings, and how many it
 * has at most. Its files are findings, but those of no list: nothing runs them unless it is told
 * to. */
#define STORE_UNCONFIRMED "unconfirmed"
enum { STORE_UNCONFIRMED_MAX = 16 };

/* Write such a failure there, under the name that it gets. False if it is not written: the folder
 * is full, or cannot be used. */
bool store_set_aside(const char *folder, const finding *f, char name[STORE_NAME_MAX]);

/* Remove a file, if that can be done, from the folder that the stamp is of. */
void store_remove(const char *folder, const file_stamp *of, const char *name);

/* List the names of the findings. Return 0 or an errno. The caller calls store_names_free. */
int store_list(const char *folder, store_names *names);

/* Read a file of the folder. The caller calls finding_free. On failure return false; *why is a
 * short constant text for the user, or NULL if there is no such file any more; errno is that of the
 * system, or 0 if the file was read and is no finding. */
bool store_read(const char *folder, const char *name, finding *f, const char **why);

/* See which folder is at the path, and when its names changed, by the clock of its file system: one
 * call to the system. Return 0 or an errno. */
int store_look(const char *folder, file_stamp *seen);
