"""SourceTree -> the same with files read as they were meant, where one change of a line explains all that is wrong.

A line at the wrong depth makes every line below it look wrong. The changes that authors most likely have to make are
tried; the first with which nothing is wrong with the file any more is the one complaint, and the file is read with it.
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
from ruleforge.lang.source.single_change import LOST, OneChange, near, sorts
from ruleforge.lang.source.yaml_reader import read_changed
from ruleforge.support.diagnostics import Diagnostic, Edit, Report, Span
from ruleforge.support.spelling import listed

CODE = "RF128"
BUILD, SHAPE = ("RF108", "RF110"), "RF2"  # what one line at the wrong place leads to
PLACES = 3  # so many complaints are looked at, from the first on
MOST = 3_000_000  # signs that are read for one file
MORE = 1000  # values that a change may bring to light
LISTED = 4
TEXTS = ("do", "is")  # the keys under which texts of several lines stand most often

Path = tuple[int, ...]
Edited = Callable[[Entry], tuple[Entry, ...]]


def read_as_meant(
    tree: SourceTree, told: Report, report: Report, before: Shaped | None = None, kind: FileKind = "ruleset"
) -> tuple[SourceTree, Shaped]:
    """The tree and its shape; `told` is what was said while it was read, and goes into the report where it counts."""
    shaped = validate(tree, Report(), before, kind)
    meant = {file.path: found for file in tree.files if (found := as_meant(file, shaped.shapes[file], kind))}
    if meant:
        tree = replace(tree, files=tuple(meant.get(file.path, file) for file in tree.files))
        shaped = validate(tree, Report(), shaped, kind)
    report.include(*(d for d in told if d.span.file not in meant))
    report.include(*(d for file in meant.values() for d in file.complaints))
    report.include(*(d for shape in shaped.shapes.values() for d in shape.complaints))
    return tree, shaped


def as_meant(file: SourceFile, shape: Shape, kind: FileKind) -> SourceFile | None:
    """The file with the one change that explains all complaints about its text and shape; None if there is none."""
    found = sorted((*file.complaints, *shape.complaints), key=lambda d: d.span)
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
        yield from [_told(read, change)] if fits(kind)(read.root) else []
        return
    path = next(_paths_to(read.root, LOST), None)
    if path is None:
        return
    if not change.bar and fits(kind)(read.root):
        yield replace(_told(read, change), root=_without(read.root, path), holes=ErrorNodes(anything=True))
        return
    keys = TEXTS if change.bar else keys_of(kind)
    named = {name: root for name in keys if fits(kind)(root := _renamed(read.root, path, name))}
    if not named:
        return
    told, bare = _told(read, _with_key(change, list(named))), _without(read.root, path)
    if len(named) > 1 and fits(kind)(bare):  # nobody knows which of them it was
        yield replace(told, root=bare, holes=ErrorNodes(anything=True))
    else:
        yield replace(told, root=next(iter(named.values())))


def _told(read: SourceFile, change: OneChange) -> SourceFile:
    complaint = Diagnostic(CODE, change.message, change.place, change.help, (), change.fix)
    return replace(read, complaints=(complaint,))


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
