"""Files that somebody saves -> a command that is run again by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ruleforge.frontends.cli.output import output, say
from ruleforge.reading import stamps_below

SECONDS = 0.3  # between two looks


def watch(paths: tuple[Path, ...], run: Callable[[], object]) -> None:
    """Run now, and again whenever a rule file or scenario below these paths is another one; Ctrl-C ends it."""
    with suppress(KeyboardInterrupt):
        _watch(paths, run)


def _watch(paths: tuple[Path, ...], run: Callable[[], object]) -> None:
    while True:
        seen = stamps_below(paths)
        run()
        output().console().rule(f"{time.strftime('%H:%M:%S')}  waiting for a file to be saved; Ctrl-C ends")
        while (now := stamps_below(paths)) == seen:
            time.sleep(SECONDS)
        changed = sorted(str(path) for path in {*now, *seen} if now.get(path) != seen.get(path))
        say(f"{', '.join(changed[:4])} saved")
