"""Players and colours -> names of colours, the same on every device; never the only sign of a difference."""

from __future__ import annotations

PALETTE = ("red", "blue", "green", "magenta", "cyan", "yellow")
NAMED = {*PALETTE, "white", "black"}


def colour_of(of: str, players: tuple[str, ...]) -> str:
    """The colour somebody or something is called after; players without one get one; empty for none."""
    if of in NAMED:
        return of
    if of not in players:
        return ""
    free = [colour for colour in PALETTE if colour not in players]
    return (free or list(PALETTE))[players.index(of) % len(free or PALETTE)]
