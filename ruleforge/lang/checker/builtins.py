"""Types the built-in functions: their arguments and results, also of `players_from(p)` and `during(opening)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.borders import check_border
from ruleforge.lang.checker.expressions.operators import computed
from ruleforge.lang.checker.geometry import opposites, turns
from ruleforge.lang.checker.offered_choices import check_can_act
from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.checker.typed.own_columns import under_way
from ruleforge.lang.checker.types import ERROR, FLAG, INT_MAX, ErrorT, NumberT, SetT, ThingT, Type
from ruleforge.lang.parser import nodes as n
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.spelling import counted, is_or_are

if TYPE_CHECKING:
    from ruleforge.lang.checker.expressions.checker import Expressions
    from ruleforge.lang.checker.scope import Scope

# name -> (fewest and most values; one line for people)
ANY_NUMBER = 1_000
BUILTINS: dict[str, tuple[tuple[int, int], str]] = {
    "abs": ((1, 1), "the distance of a number from zero"),
    "min": ((2, ANY_NUMBER), "the smallest of several numbers"),
    "max": ((2, ANY_NUMBER), "the largest of several numbers"),
    "clamp": ((3, 3), "clamp(x, low, high): x, but at least low and at most high; low wins if they cross"),
    "number": ((1, 1), "the position of a thing in its kind, from 1"),
    "twins": ((2, 2), "twins(a, b): true if both are copies of one printed thing, or the same thing"),
    "next": ((1, 2), "next(p): the player after p, round the table; next(p, k): the k-th after p"),
    "previous": (
        (1, 2),
        "previous(p): the player before p, round the table; previous(p, k): the k-th before p",
    ),
    "players_from": (
        (1, 1),
        "players_from(p): all players in turn order, beginning with p and round the table",
    ),
    "step": (
        (2, 3),
        "step(cell, direction): the cell one step away, or none; step(cell, direction, k): k steps",
    ),
    "ray": ((2, 2), "ray(cell, direction): the cells in that direction, nearest first"),
    "can_act": (
        (1, 2),
        "can_act(p, NAME): true if p has a choice in this phase or window, or of this action",
    ),
    "during": ((1, 1), "during(NAME): true while this phase or window runs"),
    "repeats": ((1, 1), "repeats(POSITION): how many of the remembered positions equal the present one"),
    "opposite": ((1, 1), "the direction that leads back"),
    "turned": ((2, 2), "turned(direction, k): k turns further clockwise, on squares an eighth each"),
    "neighbours": ((1, 1), "the cells one step away"),
    "distance": ((2, 2), "the number of steps between two cells, -1 if no way leads there"),
}
# Asked in `checks` only: see printed.py.
IN_CHECKS: dict[str, str] = {
    "prints": "prints(thing, NAME): true if a rule printed on it can reach this formula or event",
    "same_title": "same_title(a, b): true if both have the same title, ignoring case",
}


def check_builtin(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    symbols, name = checker.symbols, node.name
    if name in symbols.geometry:
        return _cell_at(checker, node, scope)
    fewest, most = BUILTINS[name][0]
    given = len(node.arguments)
    if not fewest <= given <= most:
        several = "two or more values" if most == ANY_NUMBER else f"{fewest} or {most} values"
        wanted = counted(fewest, "value") if fewest == most else several
        message = f"`{name}` takes {wanted}, here {is_or_are(given)}"
        among = f"for many values write `{name}(... for x in SET)`" if name in ("min", "max") else None
        return symbols.error("RF504", message, node.span, among)
    if name == "can_act":
        return check_can_act(checker, node, scope)
    if name == "during":
        return check_during(checker, node)
    if name == "repeats":
        return _repeats(checker, node)
    if name in ("abs", "min", "max", "clamp"):
        return _number_function(checker, node, scope)
    first = checker.thing(node.arguments[0], scope)
    if isinstance(first.type, ErrorT):
        return first
    if not isinstance(first.type, ThingT):
        return symbols.error(
            "RF502", f"`{name}` needs a thing, but this is {first.type}", node.arguments[0].span
        )
    kind = symbols.kinds[first.type.kind]
    if name == "number":
        return t.Builtin(node.span, NumberT(1, kind.size), name, (first,), kind)
    if name == "twins":
        second = checker.wanted(node.arguments[1], scope, first.type, "`twins`")
        return t.Builtin(node.span, FLAG, name, (first, second), kind)
    if name in ("next", "previous"):
        return _along_the_table(checker, node, scope, first)
    if name == "players_from":
        return players_from(checker.symbols, node.span, first)
    if name in ("opposite", "turned"):
        return _direction(checker, node, scope, first)
    if kind.name not in symbols.geometry:
        return symbols.no_board(f"`{name}` needs a cell of a board, but this is {first.type}", node.span)
    return _on_board(checker, node, scope, first, kind)


def _repeats(checker: Expressions, node: n.Call) -> t.Expr:
    given = node.arguments[0]
    if not isinstance(given, n.Name):
        return checker.symbols.error("RF502", "`repeats` needs the name of a position", given.span)
    position = checker.symbols.position(given.id, given.span)
    if position is None:
        return t.Constant(node.span, ERROR, 0)
    return t.Repeats(node.span, NumberT(0, position.keeps), position)


def _along_the_table(checker: Expressions, node: n.Call, scope: Scope, player: t.Expr) -> t.Expr:
    wanted = ThingT("player")
    if player.type != wanted:
        on_track = isinstance(player.type, ThingT) and "ahead" in _steps(checker, player.type.kind)
        way = "ahead" if node.name == "next" else "back"
        help = f"write `step(..., {way})`, and the number of steps after it" if on_track else None
        return checker.symbols.error(
            "RF502", f"`{node.name}` needs a player, but this is {player.type}", node.span, help
        )
    if len(node.arguments) == 1:
        return t.Builtin(node.span, wanted, node.name, (player,), checker.symbols.kinds["player"])
    seats = checker.wanted(node.arguments[1], scope, NumberT(0, 0), f"`{node.name}`")
    if node.name == "previous":
        given = seats.type if isinstance(seats.type, NumberT) else NumberT(0, 0)
        seats = t.Negative(seats.span, computed(checker.symbols, "-", NumberT(0, 0), given, node.span), seats)
    return t.Builtin(node.span, wanted, "seats_on", (player, seats), checker.symbols.kinds["player"])


def _steps(checker: Expressions, kind: str) -> Mapping[str, tuple[int, ...]]:
    board = checker.symbols.geometry.get(kind)
    return board.steps if board else {}


def _direction(checker: Expressions, node: n.Call, scope: Scope, way: t.Expr) -> t.Expr:
    """Leaps may have no direction that leads back, and are never come to by turning."""
    if way.type != ThingT("direction"):
        return checker.symbols.error(
            "RF502", f"`{node.name}` needs a direction, but this is {way.type}", node.span
        )
    kind = checker.symbols.kinds["direction"]
    boards = checker.symbols.geometry
    if node.name == "opposite":
        result = ThingT("direction", 0 in opposites(kind, boards))
        return t.Builtin(node.span, result, node.name, (way,), kind)
    result = ThingT("direction", () in turns(kind, boards))
    by = checker.wanted(node.arguments[1], scope, NumberT(0, 0), "`turned`")
    return t.Builtin(node.span, result, node.name, (way, by), kind)


def _on_board(checker: Expressions, node: n.Call, scope: Scope, cell: t.Expr, kind: t.Kind) -> t.Expr:
    result: Type
    if node.name == "neighbours":
        return t.Builtin(node.span, SetT(kind.name), node.name, (cell,), kind)
    if node.name == "distance":
        other = checker.wanted(node.arguments[1], scope, ThingT(kind.name), "`distance`")
        return t.Builtin(node.span, NumberT(-1, kind.size), node.name, (cell, other), kind)
    if not checker.symbols.geometry[kind.name].steps:
        return checker.symbols.error("RF502", f"`{kind.name}` has links, but no directions", node.span)
    direction = checker.wanted(node.arguments[1], scope, ThingT("direction"), f"`{node.name}`")
    result = ThingT(kind.name, True) if node.name == "step" else SetT(kind.name)
    if len(node.arguments) == 2:
        return t.Builtin(node.span, result, node.name, (cell, direction), kind)
    number = checker.wanted(node.arguments[2], scope, NumberT(0, 0), "`step`")
    if not isinstance(number.type, NumberT):
        return t.Constant(node.span, ERROR, 0)
    if number.type.high < 0:
        help = "for steps back write `opposite` of the direction"
        message = f"a number of steps is never below 0, but this is {number.type}"
        return checker.symbols.error("RF508", message, node.arguments[2].span, help)
    return t.Builtin(node.span, result, "steps_on", (cell, direction, number), kind)


def _cell_at(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    """`cell(column, row)`: named after the kind of the board."""
    kind, board = checker.symbols.kinds[node.name], checker.symbols.geometry[node.name]
    if board.border is not None:
        return check_border(checker, node, scope, board)
    if not board.cells or board.shape == "track":
        help = f"write `{kind.plural}[3]` for the third of them" if board.cells else None
        return checker.symbols.error("RF502", f"`{node.name}` has no columns and rows", node.span, help)
    wanted = "a column, a row and a level" if board.levels > 1 else "a column and a row"
    if len(node.arguments) != (3 if board.levels > 1 else 2):
        return checker.symbols.error("RF504", f"`{node.name}` takes {wanted}", node.span)
    values = tuple(checker.wanted(a, scope, NumberT(0, 0), f"`{node.name}`") for a in node.arguments)
    return t.Builtin(node.span, ThingT(kind.name, True), "cell", values, kind)


def _number_function(checker: Expressions, node: n.Call, scope: Scope) -> t.Expr:
    values = tuple(checker.wanted(a, scope, NumberT(0, 0), f"`{node.name}`") for a in node.arguments)
    bounds = [v.type for v in values if isinstance(v.type, NumberT)]
    if len(bounds) < len(values):
        return t.Constant(node.span, ERROR, 0)
    if node.name == "abs" and bounds[0].high < 0:
        computed(checker.symbols, "-", NumberT(0, 0), bounds[0], node.span)
    return t.Builtin(node.span, _range_of(node.name, bounds), node.name, values)


def _range_of(name: str, bounds: list[NumberT]) -> NumberT:
    lows, highs = [b.low for b in bounds], [b.high for b in bounds]
    match name:
        case "abs":
            low = 0 if lows[0] <= 0 <= highs[0] else min(abs(lows[0]), abs(highs[0]))
            return NumberT(min(low, INT_MAX), min(max(abs(lows[0]), abs(highs[0])), INT_MAX))
        case "min":
            return NumberT(min(lows), min(highs))
        case "max":
            return NumberT(max(lows), max(highs))
    x, low_bound, high_bound = bounds
    cut_low, cut_high = min(x.low, high_bound.low), min(x.high, high_bound.high)
    return NumberT(max(cut_low, low_bound.low), max(cut_high, low_bound.high))


# `players_from(p)`: all players, sorted by their distance from p around the table.


def players_from(symbols: Symbols, span: Span, first: t.Expr) -> t.Expr:
    """The players in turn order from the first. Empty seats leave gaps in the numbers, not in the order."""
    players = symbols.kinds["player"]
    if first.type != ThingT("player"):
        return symbols.error("RF502", f"`players_from` needs a player, but this is {first.type}", span)
    size = players.size
    player = t.Variable("p", ThingT("player"), span)
    own = _number(span, t.Use(span, player.type, player), players)
    ahead = t.Arithmetic(span, NumberT(1 - size, size - 1), "-", own, _number(span, first, players))
    seats = t.Constant(span, NumberT(size, size), size)
    away = t.Arithmetic(span, NumberT(0, size - 1), "%", ahead, seats)
    source = t.All(span, SetT("player"), players)
    return t.Selection(span, SetT("player"), t.Binder(span, player, source, by=(away,)))


def _number(span: Span, player: t.Expr, players: t.Kind) -> t.Expr:
    return t.Builtin(span, NumberT(1, players.size), "number", (player,), players)


# `during(opening)`: is a phase or window under way? The game keeps it in an attribute of its own, where rules ask.


def check_during(checker: Expressions, node: n.Call) -> t.Expr:
    (given,), symbols = node.arguments, checker.symbols
    if not isinstance(given, n.Name):
        return symbols.error("RF502", "`during` needs the name of a phase or window", given.span)
    name = given.id
    if name not in symbols.phases and name not in symbols.windows:
        known = [*symbols.phases, *symbols.windows]
        return symbols.unknown("phase or window", name, given.span, known, section="flow")
    symbols.uses.name("phase" if name in symbols.phases else "window", name, given.span)
    column = _column(symbols, name)
    if column is None:
        help = "use `during({name})` in the rules, then it can be used here too"
        return symbols.error(
            "RF506", f"the game does not record whether `{name}` is running", node.span, help
        )
    game = t.Constant(node.span, ThingT("game"), 1)
    return t.Read(node.span, FLAG, column, game)


def _column(symbols: Symbols, name: str) -> t.Column | None:
    """The attribute that says so; it is there as soon as the rules ask for it."""
    key = ("game", under_way(name))
    if key not in symbols.columns and not symbols.finished:
        never = t.Constant(NOWHERE, FLAG, 0)
        symbols.columns[key] = t.Column(key[1], symbols.kinds["game"], FLAG, NOWHERE, start=never)
    return symbols.columns.get(key)
