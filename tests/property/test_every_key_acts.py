"""Every key that the schema admits, in every form that admits it, changes what is played or shown, or is refused.

The table names for each form and key a place in a small ruleset and a value for it. The ruleset is played with and
without the value (where a key must be there: with another value). A key of the schema that the table does not know
fails, so that a new key comes with its case.
"""

# ruff: noqa: E501 - a table of cases reads best with one case to a line

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import ruleforge
from ruleforge.engine.presentation.text_renderer import Paper, drawn
from ruleforge.play.agents import GreedyAgent, make_agent
from ruleforge.play.narration import Narrator
from ruleforge.project.resolver import diagnostics_of
from tests.property.one_ruleset import KEYS, ROUND, RULES, SWIFT, TURN, as_text, merged, with_value
from tests.unit.small_games import rules_file

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "ruleset.schema.json"
FOR_PEOPLE = {"title", "text", "cites"}  # words that documents and prompts show
FOR_PACKS = {
    ("event", "placeholder")
}  # acts where a pack fills it, not in the game alone: see tests/unit/lang/packs
FOR_VERSIONS = {("game", "language")}  # names the meaning of every other key: see tests/frozen and RF350
STEPS = 7
OWN = re.compile(r"\.used_")  # counters of limits

GRID = {"kinds": {"cell": {"grid": {"shape": "square", "columns": 2, "rows": 2}, "has": {"disc": "flag"}}}}
STEPPING = {
    "actions": {
        "go": {"during": "turn", "choose": {"c": "in cells", "d": "in neighbours(c)"}, "do": "d.disc = true"}
    }
}
SPACES = {
    "kinds": {"space": {"track": {"ring": {"length": 4}, "side": {"length": 2}}, "has": {"lit": "flag"}}}
}
AHEAD = {
    "actions": {
        "go": {"during": "turn", "choose": {"c": "in spaces", "d": "in neighbours(c)"}, "do": "d.lit = true"}
    }
}
BUILD = {"actions": {"go": {"during": "turn", "choose": {"w": "in walls"}, "do": "w.up = true"}}}
WALLS = {"kinds": {"wall": {"edges": {"of": "cell"}, "has": {"up": "flag"}}}, **BUILD}
TOWNS = {
    "kinds": {"town": {"graph": {"links": {"aber": ["bree"], "bree": ["cold"]}}, "has": {"lit": "flag"}}}
}
WALK = {
    "actions": {
        "go": {"during": "turn", "choose": {"c": "in towns", "d": "in neighbours(c)"}, "do": "d.lit = true"}
    }
}
POOL = {
    "kinds": {"token": {"pool": 2, "has": {"owner": "player", "strength": "0..9"}}},
    "actions": {
        "make": {"during": "turn", "needs": "count(t in tokens) < 2", "do": "let t = new token(owner = me)"}
    },
}
KNOWN_AGAIN = {
    "positions": {"board": {"of": ["player.hurt"], "keeps": 9}},
    "actions": {
        "look": {"during": "turn", "do": "remember board; remember board; me.seen += repeats(board)"}
    },
}
WINDOW = {
    "windows": {"answer": {"text": "Answer."}},
    "actions": {
        "ask": {"during": "turn", "do": "offer answer() to opponent"},
        "duck": {"during": "answer", "do": "me.coins = 9"},
    },
}
CALM = {"manners": {"calm": {"during": "turn", "needs": "me.hurt < 5"}}}
DOZING = {**CALM, "actions": {"doze": {"manner": "calm", "do": "me.hurt = 0"}}}
COUNTING = {"rules": {"tick": {"after": "set game.clock", "when": "game.clock % 200 > 0", "do": "game.clock += 1"}},
            "actions": {"wind": {"during": "turn", "do": "game.clock = 1"}}}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A value at a place of the ruleset; `other` in its place where something must be there; `also` in both."""

    at: tuple[object, ...]
    value: Any
    other: Any = None
    also: dict[str, Any] = field(default_factory=dict)


CASES: dict[tuple[str, str], Case] = {
    ("game", "id"): Case(("game", "id"), "other", "keys"),
    ("game", "version"): Case(("game", "version"), "2.0", "1.0"),
    ("game", "players"): Case(("game", "players"), 1, 2, {"actions": {"hit": {"do": "strike(me, 2)"}}}),
    ("game", "limits"): Case(("game", "limits"), {"chain": 100}, None, COUNTING),
    ("limits", "chain"): Case(("game", "limits", "chain"), 100, None, COUNTING),
    ("limits", "stack"): Case(("game", "limits", "stack"), 16, None, {"events": {
        f"e{n}": {"takes": {"p": "player", "k": "0..9"}, "do": f"e{n - 1}(p, k); p.seen += k" if n else "p chooses c in cards: p.seen += k"}
        for n in range(8)}, "actions": {"deep": {"during": "turn", "do": "e7(me, 1); me.seen += 1"}}}),
    ("limits", "queue"): Case(("game", "limits", "queue"), 1, None, {"rules": {
        "r": RULES["after"], "s": RULES["after"], "t": RULES["after"]}}),
    ("limits", "candidates"): Case(("game", "limits", "candidates"), 1, None, {"actions": {
        "mull": {"during": "turn", "choose": {"s": "any number in gems such that count(g in s) > 0"}, "do": "me.seen += 1"}}}),
    ("option", "type"): Case(("options", "size", "type"), "1..2", "1..9", {"options": {"size": {"default": 5, "type": "1..9"}}}),
    ("option", "values"): Case(("options", "mood", "values"), ["merry"], ["grim", "merry"], {
        "options": {"mood": {"values": ["grim", "merry"], "default": "grim"}}}),
    ("option", "default"): Case(("options", "size", "default"), 5, 2, {
        "options": {"size": {"type": "1..9", "default": 2}}, "formulas": {"power": {"is": "option.size"}}}),
    ("number", "value"): Case(("numbers", "few", "value"), 5, 2, {
        "numbers": {"few": {"value": 2}}, "formulas": {"power": {"is": "few"}}}),
    ("fact", "type"): Case(("kinds", "card", "facts", "rank", "type"), "1..2", "1..3", {"kinds": {"card": {"facts": {"rank": {"type": "1..3"}}}}}),
    ("attribute", "type"): Case(("kinds", "player", "has", "coins", "type"), "0..9 = 5", "0..9 = 3", {
        "kinds": {"player": {"has": {"coins": {"type": "0..9 = 3"}}}}}),
    ("attribute", "sees"): Case(("kinds", "player", "has", "coins"), {"type": "0..9 = 3", "sees": "viewer is self"}, {"type": "0..9 = 3"}),
    ("attribute", "resets"): Case(("kinds", "player", "has", "hurt"), {"type": "0..9", "resets": "round"}, {"type": "0..9"}),
    ("attribute", "capped"): Case(("kinds", "player", "has", "hurt"), {"type": "0..9 = 5", "capped": True}, {"type": "0..9 = 5"}, {
        "events": {"strike": {"do": "p.hurt += 7"}}}),
    ("thing", "copies"): Case(("kinds", "card", "things", "ace", "copies"), 2),
    ("thing", "pool"): Case(("kinds", "card", "things", "imp"), {"pool": 2}, {"copies": 2}, {
        "actions": {"hit": {"do": "me.seen += count(c in cards)"}}}),
    ("thing", "keywords"): Case(("kinds", "card", "things", "king", "keywords"), ["swift"], None, merged(SWIFT, {
        "kinds": {"card": {"works": "self is king"}}})),
    ("thing", "rules"): Case(("kinds", "card", "things", "ace", "rules"), {"r": RULES["after"]}),
    ("thing", "actions"): Case(("kinds", "card", "things", "ace", "actions"), {"use": {"during": "turn", "do": "me.seen += 3"}}),
    ("grid", "shape"): Case(("kinds", "cell", "grid", "shape"), "hex", "square", merged(GRID, STEPPING)),
    ("grid", "columns"): Case(("kinds", "cell", "grid", "columns"), 3, 2, merged(GRID, STEPPING)),
    ("grid", "rows"): Case(("kinds", "cell", "grid", "rows"), 3, 2, merged(GRID, STEPPING)),
    ("grid", "first_row"): Case(("kinds", "cell", "grid", "first_row"), "north", None, merged(GRID, {
        "actions": {"go": {"during": "turn", "choose": {"c": "in cells where step(c, north) is none"}, "do": "c.disc = true"}}})),
    ("grid", "neighbours"): Case(("kinds", "cell", "grid", "neighbours"), "orthogonal", None, merged(GRID, STEPPING)),
    ("grid", "without"): Case(("kinds", "cell", "grid", "without"), ["a1"], None, merged(GRID, STEPPING)),
    ("grid", "leaps"): Case(("kinds", "cell", "grid", "leaps"), {"hop": [1, 1]}, None, merged(GRID, {
        "actions": {"go": {"during": "turn", "choose": {"d": "in directions"}, "do": "me.seen += number(d)"}}})),
    ("grid", "levels"): Case(("kinds", "cell", "grid", "levels"), 2, None, merged(GRID, STEPPING)),

    ("stretch", "length"): Case(("kinds", "space", "track", "ring", "length"), 3, 4, merged(SPACES, AHEAD)),
    ("stretch", "loop"): Case(("kinds", "space", "track", "ring", "loop"), True, None, merged(SPACES, AHEAD)),
    ("stretch", "from"): Case(("kinds", "space", "track", "side", "from"), "ring_2", None, merged(SPACES, AHEAD)),
    ("stretch", "to"): Case(("kinds", "space", "track", "side", "to"), "ring_2", None, merged(SPACES, AHEAD)),
    ("edges", "of"): Case(("kinds", "wall", "edges", "of"), "space", "cell", merged(GRID, merged(SPACES, WALLS))),
    ("edges", "rim"): Case(("kinds", "wall", "edges", "rim"), True, None, merged(GRID, WALLS)),
    ("graph", "links"): Case(("kinds", "town", "graph", "links"), {"aber": ["bree"]}, {"aber": ["bree"], "bree": ["cold"]}, merged(TOWNS, WALK)),
    ("graph", "one_way"): Case(("kinds", "town", "graph", "one_way"), True, None, merged(TOWNS, WALK)),
    ("kind", "plural"): Case(("kinds", "gem", "plural"), "stones"),
    ("kind", "things"): Case(("kinds", "gem", "things"), ["opal"], ["opal", "jade"]),
    ("kind", "count"): Case(("kinds", "gem"), {"count": 3}, {"things": ["opal", "jade"]}),
    ("kind", "product"): Case(("kinds", "gem"), {"product": {"whose": "players", "size": "1..3"}}, {"things": ["opal", "jade"]}),
    ("kind", "copies"): Case(("kinds", "gem"), {"product": {"size": "1..3"}, "copies": 2}, {"product": {"size": "1..3"}}),
    ("kind", "grid"): Case(("kinds", "gem"), GRID["kinds"]["cell"], {"things": ["opal", "jade"]}),
    ("kind", "rings"): Case(("kinds", "gem"), {"rings": [2, 4]}, {"things": ["opal", "jade"]}),
    ("kind", "graph"): Case(("kinds", "gem"), TOWNS["kinds"]["town"], {"things": ["opal", "jade"]}),
    ("kind", "track"): Case(("kinds", "gem", "track"), "loop", "line", {"kinds": {"gem": {"things": ["opal", "jade", "onyx"]}}, "actions": {
        "go": {"during": "turn", "choose": {"c": "in gems"}, "do": "for d in neighbours(c): me.seen += number(d)"}}}),
    ("kind", "edges"): Case(("kinds", "wall"), {"edges": "cell", "has": {"up": "flag"}}, {"count": 2, "has": {"up": "flag"}}, merged(GRID, BUILD)),
    ("kind", "corners"): Case(("kinds", "wall"), {"corners": "cell", "has": {"up": "flag"}}, {"count": 2, "has": {"up": "flag"}}, merged(GRID, BUILD)),
    ("kind", "pool"): Case(("kinds", "token", "pool"), 1, 2, POOL),
    ("kind", "lasts"): Case(("kinds", "token", "lasts"), "end of round", None, POOL),
    ("kind", "lines"): Case(("kinds", "cell", "lines"), {"two": 2}, {"two": 3}, merged(GRID, {"actions": {
        "go": {"during": "turn", "do": "me.seen += count(t in twos)"}}})),
    ("kind", "facts"): Case(("kinds", "gem", "facts"), {"weight": "1..9"}, {"weight": "0..9"}, {
        "kinds": {"gem": {"things": {"opal": {"weight": 0}}}}}),
    ("kind", "has"): Case(("kinds", "gem", "has"), {"cut": "flag"}),
    ("kind", "controller"): Case(("kinds", "card", "controller"), "ben", None, {"kinds": {"card": {"things": {
        "ace": {"actions": {"use": {"during": "turn", "do": "me.seen += 3"}}}}}}}),
    ("kind", "works"): Case(("kinds", "card", "works"), "self in deck", None, {"kinds": {"card": {"rules": {"r": RULES["after"]}}}}),
    ("kind", "trigger_order"): Case(("kinds", "card", "trigger_order"), "0 - number(self)", None, {"kinds": {"card": {"rules": {
        "r": {"after": "strike(p, much)", "do": "p.seen = p.seen % 9 * 3 + number(self)"}}}}}),
    ("kind", "rules"): Case(("kinds", "card", "rules"), {"r": RULES["after"]}),
    ("kind", "actions"): Case(("kinds", "card", "actions"), {"use": {"during": "turn", "do": "me.seen += 3"}}),
    ("place", "of"): Case(("places", "hand", "of"), {"owner_of": "player"}, {"holder": "player"}, {
        "actions": {"find": {"during": "turn", "needs": "ace.holder is me", "do": "me.seen += 1"}}}),
    ("place", "holds"): Case(("places", "box", "holds"), "gem", "card", {
        "places": {"box": {"holds": "card"}}, "actions": {"drop": {"during": "turn", "do": "move ace to box"}}}),
    ("place", "max"): Case(("places", "hand", "max"), 1),
    ("place", "ordered"): Case(("places", "hand", "ordered"), True, None, {
        "actions": {"both": {"during": "turn", "do": "move king to me.hand; move ace to me.hand; look(me)"}},
        "events": {"look": {"takes": {"p": "player"}, "do": "for c in first(x in p.hand): p.seen = number(c)"}}}),
    ("place", "sees"): Case(("places", "hand", "sees"), "viewer is holder"),
    ("place", "starts"): Case(("places", "deck", "starts"), "[ace]", "cards"),
    ("formula", "takes"): Case(("formulas", "power", "takes"), {"q": "player"}, {"p": "player"}, {"formulas": {"power": {"is": "p.coins"}}}),
    ("formula", "let"): Case(("formulas", "power", "let"), {"half": "p.coins - 2"}, {"half": "p.coins - 1"}, {"formulas": {"power": {"is": "half"}}}),
    ("formula", "is"): Case(("formulas", "power", "is"), 3, 2),
    ("formula", "sees"): Case(("formulas", "power", "sees"), "viewer is p"),
    ("formula", "open"): Case(("formulas", "power", "open"), False, True, {"rules": {"r": RULES["modify"]}}),
    ("formula", "each"): Case(("formulas", "power", "each"), "0..0", None, {"rules": {"r": RULES["modify"]}}),
    ("formula", "sum"): Case(("formulas", "power", "sum"), "0..0", None, {"rules": {"r": RULES["modify"]}}),
    ("formula", "clamp"): Case(("formulas", "power", "clamp"), "0..1"),
    ("position", "of"): Case(("positions", "board", "of"), ["player.hurt"], ["player.hurt", "active"], KNOWN_AGAIN),
    ("position", "keeps"): Case(("positions", "board", "keeps"), 1, 9, KNOWN_AGAIN),
    ("event", "takes"): Case(("events", "strike", "takes"), {"p": "player", "much": "0..1"}, {"p": "player", "much": "0..9"}, {
        "actions": {"hit": {"do": "strike(opponent, 2)"}}}),
    ("event", "needs"): Case(("events", "strike", "needs"), "p.coins > 5"),
    ("event", "together"): Case(("events", "strike", "together"), True, None, {"rules": {"r": {
        "always": "p in players where p.hurt > 1", "do": "p.hurt = 0"}}, "events": {"strike": {"do": "p.hurt = 2; p.seen = min(9, p.hurt)"}}}),
    ("event", "open"): Case(("events", "unused", "open"), True, None, {"events": {"unused": {"do": "skip"}}}),
    ("event", "do"): Case(("events", "strike", "do"), "p.hurt = 3", "p.hurt = 4"),
    ("keyword", "kind"): Case(("keywords", "swift", "kind"), "gem", "card", SWIFT),
    ("keyword", "takes"): Case(("keywords", "swift", "takes"), {"amount": "0..1"}, {"amount": "0..9"}, merged(SWIFT, {
        "kinds": {"card": {"things": {"ace": {"keywords": ["swift(2)"]}}}}})),
    ("keyword", "includes"): Case(("keywords", "both", "includes"), ["swift"], None, merged(SWIFT, {
        "keywords": {"both": {"text": "Both.", "kind": "card"}}, "kinds": {"card": {"things": {"ace": {"keywords": ["both"]}}}}})),
    ("keyword", "works"): Case(("keywords", "swift", "works"), "self not in deck", None, SWIFT),
    ("keyword", "rules"): Case(("keywords", "swift", "rules"), {"r": {"after": "strike(p, much)", "do": "p.coins = 1"}}, SWIFT["keywords"]["swift"]["rules"], SWIFT),
    ("keyword", "actions"): Case(("keywords", "swift", "actions"), {"use": {"during": "turn", "do": "me.seen += 3"}}, None, SWIFT),
    ("phase", "phase"): Case((*TURN, "phase"), "toss", "turn"),
    ("phase", "when"): Case((*TURN, "when"), "game.clock > 2"),
    ("phase", "each"): Case((*TURN, "each"), "me in players by 0 - number(me)", "me in players"),
    ("phase", "repeat"): Case((*ROUND, "repeat"), "game.clock < 1", True),
    ("phase", "do"): Case((*TURN, "do"), "me.seen += 1"),
    ("phase", "window"): Case((*TURN, "window"), "many", "one"),
    ("phase", "openly"): Case((*TURN, "openly"), True, None, {"flow": [{"phase": "round", "repeat": True, "end": "game.clock += 1", "steps": [
        {"phase": "turn", "each": "me in players", "window": "maybe"}]}]}),
    ("phase", "ask"): Case((*TURN, "ask"), "always", None, {"flow": [{"phase": "round", "repeat": True, "end": "game.clock += 1", "steps": [
        {"phase": "turn", "each": "me in players", "window": "maybe"}]}], "actions": {
        "hit": {"needs": "game.clock < 2"}, "take": {"needs": "game.clock < 2"}, "give": {"needs": "game.clock < 2"}, "rest": {"needs": "game.clock < 2"}}}),
    ("phase", "stuck"): Case((*TURN, "stuck"), "finish over", None, {"actions": {
        "hit": {"needs": "game.clock < 2"}, "take": {"needs": "game.clock < 2"}, "give": {"needs": "game.clock < 2"}, "rest": {"needs": "game.clock < 2"}}}),
    ("phase", "holds"): Case((*TURN, "holds"), "me.seen < 2"),
    ("phase", "sees"): Case((*TURN, "sees"), "viewer is me"),
    ("phase", "steps"): Case((*TURN, "steps"), [{"phase": "more", "do": "me.seen += 1"}]),
    ("phase", "end"): Case((*TURN, "end"), "me.seen += 1"),
    ("action", "during"): Case(("actions", "rest", "during"), ["turn", "more"], "turn", {
        "actions": {"other": {"during": "more", "do": "skip"}}, "flow": [{"phase": "round", "repeat": True, "end": "game.clock += 1", "steps": [
            {"phase": "turn", "each": "me in players", "window": "one"}, {"phase": "more", "each": "me in players", "window": "one"}]}]}),
    ("action", "choose"): Case(("actions", "rest", "choose"), {"g": "in gems"}),
    ("action", "needs"): Case(("actions", "rest", "needs"), "me.hurt > 0"),
    ("action", "joined"): Case(("actions", "give", "joined"), True),
    ("action", "limit"): Case(("actions", "hit", "limit"), "once per game"),
    ("action", "works"): Case(("actions", "hit", "works"), "ann.hurt > 0"),
    ("action", "cost"): Case(("actions", "rest", "cost"), "me.coins -= 1"),
    ("action", "do"): Case(("actions", "rest", "do"), "me.hurt = 1", "me.hurt = 0"),
    ("action", "holds"): Case(("actions", "give", "holds"), "me.seen < 2"),
    ("action", "sees"): Case(("actions", "rest", "sees"), "viewer is me"),
    ("action", "manner"): Case(("actions", "rest", "manner"), "calm", None, {"manners": {"calm": {"needs": "me.seen > 0"}}, "actions": {"doze": {"manner": "calm", "during": "turn", "do": "skip"}}}),
    ("manner", "during"): Case(("manners", "calm", "during"), ["turn", "more"], "turn", merged(CALM, {"actions": {"doze": {"manner": "calm", "do": "skip"}, "other": {"during": "more", "do": "skip"}}, "flow": [
        {"phase": "round", "repeat": True, "end": "game.clock += 1", "steps": [
            {"phase": "turn", "each": "me in players", "window": "one"}, {"phase": "more", "each": "me in players", "window": "one"}]}]})),
    ("manner", "needs"): Case(("manners", "calm", "needs"), "me.seen > 0", None, DOZING),
    ("manner", "joined"): Case(("manners", "calm", "joined"), True, None, merged(CALM, {"actions": {"give": {"manner": "calm"}}})),
    ("manner", "limit"): Case(("manners", "calm", "limit"), "once per game", None, DOZING),
    ("manner", "works"): Case(("manners", "calm", "works"), "ann.hurt > 0", None, DOZING),
    ("manner", "cost"): Case(("manners", "calm", "cost"), "me.coins -= 1", None, DOZING),
    ("manner", "holds"): Case(("manners", "calm", "holds"), "me.seen > 0", None, DOZING),
    ("manner", "sees"): Case(("manners", "calm", "sees"), "viewer is me", None, DOZING),
    ("window", "takes"): Case(("windows", "answer", "takes"), {"k": "0..9"}, None, WINDOW),
    ("window", "window"): Case(("windows", "answer", "window"), "one", None, WINDOW),
    ("window", "openly"): Case(("windows", "answer", "openly"), True, None, WINDOW),
    ("window", "ask"): Case(("windows", "answer", "ask"), "always", None, merged(WINDOW, {"actions": {"duck": {"needs": "me.coins > 99"}}})),
    ("window", "open"): Case(("windows", "empty", "open"), True, None, {"windows": {"empty": {"text": "Empty."}}, "actions": {
        "ask": {"during": "turn", "do": "offer empty() to opponent"}}}),
    ("ending", "when"): Case(("endings", "won"), {"text": "Won.", "when": "ann.hurt > 1"}, {"text": "Won."}),
    ("ending", "winners"): Case(("endings", "won"), {"text": "Won.", "when": "ann.hurt > 1", "winners": "ben"}, {"text": "Won.", "when": "ann.hurt > 1"}),
    ("ending", "lost"): Case(("endings", "won"), {"text": "Won.", "when": "ann.hurt > 1", "lost": True}, {"text": "Won.", "when": "ann.hurt > 1"}),
    ("ending", "at"): Case(("endings", "won"), {"text": "Won.", "when": "ben.hurt > 1", "at": "end of round"}, {"text": "Won.", "when": "ben.hurt > 1"}),
    ("invariant", "that"): Case(("invariants", "i"), {"that": "ann.hurt < 2"}, {"that": "true"}),
    ("check", "each"): Case(("checks", "c"), {"each": "c in cards where c.rank > 2", "that": "1 > 2"}, {"each": "c in cards where c.rank > 3", "that": "1 > 2"}),
    ("check", "that"): Case(("checks", "c"), {"that": "1 > 2"}, {"that": "2 > 1"}),
    ("check", "warn"): Case(("checks", "c"), {"that": "1 > 2"}, {"that": "1 > 2", "warn": True}),
    ("profile", "weighs"): Case(("profiles", "keen"), {"weighs": {"hit": 2}}, {"weighs": {"hit": "0 - 2"}}),
    ("top", "profiles"): Case(("profiles",), {"keen": {"weighs": {"hit": 2}}}),
    ("top", "game"): Case(("game", "players"), 1, 2),
    ("top", "options"): Case(("options",), {"size": {"type": "1..9", "default": 5}}),
    ("top", "numbers"): Case(("numbers",), {"few": 5}, {"few": 2}, {"formulas": {"power": {"is": "few"}}}),
    ("top", "kinds"): Case(("kinds", "coin"), {"things": ["penny"], "has": {"spent": "flag"}}),
    ("top", "places"): Case(("places", "box"), {"holds": "card"}),
    ("top", "formulas"): Case(("formulas", "more"), {"is": 1}),
    ("top", "events"): Case(("events", "more"), {"do": "skip"}),
    ("top", "rules"): Case(("rules",), {"r": RULES["after"]}),
    ("top", "keywords"): Case(("keywords", "swift", "rules", "r", "do"), "p.coins = 1", "p.coins = 0", SWIFT),
    ("top", "setup"): Case(("setup",), "ann.coins = 9"),
    ("top", "flow"): Case((*TURN, "do"), "me.seen += 1"),
    ("top", "actions"): Case(("actions", "more"), {"during": "turn", "do": "skip"}),
    ("top", "windows"): Case(("windows",), WINDOW["windows"]),
    ("top", "manners"): Case(("manners",), {"calm": {"during": "turn", "needs": "me.seen > 0"}}, {"calm": {"during": "turn"}}, {"actions": {"doze": {"manner": "calm", "do": "me.hurt = 0"}}}),
    ("top", "positions"): Case(("positions",), KNOWN_AGAIN["positions"], {"board": {"of": ["player.hurt"], "keeps": 1}}, KNOWN_AGAIN),
    ("top", "endings"): Case(("endings", "more"), {"text": "More.", "when": "ann.hurt > 1"}),
    ("top", "invariants"): Case(("invariants",), {"i": {"that": "ann.hurt < 2"}}),
    ("top", "checks"): Case(("checks",), {"c": {"that": "1 > 2"}}),
    ("top", "scores"): Case(("scores",), "p.hurt", None, {"endings": {"won": {"text": "Won.", "when": "ann.hurt > 1"}}}),
    ("top", "heuristic"): Case(("heuristic",), "p.hurt", "0 - p.hurt"),
}  # fmt: skip

RULE_KEYS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "when": ("p is ann", None, {}),
    "works": ("ann.coins is 0", None, {}),
    "before": ({"was": "p.hurt"}, {"was": "7 - p.hurt"}, {"do": "p.coins = was"}),
    "may": (True, None, {"who": "next(p)"}),
    "who": ("next(p)", "p", {"may": True}),
    "limit": ("once per game", None, {}),
    "cost": ("p.coins -= 2", None, {}),
    "do": ("p.seen += 5", None, {}),
    "add": (2, None, {}),
    "set": (1, None, {}),
    "remove": (1, None, {}),
}


def rule_case(head: str, key: str) -> Case:
    value, other, also = RULE_KEYS[key]
    if key in RULES[head] and other is None:
        other = RULES[head][key]
    extra = {name: given for name, given in also.items() if head in ("after", "instead of", "always")}
    return Case(("rules", "r", key), value, other, {"rules": {"r": {**RULES[head], **extra}}})


BETTING = {"actions": {"bet": {"during": "turn", "choose": {"much": "in 1..2"}, "do": "me.hurt += much"}}}
SOME_LAYOUT = {"layout": {"small": ["seen"]}}
_TRACK = {"facts": {"length": "1..9", "depth": "1..9"}}
_ON_TRACKS = {"on": "track = inner", "also_on": "road = dirt", "step": "0..9 = 1", "steps": "0..9"}
TRACKS: dict[str, Any] = {
    "layout": {"lanes": {"kind": "track", "length": "length", "of": "player", "lane": "on", "at": "step"}},
    "kinds": {
        "track": {**_TRACK, "things": {"inner": {"length": 3, "depth": 1}, "outer": {"length": 5, "depth": 2}}},
        "road": {**_TRACK, "things": {"dirt": {"length": 4, "depth": 1}}},
        "player": {"has": _ON_TRACKS},
        "gem": {"has": {"on": "track = inner", "step": "0..9"}},
    },
}  # fmt: skip
ON_BOARD = {
    "kinds": {"cell": {"grid": {"shape": "square", "columns": 2, "rows": 1}}},
    "places": {"spot": {"of": {"c": "cell"}, "holds": "card"}},
    "setup": "move ace to a1.spot",
}
BACKS = {"places": {"hand": {"sees": "false"}}, "setup": "move ace to ann.hand; ace.tired = true"}
IN_HAND = {"setup": "move ace to ann.hand"}
TWINS: dict[str, Any] = {
    "kinds": {"gem": {"things": {"pearl": {"copies": 2}}}},
    "places": {"box": {"holds": "gem", "starts": "gems"}},
}
# Keys that change nothing that is played, only what is drawn or told.
SHOWN: dict[tuple[str, str], Case] = {
    ("top", "layout"): Case(("layout",), {"small": ["coins"]}),
    ("kind", "called"): Case(("kinds", "gem"), {"product": {"size": "1..3"}, "called": "no. {size}"}, {"product": {"size": "1..3"}}, {
        "places": {"box": {"holds": "gem", "starts": "gems"}}}),
    ("event", "tells"): Case(("events", "strike", "tells"), "{p} is struck for {much}."),
    ("action", "hint"): Case(("actions", "hit", "hint"), "hits for 2, {me.coins} coins left", "hits"),
    ("action", "tells"): Case(("actions", "hit", "tells"), "{me} hits."),
    ("layout", "kinds"): Case(("layout", "kinds"), {"player": {"shows": ["hurt"]}}, None, SOME_LAYOUT),
    ("layout", "boxes"): Case(("layout", "boxes"), ["card"], None, SOME_LAYOUT),
    ("layout", "small"): Case(("layout", "small"), ["coins"], ["seen"]),
    ("layout", "quiet"): Case(("layout", "quiet"), ["hurt"], ["seen"]),
    ("layout", "lanes"): Case(("layout", "lanes"), TRACKS["layout"]["lanes"], None, merged(TRACKS, SOME_LAYOUT)),
    ("layout", "values"): Case(("layout", "values"), {"much": {"1": "a little"}}, {"much": {"1": "a lot"}}, BETTING),
    ("lanes", "kind"): Case(("layout", "lanes", "kind"), "track", "road", TRACKS),
    ("lanes", "length"): Case(("layout", "lanes", "length"), "length", "depth", TRACKS),
    ("lanes", "of"): Case(("layout", "lanes", "of"), "player", "gem", TRACKS),
    ("lanes", "lane"): Case(("layout", "lanes", "lane"), "on", "also_on", TRACKS),
    ("lanes", "at"): Case(("layout", "lanes", "at"), "step", "steps", TRACKS),
    ("kindLayout", "by"): Case(("layout", "kinds", "card"), {"by": ["rank"], "symbols": {"2": "@"}}, {"by": ["rank"], "symbols": {"3": "@"}}, ON_BOARD),
    ("kindLayout", "symbols"): Case(("layout", "kinds", "card", "symbols"), {"ace": "@"}, {"ace": "%"}, ON_BOARD),
    ("kindLayout", "hidden"): Case(("layout", "kinds", "card", "hidden"), "%", "@", BACKS),
    ("kindLayout", "colours"): Case(("layout", "kinds", "card", "colours"), {"ace": "red"}, {"ace": "blue"}, ON_BOARD),
    ("kindLayout", "face"): Case(("layout", "kinds", "card", "face"), ["rank"], ["tired"]),
    ("kindLayout", "shows"): Case(("layout", "kinds", "player", "shows"), ["hurt"], ["coins"]),
    ("kindLayout", "of"): Case(("layout", "kinds", "player", "of"), {"coins": 9}, {"coins": "hurt"}),
    ("kindLayout", "by_sign"): Case(("layout", "kinds", "card"), {"by_sign": True, "symbols": {"ace": "@"}}, {"by_sign": False, "symbols": {"ace": "@"}}, IN_HAND),
    ("kindLayout", "numbered"): Case(("layout", "kinds", "gem", "numbered"), True, False, TWINS),
}  # fmt: skip


def admitted() -> set[tuple[str, str]]:
    """Every form of the schema with every key it admits, but for words for people."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    found = {("top", key) for key in schema["properties"]}
    found |= {("game", key) for key in schema["properties"]["game"]["properties"]}
    found |= {("limits", key) for key in schema["properties"]["game"]["properties"]["limits"]["properties"]}
    for form, definition in schema["$defs"].items():
        for shape in (definition, *definition.get("anyOf", ())):
            found |= {(form, key) for key in shape.get("properties", ())}
    return {(form, key) for form, key in found if key not in FOR_PEOPLE} - FOR_PACKS - FOR_VERSIONS


