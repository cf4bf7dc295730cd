/* store.h, atomic_file.h: a folder that several write and none tears, and whole files.
 *
 * What kills, losses of power and failing calls do to a folder is in tests/world. */
#include "fixture.h"
#include "saving.h"
#include "store.h"

#include "atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <time.h>

/* Make a folder in test_dir, where the test works from then on. Return its name. */
static const char *make_folder(const char *name) {
    ck_assert_int_eq(chdir(test_dir), 0);
    ck_assert_int_eq(store_make(name), 0);
    return name;
}

static int save(const char *folder, seed_input t) {
    const finding f = {.sut = "./s", .of = {.input = t, .signature = {SIGNATURE_EXIT, 1}}};
    return save_finding(folder, &f);
}

static size_t count_entries(const char *name) {
    size_t count = 0;
    DIR *folder = opendir(test_dir_path(name));
    ck_assert_ptr_nonnull(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count - 2;
}

static bool exists(const char *name) {
    struct stat status;
    return lstat(test_dir_path(name), &status) == 0;
}

static void make_link(const char *to, const char *name) {
    ck_assert_int_eq(symlink(to, test_dir_path(name)), 0);
}

/* ---- Names ---- */

TEST(a_name_is_a_size_and_a_seed_and_their_order_that_of_inputs) {
    static const struct {
        seed_input input;
        const char *name;
    } cases[] = {{{0, 0, SEED_PLAIN}, "0000000000-0000000000000000.json"},
                 {{0, 0, SEED_STYLED}, "0000000000-0000000000000000s.json"},
                 {{41, 0xdeadbeef, SEED_PLAIN}, "0000000041-00000000deadbeef.json"},
                 {{41, 0xdeadbeef, SEED_STYLED}, "0000000041-00000000deadbeefs.json"},
                 {{41, 0xdeadbef0, SEED_PLAIN}, "0000000041-00000000deadbef0.json"},
                 {{UINT64_C(8) << 30, UINT64_MAX, SEED_PLAIN}, "8589934592-ffffffffffffffff.json"}};
    char name[STORE_NAME_MAX], other[STORE_NAME_MAX];
    store_names names, set = {.list = NULL};
    const char *folder = make_folder("found");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const size_t at = i * 5 % COUNT_OF(cases); /* in no order */
        const finding f = {.of.input = cases[i].input};
        store_name(&f, name);
        ck_assert_str_eq(name, cases[i].name);
        ck_assert_uint_eq(store_name_size(name), cases[i].input.size);
        ck_assert_int_eq(save(folder, cases[at].input), 0);
        ck_assert(!store_names_has(&set, cases[at].name));
        for (int twice = 0; twice < 2; twice++) store_names_add(&set, cases[at].name);
    }
    ck_assert_int_eq(store_list(folder, &names), 0);
    ck_assert_uint_eq(names.count, COUNT_OF(cases));
    ck_assert_uint_eq(set.count, COUNT_OF(cases));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_str_eq(names.list[i], cases[i].name);
        ck_assert_str_eq(set.list[i], cases[i].name);
    }
    store_names_free(&names);
    store_names_free(&set);
    finding f = {.of.input = {3, 99, SEED_PLAIN}, .bytes = (const uint8_t *)"abc"};
    store_name(&f, name);
    ck_assert_int_eq(strncmp(name, "0000000003-", 11), 0);
    f.of.input = (seed_input){3, 7, SEED_STYLED}; /* no seed of theirs */
    store_name(&f, other);
    ck_assert_str_eq(name, other);
    f.bytes = (const uint8_t *)"abd";
    store_name(&f, other);
    ck_assert_str_ne(name, other);
}

