"""Whatever can loop, in whatever field a text can stand: every interface answers in bounded work, alike on every backend.

The table of fields is that of the language (`parser/parsed.py`): a new field fails until it has a case here.
"""

# ruff: noqa: E501 - a table of cases reads best with one case to a line

from __future__ import annotations

import gc
import time
from functools import cache
from typing import Any

import pytest
import yaml

import ruleforge
from ruleforge.backends import native
from ruleforge.engine.profile_weights import weighed
from ruleforge.engine.standings import standings
from ruleforge.lang.parser.parsed import FIELDS
from ruleforge.support.ceilings import Ceilings
from tests.property.one_ruleset import KEYS, ROUND, RULES, SWIFT, TURN, as_text, merged, with_value
from tests.unit.small_games import rules_file

LOW = Ceilings(work=40_000, chain=300)  # so that much is refused in little time
BACKENDS = ("python", "reference") if native.missing() else ("python", "native", "reference")
LEVELS = 40

MORE: dict[str, Any] = yaml.safe_load("""\
game: {id: toil, title: Toil}
kinds:
  cell: {grid: {shape: square, columns: 12, rows: 12}, has: {disc: 0..9}}
  game: {has: {big: 0..2000000000 = 2000000000}}
events:
  grind: {do: "repeat game.big: game.clock = 1"}
""")
OTHER = {
    "give": {"during": "turn", "choose": {"k": "in 1..2"}, "do": "me.seen += k"},
    "stop": {"during": "turn", "do": "finish over"},
    "rest": None,
}
BASE = merged(KEYS, MORE)
for action, said in OTHER.items():
    BASE = with_value(BASE, ("actions", action), said)
TWICE = {
    f"twice_{n}": {"is": f"(twice_{n - 1}() + twice_{n - 1}()) % 999" if n else 1} for n in range(LEVELS)
}
BOTH = {
    f"both_{n}": {"do": f"both_{n - 1}(); both_{n - 1}()" if n else "game.clock = 1"} for n in range(LEVELS)
}

PAIRS = "count(a in cells where count(b in cells where count(c in cells where c.disc > a.disc) > 0) > 0)"
NUMBERS = {
    "count": "count(k in 0..game.big where k % 7 is 1)",
    "sum": "sum(k % 3 for k in 0..game.big)",
    "min": "min(k % 5 for k in 0..game.big)",
    "any": "(1 if any(k in 0..game.big where k % 5 is 7) else 0)",
    "all": "(1 if all(k % 5 < 7 for k in 0..game.big) else 0)",
    "first": "(1 if any(k in first(a in cells where count(b in cells where count(c in cells where c.disc > a.disc) > 0) > 0)) else 0)",
    "best": "count(k in best(a in cells by count(b in cells where count(c in cells where c.disc > a.disc) > 0)))",
    "selection": "count(a in {x in cells where count(b in cells where count(c in cells where c.disc > x.disc) > 0) > 0})",
    "nested": PAIRS,
    "until": "count(k in 0..game.big until k < 0)",
    "by": "count(a in {x in cells by count(b in cells where count(c in cells where c.disc > x.disc) > 0)})",
    "linked": "count(a in cells where count(z in cells where linked([a], [z], b in cells where b.disc is 0)) > 5)",
    "nth": "(1 if {x in cells where count(b in cells where count(c in cells where c.disc > x.disc) > 0) > 0}[9] is none else 0)",
    "doubling": f"twice_{LEVELS - 1}()",
    "would": "would(grind(): game.clock)",
    "would doubling": f"would(both_{LEVELS - 1}(): game.clock)",
}
EFFECTS = {
    "repeat": "repeat game.big: skip",
    "repeat while": "repeat game.big while game.clock < 999: game.clock = 1",
    "for": "for k in 0..game.big: skip",
    "for in order": "for k in 0..game.big by 0 - k: skip",
    "for until": "for k in 0..game.big until k < 0: skip",
    "nested": "for a in cells:\n  for b in cells:\n    for c in cells: c.disc = 1",
    "changing": "for a in cells where a.disc is 0:\n  for b in cells where b.disc is 0:\n    for c in cells where c.disc is 0: a.disc = 0",
    "doubling": f"both_{LEVELS - 1}()",
    "event": "grind()",
    "together": "together:\n  repeat game.big: game.clock = 1",
    "let": f"let x = {PAIRS}",
    "if": f"if {PAIRS} > 3: skip",
    "random": "let x = random(a in cells where count(b in cells where count(c in cells where c.disc > a.disc) > 0) > 0)",
    "chooses": f"ann chooses x in cards where {PAIRS} > 3: skip",
    "several": f"ann chooses up to 2 x in cards such that {PAIRS} > 3: skip",
    "secretly": f"each p in players secretly chooses x in cards where {PAIRS} > 3: skip",
}

