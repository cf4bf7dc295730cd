/* A failure is a small JSON file, which people commit, in a folder, which others write, too.
 *
 * Writing and reading follow one table of fields (finding.def). A file may have been written by
 * anybody: each value is checked, and one that makes no sense makes the whole file be skipped, with
 * a reason in words.
 *
 * Each call goes by the path of the folder: whatever is there now is used, so that one which went
 * away and came back, or another one in its place, needs no care here; but what depends on an
 * earlier look is done only in the folder that was seen. A call may fail meanwhile: it is tried
 * again later. Files are written by atomic_file, without a lock: a name says what the finding is,
 * so two writers of one name write the same. */
#include "store.h"

#include "atomic_file.h"
#include "bytes.h"
#include "frng_expand.h"
#include "json_values.h"
#include "seed_input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The memory of a finding that was read; its strings live in the JSON tree. */
typedef struct owned {
    json_t *json;
    remark *remarks;
} owned;

bool finding_has_subject(const finding *f, const char *sut, const char *const *args) {
    return text_equal(path_base(f->sut), path_base(sut)) && texts_equal(f->args, args);
}

/* ---- Fields of findings ---- */

static json_t *count_of(uint64_t count) {
    return json_integer(count < INT64_MAX ? (json_int_t)count : INT64_MAX);
}

static bool get_count(const json_t *json, uint64_t most, uint64_t *to) {
    const json_int_t number = json_integer_value(json);
    *to = (uint64_t)number;
    return json_is_integer(json) && number >= 0 && *to <= most;
}

static bool get_small(const json_t *json, unsigned *to) {
    uint64_t count;
    const bool ok = get_count(json, UINT32_MAX, &count);
    *to = (unsigned)count;
    return ok;
}

static json_t *words_of(const char *const *words) {
    json_t *array = json_array();
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        json_array_append_new(array, memory_need(json_exact(words[i])));
    return array;
}

static bool get_words(const json_t *array, const char ***to) {
    const size_t count = json_array_size(array);
    const char **words = *to = memory_zeroed(count + 1, sizeof *words);
    if (!json_is_array(array)) return false;
    for (size_t i = 0; i < count; i++) {
        words[i] = json_exact_restore(json_array_get(array, i));
        if (words[i] == NULL) return false;
    }
    return true;
}

static json_t *seed_of(const seed_input *input) {
    return json_string(seed_text_format(SEED_TEXT, input));
}

/* A seed has no hex digits here. */
static bool get_seed(const char *text, seed_input *to) {
    return text != NULL && strpbrk(text, "xX") == NULL && seed_text_parse(text, to);
}

/* The count and the digest: "16-b5f3c8a1d2e40976". */
static json_t *draws_of(const draws_seen *draws) {
    if (draws->count == 0) return json_null();
    return json_sprintf("%" PRIu64 "-%016" PRIx64, draws->count, draws->digest);
}

static bool get_draws(const char *text, draws_seen *draws) {
    const size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
    if (digits == 0 || digits > 4 || text[digits] != '-') return false;
    const char *digest = text + digits + 1;
    draws->count = strtoull(text, NULL, 10);
    draws->digest = strtoull(digest, NULL, 16);
    return draws->count > 0 && draws->count <= FRNG_DRAWS_KEPT && strlen(digest) == 16 &&
           strspn(digest, "0123456789abcdef") == 16;
}

static bool get_bytes(json_t *json, finding *f) {
    if (!json_hex_restore(json)) return false;
    f->bytes = (const uint8_t *)json_string_value(json);
    f->of.input.size = json_string_length(json);
    f->of.form = FORM_BYTES;
    return true;
}

static json_t *remarks_of(const remarks *all) {
    json_t *array = json_array();
    for (size_t i = 0; i < all->count; i++) {
        const remark *r = &all->list[i];
        json_t *item =
            json_pack("{sI so}", "offset", (json_int_t)r->start, "text", json_word_shown(r->text));
        if (json_array_append_new(array, item) != 0) memory_need(NULL);
    }
    return array;
}

