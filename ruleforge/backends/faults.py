"""What can go wrong: refusals in play and at the start, and faults while a program runs."""

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


class PlayError(Exception):
    """A refusal with a stable code (RF8xx). It is the base class of all errors during play."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


class StartError(PlayError):
    """The game cannot start with these players or options, or on this backend."""
