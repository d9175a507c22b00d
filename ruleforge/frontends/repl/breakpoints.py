"""Breakpoints on events, rules, actions, formulas and lines, single steps, and the display of a stop."""

from __future__ import annotations

from collections.abc import Iterable

from ruleforge.compiler.ir import EventHappened
from ruleforge.engine.breakpoints import RunPoint, RunPoints, Stop, evaluate_at, lines_of, local_at
from ruleforge.engine.errors import PlayError
from ruleforge.engine.event import EventValue, shown
from ruleforge.engine.paths import value_text
from ruleforge.engine.presentation.observation import Value
from ruleforge.engine.trigger_check import listeners_of, word_of
from ruleforge.frontends.repl.answer import Refusal, Reply, reply
from ruleforge.frontends.repl.command_reader import breakable
from ruleforge.frontends.repl.console import Break, Console, Pending
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.typed import Checked, Expr, Variable
from ruleforge.lang.checker.types import FlagT, SetT, ThingT, Type
from ruleforge.support.diagnostics import NOWHERE, Span
from ruleforge.support.spelling import as_number, did_you_mean


def break_(console: Console, text: str) -> Reply:
    """Set a breakpoint, list them, or take them away."""
    word, _, rest = text.partition(" ")
    if not text:
        lines = [f"{n}  {each.text}" for n, each in enumerate(console.breaks, 1)]
        return reply(*(lines or ["there are no breakpoints"]), breaks=[b.text for b in console.breaks])
    if word == "off":
        number = as_number(rest) if rest else None
        if rest and (number is None or not 1 <= number <= len(console.breaks)):
            raise Refusal(f"there is no breakpoint {rest}")
        if number is None:
            console.breaks.clear()
        else:
            del console.breaks[number - 1]
        left = f"{len(console.breaks)} left" if console.breaks else "no breakpoint is left"
        return reply(left, breaks=[b.text for b in console.breaks])
    if word != "on" or not rest:
        raise Refusal("usage: break on EVENT|RULE|FILE:LINE [when EXPRESSION], break off [N], or break alone")
    console.breaks.append(_breakpoint(console, rest))
    return reply(f"{len(console.breaks)}  {rest}", breaks=[b.text for b in console.breaks])


def _breakpoint(console: Console, text: str) -> Break:
    what, _, when = (part.strip() for part in text.partition(" when "))
    checked = console.rules.checked
    file, colon, line = what.rpartition(":")
    number = as_number(line) if colon else None
    if number is not None:
        place = _line_in(console, file, number)
        scope = checked.names.in_scope(place[0], number, _indent(console, *place) + 1)
        found = Break(text, "", place, when, types_of(scope.values()))
    else:
        name = _named(checked, what)
        found = Break(text, name, None, when, parameters_of(checked, name))
    if when:
        _check_condition(console, found)  # mistakes in it are told now, not when it is first met
    return found


def _named(checked: Checked, what: str) -> str:
    """The full name of a breakpoint; a printed rule or action is also known by the end of its name."""
    known = breakable(checked)
    printed = [name for name in known if name.rpartition(".")[2] == what]
    if what in known or len(printed) == 1:
        return what if what in known else printed[0]
    if printed:
        raise Refusal(f"several are called `{what}`: {', '.join(printed)}")
    hint = did_you_mean(what, known)
    raise Refusal(f"there is no event, rule, action or formula `{what}`" + (f"; {hint}" if hint else ""))


def _check_condition(console: Console, found: Break) -> None:
    checked = check_text(console.rules.checked, found.when, scope=found.scope)
    if not isinstance(checked.tree, Expr):
        raise Refusal("", checked.diagnostics, found.when)
    if not isinstance(checked.tree.type, FlagT):
        raise Refusal(f"`{found.when}` is no condition: it is {checked.tree.type}")


def _line_in(console: Console, file: str, line: int) -> tuple[str, int]:
    """The file of the rules that is meant, if it has a statement on that line."""
    lines = lines_of(console.state)
    names = {name for name, _ in lines}
    fitting = sorted(name for name in names if name == file or name.endswith(f"/{file}"))
    if not fitting:
        shown = ", ".join(sorted({name.rpartition("/")[2] for name in names}))
        raise Refusal(f"`{file}` has no effects; these files have: {shown}")
    for name in fitting:
        if (name, line) in lines:
            return name, line
    near = sorted((n for name, n in lines if name == fitting[0]), key=lambda n: (abs(n - line), n))[:3]
    raise Refusal(
        f"line {line} of `{file}` has no effect; the nearest are {', '.join(map(str, sorted(near)))}"
    )


def _indent(console: Console, file: str, line: int) -> int:
    lines = console.rules.game.compiled.texts.files.get(file, "").splitlines()
    text = lines[line - 1] if line <= len(lines) else ""
    return len(text) - len(text.lstrip())


def parameters_of(checked: Checked, name: str) -> dict[str, Type]:
    if name in checked.events:
        return types_of(checked.events[name].parameters)
    rule = next((r for r in checked.rules if r.name == name), None)
    if rule is not None and rule.pattern is not None:
        return types_of(rule.pattern.parameters)
    return types_of(checked.formulas[name].parameters) if name in checked.formulas else {}


def types_of(variables: Iterable[Variable]) -> dict[str, Type]:
    return {variable.name: variable.type for variable in variables}


def at_breaks(console: Console, tick: int) -> RunPoints | None:
    """Stop at the breakpoints, behind a tick; None if there are none."""
    if not console.breaks:
        return None
    before: list[tuple[str, str, int]] = [("", "", 0)]

    def looks(look: RunPoint) -> bool:
        place = look.place
        now = place.definition, place.span.file, place.span.line
        entered, before[0] = now != before[0], now
        if look.tick <= tick:
            return False
        return any(_hits(each, look, now, entered) for each in console.breaks)

    return looks


def _hits(each: Break, look: RunPoint, now: tuple[str, str, int], entered: bool) -> bool:
    if each.line is not None:
        met = entered and now[1:] == each.line
    else:
        note = look.note
        names = (f"event {each.name}", f"rule {each.name}", f"action {each.name}")
        met = (note is not None and note.name in names) or (entered and now[0] == f"formula {each.name}")
    if not met or not each.when:
        return met
    try:
        return evaluate_at(look.stop(), each.when, each.scope) is True
    except PlayError:
        return False  # what it speaks of is not known here


def lines_after(stop: Stop | None, number: int, console: Console, deeper: bool = True) -> RunPoints:
    """Stop after so many lines, or at a breakpoint."""
    tick = stop.tick if stop is not None else 0
    last = [_line(stop.place.span, stop.depth) if stop is not None else ("", 0, 0)]
    left, most = [number], None if deeper or stop is None else stop.depth
    breaks = at_breaks(console, tick)

    def looks(look: RunPoint) -> bool:
        hit = breaks is not None and breaks(look)
        if look.tick <= tick or look.aside or look.place.span == NOWHERE:
            return hit
        now = _line(look.place.span, look.depth)
        if now == last[0] or (most is not None and look.depth > most):
            return hit
        last[0] = now
        left[0] -= 1
        return hit or left[0] == 0

    return looks


def _line(span: Span, depth: int) -> tuple[str, int, int]:
    return span.file, span.line, depth


# The display of a stopped run: next effect, source lines, locals, queued rules.


def stopped(console: Console) -> Pending:
    if console.pending is None:
        raise Refusal("no run is stopped; set a breakpoint (`break on NAME`), or `step CHOICE`")
    return console.pending


def stop_answer(console: Console, stop: Stop) -> Reply:
    """The next event, the source around it, and the rules that wait for it."""
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
