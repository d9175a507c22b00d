"""Running commands in this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import StringIO

import pytest

from ruleforge.frontends.cli.main import run


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


class Command:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.typed = ""  # what comes in

    def __call__(self, *arguments: object) -> Done:
        self._capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            if self.typed or type(sys.stdin).__name__ == "DontReadFromInput":  # else a test has set it
                patch.setattr("sys.stdin", StringIO(self.typed))
            code = run([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Done(code, captured.out, captured.err)
