"""RF703: a phase or action that is never reached; RF704: a window in which there is nothing to do."""

from __future__ import annotations

from collections.abc import Sequence

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.everything import phases
from ruleforge.support.diagnostics import Report
from ruleforge.support.spelling import once_more


def check(rules: t.Checked, _: Sequence[object], report: Report) -> None:
    open_phases = {p.name for p in phases(rules) if p.window}
    shut: dict[str, list[t.Action]] = {}  # by where they would be offered: a lost window is one mistake
    for action in rules.actions.values():
        if not any(name in open_phases or name in rules.windows for name in action.during):
            where = " or ".join(f"`{name}`" for name in action.during) or "any phase"
            shut.setdefault(where, []).append(action)
    for where, (first, *others) in shut.items():
        report.add(
            "RF703",
            f"the action `{first.name}` is never offered: {where} has no window",
            first.span,
            "give the phase a `window`, or name another one in `during`",
            ((once_more(len(others)), others[0].span),) if others else (),
        )
    offered = {name for action in rules.actions.values() for name in action.during}
    for phase in phases(rules):
        if isinstance(phase.when, t.Constant) and not phase.when.value:
            report.add("RF703", f"the phase `{phase.name}` is never entered", phase.span)
        if phase.window and phase.name not in offered:
            report.add("RF704", f"there is nothing to do in the window of `{phase.name}`", phase.span)
    for window in rules.windows.values():
        if window.name not in offered and not window.open:
            report.add("RF704", f"there is nothing to do in the window `{window.name}`", window.span)