def test_the_table_knows_every_key_of_the_schema():
    heads = {("rule", head) for head in RULES}
    known = {*CASES, *SHOWN, *heads, *(("rule", key) for key in RULE_KEYS)}
    assert admitted() == known


@cache
def shown(text: str) -> str:
    """What can be noticed of a ruleset: complaints, choices, values, views, endings; along one line of play."""
    folder = rules_file(text)
    diagnostics = sorted(f"{d.code} {d.message}" for d in diagnostics_of(folder))
    try:
        game = ruleforge.load(folder)
    except ruleforge.RulesetError:
        return "refused"
    found: list[object] = [diagnostics, game.info.players, game.info.version, game.info.options, game.id]
    state = game.start(seed=3)
    found.append(GreedyAgent(1).choose(state).text)
    found += [
        make_agent(name, 1, game.compiled.profiles).choose(state).text for name in game.compiled.profiles
    ]
    for step in range(STEPS):
        found += seen(state)
        for choice in state.choices:
            found += [str(choice), *after(state.copy(), choice)]
        if not state.choices:
            break
        after(state, state.choices[(step * 5) % len(state.choices)])
    return str(found)


def after(state: ruleforge.State, choice: ruleforge.Choice) -> list[object]:
    """What a choice leads to, and what everybody is told of it."""
    try:
        events = state.apply(choice)
    except ruleforge.IllegalChoice as refusal:
        return [refusal.code]
    told = [[str(event) for event in events.seen_by(player)] for player in state.players]
    return [*seen(state), told]


