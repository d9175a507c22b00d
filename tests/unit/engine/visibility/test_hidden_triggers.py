"""What is set off, let pass, sorted or passed over because of hidden things is told as what it comes to, wherever it is
written: guards of events and rules, standing rules, phases, orders, things that are handed over."""

# ruff: noqa: E501 - a table of rules reads best with one to a line

from __future__ import annotations

import json
import pickle
import random
from collections import defaultdict
from textwrap import indent

import pytest
import yaml

import ruleforge
from ruleforge.play.session import Session
from tests.fuzz.rulesets import as_yaml
from tests.property.one_ruleset import merged
from tests.property.secrecy import log_of, narrated
from tests.unit.small_games import small_game

BASE = yaml.safe_load("""
game: {id: unseen, title: Unseen, version: "1.0", text: Unseen., players: 2}
kinds:
  player:
    things: [ann, ben]
    has:
      one: 0..9
      two: 0..9 = 2
      coins: 0..9 = 4
      memo: {type: 0..9, sees: false}
      lucky: {type: flag, sees: viewer is self}
      secret: {type: 0..9, sees: viewer is self}
      idol: {type: player or none, sees: viewer is self}
  card: {facts: {suit: 1..2}, has: {marks: 0..9}, things: {ace: {suit: 1}, duo: {suit: 2}, hex: {suit: 1}, ten: {suit: 2}}}
places:
  box: {of: {keeper: player}, holds: card, sees: viewer is keeper, starts: "{c in [ace] where keeper is ann}"}
  heap: {holds: card, ordered: true, sees: false, starts: "[hex, duo]"}
  table: {holds: card, starts: "[ten]"}
events:
  touch: {takes: {p: player}, open: true, do: p.one += 1}
  noop: {takes: {p: player}, open: true, do: skip}
  meet: {takes: {p: player or none}, open: true, do: skip}
  shy: {takes: {p: player}, open: true, needs: p.lucky, do: skip}
  get: {takes: {p: player}, open: true, do: return p.secret}
  hear: {takes: {k: 0..9}, open: true, do: skip}
  see: {takes: {c: card}, open: true, do: skip}
  look: {takes: {c: card}, open: true, do: "if c.suit is 1: noop(ann)"}
flow:
  - {phase: turn, repeat: true, each: me in players, window: one, end: me.two = 2}
actions: {wait: {during: turn, do: finish over}, act: {during: turn, do: noop(me)}}
endings: {over: {text: Over.}}
""")
WORLDS = (
    {"ann.lucky": True}, {"ann.lucky": False}, {"ann.secret": 9}, {"ann.idol": "ann"}, {"ann.idol": "ben"},
    {"ann.box": ["duo"], "heap": ["hex", "ace"]},
)  # fmt: skip
WHEN = {
    "a trigger": {"r": {"after": "noop(p)", "when": "p.lucky", "do": "p.one = 1"}, "q": {"after": "noop(p)", "when": "not p.lucky", "do": "p.one = 1"}},
    "a trigger that does nothing to see": {"r": {"after": "noop(p)", "when": "p.lucky", "do": "meet(p)"}},
    "a replacement": {"r": {"instead of": "noop(p)", "when": "p.lucky", "do": "skip"}},
    "a replacement that lets it pass": {"r": {"instead of": "noop(p)", "when": "p.lucky", "do": "proceed"}},
    "a prohibition": {"r": {"forbid": "noop(p)", "when": "p.lucky"}},
    "what a trigger costs": {"r": {"after": "noop(p)", "cost": "p.secret -= 1", "do": "touch(p); p.one -= 1"}},
    "what a replacement costs": {"r": {"instead of": "noop(p)", "cost": "p.secret -= 1", "do": "proceed"}},
    "a value from before": {"r": {"after": "noop(p)", "before": {"was": "p.secret"}, "do": "if was > 2: meet(p)"}},
    "the end of a phase": {"r": {"after": "end of turn", "when": "ann.lucky", "do": "meet(ann)"}},
    "what a rule sets off itself": {"r": {"after": "noop(p)", "do": "if p.lucky: touch(p)\nelse: p.one += 1"}, "q": {"after": "touch(p)", "do": "meet(p)"}},
}  # fmt: skip
RULES = {
    "a standing rule": ("me.coins = 5", {"r": {"always": "p in players where p.lucky and p.coins is 5", "do": "p.coins = 6; p.two = 0"}, "q": {"always": "p in players where not p.lucky and p.coins is 5", "do": "p.two = 0; p.coins = 6"}}),
    "a hidden attribute is set": ("me.secret = 3", {"r": {"after": "set player.secret", "when": "new > old", "do": "noop(it)"}}),
    "a hidden thing is moved": ("for one c in me.box: move c to heap", {"r": {"after": "move card from box to heap", "when": "it.suit is 1", "do": "noop(ann)"}}),
    "a hidden thing is spoken of": ("for one c in me.box: see(c)", {"r": {"after": "see(c)", "when": "c.suit is 1", "do": "noop(ann)"}}),
    "a hidden number is handed on": ("hear(me.secret)", {"r": {"after": "hear(k)", "do": "if k > 2: noop(ann)"}}),
    "steps that count as one": ("together:\n  if me.lucky: me.secret = 5\n  me.coins = 5", {"r": {"after": "set player.secret", "do": "noop(ann)"}}),
    "and what stands then": ("together:\n  if me.lucky: me.coins = 7\n  me.two = 3", {"r": {"always": "p in players where p.coins is 7", "do": "p.coins = 4"}}),
    "whose attribute it is": ("(me if me.lucky else opponent).memo = 3", {"r": {"after": "set player.memo", "do": "meet(it)"}}),
    "an attribute that is not set": ("me.coins = 5\nme.coins = 4", {"r": {"forbid": "set player.coins", "when": "it.lucky and new is 5"}}),
    "a move that is replaced": ("move ten to heap\nmove ten to table", {"r": {"instead of": "move card to heap", "when": "ann.lucky", "do": "noop(ann)"}}),
}  # fmt: skip
PRINTED = {
    "a trigger": {"after": "see(self)", "do": "noop(ann)"},
    "a replacement": {"instead of": "see(self)", "do": "noop(ann)"},
    "a prohibition": {"forbid": "see(self)"},
    "a prohibition from the hand": {"forbid": "see(c)", "works": "self in ann.box"},
    "its move": {"after": "move self", "do": "noop(ann)"},
}
EFFECTS = {
    "what an event needs": "shy(me)",
    "the order of a loop": "for p in players by p.secret: touch(p)",
    "who is meant": "noop(me if me.lucky else opponent)",
    "who is meant, or nobody": "meet(me.idol)",
    "what an event gives back": "let k = get(me)\nif k > 2: noop(me)",
    "how often it was counted": "let n = 0\nrepeat me.secret: n = n + 1\nif n > 2: noop(me)",
    "a note that nobody sees": "me.memo = me.secret\nif me.memo > 2: noop(me)",
    "a note that nobody sees, or none": "if me.lucky: me.memo = 1\nelse: me.memo = 0\nif me.memo > 0: noop(me)",
    "what is printed on a hidden thing": "for one c in heap: look(c)",
    "a value that is open for a moment": "me.coins = 5 if me.lucky else 6\nme.coins = 4",
    "to whom something is shown": "if me is ann: show hex to (me if me.lucky else opponent)",
    "how much is shown": "if me is ann: show {c in heap where c.suit is 1} to me",
    "which positions are known": "if me.lucky: remember board\nif repeats(board) > 0: noop(me)",
}
MARKED = {  # others see that there is a mark on a hidden card, and not on which
    "it is asked by its name": "if ace.marks > 0: noop(me)",
    "it is among all of its kind": "for c in cards where c.marks > 0 and c.suit is 1: noop(me)",
    "the first of all of its kind": "for c in first(x in cards where x.marks > 0): meet(me if c.suit is 1 else opponent)",
    "it is kept by its name": "let k = ace.marks\nif k > 0: noop(me)",
    "it is handed on by its name": "hear(ace.marks)",
    "it is handed on": "for one c in heap: see(c)\nfor one c in me.box: see(c)",
}
PHASES = {
    "whether": {"when": "me.lucky", "do": "noop(me)"},
    "for whom": {"each": "q in players where q.lucky", "do": "noop(q)"},
    "in which order": {"each": "q in players by q.secret", "do": "touch(q)"},
    "how often": {"repeat": "me.secret > 0", "do": "me.secret -= 1; noop(me)"},
}

