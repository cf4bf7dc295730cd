/* outline.h: the units and the brackets of literal texts. */
#include "outline.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

typedef struct sample {
    outline_kind kind;
    size_t level;
    const char *text;
    const char *units; /* each in angle brackets */
} sample;

static const char script[] = "a\nif b\nthen\n  c\n  for d\n    e\n  done\nelse\n  f\nfi\n\ng\n";
static const char code[] =
    "int a;\nint f(x, y)\n{\n  g(\"}\");\n  if (x) {\n    h;\n  }\n}\n\nint b;\n";
static const char page[] = "<a><b i=\">\"/>t<c>\n</c>\n<d><e></a>";

static const sample samples[] = {
    {OUTLINE_INDENTS, 0, "", ""},
    {OUTLINE_INDENTS, 0, "a\nb", "<a\n><b>"},
    {OUTLINE_INDENTS, 0, script,
     "<a\n><if b\nthen\n  c\n  for d\n    e\n  done\nelse\n  f\nfi\n\n><g\n>"},
    {OUTLINE_INDENTS, 1, script, "<  c\n><  for d\n    e\n  done\n><  f\n>"},
    {OUTLINE_INDENTS, 2, script, "<    e\n>"},
    {OUTLINE_INDENTS, 3, script, ""},
    {OUTLINE_BRACKETS, 0, code,
     "<int a;\n><int f(x, y)\n{\n  g(\"}\");\n  if (x) {\n    h;\n  }\n}\n\n><int b;\n>"},
    {OUTLINE_BRACKETS, 1, code, "<x, ><,y><\n  g(\"}\");\n><  if (x) {\n    h;\n  }>"},
    {OUTLINE_BRACKETS, 2, code, "<\"}\"><x><\n    h;\n>"},
    {OUTLINE_BRACKETS, 1, "[1, [2, 3], {\"a\": \",\"}]", "<1, ><[2, 3], ><,{\"a\": \",\"}>"},
    {OUTLINE_BRACKETS, 2, "[1, [2, 3], {\"a\": \",\"}]", "<2, ><,3><\"a\": \",\">"},
    {OUTLINE_BRACKETS, 1, "[1, 2,]", "<1, ><2,>"},
    {OUTLINE_BRACKETS, 0, "a)b", "<a)b>"},
    {OUTLINE_BRACKETS, 1, "a(b", "<b>"},
    {OUTLINE_BRACKETS, 1, "don't (a, can't)", "<a, ><,can't>"},
    {OUTLINE_TAGS, 0, page, "<<a><b i=\">\"/>t<c>\n</c>\n<d><e></a>>"},
    {OUTLINE_TAGS, 1, page, "<<b i=\">\"/>><<c>\n</c>\n>"},
    {OUTLINE_TAGS, 0, "a < b > c", ""},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* The unit, from its comma on if it can only go with that. */
static void add(char *out, const char *text, const unit *u) {
    char *end = out + strlen(out);
    sprintf(end, "<%s%.*s>", u->is_last ? "," : "", (int)(u->end - u->start), text + u->start);
}

TEST_EACH(units_of_a_text, SAMPLES) {
    const sample *s = &samples[_i];
    char seen[256] = "";
    testcase t;
    unit u;
    ck_assert(testcase_init(&t, traced_run_of((const uint8_t *)s->text, strlen(s->text))));
    for (outline o = outline_begin(&t, s->kind, s->level); outline_next(&o, &t, &u);) {
        add(seen, s->text, &u);
        ck_assert(!u.is_last || s->text[u.comma] == ',');
    }
    ck_assert_str_eq(seen, s->units);
    testcase_finish(&t);
}

/* ---- Brackets ---- */

/* The index of the sign that closes the bracket at the beginning of a text. */
static size_t closing_in(const char *text, size_t size) {
    testcase t;
    ck_assert(testcase_init(&t, traced_run_of((const uint8_t *)text, size)));
    const size_t at = text_closing(&t, 0);
    testcase_finish(&t);
    return at;
}

TEST(a_bracket_is_closed_by_the_sign_of_its_depth) {
    ck_assert_uint_eq(closing_in("(a)", 3), 2);
    ck_assert_uint_eq(closing_in("((a)b)c)", 8), 5);
    ck_assert_uint_eq(closing_in("((a)", 4), 4);
}

TEST(a_bracket_is_not_closed_beyond_its_reach) {
    static char text[TEXT_REACH + 1];
    memset(text, 'a', sizeof text);
    text[0] = '(';
    text[TEXT_REACH - 1] = ')';
    ck_assert_uint_eq(closing_in(text, sizeof text), TEXT_REACH - 1);
    text[TEXT_REACH - 1] = 'a';
    text[TEXT_REACH] = ')';
    ck_assert_uint_eq(closing_in(text, sizeof text), sizeof text);
}
