"""What many games came to -> one page with plots that needs nothing else."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from ruleforge.frontends.experiments.files import CannotKeep
from ruleforge.reading import is_folder

MISSING = (
    'plots are drawn by an extra that is not installed; install it with: pip install "ruleforge[report]"'
)


def check_report(path: Path) -> None:
    """Raises CannotKeep if a page could not go there, or not be drawn."""
    if path.suffix not in (".html", ".htm"):
        raise CannotKeep(f"`{path}` is not `NAME.html`")
    if not is_folder(path.parent):
        raise CannotKeep(f"there is no folder `{path.parent}`")
    if find_spec("matplotlib") is None:
        raise CannotKeep(MISSING)
