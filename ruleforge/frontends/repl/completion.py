"""Completion in the console: commands, choices, and all names of the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from ruleforge.frontends.repl.console import Console
from ruleforge.lang.checker.scope_completion import begun_at, names, suggestions
from ruleforge.lang.checker.typed import Checked

MOST = 200


class Completing(Completer):
    """For the line at the console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        for word, length in completions(self._console, text):
            yield Completion(word, -length)


def completions(console: Console, text: str) -> list[tuple[str, int]]:
    """What could stand here, each with how many signs before the cursor it replaces."""
    line = text.rpartition(";")[2].lstrip()
    word, blank, rest = line.partition(" ")
    if not blank:
        known = [name for name in console.commands if name != "="]
        return (
            _fitting([*known, *(name.word for name in names(console.rules.checked))], line)[:MOST]
            if "." not in line
            else _inner(console, line)
        )
    found = _of_command(console, word, rest)
    return (found if found is not None else _inner(console, line))[:MOST]


def _of_command(console: Console, word: str, rest: str) -> list[tuple[str, int]] | None:
    """What can follow a command; None where it is an expression."""
    state, checked = console.state, console.rules.checked
    match word:
        case "do" | "choices":
            return _fitting([choice.text for choice in state.choices], rest)
        case "why" if rest.startswith("not "):
            return _fitting([*checked.actions, *(c.text for c in state.choices)], rest[4:])
        case "view":
            return _fitting((*state.players, "public"), rest)
        case "switch" | "diff":
            return _fitting(console.timeline.branches, rest)
        case "set":
            return _fitting(state.paths(), rest) if " " not in rest else None
        case "help":
            return _fitting(console.commands, rest)
        case "break" if rest.startswith("on "):
            return _fitting(breakable(checked), rest[3:]) if " when " not in rest else None
        case "triggers":
            return _fitting(checked.events, rest)
        case "trace":
            return _fitting(("on", "off"), rest)
    return None


def breakable(checked: Checked) -> list[str]:
    """What a breakpoint can be set on by name."""
    rules = [rule.name for rule in checked.rules]
    return [*checked.events, *rules, *checked.actions, *checked.formulas]


def _inner(console: Console, text: str) -> list[tuple[str, int]]:
    """The end of an expression: a name, or behind a dot what its owner has."""
    found = suggestions(console.rules.checked, text, len(text), {}, for_questions=True)
    return _fitting((suggestion.word for suggestion in found), begun_at(text, len(text)))


def _fitting(words: Iterable[str], begun: str) -> list[tuple[str, int]]:
    """The words that begin so, then those that contain it."""
    known = list(dict.fromkeys(words))
    first = [word for word in known if word.startswith(begun)]
    later = [word for word in known if begun and begun in word and word not in first]
    return [(word, len(begun)) for word in (*first, *later)]
