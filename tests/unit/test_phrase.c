/* phrase.h: a command line that a shell reads back as the words that went in. */
#include "fixture.h"
#include "phrase.h"

static char *line_of(const char *sut, const char *const *args) {
    const run_target s = {.sut = sut, .args = args, .replay = "frng-replay", .options = ""};
    return phrase_replay_seed(&s, (seed_input){41, 7});
}

static char *command_of(const char *sut) {
    static const char *const none[] = {NULL};
    return phrase_command(&(run_target){.sut = sut, .args = none});
}

static void check(char *line, const char *expected) {
    ck_assert_str_eq(line, expected);
    free(line);
}

TEST(a_replay_line_names_target_size_seed_options_and_arguments) {
    static const char *const none[] = {NULL}, *const some[] = {"-x", "a b", "", NULL};
    run_target s = {.sut = "./sut", .args = none, .replay = "frng-replay", .options = ""};
    check(phrase_replay_seed(&s, (seed_input){24, 6801, SEED_STYLED}),
          "frng-replay ./sut --size 24 --seed 6801s");
    s = (run_target){"./my sut", some, "/a b/frng-replay", " --timeout 1s --stdin pipe"};
    check(phrase_replay_seed(&s, (seed_input){UINT64_C(8) << 30, UINT64_MAX}),
          "'/a b/frng-replay' './my sut' --size 8589934592 --seed 18446744073709551615 "
          "--timeout 1s --stdin pipe -- -x 'a b' ''");
    check(phrase_command(&s), "'./my sut' -x 'a b' ''");
}

TEST(words_are_quoted_as_a_shell_needs) {
    static const char *const cases[][2] = {
        {"a@%+=:,./_-Z9", "a@%+=:,./_-Z9"},
        {"~/sut", "'~/sut'"},
        {"a'b", "'a'\\''b'"},
        {"\\", "'\\'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
        {"'\\\n", "$'\\'\\\\\\012'"},
        {"\xc2\x9b"
         "31m",
         "$'\\302\\23331m'"},                   /* U+009B is as good as escape and [ */
        {"\xe2\x80\xae", "$'\\342\\200\\256'"}, /* turns what follows around */
        {"\xc3\xa9\n", "$'\\303\\251\\012'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(command_of(cases[i][0]), cases[i][1]);
    for (int c = 1; c < 256; c++) {
        const char word[] = {'x', (char)c, 'y', '\0'};
        char *line = command_of(word);
        for (const char *at = line; *at != '\0'; at++)
            ck_assert_msg(*at >= 0x20 && *at < 0x7f, "%d gives %s", c, line);
        free(line);
    }
}

/* ---- A real shell ---- */

enum { WORDS = 200, WORD_MAX = 12 };
static char words[WORDS][WORD_MAX + 1];

/* Make words over letters that are hard on shells; NULL: any bytes at all. */
static void make_words(const char *letters) {
    uint64_t state = 7;
    for (size_t i = 0; i < WORDS; i++) {
        size_t length = 0;
        for (size_t k = 0; k < WORD_MAX; k++) {
            state = state * UINT64_C(6364136223846793005) + 1;
            const unsigned dice = (unsigned)(state >> 40);
            if (dice % 10 == 0) break;
            const char c = letters != NULL ? letters[dice % strlen(letters)] : (char)dice;
            if (c != '\0') words[i][length++] = c;
        }
        words[i][length] = '\0';
    }
}

/* The shell reads all words back as arguments of one command. */
static void check_shell(const char *shell) {
    static char script[64 * 1024], output[64 * 1024];
    static const char *const before[] = {"frng-replay", "./the sut", "--size", "41",
                                         "--seed",      "7",         "--"};
    enum { BEFORE = sizeof before / sizeof before[0] };
    const char *args[WORDS + 1] = {NULL};
    char command[128];
    for (size_t i = 0; i < WORDS; i++) args[i] = words[i];
    char *line = line_of("./the sut", args);
    snprintf(script, sizeof script, "LC_ALL=C; frng() { printf '%%s\\0' \"$@\"; }; frng %s", line);
    free(line);
    test_dir_text("script", script, 0600);
    snprintf(command, sizeof command, "%s %s", shell, test_dir_path("script"));
    FILE *pipe = popen(command, "re");
    const char *at = output, *end = output + fread(output, 1, sizeof output, pipe);
    ck_assert_int_eq(pclose(pipe), 0);
    for (size_t i = 0; i < BEFORE + WORDS; i++, at += strlen(at) + 1) {
        ck_assert_ptr_ne(at, end);
        ck_assert_str_eq(at, i < BEFORE ? before[i] : words[i - BEFORE]);
    }
    ck_assert_ptr_eq(at, end);
}

TEST(a_shell_reads_words_back) {
    make_words("'\"\\$`!*?[]{}()<>|&;#~ a0=-%^,");
    check_shell("sh");
    if (access("/bin/bash", X_OK) != 0) return; /* sh may not know $'...' */
    make_words(NULL);
    check_shell("/bin/bash");
    for (size_t i = 0; i < WORDS; i++) /* each byte, before a digit: no octal number eats it */
        snprintf(words[i], sizeof words[i], "%c7%c", (char)(i + 1), (char)(255 - i));
    check_shell("/bin/bash");
}
