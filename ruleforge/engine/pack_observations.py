"""What the words of an observation are called, in the order of `compiler/observation_program.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.compiler.observation_program import dealt_kinds, observed_columns

if TYPE_CHECKING:
    from ruleforge.engine.row_names import RowNames


def observed(names: RowNames) -> tuple[str, ...]:
    """`d1.disc`; `ace lies in`, `ace stands at`, `size of ann.hand`; a set of many things takes several words."""
    return (
        *_attributes(names),
        *_lying(names),
        *(f"size of {path.path}" for path in names.paths.places),
    )


def _attributes(names: RowNames) -> Iterator[str]:
    seen = {column.base for column in observed_columns(names.program)}
    for path in names.paths.attributes:
        if path.info.base in seen:
            words = path.info.words
            yield from (path.path if words == 1 else f"{path.path} word {word + 1}" for word in range(words))


def _lying(names: RowNames) -> Iterator[str]:
    for kind, ordered in dealt_kinds(names.program):
        things = names.paths.owners(kind)
        yield from (f"{name} lies in" for name in things)
        if ordered:
            yield from (f"{name} stands at" for name in things)


def containers(names: RowNames) -> dict[int, str]:
    """The numbers of containers -> their paths."""
    return {path.instance: path.path for path in names.paths.places}
