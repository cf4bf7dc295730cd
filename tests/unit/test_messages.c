/* messages.h: every message is one line that says what is wrong, whatever is in its arguments. */
#include "fixture.h"
#include "messages.h"

#include <errno.h>
#include <pty.h>
#include <sys/ioctl.h>

/* Text as an enemy would name a file: it takes lines, colours and the terminal's title. */
#define HOSTILE "a\nb\033[31m\r\x07\xff\xc2\x9b\x7f%s%n"
#define ESCAPED "a\\x0ab\\x1b[31m\\x0d\\x07\\xff\\xc2\\x9b\\x7f%s%n"

static bytes_tail loader_output(const char *text) {
    bytes_tail tail = {0};
    bytes_tail_add(&tail, (const uint8_t *)text, strlen(text));
    return tail;
}

/* ---- Every message, by its number ---- */

static void say_usage(int number, const char *word) {
    switch (number) {
    case 0: message_unknown_option(word, NULL); break;
    case 1: message_missing_value(word); break;
    case 2: message_needless_value(word); break;
    case 3: message_bad_value("--time", word, "a duration"); break;
    case 4: message_extra_argument(word); break;
    case 5: message_usage(word); break;
    case 6: message_sut_not_on_path(word, true); break;
    case 7: message_sut_not_on_path(word, false); break;
    case 8: message_sut_is_folder(word); break;
    case 9: message_sut_not_executable(word); break;
    case 10: message_sut_cannot_start(word, ENOENT); break;
    case 11: message_sut_cannot_start(word, ENOEXEC); break;
    case 12: message_sut_cannot_start(word, EACCES); break;
    case 13: message_sut_cannot_start(word, ETXTBSY); break;
    case 14: message_cannot_open(word, EACCES); break;
    case 15: message_cannot_read(word, "it is no finding"); break;
    case 16: message_cannot_write(word, ENOSPC); break;
    case 17: message_finding_skipped(word, "name.json", "it is no finding"); break;
    case 18: message_finding_too_large(word, 4096); break;
    case 19: message_finding_rebuilt(word); break;
    case 20: message_finding_not_stored(word, ENOSPC); break;
    case 21: message_system(word, ENOMEM); break;
    case 22: message_memory_sanitizer(word, "AddressSanitizer"); break;
    case 23: message_memory_too_little(word, 1 << 20, 256 << 20); break;
    case 24: message_cores_piped(word); break;
    case 25: message_mount_left(word, EPERM); break;
    case 26: message_work_folder(word, ENOENT); break;
    case 27: message_work_folder(word, ENOSPC); break;
    case 28: message_unknown_option(word, "seed"); break;
    case 29: message_abbreviated_option(word, "seed"); break;
    case 30: message_file_without_predicate("./sut", word); break;
    case 31: message_sut_run_again(word); break;
    case 32: message_finding_other_program("name.json", word, "./other"); break;
    case 33: message_finding_other_build("name.json", word); break;
    case 34: message_sut_fails_on_nothing(word); break;
    case 35: message_predicate_takes_all(word); break;
    default: break;
    }
}

/* What each must name beside the word itself. */
static const char *const parts[][2] = {
    {"unknown option", "frng-test --help"},
    {"needs a value", "frng-test --help"},
    {"takes no value", ""},
    {"--time '", "give a duration"},
    {"unexpected argument", "'--'"},
    {"frng-test --help", ""},
    {"not found on PATH", "say ./"},
    {"not found on PATH", "give the path"},
    {"is a directory", ""},
    {"not executable", "chmod +x "},
    {"not found", "build it first"},
    {"not a program of this machine", "#!"},
    {"permission denied", ""},
    {"cannot be started", "Text file busy"},
    {"cannot be opened", "Permission denied"},
    {"cannot be read", "it is no finding"},
    {"cannot be written", "No space left on device"},
    {"/name.json: skipped", "it is no finding"},
    {"skipped", "--size-max 4096"},
    {"rebuilt", ""},
    {"could not be stored", "No space left on device"},
    {"memory", ""},
    {"--memory cannot be used", "built with AddressSanitizer"},
    {"--memory 1M is too little", "with 256M it does not"},
    {"crashes are slow here", "ulimit -Hc"},
    {"a run left a mount here", "(Operation not permitted); unmount it"},
    {"the folder that runs work in is gone", "no run removes it"},
    {"no run can work in this folder", "No space left on device"},
    {"unknown option", "did you mean --seed? See 'frng-test --help'"},
    {"is cut short", "say --seed"},
    {"to reduce a file, say frng-test --predicate ./sut ", ""},
    {"exited with 127", "once more"},
    {"name.json: note: was found in", "this runs ./other"},
    {"name.json: note:", "another build"},
    {"fails on empty input", "does it need arguments? They follow '--'"},
    {"for an empty file, and for random bytes", "does it check anything?"},
};
enum { MESSAGES = sizeof parts / sizeof *parts };

