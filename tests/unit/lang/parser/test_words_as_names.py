"""Every word of the language in every place where an author gives a name: it can be one, or it is refused there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ruleforge.lang.parser.grammar import terminals
from ruleforge.project.resolver import diagnostics_of
from ruleforge.support.resources import never_names
from tests.unit.small_games import rules_file

BASE = """
game:
  id: words
  title: Words
  version: "1.0"
  text: Words as names.
  players: 2
{top}
kinds:
  player:
    things: [ann, ben]
    has: {{coins: 0..99}}
  cell:
    grid: {{shape: square, columns: 2, rows: 2}}
    has: {{lit: flag}}
  card:
    things: [ace, king]
    has: {{face_up: flag}}
{kinds}
places:
  deck: {{holds: card, ordered: true, starts: cards}}
{places}
events:
  touch: {{takes: {{c: cell, k: 0..9}}, do: c.lit = true}}
{events}
flow:
  - {{phase: turn, repeat: true, each: me in players, window: one}}
{flow}
actions:
  stop: {{during: turn, do: finish over}}
{actions}
endings:
  over: {{text: It is over.}}
{endings}
"""
PARTS = ("top", "kinds", "places", "events", "flow", "actions", "endings")
Case = Callable[[str], dict[str, str]]


def act(name: str, do: str, more: str = "") -> str:
    body = "\n".join(f"      {line}" for line in do.splitlines())
    return f"  act_{name}:\n    during: turn\n{more}    do: |\n{body}\n"


# Where a name stands -> the definition with that name, and effects that speak of it in many ways.
BARE: dict[str, Case] = {
    "parameter of an action": lambda w: {
        "actions": act(
            w,
            f"touch({w}, 1)\n{w}.lit = true\nif {w}.lit: me.coins = number({w})\n"
            f"for x in [{w}] where x is {w}: x.lit = false",
            f"    choose: {{{w}: in cells where not {w}.lit}}\n",
        )
    },
    "parameter of an event": lambda w: {
        "events": f"  e_{w}: {{takes: {{{w}: cell}}, do: {w}.lit = count(x in cells where x is {w}) > 0}}\n",
        "actions": act(w, f"e_{w}(a1)"),
    },
    "local": lambda w: {
        "actions": act(w, f"let {w} = 1\n{w} = {w} + 1\n{w} += 1\nme.coins = -{w} + 5 * {w}")
    },
    "loop": lambda w: {
        "actions": act(
            w,
            f"for {w} in cells where {w}.lit by {w}.row then {w}.column: {w}.lit = false\n"
            f"me.coins = count({w} in cells where {w}.lit) + sum({w}.row for {w} in cells)\n"
            f"for one {w} in {{{w} in cells where not {w}.lit}}: touch({w}, {w}.row)",
        )
    },
    "choice": lambda w: {
        "actions": act(w, f"me chooses {w} in cells where {w}.row > 0:\n  {w}.lit = true\nelse:\n  skip")
    },
    "thing": lambda w: {
        "kinds": f"  gem_{w}: {{things: [{w}], has: {{shine: flag}}}}\n",
        "actions": act(
            w,
            f"{w}.shine = true\nif {w}.shine: me.coins = number({w})\nfor x in gem_{w}s where x is {w}: skip",
        ),
    },
    "place": lambda w: {
        "places": f"  {w}: {{holds: card, ordered: true}}\n",
        "actions": act(
            w,
            f"move ace to {w} at top\nshuffle {w}\nshow {w} to me\nfor c in {w} where c in {w}: move c to deck",
        ),
    },
    "number": lambda w: {
        "top": f"  {w}: 3\n",
        "actions": act(w, f"me.coins = {w}\nrepeat {w}: me.coins += {w} - 1"),
    },
    "phase": lambda w: {"flow": f"  - {{phase: {w}, do: leave {w}}}\n"},
    "ending": lambda w: {
        "endings": f"  {w}: {{text: So it ends.}}\n",
        "actions": act(w, f"if me.coins > 3: finish {w}\nfinish {w} for me"),
    },
    "answer of a menu": lambda w: {
        "actions": act(w, f"me picks:\n  {w} if me.coins > 1: skip\n  other: skip")
    },
    "index of a place": lambda w: {
        "places": f"  p_{w}: {{of: {{{w}: player}}, holds: card}}\n",
        "actions": act(w, f"if ace.{w} is me: move ace to me.p_{w}"),
    },
}
CALLED: dict[str, Case] = {
    "event": lambda w: {
        "events": f"  {w}: {{takes: {{k: 0..9}}, do: skip}}\n",
        "actions": act(w, f"{w}(3)\nif can({w}(2)): {w}(1)"),
    },
    "formula": lambda w: {
        "top": f"  {w}: {{takes: {{k: 0..9}}, is: k + 1}}\n",
        "actions": act(w, f"me.coins = {w}(3) + {w}(1)"),
    },
    "kind": lambda w: {
        "kinds": f"  {w}: {{count: 2, plural: many_{w}, has: {{other: {w} or none}}}}\n",
        "actions": act(w, f"for x in many_{w}: x.other = x"),
    },
    "window": lambda w: {
        "top": f"  {w}: {{text: An occasion.}}\n",
        "actions": act(w, f"offer {w}() to me") + f"  in_{w}: {{during: {w}, do: skip}}\n",
    },
}
SECTION = {"number": "numbers:", "formula": "formulas:", "window": "windows:"}


def ruleset(position: str, words: list[str]) -> str:
    case = (BARE | CALLED)[position]
    parts = {part: "".join(case(word).get(part, "") for word in words) for part in PARTS}
    if position in SECTION:
        parts["top"] = f"{SECTION[position]}\n{parts['top']}"
    return BASE.format(**parts)


@pytest.mark.parametrize("position", [*BARE, *CALLED])
def test_every_word_is_a_name_where_nothing_else_can_be_meant(position: str) -> None:
    never = never_names(position in CALLED)
    words = sorted(set(terminals().values()) - never)
    errors = [d for d in diagnostics_of(rules_file(ruleset(position, words))) if d.severity == "error"]
    assert [f"{d.span}: {d.message}" for d in errors] == []


IN_EFFECTS = ("local", "loop", "choice", "answer of a menu")  # there they are told as mistakes of writing


@pytest.mark.parametrize("position", [p for p in (*BARE, *CALLED) if p not in IN_EFFECTS])
def test_the_other_words_are_refused_where_they_are_given(position: str) -> None:
    words = sorted(never_names(position in CALLED) - {"true", "false"})  # of those YAML has something to say
    for word in words:
        codes = [d.code for d in diagnostics_of(rules_file(ruleset(position, [word])))]
        assert "RF303" in codes, word
