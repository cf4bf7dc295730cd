/* signature.h: from wait statuses, to text and back. */
#include "failure.h"
#include "fixture.h"

#include "statuses.h"

#include <signal.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void assert_signature(signature id, signature_kind kind, int value) {
    ck_assert_int_eq(id.kind, kind);
    ck_assert_int_eq(id.value, value);
}

TEST(every_wait_status_has_its_signature) {
    for (int code = 1; code < 256; code++) {
        assert_signature(signature_of_status(W_EXITCODE(code, 0)), SIGNATURE_EXIT, code);
    }
    for (int number = 1; number <= SIGRTMAX; number++) {
        assert_signature(signature_of_status(W_EXITCODE(0, number)), SIGNATURE_SIGNAL, number);
        assert_signature(signature_of_status(W_EXITCODE(0, number) | WCOREFLAG), SIGNATURE_SIGNAL,
                         number);
    }
}

/* As a predicate says that a file is of interest. */
TEST(exit_0_has_a_signature_of_its_own) {
    assert_signature(signature_of_status(0), SIGNATURE_EXIT, 0);
}

TEST(statuses_of_real_processes_have_their_signatures) {
    int status;
    pid_t pid = fork();
    if (pid == 0) _exit(200);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    assert_signature(signature_of_status(status), SIGNATURE_EXIT, 200);
    pid = fork();
    if (pid == 0) {
        raise(SIGKILL);
        _exit(1);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    assert_signature(signature_of_status(status), SIGNATURE_SIGNAL, SIGKILL);
}

TEST(a_signature_becomes_the_status_that_a_shell_reports) {
    ck_assert_int_eq(signature_shell_status((signature){SIGNATURE_EXIT, 3}), 3);
    ck_assert_int_eq(signature_shell_status((signature){SIGNATURE_EXIT, 255}), 255);
    ck_assert_int_eq(signature_shell_status((signature){SIGNATURE_SIGNAL, SIGABRT}), 134);
    ck_assert_int_eq(signature_shell_status((signature){SIGNATURE_TIMEOUT, 0}), 124);
}

TEST(signatures_are_equal_only_to_themselves) {
    const signature all[] = {{SIGNATURE_EXIT, 6},
                             {SIGNATURE_EXIT, 7},
                             {SIGNATURE_SIGNAL, 6},
                             {SIGNATURE_SIGNAL, 7},
                             {SIGNATURE_TIMEOUT, 0}};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        for (size_t k = 0; k < COUNT_OF(all); k++) {
            ck_assert_int_eq(signature_equal(all[i], all[k]), i == k);
        }
    }
}

static void reads_back(signature id) {
    char text[SIGNATURE_TEXT_MAX];
    signature back = {SIGNATURE_EXIT, -1};
    const char *formatted = signature_format(id, text);
    ck_assert_ptr_eq(formatted, text);
    ck_assert_msg(signature_parse(text, &back), "'%s' was refused", text);
    assert_signature(back, id.kind, id.value);
}

TEST(all_texts_read_back) {
    for (int code = 1; code < 256; code++) reads_back((signature){SIGNATURE_EXIT, code});
    for (int number = 1; number <= SIGRTMAX; number++) {
        reads_back((signature){SIGNATURE_SIGNAL, number});
    }
    reads_back((signature){SIGNATURE_TIMEOUT, 0});
}

TEST(a_signature_is_written_by_its_name) {
    char text[SIGNATURE_TEXT_MAX];
    ck_assert_str_eq(signature_format((signature){SIGNATURE_EXIT, 3}, text), "exit:3");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, SIGABRT}, text),
                     "signal:SIGABRT");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, SIGSEGV}, text),
                     "signal:SIGSEGV");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, SIGRTMIN}, text),
                     "signal:SIGRTMIN+0");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, SIGRTMIN + 2}, text),
                     "signal:SIGRTMIN+2");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_SIGNAL, 32}, text), "signal:32");
    ck_assert_str_eq(signature_format((signature){SIGNATURE_TIMEOUT, 0}, text), "timeout");
}

