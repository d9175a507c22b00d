"""What rules cost -> tables for people and data for programs, by definition and by line as its author wrote it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleforge.support.diagnostics import NOWHERE

if TYPE_CHECKING:
    from ruleforge.compiler.ir import Place
    from ruleforge.engine.costs import Costs
    from ruleforge.engine.game import Game

TEXT = 70  # signs of a line that are shown


def costs_data(game: Game, found: Costs) -> dict[str, Any]:
    """Every definition and every line, the dearest first."""
    return {
        "steps": found.total,
        "definitions": [{"definition": of, "steps": n} for of, n in found.by_definition().most_common()],
        "lines": [
            {"place": _where(place), "definition": place.definition, "steps": n, "text": _text(game, place)}
            for place, n in found.by_line().most_common()
        ],
    }


def costs_table(game: Game, found: Costs, what: str, lines: int) -> Iterator[str]:
    """So many of each sort; `what` are the decisions in words."""
    total, made = max(found.total, 1), max(found.decisions, 1)

    def share(steps: int) -> str:
        return f"{100 * steps / total:5.1f} %  {steps / made:10,.0f}"

    yield f"{found.total:,} steps in {what}, {found.total // made:,} a decision"
    yield from ("", "  share  a decision  definition")
    for of, steps in found.by_definition().most_common(lines):
        yield f"{share(steps)}  {of or 'the engine itself'}"
    dearest = found.by_line().most_common(lines)
    names = {place: _within(_where(place), game.compiled.texts.files) for place, _ in dearest}
    width = max(map(len, names.values()), default=0)
    yield from ("", f"  share  a decision  {'line':{width}}  what is written there")
    for place, steps in dearest:
        yield f"{share(steps)}  {names[place]:{width}}  {_text(game, place)[:TEXT]}".rstrip()


def _within(where: str, files: Iterable[str]) -> str:
    """A place, without the folder that all files lie in."""
    folder = str(Path(next(iter(files), "")).parent)
    return where.removeprefix(os.path.commonpath([folder, *(str(Path(f).parent) for f in files)]) + os.sep)


def _where(place: Place) -> str:
    return "-" if place.span == NOWHERE else f"{place.span.file}:{place.span.line}"


def _text(game: Game, place: Place) -> str:
    """The line of the rules, as its author wrote it."""
    lines = game.compiled.texts.files.get(place.span.file, "").splitlines()
    return lines[place.span.line - 1].strip() if 0 < place.span.line <= len(lines) else ""
