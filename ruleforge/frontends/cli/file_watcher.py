"""Runs a command again whenever a watched file is saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ruleforge.frontends.cli.output import output, say
from ruleforge.support.input_files import Stamps, stamps_below

SECONDS = 0.3  # between two looks
MOST = 4  # files that are named


def watch(paths: tuple[Path, ...], run: Callable[[], object]) -> None:
    """Run now, and again whenever a rule file or scenario below these paths is another one; Ctrl-C ends it."""
    with suppress(KeyboardInterrupt):
        _watch(paths, run)


def _watch(paths: tuple[Path, ...], run: Callable[[], object]) -> None:
    while True:
        seen = stamps_below(paths)
        run()
        output().console().rule(f"{time.strftime('%H:%M:%S')}  waiting for changes; Ctrl-C ends")
        while (now := stamps_below(paths)) == seen:
            time.sleep(SECONDS)
        say("; ".join(changes(seen, now)))


def changes(seen: Stamps, now: Stamps) -> Iterator[str]:
    """Which files were saved, and which are gone; a few of them."""
    changed = sorted(path for path in {*now, *seen} if now.get(path) != seen.get(path))
    for word, paths in (
        ("saved", [path for path in changed if path in now]),
        ("gone", [path for path in changed if path not in now]),
    ):
        if paths:
            more = f" and {len(paths) - MOST} more" if len(paths) > MOST else ""
            yield f"{', '.join(map(str, paths[:MOST]))}{more} {word}"
