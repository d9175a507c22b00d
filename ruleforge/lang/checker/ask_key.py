"""Checks the key `ask` of phases and windows, and the keys that it cannot stand beside."""

from __future__ import annotations

from ruleforge.lang.checker.symbols import Symbols
from ruleforge.lang.model import ruleset as m

ALWAYS, IF_ANYTHING = "always", "when there is a choice"


def asking(occasion: m.Phase | m.Window, symbols: Symbols) -> str | None:
    """The value of `ask`. Only a window that can be declined has an answer where nothing can be done."""
    if occasion.ask is None:
        return None
    if occasion.window not in ("maybe", "many"):
        help = "write `window: maybe` or `window: many`, or leave `ask` out"
        symbols.error("RF506", f"`{occasion.id}` has no window that can be declined", occasion.span, help)
        return None
    if occasion.openly:
        symbols.error("RF506", "`ask` and `openly` say the same", occasion.span, "leave `openly` out")
        return None
    return occasion.ask
