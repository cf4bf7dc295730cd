/* report.h: what a run reads, whatever earlier runs did to the file. */
#include "candidate_set.h"
#include "fixture.h"
#include "report.h"

#include "frng_expand.h"

#include <errno.h>

enum { SIZE_MAX_TESTED = 256 * 1024 };

static input_memfd e;

static void begin(void) { ck_assert_int_eq(input_memfd_init(&e, SIZE_MAX_TESTED), 0); }

SUITE(.timeout_s = 120, .before_each = begin);

/* What a new opener of the path reads from its start equals `expected`; each has its own offset. */
static void check_read(const uint8_t *expected, size_t size) {
    static uint8_t bytes[SIZE_MAX_TESTED + 1];
    for (int i = 0; i < 2; i++) {
        const int fd = openat(e.folder_fd, e.name, O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_eq(read_all(fd, bytes, sizeof bytes), size);
        ck_assert_int_eq(memcmp(bytes, expected, size), 0);
        close(fd);
    }
}

static int expand(seed_input t) {
    uint64_t size;
    const batch once = {
        .first_seed = t.seed, .count = 1, .size = t.size, .mix = expansion_of(t.style)};
    return input_memfd_write(&e, &once, false, &size);
}

static void check_expanded(seed_input t) {
    static uint8_t expected[SIZE_MAX_TESTED];
    ck_assert_int_eq(expand(t), 0);
    if (t.style == SEED_STYLED) frng_expand_styled(t.seed, expected, t.size);
    if (t.style == SEED_PLAIN) frng_expand(t.seed, expected, t.size);
    check_read(expected, t.size);
}

TEST(bytes_are_the_expansion_of_the_seed_or_a_copy) {
    static const size_t sizes[] = {0, 1, 7, 8, 9, 4095, 4097, 100, 3, SIZE_MAX_TESTED, 0, 20};
    static const uint8_t bytes[] = {1, 2, 3, 0, 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        check_expanded((seed_input){.size = sizes[i], .seed = UINT64_MAX - i});
        check_expanded((seed_input){sizes[i], i, SEED_STYLED});
    }
    for (size_t size = 0; size <= sizeof bytes; size++) {
        ck_assert_int_eq(input_memfd_copy(&e, size, bytes), 0);
        check_read(bytes, size);
    }
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), FD_CLOEXEC);
    input_memfd_finish(&e);
    ck_assert_int_eq(fcntl(e.fd, F_GETFD), -1);
    ck_assert_int_eq(input_memfd_init(&e, 0), 0);
    ck_assert_int_eq(input_memfd_copy(&e, 0, NULL), 0);
    check_read(bytes, 0);
}

/* A table of ends, and then the bytes. */
static void check_row(const batch *runs, const uint64_t *ends, const void *bytes) {
    uint8_t expected[256];
    uint64_t size = 0;
    const size_t table = runs->count * sizeof *ends, rest = ends[runs->count - 1];
    memcpy(expected, ends, table);
    memcpy(expected + table, bytes, rest);
    ck_assert_int_eq(input_memfd_write(&e, runs, true, &size), 0);
    ck_assert_uint_eq(size, table + rest);
    check_read(expected, size);
}

TEST(a_row_stands_behind_its_table) {
    uint8_t bytes[] = "abcdefgh", expanded[60];
    candidate_set set = {.count = 4, .ends = {2, 5, 5, 8}, .bytes = bytes};
    const batch whole = {.count = 4, .candidates = &set};
    const batch later = batch_part(&whole, 1, 3), empty = batch_part(&whole, 2, 1);
    const batch seeds = {.first_seed = 7, .count = 3, .size = 20, .mix = EXPAND_BOTH};
    check_row(&whole, set.ends, bytes);
    check_row(&later, (const uint64_t[]){3, 3, 6}, bytes + 2);
    check_row(&empty, (const uint64_t[]){0}, bytes);
    frng_expand_styled(7, expanded, 20);
    frng_expand(8, expanded + 20, 20);
    frng_expand_styled(9, expanded + 40, 20);
    check_row(&seeds, (const uint64_t[]){20, 40, 60}, expanded);
    ck_assert_uint_eq(3 * input_memfd_row_bytes(20), 3 * 8 + 60);
}

/* It can truncate, but neither write nor freeze the length. */
TEST(another_opener_changes_nothing) {
    static const off_t lengths[] = {0, 5000, 1, 1000000};
    check_expanded((seed_input){.size = 10000, .seed = 1});
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, "x", 1), -1);
    ck_assert_int_eq(errno, EPERM);
    ck_assert_ptr_eq(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), -1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        ck_assert_int_eq(ftruncate(fd, lengths[i]), 0);
        check_expanded((seed_input){.size = 10000, .seed = 2 + i});
    }
}

_Noreturn static void truncate_for_ever(void) {
    const int fd = openat(e.folder_fd, e.name, O_RDWR | O_CLOEXEC);
    while (ftruncate(fd, 0) == 0) {
    }
    _exit(EXIT_FAILURE);
}

TEST(a_truncator_does_no_harm) {
    int status, written = 0;
    const pid_t truncator = fork();
    ck_assert_int_ge(truncator, 0);
    if (truncator == 0) truncate_for_ever();
    for (uint64_t i = 0; i < 3000; i++) {
        const int error =
            expand((seed_input){.size = i % 2 == 0 ? 100 : SIZE_MAX_TESTED, .seed = i});
        ck_assert(error == 0 || error == EIO);
        written += error == 0;
    }
    ck_assert_int_eq(kill(truncator, SIGKILL), 0);
    ck_assert_int_eq(waitpid(truncator, &status, 0), truncator);
    ck_assert_msg(WIFSIGNALED(status), "the truncator was refused");
    ck_assert_int_gt(written, 0);
    check_expanded((seed_input){.size = SIZE_MAX_TESTED, .seed = 5});
}

TEST_RAISES(bus_errors_of_others_still_kill, SIGBUS) {
    ck_assert_int_eq(expand((seed_input){.size = 1, .seed = 1}), 0);
    ck_assert_int_eq(ftruncate(e.fd, 0), 0);
    *(volatile uint8_t *)e.bytes = 1;
}
