"""Controllers outside the process: questions and answers as lines, over a port or with a program of the
user.

A question is a JSON object with `player`, `prompt`, `view`, `table`, `choices` and `refused`. An answer is a
line: the text of a choice or its number, plain or as JSON. Only programs of this machine can connect to a
port; others need a tunnel.
"""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import weakref
from dataclasses import asdict
from io import BufferedRWPair
from typing import NoReturn

from ruleforge.engine.errors import PlayError
from ruleforge.play.agents.seated import Question

HERE = "127.0.0.1"
LONGEST = 1 << 16  # bytes of an answer


class LineController:
    """Connects at the first question, and keeps the connection for the game."""

    name = ""

    def __init__(self) -> None:
        self._lines: BufferedRWPair | None = None

    def _connect(self) -> BufferedRWPair:
        raise OSError("there is no connection")

    def answer(self, question: Question) -> str:
        try:
            lines = self._lines = self._lines or self._connect()
            lines.write(json.dumps(asdict(question)).encode() + b"\n")
            lines.flush()
            line = lines.readline(LONGEST + 1)
        except OSError as error:
            self._fail(question.player, error.strerror or str(error))
        if not line.endswith(b"\n"):
            self._fail(question.player, "the line was too long" if line else "the other end has closed")
        return _answer_in(line)

    def _fail(self, player: str, why: str) -> NoReturn:
        raise PlayError("RF846", f"the seat of `{player}` at {self.name} does not answer: {why}") from None


def _answer_in(line: bytes) -> str:
    """The answer in a line; empty where it can be none."""
    try:
        text = line.decode().strip()
    except UnicodeDecodeError:
        return ""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return str(found) if isinstance(found, (str, int)) and not isinstance(found, bool) else ""


class RemoteController(LineController):
    """A controller that waits at a port for a connection."""

    def __init__(self, port: int, patience: float | None = None) -> None:
        """`patience` is the time limit in seconds for a connection and for an answer. None: no limit."""
        super().__init__()
        self.name, self._port, self._patience = f"port {port}", port, patience

    def _connect(self) -> BufferedRWPair:
        with socket.create_server((HERE, self._port)) as server:
            server.settimeout(self._patience)
            connection, _ = server.accept()
        connection.settimeout(self._patience)
        return connection.makefile("rwb")  # which keeps the connection


class ProgramController(LineController):
    """Starts a program, which reads questions from its standard input and writes answers to its standard output."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self.name, self._command = f"the program `{command}`", command

    def _connect(self) -> BufferedRWPair:
        try:
            words = shlex.split(self._command)
        except ValueError as error:
            raise OSError(str(error)) from None
        if not words:
            raise OSError("no program is named")
        pipe = subprocess.PIPE
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, bufsize=0)
        weakref.finalize(self, _end, process)
        assert process.stdin is not None and process.stdout is not None
        return BufferedRWPair(process.stdout, process.stdin)  # type: ignore[arg-type]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close the pipes, which ends most programs; a program that goes on is stopped."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
