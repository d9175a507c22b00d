"""Phases of packs -> their places in the flow of the game."""

from __future__ import annotations

from dataclasses import replace

from ruleforge.lang.model.pack import Pack
from ruleforge.lang.model.ruleset import Phase
from ruleforge.lang.packs.clashes import Clashes
from ruleforge.lang.packs.origins import stamped_phase

Flow = tuple[Phase, ...]
Hooks = dict[tuple[str, str], Flow]  # (side, phase) -> what hangs there


def hang(flow: Flow, packs: tuple[Pack, ...], clashes: Clashes) -> Flow:
    """The flow with the phases of all packs in it; those at one place come in the order of the packs."""
    names = phase_names(flow) + [
        name for pack in packs for hung in pack.hung for name in phase_names(hung.phases)
    ]
    hooks: Hooks = {}
    for pack in packs:
        for hung in pack.hung:
            if hung.phase not in names:
                clashes.unknown("phase", hung.phase, hung.span, names)
            more = tuple(stamped_phase(phase, pack.manifest.id) for phase in hung.phases)
            hooks[hung.side, hung.phase] = (*hooks.get((hung.side, hung.phase), ()), *more)
    return _with(flow, hooks)


def phase_names(flow: Flow) -> list[str]:
    """The names of all phases, those inside others too."""
    return [name for phase in flow for name in (phase.id, *phase_names(phase.steps))]


def _with(flow: Flow, hooks: Hooks) -> Flow:
    """Every phase between what hangs before and after it; each hook is used up where it is met."""
    found: list[Phase] = []
    for phase in flow:
        before, after, first, last = (
            hooks.pop((side, phase.id), ()) for side in ("before", "after", "first in", "last in")
        )
        steps = _with((*first, *phase.steps, *last), hooks)
        found += [*_with(before, hooks), replace(phase, steps=steps), *_with(after, hooks)]
    return tuple(found)