BEHIND: dict[str, object] = {
    "actions": {"act": {"do": "together:\n  noop(me)\n  if me.lucky: hear(1)"}},
    "rules": {
        "q": {"after": "noop(p)", "do": "next(p) picks:\n  left: skip\n  right: skip"},
        "r": {"after": "hear(k)", "do": "touch(ann); ann.one -= k"},
    },
}


EVENT_THAT_ASKS = {"takes": {"p": "player"}, "open": True, "do": "p picks:\n  left: skip\n  right: skip"}
ASKED = "opponent picks:\n  left: skip\n  right: skip"
INSIDE = {  # after the same question it goes on in one way or another, in a step of its own
    "both ways ask": (f"if me.lucky:\n{indent(ASKED, '  ')}\n  noop(me)\nelse:\n{indent(ASKED, '  ')}\n  meet(me)", {}),
    "a later round": (f"for p in players where p is me or me.lucky:\n  if p is me:\n{indent(ASKED, '    ')}\n  noop(p)", {}),
    "as often as something hidden says": (f"let n = 0\nrepeat min(1 + me.secret, 2):\n  if n is 0:\n{indent(ASKED, '    ')}\n  n = 1\n  noop(me)", {}),
    "a rule that was set off unseen asks": ("noop(me)", {
        "r": {"after": "noop(p)", "when": "p.lucky", "do": "ann picks:\n  left: skip\n  right: skip\nmeet(p)"},
        "q": {"after": "noop(p)", "when": "not p.lucky", "do": "ann picks:\n  left: skip\n  right: skip\nhear(1)"},
    }),
    "a replacement asks": ("noop(me)\nann picks:\n  left: skip\n  right: skip", {
        "r": {"instead of": "noop(p)", "when": "p.lucky and p.one is 0", "do": "p.one = 1\nann picks:\n  left: skip\n  right: skip\nmeet(p)\np.one = 0"},
    }),
    "a rule asks that something inside sets off": ("if me.lucky:\n  noop(me)\n  meet(me)\nelse:\n  noop(me)\n  hear(1)", {
        "r": {"after": "noop(p)", "do": "ann picks:\n  left: skip\n  right: skip"},
    }),
    "steps that count as one ask": ("together:\n  if me.lucky: touch(me)\n  noop(me)\nif me.lucky: me.one -= 1", {
        "r": {"after": "noop(p)", "do": "ann picks:\n  left: skip\n  right: skip"}, "q": {"after": "touch(p)", "do": "meet(p)"},
    }),
    "an event asks and is left": ("if me.lucky:\n  ask(me)\n  meet(me)\nelse:\n  ask(me)", {}),
}  # fmt: skip
ROUNDS = {  # of a phase: one of them asks, and the next is come to in that step
    "for whom": {"each": "q in players where q is ann or ann.lucky", "do": "if q is ann:\n  ann picks:\n    left: skip\n    right: skip\nnoop(q)"},
    "how often": {"repeat": "me.secret > 0 or me.coins is 5", "do": "me.coins = 4\nann picks:\n  left: skip\n  right: skip\nif me.secret > 0: me.secret = 0\nnoop(me)"},
    "in which way": {"when": "me.lucky or me.coins is 5", "do": "ann picks:\n  left: skip\n  right: skip\nif me.lucky: noop(me)"},
}  # fmt: skip


