/* store.h: a folder that several write and none tears. */
#include "fixture.h"
#include "saving.h"
#include "store.h"

#include "atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static finding of_input(seed_input t) {
    return (finding){
        .sut = "./s", .input = t, .signature = {SIGNATURE_EXIT, 1}, .when = "2024-01-31T23:59:59Z"};
}

static unsigned skipped_count;
static char skipped_names[4096];

static void note_skipped(void *context, const char *name, const char *why) {
    ck_assert(context == NULL && why != NULL && why[0] != '\0');
    ck_assert_uint_lt(strlen(skipped_names) + strlen(name) + 2, sizeof skipped_names);
    strcat(strcat(skipped_names, name), " ");
    skipped_count++;
}

/* Read the findings of a folder, the smallest first. The caller frees each, and the list. */
static finding *load(store *s, size_t *count) {
    store_names names;
    const char *why;
    *count = 0;
    ck_assert_int_eq(store_list(s, &names), 0);
    finding *list = calloc(names.count + 1, sizeof *list);
    for (size_t i = 0; i < names.count; i++) {
        if (store_read(s, names.list[i], &list[*count], &why)) {
            ++*count;
        } else if (why != NULL) {
            note_skipped(NULL, names.list[i], why);
        }
    }
    store_names_free(&names);
    return list;
}

static store *open_folder(const char *name) {
    static char folder[PATH_MAX]; /* the store borrows it */
    snprintf(folder, sizeof folder, "%s", test_dir_path(name));
    store *s = store_open(folder);
    ck_assert_msg(s != NULL, "%s: %s", folder, strerror(errno));
    return s;
}

static void save_input(store *s, seed_input t) {
    const finding f = of_input(t);
    const int error = save_finding(s, &f);
    ck_assert_msg(error == 0, "%s", strerror(error));
}

static void save(store *s, uint64_t size, uint64_t seed) {
    save_input(s, (seed_input){.size = size, .seed = seed});
}

/* Save a finding as another process does. */
static void save_elsewhere(const char *folder) {
    store *s = open_folder(folder);
    save(s, 1, 1);
    store_close(s);
}

static void free_all(finding *list, size_t count) {
    for (size_t i = 0; i < count; i++) finding_free(&list[i]);
    free(list);
}

static size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *folder = opendir(path);
    ck_assert_ptr_nonnull(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count - 2;
}

/* ---- One writer ---- */

TEST(a_finding_is_named_by_its_size_and_seed) {
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
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const finding f = {.input = cases[i].input};
        store_name(&f, name);
        ck_assert_str_eq(name, cases[i].name);
        if (i > 0) {
            ck_assert_msg(strcmp(other, name) < 0, "the smallest is the first");
            ck_assert(seed_input_less(cases[i - 1].input, cases[i].input));
        }
        strcpy(other, name);
    }
    finding f = {.input = {3, 99, SEED_PLAIN}, .bytes = (const uint8_t *)"abc"};
    store_name(&f, name);
    ck_assert_int_eq(strncmp(name, "0000000003-", 11), 0);
    f.input = (seed_input){3, 7, SEED_STYLED}; /* no seed of theirs */
    store_name(&f, other);
    ck_assert_str_eq(name, other);
    f.bytes = (const uint8_t *)"abd";
    store_name(&f, other);
    ck_assert_str_ne(name, other);
}

TEST(what_is_saved_is_loaded_the_best_first) {
    static const seed_input saved[] = {{1000, 5, SEED_PLAIN},       {41, 9, SEED_PLAIN},
                                       {41, 3, SEED_STYLED},        {41, 3, SEED_PLAIN},
                                       {8, UINT64_MAX, SEED_PLAIN}, {0, 0, SEED_STYLED}};
    static const seed_input sorted[] = {{0, 0, SEED_STYLED}, {8, UINT64_MAX, SEED_PLAIN},
                                        {41, 3, SEED_PLAIN}, {41, 3, SEED_STYLED},
                                        {41, 9, SEED_PLAIN}, {1000, 5, SEED_PLAIN}};
    size_t count;
    store *s = open_folder("saved");
    finding *list = load(s, &count);
    ck_assert_ptr_nonnull(list);
    ck_assert_uint_eq(count, 0);
    free(list);
    for (size_t i = 0; i < 6; i++) save_input(s, saved[i]);
    save(s, 41, 9); /* again: the same file */
    store_close(s);
    s = open_folder("saved"); /* a folder that is there */
    for (int round = 0; round < 2; round++) {
        list = load(s, &count);
        ck_assert_uint_eq(count, 6);
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_eq(list[i].input.size, sorted[i].size);
            ck_assert_uint_eq(list[i].input.seed, sorted[i].seed);
            ck_assert_int_eq(list[i].input.style, sorted[i].style);
            ck_assert_str_eq(list[i].sut, "./s");
        }
        free_all(list, count);
    }
    ck_assert_uint_eq(skipped_count, 0);
    ck_assert_msg(count_entries(test_dir_path("saved")) == 6, "temporary files are left");
    store_close(s);
    store_close(NULL);
}

