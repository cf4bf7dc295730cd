"""A strict validator for the part of JSON Schema (draft 2020-12) that our schemas use.

An unknown keyword is an error of the schema, never ignored. Only annotations have no effect.
SPDX-License-Identifier: MIT
"""

import json
import math
import re

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
KEYWORDS = {"$ref", "type", "const", "enum", "minimum", "maximum", "pattern", "required", "properties",
            "additionalProperties", "items", "oneOf"}
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
        for problem in self.problems(value, self.schema if schema is None else schema, path):
            raise Invalid(f"{path}: {problem}")

    def problems(self, value, schema, path):
        """Yield what is wrong with a value; raise Invalid for what is wrong with its parts."""
        self.check_keywords(schema, path)
        members = value if isinstance(value, dict) else {}
        if "$ref" in schema:
            self.check(value, self.find(schema["$ref"]), path)
        types = schema.get("type", list(TYPES))
        if not any(TYPES[name](value) for name in ([types] if isinstance(types, str) else types)):
            yield f"{value!r} is none of {types}"
        # true is not 1
        among = schema.get("enum", [schema["const"]] if "const" in schema else [value])
        if not any(type(value) is type(one) and value == one for one in among):
            yield f"{value!r} is none of {among}"
        if TYPES["number"](value) and not (schema.get("minimum", -math.inf) <= value <=
                                           schema.get("maximum", math.inf)):
            yield f"{value} is beyond its bounds"
        if isinstance(value, str) and re.search(schema.get("pattern", "").replace("$", r"\Z"), value,
                                                re.ASCII) is None:
            yield f"{value!r} does not match {schema['pattern']}"
        if isinstance(value, dict) and set(schema.get("required", ())) - set(value):
            yield f"without {sorted(set(schema['required']) - set(value))}"
        for name in members.keys() & schema.get("properties", {}).keys():
            self.check(members[name], schema["properties"][name], f"{path}.{name}")
        if "additionalProperties" in schema and members.keys() - schema.get("properties", {}).keys():
            yield f"unknown members {sorted(members.keys() - schema['properties'].keys())}"
        for index, one in enumerate(value if "items" in schema and isinstance(value, list) else ()):
            self.check(one, schema["items"], f"{path}[{index}]")
        if "oneOf" in schema:
            yield from self.alternatives(value, schema["oneOf"], path)

    def alternatives(self, value, schemas, path):
        fits, whys = 0, []
        for schema in [one for one in schemas if self.may_fit(value, one)] or schemas:
            try:
                self.check(value, schema, path)
                fits += 1
            except Invalid as why:
                whys.append(f"\n{schema.get('$ref', schema)}: {why}")
        if fits != 1:
            yield f"fits {fits} of {len(schemas)} schemas: {value!r}{''.join(whys)}"

    def may_fit(self, value, schema):
        """False if a constant of a schema tells at once that a value is another one."""
        schema = self.find(schema["$ref"]) if "$ref" in schema else schema
        return not isinstance(value, dict) or all(
            value.get(name, of["const"]) == of["const"]
            for name, of in schema.get("properties", {}).items() if "const" in of)

    def find(self, reference):
        name = reference.removeprefix("#/$defs/")
        if not reference.startswith("#/$defs/") or name not in self.schema.get("$defs", {}):
            raise BadSchema(f"{reference}: not found; only #/$defs/NAME is known")
        return self.schema["$defs"][name]

    def check_keywords(self, schema, path):
        unknown = set(schema) - KEYWORDS - ANNOTATIONS
        types = schema.get("type", [])
        unknown |= set([types] if isinstance(types, str) else types) - set(TYPES)
        if unknown or schema.get("additionalProperties", False) is not False:
            raise BadSchema(f"{path}: {sorted(unknown) or 'additionalProperties'}")

    def check_schema(self, schema=None, path="#"):
        """Raise BadSchema for a keyword that is unknown anywhere, used or not, or for an object
        that allows members that it does not name."""
        schema = self.schema if schema is None else schema
        self.check_keywords(schema, path)
        if "$ref" in schema:
            self.find(schema["$ref"])
        if "properties" in schema and "additionalProperties" not in schema:
            raise BadSchema(f"{path}: allows members that it does not name")
        parts = [*schema.get("$defs", {}).items(), *schema.get("properties", {}).items(),
                 *enumerate(schema.get("oneOf", ()))]
        for name, one in parts + ([("items", schema["items"])] if "items" in schema else []):
            self.check_schema(one, f"{path}/{name}")
