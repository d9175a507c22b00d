"""Every field of the model is filled by a key of a rule file."""

import dataclasses

import pytest

from ruleforge.lang.model import from_source, kinds_from_source, rules_from_source
from ruleforge.lang.model import ruleset as m
from ruleforge.lang.schema import schema_of


@pytest.mark.parametrize(
    ("definition", "table"),
    [
        (m.Option, from_source.OPTION),
        (m.NumberDef, from_source.NUMBER),
        (m.Place, from_source.PLACE),
        (m.Formula, from_source.FORMULA),
        (m.Event, from_source.EVENT),
        (m.Window, from_source.WINDOW),
        (m.Ending, from_source.ENDING),
        (m.Invariant, from_source.INVARIANT),
        (m.Phase, from_source.PHASE),
        (m.Action, rules_from_source.ACTION),
        (m.Rule, rules_from_source.RULE),
        (m.Keyword, rules_from_source.KEYWORD),
        (m.Column, kinds_from_source.COLUMN),
        (m.Kind, kinds_from_source.KIND),
        (m.Thing, kinds_from_source.THING),
        (m.Grid, kinds_from_source.GRID),
        (m.Graph, kinds_from_source.GRAPH),
    ],
)
def test_every_field_has_its_key(definition, table):
    # The values of facts stand directly in a thing; phases are built over their steps; packs say the rest.
    by_packs = {"origin", "settled_by", "settled_at", "filled_by", "filled_at"}
    by_hand = {"id", "span"} | by_packs | {m.Thing: {"facts"}, m.Phase: {"steps"}}.get(definition, set())
    assert {field.name for field in dataclasses.fields(definition)} - by_hand == {
        key.field for key in table.values()
    }


def test_every_section_is_a_field():
    fields = {field.name for field in dataclasses.fields(m.Ruleset)}
    assert set(schema_of("ruleset")["properties"]) - {"game"} <= fields
