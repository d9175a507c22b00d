"""Figures and lines of rule coverage, for people and programs, by file."""

from __future__ import annotations

from pathlib import Path

from ruleforge.compiler.trace_marks import CONDITION
from ruleforge.support.records import dataclass
from ruleforge.tools.coverage.cover import BOTH, NO, YES, Cover
from ruleforge.tools.coverage.items import CHOICE, KINDS, Item

_MISSING = {0: "never evaluated", YES: "never false", NO: "never true"}


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    done: int
    all: int

    @property
    def percent(self) -> float:
        return 100 * self.done / self.all if self.all else 100.0

    def as_data(self) -> dict[str, float]:
        return {"covered": self.done, "all": self.all, "percent": round(self.percent, 1)}

    def __str__(self) -> str:
        return f"{self.done} of {self.all} ({self.percent:.1f} %)"


def line_share(cover: Cover, file: str | None = None) -> Share:
    """Lines of rules on which all that can run did; of one file, or of all."""
    lines = [ran for (name, _), ran in cover.lines().items() if file in (None, name)]
    return Share(sum(lines), len(lines))


def kind_shares(cover: Cover) -> dict[str, Share]:
    return {f"{kind}s": Share(*cover.of(kind)) for kind in KINDS}


def files_of(cover: Cover) -> list[str]:
    return sorted({item.span.file for item in cover.items})


def missing(cover: Cover) -> list[tuple[Item, str]]:
    """What did not run, or only one way, with words for it."""
    return [(item, note) for item in cover.items if (note := _note(cover, item))]


def _note(cover: Cover, item: Item) -> str:
    bits = cover.bits(item)
    if item.kind == CONDITION:
        return "" if bits == BOTH else _MISSING[bits]
    if bits:
        return ""
    return "never chosen" if item.kind == CHOICE else "never ran"


def as_data(cover: Cover) -> dict[str, object]:
    return {
        "lines": line_share(cover).as_data(),
        **{name: share.as_data() for name, share in kind_shares(cover).items()},
        "files": {file: line_share(cover, file).as_data() for file in files_of(cover)},
        "missing": [
            {"place": str(item.span), "kind": item.kind, "what": item.word or None, "problem": note}
            for item, note in missing(cover)
        ],
    }


def shown_file(file: str, home: Path) -> str:
    """A file as seen from the game or pack it belongs to."""
    path, folder = Path(file).resolve(), home.resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else file
