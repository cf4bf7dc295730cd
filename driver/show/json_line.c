#include "json_line.h"

#include "clock.h"
#include "files.h"
#include "phrase.h"
#include "seed_input.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void json_set(json_t *object, const char *name, json_t *value) {
    json_object_set_new(object, name, value != NULL ? value : json_null());
}

json_t *json_of_integer(uint64_t value) {
    return json_integer((json_int_t)smaller(value, INT64_MAX));
}

json_t *json_of_known(uint64_t value) {
    return value != UINT64_MAX ? json_of_integer(value) : NULL;
}

json_t *json_of_text(const char *value) {
    return value != NULL ? json_string(phrase_escaped_lines(value)) : NULL;
}

json_t *json_of_texts(const char *const *values) {
    json_t *array = json_array();
    for (size_t i = 0; values != NULL && values[i] != NULL; i++)
        json_array_append_new(array, json_of_text(values[i]));
    return array;
}

json_t *json_of_seed(const seed_input *t) {
    return t != NULL ? json_string(seed_text_format(SEED_TEXT, t)) : NULL;
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
