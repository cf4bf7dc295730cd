/* input_memfd.h: what a run reads, whatever earlier runs did to the file. */
#include "candidate_set.h"
#include "fixture.h"
#include "input_memfd.h"

#include "frng_expand.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { SIZE_MAX_TESTED = 256 * 1024 };

/* What a new opener of the path reads from its start equals `expected`. */
static void check_read(const input_memfd *e, const uint8_t *expected, size_t size) {
    static uint8_t bytes[SIZE_MAX_TESTED + 1];
    const int fd = openat(e->folder_fd, e->name, O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_uint_eq(read_all(fd, bytes, sizeof bytes), size);
    ck_assert_int_eq(memcmp(bytes, expected, size), 0);
    close(fd);
}

static void check_expanded(input_memfd *e, seed_input t) {
    static uint8_t expected[SIZE_MAX_TESTED];
    const size_t size = t.size;
    ck_assert_int_eq(input_memfd_expand(e, &t), 0);
    if (t.style == SEED_STYLED) frng_expand_styled(t.seed, expected, size);
    if (t.style == SEED_PLAIN) frng_expand(t.seed, expected, size);
    check_read(e, expected, size);
    check_read(e, expected, size); /* the first reader's offset was its own */
}

TEST(bytes_are_the_expansion_of_the_seed) {
    const size_t sizes[] = {0, 1, 7, 8, 9, 4095, 4096, 4097, 100, 3, SIZE_MAX_TESTED, 0, 20};
    input_memfd e;
    ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0);
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), FD_CLOEXEC);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_expanded(&e, (seed_input){.size = sizes[i], .seed = i});
        check_expanded(&e, (seed_input){.size = sizes[i], .seed = UINT64_MAX - i});
        check_expanded(&e, (seed_input){sizes[i], i, SEED_STYLED});
    }
    input_memfd_finish(&e);
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), -1);
}

TEST(bytes_are_copied_into_the_input) {
    const uint8_t bytes[] = {1, 2, 3, 0, 5};
    input_memfd e;
    ck_assert_int_eq(input_memfd_init(&e, 5), 0);
    ck_assert_int_eq(input_memfd_copy(&e, 5, bytes), 0);
    check_read(&e, bytes, 5);
    ck_assert_int_eq(input_memfd_copy(&e, 0, NULL), 0);
    check_read(&e, bytes, 0);
    ck_assert_int_eq(input_memfd_copy(&e, 2, bytes + 3), 0);
    check_read(&e, bytes + 3, 2);
    input_memfd_finish(&e);
    ck_assert_int_eq(input_memfd_init(&e, 0), 0);
    ck_assert_int_eq(input_memfd_copy(&e, 0, bytes), 0);
    check_read(&e, bytes, 0);
    input_memfd_finish(&e);
}

TEST(a_row_of_cases_stands_behind_its_table) {
    input_memfd e;
    uint8_t bytes[] = "abcdefgh";
    candidate_set set = {.count = 4, .ends = {2, 5, 5, 8}, .bytes = bytes};
    const batch whole = {.count = 4, .candidates = &set};
    const uint64_t all[] = {2, 5, 5, 8}, later[] = {3, 3, 6};
    batch part;
    uint8_t expected[4 * 8 + 8];
    uint64_t size = 0;
    ck_assert_int_eq(input_memfd_init(&e, sizeof expected), 0);
    memcpy(expected, all, sizeof all);
    memcpy(expected + sizeof all, bytes, 8);
    ck_assert_int_eq(input_memfd_row(&e, &whole, &size), 0);
    ck_assert_uint_eq(size, sizeof all + 8);
    check_read(&e, expected, size);
    memcpy(expected, later, sizeof later);
    memcpy(expected + sizeof later, "cdefgh", 6);
    part = batch_part(&whole, 1, 3);
    ck_assert_int_eq(input_memfd_row(&e, &part, &size), 0);
    ck_assert_uint_eq(size, sizeof later + 6);
    check_read(&e, expected, size);
    memset(expected, 0, 8);
    part = batch_part(&whole, 2, 1);
    ck_assert_int_eq(input_memfd_row(&e, &part, &size), 0);
    ck_assert_uint_eq(size, 8);
    check_read(&e, expected, size);
    input_memfd_finish(&e);
}

