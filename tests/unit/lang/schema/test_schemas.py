"""The schemas themselves: valid, described, closed, and in step with the model's tables."""

import pytest
from jsonschema import Draft202012Validator

from ruleforge.lang.model import from_source, kinds_from_source, rules_from_source
from ruleforge.lang.schema import schema_of
from ruleforge.support.resources import schema_file

KINDS = ("ruleset", "pack", "scenario", "rulebook", "contract")


def schemas_in(schema, path="#"):
    """Every sub-schema with its path."""
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from schemas_in(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from schemas_in(value, f"{path}/{number}")


@pytest.mark.parametrize("kind", KINDS)
def test_is_json_schema_with_a_versioned_id(kind):
    schema = schema_of(kind)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["$id"] == f"urn:ruleforge:schema:{kind}:1"
    assert schema_file(kind).is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_every_property_is_described(kind):
    bare = [
        f"{path}/properties/{name}"
        for path, schema in schemas_in(schema_of(kind))
        if isinstance(schema.get("properties"), dict)
        for name, value in schema["properties"].items()
        if not value.get("description", "").endswith(".")
    ]
    assert bare == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_mapping_says_what_else_it_takes(kind):
    is_open = [
        path
        for path, schema in schemas_in(schema_of(kind))
        if isinstance(schema.get("properties"), dict)
        and "type" in schema
        and schema.get("additionalProperties") is not False
        and "propertyNames" not in schema
        and not isinstance(schema.get("additionalProperties"), dict)
    ]
    assert is_open == []


@pytest.mark.parametrize(
    ("definition", "table"),
    [
        ("option", from_source.OPTION),
        ("place", from_source.PLACE),
        ("formula", from_source.FORMULA),
        ("event", from_source.EVENT),
        ("action", rules_from_source.ACTION),
        ("rule", rules_from_source.RULE),
        ("keyword", rules_from_source.KEYWORD),
        ("window", from_source.WINDOW),
        ("invariant", from_source.INVARIANT),
        ("graph", kinds_from_source.GRAPH),
        ("phase", from_source.PHASE | {"phase": None, "steps": None}),
        ("kind", kinds_from_source.KIND),
        ("grid", kinds_from_source.GRID),
    ],
)
def test_schema_and_model_know_the_same_keys(definition, table):
    schema = schema_of("ruleset")["$defs"][definition]
    (properties,) = (part["properties"] for part in schema.get("anyOf", [schema]) if "properties" in part)
    assert set(properties) == set(table)
