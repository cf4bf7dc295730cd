/* failure.h: how runs end, and the names of that. */
#include "failure.h"
#include "fixture.h"
#include "statuses.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* ---- A kept failure owns its output ---- */

/* Return a failure of this size, which borrows the output. */
static failure borrowed(uint64_t size, bytes_tail *output, const char *text) {
    *output = (bytes_tail){0};
    bytes_tail_add(output, (const uint8_t *)text, strlen(text));
    return (failure){.input = {.size = size}, .output = output};
}

static void has_output(const failure *f, const char *text) {
    ck_assert_ptr_nonnull(f->output);
    ck_assert_uint_eq(f->output->size, strlen(text));
    ck_assert_int_eq(memcmp(f->output->bytes, text, strlen(text)), 0);
}

TEST(a_kept_failure_outlives_the_output_that_it_was_made_with) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    output = (bytes_tail){0};
    ck_assert_uint_eq(kept.input.size, 9);
    has_output(&kept, "first");
    failure_drop(&kept);
    ck_assert_ptr_null(kept.output);
}

TEST(another_failure_takes_the_place_of_a_kept_one) {
    bytes_tail output;
    failure kept = {.output = NULL};
    failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    f = borrowed(5, &output, "second");
    failure_keep(&kept, &f);
    ck_assert_uint_eq(kept.input.size, 5);
    has_output(&kept, "second");
    failure_drop(&kept);
}

TEST(a_failure_without_output_leaves_none_of_the_one_before) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first"), silent = {.input = {.size = 3}};
    failure_keep(&kept, &f);
    failure_keep(&kept, &silent);
    has_output(&kept, "");
    failure_drop(&kept);
}

/* A kept failure is rerun in a copy that borrows its output. */
TEST(a_copy_of_a_kept_failure_is_kept_in_its_own_place) {
    bytes_tail output;
    failure kept = {.output = NULL};
    const failure f = borrowed(9, &output, "first");
    failure_keep(&kept, &f);
    failure copy = kept;
    copy.repeated = 1;
    failure_keep(&kept, &copy);
    ck_assert_uint_eq(kept.repeated, 1);
    has_output(&kept, "first");
    failure_drop(&kept);
}

TEST(a_failure_without_output_is_kept_without_memory) {
    failure kept = {.output = NULL};
    const failure silent = {.input = {.size = 3}};
    failure_keep(&kept, &silent);
    ck_assert_uint_eq(kept.input.size, 3);
    ck_assert_ptr_null(kept.output);
    failure_drop(&kept);
}

/* ---- What a run's end means, and which failure is better ---- */

TEST(a_status_other_than_0_is_a_failure) {
    outcome o = outcome_of_status(0);
    ck_assert_int_eq(o.verdict, VERDICT_PASS);
    ck_assert(!outcome_failed(&o));
    ck_assert(o.drawn == OUTCOME_DRAWN_UNKNOWN);
    for (int code = 1; code < 256; code++) {
        o = outcome_of_status(W_EXITCODE(code, 0));
        ck_assert_int_eq(o.verdict, VERDICT_FAIL);
        ck_assert_int_eq(o.fault, FAULT_NONE);
        ck_assert(outcome_failed(&o));
        ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_EXIT, code}));
    }
    o = outcome_of_status(W_EXITCODE(0, SIGSEGV) | WCOREFLAG);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_SIGNAL, SIGSEGV}));
}

/* A run can end by itself in the moment before it is killed: then that is how it ended. */
TEST(a_run_killed_at_its_deadline_is_a_timeout) {
    const int killed = W_EXITCODE(0, SIGKILL);
    outcome o = outcome_of_end(killed, true, NULL);
    ck_assert_int_eq(o.verdict, VERDICT_TIMEOUT);
    ck_assert(outcome_failed(&o));
    ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_TIMEOUT, 0}));
    o = outcome_of_end(killed, false, NULL);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_SIGNAL, SIGKILL}));
    o = outcome_of_end(0, true, NULL);
    ck_assert_int_eq(o.verdict, VERDICT_PASS);
    o = outcome_of_end(W_EXITCODE(137, 0), true, NULL);
    ck_assert_int_eq(o.verdict, VERDICT_FAIL);
    ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_EXIT, 137}));
    o = outcome_of_end(W_EXITCODE(0, SIGABRT), true, NULL);
    ck_assert(signature_equal(outcome_signature(&o), (signature){SIGNATURE_SIGNAL, SIGABRT}));
}

TEST(errors_are_no_failures) {
    static const outcome_fault faults[] = {FAULT_EXEC, FAULT_LINKER, FAULT_SYSTEM};
    for (size_t i = 0; i < 3; i++) {
        const outcome o = outcome_error(faults[i], ENOENT);
        ck_assert_int_eq(o.verdict, VERDICT_ERROR);
        ck_assert_int_eq(o.fault, faults[i]);
        ck_assert_int_eq(o.error_number, ENOENT);
        ck_assert(!outcome_failed(&o));
        ck_assert(o.drawn == OUTCOME_DRAWN_UNKNOWN);
    }
}

