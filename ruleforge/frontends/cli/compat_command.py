"""`ruleforge compat`: pack sets, judged and played."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import click

from ruleforge.engine.errors import RulesetError
from ruleforge.frontends.cli.arguments import PackType, game_argument
from ruleforge.frontends.cli.output import colour_option, leave, print_diagnostics, print_json, say
from ruleforge.frontends.cli.progress import progress_bar
from ruleforge.support.spelling import counted
from ruleforge.tools.pack_compatibility import GAMES, Meeting, meetings, those_who_meet


@click.command("compat")
@game_argument
@click.argument("packs", type=PackType(), metavar="[PACK]...", nargs=-1)
@click.option(
    "--games", type=click.IntRange(0), default=GAMES, show_default=True, help="Random games with each set."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the games: same seed, same games."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@colour_option
def command(game: str, packs: tuple[str, ...], games: int, seed: int, as_json: bool) -> None:
    """Check every pair of packs and all of them together, and play random games with each set.

    Without PACK, all packs of the game are checked. Exit code 0: all fit together; 1: some do not.

    \b
    Example:
      ruleforge compat my-game
      ruleforge compat my-game one-pack another-pack --games 50
    """
    found: list[Meeting] = []
    try:
        names = those_who_meet(game, packs)
        table = _Table(names)
        with progress_bar("judging and playing", table.rows, as_json) as progress:
            for meeting in meetings(game, names, games, seed):
                found.append(meeting)
                progress.advance(progress.task_ids[0])
                if not as_json:
                    say(table.row(len(found), meeting))
    except RulesetError as error:
        print_diagnostics(error.diagnostics)
        leave(1)
    wrong = sum(not meeting.is_fine for meeting in found)
    if as_json:
        print_json([meeting.to_json() for meeting in found])
    elif not found:
        say(f"`{game}` has fewer than two packs")
    else:
        say(f"{wrong} of {len(found)} do not fit together" if wrong else "all fit together")
    if wrong:
        leave(1)


class _Table:
    """The rows of the pack sets, each printed as soon as it is known."""

    def __init__(self, names: tuple[str, ...]) -> None:
        pairs = [" + ".join(_short(pair)) for pair in combinations(names, 2)]
        self.rows = len(pairs) + (len(names) > 2 or len(names) == 1)
        self._width = max(map(len, (*pairs, *_short(names))), default=0)

    def row(self, number: int, meeting: Meeting) -> str:
        whole = len(meeting.packs) > 2
        who = f"all {len(meeting.packs)}" if whole else " + ".join(_short(meeting.packs))
        parts = [f"{number:>{len(str(self.rows))}}/{self.rows}  {who:<{self._width}}  {meeting.verdict:<8}"]
        if meeting.games:
            ends = ", ".join(f"{name} {count}" for name, count in sorted(meeting.endings.items()))
            parts.append(counted(meeting.games, "game") + (f": {ends}" if ends else ""))
        if meeting.troubles:
            troubles = sorted(meeting.troubles.items())
            parts.append(
                "stopped by " + ", ".join(f"{code} ({counted(count, 'time')})" for code, count in troubles)
            )
        lines = ["  ".join(parts).rstrip()]
        lines += [f"  {fault.place}: [{fault.code}] {fault.why}" for fault in meeting.faults]
        return "\n".join(lines)


def _short(packs: tuple[str, ...]) -> list[str]:
    """Packs by the names of their folders."""
    return [Path(pack).name for pack in packs]
