"""`ruleforge join`: takes a seat that `play --seat NAME=remote:PORT` left open."""

from __future__ import annotations

import json
import socket
from io import BufferedRWPair
from typing import Any

import click

from ruleforge.frontends.cli.output import colour_option, leave, say
from ruleforge.play.agents.remote import HERE

LONGEST = 1 << 24  # bytes of a question


@click.command("join")
@click.argument("port", type=click.IntRange(1, 65535))
@colour_option
def command(port: int) -> None:
    """Take a remote seat of a game on this machine. The game listens at PORT.

    You see the game as the player of that seat. Answer with the number of a choice or its text. For a game
    on another machine, open a tunnel such as `ssh -L 4001:localhost:4001 MACHINE`.

    \b
    Example:
      ruleforge join 4001
    after somebody has typed:
      ruleforge play my-game --seat second=remote:4001
    """
    try:
        with socket.create_connection((HERE, port)) as connection:
            _answer(connection.makefile("rwb"))
    except OSError as error:
        say(f"no game waits at port {port}: {error.strerror or error}", err=True)
        leave(1)


def _answer(lines: BufferedRWPair) -> None:
    """Answer question by question, until the game is over or the user leaves."""
    for line in iter(lambda: lines.readline(LONGEST), b""):
        try:
            question = json.loads(line)
            _show(question)
        except (ValueError, RecursionError, KeyError, TypeError):
            say("this port does not belong to a game", err=True)
            leave(1)
        try:
            answer = click.prompt("you", prompt_suffix="> ")
        except click.Abort:
            return
        lines.write(json.dumps(str(answer)).encode() + b"\n")
        lines.flush()
    say("the game is over or was closed")


def _show(question: dict[str, Any]) -> None:
    if question["refused"]:
        say(f"no: {question['refused']}")
    else:
        say(str(question["table"]))
    say(str(question["prompt"]))
    for number, text in enumerate(question["choices"], 1):
        say(f"{number:>3} {text}")
