/* A failure as a small JSON file, which people commit and other tools read.
 *
 * Writing and checking follow one table of fields. Reading trusts nothing: each field is checked,
 * and what is wrong has a reason in words. Files exactly as frng writes them, with a seed and
 * plain words, are read in place without the JSON library: folders can hold many. */
#include "finding.h"

#include "atomic_file.h"
#include "files.h"
#include "frng_expand.h"
#include "json_fields.h"
#include "seed_input.h"

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

/* The memory of a finding that was read; its strings live in the JSON tree or in the text. */
typedef struct owned {
    json_t *json;
    char *text;
    const char **args;
    uint8_t *bytes;
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
    return f->sut != NULL && text_equal(path_base(f->sut), path_base(sut)) &&
           texts_equal(f->args, args);
}

/* ---- Writing ---- */

static bool set_seed(json_t *object, const char *size, const char *seed, const seed_input *t) {
    char text[SEED_TEXT_MAX];
    return json_word_set(object, size, json_integer((json_int_t)t->size)) &&
           json_word_set(object, seed, json_string(seed_text_format(text, t)));
}

static bool set_entropy(json_t *object, const finding *f) {
    if (f->bytes == NULL) return set_seed(object, "size", "seed", &f->input);
    if (!json_word_set(object, "hex", json_hex(f->bytes, f->input.size))) return false;
    if (f->is_reduced && !json_word_set(object, "reduced", json_true())) return false;
    return f->from.size == 0 || set_seed(object, "from_size", "from_seed", &f->from);
}

/* Set the remarks, if there are any. */
static bool set_remarks(json_t *object, const finding *f) {
    if (f->remarks.count == 0) return true;
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; i < f->remarks.count && ok; i++) {
        const remark *r = &f->remarks.list[i];
        ok = json_array_append_new(array, json_pack("{sI so}", "offset", (json_int_t)r->start,
                                                    "text", json_word_shown(r->text))) == 0;
    }
    return json_word_set(object, "fails_with", array) && ok;
}

/* Whose failure it is, and what its run was. */
static const json_field target_fields[] = {
    {"sut", &field_exact, offsetof(finding, sut), NULL},
    {"sut_digest", &field_text, offsetof(finding, sut_digest), NULL},
    {"args", &field_words, offsetof(finding, args), NULL},
    {NULL, NULL, 0, NULL}};

static const json_field result_fields[] = {
    {"site", &field_text, offsetof(finding, site), NULL},
    {"reruns", &field_small, offsetof(finding, reruns), NULL},
    {"repeated", &field_small, offsetof(finding, repeated), NULL},
    {"when", &field_text, offsetof(finding, when), NULL},
    {NULL, NULL, 0, NULL}};

static int format_of(const finding *f) {
    const bool is_plain = f->input.style == SEED_PLAIN;
    return f->bytes == NULL && !is_plain ? FINDING_FORMAT_STYLED : FINDING_FORMAT_PLAIN;
}

/* Return the $? that a shell would show: the exit status, 128 + signal, or 124 for a timeout. */
static int shell_status(signature id) {
    switch (id.kind) {
    case SIGNATURE_EXIT: return id.value;
    case SIGNATURE_SIGNAL: return 128 + id.value;
    case SIGNATURE_TIMEOUT: return 124;
    }
    abort();
}

char *finding_to_json(const finding *f) {
    json_t *object = json_object();
    const bool ok = json_word_set(object, "format", json_integer(format_of(f))) &&
                    fields_add(object, target_fields, f) && set_entropy(object, f) &&
                    json_word_set(object, "expand", json_integer(FRNG_EXPAND_FORMAT)) &&
                    json_word_set(object, "identity",
                                  json_string(signature_format(f->signature, SIGNATURE_TEXT))) &&
                    json_word_set(object, "status", json_integer(shell_status(f->signature))) &&
                    fields_add(object, result_fields, f) && set_remarks(object, f);
    char *text = ok ? json_word_dump(object) : NULL;
    json_decref(object);
    return text;
}

/* ---- Reading ---- */

/* What has to be checked, as the file has it; 0 or NULL where it has nothing. */
typedef struct fields {
    json_int_t format, size, expand, reruns, repeated;
    const char *seed, *identity;
} fields;

