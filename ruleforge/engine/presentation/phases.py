"""The flow of a game and the phase it is in -> the phases around that one that have titles, in order."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.backends.artifacts.info import PhaseInfo

Around = tuple[tuple[str, bool], ...]


def phases_around(flow: Sequence[PhaseInfo], name: str) -> Around:
    """Titles of the outermost row of phases of which one is, or holds, the phase of this name."""
    here = next((phase for phase in flow if _holds(phase, name)), None)
    if here is None:
        return ()
    titled = [phase for phase in flow if phase.title]
    if len(titled) > 1 and here in titled:
        return tuple((phase.title, phase is here) for phase in titled)
    return phases_around(here.steps, name)


def _holds(phase: PhaseInfo, name: str) -> bool:
    return phase.name == name or any(_holds(step, name) for step in phase.steps)