def seen(state: ruleforge.State) -> list[object]:
    """What is there, but for the engine's own counters: they are no effect."""
    values = {path: state[path] for path in state.paths() if not OWN.search(path)}
    views = [(view["places"], view["decision"]) for view in map(state.view, state.players)]
    attributes = [
        sorted(path for path in state.view(p)["attributes"] if not OWN.search(path)) for p in state.players
    ]
    return [values, views, attributes, state.outcome, state.violations(), [str(c) for c in state.choices]]


def acts(case: Case) -> bool:
    base = merged(KEYS, case.also)
    one, two = (as_text(with_value(base, case.at, value)) for value in (case.value, case.other))
    return shown(one) == "refused" or shown(one) != shown(two)


@pytest.mark.parametrize(("form", "key"), sorted(CASES))
def test_a_key_acts_or_is_refused(form, key):
    assert acts(CASES[form, key])


@cache
def drawn_and_told(text: str) -> str:
    """What people are shown and told along one line of play."""
    try:
        game = ruleforge.load(rules_file(text))
    except ruleforge.RulesetError:
        return "refused"
    state, found, narrator = game.start(seed=3), list[object](), Narrator(game.info)
    for step in range(STEPS):
        found += [(drawn(state.scene(p), Paper(80)), state._repr_html_()) for p in state.players]
        if not state.choices:
            break
        choice = state.choices[(step * 5) % len(state.choices)]
        found += narrator.step("ann", str(choice), state.apply(choice).seen_by("ann"))
    return str(found)


