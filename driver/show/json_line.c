#include "json_line.h"

#include "files.h"
#include "phrase.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
    return t != NULL && t->style != SEED_GIVEN ? json_string(seed_text_format(SEED_TEXT, t)) : NULL;
}

/* ---- Lines ---- */

json_output json_output_on(int fd, bool is_torn) {
    struct stat status;
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    return (json_output){fd, is_file, is_torn};
}

int json_output_put(json_output *o, json_t *line) {
    char *text = NULL, *object = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12));
    const char *before = o->is_torn ? "\n" : "";
    const int size = object != NULL ? asprintf(&text, "%s%s\n", before, object) : -1;
    json_decref(line);
    free(object);
    if (size < 0) return ENOMEM;
    size_t done = 0;
    const int error = o->is_file ? stream_write_counted(o->fd, text, (size_t)size, &done)
                                 : stream_send(o->fd, text, (size_t)size);
    if (done > 0) o->is_torn = text[done - 1] != '\n';
    free(text);
    return error;
}
