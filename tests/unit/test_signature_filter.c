/* signature_filter.h: patterns of --only and --ignore, and what they match. */
#include "fixture.h"
#include "signature_filter.h"

static const signature aborted = {SIGNATURE_SIGNAL, 6}, exited = {SIGNATURE_EXIT, 1},
                       hung = {SIGNATURE_TIMEOUT, 0};

static signature_pattern parsed(const char *text) {
    signature_pattern p;
    ck_assert_msg(signature_pattern_parse(text, &p), "%s", text);
    return p;
}

static signature_match match(const char *text, signature id, const char *site, bool is_known) {
    const signature_pattern p = parsed(text);
    return signature_pattern_match(&p, id, site, is_known);
}

TEST(what_no_failure_can_match_is_no_pattern) {
    static const char *const wrong[] = {"",
                                        "exit:0",
                                        "exit:256",
                                        "exit",
                                        "signal:NONE",
                                        "foo:bar",
                                        "a:7",
                                        "a.c:x",
                                        "a.c",
                                        "asan:",
                                        "timeouts",
                                        "exit:1 at ",
                                        "*x",
                                        "exit:*1",
                                        "x*",
                                        "time out",
                                        "exit:1*2",
                                        "signal:SIGABRT a.c",
                                        "exit:1at a",
                                        "signal:* at a.c:*"};
    signature_pattern p;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_msg(!signature_pattern_parse(wrong[i], &p), "%s", wrong[i]);
}

TEST(a_signature_alone_matches_any_site) {
    ck_assert_int_eq(match("exit:1", exited, "", false), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("exit:1", exited, "asan:SEGV at a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("exit:2", exited, "", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("signal:6", aborted, "a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("timeout", hung, "", true), SIGNATURE_MATCHES);
}

TEST(a_place_alone_matches_any_signature) {
    ck_assert_int_eq(match("a.c:7", aborted, "../src/a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("a.c:*", exited, "asan:SEGV at a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("a.c:7", aborted, "a.c:71", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("a.c:7", aborted, "", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("a.c:7", aborted, "", false), SIGNATURE_MATCH_UNKNOWN);
}

TEST(a_line_matches_all_of_its_steps) {
    static const char *const all[] = {"a.c:7", "a.c:7 *", "signal:SIGABRT at a.c:7",
                                      "signal:SIGABRT at a.c:7 *"};
    static const char *const sites[] = {"a.c:7", "a.c:7 in pop", "../src/a.c:7 in pop"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t k = 0; k < sizeof sites / sizeof sites[0]; k++)
            ck_assert_msg(match(all[i], aborted, sites[k], true) == SIGNATURE_MATCHES, "%s: %s",
                          all[i], sites[k]);
        ck_assert_int_eq(match(all[i], aborted, "a.c:71 in pop", true), SIGNATURE_DIFFERS);
    }
    ck_assert_int_eq(match("a.c:7 in pop", aborted, "src/a.c:7 in pop", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("a.c:7 in pop", aborted, "a.c:7 in push", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("a.c:7 in pop", aborted, "a.c:7", true), SIGNATURE_DIFFERS);
}

TEST(a_place_is_matched_with_or_without_its_folders) {
    ck_assert_int_eq(match("signal:ABRT at a.c:7", aborted, "a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:SIGABRT at a.c:*", aborted, "../src/a.c:7", true),
                     SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:SIGABRT at ../src/*", aborted, "../src/a.c:7", true),
                     SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:SIGABRT at a.c:7", aborted, "a.c:71", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("signal:SIGABRT at a.c:7", exited, "a.c:7", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("exit:1 at *", exited, "", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("exit:1 at a.c:7", exited, "asan:SEGV at a.c:7", true),
                     SIGNATURE_MATCHES);
}

TEST(a_kind_is_matched_however_the_process_ended) {
    ck_assert_int_eq(match("asan:SEGV", exited, "asan:SEGV at a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("asan:*", aborted, "asan:SEGV at a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("asan:SEGV at a.c:7", exited, "asan:SEGV at a.c:7", true),
                     SIGNATURE_MATCHES);
    ck_assert_int_eq(match("asan:SEGV at a.c:*", exited, "asan:FPE at a.c:7", true),
                     SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("asan:SEGV", exited, "", true), SIGNATURE_DIFFERS);
}

TEST(a_star_stands_for_any_rest) {
    ck_assert_int_eq(match("*", hung, "", false), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:*", aborted, "a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:SIGA*", aborted, "", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(match("signal:SIGS*", aborted, "", true), SIGNATURE_DIFFERS);
}

TEST(a_site_that_no_run_has_shown_leaves_it_open) {
    ck_assert_int_eq(match("exit:1 at a.c:7", exited, "", false), SIGNATURE_MATCH_UNKNOWN);
    ck_assert_int_eq(match("asan:*", exited, "", false), SIGNATURE_MATCH_UNKNOWN);
    ck_assert_int_eq(match("exit:2 at a.c:7", exited, "", false), SIGNATURE_DIFFERS);
    ck_assert_int_eq(match("signal:*", exited, "", false), SIGNATURE_DIFFERS);
}

TEST(a_filter_wants_one_of_only_and_none_of_the_ignored) {
    signature_filter f = {0};
    ck_assert(signature_filter_is_empty(&f));
    ck_assert_int_eq(signature_filter_match(&f, exited, "", false), SIGNATURE_MATCHES);
    f.ignored.list[f.ignored.count++] = parsed("exit:1 at a.c:*");
    ck_assert(!signature_filter_is_empty(&f));
    ck_assert_int_eq(signature_filter_match(&f, exited, "a.c:7", true), SIGNATURE_DIFFERS);
    ck_assert_int_eq(signature_filter_match(&f, exited, "b.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, exited, "", false), SIGNATURE_MATCH_UNKNOWN);
    f.only.list[f.only.count++] = parsed("signal:*");
    f.only.list[f.only.count++] = parsed("exit:1");
    ck_assert_int_eq(signature_filter_match(&f, aborted, "a.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, exited, "b.c:7", true), SIGNATURE_MATCHES);
    ck_assert_int_eq(signature_filter_match(&f, hung, "", true), SIGNATURE_DIFFERS);
}
