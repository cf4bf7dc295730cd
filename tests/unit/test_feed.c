/* feed.h: bytes through a pipe to a reader that reads all, some or nothing. */
#include "feed.h"
#include "suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 1024 * 1024 };

static uint8_t *large_bytes(void) {
    uint8_t *bytes = malloc(LARGE);
    ck_assert_ptr_nonnull(bytes);
    for (size_t i = 0; i < LARGE; i++) bytes[i] = (uint8_t)(i ^ i >> 8 ^ i >> 16);
    return bytes;
}

TEST(few_bytes_go_at_once) {
    const uint8_t bytes[] = {1, 2, 3, 4, 5};
    uint8_t got[8];
    feed f;
    int reader;
    ck_assert_int_eq(feed_open(&f, bytes, sizeof bytes, &reader), 0);
    ck_assert_int_eq(fcntl(f.fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fcntl(reader, F_GETFD), FD_CLOEXEC);
    ck_assert_msg((fcntl(reader, F_GETFL) & O_NONBLOCK) == 0, "a run's reads wait");
    feed_write(&f);
    ck_assert_int_eq(f.fd, -1);
    ck_assert_int_eq(read(reader, got, sizeof got), sizeof bytes);
    ck_assert_int_eq(memcmp(got, bytes, sizeof bytes), 0);
    ck_assert_int_eq(read(reader, got, sizeof got), 0);
    close(reader);
}

TEST(no_bytes_are_an_end_at_once) {
    uint8_t got;
    feed f;
    int reader;
    ck_assert_int_eq(feed_open(&f, NULL, 0, &reader), 0);
    ck_assert_int_ge(f.fd, 0);
    feed_write(&f);
    ck_assert_int_eq(f.fd, -1);
    ck_assert_int_eq(read(reader, &got, 1), 0);
    close(reader);
}

TEST(many_bytes_wait_for_their_reader) {
    uint8_t *bytes = large_bytes(), *got = malloc(LARGE);
    size_t size = 0, writes = 0;
    feed f;
    int reader;
    ck_assert_ptr_nonnull(got);
    ck_assert_int_eq(feed_open(&f, bytes, LARGE, &reader), 0);
    while (f.fd >= 0 || size < LARGE) {
        if (f.fd >= 0) {
            feed_write(&f);
            writes++;
        }
        const ssize_t count = read(reader, got + size, size % 7000 + 1);
        ck_assert_int_gt(count, 0);
        size += (size_t)count;
        ck_assert_uint_le(size, LARGE);
    }
    ck_assert_uint_gt(writes, 1);
    ck_assert_int_eq(memcmp(got, bytes, LARGE), 0);
    ck_assert_int_eq(read(reader, got, 1), 0);
    close(reader);
    free(got);
    free(bytes);
}

TEST(a_reader_that_leaves_is_no_error) {
    uint8_t *bytes = large_bytes();
    feed f;
    int reader;
    signal(SIGPIPE, SIG_IGN); /* as the driver has it */
    ck_assert_int_eq(feed_open(&f, bytes, LARGE, &reader), 0);
    feed_write(&f);
    ck_assert_int_ge(f.fd, 0);
    ck_assert_uint_gt(f.left, 0);
    ck_assert_uint_lt(f.left, LARGE);
    close(reader);
    feed_write(&f);
    ck_assert_int_eq(f.fd, -1);
    free(bytes);
}

TEST(closing) {
    const uint8_t bytes[] = {1};
    uint8_t got;
    feed f = FEED_NONE;
    int reader;
    feed_close(&f);
    ck_assert_int_eq(f.fd, -1);
    ck_assert_int_eq(feed_open(&f, bytes, 1, &reader), 0);
    feed_close(&f);
    ck_assert_int_eq(f.fd, -1);
    feed_close(&f);
    ck_assert_int_eq(read(reader, &got, 1), 0);
    close(reader);
}
