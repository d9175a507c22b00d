"""`default_answers` reads from the records of a step which answers a text may leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ruleforge.backends.faults import Trapped
from ruleforge.compiler.ir import (
    FRAME_CALLER,
    SITE,
    SP,
    WHO,
    ActionBegan,
    Changed,
    EventEnded,
    EventHappened,
    Option,
    Picked,
    Program,
    Restarted,
    RuleApplied,
    RuleDue,
    RuleEnded,
    RuleWaits,
    TaintBegins,
    TaintEnds,
    Unsealed,
    Usual,
    Void,
)
from ruleforge.support.records import dataclass

if TYPE_CHECKING:
    from ruleforge.engine.base_state import BaseState
    from ruleforge.engine.choice import Choice

PAY = "pay"  # the kind of the questions for a split
_TELLS_NOTHING = (
    Usual,
    ActionBegan,
    EventHappened,
    EventEnded,
    RuleApplied,
    Picked,
    Changed,
    Void,
    TaintBegins,
    TaintEnds,
    Unsealed,
    RuleEnded,
    RuleWaits,
    RuleDue,
    Restarted,
)


@dataclass(frozen=True, slots=True)
class DefaultAnswer:
    """The usual answer of a player to a question; `early` if nothing had come to light in the step before it."""

    site: int
    code: int
    who: int
    early: bool


@dataclass(frozen=True, slots=True)
class DefaultAnswers:
    """The answers that a text may leave out behind a step.

    `settled` are payments of the same player with one possible split: the rules do not ask for them. `waits`
    is the usual answer to the present question.
    """

    settled: tuple[DefaultAnswer, ...] = ()
    waits: DefaultAnswer | None = None


def default_answers(before: BaseState, choice: Choice, after: BaseState) -> DefaultAnswers:
    """The answers that a text may leave out behind a choice that leads from one state to the other."""
    met = [answer for option, answer in _usual(before, choice) if not option.usual]
    waits = None
    if met and after.choices and met[-1].site == after._row[SITE]:
        last = met.pop()
        waits = last if _is_in_action(before, choice, after) else None
    sites, who = before._variant.program.sites, before._row[WHO]
    settled = tuple(a for a in met if a.who == who and a.early and sites[a.site].kind == PAY)
    return DefaultAnswers(settled, waits)


def _is_in_action(before: BaseState, choice: Choice, after: BaseState) -> bool:
    """Whether the action that a choice begins or belongs to is still in progress."""
    then, now = _actions_in_progress(before), _actions_in_progress(after)
    return len(now) > len(then) if choice.action is not None else len(now) >= len(then)


def _actions_in_progress(state: BaseState) -> list[str]:
    """The functions of actions that wait on the stack."""
    program, row = state._variant.program, state._row
    address, found = row[SP], []
    while address:
        function = program.paused[row[address]]
        if function is not None and function.name.startswith("action "):
            found.append(function.name)
        address = row[address + FRAME_CALLER]
    return found


def completed(state: BaseState, choice: Choice) -> tuple[int, ...]:
    """The codes a choice would have if its last part were left out, its last two parts, and so on."""
    option = state._variant.program.sites[choice.site].option(choice._code)
    own = (answer.code for of, answer in _usual(state, choice) if of is option)
    return tuple(own)[: option.usual]


def leaves_room(program: Program) -> bool:
    """Whether any question has a usual answer."""
    return any(isinstance(info.means, Usual) for info in program.notes)


def _usual(state: BaseState, choice: Choice) -> tuple[tuple[Option, DefaultAnswer], ...]:
    """The usual answers on the way through a step, in order, each with the option it belongs to."""
    variant = state._variant
    if not leaves_room(variant.program):
        return ()
    try:
        _, notes = variant.runtime.record(state._row, choice._code)
    except Trapped:
        return ()
    found: list[tuple[Option, DefaultAnswer]] = []
    early = True
    for number, *values in notes:
        means = variant.program.notes[number].means
        if isinstance(means, Usual):
            option = variant.program.sites[means.site].options[means.option]
            who, *parts = values
            if _has_code(option, parts):
                found.append((option, DefaultAnswer(means.site, option.code(tuple(parts)), who, early)))
        early = early and isinstance(means, _TELLS_NOTHING)
    return tuple(found)


def _has_code(option: Option, values: Sequence[int]) -> bool:
    """Whether a usual answer is among the possible ones: the rules may compute a value beyond them."""
    parts = zip(option.parts, values, strict=True)
    return all(part.lowest <= value < part.lowest + part.size for part, value in parts)
