"""Teams: players with the same fact or attribute `team`."""

from __future__ import annotations

from collections.abc import Mapping

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.types import FLAG, SetT, ThingT

TEAM = ("player", "team")
Columns = Mapping[tuple[str, str], t.Column]


def members(team: t.Expr, columns: Columns) -> t.Expr | None:
    """The players of a team; None if this is no team of players."""
    column = columns.get(TEAM)
    if column is None or not isinstance(column.type, ThingT) or column.per:
        return None
    if team.type != ThingT(column.type.kind):
        return None
    player = t.Variable("p", ThingT("player"), team.span)
    own = t.Read(team.span, column.type, column, t.Use(team.span, player.type, player))
    same = t.Compare(team.span, FLAG, "==", own, team)
    source = t.All(team.span, SetT("player"), column.kind)
    return t.Selection(team.span, SetT("player"), t.Binder(team.span, player, source, None, same))


def teams_of(rules: t.Checked) -> dict[str, tuple[str, ...]]:
    """The teams that never change, each with its players in the order of their seats."""
    column = rules.columns.get(TEAM)
    if column is None or not column.constant or not isinstance(column.type, ThingT) or column.per:
        return {}
    kind, seats = rules.kinds[column.type.kind], column.kind.things
    return {
        name: tuple(seat for seat, own in zip(seats, column.values, strict=True) if own == number)
        for number, name in enumerate(kind.things, 1)
    }