/* Each signal that this machine names, under the name that its library has for it. */
TEST(names_of_all_signals) {
    static const char *const names[] = {
        "HUP",  "INT",  "QUIT", "ILL",  "TRAP", "ABRT", "BUS",  "FPE",    "KILL", "USR1",
        "SEGV", "USR2", "PIPE", "ALRM", "TERM", "CHLD", "CONT", "STOP",   "TSTP", "TTIN",
        "TTOU", "URG",  "XCPU", "XFSZ", "PROF", "POLL", "PWR",  "VTALRM", "SYS",  "WINCH"};
    unsigned named = 0;
    for (int number = 1; number < 32; number++) {
        char text[SIGNATURE_TEXT_MAX], expected[SIGNATURE_TEXT_MAX];
        signature_format((signature){SIGNATURE_SIGNAL, number}, text);
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            snprintf(expected, sizeof expected, "signal:SIG%s", names[i]);
            if (strcmp(text, expected) == 0) named++;
        }
#ifdef __GLIBC__
        snprintf(expected, sizeof expected, "signal:SIG%s", sigabbrev_np(number));
        ck_assert_str_eq(text, expected);
#endif
    }
    ck_assert_uint_eq(named, COUNT_OF(names));
}

TEST(short_names_and_numbers_of_signals_are_read) {
    static const struct {
        const char *text;
        signature expected;
    } cases[] = {
        {"signal:ABRT", {SIGNATURE_SIGNAL, SIGABRT}},  {"signal:6", {SIGNATURE_SIGNAL, 6}},
        {"signal:SIGHUP", {SIGNATURE_SIGNAL, SIGHUP}}, {"signal:33", {SIGNATURE_SIGNAL, 33}},
        {"exit:255", {SIGNATURE_EXIT, 255}},           {"exit:1", {SIGNATURE_EXIT, 1}}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        signature id = {SIGNATURE_TIMEOUT, -1};
        ck_assert_msg(signature_parse(cases[i].text, &id), "'%s' was refused", cases[i].text);
        ck_assert(signature_equal(id, cases[i].expected));
    }
}

static void is_no_signature(const char *text) {
    signature id = {SIGNATURE_SIGNAL, 4711};
    ck_assert_msg(!signature_parse(text, &id), "'%s' was taken", text);
    ck_assert_msg(id.kind == SIGNATURE_SIGNAL && id.value == 4711, "'%s' left something", text);
}

TEST(a_text_that_is_no_signature_is_refused) {
    static const char *const bad[] = {"",
                                      "exit",
                                      "exit:",
                                      "exit:0",
                                      "exit:256",
                                      "exit:-1",
                                      "exit:+1",
                                      "exit: 1",
                                      "exit:1 ",
                                      "exit:0x1",
                                      "exit:001",
                                      "exit:01",
                                      "exit:4294967297",
                                      "exit:99999999999999999999",
                                      "exit:1.0",
                                      "exit:SIGABRT",
                                      "EXIT:1",
                                      " exit:1",
                                      "signal",
                                      "signal:",
                                      "signal:0",
                                      "signal:65",
                                      "signal:-6",
                                      "signal:06",
                                      "signal:SIG",
                                      "signal:abrt",
                                      "signal:SIGabrt",
                                      "signal:SIGSIGABRT",
                                      "signal:SIG6",
                                      "signal:NO",
                                      "signal:ABRT ",
                                      "signal:RTMIN",
                                      "signal:SIGRTMIN+",
                                      "signal:SIGRTMIN+31",
                                      "signal:SIGRTMIN+-1",
                                      "signal:SIGRTMIN+00",
                                      "signal:SIGRTMIN+01",
                                      "timeout:",
                                      "timeout:1",
                                      "timeouts",
                                      "Timeout",
                                      "pass",
                                      "exit:3\n",
                                      "exit:\xc2\xb3"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) is_no_signature(bad[i]);
}

TEST(no_prefix_is_taken_for_the_whole) {
    static const char *const whole[] = {"signal:SIGRTMIN+2", "signal:SIGABRT", "timeout"};
    for (size_t i = 0; i < COUNT_OF(whole); i++) {
        char text[32] = "";
        for (size_t length = 0; length + 1 < strlen(whole[i]); length++) {
            text[length] = whole[i][length];
            is_no_signature(text);
        }
    }
}
