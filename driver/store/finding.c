#include "finding.h"

#include "atomic_file.h"
#include "frng_expand.h"
#include "json_word.h"
#include "regular.h"
#include "seed_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGEST_BYTES = crypto_generichash_BYTES };

/* The memory of a finding that was read; its strings live in the JSON tree. */
typedef struct owned {
    json_t *json;
    const char **args;
    uint8_t *bytes;
    remark *remarks;
} owned;

static json_t *hex_to_json(const uint8_t *bytes, size_t size) {
    char *hex = malloc(2 * size + 1);
    if (hex == NULL) return NULL;
    bytes_to_hex(bytes, size, hex);
    json_t *text = json_string(hex);
    free(hex);
    return text;
}

static bool set_entropy(json_t *object, const finding *f) {
    if (f->bytes == NULL) {
        char seed[SEED_TEXT_MAX];
        return json_word_set(object, "size", json_integer((json_int_t)f->input.size)) &&
               json_word_set(object, "seed", json_string(seed_text_format(seed, &f->input)));
    }
    return json_word_set(object, "hex", hex_to_json(f->bytes, f->input.size));
}

/* Set the remarks, if there are any. */
static bool set_remarks(json_t *object, const finding *f) {
    if (f->remarks.count == 0) return true;
    json_t *array = json_array();
    for (size_t i = 0; i < f->remarks.count; i++) {
        const remark *r = &f->remarks.list[i];
        json_t *item = json_object();
        const bool ok = json_word_set(item, "offset", json_integer((json_int_t)r->start)) &&
                        json_word_set(item, "text", json_word_shown(r->text));
        if (!ok) json_decref(item);
        if (ok && json_array_append_new(array, item) == 0) continue;
        json_decref(array);
        return false;
    }
    return json_word_set(object, "fails_with", array);
}

static int format_of(const finding *f) {
    const bool is_plain = f->input.style == SEED_PLAIN && f->input.prefix.count == 0;
    return f->bytes == NULL && !is_plain ? FINDING_FORMAT_STYLED : FINDING_FORMAT_PLAIN;
}

char *finding_to_json(const finding *f) {
    json_t *object = json_object();
    const bool ok =
        json_word_set(object, "format", json_integer(format_of(f))) &&
        json_word_set(object, "sut", json_word_exact(f->sut)) &&
        json_word_set(object, "sut_digest", json_word_shown(f->sut_digest)) &&
        json_word_set(object, "args", json_word_list(f->args)) && set_entropy(object, f) &&
        json_word_set(object, "expand", json_integer(FRNG_EXPAND_FORMAT)) &&
        json_word_set(object, "identity",
                      json_string(signature_format(f->signature, SIGNATURE_TEXT))) &&
        json_word_set(object, "status", json_integer(signature_shell_status(f->signature))) &&
        json_word_set(object, "site", json_word_shown(f->site)) &&
        json_word_set(object, "reruns", json_integer((json_int_t)f->reruns)) &&
        json_word_set(object, "repeated", json_integer((json_int_t)f->repeated)) &&
        json_word_set(object, "when", json_word_shown(f->when)) && set_remarks(object, f);
    char *text = ok ? json_word_dump(object) : NULL;
    json_decref(object);
    return text;
}

/* Read a seed, which has no hex digits here. */
static bool read_seed(const json_t *object, seed_input *t) {
    const char *text = json_string_value(json_object_get(object, "seed"));
    return text != NULL && strpbrk(text, "xX") == NULL && seed_text_parse(text, t);
}

static const char *read_entropy(const json_t *object, finding *f, owned *o) {
    const char *hex = json_string_value(json_object_get(object, "hex"));
    const json_t *size = json_object_get(object, "size");
    if (hex != NULL) {
        size_t count = 0;
        o->bytes = malloc(strlen(hex) / 2 + 1);
        if (o->bytes == NULL) return "out of memory";
        if (!bytes_from_hex(hex, o->bytes, strlen(hex) / 2, &count)) return "its hex is none";
        f->bytes = o->bytes;
        f->input.size = count;
        return NULL;
    }
    if (!json_is_integer(size) || json_integer_value(size) < 0) return "it has no size";
    f->input.size = (uint64_t)json_integer_value(size);
    if (f->input.size > INPUT_SIZE_MAX) return "its size is too large";
    if (!read_seed(object, &f->input)) return "it has no seed";
    f->input = seed_input_cut(f->input, f->input.size);
    return NULL;
}

/* Read the remarks; what makes no sense is left out. */
static void read_remarks(const json_t *object, finding *f, owned *o) {
    const json_t *array = json_object_get(object, "fails_with");
    const size_t count = json_array_size(array);
    o->remarks = calloc(count + 1, sizeof *o->remarks);
    f->remarks.list = o->remarks;
    for (size_t i = 0; i < count && o->remarks != NULL; i++) {
        const json_t *item = json_array_get(array, i);
        const json_t *start = json_object_get(item, "offset");
        const char *text = json_string_value(json_object_get(item, "text"));
        if (!json_is_integer(start) || json_integer_value(start) < 0 || text == NULL) continue;
        o->remarks[f->remarks.count++] = (remark){(uint64_t)json_integer_value(start), text};
    }
}

static unsigned read_count(const json_t *object, const char *name) {
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 && value < 1000000 ? (unsigned)value : 0;
}