TEST(other_names_are_passed_over) {
    static const char foreign[] =
        "README.md 0000000001-0000000000000001.json~ 0000000001-0000000000000001.jso "
        "0000000001-0000000000000001.JSON 0000000001-000000000000001.json - "
        "000000001-0000000000000001.json 00000000001-0000000000000001.json \xff\xfe "
        "000000000a-0000000000000001.json 0000000001-000000000000000A.json 0000000001 "
        "0000000001_0000000000000001.json 0000000001-0000000000000001S.json 0000000001- "
        "0000000001-0000000000000001ss.json 0000000001-000000000000001s.json "
        "0000000001-0000000000000001 .0000000001-0000000000000001.json "
        ".0000000001-0000000000000001.json.0123456789abcdef +000000001-0000000000000001.json";
    char names[sizeof foreign], *rest = names;
    memcpy(names, foreign, sizeof names);
    for (const char *name = strsep(&rest, " "); name != NULL; name = strsep(&rest, " "))
        ck_assert_msg(!store_is_name(name), "'%s'", name);
    ck_assert(!store_is_name("") && !store_is_name("0000000001-0000000000000001.json\n"));
}

/* ---- Folders ---- */

TEST(a_folder_is_made_with_those_above_it_or_not_at_all) {
    static const struct {
        const char *name;
        int error;
    } cases[] = {{"a/b", 0},
                 {"a/b/c", 0},
                 {"d//e/", 0},
                 {"f/../g/./h", 0},
                 {"i", 0},
                 {"i", 0},
                 {"a-file", ENOTDIR},
                 {"loop", ELOOP},
                 {"a-file/x", ENOTDIR},
                 {"dangling", ENOENT},
                 {"a-file/x/y", ENOTDIR},
                 {"dangling/x", ENOENT}};
    test_dir_text("a-file", "x", 0600);
    make_link("no/such", "dangling");
    make_link("loop", "loop");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const int error = store_make(test_dir_path(cases[i].name));
        ck_assert_msg(error == cases[i].error, "%s: %s", cases[i].name, strerror(error));
    }
    ck_assert_int_eq(chdir(test_dir), 0);
    ck_assert_int_eq(store_make("relative/too"), 0);
    ck_assert_int_eq(store_make(""), ENOENT);
}

/* Set the time of a file to some seconds ago. */
static void set_age(const char *name, time_t age_s) {
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age_s;
    times[1] = times[0];
    ck_assert_int_eq(utimensat(AT_FDCWD, test_dir_path(name), times, AT_SYMLINK_NOFOLLOW), 0);
}

TEST(a_look_at_a_folder_shows_what_has_changed) {
    static const char name[] = "0000000001-0000000000000001.json";
    const char *folder = make_folder("looked"), *why = "";
    file_stamp first, then;
    finding f;
    ck_assert_int_eq(store_look(folder, &first), 0);
    ck_assert_int_eq(store_look(folder, &then), 0);
    ck_assert(file_stamp_equal(&first, &then));
    set_age("looked", 5);
    ck_assert_int_eq(store_look(folder, &then), 0);
    ck_assert(!file_stamp_equal(&first, &then) && file_stamp_is_same_file(&first, &then));
    ck_assert_int_eq(rename("looked", "away"), 0);
    ck_assert_int_eq(store_look(folder, &then), ENOENT);
    ck_assert_int_eq(save(folder, (seed_input){1, 1, SEED_PLAIN}), ENOENT);
    test_dir_text("looked", "", 0600);
    ck_assert_int_eq(store_look(folder, &then), 0);
    ck_assert_int_eq(save(folder, (seed_input){1, 1, SEED_PLAIN}), ENOTDIR);
    ck_assert_int_eq(unlink("looked"), 0);
    ck_assert_int_eq(mkdir("looked", 0700), 0);
    ck_assert_int_eq(store_look(folder, &then), 0);
    ck_assert(!file_stamp_is_same_file(&first, &then));
    ck_assert_int_eq(save(folder, (seed_input){1, 1, SEED_PLAIN}), 0);
    ck_assert(store_read(folder, name, &f, &why));
    finding_free(&f);
    store_remove(folder, NULL, name);
    ck_assert(!store_read(folder, name, &f, &why));
    ck_assert_ptr_null(why); /* there is no such file */
}

