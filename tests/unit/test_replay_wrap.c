/* replay_wrap.h: words as a shell splits them, checked against one; and the file of the entropy. */
#include "fixture.h"
#include "replay_wrap.h"

#include "messages.h"

#include <dirent.h>
#include <sys/wait.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char sut_path[PATH_MAX];
static char *sut_argv[] = {"./sut", "-x", "two words", NULL};
static char path_variable[PATH_MAX + 8];
static char *sut_envp[] = {"A=1", path_variable, NULL};
static const uint8_t entropy[] = {0, 1, 2, 0xff, '\n', 0};

static target_command make_sut(bool marked) {
    const char *path = marked ? test_dir_file("sut", "frng_main:1", 12, 0700)
                              : test_dir_text("sut", "#!/bin/sh\n", 0700);
    snprintf(sut_path, sizeof sut_path, "%s", path);
    snprintf(path_variable, sizeof path_variable, "PATH=%s", test_dir_path("bin"));
    return (target_command){.path = sut_path, .argv = sut_argv, .envp = sut_envp};
}

static bool init(replay_wrap *w, const char *line, const target_command *s) {
    message_init("frng-test", false);
    capture_begin();
    const bool ok =
        replay_wrap_init(w, &(replay_wrap_setup){line, s, test_dir, entropy, sizeof entropy});
    capture_end();
    const char *end = strchr(capture_text, '\n');
    ck_assert_msg(ok ? end == NULL : end != NULL && end[1] == '\0', "'%s'", capture_text);
    return ok;
}

/* Folders of entropy that are left. */
static size_t count_left(void) {
    size_t count = 0;
    DIR *folder = opendir(test_dir);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += strncmp(entry->d_name, "frng-", 5) == 0;
    }
    closedir(folder);
    return count;
}

static void furnish(void) {
    if (mkdir(test_dir_path("bin"), 0700) != 0) abort();
    for (size_t i = 0; i < 3; i++) {
        static const char *const tools[] = {"bin/tool", "bin/gdb", "bin/rust-lldb-14"};
        test_dir_text(tools[i], "#!/bin/sh\n", 0700);
    }
}

/* ---- Words ---- */

TEST(a_wrapper_is_split_as_a_shell_splits_words) {
    replay_wrap w;
    const target_command s = make_sut(false);
    ck_assert(init(&w, "  tool -a 'b c'\t\"d\"e\\ f ", &s));
    static const char *const expected[] = {"tool", "-a", "b c", "de f"};
    for (size_t i = 0; i < COUNT_OF(expected); i++) ck_assert_str_eq(w.argv[i], expected[i]);
    ck_assert_str_eq(w.argv[4], sut_path);
    ck_assert_str_eq(w.argv[5], "-x");
    ck_assert_str_eq(w.argv[6], "two words");
    ck_assert_ptr_null(w.argv[7]);
    ck_assert_str_eq(w.path, test_dir_path("bin/tool"));
    replay_wrap_finish(&w);
    ck_assert(init(&w, "/no/such/tool", &s)); /* whoever starts it says so */
    ck_assert_str_eq(w.path, "/no/such/tool");
    replay_wrap_finish(&w);
}

TEST(lines_that_are_none) {
    static const char *const bad[] = {"'", "\"",    "tool 'x", "tool \"x",     "tool \"x\\\"",
                                      "",  " \t\n", "''",      "no-such-tool", "tool 'it''s"};
    const target_command s = make_sut(false);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        replay_wrap w = {0};
        ck_assert_msg(!words_check(bad[i]) || !init(&w, bad[i], &s), "'%s' was taken", bad[i]);
        replay_wrap_finish(&w);
        ck_assert_msg(count_left() == 0, "'%s' leaves its folder", bad[i]);
    }
}

/* Write a script that has a shell split each line, by set --, into words that end in zeros and
 * end with an empty line. */
static FILE *split_by_shell(const char *script) {
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "sh %s", script);
    FILE *output = popen(command, "re");
    ck_assert_ptr_nonnull(output);
    return output;
}

enum { LINES = 600, LINE_MAX_SIZE = 12 };

/* Lines that begin with a word and hold what splits and quotes; quotes are closed at the end. */
static void make_line(uint64_t *state, char *line) {
    static const char hard[] = "ab  ''\"\"\\\\\t$`";
    char quote = '\0';
    size_t length = (size_t)sprintf(line, "tool ");
    for (size_t i = 0; i < LINE_MAX_SIZE; i++) {
        *state = *state * UINT64_C(6364136223846793005) + 1;
        char c = hard[(*state >> 40) % (sizeof hard - 1)];
        const bool expands = c == '$' || c == '`'; /* what we do not do: only when escaped */
        if (expands && quote != '\'') line[length++] = '\\';
        line[length++] = c;
        if (expands) continue;
        if (c == '\\' && quote != '\'') {
            line[length++] = hard[(*state >> 50) % (sizeof hard - 3)];
        } else if (quote == '\0' && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        }
    }
    if (quote != '\0') line[length++] = quote;
    line[length] = '\0';
}