@pytest.mark.parametrize(("form", "key"), sorted(SHOWN))
def test_a_key_for_the_table_is_shown(form, key):
    case = SHOWN[form, key]
    base = merged(KEYS, case.also)
    one, two = (as_text(with_value(base, case.at, value)) for value in (case.value, case.other))
    assert "refused" not in (drawn_and_told(one), drawn_and_told(two))
    assert drawn_and_told(one) != drawn_and_told(two)
    assert shown(one) == shown(two), "it changes nothing that is played"


@pytest.mark.parametrize("key", sorted(RULE_KEYS))
@pytest.mark.parametrize("head", sorted(RULES))
def test_a_key_of_a_rule_acts_or_is_refused_under_every_head(head, key):
    assert acts(rule_case(head, key))


@pytest.mark.parametrize("head", sorted(RULES))
def test_a_head_of_a_rule_acts(head):
    base = KEYS
    assert shown(as_text(merged(base, {"rules": {"r": RULES[head]}}))) not in (
        "refused",
        shown(as_text(base)),
    )


def test_no_case_leans_on_a_ruleset_that_is_refused_anyway():
    """The ruleset without the key must be fine, or the case shows nothing; a few keys must be there."""
    base = KEYS
    refused = [
        name
        for name, case in CASES.items()
        if shown(as_text(with_value(merged(base, case.also), case.at, case.other))) == "refused"
    ]
    assert refused == []