/* ---- What is in the way ---- */

TEST(names_of_findings_that_are_none_are_told) {
    char name[STORE_NAME_MAX];
    const char *why = NULL;
    finding f;
    const char *folder = make_folder("found");
    test_dir_text("found/0000000001-0000000000000000.json", "{\"format\": 1", 0600);
    ck_assert_int_eq(mkdir(test_dir_path("found/0000000001-0000000000000001.json"), 0700), 0);
    ck_assert_int_eq(mkfifo(test_dir_path("found/0000000001-0000000000000002.json"), 0600), 0);
    make_link("/dev/zero", "found/0000000001-0000000000000003.json");
    make_link("nowhere", "found/0000000001-0000000000000004.json");
    test_dir_text("found/0000000001-0000000000000005.json", "", 0600);
    ck_assert_int_eq(
        truncate(test_dir_path("found/0000000001-0000000000000005.json"), INT64_C(1) << 40), 0);
    static const char *const reasons[] = {"it is cut short, or not a JSON object",
                                          "it is a folder",
                                          "it is not a regular file",
                                          "it is not a regular file",
                                          "No such file or directory",
                                          "it is too large"};
    for (unsigned i = 0; i < COUNT_OF(reasons); i++) {
        snprintf(name, sizeof name, "0000000001-%016u.json", i);
        ck_assert(!store_read(folder, name, &f, &why));
        ck_assert_str_eq(why, reasons[i]);
        ck_assert_int_eq(save(folder, (seed_input){.size = 1, .seed = i}), i == 1 ? EISDIR : 0);
        ck_assert(store_read(folder, name, &f, &why) ==
                  (i != 1)); /* a link is replaced, not followed */
        finding_free(&f);
    }
    ck_assert_uint_eq(count_entries("found"), COUNT_OF(reasons)); /* no temporary file */
}

/* ---- What killed writers leave ---- */

#define STALE ".0000000007-00000000000000ff.json.0123456789abcdef"

enum { LONG_AGO_S = 2 * ATOMIC_FILE_ORPHAN_S };

/* Open the folder, which tidies it, and see whether a file stays. */
static bool stays(const char *name, time_t age_s) {
    char path[128];
    snprintf(path, sizeof path, "tidied/%s", name);
    if (!exists(path)) test_dir_text(path, "{\"form", 0644);
    set_age(path, age_s);
    make_folder("tidied");
    return exists(path);
}

TEST(a_temporary_file_goes_when_it_is_more_than_an_hour_old) {
    static const struct {
        time_t age_s;
        bool stays;
    } cases[] = {
        {0, true}, {60 * 60 - 5, true}, {-LONG_AGO_S, true}, {ATOMIC_FILE_ORPHAN_S + 1, false}};
    make_folder("tidied");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_msg(stays(STALE, cases[i].age_s) == cases[i].stays, "%d s", (int)cases[i].age_s);
        ck_assert_uint_eq(count_entries("tidied"), cases[i].stays); /* nothing else is left */
    }
}

