"""Lines of a file, and one of them where something is wrong -> the single changes that may be all it takes.

A line that stands at the wrong depth, a line that was lost or two that were swapped lead to complaints about everything
below it. Whoever tries these changes finds the one that explains them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleforge.lang.source.repairs import (
    INDENT,
    Changed,
    depth_under,
    filled_above,
    indent_of,
    open_depths,
    says_something,
)
from ruleforge.lang.source.yaml_problems.answer import KEY_AND_VALUE
from ruleforge.support.diagnostics import Edit, Span
from ruleforge.support.diagnostics.fix import Fix
from ruleforge.support.records import dataclass

LOST = "lost_name"  # stands for the name of what may have been there


@dataclass(frozen=True, slots=True)
class OneChange:
    """A change, and what is said of it; of a lost line `depth` is how deep it would be and `bar` what ends it.

    `usual` is how many more lines of the file stand where it puts a line than where that stood.
    """

    changed: Changed
    message: str
    place: Span
    help: str
    fix: Fix = ()
    depth: int | None = None
    bar: str = ""
    usual: int = 0


def near(lines: list[str], row: int) -> list[int]:
    """A row of which something is said, and those above and below it that say something."""
    below = next((r for r in range(row + 1, len(lines)) if says_something(lines[r])), None)
    above = filled_above(lines, row)
    return [r for r in (row, above, below) if r is not None and r < len(lines) and says_something(lines[r])]


def sorts(file: str, lines: list[str], rows: Iterable[int]) -> Iterator[Iterator[OneChange]]:
    """The changes of each sort, the most likely sort first."""
    for sort in ((_once,), (_moved, _swapped), (_moved_whole,), (_with_a_head,)):
        yield (change for row in rows for each in sort for change in each(file, lines, row))


def _once(file: str, lines: list[str], row: int) -> Iterator[OneChange]:
    """Without the line, if the one above is the same."""
    if row and lines[row] == lines[row - 1]:
        rows = (*range(row), *range(row + 1, len(lines)))
        fix = (Edit(Span(file, row, len(lines[row]) + 1, row + 1, len(lines[row]) + 1), ""),)
        changed = Changed(tuple(lines[r] for r in rows), rows)
        message, help = f"{_called(lines[row])} stands here twice", "delete one of the two lines"
        yield OneChange(changed, message, _place(file, lines, row), help, fix)


def _moved(file: str, lines: list[str], row: int) -> Iterator[OneChange]:
    """The line at another depth."""
    yield from (_as_deep(file, lines, [row], more) for more in _ways(lines, row))


def _moved_whole(file: str, lines: list[str], row: int) -> Iterator[OneChange]:
    """The line at another depth, with all that is under it."""
    rows = [row, *_under(lines, row)]
    if len(rows) > 1:
        yield from (_as_deep(file, lines, rows, more) for more in _ways(lines, row))


def _ways(lines: list[str], row: int) -> list[int]:
    """By how much a line may be meant to be deeper, or less deep."""
    own, above = indent_of(lines[row]), filled_above(lines, row)
    depths = {*open_depths(lines, row), depth_under(lines[above]) if above is not None else 0}
    return sorted((depth - own for depth in depths - {own}), key=abs)


def _under(lines: list[str], row: int) -> list[int]:
    found: list[int] = []
    for r in range(row + 1, len(lines)):
        if lines[r].strip() and indent_of(lines[r]) <= indent_of(lines[row]):
            break
        found += [r] if lines[r].strip() else []
    return found


def _as_deep(file: str, lines: list[str], rows: list[int], more: int) -> OneChange:
    new = list(lines)
    for r in rows:
        new[r] = " " * (indent_of(lines[r]) + more) + lines[r].lstrip(" \t")
    changed = Changed(tuple(new), tuple(range(len(lines))), tuple((r, more) for r in rows))
    first, depth = lines[rows[0]], indent_of(lines[rows[0]])
    fix = tuple(
        Edit(Span(file, r + 1, 1, r + 1, indent_of(lines[r]) + 1), " " * indent_of(new[r])) for r in rows
    )
    message = f"{_called(first)} is {'indented too deep' if more < 0 else 'not indented deep enough'}"
    help = f"begin it in column {depth + more + 1}{', with all that is under it' if len(rows) > 1 else ''}"
    depths = [indent_of(line) for line in lines]
    usual = depths.count(depth + more) - depths.count(depth)
    return OneChange(changed, message, _place(file, lines, rows[0]), help, fix, usual=usual)


def _swapped(file: str, lines: list[str], row: int) -> Iterator[OneChange]:
    """The line and the next one, the other way round."""
    if row + 1 >= len(lines) or not says_something(lines[row + 1]):
        return
    new, rows = list(lines), list(range(len(lines)))
    new[row], new[row + 1], rows[row], rows[row + 1] = lines[row + 1], lines[row], row + 1, row
    message = f"{_called(lines[row])} stands before {_called(lines[row + 1])}, and belongs after it"
    ends = (row + 2, len(lines[row + 1]) + 1)
    fix = (Edit(Span(file, row + 1, 1, *ends), f"{lines[row + 1]}\n{lines[row]}"),)
    yield OneChange(
        Changed(tuple(new), tuple(rows)), message, _place(file, lines, row), "swap the two lines", fix
    )


def _with_a_head(file: str, lines: list[str], row: int) -> Iterator[OneChange]:
    """A line above it that says what this belongs to."""
    own = indent_of(lines[row])
    bar = "" if KEY_AND_VALUE.match(lines[row]) or lines[row].lstrip().startswith("- ") else " |"
    depths = {own - INDENT, own if lines[row].lstrip().startswith("- ") else -1}
    for depth in sorted(depth for depth in depths if depth >= 0):
        new = [*lines[:row], f"{' ' * depth}{LOST}:{bar}", *lines[row:]]
        rows = (*range(row + 1), *range(row, len(lines)))
        place = _place(file, lines, row)
        message = f"the name of what {_called(lines[row])} belongs to is missing above it"
        help = "was a line deleted? write the name and a colon there"
        yield OneChange(Changed(tuple(new), rows), message, place, help, depth=depth, bar=bar)


def _called(line: str) -> str:
    key = line.strip().removeprefix("- ").partition(":")[0]
    return f"`{key}`" if KEY_AND_VALUE.match(line) else "this line"


def _place(file: str, lines: list[str], row: int) -> Span:
    begins = len(lines[row]) - len(lines[row].lstrip(" -\t"))
    key = (
        lines[row][begins:].partition(":")[0].rstrip()
        if KEY_AND_VALUE.match(lines[row])
        else lines[row].strip()
    )
    return Span(file, row + 1, begins + 1, row + 1, begins + 1 + len(key))