/* Read a seed, which has no hex digits here. */
static bool read_seed(const char *text, seed_input *t) {
    return text != NULL && strpbrk(text, "xX") == NULL && seed_text_parse(text, t);
}

/* Read what a reduction says beside its bytes. */
static void read_reduced(const json_t *object, finding *f) {
    const json_int_t size = json_integer_value(json_object_get(object, "from_size"));
    const char *seed = json_string_value(json_object_get(object, "from_seed"));
    f->is_reduced = json_is_true(json_object_get(object, "reduced"));
    f->from.size = size > 0 && (uint64_t)size <= INPUT_SIZE_MAX ? (uint64_t)size : 0;
    if (!read_seed(seed, &f->from)) f->from.size = 0;
}

static const char *read_entropy(const json_t *object, const fields *raw, finding *f, owned *o) {
    const char *hex = json_string_value(json_object_get(object, "hex"));
    if (hex != NULL) {
        size_t count = 0;
        o->bytes = malloc(strlen(hex) / 2 + 1);
        if (o->bytes == NULL) return "out of memory";
        if (!bytes_from_hex(hex, o->bytes, strlen(hex) / 2, &count))
            return "its hex is not an even count of hex digits";
        f->bytes = o->bytes;
        f->input.size = count;
        read_reduced(object, f);
        return NULL;
    }
    if (raw->size < 0) return "it has no size";
    f->input.size = (uint64_t)raw->size;
    if (f->input.size > INPUT_SIZE_MAX) return "its size is too large";
    if (raw->seed == NULL) return "it has no seed, which is a text such as 17 or 17s";
    if (read_seed(raw->seed, &f->input)) return NULL;
    return "its seed is not valid: give a text such as 17 or 17s";
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

static unsigned count_of(json_int_t value) {
    return value > 0 && value < 1000000 ? (unsigned)value : 0;
}

/* Check the fields, and read the entropy. Return NULL, or why it is no finding. */
static const char *read_fields(const json_t *object, const fields *raw, finding *f, owned *o) {
    if (raw->format < 1) return "it is not a finding of frng";
    if (raw->format > FINDING_FORMAT_STYLED) return "it is of a later format than this frng reads";
    const char *why = read_entropy(object, raw, f, o);
    if (why != NULL) return why;
    if (raw->format > format_of(f)) return "its seed is plain, but its format 2 is of a styled one";
    if (f->bytes == NULL && raw->expand != FRNG_EXPAND_FORMAT)
        return "its seeds expand in another way";
    if (raw->identity == NULL || !signature_parse(raw->identity, &f->signature))
        return "it has no identity";
    f->reruns = count_of(raw->reruns);
    f->repeated = count_of(raw->repeated);
    if (f->repeated > f->reruns) f->reruns = f->repeated = 0; /* an impossible count */
    return NULL;
}

static const char *read_json(json_t *object, finding *f, owned *o) {
    const json_t *size = json_object_get(object, "size");
    const fields raw = {
        .format = json_integer_value(json_object_get(object, "format")),
        .size = json_is_integer(size) ? json_integer_value(size) : -1,
        .expand = json_integer_value(json_object_get(object, "expand")),
        .reruns = json_integer_value(json_object_get(object, "reruns")),
        .repeated = json_integer_value(json_object_get(object, "repeated")),
        .seed = json_string_value(json_object_get(object, "seed")),
        .identity = json_string_value(json_object_get(object, "identity")),
    };
    const char *why = read_fields(object, &raw, f, o);
    if (why != NULL) return why;
    f->site = json_string_value(json_object_get(object, "site"));
    f->when = json_string_value(json_object_get(object, "when"));
    read_remarks(object, f, o);
    const bool has_words = fields_get(target_fields, object, f);
    o->args = f->args;
    if (!has_words) return "its args are not strings";
    if (f->args == NULL) f->args = o->args = calloc(1, sizeof *f->args);
    return f->args != NULL ? NULL : "out of memory";
}

/* ---- Quick reading ---- */

/* A finding with a seed, exactly as frng writes it and of plain words, is read in place, in a fifth
 * of the time that jansson takes: a folder may have many. Any other text is left to jansson. */
enum { QUICK_SIZE_MAX = 4096, QUICK_ARGS_MAX = 16, QUICK_WORDS_MAX = QUICK_ARGS_MAX + 6 };

typedef struct quick {
    char *at;
    char *ends[QUICK_WORDS_MAX]; /* of words, where zeros are to be */
    size_t count;
} quick;

static bool take(quick *q, const char *text) {
    const size_t length = strlen(text);
    if (strncmp(q->at, text, length) != 0) return false;
    q->at += length;
    return true;
}

static bool take_number(quick *q, const char *name, json_int_t *value) {
    enum { DIGITS_MAX = 18 };
    if (!take(q, name)) return false;
    const size_t length = strspn(q->at, "0123456789");
    if (length == 0 || length > DIGITS_MAX || (q->at[0] == '0' && length > 1)) return false;
    *value = strtoll(q->at, &q->at, 10);
    return true;
}

static bool take_word(quick *q, const char *name, const char **word) {
    if (!take(q, name)) return false;
    if (take(q, "null")) return true;
    if (!take(q, "\"")) return false;
    char *end = q->at;
    while (*end >= ' ' && *end <= '~' && *end != '"' && *end != '\\') end++;
    if (*end != '"' || q->count == QUICK_WORDS_MAX) return false;
    *word = q->at;
    q->ends[q->count++] = end;
    q->at = end + 1;
    return true;
}

static bool take_args(quick *q, const char **args) {
    if (!take(q, ",\n  \"args\": [")) return false;
    for (size_t i = 0; i < QUICK_ARGS_MAX && !take(q, i == 0 ? "]" : "\n  ]"); i++) {
        if (!take_word(q, i == 0 ? "\n    " : ",\n    ", &args[i]) || args[i] == NULL) return false;
    }
    return true;
}

/* Read a copy of the text. Return false if jansson has to read it. */
static bool read_quickly(finding *f, fields *raw, owned *o) {
    quick q = {.at = o->text};
    json_int_t status;
    o->args = calloc(QUICK_ARGS_MAX + 1, sizeof *o->args);
    if (o->args == NULL || !take_number(&q, "{\n  \"format\": ", &raw->format) ||
        !take_word(&q, ",\n  \"sut\": ", &f->sut) ||
        !take_word(&q, ",\n  \"sut_digest\": ", &f->sut_digest) || !take_args(&q, o->args) ||
        !take_number(&q, ",\n  \"size\": ", &raw->size) ||
        !take_word(&q, ",\n  \"seed\": ", &raw->seed) ||
        !take_number(&q, ",\n  \"expand\": ", &raw->expand) ||
        !take_word(&q, ",\n  \"identity\": ", &raw->identity) ||
        !take_number(&q, ",\n  \"status\": ", &status) ||
        !take_word(&q, ",\n  \"site\": ", &f->site) ||
        !take_number(&q, ",\n  \"reruns\": ", &raw->reruns) ||
        !take_number(&q, ",\n  \"repeated\": ", &raw->repeated) ||
        !take_word(&q, ",\n  \"when\": ", &f->when) || !take(&q, "\n}\n") || *q.at != '\0')
        return false;
    for (size_t i = 0; i < q.count; i++) *q.ends[i] = '\0';
    f->args = o->args;
    return true;
}

bool finding_from_json(const char *text, size_t size, finding *f, const char **why) {
    memset(f, 0, sizeof *f);
    owned *o = calloc(1, sizeof *o);
    *why = "out of memory";
    if (o == NULL) return false;
    f->owned = o;
    if (size <= QUICK_SIZE_MAX) o->text = strndup(text, size);
    fields raw = {.format = 0};
    if (o->text != NULL && strlen(o->text) == size && read_quickly(f, &raw, o)) {
        *why = read_fields(NULL, &raw, f, o);
    } else {
        free(o->text);
        free(o->args);
        *o = (owned){.json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL)};
        *f = (finding){.owned = o};
        *why = json_is_object(o->json) ? read_json(o->json, f, o) : "it is not a JSON object";
    }
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
