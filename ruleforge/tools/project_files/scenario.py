"""Checks the names and values of a scenario against its game, without play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from ruleforge.backends.artifacts.info import GameInfo, start_info_of
from ruleforge.backends.artifacts.setup import setup_for
from ruleforge.backends.faults import StartError
from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.names import first_word
from ruleforge.lang.checker.types import ErrorT, FlagT, NumberT, SetT, ThingT
from ruleforge.lang.checker.walk import phases_of
from ruleforge.lang.source.tree import Entry, MappingNode, ScalarNode, SequenceNode, SourceFile, SourceNode
from ruleforge.support.diagnostics import Edit, Report, Span
from ruleforge.support.diagnostics.codes import CODES
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import with_article
from ruleforge.tools.project_files import paths
from ruleforge.tools.project_files.mentions import Mentions, Unknown
from ruleforge.tools.project_files.scenario_names import (
    DISCLOSED,
    SPECIAL,
    ChoiceWords,
    Member,
    ScenarioNames,
)

CHANCE = "chance"
CHOICES = "choices"
_SPOT = re.compile(r"(?P<place>.+)\[\d+\]")  # a place, and the number of a thing there
_CALLED = re.compile(r"(?P<action>\w+)\((?P<parts>[^()]*)\)")
_NUMBER = re.compile(r"-?[0-9]+\Z")
_COUNTED = re.compile(r"#[0-9]+\Z")  # what tells two answers apart that would read alike
# Codes of refusals that are meant to name what is not there.
_OF_NOTHING = frozenset({"RF802", "RF805"})


class Scenarios:
    """Looks at the scenarios of one game, one after the other."""

    def __init__(self, rules: t.Checked, unknown: Unknown, report: Report) -> None:
        self._rules, self._unknown, self._report = rules, unknown, report
        self._info: GameInfo = start_info_of(rules)
        self._spoken, self._tables = ChoiceWords(rules), dict[int, ScenarioNames]()

    def look(self, file: SourceFile, mentions: Mentions | None = None) -> None:
        """Report mistakes, and note the names with their places if `mentions` is given."""
        _Look(self._table(file.root, mentions), self._unknown, self._report, mentions).scenario(file.root)

    def _table(self, root: MappingNode, mentions: Mentions | None) -> ScenarioNames:
        """The names at a table of the size that the scenario wants."""
        seats = self._players(root)
        self._options(root, mentions)
        if seats not in self._tables:
            self._tables[seats] = ScenarioNames(self._rules, seats, self._spoken)
        return self._tables[seats]

    def _players(self, root: MappingNode) -> int:
        node = root.get("players")
        wanted = int(node.text) if isinstance(node, ScalarNode) and node.kind == "int" else None
        try:
            return setup_for(self._info, wanted, None, "sampled").players
        except StartError as error:  # a wrong default was reported where it stands
            if node is not None and error.code == "RF840" and not self._unknown.excused("players"):
                self._report.add(error.code, error.message, node.span)
            return self._info.players[1]

    def _options(self, root: MappingNode, mentions: Mentions | None) -> None:
        known = {option.name: option for option in self._info.options}
        for entry in _entries(root.get("options")):
            option = known.get(entry.name)
            if mentions is not None:
                mentions.name("option", entry.name, entry.key.span)
            if option is None:
                message = f"`{self._info.id}` has no option `{entry.name}`"
                self._unknown.name(("option", entry.name), message, "RF841", entry.key.span, known)
                continue
            try:
                option.check(entry.value.data)
            except StartError as error:
                self._report.add(error.code, error.message, entry.value.span)


class _Look:
    """One scenario at a table of a known size."""

    def __init__(
        self, known: ScenarioNames, unknown: Unknown, report: Report, mentions: Mentions | None
    ) -> None:
        self._known, self._unknown, self._report = known, unknown, report
        self._mentions = mentions
        self._looks: Mapping[str, Callable[[MappingNode], None]] = {
            "expect": self._expect,
            "given": self._given,
            "refuse": self._refuse,
            "sees": self._sees,
            "plays": self._plays,
            "outcome": self._outcome,
        }

    def scenario(self, root: MappingNode) -> None:
        start, dice, steps = root.get("start"), root.get("dice"), root.get("steps")
        self._begin(root.get("begin"))
        if isinstance(start, MappingNode):
            self._given(start)
        for die in _items(dice):
            self._texts(die)
        for step in _items(steps):
            for entry in _entries(step):
                self._step(entry.key, entry.value)

    def _begin(self, node: SourceNode | None) -> None:
        """A phase by name, or with the player whose round of it is meant."""
        named = node.get("phase") if isinstance(node, MappingNode) else node
        if isinstance(named, ScalarNode):
            known = {phase.name: None for phase in phases_of(self._known.rules.flow)}
            if named.text not in known:
                self._missing("phase", named.text, f"there is no phase `{named.text}`", named.span, known)
            if self._mentions is not None:
                self._mentions.name("phase", named.text, named.span)
        if isinstance(node, MappingNode) and (player := node.get("player")) is not None:
            self._seat(player)

    def _step(self, key: ScalarNode, value: SourceNode) -> None:
        look = self._looks.get(key.text)
        if look is None:
            self._seat(key, (CHANCE,))
            self._texts(value)
        elif isinstance(value, MappingNode):
            look(value)

    # --- what is looked at ---

    def _given(self, node: MappingNode) -> None:
        self._values(node, ValueRules(self._known, given=True))

    def _expect(self, node: MappingNode) -> None:
        choices = node.get(CHOICES)
        for text in _items(choices):
            self._texts(text)
        if isinstance(choices, ScalarNode) and choices.kind != "int":
            message = f"`{CHOICES}` cannot be `{choices.text}`"
            self._report.add("RF202", message, choices.span, "write their number, or a list of them")
        self._values(node, ValueRules(self._known), (CHOICES,))

    def _sees(self, node: MappingNode) -> None:
        if isinstance(player := node.get("player"), ScalarNode):
            self._seat(player)
        self._values(node, ValueRules(self._known, seen=True), ("player",))

    def _plays(self, node: MappingNode) -> None:
        player, profile, choice = node.get("player"), node.get("profile"), node.get("choice")
        if player is not None:
            self._seat(player)
        known = self._known.rules.profiles
        if isinstance(profile, ScalarNode) and profile.text not in known:
            message = f"there is no profile `{profile.text}`"
            self._missing("profile", profile.text, message, profile.span, known)
        if self._mentions is not None and isinstance(profile, ScalarNode):
            self._mentions.name("profile", profile.text, profile.span)
        if choice is not None:
            self._texts(choice)

    def _refuse(self, node: MappingNode) -> None:
        player, code, choice = node.get("player"), node.get("code"), node.get("choice")
        if isinstance(player, ScalarNode):
            self._seat(player)
        named = code.text if isinstance(code, ScalarNode) else ""
        if named and named not in CODES and code is not None:
            plays = [known for known in CODES if known.startswith("RF8")]
            self._missing("code", named, f"there is no code `{named}`", code.span, plays)
        if choice is not None:
            self._texts(choice, may_be_nothing=named in _OF_NOTHING)

    def _outcome(self, node: MappingNode) -> None:
        if isinstance(reason := node.get("reason"), ScalarNode):
            self._ending(reason)
        for winner in _items(node.get("winners")):
            self._seat(winner)
        for entry in _entries(node.get("scores")):
            self._seat(entry.key)

    # --- names ---

    def _seat(self, node: SourceNode, others: tuple[str, ...] = ()) -> None:
        if isinstance(node, ScalarNode) and node.text not in (*self._known.seats, *others):
            message = f"there is no player `{node.text}`"
            self._missing("player", node.text, message, node.span, (*self._known.seats, *others))
        if self._mentions is not None and isinstance(node, ScalarNode):
            self._mentions.thing(self._known, node.text, node.span)

    def _ending(self, node: ScalarNode) -> None:
        endings = self._known.rules.endings
        if node.text not in endings:
            self._missing("ending", node.text, f"there is no ending `{node.text}`", node.span, endings)
        if self._mentions is not None:
            self._mentions.name("ending", node.text, node.span)

    def _missing(self, what: str, name: str, message: str, span: Span, known: Iterable[str]) -> None:
        self._unknown.name((what, name), message, "RF850", span, known)

    def _texts(self, node: SourceNode, may_be_nothing: bool = False) -> None:
        """A choice as text: each word of it is a word of some choice, a thing or a number."""
        if not isinstance(node, ScalarNode) or (not may_be_nothing and self._is_called(node)):
            return
        for number, word in enumerate(node.text.split()):
            plain = _COUNTED.sub("", word)
            if self._mentions is not None:
                self._mentions.word(self._known, plain, first_word(_part(node, number), plain))
            if may_be_nothing or self._is_one(word, plain):
                continue
            code = "RF805" if number else "RF802"
            message = f"there is no `{word}`" if number else f"`{word}` is not a choice"
            things = self._known.kinds_of
            known = (*things, *self._known.spoken.words) if number else (*self._known.spoken.words, *things)
            self._unknown.name(("word", word), message, code, _part(node, number), known)

    def _is_called(self, node: ScalarNode) -> bool:
        """Is it a choice with the brackets of a call?"""
        called = _CALLED.fullmatch(node.text)
        if called is None or called["action"] not in self._known.spoken.words:
            return False
        right = " ".join((called["action"], *called["parts"].replace(",", " ").split()))
        fix = (Edit(node.span, right),) if node.style == "plain" else ()
        self._report.add("RF802", "a choice has no brackets", node.span, f"write `{right}`", fix=fix)
        return True

    def _is_one(self, word: str, plain: str) -> bool:
        """Can a word be part of a choice?"""
        named = plain in self._known.spoken.words or self._known.named(plain)
        return bool(_NUMBER.match(word)) or named or self._is_spot(word)

    def _is_spot(self, word: str) -> bool:
        """Is it a hidden thing, called by where it lies: `ann.hand[2]`?"""
        spot = _SPOT.fullmatch(word)
        found = paths.read_path(self._known, spot["place"]) if spot else None
        return isinstance(found, Member) and found.place is not None

    # --- paths and values ---

    def _values(self, node: MappingNode, fitting: ValueRules, others: tuple[str, ...] = ()) -> None:
        placed: dict[str, Entry] = {}
        for entry in node:
            if entry.name in others:
                continue
            find = paths.given if fitting.given else paths.read_path
            found = find(self._known, entry.name)
            if self._mentions is not None and isinstance(found, Member):
                self._mentions.value(self._known, entry, found)
            if not self._unknown.whole and not paths.is_path(entry.name):
                continue
            if isinstance(found, paths.Wrong):
                self._unknown.name(
                    (found.what, found.word), found.message, "RF830", entry.key.span, found.known
                )
            elif (
                found is None and entry.name not in SPECIAL
            ):  # spaces say nothing elsewhere, but here they do
                message = f"unknown path `{entry.name}`"
                self._unknown.name(("path", entry.name), message, "RF830", entry.key.span, SPECIAL)
            elif found is None:
                self._special(entry.name, entry.value)
            else:
                for misfit in fitting.misfits(entry.name, found, entry.value):
                    self._misfit(misfit)
                if fitting.given and found.place is not None:
                    self._place_once(entry, placed)

    def _place_once(self, entry: Entry, placed: dict[str, Entry]) -> None:
        """A thing lies in one place: the second would take it away from the first."""
        for item in _items(entry.value) or (entry.value,):
            if not isinstance(item, ScalarNode) or item.text not in self._known.kinds_of:
                continue
            first = placed.setdefault(item.text, entry)
            if first is not entry:
                message = f"`{item.text}` is already in `{first.name}`"
                self._report.add(
                    "RF831", message, item.span, "put it into one place", (("there", first.key.span),)
                )

    def _misfit(self, misfit: Misfit) -> None:
        span, message, kind, thing = misfit.span, misfit.message, misfit.kind, misfit.thing
        if misfit.mark:
            if not self._unknown.excused(thing.removeprefix(DISCLOSED)):
                members = self._known.members.get(kind, {})
                self._unknown.name((f"of {kind}", thing), message, "RF831", span, members)
        elif kind:
            self._unknown.name(("word", thing), message, "RF831", span, self._known.things(kind))
        elif not self._unknown.anything:  # a number that is lost may have been the end of the range
            self._report.add("RF831", message, span)

    def _special(self, path: str, node: SourceNode) -> None:
        """`decision.player` and the like, which are in every game."""
        assert path in SPECIAL
        for item in _items(node) or (node,):
            if not isinstance(item, ScalarNode) or item.text == NONE:
                continue
            if path in ("decision.player", "outcome.winners"):
                self._seat(item, (CHANCE,))
            elif path == "outcome.reason":
                self._ending(item)
            elif path == "decision.kind" and self._mentions is not None:
                self._mentions.occasion(item.text, item.span)


def _items(node: SourceNode | None) -> tuple[SourceNode, ...]:
    return node.items if isinstance(node, SequenceNode) else ()


def _entries(node: SourceNode | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, MappingNode) else ()


def _part(node: ScalarNode, number: int) -> Span:
    """The place of a word in a text; the whole text if the place is unknown."""
    if node.origin is None or "\n" in node.text:
        return node.span
    word = list(re.finditer(r"\S+", node.text))[number]
    return node.origin.span_at(1, word.start() + 1, 1, word.end() + 1)


# --- values ---

NONE = "none"
HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Misfit:
    """A value that cannot be, or a name of no thing of `kind`, or of nothing that can be marked on one."""

    span: Span
    message: str
    kind: str = ""
    thing: str = ""
    mark: bool = False


@dataclass(frozen=True, slots=True)
class ValueRules:
    """Rules for values: given values have short forms, seen values may be hidden."""

    known: ScenarioNames
    given: bool = False
    seen: bool = False

    def misfits(self, path: str, member: Member, node: SourceNode) -> Iterator[Misfit]:
        if self.seen and isinstance(node, ScalarNode) and node.text == HIDDEN:
            return
        match member.type, node:
            case ThingT(kind=kind), MappingNode() if self.seen and member.place:
                yield from self._marks(path, kind, node)
            case ErrorT(), _:
                pass  # of the attribute nothing is known
            case NumberT(low=low, high=high), ScalarNode(kind="int"):
                if not low <= int(node.text) <= high:
                    yield Misfit(node.span, f"`{path}` is {low}..{high}, not {node.text}")
            case FlagT(), ScalarNode(kind="bool"):
                pass
            case ThingT(kind=kind), ScalarNode(kind="str"):
                yield from self._thing(path, kind, node)
            case SetT(kind=kind), SequenceNode():
                yield from self._set(path, kind, node)
            case (ThingT(kind=kind), SequenceNode(items=items)) if member.place and self.given:
                yield from self._set(path, kind, node)
                if len(items) > 1:
                    yield Misfit(node.span, f"`{path}` holds one thing, not {len(items)}")
            case (SetT(kind=kind), ScalarNode(kind="str")) if member.place and self.given:
                yield from self._thing(path, kind, node)
            case _:
                text = f"`{node.text}`" if isinstance(node, ScalarNode) else "a list"
                yield Misfit(node.span, f"{text} does not fit `{path}`, which is {member.type}")

    def _set(self, path: str, kind: str, node: SequenceNode) -> Iterator[Misfit]:
        names: set[str] = set()
        for item in node.items:
            if isinstance(item, MappingNode):
                yield from self._marks(path, kind, item)
            if not isinstance(item, ScalarNode) or (self.seen and item.text == HIDDEN):
                continue
            yield from self._thing(path, kind, item)
            name = item.text.removeprefix(f"{kind}.")
            if name in names:
                yield Misfit(item.span, f"`{path}` cannot have `{name}` twice")
            names.add(name)

    def _marks(self, path: str, kind: str, node: MappingNode) -> Iterator[Misfit]:
        """A hidden thing, by what is marked on it."""
        for entry in node:
            member = self.known.mark(kind, entry.name)
            if member is None:
                message = f"nothing called `{entry.name}` can be marked on {with_article(kind)} in `{path}`"
                yield Misfit(entry.key.span, message, kind, entry.name, mark=True)
            else:
                yield from self.misfits(entry.name, member, entry.value)

    def _thing(self, path: str, kind: str, node: ScalarNode) -> Iterator[Misfit]:
        name = node.text.removeprefix(f"{kind}.")
        if name != NONE and not self.known.has(kind, name):
            message = f"`{path}` takes {with_article(kind)}; there is no {kind} `{name}`"
            yield Misfit(node.span, message, kind, name)
