"""A controller elsewhere: questions and answers as lines of JSON over one connection to a port of this machine.

A question is an object with `player`, `prompt`, `view`, `table`, `choices` and `refused`; an answer is a string, the
text of a choice or its number. Only programs of this machine can come to the port; another one comes through a tunnel.
"""

from __future__ import annotations

import json
import socket
from dataclasses import asdict
from io import BufferedRWPair

from ruleforge.engine.errors import PlayError
from ruleforge.play.agents.seated import Question

HERE = "127.0.0.1"
LONGEST = 1 << 16  # bytes of an answer


class RemoteController:
    """Waits for somebody at the first question; whoever has come stays for the game."""

    def __init__(self, port: int, patience: float | None = None) -> None:
        """`patience` is how many seconds somebody may take to come, and to answer; None is any time."""
        self._port, self._patience = port, patience
        self._lines: BufferedRWPair | None = None

    def answer(self, question: Question) -> str:
        try:
            lines = self._lines = self._lines or self._somebody()
            lines.write(json.dumps(asdict(question)).encode() + b"\n")
            lines.flush()
            line = lines.readline(LONGEST + 1)
        except OSError as error:
            raise self._gone(question.player, error.strerror or str(error)) from None
        if not line.endswith(b"\n"):
            raise self._gone(question.player, "the line was too long" if line else "nobody is there any more")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            return ""
        return answer if isinstance(answer, str) else ""

    def _somebody(self) -> BufferedRWPair:
        with socket.create_server((HERE, self._port)) as server:
            server.settimeout(self._patience)
            connection, _ = server.accept()
        connection.settimeout(self._patience)
        return connection.makefile("rwb")  # which keeps the connection

    def _gone(self, player: str, why: str) -> PlayError:
        return PlayError(
            "RF846", f"the remote seat of `{player}` at port {self._port} does not answer: {why}"
        )
