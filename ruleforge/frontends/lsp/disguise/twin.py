"""`twin_of` writes the twin of a game from a folder and a seed, with its packs, scenarios, rulebook and contract."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.locks.fingerprint import fingerprint
from ruleforge.contracts.locks.lockfile import lock_path, lock_text
from ruleforge.frontends.lsp.disguise.prose import IDS, PROSE, REASON, linked, scalars, stretches
from ruleforge.frontends.lsp.disguise.pseudonyms import Pseudonyms, Wording
from ruleforge.frontends.lsp.rename import BUILT_IN, edits_of
from ruleforge.frontends.lsp.symbols import CLAUSE, LOCAL, Symbol
from ruleforge.frontends.lsp.workspace import Root, View, Workspace
from ruleforge.lang.source.tree import ScalarNode
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.project.locator import packs_of
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.input_files import is_file
from ruleforge.support.output_files import write_folder, write_text
from ruleforge.tools.validation import validated

LEFT_OUT = ("README.md", "mutants.yaml", "core.lock")
Changes = dict[tuple[int, int, int], str]  # line and columns, from 0 -> the new text
GONE = "\0"  # in place of what is left out
SPECIAL = frozenset({"team"})  # attributes that the language itself speaks of
MOST_ROUNDS = 8
_MARKED = re.compile(r"`([^`]+)`")
_PICK = re.compile(r"\s+([a-z_]\w*)(?: if .*)?:\s*$")
_COMMENT = re.compile(r"\s*#")


@dataclass(frozen=True)
class Twin:
    """The files of a twin, by their paths in its folder; the new names by the old ones."""

    files: Mapping[str, str]
    names: Mapping[str, str]

    def line_at(self, span: Span) -> str:
        """The line that a diagnostic is about; empty for a whole folder."""
        texts = (text for name, text in self.files.items() if span.file.endswith(name))
        lines = next(texts, "").split("\n")
        return lines[span.line - 1] if span.line <= len(lines) else ""

    def known_in(self, text: str, besides: Set[str]) -> set[str]:
        """The old names of the words of a text, including plurals and compound words."""
        old = {new: name for name, new in self.names.items()}
        words = {part for word in re.findall(r"\w+", text) for part in (word, *word.split("_"))}
        found = {known for word in words for known in (word, word.removesuffix("s"))}
        return ({old.get(word, word) for word in found} & self.names.keys()) - besides


def twin_of(folder: Path, seed: int, id: str) -> Twin:
    """The twin gets the given id. The names of its packs are new, too.

    Some names bring along others, as a board those of its lines. A name stays as it is where the rules would break.
    """
    unchanged: frozenset[str] = frozenset()
    views = _views(folder.absolute())
    for _ in range(MOST_ROUNDS):
        twin = _draft(folder.absolute(), views, (seed, id), unchanged)
        findings = _findings(twin)
        broken = [twin.known_in(words, unchanged) for words, _ in findings]
        if not any(broken):
            broken = [twin.known_in(line, unchanged) for _, line in findings]
        if not any(broken):
            return twin
        unchanged = unchanged.union(*broken)
    return twin


def _findings(twin: Twin) -> list[tuple[str, str]]:
    """The mistakes of a draft: the words that a message marks, and their line."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "twin"
        write_folder(folder, twin.files)
        found = [
            d for path in (folder, *packs_of(folder).values()) for d in validated(analyse(path)).diagnostics
        ]
    errors = [one for one in found if one.severity == "error"]
    return [(" ".join(_MARKED.findall(error.message)), twin.line_at(error.span)) for error in errors]


def _draft(folder: Path, views: list[View], how: tuple[int, str], unchanged: Set[str]) -> Twin:
    """The twin in which some names are as they were."""
    seed, id = how
    found = {path: text for view in views for path, text in view.contents.items()}
    texts = {path: text for path, text in sorted(found.items()) if path.name not in LEFT_OUT}
    given = Pseudonyms(seed, (symbol.name for view in views for symbol in view.index.uses))
    names: dict[str, str] = {}
    changes: dict[Path, Changes] = {path: {} for path in texts}
    symbols = [symbol for symbol in _symbols(views) if symbol.name not in unchanged]
    for number, symbol in enumerate(sorted(symbols, key=lambda symbol: _is_product(views, symbol))):
        if symbol.what == CLAUSE:
            new = f"R{number}"
        elif _is_product(views, symbol):
            new = names[symbol.name] = _joined(symbol.name, names)
        else:
            new = names[symbol.name] = names.get(symbol.name) or given.next()
        for path, edits in edits_of(views, symbol, new).items():
            for span, text in edits if path in changes else ():
                changes[path][span.line - 1, span.column - 1, span.end_column - 1] = text
    ids = {old: id if old == folder.name else given.next() for old in _ids(texts, folder)}
    renaming = Renaming(names, ids, Wording({**_title_words(texts, given, names), **names}))
    files = {}
    for path, text in texts.items():
        parts = [ids.get(part, part) for part in path.relative_to(folder).parts]
        files["/".join(parts)] = _rewritten(text, changes[path], renaming)
    return Twin(files, {**names, **ids})


def write_twin(folder: Path, seed: int, out: Path) -> Twin:
    """The twin of a game in a new folder, locked if the game is. Raises OSError, also if something is there."""
    twin = twin_of(folder, seed, out.name)
    write_folder(out, twin.files)
    if is_file(lock_path(folder)):
        found = analyse(out)
        assert found.assembly is not None and found.parsed is not None
        fresh = fingerprint(found.assembly.core, found.parsed, contract_of(out))
        write_text(lock_path(out), lock_text(fresh))
    return twin


