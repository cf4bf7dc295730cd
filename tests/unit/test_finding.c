/* finding.h: JSON and back, and everything that is no finding. */
#include "finding.h"
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *some_args[] = {"--flag", "two words", "", "\xc3\xa9 \"quoted\" \\ \n\x01", NULL};

static const finding seeded = {
    .sut = "./my sut",
    .sut_digest = "00ff",
    .args = some_args,
    .input = {41, UINT64_MAX},
    .signature = {SIGNATURE_SIGNAL, SIGABRT},
    .site = "queue.c:12",
    .reruns = 20,
    .repeated = 19,
    .when = "2024-01-31T23:59:59Z",
};

static void assert_text(const char *a, const char *b) {
    if (a == NULL || b == NULL) {
        ck_assert_ptr_eq(a, b);
    } else {
        ck_assert_str_eq(a, b);
    }
}

static void assert_same(const finding *a, const finding *b) {
    assert_text(a->sut, b->sut);
    assert_text(a->sut_digest, b->sut_digest);
    assert_text(a->site, b->site);
    assert_text(a->when, b->when);
    ck_assert_uint_eq(a->input.size, b->input.size);
    ck_assert_uint_eq(a->input.seed, b->input.seed);
    ck_assert_int_eq(a->input.style, b->input.style);
    ck_assert(signature_equal(a->signature, b->signature));
    ck_assert_uint_eq(a->reruns, b->reruns);
    ck_assert_uint_eq(a->repeated, b->repeated);
    ck_assert_int_eq(a->bytes == NULL, b->bytes == NULL);
    if (a->bytes != NULL && a->input.size > 0) ck_assert_mem_eq(a->bytes, b->bytes, a->input.size);
    ck_assert_uint_eq(a->remarks.count, b->remarks.count);
    for (size_t r = 0; r < a->remarks.count; r++) {
        ck_assert_uint_eq(a->remarks.list[r].start, b->remarks.list[r].start);
        assert_text(a->remarks.list[r].text, b->remarks.list[r].text);
    }
    size_t i = 0;
    for (; a->args != NULL && a->args[i] != NULL; i++) assert_text(a->args[i], b->args[i]);
    ck_assert(b->args == NULL || b->args[i] == NULL);
}

/* Write, read, compare, write again. */
static void round_trip(const finding *f) {
    const char *why = "untouched";
    finding back;
    char *text = finding_to_json(f);
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(finding_from_json(text, strlen(text), &back, &why), "%s: %s", why, text);
    assert_same(f, &back);
    char *again = finding_to_json(&back);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
    finding_free(&back);
    ck_assert_ptr_null(back.sut);
    finding_free(&back); /* a zeroed one is free */
}

/* ---- There and back ---- */

TEST(a_finding_reads_back_as_it_was_written) {
    static const uint64_t sizes[] = {0, 1, 41, 1 << 20, INPUT_SIZE_MAX};
    static const uint64_t seeds[] = {0, 1, UINT64_C(1) << 53 | 1, INT64_MAX, UINT64_MAX};
    finding f = seeded;
    round_trip(&f);
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(seeds); i++) {
        f.input = (seed_input){sizes[i / COUNT_OF(seeds)], seeds[i % COUNT_OF(seeds)], SEED_PLAIN};
        round_trip(&f);
        f.input.style = SEED_STYLED;
        round_trip(&f);
    }
    f = (finding){.signature = {SIGNATURE_TIMEOUT, 0}};
    round_trip(&f);
    for (int code = 1; code < 256; code++) {
        f.signature = (signature){SIGNATURE_EXIT, code};
        round_trip(&f);
    }
}

TEST(bytes_read_back_as_they_were_written) {
    uint8_t bytes[256];
    for (int i = 0; i < 256; i++) bytes[i] = (uint8_t)(255 - i);
    finding f = seeded;
    f.input.seed = 0;
    f.bytes = bytes;
    for (f.input.size = 0; f.input.size <= 256; f.input.size += 16) round_trip(&f);
}

TEST(what_a_reduction_says_reads_back) {
    static const uint8_t bytes[] = {0, 1, 2};
    const char *why;
    finding reduced = {.signature = {SIGNATURE_EXIT, 1},
                       .input = {.size = sizeof bytes},
                       .bytes = bytes,
                       .is_reduced = true,
                       .from = {.size = 41, .seed = 7, .style = SEED_STYLED}},
            back;
    round_trip(&reduced);
    char *text = finding_to_json(&reduced);
    ck_assert(finding_from_json(text, strlen(text), &back, &why));
    ck_assert(back.is_reduced);
    ck_assert(seed_input_equal(back.from, reduced.from));
    finding_free(&back);
    memcpy(strstr(text, "\"7s\""), "\"?s\"", 4);
    ck_assert(finding_from_json(text, strlen(text), &back, &why));
    ck_assert_uint_eq(back.from.size, 0);
    finding_free(&back);
    free(text);
}