TEST(folders_that_cannot_be) {
    static const struct {
        const char *name;
        int error;
    } cases[] = {{"a-file", ENOTDIR},     {"loop", ELOOP},      {"a-file/x", ENOTDIR},
                 {"a-file/x/y", ENOTDIR}, {"dangling", ENOENT}, {"dangling/x", ENOENT},
                 {"loop/x/y", ELOOP}};
    test_dir_text("a-file", "x", 0600);
    ck_assert_int_eq(symlink("no/such", test_dir_path("dangling")), 0);
    ck_assert_int_eq(symlink("loop", test_dir_path("loop")), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        errno = 0;
        ck_assert_ptr_null(store_open(test_dir_path(cases[i].name)));
        ck_assert_msg(errno == cases[i].error, "%s: %s", cases[i].name, strerror(errno));
    }
    errno = 0;
    ck_assert_ptr_null(store_open(""));
    ck_assert_int_eq(errno, ENOENT);
}

TEST(a_folder_is_made_with_those_above_it) {
    static const char *const names[] = {"a/b", "a/b/c", "d//e/", "f/../g/./h", "i", "i"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        store *s = open_folder(names[i]);
        save(s, 1, 1);
        store_close(s);
        ck_assert_uint_ge(count_entries(test_dir_path(names[i])), 1);
    }
    ck_assert_int_eq(chdir(test_dir), 0);
    store *s = store_open("relative/too");
    ck_assert_ptr_nonnull(s);
    store_close(s);
}

/* ---- Names ---- */

TEST(findings_are_listed_by_name_and_none_is_opened) {
    store_names names;
    store *s = open_folder("listed");
    ck_assert_int_eq(store_list(s, &names), 0);
    ck_assert_uint_eq(names.count, 0);
    store_names_free(&names);
    for (uint64_t i = 0; i < 300; i++) save(s, (i * 7) % 300, i);
    ck_assert_int_eq(mkfifo(test_dir_path("listed/0000000300-0000000000000004.json"), 0600), 0);
    test_dir_text("listed/README", "", 0600);
    ck_assert_int_eq(store_list(s, &names), 0);
    ck_assert_uint_eq(names.count, 301);
    for (size_t i = 0; i < names.count; i++) {
        ck_assert_uint_eq(store_name_size(names.list[i]), i);
        ck_assert(store_names_has(&names, names.list[i]));
    }
    store_names_free(&names);
    ck_assert(!store_names_has(&names, "9"));
    store_close(s);
}

TEST(names_are_a_sorted_set) {
    store_names names = {.list = NULL};
    char name[STORE_NAME_MAX];
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof name, "%010u-%016x.json", i * 7 % 100, i / 100 % 2);
        ck_assert(store_names_add(&names, name));
        ck_assert(store_names_has(&names, name));
    }
    ck_assert_uint_eq(names.count, 200);
    ck_assert(!store_names_has(&names, "0000000007-0000000000000002.json"));
    for (size_t i = 1; i < names.count; i++)
        ck_assert_int_lt(strcmp(names.list[i - 1], names.list[i]), 0);
    store_names_free(&names);
}

TEST(a_file_that_is_gone_is_distinguished_from_one_that_is_no_finding) {
    static const char name[] = "0000000001-0000000000000001.json";
    const char *why = "";
    finding f;
    store *s = open_folder("gone");
    ck_assert(!store_read(s, name, &f, &why));
    ck_assert_ptr_null(why);
    ck_assert_int_eq(symlink("nowhere", test_dir_path("gone/0000000001-0000000000000001.json")), 0);
    ck_assert(!store_read(s, name, &f, &why));
    ck_assert_str_eq(why, strerror(ENOENT));
    ck_assert_int_eq(store_remove(s, name), 0);
    ck_assert_int_eq(store_remove(s, name), 0);
    save(s, 1, 1);
    ck_assert(store_read(s, name, &f, &why));
    ck_assert_uint_eq(f.input.seed, 1);
    finding_free(&f);
    store_close(s);
}

