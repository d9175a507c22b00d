"""`ruleforge join`: a seat at another terminal, whoever waits at the port."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner, Result

from ruleforge.frontends.cli import join_command
from ruleforge.frontends.cli.main import main

QUESTION = {
    "player": "ann",
    "prompt": "turn",
    "view": {},
    "table": "Ann 3",
    "choices": ["go", "stay"],
    "refused": "",
}


def joined(sent: bytes, typed: str = "go\n") -> tuple[Result, bytes]:
    """What is shown to somebody who joins where this is said, and what is answered."""

    def host(server: socket.socket) -> bytes:
        connection, _ = server.accept()
        with connection:
            connection.settimeout(5)
            try:
                connection.sendall(sent)
                return connection.recv(1000)
            except TimeoutError:
                return b"still there"
            except OSError:
                return b"gone"

    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as thread:
        answer = thread.submit(host, server)
        shown = CliRunner().invoke(main, ["join", str(server.getsockname()[1])], input=typed)
        return shown, answer.result(20)


def test_a_question_is_shown_and_answered() -> None:
    shown, answer = joined(json.dumps(QUESTION).encode() + b"\n")
    assert "Ann 3" in shown.output and "  2 stay" in shown.output
    assert json.loads(answer) == "go"


@pytest.mark.parametrize(
    "sent",
    [
        b"\n", b"[]\n", b"3\n", b"{}\n", b"\xff\xfe\n", b"[" * 90_000 + b"\n",
        json.dumps({**QUESTION, "choices": 3}).encode() + b"\n",
    ],
    ids=["empty", "list", "number", "object", "no text", "deep", "choices"],
)  # fmt: skip
def test_whatever_else_is_said_is_no_seat(sent: bytes) -> None:
    shown, _ = joined(sent)
    assert shown.exit_code == 1 and "this port does not belong to a game" in shown.output


def test_a_line_without_an_end_is_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join_command, "LONGEST", 1000)
    shown, answer = joined(b"7" * 5000)
    assert answer in (b"", b"gone")
    assert shown.exit_code == 1 and "this port does not belong to a game" in shown.output


def test_what_is_said_controls_no_terminal() -> None:
    shown, _ = joined(
        json.dumps({**QUESTION, "table": "\x1b]0;x\x07", "choices": ["\x9b2J"]}).encode() + b"\n"
    )
    assert "\x1b" not in shown.output and "\x9b" not in shown.output
