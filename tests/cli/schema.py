"""A strict validator for the part of JSON Schema (draft 2020-12) that our schemas use.

An unknown keyword is an error of the schema, never ignored. Only annotations have no effect.
SPDX-License-Identifier: MIT
"""

import json
import math
import re

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: (isinstance(value, (int, float)) and not isinstance(value, bool) and
                             math.isfinite(value)),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


class Invalid(Exception):
    """A value is not as its schema says."""


class BadSchema(Exception):
    """A schema says what this validator does not know."""


def same(a, b):
    """Whether JSON takes both values for equal: true is not 1."""
    return type(a) is type(b) and a == b


def unique_members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Invalid(f"a name twice among {[name for name, _ in pairs]}")
    return members


def no_constant(word):
    raise Invalid(f"{word} is no JSON")


def parse(text):
    """A JSON text as a value. Names are unique, and NaN and Infinity are no numbers."""
    return json.loads(text, object_pairs_hook=unique_members, parse_constant=no_constant)


class Validator:
    def __init__(self, schema):
        self.schema = schema

    def check(self, value, schema=None, path="$"):
        """Raise Invalid unless the value is as the schema says."""
        schema = self.schema if schema is None else schema
        if not isinstance(schema, dict):
            raise BadSchema(f"{path}: {schema!r} is no schema")
        for keyword, argument in schema.items():
            if keyword not in ANNOTATIONS:
                self.method(keyword)(value, argument, path, schema)

    def method(self, keyword):
        name = "check_" + keyword.lstrip("$")
        if not hasattr(self, name):
            raise BadSchema(f"unknown keyword {keyword}")
        return getattr(self, name)

    def find(self, reference):
        if not reference.startswith("#/$defs/"):
            raise BadSchema(f"{reference}: only #/$defs/NAME is known")
        name = reference.removeprefix("#/$defs/")
        if name not in self.schema.get("$defs", {}):
            raise BadSchema(f"{reference}: not found")
        return self.schema["$defs"][name]

    # ---- Keywords ----

    def check_ref(self, value, reference, path, _):
        self.check(value, self.find(reference), path)

    def check_type(self, value, types, path, _):
        types = [types] if isinstance(types, str) else types
        if set(types) - set(TYPES):
            raise BadSchema(f"{path}: unknown types {types}")
        if not any(TYPES[name](value) for name in types):
            raise Invalid(f"{path}: {value!r} is none of {types}")

    def check_const(self, value, expected, path, _):
        if not same(value, expected):
            raise Invalid(f"{path}: {value!r} is not {expected!r}")

    def check_enum(self, value, expected, path, _):
        if not any(same(value, one) for one in expected):
            raise Invalid(f"{path}: {value!r} is none of {expected}")

    def check_minimum(self, value, least, path, _):
        if TYPES["number"](value) and value < least:
            raise Invalid(f"{path}: {value} is below {least}")

    def check_maximum(self, value, most, path, _):
        if TYPES["number"](value) and value > most:
            raise Invalid(f"{path}: {value} is above {most}")

    def check_pattern(self, value, pattern, path, _):
        if isinstance(value, str) and re.search(pattern.replace("$", r"\Z"), value, re.ASCII) is None:
            raise Invalid(f"{path}: {value!r} does not match {pattern}")

    def check_required(self, value, names, path, _):
        missing = set(names) - set(value) if isinstance(value, dict) else set()
        if missing:
            raise Invalid(f"{path}: without {sorted(missing)}")

    def check_properties(self, value, properties, path, _):
        for name, one in value.items() if isinstance(value, dict) else ():
            if name in properties:
                self.check(one, properties[name], f"{path}.{name}")

    def check_additionalProperties(self, value, allowed, path, schema):
        if allowed is not False:
            raise BadSchema(f"{path}: additionalProperties can only be false")
        more = set(value) - set(schema.get("properties", {})) if isinstance(value, dict) else set()
        if more:
            raise Invalid(f"{path}: unknown members {sorted(more)}")

    def check_items(self, value, schema, path, _):
        for index, one in enumerate(value) if isinstance(value, list) else ():
            self.check(one, schema, f"{path}[{index}]")

    def check_oneOf(self, value, schemas, path, _):
        problems = []
        for schema in schemas:
            try:
                self.check(value, schema, path)
            except Invalid as why:
                problems.append(f"{schema.get('$ref', schema)}: {why}")
        fitting = len(schemas) - len(problems)
        if fitting != 1:
            raise Invalid(f"{path}: fits {fitting} of {len(schemas)} schemas: {value!r}\n" +
                          "\n".join(problems))

    # ---- The schema itself ----

    def check_schema(self, schema=None, path="#"):
        """Raise BadSchema for a keyword that is unknown anywhere, used or not, or for an object
        that allows members that it does not name."""
        schema = self.schema if schema is None else schema
        for keyword, argument in schema.items():
            if keyword not in ANNOTATIONS:
                self.method(keyword)
            if keyword in ("$defs", "properties"):
                for name, one in argument.items():
                    self.check_schema(one, f"{path}/{keyword}/{name}")
            elif keyword == "items":
                self.check_schema(argument, f"{path}/items")
            elif keyword == "oneOf":
                for index, one in enumerate(argument):
                    self.check_schema(one, f"{path}/oneOf/{index}")
            elif keyword == "$ref":
                self.find(argument)
        if "properties" in schema and schema.get("additionalProperties") is not False:
            raise BadSchema(f"{path}: allows members that it does not name")
