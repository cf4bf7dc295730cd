#include "finding.h"

#include "frng_expand.h"
#include "regular.h"

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

/* The memory that a read finding owns: all strings live in the JSON. */
typedef struct owned {
    json_t *json;
    const char **args;
    uint8_t *bytes;
} owned;

/* Text that is no UTF-8, as JSON is, is kept escaped. NULL when out of memory. */
static json_t *optional_string(const char *text) {
    char escaped[4096];
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    bytes_escape((const uint8_t *)text, strlen(text), true, escaped, sizeof escaped);
    return json_string(escaped);
}

/* All of it, or false: a finding is whole or none. */
static bool set(json_t *object, const char *name, json_t *value) {
    return json_object_set_new(object, name, value) == 0;
}

static json_t *hex_to_json(const uint8_t *bytes, size_t size) {
    char *hex = malloc(2 * size + 1);
    if (hex == NULL) return NULL;
    bytes_to_hex(bytes, size, hex);
    json_t *text = json_string(hex);
    free(hex);
    return text;
}

/* A name or an argument is bytes: one that is no UTF-8 is {"hex": ...}, or it would be another one
 * when it is read again. NULL when out of memory. */
static json_t *word_to_json(const char *word) {
    if (word == NULL) return json_null();
    json_t *text = json_string(word);
    if (text != NULL) return text;
    json_t *object = json_object();
    if (set(object, "hex", hex_to_json((const uint8_t *)word, strlen(word)))) return object;
    json_decref(object);
    return NULL;
}

