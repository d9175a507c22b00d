"""Rule files that somebody saves meanwhile -> a reload by itself."""

from __future__ import annotations

from ruleforge.frontends.repl.answer import Answer, Refusal
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.reloading import reload
from ruleforge.frontends.repl.rules import shown_file
from ruleforge.support.input_files import Stamps, stamps_below

SECONDS = 0.3  # between two looks


class Watching:
    """Looks whether a file of the rules is another one than before."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seen = self._look()

    def _look(self) -> Stamps:
        return stamps_below(self._console.rules.folders)

    def saved(self) -> bool:
        """Whether there is something to reload now."""
        return self._console.pending is None and self._look() != self._seen

    def reloaded(self) -> Answer | None:
        """What a reload came to, if a file was saved and no step is stopped half-way. Raises Refusal."""
        if self._console.pending is not None:
            return None
        now = self._look()
        if now == self._seen:
            return None
        files = sorted({str(path) for path in {*now, *self._seen} if now.get(path) != self._seen.get(path)})
        names = ", ".join(shown_file(file, self._console.rules.folders) for file in files[:4])
        self._seen = now
        try:
            answer = reload(self._console)
        except Refusal as refusal:
            raise Refusal(f"{names} saved: {refusal.message}", refusal.diagnostics) from None
        self._console.keep("reload")
        return Answer((f"{names} saved: {'; '.join(answer.lines[:1])}", *answer.lines[1:]), answer.data)
