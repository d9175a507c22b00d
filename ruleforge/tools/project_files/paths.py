"""Resolves the text of a path, or finds its first unknown word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.types import ERROR, FlagT, NumberT, SetT, ThingT
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import counted, several
from ruleforge.tools.project_files.scenario_names import SPECIAL, Member, ScenarioNames, answer_of, askable

_PATH = re.compile(r"(?P<names>\w+(?:\.\w+){0,2})(?:\[(?P<index>[^\[\]()]*)\])?\Z")
_CALL = re.compile(r"(?P<name>\w+)\((?P<given>[^()]*)\)\Z")
_PLAIN_CALL = re.compile(r"\w+\((?:-?[\w.]+(?:\s*,\s*-?[\w.]+)*)?\)\Z")
_NUMBER = re.compile(r"-?[0-9]+\Z")


@dataclass(frozen=True, slots=True)
class Wrong:
    """An unknown word in a path: the wanted sort of name, and the likely meaning."""

    what: str
    word: str
    message: str
    known: Iterable[str]


def is_path(text: str) -> bool:
    """Whether the text has the form of a path or of one formula."""
    return bool(_PATH.match(text) or _PLAIN_CALL.match(text))


def find(known: ScenarioNames, text: str) -> Member | Wrong | None:
    """Resolve a path; None for the paths of every game."""
    path = "".join(text.split())
    if path in SPECIAL:
        return None
    if call := _CALL.match(path):
        return _formula(known, path, call["name"], _listed(call["given"]))
    match = _PATH.match(path)
    if match is None:
        return Wrong("path", path, f"`{text}` is not a path", ())
    *owner, name = match["names"].split(".")
    return _stored(known, path, owner, name, _listed(match["index"]))


def given(known: ScenarioNames, text: str) -> Member | Wrong | None:
    """Resolve a text that is written to: a path, or a member of several things at once."""
    return _remembered(known, known.given, _given, text)


def read_path(known: ScenarioNames, text: str) -> Member | Wrong | None:
    """Resolve a text that is only read: a path, or else any expression of the language, which has no place."""
    return _remembered(known, known.read_paths, _read_path, text)


def _remembered(
    known: ScenarioNames,
    found: dict[str, Any],
    look: Callable[[ScenarioNames, str], Member | Wrong | None],
    text: str,
) -> Member | Wrong | None:
    """Scenarios speak of the same again and again."""
    if text not in found:
        found[text] = look(known, text)
    remembered: Member | Wrong | None = found[text]
    return remembered


def _given(known: ScenarioNames, text: str) -> Member | Wrong | None:
    found, many = find(known, text), several(text)
    if not isinstance(found, Wrong) or many is None:
        return found
    things = check_text(known.rules, many.things).tree
    if not isinstance(things, t.Expr) or not isinstance(things.type, SetT):
        return found
    name, _, index = many.member.partition("[")
    members = known.members.get(things.type.kind, {})
    if name not in members:
        kind = things.type.kind
        message = f"unknown path `{text}`: nothing of `{kind}` is called `{name}`"
        return Wrong(f"of {kind}", name, message, members)
    return _things(known, text, members[name].kinds[1:], _listed(index.rstrip("]"))) or members[name]


def _read_path(known: ScenarioNames, text: str) -> Member | Wrong | None:
    found = find(known, text)
    if not isinstance(found, Wrong) or known.named(text):
        return found
    tree = check_text(known.rules, text).tree
    if not isinstance(tree, t.Expr):
        return found
    type_ = tree.type if isinstance(tree.type, NumberT | FlagT | ThingT | SetT) else ERROR
    return Member(text, (), type_, expression=True)


def _listed(text: str | None) -> list[str]:
    return text.split(",") if text else []


def _stored(known: ScenarioNames, path: str, owner: list[str], name: str, index: list[str]) -> Member | Wrong:
    kind = _kind(known, path, owner) if owner else ""
    if isinstance(kind, Wrong):
        return kind
    members = known.members.get(kind, {})
    member = members.get(name)
    if member is None:
        what = f"nothing of `{kind}`" if kind else "nothing without an owner"
        return Wrong(f"of {kind}", name, f"unknown path `{path}`: {what} is called `{name}`", members)
    return _things(known, path, member.kinds[1:] if owner else (), index) or member


def _kind(known: ScenarioNames, path: str, owner: list[str]) -> str | Wrong:
    """The kind of the thing at the head of a path."""
    thing = owner[-1]
    if len(owner) == 2:
        kind = owner[0]
        if kind not in known.rules.kinds and known.plain(kind) is not None:
            return Wrong(
                "path", path, f"unknown path `{path}`: write `{kind}.{thing}[{path.rpartition('.')[2]}]`", ()
            )
        if kind not in known.rules.kinds:
            return Wrong("word", kind, f"unknown path `{path}`: there is no kind `{kind}`", known.rules.kinds)
        if not known.has(kind, thing):
            return _no_thing(known, path, kind, thing)
        return kind
    found = known.plain(thing)
    if found is None and thing in known.kinds_of:
        kinds = known.kinds_of[thing]
        message = f"unknown path `{path}`: write `{kinds[0]}.{thing}`, other kinds have a `{thing}` too"
        return Wrong("path", thing, message, ())
    return found or Wrong(
        "word", thing, f"unknown path `{path}`: there is no `{thing}`", (*known.kinds_of, *SPECIAL)
    )


def _formula(known: ScenarioNames, path: str, name: str, given: list[str]) -> Member | Wrong:
    formulas = {f.name: f for f in known.rules.formulas.values() if askable(f)}
    formula = formulas.get(name)
    if formula is None:
        return Wrong("formula", name, f"unknown path `{path}`: there is no formula `{name}`", formulas)
    types = [p.type for p in formula.parameters]
    if len(types) != len(given):
        message = f"`{name}` takes {counted(len(types), 'value')}, not {len(given)}"
        return Wrong("path", path, message, ())
    for type_, word in zip(types, given, strict=True):
        if isinstance(type_, NumberT) and not _NUMBER.match(word):
            return Wrong("path", path, f"`{word}` in `{path}` is not a number", ())
        if isinstance(type_, ThingT) and (wrong := _thing(known, path, type_.kind, word)):
            return wrong
    return Member(name, (), answer_of(formula))


def _things(known: ScenarioNames, path: str, kinds: tuple[str, ...], given: list[str]) -> Wrong | None:
    if len(kinds) != len(given):
        wanted = f"[{', '.join(kinds)}]" if kinds else "nothing in brackets"
        return Wrong("path", path, f"unknown path `{path}`: it takes {wanted}", ())
    return next((w for k, g in zip(kinds, given, strict=True) if (w := _thing(known, path, k, g))), None)


def _thing(known: ScenarioNames, path: str, kind: str, word: str) -> Wrong | None:
    thing = word.removeprefix(f"{kind}.")
    return None if known.has(kind, thing) else _no_thing(known, path, kind, thing)


def _no_thing(known: ScenarioNames, path: str, kind: str, thing: str) -> Wrong:
    message = f"unknown path `{path}`: there is no {kind} `{thing}`"
    return Wrong("word", thing, message, known.things(kind))
