/* A failure as a small JSON file, which people commit and other tools read.
 *
 * Writing and reading follow one table of fields (json_fields). Reading trusts nothing: each value
 * is checked, and what is wrong has a reason in words. Files exactly as frng writes them, with a
 * seed and plain words, are read in place without the JSON library: folders can hold many. */
#include "finding.h"

#include "atomic_file.h"
#include "files.h"
#include "frng_expand.h"
#include "json_fields.h"
#include "seed_input.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGEST_BYTES = crypto_generichash_BYTES };

/* The memory of a finding that was read; its strings live in the JSON tree or in the text. */
typedef struct owned {
    json_t *json;
    char *text;
    remark *remarks;
} owned;

/* ---- Order ---- */

/* Bytes come from a reduction, which starts from a seed. */
static int form_of(const finding *f) { return f->is_reduced ? 0 : f->bytes != NULL ? 1 : 2; }

bool finding_is_better(const finding *a, const finding *b) {
    const bool is_flaky = a->repeated < a->reruns;
    if (is_flaky != (b->repeated < b->reruns)) return !is_flaky;
    if (a->input.size != b->input.size) return a->input.size < b->input.size;
    if (form_of(a) != form_of(b)) return form_of(a) < form_of(b);
    if (a->reruns != b->reruns) return a->reruns > b->reruns;
    return a->bytes == NULL && seed_input_less(a->input, b->input);
}

bool finding_has_subject(const finding *f, const char *sut, const char *const *args) {
    return text_equal(path_base(f->sut), path_base(sut)) && texts_equal(f->args, args);
}

/* ---- Fields ---- */

static json_t *put_bytes(const json_field *field, const void *whole) {
    const finding *f = whole;
    (void)field;
    return json_hex(f->bytes, f->input.size);
}

static bool get_bytes(const json_field *field, const json_value *v, void *whole) {
    finding *f = whole;
    (void)field;
    if (!json_hex_restore(v->json)) return false;
    f->bytes = (const uint8_t *)json_string_value(v->json);
    f->input.size = json_string_length(v->json);
    return true;
}

