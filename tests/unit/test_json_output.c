/* json_output.h: lines at the end of a file that others write to as well. */
#include "fixture.h"
#include "json_output.h"

#include <errno.h>
#include <sys/resource.h>

enum { APPENDING = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC };

static char text[4 << 20];

static int open_file(void) {
    const int fd = open(test_dir_path("events"), APPENDING, 0600);
    ck_assert_int_ge(fd, 0);
    return fd;
}

/* What the file holds, as text. */
static const char *held(int fd) {
    const ssize_t size = pread(fd, text, sizeof text - 1, 0);
    ck_assert_int_ge(size, 0);
    text[size] = '\0';
    return text;
}

static json_t *line_of(const char *value) { return json_pack("{s:s}", "a", value); }

TEST(lines_follow_what_is_there) {
    test_dir_text("events", "{\"old\":1}\n", 0600);
    const int fd = open_file();
    json_output o = json_output_on(fd, false);
    ck_assert_int_eq(json_output_put(&o, line_of("b")), 0);
    ck_assert_int_eq(json_output_put(&o, line_of("c")), 0);
    ck_assert_str_eq(held(fd), "{\"old\":1}\n{\"a\":\"b\"}\n{\"a\":\"c\"}\n");
}

TEST(a_torn_line_is_ended_first_and_once) {
    test_dir_text("events", "{\"old\":", 0600);
    const int fd = open_file();
    json_output o = json_output_on(fd, true);
    ck_assert_int_eq(json_output_put(&o, line_of("b")), 0);
    ck_assert_int_eq(json_output_put(&o, line_of("c")), 0);
    ck_assert_str_eq(held(fd), "{\"old\":\n{\"a\":\"b\"}\n{\"a\":\"c\"}\n");
}

/* Let files grow to this size at most, as a disk that is full. */
static void limit_files(rlim_t size) {
    const struct rlimit limit = {size, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

TEST(a_line_that_a_full_disk_cut_is_ended_before_the_next) {
    const int fd = open_file();
    json_output o = json_output_on(fd, false);
    limit_files(5);
    ck_assert_int_eq(json_output_put(&o, line_of("b")), EFBIG);
    ck_assert_int_eq(json_output_put(&o, line_of("c")), EFBIG); /* no byte of it fits */
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(json_output_put(&o, line_of("d")), 0);
    ck_assert_str_eq(held(fd), "{\"a\":\n{\"a\":\"d\"}\n");
}

/* Write lines of one letter, long and short ones. */
static void write_lines(char letter, int count) {
    static char word[9000];
    json_output o = json_output_on(open_file(), false);
    for (int i = 0; i < count; i++) {
        const size_t length = (size_t)(i * 37) % (sizeof word - 1);
        memset(word, letter, length);
        word[length] = '\0';
        if (json_output_put(&o, line_of(word)) != 0) _exit(1);
    }
}

static void check_line(const char *line, size_t length) {
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(object != NULL, "no object: %.*s", (int)length, line);
    const char *word = json_string_value(json_object_get(object, "a"));
    ck_assert_uint_eq(strspn(word, word[0] == 'x' ? "x" : "y"), strlen(word));
    json_decref(object);
}

TEST(lines_of_two_writers_do_not_mix) {
    enum { COUNT = 300 };
    int status, lines = 0;
    const int fd = open_file();
    const pid_t other = fork();
    if (other == 0) {
        write_lines('y', COUNT);
        _exit(0);
    }
    write_lines('x', COUNT);
    ck_assert_int_eq(waitpid(other, &status, 0), other);
    ck_assert_int_eq(status, 0);
    for (const char *line = held(fd), *end; *line != '\0'; line = end + 1, lines++) {
        end = strchr(line, '\n');
        ck_assert_ptr_nonnull(end);
        check_line(line, (size_t)(end - line));
    }
    ck_assert_int_eq(lines, 2 * COUNT);
}

TEST(a_pipe_takes_a_line_of_any_size) {
    static char word[100000];
    int ends[2], status;
    size_t length = 0;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        json_output o = json_output_on(ends[1], false);
        memset(word, 'w', sizeof word - 1);
        _exit(json_output_put(&o, line_of(word)));
    }
    close(ends[1]);
    length = read_all(ends[0], text, sizeof text);
    ck_assert_uint_eq(length, sizeof word - 1 + strlen("{'a':''}\n"));
    ck_assert_int_eq(waitpid(writer, &status, 0), writer);
    ck_assert_int_eq(status, 0);
}
