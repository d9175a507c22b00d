"""Splits typed text into commands, and completes commands, choices and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from ruleforge.frontends.repl.console import Console
from ruleforge.lang.checker.scope_completion import begun_at, names, suggestions
from ruleforge.lang.checker.typed import Checked

OPENING, CLOSING = "([{", ")]}"
MOST = 200


def commands_in(lines: Iterable[str]) -> Iterator[str]:
    """The commands in lines, one a line or several with `;`; a block behind `:` or in brackets is one with
    its head.

    Each command is yielded as soon as its last line is read, so that a user at a pipe gets each answer at
    once.
    """
    block: list[str] = []
    for line in lines:
        if block and not _belongs(block, line):
            yield from _of_block(block)
            block = []
        block.append(line.rstrip("\r\n"))
        if not _open(block):
            yield from _of_block(block)
            block = []
    yield from _of_block(block)


def unfinished(text: str) -> bool:
    """Whether more lines belong to a text that is being typed: an open bracket, or a block begun by `:`."""
    lines = text.split("\n")
    bare = [uncommented(line).rstrip() for line in lines]
    if _depth(" ".join(bare)) > 0:
        return True
    if not any(line.endswith(":") for line in bare):
        return False
    return bool(lines[-1].strip())  # an empty line ends the block


def _open(block: list[str]) -> bool:
    """Whether more lines may belong to a block."""
    bare = [uncommented(each).rstrip() for each in block]
    return _depth(" ".join(bare)) > 0 or any(each.endswith(":") for each in bare)


def _belongs(block: list[str], line: str) -> bool:
    """Whether a line of a script still belongs to the block before it."""
    if _depth(" ".join(map(uncommented, block))) > 0:
        return True
    return line[:1] in (" ", "\t") and bool(line.strip())


def uncommented(line: str) -> str:
    """The line without what follows a `#`."""
    return line.partition("#")[0]


def _of_block(block: list[str]) -> Iterator[str]:
    bare = [uncommented(line).rstrip() for line in block]
    if any(line.endswith(":") for line in bare):
        text = "\n".join(bare).strip()
        if text:
            yield text
        return
    yield from split(" ".join(bare))


def split(text: str) -> Iterator[str]:
    """The parts of a line between `;`, those inside brackets left alone."""
    depth, begin = 0, 0
    for at, sign in enumerate(text):
        if sign in OPENING:
            depth += 1
        elif sign in CLOSING:
            depth = max(0, depth - 1)
        elif sign == ";" and not depth:
            if text[begin:at].strip():
                yield text[begin:at].strip()
            begin = at + 1
    if text[begin:].strip():
        yield text[begin:].strip()


def _depth(text: str) -> int:
    return sum((sign in OPENING) - (sign in CLOSING) for sign in text)


# Completion in the console: commands, choices, and all names of the checker.


class Completing(Completer):
    """For the line at the console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        text = document.text_before_cursor
        for word, length in completions(self._console, text):
            yield Completion(word, -length)


def completions(console: Console, text: str) -> list[tuple[str, int]]:
    """The possible completions, each with the number of signs before the cursor that it replaces."""
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
    """The words that can follow a command; None if it takes an expression."""
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
    """The names on which a breakpoint can be set."""
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