/* ---- Files of writers that may have died ---- */

#define STALE ".0000000007-00000000000000ff.json.0123456789abcdef"

static bool exists(const char *name) {
    struct stat status;
    return lstat(test_dir_path(name), &status) == 0;
}

/* Set the time of a file to some seconds ago. */
static void set_age(const char *name, time_t age_s) {
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age_s;
    times[1] = times[0];
    ck_assert_int_eq(utimensat(AT_FDCWD, test_dir_path(name), times, AT_SYMLINK_NOFOLLOW), 0);
}

enum { LONG_AGO_S = 2 * ATOMIC_FILE_ORPHAN_S };

static void make_orphan(const char *name) {
    test_dir_text(name, "{\"form", 0644);
    set_age(name, LONG_AGO_S);
}

/* ---- Foreign and hostile folders ---- */

TEST(foreign_names_are_passed_over) {
    static const char *const foreign[] = {"README.md",
                                          "0000000001-0000000000000001.json~",
                                          "0000000001-0000000000000001.jso",
                                          "0000000001-0000000000000001.JSON",
                                          "0000000001-000000000000001.json",
                                          "000000001-0000000000000001.json",
                                          "00000000001-0000000000000001.json",
                                          "000000000a-0000000000000001.json",
                                          "0000000001-000000000000000A.json",
                                          "0000000001-000000000000000g.json",
                                          "0000000001_0000000000000001.json",
                                          "0000000001-0000000000000001S.json",
                                          "0000000001-0000000000000001ss.json",
                                          "0000000001-000000000000001s.json",
                                          "0000000001s-0000000000000001.json",
                                          "0000000001-0000000000000001",
                                          "0000000001",
                                          "0000000001-",
                                          "-",
                                          ".0000000001-0000000000000001.json",
                                          ".0000000001-0000000000000001.json.0123456789abcdef",
                                          "0000000001-0000000000000001.json\n",
                                          "\xff\xfe",
                                          " 000000001-0000000000000001.json",
                                          "+000000001-0000000000000001.json"};
    char name[128];
    size_t count;
    store *s = open_folder("foreign");
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        snprintf(name, sizeof name, "foreign/%s", foreign[i]);
        test_dir_text(name, "hostile", 0600);
    }
    ck_assert_int_eq(mkdir(test_dir_path("foreign/folder"), 0700), 0);
    save(s, 2, 2);
    finding *list = load(s, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_msg(skipped_count == 0, "'%s' was looked at", skipped_names);
    free_all(list, count);
    store_close(s);
}

