/* name_set.h: names of findings, whatever the order in which they come. */
#include "fixture.h"
#include "name_set.h"

static void name_of(int number, char name[STORE_NAME_MAX]) {
    snprintf(name, STORE_NAME_MAX, "%010d-%016x%s.json", number, 7 * number,
             number % 3 == 0 ? "s" : "");
}

TEST(a_set_has_what_was_added_and_nothing_else) {
    enum { COUNT = 500, STEP = 211 }; /* no common factor: each number comes once */
    name_set set = {.room = 0};
    char name[STORE_NAME_MAX];
    for (int i = 0; i < COUNT; i++) {
        name_of(i * STEP % COUNT * 2, name);
        ck_assert(!name_set_has(&set, name));
        ck_assert(name_set_add(&set, name) && name_set_has(&set, name));
    }
    ck_assert_uint_eq(set.names.count, COUNT);
    for (int i = 0; i < 2 * COUNT; i++) {
        name_of(i, name);
        ck_assert(name_set_has(&set, name) == (i % 2 == 0));
    }
    name_set_clear(&set);
}

TEST(a_name_is_there_once) {
    name_set set = {.room = 0};
    char name[STORE_NAME_MAX];
    name_of(41, name);
    for (int i = 0; i < 40; i++) ck_assert(name_set_add(&set, name));
    ck_assert_uint_eq(set.names.count, 1);
    name_set_clear(&set);
}

TEST(a_cleared_set_is_empty_and_can_be_used_again) {
    name_set set = {.room = 0};
    char name[STORE_NAME_MAX];
    name_of(41, name);
    ck_assert(!name_set_has(&set, name));
    name_set_add(&set, name);
    name_set_clear(&set);
    ck_assert(!name_set_has(&set, name));
    ck_assert(name_set_add(&set, name) && name_set_has(&set, name));
    name_set_clear(&set);
}
