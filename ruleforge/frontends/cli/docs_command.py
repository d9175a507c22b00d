"""`ruleforge docs`: writes the rulebook of a ruleset."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.frontends.cli.arguments import OutFile, game_argument, with_option
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, say
from ruleforge.support.output_files import write_text
from ruleforge.tools.rulebook.generator import book_of
from ruleforge.tools.rulebook.html import html
from ruleforge.tools.rulebook.markdown import markdown


@click.command("docs")
@game_argument
@click.option(
    "--out",
    type=OutFile(),
    help="Write to this file, .md or .html; otherwise Markdown is printed.",
)
@with_option
@colour_option
def command(game: str, out: Path | None, packs: tuple[str, ...]) -> None:
    """Write the rulebook of a game from its rules: components, set-up, turn, actions, cards, keywords, clauses.

    \b
    Example:
      ruleforge docs my-game --out my-game.html
      ruleforge docs my-game --with my-pack
    """
    if out is not None and out.suffix not in (".md", ".html"):
        raise click.BadParameter(f"`{out}` ends neither in .md nor in .html", param_hint="--out")
    book, diagnostics = book_of(game, packs)
    if book is None:
        print_diagnostics(diagnostics)
        leave(1)
    if out is None:
        say(markdown(book).removesuffix("\n"))
        return
    write_text(out, html(book) if out.suffix == ".html" else markdown(book))
    say(f"wrote {out}")
