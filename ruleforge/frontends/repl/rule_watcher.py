"""Reloads the rules at the console when a rule file is saved."""

from __future__ import annotations

from ruleforge.frontends.repl.answer import Refusal, Reply
from ruleforge.frontends.repl.console import Console
from ruleforge.frontends.repl.loaded_rules import shown_file
from ruleforge.frontends.repl.rule_reload import reload
from ruleforge.support.input_files import Stamps, stamps_below

SECONDS = 0.3  # between two looks


class RuleWatcher:
    """Looks whether a file of the rules is another one than before."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._seen = self._look()

    def _look(self) -> Stamps:
        return stamps_below(self._console.rules.folders)

    def saved(self) -> bool:
        """Whether there is something to reload now."""
        return self._console.pending is None and self._look() != self._seen

    def reloaded(self) -> Reply | None:
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
        return Reply((f"{names} saved: {'; '.join(answer.lines[:1])}", *answer.lines[1:]), answer.data)
