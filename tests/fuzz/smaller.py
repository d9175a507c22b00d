"""A ruleset with a finding -> the smallest one found with the same finding, by leaving out parts of it."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from tests.fuzz.rulesets import as_yaml
from tests.fuzz.trial import Files

Still = Callable[[Files], bool]  # whether the finding is still there
At = tuple[Any, ...]


def smaller(files: Files, still: Still, seconds: float) -> dict[str, str]:
    """Leave out whole files, then keys, items and lines, as long as the finding stays and time is left."""
    end = time.process_time() + seconds
    trees = {name: yaml.safe_load(text) for name, text in files.items()}
    if not still(_texts(trees)):
        return dict(files)
    changed = True
    while changed and time.process_time() < end:
        changed = False
        for at in list(_places(trees)):
            if time.process_time() > end:
                break
            other = _without(trees, at)
            if other is not None and still(_texts(other)):
                trees, changed = other, True
    return _texts(trees)


def _texts(trees: dict[str, Any]) -> dict[str, str]:
    return {name: as_yaml(tree) for name, tree in trees.items()}


def _places(tree: Any, at: At = ()) -> Iterator[At]:
    """Every part that could be left out, the large ones first."""
    if isinstance(tree, dict):
        keys: list[Any] = list(tree)
    elif isinstance(tree, list):
        keys = list(reversed(range(len(tree))))
    elif isinstance(tree, str) and "\n" in tree:
        keys = list(reversed(range(len(tree.splitlines()))))
    else:
        return
    for key in keys:
        if key != "limits":  # without it everything endless takes long
            yield (*at, key)
    if not isinstance(tree, str):
        for key in keys:
            yield from _places(tree[key], (*at, key))


def _without(trees: dict[str, Any], at: At) -> dict[str, Any] | None:
    """A copy without this part; None if it is gone already."""
    made = copy.deepcopy(trees)
    above: Any = None
    inside: Any = made
    try:
        for key in at[:-1]:
            above, inside = inside, inside[key]
        if isinstance(inside, str):
            lines = inside.splitlines()
            del lines[at[-1]]
            above[at[-2]] = "\n".join(lines) or "skip"
        else:
            del inside[at[-1]]
    except (KeyError, IndexError, TypeError):
        return None
    return made
