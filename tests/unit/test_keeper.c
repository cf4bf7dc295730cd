/* keeper.h: what is written, what is not, what goes, and what stays in memory.
 *
 * That nothing is ever lost or torn, whatever fails, is in tests/world. */
#include "fixture.h"
#include "keeper.h"
#include "saving.h"

#include <errno.h>

static const char *no_args[] = {NULL}, *other_args[] = {"-x", NULL};
static const char earlier[] = "2020-01-01T00:00:00Z", now[] = "2026-11-22T08:30:00Z";
static const remark explained[] = {{0, "any value"}};

/* A finding that failed in one rerun of one. */
static finding of(uint64_t size, uint64_t seed) {
    return (finding){.sut = "./sut",
                     .sut_digest = "ab",
                     .args = no_args,
                     .of = {.input = {.size = size, .seed = seed},
                            .signature = {SIGNATURE_EXIT, 1},
                            .reruns = 1,
                            .repeated = 1},
                     .when = now};
}

static finding rerun(finding f, unsigned reruns, unsigned repeated) {
    f.of.reruns = reruns;
    f.of.repeated = repeated;
    return f;
}

static char folder[PATH_MAX]; /* the keeper borrows it */
static keeper *k;

static void open_keeper(void) {
    snprintf(folder, sizeof folder, "%s", test_dir_path("found"));
    ck_assert_int_eq(store_make(folder), 0);
    k = keeper_create(folder);
    ck_assert_ptr_nonnull(k);
}

/* Another process writes a finding to the folder. */
static void write_other(finding f) { ck_assert_int_eq(save_finding(folder, &f), 0); }

/* The finding that is kept for one, which the caller frees. */
static finding read_kept(finding of) {
    char name[STORE_NAME_MAX];
    const char *why;
    finding f;
    keeper_file(k, &of, name);
    ck_assert_msg(store_read(folder, name, &f, &why), "%s: %s", name, why);
    return f;
}

/* ---- Stories ---- */

/* A story is words, each a deed and findings that it is done to. A finding is its size, perhaps
 * "+n" for the seed, which is 1, "x" for another signature, "s" for a site, "b" for bytes, "r" for
 * bytes whose reduction has ended, "c" for those of one that was cut off, "~" for a flaky one.
 * "save:5,4" saves two; "other" lets another process write; "end" concludes with final reruns;
 * "fail" cannot save; "adopt" takes another process's answer; "rm" removes a file. "is:4,5" lists
 * the sizes in the folder, "away:4,5" those in the one that went away. "go", "come" and "new" move
 * the folder; "retry" and "finish" go well, "retry!" and "finish!" do not. "wait:2" is how many are
 * in memory. */
static const char *const stories[] = {
    /* One bug, one file; what others wrote stays. */
    "save:50,30x,31s other:49+2 is:30,31,49,50 save:41 is:30,31,41,49 finish is:30,31,41,49",
    "save:41+2,41+1 is:41 save:41+3 is:41,41", /* the smaller seed, so that a fleet ends with one */
    /* Bytes of one size give way to later ones, a seed to bytes once they are reduced. */
    "save:50,4b is:4,50 save:3b is:3,50 save:3b+1 is:3,50 end:3r+1~ is:3,50 save:2 is:2",
    "save:3,3b is:3,3 end:3r is:3", "save:50,3b is:3,50 end:3c is:3",
    /* The answer of a reduction replaces what it announced, also what failed less often. */
    "save:4b,3b~ is:3,4 save:2b is:2 save:3b~ is:2,3 end:3b~ is:3",
    /* What is no smaller than such an answer is not kept beside it. */
    "save:50,3b end:3r save:4b,7,3b+1 is:3 save:2 is:2",
    /* Nor beside that of another process, of its signature, once its seed has failed here. */
    "save:50 other:3r adopt:3r is:3 save:50,7 is:3 save:40x,2 is:2,3,40 finish is:2,3,40",
    "save:50 other:3r,4r~ adopt:4r~ is:3,4,50 adopt:3r is:3,4",
    /* Nor by one that is only in memory, where another process has written the same bytes. */
    "save:1b go fail:3b end:3r come other:3b retry is:1,3",
    /* A flaky one replaces flaky ones only. */
    "save:50,4b~,4b+1~,3b~ is:3,50 save:30~ is:3,30,50 save:20~ is:3,20,50",
    "save:41,20 is:20 save:41 is:20,41 end:20~,41 finish is:41",
    "other:7 save:7,30 end:7~ is:7,30 save:41,20~ is:7,20,30,41",
    /* One of another process replaces ours once it failed here. */
    "save:50 other:7 retry is:7,50 save:7 is:7 finish is:7",
    "save:50,41 rm:41 save:41 is:41 rm:41 finish is:41",
    "save:80 go fail:60x come save:50 is:50,60", "end:41 is:",
    /* A folder that goes away, and comes back, or another one. */
    "save:80 go retry! fail:50,41,60x wait:2 retry! come retry wait:0 is:41,60",
    "save:80,41,60x go new retry is:41,60 away:41,60 end:41 is:41,60",
    "save:41 go new other:41 retry save:20 is:20,41",
    "save:41 rm:41 go finish fail:20 finish! wait:1"};

