"""Two programs -> whether everything that can be played, seen and asked is the same in both."""

from __future__ import annotations

from dataclasses import fields

from ruleforge.compiler import ir

# Where things are written, and what is said about it: a change moves that without changing play.
_ABOUT = frozenset(
    ("written", "notes", "faults", "actions", "endings", "invariants", "modifiers", "identity")
)


def same_play(one: ir.Program, other: ir.Program) -> bool:
    """All functions, tables and questions are equal, apart from where they are written."""
    names = [field.name for field in fields(ir.Program) if field.name not in _ABOUT]
    return all(_plain(getattr(one, name)) == _plain(getattr(other, name)) for name in names)


def _plain(value: object) -> object:
    """A value without places of files."""
    if isinstance(value, tuple) and value and isinstance(value[0], ir.Site):
        return tuple(map(_site, value))
    if isinstance(value, tuple) and value and isinstance(value[0], ir.FormulaInfo):
        return tuple((f.name, f.kinds, f.function, f.sees, f.type, f.base) for f in value)
    return value


def _site(site: ir.Site) -> object:
    options = tuple((o.first, o.count, o.word, o.parts, o.action, o.usual) for o in site.options)
    return (
        site.kind,
        site.enumerator,
        options,
        site.chance,
        site.sampler,
        site.sees,
        site.sealed,
        site.gathered,
    )
