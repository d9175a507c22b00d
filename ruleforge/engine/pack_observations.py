"""What the words of an observation are called, in the order of `compiler/observation_program.py`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ruleforge.compiler.observation_program import laid_kinds, observed_columns

if TYPE_CHECKING:
    from ruleforge.engine.variant import Variant


def observed(variant: Variant) -> tuple[str, ...]:
    """`d1.disc`; `ace lies in`, `ace stands at`, `size of ann.hand`; a set of many things takes several words."""
    return (
        *_attributes(variant),
        *_lying(variant),
        *(f"size of {path.path}" for path in variant.paths.places),
    )


def _attributes(variant: Variant) -> Iterator[str]:
    seen = {column.base for column in observed_columns(variant.program)}
    for path in variant.paths.attributes:
        if path.info.base in seen:
            words = path.info.words
            yield from (path.path if words == 1 else f"{path.path} word {word + 1}" for word in range(words))


def _lying(variant: Variant) -> Iterator[str]:
    for kind, ordered in laid_kinds(variant.program):
        names = variant.paths.owners(kind)
        yield from (f"{name} lies in" for name in names)
        if ordered:
            yield from (f"{name} stands at" for name in names)


def containers(variant: Variant) -> dict[int, str]:
    """The numbers of containers -> their paths."""
    return {path.instance: path.path for path in variant.paths.places}