static const char *read_fields(json_t *object, finding *f, owned *o) {
    static const char later[] = "it is of a later format than this frng reads";
    const json_int_t format = json_integer_value(json_object_get(object, "format"));
    const json_int_t expand = json_integer_value(json_object_get(object, "expand"));
    const char *id = json_string_value(json_object_get(object, "identity"));
    if (format < 1) return "it is no finding";
    const char *why = read_entropy(object, f, o);
    if (format > (why == NULL ? format_of(f) : FINDING_FORMAT_STYLED)) return later;
    if (why != NULL) return why;
    if (f->bytes == NULL && expand != FRNG_EXPAND_FORMAT) return "its seeds expand in another way";
    if (id == NULL || !signature_parse(id, &f->signature)) return "it has no identity";
    f->sut = json_word_read(object, "sut");
    f->sut_digest = json_string_value(json_object_get(object, "sut_digest"));
    f->site = json_string_value(json_object_get(object, "site"));
    f->when = json_string_value(json_object_get(object, "when"));
    f->reruns = read_count(object, "reruns");
    f->repeated = read_count(object, "repeated");
    if (f->repeated > f->reruns) f->reruns = f->repeated = 0; /* an impossible count */
    read_remarks(object, f, o);
    why = json_word_read_list(object, "args", &o->args);
    f->args = o->args;
    return why;
}

bool finding_from_json(const char *text, size_t size, finding *f, const char **why) {
    memset(f, 0, sizeof *f);
    owned *o = calloc(1, sizeof *o);
    *why = "out of memory";
    if (o == NULL) return false;
    f->owned = o;
    o->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    *why = json_is_object(o->json) ? read_fields(o->json, f, o) : "it is no JSON object";
    if (*why == NULL) return true;
    finding_free(f);
    return false;
}

/* Read a file whose size was `said`. Return the count of bytes, or -1 with *why. The caller frees
 * *text in any case. */
static ssize_t read_small(int fd, uint64_t said, char **text, const char **why) {
    *why = "it is too large";
    if (said > FINDING_SIZE_MAX) return -1;
    const size_t text_max = (size_t)said + 1;
    *text = malloc(text_max);
    *why = "out of memory";
    if (*text == NULL) return -1;
    const ssize_t size = regular_read(fd, 0, *text, text_max);
    *why = size < 0 ? strerror(errno) : "it grows";
    return size < (ssize_t)text_max ? size : -1;
}

/* Read and parse a file. On failure return false; errno is that of the system, or 0. */
static bool read_file(int folder_fd, const char *path, finding *f, const char **why) {
    uint64_t said;
    const int fd = regular_open(folder_fd, path, 0, &said);
    if (fd < 0) {
        *why = errno == EINVAL ? "it is no regular file" : strerror(errno);
        return false;
    }
    char *text = NULL;
    errno = 0;
    const ssize_t size = read_small(fd, said, &text, why);
    const int error = size < 0 ? errno : 0;
    const bool ok = size >= 0 && finding_from_json(text, (size_t)size, f, why);
    free(text);
    close(fd);
    errno = error;
    return ok;
}

bool finding_read(int folder_fd, const char *path, finding *f, const char **why) {
    if (read_file(folder_fd, path, f, why)) return true;
    /* It may have been replaced meanwhile, by another machine. */
    return atomic_file_is_gone(errno) && read_file(folder_fd, path, f, why);
}

void finding_free(finding *f) {
    owned *o = f->owned;
    if (o == NULL) return;
    json_decref(o->json);
    free(o->args);
    free(o->bytes);
    free(o->remarks);
    free(o);
    memset(f, 0, sizeof *f);
}

/* Compute the digest of the first `size` bytes of a file. False with errno if reading fails. */
static bool digest_file(int fd, uint64_t size, uint8_t digest[DIGEST_BYTES]) {
    enum { PIECE = 8 * 1024 }; /* stacks may be small */
    uint8_t piece[PIECE];
    crypto_generichash_state state;
    uint64_t at = 0;
    const int64_t deadline_ns = regular_deadline();
    crypto_generichash_init(&state, NULL, 0, DIGEST_BYTES);
    while (at < size) {
        const uint64_t left = size - at;
        if (regular_should_stop(deadline_ns)) {
            errno = EINTR;
            return false;
        }
        const ssize_t count = regular_read(fd, at, piece, left < PIECE ? (size_t)left : PIECE);
        if (count < 0) return false;
        if (count == 0) break; /* the file was cut short meanwhile */
        crypto_generichash_update(&state, piece, (unsigned long long)count);
        at += (uint64_t)count;
    }
    crypto_generichash_final(&state, digest, DIGEST_BYTES);
    return true;
}

char *finding_digest(const char *path) {
    uint8_t digest[DIGEST_BYTES];
    uint64_t size;
    const int fd = regular_open(AT_FDCWD, path, 0, &size);
    if (fd < 0) return NULL;
    errno = EFBIG;
    const bool ok = size <= REGULAR_SIZE_MAX && digest_file(fd, size, digest);
    const int error = errno;
    close(fd);
    errno = error;
    char *hex = ok ? malloc(2 * DIGEST_BYTES + 1) : NULL;
    if (hex != NULL) bytes_to_hex(digest, DIGEST_BYTES, hex);
    return hex;
}
