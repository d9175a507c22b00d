"""Find the things that effects certainly move or show in the open. From then on they are not secret."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t
from ruleforge.lang.checker.walk import used_variables

Opened = frozenset[t.Variable | t.Content]  # variables that hold what lies in the open, places that are shown


def opened_by(statements: tuple[t.Statement, ...]) -> set[t.Variable | t.Content]:
    """The variables whose things certainly come to lie in the open, and the places that are shown."""
    found: set[t.Variable | t.Content] = set()
    for node in statements:
        match node:
            case t.Move(thing=t.Use(variable=moved), place=place) if not place.hidden:
                found.add(moved)
            case t.Show(what=t.Use(variable=shown)) if not isinstance(node, t.Tell):
                found.add(shown)  # whether it may be shown is asked elsewhere
            case t.Show(what=t.Content() as shown) if not isinstance(node, t.Tell):
                found.add(shown)
            case t.If(branches=branches, otherwise=t.Block() as otherwise):
                ways = [*(body for _, body in branches), otherwise]
                found |= set.intersection(*(opened_by(way.statements) for way in ways))
            case t.Together(body=body):
                found |= opened_by(body.statements)
            case t.Perform(event=event, arguments=arguments) if event.body is not None:
                inside = opened_by(event.body.statements)
                pairs = zip(event.parameters, arguments, strict=False)
                found |= {a.variable for p, a in pairs if p in inside and isinstance(a, t.Use)}
    return found


def shows_itself(event: t.Event, parameter: t.Variable) -> bool:
    """Whether an event only names a thing that it moves into the open, where every player sees it."""
    uses = [s for s in (event.body.statements if event.body else ()) if parameter in used_variables(s)]
    return bool(uses) and all(
        isinstance(s, t.For)
        and parameter not in used_variables(s.body)
        and s.binder.variable in opened_by(s.body.statements)
        for s in uses
    )