TEST(an_errno_is_about_the_program_or_the_system) {
    static const int of_system[] = {EAGAIN, ENOMEM, EMFILE, ENFILE};
    static const int of_program[] = {ENOENT,  EACCES, ENOEXEC, ELOOP,   ENOTDIR, EISDIR,
                                     ETXTBSY, E2BIG,  EPERM,   ELIBBAD, EINVAL};
    for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++) {
        ck_assert_int_eq(outcome_fault_of_exec(of_system[i]), FAULT_SYSTEM);
    }
    for (size_t i = 0; i < sizeof of_program / sizeof *of_program; i++) {
        ck_assert_int_eq(outcome_fault_of_exec(of_program[i]), FAULT_EXEC);
    }
}

TEST_RAISES(a_pass_has_no_signature, SIGABRT) {
    const outcome o = outcome_of_status(0);
    outcome_signature(&o);
}

TEST_RAISES(an_error_has_no_signature, SIGABRT) {
    const outcome o = outcome_error(FAULT_EXEC, ENOENT);
    outcome_signature(&o);
}

TEST(smaller_is_better_and_the_order_is_total) {
    const seed_input order[] = {{0, 0, SEED_PLAIN},
                                {0, UINT64_MAX, SEED_PLAIN},
                                {1, 0, SEED_PLAIN},
                                {1, 0, SEED_STYLED},
                                {1, 1, SEED_PLAIN},
                                {1, 9, SEED_STYLED},
                                {1, UINT64_MAX, SEED_PLAIN},
                                {UINT64_MAX, 0, SEED_PLAIN},
                                {UINT64_MAX, UINT64_MAX, SEED_PLAIN}};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
            ck_assert_int_eq(seed_input_less(order[i], order[k]), i < k);
            ck_assert_int_eq(seed_input_equal(order[i], order[k]), i == k);
        }
    }
}

TEST(a_failure_that_does_not_always_repeat_is_flaky) {
    failure f = {.signature = {SIGNATURE_EXIT, 1}, .reruns = 20, .repeated = 20};
    ck_assert(!failure_is_flaky(&f));
    f.repeated = 19;
    ck_assert(failure_is_flaky(&f));
    f.reruns = f.repeated = 0;
    ck_assert(!failure_is_flaky(&f));
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS);
    f.signature = (signature){SIGNATURE_SIGNAL, SIGKILL};
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS);
    f.signature = (signature){SIGNATURE_TIMEOUT, 0};
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS_OF_HANG);
}

static const signature aborted = {SIGNATURE_SIGNAL, SIGABRT}, hung = {SIGNATURE_TIMEOUT, 0};