static void assert_one_line(const char *text) {
    ck_assert_int_eq(strncmp(text, "frng-test: ", 11), 0);
    const char *end = strchr(text, '\n');
    ck_assert_msg(end != NULL && end[1] == '\0', "not one line: '%s'", text);
    for (const char *c = text; c < end; c++) {
        ck_assert_msg((unsigned char)*c >= 0x20 && *c != 0x7f, "a control character in '%s'", text);
    }
}

TEST_EACH(messages_say_what_is_wrong, MESSAGES) {
    message_init("frng-test", false);
    capture_begin();
    say_usage(_i, "./the-word");
    const char *text = capture_end();
    assert_one_line(text);
    assert_contains(text, "./the-word");
    assert_contains(text, parts[_i][0]);
    assert_contains(text, parts[_i][1]);
}

TEST_EACH(messages_escape_what_comes_from_outside, MESSAGES) {
    message_init("frng-test", false);
    capture_begin();
    say_usage(_i, HOSTILE);
    const char *text = capture_end();
    assert_one_line(text);
    assert_contains(text, ESCAPED);
}

TEST(messages_are_never_cut) {
    static char word[20001], escaped[80001];
    memset(word, '\x01', 20000);
    for (int i = 0; i < 20000; i++) memcpy(escaped + 4 * i, "\\x01", 4);
    message_init("frng-test", false);
    capture_begin();
    message_extra_argument(word);
    const char *text = capture_end();
    assert_one_line(text);
    ck_assert(strstr(text, escaped) != NULL);
    assert_contains(text, "follow '--'");
}

TEST(messages_without_words) {
    message_init("frng-test", false);
    capture_begin();
    message_no_sut();
    assert_one_line(capture_end());
    assert_contains(capture_text, "Usage: frng-test ./sut");
    capture_begin();
    message_workers_died();
    assert_one_line(capture_end());
    capture_begin();
    message_finding_skipped("folder", HOSTILE, HOSTILE);
    assert_one_line(capture_end());
}

TEST(a_missing_interpreter_is_no_missing_file) {
    message_init("frng-test", false);
    capture_begin();
    message_sut_cannot_start("/dev/null", ENOENT);
    assert_contains(capture_end(), "interpreter was not found");
    assert_one_line(capture_text);
}

TEST(the_loader_is_quoted_by_its_first_line) {
    bytes_tail tail = loader_output("libx.so: cannot\x1b open\nsecond line\n");
    message_init("frng-test", false);
    capture_begin();
    message_sut_cannot_load("./sut", &tail);
    ck_assert_str_eq(capture_end(),
                     "frng-test: ./sut: cannot be loaded: libx.so: cannot\\x1b open\n");
    tail = loader_output("");
    capture_begin();
    message_sut_cannot_load("./sut", &tail);
    assert_one_line(capture_end());
    memset(tail.bytes, 'y', sizeof tail.bytes); /* full, and ended by nothing */
    tail.size = sizeof tail.bytes;
    capture_begin();
    message_sut_cannot_load("./sut", &tail);
    assert_one_line(capture_end());
    ck_assert_uint_ge(strlen(capture_text), sizeof tail.bytes);
}

/* ---- The status line ---- */

TEST(a_status_line_is_wiped_before_a_message) {
    message_init("frng-test", true);
    ck_assert(message_is_terminal());
    capture_begin();
    message_status("size 16");
    message_status("size 32");
    message_no_sut();
    message_workers_died();
    const char *text = capture_end();
    const char *wiped = "\rsize 16\033[K\rsize 32\033[K\r\033[Kfrng-test: which program?";
    ck_assert_int_eq(strncmp(text, wiped, strlen(wiped)), 0);
    const char *second = strstr(text, "\nfrng-test: worker");
    ck_assert_msg(second != NULL, "wiped once: there is nothing to wipe any more");
    message_init("frng-test", false);
    ck_assert(!message_is_terminal());
}

TEST(a_report_begins_on_a_clean_line) {
    message_init("frng-test", true);
    capture_begin();
    message_status("x");
    fputs("report", message_stream());
    fputs(" goes on", message_stream());
    ck_assert_str_eq(capture_end(), "\rx\033[K\r\033[Kreport goes on");
    ck_assert_ptr_eq(message_stream(), stderr);
}

TEST(a_status_line_fits_the_terminal) {
    struct winsize size = {.ws_row = 24, .ws_col = 11};
    char line[201], text[256];
    int terminal, other;
    memset(line, 'w', 200);
    line[200] = '\0';
    capture_begin();
    message_status(line);
    ck_assert_uint_eq(strspn(capture_end() + 1, "w"), 79);
    ck_assert_int_eq(openpty(&terminal, &other, NULL, NULL, &size), 0);
    const int saved = dup(STDERR_FILENO);
    ck_assert_int_eq(dup2(other, STDERR_FILENO), STDERR_FILENO);
    message_init("frng-test", true);
    message_status(line);
    dup2(saved, STDERR_FILENO);
    const ssize_t count = read(terminal, text, sizeof text - 1);
    ck_assert_int_gt(count, 0);
    text[count] = '\0';
    ck_assert_str_eq(text, "\rwwwwwwwwww\033[K");
}
