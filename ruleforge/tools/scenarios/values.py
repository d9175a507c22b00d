"""Compares values of a position with those in a scenario."""

from __future__ import annotations

from typing import Any

from ruleforge.engine.state import State

HIDDEN = "hidden"


def seen(state: State, view: dict[str, Any], path: str, wanted: Any = None) -> Any:
    """A path as a view shows it: `hidden` for an attribute left out and for each thing not shown.

    If the scenario writes marks on hidden things, the result gives their marks.
    """
    state[path]  # an unknown path is a mistake, not a secret
    short = state.canonical(path)
    if short in view["attributes"]:
        return view["attributes"][short]
    if short in view["places"]:
        content = view["places"][short]
        if isinstance(content, list):
            marked = isinstance(wanted, list) and any(isinstance(entry, dict) for entry in wanted)
            names = [_named(name, marked) for name in content]
            if marked:
                return names
            return HIDDEN if names and set(names) == {HIDDEN} else names
        return _named(content, isinstance(wanted, dict))
    if path.startswith(("decision.", "outcome.")):
        head, _, name = path.partition(".")
        return None if view[head] is None else _named(view[head][name], marked=False)
    return HIDDEN


def _named(entry: Any, marked: bool) -> Any:
    if marked and isinstance(entry, dict):
        return entry["?"]
    return HIDDEN if _anonymous(entry) else entry


def _anonymous(entry: Any) -> bool:
    return entry == "?" or isinstance(entry, dict)


def equal(found: Any, wanted: Any, ordered: bool = False) -> bool:
    """Whether a value is the one written down; the order of a list counts only where the rules keep one."""
    if found is None:
        return wanted in (None, "none")
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(name in found and found[name] == value for name, value in wanted.items())
    if isinstance(found, list) and isinstance(wanted, list):
        return found == wanted or (not ordered and sorted(map(str, found)) == sorted(map(str, wanted)))
    if isinstance(found, bool) != isinstance(wanted, bool):
        return False
    return bool(found == wanted)


def shown(value: Any) -> str:
    """A value as scenarios write it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return f"[{', '.join(map(shown, value))}]"
        case dict():
            return f"{{{', '.join(f'{name}: {shown(entry)}' for name, entry in value.items())}}}"
    return str(value)
