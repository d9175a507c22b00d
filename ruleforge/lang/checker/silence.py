"""Whether what follows a choice shows everybody that something was chosen."""

from __future__ import annotations

from ruleforge.lang.checker import typed as t

OPEN = (t.Finish, t.Leave, t.Roll, t.Choose, t.Pick, t.Sealed, t.Offer, t.New, t.Remove)


def is_silent(body: t.Block | None, sources: tuple[t.Expr, ...] = ()) -> bool:
    """Whether nothing in it is sure to be noticed. `sources` is where the chosen things come from."""
    within = {place for source in sources for place in _places(source)}
    return not _shows(body, within, set())


def _shows(body: t.Block | None, within: set[t.Place], met: set[t.Event]) -> bool:
    for node in body.statements if body is not None else ():
        match node:
            case t.Store(column=column):
                shown = not column.hidden
            case t.Move(place=place):
                shown = place not in within or not place.hidden
            case t.Pay(pools=pools):
                shown = any(not pool.column.hidden for pool in pools)
            case t.Show(to=to):
                shown = isinstance(to, t.All)
            case t.Together(body=inner):
                shown = _shows(inner, within, met)
            case t.Perform(event=event) if event not in met:
                met.add(event)
                shown = _shows(event.body, within, met)
            case _:
                shown = isinstance(node, OPEN)
        if shown:
            return True
    return False


def _places(source: t.Expr) -> tuple[t.Place, ...]:
    match source:
        case t.Content(place=place) | t.Family(place=place):
            return (place,)
        case t.Arithmetic(left=left, right=right):
            return (*_places(left), *_places(right))
    return ()
