"""Shared output of all commands: colours, diagnostics, JSON, exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from ruleforge.support.diagnostics import NOWHERE, Diagnostic
from ruleforge.support.diagnostics.render import render_one, summary
from ruleforge.support.records import dataclass
from ruleforge.support.terminal_escape import harmless, json_text

if TYPE_CHECKING:
    from rich.console import Console

    from ruleforge.backends.faults import PlayError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Output:
    """The output settings of one run of the program."""

    plain: bool = False

    @property
    def colour(self) -> bool:
        return not self.plain and not os.environ.get("NO_COLOR") and sys.stdout.isatty()

    def console(self, stderr: bool = False) -> Console:
        from ruleforge.frontends.cli.plain_console import (  # many a command prints plain lines
            AS_TEXT,
            PlainConsole,
        )

        return PlainConsole(no_color=self.plain or None, stderr=stderr, **AS_TEXT)


def say(text: str = "", *, err: bool = False) -> None:
    """Print a text of whomever as it is, but so that it cannot control the terminal."""
    click.echo(harmless(text), err=err)


def say_rendered(text: str, *, err: bool = False) -> None:
    """Print what `diagnostics.render` made: it is harmless already, and may have colours of ours."""
    click.echo(text, err=err, color=output().colour or None)


def clear_screen() -> None:
    """Clear the screen, if the output is a terminal."""
    if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)


def output() -> Output:
    found = click.get_current_context().find_root().ensure_object(Output)
    assert isinstance(found, Output)
    return found


def _set_plain(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        ctx.find_root().ensure_object(Output).plain = True


def colour_option(function: F) -> F:
    """The option every command has."""
    option = click.option(
        "--no-color",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_set_plain,
        help="Print without colours, like the environment variable NO_COLOR.",
    )
    return option(function)


def print_diagnostics(diagnostics: Iterable[Diagnostic], *, err: bool = True) -> None:
    """Print diagnostics for people."""
    found = list(diagnostics)
    colour = output().colour
    for number, diagnostic in enumerate(found):
        if number:
            say(err=err)
        say_rendered(_rendered(diagnostic, colour), err=err)
    if len(found) > 1:
        say(f"\n{summary(found)}", err=err)


def _rendered(diagnostic: Diagnostic, colour: bool) -> str:
    text = render_one(diagnostic, colour=colour)
    if diagnostic.span != NOWHERE:
        return text
    place = f"{NOWHERE}:"  # nothing in a file is wrong
    return text.replace(f"\x1b[1m{place}\x1b[0m ", "", 1).replace(f"{place} ", "", 1)


def leave(code: int) -> NoReturn:
    raise click.exceptions.Exit(code)


def waiting(words: str) -> AbstractContextManager[object]:
    """Show a line while something lasts, and remove it afterwards; nothing without a terminal."""
    console = output().console(stderr=True)
    if not sys.stderr.isatty() or console.is_dumb_terminal:
        return nullcontext()
    return console.status(words, spinner="line")


def refuse(error: PlayError) -> NoReturn:
    """A request that cannot be met: say why, exit 2."""
    say(f"error[{error.code}]: {error.message}", err=True)
    leave(2)


def print_json(data: Any) -> None:
    say(json_text(data))