/* Read a text, and with a space at its end, which is the same JSON, but no text of ours: jansson
 * reads that. */
static void assert_read_alike(const char *text) {
    const char *why = NULL, *other_why = NULL;
    finding f, other;
    char *spaced;
    ck_assert_int_gt(asprintf(&spaced, "%s ", text), 0);
    const bool ok = finding_from_json(text, strlen(text), &f, &why);
    ck_assert_msg(finding_from_json(spaced, strlen(spaced), &other, &other_why) == ok, "%s", text);
    assert_text(why, other_why);
    if (ok) assert_same(&other, &f);
    if (ok) assert_same(&f, &other);
    finding_free(&f);
    finding_free(&other);
    free(spaced);
}

TEST(quick_reading_is_that_of_jansson) {
    static const char bytes[] = "09-.\"\\,]}\n x\xc3\x7f";
    const char *words[20] = {NULL};
    for (size_t args = 0; args < COUNT_OF(words); args++) {
        finding f = seeded;
        f.sut = "./sut";
        f.args = words;
        f.site = args % 2 == 0 ? NULL : f.site;
        char *text = finding_to_json(&f);
        assert_read_alike(text);
        for (size_t i = 0; args < 3 && text[i] != '\0'; i++) {
            const char was = text[i];
            for (size_t b = 0; b < sizeof bytes - 1; b++) {
                text[i] = bytes[b];
                assert_read_alike(text);
            }
            text[i] = was;
        }
        finding none;
        const char *why;
        text = realloc(text, strlen(text) + 2);
        strcat(text, "x");
        ck_assert(!finding_from_json(text, strlen(text), &none, &why));
        free(text);
        if (args + 1 < COUNT_OF(words)) words[args] = "two words";
    }
}

TEST(each_finding_is_better_than_those_after_it) {
    static const uint8_t bytes[] = {0, 1, 2};
    const finding order[] = {
        {.input = {1, 9}, .reruns = 1, .repeated = 1},
        {.input = {2}, .bytes = bytes, .is_reduced = true, .reruns = 20, .repeated = 20},
        {.input = {2}, .bytes = bytes, .is_reduced = true, .reruns = 3, .repeated = 3},
        {.input = {2}, .bytes = bytes, .reruns = 20, .repeated = 20},
        {.input = {2, 0}, .reruns = 1, .repeated = 1},
        {.input = {2, 1}, .reruns = 20, .repeated = 20},
        {.input = {2, 1}, .reruns = 3, .repeated = 3},
        {.input = {1}, .bytes = bytes, .is_reduced = true, .reruns = 20, .repeated = 19},
    };
    for (size_t a = 0; a < COUNT_OF(order); a++) {
        for (size_t b = 0; b < COUNT_OF(order); b++)
            ck_assert_msg(finding_is_better(&order[a], &order[b]) == (a < b), "%zu %zu", a, b);
    }
}

/* Other programs read it: its fields and types are a promise. */
TEST(remarks_read_back_as_they_were_written) {
    static const remark list[] = {{0, "any"}, {4, "4..1000"}, {1 << 20, "= \xc3\xa9"}};
    static const uint8_t bytes[] = {0, 1, 2};
    finding explained = seeded;
    explained.input = (seed_input){.size = sizeof bytes};
    explained.bytes = bytes;
    explained.remarks = (remarks){list, COUNT_OF(list)};
    round_trip(&explained);
}

TEST(remarks_that_make_no_sense_are_left_out) {
    static const char *const texts[] = {"{}", "7",
                                        "[7, {}, {\"offset\": -1, \"text\": \"any\"}, null]",
                                        "[{\"offset\": 1}, {\"offset\": 1, \"text\": 2}]"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *why;
        finding back;
        char *text;
        ck_assert_int_gt(asprintf(&text,
                                  "{\"format\": 1, \"identity\": \"exit:1\", \"hex\": \"00\", "
                                  "\"fails_with\": %s}",
                                  texts[i]),
                         0);
        ck_assert_msg(finding_from_json(text, strlen(text), &back, &why), "%s", text);
        ck_assert_uint_eq(back.remarks.count, 0);
        finding_free(&back);
        free(text);
    }
}