@dataclass(frozen=True)
class Renaming:
    """New names for old ones, new ids of games and packs, and new words in prose."""

    names: Mapping[str, str]
    ids: Mapping[str, str]
    wording: Wording

    def picks(self, value: ScalarNode, lines: list[str]) -> Iterator[tuple[int, int, int, str]]:
        """The picks in effects that are called like a thing."""
        for number in range(value.span.line, value.span.end_line) if value.style == "literal" else ():
            found = _PICK.match(lines[number])
            if found and found[1] in self.names:
                yield number, found.start(1), found.end(1), self.names[found[1]]


def _rewritten(text: str, changes: Changes, renaming: Renaming) -> str:
    """A file with the new names, with new words in its prose, and without comments."""
    lines, own, inside = text.split("\n"), dict(changes), set[int]()
    file = read_yaml(text, "", Report())
    root = file.root if file else None
    values = list(scalars(root)) if root else []
    is_scenario = any(key == "scenario" for key, _ in values)
    for key, value in values:
        span = value.span
        inside |= set(range(span.line, span.end_line)) if span.end_line > span.line else set()
        if key in IDS and value.text in renaming.ids:
            begin = lines[span.line - 1].index(value.text, span.column - 1)
            own[span.line - 1, begin, begin + len(value.text)] = renaming.ids[value.text]
        elif is_scenario and key == REASON:
            _leave_out(span, lines, own)
        else:
            for number, first, words in stretches(value, lines, code=key not in PROSE):
                for begin, end, new in renaming.wording.changes(words):
                    own.setdefault((number, first + begin, first + end), new)
            for number, begin, end, new in renaming.picks(value, lines) if key not in PROSE else ():
                own.setdefault((number, begin, end), new)
    for name in linked(root) if root else ():
        if name.text in renaming.names:
            place = name.span.line - 1, name.span.column - 1, name.span.end_column - 1
            own.setdefault(place, renaming.names[name.text])
    return "\n".join(_edited(lines, own, inside))


def _leave_out(span: Span, lines: list[str], changes: Changes) -> None:
    """Without a value and its key: all its lines, or within braces the part behind a comma."""
    numbers = range(span.line - 1, span.end_line - (span.end_column == 1))
    for place in [place for place in changes if place[0] in numbers and place[1] >= span.column - 1]:
        if place[0] != span.line - 1 or place[1] < span.end_column - 1 or len(numbers) > 1:
            del changes[place]
    before = lines[numbers[0]][: span.column - 1]
    begin = max(before.rfind(","), 0)
    for number in numbers:
        first = begin if number == numbers[0] and before.strip() != f"{REASON}:" else 0
        changes[number, first, span.end_column - 1 if first else len(lines[number])] = GONE


def _edited(lines: list[str], changes: Changes, inside: set[int]) -> Iterator[str]:
    """The lines with their changes; those that are comments are left out. `inside` a value there are none."""
    for number, line in enumerate(lines):
        if number not in inside and _COMMENT.match(line):
            continue
        last = len(line)
        for begin, end, new in sorted(
            ((begin, end, new) for (at, begin, end), new in changes.items() if at == number), reverse=True
        ):
            if end <= last:
                line, last = line[:begin] + new + line[end:], begin
        if GONE not in line:
            yield line
        elif line.replace(GONE, "").strip():
            yield line.replace(GONE, "")


def _views(folder: Path) -> list[View]:
    roots = (Root(folder), *(Root(folder, pack) for pack in packs_of(folder).values()))
    return list(Workspace().looked_at(*roots).views.values())


def _symbols(views: list[View]) -> list[Symbol]:
    """All names that are written in the files and mean nothing to the language, each once."""
    found = dict.fromkeys(symbol for view in views for symbol in view.index.uses)
    return [
        symbol
        for symbol in found
        if symbol.written
        and symbol.what != LOCAL
        and not (symbol.what == "kind" and symbol.name in BUILT_IN)
        and symbol.name not in SPECIAL
    ]


def _is_product(views: list[View], symbol: Symbol) -> bool:
    """Whether a thing is named by others: it is declared where none of its name stands."""
    lines = next((view.lines[symbol.span.file] for view in views if symbol.span.file in view.lines), [])
    span = symbol.span
    written = lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""
    return symbol.what == "thing" and written != symbol.name


def _joined(name: str, names: Mapping[str, str]) -> str:
    """The name of a product with new names for its parts, each as long as can be."""
    words, found = name.split("_"), list[str]()
    while words:
        length = next((n for n in range(len(words), 0, -1) if "_".join(words[:n]) in names), 1)
        part = "_".join(words[:length])
        found.append(names.get(part, part))
        words = words[length:]
    return "_".join(found)


def _ids(texts: Mapping[Path, str], folder: Path) -> list[str]:
    """The ids of the game and of its packs."""
    packs = {path.parent.name for path in texts if path.name == "pack.yaml"}
    return [folder.name, *sorted(packs)]


def _title_words(texts: Mapping[Path, str], given: Pseudonyms, names: Mapping[str, str]) -> dict[str, str]:
    """New words for those of titles, so that the game cannot be recognised."""
    found: dict[str, str] = {}
    for text in texts.values():
        for key, value in _values(text):
            for word in re.findall(r"\w{4,}", value.text if key == "title" else ""):
                if word.casefold() not in names and word.casefold().removesuffix("s") not in names:
                    found.setdefault(word.casefold(), given.next())
    return found


def _values(text: str) -> Iterator[tuple[str, ScalarNode]]:
    file = read_yaml(text, "", Report())
    return scalars(file.root) if file else iter(())