TEST(a_row_of_seeds_stands_behind_its_table) {
    input_memfd e;
    const batch runs = {.first_seed = 7, .count = 3, .size = 20, .mix = MIX_HALF};
    const uint64_t ends[] = {20, 40, 60};
    uint8_t expected[3 * 8 + 60];
    uint64_t size = 0;
    memcpy(expected, ends, sizeof ends);
    frng_expand_styled(7, expected + 24, 20);
    frng_expand(8, expected + 44, 20);
    frng_expand_styled(9, expected + 64, 20);
    ck_assert_uint_eq(3 * input_memfd_row_bytes(20), sizeof expected);
    ck_assert_int_eq(input_memfd_init(&e, sizeof expected), 0);
    ck_assert_int_eq(input_memfd_row(&e, &runs, &size), 0);
    ck_assert_uint_eq(size, sizeof expected);
    check_read(&e, expected, size);
    input_memfd_finish(&e);
}

TEST(another_opener_cannot_write_but_can_truncate) {
    input_memfd e;
    ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0);
    check_expanded(&e, (seed_input){.size = 10000, .seed = 1});
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "x", 1), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_ptr_eq(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    const off_t lengths[] = {0, 5000, 1, 1000000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ck_assert_int_eq(ftruncate(fd, lengths[i]), 0);
        check_expanded(&e, (seed_input){.size = 10000, .seed = 2 + i});
    }
    close(fd);
    input_memfd_finish(&e);
}

TEST(another_opener_cannot_freeze_the_length) {
    input_memfd e;
    ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0);
    check_expanded(&e, (seed_input){.size = 1000, .seed = 1});
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), -1);
    ck_assert_int_eq(errno, EPERM);
    check_expanded(&e, (seed_input){.size = 10, .seed = 2});
    check_expanded(&e, (seed_input){.size = 2000, .seed = 3});
    close(fd);
    input_memfd_finish(&e);
}

_Noreturn static void truncate_for_ever(const input_memfd *e) {
    const int fd = openat(e->folder_fd, e->name, O_RDWR | O_CLOEXEC);
    while (ftruncate(fd, 0) == 0) {
    }
    _exit(EXIT_FAILURE);
}

TEST(a_truncator_does_no_harm) {
    input_memfd e;
    int status, written = 0;
    ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0);
    const pid_t truncator = fork();
    ck_assert_int_ge(truncator, 0);
    if (truncator == 0) truncate_for_ever(&e);
    for (uint64_t i = 0; i < 3000; i++) {
        const int error = input_memfd_expand(
            &e, &(seed_input){.size = i % 2 == 0 ? 100 : SIZE_MAX_TESTED, .seed = i});
        if (error != 0 && error != EIO) ck_abort_msg("error %d", error);
        written += error == 0;
    }
    ck_assert_int_eq(kill(truncator, SIGKILL), 0);
    ck_assert_int_eq(waitpid(truncator, &status, 0), truncator);
    ck_assert_msg(WIFSIGNALED(status), "the truncator was refused");
    ck_assert_int_gt(written, 0);
    check_expanded(&e, (seed_input){.size = SIZE_MAX_TESTED, .seed = 5});
    input_memfd_finish(&e);
}

TEST_RAISES(bus_errors_of_others_still_kill, SIGBUS) {
    input_memfd e;
    ck_assert_int_eq(input_memfd_init(&e, 4096), 0);
    ck_assert_int_eq(input_memfd_expand(&e, &(seed_input){.size = 1, .seed = 1}), 0);
    ck_assert_int_eq(ftruncate(e.fd, 0), 0);
    *(volatile uint8_t *)e.bytes = 1;
}

SUITE(.timeout_s = 120);
