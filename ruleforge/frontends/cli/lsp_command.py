"""`ruleforge lsp`: the language server that editors start."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ruleforge.frontends.cli.output import leave, say

MISSING = 'the language server is an extra; install it with: pip install "ruleforge[editor]"'


@click.command("lsp")
def command() -> None:
    """Start the language server for editors: diagnostics as you type, completion, hover, definitions, renaming.

    An editor starts this command and speaks the Language Server Protocol with it over standard input and
    output. The server reads saved and unsaved files of a game or pack and reports the same mistakes as
    `ruleforge validate`.

    \b
    Example:
      ruleforge lsp
    """
    if find_spec("pygls") is None:
        say(f"error: {MISSING}", err=True)
        leave(2)
    from ruleforge.frontends.lsp.server import serve

    try:
        code = serve()
    except ValueError:  # a header that cannot be read; what is wrong inside a message is answered
        say("error: the input is not the Language Server Protocol", err=True)
        leave(1)
    leave(code)
