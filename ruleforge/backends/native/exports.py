"""Doors of an instance that raise what its mailbox tells."""

from __future__ import annotations

from ruleforge.backends.faults import CompilerBug, OutOfRoom, Trapped
from ruleforge.backends.native.faults import BEYOND, TOO_DEEP, TOO_MANY
from ruleforge.backends.native.host import Door, Instance
from ruleforge.backends.native.mailbox import FAULT


def check(instance: Instance) -> None:
    """Raise what the last call ended with."""
    fault = instance.words[FAULT]
    if fault == -1:
        return
    if fault == TOO_MANY:
        raise OutOfRoom("a list of choices is longer than the native backend has room for")
    if fault == TOO_DEEP:
        raise OutOfRoom("calls are nested deeper than the native backend has room for")
    if fault == BEYOND:
        raise CompilerBug("an array is shorter than the index written")
    raise Trapped(fault)


def checked(instance: Instance, name: str) -> Door:
    """A door that looks how each call ended."""
    door = instance.door(name)

    def checked(*arguments: int) -> int:
        result = door(*arguments)
        check(instance)
        return result

    return checked