# How the text of a field is made from something that takes too long: a number, or for blocks an effect.
TEST, NUMBER, BLOCK = "{} > 3", "min(1, {})", "{block}"
Case = tuple[tuple[object, ...], Any, dict[str, Any]]  # where, the text there, what else is needed


def rule(head: str, key: str, text: Any, **more: Any) -> Case:
    return ("rules", "r", key), text, {"rules": {"r": {**RULES[head], **more}}}


CARRIED = {"kinds": {"card": {"rules": {"r": RULES["after"]}}}}
IN_A_MANNER = {"actions": {"hit": {"manner": "m"}}}
PRINTED_IN_A_MANNER = {
    "kinds": {"card": {"actions": {"use": {"manner": "m", "during": "turn", "do": "me.seen += 3"}}}}
}

CASES: dict[tuple[str, str], Case] = {
    ("Column", "sees"): (("kinds", "player", "has", "coins"), {"type": "0..9", "sees": TEST}, {}),
    ("Rule", "always"): rule("always", "always", "p in players where " + TEST),
    ("Rule", "when"): rule("after", "when", TEST),
    ("Rule", "works"): (("kinds", "card", "rules", "r", "works"), TEST, CARRIED),
    ("Rule", "before"): rule("after", "before", {"was": "{}"}, do="p.coins = min(9, was)"),
    ("Rule", "who"): rule("after", "who", "ann if {} > 3 else ben", may=True),
    ("Rule", "cost"): rule("after", "cost", BLOCK),
    ("Rule", "do"): rule("after", "do", BLOCK),
    ("Rule", "add"): rule("modify", "add", NUMBER),
    ("Rule", "set"): (("rules", "r"), {"modify": "power(p)", "set": NUMBER}, {}),
    ("Rule", "remove"): (("rules", "r"), {"modify": "keywords(c)", "remove": "[swift]", "when": TEST}, SWIFT),
    ("Kind", "controller"): (("kinds", "card", "controller"), "ann if {} > 3 else ben", {"kinds": {"card": {"actions": {"use": {"during": "turn", "do": "me.seen += 3"}}}}}),
    ("Kind", "works"): (("kinds", "card", "works"), TEST, CARRIED),
    ("Kind", "trigger_order"): (("kinds", "card", "trigger_order"), "{}", CARRIED),
    ("Keyword", "works"): (("keywords", "swift", "works"), TEST, SWIFT),
    ("Place", "sees"): (("places", "deck", "sees"), TEST, {}),
    ("Formula", "lets"): (("formulas", "power", "let"), {"part": NUMBER}, {"formulas": {"power": {"is": "part"}}}),
    ("Formula", "value"): (("formulas", "power", "is"), NUMBER, {}),
    ("Formula", "sees"): (("formulas", "power", "sees"), TEST, {}),
    ("Event", "needs"): (("events", "strike", "needs"), TEST, {}),
    ("Event", "do"): (("events", "strike", "do"), BLOCK, {}),
    ("Manner", "needs"): (("manners", "m", "needs"), TEST, IN_A_MANNER),
    ("Manner", "works"): (("manners", "m", "works"), TEST, PRINTED_IN_A_MANNER),
    ("Manner", "cost"): (("manners", "m", "cost"), BLOCK, IN_A_MANNER),
    ("Manner", "holds"): (("manners", "m", "holds"), TEST, IN_A_MANNER),
    ("Manner", "sees"): (("manners", "m", "sees"), TEST, IN_A_MANNER),
    ("Action", "choose"): (("actions", "give", "choose"), {"k": "in 1..2 where " + TEST}, {}),
    ("Action", "needs"): (("actions", "hit", "needs"), TEST, {}),
    ("Action", "works"): (("kinds", "card", "actions", "use", "works"), TEST, {"kinds": {"card": {"actions": {"use": {"during": "turn", "do": "me.seen += 3"}}}}}),
    ("Action", "cost"): (("actions", "hit", "cost"), BLOCK, {}),
    ("Action", "do"): (("actions", "hit", "do"), BLOCK, {}),
    ("Action", "holds"): (("actions", "hit", "holds"), TEST, {}),
    ("Action", "sees"): (("actions", "hit", "sees"), TEST, {}),
    ("Phase", "when"): ((*TURN, "when"), TEST, {}),
    ("Phase", "each"): ((*TURN, "each"), "me in players where " + TEST, {}),
    ("Phase", "repeat"): ((*ROUND, "repeat"), TEST, {}),
    ("Phase", "do"): ((*TURN, "do"), BLOCK, {}),
    ("Phase", "stuck"): ((*TURN, "stuck"), BLOCK, {"actions": {a: {"needs": "game.clock < 0"} for a in ("hit", "take", "give", "stop")}}),
    ("Phase", "holds"): ((*TURN, "holds"), TEST, {}),
    ("Phase", "sees"): ((*TURN, "sees"), TEST, {}),
    ("Phase", "end"): ((*TURN, "end"), BLOCK, {}),
    ("Ending", "when"): (("endings", "won"), {"text": "Won.", "when": "ben.hurt + {} > 3"}, {}),
    ("Ending", "winners"): (("endings", "won"), {"text": "Won.", "when": "ann.hurt > 1", "winners": "ann if {} > 3 else ben"}, {}),
    ("Invariant", "that"): (("invariants", "i"), {"that": TEST}, {}),
    ("Check", "each"): (("checks", "c"), {"each": "x in cards where " + TEST, "that": "1 > 2"}, {}),
    ("Check", "that"): (("checks", "c"), {"that": TEST}, {}),
    ("Ruleset", "setup"): (("setup",), BLOCK, {}),
    ("Ruleset", "scores"): (("scores",), "{} + number(p)", {}),
    ("Ruleset", "heuristic"): (("heuristic",), "{} + number(p)", {}),
    ("Weight", "value"): (("profiles", "keen"), {"weighs": {"hit": "{}"}}, {}),
}  # fmt: skip

