"""The report of an experiment, as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from ruleforge.frontends.cli.output import say
from ruleforge.tools.experiments.summary import (
    effect_on_wins,
    first_player,
    games,
    named,
    spread,
    standing_out,
    won_by,
)

MOST = 10  # rows of a table of uses
NAMES = 8  # names in a list
Row = tuple[str, ...]


def show(title: str, data: dict[str, Any], again: str, console: Console) -> None:
    """Print a report; `again` is the command that repeats games of it."""
    speed = data["timing"]["decisions_per_second"]
    console.print(
        Text(title, "bold").append(f": {games(data['games'])}, {speed:,} decisions per second", "not bold")
    )
    _show_table("Endings", _endings(data))
    shared = sum(data["wins"].values()) + data["draws"] + data["lost"] > data["finished"]
    _show_table("Wins (a shared win counts for each winner)" if shared else "Wins", _wins(data))
    say()
    for sentence in (*first_player(data), *_figures(data)):
        say(sentence)
    if "measures" in data:
        _show_measures(data, data["measures"])
    _show_trouble(data, again, console)


def _show_table(heading: str, rows: list[Row]) -> None:
    if rows:
        say(f"\n{heading}")
        say_aligned([(f"  {name}", *rest) for name, *rest in rows])


def _endings(data: dict[str, Any]) -> list[Row]:
    unfinished = [
        (f"not finished after {data['limit']} decisions", data["cut_off"]),
        ("failed", data["failed"]),
    ]
    counts = [*data["endings"].items(), *(row for row in unfinished if row[1])]
    return [(name, f"{count}", _share(count, data)) for name, count in counts]


def _wins(data: dict[str, Any]) -> list[Row]:
    rows: list[Row] = [
        (name, f"{count}", percent(share["value"]), f"95 % interval: {_range(share)}")
        for name, count, share in won_by(data)
    ]
    others = (("draw", "draws"), ("lost by all", "lost"))
    return rows + [
        (word, f"{data[name]}", _share(data[name], data), "") for word, name in others if data[name]
    ]


def _share(count: int, data: dict[str, Any]) -> str:
    return percent(count / max(data["games"], 1))


def _figures(data: dict[str, Any]) -> Iterator[str]:
    if data["finished"]:
        scores = ", ".join(f"{player} {score:+.3f}" for player, score in data["mean_scores"].items())
        yield f"Mean scores: {scores}."
    yield f"Decisions in a game: {spread(data['length'])}."
    for text, found in data.get("counts", {}).items():
        values = spread(found) if "mean" in found else ", ".join(f"{v} {n}" for v, n in found.items())
        yield f"{text} in a game: {values}"


def _show_measures(data: dict[str, Any], found: dict[str, Any]) -> None:
    say(f"Choices in a decision: {spread(found['branching'])}. {percent(found['forced'])} left one choice.")
    if data["even_share"] is not None:
        _show_leads(found)
    for agent, seconds in data["timing"]["decision_seconds"].items():
        if agent != "random":
            mean, most = 1000 * seconds["mean"], 1000 * seconds["max"]
            say(f"{agent} used {mean:.2f} ms for a decision, {most:.1f} ms at most.")
    _show_uses(found["uses"])
    _show_never(found["never_offered"])


def _show_leads(found: dict[str, Any]) -> None:
    if found["led"]:
        say(f"Lead changes in a game: {spread(found['lead_changes'])}, by {found['ahead_by']}.")
        say(f"Drama: {spread(found['drama'])}." if found["drama"] else "Drama: no game was won.")
    else:
        advice = "" if "random" in found["ahead_by"] else " Try --chances 20."
        say(f"No player was ahead at any time, by {found['ahead_by']}.{advice}")


def _show_uses(uses: list[dict[str, Any]]) -> None:
    if not uses:
        return
    found = standing_out(uses)
    say(f"\n{effect_on_wins(uses)}")
    if not found:
        return
    rows: list[Row] = [("  element", "used in", "win difference", "95 % interval")]
    for use in found[:MOST]:
        gain = use["win_difference"]
        ends = f"{signed(gain['low'])} to {signed(gain['high'])}"
        rows.append((f"  {named(use)}", percent(use["used_in"]), signed(gain["value"]), ends))
    say_aligned(rows)
    if len(found) > MOST:
        say(f"  {len(found) - MOST} more: see --json or --report")


def _show_never(found: Iterable[dict[str, Any]]) -> None:
    by_sort: dict[str, list[str]] = {}
    for mark in found:
        by_sort.setdefault(mark["kind"] or mark["what"], []).append(mark["name"])
    for sort, names in by_sort.items():
        more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
        say(f"Never playable: {sort} {', '.join(names[:NAMES])}{more}.")


def _show_trouble(data: dict[str, Any], again: str, console: Console) -> None:
    for stop in data["stopped"]:
        waited = f" The last question to {stop['player']}: {stop['asked']}" if stop["player"] else ""
        say(f"Game {stop['game']} did not end: {stop['why']}.{waited}")
        if stop["lately"]:
            lately = ", ".join(f"{count} {name}" for name, count in stop["lately"].items())
            say(f"  Its last decisions: {lately}")
    if data["stopped"]:
        number = data["stopped"][0]["game"]
        say(f"  Repeat it: {again} --first {number} --games 1 --decisions game.csv")
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
