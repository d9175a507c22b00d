"""A program in a pseudo-terminal: what somebody types and what comes back."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

SECONDS = 60


class Terminal:
    """A command in a pseudo-terminal; `say` types a line, `until` reads on until some words appear."""

    def __init__(self, *arguments: object, size: tuple[int, int] | None = None) -> None:
        """With a size, columns and lines, it is the terminal's own, and can be changed by `resize`."""
        ours, theirs = pty.openpty()
        self._file = ours
        self.text = self._half = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        command = [sys.executable, "-m", "ruleforge.frontends.cli.main", *map(str, arguments)]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PROMPT_TOOLKIT_NO_CPR": "1"}
        if size is not None:
            self.resize(*size)
            del environment["COLUMNS"]
            environment.pop("LINES", None)
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def say(self, line: str, end: str = "\r") -> None:
        os.write(self._file, (line + end).encode())

    def until(self, words: str) -> str:
        """Everything printed up to these words, without colours."""
        limit = time.monotonic() + SECONDS
        while words not in self.text:
            assert time.monotonic() < limit, f"`{words}` never came:\n{self.text}"
            self.text += self._read()
        before, _, self.text = self.text.partition(words)
        return before + words

    def _read(self) -> str:
        ready, _, _ = select.select([self._file], [], [], 1)
        try:
            data = os.read(self._file, 65536) if ready else b""
        except OSError:  # the other end is closed
            time.sleep(0.05)
            data = b""
        came = self._half + self._decoder.decode(data)  # a sign may come in two halves
        half = re.search(r"\x1b(\[[0-9;?]*)?\Z", came)
        self._half = half[0] if half else ""
        return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])", "", came.removesuffix(self._half))

    def leave(self) -> int:
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()
            os.close(self._file)
