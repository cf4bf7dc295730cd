/* phrase.h: a command line that a shell reads back as the words that went in, and excerpts of
 * outputs of the shapes that runtimes and sanitizers print. */
#include "fixture.h"
#include "phrase.h"

TEST(no_word_has_control_characters) {
    for (int c = 1; c < 256; c++) {
        const char word[] = {'x', (char)c, 'y', '\0'};
        for (const char *at = phrase_shell(word); *at != '\0'; at++)
            ck_assert_msg(*at >= 0x20 && *at < 0x7f, "%d gives %s", c, phrase_shell(word));
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
    static char script[64 * 1024], words_read[64 * 1024];
    static const char *const before[] = {"frng-replay", "./the sut", "--size", "41",
                                         "--seed",      "7",         "--"};
    enum { BEFORE = sizeof before / sizeof before[0] };
    const char *args[WORDS + 1] = {NULL};
    char command[128];
    for (size_t i = 0; i < WORDS; i++) args[i] = words[i];
    const run_target s = {.sut = "./the sut", .args = args, .replay = "frng-replay", .options = ""};
    snprintf(script, sizeof script, "LC_ALL=C; frng() { printf '%%s\\0' \"$@\"; }; frng %s",
             phrase_replay(&s, "--size 41 --seed", "7"));
    test_dir_text("script", script, 0600);
    snprintf(command, sizeof command, "%s %s", shell, test_dir_path("script"));
    FILE *pipe = popen(command, "re");
    const char *at = words_read, *end = at + fread(words_read, 1, sizeof words_read, pipe);
    ck_assert_int_eq(pclose(pipe), 0);
    for (size_t i = 0; i < BEFORE + WORDS; i++, at += strlen(at) + 1) {
        ck_assert_ptr_ne(at, end);
        ck_assert_str_eq(at, i < BEFORE ? before[i] : words[i - BEFORE]);
    }
    ck_assert_ptr_eq(at, end);
}

static void check_shells(void) {
    check_shell("sh");
    if (access("/bin/bash", X_OK) == 0) check_shell("/bin/bash");
}

TEST(a_shell_reads_words_back) {
    make_words("'\"\\$`!*?[]{}()<>|&;#~ a0=-%^,");
    check_shells();
    make_words("\n-%\\a'");
    check_shells();
    make_words(NULL);
    check_shells();
    for (size_t i = 0; i < WORDS; i++) /* each byte, before a digit: no octal number eats it */
        snprintf(words[i], sizeof words[i], "%c7%c", (char)(i + 1), (char)(255 - i));
    check_shells();
}

/* ---- Excerpts ---- */

static bytes_tail output;

static const char *excerpt_of(const char *text, const char *site) {
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    const char *shown = phrase_excerpt(&output, site);
    output = (bytes_tail){0};
    return shown;
}

/* Lines of an output begin with + if they are shown, with - if not. */
static const struct {
    const char *site, *lines;
} outputs[] = {
    {"", "+only"},
    {"", "+a\n+\n+b\n-\n"},
    {"", "+\n+a\n+b\n+\n+panic: c\n+d\n"},
    {"", "+1\n+2\n-3\n-4\n+5\n+6\n+7\n+8\n-\n"},
    {"", "-1\n+2\n+3\n+4\n+5\n+6\n+queue.c:16: assertion failed: got == *first\n"},
    {"", "-connecting\n"
         "-step 1\n"
         "-step 2\n"
         "+panic: runtime error: index out of range [5] with length 3\n"
         "-\n"
         "+goroutine 1 [running]:\n"
         "-main.(*Queue).pop(...)\n"
         "-\t/home/me/queue/queue.go:31\n"
         "-main.step(0xc00001c0a8, 0x5)\n"
         "+\t/home/me/queue/main.go:17 +0x1d\n"
         "+main.main()\n"
         "+\t/home/me/queue/main.go:8 +0x85\n"
         "+exit status 2\n"},
    {"", "-Traceback (most recent call last):\n"
         "-  File \"/home/me/btree.py\", line 90, in <module>\n"
         "+    main()\n"
         "+  File \"/home/me/btree.py\", line 84, in main\n"
         "+    check(model, real)\n"
         "+  File \"/home/me/btree.py\", line 71, in check\n"
         "+    assert real.items() == model\n"
         "+AssertionError: [1, 2] != [1]\n"},
    {"asan:SEGV at parser.c:1", "-log\n"
                                "+==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
                                "+The signal is caused by a READ memory access.\n"
                                "-    #0 0x1 in strlen (/lib/libc.so.6+0x1)\n"
                                "-    #1 0x2 in parse /home/me/parser.c:17:10\n"
                                "+    #2 0x3 in main /home/me/parser.c:1:10\n"
                                "+SUMMARY: AddressSanitizer: SEGV (/lib/libc.so.6+0x1) in strlen\n"
                                "-1\n"
                                "+2\n"
                                "+==1==ABORTING\n"},
};

TEST_EACH(the_lines_that_explain_a_failure_are_shown, sizeof outputs / sizeof outputs[0]) {
    char text[2048], expected[2048] = "";
    size_t length = 0, used = 0;
    bool was_shown = false;
    for (const char *line = outputs[_i].lines; *line != '\0';) {
        const size_t size = strcspn(line, "\n"), end = size + (line[size] == '\n');
        const bool is_shown = line[0] == '+', is_gap = was_shown && line[end] != '\0';
        memcpy(text + length, line + 1, end - 1);
        length += end - 1;
        if (is_shown || is_gap)
            used += (size_t)sprintf(expected + used, "  %-8s %.*s\n", used == 0 ? "output" : "",
                                    is_shown ? (int)size - 1 : 3, is_shown ? line + 1 : "...");
        was_shown = is_shown;
        line += end;
    }
    text[length] = '\0';
    ck_assert_str_eq(excerpt_of(text, outputs[_i].site), expected);
}

TEST(an_output_without_lines_is_not_shown) {
    ck_assert_str_eq(excerpt_of("", ""), "");
    ck_assert_str_eq(excerpt_of("\n\n\n", ""), "");
}

/* Bytes that were not kept and lines that are not shown between the same two lines: one gap. */
TEST(a_flood_has_one_gap_and_escapes) {
    bytes_tail_add(&output, (const uint8_t *)"panic: \033[2J\r\xff\tx\nin main\n", 24);
    for (int i = 0; i < 50000; i++) bytes_tail_add(&output, (const uint8_t *)"flood\n", 6);
    ck_assert_str_eq(excerpt_of("", ""), "  output   panic: \\x1b[2J\\x0d\\xff\tx\n"
                                         "           in main\n"
                                         "           ... 234,488 bytes left out ...\n"
                                         "           flood\n"
                                         "           flood\n"
                                         "           flood\n"
                                         "           flood\n");
}
