"""Commands that inspect values, choices, reasons, views, differences and waiting rules. They change nothing."""

from __future__ import annotations

import time as clock
from collections import Counter

from ruleforge.engine.choice import Choice
from ruleforge.engine.costs import costs_data, costs_of, costs_table
from ruleforge.engine.errors import PathError
from ruleforge.engine.explain import Contribution, Explanation
from ruleforge.engine.paths import value_text
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.presentation.text_renderer import Paper
from ruleforge.engine.presentation.text_renderer import text as drawn
from ruleforge.engine.state import State
from ruleforge.engine.trigger_check import listeners_of, waiting, word_of
from ruleforge.frontends.repl.answer import Refusal, Reply, count, reply
from ruleforge.frontends.repl.breakpoints import evaluated_at
from ruleforge.frontends.repl.command_reader import split
from ruleforge.frontends.repl.console import Console
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.play.timeline import Moment
from ruleforge.support.spelling import as_number, did_you_mean

PUBLIC = "public"
FEW = 40  # choices that are listed unasked
LONG_LIST = 8  # of longer ones the differences are told
FORMS = {"after": "waits for it", "instead": "acts instead", "forbid": "may forbid it"}


def evaluate(console: Console, text: str) -> Reply:
    """The value of an expression; of a formula also how it comes about."""
    if not text:
        return Reply()
    value, why = worked_out(console, text)
    shown = value_text(value)
    return reply(f"{shown} = {why}" if why else shown, value=value, **({"because": why} if why else {}))


def worked_out(console: Console, text: str) -> tuple[Value, str]:
    """A value, and how a formula comes to it where rules have a part in it."""
    state = console.state
    if console.pending is not None:
        return evaluated_at(console, text), ""
    try:
        explained = state.explain(text)
    except PathError:
        return state.evaluate(text), ""
    return explained.result, _sum(console, explained)


def _sum(console: Console, explained: Explanation) -> str:
    """`2 printed + 1 Long Rain (weathermakers/cards.yaml:18)`; empty where the value is simply the formula's."""
    if not explained.contributions:
        return ""
    text = f"{value_text(explained.base)} printed"
    for part in explained.contributions:
        text += f" {_signed(part)} {console.rules.title(part.rule)} ({console.rules.place(part.span)})"
    limits = [f"within {low}..{high}" for low, high in filter(None, (explained.sum_limits, explained.limits))]
    return f"{text}, {' and '.join(limits)}" if limits and _is_cut(explained) else text


def _signed(part: Contribution) -> str:
    if part.op == "add" and isinstance(part.amount, int):
        return f"{'-' if part.amount < 0 else '+'} {abs(part.amount)}"
    return f"then {value_text(part.amount)} by"


def _is_cut(explained: Explanation) -> bool:
    parts = [p.amount for p in explained.contributions if p.op == "add" and isinstance(p.amount, int)]
    return isinstance(explained.base, int) and explained.base + sum(parts) != explained.result


def explain(console: Console, text: str) -> Reply:
    """Every part of a formula's value, line by line."""
    if not text:
        raise Refusal("usage: explain NAME(...)")
    found = console.state.explain(text)
    head, *rest = found.lines
    return reply(head, *_written(console, text.partition("(")[0].strip()), *rest, value=found.result)


def _written(console: Console, name: str) -> list[str]:
    """The line of the rules that says what a formula is, with its place."""
    formula = console.rules.checked.formulas.get(name)
    if formula is None or formula.body is None:
        return []
    span = formula.body.span
    lines = console.rules.game.compiled.texts.files.get(span.file, "").splitlines()
    line = lines[span.line - 1].strip() if span.line <= len(lines) else ""
    return [f"written `{line.removeprefix('is: ')}` at {console.rules.place(span)}"] if line else []


