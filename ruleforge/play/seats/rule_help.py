"""Help from the rules about a thing, an action, a phase, a cell, a clause, or the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ruleforge.engine.errors import PlayError
from ruleforge.engine.presentation.scene import Cell, Fact, Scene, Token
from ruleforge.engine.presentation.styled_text import cut
from ruleforge.engine.presentation.titles import Names
from ruleforge.engine.state import State
from ruleforge.lang.model.words import PHASE, Entry
from ruleforge.support.spelling import nearest, with_article

MOST_CLAUSES = 4  # that are read out below an entry; the others are named
MOST_FOUND = 6  # clauses in which words were found
LONGEST_FOUND = 150  # what is read out of each
MOST_ENTRIES = 4
LISTED = {"action": "actions", "keyword": "keywords", "option": "options"}


NOTHING = "The rules say nothing about {}; `about` alone lists their words."


class HelpLine(NamedTuple):
    """A line, how far it is indented, and whether it is a head."""

    text: str
    indent: int = 0
    bold: bool = False


class RuleHelp:
    """Help for one seat. It shows printed rules and visible things only."""

    def __init__(self, state: State, seat: str | None, scene: Scene, clauses: Mapping[str, str]) -> None:
        self._state, self._seat, self._scene, self._clauses = state, seat, scene, clauses
        self._info = state.game.info
        self._names = Names(self._info)

    def lines(self, wanted: str) -> Iterator[HelpLine]:
        """All help about the words. Without any, the names that they may mean."""
        wanted = " ".join(wanted.casefold().split())
        if not wanted:
            yield from self._game()
        elif (clause := self._clause(wanted)) is not None:
            yield HelpLine(f"{clause}: {self._clauses[clause]}")
        elif (cell := self._cell(wanted)) is not None:
            yield from self._standing(cell)
        else:
            yield from self._named(wanted)

    # --- the game ---

    def _game(self) -> Iterator[HelpLine]:
        yield HelpLine(f"{self._info.title}. {self._info.text}", bold=True)
        entries = self._entries()
        ends = dict.fromkeys(e.text for e in entries if e.what == "ending" and e.text)
        yield from (HelpLine(f"{'it ends:' if n == 0 else '        '} {text}") for n, text in enumerate(ends))
        phases = dict.fromkeys(e.title for e in entries if e.what == PHASE and e.title)
        for head, names in (
            ("phases", phases),
            *((head, self._names_of(what, entries)) for what, head in LISTED.items()),
        ):
            if names:
                yield HelpLine(f"{head}: {'; '.join(names)}")
        clauses = f" or CLAUSE, one of {len(self._clauses)} of the rulebook," if self._clauses else ""
        yield HelpLine(f"about NAME{clauses} explains more; `about WORDS` searches the rules.")

    def _names_of(self, what: str, entries: Iterable[Entry]) -> Iterable[str]:
        return dict.fromkeys(self._called(e) for e in entries if e.what == what)

    def _entries(self) -> list[Entry]:
        return list(dict.fromkeys(e for found in self._info.words.values() for e in found))

    # --- clauses and cells ---

    def _clause(self, wanted: str) -> str | None:
        return next((id for id in self._clauses if id.casefold() == wanted), None)

    def _cell(self, wanted: str) -> Cell | None:
        cells = (cell for board in self._scene.boards for cell in board.all)
        return next((cell for cell in cells if cell.id and cell.id.casefold() == wanted), None)

    def _standing(self, cell: Cell) -> Iterator[HelpLine]:
        counts = [f"{self._counted(fact)} {fact.text}".strip() for fact in cell.counts]
        here = [*(face(token) for token in cell.tokens), *counts]
        yield HelpLine(f"{cell.id}: {', '.join(here) or 'empty'}")
        for token in cell.tokens:
            yield from self._of(token.id)

    def _counted(self, fact: Fact) -> str:
        """The label of a counter, with its thing if a few things have one each."""
        attribute = fact.path.rpartition(".")[2].partition("[")[0]
        return f"{self._names.label(attribute)} {fact.label}" if fact.of else fact.label

    # --- names ---

    def _named(self, wanted: str) -> Iterator[HelpLine]:
        known = self._known()
        ids = known.get(wanted) or _begun(wanted, known)
        found = [] if ids else list(self._searched(wanted))
        if not ids and not found and (near := nearest(wanted, known)) is not None:
            yield HelpLine(f"nearest to that: {near}")
            ids = known[near]
        if not ids:
            yield from found or [HelpLine(NOTHING.format(wanted))]
            return
        yield from dict.fromkeys(line for id in ids[:MOST_ENTRIES] for line in self._of(id))
        if len(ids) > MOST_ENTRIES:
            texts = {self._title(id) for id in ids[:MOST_ENTRIES]}  # copies of one thing have one name
            names = dict.fromkeys(
                title for id in ids[MOST_ENTRIES:] if (title := self._title(id)) not in texts
            )
            if names:
                yield HelpLine(f"also: {', '.join(names)}")

    def _known(self) -> dict[str, list[str]]:
        """The words that can be typed, in lower case, mapped to the names that they mean."""
        found: dict[str, list[str]] = {}
        for name, entries in self._info.words.items():
            titles = (self._called(entry) for entry in entries)
            for texts in (name, name.replace("_", " "), *titles):
                _add(found, texts, name)
        for token in self._scene.tokens:
            if token.id:
                _add(found, token.name, token.id)
        return found

    def _of(self, id: str) -> Iterator[HelpLine]:
        for entry in sorted(self._info.words.get(id, ()), key=lambda e: e.what.startswith("of ")):
            yield from self._entry(entry)
        for token in dict.fromkeys(t for t in self._scene.tokens if t.id == id):
            yield from self._now(token)

    def _title(self, id: str) -> str:
        entries = self._info.words.get(id, ())
        return self._called(entries[0]) if entries else self._names.word(id)

    def _called(self, entry: Entry) -> str:
        if entry.title:
            return entry.title
        if entry.what.startswith("of ") or entry.what in ("place", "value"):
            return self._names.label(entry.name, entry.what.removeprefix("of "))
        if self._is_thing(entry):
            return self._names.thing(entry.name, entry.what)
        return self._names.action(entry.name)

    def _is_thing(self, entry: Entry) -> bool:
        return bool(entry.facts or entry.keywords) or f"{entry.what}.{entry.name}" in self._info.titles

    def _entry(self, entry: Entry) -> Iterator[HelpLine]:
        what = entry.what.removeprefix("of ")
        owner = "of the game" if what == "game" else f"of {with_article(what)}"
        sort = owner if entry.what.startswith("of ") else with_article(what)
        head = f"{self._called(entry)} ({sort.replace('_', ' ')})"
        yield HelpLine(f"{head}: {entry.text}" if entry.text else head, bold=not entry.text)
        facts = groupby(entry.facts, key=lambda path: path.partition("[")[0])
        printed = [texts for fact, paths in facts if (texts := self._printed(entry, fact, paths))]
        if printed:
            yield HelpLine(" · ".join(printed), 1)
        elif self._is_thing(entry) and not entry.keywords:
            yield from (HelpLine(texts, 1) for texts in self._of_kind(what))
        for keyword in entry.keywords:
            yield from (HelpLine(f"{self._called(e)}: {e.text}", 1) for e in self._keyword(keyword))
        yield from self._read_out(entry.cites)

    def _of_kind(self, kind: str) -> Iterable[str]:
        """The texts of the rules about all things of a kind."""
        return (e.text for e in self._info.words.get(kind, ()) if e.what == "kind" and e.text)

    def _keyword(self, name: str) -> Iterable[Entry]:
        return (e for e in self._info.words.get(name, ()) if e.what == "keyword" and e.text)

    def _printed(self, entry: Entry, fact: str, paths: Iterable[str]) -> str:
        """The printed facts of a thing. They are never secret."""
        label = self._names.label(fact, entry.what)
        texts = [self._value(entry, path) for path in paths]
        return (
            f"{label} {', '.join(filter(None, texts))}".strip() if any(s is not None for s in texts) else ""
        )

    def _value(self, entry: Entry, path: str) -> str | None:
        """One value of a fact, after its indices.

        None for an empty value. A value that is just true has no word.
        """
        try:
            value = self._state[f"{self._first(entry)}.{path}"]
        except PlayError:
            return None
        if value in (None, False, 0, []) or self._names.value(value) == self._called(entry):
            return None
        index = path.partition("[")[2].strip("]").split(", ") if "[" in path else []
        words = [*map(self._names.thing, index), *([] if value is True else [self._names.value(value)])]
        return " ".join(words)

    def _first(self, entry: Entry) -> str:
        """The name of the first of several copies."""
        entries = self._info.words
        return f"{entry.name}_1" if entry in entries.get(f"{entry.name}_1", ()) else entry.name

    def _now(self, token: Token) -> Iterator[HelpLine]:
        """Its face as it lies on the table, and how the formulas on it come about."""
        where = self._scene.where(token)
        texts = face(token)
        if where or texts != token.name:
            yield HelpLine(f"now: {texts}{f', {where}' if where else ''}", 1)
        for formula in self._info.look.faces.get(self._kind(token.id), ()):
            yield from (HelpLine(line, 2) for line in self._explained(f"{formula}({token.id})"))

    def _kind(self, id: str) -> str:
        return next((e.what for e in self._info.words.get(id, ()) if self._is_thing(e)), "")

    def _explained(self, formula: str) -> Sequence[str]:
        try:
            lines = self._state.explain(formula, self._seat).lines
        except PlayError:
            return ()
        return lines if len(lines) > 2 else ()

    # --- the rulebook ---

    def _read_out(self, cites: Sequence[str]) -> Iterator[HelpLine]:
        known = [id for id in cites if id in self._clauses]
        yield from (HelpLine(f"{id}  {self._clauses[id]}", 1) for id in known[:MOST_CLAUSES])
        if known[MOST_CLAUSES:]:
            yield HelpLine(f"see also {', '.join(known[MOST_CLAUSES:])}", 1)

    def _searched(self, wanted: str) -> Iterator[HelpLine]:
        """The clauses and entries in which all the words are."""
        words = wanted.split()
        found = [
            HelpLine(f"{id}  {cut(text, LONGEST_FOUND)}")
            for id, text in self._clauses.items()
            if all(word in text.casefold() for word in words)
        ]
        texts = [
            HelpLine(f"{self._called(entry)}: {entry.text}")
            for entry in self._entries()
            if all(word in entry.text.casefold() for word in words)
        ]
        yield from (*texts, *found)[:MOST_FOUND]
        if len(texts) + len(found) > MOST_FOUND:
            yield HelpLine(f"and {len(texts) + len(found) - MOST_FOUND} more; use more words.")


def face(token: Token) -> str:
    """The visible parts of a thing: its name, its face, its content."""
    inner = f"; with {', '.join(t.name for t in token.holds)}" if token.holds else ""
    return f"{token.name}{': ' if token.face else ''}{', '.join(token.face)}{inner}"


def _add(found: dict[str, list[str]], texts: str, name: str) -> None:
    names = found.setdefault(texts.casefold(), [])
    if name not in names:
        names.append(name)


def _begun(wanted: str, known: Mapping[str, list[str]]) -> list[str]:
    """The names of what begins so, else of what has a word that does."""
    begun = [names for texts, names in known.items() if texts.startswith(wanted)]
    inside = [names for texts, names in known.items() if f" {wanted}" in texts]
    return list(dict.fromkeys(name for names in (begun or inside) for name in names))
