"""Actions that say `manner` -> actions that say themselves what they have in common with others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ruleforge.lang.model.ruleset import Action, Kind, Manner, Ruleset
from ruleforge.lang.source.error_nodes import ErrorNodes
from ruleforge.support.diagnostics import Report
from ruleforge.support.spelling import did_you_mean, listed


def with_manners(whole: Ruleset, report: Report) -> Ruleset:
    """All manners as part of the actions that have them; what stands on them needs to know nothing of manners."""
    if not whole.manners and not any(action.manner for action in _all(whole)):
        return whole
    table = _Table({manner.id: manner for manner in whole.manners}, whole.holes, report)
    found = replace(
        whole,
        actions=table.filled(whole.actions),
        kinds=tuple(map(table.of_kind, whole.kinds)),
        keywords=tuple(replace(word, actions=table.filled(word.actions)) for word in whole.keywords),
    )
    for manner in whole.manners:
        if manner.id not in table.used and not whole.holes.anything:
            report.add("RF702", f"no action has the manner `{manner.id}`", manner.span)
    return found


def _all(whole: Ruleset) -> list[Action]:
    found = [*whole.actions, *(action for keyword in whole.keywords for action in keyword.actions)]
    for kind in whole.kinds:
        found += [*kind.actions, *(action for thing in kind.things for action in thing.actions)]
    return found


class _Table:
    def __init__(self, manners: Mapping[str, Manner], holes: ErrorNodes, report: Report) -> None:
        self._manners, self._holes, self._report = manners, holes, report
        self.used: set[str] = set()

    def of_kind(self, kind: Kind) -> Kind:
        things = tuple(replace(thing, actions=self.filled(thing.actions)) for thing in kind.things)
        return replace(kind, things=things, actions=self.filled(kind.actions))

    def filled(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        return tuple(self._filled(action) for action in actions)

    def _filled(self, action: Action) -> Action:
        if action.manner is None:
            return action
        name = action.manner.text.strip()
        manner = self._manners.get(name)
        if manner is None and self._holes.may_hold(name):
            return action
        if manner is None:
            known = listed(sorted(self._manners), "and")
            hint = did_you_mean(name, self._manners) or (f"there are {known}" if known else "")
            self._report.add("RF308", f"there is no manner `{name}`", action.manner.span, hint or None)
            return action
        self.used.add(name)
        if action.cost is not None and manner.cost is not None:
            message = f"`{action.id}` has a cost, and so has its manner `{name}`"
            self._report.add("RF308", message, action.cost.span, "keep one of the two costs")
        return replace(
            action,
            during=action.during or manner.during,
            needs=(*manner.needs, *action.needs),
            joined=action.joined or manner.joined,
            limit=action.limit or manner.limit,
            works=action.works or manner.works,
            cost=action.cost or manner.cost,
            holds=(*manner.holds, *action.holds),
            sees=action.sees or manner.sees,
        )
