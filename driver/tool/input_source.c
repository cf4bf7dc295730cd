#include "input_source.h"

#include "files.h"
#include "messages.h"
#include "seed_input.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool check_size(const char *name, uint64_t size, uint64_t size_max) {
    if (size > size_max) {
        message("%s: larger than %" PRIu64 " bytes, the most that %s takes", name, size_max,
                message_program());
    }
    return size <= size_max;
}

static bool allocate(input_source *in, uint64_t size) {
    in->size = size;
    in->bytes = malloc(size > 0 ? size : 1);
    if (in->bytes == NULL) message_error(ENOMEM, "cannot hold the entropy");
    return in->bytes != NULL;
}

static bool expand(input_source *in, seed_input t, uint64_t size_max) {
    if (!check_size("--size", t.size, size_max) || !allocate(in, t.size)) return false;
    seed_input_expand(&t, in->bytes);
    return true;
}

/* Read a whole stream, or stop once it is longer than size_max. */
static bool read_stream(input_source *in, FILE *file, uint64_t size_max) {
    size_t capacity = 64 * 1024;
    in->bytes = malloc(capacity);
    errno = 0;
    while (in->bytes != NULL) {
        in->size += fread(in->bytes + in->size, 1, capacity - in->size, file);
        if (in->size < capacity || in->size > size_max) break;
        capacity *= 2;
        uint8_t *longer = realloc(in->bytes, capacity);
        if (longer == NULL) free(in->bytes);
        in->bytes = longer;
    }
    return in->bytes != NULL && !ferror(file);
}

/* Read a file, a pipe or stdin. Lets signals through, since a pipe may have no writer yet. */
static bool read_file(input_source *in, const char *name, uint64_t size_max) {
    bool ok = false;
    sigset_t held;
    tool_let_through(&held);
    FILE *file = strcmp(name, "-") == 0 ? stdin : fopen(name, "rbe");
    if (file == NULL) {
        message_error(errno, "%s: cannot be opened", name);
    } else {
        ok = read_stream(in, file, size_max);
        if (!ok && errno == EISDIR) {
            message("%s: is a folder; give a file in it", name);
        } else if (!ok) {
            message_error(errno != 0 ? errno : EIO, "%s: cannot be read", name);
        }
        if (file != stdin) fclose(file);
    }
    tool_hold_back(&held);
    return ok && check_size(name, in->size, size_max);
}

static bool read_finding(input_source *in, const char *name, uint64_t size_max) {
    const char *why;
    finding *f = &in->finding;
    if (!finding_read(AT_FDCWD, name, f, &why)) {
        message("%s: cannot be read: %s", name, why);
        return false;
    }
    if (f->bytes == NULL) return expand(in, f->input, size_max);
    if (!check_size(name, f->input.size, size_max) || !allocate(in, f->input.size)) return false;
    memcpy(in->bytes, f->bytes, f->input.size);
    return true;
}

bool input_source_read(input_source *in, const input_options *o, uint64_t size_max) {
    memset(in, 0, sizeof *in);
    if (o->finding != NULL) return read_finding(in, o->finding, size_max);
    if (o->file != NULL) return read_file(in, o->file, size_max);
    if (o->hex == NULL) return expand(in, o->seeded, size_max);
    return allocate(in, strlen(o->hex) / 2) && check_size("--hex", in->size, size_max) &&
           bytes_from_hex(o->hex, in->bytes, in->size, &in->size);
}

void input_source_finish(input_source *in) {
    finding_free(&in->finding);
    free(in->bytes);
}

bool input_source_complete(const input_source *in, operands *rest) {
    if (rest->sut == NULL) rest->sut = (char *)in->finding.sut;
    if (rest->args[0] == NULL && in->finding.args != NULL) rest->args = (char **)in->finding.args;
    if (rest->sut == NULL) message_usage("which program? The finding names none");
    return rest->sut != NULL;
}

void input_source_compare(const input_source *in, const char *name, const char *sut,
                          const char *digest) {
    const finding *f = &in->finding;
    const bool has_digests = name != NULL && f->sut_digest != NULL && digest != NULL;
    if (name == NULL || (has_digests && strcmp(f->sut_digest, digest) == 0)) return;
    if (f->sut != NULL && strcmp(f->sut, sut) != 0) {
        message("%s: note: was found in %s, and this runs %s", name, f->sut, sut);
    } else if (has_digests) {
        message("%s: note: was found in another build of %s", name, sut);
    }
}
