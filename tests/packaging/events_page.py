"""events_page.py SCHEMA [PAGE]

Print frng-events(5), made from the schema of events; or fail unless PAGE is that text.
SPDX-License-Identifier: MIT
"""

import json
import pathlib
import re
import sys
import textwrap

HEAD = r"""
.\" Made by tests/packaging/events_page.py from driver/events.schema.json.
.Dd November 22, 2026
.Dt FRNG-EVENTS 5
.Os
.Sh NAME
.Nm frng-events
.Nd events of a search, a reduction or a replay, as JSON Lines
.Sh DESCRIPTION
With
.Fl -json ,
.Xr frng-search 1 ,
.Xr frng-reduce 1
and
.Xr frng-replay 1
write what happens as JSON Lines: each line is an object, complete and flushed
as soon as it is true.
The member
.Ql event
names its kind, and
.Ql schema
is 1.
Later versions may add fields and events; what is there keeps its name and
meaning.
.Pp
.Pa share/frng/events.schema.json
is a JSON Schema
.Pq draft 2020-12
of these lines, which says the same as this page.
.Pp
All sizes are in bytes and all times in seconds.
Seeds are strings, as many readers of JSON cannot hold 64 bits in a number, and
as a styled seed ends in
.Ql s .
Text of programs is valid UTF-8: other bytes are written as
.Ql \exNN .
.Pp
A file that exists is kept: new lines follow, from another
.Ql start
on, after the end of a line that a kill has cut short.
Each line is one write to the end of the file, so that the lines of two tools do
not mix; on network file systems, which cannot promise that, give each tool a
file of its own.
Readers skip lines that are empty or no JSON.
A search of a night writes some megabytes at most: runs are counted by size, and
steps are left out where they save little.
"""

TAIL = r"""
.Sh SEE ALSO
.Xr frng-reduce 1 ,
.Xr frng-replay 1 ,
.Xr frng-search 1
"""

TASKS = (("search", "EVENTS OF A SEARCH"), ("reduce", "EVENTS OF A REDUCTION"),
         ("file", "EVENTS OF THE REDUCTION OF A FILE"), ("replay", "EVENTS OF A REPLAY"))


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")


def filled(text):
    """Text as lines of mdoc, `words` in backquotes as literals."""
    lines = []
    for part in re.split(r"(`[^`]*`\S*)", text):
        literal = re.fullmatch(r"`([^`]*)`(\S*)", part)
        if literal:
            lines.append(f".Ql {escaped(literal[1])} {literal[2]}".rstrip())
        else:
            lines += textwrap.wrap(escaped(part.strip()), 78)
    return lines


def kind(rule):
    """The type of a value in words."""
    if "const" in rule:
        return json.dumps(rule["const"])
    if "enum" in rule:
        return ", ".join(json.dumps(one) if one is None else one for one in rule["enum"])
    types = rule.get("type", [])
    return " or ".join([types] if isinstance(types, str) else types)


class Page:
    def __init__(self, schema):
        self.schema, self.lines = schema, []

    def rule_of(self, rule):
        return self.schema["$defs"][rule["$ref"].split("/")[-1]] if "$ref" in rule else rule

    def put_members(self, rule):
        self.lines.append(".Bl -tag -width 10n -compact")
        for name, member in rule["properties"].items():
            if name in ("event", "schema"):
                continue
            member = self.rule_of(member)
            self.lines.append(f".It Ql {name}")
            is_optional = name not in rule["required"]
            told = kind(member) + (", may be absent" if is_optional else "")
            if "description" in member:
                told += ": " + member["description"]
            self.lines += filled(told)
            inner = self.rule_of(member.get("items", member))
            if "properties" in inner:
                self.put_members(inner)
        self.lines.append(".El")

    def put_event(self, rule):
        self.lines += [f".Ss {rule['properties']['event']['const']}",
                       *filled(rule["description"][0].upper() + rule["description"][1:] + "."),
                       ".Pp"]
        self.put_members(rule)

    def text(self):
        names = [one["$ref"].split("/")[-1] for one in self.schema["oneOf"]]
        for task, title in TASKS:
            own = [name for name in names if name.split("_")[0] == task]
            self.lines += [f".Sh {title}"] if own else []
            for name in own:
                self.put_event(self.schema["$defs"][name])
        return HEAD.lstrip() + "\n".join(self.lines) + TAIL


def main():
    text = Page(json.loads(pathlib.Path(sys.argv[1]).read_text())).text()
    if len(sys.argv) == 2:
        print(text, end="")
    elif pathlib.Path(sys.argv[2]).read_text() != text:
        sys.exit(f"{sys.argv[2]} is not what {sys.argv[0]} makes of {sys.argv[1]}")


if __name__ == "__main__":
    main()
