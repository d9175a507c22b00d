"""`intended_reading` reads a file as intended, if one changed line explains all its mistakes.

A line at the wrong depth makes every line below it look wrong. The module tries the most likely changes in
order. The first change that leaves no mistake becomes the one diagnostic, and the file is read with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ruleforge.lang.schema.validate import FileKind, Shape, Shaped, fits, schema_of, validate
from ruleforge.lang.source import Entry, MappingNode, SequenceNode, SourceFile, SourceNode, SourceTree
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.lang.source.read_text import lines_of
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
from ruleforge.lang.source.yaml_reader import read_changed
from ruleforge.support.diagnostics import Diagnostic, Edit, Report, Span
from ruleforge.support.diagnostics.diagnostic import Fix
from ruleforge.support.records import dataclass
from ruleforge.support.spelling import listed

CODE = "RF128"
BUILD, SHAPE = ("RF108", "RF110"), "RF2"  # what one line at the wrong place leads to
PLACES = 3  # so many diagnostics are looked at, from the first on
MOST = 3_000_000  # signs that are read for one file
MORE = 1000  # values that a change may bring to light
LISTED = 4
TEXTS = ("do", "is")  # the keys under which texts of several lines stand most often
Path = tuple[int, ...]
Edited = Callable[[Entry], tuple[Entry, ...]]
LOST = "lost_name"  # stands for the name of what may have been there


def read_as_meant(
    tree: SourceTree,
    first_report: Report,
    report: Report,
    before: Shaped | None = None,
    kind: FileKind = "ruleset",
) -> tuple[SourceTree, Shaped]:
    """The tree and its shape; `told` is what was said while it was read, and goes into the report where it counts."""
    shaped = validate(tree, Report(), before, kind)
    meant = {file.path: found for file in tree.files if (found := as_meant(file, shaped.shapes[file], kind))}
    if meant:
        tree = replace(tree, files=tuple(meant.get(file.path, file) for file in tree.files))
        shaped = validate(tree, Report(), shaped, kind)
    report.include(*(d for d in first_report if d.span.file not in meant))
    report.include(*(d for file in meant.values() for d in file.diagnostics))
    report.include(*(d for shape in shaped.shapes.values() for d in shape.diagnostics))
    return tree, shaped


def as_meant(file: SourceFile, shape: Shape, kind: FileKind) -> SourceFile | None:
    """The file with the one change that explains all diagnostics about its text and shape; None if there is none."""
    found = sorted((*file.diagnostics, *shape.diagnostics), key=lambda d: d.span)
    if not all(d.code in BUILD or d.code.startswith(SHAPE) for d in found):
        return None
    if len(found) < 2 and not any(d.code == "RF108" and not d.fix for d in found):
        return None
    lines = lines_of(file.content)
    rows = dict.fromkeys(row for d in found[:PLACES] for row in near(lines, d.span.line - 1))
    left = MOST
    for changes in sorts(file.path, lines, rows):
        fitting: list[tuple[int, int, SourceFile]] = []
        for change in changes:
            left -= len(file.content)
            if left < 0:
                return None
            fitting += ((read.values, change.usual, read) for read in _read(file, change, kind))
        if fitting:
            return max(fitting, key=lambda found: found[:2])[2]  # a text that swallows keys fits, too
    return None


def _read(file: SourceFile, change: OneChange, kind: FileKind) -> Iterator[SourceFile]:
    """The file with a change, if nothing is wrong with it then."""
    read = read_changed(change.changed, file.content, file.path, 2 * file.values + MORE)
    if read is None:
        return
    if change.depth is None:
        yield from [_with_report(read, change)] if fits(kind)(read.root) else []
        return
    path = next(_paths_to(read.root, LOST), None)
    if path is None:
        return
    if not change.bar and fits(kind)(read.root):
        yield replace(
            _with_report(read, change), root=_without(read.root, path), error_nodes=ErrorNodes(anything=True)
        )
        return
    keys = TEXTS if change.bar else keys_of(kind)
    named = {name: root for name in keys if fits(kind)(root := _renamed(read.root, path, name))}
    if not named:
        return
    first_report, bare = _with_report(read, _with_key(change, list(named))), _without(read.root, path)
    if len(named) > 1 and fits(kind)(bare):  # the lost key is ambiguous
        yield replace(first_report, root=bare, error_nodes=ErrorNodes(anything=True))
    else:
        yield replace(first_report, root=next(iter(named.values())))


def _with_report(read: SourceFile, change: OneChange) -> SourceFile:
    diagnostic = Diagnostic(CODE, change.message, change.place, change.help, (), change.fix)
    return replace(read, diagnostics=(diagnostic,))


def _with_key(change: OneChange, names: list[str]) -> OneChange:
    """A lost line that can only be one of a few keys of the language."""
    some = listed([f"{name}:{change.bar}" for name in names[:LISTED]], "or")
    message = f"the line {some} is missing above this" if len(names) <= LISTED else change.message
    if len(names) > 1 or change.depth is None:
        return replace(change, message=message)
    line = change.place.line
    fix = (Edit(Span(change.place.file, line, 1, line, 1), f"{' ' * change.depth}{names[0]}:{change.bar}\n"),)
    return replace(
        change, message=message, help=f"write `{names[0]}:{change.bar}` on a line of its own", fix=fix
    )


@cache
def keys_of(kind: FileKind) -> tuple[str, ...]:
    """All keys that the language knows, wherever they may stand."""
    known: dict[str, None] = {}
    todo: list[Any] = [schema_of(kind)] if kind == "ruleset" else [schema_of(kind), schema_of("ruleset")]
    while todo:
        part = todo.pop()
        if isinstance(part, Mapping):
            known |= dict.fromkeys(part["properties"]) if isinstance(part.get("properties"), Mapping) else {}
            todo += part.values()
        elif isinstance(part, list):
            todo += part
    return tuple(sorted(known))


def _children(node: SourceNode) -> Iterable[SourceNode]:
    if isinstance(node, MappingNode):
        return [entry.value for entry in node]
    return node.items if isinstance(node, SequenceNode) else ()


def _paths_to(node: SourceNode, name: str) -> Iterator[Path]:
    """The ways to the entries of a name, by position."""
    for i, child in enumerate(_children(node)):
        if isinstance(node, MappingNode) and node.entries[i].name == name:
            yield (i,)
        yield from ((i, *rest) for rest in _paths_to(child, name))


def _renamed(root: MappingNode, path: Path, name: str) -> MappingNode:
    return _edited(root, path, lambda entry: (Entry(replace(entry.key, text=name), entry.value),))


def _without(root: MappingNode, path: Path) -> MappingNode:
    return _edited(root, path, lambda _: ())


def _edited(root: MappingNode, path: Path, edit: Edited) -> MappingNode:
    """A mapping with something else in the place of the entry to which a path leads."""
    entry = root.entries[path[0]]
    new = edit(entry) if len(path) == 1 else (Entry(entry.key, _below(entry.value, path[1:], edit)),)
    return replace(root, entries=(*root.entries[: path[0]], *new, *root.entries[path[0] + 1 :]))


def _below(node: SourceNode, path: Path, edit: Edited) -> SourceNode:
    if isinstance(node, MappingNode):
        return _edited(node, path, edit)
    assert isinstance(node, SequenceNode)
    item = _below(node.items[path[0]], path[1:], edit)
    return replace(node, items=(*node.items[: path[0]], item, *node.items[path[0] + 1 :]))


# The single changes that may repair a file, near a line with a diagnostic. A line at the wrong depth, a lost
# line or two swapped lines lead to diagnostics about everything below them. The search tries the changes to
# find the one that explains them all.


@dataclass(frozen=True, slots=True)
class OneChange:
    """A change and its message; for a missing line, `depth` is its indentation and `bar` its end.

    `usual` compares how many other lines of the file are at the new and the old indentation.
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
    """A reported row with the nearest rows above and below that have content."""
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
