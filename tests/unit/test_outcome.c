/* outcome.h, failure.h and input.h: what a run's end means, and which failure is better. */
#include "failure.h"
#include "fixture.h"

#include "statuses.h"

#include <errno.h>
#include <signal.h>

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