STANDING = {"always": "p in players where p.hurt > 1", "do": "p.hurt = 0"}


def standing(**keys: object) -> ruleforge.State:
    rules = merged(KEYS, {"rules": {"r": {**STANDING, **keys}}})
    return ruleforge.load(rules_file(as_text(rules))).start(seed=3)


def test_a_standing_rule_with_a_spent_limit_rests():
    state = standing(limit="once per game")
    state.apply("hit")
    assert state["ben.hurt"] == 0
    state.apply("hit")
    assert state["ann.hurt"] == 2


def test_a_standing_rule_that_cannot_be_paid_rests():
    state = standing(cost="p.coins -= 4")
    state.apply("hit")
    assert state["ben.hurt"] == 2


def test_a_standing_rule_that_was_declined_does_not_ask_again_at_once():
    state = standing(may=True, who="p")
    state.apply("hit")
    asked = 0
    while state.decision is not None and state.decision.kind != "turn":
        state.apply("decline")
        asked += 1
        assert asked < 3
    assert state["ben.hurt"] == 2


def replacing(**keys: object) -> ruleforge.State:
    rule = {"instead of": "strike(p, much)", "do": "p.seen += 1", **keys}
    rules = merged(KEYS, {"rules": {"r": rule}})
    return ruleforge.load(rules_file(as_text(rules))).start(seed=3)