static finding parse(const char *text) {
    static const uint8_t bytes[2][8] = {"bcdefga", "abcdefg"};
    char *at;
    finding f = of(strtoull(text, &at, 10), 1);
    bool is_second = false;
    for (; *at != '\0'; at++) {
        switch (*at) {
        case '+': f.of.input.seed = strtoull(at + 1, NULL, 10), is_second = true; break;
        case 'x': f.of.signature.value = 2; break;
        case 's': strcpy(f.of.site, "a.c:3"); break;
        case '~': f = rerun(f, 40, 39); break;
        case 'b': f.of.form = FORM_BYTES; break;
        case 'r': f.of.form = FORM_REDUCED; break;
        case 'c': f.of.form = FORM_BYTES, f.from = of(50, 1).of.input; break;
        default: break;
        }
    }
    if (f.of.form != FORM_SEED) f.bytes = bytes[is_second];
    return f;
}

/* The sizes of the findings in a folder, each of which is whole. */
static const char *sizes_in(const char *path) {
    static char text[4096];
    store_names names;
    const char *why;
    finding f;
    ck_assert_int_eq(store_list(path, &names), 0);
    text[0] = '\0';
    for (size_t i = 0; i < names.count; i++) {
        ck_assert_msg(store_read(path, names.list[i], &f, &why), "%s: %s", names.list[i], why);
        snprintf(text + strlen(text), 32, "%s%d", i > 0 ? "," : "", (int)f.of.input.size);
        finding_free(&f);
    }
    store_names_free(&names);
    return text;
}

static void rename_folder(const char *from, const char *to) {
    ck_assert_int_eq(rename(test_dir_path(from), test_dir_path(to)), 0);
}

static void do_to(const char *deed, const char *one) {
    char name[STORE_NAME_MAX];
    finding f = parse(one);
    const bool is_end = strcmp(deed, "end") == 0;
    if (is_end && f.of.repeated == f.of.reruns) f = rerun(f, 20, 20);
    if (is_end) keeper_conclude(k, &f);
    if (strcmp(deed, "save") == 0) ck_assert_int_eq(keeper_save(k, &f), 0);
    if (strcmp(deed, "fail") == 0) ck_assert_int_eq(keeper_save(k, &f), ENOENT);
    if (strcmp(deed, "other") == 0) write_other(f);
    if (strcmp(deed, "adopt") == 0) keeper_adopt(k, &f);
    keeper_file(k, &f, name);
    if (strcmp(deed, "rm") == 0) store_remove(folder, NULL, name);
}

static void tell(const char *story, const char *deed, char *rest) {
    const char *away = test_dir_path("away");
    if (strcmp(deed, "is") == 0 || strcmp(deed, "away") == 0) {
        const char *is = sizes_in(deed[0] == 'i' ? folder : away);
        ck_assert_msg(strcmp(is, rest) == 0, "%s: is:%s, not %s", story, rest, is);
    } else if (strncmp(deed, "retry", 5) == 0) {
        ck_assert_int_eq(keeper_retry(k, NULL) != 0, deed[5] == '!');
    } else if (strncmp(deed, "finish", 6) == 0) {
        ck_assert_int_eq(keeper_finish(k) != 0, deed[6] == '!');
    } else if (strcmp(deed, "wait") == 0) {
        ck_assert_uint_eq(keeper_count(k).waiting, strtoul(rest, NULL, 10));
    } else if (strcmp(deed, "go") == 0 || strcmp(deed, "come") == 0) {
        deed[0] == 'g' ? rename_folder("found", "away") : rename_folder("away", "found");
    } else if (strcmp(deed, "new") == 0) {
        ck_assert_int_eq(mkdir(folder, 0700), 0);
    } else {
        for (const char *one = strsep(&rest, ","); one != NULL; one = strsep(&rest, ","))
            do_to(deed, one);
    }
}

