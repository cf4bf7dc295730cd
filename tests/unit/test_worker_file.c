/* worker_file.h, json_fields.h: reports of searches, and files that may be anything. */
#include "fixture.h"
#include "worker_file.h"

#include <errno.h>
#include <sodium.h>

static worker_file example(void) {
    static const char *args[] = {"-n", "a\xff", NULL};
    return (worker_file){
        .format = WORKER_FORMAT,
        .name = "node-7",
        .process = {"node", 1234, "2026-11-22T08:30:00Z"},
        .state = WORKER_RUNNING,
        .updated = "2026-11-22T09:30:00Z",
        .every = 75,
        .target = {"./ring", "ab12", args, " --only timeout", EXPAND_BOTH},
        .version = "0.1.0",
        .rng_seed = UINT64_MAX,
        .jobs = 4,
        .totals = {.runs = 1000, .reruns = 20, .restarts = 1, .errors = 2, .seconds = 3600.5},
        .rate = 12.5,
        .best = {.is_known = true,
                 .input = {.size = 41, .seed = 7, .style = SEED_STYLED},
                 .signature = {SIGNATURE_EXIT, 3},
                 .site = "ring.c:9"},
        .evidence = {.below = 40, .passed = 101, .counted = 100, .stretches = 5},
    };
}

static worker_file parse(const char *text) {
    worker_file w;
    const char *why = NULL;
    ck_assert_msg(worker_file_from_json(text, strlen(text), &w, &why), "%s", why);
    return w;
}

static void assert_refused(const char *text, const char *part) {
    worker_file w;
    const char *why = NULL;
    ck_assert(!worker_file_from_json(text, strlen(text), &w, &why));
    assert_contains(why, part);
}

