/* failure.h: how runs end, what that says of the target, and failures that are kept. */
#include "failure_table.h"
#include "statuses.h"
#include "suite.h"

#include <errno.h>
#include <signal.h>

static const signature aborted = {SIGNATURE_SIGNAL, SIGABRT}, hung = {SIGNATURE_TIMEOUT, 0};

/* How a run ended, and whether that was at its deadline. A run can end by itself in the moment
 * before it is killed: then that is how it ended. */
static const struct {
    int status;
    bool is_late;
    verdict verdict;
    signature signature;
} ends[] = {{0, false, VERDICT_PASS, {0, 0}},
            {0, true, VERDICT_PASS, {0, 0}},
            {W_EXITCODE(1, 0), false, VERDICT_FAIL, {SIGNATURE_EXIT, 1}},
            {W_EXITCODE(255, 0), false, VERDICT_FAIL, {SIGNATURE_EXIT, 255}},
            {W_EXITCODE(137, 0), true, VERDICT_FAIL, {SIGNATURE_EXIT, 137}},
            {W_EXITCODE(0, SIGSEGV) | WCOREFLAG, false, VERDICT_FAIL, {SIGNATURE_SIGNAL, SIGSEGV}},
            {W_EXITCODE(0, 64), false, VERDICT_FAIL, {SIGNATURE_SIGNAL, 64}},
            {W_EXITCODE(0, SIGABRT), true, VERDICT_FAIL, {SIGNATURE_SIGNAL, SIGABRT}},
            {W_EXITCODE(0, SIGKILL), false, VERDICT_FAIL, {SIGNATURE_SIGNAL, SIGKILL}},
            {W_EXITCODE(0, SIGKILL), true, VERDICT_TIMEOUT, {SIGNATURE_TIMEOUT, 0}}};

TEST_EACH(an_end_has_a_verdict_and_a_signature, sizeof ends / sizeof *ends) {
    const outcome o = outcome_of_end(ends[_i].status, ends[_i].is_late, READING_NONE, NULL);
    ck_assert_int_eq(o.verdict, ends[_i].verdict);
    ck_assert_int_eq(o.fault, FAULT_NONE);
    ck_assert(o.drawn == OUTCOME_DRAWN_UNKNOWN);
    ck_assert_int_eq(outcome_failed(&o), ends[_i].verdict != VERDICT_PASS);
    if (outcome_failed(&o)) ck_assert(signature_equal(outcome_signature(&o), ends[_i].signature));
    if (ends[_i].status == 0) /* of a predicate that says that a file is of interest */
        ck_assert(signature_equal(signature_of_status(0), (signature){SIGNATURE_EXIT, 0}));
}

TEST(an_error_is_no_failure_and_of_the_program_or_the_system) {
    static const int errors[] = {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOENT, EACCES, ENOEXEC, EPERM};
    const outcome o = outcome_error(FAULT_LINKER, ENOENT);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        ck_assert_int_eq(outcome_fault_of_exec(errors[i]), i < 4 ? FAULT_SYSTEM : FAULT_EXEC);
    ck_assert(!outcome_failed(&o) && o.drawn == OUTCOME_DRAWN_UNKNOWN);
}

TEST(each_failure_is_better_than_those_after_it) {
    const failure order[] = {
        {.input = {1, 9}, .reruns = 1, .repeated = 1},
        {.input = {2}, .form = FORM_REDUCED, .reruns = 20, .repeated = 20},
        {.input = {2, 1}, .form = FORM_REDUCED, .reruns = 3, .repeated = 3},
        {.input = {2}, .form = FORM_BYTES, .reruns = 20, .repeated = 20},
        {.input = {2, 0}, .reruns = 20, .repeated = 20},
        {.input = {2, 0}, .reruns = 3, .repeated = 3},
        {.input = {2, 0, SEED_STYLED}, .reruns = 20, .repeated = 20},
        {.input = {2, 1}, .reruns = 20, .repeated = 20},
        {.input = {1}, .form = FORM_REDUCED, .reruns = 20, .repeated = 19},
        {.input = {2}, .reruns = 20, .repeated = 20, .alike = {21, 20}},
    };
    const size_t count = sizeof order / sizeof *order;
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++)
            ck_assert_msg(failure_is_better(&order[a], &order[b]) == (a < b), "%zu %zu", a, b);
    }
}

