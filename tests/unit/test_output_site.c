/* output_site.h on what real programs print (sites.txt), and rules of users. */
#include "output_site.h"
#include "suite.h"

static const char *site_by(const regex_t *rule, const char *text) {
    static char site[SITE_MAX];
    static bytes_tail output;
    memset(&output, 0, sizeof output);
    bytes_tail_add(&output, (const uint8_t *)text, strlen(text));
    output_site(&output, rule, site);
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
    char title[256] = "", line[1024], text[BYTES_TAIL_MAX];
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

TEST(a_long_output_is_searched_at_both_ends) {
    static char text[10000];
    char *end = text;
    end += sprintf(end, "Traceback (most recent call last):\n  File \"/a/p.py\", line 3, in f\n");
    for (int i = 0; i < 1000; i++) end += sprintf(end, "    f(x)\n");
    end += sprintf(end, "\nValueError: x\n");
    ck_assert_str_eq(site_by(NULL, text), "");
    sprintf(end, "  File \"/a/p.py\", line 4, in f\nKeyError: 3\n");
    ck_assert_str_eq(site_by(NULL, text), "python:KeyError at p.py:4");
    static const char whole[] = "\nqueue.c:31: assertion failed: x\n";
    memset(text, 'x', BYTES_TAIL_MAX); /* no byte more than is kept: no line is cut */
    text[BYTES_TAIL_MAX] = '\0';
    memcpy(text + BYTES_TAIL_HEAD - 10, whole, sizeof whole - 1);
    ck_assert_str_eq(site_by(NULL, text), "queue.c:31");
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
