#include "line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 << 10 };

void line_reader_init(line_reader *r, int fd) { *r = (line_reader){.fd = fd}; }

/* Make room for one more piece and a zero. Return 0 or an errno. */
static int make_room(line_reader *r) {
    if (r->start > 0) {
        memmove(r->buffer, r->buffer + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->room - r->end > PIECE) return 0;
    const size_t room = 2 * r->room + 2 * PIECE;
    char *grown = realloc(r->buffer, room);
    if (grown == NULL) return ENOMEM;
    r->buffer = grown;
    r->room = room;
    return 0;
}

/* Read one more piece. Return 0 or an errno. */
static int read_piece(line_reader *r) {
    const int error = make_room(r);
    if (error != 0) return error;
    ssize_t count;
    do {
        count = read(r->fd, r->buffer + r->end, PIECE);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return errno;
    if (count == 0) r->is_at_end = true;
    r->end += (size_t)count;
    return 0;
}

/* Take a line of `size` bytes, and the newline that may follow. */
static line_kind take(line_reader *r, line_kind kind, size_t size, const char **text,
                      size_t *length) {
    *text = r->buffer + r->start;
    *length = size;
    r->buffer[r->start + size] = '\0';
    r->start += kind == LINE_TORN ? size : size + 1;
    r->seen = 0;
    return kind;
}

line_kind line_reader_next(line_reader *r, const char **text, size_t *size) {
    *text = "";
    *size = 0;
    for (;;) {
        const size_t held = r->end - r->start;
        char *unseen = r->buffer != NULL ? r->buffer + r->start + r->seen : NULL;
        char *end = held > r->seen ? memchr(unseen, '\n', held - r->seen) : NULL;
        if (end != NULL && r->is_skipping) {
            r->start = (size_t)(end + 1 - r->buffer);
            r->seen = 0;
            r->is_skipping = false;
            return LINE_LONG;
        }
        if (end != NULL) {
            return take(r, LINE_WHOLE, (size_t)(end - r->buffer) - r->start, text, size);
        }
        if (r->is_at_end && r->is_skipping) {
            r->is_skipping = false;
            r->start = r->end;
            return LINE_LONG;
        }
        if (r->is_at_end) return held > 0 ? take(r, LINE_TORN, held, text, size) : LINE_END;
        r->seen = held;
        if (held > LINE_READER_MAX) r->is_skipping = true;
        if (r->is_skipping) r->start = r->end, r->seen = 0;
        r->error = read_piece(r);
        if (r->error != 0) return LINE_FAILED;
    }
}

void line_reader_finish(line_reader *r) {
    free(r->buffer);
    r->buffer = NULL;
}
