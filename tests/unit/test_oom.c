/* oom.h: the kernel's count of what it killed, as files tell it. */
#include "oom.h"

#include "clock.h"
#include "sandbox.h"

START_TEST(a_count_that_rises_is_noticed_once) {
    oom_watch w;
    const char *path = sandbox_text("vmstat", "nr_free_pages 77\noom_kill 3\nzone 1\n", 0600);
    oom_watch_init(&w, path);
    ck_assert_uint_eq(w.kills, 3);
    ck_assert(!oom_watch_look(&w));
    sandbox_text("vmstat", "nr_free_pages 7\noom_kill 5\nzone 1\n", 0600);
    ck_assert(oom_watch_look(&w));
    ck_assert_uint_eq(w.kills, 5);
    ck_assert(!oom_watch_look(&w));
    sandbox_text("vmstat", "oom_kill 18446744073709551615\n", 0600);
    ck_assert(oom_watch_look(&w));
}
END_TEST

START_TEST(what_was_killed_before_does_not_count) {
    oom_watch w;
    oom_watch_init(&w, sandbox_text("vmstat", "oom_kill 3\n", 0600));
    sandbox_text("vmstat", "oom_kill 4\n", 0600);
    w.looked_ns -= OOM_LOOK_MS * CLOCK_NS_PER_MS;
    oom_watch_begin(&w);
    ck_assert(!oom_watch_look(&w));
    sandbox_text("vmstat", "oom_kill 5\n", 0600);
    w.looked_ns += CLOCK_NS_PER_S * 3600; /* just now */
    oom_watch_begin(&w);
    ck_assert(oom_watch_look(&w));
}
END_TEST

START_TEST(what_is_not_told_has_not_happened) {
    static const char *const texts[] = {"", "oom_kill", "oom_kill x\n", "oom_kills 3\n",
                                        "drop_oom_kill 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oom_watch w;
        oom_watch_init(&w, sandbox_text("vmstat", "oom_kill 0\n", 0600));
        w.path = sandbox_text("other", texts[i], 0600);
        ck_assert_msg(!oom_watch_look(&w), "'%s'", texts[i]);
    }
    oom_watch w;
    oom_watch_init(&w, sandbox_path("missing"));
    ck_assert_uint_eq(w.kills, 0);
    ck_assert(!oom_watch_look(&w));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("oom");
    TCase *tests = tcase_create("oom");
    tcase_add_unchecked_fixture(tests, sandbox_make, sandbox_remove);
    tcase_add_test(tests, a_count_that_rises_is_noticed_once);
    tcase_add_test(tests, what_was_killed_before_does_not_count);
    tcase_add_test(tests, what_is_not_told_has_not_happened);
    suite_add_tcase(suite, tests);
    return sandbox_run(suite);
}
