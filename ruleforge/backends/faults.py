"""The exceptions of a game: refusals in play and at the start, and faults of a running program."""

from __future__ import annotations


class Trapped(Exception):
    """The rules stopped with a fault. `fault` is an index into Program.faults. The row is no longer valid."""

    def __init__(self, fault: int) -> None:
        super().__init__(fault)
        self.fault = fault


class CompilerBug(Exception):
    """The program violates the intermediate form. This is never the fault of a ruleset."""


class OutOfRoom(Exception):
    """The program exceeds a limit of the backend, for example a length or a depth."""


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
