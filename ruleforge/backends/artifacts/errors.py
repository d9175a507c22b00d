"""The base of all refusals in play, and the refusal to start."""

from __future__ import annotations


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
