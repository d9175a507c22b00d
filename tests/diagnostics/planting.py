"""Mistakes that authors make, planted in shipped games, each with every word that is said about it.

A file of `planted/` holds cases. A case begins with `## ` and its title; then comes the mistake, as in a patch: the name
of a file, and lines as they are (` `), that go away (`-`) and that come instead (`+`). After an empty line follows what
`validate` says, and what its edit makes of the text. `python -m tests.diagnostics.planting` writes this anew; then read
the difference. Games grow: a place is compared by its column and by what stands there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruleforge.lang.source.read_text import shown
from ruleforge.project.locator import packs_of
from ruleforge.project.resolver import analyse
from ruleforge.support.diagnostics import Diagnostic
from ruleforge.support.diagnostics.diagnostic import apply_edits
from ruleforge.support.diagnostics.render import render_one
from ruleforge.support.resources import shipped_games
from ruleforge.tools.validation import Validated, validated

FOLDER = Path(__file__).parent / "planted"
TITLE = "## "
MANY = 4
AS_BEFORE = "  edit: as it was before"


@dataclass(frozen=True)
class Hunk:
    """Lines of one file and what becomes of them; without old lines the new ones are added at the end."""

    file: str  # the game, then the file in its folder
    old: str
    new: str


@dataclass(frozen=True)
class Case:
    """A mistake, and what is said about it."""

    title: str
    plant: str
    said: str

    def __str__(self) -> str:
        return self.title

    @property
    def game(self) -> str:
        return next(hunks(self.plant)).file.partition("/")[0]


@dataclass(frozen=True)
class Planted:
    """A shipped game with a mistake in it."""

    before: Validated
    texts: Mapping[str, str]  # by name in the folder of the game
    after: Validated

    @property
    def folder(self) -> Path:
        return self.before.analysis.path

    def text(self, name: str) -> str:
        return self.texts[name] if name in self.texts else _text(self.folder / name)

    def repaired(self) -> dict[str, str]:
        """The texts after all edits that the complaints know."""
        edits = [edit for d in self.after.diagnostics for edit in d.fix]
        files = dict.fromkeys(edit.span.file for edit in edits)
        return {self.inside(file): apply_edits(self.text(self.inside(file)), file, edits) for file in files}

    def inside(self, file: str) -> str:
        return Path(file).absolute().relative_to(self.folder.absolute()).as_posix()


def hunks(plant: str) -> Iterator[Hunk]:
    file, old, new = "", "", ""
    for line in [*plant.splitlines(), "end"]:
        if line[:1] in " -+":
            old += f"{line[1:]}\n" if line[0] in " -" else ""
            new += f"{line[1:]}\n" if line[0] in " +" else ""
        else:
            if file:
                yield Hunk(file, old, new)
            file, old, new = line, "", ""


@cache
def clean(game: str, packs: tuple[str, ...] = ()) -> Validated:
    found = validated(analyse(game, packs))
    assert found.analysis.complete and found.diagnostics == ()
    return found


def planted(case: Case) -> Planted:
    texts: dict[str, str] = {}
    folder = shipped_games()[case.game]
    for hunk in hunks(case.plant):
        name = hunk.file.partition("/")[2]
        text = texts[name] if name in texts else _text(folder / name)
        assert text.count(hunk.old) == 1 or not hunk.old, f"{case}: {text.count(hunk.old)} times in {name}"
        texts[name] = text.replace(hunk.old, hunk.new) if hunk.old else text + hunk.new
    packs = {name.split("/")[1] for name in texts if name.startswith("expansions/")}
    before = clean(case.game, tuple(sorted(packs & set(packs_of(folder)))))
    return Planted(before, texts, validated(before.analysis.edited(texts), before))


def original(found: Planted, name: str) -> str:
    return _text(found.folder / name)


def checked_after_repair(found: Planted) -> Validated:
    """What is said once all edits are made."""
    texts = {**found.texts, **found.repaired()}
    return validated(found.before.analysis.edited(texts), found.before)


def said(found: Planted) -> str:
    """Every complaint in full, and what its edit makes of the text."""
    return "\n\n".join("\n".join(_one(found, d)) for d in found.after.diagnostics)


def _one(found: Planted, d: Diagnostic) -> Iterator[str]:
    folder = f"{shown(found.folder)}/"

    def line_of(file: str, line: int) -> str | None:
        lines = found.text(found.inside(file)).splitlines()
        return lines[line - 1] if line <= len(lines) else None

    yield render_one(d, read_line=line_of).replace(folder, "")
    changed: list[str] = []
    for file in dict.fromkeys(edit.span.file for edit in d.fix):
        name = found.inside(file)
        new = apply_edits(found.text(name), file, d.fix)
        back = new == original(found, name)
        changed += [AS_BEFORE] if back else _difference(found.text(name), new)
    yield from changed[:MANY]
    if len(changed) > MANY:
        yield f"  edit: and {len(changed) - MANY} more lines"


def _difference(old: str, new: str) -> Iterator[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    yield from (f"  edit: {line}" for line in list(lines)[2:] if line[0] in "+-")


def cases() -> list[Case]:
    return [case for path in sorted(FOLDER.glob("*.txt")) for case in read(path.read_text("utf-8"))]


def read(text: str) -> Iterator[Case]:
    for part in f"\n{text}".split(f"\n{TITLE}")[1:]:
        title, _, rest = part.partition("\n")
        plant, _, expected = rest.partition("\n\n")
        yield Case(title, plant, expected.strip("\n"))


def written(heading: str, found: Iterable[Case]) -> str:
    parts = (f"{TITLE}{case.title}\n{case.plant.rstrip()}\n\n{said(planted(case))}\n" for case in found)
    return f"{heading.rstrip()}\n\n" + "\n".join(parts)


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def main() -> None:
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text("utf-8")
        path.write_text(written(text.partition(f"\n{TITLE}")[0], read(text)), "utf-8")


if __name__ == "__main__":
    main()
