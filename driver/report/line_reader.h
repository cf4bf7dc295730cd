/* line_reader.h: reads the lines of a file that may be of any size, and may still grow. */
#ifndef LINE_READER_H
#define LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

/* Longer lines are skipped, so that no file takes more memory than this. */
enum { LINE_READER_MAX = 4 << 20 };

typedef enum line_kind {
    LINE_WHOLE, /* without its newline */
    LINE_TORN,  /* the file ended before the newline */
    LINE_LONG,  /* more than LINE_READER_MAX bytes: not read */
    LINE_END,   /* there is no further line */
    LINE_FAILED /* reading failed */
} line_kind;

typedef struct line_reader {
    int fd; /* borrowed */
    int error;
    char *buffer;
    size_t room;
    size_t start, end; /* the bytes of the buffer that are not taken yet */
    size_t seen;       /* of these, the first ones hold no newline */
    bool is_skipping;  /* inside a line that is too long */
    bool is_at_end;
} line_reader;

/* Begin with an open file. */
void line_reader_init(line_reader *r, int fd);

/* Read the next line. The text is valid until the next call, and a zero follows it. After
 * LINE_FAILED, `error` is an errno. */
line_kind line_reader_next(line_reader *r, const char **text, size_t *size);

void line_reader_finish(line_reader *r);

#endif