TEST(the_text_is_as_documented) {
    static const char *const lines[] = {"\"format\": 1,",
                                        "\"sut\": \"./my sut\",",
                                        "\"sut_digest\": \"00ff\",",
                                        "\"size\": 41,",
                                        "\"expand\": 1,",
                                        "\"seed\": \"18446744073709551615\",",
                                        "\"status\": 134,",
                                        "\"reruns\": 20,",
                                        "\"identity\": \"signal:SIGABRT\",",
                                        "\"repeated\": 19,",
                                        "\"two words\",",
                                        "\"site\": \"queue.c:12\",",
                                        "\"when\": \"2024-01-31T23:59:59Z\""};
    char *text = finding_to_json(&seeded);
    for (size_t i = 0; i < COUNT_OF(lines); i++) assert_contains(text, lines[i]);
    ck_assert_int_eq(text[0], '{');
    ck_assert_str_eq(text + strlen(text) - 2, "}\n");
    assert_lacks(text, "\"hex\"");
    free(text);
    const finding bare = {
        .signature = {SIGNATURE_TIMEOUT, 0},
        .bytes = (const uint8_t *)"",
    };
    text = finding_to_json(&bare);
    assert_contains(text, "\"hex\": \"\"");
    assert_contains(text, "\"sut\": null");
    assert_contains(text, "\"args\": []");
    assert_lacks(text, "\"seed\"");
    free(text);
}

/* A reader of the first format skips the second, and takes no text with an s for a number. */
TEST(a_styled_seed_is_no_plain_one_to_older_readers) {
    finding f = seeded;
    f.input = (seed_input){41, 17, SEED_STYLED};
    char *text = finding_to_json(&f);
    assert_contains(text, "\"format\": 2,");
    assert_contains(text, "\"seed\": \"17s\",");
    assert_contains(text, "\"expand\": 1,");
    free(text);
    f.bytes = (const uint8_t *)"abc";
    f.input.size = 3;
    text = finding_to_json(&f);
    assert_contains(text, "\"format\": 1,");
    assert_contains(text, "\"hex\": \"616263\"");
    free(text);
}

TEST(words_that_are_no_utf8_read_back) {
    const char *args[] = {"a\xff\n", "\xed\xa0\x80", "\xff", "plain", "a\\xff\n", NULL};
    finding f = seeded;
    f.args = args;
    f.sut = "./s\xff";
    round_trip(&f);
    char *text = finding_to_json(&f);
    ck_assert_ptr_nonnull(strstr(text, "\"hex\": \"61ff0a\""));
    free(text);
}

static bool is_taken_with(const char *field, const char *value);

TEST(words_in_hex_that_are_none) {
    static const char *const refused[] = {"[{\"hex\": \"0\"}]",
                                          "[{\"hex\": \"0g\"}]",
                                          "[{\"hex\": \"ff00ff\"}]",
                                          "[{\"hex\": \"00\"}]",
                                          "[{\"hex\": 1}]",
                                          "[{\"hex\": null}]",
                                          "[{\"hexx\": \"ff\"}]",
                                          "[{}]",
                                          "[[\"ff\"]]"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) ck_assert(!is_taken_with("args", refused[i]));
    ck_assert(is_taken_with("args", "[{\"hex\": \"ff\"}, \"a\", {\"hex\": \"\"}]"));
    ck_assert(is_taken_with("sut", "{\"hex\": \"2e2fff\"}"));
    ck_assert(is_taken_with("sut", "{\"hex\": \"00\"}")); /* names no program */
}

/* ---- What is none ---- */

/* Hostile text: refused cleanly, or taken and then as good as any. */
static bool survives(const char *text, size_t size) {
    finding f;
    const char *why = NULL;
    char *copy = malloc(size > 0 ? size : 1); /* exactly as large, for the sanitizer */
    memcpy(copy, text, size);
    const bool taken = finding_from_json(copy, size, &f, &why);
    free(copy);
    if (taken) {
        ck_assert_uint_le(f.input.size, INPUT_SIZE_MAX);
        round_trip(&f);
        finding_free(&f);
    } else {
        ck_assert(why != NULL && why[0] != '\0');
        ck_assert(f.sut == NULL && f.args == NULL && f.bytes == NULL && f.owned == NULL);
    }
    return taken;
}

