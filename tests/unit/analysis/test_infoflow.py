"""Information flow: every type of node has a row, and labels say on what a value depends and whose that is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ruleforge.analysis.infoflow.control import ControlDependence
from ruleforge.analysis.infoflow.flow import InfoFlow
from ruleforge.analysis.infoflow.labels import Label
from ruleforge.analysis.infoflow.reader import EXPRESSIONS
from ruleforge.analysis.infoflow.statements import STATEMENTS
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import expressions, statements
from ruleforge.lang.checker.types import FLAG
from ruleforge.support.diagnostics import NOWHERE
from tests.unit.lang.checker.checking import checked_at

GAME = """\
game: {id: lake, title: Lake, version: "1.0", text: Fishing., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      fished: 0..9
      mood: {type: 0..9, sees: viewer is self}
      quiet: {type: 0..9, sees: false}
      plan: {type: 0..9, sees: viewer is self or self.fished > 0}
  fish:
    facts: {size: 1..9}
    things: {carp: {size: 5}, tench: {size: 2}}
places:
  pond: {holds: fish, ordered: true, sees: false, starts: fishs}
  hand: {of: {holder: player}, holds: fish, sees: viewer is holder}
  bank: {holds: fish}
formulas:
  asked: {takes: {p: player}, is: "EXPRESSION"}
  mood_of: {takes: {p: player}, is: p.mood}
  deep: {takes: {p: player}, is: mood_of(p) + 1}
  told: {takes: {p: player}, sees: true, is: p.mood}
  all_moods: {is: sum(q.mood for q in players)}
events:
  land: {takes: {p: player}, open: true, do: p.fished += 1}
rules:
  full: {forbid: land(p), when: any(f in p.hand where f.size > 2)}
flow:
  - {phase: last, do: "land(ann)"}
endings: {over: {text: Evening.}}
"""


def subclasses(kind: type[object]) -> Iterator[type[object]]:
    for heir in kind.__subclasses__():
        yield heir
        yield from subclasses(heir)


def nodes_of(base: type[object], module: ModuleType) -> set[type[object]]:
    return {kind for kind in subclasses(base) if kind.__module__ == module.__name__}


def test_every_type_of_node_has_a_row() -> None:
    assert set(EXPRESSIONS) == nodes_of(t.Expr, expressions)
    assert set(STATEMENTS) == nodes_of(t.Statement, statements)


class MadeUpExpression(t.Expr):
    """Nobody has said what it depends on."""


class MadeUpStatement(t.Statement):
    """Nobody has said what it keeps."""


def test_a_new_node_is_never_passed_over_in_silence(tmp_path: Path) -> None:
    flow = flow_of(tmp_path, "1")
    with pytest.raises(KeyError):
        flow.labels(t.Not(NOWHERE, FLAG, MadeUpExpression(NOWHERE, FLAG)))
    with pytest.raises(KeyError):
        flow.context.bindings.enter(t.Block(NOWHERE, (MadeUpStatement(NOWHERE),)))
    with pytest.raises(KeyError):
        ControlDependence(flow).statement(MadeUpStatement(NOWHERE))


def flow_of(folder: Path, expression: str) -> InfoFlow:
    (folder / "game.yaml").write_text(GAME.replace("EXPRESSION", expression), "utf-8")
    return InfoFlow(checked_at(folder))


def said(label: Label) -> str:
    what = label.what.name.lower()
    return (
        f"{what} of {', '.join(w.variable.name for w in label.whose if isinstance(w, t.Use))}".removesuffix(
            " of "
        )
    )


@pytest.mark.parametrize(
    "expression, wanted",
    [
        ("p.fished", set()),
        ("p.mood", {"mood of p"}),
        ("deep(p)", {"mood of p"}),
        ("told(p)", set()),
        ("all_moods()", {"mood"}),
        ("p.quiet", {"quiet of p"}),
        ("count(f in p.hand)", set()),
        ("1 if not any(f in p.hand) else 0", set()),
        ("count(f in p.hand where f.size > 2)", {"hand of p"}),
        ("sum(f.size for f in p.hand)", {"hand of p"}),
        ("count(f in fishs where f.holder is p)", {"hand"}),
        ("count(f in p.hand where f.holder is p)", set()),
        ("count(f in pond) + p.mood", {"mood of p"}),
    ],
)
def test_labels_say_on_what_a_value_depends_and_whose_it_is(
    tmp_path: Path, expression: str, wanted: set[str]
) -> None:
    flow = flow_of(tmp_path, expression)
    assert {said(label) for label in flow.labels(flow.rules.formulas["asked"].body)} == wanted


def test_what_one_player_may_know(tmp_path: Path) -> None:
    flow = flow_of(tmp_path, "p.mood + all_moods() + sum(f.size for f in p.hand) + count(f in pond)")
    formula = flow.rules.formulas["asked"]
    (me,) = formula.parameters
    assert [said(label) for label in flow.unknown_to(me, flow.labels(formula.body))] == ["mood"]


def test_a_rule_that_forbids_an_event_decides_whether_it_happens(tmp_path: Path) -> None:
    flow = flow_of(tmp_path, "1")
    body = flow.rules.flow[0].body
    assert body is not None
    (perform,) = body.statements
    (label,) = ControlDependence(flow).statement(perform)
    assert (said(label), label.via) == ("hand", None)


def test_what_is_shown_to_its_owner_in_any_case_the_owner_knows(tmp_path: Path) -> None:
    flow = flow_of(tmp_path, "p.plan + next(p).plan")
    formula = flow.rules.formulas["asked"]
    (me,) = formula.parameters
    labels = flow.labels(formula.body)
    assert len(labels) == 2
    (unknown,) = flow.unknown_to(me, labels)
    assert not isinstance(unknown.whose[0], t.Use)