TEST(names_of_findings_that_are_none_are_told) {
    size_t count;
    store *s = open_folder("hostile");
    save(s, 7, 7);
    test_dir_text("hostile/0000000001-0000000000000001.json", "", 0600);
    test_dir_text("hostile/0000000001-0000000000000002.json", "{\"format\": 1", 0600);
    ck_assert_int_eq(mkdir(test_dir_path("hostile/0000000001-0000000000000003.json"), 0700), 0);
    ck_assert_int_eq(mkfifo(test_dir_path("hostile/0000000001-0000000000000004.json"), 0600), 0);
    ck_assert_int_eq(
        symlink("/dev/zero", test_dir_path("hostile/0000000001-0000000000000005.json")), 0);
    ck_assert_int_eq(symlink("nowhere", test_dir_path("hostile/0000000001-0000000000000006.json")),
                     0);
    test_dir_text("hostile/0000000001-0000000000000007.json", "{\"format\": 99}", 0600);
    test_dir_text("hostile/0000000001-0000000000000008.json", "", 0600);
    ck_assert_int_eq(
        truncate(test_dir_path("hostile/0000000001-0000000000000008.json"), INT64_C(1) << 40), 0);
    finding *list = load(s, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(list[0].input.size, 7);
    ck_assert_msg(skipped_count == 8, "skipped: %s", skipped_names);
    free_all(list, count);
    store_close(s);
}

/* ---- When saving fails ---- */

TEST(what_stands_in_the_way_is_an_error) {
    store *s = open_folder("way");
    const finding f = of_input((seed_input){.size = 1, .seed = 1});
    ck_assert_int_eq(mkdir(test_dir_path("way/0000000001-0000000000000001.json"), 0700), 0);
    ck_assert_int_eq(save_finding(s, &f), EISDIR);
    ck_assert_msg(count_entries(test_dir_path("way")) == 1, "a temporary file is left");
    store_close(s);
}

/* A finding goes beside a link, and never through it. */
TEST(a_link_in_the_way_is_replaced) {
    char text[16] = "";
    struct stat status;
    store *s = open_folder("link");
    test_dir_text("precious", "precious", 0600);
    ck_assert_int_eq(symlink("../precious", test_dir_path("link/0000000001-0000000000000001.json")),
                     0);
    save(s, 1, 1);
    ck_assert_int_eq(lstat(test_dir_path("link/0000000001-0000000000000001.json"), &status), 0);
    ck_assert(S_ISREG(status.st_mode));
    const int fd = open(test_dir_path("precious"), O_RDONLY | O_CLOEXEC);
    ck_assert_int_eq(read(fd, text, sizeof text - 1), 8);
    close(fd);
    ck_assert_str_eq(text, "precious");
    store_close(s);
}

TEST(a_folder_that_was_removed) {
    size_t count = 99;
    store *s = open_folder("removed");
    const finding f = of_input((seed_input){.size = 1, .seed = 1});
    ck_assert_int_eq(rmdir(test_dir_path("removed")), 0);
    ck_assert_int_eq(save_finding(s, &f), ENOENT);
    finding *list = load(s, &count);
    ck_assert_ptr_nonnull(list);
    ck_assert_uint_eq(count, 0);
    free(list);
    store_close(s);
}

/* Remove a folder with one finding at most, and make another at its path. */
static void replace_folder(const char *name) {
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s/0000000001-0000000000000001.json", test_dir_path(name));
    unlink(file);
    ck_assert_int_eq(rmdir(test_dir_path(name)), 0);
    ck_assert_int_eq(mkdir(test_dir_path(name), 0700), 0);
}

TEST(a_folder_that_comes_back_is_opened_again) {
    static const char name[] = "0000000001-0000000000000001.json";
    const char *why;
    store_names names;
    finding f;
    store *s = open_folder("back");
    save(s, 1, 1);
    replace_folder("back");
    save(s, 1, 1);
    ck_assert_uint_eq(count_entries(test_dir_path("back")), 1);
    replace_folder("back");
    save_elsewhere("back");
    ck_assert_int_eq(store_list(s, &names), 0);
    ck_assert_uint_eq(names.count, 1);
    store_names_free(&names);
    replace_folder("back");
    save_elsewhere("back");
    ck_assert(store_read(s, name, &f, &why));
    finding_free(&f);
    replace_folder("back");
    save_elsewhere("back");
    ck_assert_int_eq(store_remove(s, name), 0);
    ck_assert_uint_eq(count_entries(test_dir_path("back")), 0);
    store_close(s);
}

TEST(a_look_at_a_folder_shows_what_has_changed) {
    store_stamp first, then;
    store *s = open_folder("looked");
    ck_assert_int_eq(store_look(s, &first), 0);
    ck_assert_int_eq(store_look(s, &then), 0);
    ck_assert(store_stamp_equal(&first, &then));
    set_age("looked", 5);
    ck_assert_int_eq(store_look(s, &then), 0);
    ck_assert(!store_stamp_equal(&first, &then) && store_stamp_is_same_folder(&first, &then));
    ck_assert_int_eq(rename(test_dir_path("looked"), test_dir_path("away")), 0);
    ck_assert_int_eq(store_look(s, &then), ENOENT);
    save(s, 1, 1); /* into the folder that is open */
    ck_assert_uint_eq(count_entries(test_dir_path("away")), 1);
    test_dir_text("looked", "", 0600);
    ck_assert_int_eq(store_look(s, &then), ENOTDIR);
    ck_assert_int_eq(unlink(test_dir_path("looked")), 0);
    ck_assert_int_eq(mkdir(test_dir_path("looked"), 0700), 0);
    ck_assert_int_eq(store_look(s, &then), 0);
    ck_assert(!store_stamp_is_same_folder(&first, &then));
    save(s, 1, 1); /* into the one at the path */
    ck_assert_uint_eq(count_entries(test_dir_path("looked")), 1);
    store_close(s);
}

/* ---- What killed writers leave ---- */

TEST(what_a_killed_writer_left_goes_at_the_next_start) {
    store_close(open_folder("tidied"));
    make_orphan("tidied/" STALE);
    store_close(open_folder("tidied"));
    ck_assert_uint_eq(count_entries(test_dir_path("tidied")), 0);
}

/* Its writer may live on a machine whose locks are not seen here. */
TEST(a_temporary_file_that_is_not_an_hour_old_stays) {
    static const struct {
        time_t age_s;
        bool stays;
    } cases[] = {{0, true},           {30 * 60, true},
                 {60 * 60 - 5, true}, {ATOMIC_FILE_ORPHAN_S + 1, false},
                 {-LONG_AGO_S, true}, {365 * 24 * 60 * 60, false}};
    store_close(open_folder("aged"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        test_dir_text("aged/" STALE, "{\"form", 0644);
        set_age("aged/" STALE, cases[i].age_s);
        store_close(open_folder("aged"));
        ck_assert_msg(exists("aged/" STALE) == cases[i].stays, "age %ld s", (long)cases[i].age_s);
        ck_assert_msg(count_entries(test_dir_path("aged")) == cases[i].stays, "a file is left");
    }
}

TEST(what_may_be_anybody_elses_stays) {
    static const char *const foreign[] = {
        ".0000000007-00000000000000ff.json.0123456789abcde",   /* a digit too few */
        ".0000000007-00000000000000ff.json.0123456789abcdeff", /* too many */
        ".0000000007-00000000000000ff.json.0123456789abcdeg",  /* none */
        ".0000000007-00000000000000ff.txt.0123456789abcdef",
        ".7-ff.json.0123456789abcdef",
        "x0000000007-00000000000000ff.json.0123456789abcdef",
        "0000000007-00000000000000ff.json.0123456789abcdef",
        ".0123456789abcdef",
        "..0123456789abcdef",
    };
    char path[128];
    store_close(open_folder("others"));
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        snprintf(path, sizeof path, "others/%s", foreign[i]);
        make_orphan(path);
    }
    ck_assert_int_eq(mkdir(test_dir_path("others/" STALE), 0755), 0);
    set_age("others/" STALE, LONG_AGO_S);
    store_close(open_folder("others"));
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        snprintf(path, sizeof path, "others/%s", foreign[i]);
        ck_assert_msg(exists(path), "%s was removed", foreign[i]);
    }
    ck_assert(exists("others/" STALE));
}