TEST(no_truncation_is_taken) {
    const uint8_t bytes[] = {1, 2, 3};
    finding f = seeded;
    for (int with_bytes = 0; with_bytes < 2; with_bytes++) {
        if (with_bytes) f.bytes = bytes, f.input = (seed_input){.size = 3};
        char *text = finding_to_json(&f);
        const size_t size = strlen(text);
        for (size_t cut = 0; cut + 1 < size; cut++) ck_assert(!survives(text, cut));
        ck_assert_msg(survives(text, size - 1), "the last newline says nothing");
        ck_assert(survives(text, size));
        free(text);
    }
}

TEST(flipped_bits_and_other_bytes_are_survived) {
    static const char others[] = {0, '"', '{', '}', '[', ']', ',', ':', '-', '9', (char)0xff};
    const uint8_t bytes[] = {0xab, 0xcd};
    finding f = seeded;
    for (int with_bytes = 0; with_bytes < 2; with_bytes++) {
        if (with_bytes) f.bytes = bytes, f.input = (seed_input){.size = 2};
        char *text = finding_to_json(&f);
        const size_t size = strlen(text);
        size_t refused = 0;
        for (size_t at = 0; at < size; at++) {
            const char was = text[at];
            for (int bit = 0; bit < 8; bit++) {
                text[at] = (char)(was ^ (1 << bit));
                refused += !survives(text, size);
            }
            for (size_t i = 0; i < sizeof others; i++) {
                text[at] = others[i];
                survives(text, size);
            }
            text[at] = was;
        }
        ck_assert_uint_gt(refused, size);
        free(text);
    }
}

/* A finding of so many fields, one of which says something else. */
static bool is_taken_with(const char *field, const char *value) {
    static const char *const fields[][2] = {{"format", "1"},     {"expand", "1"},
                                            {"size", "5"},       {"seed", "\"7\""},
                                            {"args", "[\"a\"]"}, {"identity", "\"exit:1\""},
                                            {"sut", "\"./s\""}};
    char text[1024];
    size_t length = 0;
    bool known = false;
    length += (size_t)sprintf(text, "{");
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const bool other = strcmp(fields[i][0], field) == 0;
        known = known || other;
        length += (size_t)sprintf(text + length, "%s\"%s\": %s", i > 0 ? ", " : "", fields[i][0],
                                  other ? value : fields[i][1]);
    }
    if (!known) length += (size_t)sprintf(text + length, ", \"%s\": %s", field, value);
    length += (size_t)sprintf(text + length, "}");
    return survives(text, length);
}

/* Fields, and values of each, one a line, that make the finding invalid. */
static const struct {
    const char *field, *values;
} values_refused[] = {
    {"format", "0\n2\n\"1\"\n1.0\n-1\nnull\n9223372036854775807"},
    {"expand", "2\n0\n\"1\"\nnull"},
    {"size", "-1\n\"5\"\n5.0\nnull\n8589934593\n9223372036854775807\n9223372036854775808\n1e3\n[]"},
    {"seed", "7\n\"\"\n\"-7\"\n\"+7\"\n\" 7\"\n\"7 \"\n\"0x7\"\n\"0x7s\"\n\"7S\"\n\"7ss\"\n\"7 "
             "s\"\n\"s\"\n\"7s\\u0000\"\n\"18446744073709551616s\"\n\"18446744073709551616\"\nnull"
             "\n\"7\\u0000\""},
    {"args", "\"a\"\n[1]\n[null]\n{}\n7\n[\"a\", [\"b\"]]\n[\"a\\u0000b\"]"},
    {"identity", "1\n\"\"\n\"exit:0\"\n\"exit:256\"\nnull\n\"pass\""},
    {"hex", "\"0\"\n\"0g\"\n\" 00\""},
};

/* A field, and a value that leaves the finding valid. */
static const char *const values_taken[][2] = {
    {"size", "0"},
    {"size", INPUT_SIZE_MAX >> 33 ? "8589934592" : "1073741824"},
    {"seed", "\"18446744073709551615\""},
    {"seed", "\"18446744073709551615s\""},
    {"args", "[]"},
    {"sut", "null"},
    {"sut", "7"},
    {"hex", "\"\""},
    {"hex", "\"00FFaa\""},
    {"reruns", "-1"},
    {"reruns", "\"x\""},
    {"repeated", "9223372036854775807"},
    {"when", "{}"},
    {"unknown", "[[[{}]]]"}};

