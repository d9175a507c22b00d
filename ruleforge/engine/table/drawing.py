"""Table -> a drawing in signs: boards as pictures, then rows by player and by thing. Whoever shows it adds colours."""

from __future__ import annotations

from dataclasses import dataclass

from ruleforge.engine.table import boards
from ruleforge.engine.table.marks import EMPTY_MARK, Mark, says_nothing, words
from ruleforge.engine.table.seen import SeenPlace, SeenValue, Table

MOST_ROWS = 40
MOST_COLUMNS = 12
Seen = SeenValue | SeenPlace


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines of marks, to be shown as they are."""

    lines: tuple[tuple[Mark, ...], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of marks in columns, perhaps with heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Mark, ...], ...]


Part = Picture | Rows


def drawn(table: Table) -> tuple[Part, ...]:
    """All that says something; what is on a board or in columns is not said twice."""
    parts: list[Part] = []
    told: set[str] = set()  # paths
    for board in table.boards:
        if board.info.cells and board.cells:
            parts.append(Picture(boards.picture(board, table)))
            told |= {seen.of.path for cell in board.cells for seen in cell}
    for part, paths in _columns(table, told):
        told |= paths
        parts += [part] if part.rows else []
    rest = _rest(table, told)
    return (*parts, rest) if rest.rows else tuple(parts)


# --- what players have for each of a few things: a row each, the things as columns ---


def _columns(table: Table, told: set[str]) -> list[tuple[Rows, set[str]]]:
    families: dict[str, dict[str, dict[str, Seen]]] = {}  # name -> player -> index -> what is seen
    for seen in table:
        if seen.of.owner in table.players and len(seen.of.index) == 1 and seen.of.path not in told:
            families.setdefault(seen.of.name, {}).setdefault(seen.of.owner, {})[seen.of.index[0]] = seen
    alike: dict[tuple[str, ...], list[str]] = {}  # heads -> names of families
    for name, owners in families.items():
        heads = tuple(dict.fromkeys(index for row in owners.values() for index in row))
        if 1 < len(heads) <= MOST_COLUMNS:
            alike.setdefault(heads, []).append(name)
    return [_grid(table, heads, names, families) for heads, names in alike.items()]


def _grid(
    table: Table, heads: tuple[str, ...], names: list[str], families: dict[str, dict[str, dict[str, Seen]]]
) -> tuple[Rows, set[str]]:
    rows: list[tuple[Mark, ...]] = []
    paths: set[str] = set()
    for player in table.players:
        for name in names:
            cells = families[name].get(player, {})
            paths |= {seen.of.path for seen in cells.values()}
            marks = [Mark(words(cells[h])) if h in cells and _counts(cells[h]) else EMPTY_MARK for h in heads]
            if any(mark is not EMPTY_MARK for mark in marks):
                rows.append((Mark(player, of=player), Mark(name), *marks))
    return Rows(("", "", *heads), tuple(rows)), paths


def _counts(seen: Seen) -> bool:
    return bool(seen.things if isinstance(seen, SeenPlace) else seen.value)


# --- all else ---


def _rest(table: Table, told: set[str]) -> Rows:
    facts: dict[str, list[Seen]] = {}
    for seen in table:
        if seen.of.path not in told and not says_nothing(seen, table.players):
            facts.setdefault(seen.of.owner, []).append(seen)
    rows = [
        (Mark("" if head == "game" else head, of=head), Mark("   ".join(said)))
        for head, said in _sayings(table, facts).items()
    ]
    if len(rows) > MOST_ROWS:
        rows[MOST_ROWS:] = [(Mark(""), Mark(f"... and {len(rows) - MOST_ROWS} more"))]
    return Rows((), tuple(rows))


def _sayings(table: Table, facts: dict[str, list[Seen]]) -> dict[str, list[str]]:
    """What is said of each thing; things with one and the same single fact share a row, headed by it."""
    rows: dict[str, list[str]] = {}
    for owner, own in facts.items():
        if len(own) == 1 and owner not in ("", "game", *table.players):
            rows.setdefault(own[0].of.tail, []).append(f"{owner} {words(own[0])}")
        else:
            rows.setdefault(owner, []).extend(f"{seen.of.tail} {words(seen)}" for seen in own)
    return rows