/* What makes no sense is left out. */
static bool get_remarks(const json_t *json, finding *f) {
    owned *o = f->owned;
    const size_t count = json_array_size(json);
    o->remarks = memory_zeroed(count + 1, sizeof *o->remarks);
    f->remarks.list = o->remarks;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(json, i);
        const json_t *start = json_object_get(item, "offset");
        const char *text = json_string_value(json_object_get(item, "text"));
        if (!json_is_integer(start) || json_integer_value(start) < 0 || text == NULL) continue;
        o->remarks[f->remarks.count++] = (remark){(uint64_t)json_integer_value(start), text};
    }
    return true;
}

enum { OF_SEED = 1, OF_BYTES = 2, OF_BOTH = OF_SEED | OF_BYTES };

/* Return the $? that a shell would show: the exit status, 128 + signal, or 124 for a timeout. */
static unsigned shell_status(signature id) {
    switch (id.kind) {
    case SIGNATURE_EXIT: return (unsigned)id.value;
    case SIGNATURE_SIGNAL: return 128 + (unsigned)id.value;
    case SIGNATURE_TIMEOUT: return 124;
    }
    abort();
}

static unsigned format_of(const finding *f) {
    const bool is_styled = f->bytes == NULL && f->of.input.style == SEED_STYLED;
    return is_styled ? FINDING_FORMAT_STYLED : FINDING_FORMAT_PLAIN;
}

/* Return an object of the fields of this kind of findings. */
static json_t *put_fields(const finding *f, unsigned kind) {
    json_t *object = json_object();
#define TOLD(of, name, is_required, senseless, value, get)                                         \
    if ((kind & (of)) != 0 && json_object_set_new(object, name, value) != 0) memory_need(NULL);
#include "finding.def"
    return object;
}

/* Set the members of a zeroed finding. Texts live in the object. Return NULL, or which value is
 * missing or makes no sense. */
static const char *get_fields(json_t *object, unsigned kind, finding *f) {
#define TOLD(of, name, is_required, senseless, value, get)                                         \
    if ((kind & (of)) != 0) {                                                                      \
        json_t *json = json_object_get(object, name);                                              \
        const char *text = json_string_value(json);                                                \
        const bool is_missing = json == NULL || json_is_null(json);                                \
        (void)text;                                                                                \
        if (is_missing && (is_required)) return "it has no \"" name "\"";                          \
        if (!is_missing && !(get)) return senseless;                                               \
    }
#include "finding.def"
    return NULL;
}

char *finding_to_json(const finding *f) {
    json_t *object = put_fields(f, f->bytes != NULL ? OF_BYTES : OF_SEED);
    if (f->output != NULL) json_object_set_new(object, "output", json_string(f->output));
    char *text = memory_need(json_dumps(object, JSON_INDENT(2))), *line = memory_text("%s\n", text);
    json_decref(object);
    free(text);
    return line;
}

/* ---- Of a text ---- */

static const char *read_json(finding *f, const char *text, size_t size) {
    owned *o = f->owned;
    o->json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const json_int_t format = json_integer_value(json_object_get(o->json, "format"));
    const bool has_bytes = json_is_string(json_object_get(o->json, "hex"));
    if (!json_is_object(o->json)) return "it is cut short, or not a JSON object";
    if (format < 1) return "it is not a finding of frng";
    if (format > FINDING_FORMAT_STYLED) return "it is of a later format than this frng reads";
    const char *wrong = get_fields(o->json, has_bytes ? OF_BYTES : OF_SEED, f);
    const bool expands = has_bytes || json_count(o->json, "expand") == FRNG_EXPAND_FORMAT;
    return wrong == NULL && !expands ? "its seeds expand in another way" : wrong;
}

