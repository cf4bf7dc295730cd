/* output_site.h on what real programs print (sites.txt), and rules of users. */
#include "output_site.h"
#include "suite.h"

static output_scan *scan;

/* In pieces, as reads of a pipe have them. */
static const char *site_by(const regex_t *rule, const char *text) {
    static char site[SITE_MAX];
    const size_t size = strlen(text);
    if (scan == NULL) scan = output_scan_create();
    ck_assert_ptr_nonnull(scan);
    output_scan_begin(scan, rule);
    for (size_t at = 0, count; at < size; at += count) {
        count = smaller(size - at, 1 + at % 7);
        output_scan_add(scan, (const uint8_t *)text + at, count);
    }
    output_scan_end(scan, site);
    return site;
}

static const char *site_by_rule(const char *rule, const char *text) {
    regex_t compiled;
    ck_assert_ptr_null(output_site_rule(rule, &compiled));
    const char *site = site_by(&compiled, text);
    regfree(&compiled);
    return site;
}

/* ---- Outputs of programs ---- */

/* Return whether an output of sites.txt gives the site that it is to give. */
static bool is_as_told(const char *title, const char *text, const char *wanted) {
    const char *site = site_by(NULL, text);
    if (strcmp(site, wanted) == 0) return true;
    fprintf(stderr, "%s\n    but the site is \"%s\"\n", title, site);
    return false;
}

/* A line is "! CHECK: MESSAGE". */
static bool is_check_as_told(const char *line) {
    char text[1024], wanted[128];
    const char *colon = strchr(line, ':');
    snprintf(text, sizeof text, "u.c:3:5: runtime error: %s", colon + 2);
    snprintf(wanted, sizeof wanted, "ubsan:%.*s at u.c:3", (int)(colon - line) - 2, line + 2);
    return is_as_told(line, text, wanted);
}

TEST(each_output_of_the_file_names_its_site) {
    static char text[BYTES_TAIL_MAX];
    char title[256] = "", line[1024];
    unsigned count = 0, wrong = 0;
    FILE *file = fopen(SITES_FILE, "re");
    ck_assert_ptr_nonnull(file);
    for (bool is_last = false; !is_last;) {
        is_last = fgets(line, sizeof line, file) == NULL;
        if (is_last || line[0] == '@') {
            if (title[0] != '\0') wrong += !is_as_told(title, text, strstr(title, ": ") + 2);
            snprintf(title, sizeof title, "%.*s", (int)strcspn(line, "\n"), line);
            text[0] = '\0';
            count++;
        } else if (line[0] == '!') {
            wrong += !is_check_as_told(line);
            count++;
        } else if (title[0] != '\0') {
            ck_assert_uint_lt(strlen(text) + strlen(line), sizeof text);
            strcat(text, line);
        }
    }
    fclose(file);
    ck_assert_uint_gt(count, 85);
    ck_assert_uint_eq(wrong, 0);
}

/* A message that comes after, before or between so many bytes of log, in lines of any length. */
static const char *site_within(size_t before, const char *text, size_t after, size_t line) {
    static char all[1 << 20];
    const size_t size = strlen(text);
    memset(all, 'x', sizeof all);
    for (size_t i = line - 1; i < before + size + after; i += line) all[i] = '\n';
    if (before > 0) all[before - 1] = line > before ? ' ' : '\n';
    memcpy(all + before, text, size);
    all[before + size + after] = '\0';
    return site_by(NULL, all);
}

TEST(a_message_is_found_wherever_it_is) {
    static const size_t sizes[] = {0, 100, 5000, 70000, 131000, 140000, 400000};
    static const char trace[] = "\nthread 'main' panicked at src/q.rs:7:5:\nx\n";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            ck_assert_str_eq(
                site_within(sizes[i], "a: q.c:31: f: Assertion `x' failed.\n", sizes[k], 80),
                "q.c:31");
            ck_assert_str_eq(
                site_within(sizes[i], "q.c:31: assertion failed: x\n", sizes[k], 1 << 20),
                "q.c:31");
            ck_assert_str_eq(site_within(sizes[i], trace, sizes[k], 60), "rust:panic at q.rs:7");
        }
    }
    for (size_t before = 3000; before < 4200; before++) /* at any border of two pieces */
        ck_assert_str_eq(site_within(before, "q.c:31: assertion failed: x\n", 9000, 1 << 20),
                         "q.c:31");
}

/* ---- Rules of users ---- */

/* A rule, an output, and the site. A rule comes before what is known, and leaves the rest to it. */
TEST(a_rule_finds_its_first_group_or_its_whole_match) {
    static const char *const all[][3] = {
        {"bug ([0-9]+)", "x\nbug 17: y\nbug 18\n", "17"},
        {"bug [0-9]+", "x\nbug 17: y\n", "bug 17"},
        {"^bug( [0-9]+)?$", "a bug\nbug\n", "bug"},
        {"x.*", "ax\ny\n", "x"},
        {"a.c",
         "a\x1b"
         "c\n",
         "a\\x1bc"},
        {"code ([0-9])", "prog: b.c:12: main: Assertion `x' failed.\ncode 7\n", "7"},
        {"code ([a-z])", "prog: b.c:12: main: Assertion `x' failed.\ncode 7\n", "b.c:12"}};
    char text[2000];
    regex_t compiled;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ck_assert_str_eq(site_by_rule(all[i][0], all[i][1]), all[i][2]);
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert_uint_lt(strlen(site_by_rule("x+", text)), SITE_PLACE_MAX);
    const char *why = output_site_rule("a(b", &compiled);
    ck_assert(why != NULL && strchr(why, '(') != NULL);
}
