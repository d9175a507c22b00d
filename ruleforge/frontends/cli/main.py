"""The command `ruleforge`: finds the command asked for, and sees to it that nobody meets a traceback."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from ruleforge.frontends import process
from ruleforge.frontends.cli.command_groups import Suggesting
from ruleforge.frontends.cli.output import Output, colour_option, say

# What the list of commands says of each. It stands here, so that no command has to be imported to be listed.
COMMANDS = {
    "games": "List the games that come with RuleForge, and their packs.",
    "validate": "Show every mistake in rules and scenarios, and mend some.",
    "play": "Play a game.",
    "serve": "Play in a browser, each player on a page of their own.",
    "mcp": "Let a language model take a seat.",
    "join": "Take a remote seat of a game played on this machine.",
    "repl": "The author's console: ask, play, change, look back.",
    "test": "Run the scenarios of games or packs.",
    "mutate": "Which small changes of the rules does no scenario notice?",
    "simulate": "Play many games and count how they end and who wins.",
    "balance": "Play with packs against without, until it is clear.",
    "coverage": "Show which rules and scenarios carry each clause.",
    "explain": "Explain a diagnostic code, or a clause of a rulebook.",
    "dump": "Print what the rules of a game are compiled to.",
    "profile": "Say which definitions and formulas cost how much.",
    "graph": "Draw phases, triggers, keywords or components of a game.",
    "docs": "Write the rulebook of a game as its rules have it.",
    "fmt": "Write the effect texts of rule files in one way.",
    "migrate": "Rewrite rule files for the present version of the language.",
    "lsp": "Serve an editor.",
    "lock": "Write the lock file of a core, or compare it.",
    "check-expansion": "Judge packs by the contract of their core.",
    "contract": "Print what packs may do to a core.",
    "compat": "Judge packs of a game in company, pair by pair.",
    "pack": "Write a pack as one file.",
    "install": "Keep packs that came as a file.",
    "new": "Start something of your own.",
}
INTERRUPTED = 130
PIPE_CLOSED = 141


def _command(name: str) -> click.Command:
    command = import_module(f"ruleforge.frontends.cli.{name.replace('-', '_')}_command").command
    assert isinstance(command, click.Command)
    return command


class Commands(Suggesting):
    """Commands are imported when they are called, so that the prompt comes back at once."""

    @property
    def commands(self) -> dict[str, click.Command]:
        return {name: _command(name) for name in COMMANDS}

    @commands.setter
    def commands(self, given: object) -> None:
        """The commands are fixed."""

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """The console script: run, and leave with an exit code: 0 fine, 1 complaints, 2 misuse."""
        process.collect_rarely()
        process.leave(run(*args, **kwargs))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return _command(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Completion in bash: eval "$(_RULEFORGE_COMPLETE=bash_source ruleforge)"; zsh and fish alike.',
)
@click.version_option(package_name="ruleforge", message="ruleforge %(version)s")
@colour_option
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tabletop games written as data: check them, play them, test them, measure them.

    GAME and WHAT are the name of something shipped (see `ruleforge games`) or a path.

    \b
    Example:
      ruleforge play my-game
    """
    ctx.ensure_object(Output)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; nobody meets a traceback for a mistake of their own."""
    try:
        code = main.main(args=arguments, prog_name="ruleforge", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as problem:
        shown = io.StringIO()
        problem.show(shown)  # it repeats what was typed
        say(shown.getvalue().rstrip("\n"), err=True)
        return problem.exit_code
    except (KeyboardInterrupt, click.Abort, EOFError):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # the second is what Click makes of the first, as a failure (1)
        _swallow_output()
        return PIPE_CLOSED
    except OSError as problem:
        reason = problem.strerror or str(problem)
        where = (
            f"{problem.filename}: " if problem.filename else ""
        )  # without it the reason is the whole sentence
        say(f"error: {where}{reason[:1].lower()}{reason[1:]}", err=True)
        return 2


def _swallow_output() -> None:
    """Whoever read our output is gone; the interpreter must not complain when it flushes at its end."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


if __name__ == "__main__":
    main()
