"""Builds a Ruleset from a SourceTree. One table for each kind of definition maps keys to fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from ruleforge.lang.model import ruleset as m
from ruleforge.lang.model.kinds_from_source import kinds_from_source
from ruleforge.lang.model.layout import layout_from_source
from ruleforge.lang.model.log_sentence import sentence_from_source
from ruleforge.lang.model.read_fields import (
    WORDS_FOR_PEOPLE,
    Companions,
    Fields,
    Key,
    Names,
    Read,
    filled,
    whole_number,
)
from ruleforge.lang.model.rules_from_source import (
    MANNER,
    action_from_source,
    keyword_from_source,
    rule_from_source,
)
from ruleforge.lang.source import Entry, MappingNode, ScalarNode, SequenceNode, SourceNode, SourceTree
from ruleforge.lang.source.error_nodes import ErrorNodes, start_of
from ruleforge.support.diagnostics import Edit, Report, Span

D = TypeVar("D", bound=m.Named)

OPTION = {
    **WORDS_FOR_PEOPLE,
    "type": Key("range", Fields.text),
    "values": Key("values", Fields.words),
    "default": Key("default", Fields.text),
}
NUMBER = {**WORDS_FOR_PEOPLE, "value": Key("value", Fields.text)}
PLACE = {
    **WORDS_FOR_PEOPLE,
    "of": Key("of", Fields.pairs),
    "holds": Key("holds", Fields.text),
    "max": Key("max", Fields.text),
    "ordered": Key("ordered", Fields.flag),
    "sees": Key("sees", Fields.text),
    "starts": Key("starts", Fields.text),
}
CHECK = {
    **WORDS_FOR_PEOPLE,
    "each": Key("each", Fields.text),
    "that": Key("that", Fields.text),
    "warn": Key("warn", Fields.flag),
}
FORMULA = {
    **WORDS_FOR_PEOPLE,
    "takes": Key("takes", Fields.pairs),
    "let": Key("lets", Fields.pairs),
    "is": Key("value", Fields.text),
    "sees": Key("sees", Fields.text),
    "open": Key("open", Fields.flag),
    "each": Key("each", Fields.text),
    "sum": Key("sum", Fields.text),
    "clamp": Key("clamp", Fields.text),
}
EVENT = {
    **WORDS_FOR_PEOPLE,
    "tells": Key("tells", sentence_from_source),
    "takes": Key("takes", Fields.pairs),
    "needs": Key("needs", Fields.texts),
    "do": Key("do", Fields.text),
    "together": Key("together", Fields.flag),
    "open": Key("open", Fields.flag),
    "placeholder": Key("placeholder", Fields.flag),
}
MANY = 10**18  # in place of a number of players that is too long
POSITION = {**WORDS_FOR_PEOPLE, "of": Key("of", Fields.texts), "keeps": Key("keeps", Fields.number)}
WINDOW = {
    **WORDS_FOR_PEOPLE,
    "takes": Key("takes", Fields.pairs),
    "window": Key("window", Fields.word),
    "openly": Key("openly", Fields.flag),
    "ask": Key("ask", Fields.word),
    "open": Key("open", Fields.flag),
}
PHASE = {
    **WORDS_FOR_PEOPLE,
    "when": Key("when", Fields.text),
    "each": Key("each", Fields.text),
    "repeat": Key("repeat", Fields.text),
    "do": Key("do", Fields.text),
    "window": Key("window", Fields.word),
    "openly": Key("openly", Fields.flag),
    "ask": Key("ask", Fields.word),
    "stuck": Key("stuck", Fields.text),
    "holds": Key("holds", Fields.texts),
    "sees": Key("sees", Fields.text),
    "end": Key("end", Fields.text),
}
ENDING = {
    **WORDS_FOR_PEOPLE,
    "when": Key("when", Fields.text),
    "winners": Key("winners", Fields.text),
    "at": Key("at", Fields.text),
    "lost": Key("lost", Fields.flag),
}
PROFILE = {
    **WORDS_FOR_PEOPLE,
    "weighs": Key("weighs", lambda fields, node: _weights(fields, node)),
}
INVARIANT = {**WORDS_FOR_PEOPLE, "that": Key("that", Fields.text)}
GAME = {
    **WORDS_FOR_PEOPLE,
    "id": Key("id", Fields.word),
    "version": Key("version", Fields.word),
}
_CLOSED = "only an `open` formula limits its modifiers"
# Names that effects never use, or only behind a dot (`option.first`): any word is allowed.
_NEVER_BARE = frozenset({"options", "actions", "rules", "invariants", "checks", "profiles"})
_CALLED = frozenset({"kinds", "formulas", "events", "windows", "keywords"})  # with brackets behind the name
_LIMITS_OF_OPEN: Companions = {
    key: ("open", _CLOSED, f"add `open: true`, or delete `{key}`") for key in ("each", "sum", "clamp")
}
_UNWATCHED = "only an ending with `when` can have this key"
_WATCHED_ONLY: Companions = {
    key: ("when", _UNWATCHED, f"add a `when`, or delete `{key}`") for key in ("winners", "at")
}


def ruleset_from_source(tree: SourceTree, report: Report, error_nodes: ErrorNodes | None = None) -> m.Ruleset:
    """The ruleset an author wrote, as far as it could be read; `error_nodes` are those of the tree and of its shape."""
    return Sections(tree, Fields(report, tree.error_nodes if error_nodes is None else error_nodes)).ruleset()


class Sections:
    """Joins the sections of all files, in the order of the files."""

    def __init__(self, tree: SourceTree, fields: Fields) -> None:
        self.tree = tree
        self.fields = fields

    def ruleset(self) -> m.Ruleset:
        key, game = self.head("game")
        head = {"id": "game", "title": "", "text": "", "version": ""} | filled(self.fields, game, GAME)
        whole = self.definitions_of(head["id"], key, players_from_source(self.fields, game))
        return replace(
            whole,
            limits=_limits(self.fields, game),
            flow=self.flow(),
            scores=self.single("scores", Fields.text),
            layout=self.single("layout", layout_from_source),
            heuristic=self.single("heuristic", Fields.text),
            error_nodes=self.fields.error_nodes,
            **head,
        )

    def definitions_of(self, id: str, span: Span, players: tuple[int, int]) -> m.Ruleset:
        """The sections that games and packs both have."""
        setup = self.single("setup", Fields.text)
        read = m.Ruleset(
            id,
            span,
            "",
            "",
            "",
            players,
            options=self.definitions("options", "the option", self.option),
            numbers=self.definitions("numbers", "the number", self.number),
            kinds=kinds_from_source(self.fields, self.entries("kinds")),
            places=self.definitions("places", "the place", self.plain(m.Place, PLACE)),
            formulas=self.definitions(
                "formulas", "the formula", self.plain(m.Formula, FORMULA, _LIMITS_OF_OPEN)
            ),
            events=self.definitions("events", "the event", self.plain(m.Event, EVENT)),
            actions=self.definitions("actions", "the action", self.read(action_from_source)),
            windows=self.definitions("windows", "the window", self.plain(m.Window, WINDOW)),
            manners=self.definitions("manners", "the manner", self.plain(m.Manner, MANNER)),
            positions=self.definitions("positions", "the position", self.plain(m.Position, POSITION)),
            rules=self.definitions("rules", "the rule", self.read(rule_from_source)),
            keywords=self.definitions("keywords", "the keyword", self.read(keyword_from_source)),
            invariants=self.definitions("invariants", "the invariant", self.plain(m.Invariant, INVARIANT)),
            checks=self.definitions("checks", "the check", self.plain(m.Check, CHECK)),
            profiles=self.definitions("profiles", "the profile", self.plain(m.Profile, PROFILE)),
            endings=self.definitions("endings", "the ending", self.plain(m.Ending, ENDING, _WATCHED_ONLY)),
            setup=(setup,) if setup is not None else (),
            files=tuple(file.path for file in self.tree.files),
        )
        return replace(read, error_nodes=self.fields.error_nodes)

    def head(self, section: str) -> tuple[Span, SourceNode]:
        """The section that says what this is; where there is none, which was reported, it lacks everything."""
        found = next(iter(self.tree.sections(section)), None)
        if found is not None:
            return found.key.span, found.value
        root = self.tree.files[0].root
        self.fields.error_nodes |= ErrorNodes(damaged=frozenset({start_of(root.span)}))
        return root.span, MappingNode(root.span, ())

    def definitions(self, section: str, what: str, build: Callable[[Entry], D]) -> tuple[D, ...]:
        """The definitions of one section over all files."""
        seen: Names = {}
        return tuple(
            build(entry)
            for entry in self.entries(section)
            if self.fields.is_new(what, entry.key, seen, entry.value)
        )

    def entries(self, section: str) -> Iterator[Entry]:
        """The entries of a section, over all files."""
        for part in self.tree.sections(section):
            yield from self.fields.entries(part.value, section not in _NEVER_BARE, section in _CALLED)

    def plain(
        self, build: Callable[..., D], table: dict[str, Key], companions: Companions | None = None
    ) -> Callable[[Entry], D]:
        """A definition that is nothing but its table, with the keys that need another one beside them."""

        def read(entry: Entry) -> D:
            self.fields.need_beside(entry.value, companions or {}, entry.key)
            return build(entry.name, entry.key.span, **filled(self.fields, entry.value, table))

        return read

    def read(self, read: Callable[[Fields, Entry], D]) -> Callable[[Entry], D]:
        return lambda entry: read(self.fields, entry)

    def option(self, entry: Entry) -> m.Option:
        given = filled(self.fields, entry.value, OPTION)
        if "range" in given and "values" in given:  # that is reported; the default says which is meant
            default = given.get("default")
            given.pop("range" if default is not None and default.text in given["values"] else "values")
        option = m.Option(entry.name, entry.key.span, **given)
        if isinstance(entry.value, MappingNode) and not self.fields.error_nodes.damage(entry.key.span):
            keys = [e.key for e in entry.value if e.name in ("type", "values")]
            if len(keys) == 2:
                message = f"the option `{entry.name}` has both `type` and `values`"
                self.fields.report.add("RF304", message, keys[1].span, "keep one of the two")
            if not keys:
                message = f"the option `{entry.name}` does not say what can be chosen"
                help = "give it a `type` (`flag`, `1..9`) or a list of `values`"
                self.fields.report.add("RF306", message, entry.key.span, help)
        return option

    def number(self, entry: Entry) -> m.NumberDef:
        if isinstance(entry.value, MappingNode):
            return self.plain(m.NumberDef, NUMBER)(entry)
        return m.NumberDef(entry.name, entry.key.span, value=self.fields.text(entry.value))

    def single(self, section: str, read: Read) -> Any:
        """A section that only one file may have."""
        seen: Names = {}
        found: Any = None
        for entry in self.tree.sections(section):
            key = entry.key
            if self.fields.is_new("the section", key, seen, entry.value):
                found = read(self.fields, entry.value)
        return found

    def flow(self) -> tuple[m.Phase, ...]:
        found: tuple[m.Phase, ...] | None = self.single("flow", lambda _, node: self.phases(node))
        return found or ()

    def phases(self, node: SourceNode | None) -> tuple[m.Phase, ...]:
        items = node.items if isinstance(node, SequenceNode) else ()
        return tuple(self.phase(item) for item in items if isinstance(item, MappingNode))

    def phase(self, node: MappingNode) -> m.Phase:
        name, span = "", node.entries[0].key.span if node.entries else node.span
        given = node.get("phase")
        if isinstance(given, ScalarNode):
            if self.fields.error_nodes.damage(span):
                self.fields.error_nodes |= ErrorNodes(damaged=frozenset({start_of(given.span)}))
            name, span = given.text, given.span
            self.fields.allow_name(given)
        return m.Phase(name, span, steps=self.phases(node.get("steps")), **filled(self.fields, node, PHASE))


def players_from_source(fields: Fields, game: SourceNode) -> tuple[int, int]:
    """`2` or `2..4` as the smallest and largest number of players."""
    given = game.get("players") if isinstance(game, MappingNode) else None
    if not isinstance(given, ScalarNode):
        return (1, 1)
    low, _, high = (given.doubtful or given.text).partition("..")
    if not low.isdecimal() or not (high or low).isdecimal():
        return (1, 1)  # the schema stage has reported
    least, most = (MANY if (n := whole_number(part)) is None else n for part in (low, high or low))
    if least > most:
        message = f"`{given.text}` players is no range: {least} is more than {most}"
        right = f"{most}..{least}"
        fields.report.add("RF305", message, given.span, f"write `{right}`", fix=(Edit(given.span, right),))
        return (most, least)
    return (least, most)


def _weights(fields: Fields, node: SourceNode) -> tuple[m.Weight, ...]:
    entries = node.entries if isinstance(node, MappingNode) else ()
    return tuple(m.Weight(e.name, e.key.span, value=fields.text(e.value)) for e in entries)


def _limits(fields: Fields, game: SourceNode) -> tuple[tuple[str, int], ...]:
    given = game.get("limits") if isinstance(game, MappingNode) else None
    entries = given.entries if isinstance(given, MappingNode) else ()
    found = ((entry.name, fields.number(entry.value)) for entry in entries)
    return tuple((name, number) for name, number in found if number is not None)