# Texts that are worked out when the rules are read, types, and what a rule waits for: nothing in them can loop.
CONSTANT = {
    ("Option", "range"), ("Option", "default"), ("NumberDef", "value"), ("Column", "type"), ("Thing", "facts"),
    ("Thing", "keywords"), ("Kind", "pool"), ("Kind", "lasts"), ("Keyword", "kind"), ("Keyword", "takes"), ("Place", "of"),
    ("Place", "holds"), ("Place", "max"), ("Place", "starts"), ("Formula", "takes"), ("Formula", "each"),
    ("Formula", "sum"), ("Formula", "clamp"), ("Event", "takes"), ("Window", "takes"), ("Ending", "at"),
    ("Rule", "after"), ("Rule", "instead_of"), ("Rule", "forbid"), ("Rule", "modify"),
}  # fmt: skip
CHECKS = {("Check", "each"), ("Check", "that")}  # only constants can be spoken of


def test_the_table_knows_every_field_of_the_language():
    fields = {(kind.__name__, field) for kind, table in FIELDS.items() for field in table}
    assert fields == {*CASES, *CONSTANT}
    assert not {*CASES} & CONSTANT


def filled(text: Any, toil: str) -> Any:
    if isinstance(text, dict):
        return {key: filled(value, toil) for key, value in text.items()}
    return text.replace("{}", toil).replace(BLOCK, toil) if isinstance(text, str) else text


