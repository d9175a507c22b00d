"""Why-not questions: the requirements of every action and answer, and the reads of expressions."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.compiler import ir
from ruleforge.support.diagnostics import Span
from ruleforge.support.records import dataclass


@dataclass(frozen=True)
class Shown:
    """A value to show beside a failed requirement: its place in the rules, and the functions to get and
    print it.
    """

    span: Span
    function: str
    type: ir.ValueType
    open: str | None = (
        None  # function that says whether the deciding player may see it; None: every player may
    )


@dataclass(frozen=True)
class PlaceLookup:
    """A read of a hidden place: the content of a container, or the place of a thing.

    `place` and `kind` are indices into the program's own. The function gives the container or the thing; None
    means all.
    """

    place: int | None
    kind: int
    function: str | None


@dataclass(frozen=True)
class FormulaQuery:
    """An open formula that is part of a value, with the functions that give its arguments."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Price:
    """A price: the amount, and the pools with their contents."""

    amount: Shown
    purses: tuple[tuple[str, Shown], ...]
    own: bool  # they belong to the one who acts


@dataclass(frozen=True)
class Requirement:
    """One requirement of an answer. `binds` is the number of its parts that must be known to test it.

    `what` names the sort of requirement:

    - of the author: "choice", "until", "where", "needs", "forbid", "limit", "cost", "holds", "such",
    - of the rules: "stopped" (the action itself breaks a limit),
    - of the question: "later" (a later choice), "ahead" (a later payment or postcondition), "share" (of a payment),
    - of a set that is taken one by one: "taken", "complete", "least",
    - of the words that close a question: "first", "alone".
    """

    what: str
    span: Span
    function: str
    binds: int
    shown: tuple[Shown, ...] = ()
    text: str = ""  # the words of the formula that failed, and its clauses
    clauses: tuple[str, ...] = ()
    during: str | None = None  # asked only in this phase; None: always
    price: Price | None = None
    stopper: Shown | None = None  # of `until`: the first thing at which it holds
    modified: tuple[FormulaQuery, ...] = ()  # the formulas in it that rules modify
    least: Shown | None = None  # of a share or a set: the smallest
    most: Shown | None = None  # of a choice among numbers: the largest
    only: tuple[Shown, ...] = ()  # of a choice among things that are written out: those
    called: tuple[
        tuple[str, str], ...
    ] = ()  # what the action calls the parameters of the event that asks for it
    breaks: str = ""  # of what is stopped: the function that breaks the limit
    looks: tuple[PlaceLookup, ...] = ()  # reads of hidden places; their functions take the same parameters


@dataclass(frozen=True)
class Holds:
    """A parameter that is a thing of a kind, or a word of a set of them (31 things each)."""

    parameter: int
    kind: int
    word: int | None = None

    def things(self, value: int) -> tuple[int, ...]:
        if self.word is None:
            return (value,) if value else ()
        return tuple(31 * self.word + bit + 1 for bit in range(31) if value >> bit & 1)


@dataclass(frozen=True)
class ActionQuestions:
    """The requirements of one action. Its functions take me, the window's values, then all choices in order.

    `usual` holds for each choice the function that gives the default answer, if there is one.
    """

    name: str
    during: tuple[str, ...]
    given: int  # how many words the values of its window take
    choices: tuple[ir.Part, ...]
    requirements: tuple[Requirement, ...]
    span: Span
    clauses: tuple[str, ...]
    usual: tuple[str | None, ...] = ()
    holds: tuple[Holds, ...] = ()  # of the values of its window


@dataclass(frozen=True)
class SiteQuestions:
    """The requirements of the answers to a question inside an effect, for each of its options.

    The functions take the arguments of the enumerator of the site, then the parts of the option.
    """

    options: tuple[tuple[Requirement, ...], ...]
    clauses: tuple[str, ...]
    holds: tuple[Holds, ...]  # of what the enumerator takes


@dataclass(frozen=True)
class QuestioningProgram:
    """A program on the same row, with a function for each requirement of each action and each answer."""

    program: ir.Program
    actions: Mapping[str, ActionQuestions]
    sites: Mapping[int, SiteQuestions]  # by number
