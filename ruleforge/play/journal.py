"""The journal of a game: a record on disk that is always current, in the user's own folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from ruleforge.engine.errors import RestoreError
from ruleforge.play.record import LARGEST, Line, Opening, Pairs, head_text, read_record
from ruleforge.play.replay import lines_of, record
from ruleforge.play.session import Session, Turn
from ruleforge.support.disk_cache import cache_folder
from ruleforge.support.input_files import Unreadable, names_in, read_bytes
from ruleforge.support.output_files import AppendedFile, is_added_to, remove
from ruleforge.support.records import dataclass

FOLDER = "journals"
SUFFIX = ".record"
MOST_JOURNALS = 20  # journals of one game; older ones go
Opened = tuple[Session, int | None]


class Journal:
    """Writes a line for each step before the next question.

    A line that could not be written (OSError) is written with the next one, so a journal has no gaps.
    """

    def __init__(self, file: AppendedFile) -> None:
        self._file = file
        self._turns: list[Turn] = []
        self._unwritten: tuple[Line, ...] = ()

    @property
    def path(self) -> Path:
        return self._file.path

    def add(self, *lines: Line) -> None:
        self._unwritten += lines
        if self._unwritten:
            self._file.add("".join(f"{line}\n" for line in self._unwritten))
        self._unwritten = ()

    def follow(self, session: Session) -> None:
        """Write down what has happened in a session since the last time: steps taken back, then those made."""
        same = 0
        for known, turn in zip(self._turns, session.turns, strict=False):
            if known is not turn:
                break
            same += 1
        back = len(self._turns) - same
        undone = (
            [Line(f"undo {back}", session.turns[same - 1].after.imprint if same else session.start.imprint)]
            if back
            else []
        )
        self._turns = list(session.turns)
        self.add(*undone, *lines_of(session, same))

    def close(self) -> None:
        self._file.close()


def begin_journal(opening: Opening, lines: tuple[Line, ...] = ()) -> Journal | None:
    """A new journal, with what has happened already; None if there is no place for one."""
    folder = journal_folder()
    if folder is None:
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in range(100):
        path = folder / f"{opening.game}-{stamp}-{os.getpid()}-{number:02}{SUFFIX}"
        try:
            journal = Journal(AppendedFile(path))
            journal._file.add(head_text(opening))
            journal.add(*lines)
        except FileExistsError:
            continue
        except OSError:
            return None
        _tidy(folder, opening.game)
        return journal
    return None


def journal_folder() -> Path | None:
    home = cache_folder()
    return None if home is None else home / FOLDER


def journals_of(game: str) -> list[Path]:
    """The journals of a game, the latest first."""
    folder = journal_folder()
    if folder is None:
        return []
    names = [n for n in names_in(folder, 10_000) if n.startswith(f"{game}-2") and n.endswith(SUFFIX)]
    return [folder / name for name in sorted(names, reverse=True)]


def latest_journal(game: str, packs: frozenset[str]) -> Path:
    """The journal to go on with: the latest in which something was done with these packs. Raises RestoreError."""
    for path in journals_of(game):
        with suppress(RestoreError):
            found = read_record(text_of(path))
            if found.lines and frozenset(name for name, _ in found.opening.packs) == packs:
                return path
    raise RestoreError(
        "RF820", f"there is no journal of `{game}` with anything in it; name a record to continue"
    )


def text_of(path: Path) -> str:
    """The text of a record on disk; RestoreError if it cannot be read."""
    try:
        return read_bytes(path, LARGEST).decode("utf-8", "replace")  # a last line may be cut inside of a sign
    except Unreadable as problem:
        raise RestoreError("RF820", f"`{path}` cannot be read: {problem}") from None


def _tidy(folder: Path, game: str) -> None:
    """Old ones go, but for those of games that are still on a table."""
    for path in journals_of(game)[MOST_JOURNALS:]:
        if not is_added_to(path):
            remove(path)


# The saved form of a game at a table: its seed, its definitions, its journal.


@dataclass(frozen=True, slots=True)
class SavedGame:
    """The seed of a game (None: a saved position), its definitions, its journal if any."""

    resumed: Callable[[str], Opened]  # a game from a file, and its seed if that is known
    seed: int | None = None
    definitions: Mapping[str, str] = field(default_factory=dict)
    journal: Journal | None = None
    seats: Pairs = ()

    def follow(self, session: Session) -> None:
        if self.journal is not None:
            self.journal.follow(session)

    def record(self, session: Session) -> str:
        return record(session, self.seed, self.definitions, self.seats)