bool finding_from_json(const char *text, size_t size, finding *f, const char **why) {
    *f = (finding){.owned = memory_zeroed(1, sizeof(owned))};
    *why = read_json(f, text, size);
    if (f->args == NULL) f->args = memory_zeroed(1, sizeof *f->args);
    if (f->from.size > INPUT_SIZE_MAX) f->from.size = 0;
    f->of.draws.is_untold = f->of.draws.count == 0;
    if (f->of.repeated > f->of.reruns) f->of.reruns = f->of.repeated = 0; /* an impossible count */
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
    free(o->remarks);
    free(f->args);
    free(o);
    memset(f, 0, sizeof *f);
}

/* ---- Names of findings in a folder ---- */

enum { SIZE_DIGITS = 10, SEED_DIGITS = 16, STEM_LENGTH = SIZE_DIGITS + 1 + SEED_DIGITS };

bool store_is_name(const char *name) {
    if (strspn(name, "0123456789") != SIZE_DIGITS || name[SIZE_DIGITS] != '-') return false;
    if (strspn(name + SIZE_DIGITS + 1, "0123456789abcdef") != SEED_DIGITS) return false;
    return strcmp(name + STEM_LENGTH, ".json") == 0 || strcmp(name + STEM_LENGTH, "s.json") == 0;
}

uint64_t store_name_size(const char *name) { return strtoull(name, NULL, 10); }

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

/* Add a name behind all others. */
static void append_name(store_names *names, const char *name) {
    names->list = with_room(names->list, names->count, sizeof *names->list);
    strcpy(names->list[names->count++], name);
}

void store_names_free(store_names *names) {
    free(names->list);
    *names = (store_names){.list = NULL};
}

bool store_names_has(const store_names *names, const char *name) {
    return names->count > 0 &&
           bsearch(name, names->list, names->count, sizeof *names->list, by_name) != NULL;
}

void store_names_add(store_names *names, const char *name) {
    char added[STORE_NAME_MAX];
    if (store_names_has(names, name)) return;
    append_name(names, name);
    size_t i = names->count - 1;
    memcpy(added, names->list[i], sizeof added);
    for (; i > 0 && strcmp(names->list[i - 1], added) > 0; i--)
        memcpy(names->list[i], names->list[i - 1], STORE_NAME_MAX);
    memcpy(names->list[i], added, STORE_NAME_MAX);
}

/* ---- Making a folder ---- */

static int open_folder(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

/* Make a folder in one that is there. Return 0, also if it is there already, or an errno. The name
 * is on disk then, also if another process made the folder, which may have been killed. */
static int make_folder(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return errno;
    const int fd = open_folder(path);
    if (fd < 0) return errno;
    const int above = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (above >= 0) {
        fsync(above);
        close(above);
    }
    close(fd);
    return 0;
}

/* Return the path of the folder above, which the caller frees. NULL if the path has one name. */
static char *path_above(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    return length > 0 ? memory_text("%.*s", (int)length, path) : NULL;
}

/* Make a folder, and those above it if they are missing. Return 0 or an errno. */
static int make_folders(const char *path) {
    int error = make_folder(path);
    char *above = error == ENOENT ? path_above(path) : NULL;
    if (above == NULL) return error;
    error = make_folders(above);
    free(above);
    return error == 0 ? make_folder(path) : error;
}

static bool is_finding(const void *context, const char *name) {
    (void)context;
    return store_is_name(name);
}

int store_make(const char *folder) {
    int error = make_folders(folder);
    const int fd = error == 0 ? open_folder(folder) : -1;
    if (error == 0 && fd < 0) error = errno;
    if (fd < 0) return error;
    atomic_file_tidy(fd, is_finding, NULL);
    close(fd);
    return 0;
}

int store_look(const char *folder, file_stamp *seen) {
    *seen = file_stamp_of(folder);
    return file_stamp_is_known(seen) ? 0 : errno;
}

/* ---- Writing ---- */

static uint64_t digest_of(const void *bytes, size_t size) {
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t key;
    crypto_generichash(digest, sizeof digest, bytes, size, NULL, 0);
    memcpy(&key, digest, sizeof key);
    return key;
}

void store_name(const finding *f, char name[STORE_NAME_MAX]) {
    uint64_t key = f->of.input.seed;
    const bool is_styled = f->bytes == NULL && f->of.input.style == SEED_STYLED;
    if (f->bytes != NULL) key = digest_of(f->bytes, f->of.input.size); /* there is no seed */
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 "%s.json", f->of.input.size, key,
             is_styled ? "s" : "");
}

