"""The words of the effect language and the facts of boards, each with one line for editors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import SetT

# With which a statement begins.
STATEMENTS: Mapping[str, str] = {
    "let": "`let x = VALUE` names a value; `let x: set of card = []` says what it holds",
    "if": "`if C:` … `elif C:` … `else:`",
    "elif": "another case of an `if`",
    "else": "otherwise; after a choice: if nothing was chosen",
    "for": "`for x in S where C:` for each; `for one x` for the first; `for random x` for one drawn by chance",
    "repeat": "`repeat N:`, `repeat N while C:` at most N times",
    "move": "`move X to PLACE`, in an ordered place `at top` or `at bottom`",
    "shuffle": "`shuffle PLACE` puts an ordered place into random order",
    "finish": "`finish NAME for WHO` ends the game at once; a player, a set of players or a team wins",
    "return": "`return VALUE` ends an event and gives the value to its caller",
    "leave": "`leave PHASE` ends the named phase that is running, with all its repetitions",
    "remember": "`remember POSITION` notes the position as it is now",
    "forget": "`forget POSITION` drops all positions that were noted",
    "skip": "does nothing",
    "pay": "`pay N from p.a or p.b` takes N from several pools; the player says how much from each",
    "proceed": "in `instead of`: lets the event happen; `proceed with k = k - 1` changes its values",
    "remove": "`remove X` unmakes a thing of a pool",
    "show": "`show X to P` makes a thing, a set or a place known; `show c.colour to P` a part of a thing alone",
    "offer": "`offer WINDOW(a) to P` opens a window",
    "new": "`new KIND(a = x)`, `new THING(a = x)` makes a thing of a pool",
    "each": "`each p in S secretly chooses x in T:` all choose; answers show when all have chosen",
    "together": "`together:` several steps that count as one",
}
# Which stand inside a statement or an expression.
INSIDE: Mapping[str, str] = {
    "and": "true if both are; the second is evaluated only if needed",
    "or": "true if one of them is; the second is evaluated only if needed",
    "not": "`not C`; `is not`, `not in`",
    "is": "equal; `is not`: not equal",
    "in": "`x in S`: membership; in a binder, where things come from",
    "has": "`x has K`: true if the thing has this keyword",
    "if": "`a if TEST else b`: one or the other",
    "else": "`a if TEST else b`: one or the other",
    "where": "keeps what satisfies a condition",
    "until": "keeps the first member that satisfies a condition, and stops there",
    "by": "sorts by a number, smallest first; `then` where equal",
    "then": "`by KEY then KEY`: how equal ones are sorted",
    "for": "`{E for x in S}`, `sum(E for x in S)`; `finish NAME for WHO`",
    "across": "`linked(A, B, r in rooms across w in walls where C)`: a path that crosses matching edges alone",
    "none": "no thing",
    "true": "a flag that is set",
    "false": "a flag that is not set",
    "count": "`count(x in S where C)`: how many",
    "any": "`any(x in S where C)`: true if there is one; `any number of x in S`: a choice of several",
    "all": "`all(C for x in S)`: true if it holds for every one",
    "first": "`first(x in S by K)`: the first, or none",
    "best": "`best(x in S by K)`: the set of those with the largest key",
    "sum": "`sum(E for x in S)`",
    "min": "`min(a, b)`, `min(E for x in S)`: the smallest",
    "max": "`max(a, b)`, `max(E for x in S)`: the largest",
    "linked": "`linked(A, B, x in S where C)`: true if a path over matching cells leads from A to B",
    "reached": "`reached(A, x in S where C)`: the set of all matching cells to which a path leads from A",
    "can": "`can(event(a))`: true if its `needs` hold and no rule forbids it",
    "would": "`would(event(a): E)`: the value of E after the event, tried on a copy",
    "chooses": "`P chooses x in S:` asks a player, who must answer",
    "may": "`P may choose x in S:` asks a player, who may decline",
    "choose": "`P may choose x in S:` asks a player, who may decline",
    "picks": "`P picks:` with options `name if C:`: a menu",
    "openly": "others may know whether there was something to choose",
    "secretly": "`each p in S secretly chooses x in T:` answers show when all have chosen",
    "up": "`up to N x in S`: a choice of several",
    "exactly": "`exactly N x in S`: a choice of so many",
    "number": "`any number of x in S`: a choice of several; `number(x)`: the position of a thing in its kind",
    "such": "`such that C`: a condition on the chosen set",
    "that": "`such that C`: a condition on the chosen set",
    "usually": "`usually A`: the answer of a text that leaves it out",
    "roll": "`let x = roll 3d6`, `let x = roll 0..9`",
    "random": "`let x = random(c in S)`, `for random c in S:` one of them, each as likely as the others",
    "one": "`for one x in S by K:` for the first of them, if there is one",
    "while": "`repeat N while C:` at most N times, as long as it holds",
    "to": "`move X to PLACE`, `show X to P`, `offer WINDOW() to P`, `up to N`",
    "at": "`move X to PLACE at top`",
    "top": "`move X to PLACE at top`",
    "bottom": "`move X to PLACE at bottom`, which is the default",
    "from": "`pay N from p.a or p.b`; in a pattern `move card from PLACE`",
    "with": "`proceed with k = k - 1`",
    "flag": "a type: `true` or `false`",
    "set": "`set of KIND`: a type; in a pattern `set card.power`: a change of an attribute",
    "of": "`set of KIND`; `start of PHASE`",
    "per": "`TYPE per KIND`: a value for each thing of another kind",
    "start": "a pattern: `start of PHASE`",
    "end": "a pattern: `end of PHASE`",
    "offer": "`offer WINDOW(a) to P` opens a window",
    "new": "`let x = new KIND(a = x)` makes a thing of a pool",
}
_FACTS = {
    "column": "which column it lies in, from 1",
    "row": "which row it lies in, from 1",
    "level": "how high it lies, from 1",
    "ring": "which ring it lies in, from 1 on the inside",
    "sector": "which sector of its ring, from 0",
    "sectors": "how many sectors its ring has",
    "position": "how far along its stretch, from 1",
    "side": "on which side of its first cell the edge lies",
}


def word_documentation(word: str) -> str:
    """One line about a word of the language; empty if it is none."""
    return STATEMENTS.get(word) or INSIDE.get(word, "")


# The parts of a board, and the meaning of its own facts and functions, in one line each.


def made_of(rules: t.Checked, kind: str) -> str:
    """The form and size of a board, or the board of edges and corners."""
    made = rules.geometry.get(kind)
    if made is None:
        return ""
    if made.border is not None:
        return f"{made.shape} of `{made.border.board.name}`"
    if made.shape in ("square", "hex"):
        levels = f", {made.levels} levels" if made.levels > 1 else ""
        return f"a grid: {made.shape}, {made.columns} columns, {made.rows} rows{levels}"
    if made.stretches:
        return f"a track: {', '.join(made.stretches)}"
    return f"a board: {made.shape}"


def places_by_function(rules: t.Checked) -> Iterator[tuple[str, str]]:
    """The functions that are called as a board is, and find one of its things."""
    for name, made in rules.geometry.items():
        if made.border is not None:
            yield name, _by_cells(name, made, made.border.board.name)
        elif made.shape in ("square", "hex"):
            level = ", level" if made.levels > 1 else ""
            yield name, f"{name}(column, row{level}): the one at that place, or none"


def _by_cells(name: str, made: t.Geometry, board: str) -> str:
    beside = f"{name}({board}, direction): the one on that side, or none"
    if made.shape == "corners":
        return beside
    between = f"{name}({board}, {board}): the edge between two, or none"
    return f"{between}; {beside}" if made.border is not None and made.border.sides else between


def fact_documentation(rules: t.Checked, column: t.Column) -> str:
    """The meaning of a fact that a board makes itself; empty for other facts."""
    made = rules.geometry.get(column.kind.name)
    if made is not None and column.name in made.steps:
        return "one step in that direction, or none"
    if made is not None and column.name in _FACTS:
        return _FACTS[column.name]
    if isinstance(column.type, SetT) and rules.kinds[column.type.kind].plural == column.name:
        return "what touches it, in the order of their kind"
    return ""
