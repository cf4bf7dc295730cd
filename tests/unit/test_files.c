/* files.h: what is the same file; only regular files are opened, and what others do to them
 * meanwhile is survived. */
#include "clock.h"
#include "files.h"
#include "fixture.h"

#include <errno.h>

enum { PIECE = 16 * 1024 };

static uint64_t size;

static int open_it(const char *path) { return regular_open(AT_FDCWD, path, 0, &size); }

TEST(what_is_none_is_not_opened) {
    ck_assert_int_eq(mkfifo(test_dir_path("pipe"), 0600), 0);
    const pid_t writer = fork();
    if (writer == 0) _exit(open(test_dir_path("pipe"), O_WRONLY | O_CLOEXEC) < 0);
    const char *const paths[] = {test_dir_path("pipe"), test_dir, "/dev/zero",
                                 test_dir_path("none")};
    const int errors[] = {EINVAL, EISDIR, EINVAL, ENOENT};
    for (int i = 0; i < 4; i++) {
        usleep(20000); /* for the writer, who waits for a reader */
        ck_assert_int_eq(open_it(paths[i]), -1);
        ck_assert_int_eq(errno, errors[i]);
    }
    ck_assert_msg(waitpid(writer, NULL, WNOHANG) == 0, "the pipe was opened");
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
}

TEST(links_are_followed_if_wanted) {
    char text[8];
    test_dir_text("file", "precious", 0600);
    ck_assert_int_eq(symlink("file", test_dir_path("link")), 0);
    ck_assert_int_eq(regular_open(AT_FDCWD, test_dir_path("link"), O_NOFOLLOW, &size), -1);
    ck_assert_int_eq(errno, EINVAL);
    const int fd = open_it(test_dir_path("link"));
    ck_assert(fd >= 0 && size == 8);
    ck_assert_int_eq(regular_read(fd, 3, text, sizeof text), 5);
    ck_assert_mem_eq(text, "cious", 5);
    ck_assert_int_eq(regular_read(fd, 8, text, sizeof text), 0);
    close(fd);
}

/* A file of three pieces, with the words at `at`. */
static int with_words(size_t at, const char *words) {
    static char bytes[3 * PIECE];
    memset(bytes, 'w', sizeof bytes);
    memcpy(bytes + at, words, strlen(words));
    const int fd = open_it(test_dir_file("words", bytes, sizeof bytes, 0600));
    ck_assert_int_ge(fd, 0);
    ck_assert_uint_eq(size, sizeof bytes);
    return fd;
}

TEST(words_may_be_in_two_pieces) {
    static const char words[] = "words";
    enum { LENGTH = sizeof words - 1 };
    static const size_t starts[] = {0, PIECE, 2 * PIECE, 3 * PIECE - LENGTH};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        for (size_t before = 0; before <= LENGTH && before <= starts[i]; before++) {
            const size_t at = starts[i] - before;
            const int fd = with_words(at, words);
            ck_assert(regular_holds(fd, 0, size, words, LENGTH));
            ck_assert(regular_holds(fd, at, LENGTH, words, LENGTH));
            ck_assert(!regular_holds(fd, at, LENGTH - 1, words, LENGTH));
            ck_assert(!regular_holds(fd, at + 1, size - at - 1, words, LENGTH));
            ck_assert(!regular_holds(fd, 0, at + LENGTH - 1, words, LENGTH));
            close(fd);
        }
    }
}

TEST(a_signal_that_is_held_back_ends_it_and_so_does_its_deadline) {
    const int64_t now_ns = clock_now_ns(), deadline_ns = regular_deadline();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    const int fd = with_words(0, "words");
    ck_assert_int_ge(deadline_ns - now_ns, REGULAR_READ_S * CLOCK_NS_PER_S);
    ck_assert(!regular_should_stop(deadline_ns) && regular_should_stop(now_ns));
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
    stream_heed_signals(&set);
    ck_assert(!regular_should_stop(CLOCK_NEVER) && regular_holds(fd, 0, size, "words", 5));
    ck_assert_int_eq(raise(SIGTERM), 0);
    ck_assert(regular_should_stop(CLOCK_NEVER) && !regular_holds(fd, 0, size, "words", 5));
    close(fd);
}

/* ---- Stamps ---- */

static void put(const char *name, const char *text, time_t when) {
    const struct timespec times[] = {{when, 0}, {when, 0}};
    ck_assert_int_eq(utimensat(AT_FDCWD, test_dir_text(name, text, 0600), times, 0), 0);
}

static bool is_same(file_stamp before) {
    const file_stamp now = file_stamp_of(test_dir_path("a"));
    ck_assert_int_eq(file_stamp_equal(&before, &now), file_stamp_equal(&now, &before));
    return file_stamp_equal(&before, &now);
}

TEST(a_file_is_the_same_until_it_is_written_or_replaced) {
    put("a", "text", 1000);
    const file_stamp before = file_stamp_of(test_dir_path("a"));
    ck_assert(file_stamp_is_known(&before) && is_same(before));
    ck_assert_int_eq(chmod(test_dir_path("a"), 0700), 0);
    ck_assert_int_eq(link(test_dir_path("a"), test_dir_path("c")), 0);
    ck_assert(is_same(before));
    put("a", "text", 1001);
    ck_assert(!is_same(before));
    put("a", "texts", 1000);
    ck_assert(!is_same(before));
    put("a", "text", 1000);
    ck_assert(is_same(before));
    put("b", "text", 1000);
    ck_assert_int_eq(rename(test_dir_path("b"), test_dir_path("a")), 0);
    ck_assert(!is_same(before));
    ck_assert_int_eq(unlink(test_dir_path("a")), 0);
    const file_stamp gone = file_stamp_of(test_dir_path("a"));
    ck_assert(!file_stamp_is_known(&gone) && !is_same(before) && !is_same(gone));
}