static json_t *put_remarks(const json_field *field, const void *whole) {
    const finding *f = whole;
    json_t *array = json_array();
    (void)field;
    for (size_t i = 0; i < f->remarks.count; i++) {
        const remark *r = &f->remarks.list[i];
        json_t *item =
            json_pack("{sI so}", "offset", (json_int_t)r->start, "text", json_word_shown(r->text));
        if (json_array_append_new(array, item) == 0) continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

/* What makes no sense is left out. */
static bool get_remarks(const json_field *field, const json_value *v, void *whole) {
    finding *f = whole;
    owned *o = f->owned;
    const size_t count = json_array_size(v->json);
    (void)field;
    o->remarks = calloc(count + 1, sizeof *o->remarks);
    f->remarks.list = o->remarks;
    for (size_t i = 0; i < count && o->remarks != NULL; i++) {
        const json_t *item = json_array_get(v->json, i);
        const json_t *start = json_object_get(item, "offset");
        const char *text = json_string_value(json_object_get(item, "text"));
        if (!json_is_integer(start) || json_integer_value(start) < 0 || text == NULL) continue;
        o->remarks[f->remarks.count++] = (remark){(uint64_t)json_integer_value(start), text};
    }
    return o->remarks != NULL;
}

static const json_field_type field_bytes = {put_bytes, get_bytes, true},
                             field_remarks = {put_remarks, get_remarks, false};

#define ROW(name, type, member) JSON_FIELD(finding, name, type, member, NULL)
#define ROWS_OF_TARGET                                                                             \
    ROW("format", count, format), ROW("sut", exact, sut), ROW("sut_digest", text, sut_digest),     \
        ROW("args", words, args)
#define ROWS_OF_FAILURE                                                                            \
    ROW("expand", count, expand), ROW("identity", signature, signature),                           \
        ROW("status", count, status), ROW("site", text, site), ROW("reruns", small, reruns),       \
        ROW("repeated", small, repeated), ROW("when", text, when)

#define ROW_TOLD(name, type, member, wrong)                                                        \
    JSON_FIELD_TOLD(finding, name, type, member, NULL, wrong)

static const json_field fields_of_seed[] = {
    ROWS_OF_TARGET, ROW("size", size, input.size),
    ROW_TOLD("seed", input, input, "its seed is not valid: give a text such as 17 or 17s"),
    ROWS_OF_FAILURE, JSON_FIELDS_END};

/* The types of `hex` and `fails_with` take the whole, which begins with the format. */
static const json_field fields_of_bytes[] = {
    ROWS_OF_TARGET,
    ROW_TOLD("hex", bytes, format, "its hex is not an even count of hex digits"),
    ROW("reduced", flag, is_reduced),
    ROW("from_size", count, from.size),
    ROW("from_seed", origin, from),
    ROWS_OF_FAILURE,
    ROW_TOLD("fails_with", remarks, format, "out of memory"),
    JSON_FIELDS_END};

/* ---- Writing ---- */

/* Return the $? that a shell would show: the exit status, 128 + signal, or 124 for a timeout. */
static unsigned shell_status(signature id) {
    switch (id.kind) {
    case SIGNATURE_EXIT: return (unsigned)id.value;
    case SIGNATURE_SIGNAL: return 128 + (unsigned)id.value;
    case SIGNATURE_TIMEOUT: return 124;
    }
    abort();
}

char *finding_to_json(const finding *f) {
    finding whole = *f;
    const bool is_styled = f->bytes == NULL && f->input.style == SEED_STYLED;
    whole.format = is_styled ? FINDING_FORMAT_STYLED : FINDING_FORMAT_PLAIN;
    whole.expand = FRNG_EXPAND_FORMAT;
    whole.status = shell_status(f->signature);
    json_t *object = fields_put(f->bytes != NULL ? fields_of_bytes : fields_of_seed, &whole);
    char *text = json_word_dump(object);
    json_decref(object);
    return text;
}

/* ---- Reading ---- */

/* Read a text exactly as frng writes it in place, without a JSON tree. */
static bool read_quickly(finding *f, const char *text, size_t size) {
    enum { SIZE_MAX_QUICK = 4096 };
    owned *o = f->owned;
    o->text = size <= SIZE_MAX_QUICK ? strndup(text, size) : NULL;
    if (o->text != NULL && strlen(o->text) == size && fields_scan(fields_of_seed, o->text, f) &&
        f->format >= FINDING_FORMAT_PLAIN && f->format <= FINDING_FORMAT_STYLED)
        return true;
    free(f->args);
    free(o->text);
    o->text = NULL;
    *f = (finding){.owned = o};
    return false;
}

static const char *read_json(finding *f, const char *text, size_t size) {
    owned *o = f->owned;
    o->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const bool has_bytes = json_is_string(json_object_get(o->json, "hex"));
    return fields_read(has_bytes ? fields_of_bytes : fields_of_seed, o->json, FINDING_FORMAT_STYLED,
                       "it is not a finding of frng", f);
}

bool finding_from_json(const char *text, size_t size, finding *f, const char **why) {
    *f = (finding){.owned = calloc(1, sizeof(owned))};
    *why = "out of memory";
    if (f->owned == NULL) return false;
    *why = read_quickly(f, text, size) ? NULL : read_json(f, text, size);
    if (*why == NULL && f->bytes == NULL && f->expand != FRNG_EXPAND_FORMAT)
        *why = "its seeds expand in another way";
    if (f->args == NULL) f->args = calloc(1, sizeof *f->args);
    if (*why == NULL && f->args == NULL) *why = "out of memory";
    if (f->from.size > INPUT_SIZE_MAX) f->from.size = 0;
    if (f->repeated > f->reruns) f->reruns = f->repeated = 0; /* an impossible count */
    if (*why == NULL) return true;
    finding_free(f);
    return false;
}

bool finding_read(int folder_fd, const char *path, finding *f, const char **why) {
    size_t size;
    char *text = atomic_file_read(folder_fd, path, FINDING_SIZE_MAX, &size, why);
    if (text == NULL) return false;
    const bool ok = finding_from_json(text, size, f, why);
    free(text);
    errno = 0;
    return ok;
}

void finding_free(finding *f) {
    owned *o = f->owned;
    if (o == NULL) return;
    json_decref(o->json);
    free(o->text);
    free(o->remarks);
    free(f->args);
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
