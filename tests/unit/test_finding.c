/* store.h: findings as JSON and back, and everything that is none. What a text looks like is in
 * tests/transcripts/seeds.t, kinds of files in test_store.c, more hostile texts in tests/fuzz. */
#include "fixture.h"
#include "frng_protocol.h"
#include "store.h"

#include <errno.h>

static const uint8_t some_bytes[] = {0xab, 0, 1, 2};
static const remark some_remarks[] = {{0, "any"}, {4, "4..1000"}, {1 << 20, "= \xc3\xa9"}};

static const finding seeded = {
    .sut = "./my sut",
    .sut_digest = "00ff",
    .args = (const char *[]){"--flag", "two words", "", "\xc3\xa9 \"quoted\" \\ \n\x01", NULL},
    .of = {.input = {41, UINT64_MAX, SEED_PLAIN},
           .signature = {SIGNATURE_SIGNAL, SIGABRT},
           .site = "queue.c:12",
           .reruns = 20,
           .repeated = 19,
           .draws = {FRNG_DRAWS_KEPT, 7}},
    .when = "2024-01-31T23:59:59Z",
};

static const finding reduced = {
    .args = (const char *[]){"a\xff\n", "\xed\xa0\x80", "plain", "a\\xff\n", NULL}, /* no UTF-8 */
    .sut = "./s\xff",
    .of = {.signature = {SIGNATURE_EXIT, 255},
           .input = {.size = sizeof some_bytes},
           .form = FORM_REDUCED},
    .bytes = some_bytes,
    .from = {.size = 41, .seed = 7, .style = SEED_STYLED},
    .remarks = {some_remarks, COUNT_OF(some_remarks)},
};

static void assert_text(const char *a, const char *b) {
    if (a == NULL || b == NULL) {
        ck_assert_ptr_eq(a, b);
    } else {
        ck_assert_str_eq(a, b);
    }
}

/* All that a finding has is in its text. */
static void assert_same(const finding *a, const finding *b) {
    char *text = finding_to_json(a), *other = finding_to_json(b);
    ck_assert_str_eq(text, other);
    free(text);
    free(other);
}

/* Read a text of any bytes. It is refused with a reason, or as good as any: then it is written and
 * read again. With a space at its end it is the same JSON, but no text of ours: jansson reads it.
 */
static bool is_taken(const char *text, size_t size, finding *f, const char **why) {
    const char *other_why = NULL;
    finding other, back;
    char *copy = malloc(size + 1); /* exactly as large, for the sanitizer */
    memcpy(copy, text, size);
    *why = NULL;
    const bool ok = finding_from_json(copy, size, f, why);
    copy[size] = ' ';
    ck_assert_msg(finding_from_json(copy, size + 1, &other, &other_why) == ok, "%s", text);
    assert_text(*why, other_why);
    free(copy);
    if (!ok) {
        ck_assert(*why != NULL && f->sut == NULL && f->args == NULL && f->owned == NULL);
        return false;
    }
    assert_same(f, &other);
    finding_free(&other);
    ck_assert_uint_le(f->of.input.size, INPUT_SIZE_MAX);
    copy = finding_to_json(f);
    ck_assert(finding_from_json(copy, strlen(copy), &back, why));
    assert_same(f, &back);
    finding_free(&back);
    free(copy);
    return true;
}

static bool survives(const char *text, size_t size) {
    finding f;
    const char *why;
    const bool ok = is_taken(text, size, &f, &why);
    if (ok) finding_free(&f);
    return ok;
}

static void round_trip(const finding *f) {
    finding back;
    const char *why;
    char *text = finding_to_json(f);
    ck_assert_msg(is_taken(text, strlen(text), &back, &why), "%s: %s", why, text);
    assert_same(f, &back);
    ck_assert(back.of.reruns == f->of.reruns && back.of.repeated == f->of.repeated);
    finding_free(&back);
    finding_free(&back); /* a zeroed one is free */
    free(text);
}

/* ---- There and back ---- */

