#include "resume.h"

#include "atomic_file.h"
#include "reduce_failure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_simpler(const input_source *a, const input_source *b) {
    if (a->size != b->size) return a->size < b->size;
    return a->size > 0 && memcmp(a->bytes, b->bytes, a->size) < 0;
}

/* True if the output exists as a readable regular file of a usable size. */
static bool is_there(const atomic_file *output) {
    struct stat status;
    return fstatat(output->folder_fd, output->name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
           (uint64_t)status.st_size <= REDUCE_FAILURE_SIZE_MAX && access(output->path, R_OK) == 0;
}

char *resume_known_name(const atomic_file *output) {
    char *name;
    return asprintf(&name, "%s" KNOWN_SUFFIX, output->name) < 0 ? NULL : name;
}

void resume_read(resume *r, const atomic_file *output, const known_key *key,
                 const input_source *file) {
    memset(r, 0, sizeof *r);
    if (output->is_stream || !is_there(output)) return;
    if (!input_source_read_path(&r->best, output->path, REDUCE_FAILURE_SIZE_MAX) ||
        !is_simpler(&r->best, file)) {
        input_source_finish(&r->best);
        r->best = (input_source){.bytes = NULL};
    }
    char *name = resume_known_name(output);
    if (name != NULL) known_read(&r->known, output->folder_fd, name, key);
    free(name);
}

void resume_finish(resume *r) {
    input_source_finish(&r->best);
    known_finish(&r->known);
}

int resume_keep(const atomic_file *output, const known_key *key, const uint64_t *digests,
                size_t count) {
    if (output->is_stream || count == 0) return 0;
    char *name = resume_known_name(output);
    if (name == NULL) return ENOMEM;
    const int error = known_write(output->folder_fd, name, key, digests, count);
    free(name);
    return error;
}

void resume_forget(const atomic_file *output) {
    if (output->is_stream) return;
    char *name = resume_known_name(output);
    if (name != NULL) known_remove(output->folder_fd, name);
    free(name);
}
