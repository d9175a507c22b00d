"""Sentences about an experiment that its text and its page share."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ruleforge.support.spelling import counted
from ruleforge.tools.experiments.summary import standing_out


def games(count: int) -> str:
    return counted(count, "game")


def won_by(data: dict[str, Any]) -> list[tuple[str, int, dict[str, float]]]:
    """The wins of seats, teams and agents, with their share; empty if no game ended."""
    rows = [(seat, data["wins"][seat], share) for seat, share in data["win_shares"].items()]
    for sort in ("teams", "agents"):
        rows += [(name, found["wins"], found["share"]) for name, found in data.get(sort, {}).items()]
    return [(name, wins, share) for name, wins, share in rows if share is not None]


def first_player(data: dict[str, Any]) -> Iterator[str]:
    """The share of decided games that the first player won, and the share expected without an advantage."""
    found = data["first_seat_advantage"]
    if found:
        even = data["even_share"]
        value, low, high = (100 * (found[name] + even) for name in ("value", "low", "high"))
        who = "first player's team" if data.get("teams") else "first player"
        expected = f"expected: {100 * even:.3g} %, 95 % interval: {low:.1f} to {high:.1f} %"
        yield f"The {who} won {value:.1f} % of decided games ({expected})."


def spread(found: dict[str, float]) -> str:
    least, most, median = (_figure(found[name]) for name in ("min", "max", "median"))
    return (
        f"always {least}"
        if least == most
        else f"{least} to {most}, mean {found['mean']:.2f}, median {median}"
    )


def _figure(value: float) -> str:
    """Whole numbers as they are, all others as exactly as a mean."""
    return f"{value:.2f}" if isinstance(value, float) else f"{value}"


def effect_on_wins(uses: Collection[dict[str, Any]]) -> str:
    """How many of them have a significant effect on wins."""
    found = len(standing_out(uses))
    verb = "changes" if found == 1 else "change"
    return f"{found} of {counted(len(uses), 'measured element')} {verb} the win rate significantly."
