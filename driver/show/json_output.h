/* json_output.h: where events go, a line each: a file that others may append to, a pipe... */
#ifndef JSON_OUTPUT_H
#define JSON_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

typedef struct json_output {
    int fd;       /* borrowed */
    bool is_file; /* a regular file: a line is one write, so that lines of two writers never mix */
    bool is_torn; /* its last line has no end: a kill or a full disk cut it short */
} json_output;

/* Return an output on an open descriptor. `is_torn`: see above. */
json_output json_output_on(int fd, bool is_torn);

/* Write an object as a line at once, after the end of a torn line, and free it. Returns 0 or an
 * errno. */
int json_output_put(json_output *o, json_t *line);

#endif
