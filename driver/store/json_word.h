/* json_word.h: names, arguments and other texts in the files of a findings folder. */
#ifndef JSON_WORD_H
#define JSON_WORD_H

#include <jansson.h>
#include <stdbool.h>

/* Set a value, which is stolen. False when out of memory. */
bool json_word_set(json_t *object, const char *name, json_t *value);

/* Return a text to be read by people: null for NULL, escaped if it is not UTF-8, which JSON
 * requires. NULL when out of memory. */
json_t *json_word_shown(const char *text);

/* Return a name or an argument, which can be any bytes, or null for NULL. One that is not UTF-8
 * becomes {"hex": ...}, so that reading restores the same bytes. NULL when out of memory. */
json_t *json_word_exact(const char *word);

/* Return the exact words of an array that ends with NULL, or is NULL: none. NULL when out of
 * memory. */
json_t *json_word_list(const char *const *words);

/* Return the word that json_word_exact wrote as `name`. It lives in the object, in which it takes
 * the place of the hex. NULL if there is none, or if it contains a zero byte. */
const char *json_word_read(json_t *object, const char *name);

/* Set *words to an array of the words that json_word_list wrote as `name`, ended by NULL, which the
 * caller frees; the words live in the object. A missing list is empty. Return NULL, or why not. */
const char *json_word_read_list(json_t *object, const char *name, const char ***words);

/* Return the text of an object, ended by a newline, which the caller frees. NULL when out of
 * memory: jansson leaves out keys then, so the text is parsed again. */
char *json_word_dump(json_t *object);

#endif
