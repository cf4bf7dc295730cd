/* line_reader.h: lines of any length, torn ones too. */
#include "fixture.h"
#include "line_reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static line_reader r;

static void open_text(const char *text, size_t size) {
    const int fd = memfd_create("lines", MFD_CLOEXEC);
    ck_assert(fd >= 0 && write(fd, text, size) == (ssize_t)size && lseek(fd, 0, SEEK_SET) == 0);
    line_reader_init(&r, fd);
}

static void close_text(void) {
    close(r.fd);
    line_reader_finish(&r);
}

static void expect(line_kind kind, const char *text) {
    const char *line;
    size_t size;
    ck_assert_int_eq(line_reader_next(&r, &line, &size), kind);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_str_eq(line, text);
}

TEST(lines_come_one_by_one) {
    open_text("one\n\nthree\n", 11);
    expect(LINE_WHOLE, "one");
    expect(LINE_WHOLE, "");
    expect(LINE_WHOLE, "three");
    expect(LINE_END, "");
    expect(LINE_END, "");
    close_text();
}

TEST(a_torn_line_is_the_last) {
    open_text("whole\nto", 8);
    expect(LINE_WHOLE, "whole");
    expect(LINE_TORN, "to");
    expect(LINE_END, "");
    close_text();
}

TEST(an_empty_file_has_no_line) {
    open_text("", 0);
    expect(LINE_END, "");
    close_text();
}

/* The memory stays bounded, and the lines around the long one are read. */
TEST_EACH(a_line_that_is_too_long_is_skipped, 3) {
    static const size_t sizes[] = {LINE_READER_MAX + (1 << 17), 5 * LINE_READER_MAX,
                                   9 * LINE_READER_MAX + 77};
    const size_t size = sizes[_i];
    char *text = malloc(size + 12);
    memset(text, 'x', size + 12);
    memcpy(text, "first\n", 6);
    memcpy(text + size + 6, "\nlast\n", 6);
    open_text(text, size + 12);
    expect(LINE_WHOLE, "first");
    expect(LINE_LONG, "");
    ck_assert(r.room <= 4 * LINE_READER_MAX);
    expect(LINE_WHOLE, "last");
    expect(LINE_END, "");
    close_text();
    open_text(text, size); /* torn, too */
    expect(LINE_WHOLE, "first");
    expect(LINE_LONG, "");
    expect(LINE_END, "");
    close_text();
    free(text);
}

TEST(a_long_line_that_fits_is_whole) {
    const size_t size = LINE_READER_MAX - 5;
    char *text = malloc(size + 2);
    memset(text, 'y', size);
    memcpy(text + size, "\n", 2);
    open_text(text, size + 1);
    text[size] = '\0';
    expect(LINE_WHOLE, text);
    expect(LINE_END, "");
    close_text();
    free(text);
}

TEST(a_folder_cannot_be_read) {
    const char *line;
    size_t size;
    line_reader_init(&r, -1);
    ck_assert_int_eq(line_reader_next(&r, &line, &size), LINE_FAILED);
    ck_assert_int_ne(r.error, 0);
    line_reader_finish(&r);
}
