#include "shared_output.h"

#include "digest.h"
#include "messages.h"
#include "reduce.h"
#include "regular.h"
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Contents ---- */

static output_content content_of(const uint8_t *bytes, size_t size) {
    return (output_content){true, digest_of(bytes, size), size};
}

static bool is_content(const output_content *c, const uint8_t *bytes, size_t size) {
    return c->is_known && c->size == size && c->digest == digest_of(bytes, size);
}

/* Read the file, if it is smaller than `limit`. False if it is not, or cannot be read. */
static bool read_smaller(shared_output *o, size_t limit) {
    uint64_t size;
    const int fd = regular_open(o->file->folder_fd, o->file->name, O_NOFOLLOW, &size);
    if (fd < 0) return false;
    uint8_t *bytes = size < limit ? malloc((size_t)size + 1) : NULL;
    const ssize_t count = bytes != NULL ? regular_read(fd, 0, bytes, (size_t)size) : -1;
    close(fd);
    if (count != (ssize_t)size) {
        free(bytes);
        return false;
    }
    free(o->theirs);
    o->theirs = bytes;
    o->theirs_size = (size_t)size;
    return true;
}

/* True if what was read may be a result of another reducer. */
static bool may_be_result(const shared_output *o) {
    return !is_content(&o->written, o->theirs, o->theirs_size) &&
           !is_content(&o->worthless, o->theirs, o->theirs_size);
}

/* ---- Writing ---- */

static bool may_replace(void *context) {
    shared_output *o = context;
    const file_stamp now = file_stamp_of(o->file->path);
    if (file_stamp_equal(&now, &o->mine)) return true;
    return !(read_smaller(o, o->best_size) && may_be_result(o));
}

/* The file holds the best now. */
static void note_written(shared_output *o) {
    o->is_held = false;
    o->written = content_of(o->best, o->best_size);
    o->mine = file_stamp_of(o->file->path);
}

/* True if the file holds these bytes. */
static bool holds(const shared_output *o, const uint8_t *bytes, size_t size) {
    const file_stamp now = file_stamp_of(o->file->path);
    return file_stamp_equal(&now, &o->mine) && is_content(&o->written, bytes, size);
}

/* Write the best, if nothing smaller is there. Returns 0 or an errno. */
static int write_best(shared_output *o) {
    const atomic_file_guard guard = {may_replace, o};
    int error = may_replace(o) ? 0 : ECANCELED;
    if (error == 0) error = atomic_file_put_if(o->file, o->best, o->best_size, &guard);
    o->is_held = error == ECANCELED;
    if (o->is_held) return 0;
    if (error != 0) return error;
    note_written(o);
    return 0;
}

static bool keep_copy(shared_output *o, const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size + 1);
    if (copy == NULL) return false;
    if (size > 0) memcpy(copy, bytes, size);
    free(o->best);
    o->best = copy;
    o->best_size = size;
    return true;
}

/* Leave the file to others, and go on in another one. Returns 0 or an errno. */
static int move_beside(shared_output *o, const char *why) {
    char *path;
    int error = atomic_file_write_new(o->file->path, o->best, o->best_size, &path);
    if (error == 0) error = atomic_file_open(&o->beside, path);
    if (error != 0) {
        free(path);
        return error;
    }
    message(
        "%s: now holds %zu bytes of another program%s; it is left alone, and the result goes to "
        "%s",
        o->file->path, o->theirs_size, why, path);
    free(o->beside_path);
    o->beside_path = path;
    o->file = &o->beside;
    o->session->setup.output = path;
    note_written(o);
    return 0;
}

static const char not_wanted[] = " that are not interesting here";

int shared_output_put(shared_output *o, const uint8_t *bytes, size_t size) {
    if (holds(o, bytes, size)) return 0;
    if (!keep_copy(o, bytes, size)) return ENOMEM;
    const int error = write_best(o);
    if (!o->is_held || !is_content(&o->foreign, o->theirs, o->theirs_size)) return error;
    return move_beside(o, not_wanted);
}

int shared_output_settle(shared_output *o) {
    return o->is_held ? move_beside(o, ", which were not checked") : 0;
}

/* ---- What others write ---- */

/* Put the best back if the file holds something larger: a writer on another machine has missed it.
 */
static void put_back(shared_output *o) {
    uint64_t size = 0;
    const int fd = regular_open(o->file->folder_fd, o->file->name, O_NOFOLLOW, &size);
    if (fd >= 0) close(fd);
    if (fd >= 0 && o->best != NULL && size > o->best_size) write_best(o);
}

static bool next(void *context, const uint8_t **bytes, size_t *size) {
    shared_output *o = context;
    const file_stamp now = file_stamp_of(o->file->path);
    if (!file_stamp_is_known(&now) || file_stamp_equal(&now, &o->seen) ||
        file_stamp_equal(&now, &o->mine))
        return false;
    o->seen = now;
    if (!read_smaller(o, o->best != NULL ? o->best_size : o->start_size)) {
        put_back(o);
        return false;
    }
    *bytes = o->theirs;
    *size = o->theirs_size;
    return may_be_result(o);
}

/* Say once that others have made it smaller; with --verbose, each time. */
static void print_joined(shared_output *o) {
    const work_options *options = o->session->options;
    if (options->quiet || (o->has_joined && !options->verbose)) return;
    o->has_joined = true;
    message("%s: holds a smaller result, %zu bytes, by now; going on from there", o->file->path,
            o->theirs_size);
}

/* Take the content that was there before as one that can be overwritten; leave the file to others
 * if they have written it since. */
static void refuse(shared_output *o) {
    if (file_stamp_equal(&o->seen, &o->first)) {
        o->worthless = content_of(o->theirs, o->theirs_size);
        if (o->is_held) write_best(o);
        return;
    }
    o->foreign = content_of(o->theirs, o->theirs_size);
    const int error = o->best != NULL ? move_beside(o, not_wanted) : 0;
    if (error != 0) session_output_failed(o->session, o->file->path, error);
}

/* The best is what others wrote. */
static void note_taken(shared_output *o) {
    o->is_held = false;
    o->written = content_of(o->best, o->best_size);
    o->mine = o->seen;
}

static void judged(void *context, bool fails) {
    shared_output *o = context;
    if (fails) {
        print_joined(o);
        if (keep_copy(o, o->theirs, o->theirs_size)) note_taken(o);
    } else {
        refuse(o);
    }
}

reduce_source shared_output_source(shared_output *o) {
    return (reduce_source){o->file != NULL ? next : NULL, judged, o};
}

/* ---- Beginning and end ---- */

void shared_output_begin(shared_output *o, session *s, atomic_file *file, size_t start_size) {
    *o = (shared_output){.session = s,
                         .file = file,
                         .beside = {.folder_fd = -1},
                         .start_size = start_size,
                         .first = file_stamp_of(file->path)};
}

void shared_output_resume(shared_output *o, const uint8_t *bytes, size_t size, bool is_start) {
    if (is_start) {
        o->written = content_of(bytes, size);
        o->mine = o->first;
    } else {
        o->worthless = content_of(bytes, size);
    }
}

const char *shared_output_path(const shared_output *o) { return o->file->path; }

void shared_output_finish(shared_output *o) {
    if (o->beside_path != NULL) atomic_file_close(&o->beside);
    free(o->beside_path);
    free(o->theirs);
    free(o->best);
}
