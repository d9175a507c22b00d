"""The command `waiting`: queued triggers, and the rules that listen to an event."""

from __future__ import annotations

from ruleforge.engine.trigger_check import listeners_of, waiting, word_of
from ruleforge.frontends.repl.answer import Refusal, Reply, reply
from ruleforge.frontends.repl.command_reader import split
from ruleforge.frontends.repl.console import Console
from ruleforge.lang.checker.types import SetT, ThingT
from ruleforge.support.spelling import did_you_mean

FORMS = {"after": "waits for it", "instead": "acts instead", "forbid": "may forbid it"}


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