TEST(fields_with_a_wrong_value_are_refused) {
    for (size_t i = 0; i < COUNT_OF(values_refused); i++) {
        char values[512], *rest = values;
        snprintf(values, sizeof values, "%s", values_refused[i].values);
        for (const char *v = strsep(&rest, "\n"); v != NULL; v = strsep(&rest, "\n")) {
            ck_assert_msg(!is_taken_with(values_refused[i].field, v), "%s: %s was taken",
                          values_refused[i].field, v);
        }
    }
}

TEST(fields_with_an_odd_value_are_taken) {
    for (size_t i = 0; i < COUNT_OF(values_taken); i++) {
        ck_assert_msg(is_taken_with(values_taken[i][0], values_taken[i][1]), "%s: %s was refused",
                      values_taken[i][0], values_taken[i][1]);
    }
}

TEST(a_text_that_is_no_finding_is_refused) {
    static const char *const bad[] = {
        "",
        " ",
        "\n",
        "null",
        "1",
        "[]",
        "{}",
        "\"x\"",
        "{\"format\": 1}",
        "[{\"format\": 1}]",
        "not json at all",
        "{\"format\": 1, \"format\": 1}",
        "\xef\xbb\xbf{}",
        "{'format': 1}",
        "{\"format\": 1, \"expand\": 1, \"size\": 1, \"seed\": \"1\"}",
        "{\"format\": 1, \"expand\": 1, \"size\": 1, \"identity\": \"exit:1\"}",
        "{\"format\": 1, \"expand\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}",
        "{\"format\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}",
        "{\"format\": 1, \"hex\": \"00\", \"hex\": \"01\", \"identity\": \"exit:1\"}",
        "{\"format\": 1, \"expand\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"} x"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_msg(!survives(bad[i], strlen(bad[i])), "'%s' was taken", bad[i]);
    }
    const char *least =
        "{\"format\": 1, \"expand\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}";
    ck_assert(survives(least, strlen(least)));
    const char *hex = "{\"format\": 1, \"hex\": \"0102\", \"identity\": \"timeout\"}";
    ck_assert_msg(survives(hex, strlen(hex)), "bytes do not depend on how seeds expand");
}

