/* file_set.h: the files that are reduced together by one predicate: one, several or a folder.
 *
 * Several files have a folder as their output, which is replaced as a whole, too. */
#pragma once

#include "atomic_file.h"
#include "predicate.h"
#include "session.h"

/* How the files are named in the folders of runs. */
typedef enum file_naming {
    NAMED_ALONE,  /* a file by its name, one of a folder by the folder's name and its path in it */
    NAMED_INSIDE, /* those of the only folder by their paths in it */
    NAMED_BELOW   /* by their paths from the current folder, where they are below it */
} file_naming;

typedef struct set_file {
    char *path;         /* of the original */
    char *below;        /* its path in the output, which is a folder */
    char *name;         /* its path in the folders of runs */
    size_t operand;     /* the one that it is of */
    bool is_single;     /* it is the operand itself, not in it */
    input_source first; /* bytes of the original */
    uint8_t *best;      /* owned; NULL: those of the original */
    uint64_t rests;     /* the set's `steps` when the file was last reduced to its end, and 1 */
    bool is_put;        /* the output has it as it is */
    bool goes;          /* for the caller: it goes in what is tried */
} set_file;

typedef struct file_set {
    char **operands; /* of the user */
    char **names;    /* of each, for runs: arguments of the predicate; ended by NULL */
    size_t operand_count;
    set_file *files;      /* the largest first */
    predicate_file *runs; /* the same, as runs get them: the best so far */
    size_t count;
    uint64_t steps;    /* times that a file got smaller, or went */
    bool is_folder;    /* the output is a folder */
    char *output;      /* path of the output, without a slash at its end */
    atomic_file place; /* its name, and the folder that it is in; also if it is a folder */
    char *state;       /* what it was made of, a line; NULL: no later call goes on from it */
    bool has_state;    /* that is on disk, beside a single file */
    int made_fd;       /* of the folder in which each new output that is one is made: by its name */
    char made[256];
} file_set;

/* Read the files. Zeroed before. False after a message. Call file_set_finish in any case. */
bool file_set_read(file_set *s, const operands *given);
void file_set_finish(file_set *s);

/* Return the operand whose absolute path is in a text, or NULL. */
const char *file_set_named_in(const file_set *s, const uint8_t *bytes, size_t size);

/* Print the program that unpacks the largest file, if it is packed: no byte of it can go alone. */
void file_set_tell_packed(const file_set *s);

/* Name the files in the folders of runs. False if they have no other names so than NAMED_ALONE. */
bool file_set_name(file_set *s, file_naming how);

/* Return the bytes of all files that are left. */
uint64_t file_set_size(const file_set *s);

/* Let the file at an index have these bytes; with `at` the count of files, let those go whose byte
 * is 0, of those that are left. */
void file_set_take(file_set *s, size_t at, const uint8_t *bytes, size_t size);

/* Return the size of the set after that; and a copy of all bytes, each file's behind the other's,
 * which the caller frees. */
uint64_t file_set_size_with(const file_set *s, size_t at, const uint8_t *bytes, size_t size);
uint8_t *file_set_join(const file_set *s, size_t at, const uint8_t *bytes, size_t size);

/* True if they are those of one folder. */
bool file_set_is_of_folder(const file_set *s);

/* True if an operand has a file left. */
bool file_set_has(const file_set *s, size_t operand);

/* ---- The output ---- */

/* Open an output that is one file, and that no other reduction writes. False after a message. */
bool file_set_open_file(atomic_file *f, const char *path);

/* Name the output, and open it. Refuse a folder that frng has not made, or that has originals, and
 * what another process makes. False after a message. */
bool file_set_open(file_set *s, const char *wanted);

/* Begin with what is in it, if that has this state. False if it has not. Go back. */
bool file_set_go_on(file_set *s);
void file_set_go_back(file_set *s);

/* Replace it by the set, changed as by file_set_take; what the user put in a folder stays. Unless
 * it is done, the same command line goes on from it. Return 0 or an errno. */
int file_set_put(file_set *s, size_t at, const uint8_t *bytes, size_t size, bool is_done);