/* Under the name of a temporary file: a pipe, a link, and a file that has another name as well. */
TEST(what_no_writer_makes_stays) {
    static const char stale[] = "strange/" STALE;
    test_dir_text("victim", "precious", 0644);
    store_close(open_folder("strange"));
    ck_assert_int_eq(mkfifo(test_dir_path(stale), 0644), 0);
    set_age(stale, LONG_AGO_S);
    store_close(open_folder("strange"));
    ck_assert(exists(stale));
    ck_assert_int_eq(unlink(test_dir_path(stale)), 0);
    ck_assert_int_eq(symlink("../victim", test_dir_path(stale)), 0);
    set_age(stale, LONG_AGO_S);
    store_close(open_folder("strange"));
    ck_assert(exists(stale) && exists("victim"));
    ck_assert_int_eq(unlink(test_dir_path(stale)), 0);
    ck_assert_int_eq(link(test_dir_path("victim"), test_dir_path(stale)), 0);
    set_age(stale, LONG_AGO_S);
    store_close(open_folder("strange"));
    ck_assert(exists(stale) && exists("victim"));
}

TEST(the_file_of_a_writer_that_lives_stays) {
    store_close(open_folder("living"));
    make_orphan("living/" STALE);
    const int fd = open(test_dir_path("living/" STALE), O_WRONLY | O_CLOEXEC);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    store_close(open_folder("living"));
    ck_assert(exists("living/" STALE));
    close(fd);
    store_close(open_folder("living"));
    ck_assert(!exists("living/" STALE));
}

/* ---- Files of any bytes ---- */

