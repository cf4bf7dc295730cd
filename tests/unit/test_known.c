/* known.h: digests in a file that may be anything. */
#include "fixture.h"
#include "known.h"

#include <errno.h>
#include <sodium.h>
#include <stdbool.h>

static int folder_fd = -1;

static void open_folder(void) {
    ck_assert_int_ge(sodium_init(), 0);
    folder_fd = open(test_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(folder_fd, 0);
}

static known_key key_of(const char *a, const char *b) {
    known_key key = {{0}};
    known_key_add(&key, a, strlen(a));
    known_key_add(&key, b, strlen(b));
    return key;
}

static bool same(known_key a, known_key b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Read "k", which is to be as good as empty. */
static void expect_nothing(const known_key *key) {
    known k;
    known_read(&k, folder_fd, "k", key);
    ck_assert_uint_eq(k.count, 0);
    ck_assert_ptr_null(k.digests);
}

static const uint64_t three[] = {1, UINT64_MAX, UINT64_C(0x0123456789abcdef)};

TEST(what_was_written_is_read) {
    const known_key key = key_of("predicate", "file");
    known k;
    ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 3), 0);
    known_read(&k, folder_fd, "k", &key);
    ck_assert_uint_eq(k.count, 3);
    ck_assert_mem_eq(k.digests, three, sizeof three);
    known_finish(&k);
    ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 1), 0);
    known_read(&k, folder_fd, "k", &key);
    ck_assert_uint_eq(k.count, 1);
    known_finish(&k);
    ck_assert_int_eq(known_write(folder_fd, "k", &key, NULL, 0), 0);
    expect_nothing(&key);
}

TEST(another_question_knows_nothing) {
    const known_key key = key_of("a", "b"), other = key_of("a", "c");
    ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 3), 0);
    expect_nothing(&other);
    ck_assert(same(key, key_of("a", "b")));
    ck_assert(!same(key, key_of("b", "a")));
    ck_assert(!same(key_of("ab", ""), key));
    ck_assert(!same(key_of("", "ab"), key_of("ab", "")));
}

TEST(what_is_no_such_file_knows_nothing) {
    const known_key key = key_of("a", "b");
    expect_nothing(&key);
    ck_assert_int_eq(mkdirat(folder_fd, "k", 0700), 0);
    expect_nothing(&key);
    ck_assert_int_eq(unlinkat(folder_fd, "k", AT_REMOVEDIR), 0);
    ck_assert_int_eq(mkfifoat(folder_fd, "k", 0600), 0);
    expect_nothing(&key); /* and does not wait for a writer */
    ck_assert_int_eq(unlinkat(folder_fd, "k", 0), 0);
    ck_assert_int_eq(known_write(folder_fd, "other", &key, three, 3), 0);
    ck_assert_int_eq(symlinkat("other", folder_fd, "k"), 0);
    expect_nothing(&key);
    ck_assert_int_eq(unlinkat(folder_fd, "k", 0), 0);
    test_dir_text("k", "", 0600);
    expect_nothing(&key);
    test_dir_text("k", "the text of another program, which is longer than the head of such a file",
                  0600);
    expect_nothing(&key);
}

/* Each prefix of a file, each file with one bit turned in its head, and one with more behind it. */
TEST(a_file_that_was_harmed_knows_nothing) {
    const known_key key = key_of("a", "b");
    char bytes[256];
    ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 3), 0);
    const int fd = openat(folder_fd, "k", O_RDONLY | O_CLOEXEC);
    const ssize_t size = read(fd, bytes, sizeof bytes - 1);
    close(fd);
    ck_assert_int_eq(size, 8 + 32 + 8 + 3 * 8);
    bytes[size] = 7;
    for (ssize_t cut = 0; cut < size; cut++) {
        test_dir_file("k", bytes, (size_t)cut, 0600);
        expect_nothing(&key);
    }
    test_dir_file("k", bytes, (size_t)size + 1, 0600);
    expect_nothing(&key);
    for (size_t bit = 0; bit < (8 + 32 + 8) * 8; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        test_dir_file("k", bytes, (size_t)size, 0600);
        expect_nothing(&key);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
}

TEST(zeros_are_left_out) {
    const known_key key = key_of("a", "b");
    const uint64_t digests[] = {0, 5, 0, 6, 0}, zero = 0;
    known k;
    ck_assert_int_eq(known_write(folder_fd, "k", &key, digests, 5), 0);
    known_read(&k, folder_fd, "k", &key);
    ck_assert_uint_eq(k.count, 2);
    ck_assert(k.digests[0] == 5 && k.digests[1] == 6);
    known_finish(&k);
    ck_assert_int_eq(known_write(folder_fd, "k", &key, &zero, 1), 0);
    expect_nothing(&key);
}

TEST(what_cannot_be_written_is_told) {
    const known_key key = key_of("a", "b");
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(known_write(folder_fd, name, &key, three, 3), ENAMETOOLONG);
    ck_assert_int_eq(known_write(-1, "k", &key, three, 3), EBADF);
}

/* Neither written over nor removed, nor waited for. */
TEST(a_file_of_another_program_stays) {
    const known_key key = key_of("a", "b");
    struct stat status;
    for (int kind = 0; kind < 4; kind++) {
        if (kind == 0) test_dir_text("k", "my notes", 0600);
        if (kind == 1) ck_assert_int_eq(mkfifo(test_dir_path("k"), 0600), 0);
        if (kind == 2) ck_assert_int_eq(symlink("elsewhere", test_dir_path("k")), 0);
        if (kind == 3) ck_assert_int_eq(mkdir(test_dir_path("k"), 0700), 0);
        ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 3), EEXIST);
        known_remove(folder_fd, "k");
        ck_assert_int_eq(lstat(test_dir_path("k"), &status), 0);
        ck_assert_int_eq(remove(test_dir_path("k")), 0);
    }
    ck_assert_int_eq(access(test_dir_path("elsewhere"), F_OK), -1);
}

/* Another version's, and one that is cut short in its first bytes. */
TEST(what_is_ours_goes) {
    static const char *const texts[] = {"", "frng", "frngknw", "frngknw\x02 and more"};
    const known_key key = key_of("a", "b");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        test_dir_text("k", texts[i], 0600);
        known_remove(folder_fd, "k");
        ck_assert_int_eq(access(test_dir_path("k"), F_OK), -1);
        test_dir_text("k", texts[i], 0600);
        ck_assert_int_eq(known_write(folder_fd, "k", &key, three, 3), 0);
    }
    known_remove(folder_fd, "none");
}

SUITE(.before_each = open_folder);
