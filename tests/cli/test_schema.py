"""The validator and the schema that check the events of all other scenarios."""

import copy
import unittest

import frng
import schema

OBJECT = {"type": "object", "additionalProperties": False}


class Validation(unittest.TestCase):
    def fits(self, value, rule):
        schema.Validator(rule).check(value)

    def rejects(self, rule, *values):
        for value in values:
            with self.assertRaises(schema.Invalid, msg=f"{value!r} {rule}"):
                self.fits(value, rule)

    def test_types_are_told_apart(self):
        values = {"object": {}, "array": [], "string": "", "boolean": True, "null": None,
                  "integer": 3, "number": 0.5}
        for name in values:
            self.fits(values[name], {"type": name})
            for other in set(values) - {name}:
                if (name, other) != ("number", "integer"):
                    self.rejects({"type": name}, values[other])
        self.fits(3, {"type": "number"})
        self.fits(None, {"type": ["integer", "null"]})
        self.rejects({"type": ["integer", "null"]}, 1.5, False)

    def test_constants_are_of_one_type(self):
        self.fits(1, {"const": 1})
        self.rejects({"const": 1}, True, 1.0, "1", 2)
        self.rejects({"enum": ["a", None]}, "b", 0, "")

    def test_bounds_and_patterns_hold(self):
        self.rejects({"minimum": 0}, -1)
        self.rejects({"maximum": 1}, 1.1)
        self.rejects({"pattern": "^a$"}, "b", "a\n", "aa")
        self.fits("a", {"pattern": "^a$"})

    def test_members_are_named_and_present(self):
        rule = {**OBJECT, "properties": {"a": {"type": "integer"}}, "required": ["a"]}
        self.fits({"a": 1}, rule)
        self.rejects(rule, {}, {"a": "1"}, {"a": 1, "b": 2})

    def test_arrays_are_looked_into(self):
        self.rejects({"items": {"type": "integer"}}, [1, "2"])
        self.fits([1, 2], {"items": {"type": "integer"}})

    def test_exactly_one_alternative_fits(self):
        rule = {"oneOf": [{"type": "integer"}, {"type": "number"}]}
        self.fits(0.5, rule)
        self.rejects(rule, 1, "x")

    def test_references_are_followed(self):
        rule = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}
        self.fits(None, rule)
        self.rejects(rule, 1)

    def test_a_schema_with_a_keyword_that_is_unknown_is_an_error(self):
        for rule in ({"minProperties": 1}, {"type": "tuple"}, {"$ref": "#/$defs/a"},
                     {"$ref": "a.json"}, {"additionalProperties": True}):
            with self.assertRaises(schema.BadSchema, msg=rule):
                self.fits({}, rule)
        for rule in ({"properties": {"a": {}}}, {"items": {"uniqueItems": True}},
                     {"oneOf": [{"format": "uri"}]}, {"$defs": {"a": {"not": {}}}}):
            with self.assertRaises(schema.BadSchema, msg=rule):
                schema.Validator(rule).check_schema()

    def test_a_text_that_is_no_json_is_rejected(self):
        for text in ('{"a":1,"a":2}', "NaN", '{"a":Infinity}'):
            with self.assertRaises(schema.Invalid, msg=text):
                schema.parse(text)


class EventSchema(frng.Scenario):
    def test_the_schema_of_events_uses_known_keywords_and_names_every_member(self):
        frng.events_schema().check_schema()

    def test_an_event_with_a_field_more_or_less_or_of_another_type_does_not_fit(self):
        result = self.search("--json", "-", "--attempts", 5, frng.MODES)
        for event in frng.json_lines(result.stdout):
            for name in event:
                fewer = copy.deepcopy(event)
                del fewer[name]
                other = {**event, name: {"no": "such"}}
                for wrong in (other, *([] if name in ("output", "containment") else [fewer])):
                    with self.assertRaises(schema.Invalid, msg=f"{event['event']}.{name}"):
                        frng.events_schema().check(wrong)
            with self.assertRaises(schema.Invalid):
                frng.events_schema().check({**event, "undocumented": 1})


if __name__ == "__main__":
    unittest.main()
