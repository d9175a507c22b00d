"""Look up a backend by name, or report the extra to install."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from ruleforge.backends import native
from ruleforge.backends.api import Backend, Searching
from ruleforge.backends.faults import OutOfRoom
from ruleforge.compiler.ir import Program
from ruleforge.support.diagnostics import NOWHERE, Report
from ruleforge.support.spelling import did_you_mean, listed

BACKENDS = {
    "auto": "ruleforge.backends.auto",
    "python": "ruleforge.backends.cached_python",
    "native": "ruleforge.backends.native.cached",
    "reference": "ruleforge.backends.reference",
}


def backend(name: str) -> Backend:
    """The backend of this name; what it needs is there."""
    return cast(Backend, import_module(BACKENDS[name]))


def best_for_many_games() -> str:
    """The name of the quickest backend that is installed."""
    return "python" if native.missing() is not None else "native"


def searching(program: Program) -> Searching | None:
    """The native search of a program. None if it is not installed or has no room."""
    if native.missing() is not None:
        return None
    try:
        return cast(Searching, backend("native").compile(program))
    except OutOfRoom:
        return None


def check_backend(name: str, report: Report) -> None:
    """Report a backend that does not exist or cannot be used here."""
    if name not in BACKENDS:
        hint = did_you_mean(name, BACKENDS) or f"it is {listed(BACKENDS)}"
        report.add("RF843", f"there is no backend `{name}`", NOWHERE, hint)
        return
    extra = native.missing() if name == "native" else None
    if extra is not None:
        report.add("RF843", f"the backend `{name}` is not installed", NOWHERE, f'pip install "{extra}"')
