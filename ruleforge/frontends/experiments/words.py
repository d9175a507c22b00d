"""Figures of many games -> the words that text and page have in common."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ruleforge.frontends.experiments.summary import standing_out


def games(count: int) -> str:
    return "1 game" if count == 1 else f"{count} games"


def spread(found: dict[str, float]) -> str:
    if found["min"] == found["max"]:
        return f"always {found['min']}"
    return f"{found['min']} to {found['max']}, mean {found['mean']:.2f}, median {found['median']}"


def told_for_sure(uses: Collection[dict[str, Any]]) -> str:
    """How many of them win or lose for sure."""
    found = len(standing_out(uses))
    verdict = (
        "none wins or loses" if not found else "1 wins or loses" if found == 1 else f"{found} win or lose"
    )
    return f"of {len(uses)} actions, things and keywords {verdict} for sure"
