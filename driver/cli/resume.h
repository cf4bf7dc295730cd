/* resume.h: the state of an earlier reduction of a file: its best, and the digests of
 * uninteresting candidates. */
#ifndef RESUME_H
#define RESUME_H

#include "input_source.h"
#include "known.h"

typedef struct atomic_file atomic_file;

/* Empty when zeroed. */
typedef struct resume {
    input_source best; /* its bytes are NULL unless they are simpler */
    known known;       /* digests under the key of resume_read */
} resume;

/* Read `output`, if it is a file, and the digests beside it. Its bytes count only if they are
 * simpler than the file to be reduced. Prints nothing about a missing or unreadable `output`. Call
 * resume_finish in any case. */
void resume_read(resume *r, const atomic_file *output, const known_key *key,
                 const input_source *file);
void resume_finish(resume *r);

/* Return the name of the digests' file in the folder of `output`. The caller frees it. NULL when
 * out of memory. */
char *resume_known_name(const atomic_file *output);

/* Write the digests of uninteresting candidates. Returns 0 or an errno. */
int resume_keep(const atomic_file *output, const known_key *key, const uint64_t *digests,
                size_t count);

/* Remove the digests' file, which a complete reduction does not need. */
void resume_forget(const atomic_file *output);

#endif
