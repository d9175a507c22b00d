"""File or folder -> SourceTree: which files make up a game, and where its `game` section is."""

from __future__ import annotations

import os
from pathlib import Path

from ruleforge.diagnostics import Report, Span
from ruleforge.source.read_text import missing, shown, start_of
from ruleforge.source.tree import SourceFile, SourceTree
from ruleforge.source.yaml_reader import read_yaml_file

SUFFIXES = (".yaml", ".yml")
# Beside the rules of a game, but not part of them: tests, additions, the rulebook they are held against, and the
# contract that says what additions may do.
OTHER_FOLDERS = frozenset({"scenarios", "expansions"})
OTHER_FILES = frozenset({"rulebook.yaml", "rulebook.yml", "contract.yaml", "contract.yml"})


def read_pack(path: Path | str, report: Report) -> SourceTree | None:
    """All rule files of a game; None if there is nothing to go on with. Complaints go to the report."""
    path = Path(path)
    paths = _rule_files(path, report)
    if not paths:
        return None
    read = [read_yaml_file(file, report) for file in paths]
    files = tuple(file for file in read if file is not None)
    if not files:
        return None
    complete = len(files) == len(paths)
    _check_game_sections(path, files, complete, report)
    return SourceTree(shown(path), files, complete)


def _rule_files(path: Path, report: Report) -> list[Path]:
    try:
        if not path.exists():
            missing(path, report)
            return []
        if not path.is_dir():
            return [path]
        found = _files_below(path)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        report.add("RF109", f"`{shown(path)}` cannot be read: {reason.lower()}", start_of(shown(path)))
        return []
    if not found:
        help = "a game is a .yaml file with a `game` section, or a folder with such files"
        report.add("RF102", f"there are no rule files in `{shown(path)}`", start_of(shown(path)), help)
    return found


def _files_below(folder: Path) -> list[Path]:
    """The rule files in a fixed order: those of a folder by name, then its sub-folders by name."""
    found: list[Path] = []
    for here, folders, names in os.walk(folder):
        top = Path(here) == folder
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (top and f in OTHER_FOLDERS))
        for name in sorted(names):
            if name.endswith(SUFFIXES) and not name.startswith(".") and not (top and name in OTHER_FILES):
                found.append(Path(here) / name)
    return found


def _check_game_sections(path: Path, files: tuple[SourceFile, ...], complete: bool, report: Report) -> None:
    found = [entry for file in files if (entry := file.root.entry("game"))]
    if not found and complete:
        help = "write `game:` with `id`, `title`, `version` and `players` in one of the files"
        report.add("RF120", f"no file of `{shown(path)}` has a `game` section", _first_key(files[0]), help)
    for second in found[1:]:
        report.add(
            "RF121",
            "this is a second `game` section",
            second.key.span,
            "a game has one; keep the other files to further sections",
            (("the first is", found[0].key.span),),
        )


def _first_key(file: SourceFile) -> Span:
    return file.root.entries[0].key.span if file.root.entries else file.root.span