def is_block(case: Case) -> bool:
    return bool(case[1] == BLOCK)


def ruleset(case: Case, toil: str) -> str:
    at, text, also = case
    rules = with_value(merged(BASE, also), at, filled(text, toil))
    if "twice_" in toil:
        rules["formulas"] |= TWICE
    if "both_" in toil:
        rules["events"] |= BOTH
    return as_text(rules)


@cache
def answers(text: str, backend: str, ceilings: Ceilings = LOW) -> tuple[str, ...]:
    """What comes of everything that can be asked; only refusals escape, and none takes long."""
    told: list[str] = []

    def ask(interface: str, question: Any) -> Any:
        gc.disable()  # how long a search through all that other tests have left takes is not asked here
        began = time.process_time()
        try:
            answer, words = question(), "fine"
        except ruleforge.PlayError as refusal:
            answer, words = None, str(refusal)
        except ruleforge.RulesetError as refusal:
            answer, words = None, " ".join(f"{d.span}: {d.code} {d.message}" for d in refusal.diagnostics)
        finally:
            took = time.process_time() - began
            gc.enable()
        told.append(f"{interface}: {words}")
        assert took < 2, told
        return answer

    game = ask("load", lambda: ruleforge.load(rules_file(text), backend=backend, ceilings=ceilings))
    state = game and ask("start", lambda: game.start(seed=3))
    if state is None:
        return tuple(told)
    before = state.digest
    for player in (*state.players, None):
        ask("view", lambda player=player: state.view(player))
    for path in ("power(ann)", "outcome.reason"):
        ask(path, lambda path=path: state[path])
    ask("explain", lambda: state.explain("power(ann)"))
    ask("evaluate", lambda: state.evaluate("count(k in 0..game.big)"))
    ask("violations", state.violations)
    ask("why not", lambda: state.why_not("hit 3", "ann"))
    ask("text", lambda: str(state))
    ask("standings", lambda: standings(state))
    for profile in game.compiled.profiles:
        ask("weighed", lambda profile=profile: weighed(state, profile))
    ask("worlds", lambda: state.sample_world("ann", __import__("random").Random(1)))
    for choice in state.choices:
        later = state.copy()
        events = ask(f"apply {choice}", lambda later=later, choice=choice: later.apply(choice))
        if events is None:
            assert later == state
            continue
        ask("told", lambda events=events: [str(e) for e in events.seen_by("ben")])
        ask("outcome", lambda later=later: later.outcome)
        ask("saved", lambda later=later: game.restore(later.save()))
    ask("playout", lambda: game.playout(state, 7))
    ask("playouts", lambda: told.append(str(game.playouts(state, games=2, seed=7, most=6))))
    assert state.digest == before
    return tuple(told)


def agree(text: str) -> tuple[str, ...]:
    first, *others = (answers(text, backend) for backend in BACKENDS)
    for other in others:
        assert other == first
    return first


@pytest.mark.parametrize("field", sorted(CASES), ids=".".join)
def test_a_loop_in_any_field_is_bounded(field):
    case = CASES[field]
    told = agree(ruleset(case, EFFECTS["repeat"] if is_block(case) else NUMBERS["nested"]))
    assert too_much(told), told


@pytest.mark.parametrize("toil", sorted(NUMBERS))
def test_any_expression_that_loops_is_bounded(toil):
    told = agree(ruleset(CASES["Action", "needs"], NUMBERS[toil]))
    assert too_much(told), told


@pytest.mark.parametrize("toil", sorted(EFFECTS))
def test_any_effect_that_loops_is_bounded(toil):
    told = agree(ruleset(CASES["Action", "do"], EFFECTS[toil]))
    assert too_much(told), told


def too_much(told: tuple[str, ...]) -> bool:
    return any("RF829" in line for line in told if not line.startswith("evaluate"))
