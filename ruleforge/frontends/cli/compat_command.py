"""`ruleforge compat`: packs in one another's company, judged and played."""

from __future__ import annotations

import click

from ruleforge.compatibility import GAMES, Meeting, meetings
from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import PackType, game_argument
from ruleforge.frontends.cli.output import colour_option, complain, leave, print_json, say


@click.command("compat")
@game_argument
@click.argument("packs", type=PackType(), metavar="[PACK]...", nargs=-1)
@click.option("--games", type=click.IntRange(0), default=GAMES, show_default=True, help="Random games each.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed plays the same games.")
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
@colour_option
def command(game: str, packs: tuple[str, ...], games: int, seed: int, as_json: bool) -> None:
    """Judge every pair of packs and all of them together, and play random games with each.

    Without packs those that lie beside the game are taken. Exit code 0: all go together; 1: some do not.

    \b
    Example:
      ruleforge compat my-game
      ruleforge compat my-game one-pack another-pack --games 50
    """
    found: list[Meeting] = []
    try:
        for meeting in meetings(game, packs, games, seed):
            found.append(meeting)
            if not as_json:
                say(_line(meeting))
    except RulesetError as error:
        complain(error.diagnostics)
        leave(1)
    if as_json:
        print_json([meeting.to_json() for meeting in found])
    if not all(meeting.is_fine for meeting in found):
        leave(1)


def _line(meeting: Meeting) -> str:
    parts = [f"{' + '.join(meeting.packs)}: {meeting.verdict}"]
    if meeting.games:
        ends = ", ".join(f"{name} {count}" for name, count in sorted(meeting.endings.items()))
        parts.append(f"{meeting.games} games" + (f" ({ends})" if ends else ""))
    if meeting.troubles:
        parts.append(", ".join(f"{code} {count} times" for code, count in sorted(meeting.troubles.items())))
    lines = [", ".join(parts)]
    lines += [f"  {fault.place}: [{fault.code}] {fault.why}" for fault in meeting.faults]
    return "\n".join(lines)
