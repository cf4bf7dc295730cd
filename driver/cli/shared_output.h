/* shared_output.h: the file of --output, to which other reducers may write too. What they made
 * simpler is checked here and never overwritten by something larger. */
#ifndef SHARED_OUTPUT_H
#define SHARED_OUTPUT_H

#include "atomic_file.h"
#include "file_stamp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reduce_source reduce_source;
typedef struct session session;

/* A content of the file. */
typedef struct output_content {
    bool is_known;
    uint64_t digest;
    size_t size;
} output_content;

/* Unused when zeroed. */
typedef struct shared_output {
    session *session;
    atomic_file *file;        /* borrowed; no stream */
    atomic_file beside;       /* `file` after others took it for something else */
    char *beside_path;        /* owned */
    file_stamp first;         /* of the file before the reduction */
    file_stamp seen;          /* of the file as others wrote it, when it was read last */
    file_stamp mine;          /* of the file as this reducer wrote it last, or took it over */
    output_content written;   /* the last one that this reducer wrote */
    output_content worthless; /* was there before, and does not fail as wanted */
    output_content foreign;   /* came later, and does not fail as wanted either */
    uint8_t *theirs;          /* owned: content of others that was read last */
    size_t theirs_size;
    uint8_t *best; /* owned copy of what was to be written last; NULL: nothing was */
    size_t best_size, start_size;
    bool is_held;    /* the best is not in the file, which holds something smaller of others */
    bool has_joined; /* a message has named the other reducers */
} shared_output;

/* Begin to share a file, before it is read for the first time. `start_size` is the size of the
 * input. Call shared_output_finish in any case. */
void shared_output_begin(shared_output *o, session *s, atomic_file *file, size_t start_size);
void shared_output_finish(shared_output *o);

/* Take over what the file held at the beginning: the start of this reduction, or worthless. */
void shared_output_resume(shared_output *o, const uint8_t *bytes, size_t size, bool is_start);

/* Write the best, unless the file holds something smaller that may fail as wanted: then the best
 * waits until that is judged. Returns 0 or an errno. */
int shared_output_put(shared_output *o, const uint8_t *bytes, size_t size);

/* Return the source of what others write to the file. */
reduce_source shared_output_source(shared_output *o);

/* Write the best to a file beside, if it waits at the end of the reduction. Returns 0 or an
 * errno. */
int shared_output_settle(shared_output *o);

/* Return the path of the file that has the best. */
const char *shared_output_path(const shared_output *o);

#endif
