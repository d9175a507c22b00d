"""A console of Rich that prints all text as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from ruleforge.support.terminal_escape import harmless

AS_TEXT: dict[str, Any] = {"highlight": False, "soft_wrap": False, "markup": False, "emoji": False}


class PlainConsole(Console):
    """A Rich console without markup and links; control characters are printed as signs."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=harmless(segment.text))

    def on_broken_pipe(self) -> NoReturn:
        """Raise the error, as everywhere else, when the reader of the pipe is gone; Rich would exit with 1."""
        raise BrokenPipeError
