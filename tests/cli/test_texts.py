"""frng-reduce --predicate: what goes from a text when no single line, token or byte can go."""

import sys
import unittest

import frng


class Texts(frng.Scenario):
    def judged(self, name, text, condition, *arguments):
        """What is left of a text while a condition of Python on the `text` and its `lines` holds."""
        self.script("interesting", f"""
exec {sys.executable} -IS -c '
import sys
text = open(sys.argv[1]).read()
lines = text.splitlines()
sys.exit(not ({condition}))' "$1"
""")
        self.write(name, text.encode())
        result = self.run_tool(frng.REDUCE, "--predicate", "./interesting", name, *arguments)
        self.assert_exit(result, 0)
        return (self.folder / f"{name}.reduced").read_text()

    def test_a_column_goes_from_all_rows_at_once(self):
        table = "id,name,total\n7,ann,12\n8,bob,95\n"
        left = self.judged("table.csv", table,
                           'len({line.count(",") for line in lines}) == 1 and len(lines) == 3 and '
                           '"total" in lines[0].split(",")')
        self.assertEqual(left, "total\n\n\n")

    @frng.long
    def test_a_column_goes_from_a_table_of_sql_and_from_its_rows(self):
        script = "CREATE TABLE t (a, b, c);\nINSERT INTO t VALUES (1, 2, 3);\n"
        left = self.judged("table.sql", script,
                           'text.count(",") % 2 == 0 and "TABLE t (" in text and '
                           '"3)" in text.split(";")[1] and text.split(";")[0].count(",") == '
                           'text.split(";")[1].count(",")')
        self.assertEqual(left, "TABLE t (;3)")

    @frng.long
    def test_the_lines_around_a_block_go_and_leave_what_is_in_it(self):
        script = "if true; then\n    for x in 1 2; do\n        exit 3\n    done\nfi\n"
        words = '(lambda w: w.count("do") == w.count("done") and w.count("then") == w.count("fi"))'
        left = self.judged("run.sh", script, f'"exit 3" in text and {words}(text.split())')
        self.assertEqual(left, "exit 3")

    def test_a_block_of_python_is_indented_less_when_its_head_goes(self):
        program = "def f():\n    if 1:\n        x = 2\n        return x\n"
        left = self.judged("f.py", program, 'compile(text, "f", "exec") and "x = 2" in text')
        self.assertEqual(left, "x = 2")

    @frng.long
    def test_an_inner_object_takes_the_place_of_those_around_it(self):
        left = self.judged("a.json", '{"a": {"b": [{"c": {"d": 1}}]}}',
                           '__import__("json").loads(text) and "d" in text')
        self.assertEqual(left, '{"d":1}')

    @frng.long
    def test_a_name_gets_shorter_everywhere_at_once(self):
        page = "<catalogue><entry>x</entry></catalogue>"
        nested = r'__import__("re").fullmatch(r"<(\w+)><(\w+)>.?</\2></\1>", text)'
        left = self.judged("a.xml", page, nested)
        self.assertEqual(len(left), len("<a><b></b></a>"))

    @frng.long
    def test_tokens_go_together_that_do_not_go_alone(self):
        program = "w(){}d(){}r(){}h(){}s(){}"
        left = self.judged("a.c", program,
                           r'__import__("re").fullmatch(r"([a-z]\(\)\{\})*", text) and "r(" in text')
        self.assertEqual(left, "r(){}")

    @frng.long
    def test_most_of_a_long_text_goes_in_a_hundred_calls(self):
        functions = [f"int f{n}(int x) {{\n    x += {n};\n    return g(x, {n});\n}}\n"
                     for n in range(80)]
        left = self.judged("a.c", "".join(functions),
                           'text.count("{") == text.count("}") and "x += 57;" in text and '
                           '"return g(x, 31);" in text and "f57(" in text and "f31(" in text',
                           "--calls", "100", "--jobs", "1")
        self.assertLess(len(left), 120)

    @frng.long
    def test_tags_that_never_close_do_not_keep_a_text_large(self):
        left = self.judged("open.xml", "<a>" * 24000 + "NEEDLE", '"NEEDLE" in text',
                           "--calls", "500")
        self.assertEqual(left, "NEEDLE")

    def test_elements_that_are_nested_deep_go_in_a_hundred_calls(self):
        names = [f"e{n % 97}" for n in range(5000)]
        page = "".join(f"<{name}>" for name in names) + "x"
        page += "".join(f"</{name}>" for name in reversed(names)) + "y"
        nested = '[m for m in __import__("re").findall("</?e", text)]'
        left = self.judged("deep.xml", page,
                           '"x" in text and "y" in text and '
                           f'(lambda m: m.count("<e") == m.count("</e"))({nested})',
                           "--calls", "100")
        self.assertLess(len(left), 40)

    def test_brackets_that_are_nested_deep_go_in_a_hundred_calls(self):
        left = self.judged("deep.json", "[({" * 9000 + "x" + "})]" * 9000 + "y",
                           '"x" in text and "y" in text and '
                           'all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))',
                           "--calls", "100")
        self.assertLess(len(left), 40)

    @frng.long
    def test_tags_without_an_end_do_not_keep_the_tool_computing(self):
        left = self.judged("unended.xml", "<a " * 30000, 'text.count("<a ") > 27000',
                           "--calls", "40")
        self.assertLess(len(left), 90000)

    @frng.long
    def test_most_of_a_long_line_goes_in_two_hundred_calls(self):
        words = [f"={n}=" for n in range(20)]
        left = self.judged("long.txt", " ".join("amber basin " * 1000 + word for word in words),
                           f"all(word in text for word in {words})".replace("'", '"'),
                           "--calls", "200", "--jobs", "1")
        self.assertLess(len(left), 40000)


load_tests = frng.load_tests

if __name__ == "__main__":
    unittest.main()