static void is_file(const char *name, const void *expected, size_t size) {
    char text[64];
    const int fd = open(test_dir_path(name), O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(read(fd, text, sizeof text), (ssize_t)size);
    ck_assert_mem_eq(text, expected, size);
    close(fd);
}

TEST(a_file_is_replaced_as_a_whole) {
    atomic_file f;
    ck_assert_int_eq(atomic_file_open(&f, test_dir_path("out")), 0);
    ck_assert_uint_eq(count_entries(test_dir), 0);
    ck_assert_int_eq(atomic_file_put(&f, "long\0text", 9), 0);
    is_file("out", "long\0text", 9);
    ck_assert_int_eq(atomic_file_put(&f, "", 0), 0);
    is_file("out", "", 0);
    ck_assert_uint_eq(count_entries(test_dir), 1);
    atomic_file_close(&f);
}

TEST(a_link_leads_to_the_file) {
    atomic_file f;
    test_dir_text("real", "old", 0600);
    ck_assert_int_eq(symlink("real", test_dir_path("link")), 0);
    ck_assert_int_eq(atomic_file_open(&f, test_dir_path("link")), 0);
    ck_assert_int_eq(atomic_file_put(&f, "new", 3), 0);
    is_file("real", "new", 3);
    struct stat status;
    ck_assert_int_eq(lstat(test_dir_path("link"), &status), 0);
    ck_assert(S_ISLNK(status.st_mode));
    atomic_file_close(&f);
}

TEST(a_device_stays_one) {
    atomic_file f;
    struct stat status;
    ck_assert_int_eq(atomic_file_open(&f, "/dev/null"), 0);
    ck_assert(f.is_stream);
    ck_assert_int_eq(atomic_file_put(&f, "x", 1), 0);
    atomic_file_close(&f);
    ck_assert_int_eq(stat("/dev/null", &status), 0);
    ck_assert(S_ISCHR(status.st_mode));
    ck_assert_int_eq(atomic_file_open(&f, "/dev/full"), 0);
    ck_assert_int_eq(atomic_file_put(&f, "x", 1), ENOSPC);
    atomic_file_close(&f);
}

TEST(places_where_no_file_can_be) {
    static const struct {
        const char *name;
        int error;
    } cases[] = {{"", EISDIR},
                 {"no/file", ENOENT},
                 {"file/file", ENOTDIR},
                 {"no/", EISDIR},
                 {"file/", ENOTDIR}};
    test_dir_text("file", "", 0600);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        atomic_file f;
        const int error = atomic_file_open(&f, test_dir_path(cases[i].name));
        ck_assert_msg(error == cases[i].error, "%s: %s", cases[i].name, strerror(error));
        atomic_file_close(&f);
    }
}

TEST(what_a_killed_writer_left_of_a_file_goes_when_it_is_opened) {
    static const char *const gone[] = {".out.0123456789abcdef"};
    static const char *const stays[] = {".outer.0123456789abcdef", ".ou.0123456789abcdef",
                                        ".out.other.0123456789abcdef"};
    atomic_file f;
    for (size_t i = 0; i < COUNT_OF(gone); i++) make_orphan(gone[i]);
    for (size_t i = 0; i < COUNT_OF(stays); i++) make_orphan(stays[i]);
    ck_assert_int_eq(atomic_file_open(&f, test_dir_path("out")), 0);
    atomic_file_close(&f);
    for (size_t i = 0; i < COUNT_OF(gone); i++) ck_assert(!exists(gone[i]));
    for (size_t i = 0; i < COUNT_OF(stays); i++) ck_assert(exists(stays[i]));
}

TEST(long_names_have_room_beside_them) {
    char name[NAME_MAX + 1];
    atomic_file f;
    memset(name, 'x', NAME_MAX);
    name[NAME_MAX] = '\0';
    ck_assert_int_eq(atomic_file_open(&f, test_dir_path(name)), 0);
    ck_assert_int_eq(atomic_file_put(&f, "new", 3), 0);
    is_file(name, "new", 3);
    atomic_file_close(&f);
}

TEST(a_new_file_takes_a_name_of_its_own) {
    static const char *const expected[] = {"new", "new-2", "new-3"};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        char *taken;
        const char c = (char)('a' + i);
        ck_assert_int_eq(atomic_file_write_new(test_dir_path("new"), &c, 1, &taken), 0);
        ck_assert_str_eq(taken, test_dir_path(expected[i]));
        is_file(expected[i], &c, 1);
        free(taken);
    }
    char *taken;
    ck_assert_int_eq(atomic_file_write_new(test_dir_path("no/new"), "", 0, &taken), ENOENT);
    free(taken);
}

SUITE(.timeout_s = 120);
