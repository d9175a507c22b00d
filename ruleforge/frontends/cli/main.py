"""The command `ruleforge`: runs a subcommand and turns every error into a message without a traceback."""

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

# One line about each command in the list. It stands here, so that the list imports no command.
COMMANDS = {
    "games": "List the shipped games and their packs.",
    "validate": "Show every mistake in rules and scenarios, and fix some.",
    "play": "Play a game in the terminal.",
    "serve": "Play in a browser, with a page for each player.",
    "mcp": "Let a language model take a seat.",
    "join": "Take a remote seat of a game on this machine.",
    "repl": "Open the author's console: ask, play, change, look back.",
    "test": "Run the scenarios of games or packs.",
    "mutate": "Find small changes of the rules that no scenario notices.",
    "simulate": "Play many games and report how they end and who wins.",
    "ladder": "Rate agents by games against one another.",
    "balance": "Compare a game with packs to the game without.",
    "coverage": "Show the rules and scenarios of each clause.",
    "explain": "Explain a diagnostic code, or a clause of a rulebook.",
    "dump": "Print the compiled rules of a game.",
    "profile": "Report the cost of each definition and line.",
    "graph": "Draw phases, triggers, keywords or components of a game.",
    "docs": "Write the rulebook of a game from its rules.",
    "fmt": "Format the effect texts of rule files.",
    "disguise": "Write the same game under other names and words.",
    "migrate": "Rewrite rule files for the present version of the language.",
    "lsp": "Start the language server for editors.",
    "lock": "Write the lock file of a core, or compare it.",
    "check-expansion": "Check packs against the contract of their core.",
    "contract": "Print what packs may do to a core.",
    "compat": "Check the packs of a game together, pair by pair.",
    "pack": "Write a pack as one file.",
    "install": "Install packs from files.",
    "new": "Start a game or a pack of your own.",
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
        """The console script: run, and leave with an exit code: 0 fine, 1 diagnostics, 2 misuse."""
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
    """Write tabletop games as data: check, play, test and measure them.

    GAME and TARGET are the name of a shipped game or pack (see `ruleforge games`) or a path.

    \b
    Example:
      ruleforge play my-game
    """
    ctx.ensure_object(Output)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; a user's mistake never shows a traceback."""
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
    """Discard the output when its reader is gone, so that the interpreter reports nothing at the last flush."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())


if __name__ == "__main__":
    main()