def with_printed(rule: dict[str, str]) -> dict[str, object]:
    text = "for one c in me.box:\n  see(c)\n  move c to heap"
    things = {"ace": {"suit": 1, "rules": {"r": rule}}}
    return {"kinds": {"card": {"things": things}}, "actions": {"act": {"do": text}}}


def with_phase(phase: dict[str, str]) -> dict[str, object]:
    flow = [{**BASE["flow"][0], "steps": [{"phase": "extra", **phase}]}]
    return {"flow": flow, "actions": {"act": {"do": "me.coins = 5"}}}


CASES: dict[str, dict[str, object]] = {
    **{f"{name} goes by something hidden": {"rules": rules} for name, rules in WHEN.items()},
    **{name: {"actions": {"act": {"do": text}}, "rules": rules} for name, (text, rules) in RULES.items()},
    **{f"printed on a hidden thing: {name}": with_printed(rule) for name, rule in PRINTED.items()},
    **{name: {"actions": {"act": {"do": text}}} for name, text in EFFECTS.items()},
    **{f"a mark on a hidden card: {name}": {"actions": {"act": {"do": f"for one c in me.box: c.marks = 1\n{text}"}}} for name, text in MARKED.items()},
    **{f"a phase, {name}": with_phase(phase) for name, phase in PHASES.items()},
    "the order of triggers": {"kinds": {"player": {"trigger_order": "self.secret", "rules": {"r": {"after": "noop(p)", "do": "touch(self)"}}}}},
    **{f"a question inside: {name}": {"actions": {"act": {"do": text}}, "events": {"ask": EVENT_THAT_ASKS}, **({"rules": rules} if rules else {})} for name, (text, rules) in INSIDE.items()},
    **{f"a phase that asks, {name}": with_phase(phase) for name, phase in ROUNDS.items()},
    "a rule behind one that asks": {"rules": {
        "q": {"after": "noop(p)", "do": "next(p) picks:\n  left: skip\n  right: skip"},
        "r": {"after": "noop(p)", "when": "p.lucky", "do": "touch(p); p.one -= 1"},
    }},
    "a rule behind one that asks, without a condition of its own": BEHIND,
}  # fmt: skip


