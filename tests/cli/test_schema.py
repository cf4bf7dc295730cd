"""The validator and the schema that check the events of all other scenarios."""

import copy
import unittest

import frng
import schema

# A rule, values that fit, and values that do not.
RULES = (
    ({"type": "number"}, [3, 0.5], [True, "3", None]),
    ({"type": ["integer", "null"]}, [3, None], [1.5, False, "", {}, []]),
    ({"type": "object"}, [{}], [[], None]),
    ({"type": "array"}, [[]], [{}, ""]),
    ({"type": "string"}, [""], [3, None]),
    ({"type": "boolean"}, [False], [0, None]),
    ({"const": 1}, [1], [True, 1.0, "1", 2]),
    ({"enum": ["a", None]}, ["a", None], ["b", 0, ""]),
    ({"minimum": 0, "maximum": 1}, [0, 1], [-1, 1.1]),
    ({"pattern": "^a$"}, ["a"], ["b", "a\n", "aa"]),
    ({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"],
      "additionalProperties": False}, [{"a": 1}], [{}, {"a": "1"}, {"a": 1, "b": 2}]),
    ({"items": {"type": "integer"}}, [[1, 2]], [[1, "2"]]),
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, [0.5], [1, "x"]),
    ({"oneOf": [{"type": "object", "properties": {"a": {"const": one}}} for one in (1, 2)]},
     [{"a": 1}, {"a": 2}], [{"a": 3}, {"a": True}, {}, 1]),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}, [None], [1]),
)
BAD = ({"minProperties": 1}, {"type": "tuple"}, {"$ref": "#/$defs/a"}, {"$ref": "a.json"},
       {"additionalProperties": True}, {"properties": {"a": {}}}, {"items": {"uniqueItems": True}},
       {"oneOf": [{"format": "uri"}]}, {"$defs": {"a": {"not": {}}}})


class Validation(unittest.TestCase):
    def test_values_fit_or_do_not(self):
        for rule, fitting, others in RULES:
            with self.subTest(rule=rule):
                for value in fitting:
                    schema.Validator(rule).check(value)
                for value in others:
                    with self.assertRaises(schema.Invalid, msg=repr(value)):
                        schema.Validator(rule).check(value)
        for text in ('{"a":1,"a":2}', "NaN", '{"a":Infinity}'):
            with self.assertRaises(schema.Invalid, msg=text):
                schema.parse(text)

    def test_a_schema_with_a_keyword_that_is_unknown_is_an_error(self):
        for rule in BAD:
            with self.assertRaises(schema.BadSchema, msg=rule):
                schema.Validator(rule).check_schema()
        with self.assertRaises(schema.BadSchema):
            schema.Validator(BAD[0]).check({})


class EventSchema(frng.Scenario):
    def test_an_event_with_a_field_more_or_less_or_of_another_type_does_not_fit(self):
        frng.events_schema().check_schema()
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
