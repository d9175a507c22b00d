"""Checks that the targets of a contract exist in its game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ruleforge.contracts.model import CHANGES
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.check_snippet import check_text
from ruleforge.lang.checker.names import Declared
from ruleforge.lang.source.scalar_origin import SourceText, text_at
from ruleforge.lang.source.tree import MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.mentions import Mentions, Unknown

# Targets that are no definition: everything, what packs bring, the flow, a starting position, the seats, how a game
# may end, and the version a pack was written for.
WORDS = frozenset(
    {"any", "new", "flow", "start", "setup", "players", "win", "loss", "keyword", "keywords", "version"}
)
# The words that may follow a definition after a dot, by the sort of definition.
ASPECTS: Mapping[str, tuple[str, ...]] = {
    "action": ("window", "limit", "price", "needs", "holds"),
    "event": ("dice", "result", "again"),
    "place": ("visible",),
    "ending": ("win", "loss"),
}
DIRECTIONS = ("up", "down", "set")
# Keys whose values are targets, by the section they stand in; the others have figures, words and clauses.
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "guards": ("of",),
    "points": (*CHANGES, "window", "via", "without", "inside"),
    "bounded": ("of",),
    "flows": ("from", "into", "to", "after", "by"),
    "denial": ("of", "window", "void", "rests"),
    "conserve": ("of",),
    "chance": ("inside",),
    "secrecy": ("keep", "except"),
}
# The sort of name behind each word of a target. Elsewhere a name means one with an owner only if there is no
# other.
_BEHIND = {
    **dict.fromkeys(("from", "into", "shuffle"), "place"),
    **dict.fromkeys(("of", "create"), "kind"),
    **dict.fromkeys(("after", "before", "in"), "phase"),
}
_NAME = re.compile(r"(\w+)(?:\.(\w+))?[\w.]*")
LISTS = ("bounded", "conserve")  # sections that may be plain lists of targets


@dataclass(frozen=True, slots=True)
class Targets:
    """The possible targets of a contract: declared names by sort, and members of kinds."""

    sorts: Mapping[str, frozenset[str]]
    members: Mapping[str, frozenset[str]]

    def wrong(self, target: str) -> tuple[str, Iterable[str]] | None:
        """The first word of a target that names nothing, and what it could have named."""
        match target.split():
            case [kind, "into" | "from", place]:
                return self._moved(kind) or self._sort(place, "place")
            case [kind, "from", source, "into", place]:
                return self._moved(kind) or self._sort(source, "place") or self._sort(place, "place")
            case ["facts", "of", kind]:
                return self._sort(kind, "kind")
            case ["shuffle", place]:
                return self._sort(place, "place")
            case [place, "of", kind]:
                return self._sort(place, "place") or self._sort(kind, "kind")
            case ["create", kind]:
                return self._sort(kind, "kind")
            case ["after" | "before", phase] | ["first" | "last", "in", phase]:
                return self._sort(phase, "phase")
            case ["between", "turns"]:
                return None
            case [word]:
                return self._name(word)
        return target, ()

    def _sort(self, word: str, sort: str) -> tuple[str, Iterable[str]] | None:
        if word in WORDS or sort in self.sorts.get(word, ()):
            return None
        return word, [name for name, sorts in self.sorts.items() if sort in sorts]

    def _moved(self, word: str) -> tuple[str, Iterable[str]] | None:
        """A kind, or a thing of one."""
        return self._name(word) if "." in word else self._sort(word, "kind")

    def _name(self, word: str) -> tuple[str, Iterable[str]] | None:
        head, *rest = word.split(".")
        if head in WORDS and not rest:
            return None
        sorts = self.sorts.get(head)
        if sorts is None:
            return head, (*self.sorts, *sorted(WORDS))
        if not rest:
            return None
        if "kind" in sorts and len(rest) == 2 and rest[1] in DIRECTIONS:
            rest = rest[:1]
        known = self.behind(head)
        if len(rest) == 1 and rest[0] in known:
            return None
        return word, [f"{head}.{name}" for name in known]

    def behind(self, owner: str) -> list[str]:
        """The words that may follow a name after a dot; after a name and a member, the directions."""
        if "." in owner:
            return list(DIRECTIONS)
        aspects = (a for sort in sorted(self.sorts.get(owner, ())) for a in ASPECTS.get(sort, ()))
        return [*aspects, *sorted(self.members.get(owner, ()))]


def targets_of(rules: t.Checked) -> Targets:
    sorts: dict[str, set[str]] = {}
    members: dict[str, set[str]] = {}
    for declared in rules.names.declared:
        sorts.setdefault(declared.name, set()).add(declared.what)
        if declared.what in ("thing", "fact", "attribute"):
            members.setdefault(declared.of, set()).add(declared.name)
    for place in rules.places.values():
        if place.of:
            members.setdefault(place.of[0][1].name, set()).add(place.name)
    return Targets(
        {name: frozenset(found) for name, found in sorts.items()},
        {kind: frozenset(found) for kind, found in members.items()},
    )


def look_at_contract(file: SourceFile, rules: t.Checked, unknown: Unknown) -> None:
    targets = targets_of(rules)
    for node in _targets(file.root):
        wrong = targets.wrong(node.text)
        if wrong is not None:
            word, known = wrong
            message = f"`{word}` is nothing that `{rules.name}` has"
            unknown.name(("target", word), message, "RF344", node.span, known)
    for node in _conditions(file.root):
        if any(unknown.excused(word) for word in re.findall(r"\w+", node.text)):
            continue
        for problem in check_text(rules, node.text).diagnostics:
            message = f"this guarantee cannot be checked for `{rules.name}`: {problem.message}"
            unknown.name(("condition", node.text), message, "RF344", node.span, ())


def note_contract(file: SourceFile, rules: t.Checked, mentions: Mentions) -> None:
    """Note the names that a contract mentions, with their places."""
    declared: dict[str, list[Declared]] = {}
    for one in rules.names.declared:
        declared.setdefault(one.name, []).append(one)
    for node in _targets(file.root):
        for before, head, member in _words_of(node):
            named = declared.get(head.text, ())
            sort = _BEHIND.get(before)
            fit = [d for d in named if d.what == sort] or [d for d in named if not d.of] or named
            for one in fit:
                mentions.name(one.what, one.name, head.span, one.of)
            if member is not None:
                for one in declared.get(member.text, ()):
                    if one.of == head.text or one.what == "place":
                        mentions.name(one.what, one.name, member.span, one.of)
    for node in _conditions(file.root):
        if node.origin is not None:
            mentions.uses(rules, node.origin)


def _words_of(node: ScalarNode) -> Iterator[tuple[str, SourceText, SourceText | None]]:
    """The names in a target: each with the word before it, and with what follows behind a dot."""
    before = ""
    for found in _NAME.finditer(node.text):
        yield before, _part(node, found, 1), _part(node, found, 2) if found[2] else None
        before = found[0]


def _part(node: ScalarNode, found: re.Match[str], group: int) -> SourceText:
    origin = node.origin or text_at(node.text, node.span)
    return text_at(found[group], origin.span_at(1, found.start(group) + 1, 1, found.end(group) + 1))


def _conditions(root: MappingNode) -> Iterator[ScalarNode]:
    """The written conditions of `holds`."""
    holds = root.get("holds")
    for part in _parts(holds) if holds is not None else ():
        that = part.get("that") if isinstance(part, MappingNode) else None
        if isinstance(that, ScalarNode):
            yield that


def _targets(root: MappingNode) -> Iterator[ScalarNode]:
    for entry in root:
        if entry.name == "rates" and isinstance(entry.value, MappingNode):
            yield from (rate.key for rate in entry.value)
        for part in _parts(entry.value):
            if isinstance(part, ScalarNode) and entry.name in LISTS:
                yield part
            elif isinstance(part, MappingNode):
                keys = SECTIONS.get(entry.name, ())
                yield from (word for e in part if e.name in keys for word in _words(e.value))
                sources = part.get("sources")
                per = sources.get("per") if isinstance(sources, MappingNode) else None
                if isinstance(per, ScalarNode) and per.text != "game":
                    yield per


def _parts(node: SourceNode) -> tuple[SourceNode, ...]:
    return node.items if isinstance(node, SequenceNode) else (node,)


def _words(node: SourceNode) -> list[ScalarNode]:
    return [part for part in _parts(node) if isinstance(part, ScalarNode)]
