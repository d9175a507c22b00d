"""Completion in scenarios: paths, expressions, choices, seats and things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ruleforge.frontends.lsp.cursor_context import CursorContext
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.scope_completion import Suggestion, suggestions
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.schema.positions import ITEM
from ruleforge.support.spelling import with_article
from ruleforge.tools.project_files.scenario import CHOICES
from ruleforge.tools.project_files.scenario_names import SPECIAL, ChoiceWords, ScenarioNames


def in_scenario(checked: t.Checked, here: CursorContext) -> Iterator[Suggestion]:
    known = ScenarioNames(checked, checked.players[1], ChoiceWords(checked))
    match here.path:
        case ("start",) | ("steps", "-", "given" | "expect" | "sees") if here.is_key:
            yield from _paths(known, here)
        case ("steps", "-"):
            yield from (Suggestion(seat, "player") for seat in known.seats)
        case ("begin",) | ("begin", "phase") if not here.is_key:
            yield from _phases(checked)
        case ("options",):
            yield from (Suggestion(o.name, "option", str(o.type)) for o in checked.options.values())
        case (*_, "reason"):
            yield from (Suggestion(e.name, "ending", e.text) for e in checked.endings.values())
        case (*_, "player") | (*_, "winners", "-"):
            yield from (Suggestion(seat, "player") for seat in known.seats)
        case _ if not here.is_key or here.path[-1:] == (ITEM,):
            yield from (Suggestion(name.rpartition(".")[2], "action") for name in checked.actions)
            yield from _things(known.kinds_of)
            yield from (Suggestion(word, "word") for word in sorted(known.spoken.words))
            yield from _phases(checked)


def _phases(checked: t.Checked) -> Iterator[Suggestion]:
    yield from (Suggestion(phase.name, "phase") for phase in phases_of(checked.flow))


def _paths(known: ScenarioNames, here: CursorContext) -> Iterator[Suggestion]:
    """A thing, then its members behind the dot; or an expression, wherever in it."""
    text = here.before + here.begun
    yield from suggestions(known.rules, text, len(text), {})
    if here.before.endswith("}."):  # of all that are meant
        columns = (c for c in known.rules.columns.values() if not c.constant)
        yield from (Suggestion(c.name, "attribute", str(c.type)) for c in columns)
    if here.before.strip():
        return
    yield from (Suggestion(path, "path") for path in (*SPECIAL, CHOICES))
    owner, dot, _ = here.begun.rpartition(".")
    if dot:
        kind = known.plain(owner)
        members = known.members.get(kind, {}) if kind else {}
        yield from (Suggestion(f"{owner}.{name}", "attribute", str(m.type)) for name, m in members.items())
        return
    yield from _things(known.kinds_of)
    yield from (Suggestion(name, "place", str(m.type)) for name, m in known.members.get("", {}).items())


def _things(kinds_of: Mapping[str, Iterable[str]]) -> Iterator[Suggestion]:
    return (Suggestion(thing, "thing", with_article(", ".join(kinds))) for thing, kinds in kinds_of.items())
