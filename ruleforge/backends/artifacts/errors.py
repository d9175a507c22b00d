"""The base of all refusals in play, and the refusal to start."""

from __future__ import annotations


class PlayError(Exception):
    """A refusal with a stable code (RF8xx); the base of all errors a game can raise while it is used."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


class StartError(PlayError):
    """A game cannot start with these players or options, or not on this backend."""
