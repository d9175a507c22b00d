"""Why not? What can be asked about every action, and what an expression reads."""

from __future__ import annotations

from collections.abc import Iterator

from ruleforge.check import typed as t
from ruleforge.check.walk import all_nodes
from ruleforge.compiler import ir
from ruleforge.diagnostics import Span
from ruleforge.quick import dataclass


@dataclass(frozen=True)
class Shown:
    """A value worth showing beside a failed requirement: where it is written, and how to get and print it."""

    span: Span
    function: str
    type: ir.ValueType
    open: str | None = None  # function that says whether the deciding player may see it; None: everybody may


@dataclass(frozen=True)
class Asked:
    """An open formula that a value is made of, with the functions that give its arguments."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Price:
    """What is to be paid, and from what: the names of the purses with what is in each."""

    amount: Shown
    purses: tuple[tuple[str, Shown], ...]
    own: bool  # they belong to the one who acts


@dataclass(frozen=True)
class Requirement:
    """One thing an action asks for. `binds` is how many of its choices must be known to ask it."""

    what: str  # "choice", "until", "where", "needs", "forbid", "limit", "cost", "holds"
    span: Span
    function: str
    binds: int
    shown: tuple[Shown, ...] = ()
    text: str = ""  # the words of the formula that failed, and its clauses
    clauses: tuple[str, ...] = ()
    during: str | None = None  # asked only in this phase; None: always
    price: Price | None = None
    stopper: Shown | None = None  # of `until`: the first thing at which it holds
    modified: tuple[Asked, ...] = ()  # the formulas in it that rules modify
    most: Shown | None = None  # of a choice among numbers: the largest
    only: tuple[Shown, ...] = ()  # of a choice among things that are written out: those


@dataclass(frozen=True)
class ActionQuestions:
    """The requirements of one action; its functions take me, the window's values, then all choices in order.

    `usual` has for each choice the function that gives the usual answer, where there is one.
    """

    name: str
    during: tuple[str, ...]
    given: int  # how many words the values of its window take
    choices: tuple[ir.Part, ...]
    requirements: tuple[Requirement, ...]
    span: Span
    clauses: tuple[str, ...]
    usual: tuple[str | None, ...] = ()


def reads(node: object) -> Iterator[object]:
    """All nodes of an expression, those of the formulas it calls included."""
    todo, met = [node], set[t.Formula]()
    while todo:
        for part in all_nodes(todo.pop()):
            yield part
            if isinstance(part, t.CallFormula) and part.formula not in met and part.formula.body is not None:
                met.add(part.formula)
                todo.append(part.formula.body)


def reads_hidden(what: t.Expr | t.Rule) -> bool:
    """Whether a value, or what a rule does to one, depends on something that not everybody sees."""
    if isinstance(what, t.Rule):
        works = what.carrier.works if what.carrier else None
        tests = what.pattern.tests if what.pattern else ()
        return any(reads_hidden(e) for e in (what.amount, what.when, works, *tests) if e is not None)
    for node in reads(what):
        match node:
            case t.Read(column=column) if column.hidden:
                return True
            case t.Content(place=place) | t.Family(place=place) if place.hidden:
                return True
            case t.Whereabouts(places=places) if any(p.hidden for p in places):
                return True
            case t.Can() | t.Would():
                return True
    return False
