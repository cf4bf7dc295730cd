/* Words of people and of programs, as JSON.
 *
 * Texts for people are escaped where JSON cannot have them. Names and arguments must come back byte
 * by byte: where they are not UTF-8 they are written as hex. A reader borrows the strings from the
 * JSON tree, which it frees as a whole. */
#include "json_values.h"

#include "bytes.h"
#include "memory.h"

#include <string.h>

json_t *json_word_shown(const char *text) {
    char escaped[4096];
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    if (string != NULL) return string;
    bytes_escape((const uint8_t *)text, strlen(text), true, escaped, sizeof escaped);
    return json_string(escaped);
}

json_t *json_hex(const void *bytes, size_t size) {
    char *hex = memory_new(2 * size + 1);
    bytes_to_hex(bytes, size, hex);
    json_t *text = memory_need(json_string(hex));
    free(hex);
    return text;
}

bool json_hex_restore(json_t *text) {
    const char *hex = json_string_value(text);
    const size_t size_max = json_string_length(text) / 2;
    size_t size = 0;
    uint8_t *bytes = memory_new(size_max + 1);
    const bool ok = hex != NULL && bytes_from_hex(hex, bytes, size_max, &size) &&
                    json_string_setn_nocheck(text, (const char *)bytes, size) == 0;
    free(bytes);
    return ok;
}

json_t *json_exact(const char *word) {
    if (word == NULL) return json_null();
    json_t *text = json_string(word);
    return text != NULL ? text : json_pack("{so}", "hex", json_hex(word, strlen(word)));
}

const char *json_exact_restore(json_t *item) {
    json_t *hex = json_object_get(item, "hex");
    if (json_is_string(item) || !json_is_string(hex)) return json_string_value(item);
    return json_hex_restore(hex) &&
                   memchr(json_string_value(hex), '\0', json_string_length(hex)) == NULL
               ? json_string_value(hex)
               : NULL;
}

const char *json_text(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

uint64_t json_count(const json_t *object, const char *name) {
    const json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (uint64_t)value : 0;
}
