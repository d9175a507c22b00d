"""How long a command takes, and which lines of the rules cost how much."""

from __future__ import annotations

import time as clock
from collections import Counter

from ruleforge.diagnostics import NOWHERE
from ruleforge.engine.watching import Look, watched
from ruleforge.frontends.repl.answer import Answer, Refusal, count, said
from ruleforge.frontends.repl.console import Console
from ruleforge.names import as_number

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
    """Make the choices that led here once more and count which lines of the rules were run how often."""
    number = as_number(text) if text else None
    if text and (number is None or number < 1):
        raise Refusal(f"`{text}` is not a number of steps")
    chosen = [m for m in console.here.path if m.deed is not None and m.deed.word == "do"]
    chosen = chosen if number is None else chosen[-number:]
    if not chosen:
        raise Refusal("no choice has been made yet")
    lines: Counter[tuple[str, str]] = Counter()
    for moment in chosen:
        assert moment.before is not None and moment.deed is not None
        choice = next(c for c in moment.before.state.choices if c.text == moment.deed.text)
        watched(moment.before.state, choice, lambda look: _counted(console, look, lines), moment.deed.dice)
    total = sum(lines.values())
    rows = lines.most_common(SHOWN)
    shown = [f"{n:>9} {100 * n / total:5.1f} %  {place:<28} {of}" for (place, of), n in rows]
    head = f"{total} statements in {count(len(chosen), 'choice')}, the dearest lines first"
    data = [{"place": place, "definition": of, "count": n} for (place, of), n in lines.most_common()]
    return said(head, *shown, statements=total, lines=data)


def _counted(console: Console, look: Look, lines: Counter[tuple[str, str]]) -> bool:
    place = look.place
    where = console.rules.place(place.span) if place.span != NOWHERE else "-"
    lines[where, place.definition] += 1
    return False
