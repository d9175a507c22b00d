"""The direct effects of a node: its reads, writes, moves, calls, questions and random results.

This is the one list of the effects of statements and expressions: a table with a row for every type of node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, NamedTuple

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import all_nodes


class Verb(Enum):
    """The relation between a piece of rules and its object."""

    READ = "reads"  # an attribute, what lies in a place, the remembered positions, which things of a kind there are
    WRITE = "writes"  # an attribute, or the remembered positions
    PAY = "pays"  # out of an attribute
    MOVE = "moves"  # things into a place
    SHUFFLE = "shuffles"  # a place
    CREATE = "creates"  # things of a kind
    REMOVE = "removes"  # things of a kind
    SHOW = "shows"  # a statement that shows a value to players
    CALL = "calls"  # a formula
    KEYWORDS = "asks for the keywords of"  # things of a kind
    PERFORM = "performs"  # an event
    CAN = "asks whether it can do"  # an event
    TRY = "tries out"  # an event
    CAN_ACT = "asks for choices"  # an expression that asks whether a player has one
    OFFER = "offers"  # a window
    ASK = "asks"  # a statement that asks a player
    ROLL = "leaves to chance"  # a statement whose result is chance
    FINISH = "finishes"  # the game, with an ending
    LEAVE = "leaves"  # a phase
    PROCEED = "proceeds"  # a statement that goes on with what is replaced


What = (
    t.Column
    | t.Place
    | t.Kind
    | t.Position
    | t.Formula
    | t.Event
    | t.Window
    | t.Ending
    | t.Statement
    | t.CanAct
    | str
)


class Relation(NamedTuple):
    """One effect of a piece of rules: a verb and its object."""

    verb: Verb
    what: What


Relations = tuple[Relation, ...]
Row = Callable[[t.Checked, Any], Relations]


def relations(rules: t.Checked, node: object) -> Relations:
    """The direct effects of a node, without its children and its calls."""
    row = _ROWS[type(node)]
    return row(rules, node) if row is not None else ()


def relations_in(rules: t.Checked, *roots: object) -> Iterator[Relation]:
    """The effects of pieces of rules and all their children, in source order."""
    for root in roots:
        for node in all_nodes(root) if root is not None else ():
            row = _ROWS[type(node)]
            if row is not None:
                yield from row(rules, node)


def happening(relation: Relation) -> What | None:
    """The event that a relation triggers: an event, a changed attribute, a kind of moved, created or removed
    things.
    """
    match relation:
        case Verb.PERFORM | Verb.WRITE | Verb.PAY | Verb.CREATE | Verb.REMOVE, what:
            return what
        case Verb.MOVE, t.Place(holds=kind):
            return kind
    return None


def _one(verb: Verb, field: str) -> Row:
    """The row of a node that does one thing, to what is in a field of it."""
    return lambda rules, node: (Relation(verb, getattr(node, field)),)


def _itself(verb: Verb) -> Row:
    return lambda rules, node: (Relation(verb, node),)


# --- expressions ---


def _column(rules: t.Checked, node: t.Read) -> Relations:
    return () if node.column.constant else (Relation(Verb.READ, node.column),)


def _whereabouts(rules: t.Checked, node: t.Whereabouts) -> Relations:
    return tuple(Relation(Verb.READ, place) for place in node.places)


def _all(rules: t.Checked, node: t.All) -> Relations:
    return (Relation(Verb.READ, node.kind),) if node.kind.pool else ()


def _repeats(rules: t.Checked, node: t.Repeats) -> Relations:
    """The remembered positions, and the position of now."""
    compared: tuple[What, ...] = (*node.position.columns, *node.position.places)
    return tuple(Relation(Verb.READ, what) for what in (node.position, *compared))


def _keywords(rules: t.Checked, node: t.KeywordsOf) -> Relations:
    kind = node.of.type
    return (Relation(Verb.KEYWORDS, rules.kinds[kind.kind]),) if isinstance(kind, ThingT) else ()


EXPRESSIONS: dict[type[object], Row | None] = {
    t.Constant: None,
    t.OptionValue: None,
    t.Active: None,
    t.Use: None,
    t.Read: _column,
    t.Whereabouts: _whereabouts,
    t.Content: _one(Verb.READ, "place"),
    t.Family: _one(Verb.READ, "place"),
    t.All: _all,
    t.Repeats: _repeats,
    t.CallFormula: _one(Verb.CALL, "formula"),
    t.KeywordsOf: _keywords,
    t.Can: _one(Verb.CAN, "event"),
    t.Would: _one(Verb.TRY, "event"),
    t.CanAct: _itself(Verb.CAN_ACT),
    t.Aggregate: None,
    t.Arithmetic: None,
    t.AtPlace: None,
    t.Builtin: None,
    t.Compare: None,
    t.Conditional: None,
    t.In: None,
    t.Interval: None,
    t.Linked: None,
    t.Logic: None,
    t.Negative: None,
    t.Not: None,
    t.Opponent: None,
    t.Reached: None,
    t.Selection: None,
    t.SetOf: None,
    t.Sure: None,
}


# --- statements ---


def _pay(rules: t.Checked, node: t.Pay) -> Relations:
    return tuple(Relation(Verb.PAY, pool.column) for pool in node.pools)


def _new(rules: t.Checked, node: t.New) -> Relations:
    return (
        Relation(Verb.CREATE, node.kind),
        *(Relation(Verb.WRITE, column) for column, _ in node.given),
    )


def _remove(rules: t.Checked, node: t.Remove) -> Relations:
    kind = node.thing.type
    return (Relation(Verb.REMOVE, rules.kinds[kind.kind]),) if isinstance(kind, ThingT) else ()


def _shuffle(rules: t.Checked, node: t.Shuffle) -> Relations:
    return Relation(Verb.SHUFFLE, node.place), Relation(Verb.ROLL, node)


def _offer(rules: t.Checked, node: t.Offer) -> Relations:
    return Relation(Verb.OFFER, node.window), Relation(Verb.ASK, node)


STATEMENTS: dict[type[object], Row | None] = {
    t.Assign: None,
    t.Store: _one(Verb.WRITE, "column"),
    t.Overwrite: None,
    t.Roll: _itself(Verb.ROLL),
    t.RandomPick: _itself(Verb.ROLL),
    t.Perform: _one(Verb.PERFORM, "event"),
    t.Move: _one(Verb.MOVE, "place"),
    t.Shuffle: _shuffle,
    t.Finish: _one(Verb.FINISH, "ending"),
    t.Return: None,
    t.Remember: _one(Verb.WRITE, "position"),
    t.Forget: _one(Verb.WRITE, "position"),
    t.Leave: _one(Verb.LEAVE, "phase"),
    t.If: None,
    t.For: None,
    t.Repeat: None,
    t.Choose: _itself(Verb.ASK),
    t.Pick: _itself(Verb.ASK),
    t.Sealed: _itself(Verb.ASK),
    t.Together: None,
    t.Pay: _pay,
    t.Proceed: _itself(Verb.PROCEED),
    t.New: _new,
    t.Remove: _remove,
    t.Show: _itself(Verb.SHOW),
    t.Tell: _itself(Verb.SHOW),
    t.Offer: _offer,
}

_ROWS: dict[type[object], Row | None] = {
    **EXPRESSIONS,
    **STATEMENTS,
    t.Block: None,
    t.Binder: None,
    t.Several: None,
}
