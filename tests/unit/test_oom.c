/* oom.h: the kernel's count of what it killed, as files tell it. */
#include "fixture.h"
#include "oom.h"

#include "clock.h"

TEST(a_count_that_rises_is_noticed_once) {
    oom_watch w;
    const char *path = test_dir_text("vmstat", "nr_free_pages 77\noom_kill 3\nzone 1\n", 0600);
    oom_watch_init(&w, path);
    ck_assert_uint_eq(w.kills, 3);
    ck_assert(!oom_watch_look(&w));
    test_dir_text("vmstat", "nr_free_pages 7\noom_kill 5\nzone 1\n", 0600);
    ck_assert(oom_watch_look(&w));
    ck_assert_uint_eq(w.kills, 5);
    ck_assert(!oom_watch_look(&w));
    test_dir_text("vmstat", "oom_kill 18446744073709551615\n", 0600);
    ck_assert(oom_watch_look(&w));
}

TEST(what_was_killed_before_does_not_count) {
    oom_watch w;
    oom_watch_init(&w, test_dir_text("vmstat", "oom_kill 3\n", 0600));
    test_dir_text("vmstat", "oom_kill 4\n", 0600);
    w.looked_ns -= OOM_LOOK_MS * CLOCK_NS_PER_MS;
    oom_watch_begin(&w);
    ck_assert(!oom_watch_look(&w));
    test_dir_text("vmstat", "oom_kill 5\n", 0600);
    w.looked_ns += CLOCK_NS_PER_S * 3600; /* just now */
    oom_watch_begin(&w);
    ck_assert(oom_watch_look(&w));
}

TEST(what_is_not_told_has_not_happened) {
    static const char *const texts[] = {"", "oom_kill", "oom_kill x\n", "oom_kills 3\n",
                                        "drop_oom_kill 3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        oom_watch w;
        oom_watch_init(&w, test_dir_text("vmstat", "oom_kill 0\n", 0600));
        w.path = test_dir_text("other", texts[i], 0600);
        ck_assert_msg(!oom_watch_look(&w), "'%s'", texts[i]);
    }
    oom_watch w;
    oom_watch_init(&w, test_dir_path("missing"));
    ck_assert_uint_eq(w.kills, 0);
    ck_assert(!oom_watch_look(&w));
}
