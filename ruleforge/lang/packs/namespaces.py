"""`own_names` separates names that several packs use: such a name gets the id of its pack as a prefix.

A pack sees its own names, those of the game, and those of the packs it needs. A name stays as written unless
it clashes. A clash is another pack that has or uses the name and does not need this pack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ruleforge.lang.model.log_sentence import LogSentence
from ruleforge.lang.model.pack import Manifest, Pack
from ruleforge.lang.model.ruleset import Kind, Named, Phase, Ruleset
from ruleforge.lang.source.scalar_origin import SourceText, renamed, with_names, words_in
from ruleforge.support.diagnostics import Span

Names = Mapping[str, str]  # a name as the pack writes it -> its name among all packs
Sorted = frozenset[tuple[str, str]]  # names, each with the sort of names it must differ from

_SPOKEN = "name"  # the sort of all that texts can name
_UNSPOKEN = ("rules", "invariants", "checks")  # sections whose names stand in no text
_MEMBERS = ("facts", "has", "rules", "actions")
_NAME_FIELDS = frozenset({"id", "plural", "of", "phase", "name", "resets"})  # their text is a name
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PEOPLES = frozenset({"title", "text", "cites", "origin"})


def own_names(core: Ruleset, packs: tuple[Pack, ...]) -> dict[str, dict[str, str]]:
    """By the id of a pack: its names, and those of packs it needs, that are called otherwise when all are there."""
    if len(packs) < 2:
        return {}
    known = {pack.manifest.id: pack for pack in packs}
    needed = {id: _needed(pack, known) for id, pack in known.items()}
    declared = {id: _declared(pack, core, [known[n] for n in needed[id]]) for id, pack in known.items()}
    words = {id: _words(pack) for id, pack in known.items()}
    fixed = _names_of(core)
    taken = fixed.union(*words.values(), *({name for _, name in names} for names in declared.values()))
    found: dict[str, dict[str, str]] = {id: {} for id in known}
    for id in known:
        others = [other for other in known if other != id and id not in needed[other]]
        theirs = frozenset().union(*(declared[other] for other in others))
        spoken = frozenset().union(*(words[other] for other in others))
        borrowed = {name for other in needed[id] for _, name in declared[other]}
        for sort, name in declared[id]:
            clashes = (sort, name) in theirs or (sort == _SPOKEN and name in spoken)
            full = f"{id.replace('-', '_')}_{name}"
            if clashes and name not in fixed | borrowed and full not in taken:
                found[id][name] = full
    return {id: _visible(id, needed[id], found) for id in known}


def with_own_names(pack: Pack, names: Names) -> Pack:
    """The pack with those names in all its definitions and texts."""
    found: Pack = _spoken(pack, names) if names else pack
    return found


def _visible(id: str, needed: tuple[str, ...], found: Mapping[str, dict[str, str]]) -> dict[str, str]:
    """The meaning of each name inside a pack; a name of two needed packs is known only in full."""
    borrowed = [(name, full) for other in needed for name, full in found[other].items()]
    counts = [name for name, _ in borrowed]
    return {**{name: full for name, full in borrowed if counts.count(name) == 1}, **found[id]}


def _needed(pack: Pack, known: Mapping[str, Pack]) -> tuple[str, ...]:
    """The packs it needs, and those they need."""
    found: dict[str, None] = {}
    waiting = [name.id for name in pack.manifest.needs]
    while waiting:
        id = waiting.pop()
        if id in known and id not in found and id != pack.manifest.id:
            found[id] = None
            waiting += [name.id for name in known[id].manifest.needs]
    return tuple(found)


def _declared(pack: Pack, core: Ruleset, needed: list[Pack]) -> Sorted:
    """The new names: definitions, things, and additions to kinds of others."""
    adds, there = pack.adds, {kind.id for rules in (core, *(p.adds for p in needed)) for kind in rules.kinds}
    found: set[tuple[str, str]] = set()
    for field in fields(Ruleset):
        value = getattr(adds, field.name)
        if isinstance(value, tuple) and field.name != "kinds":
            sort = field.name if field.name in _UNSPOKEN else _SPOKEN
            found |= {(sort, item.id) for item in value if isinstance(item, Named)}
    for hung in pack.hung:
        found |= {(_SPOKEN, name) for name in _phases(hung.phases)}
    for kind in adds.kinds:
        linked = kind.graph is not None and kind.id in there
        found |= {(_SPOKEN, thing.id) for thing in kind.things if not (linked and thing.is_bare)}
        if kind.id in there:
            found |= {(kind.id, item.id) for key in _MEMBERS for item in getattr(kind, key)}
        else:
            found |= {(_SPOKEN, kind.id), (_SPOKEN, kind.plural)}
    return frozenset(found)


def _phases(flow: tuple[Phase, ...]) -> Iterator[str]:
    for phase in flow:
        yield phase.id
        yield from _phases(phase.steps)


def _words(value: Any) -> frozenset[str]:
    """Every name in the texts of a pack."""
    return frozenset(word for text in texts_of(value) for word in words_in(text.text))


def texts_of(value: Any) -> Iterator[SourceText]:
    """Every text of a pack, or of a part of one, but for words for people."""
    if isinstance(value, SourceText):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, LogSentence):
        yield from texts_of(value.parts)
    elif is_dataclass(value) and not isinstance(value, Manifest):
        for field in fields(value):
            if field.name != "called":
                yield from texts_of(getattr(value, field.name))


def _names_of(value: Any) -> frozenset[str]:
    """Every name that a ruleset declares anywhere, also of what belongs to something."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            found |= {item[0]} if _is_pair(item) else set()
            waiting += item
        elif is_dataclass(item) and not isinstance(item, SourceText):
            found |= {item.id, item.plural} if isinstance(item, Kind) else set()
            found |= {item.id} if isinstance(item, Named) else set()
            waiting += [getattr(item, field.name) for field in fields(item)]
    return frozenset(found)


def _is_pair(value: tuple[Any, ...]) -> bool:
    """Whether it is a name and what belongs to it."""
    is_name = len(value) > 1 and isinstance(value[0], str) and not isinstance(value, Span)
    return is_name and not isinstance(value[1], str)


def _spoken(value: Any, names: Names) -> Any:
    if isinstance(value, SourceText):
        return with_names(value, names)
    if isinstance(value, Span | Manifest):
        return value
    if isinstance(value, tuple):
        rest = tuple(_spoken(item, names) for item in value)
        return (renamed(value[0], names), *rest[1:]) if _is_pair(value) else rest
    if isinstance(value, LogSentence):
        return replace(value, parts=tuple(_spoken(part, names) for part in value.parts))
    if not is_dataclass(value):
        return value
    return replace(value, **{f.name: _field(value, f.name, names) for f in fields(value)})  # type: ignore[type-var]


def _field(owner: Any, name: str, names: Names) -> Any:
    value = getattr(owner, name)
    if isinstance(value, str):
        return renamed(value, names) if name in _NAME_FIELDS else value
    if name == "called" and value is not None:
        return replace(
            value, text=_PLACEHOLDER.sub(lambda part: f"{{{renamed(part[1], names)}}}", value.text)
        )
    return value if name in _PEOPLES else _spoken(value, names)
