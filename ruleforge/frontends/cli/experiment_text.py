"""What many games came to, as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from ruleforge.frontends.cli.output import say
from ruleforge.tools.experiments.figure_labels import games, side_word, significance_summary, spread, won_by
from ruleforge.tools.experiments.summary import named, standing_out

MOST = 10  # rows of what stands out
NAMES = 8  # names in a list
Row = tuple[str, ...]


def show(title: str, data: dict[str, Any], again: str, console: Console) -> None:
    """`again` is the command that plays games of these once more."""
    speed = data["timing"]["decisions_per_second"]
    console.print(
        Text(title, "bold").append(f": {games(data['games'])}, {speed:,} decisions a second", "not bold")
    )
    say_aligned(_counts(data))
    _show_first_seat(data)
    if data["finished"]:
        scores = ", ".join(f"{player} {score:+.3f}" for player, score in data["mean_scores"].items())
        say(f"mean score: {scores}")
    say(f"decisions in a game: {spread(data['length'])}")
    for text, found in data.get("counts", {}).items():
        values = spread(found) if "mean" in found else ", ".join(f"{v} {n}" for v, n in found.items())
        say(f"{text} in a game: {values}")
    if "measures" in data:
        _show_measures(data, data["measures"])
    _show_trouble(data, again, console)


def _counts(data: dict[str, Any]) -> list[Row]:
    played = max(data["games"], 1)
    rows: list[Row] = []
    for name, count in data["endings"].items():
        rows.append((f"ended by {name}", f"{count}", percent(count / played), ""))
    for name, count, share in won_by(data):
        rows.append((f"won by {name}", f"{count}", percent(share["value"]), _range(share)))
    for name in ("draws", "lost", "cut_off", "failed"):
        if data[name]:
            rows.append((name.replace("_", " "), f"{data[name]}", percent(data[name] / played), ""))
    return rows


def _show_first_seat(data: dict[str, Any]) -> None:
    found = data["first_seat_advantage"]
    if found:
        value, low, high = (signed(found[name]) for name in ("value", "low", "high"))
        say(f"first seat: {value} of the games that one {side_word(data)} won ({low} to {high})")


def _show_measures(data: dict[str, Any], found: dict[str, Any]) -> None:
    forced = percent(found["forced"])
    say(f"choices in a decision: {spread(found['branching'])}; {forced} of them left no choice")
    if data["even_share"] is not None:
        _show_leads(found)
    for agent, seconds in data["timing"]["decision_seconds"].items():
        if agent != "random":
            mean, most = 1000 * seconds["mean"], 1000 * seconds["max"]
            say(f"{agent} thought {mean:.2f} ms for a decision, {most:.1f} ms at most")
    _show_uses(found["uses"])
    _show_never(found["never_offered"])


def _show_leads(found: dict[str, Any]) -> None:
    if found["led"]:
        say(f"lead changes in a game: {spread(found['lead_changes'])}, by {found['ahead_by']}")
        say(f"drama: {spread(found['drama'])}" if found["drama"] else "drama: no game was won")
    else:
        advice = "" if "random" in found["ahead_by"] else "; --chances 20 lets random games say who is"
        say(f"nobody was ever ahead by {found['ahead_by']}{advice}")


def _show_uses(uses: list[dict[str, Any]]) -> None:
    if not uses:
        return
    found = standing_out(uses)
    say(significance_summary(uses) + (":" if found else ""))
    if not found:
        return
    rows: list[Row] = []
    for use in found[:MOST]:
        gain = use["win_difference"]
        ends = f"{signed(gain['low'])} to {signed(gain['high'])}"
        rows.append((f"  {named(use)}", f"used in {percent(use['used_in'])}", signed(gain["value"]), ends))
    say_aligned(rows)
    if len(found) > MOST:
        say(f"  and {len(found) - MOST} more (--json, --report)")


def _show_never(found: Iterable[dict[str, Any]]) -> None:
    by_sort: dict[str, list[str]] = {}
    for mark in found:
        by_sort.setdefault(mark["kind"] or mark["what"], []).append(mark["name"])
    for sort, names in by_sort.items():
        more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
        say(f"never playable: {sort} {', '.join(names[:NAMES])}{more}")


def _show_trouble(data: dict[str, Any], again: str, console: Console) -> None:
    for stop in data["stopped"]:
        waited = f"; {stop['player']} was asked: {stop['asked']}" if stop["player"] else ""
        say(f"game {stop['game']} did not end, for {stop['why']}{waited}")
        if stop["lately"]:
            lately = ", ".join(f"{count} {name}" for name, count in stop["lately"].items())
            say(f"  of its last decisions: {lately}")
    if data["stopped"]:
        number = data["stopped"][0]["game"]
        say(f"  to look into it: {again} --first {number} --games 1 --decisions game.csv")
    for code, count in data["failures"].items():
        stopped = Text(f"{games(count)} {'was' if count == 1 else 'were'} stopped by {code}", "red")
        console.print(stopped.append(f"; see: ruleforge explain {code}", "default"))
    for name, count in data["violations"].items():
        broken = (
            f"there was a {name}" if name.startswith("breach ") else f"the invariant `{name}` did not hold"
        )
        console.print(f"in {games(count)} {broken}", style="red")


def say_aligned(rows: list[Row]) -> None:
    """The first column to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        say("  ".join((first.ljust(widths[0]), *cells)).rstrip())


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def signed(share: float) -> str:
    return f"{100 * share:+.1f} %"


def _range(found: dict[str, float]) -> str:
    return f"{100 * found['low']:.1f} to {100 * found['high']:.1f} %"
