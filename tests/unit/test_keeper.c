/* keeper.h: what is written, what is not, what goes, and what stays in memory. */
#include "fixture.h"
#include "keeper.h"
#include "saving.h"

#include <dirent.h>
#include <errno.h>

static const char *no_args[] = {NULL}, *other_args[] = {"-x", NULL};
static const char earlier[] = "2020-01-01T00:00:00Z", now[] = "2026-11-22T08:30:00Z";

/* A finding that failed in one rerun of one. */
static finding of(uint64_t size, uint64_t seed) {
    return (finding){.sut = "./sut",
                     .sut_digest = "ab",
                     .args = no_args,
                     .input = {.size = size, .seed = seed},
                     .signature = {SIGNATURE_EXIT, 1},
                     .reruns = 1,
                     .repeated = 1,
                     .when = now};
}

static finding of_bytes(const char *bytes, remarks why) {
    finding f = of(strlen(bytes), 0);
    f.bytes = (const uint8_t *)bytes;
    f.remarks = why;
    return f;
}

static finding rerun(finding f, unsigned reruns, unsigned repeated) {
    f.reruns = reruns;
    f.repeated = repeated;
    return f;
}

/* ---- Folders ---- */

static char folder[PATH_MAX]; /* the store borrows it */
static store *kept_in;

static keeper *open_keeper(const char *name) {
    snprintf(folder, sizeof folder, "%s", test_dir_path(name));
    kept_in = store_open(folder);
    ck_assert_ptr_nonnull(kept_in);
    keeper *k = keeper_create(kept_in);
    ck_assert_ptr_nonnull(k);
    return k;
}

static void close_keeper(keeper *k) {
    keeper_destroy(k);
    store_close(kept_in);
}

/* Another process writes a finding to the folder. */
static void write_other(finding f) {
    store *s = store_open_there(folder);
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(save_finding(s, &f), 0);
    store_close(s);
}

static void save(keeper *k, finding f) {
    const int error = keeper_save(k, &f);
    ck_assert_msg(error == 0, "%s", strerror(error));
}

static void conclude(keeper *k, finding f) { keeper_conclude(k, &f); }

/* The sizes of the findings in a folder, in their order, each of which is whole: "7 41 ". Its other
 * files are "?". */
static const char *sizes_in(const char *path) {
    static char text[4096];
    store_names names;
    const char *why;
    finding f;
    store *s = store_open_there(path);
    ck_assert_ptr_nonnull(s);
    ck_assert_int_eq(store_list(s, &names), 0);
    text[0] = '\0';
    for (size_t i = 0; i < names.count; i++) {
        ck_assert_msg(store_read(s, names.list[i], &f, &why), "%s: %s", names.list[i], why);
        snprintf(text + strlen(text), 32, "%d ", (int)f.input.size);
        finding_free(&f);
    }
    store_names_free(&names);
    store_close(s);
    return text;
}

static size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *entries = opendir(path);
    ck_assert_ptr_nonnull(entries);
    while (readdir(entries) != NULL) count++;
    closedir(entries);
    return count - 2;
}

static void has(const char *sizes) { ck_assert_str_eq(sizes_in(folder), sizes); }

/* The finding of this name, which the caller frees. */
static finding read_finding(uint64_t size, uint64_t seed) {
    char name[STORE_NAME_MAX];
    const finding named = of(size, seed);
    const char *why;
    finding f;
    store *s = store_open_there(folder);
    store_name(&named, name);
    ck_assert_msg(store_read(s, name, &f, &why), "%s: %s", name, why);
    store_close(s);
    return f;
}

static void was_rerun(uint64_t size, uint64_t seed, unsigned reruns, const char *when) {
    finding f = read_finding(size, seed);
    ck_assert_uint_eq(f.reruns, reruns);
    ck_assert_str_eq(f.when, when);
    finding_free(&f);
}