def choices(console: Console, text: str) -> Reply:
    """The choices here; with words, those that contain them."""
    state = console.state
    if state.decision is None:
        return reply(console.waits(), choices=[])
    texts = [choice.text for choice in state.choices if all(word in choice.text for word in text.split())]
    shown = texts if text else texts[:FEW]
    more = (
        []
        if len(shown) == len(texts)
        else [f"... and {len(texts) - len(shown)} more; `choices WORD` narrows"]
    )
    return reply(console.waits(), *(f"  {each}" for each in shown), *more, choices=texts)


def why(console: Console, text: str) -> Reply:
    """Why something is not possible; why a formula has its value; why something happened just now."""
    word, _, rest = text.partition(" ")
    if word == "not":
        return why_not(console, rest.strip())
    if not text:
        raise Refusal("usage: why NAME(...), why not CHOICE, or why EVENT")
    if text.endswith(")"):
        return explain(console, text)
    found = [e for e in console.here.events if text in str(e)]
    if found:
        lines = []
        for event in found:
            causes, cause = [], event.cause
            while cause is not None:
                causes.append(f"in {cause} ({console.rules.place(cause.span)})")
                cause = cause.cause
            cites = f" [{', '.join(event.clauses)}]" if event.clauses else ""
            lines += [f"{event} ({console.rules.place(event.span)}){cites}", *(f"  {c}" for c in causes)]
        return reply(*lines, events=[str(e) for e in found])
    return why_not(console, text)


def why_not(console: Console, text: str) -> Reply:
    if not text:
        raise Refusal("usage: why not CHOICE")
    reasons = console.state.why_not(text)
    if not reasons:
        return reply(f"`{text}` is possible here", possible=True, reasons=[])
    return reply(*map(str, reasons), possible=False, reasons=[str(reason) for reason in reasons])


def view(console: Console, text: str) -> Reply:
    """The position as a seat sees it, as the public does, or whole."""
    state = console.state
    paper = Paper(console.width, all=True)
    if not text:
        return reply(*drawn(state.whole_scene(), paper).splitlines(), view=None)
    seat = None if text == PUBLIC else text
    if seat is not None and seat not in state.players:
        hint = did_you_mean(text, (*state.players, PUBLIC))
        raise Refusal(
            f"there is no seat `{text}`; {hint or 'there are ' + ', '.join((*state.players, PUBLIC))}"
        )
    return reply(*drawn(state.scene(seat), paper).splitlines(), view=state.view(seat))


def diff(console: Console, text: str) -> Reply:
    """The differences from another branch, or from a moment by its number; else those of the last step."""
    timeline = console.timeline
    number = as_number(text)
    if not text:
        before = console.here.before
        if before is None:
            return reply("this is the start", changes={})
        other = before.state
    elif number is not None:
        other = timeline.moment(number).state
    else:
        branch = timeline.branches.get(text)
        if branch is None:
            raise Refusal(f"there is no branch `{text}`; there are {', '.join(timeline.branches)}")
        other = branch.tip.state
    return differences(other, console.state)


def differences(before: State, after: State) -> Reply:
    """All paths whose values differ, in the order of paths."""
    found = changes(before, after)
    lines = [f"{path}: {change(old, new)}" for path, (old, new) in found.items()]
    return reply(*(lines or ["nothing differs"]), changes={path: list(pair) for path, pair in found.items()})


def change(old: Value, new: Value) -> str:
    """Both values; of long lists what came and what went, or that the order is another one."""
    if not (isinstance(old, list) and isinstance(new, list)) or max(len(old), len(new)) <= LONG_LIST:
        return f"{value_text(old)} → {value_text(new)}"
    come, gone = Counter(new) - Counter(old), Counter(old) - Counter(new)
    parts = [*(f"+{item}" for item in come.elements()), *(f"−{item}" for item in gone.elements())]
    counts = f"{len(old)} → {len(new)} things, " if len(old) != len(new) else ""
    return f"{counts}{' '.join(parts)}" if parts else f"{len(new)} things in another order"


def changes(before: State, after: State) -> dict[str, tuple[Value, Value]]:
    """Map each path that differs to its values before and after; None for a path that one state lacks."""
    old, new = values_of(before), values_of(after)
    paths = dict.fromkeys((*old, *new))
    return {p: (old.get(p), new.get(p)) for p in paths if old.get(p) != new.get(p)}


