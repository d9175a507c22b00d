"""Finds the files of a game and its `game` section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ruleforge.lang.source.error_nodes import NO_ERROR_NODES, ErrorNodes, words_in
from ruleforge.lang.source.read_text import ReadingBudget, checked_text, missing, not_read, read_text, shown
from ruleforge.lang.source.tree import SourceFile, SourceTree
from ruleforge.lang.source.yaml_reader import read_yaml
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.diagnostics.diagnostic import start_of
from ruleforge.support.input_files import Unreadable, files_below, is_folder, sort_of

SUFFIXES = (".yaml", ".yml")
# Beside the rules of a game, but not part of them: tests, additions, the rulebook they are held against, the contract
# that says what additions may do, and the changes of the rules that no test can notice.
OTHER_FOLDERS = frozenset({"scenarios", "expansions"})
OTHER_FILES = frozenset(
    f"{name}{suffix}" for name in ("rulebook", "contract", "mutants") for suffix in SUFFIXES
)
_NO_COMMENT = re.compile(r"^[ \t]*[^#\s]", re.MULTILINE)
_HEAD = re.compile(r"^(game|pack):", re.MULTILINE)
_NAMED = 5  # of several, so many are named
_MANY = 50  # so many files are not parsed if none of them can be the one that says what this is


def has_no_rules(path: Path, report: Report) -> bool:
    """Reports a place that has no rule file, or none that can be seen, so that all else is missing."""
    found = _rule_files(path, report, ReadingBudget())
    if found == []:
        _no_rules(path, report)
    return not found


def _no_rules(path: Path, report: Report) -> None:
    help = "a game is a .yaml file with a `game` section, or a folder with such files"
    report.add("RF102", f"there are no rule files in `{shown(path)}`", start_of(shown(path)), help)


def read_folder(
    path: Path | str,
    report: Report,
    overlay: Mapping[str, str] | None = None,
    before: SourceTree | None = None,
    head: str = "game",
    room: ReadingBudget | None = None,
) -> SourceTree | None:
    """All rule files of a game, or of a pack (then `head` is `pack`); None if there is nothing to go on with.

    `overlay` is unsaved text by file name, relative to the folder; it stands in for the file or adds one. A file with
    the same text as `before` is not read again. `room` is what the ceilings still leave.
    """
    path, overlay, room = Path(path), overlay or {}, room or ReadingBudget()
    found = _rule_files(path, report, room) if not overlay or sort_of(path) else []
    paths = _with_overlay(path, found or [], overlay)
    if not paths and found is not None:
        _no_rules(path, report)
    if not room.takes_files(paths, start_of(shown(path)), report):
        return None
    texts = _texts(path, paths, overlay, report, room)
    if texts is None:
        return None
    if _holds_several(path, texts, report):
        return None
    if len(paths) > _MANY and not _may_have_head(texts.values(), head):
        code, help = _HEADS[head]
        report.add(code, f"no file of `{shown(path)}` has a `{head}` section", start_of(shown(path)), help)
        return None
    tree = _tree(path, texts, before, report, room)
    if tree is None or _has_head(tree, report, head):
        return tree
    return replace(
        tree, unread=tree.unread | ErrorNodes(anything=True)
    )  # a whole file is missing, for all we know


def _tree(
    path: Path, texts: dict[Path, str | None], before: SourceTree | None, report: Report, room: ReadingBudget
) -> SourceTree | None:
    """All texts read; None if nothing could be, or there are too many values together."""
    known = {file.path: file for file in before.files} if before else {}
    files: list[SourceFile] = []
    unread = NO_ERROR_NODES
    for name, text in texts.items():
        old = known.get(shown(name))
        if old is not None and old.content == text and old.values <= room.left:
            room.values += old.values
            report.include(*old.diagnostics)
            files.append(old)
            continue
        file = read_yaml(text, shown(name), report, room) if text is not None else None
        if room.left < 0:
            return None
        if file is not None:
            files.append(file)
        else:
            unread |= _lost_with(text)
    return SourceTree(shown(path), tuple(files), unread) if files else None


def _lost_with(text: str | None) -> ErrorNodes:
    """The error nodes of a file that is no YAML: its words; an empty file may have held anything."""
    if text is None or not _NO_COMMENT.search(text):
        return ErrorNodes(anything=True)
    return ErrorNodes(words_in(text))


def _texts(
    path: Path, paths: list[Path], overlay: Mapping[str, str], report: Report, room: ReadingBudget
) -> dict[Path, str | None] | None:
    """All texts; None if they are too long together."""
    texts: dict[Path, str | None] = {}
    for name in paths:
        text = texts[name] = _text_of(path, name, overlay, report, room)
        if text is not None and not room.takes_text(text, start_of(shown(name)), report):
            return None
    return texts


def _holds_several(path: Path, texts: Mapping[Path, str | None], report: Report) -> bool:
    """Reports a folder of games or packs that is none itself: no file lies in it, and several of them do."""
    heads = {name.parent for name, text in texts.items() if text is not None and _HEAD.search(text)}
    several = sorted(one for one in heads if one.parent == path)
    if len(several) < 2 or any(name.parent == path for name in texts):
        return False
    names = ", ".join(f"`{shown(one)}`" for one in several[:_NAMED])
    more = f" and {len(several) - _NAMED} more" if len(several) > _NAMED else ""
    message = f"`{shown(path)}` holds {len(several)} games or packs, but is not one itself"
    report.add("RF102", message, start_of(shown(path)), f"name one: {names}{more}")
    return True


def _may_have_head(texts: Iterable[str | None], head: str) -> bool:
    section = re.compile(rf"\b{head}[\"']?\s*:")
    return any(text is None or section.search(text) for text in texts)


def _text_of(
    path: Path, name: Path, overlay: Mapping[str, str], report: Report, room: ReadingBudget
) -> str | None:
    unsaved = overlay.get(_relative(path, name))
    if unsaved is not None:
        return checked_text(shown(name), unsaved, report)
    return read_text(name, report, None if name == path else path, room.ceilings.file_bytes)


def _relative(path: Path, name: Path) -> str:
    return name.name if name == path else name.relative_to(path).as_posix()


def _with_overlay(path: Path, paths: list[Path], overlay: Mapping[str, str]) -> list[Path]:
    """The files of the folder and those that exist only as unsaved text, in the order of reading."""
    known = {_relative(path, name) for name in paths}
    more = [path / name for name in overlay if name not in known and _is_rule_file(Path(name))]
    if not more or paths == [path]:
        return paths
    return sorted([*paths, *more], key=lambda name: _order(name.relative_to(path)))


def _order(name: Path) -> tuple[tuple[bool, str], ...]:
    """The files of a folder come before those of its sub-folders."""
    return (*((True, folder) for folder in name.parts[:-1]), (False, name.name))


def _is_rule_file(name: Path) -> bool:
    top = name.parts[0]
    hidden = any(part.startswith(".") for part in name.parts)
    return (
        name.suffix in SUFFIXES and not hidden and top not in OTHER_FOLDERS and str(name) not in OTHER_FILES
    )


def _rule_files(path: Path, report: Report, room: ReadingBudget) -> list[Path] | None:
    """The rule files on disk; None (and a diagnostic) if they cannot be listed."""
    if sort_of(path) is None:
        missing(path, report)
        return None
    if not is_folder(path):
        return [path]
    try:
        return files_below(path, SUFFIXES, OTHER_FOLDERS | OTHER_FILES, room.ceilings.entries)
    except Unreadable as problem:
        not_read(path, problem, report)
        return None


_HEADS = {
    "game": ("RF120", "write `game:` with `id`, `title`, `version` and `players` in one of the files"),
    "pack": ("RF332", "write `pack:` with `id`, `title`, `version` and `for` in one of the files"),
}


def _has_head(tree: SourceTree, report: Report, head: str) -> bool:
    """Whether the section that says what this is may be there; reports it if it is not, or more than once."""
    found = tree.sections(head)
    if not found and not tree.error_nodes:
        code, help = _HEADS[head]
        message = f"no file of `{tree.path}` has a `{head}` section"
        report.add(code, message, _first_key(tree.files[0]), help)
        return False
    for second in found[1:]:
        report.add(
            "RF121",
            f"this is a second `{head}` section",
            second.key.span,
            f"a {head} has one; keep the other files to further sections",
            (("the first is", found[0].key.span),),
        )
    return True


def _first_key(file: SourceFile) -> Span:
    return file.root.entries[0].key.span if file.root.entries else file.root.span
