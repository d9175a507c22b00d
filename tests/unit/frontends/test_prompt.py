"""The prompt on a real terminal: what a player types and what comes back."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

SECONDS = 60


class Terminal:
    """A game in a pseudo-terminal; `say` types a line, `until` reads on until some words appear."""

    def __init__(self, *arguments: object) -> None:
        ours, theirs = pty.openpty()
        self._file = ours
        self.text = ""
        command = [sys.executable, "-m", "ruleforge.frontends.cli.main", "play", *map(str, arguments)]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PROMPT_TOOLKIT_NO_CPR": "1"}
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)

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
        return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])", "", data.decode("utf-8", "replace"))

    def leave(self) -> int:
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()
            os.close(self._file)


@pytest.fixture
def table():
    opened: list[Terminal] = []

    def sit_down(*arguments: object) -> Terminal:
        opened.append(Terminal(*arguments))
        return opened[-1]

    yield sit_down
    for terminal in opened:
        if terminal.process.poll() is None:
            terminal.process.kill()


def test_a_few_moves_with_everything_that_can_be_said(table, tmp_path: Path):
    terminal = table("tic-tac-toe", "--seed", "2", "--seat", "cross=human")
    assert "Tic-tac-toe" in terminal.until("cross>")
    terminal.say("help")
    assert "save FILE" in terminal.until("Ctrl-D")
    terminal.until("cross>")
    terminal.say("why mark z9")
    terminal.until("there is no cell `z9`")
    terminal.say("about mark")
    terminal.until("action mark:")
    terminal.say("77")
    terminal.until("choices 1 to 9")
    terminal.say("undo")
    terminal.until("nothing to take back")
    terminal.say("5")
    assert "nought: mark" in terminal.until("cross: turn")
    terminal.until("cross>")
    terminal.say(f"save {tmp_path / 'game.json'}")
    terminal.until("Saved to")
    terminal.say("undo")
    assert "nought: mark" not in terminal.until("cross: turn")
    terminal.until("cross>")
    terminal.say("quit")
    terminal.until("Bye")
    assert terminal.leave() == 0
    assert "game tic-tac-toe" in (tmp_path / "game.json").read_text("utf-8")


def test_a_game_is_played_to_its_end(table):
    terminal = table("nim", "--seed", "1", "--seat", "ann=random", "--seat", "ben=random")
    assert "Nim" in terminal.until(" won (")
    assert terminal.leave() == 0


def test_end_of_input_leaves_and_an_interrupt_does_not(table):
    terminal = table("nim", "--seed", "1")
    terminal.until("ann>")
    terminal.say("\x03", end="")
    terminal.until("Ctrl-D leaves")
    terminal.until("ann>")
    terminal.say("\x04", end="")
    terminal.until("Bye")
    assert terminal.leave() == 0