static void mix(uint64_t *key, const char *word) {
    const uint64_t both[] = {*key, digest_of(word, strlen(word))};
    *key = digest_of(both, sizeof both);
}

void store_name_apart(const char *sut, const char *const *args, char name[STORE_NAME_MAX]) {
    uint64_t key = 0;
    mix(&key, name);
    mix(&key, path_base(sut));
    for (size_t i = 0; args[i] != NULL; i++) mix(&key, args[i]);
    snprintf(name, STORE_NAME_MAX, "%010" PRIu64 "-%016" PRIx64 ".json", store_name_size(name),
             key);
}

/* Open the folder that a stamp is of, if it is still at the path. Return -1 with errno if not. */
static int open_same(const char *folder, const file_stamp *of) {
    struct stat status;
    const int fd = open_folder(folder);
    if (fd < 0 || of == NULL) return fd;
    if (fstat(fd, &status) == 0 && status.st_dev == of->device && status.st_ino == of->inode)
        return fd;
    close(fd);
    errno = ENOENT;
    return -1;
}

int store_write(const char *folder, const file_stamp *of, const char *name, const char *text,
                size_t size) {
    const int fd = open_same(folder, of);
    if (fd < 0) return errno;
    const int error = text != NULL ? atomic_file_write(fd, name, text, size) : atomic_file_sync(fd);
    close(fd);
    return error;
}

void store_remove(const char *folder, const file_stamp *of, const char *name) {
    const int fd = open_same(folder, of);
    if (fd < 0) return;
    unlinkat(fd, name, 0);
    close(fd);
}

/* ---- Reading ---- */

int store_list(const char *folder, store_names *names) {
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    *names = (store_names){.list = NULL};
    if (entries == NULL) return errno;
    while ((errno = 0, entry = readdir(entries)) != NULL) {
        if (store_is_name(entry->d_name)) append_name(names, entry->d_name);
    }
    const int error = errno; /* 0 at the end of the folder */
    closedir(entries);
    if (error == 0 && names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    if (error != 0) store_names_free(names);
    return error;
}

bool store_set_aside(const char *folder, const finding *f, char name[STORE_NAME_MAX]) {
    file_stamp seen;
    store_names there = {.list = NULL};
    char *text = finding_to_json(f), *path = memory_text("%s/" STORE_UNCONFIRMED, folder);
    store_name(f, name);
    store_name_apart(f->sut, f->args, name); /* those of all programs are here */
    const bool ok = store_look(folder, &seen) == 0 && store_make(path) == 0 &&
                    store_list(path, &there) == 0 &&
                    (there.count < STORE_UNCONFIRMED_MAX || store_names_has(&there, name)) &&
                    store_write(path, NULL, name, text, strlen(text)) == 0;
    store_names_free(&there);
    free(text);
    free(path);
    return ok;
}

bool store_read(const char *folder, const char *name, finding *f, const char **why) {
    struct stat status; /* of a link to nothing, too */
    char *path = memory_text("%s/%s", folder, name);
    const bool ok = finding_read(AT_FDCWD, path, f, why);
    if (!ok && errno == ENOENT && lstat(path, &status) != 0) *why = NULL;
    if (!ok && *why == NULL) errno = ENOENT;
    free(path);
    return ok;
}
