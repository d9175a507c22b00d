"""The types of the language: numbers with an interval, flags, things of a kind, and sets of them."""

from __future__ import annotations

from ruleforge.analysis.intervals import WORD as WORD_RANGE
from ruleforge.analysis.intervals import Interval
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article

INT_MIN, INT_MAX = WORD_RANGE.ends
WORD = 31  # things of a set in one word


@dataclass(frozen=True, slots=True)
class NumberT:
    """A whole number known to lie in low..high."""

    low: int
    high: int

    @property
    def range(self) -> Interval:
        return Interval(self.low, self.high)

    def __str__(self) -> str:
        if (self.low, self.high) in ((0, 0), (INT_MIN, INT_MAX)):
            return "a number"
        return f"the number {self.low}" if self.low == self.high else f"a number in {self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class FlagT:
    def __str__(self) -> str:
        return "a flag (true or false)"


@dataclass(frozen=True, slots=True)
class ThingT:
    """A thing of a kind, or none where `optional`."""

    kind: str
    optional: bool = False

    def __str__(self) -> str:
        return f"`{self.kind} or none`" if self.optional else with_article(f"`{self.kind}`")


@dataclass(frozen=True, slots=True)
class SetT:
    """A set of things of one kind."""

    kind: str

    def __str__(self) -> str:
        return f"a set of `{self.kind}`"


@dataclass(frozen=True, slots=True)
class NumbersT:
    """A range or set of numbers; a source for binders, never stored."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"numbers in {self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class NoneT:
    """The type of the word `none` alone and of the `empty` set literal."""

    empty: bool = False

    def __str__(self) -> str:
        return "`[]`" if self.empty else "`none`"


@dataclass(frozen=True, slots=True)
class NothingT:
    """The result type of an event without `return`."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class ErrorT:
    """The type of a reported mistake. It fits every type, so one mistake gives one message."""

    def __str__(self) -> str:
        return "unknown"


def number_in(found: Interval) -> NumberT:
    """The type of a number in a range, as far as it fits into 32 bits; 0 stands for one that is never computed."""
    return NumberT(0, 0) if found.is_empty else NumberT(*found.clamp(INT_MIN, INT_MAX).ends)


Type = NumberT | FlagT | ThingT | SetT | NumbersT | NoneT | NothingT | ErrorT

FLAG = FlagT()
NONE = NoneT()
EMPTY = NoneT(empty=True)
ERROR = ErrorT()
NOTHING = NothingT()


def fits(value: Type, target: Type) -> bool:
    """May a value of this type go where the target is wanted? Intervals are not compared here."""
    match value, target:
        case (ErrorT(), _) | (_, ErrorT()):
            return True
        case NumberT(), NumberT():
            return True
        case FlagT(), FlagT():
            return True
        case NoneT(empty=False), ThingT(optional=True):
            return True
        case NoneT(), SetT():
            return True
        case ThingT(kind=a, optional=may), ThingT(kind=b, optional=can):
            return a == b and (can or not may)
        case SetT(kind=a), SetT(kind=b):
            return a == b
        case NumbersT(), NumbersT():
            return True
    return False


def comparable(left: Type, right: Type) -> bool:
    """Can the two be equal at all?"""
    match left, right:
        case (ErrorT(), _) | (_, ErrorT()):
            return True
        case (NumberT(), NumberT()) | (FlagT(), FlagT()):
            return True
        case ThingT(kind=a), ThingT(kind=b):
            return a == b
        case NoneT(empty=False), NoneT(empty=False) | ThingT(optional=True):
            return True
        case ThingT(optional=True), NoneT(empty=False):
            return True
        case SetT(kind=a), SetT(kind=b):
            return a == b
    return False


def joined(a: Type, b: Type) -> Type | None:
    """The type of `a if t else b`; None when the two do not go together."""
    match a, b:
        case (ErrorT(), NoneT()) | (NoneT(), ErrorT()):
            return ERROR  # of what kind the thing would be was lost with the mistake
        case ErrorT(), _:
            return b
        case _, ErrorT():
            return a
        case NumberT(), NumberT():
            return NumberT(min(a.low, b.low), max(a.high, b.high))
        case NumbersT(), NumbersT():
            return NumbersT(min(a.low, b.low), max(a.high, b.high))
        case ThingT(), ThingT() if a.kind == b.kind:
            return ThingT(a.kind, a.optional or b.optional)
        case ThingT(), NoneT():
            return ThingT(a.kind, True)
        case NoneT(), ThingT():
            return ThingT(b.kind, True)
        case SetT(), NoneT():
            return a
        case NoneT(), SetT():
            return b
        case NoneT(), NoneT():
            return a
        case _ if a == b:
            return a
    return None


def element_of(source: Type) -> Type | None:
    """The type that a binder over this source binds; None if it is no source."""
    match source:
        case SetT(kind=k):
            return ThingT(k)
        case NumbersT(low=low, high=high):
            return NumberT(low, high)
        case ErrorT():
            return ERROR
        case ThingT(kind=k):
            return ThingT(k)
    return None


def set_of(element: Type) -> Type:
    """A set of such values."""
    match element:
        case ThingT(kind=kind):
            return SetT(kind)
        case NumberT(low=low, high=high):
            return NumbersT(low, high)
    return ERROR


def or_none(element: Type) -> Type:
    """One of the members of a source, or none; of numbers 0 if there is none."""
    match element:
        case ThingT(kind=kind):
            return ThingT(kind, True)
        case NumberT(low=low, high=high):
            return NumberT(min(0, low), max(0, high))
    return element
