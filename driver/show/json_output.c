#include "json_output.h"

#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

json_output json_output_on(int fd, bool is_torn) {
    struct stat status;
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    return (json_output){fd, is_file, is_torn};
}

/* Return the line as text, with its size. The caller frees it. NULL when out of memory. */
static char *text_of(const json_output *o, const json_t *line, size_t *size) {
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
    char *text = text_of(o, line, &size);
    json_decref(line);
    if (text == NULL) return ENOMEM;
    const int error = o->is_file ? append(o, text, size) : stream_send(o->fd, text, size);
    free(text);
    return error;
}
