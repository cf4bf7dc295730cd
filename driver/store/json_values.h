/* json_values.h: values of JSON: texts, words that come back byte by byte, bytes, counts. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return a text to be read by people: null for NULL, escaped if it is not UTF-8, which JSON
 * requires. */
json_t *json_word_shown(const char *text);

/* Return bytes as hex digits. */
json_t *json_hex(const void *bytes, size_t size);

/* Put the bytes of hex digits into their place. False if it is no such text. */
bool json_hex_restore(json_t *text);

/* Return a name or an argument, which can be any bytes, or null for NULL. One that is not UTF-8
 * becomes {"hex": ...}. */
json_t *json_exact(const char *word);

/* Return a word that json_exact wrote. NULL if it is not such a word or contains a zero byte, which
 * would end the C string early. Its bytes take the place of its hex in the tree. */
const char *json_exact_restore(json_t *item);

/* Return a member of an object: its text, or NULL; its number, or 0 if it has none above that. */
const char *json_text(const json_t *object, const char *name);
uint64_t json_count(const json_t *object, const char *name);
