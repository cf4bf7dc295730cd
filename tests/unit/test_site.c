/* site.h: the text of sites, and which of them may be of one bug. */
#include "failure.h"
#include "fixture.h"

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
    const signature aborted = {SIGNATURE_SIGNAL, 6}, exited = {SIGNATURE_EXIT, 1};
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
