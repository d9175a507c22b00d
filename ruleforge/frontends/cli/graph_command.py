"""`ruleforge graph`: pictures of rules."""

from __future__ import annotations

from pathlib import Path

import click

from ruleforge.frontends.cli.arguments import OutFile, game_argument, with_option
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, say
from ruleforge.project.resolver import analyse
from ruleforge.support.output_files import write_text
from ruleforge.support.spelling import counted, did_you_mean
from ruleforge.tools.graph.diagram import mermaid
from ruleforge.tools.graph.diagrams import SORTS, diagram_of
from ruleforge.tools.graph.layers import NoLayout
from ruleforge.tools.graph.svg import svg


@click.command("graph")
@game_argument
@click.argument("sort", type=click.Choice(SORTS), default=SORTS[0], metavar="[" + "|".join(SORTS) + "]")
@click.option("--around", metavar="NAME", help="Show only the neighbours of this event, rule, place, ...")
@click.option(
    "--out",
    type=OutFile(),
    help="Write to this file, .svg or .mmd (Mermaid); otherwise Mermaid is printed.",
)
@with_option
@colour_option
def command(game: str, sort: str, around: str | None, out: Path | None, packs: tuple[str, ...]) -> None:
    """Draw the phases of a game, its triggers, its keywords, the moves of components, or the changes of
    counters.

    \b
    Example:
      ruleforge graph my-game
      ruleforge graph my-game triggers --around draw --out draw.svg
    """
    if out is not None and out.suffix not in (".svg", ".mmd"):
        raise click.BadParameter(f"`{out}` ends neither in .svg nor in .mmd", param_hint="--out")
    analysis = analyse(game, packs)
    if not analysis.complete or analysis.ruleset is None or analysis.checked is None:
        print_diagnostics(analysis.diagnostics)
        leave(1)
    diagram = diagram_of(analysis.ruleset, analysis.checked, sort)
    if around:
        known = [name for box in diagram.boxes for name in (box.label, box.id.partition(" ")[2])]
        if around not in known:
            raise click.BadParameter(
                f"`{around}` is not in the {sort} of this game; {did_you_mean(around, known) or 'leave out `--around`'}",
                param_hint="--around",
            )
        diagram = diagram.around(around)
    if not diagram.boxes:
        say(f"{diagram.title}: nothing to draw")
        return
    if out is None:
        say(mermaid(diagram).removesuffix("\n"))
        return
    try:
        write_text(out, svg(diagram) if out.suffix == ".svg" else mermaid(diagram))
    except NoLayout:
        say(
            'error: pictures with arrows need: pip install "ruleforge[graph]" (a .mmd file needs nothing)',
            err=True,
        )
        leave(2)
    arrows = len(diagram.arrows)
    boxes = len(diagram.boxes)
    say(f"wrote {out}: {boxes} {'box' if boxes == 1 else 'boxes'}, {counted(arrows, 'arrow')}")