def hits(state: ruleforge.State, *answers: str) -> tuple[object, object, object]:
    """Ann hits Ben: what is left of it after the answers."""
    for text in ("hit", *answers):
        state.apply(text)
    return state["ben.hurt"], state["ben.seen"], state["ben.coins"]


def test_a_replacement_is_used_as_often_as_its_limit_says():
    state = replacing(limit="once per game")
    assert hits(state) == (0, 1, 3)
    state.apply("rest")
    assert hits(state) == (2, 1, 3)


def test_a_replacement_is_paid_for_or_does_not_act():
    state = replacing(cost="p.coins -= 2")
    assert hits(state) == (0, 1, 1)
    state.apply("rest")
    assert hits(state) == (2, 1, 1)


def test_a_replacement_may_be_declined():
    assert hits(replacing(may=True, who="p"), "r") == (0, 1, 3)
    assert hits(replacing(may=True, who="p"), "decline") == (2, 0, 3)


def test_a_replacement_of_one_carrier_that_is_declined_leaves_room_for_the_next():
    rule = {"instead of": "strike(p, much)", "may": True, "do": "p.seen += number(self)"}
    rules = merged(KEYS, {"kinds": {"card": {"rules": {"r": rule}, "has": {"owner": "player = ben"}}}})
    state = ruleforge.load(rules_file(as_text(rules))).start(seed=3)
    assert hits(state.copy(), "r") == (0, 1, 3)
    assert hits(state.copy(), "decline", "r") == (0, 2, 3)
    assert hits(state.copy(), "decline", "decline") == (2, 0, 3)
