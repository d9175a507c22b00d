"""Completion of YAML keys and plain values below a path of keys, and of values in scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ruleforge.frontends.lsp.cursor_context import CursorContext
from ruleforge.frontends.lsp.workspace import View
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.scope_completion import Suggestion, suggestions
from ruleforge.lang.checker.sentences import known_to
from ruleforge.lang.checker.types import ThingT
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.schema.positions import ITEM, keys_at, values_at
from ruleforge.lang.schema.validate import FileKind
from ruleforge.support.spelling import with_article
from ruleforge.tools.project_files.contract import DIRECTIONS, WORDS, targets_of
from ruleforge.tools.project_files.scenario import CHOICES
from ruleforge.tools.project_files.scenario_names import SPECIAL, ChoiceWords, ScenarioNames

_TYPE_WORDS = ("flag", "set of", "or none", "per", "set", "of", "or", "none", "true", "false")
_TARGET_WORDS = ("from", "into", "after", "before", "first in", "last in", "shuffle", "create", "facts of")


def by_position(view: View, kind: FileKind, here: CursorContext) -> Iterator[Suggestion]:
    checked = view.found.analysis.checked
    if here.is_key:
        for name, words in keys_at(kind, here.path).items():
            yield Suggestion(name, "key", words)
    if checked is not None:
        yield from _names_at(checked, kind, here)
    if not here.is_key or here.path[-1:] == (ITEM,):
        yield from (Suggestion(word, "value") for word in values_at(kind, here.path))
        key = next((step for step in reversed(here.path) if step != ITEM), "")
        if key in ("cites", "about", "otherwise", "clause", "over", "bare", "lock"):
            yield from (Suggestion(c.id, "clause", c.rule) for c in view.found.beside.clauses.values())


def _names_at(checked: t.Checked, kind: FileKind, here: CursorContext) -> Iterator[Suggestion]:
    """Names that stand as keys or plain words of YAML."""
    if kind == "scenario":
        yield from in_scenario(checked, here)
        return
    if kind == "contract":
        yield from _in_contract(checked, here)
        return
    match here.path:
        case ("layout", *below):
            yield from _in_layout(checked, tuple(below), here)
        case ("kinds", owner, "things", _) if here.is_key:
            columns = (c for c in checked.columns.values() if c.kind.name == owner and c.constant)
            yield from (Suggestion(c.name, "fact", str(c.type)) for c in columns)
        case ("kinds", owner, "things", _, fact) if here.is_key:
            column = checked.columns.get((owner, fact))
            per = column.per[:1] if column is not None else ()
            yield from (Suggestion(name, "thing", each.name) for each in per for name in each.things)
        case ("kinds",) if here.is_key and kind == "pack":
            yield from (Suggestion(name, "kind") for name in checked.kinds)
        case ("profiles", _, "weighs"):
            yield from (Suggestion(name, "action") for name in checked.actions)
        case (*_, "during" | "resets" | "limit") | (*_, "during", "-"):
            yield from _occasions(checked)
        case (*_, "manner"):
            yield from (Suggestion(d.name, d.what) for d in checked.names.declared if d.what == "manner")
        case ("holds", _, "of") | ("flow", "-", "at"):
            yield from _occasions(checked)
            yield from (Suggestion(name, "action") for name in checked.actions)
        case ("fills",):
            yield from (Suggestion(name, "event") for name in checked.events)
        case ("chooses",):
            yield from (Suggestion(o.name, "option", str(o.type)) for o in checked.options.values())
            yield from (Suggestion(name, "number", str(value)) for name, value in checked.numbers.items())
        case ("kinds", _, "has" | "facts", _) | (*_, "takes" | "of", _) | (*_, "type" | "holds"):
            yield from types(checked)
        case (*_, "keywords", "-") | (*_, "includes", "-"):
            yield from (Suggestion(k.name, "keyword", k.text) for k in checked.keywords.values())
        case ("kinds", owner, "things", _, fact, *_) if (owner, fact) in checked.columns:
            yield from suggestions(checked, here.begun, len(here.begun), {})


def types(checked: t.Checked) -> Iterator[Suggestion]:
    yield from (Suggestion(kind, "kind") for kind in checked.kinds)
    yield from (Suggestion(word, "word") for word in _TYPE_WORDS)
    yield from (Suggestion(name, "number", str(value)) for name, value in checked.numbers.items())


def _occasions(checked: t.Checked) -> Iterator[Suggestion]:
    yield from (Suggestion(phase.name, "phase") for phase in phases_of(checked.flow))
    yield from (Suggestion(name, "window") for name in checked.windows)


# --- how the table is shown ---


def _in_layout(checked: t.Checked, below: tuple[str, ...], here: CursorContext) -> Iterator[Suggestion]:
    match below:
        case ("kinds",) | ("boxes", "-") | ("lanes", "kind" | "of"):
            yield from (Suggestion(name, "kind") for name in checked.kinds)
        case ("small" | "quiet", "-"):
            owner, dot, _ = here.begun.rpartition(".")
            for kind in [owner] if dot else checked.kinds:
                yield from _shown(checked, kind, f"{owner}{dot}")
            yield from (Suggestion(name, "kind") for name in checked.kinds)
        case ("lanes", *_):
            yield from (found for kind in checked.kinds for found in _shown(checked, kind))
            yield from (Suggestion(name, "number", str(value)) for name, value in checked.numbers.items())
        case ("kinds", owner, "shows" | "face" | "by", "-") | ("kinds", owner, "of", *_):
            yield from _shown(checked, owner)
            if not here.is_key and "of" in below:
                yield from (Suggestion(name, "number", str(v)) for name, v in checked.numbers.items())
        case ("kinds", owner, "symbols" | "colours"):
            facts = (c.type for c in checked.columns.values() if c.kind.name == owner and c.constant)
            kinds = dict.fromkeys([owner, *(type_.kind for type_ in facts if isinstance(type_, ThingT))])
            for known in (checked.kinds[name] for name in kinds if name in checked.kinds):
                yield from (Suggestion(thing, "thing", known.name) for thing in known.things)
        case ("values",):
            parameters = dict.fromkeys(v for action in checked.actions.values() for v in known_to(action))
            yield from (Suggestion(v.name, "local", str(v.type)) for v in parameters)


def _shown(checked: t.Checked, owner: str, before: str = "") -> Iterator[Suggestion]:
    """The names that can be shown of a thing: attributes, places, and formulas about it."""
    columns = (c for c in checked.columns.values() if c.kind.name == owner)
    yield from (Suggestion(before + c.name, "attribute", str(c.type)) for c in columns)
    for place in checked.places.values():
        if not place.of or place.of[0][1].name == owner:
            yield Suggestion(before + place.name, "place", str(place.content))
    for formula in checked.formulas.values():
        if formula.parameters and formula.parameters[0].type == ThingT(owner):
            yield Suggestion(before + formula.name, "formula", str(formula.result))


# --- what a contract speaks of ---


def _in_contract(checked: t.Checked, here: CursorContext) -> Iterator[Suggestion]:
    if "that" in here.path:
        yield from suggestions(checked, here.before + here.begun, len(here.before + here.begun), {})
        return
    targets = targets_of(checked)
    owner, dot, _ = here.begun.rpartition(".")
    if dot:
        yield from (Suggestion(f"{owner}.{name}", "member") for name in targets.behind(owner))
        return
    for name, sorts in targets.sorts.items():
        yield Suggestion(name, min(sorts))
    yield from (Suggestion(word, "word") for word in (*sorted(WORDS), *_TARGET_WORDS, *DIRECTIONS))


# Completion in scenarios: paths, expressions, choices, seats and things.


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