TEST(a_shell_splits_the_same) {
    static char lines[LINES][64];
    uint64_t state = 3;
    const target_command s = make_sut(false);
    char *word = NULL;
    size_t room = 0, words = 0;
    FILE *script = fopen(test_dir_path("script"), "we");
    for (size_t i = 0; i < LINES; i++) {
        make_line(&state, lines[i]);
        fprintf(script, "set -- %s\nprintf '%%s\\0' \"$@\"; printf '\\n\\0'\n", lines[i]);
    }
    fclose(script);
    FILE *output = split_by_shell(test_dir_path("script"));
    for (size_t i = 0; i < LINES; i++) {
        replay_wrap w;
        ck_assert_msg(init(&w, lines[i], &s), "%s: %s", lines[i], capture_text);
        for (size_t k = 0; strcmp(w.argv[k], sut_path) != 0; k++, words++) {
            ck_assert_int_gt(getdelim(&word, &room, '\0', output), 0);
            ck_assert_msg(strcmp(word, w.argv[k]) == 0, "%s: word %zu is '%s', not '%s'", lines[i],
                          k, w.argv[k], word);
        }
        ck_assert_int_eq(getdelim(&word, &room, '\0', output), 2);
        ck_assert_msg(strcmp(word, "\n") == 0, "%s: '%s' is missing", lines[i], word);
        replay_wrap_finish(&w);
    }
    ck_assert_uint_gt(words, 2 * LINES);
    free(word);
    ck_assert_int_eq(pclose(output), 0);
}

/* ---- The entropy ---- */

TEST(the_file_is_private_and_removed) {
    uint8_t bytes[16];
    struct stat status;
    replay_wrap w;
    const target_command s = make_sut(false);
    umask(0);
    ck_assert(init(&w, "tool", &s));
    ck_assert_int_eq(strncmp(w.file, test_dir, strlen(test_dir)), 0);
    const int fd = open(w.file, O_RDONLY | O_CLOEXEC);
    ck_assert_int_eq(read(fd, bytes, sizeof bytes), (ssize_t)sizeof entropy);
    close(fd);
    ck_assert_mem_eq(bytes, entropy, sizeof entropy);
    ck_assert_int_eq(stat(w.folder, &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0700);
    ck_assert_uint_eq(count_left(), 1);
    replay_wrap_finish(&w);
    ck_assert_uint_eq(count_left(), 0);
}

TEST(no_entropy_at_all) {
    struct stat status;
    replay_wrap w;
    const target_command s = make_sut(false);
    ck_assert(replay_wrap_init(&w, &(replay_wrap_setup){"tool", &s, test_dir, NULL, 0}));
    ck_assert_int_eq(stat(w.file, &status), 0);
    ck_assert_int_eq(status.st_size, 0);
    replay_wrap_finish(&w);
}

TEST(a_folder_that_cannot_be_written) {
    replay_wrap w;
    const target_command s = make_sut(false);
    message_init("frng-test", false);
    capture_begin();
    ck_assert(!replay_wrap_init(
        &w, &(replay_wrap_setup){"tool", &s, "/no/such/folder", entropy, sizeof entropy}));
    assert_contains(capture_end(), "/no/such/folder: cannot be written: No such file");
    replay_wrap_finish(&w);
}

/* A program that reads FRNG_INPUT keeps its terminal; a plain one gets the file, unless a debugger
 * needs the terminal. */
TEST(who_gets_what_as_stdin) {
    static const struct {
        const char *line;
        bool marked, keeps_stdin;
    } cases[] = {{"tool", false, false},        {"tool", true, true},
                 {"gdb --args", false, true},   {"gdb --args", true, true},
                 {"rust-lldb-14", false, true}, {"/gdb/tool", false, false},
                 {"/usr/bin/gdb", false, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        replay_wrap w;
        const target_command s = make_sut(cases[i].marked);
        ck_assert(init(&w, cases[i].line, &s));
        ck_assert_msg(w.keeps_stdin == cases[i].keeps_stdin, "case %zu", i);
        ck_assert_str_eq(w.envp[0], "A=1");
        ck_assert_str_eq(w.envp[1], path_variable);
        if (cases[i].marked) {
            ck_assert_int_eq(strncmp(w.envp[2], "FRNG_INPUT=", 11), 0);
            ck_assert_str_eq(w.envp[2] + 11, w.file);
            ck_assert_ptr_null(w.envp[3]);
        } else {
            ck_assert_ptr_null(w.envp[2]);
        }
        replay_wrap_finish(&w);
    }
}

SUITE(.before_each = furnish);
