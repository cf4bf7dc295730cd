#include "json_word.h"

#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_word_set(json_t *object, const char *name, json_t *value) {
    return json_object_set_new(object, name, value) == 0;
}

json_t *json_word_shown(const char *text) {
    char escaped[4096];
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    bytes_escape((const uint8_t *)text, strlen(text), true, escaped, sizeof escaped);
    return json_string(escaped);
}

static json_t *hex_of(const char *word) {
    const size_t size = strlen(word);
    char *hex = malloc(2 * size + 1);
    if (hex == NULL) return NULL;
    bytes_to_hex((const uint8_t *)word, size, hex);
    json_t *text = json_string(hex);
    free(hex);
    return text;
}

json_t *json_word_exact(const char *word) {
    if (word == NULL) return json_null();
    json_t *text = json_string(word);
    if (text != NULL) return text;
    json_t *object = json_object();
    if (json_word_set(object, "hex", hex_of(word))) return object;
    json_decref(object);
    return NULL;
}

json_t *json_word_list(const char *const *words) {
    json_t *array = json_array();
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        if (json_array_append_new(array, json_word_exact(words[i])) == 0) continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

/* Return a word that json_word_exact wrote, as a new JSON string of its bytes. NULL if it is not
 * such a word or contains a zero byte, which would end the C string early. */
static json_t *restore(json_t *item) {
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

const char *json_word_read(json_t *object, const char *name) {
    json_t *word = restore(json_object_get(object, name));
    if (word == NULL || json_object_set_new(object, name, word) != 0) return NULL;
    return json_string_value(word);
}

const char *json_word_read_list(json_t *object, const char *name, const char ***words) {
    json_t *array = json_object_get(object, name);
    const size_t count = json_array_size(array);
    if (array != NULL && !json_is_array(array)) return "its args are not strings";
    *words = calloc(count + 1, sizeof **words);
    if (*words == NULL) return "out of memory";
    for (size_t i = 0; i < count; i++) {
        json_t *word = restore(json_array_get(array, i));
        if (word == NULL) return "its args are not strings";
        json_array_set_new(array, i, word);
        (*words)[i] = json_string_value(word);
    }
    return NULL;
}

char *json_word_dump(json_t *object) {
    char *text = json_dumps(object, JSON_INDENT(2)), *line = NULL;
    if (text == NULL) return NULL;
    json_t *back = json_loads(text, 0, NULL);
    const bool is_whole = json_equal(back, object);
    if (is_whole && asprintf(&line, "%s\n", text) < 0) line = NULL;
    json_decref(back);
    free(text);
    return line;
}
