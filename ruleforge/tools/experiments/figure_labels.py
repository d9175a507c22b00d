"""Figures of many games -> the words that text and page have in common."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ruleforge.support.spelling import counted
from ruleforge.tools.experiments.summary import standing_out


def games(count: int) -> str:
    return counted(count, "game")


def won_by(data: dict[str, Any]) -> list[tuple[str, int, dict[str, float]]]:
    """Seats, teams and agents, each with its wins and their share; nobody where no game came to an end."""
    rows = [(seat, data["wins"][seat], share) for seat, share in data["win_shares"].items()]
    for sort in ("teams", "agents"):
        rows += [(name, found["wins"], found["share"]) for name, found in data.get(sort, {}).items()]
    return [(name, wins, share) for name, wins, share in rows if share is not None]


def side_word(data: dict[str, Any]) -> str:
    return "side" if data.get("teams") else "seat"


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


def significance_summary(uses: Collection[dict[str, Any]]) -> str:
    """How many of them win or lose for sure."""
    found = len(standing_out(uses))
    verdict = (
        "none wins or loses" if not found else "1 wins or loses" if found == 1 else f"{found} win or lose"
    )
    return f"of {len(uses)} actions, things and keywords {verdict} for sure"