/* More failures than runs are known to nobody: it is as though there were no word about either. */
TEST(counts_that_contradict_each_other) {
    static const struct {
        unsigned reruns, repeated, told_reruns, told_repeated;
    } cases[] = {{20, 19, 20, 19}, {20, 20, 20, 20}, {19, 20, 0, 0}, {0, 1, 0, 0}, {1, 0, 1, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        finding f = seeded, back;
        const char *why = "untouched";
        f.reruns = cases[i].reruns;
        f.repeated = cases[i].repeated;
        char *text = finding_to_json(&f);
        ck_assert(finding_from_json(text, strlen(text), &back, &why));
        ck_assert_uint_eq(back.reruns, cases[i].told_reruns);
        ck_assert_uint_eq(back.repeated, cases[i].told_repeated);
        finding_free(&back);
        free(text);
    }
}

TEST(a_later_format_is_named) {
    const char *why = NULL;
    finding f;
    ck_assert(!finding_from_json("{\"format\": 3}", 13, &f, &why));
    assert_contains(why, "later format");
    ck_assert(!finding_from_json("{}", 2, &f, &why));
    assert_contains(why, "not a finding");
    ck_assert(!finding_from_json("x", 1, &f, &why));
    assert_contains(why, "not a JSON object");
}

TEST(deep_nests_are_survived) {
    enum { DEPTH = 500000 };
    char *text = malloc(DEPTH);
    memset(text, '[', DEPTH);
    ck_assert(!survives(text, DEPTH));
    for (size_t i = 0; i + 5 <= DEPTH; i += 5) memcpy(text + i, "{\"a\":", 5);
    ck_assert(!survives(text, DEPTH));
    free(text);
}

/* ---- Files ---- */

static bool is_read(const char *name, const char **why) {
    finding f;
    *why = NULL;
    const bool ok = finding_read(AT_FDCWD, test_dir_path(name), &f, why);
    if (ok) finding_free(&f);
    ck_assert(ok || *why != NULL);
    return ok;
}

TEST(a_finding_is_read_from_a_file) {
    const char *why;
    finding f;
    char *text = finding_to_json(&seeded);
    test_dir_text("good", text, 0600);
    ck_assert(finding_read(AT_FDCWD, test_dir_path("good"), &f, &why));
    assert_same(&seeded, &f);
    finding_free(&f);
    const int folder = open(test_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert(finding_read(folder, "good", &f, &why));
    finding_free(&f);
    close(folder);
    ck_assert_int_eq(symlink("good", test_dir_path("link")), 0);
    ck_assert(is_read("link", &why));
    free(text);
}

TEST(the_largest_file_and_one_larger) {
    const char *why;
    const size_t size = FINDING_SIZE_MAX;
    char *text = finding_to_json(&seeded);
    char *padded = malloc(size + 1);
    memset(padded, ' ', size + 1);
    memcpy(padded, text, strlen(text));
    test_dir_file("largest", padded, size, 0600);
    ck_assert(is_read("largest", &why));
    test_dir_file("larger", padded, size + 1, 0600);
    ck_assert(!is_read("larger", &why));
    ck_assert_str_eq(why, "it is too large");
    test_dir_text("sparse", "", 0600);
    ck_assert_int_eq(truncate(test_dir_path("sparse"), INT64_C(1) << 40), 0);
    ck_assert(!is_read("sparse", &why));
    ck_assert_str_eq(why, "it is too large");
    free(padded);
    free(text);
}

TEST(what_is_no_file_does_not_hold_it_up) {
    const char *why;
    ck_assert_int_eq(mkdir(test_dir_path("folder"), 0700), 0);
    ck_assert_int_eq(mkfifo(test_dir_path("fifo"), 0600), 0);
    ck_assert_int_eq(symlink("loop", test_dir_path("loop")), 0);
    ck_assert_int_eq(symlink("fifo", test_dir_path("to-fifo")), 0);
    ck_assert_int_eq(symlink("/dev/zero", test_dir_path("to-zero")), 0);
    ck_assert(!is_read("folder", &why));
    ck_assert_str_eq(why, "it is not a regular file");
    ck_assert(!is_read("fifo", &why));
    ck_assert_str_eq(why, "it is not a regular file");
    ck_assert(!is_read("to-fifo", &why));
    ck_assert(!is_read("to-zero", &why));
    ck_assert_str_eq(why, "it is not a regular file");
    ck_assert(!is_read("loop", &why));
    ck_assert_str_eq(why, strerror(ELOOP));
    ck_assert(!is_read("missing", &why));
    ck_assert_str_eq(why, strerror(ENOENT));
    test_dir_text("empty", "", 0600);
    ck_assert(!is_read("empty", &why));
}

/* Two known answers of BLAKE2b-256, and one longer than is read at once. */
TEST(a_digest_is_blake2b_of_the_file) {
    const char *of_nothing = "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8";
    const char *of_abc = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319";
    char *digest = finding_digest(test_dir_text("nothing", "", 0600));
    ck_assert_str_eq(digest, of_nothing);
    free(digest);
    digest = finding_digest(test_dir_text("abc", "abc", 0600));
    ck_assert_str_eq(digest, of_abc);
    free(digest);
    static char long_text[200001];
    memset(long_text, 'a', 200000);
    digest = finding_digest(test_dir_text("long", long_text, 0600));
    ck_assert_str_eq(digest, "5d9714feafe283193f3554a956c08f5d8fbade49844b12bf3ba49ac2aa9107e3");
    free(digest);
    errno = 0;
    ck_assert_ptr_null(finding_digest(test_dir_path("missing")));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_ptr_null(finding_digest(test_dir));
    ck_assert_int_eq(errno, EINVAL);
}

/* A program that has replaced its file has put a pipe there, or something endless. */
TEST(digests_of_what_has_no_end) {
    sigset_t set;
    char path[PATH_MAX];
    ck_assert_int_eq(mkfifo(test_dir_path("pipe"), 0700), 0);
    ck_assert_ptr_null(finding_digest(test_dir_path("pipe")));
    ck_assert_int_eq(errno, EINVAL);
    ck_assert_ptr_null(finding_digest("/dev/zero"));
    ck_assert_int_eq(errno, EINVAL);
    snprintf(path, sizeof path, "%s", test_dir_text("sparse", "", 0700));
    ck_assert_int_eq(truncate(path, (off_t)1 << 40), 0);
    ck_assert_ptr_null(finding_digest(path));
    ck_assert_int_eq(errno, EFBIG);
    ck_assert_int_eq(truncate(path, (off_t)4 << 30), 0);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    ck_assert_int_eq(sigprocmask(SIG_BLOCK, &set, NULL), 0);
    ck_assert_int_eq(raise(SIGTERM), 0);
    ck_assert_ptr_null(finding_digest(path));
    ck_assert_int_eq(errno, EINTR);
}
