"""Effects: every type of node has a row, and closures say what a piece of rules does through all that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ruleforge.analysis.effects import walk
from ruleforge.analysis.effects.closure import Closure, Effects, Hooks
from ruleforge.analysis.effects.definitions import definitions
from ruleforge.analysis.effects.ranges import Ranges
from ruleforge.analysis.effects.relations import EXPRESSIONS, STATEMENTS, Verb, relations_in
from ruleforge.analysis.effects.uses import Uses
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.typed import expressions, statements
from ruleforge.lang.checker.types import FLAG
from ruleforge.support.diagnostics import NOWHERE
from tests.shelf import rules
from tests.unit.lang.checker.checking import checked_at

GAME = """\
game: {id: mill, title: Mill, version: "1.0", text: Grain., players: 2}
kinds:
  player: {things: [ann, ben], has: {coins: 0..99 = 3, flour: 0..99}}
  sack: {things: [one, two], has: {full: flag}}
  mouse: {pool: 3, has: {fat: 0..9}}
places:
  barn: {holds: sack, starts: sacks}
  yard: {of: {holder: player}, holds: sack}
formulas:
  price: {takes: {p: player}, is: p.flour + 1, open: true}
  rich: {takes: {p: player}, is: p.coins > price(p)}
events:
  grind:
    takes: {p: player}
    needs: rich(p)
    do: |
      let more = roll 1d6
      p.flour += more
      spill(p)
  spill: {takes: {p: player}, do: "if p.flour > 9: new mouse(fat = 1)"}
  carry: {takes: {p: player}, do: "for s in barn: move s to p.yard"}
rules:
  dear: {modify: price(p), add: count(s in p.yard)}
  closed: {forbid: grind(p), when: any(s in sacks where s.full)}
  spared: {instead of: spill(p), do: "p.coins += 1"}
actions:
  work: {during: turn, cost: pay 1 from me.coins, do: grind(me)}
  ask: {during: turn, needs: can(grind(me)), do: "me chooses s in barn: show s to me"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, end: "if me.coins is 0: finish over"}
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
    assert set(STATEMENTS) == set(walk.STATEMENTS) == nodes_of(t.Statement, statements)


class MadeUpExpression(t.Expr):
    """Nobody has said what it reads."""


class MadeUpStatement(t.Statement):
    """Nobody has said what it does."""


@pytest.fixture
def mill(tmp_path: Path) -> t.Checked:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    return checked_at(tmp_path)


@pytest.mark.parametrize(
    "root",
    [
        t.Not(NOWHERE, FLAG, MadeUpExpression(NOWHERE, FLAG)),
        t.Block(NOWHERE, (MadeUpStatement(NOWHERE),)),
    ],
)
def test_a_new_node_is_never_passed_over_in_silence(mill: t.Checked, root: object) -> None:
    with pytest.raises(KeyError):
        list(relations_in(mill, root))
    with pytest.raises(KeyError):
        effects(mill, root)


def hooks(rules: t.Checked) -> Hooks:
    def of(form: str, subject: object) -> list[t.Rule]:
        return [r for r in rules.rules if r.form == form and r.pattern and r.pattern.subject is subject]

    return of


def effects(rules: t.Checked, *roots: object) -> Effects:
    return Closure(rules, hooks(rules)).of(*roots)


def names(found: frozenset[object]) -> set[str]:
    return {getattr(what, "name", "") for what in found}


def test_a_definition_does_what_it_calls(mill: t.Checked) -> None:
    work = mill.actions["work"]
    done = effects(mill, work.cost, work.body)
    assert names(done.of(Verb.PERFORM)) == {"grind", "spill"}
    assert names(done.of(Verb.PAY)) == names(done.of(Verb.WRITE)) - {"flour", "fat"} == {"coins"}
    assert names(done.of(Verb.CREATE)) == {"mouse"}
    assert done.of(Verb.ROLL) and not done.of(Verb.ASK) and not done.finishes


def test_things_that_are_made_have_other_attributes(mill: t.Checked) -> None:
    made = effects(mill, mill.events["spill"].body)
    fat = mill.columns["mouse", "fat"]
    assert fat in made.writes and made.disturbs([fat]) and made.disturbs([mill.kinds["mouse"]])
    assert not made.disturbs([mill.columns["player", "coins"], mill.places["barn"]])


def test_a_formula_reads_what_the_rules_read_that_modify_it(mill: t.Checked) -> None:
    read = effects(mill, *mill.events["grind"].needs).reads
    assert names(read) == {"coins", "flour", "yard"}
    assert effects(mill, mill.events["carry"].body).disturbs(read)


def test_asking_whether_an_event_can_happen_reads_its_needs(mill: t.Checked) -> None:
    ask = mill.actions["ask"]
    asked = effects(mill, *ask.needs)
    assert names(asked.reads) == {"coins", "flour", "yard", "full"}
    assert not asked.of(Verb.PERFORM, Verb.ASK)
    done = effects(mill, ask.body)
    assert done.of(Verb.ASK) and done.of(Verb.SHOW)


def test_every_definition_with_effects_is_listed(mill: t.Checked) -> None:
    listed = [(definition.sort, definition.name) for definition in definitions(mill)]
    assert listed == [
        ("phase", "turn"),
        ("action", "work"),
        ("action", "ask"),
        ("event", "grind"),
        ("event", "spill"),
        ("event", "carry"),
        ("rule", "dear"),
        ("rule", "closed"),
        ("rule", "spared"),
    ]
    endings = [
        what for d in definitions(mill) for verb, what in relations_in(mill, *d.blocks) if verb is Verb.FINISH
    ]
    assert endings == [mill.endings["over"]]


def test_what_is_so_in_every_use_of_a_formula_is_known():
    """Kings strike nowhere, attackers and targets stand on the board, and all that is in the Battle Phase alone."""
    checked = rules("soul-gems").checked
    assert checked is not None
    pieces, uses = checked.kinds["piece"].things, Uses(checked, Ranges(checked), lambda span: "")
    for used in (checked.formulas["to_hit"], checked.events["hit"], checked.events["roll_to_hit"]):
        use = uses.of(used)
        assert use is not None
        attacker, target = use.values
        assert {pieces[number - 1] for number in attacker.things or ()} == {*pieces} - {"wk", "bk"}
        assert {pieces[number - 1] for number in target.things or ()} == {*pieces}
        assert attacker.places == target.places == frozenset({"occupant"})
        assert use.phases == frozenset({"battle"})
    anywhere = uses.of(checked.events["gain_lp"])
    assert anywhere is not None and anywhere.phases is None
