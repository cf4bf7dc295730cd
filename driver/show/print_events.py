#!/usr/bin/env python3
"""print_events.py schema|page EVENTS.DEF [TEMPLATE]: make the JSON Schema of events, or frng-events(5)
out of the template, which has a line .\\" EVENTS, while frng is built. print_events.py status STATUS.DEF:
make the JSON Schema of the object that frng-status prints.

events.def is read as the compiler reads it, a macro call a row. The rule of a type is JSON as it stands
there; the page takes the types in words out of it. SPDX-License-Identifier: MIT
"""

import re
import sys

TASKS = [("OF_SEARCH", "search", "EVENTS OF A SEARCH"), ("OF_REDUCE", "reduce", "EVENTS OF A REDUCTION"),
         ("OF_FILE", "file", "EVENTS OF THE REDUCTION OF A FILE"),
         ("OF_REPLAY", "replay", "EVENTS OF A REPLAY")]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{},]|[^"()\[\]{},]+')


def rows(text):
    """Yield (macro, arguments) of each macro call."""
    for call in re.finditer(r"^(TYPE|EVENT|OBJECT|FIELD|PART|LIST)\(", text, re.MULTILINE):
        depth, arguments, one = 1, [], ""
        for token in TOKEN.finditer(text, call.end()):
            part = token[0]
            depth += (part in "([{") - (part in ")]}")
            if depth == 0:
                break
            if part == "," and depth == 1:
                arguments.append(one)
                one = ""
            else:
                one += part
        yield call[1], [" ".join(argument.split()) for argument in [*arguments, one]]


def string(argument):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', argument))


class Events:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
        self.rules, self.objects, self.fields, self.lines = {}, {}, [], []
        self.sets = {"MAYBE": {"MAYBE"}}
        for macro, a in rows(text):
            if macro == "TYPE":
                self.rules[a[0]] = ", ".join(a[3:])
            elif macro == "EVENT":
                self.lines.append((a[0], a[1].split(" | "), string(a[3]), string(a[4])))
                self.sets[a[0]] = {a[0]}
            elif macro == "OBJECT":
                self.objects[a[0]] = (string(a[1]), ", ".join(a[2:]))
                self.sets[a[0]] = {a[0]}
        for name, value in re.findall(r"^#define (\w+) \(([^)]*)\)", text, re.MULTILINE):
            self.sets[name] = self.named(value)
        self.fields = [(self.named(a[0]), string(a[1]), a[2], string(a[-1]), macro)
                       for macro, a in rows(text) if macro in ("FIELD", "PART", "LIST")]

    def named(self, words):
        return set().union(*(self.sets[word] for word in words.split(" | ")))

    def of(self, kind):
        """The fields of a line or an object: name, type or object, text, macro, whether required."""
        return [(name, kind_of, text, macro, "MAYBE" not in lines)
                for lines, name, kind_of, text, macro in self.fields if kind in lines]

    def rule(self, kind, macro):
        if macro == "FIELD":
            return self.rules[kind]
        return '{"type": "array"}' if macro == "LIST" else f'{{"type": {self.objects[kind][1]}}}'


def schema_of(events, kind, event):
    """The members of a line, or of an object (event: None)."""
    members = [f'"event": {{"const": "{event}"}}', '"schema": {"const": 1}'] if event else []
    required = ['"event"', '"schema"'] if event else []
    for name, of, text, macro, is_required in events.of(kind):
        reference = f'"$ref": "#/$defs/{events.objects[of][0]}"' if macro != "FIELD" else ""
        rule = {"FIELD": events.rule(of, macro)[:-1], "PART": "{" + reference,
                "LIST": '{"type": "array", "items": {' + reference + "}"}[macro]
        members.append(f'"{name}": {rule}, "description": "{text}"}}')
        required += [f'"{name}"'] if is_required else []
    return (',\n      "properties": {\n        ' + ",\n        ".join(members) +
            '\n      },\n      "required": [' + ", ".join(required) +
            '],\n      "additionalProperties": false\n    }')


def schema(events):
    task = {bit: name for bit, name, _ in TASKS}
    names = [f"{next(task[bit] for bit, _, _ in TASKS if bit in tasks)}_{name}"
             for _, tasks, name, _ in events.lines]
    parts = [f'"{whole}": {{\n      "description": "{text}",\n      "type": "object"' +
             schema_of(events, kind, name) for whole, (kind, _, name, text) in zip(names, events.lines)]
    parts += [f'"{name}": {{\n      "type": {types}' + schema_of(events, kind, None)
              for kind, (name, types) in events.objects.items()]
    return ('{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n'
            '  "$id": "https://frng.invalid/events.schema.json",\n  "title": "Events of frng",\n'
            '  "description": "Each line of the file that --json names is one of these objects. Later '
            'versions may add fields and events; what `schema` 1 names keeps its meaning.",\n'
            '  "oneOf": [\n    ' + ",\n    ".join(f'{{"$ref": "#/$defs/{name}"}}' for name in names) +
            '\n  ],\n  "$defs": {\n    ' + ",\n    ".join(parts) + "\n  }\n}\n")


def status(events):
    parts = [f'"{name}": {{\n      "type": {types}' + schema_of(events, kind, None)
             for kind, (name, types) in events.objects.items()]
    return ('{\n  "$schema": "https://json-schema.org/draft/2020-12/schema",\n'
            '  "$id": "https://frng.invalid/status.schema.json",\n  "title": "A fleet",\n'
            '  "description": "What frng-status prints with --json. Later versions may add fields; what '
            '`schema` 1 names keeps its meaning.",\n'
            '  "$ref": "#/$defs/fleet",\n  "$defs": {\n    ' + ",\n    ".join(parts) + "\n  }\n}\n")


def filled(text):
    """A text as filled lines of mdoc. A word in backquotes is literal, and a line of its own."""
    out, column = "", 0
    for word in text.split(" "):
        is_literal = word.startswith("`")
        breaks = is_literal or column + 1 + len(word) > 78
        if column > 0:
            out += "\n" if breaks else " "
        column = 0 if breaks else column
        if is_literal:
            out += ".Ql " + word[1:].replace("-", "\\-").replace("`", " ", 1).rstrip() + "\n"
        else:
            out += word.replace("-", "\\-")
            column += len(word) + (column > 0)
    return out.rstrip("\n") + "\n"


def words_of(rule):
    """The types or the values of a rule in words."""
    value = rule[rule.index(":") + 2:]
    inner = value[1:value.index("]")] if value[0] == "[" else re.split("[,}]", value)[0]
    inner = inner.replace(", ", ", " if rule.startswith('{"enum"') else " or ")
    return inner if rule.startswith('{"const"') else inner.replace('"', "")


def list_of(events, kind):
    out = ".Bl -tag -width 10n -compact\n"
    for name, of, text, macro, is_required in events.of(kind):
        words = words_of(events.rule(of, macro))
        out += f".It Ql {name}\n" + filled(f"{words}{'' if is_required else ', may be absent'}: {text}")
        out += list_of(events, of) if macro != "FIELD" else ""
    return out + ".El\n"


def page(events, template):
    out = ""
    for bit, _, title in TASKS:
        out += f".Sh {title}\n"
        for kind, tasks, name, text in events.lines:
            if bit in tasks:
                out += (f".Ss {name}\n" + filled(text[0].upper() + text[1:] + ".") + ".Pp\n" +
                        list_of(events, kind))
    with open(template, encoding="utf-8") as file:
        return file.read().replace('.\\" EVENTS\n', out)


if __name__ == "__main__":
    read = Events(sys.argv[2])
    makers = {"schema": schema, "status": status, "page": lambda read: page(read, sys.argv[3])}
    sys.stdout.write(makers[sys.argv[1]](read))