TEST(a_failure_that_does_not_always_repeat_is_flaky) {
    failure f = {.signature = {SIGNATURE_EXIT, 1}, .reruns = 20, .repeated = 20};
    ck_assert(!failure_is_flaky(&f) && !failure_is_of_flaky(&f));
    f.alike = (rerun_count){40, 39};
    ck_assert(!failure_is_flaky(&f) && failure_is_of_flaky(&f));
    ck_assert_uint_eq(failure_evidence(&f).reruns, 40);
    f.repeated = 19;
    ck_assert(failure_is_flaky(&f));
    f.reruns = f.repeated = 0;
    ck_assert(!failure_is_flaky(&f));
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS);
    f.signature = (signature){SIGNATURE_SIGNAL, SIGKILL};
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS);
    f.signature = hung;
    ck_assert_uint_eq(failure_reruns_due(&f), FAILURE_RERUNS_OF_HANG);
}

TEST(what_passes_with_twice_the_limits_is_of_them) {
    const outcome passed = outcome_of_status(0), failed = outcome_of_status(SIGABRT);
    const outcome killed = outcome_of_end(SIGKILL, true, READING_NONE, NULL);
    outcome starved = failed;
    starved.verdict = VERDICT_MEMORY;
    ck_assert(!outcome_failed(&starved));
    ck_assert_int_eq(outcome_cause(hung, "", &passed), CAUSE_TIMEOUT);
    ck_assert_int_eq(outcome_cause(hung, "", &killed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(hung, "", &failed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(hung, "", &starved), CAUSE_MEMORY);
    ck_assert_int_eq(outcome_cause(aborted, "", &passed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(aborted, "", &starved), CAUSE_MEMORY);
    const signature of_kill = {SIGNATURE_SIGNAL, SIGKILL};
    ck_assert_int_eq(outcome_cause(of_kill, "", &passed), CAUSE_NONE);
    ck_assert_int_eq(outcome_cause(of_kill, SITE_OOM, &passed), CAUSE_OOM);
    ck_assert_int_eq(outcome_cause(of_kill, SITE_OOM, &killed), CAUSE_NONE);
}

/* ---- A kept failure owns its output ---- */

/* Keep a failure whose output does not outlive the call; "": it has none. */
static void keep(failure *kept, const char *text) {
    bytes_tail output = {.size = 0};
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    failure_keep(kept, &(failure){.output = text[0] != '\0' ? &output : NULL});
    memset(&output, 0, sizeof output);
    ck_assert_uint_eq(kept->output != NULL ? kept->output->size : 0, strlen(text));
    if (kept->output != NULL) ck_assert_mem_eq(kept->output->bytes, text, strlen(text));
}

TEST(another_failure_takes_the_place_of_a_kept_one_with_its_output) {
    failure kept = {.output = NULL};
    keep(&kept, "");
    ck_assert_ptr_null(kept.output);
    keep(&kept, "first");
    keep(&kept, "second");
    failure copy = kept; /* as it is rerun: it borrows the output */
    copy.repeated = 1;
    failure_keep(&kept, &copy);
    ck_assert_uint_eq(kept.repeated, 1);
    ck_assert_uint_eq(kept.output->size, strlen("second"));
    keep(&kept, "");
    failure_drop(&kept);
    ck_assert_ptr_null(kept.output);
}

/* ---- A table of failures ---- */

static const signature exit_1 = {SIGNATURE_EXIT, 1}, exit_2 = {SIGNATURE_EXIT, 2};
static failure_table table; /* large; a process for each test */

static failure failing(uint64_t size, signature how, const char *site) {
    failure f = {.input = {size, 7}, .signature = how, .reruns = 1, .repeated = 1};
    strcpy(f.site, site);
    return f;
}

static bool add(const failure *f) {
    return failure_table_keep(&table, failure_table_note(&table, f, FAILURE_OTHER));
}

static uint64_t best_size(const failure *f) {
    return failure_table_like(&table, f)->failure.input.size;
}

TEST(the_smallest_of_each_signature_and_site_is_the_best) {
    const failure a = failing(9, exit_1, "x.c:1"), smaller = failing(8, exit_1, "x.c:1");
    const failure elsewhere = failing(3, exit_1, "x.c:2"), other = failing(5, exit_2, "");
    ck_assert(add(&a) && add(&smaller) && !add(&a) && add(&elsewhere) && add(&other));
    ck_assert_uint_eq(table.count, 4);
    ck_assert_uint_eq(best_size(&a), 8);
    ck_assert_uint_eq(best_size(&elsewhere), 3);
    failure_table_clear(&table);
}

TEST(a_failure_that_has_no_site_is_not_one_whose_site_is_unknown) {
    failure at_a_site = failing(9, exit_1, "x.c:1"), siteless = failing(7, exit_1, "");
    const failure unknown = failing(8, exit_1, "");
    at_a_site.is_site_known = siteless.is_site_known = true;
    ck_assert(add(&at_a_site));
    ck_assert_uint_eq(best_size(&unknown), 9);
    ck_assert(add(&siteless));
    ck_assert_uint_eq(best_size(&siteless), 7); /* the same before the alike */
    ck_assert_uint_eq(best_size(&at_a_site), 9);
    failure_table_clear(&table);
}

TEST(what_always_fails_goes_before_what_is_flaky) {
    failure flaky = failing(3, exit_1, ""), now_flaky = failing(9, exit_1, "");
    const failure sure = now_flaky;
    flaky.reruns = 2;
    now_flaky.reruns = 20;
    ck_assert(add(&flaky) && add(&sure) && !add(&flaky));
    ck_assert_uint_eq(best_size(&sure), 9);
    ck_assert(add(&now_flaky)); /* the latest word on the same input */
    ck_assert_uint_eq(failure_table_like(&table, &sure)->failure.reruns, 20);
    for (int i = 1; i < DISTINCT_FAILURES_MAX; i++) {
        const failure f = failing(9, (signature){SIGNATURE_EXIT, 1 + i}, "");
        ck_assert(add(&f));
    }
    const failure more = failing(1, (signature){SIGNATURE_EXIT, 100}, "");
    ck_assert(!add(&more));
    failure_table_clear(&table);
}

/* Others are dropped; their reruns stay evidence. */
TEST(bests_and_answers_stay_however_many_failures_there_are) {
    const run_claim claims[] = {{.bound = 0.5}, {.bound = 0.1}, {.bound = 0.2}};
    const failure best = failing(9999, exit_2, ""), answer = failing(9998, exit_1, "");
    ck_assert(add(&best));
    for (int i = 0; i < 3; i++) { /* of one input the better claim */
        failure_row *e = failure_table_note(&table, &answer, FAILURE_ANSWERED);
        ck_assert_uint_eq(failure_table_put_answer(&table, e, &claims[i])->answer, 1);
    }
    for (uint64_t i = 0; i < 2 * FAILURE_ROWS_MAX; i++) {
        const failure f = failing(i, exit_1, "");
        failure_table_note(&table, &f, i % 2 == 0 ? FAILURE_SURE : FAILURE_ONCE);
    }
    ck_assert_uint_eq(table.count, FAILURE_ROWS_MAX);
    ck_assert_uint_eq(best_size(&best), 9999);
    ck_assert_double_eq(table.claims[failure_table_answer(&table, &answer)->answer - 1].bound, 0.1);
    ck_assert_uint_eq(failure_table_evidence(&table, &answer).reruns, 3 + 2 * FAILURE_ROWS_MAX);
    failure_table_clear(&table);
}

static bool is_even(void *context, seed_input t) {
    (*(unsigned *)context)++;
    return t.seed % 2 == 0;
}

TEST(bytes_that_nobody_needs_make_room) {
    seed_input kept[2000], t;
    unsigned count = 0, asked = 0;
    uint8_t bytes[] = {0, 0};
    while (seed_input_keep(bytes, sizeof bytes, &kept[count])) {
        ck_assert_uint_lt(++count, sizeof kept / sizeof *kept);
        bytes[0] = (uint8_t)count;
        bytes[1] = (uint8_t)(count >> 8);
    }
    ck_assert_uint_ge(count, 2 * FAILURE_ROWS_MAX); /* of two tables */
    seed_input_forget(is_even, &asked);
    ck_assert_uint_eq(asked, count);
    ck_assert(seed_input_keep(bytes, sizeof bytes, &t));
    for (unsigned i = 0; i < count; i++) {
        if (kept[i].seed % 2 != 0) continue;
        ck_assert_uint_eq(seed_input_bytes(&kept[i])[0], i & UINT8_MAX);
        ck_assert_uint_eq(seed_input_bytes(&kept[i])[1], i >> 8);
    }
}