/* Return the example with one text in place of another. */
static const char *changed(const char *from, const char *to) {
    static char text[8192];
    const worker_file w = example();
    char *whole = worker_file_to_json(&w);
    char *at = strstr(whole, from);
    ck_assert_ptr_nonnull(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    free(whole);
    return text;
}

TEST(what_was_written_is_read) {
    const worker_file w = example();
    char *text = worker_file_to_json(&w);
    worker_file back = parse(text);
    char *again = worker_file_to_json(&back);
    ck_assert_str_eq(text, again);
    ck_assert_str_eq(back.target.args[1], "a\xff");
    ck_assert(back.rng_seed == UINT64_MAX);
    ck_assert(seed_input_equal(back.best.input, w.best.input));
    ck_assert(worker_target_equal(&w.target, &back.target));
    free(text);
    free(again);
    worker_file_free(&back);
}

TEST(passes_of_other_targets_do_not_add_up) {
    const worker_file w = example();
    const char *other_args[] = {"-n", NULL};
    worker_target other = w.target;
    other.args = other_args;
    ck_assert(!worker_target_equal(&w.target, &other));
    other = w.target, other.digest = "cd";
    ck_assert(!worker_target_equal(&w.target, &other));
    other = w.target, other.filter = "";
    ck_assert(!worker_target_equal(&w.target, &other));
    other = w.target, other.expand = EXPAND_UNIFORM;
    ck_assert(!worker_target_equal(&w.target, &other));
    other = w.target, other.digest = NULL;
    ck_assert(!worker_target_equal(&other, &other)); /* it may be any file */
}

TEST(every_prefix_of_a_file_is_refused) {
    const worker_file w = example();
    char *text = worker_file_to_json(&w);
    for (size_t size = 0; size + 1 < strlen(text); size++) {
        worker_file back;
        const char *why;
        ck_assert(!worker_file_from_json(text, size, &back, &why));
        ck_assert_str_eq(why, "it is cut short, or not a JSON object");
    }
    free(text);
}

TEST(other_files_are_refused_with_the_reason) {
    assert_refused("[]", "not a JSON object");
    assert_refused("{}", "not the file of a worker");
    assert_refused(changed("\"format\": 1", "\"format\": 2"), "a later format");
    assert_refused(changed("\"runs\": 1000", "\"runs\": -1"), "makes no sense");
    assert_refused(changed("\"runs\": 1000", "\"runs\": \"x\""), "makes no sense");
    assert_refused(changed("\"every\": 75.0", "\"every\": 0"), "makes no sense");
    assert_refused(changed("\"state\": \"running\"", "\"state\": \"asleep\""), "makes no sense");
    assert_refused(changed("\"counted\": 100", "\"counted\": 102"), "makes no sense");
    assert_refused(changed("\"stretches\": 5", "\"stretches\": 0"), "makes no sense");
    assert_refused(changed("\"seed\": \"7s\"", "\"seed\": \"seven\""), "makes no sense");
    assert_refused(changed("\"expand\": \"both\"", "\"expand\": \"all\""), "makes no sense");
    assert_refused(changed("\"arguments\": [", "\"arguments\": [ 5, "), "makes no sense");
}

static int folder_fd(void) {
    const int fd = open(test_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    return fd;
}

TEST(files_of_other_kinds_are_refused_with_the_reason) {
    worker_file w;
    const char *why;
    const int fd = folder_fd();
    ck_assert_int_eq(mkfifo(test_dir_path("fifo"), 0600), 0);
    ck_assert_int_eq(symlink("loop", test_dir_path("loop")), 0);
    ck_assert_int_eq(truncate(test_dir_text("huge", "{}", 0600), WORKER_FILE_SIZE_MAX + 1), 0);
    ck_assert(!worker_file_read(fd, "fifo", &w, &why));
    ck_assert_str_eq(why, "it is not a regular file");
    ck_assert(!worker_file_read(fd, "loop", &w, &why));
    ck_assert_str_eq(why, strerror(ELOOP));
    ck_assert(!worker_file_read(fd, "huge", &w, &why));
    ck_assert_str_eq(why, "it is too large");
    ck_assert(!worker_file_read(fd, "none", &w, &why));
    ck_assert_ptr_null(why);
    close(fd);
}

TEST(names_are_made_fit_for_files) {
    char name[WORKER_NAME_MAX + 1], longer[2 * WORKER_NAME_MAX];
    worker_name_clean("a/b\nc", name);
    ck_assert_str_eq(name, "a_b_c");
    worker_name_clean("..", name);
    ck_assert_str_eq(name, "_.");
    worker_name_clean("", name);
    ck_assert_str_eq(name, "worker");
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    worker_name_clean(longer, name);
    ck_assert_uint_eq(strlen(name), WORKER_NAME_MAX);
}

/* ---- Places ---- */

static worker_place place_of(const char *name) {
    worker_place s;
    ck_assert_int_ge(sodium_init(), 0);
    ck_assert(worker_place_init(&s, test_dir, name));
    return s;
}

static void write_example(worker_place *s) {
    const worker_file w = example();
    char *text = worker_file_to_json(&w);
    ck_assert_int_eq(worker_place_write(s, text), 0);
    free(text);
}

TEST(a_folder_that_went_away_is_made_again) {
    worker_place s = place_of("a");
    worker_file w;
    const char *why = "";
    ck_assert(!worker_file_read(AT_FDCWD, s.path, &w, &why));
    ck_assert_ptr_null(why);
    write_example(&s);
    ck_assert_int_eq(rename(test_dir_path("workers"), test_dir_path("gone")), 0);
    ck_assert(!worker_place_is_taken(&s));
    write_example(&s);
    ck_assert(worker_file_read(AT_FDCWD, s.path, &w, &why));
    worker_file_free(&w);
    worker_place_finish(&s);
}

TEST(a_file_of_another_is_noticed) {
    worker_place ours = place_of("a"), theirs = place_of("a");
    worker_file w;
    const char *why;
    write_example(&ours);
    ck_assert(!worker_place_is_taken(&ours));
    ck_assert(worker_place_is_taken(&theirs)); /* until it is read */
    ck_assert(worker_place_read(&theirs, &w, &why));
    worker_file_free(&w);
    ck_assert(!worker_place_is_taken(&theirs));
    write_example(&theirs);
    ck_assert(worker_place_is_taken(&ours));
    ck_assert(!worker_place_is_taken(&theirs));
    worker_place_finish(&ours);
    worker_place_finish(&theirs);
}

TEST(a_place_that_cannot_be_written_is_an_error) {
    worker_place s = place_of("a");
    test_dir_text("workers", "", 0600);
    ck_assert_int_eq(worker_place_write(&s, "{}"), ENOTDIR);
    worker_place_finish(&s);
}
