"""The display of a stopped run: next effect, source lines, locals, queued rules."""

from __future__ import annotations

from ruleforge.compiler.ir import EventHappened
from ruleforge.engine.breakpoints import Stop, evaluate_at, local_at
from ruleforge.engine.event import EventValue, shown
from ruleforge.engine.paths import value_text
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.trigger_check import listeners_of, word_of
from ruleforge.frontends.repl.answer import Refusal, Reply, reply
from ruleforge.frontends.repl.breakpoints import parameters_of, types_of
from ruleforge.frontends.repl.console import Console, Pending
from ruleforge.lang.checker.types import FlagT, SetT, ThingT, Type
from ruleforge.support.diagnostics import Span


def stopped(console: Console) -> Pending:
    if console.pending is None:
        raise Refusal("no run is stopped; set a breakpoint (`break on NAME`), or `step CHOICE`")
    return console.pending


def stop_answer(console: Console, stop: Stop) -> Reply:
    """What is about to happen, the source around it, and who waits for it."""
    place = console.rules.place(stop.place.span)
    if stop.note is not None and stop.values:
        what = _about_to_happen(console, stop.note.name, dict(stop.values))
    else:
        what = stop.place.definition or "the rules"
    how = "before" if stop.note is not None and stop.values else "in"
    lines = [f"{f'stopped {how} {what}':<60} {place}", *excerpt(console, stop.place.span)]
    if stop.note is not None and isinstance(stop.note.means, EventHappened):
        lines += _listeners(console, stop, stop.note.means.event)
    span = {"file": stop.place.span.file, "line": stop.place.span.line}
    return reply(*lines, stopped=what, **span, depth=stop.depth, locals=dict(_locals(console, stop)))


def _about_to_happen(console: Console, name: str, values: dict[str, EventValue]) -> str:
    """An event with what it is given; a value as it is written."""
    title = console.rules.title
    word, _, rest = name.partition(" ")
    if word == "set":
        index = f"[{values['index']}]" if "index" in values else ""
        return f"{values['of']}{rest[rest.find('.') :]}{index} = {shown(values['new'])}, was {shown(values['old'])}"
    return f"{rest}({', '.join(f'{label} = {title(str(value))}' for label, value in values.items())})"


def excerpt(console: Console, span: Span) -> list[str]:
    """The line with an arrow, between its neighbours."""
    text = console.rules.game.compiled.texts.files.get(span.file, "").splitlines()
    width = len(str(span.line + 1))
    found = []
    for number in range(max(1, span.line - 1), min(len(text), span.line + 1) + 1):
        sign = "▶" if number == span.line else "|"
        found.append(f"   {number:>{width}} {sign} {text[number - 1]}")
    return found


def _listeners(console: Console, stop: Stop, event: str) -> list[str]:
    parameters = console.rules.checked.events[event].parameters
    if any(isinstance(p.type, SetT) for p in parameters):
        words = None
    else:
        values = dict(stop.values)
        words = tuple(word_of(stop.state, _kind(p.type), values[p.name]) for p in parameters)
    found = listeners_of(stop.state, event, words)
    if not found:
        return []
    shown = " · ".join(f"{h.rule} ({_yes(h.acts)})" for h in found)
    return [f"   triggers on the stack: {shown}"]


def _yes(answer: bool | None) -> str:
    return "perhaps" if answer is None else "yes" if answer else "no"


def _kind(type: Type) -> str | None:
    return type.kind if isinstance(type, ThingT) else None


def locals_(console: Console, _text: str) -> Reply:
    """The locals that are set where the run has stopped."""
    stop = stopped(console).stop
    found = _locals(console, stop)
    lines = [f"{name} = {value_text(value)}" for name, value in found.items()]
    return reply(*(lines or ["no local is set here"]), locals=dict(found))


def _locals(console: Console, stop: Stop) -> dict[str, Value]:
    types = _scope(console, stop)
    found: dict[str, Value] = {}
    for name, value in stop.values:
        found[name] = list(value) if isinstance(value, tuple) else value
    for name, type in types.items():
        try:
            found[name] = local_at(stop, name, *_sort(type))
        except KeyError:
            continue  # not set yet
    return found


def _sort(type: Type) -> tuple[str, str]:
    match type:
        case ThingT(kind=kind):
            return "thing", kind
        case SetT(kind=kind):
            return "set", kind
        case FlagT():
            return "flag", ""
    return "number", ""


def evaluated_at(console: Console, text: str) -> Value:
    """An expression where the run has stopped, with its locals."""
    stop = stopped(console).stop
    return evaluate_at(stop, text, _scope(console, stop))


def _scope(console: Console, stop: Stop) -> dict[str, Type]:
    """The locals that may be set there: those of the text, and what the definition around it takes."""
    span, checked = stop.place.span, console.rules.checked
    inner = types_of(checked.names.in_scope(span.file, span.line, span.column).values())
    return {**parameters_of(checked, stop.place.definition.partition(" ")[2]), **inner}