TEST(what_may_be_anybody_elses_stays) {
    static const char *const foreign[] = {".0000000007-00000000000000ff.json.0123456789abcde",
                                          ".0000000007-00000000000000ff.json.0123456789abcdeff",
                                          ".0000000007-00000000000000ff.json.0123456789abcdeg",
                                          ".0000000007-00000000000000ff.txt.0123456789abcdef",
                                          ".7-ff.json.0123456789abcdef",
                                          "x0000000007-00000000000000ff.json.0123456789abcdef",
                                          "0000000007-00000000000000ff.json.0123456789abcdef",
                                          ".0123456789abcdef",
                                          "..0123456789abcdef"};
    const char *stale = "tidied/" STALE;
    make_folder("tidied");
    test_dir_text("victim", "precious", 0644);
    for (size_t i = 0; i < COUNT_OF(foreign); i++)
        ck_assert_msg(stays(foreign[i], LONG_AGO_S), "%s was removed", foreign[i]);
    /* No writer makes a pipe, a link, a folder, or a file that has another name as well. */
    ck_assert_int_eq(mkfifo(test_dir_path(stale), 0644), 0);
    ck_assert(stays(STALE, LONG_AGO_S) && unlink(test_dir_path(stale)) == 0);
    make_link("../victim", stale);
    ck_assert(stays(STALE, LONG_AGO_S) && unlink(test_dir_path(stale)) == 0);
    ck_assert_int_eq(mkdir(test_dir_path(stale), 0755), 0);
    ck_assert(stays(STALE, LONG_AGO_S) && rmdir(test_dir_path(stale)) == 0);
    ck_assert_int_eq(link(test_dir_path("victim"), test_dir_path(stale)), 0);
    ck_assert(stays(STALE, LONG_AGO_S) && unlink(test_dir_path(stale)) == 0);
    ck_assert(!stays(STALE, LONG_AGO_S));
}

/* ---- Files of any bytes ---- */

static void is_file(const char *name, const void *expected, size_t size) {
    char text[64];
    const int fd = open(test_dir_path(name), O_RDONLY | O_CLOEXEC);
    ck_assert_int_eq(read(fd, text, sizeof text), (ssize_t)size);
    ck_assert_mem_eq(text, expected, size);
    close(fd);
}

/* Also through a link, also under the longest name; what a killed writer left of it goes. */
TEST(a_file_is_replaced_as_a_whole) {
    char longest[NAME_MAX + 1];
    memset(longest, 'x', NAME_MAX);
    longest[NAME_MAX] = '\0';
    const char *const names[] = {"out", longest, "link"};
    static const struct {
        const char *name;
        bool stays;
    } temporary[] = {{".out.0123456789abcdef", false},
                     {".outer.0123456789abcdef", true},
                     {".ou.0123456789abcdef", true},
                     {".out.other.0123456789abcdef", true}};
    make_link("out", "link");
    for (size_t i = 0; i < COUNT_OF(temporary); i++) {
        test_dir_text(temporary[i].name, "torn", 0644);
        set_age(temporary[i].name, LONG_AGO_S);
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        atomic_file f;
        ck_assert_int_eq(atomic_file_open(&f, test_dir_path(names[i])), 0);
        ck_assert_int_eq(atomic_file_put(&f, "long\0text", 9), 0);
        is_file(names[i], "long\0text", 9);
        ck_assert_int_eq(atomic_file_put(&f, "", 0), 0);
        is_file(names[i], "", 0);
        atomic_file_close(&f);
    }
    ck_assert_int_eq(readlink(test_dir_path("link"), longest, 9), 3);
    for (size_t i = 0; i < COUNT_OF(temporary); i++)
        ck_assert(exists(temporary[i].name) == temporary[i].stays);
    ck_assert_uint_eq(count_entries("."), COUNT_OF(names) + 3);
}

TEST(places_where_no_file_can_be_and_devices) {
    static const struct {
        const char *path;
        int error, error_of_put;
    } cases[] = {{"", EISDIR, 0},         {"no/file", ENOENT, 0}, {"file/file", ENOTDIR, 0},
                 {"no/", EISDIR, 0},      {"file/", ENOTDIR, 0},  {"/dev/null", 0, 0},
                 {"/dev/full", 0, ENOSPC}};
    test_dir_text("file", "", 0600);
    ck_assert_int_eq(chdir(test_dir), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        atomic_file f;
        const bool is_device = cases[i].path[0] == '/';
        const int error =
            atomic_file_open(&f, is_device ? cases[i].path : test_dir_path(cases[i].path));
        ck_assert_msg(error == cases[i].error, "%s: %s", cases[i].path, strerror(error));
        if (error == 0) ck_assert_int_eq(atomic_file_put(&f, "x", 1), cases[i].error_of_put);
        atomic_file_close(&f);
    }
}
