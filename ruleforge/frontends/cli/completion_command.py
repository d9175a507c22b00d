"""`ruleforge completion`: what a shell needs to complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from ruleforge.frontends.cli.output import colour_option


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@colour_option
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Example (for bash, in ~/.bashrc):
      eval "$(ruleforge completion bash)"
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "ruleforge", "_RULEFORGE_COMPLETE").source())
