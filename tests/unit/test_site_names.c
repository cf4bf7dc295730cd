/* site_names.h: names of addresses, of which the oldest are forgotten. */
#include "fixture.h"
#include "site_names.h"

TEST(a_name_is_found_by_its_address) {
    static site_names names;
    ck_assert_ptr_null(site_names_find(&names, "asan:x at a+0x1"));
    site_names_add(&names, "asan:x at a+0x1", "asan:x at a.c:1");
    site_names_add(&names, "asan:x at a+0x12", "");
    ck_assert_str_eq(site_names_find(&names, "asan:x at a+0x1"), "asan:x at a.c:1");
    ck_assert_str_eq(site_names_find(&names, "asan:x at a+0x12"), "");
    ck_assert_ptr_null(site_names_find(&names, "asan:x at a+0x"));
}

TEST(the_oldest_name_is_forgotten) {
    static site_names names;
    char address[SITE_MAX];
    for (int i = 0; i <= SITE_NAMES_MAX; i++) {
        snprintf(address, sizeof address, "a+%d", i);
        site_names_add(&names, address, address);
    }
    ck_assert_ptr_null(site_names_find(&names, "a+0"));
    ck_assert_str_eq(site_names_find(&names, "a+1"), "a+1");
    ck_assert_str_eq(site_names_find(&names, address), address);
}
