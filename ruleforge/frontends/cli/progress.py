"""A progress bar on standard error for long commands."""

from __future__ import annotations

import sys

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ruleforge.frontends.cli.output import output


def progress_bar(words: str, total: int, silent: bool) -> Progress:
    """A bar with one task; nothing is shown if it is silent or there is no terminal."""
    progress = Progress(
        TextColumn(words),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=output().console(stderr=True),
        transient=True,
        disable=silent or not sys.stderr.isatty(),
    )
    progress.add_task(words, total=total)
    return progress
