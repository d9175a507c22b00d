"""The report of an experiment: one self-contained page with plots."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from ruleforge.tools.experiments.rows import CannotWriteResults, check_place

MISSING = 'plots need an extra; install it with: pip install "ruleforge[report]"'


def check_report(path: Path) -> None:
    """Raises CannotKeep if a page could not go there, or not be drawn."""
    if path.suffix not in (".html", ".htm"):
        raise CannotWriteResults(f"`{path}` is not `NAME.html`")
    check_place(path)
    if find_spec("matplotlib") is None:
        raise CannotWriteResults(MISSING)