def game_of(case: str) -> ruleforge.Game:
    more = {"positions": {"board": {"of": ["player.one"], "keeps": 50}}} if "positions" in case else {}
    return small_game(as_yaml(merged(merged(BASE, CASES[case]), more)))


def told(game: ruleforge.Game, seat: str | None) -> dict[str, set[str]]:
    """What a seat sees after two steps, and all that it was told then, in each of the worlds."""
    found: dict[str, set[str]] = defaultdict(set)
    for world in WORLDS:
        session = Session(game.start(seed=1).patched(world))
        views = []
        for text in ("act", "left", "left", "act"):
            if text in {choice.text for choice in session.state.choices}:
                session.apply(text)
                views.append(session.state.view(seat))
        found[str(views)].add(str((log_of(session, seat), narrated(session, seat))))
    return found


@pytest.mark.parametrize("seat", ["ben", None])
@pytest.mark.parametrize("case", CASES)
def test_the_same_to_see_is_told_in_the_same_words(case: str, seat: str | None) -> None:
    assert [words for words in told(game_of(case), seat).values() if len(words) > 1] == []


@pytest.mark.parametrize("case", [*WHEN, "whether", "who is meant"])
def test_whoever_sees_what_decides_learns_all_of_it(case: str) -> None:
    names = [name for name in CASES if case in name]
    words = " ".join(words for some in told(game_of(names[0]), "ann").values() for words in some)
    assert any(f"'{name}" in words for name in ("rule ", "event meet", "event noop"))


def after_left(state: ruleforge.State, seat: str) -> list[str]:
    return [str(event) for event in state.apply("left").seen_by(seat)]