def values_of(state: State) -> dict[str, Value]:
    """The value of every path; of formulas that have none here, nothing."""
    found: dict[str, Value] = {}
    for path in state.paths():
        try:
            found[path] = state[path]
        except PathError:
            continue
    return found


# --- profile and time ---

SHOWN = 15


def time(console: Console, text: str) -> Reply:
    """Do a command and say how long it took."""
    if not text:
        raise Refusal("usage: time COMMAND")
    begin = clock.perf_counter()
    answer = console.answer(text)
    taken = (clock.perf_counter() - begin) * 1000
    return Reply((*answer.lines, f"{taken:.1f} ms"), {**answer.data, "milliseconds": round(taken, 3)})


def profile(console: Console, text: str) -> Reply:
    """Make the choices that led here once more and count what they cost, as `ruleforge profile` does."""
    number = as_number(text) if text else None
    if text and (number is None or number < 1):
        raise Refusal(f"`{text}` is not a number of steps")
    chosen = [m for m in console.here.path if m.transition is not None and m.transition.word == "do"]
    chosen = chosen if number is None else chosen[-number:]
    if not chosen:
        raise Refusal("no choice was made yet")
    found = costs_of([_made(moment) for moment in chosen])
    game = console.state.game
    return reply(*costs_table(game, found, count(len(chosen), "choice"), SHOWN), **costs_data(game, found))


def _made(moment: Moment) -> tuple[State, Choice, tuple[str, ...]]:
    """A choice of the past, where it was made and with which dice."""
    assert moment.before is not None and moment.transition is not None
    state, transition = moment.before.state, moment.transition
    return state, next(c for c in state.choices if c.text == transition.text), transition.dice


# The command `waiting`: queued triggers, and the rules that listen to an event.


def triggers(console: Console, text: str) -> Reply:
    """The rules that wait for their turn now; of an event those that hang on it, with arguments those that would act."""
    if not text:
        found = waiting(console.pending.stop.state if console.pending else console.state)
        by = [f" ({console.rules.title(w.by)})" if w.by else "" for w in found]
        lines = [f"{w.rule}{b}  {console.rules.place(w.span)}" for w, b in zip(found, by, strict=True)]
        return reply(*(lines or ["no trigger is queued"]), waiting=[w.rule for w in found])
    name, bracket, rest = text.partition("(")
    name = name.strip()
    events = console.rules.checked.events
    if name not in events:
        hint = did_you_mean(name, events)
        raise Refusal(f"there is no event `{name}`" + (f"; {hint}" if hint else ""))
    given = _words(console, name, rest.rstrip(") ")) if bracket else None
    listeners = listeners_of(console.state, name, given)
    if not listeners:
        return reply(f"no rule listens to `{name}`", rules=[])
    lines = []
    for each in listeners:
        answer = "" if given is None else f": {_answers(each.acts)}"
        says = f"  {each.text}" if each.text else ""
        lines.append(f"{each.rule} {FORMS[each.form]}{answer}  {console.rules.place(each.span)}{says}")
    data = [{"rule": h.rule, "form": h.form, "hears": h.acts} for h in listeners]
    return reply(*lines, rules=data)


def _answers(reacts: bool | None) -> str:
    return "cannot be said" if reacts is None else "yes" if reacts else "no"


def _words(console: Console, event: str, text: str) -> tuple[int, ...]:
    """The arguments of an event, each an expression."""
    parameters = console.rules.checked.events[event].parameters
    given = list(split(text.replace(",", ";")))
    if len(given) != len(parameters) or any(isinstance(p.type, SetT) for p in parameters):
        wanted = ", ".join(p.name for p in parameters)
        raise Refusal(f"`{event}` takes ({wanted}); give things and numbers")
    kinds = [p.type.kind if isinstance(p.type, ThingT) else None for p in parameters]
    values = [console.state.evaluate(each) for each in given]
    return tuple(word_of(console.state, kind, value) for kind, value in zip(kinds, values, strict=True))