TEST(a_finding_reads_back_as_it_was_written) {
    static const uint64_t sizes[] = {0, 1, 41, 1 << 20, INPUT_SIZE_MAX};
    static const uint64_t seeds[] = {0, 1, UINT64_C(1) << 53 | 1, INT64_MAX, UINT64_MAX};
    const char *words[20] = {NULL};
    uint8_t bytes[256];
    finding f = seeded;
    round_trip(&reduced);
    round_trip(&f);
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(seeds); i++) {
        for (int style = SEED_PLAIN; style <= SEED_STYLED; style++) {
            f.of.input = (seed_input){sizes[i / 5], seeds[i % 5],
                                      style == SEED_PLAIN ? SEED_PLAIN : SEED_STYLED};
            round_trip(&f);
        }
    }
    f.sut = "./sut";
    f.args = words;
    for (size_t args = 0; args + 1 < COUNT_OF(words); args++) { /* with few it is read quickly */
        snprintf(f.of.site, sizeof f.of.site, "%s", args % 2 == 0 ? "" : seeded.of.site);
        round_trip(&f);
        words[args] = "two words";
    }
    f = (finding){.of.signature = {SIGNATURE_TIMEOUT, 0}};
    round_trip(&f);
    for (int i = 0; i < 256; i++) {
        bytes[i] = (uint8_t)(255 - i);
        f = (finding){.of = {.signature = {SIGNATURE_EXIT, 1 + i % 255},
                             .input.size = (uint64_t)i,
                             .form = FORM_BYTES},
                      .bytes = bytes};
        round_trip(&f);
    }
}

TEST(a_text_that_was_changed_is_refused_or_as_good_as_any) {
    static const char others[] = {0,    '"', '{', '}', '[', ']',  ',', ':',  '-',
                                  '\\', ' ', '.', '0', '9', '\n', 'x', 0x7f, (char)0xff};
    const finding plain = {.sut = "./sut",
                           .args = (const char *[]){"two words", NULL},
                           .of = {.input = {41, 17, SEED_PLAIN}, .signature = {SIGNATURE_EXIT, 3}}};
    const finding *const all[] = {&seeded, &reduced, &plain};
    for (size_t n = 0; n < COUNT_OF(all); n++) {
        char *text = finding_to_json(all[n]);
        const size_t size = strlen(text);
        size_t refused = 0;
        for (size_t at = 0; at < size; at++) {
            const char was = text[at];
            ck_assert(at + 1 >= size || !survives(text, at)); /* cut short */
            for (size_t i = 0; i < 8 + sizeof others; i++) {
                text[at] = (char)(i < 8 ? was ^ (1 << i) : others[i - 8]);
                refused += !survives(text, size);
            }
            text[at] = was;
        }
        ck_assert_uint_gt(refused, size);
        ck_assert_msg(survives(text, size - 1), "the last newline says nothing");
        text[size] = 'x';
        ck_assert(!survives(text, size + 1));
        free(text);
    }
}

/* ---- What is none ---- */

/* Read a finding one field of which says something else. */
static bool is_taken_with(const char *field, const char *value, finding *f) {
    static const char *const fields[][2] = {{"format", "1"},    {"expand", "1"},
                                            {"size", "5"},      {"seed", "\"7\""},
                                            {"sut", "\"s\""},   {"identity", "\"exit:1\""},
                                            {"args", "[\"a\"]"}};
    char text[1024] = "{";
    const char *why;
    bool is_known = false;
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const bool is_other = strcmp(fields[i][0], field) == 0;
        is_known |= is_other;
        sprintf(text + strlen(text), "\"%s\": %s, ", fields[i][0], is_other ? value : fields[i][1]);
    }
    sprintf(text + strlen(text), "\"%s\": %s}", is_known ? "more" : field, value);
    return is_taken(text, strlen(text), f, &why);
}