TEST(what_passes_with_twice_the_limits_is_of_them) {
    const outcome passed = outcome_of_status(0), failed = outcome_of_status(SIGABRT);
    const outcome killed = outcome_of_end(SIGKILL, true, NULL);
    outcome starved = failed;
    starved.verdict = VERDICT_MEMORY;
    ck_assert(!outcome_failed(&starved));
    ck_assert_int_eq(outcome_cause(hung, &passed), CAUSE_TIMEOUT);
    ck_assert_int_eq(outcome_cause(hung, &killed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(hung, &failed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(hung, &starved), CAUSE_MEMORY);
    ck_assert_int_eq(outcome_cause(aborted, &passed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(aborted, &starved), CAUSE_MEMORY);
}

enum { MEMORY_MAX = 64 << 20 };

/* Judge a run and its rerun, by how they ended and what they held. */
static bool is_of_memory(outcome o, uint64_t held, outcome again, uint64_t held_again,
                         uint64_t floor) {
    const measured_run first = {o, held}, second = {again, held_again};
    return outcome_is_of_memory(&first, &second, MEMORY_MAX, floor);
}

TEST(a_failure_is_of_memory_that_goes_away_or_grows_with_it) {
    const outcome o = outcome_of_status(SIGABRT), passed = outcome_of_status(0);
    const outcome other = outcome_of_status(3 << 8), late = outcome_of_end(SIGKILL, true, NULL);
    const uint64_t max = MEMORY_MAX, small = 2 << 20, floor = 1 << 20;
    ck_assert(is_of_memory(o, small, passed, small, floor));
    ck_assert(is_of_memory(o, small, other, small, floor));
    ck_assert(is_of_memory(o, small, late, small, floor));
    ck_assert(!is_of_memory(o, small, o, small, floor));
    ck_assert(!is_of_memory(o, max - small, o, max - small, floor));
    ck_assert(is_of_memory(o, max - small, o, max + 1, floor));
    ck_assert(is_of_memory(o, max / 2, o, max / 2 + max / 3, floor));
    /* What the worker had held before is not the run's. */
    ck_assert(!is_of_memory(o, 2 * max, o, 2 * max, 2 * max));
}

/* ---- From wait statuses, to text and back ---- */

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
    static const char all[] =
        "|exit|exit:|exit:0|exit:256|exit:-1|exit:+1|exit: 1|exit:1 |exit:0x1|exit:001|"
        "exit:01|exit:4294967297|exit:99999999999999999999|exit:1.0|exit:SIGABRT|"
        "EXIT:1| exit:1|signal|signal:|signal:0|signal:65|signal:-6|signal:06|"
        "signal:SIG|signal:abrt|signal:SIGabrt|signal:SIGSIGABRT|signal:SIG6|signal:NO|"
        "signal:ABRT |signal:RTMIN|signal:SIGRTMIN+|signal:SIGRTMIN+31|"
        "signal:SIGRTMIN+-1|signal:SIGRTMIN+00|signal:SIGRTMIN+01|timeout:|timeout:1|"
        "timeouts|Timeout|pass|exit:3\n|exit:\xc2\xb3|";
    char text[64];
    for (const char *bad = all; *bad != '\0'; bad += strlen(text) + 1) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(bad, "|"), bad);
        is_no_signature(text);
    }
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

/* ---- The text of sites, and which of them may be of one bug ---- */

static const char *joined(const char *kind, const char *place) {
    static char site[SITE_MAX];
    site_join(kind, place, site);
    return site;
}

TEST(a_site_has_a_kind_a_place_or_both) {
    ck_assert_str_eq(joined("", "a.c:7"), "a.c:7");
    ck_assert_str_eq(joined("asan:SEGV", "a.c:7"), "asan:SEGV at a.c:7");
    ck_assert_str_eq(joined("glibc:x", ""), "glibc:x");
    ck_assert_str_eq(joined("", ""), "");
}

TEST(a_site_is_split_as_it_was_joined) {
    static const char *const parts[][2] = {
        {"", "a.c:7"}, {"asan:SEGV", "a.c:7"}, {"glibc:x", ""}, {"", ""}, {"", "std::bad_alloc"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char site[SITE_MAX], kind[SITE_MAX], place[SITE_MAX];
        site_join(parts[i][0], parts[i][1], site);
        site_split(site, kind, place);
        ck_assert_str_eq(kind, parts[i][0]);
        ck_assert_str_eq(place, parts[i][1]);
    }
}

TEST(what_programs_print_is_escaped_and_cut) {
    char longest[2 * SITE_MAX];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    ck_assert_str_eq(joined("", "a\x1b[2J\n.c"), "a\\x1b[2J\\x0a.c");
    ck_assert_uint_lt(strlen(joined(longest, longest)), SITE_MAX);
    ck_assert_uint_lt(strlen(joined("", longest)), SITE_PLACE_MAX);
}

TEST(a_step_is_no_part_of_the_line) {
    static const char *const whole[] = {"a.c:7", "std::bad_alloc", "check in.c", "a in b", ""};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        ck_assert_uint_eq(site_line_length(whole[i]), strlen(whole[i]));
    ck_assert_uint_eq(site_line_length("a.c:7 in pop"), 5);
    ck_assert_uint_eq(site_line_length("my in tray/a.c:7 in put in map"), 16);
}

TEST(a_signature_with_a_site_is_one_text) {
    const signature exited = {SIGNATURE_EXIT, 1};
    char text[SITE_TEXT_MAX];
    ck_assert_str_eq(site_format(exited, "", text), "exit:1");
    ck_assert_str_eq(site_format(aborted, "a.c:7", text), "signal:SIGABRT at a.c:7");
    ck_assert_str_eq(site_format(exited, "asan:SEGV at a.c:7", text), "asan:SEGV at a.c:7");
    ck_assert_str_eq(site_format(exited, "std::bad_alloc", text), "exit:1 at std::bad_alloc");
}

TEST(sites_that_may_be_of_one_bug) {
    ck_assert(site_may_equal("a.c:7", true, "a.c:7", true));
    ck_assert(!site_may_equal("a.c:7", true, "a.c:8", true));
    ck_assert(site_may_equal("a.c:7", true, "", false));
    ck_assert(!site_may_equal("a.c:7", true, "", true));
    ck_assert(site_may_equal("", true, "", true));
    ck_assert(site_may_equal("asan:SEGV at a.c:7", true, "asan:SEGV at a.out+0x1f+0x2", true));
    ck_assert(!site_may_equal("asan:SEGV at a.c:7", true, "asan:FPE at a.out+0x1f", true));
    ck_assert(!site_may_equal("asan:SEGV at a.out+0x1e", true, "asan:SEGV at a.out+0x1f", true));
}

TEST(an_address_is_no_line) {
    ck_assert(site_is_address("asan:SEGV at a.out+0x1f+0x20"));
    ck_assert(!site_is_address("asan:SEGV at a.c:7"));
    ck_assert(!site_is_address("a+0x1f.c:7"));
    ck_assert(!site_is_address(""));
}
