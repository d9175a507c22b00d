"""Sources of answers: a terminal, or the lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory


class Reader(Protocol):
    """Gives lines; EOFError when there are no more, KeyboardInterrupt where a line was broken off."""

    at_terminal: bool

    def line(self, prompt: str, words: Sequence[str]) -> str: ...


class TerminalReader:
    """Reads answers from a person; Tab completes whole answers and single words."""

    at_terminal = True

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession(history=InMemoryHistory())

    def line(self, prompt: str, words: Sequence[str]) -> str:
        return self._session.prompt(prompt, completer=Words(words), complete_while_typing=False).strip()


class LineReader:
    """Takes lines as they come, and shows them behind the prompt; empty ones and comments are passed over."""

    at_terminal = False

    def __init__(self, lines: Iterable[str], show: Callable[[str], None]) -> None:
        self._lines = iter(lines)
        self._show = show
        self.number = 0

    def line(self, prompt: str, words: Sequence[str]) -> str:
        for line in self._lines:
            self.number += 1
            text = line.partition("#")[0].strip()
            if text:
                self._show(f"{prompt}{text}")
                return text
        raise EOFError


class Words(Completer):
    """Completes the line to whole answers, or its last word to a word of an answer, in any case."""

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = answers

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor.casefold()
        whole = [answer for answer in self._answers if answer.casefold().startswith(before)]
        readable = [answer for answer in whole if "_" not in answer]  # ids where nothing else is begun so
        for answer in dict.fromkeys(readable or whole):
            yield Completion(answer, start_position=-len(before))
        last = before.rpartition(" ")[2]
        if not whole and last:
            words = sorted({word for answer in self._answers for word in answer.split()})
            for word in words:
                if word.casefold().startswith(last):
                    yield Completion(word, start_position=-len(last))
