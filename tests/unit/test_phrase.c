/* phrase.h: a command line that a shell reads back as the words that went in. */
#include "fixture.h"
#include "phrase.h"

#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static char *line_of(const char *sut, const char *const *args) {
    const run_target s = {.sut = sut, .args = args, .replay = "frng-replay", .options = ""};
    char *line = phrase_replay_seed(&s, (seed_input){41, 7});
    ck_assert_ptr_nonnull(line);
    return line;
}

static char *command_of(const char *sut) {
    static const char *const none[] = {NULL};
    const run_target s = {.sut = sut, .args = none, .replay = "frng-replay", .options = ""};
    char *line = phrase_command(&s);
    ck_assert_ptr_nonnull(line);
    return line;
}

/* ---- Literal lines ---- */

TEST(a_replay_line_names_target_size_and_seed) {
    static const char *const none[] = {NULL}, *const some[] = {"-x", "a b", "", NULL};
    run_target s = {.sut = "./sut", .args = none, .replay = "frng-replay", .options = ""};
    char *line = phrase_replay_seed(&s, (seed_input){0, UINT64_MAX});
    ck_assert_str_eq(line, "frng-replay ./sut --size 0 --seed 18446744073709551615");
    free(line);
    line = phrase_replay_seed(&s, (seed_input){24, 6801, SEED_STYLED});
    ck_assert_str_eq(line, "frng-replay ./sut --size 24 --seed 6801s");
    free(line);
    s = (run_target){.sut = "./my sut",
                     .args = some,
                     .replay = "/a b/frng-replay",
                     .options = " --timeout 1s --stdin pipe"};
    line = phrase_replay_seed(&s, (seed_input){UINT64_C(8) << 30, 3});
    ck_assert_str_eq(line, "'/a b/frng-replay' './my sut' --size 8589934592 --seed 3 --timeout 1s "
                           "--stdin pipe -- -x 'a b' ''");
    free(line);
    line = phrase_command(&s);
    ck_assert_str_eq(line, "'./my sut' -x 'a b' ''");
    free(line);
}

TEST(words_are_quoted_as_a_shell_needs) {
    static const struct {
        const char *word, *quoted;
    } cases[] = {
        {"./sut", "./sut"},
        {"a@%+=:,./_-Z9", "a@%+=:,./_-Z9"},
        {"~/sut", "'~/sut'"},
        {"a*", "'a*'"},
        {"a'b", "'a'\\''b'"},
        {"\\", "'\\'"},
        {"$HOME", "'$HOME'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
        {"a\nb", "$'a\\012b'"},
        {"\x1b[31m", "$'\\033[31m'"},
        {"\x7f", "$'\\177'"},
        {"'\\\n", "$'\\'\\\\\\012'"},
        {"\xff", "$'\\377'"},
        {"\xc2\x9b"
         "31m",
         "$'\\302\\23331m'"},                   /* U+009B is as good as escape and [ */
        {"\xe2\x80\xae", "$'\\342\\200\\256'"}, /* turns what follows around */
        {"\xc3\xa9\n", "$'\\303\\251\\012'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *line = command_of(cases[i].word);
        ck_assert_str_eq(line, cases[i].quoted);
        free(line);
    }
}

TEST(no_line_has_control_characters) {
    for (int c = 1; c < 256; c++) {
        const char word[] = {'x', (char)c, 'y', '\0'};
        char *line = command_of(word);
        for (const char *at = line; *at != '\0'; at++) {
            const unsigned char byte = (unsigned char)*at;
            ck_assert_msg(byte >= 0x20 && byte < 0x7f, "%d gives %s", c, line);
        }
        free(line);
    }
}

/* ---- A real shell ---- */

extern char **environ;

/* What a shell prints for a script, into `text`; returns the size. */
static size_t run_shell(const char *shell, const char *script, char *text, size_t text_max) {
    int ends[2], status;
    pid_t pid;
    size_t size = 0;
    ssize_t count;
    const char *const argv[] = {shell, "-c", script, NULL};
    posix_spawn_file_actions_t actions;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ck_assert_int_eq(posix_spawnp(&pid, shell, &actions, NULL, (char **)argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while ((count = read(ends[0], text + size, text_max - size)) > 0) size += (size_t)count;
    close(ends[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_msg(status == 0, "%s -c '%s' failed", shell, script);
    return size;
}

enum { WORDS = 200, WORD_MAX = 12 };
static char words[WORDS][WORD_MAX + 1];

/* Words over an alphabet that is hard on shells; with_controls: any bytes at all. */
static void make_words(bool with_controls) {
    static const char hard[] = "'\"\\$`!*?[]{}()<>|&;#~ a0=-%^,\xc3\xa9";
    uint64_t state = 7;
    for (size_t i = 0; i < WORDS; i++) {
        size_t length = 0;
        for (size_t k = 0; k < WORD_MAX; k++) {
            state = state * UINT64_C(6364136223846793005) + 1;
            const unsigned dice = (unsigned)(state >> 40);
            if (dice % 10 == 0) break;
            const char c = with_controls ? (char)dice : hard[dice % (sizeof hard - 1)];
            if (c != '\0') words[i][length++] = c;
        }
        words[i][length] = '\0';
    }
}

/* All words as arguments of one command, read back from printf '%s\n0' and so on. */
static void check_shell(const char *shell) {
    static char script[64 * 1024], output[64 * 1024];
    const char *args[WORDS + 1] = {NULL};
    size_t at = 0;
    for (size_t i = 0; i < WORDS; i++) args[i] = words[i];
    char *line = line_of("./the sut", args);
    snprintf(script, sizeof script, "frng() { printf '%%s\\0' \"$@\"; }; frng %s", line);
    free(line);
    const size_t size = run_shell(shell, script, output, sizeof output);
    static const char *const before[] = {"frng-replay", "./the sut", "--size", "41",
                                         "--seed",      "7",         "--"};
    for (size_t i = 0; i < COUNT_OF(before) + WORDS; i++) {
        const char *expected = i < COUNT_OF(before) ? before[i] : words[i - COUNT_OF(before)];
        ck_assert_uint_lt(at, size);
        ck_assert_str_eq(output + at, expected);
        at += strlen(output + at) + 1;
    }
    ck_assert_uint_eq(at, size);
}

TEST(a_shell_reads_printable_words_back) {
    make_words(false);
    for (size_t i = 0; i < WORDS; i++) { /* half of an e with its accent is for $'...' */
        for (char *c = words[i]; *c != '\0'; c++) {
            if ((unsigned char)*c > 127) *c = 'e';
        }
    }
    check_shell("sh");
}

TEST(bash_reads_all_words_back) {
    if (access("/bin/bash", X_OK) != 0) return;
    setenv("LC_ALL", "C", 1);
    make_words(false);
    check_shell("/bin/bash");
    make_words(true);
    check_shell("/bin/bash");
    for (size_t i = 0; i < WORDS; i++) { /* each byte, before a digit: no octal number eats it */
        snprintf(words[i], sizeof words[i], "%c7%c", (char)(i + 1), (char)(255 - i));
    }
    check_shell("/bin/bash");
}
