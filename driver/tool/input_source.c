/* An input is named by a size and a seed, in hex, by a file of its bytes, or by a finding. */
#include "input_source.h"

#include "bytes.h"
#include "messages.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool check_size(const char *name, uint64_t size, uint64_t size_max) {
    return size <= size_max || message("%s: larger than %" PRIu64 " bytes, the most that %s takes",
                                       name, size_max, message_program());
}

static void allocate_input(input_source *in, uint64_t size) {
    in->size = size;
    in->bytes = memory_new(size + 1);
}

static bool expand(input_source *in, seed_input t, uint64_t size_max) {
    if (!check_size("--size", t.size, size_max)) return false;
    allocate_input(in, t.size);
    seed_input_expand(&t, in->bytes);
    return true;
}

/* Read a whole stream, or stop once it is longer than size_max. */
static bool read_stream(input_source *in, FILE *file, uint64_t size_max) {
    size_t capacity = 64 * 1024;
    in->bytes = memory_new(capacity);
    errno = 0;
    for (;;) {
        in->size += fread(in->bytes + in->size, 1, capacity - in->size, file);
        if (in->size < capacity || in->size > size_max) return !ferror(file);
        in->bytes = memory_grown(in->bytes, 1, capacity *= 2);
    }
}

/* Bound what is read of a file: a device or a pipe may have no end, and some files of the system
 * wait for more. Returns the size that is too large for it, or UINT64_MAX. */
static uint64_t stream_end(FILE *file) {
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0) return UINT64_MAX;
    if (!S_ISREG(status.st_mode)) return (uint64_t)FRNG_STREAM_MIB << 20;
    if (file != stdin) fcntl(fileno(file), F_SETFL, O_NONBLOCK);
    return UINT64_MAX;
}

/* Read a file, a pipe or stdin. Lets signals through, since a pipe may have no writer yet. */
static bool read_file(input_source *in, const char *name, uint64_t size_max) {
    sigset_t held;
    tool_let_through(&held);
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rbe");
    const uint64_t end = stream_end(file);
    const bool ok = file != NULL && read_stream(in, file, smaller(size_max, end - 1));
    const int error = ok ? 0 : errno != 0 ? errno : EIO;
    tool_hold_back(&held);
    if (file != NULL && file != stdin) fclose(file);
    if (error == EISDIR) return message("%s: is a folder; give a file in it", name);
    if (!ok)
        return message_error(error, file != NULL ? "%s: cannot be read" : "%s: cannot be opened",
                             name);
    if (in->size >= end)
        return message("%s: is no file, and has %d MiB or more; give a file of them, or less", name,
                       FRNG_STREAM_MIB);
    return check_size(name, in->size, size_max);
}

static bool read_finding(input_source *in, const char *name, uint64_t size_max) {
    const char *why;
    finding *f = &in->finding;
    if (!finding_read(AT_FDCWD, name, f, &why)) return message("%s: cannot be read: %s", name, why);
    if (f->bytes == NULL) return expand(in, f->of.input, size_max);
    if (!check_size(name, f->of.input.size, size_max)) return false;
    allocate_input(in, f->of.input.size);
    memcpy(in->bytes, f->bytes, f->of.input.size);
    return true;
}

bool input_source_read(input_source *in, const input_options *o, uint64_t size_max) {
    memset(in, 0, sizeof *in);
    if (o->finding != NULL) return read_finding(in, o->finding, size_max);
    if (o->file != NULL) return read_file(in, o->file, size_max);
    if (o->hex == NULL) return expand(in, o->seeded, size_max);
    allocate_input(in, strlen(o->hex) / 2);
    return check_size("--hex", in->size, size_max) &&
           bytes_from_hex(o->hex, in->bytes, in->size, &in->size);
}

void input_source_finish(input_source *in) {
    finding_free(&in->finding);
    failure_drop(&in->known);
    free(in->bytes);
}