static ino_t inode_of(uint64_t size, uint64_t seed) {
    char name[STORE_NAME_MAX], path[PATH_MAX + STORE_NAME_MAX];
    const finding f = of(size, seed);
    struct stat status;
    store_name(&f, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_ino;
}

/* ---- A finding that is there ---- */

TEST(what_another_process_wrote_gets_more_reruns_only) {
    keeper *k = open_keeper("found");
    finding f = of(41, 1);
    f.when = earlier;
    write_other(f);
    const ino_t inode = inode_of(41, 1);
    save(k, of(41, 1));
    save(k, of(41, 1));
    conclude(k, of(41, 1));
    ck_assert_uint_eq(inode_of(41, 1), inode);
    f.sut_digest = "cd";
    conclude(k, rerun(f, 20, 20)); /* of another build */
    ck_assert_uint_eq(inode_of(41, 1), inode);
    conclude(k, rerun(of(41, 1), 20, 20)); /* its writer was killed before */
    was_rerun(41, 1, 20, earlier);
    conclude(k, rerun(of(41, 1), 3, 3));
    was_rerun(41, 1, 20, earlier);
    ck_assert_int_eq(keeper_finish(k), 0);
    close_keeper(k);
}

TEST(final_reruns_are_written_and_the_time_stays) {
    keeper *k = open_keeper("found");
    finding first = of(41, 1);
    first.when = earlier;
    save(k, first);
    const ino_t inode = inode_of(41, 1);
    save(k, of(41, 1));
    ck_assert_uint_eq(inode_of(41, 1), inode);
    conclude(k, rerun(of(41, 1), 20, 20));
    was_rerun(41, 1, 20, earlier);
    ck_assert_int_eq(keeper_finish(k), 0);
    ck_assert_uint_eq(count_entries(folder), 1);
    close_keeper(k);
}

TEST(what_was_never_saved_is_not_concluded) {
    keeper *k = open_keeper("found");
    conclude(k, rerun(of(41, 1), 20, 20));
    has("");
    close_keeper(k);
}

TEST(a_file_that_is_no_finding_gives_way) {
    static const char name[] = "found/0000000041-0000000000000001.json";
    keeper *k = open_keeper("found");
    test_dir_text(name, "{\"torn\"", 0600);
    save(k, of(41, 1));
    has("41 ");
    close_keeper(k);
}

TEST(a_finding_of_another_program_or_arguments_stays) {
    keeper *k = open_keeper("found");
    finding args = of(41, 1), program = of(42, 1), folder_only = of(43, 1);
    args.args = other_args;
    program.sut = "./other";
    folder_only.sut = "/usr/bin/sut";
    write_other(args);
    write_other(program);
    write_other(folder_only);
    for (uint64_t size = 41; size <= 43; size++) {
        const finding f = of(size, 1);
        ck_assert_int_eq(keeper_save(k, &f), 0);
    }
    has("41 41 42 42 43 ");
    finding there = read_finding(41, 1);
    ck_assert_str_eq(there.args[0], "-x");
    finding_free(&there);
    char name[STORE_NAME_MAX];
    const char *why;
    const finding own = of(41, 1);
    keeper_file(k, &own, name);
    ck_assert(store_read(kept_in, name, &there, &why));
    ck_assert_ptr_null(there.args[0]);
    finding_free(&there);
    conclude(k, rerun(own, 20, 20));
    ck_assert(store_read(kept_in, name, &there, &why));
    ck_assert_uint_eq(there.reruns, 20);
    finding_free(&there);
    ck_assert_int_eq(keeper_finish(k), 0);
    close_keeper(k);
}

TEST(the_result_of_a_reduction_gets_its_remarks) {
    static const remark list[] = {{0, "any value"}};
    keeper *k = open_keeper("found");
    save(k, of_bytes("abc", (remarks){NULL, 0}));
    save(k, of_bytes("abc", (remarks){list, 1}));
    conclude(k, rerun(of_bytes("abc", (remarks){list, 1}), 20, 20));
    has("3 ");
    store_names names;
    const char *why;
    finding f;
    ck_assert_int_eq(store_list(kept_in, &names), 0);
    ck_assert(store_read(kept_in, names.list[0], &f, &why));
    ck_assert_uint_eq(f.remarks.count, 1);
    ck_assert_uint_eq(f.reruns, 20);
    finding_free(&f);
    store_names_free(&names);
    close_keeper(k);
}

/* ---- One bug, one file ---- */

TEST(own_findings_give_way_to_smaller_ones_of_their_signature) {
    keeper *k = open_keeper("found");
    finding other = of(30, 1), sited = of(31, 1);
    other.signature = (signature){SIGNATURE_EXIT, 2};
    sited.site = "a.c:3";
    save(k, of(50, 1));
    save(k, other);
    save(k, sited);
    write_other(of(49, 2));
    has("30 31 49 50 ");
    save(k, of(41, 1));
    has("30 31 41 49 ");
    save(k, of(41, 0)); /* the smaller seed, so that a fleet ends with one */
    has("30 31 41 49 ");
    was_rerun(41, 0, 1, now);
    ck_assert_int_eq(keeper_finish(k), 0);
    has("30 31 41 49 ");
    close_keeper(k);
}

TEST(bytes_give_way_to_simpler_ones_and_a_seed_to_a_reduced_finding) {
    keeper *k = open_keeper("found");
    finding reduced = of_bytes("abb", (remarks){NULL, 0});
    reduced.is_reduced = true;
    save(k, of(50, 1));
    save(k, of_bytes("abcd", (remarks){NULL, 0}));
    has("4 50 ");
    save(k, of_bytes("abc", (remarks){NULL, 0}));
    has("3 50 ");
    save(k, of_bytes("abb", (remarks){NULL, 0})); /* of equal size, but simpler */
    has("3 50 ");
    conclude(k, rerun(reduced, 20, 19));
    has("3 50 ");
    save(k, of(2, 1));
    has("2 ");
    close_keeper(k);
    k = open_keeper("reduced");
    save(k, of(3, 1));
    save(k, of_bytes("abb", (remarks){NULL, 0}));
    has("3 3 ");
    conclude(k, rerun(reduced, 20, 20));
    has("3 ");
    close_keeper(k);
}

TEST(bytes_of_a_reduction_that_was_cut_off_replace_its_seed_too) {
    keeper *k = open_keeper("found");
    finding cut_off = rerun(of_bytes("abb", (remarks){NULL, 0}), 1, 1);
    save(k, of(50, 1));
    save(k, cut_off);
    has("3 50 ");
    cut_off.from = of(50, 1).input;
    conclude(k, cut_off);
    has("3 ");
    close_keeper(k);
}

TEST(the_answer_of_a_reduction_replaces_what_it_announced) {
    keeper *k = open_keeper("found");
    const finding flaky = rerun(of_bytes("abc", (remarks){NULL, 0}), 20, 15);
    save(k, of_bytes("abcd", (remarks){NULL, 0}));
    save(k, flaky);
    has("3 4 ");
    save(k, of_bytes("ab", (remarks){NULL, 0})); /* which did not fail as often */
    has("2 ");
    save(k, flaky);
    has("2 3 ");
    conclude(k, flaky);
    has("3 ");
    close_keeper(k);
}

TEST(a_flaky_finding_replaces_larger_flaky_ones) {
    keeper *k = open_keeper("found");
    save(k, of(50, 1));
    save(k, rerun(of_bytes("abcd", (remarks){NULL, 0}), 40, 37));
    save(k, rerun(of_bytes("abbd", (remarks){NULL, 0}), 40, 35));
    save(k, rerun(of_bytes("abb", (remarks){NULL, 0}), 40, 39));
    has("3 50 ");
    save(k, rerun(of(30, 1), 40, 38));
    has("3 30 50 ");
    save(k, rerun(of(20, 1), 40, 38));
    has("3 20 50 ");
    close_keeper(k);
}

TEST(a_finding_of_another_process_replaces_own_ones_once_it_failed_here) {
    keeper *k = open_keeper("found");
    save(k, of(50, 1));
    write_other(of(7, 1));
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    has("7 50 ");
    save(k, of(7, 1));
    has("7 ");
    ck_assert_int_eq(keeper_finish(k), 0);
    has("7 ");
    close_keeper(k);
}

TEST(the_best_before_a_flaky_one_comes_back) {
    keeper *k = open_keeper("found");
    save(k, of(41, 1));
    save(k, of(20, 1));
    has("20 ");
    save(k, of(41, 1));
    has("20 41 ");
    conclude(k, rerun(of(20, 1), 20, 19));
    conclude(k, rerun(of(41, 1), 20, 20));
    ck_assert_int_eq(keeper_finish(k), 0);
    was_rerun(41, 1, 20, now);
    was_rerun(20, 1, 20, now);
    close_keeper(k);
}

TEST(a_flaky_finding_replaces_nothing) {
    keeper *k = open_keeper("found");
    write_other(of(7, 1));
    save(k, of(7, 1));
    save(k, of(30, 1));
    conclude(k, rerun(of(7, 1), 20, 19));
    has("7 30 ");
    was_rerun(7, 1, 20, now);
    save(k, of(41, 1));
    save(k, rerun(of(20, 1), 20, 19));
    has("7 20 30 41 ");
    close_keeper(k);
}

TEST(a_finding_that_was_removed_is_there_at_the_end) {
    keeper *k = open_keeper("found");
    char name[STORE_NAME_MAX];
    const finding f = of(41, 1);
    save(k, of(50, 1));
    save(k, f);
    store_name(&f, name);
    ck_assert_int_eq(store_remove(kept_in, name), 0);
    ck_assert_int_eq(keeper_finish(k), 0);
    has("41 ");
    close_keeper(k);
}

/* ---- A folder that goes away ---- */

static void rename_folder(const char *from, const char *to) {
    ck_assert_int_eq(rename(test_dir_path(from), test_dir_path(to)), 0);
}

static void fails(keeper *k, finding f, int error) { ck_assert_int_eq(keeper_save(k, &f), error); }

TEST(what_cannot_be_written_is_written_when_the_folder_is_back) {
    keeper *k = open_keeper("found");
    finding other = of(60, 2);
    other.signature.value = 2;
    save(k, of(80, 1));
    rename_folder("found", "away");
    ck_assert_int_eq(keeper_retry(k, NULL), ENOENT);
    fails(k, of(50, 1), ENOENT);
    fails(k, of(41, 1), ENOENT);
    fails(k, other, ENOENT);
    ck_assert_uint_eq(keeper_count(k).waiting, 2); /* the best of each signature */
    ck_assert_uint_eq(keeper_count(k).errors, 3);
    ck_assert_int_eq(keeper_retry(k, NULL), ENOENT);
    rename_folder("away", "found");
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    ck_assert_uint_eq(keeper_count(k).waiting, 0);
    has("41 60 ");
    close_keeper(k);
}

TEST(another_folder_gets_the_best_of_each_signature) {
    keeper *k = open_keeper("found");
    finding other = of(60, 2);
    other.signature.value = 2;
    save(k, of(80, 1));
    save(k, of(41, 1));
    save(k, other);
    rename_folder("found", "away");
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    has("41 60 ");
    ck_assert_str_eq(sizes_in(test_dir_path("away")), "41 60 ");
    ck_assert_uint_eq(keeper_count(k).moves, 1);
    conclude(k, rerun(of(41, 1), 20, 20));
    was_rerun(41, 1, 20, now);
    close_keeper(k);
}

TEST(what_others_wrote_to_another_folder_stays) {
    keeper *k = open_keeper("found");
    const finding f = of(41, 1);
    save(k, f);
    rename_folder("found", "away");
    store *others = store_open(folder);
    keeper *another = keeper_create(others);
    save(another, f);
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    save(k, of(20, 1));
    has("20 41 ");
    keeper_destroy(another);
    store_close(others);
    close_keeper(k);
}

TEST(what_was_never_stored_is_lost_with_the_folder) {
    keeper *k = open_keeper("found");
    char name[STORE_NAME_MAX];
    const finding f = of(41, 1);
    save(k, f);
    store_name(&f, name);
    ck_assert_int_eq(store_remove(kept_in, name), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(keeper_finish(k), 0); /* 41 was stored */
    ck_assert(keeper_count(k).is_gone);
    fails(k, of(20, 1), ENOENT);
    ck_assert_int_eq(keeper_finish(k), ENOENT);
    ck_assert_uint_eq(keeper_count(k).waiting, 1);
    close_keeper(k);
}