TEST_EACH(stories_end_as_they_say, sizeof stories / sizeof *stories) {
    char text[256], *words = text;
    snprintf(text, sizeof text, "%s", stories[_i]);
    open_keeper();
    for (char *word = strsep(&words, " "); word != NULL; word = strsep(&words, " ")) {
        const char *deed = strsep(&word, ":");
        tell(stories[_i], deed, word);
    }
    keeper_destroy(k);
}

TEST(what_fails_is_counted) {
    open_keeper();
    tell("", "save", (char[]){"80"});
    tell("", "go", NULL);
    tell("", "fail", (char[]){"50,41,60x"});
    ck_assert_uint_eq(keeper_count(k).errors, 3);
    tell("", "new", NULL);
    ck_assert_int_eq(keeper_retry(k, NULL), 0);
    ck_assert_int_eq(keeper_finish(k), 0);
    ck_assert(!keeper_count(k).is_gone);
    keeper_destroy(k);
}

/* ---- What a file says ---- */

/* Conclude with such reruns; see those in the file, whose time stays. */
static void conclude(finding f, unsigned reruns, unsigned expected, const char *when) {
    f = rerun(f, reruns, reruns);
    keeper_conclude(k, &f);
    finding there = read_kept(f);
    ck_assert_uint_eq(there.of.reruns, expected);
    ck_assert_str_eq(there.when, when);
    ck_assert_uint_eq(there.remarks.count, f.remarks.count);
    finding_free(&there);
}

TEST(a_file_gets_more_reruns_and_remarks_only) {
    finding early = of(41, 1), rebuilt = of(41, 1), reduced = of(3, 0);
    early.when = earlier;
    rebuilt.sut_digest = "cd";
    reduced.bytes = (const uint8_t *)"abc";
    reduced.of.form = FORM_BYTES;
    reduced.when = earlier;
    open_keeper();
    write_other(early);
    tell("", "save", (char[]){"41,41"});
    conclude(of(41, 1), 1, 1, earlier); /* not written again */
    conclude(rebuilt, 20, 1, earlier);
    conclude(of(41, 1), 20, 20, earlier); /* its writer was killed before */
    conclude(of(41, 1), 3, 20, earlier);
    ck_assert_int_eq(keeper_save(k, &reduced), 0);
    reduced.remarks = (remarks){explained, 1};
    reduced.when = now;
    conclude(reduced, 1, 1, earlier);
    keeper_destroy(k);
}

TEST(a_finding_of_another_program_or_arguments_stays) {
    finding args = of(41, 1), program = of(42, 1), folder_only = of(43, 1);
    args.args = other_args;
    program.sut = "./other";
    folder_only.sut = "/usr/bin/sut";
    open_keeper();
    write_other(args);
    write_other(program);
    write_other(folder_only);
    for (uint64_t size = 41; size <= 43; size++) {
        const finding f = of(size, 1);
        ck_assert_int_eq(keeper_save(k, &f), 0);
        finding there = read_kept(f);
        ck_assert_ptr_null(there.args[0]);
        ck_assert(finding_has_subject(&there, "./sut", no_args));
        finding_free(&there);
    }
    ck_assert_str_eq(sizes_in(folder), "41,41,42,42,43");
    conclude(of(41, 1), 20, 20, now);
    ck_assert_int_eq(keeper_finish(k), 0);
    keeper_destroy(k);
}

TEST(a_file_that_is_no_finding_gives_way) {
    open_keeper();
    test_dir_text("found/0000000041-0000000000000001.json", "{\"torn\"", 0600);
    tell("", "save", (char[]){"41"});
    ck_assert_str_eq(sizes_in(folder), "41");
    keeper_destroy(k);
}