/* A field, and values, one a line: those before "/" make the finding invalid, the others do not. */
static const char *const values[][2] = {
    {"format", "0\n\"1\"\n1.0\n-1\nnull\n9223372036854775807"},
    {"expand", "2\n0\n\"1\"\nnull"},
    {"size", "-1\n\"5\"\n5.0\nnull\n8589934593\n9223372036854775807\n9223372036854775808\n1e3\n[]"
             "\n/\n0\n1073741824"},
    {"seed", "7\n\"\"\n\"-7\"\n\"+7\"\n\" 7\"\n\"7 \"\n\"0x7\"\n\"0x7s\"\n\"7S\"\n\"7ss\"\n\"7 "
             "s\"\n\"s\"\n\"7s\\u0000\"\n\"18446744073709551616s\"\n\"18446744073709551616\"\nnull"
             "\n\"7\\u0000\"\n/\n\"18446744073709551615\"\n\"18446744073709551615s\""},
    {"args", "\"a\"\n[1]\n[null]\n{}\n7\n[\"a\", [\"b\"]]\n[\"a\\u0000b\"]\n[{\"hex\": \"0\"}]\n"
             "[{\"hex\": \"0g\"}]\n[{\"hex\": \"ff00ff\"}]\n[{\"hex\": 1}]\n[{\"hexx\": \"ff\"}]\n"
             "[{}]\n[[\"ff\"]]\n/\n[]\n[{\"hex\": \"ff\"}, \"a\", {\"hex\": \"\"}]"},
    {"identity", "1\n\"\"\n\"exit:0\"\n\"exit:256\"\nnull\n\"pass\""},
    {"hex", "\"0\"\n\"0g\"\n\" 00\"\n/\n\"\"\n\"00FFaa\""},
    {"sut", "/\nnull\n7\n{\"hex\": \"2e2fff\"}\n{\"hex\": \"00\"}"},
    {"reruns", "-1\n\"x\"\n4294967296\n/\nnull\n4294967295"},
    {"repeated", "-1\n/\n1\n0"}, /* more than its reruns, which are none: known to nobody */
    {"when", "/\n{}\n7"},
    {"draws", "7\n\"\"\n\"-0123456789abcdef\"\n\"0-0123456789abcdef\"\n\"4097-0123456789abcdef\"\n"
              "\"12345-0123456789abcdef\"\n\"1-0123456789abcde\"\n\"1-0123456789abcdeff\"\n"
              "\"1-0123456789ABCDEF\"\n\"1 0123456789abcdef\"\n\"+1-0123456789abcdef\"\n"
              "\"1-0123456789abcdef\\u0000\"\n/\nnull\n\"4096-0123456789abcdef\""},
    {"from_seed", "/\n7\n\"?s\""},
    {"unknown", "/\n[[[{}]]]"},
    {"fails_with", "/\n{}\n7\n[7, {}, {\"offset\": -1, \"text\": \"any\"}, null]\n"
                   "[{\"offset\": 1}, {\"offset\": 1, \"text\": 2}]"}};

TEST(fields_with_a_wrong_value_are_refused_and_odd_ones_taken) {
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        char text[512], *rest = text;
        bool is_valid = false;
        snprintf(text, sizeof text, "%s", values[i][1]);
        for (const char *v = strsep(&rest, "\n"); v != NULL; v = strsep(&rest, "\n")) {
            finding f;
            is_valid |= v[0] == '/';
            if (v[0] == '/') continue;
            const bool ok = is_taken_with(values[i][0], v, &f);
            ck_assert_msg(ok == is_valid, "%s: %s", values[i][0], v);
            if (ok) ck_assert(f.remarks.count == 0 && f.from.size == 0 && f.of.repeated == 0);
            finding_free(&f);
        }
    }
}

TEST(a_text_that_is_no_finding_is_refused_with_the_reason) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "it is cut short, or not a JSON object"},
        {"null", "it is cut short, or not a JSON object"},
        {"[{\"format\": 1}]", "it is cut short, or not a JSON object"},
        {"{'format': 1}", "it is cut short, or not a JSON object"},
        {"\xef\xbb\xbf{}", "it is cut short, or not a JSON object"},
        {"{\"format\": 1, \"format\": 1}", "it is cut short, or not a JSON object"},
        {"{}", "it is not a finding of frng"},
        {"{\"format\": 3}", "it is of a later format than this frng reads"},
        {"{\"format\": 1, \"expand\": 1, \"size\": 1, \"seed\": \"1\"}", "it has no \"identity\""},
        {"{\"format\": 1, \"expand\": 1, \"size\": 1, \"identity\": \"exit:1\"}",
         "it has no \"seed\""},
        {"{\"format\": 1, \"size\": 1, \"seed\": 1, \"identity\": \"exit:1\"}",
         "its seed is not valid: give a text such as 17 or 17s"},
        {"{\"format\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\", \"reruns\": -1}",
         "its \"reruns\" makes no sense"},
        {"{\"format\": 1, \"expand\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}",
         "it has no \"size\""},
        {"{\"format\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}",
         "its seeds expand in another way"},
        {"{\"format\": 1, \"expand\": 1, \"size\": 1, \"seed\": \"1\", \"identity\": \"exit:1\"}",
         NULL},
        {"{\"format\": 1, \"hex\": \"0102\", \"identity\": \"timeout\"}", NULL}};
    enum { DEPTH = 500000 };
    char *deep = malloc(DEPTH);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        finding f;
        const char *why;
        if (is_taken(cases[i].text, strlen(cases[i].text), &f, &why)) why = NULL;
        assert_text(why, cases[i].why);
        finding_free(&f);
    }
    memset(deep, '[', DEPTH);
    ck_assert(!survives(deep, DEPTH));
    for (size_t i = 0; i + 5 <= DEPTH; i += 5) memcpy(deep + i, "{\"a\":", 5);
    ck_assert(!survives(deep, DEPTH));
    free(deep);
}
