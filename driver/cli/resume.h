/* resume.h: what an earlier reduction of a file has left: its best, and what it knew to be of no
 * interest. */
#ifndef RESUME_H
#define RESUME_H

#include "atomic_file.h"
#include "input_source.h"
#include "known.h"

/* Zeroed it is empty. */
typedef struct resume {
    input_source best; /* bytes NULL: nothing that is simpler */
    known known;       /* by the key that was given */
} resume;

/* Read what is beside and in `output`, if it is a file: its bytes where those are simpler than
 * these. Nothing is said of what cannot be read. resume_finish in any case. */
void resume_read(resume *r, const atomic_file *output, const known_key *key, const uint8_t *bytes,
                 size_t size);
void resume_finish(resume *r);

/* Where the file of what is known is, beside `output`: its name in that folder, freed by the
 * caller. NULL when out of memory. */
char *resume_known_name(const atomic_file *output);

/* Keep what is known. Returns 0 or an errno. */
int resume_keep(const atomic_file *output, const known_key *key, const uint64_t *digests,
                size_t count);

/* The reduction is complete: nothing is kept any more. */
void resume_forget(const atomic_file *output);

#endif
