"""`RefusalWords` tells a player why a choice is refused: in names and values, without ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ruleforge.engine.presentation.scene import joined
from ruleforge.engine.presentation.titles import Names
from ruleforge.support.records import dataclass

_WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SIGNS = {
    " is not none": " is there",
    " >= ": " is at least ",
    " <= ": " is at most ",
    " > ": " is more than ",
    " < ": " is less than ",
}
_OF_A_QUESTION = {
    "later": "it leaves no choice after it",
    "ahead": "every choice after it is too expensive or forbidden",
    "share": "that much is not possible",
    "taken": "it is chosen already",
    "complete": "it fits no other possible choice",
    "least": "not yet",
    "first": "only before the first choice",
    "alone": "only if there is no other choice",
    "waits": "it is not one of your waiting rules",
}
_JOINTS = {"is", "not", "and", "or", "in", "none", "if", "else", "where", "of", "has", "true", "false"}


@dataclass(frozen=True, slots=True)
class RefusedChoice:
    """The refused request: the action and the parts chosen for it, by their names in the rules."""

    action: str
    chosen: Mapping[str, tuple[str, str]]  # the kind (empty: a number) and the thing


@dataclass(frozen=True, slots=True)
class Price:
    amount: str
    purses: tuple[tuple[str, str], ...]  # what each is called, and what is in it
    own: bool


class RefusalWords:
    """The words of one game."""

    def __init__(self, names: Names, me: str) -> None:
        self._names, self._me = names, me

    def choice(self, refused: RefusedChoice) -> str:
        """`attack a1 → a7`."""
        parts = [self._names.thing(name, kind) if kind else name for kind, name in refused.chosen.values()]
        return f"{self._names.action(refused.action)} {joined(parts)}".strip()

    def price(self, price: Price) -> str:
        return f"it costs {price.amount}, {self.there(price)}"

    def there(self, price: Price) -> str:
        there = " and ".join(f"{amount} {self._names.word(name)}" for name, amount in price.purses)
        return f"{'you have' if price.own else 'there is'} {there}"

    def condition(self, what: str, text: str, written: str, refused: RefusedChoice, last: str) -> str:
        """A condition that failed, in words; `text` are the author's words for it, `last` the part chosen there."""
        words = self.words(written.removeprefix("me.") if _WORD.fullmatch(written) else written, refused)
        if written == refused.action.rpartition(".")[2]:
            return "no component can do that"
        match what:
            case "choice":
                among = text.rstrip(".") or words
                return f"{last} is not among these: {among}" if text else f"{last} is not in {words}"
            case "until":
                return f"the path ends before {last}"
            case "limit":
                return f"it reached its limit: {words}"
            case "cost":
                return "it cannot be paid"
            case "forbid":
                return text.rstrip(".") or "it is forbidden"
            case "stopped":
                return written
            case "holds":
                return f"the rule: {_ruled(text)}" if text else f"afterwards this would not hold: {words}"
        if what in _OF_A_QUESTION:
            return _OF_A_QUESTION[what]
        if text.endswith("?"):
            return f"{text} No"
        return f"the rule: {_ruled(text)}" if text else f"it needs: {words}"

    def values(self, values: Sequence[tuple[str, str]], refused: RefusedChoice) -> str:
        """` (your colour is White)`; what says no more than the condition is left out."""
        shown = [f"{self.words(w, refused)} is {self._value(v)}" for w, v in values if v != "none"]
        return f" ({', '.join(shown)})" if shown else ""

    def words(self, written: str, refused: RefusedChoice) -> str:
        """The text of an expression with names for what was chosen, and people's words for the rest."""
        for sign, spelled in _SIGNS.items():
            written = written.replace(sign, spelled)
        return _WORD.sub(lambda found: self._path(found[0], refused), written)

    def _path(self, path: str, refused: RefusedChoice) -> str:
        if path in _JOINTS:
            return path
        first, *rest = path.split(".")
        if first in refused.chosen:
            kind, name = refused.chosen[first]
            spelled = self._names.thing(name, kind) if kind else name
        elif first == "me":
            spelled = "your" if rest else "you"
        elif rest:  # of a player whom only the rules name
            spelled, rest = self._names.word(rest[0]), rest[1:]
        else:
            spelled = self._names.word(first)
        for name in rest:
            spelled = (
                f"{spelled} {self._names.word(name)}"
                if spelled == "your"
                else f"{spelled}'s {self._names.word(name)}"
            )
        return spelled

    def _value(self, value: str) -> str:
        return "you" if value == self._me else self._names.word(value)


def _ruled(text: str) -> str:
    """The author's words for a condition, as a sentence of the rules."""
    text = text.rstrip(".").removeprefix("Whether ")
    return text[:1].upper() + text[1:]
