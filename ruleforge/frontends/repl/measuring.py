"""How long a command takes, and which lines of the rules cost how much."""

from __future__ import annotations

import time as clock

from ruleforge.engine.choice import Choice
from ruleforge.engine.costs import costs_of
from ruleforge.engine.costs_told import costs_data, costs_table
from ruleforge.engine.state import State
from ruleforge.frontends.repl.answer import Answer, Refusal, count, said
from ruleforge.frontends.repl.console import Console
from ruleforge.play.timeline import Moment
from ruleforge.support.spelling import as_number

SHOWN = 15


def time(console: Console, text: str) -> Answer:
    """Do a command and say how long it took."""
    if not text:
        raise Refusal("say what to do: time COMMAND")
    begin = clock.perf_counter()
    answer = console.answer(text)
    taken = (clock.perf_counter() - begin) * 1000
    return Answer((*answer.lines, f"{taken:.1f} ms"), {**answer.data, "milliseconds": round(taken, 3)})


def profile(console: Console, text: str) -> Answer:
    """Make the choices that led here once more and count what they cost, as `ruleforge profile` does."""
    number = as_number(text) if text else None
    if text and (number is None or number < 1):
        raise Refusal(f"`{text}` is not a number of steps")
    chosen = [m for m in console.here.path if m.deed is not None and m.deed.word == "do"]
    chosen = chosen if number is None else chosen[-number:]
    if not chosen:
        raise Refusal("no choice has been made yet")
    found = costs_of(map(_made, chosen), console.state._variant.program)
    game = console.state.game
    return said(*costs_table(game, found, count(len(chosen), "choice"), SHOWN), **costs_data(game, found))


def _made(moment: Moment) -> tuple[State, Choice, tuple[str, ...]]:
    """A choice of the past, where it was made and with which dice."""
    assert moment.before is not None and moment.deed is not None
    state, deed = moment.before.state, moment.deed
    return state, next(c for c in state.choices if c.text == deed.text), deed.dice