static json_t *args_to_json(const char *const *args) {
    json_t *array = json_array();
    for (size_t i = 0; args != NULL && args[i] != NULL; i++) {
        if (json_array_append_new(array, word_to_json(args[i])) == 0) continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static bool set_entropy(json_t *object, const finding *f) {
    if (f->bytes == NULL) {
        char seed[24];
        snprintf(seed, sizeof seed, "%" PRIu64, f->input.seed);
        return set(object, "size", json_integer((json_int_t)f->input.size)) &&
               set(object, "seed", json_string(seed));
    }
    return set(object, "hex", hex_to_json(f->bytes, f->input.size));
}

char *finding_to_json(const finding *f) {
    char id[SIGNATURE_TEXT_MAX];
    json_t *object = json_object();
    const bool ok = set(object, "format", json_integer(FINDING_FORMAT)) &&
                    set(object, "sut", word_to_json(f->sut)) &&
                    set(object, "sut_digest", optional_string(f->sut_digest)) &&
                    set(object, "args", args_to_json(f->args)) && set_entropy(object, f) &&
                    set(object, "expand", json_integer(FRNG_EXPAND_FORMAT)) &&
                    set(object, "identity", json_string(signature_format(f->signature, id))) &&
                    set(object, "status", json_integer(signature_shell_status(f->signature))) &&
                    set(object, "site", optional_string(f->site)) &&
                    set(object, "reruns", json_integer((json_int_t)f->reruns)) &&
                    set(object, "repeated", json_integer((json_int_t)f->repeated)) &&
                    set(object, "when", optional_string(f->when));
    char *text = ok ? json_dumps(object, JSON_INDENT(2)) : NULL;
    /* Short of memory, jansson has been seen to leave out keys. */
    json_t *back = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (!json_equal(back, object)) {
        free(text);
        text = NULL;
    }
    json_decref(back);
    json_decref(object);
    char *line = NULL;
    if (text != NULL && asprintf(&line, "%s\n", text) < 0) line = NULL;
    free(text);
    return line;
}

static bool parse_decimal(const char *text, uint64_t *value) {
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9') return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
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
    if (!parse_decimal(json_string_value(json_object_get(object, "seed")), &f->input.seed)) {
        return "it has no seed";
    }
    return NULL;
}

/* A word as word_to_json wrote it: its bytes take the place of their hex in the tree, which owns
 * them from then on. NULL where it is none, and for one with a zero in it, of which a string would
 * hold a part. */
static json_t *read_word(json_t *item) {
    const char *hex = json_string_value(json_object_get(item, "hex"));
    if (json_is_string(item)) return json_incref(item);
    if (hex == NULL) return NULL;
    size_t size = 0;
    const size_t size_max = strlen(hex) / 2;
    char *word = malloc(size_max + 1);
    json_t *text = NULL;
    if (word != NULL && bytes_from_hex(hex, (uint8_t *)word, size_max, &size) &&
        memchr(word, '\0', size) == NULL) {
        text = json_stringn_nocheck(word, size);
    }
    free(word);
    return text;
}

static const char *read_sut(json_t *object) {
    json_t *word = read_word(json_object_get(object, "sut"));
    if (word == NULL) return NULL;
    json_object_set_new(object, "sut", word);
    return json_string_value(word);
}

static const char *read_args(const json_t *object, finding *f, owned *o) {
    json_t *array = json_object_get(object, "args");
    const size_t count = json_array_size(array);
    if (array != NULL && !json_is_array(array)) return "its args are no strings";
    o->args = calloc(count + 1, sizeof *o->args);
    if (o->args == NULL) return "out of memory";
    for (size_t i = 0; i < count; i++) {
        json_t *word = read_word(json_array_get(array, i));
        if (word == NULL) return "its args are no strings";
        json_array_set_new(array, i, word);
        o->args[i] = json_string_value(word);
    }
    f->args = o->args;
    return NULL;
}

static unsigned read_count(const json_t *object, const char *name) {
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 && value < 1000000 ? (unsigned)value : 0;
}

static const char *read_fields(json_t *object, finding *f, owned *o) {
    const json_int_t format = json_integer_value(json_object_get(object, "format"));
    const json_int_t expand = json_integer_value(json_object_get(object, "expand"));
    const char *id = json_string_value(json_object_get(object, "identity"));
    if (format < 1) return "it is no finding";
    if (format > FINDING_FORMAT) return "it is of a later format than this frng reads";
    const char *why = read_entropy(object, f, o);
    if (why != NULL) return why;
    if (f->bytes == NULL && expand != FRNG_EXPAND_FORMAT) return "its seeds expand in another way";
    if (id == NULL || !signature_parse(id, &f->signature)) return "it has no identity";
    f->sut = read_sut(object);
    f->sut_digest = json_string_value(json_object_get(object, "sut_digest"));
    f->site = json_string_value(json_object_get(object, "site"));
    f->when = json_string_value(json_object_get(object, "when"));
    f->reruns = read_count(object, "reruns");
    f->repeated = read_count(object, "repeated");
    if (f->repeated > f->reruns) f->reruns = f->repeated = 0; /* which cannot have been seen */
    return read_args(object, f, o);
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

/* Read all of a file that is said to have `said` bytes: their count, or -1 with *why. *text is
 * freed by the caller in any case. */
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

bool finding_read(int folder_fd, const char *path, finding *f, const char **why) {
    uint64_t said;
    const int fd = regular_open(folder_fd, path, 0, &said);
    if (fd < 0) {
        *why = errno == EINVAL ? "it is no regular file" : strerror(errno);
        return false;
    }
    char *text = NULL;
    const ssize_t size = read_small(fd, said, &text, why);
    const bool ok = size >= 0 && finding_from_json(text, (size_t)size, f, why);
    free(text);
    close(fd);
    return ok;
}

void finding_free(finding *f) {
    owned *o = f->owned;
    if (o == NULL) return;
    json_decref(o->json);
    free(o->args);
    free(o->bytes);
    free(o);
    memset(f, 0, sizeof *f);
}

/* The digest of the first `size` bytes of a file. False with errno when they cannot be read. */
static bool digest_file(int fd, uint64_t size, uint8_t digest[DIGEST_BYTES]) {
    enum { PIECE = 8 * 1024 }; /* stacks may be small */
    uint8_t piece[PIECE];
    crypto_generichash_state state;
    uint64_t at = 0;
    crypto_generichash_init(&state, NULL, 0, DIGEST_BYTES);
    while (at < size) {
        const uint64_t left = size - at;
        if (regular_should_stop()) {
            errno = EINTR;
            return false;
        }
        const ssize_t count = regular_read(fd, at, piece, left < PIECE ? (size_t)left : PIECE);
        if (count < 0) return false;
        if (count == 0) break; /* it was cut short meanwhile */
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