def test_a_step_is_told_alike_however_its_position_came_about() -> None:
    """What is asked inside of hidden decisions, or while rules wait, names nothing to its end, in every copy."""
    openly: dict[str, object] = {**BEHIND, "actions": {"act": {"do": "together:\n  noop(me)\n  hear(1)"}}}
    for case in (BEHIND, openly, CASES["a question inside: both ways ask"]):
        game = small_game(as_yaml(merged(BASE, case)))
        state = game.start(seed=1).patched({"ann.lucky": True})
        state.apply("act")
        older = json.dumps({**json.loads(state.save()), "before": {"row": [], "codes": [0]}})
        for seat in ("ann", "ben"):
            restored = (game.restore(state.save()), game.restore(older), pickle.loads(pickle.dumps(state)))
            told = [
                after_left(one, seat)
                for one in (state.copy(), *restored, state.sample_world(seat, random.Random(1)))
            ]
            assert told == [told[0]] * len(told)
            assert not any(name.startswith(("event ", "rule ")) for name in told[0])


def test_an_event_that_the_choice_was_offered_for_is_told() -> None:
    """That it can happen everybody knows, for it was offered."""
    do = {"during": "turn", "choose": {"c": "in cards where can(give(c, me))"}, "do": "give(c, me)"}
    give = {"takes": {"c": "card", "p": "player"}, "needs": "c in p.box", "do": "move c to table"}
    game = small_game(as_yaml(merged(BASE, {"events": {"give": give}, "actions": {"hand_over": do}})))
    events = game.start(seed=1).apply("hand_over ace").seen_by("ben")
    assert "event give c=? p=ann" in [str(event) for event in events]


def test_the_order_in_which_parts_are_told_does_not_tell_which_things_they_are() -> None:
    """The cards of a hand are gone through in the order of their kind."""
    show = {"actions": {"act": {"do": "for c in me.box: show c.suit to opponent"}}}
    start = small_game(as_yaml(merged(BASE, show))).start(seed=1)
    worlds = ({"ann.box": ["ace", "duo"], "heap": ["hex"]}, {"ann.box": ["duo", "hex"], "heap": ["ace"]})
    told = [[str(event) for event in start.patched(world).apply("act").seen_by("ben")] for world in worlds]
    assert told[0] == told[1]
    assert sum("told suit" in event for event in told[0]) == 2


def test_a_mark_on_a_hidden_card_is_asked_by_its_name_only_of_those_who_see_it() -> None:
    marked = {"takes": {"p": "player"}, "is": "count(c in cards where c.marks > 0 and c.suit is 1)"}
    more = {"actions": {"act": {"do": "for one c in me.box: c.marks = 1"}}, "formulas": {"marked": marked}}
    state = small_game(as_yaml(merged(BASE, more))).start(seed=1)
    assert state.evaluate("ace.marks", "ben") == 0  # there is none on any card
    state.apply("act")
    assert state.view("ben")["places"]["ann.box"] == [{"?": {"marks": 1}}]
    assert state.evaluate("ace.marks", "ann") == 1
    for question in ("ace.marks", "duo.marks", "marked(ben)"):
        with pytest.raises(ruleforge.PathError, match="depends on hidden information"):
            state.evaluate(question, "ben")
    with pytest.raises(ruleforge.PathError, match="depends on hidden information"):
        state.explain("marked(ben)", "ben")


def in_secret(window: str, text: str) -> tuple[list[str], str]:
    """What a rival hears and sees of an answer in a window of which nobody else is told."""
    turn = {**BASE["flow"][0], "window": window, "sees": "viewer is me", "end": "noop(me)"}
    act = {"actions": {"act": {"do": "me.secret = 1"}}}
    state = small_game(as_yaml(merged(BASE, {**act, "flow": [turn]}))).start(seed=1)
    return [str(event) for event in state.apply(text).seen_by("ben")], str(state.view("ben"))


def test_whether_a_secret_window_was_closed_is_not_told_by_what_follows() -> None:
    assert in_secret("maybe", "act") == in_secret("maybe", "done")
    for window in ("maybe", "many"):
        assert "event noop p=ann" in in_secret(window, "done")[0]
