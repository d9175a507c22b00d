"""The quick test of shapes says what JSON Schema says, of files as they are and with one value changed."""

import random
from dataclasses import replace

import pytest

from ruleforge.lang.schema import schema_of
from ruleforge.lang.schema.errors import errors_of
from ruleforge.lang.schema.fast_test import quick_test
from ruleforge.lang.source.tree import MappingNode, ScalarKind, ScalarNode, SequenceNode, SourceNode
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.support.diagnostics import Report
from ruleforge.support.resources import shipped_games

FITS = quick_test(schema_of("ruleset"))


def paths(node, path=()):
    """The ways to all values of a file."""
    yield path
    below = (
        enumerate(node.items)
        if isinstance(node, SequenceNode)
        else enumerate(e.value for e in node.entries)
        if isinstance(node, MappingNode)
        else ()
    )
    for number, inner in below:
        yield from paths(inner, (*path, number))


def changed(node, path, rng):
    """The same with another value at the end of the way."""
    if not path:
        span = node.span
        word = ScalarNode(span, rng.choice(["7", "-3", "Odd Name", "true", "", "x"]), "str", "plain", None)
        kinds: dict[str, ScalarKind] = {"7": "int", "-3": "int", "true": "bool", "": "null"}
        others: list[SourceNode] = [
            replace(word, kind=kinds.get(word.text, "str")),
            SequenceNode(span, (word,)),
            MappingNode(span, ()),
        ]
        if isinstance(node, MappingNode) and node.entries:
            others.append(replace(node, entries=node.entries[1:]))
            first = node.entries[0]
            others.append(replace(node, entries=(replace(first, key=word), *node.entries[1:])))
        return rng.choice(others)
    if isinstance(node, SequenceNode):
        items = [*node.items]
        items[path[0]] = changed(items[path[0]], path[1:], rng)
        return replace(node, items=tuple(items))
    entries = [*node.entries]
    entries[path[0]] = replace(entries[path[0]], value=changed(entries[path[0]].value, path[1:], rng))
    return replace(node, entries=tuple(entries))


@pytest.mark.parametrize("game", ["leduc-poker", "splicers"])
def test_it_agrees_with_json_schema(game):
    rng = random.Random(5)
    home = shipped_games()[game]
    files = (
        [home]
        if home.is_file()
        else [f for f in sorted(home.glob("*.yaml")) if f.stem not in ("rulebook", "contract")]
    )
    for file in files:
        source = read_yaml(file.read_text("utf-8"), file.name, Report())
        assert source is not None
        root = source.root
        ways = [*paths(root)]
        for node in [root, *(changed(root, rng.choice(ways), rng) for _ in range(6))]:
            wrong = next(errors_of(node.data, schema_of("ruleset")), None) is not None
            assert FITS(node) is not wrong, (file.name, node.data)


def test_a_keyword_that_it_does_not_know_is_told():
    with pytest.raises(NotImplementedError, match="oneOf"):
        quick_test({"$id": "x", "oneOf": []})
