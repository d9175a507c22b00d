"""The words of a value in a record -> the value as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleforge.compiler.ir import Container, Flag, Left, Number, SetOf, Thing, ValueType
from ruleforge.engine import paths
from ruleforge.engine.event import EventValue

if TYPE_CHECKING:
    from ruleforge.engine.row_names import RowNames


def value_of(names: RowNames, type: ValueType | Container, words: tuple[int, ...]) -> EventValue:
    word = words[0]
    match type:
        case Container():
            return names.container_name(word)
        case Flag():
            return bool(word)
        case Thing(kind=kind):
            return names.program.kinds[kind].things[word] if word else None
        case SetOf(kind=kind):
            return tuple(paths.set_value(names.program, kind, words))
        case Left():
            return tuple(map(paths.value_text, paths.values_left(names.program, type, word)))
        case Number():
            return word
