"""Every effect text of the model has a place in the table of fields, and is read once."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass

import pytest

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.from_source import ruleset_from_source
from ruleforge.lang.parser.grammar import STARTS
from ruleforge.lang.parser.parsed import FIELDS, PLAIN, effect_texts, parse
from ruleforge.lang.source.folder import read_folder
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games

CLASSES = [
    c for _, c in inspect.getmembers(m, inspect.isclass) if is_dataclass(c) and c.__module__ == m.__name__
]


def ruleset_of(game: str) -> m.Ruleset:
    report = Report()
    tree = read_folder(shipped_games()[game], report)
    assert tree is not None
    ruleset = ruleset_from_source(tree, report)
    assert ruleset is not None
    return ruleset


@pytest.mark.parametrize("model", CLASSES, ids=lambda c: c.__name__)
def test_every_field_with_a_text_is_in_the_table(model: type):
    with_text = {f.name for f in fields(model) if "SourceText" in str(f.type)}
    assert with_text == set(FIELDS.get(model, {})) | set(PLAIN.get(model, ()))
    assert set(FIELDS.get(model, {}).values()) <= set(STARTS)


@pytest.mark.parametrize("game", sorted(shipped_games()))
def test_every_text_is_read_once_and_knows_its_definition(game: str):
    report = Report()
    ruleset = ruleset_of(game)
    parsed = parse(ruleset, report)
    assert not report.has_errors
    assert len(parsed.texts) == len(list(effect_texts(ruleset)))
    for source, text in parsed.texts.items():
        assert text.source is source and text.node is not None and text.mistake is None
        assert source in _all(getattr(text.text.definition, text.text.field))


def test_what_stands_where_it_stood_is_not_read_again():
    ruleset = ruleset_of("nim")
    first = parse(ruleset, Report())
    again = parse(ruleset, Report(), first)
    assert all(again.texts[source].node is text.node for source, text in first.texts.items())


def _all(value: object) -> list[object]:
    if isinstance(value, tuple):
        return [x for item in value for x in _all(item)]
    return [value]
