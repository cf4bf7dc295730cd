#include "json_line.h"

#include "clock.h"
#include "files.h"
#include "seed_input.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static json_t *integer_of(uint64_t value) {
    const uint64_t most = INT64_MAX;
    return json_integer((json_int_t)(value < most ? value : most));
}

void json_set_integer(json_t *line, const char *name, uint64_t value) {
    json_object_set_new(line, name, integer_of(value));
}

void json_set_known(json_t *line, const char *name, uint64_t value) {
    json_object_set_new(line, name, value == UINT64_MAX ? json_null() : integer_of(value));
}

void json_set_real(json_t *line, const char *name, double value) {
    json_object_set_new(line, name, json_real(value));
}

void json_set_word(json_t *line, const char *name, const char *word) {
    json_object_set_new(line, name, word != NULL ? json_string(word) : json_null());
}

/* Return untrusted text with escapes; null for NULL. When out of memory it is omitted: the text
 * stays one, as readers expect. */
static json_t *text_of(const char *value) {
    const size_t size = value != NULL ? strlen(value) : 0;
    char *text = value != NULL ? malloc(4 * size + 1) : NULL;
    if (text == NULL) return value != NULL ? json_string("...") : json_null();
    bytes_escape((const uint8_t *)value, size, true, text, 4 * size + 1);
    json_t *string = json_string(text);
    free(text);
    return string;
}

void json_set_text(json_t *line, const char *name, const char *value) {
    json_object_set_new(line, name, text_of(value));
}

void json_set_texts(json_t *line, const char *name, const char *const *values) {
    json_t *array = json_array();
    for (size_t i = 0; values != NULL && values[i] != NULL; i++)
        json_array_append_new(array, text_of(values[i]));
    json_object_set_new(line, name, array);
}

void json_set_seed(json_t *line, const char *name, const seed_input *t) {
    json_set_word(line, name, t != NULL ? seed_text_format(SEED_TEXT, t) : NULL);
}

/* ---- Lines ---- */

json_output json_output_on(int fd, bool is_torn) {
    struct stat status;
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    return (json_output){fd, is_file, is_torn};
}

/* Return the line as text, with its size. The caller frees it. NULL when out of memory. */
static char *line_text(const json_output *o, const json_t *line, size_t *size) {
    char *whole = NULL, *object = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12));
    if (object == NULL) return NULL;
    const int length = asprintf(&whole, "%s%s\n", o->is_torn ? "\n" : "", object);
    free(object);
    if (length < 0) return NULL;
    *size = (size_t)length;
    return whole;
}

static int append(json_output *o, const char *text, size_t size) {
    size_t done;
    const int error = stream_write_counted(o->fd, text, size, &done);
    if (done > 0) o->is_torn = text[done - 1] != '\n';
    return error;
}

int json_output_put(json_output *o, json_t *line) {
    size_t size;
    char *text = line_text(o, line, &size);
    json_decref(line);
    if (text == NULL) return ENOMEM;
    const int error = o->is_file ? append(o, text, size) : stream_send(o->fd, text, size);
    free(text);
    return error;
}
