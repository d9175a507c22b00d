"""Commands that act on the position and on its branches."""

from __future__ import annotations

from functools import partial

from ruleforge.engine.errors import PlayError
from ruleforge.engine.paths import value_text
from ruleforge.frontends.repl.answer import LeaveConsole, Refusal, Reply, count, reply
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.inspect_commands import worked_out
from ruleforge.play.timeline import Moment
from ruleforge.support.spelling import as_number, did_you_mean, is_id


def happened(console: Console, made: tuple[Moment, ...], watched: dict[str, str]) -> Reply:
    """The result of some steps: all events if they are traced, else the watched values and the outcome."""
    events = [event for moment in made for event in moment.events]
    lines = []
    if console.trace:
        lines += [f"{'  ' * e.depth}{e}  ({console.rules.place(e.span)})" for e in events]
    lines += changed(console, watched)
    if console.state.decision is None:
        lines.append(console.waits())
    return reply(*lines, events=[str(event) for event in events], **position(console))


def position(console: Console) -> dict[str, object]:
    """The present position, as data for programs."""
    state, decision = console.state, console.state.decision
    return {
        "moment": console.here.number,
        "branch": console.timeline.branch,
        "edited": console.here.edited,
        "digest": state.digest,
        "decides": decision.player if decision else None,
        "prompt": decision.prompt if decision else str(state.outcome),
    }


def set_value(console: Console, text: str) -> Reply:
    """Write a value into the position."""
    path, value = set_parts(text)
    watched = values_watched(console)
    first = not console.here.edited
    console.timeline.set(path, value, text)
    note = ["the position is marked as edited"] if first else []
    return reply(*note, *changed(console, watched), **position(console))


def set_parts(text: str) -> tuple[str, object]:
    """The path and the value of what is said to `set`."""
    path, _, value = text.partition(" ")
    if "[" in path and "]" not in path:  # a path may have blanks between its brackets
        end = text.find("]") + 1
        path, value = text[:end], text[end:]
    if not value.strip():
        raise Refusal("usage: set PATH VALUE")
    return path, typed_value(value.strip())


def typed_value(text: str) -> object:
    """`3`, `true`, `none`, `wolf`, `[wolf, pike]` as `set` takes them."""
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        return [part.strip() for part in inner.split(",")] if inner else []
    if text in ("true", "false"):
        return text == "true"
    number = as_number(text)
    return text if number is None else number


def undo(console: Console, text: str) -> Reply:
    """Take steps back; what is stopped half-way is given up first, and counts as none."""
    if console.pending is not None:
        label, console.pending = console.pending.doing.label, None
        return reply(f"`{label}` is cancelled", **position(console))
    watched = values_watched(console)
    console.timeline.undo(_steps(text))
    return reply(*changed(console, watched), **position(console))


def redo(console: Console, text: str) -> Reply:
    watched = values_watched(console)
    console.timeline.redo(_steps(text))
    return reply(*changed(console, watched), **position(console))


def goto(console: Console, text: str) -> Reply:
    number = as_number(text)
    if number is None:
        raise Refusal("usage: goto N; `log` lists the moments")
    watched = values_watched(console)
    console.timeline.goto(number)
    return reply(*changed(console, watched), **position(console))


def _steps(text: str) -> int:
    number = as_number(text) if text else 1
    if number is None:
        raise Refusal(f"`{text}` is not a number of steps")
    return number


def fork(console: Console, text: str) -> Reply:
    if not text or not is_id(text.replace("-", "_")):
        raise Refusal("usage: fork NAME, with small letters, digits, `-` and `_`")
    console.timeline.fork(text)
    return reply(f"on `{text}` from moment {console.here.number} on", **position(console))


def switch(console: Console, text: str) -> Reply:
    if not text:
        raise Refusal("usage: switch NAME; `branches` lists them")
    console.timeline.switch(text)
    return reply(console.waits(), **position(console))


def branches(console: Console, _text: str) -> Reply:
    """The branches, with where each has got to."""
    lines, data = [], {}
    for name, branch in console.timeline.branches.items():
        mark = "*" if name == console.timeline.branch else " "
        last = f"{branch.tip.transition}" if branch.tip.transition else "the start"
        edited = ", edited" if branch.tip.edited else ""
        undone = f", {count(len(branch.undone), 'step')} taken back" if branch.undone else ""
        lines.append(f"{mark} {name}: moment {branch.tip.number}, {last}{edited}{undone}")
        data[name] = {"moment": branch.tip.number, "digest": branch.tip.state.digest}
    return reply(*lines, branches=data)


def log(console: Console, _text: str) -> Reply:
    """The steps that led here, by the numbers `goto` and `diff` take."""
    lines = []
    for moment in console.here.path:
        last = moment.transition
        who = f"{last.player}: {last.text}" if last and last.word == "do" else str(last or "the start")
        lines.append(
            f"{moment.number:>4}  {who}" + (f"  (dice {' '.join(last.dice)})" if last and last.dice else "")
        )
    return reply(*lines, steps=[str(m.transition) for m in console.here.path if m.transition])


def watch(console: Console, text: str) -> Reply:
    """Show an expression whenever its value changes; without one list them, `watch off` forgets all."""
    if text == "off":
        console.watches.clear()
        return reply("no value is watched", watches=[])
    if text:
        worked_out(console, text)  # a mistake in it is told now
        if text not in console.watches:
            console.watches.append(text)
    return reply(
        *(f"{name} is {value}" for name, value in values_watched(console).items()), watches=console.watches
    )


def values_watched(console: Console) -> dict[str, str]:
    found = {}
    for text in console.watches:
        try:
            found[text] = value_text(worked_out(console, text)[0])
        except PlayError as problem:  # a thing may be gone for a while
            found[text] = f"unknown ({problem.message})"
    return found


def changed(console: Console, before: dict[str, str]) -> list[str]:
    """The watched values that changed."""
    now = values_watched(console)
    return [f"{name}: {before[name]} → {now[name]}" for name in now if before.get(name) != now[name]]


def dice(console: Console, text: str) -> Reply:
    """Lay down what dice and random picks come to next; `dice off` forgets it."""
    if text == "off":
        console.dice = ()
    elif text:
        console.dice = tuple(map(partial(_result, console), text.replace(",", " ").split()))
    left = f"to come: {' '.join(console.dice)}" if console.dice else "dice are random"
    return reply(left, dice=list(console.dice))


def _result(console: Console, word: str) -> str:
    """A possible result of a die or a pick: a number or a thing; the run checks that it fits."""
    things = [thing for kind in console.rules.checked.kinds.values() for thing in kind.things]
    if as_number(word) is None and word not in things:
        meant = did_you_mean(word, things)
        raise Refusal(
            f"`{word}` is neither a number nor a thing of this game" + (f"; {meant}" if meant else "")
        )
    return word


def trace(console: Console, text: str) -> Reply:
    if text not in ("on", "off"):
        raise Refusal("usage: trace on or trace off")
    console.trace = text == "on"
    return reply(f"what rules do is {'told' if console.trace else 'not told'}", trace=console.trace)


def leave(_console: Console, _text: str) -> Reply:
    raise LeaveConsole
