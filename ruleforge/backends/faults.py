"""What can go wrong while a program runs."""

from __future__ import annotations


class Trapped(Exception):
    """The rules stopped: `fault` is an index into Program.faults; the row must be thrown away."""

    def __init__(self, fault: int) -> None:
        super().__init__(fault)
        self.fault = fault


class CompilerBug(Exception):
    """The program breaks a promise of the intermediate form; never the fault of a ruleset."""


class OutOfRoom(Exception):
    """A limit of the backend, not of the rules: something is longer or deeper than it has room for."""
