"""Renders a scene, its log and its choices as terminal text, with colours if possible."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import MappingProxyType

from rich.console import Console
from rich.text import Text

from ruleforge.engine.presentation.scene import Offer, Scene
from ruleforge.engine.presentation.styled_text import Line, Mark, colour_of, flow, text_of, text_width
from ruleforge.engine.presentation.text_renderer import Paper
from ruleforge.frontends.console.page import Page, Pages, Phases, group_lines, news_lines
from ruleforge.play.narration import Sentence
from ruleforge.play.seats.offer_groups import Group

PLAIN = str.maketrans(
    {
        "→": "->",
        "·": ".",
        "…": "...",
        "×": "x",
        "−": "-",
        "–": "-",
        "▸": ">",
        "›": ">",
        "▒": "?",
        "▏": "|",
        "▕": "|",
        "’": "'",
    }
)
STYLES = {"white": "bold", "black": "dim"}  # on a dark or a light ground alike
HINT = "? help · why · log · undo"
SHORT_HINT = "? help"


class Screen:
    """Prints lines at the width and height the terminal has just now."""

    def __init__(
        self, console: Console, plain: bool = False, signs: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`signs` stand for things; where they cannot be shown, their letters do."""
        self._console = console
        self.plain = plain
        self._letters = signs
        self._signs = re.compile("|".join(map(re.escape, sorted(signs, key=len, reverse=True))) or "(?!)")
        self._tight_at: tuple[int, int] | None = None  # the table does not change its form back and forth

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines; without a terminal as wide and as long as one likes."""
        if not self._console.is_terminal:
            return 80, 200
        columns, lines = shutil.get_terminal_size((80, 24))
        return max(columns, 30), max(lines, 12)

    def say(self, text: str, style: str = "") -> None:
        width = self.size[0] - 1
        for line in text.splitlines() or [""]:
            if text_width(line) <= width:
                self._put((Mark(line),), (), style)
                continue
            indent = len(line) - len(line.lstrip())
            words = ((Mark(word),) for word in line.split())
            for row in flow(words, width, (Mark(" " * (indent - 1)),) if indent else (), indent, " "):
                self._put(row, (), style)

    def rows(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Words and what they mean, in two columns."""
        shown = list(pairs)
        column = max((text_width(word) for word, _ in shown), default=0) + 2
        for word, meaning in shown:
            chunks = ((Mark(part),) for part in meaning.split())
            head = Mark(word.ljust(column - 1), bold=True)
            for row in flow(chunks, self.size[0] - 1, (head,), column, " "):
                self._put(row, ())

    def arranged(
        self, scene: Scene, phases: Phases, news: Sequence[Sentence], offers: Sequence[Offer]
    ) -> Page:
        """The table, the news and the choices in one screen; what has no room is there on demand."""
        columns, lines = self.size
        pages = Pages(scene, phases, news, Paper(columns - 1, self.plain))
        page = pages.fitting(lines, offers, tight=self._tight_at == self.size)
        self._tight_at = self.size if page.tight else None
        return page

    def everything(
        self, scene: Scene, phases: Phases, news: Sequence[Sentence], groups: tuple[Group, ...]
    ) -> Page:
        """The same with all small print, however long."""
        return Pages(scene, phases, news, Paper(self.size[0] - 1, self.plain, all=True)).whole(groups)

    def page(self, page: Page, scene: Scene, mine: bool) -> None:
        players = tuple(player for player, _ in scene.players)
        for line in (page.head, *page.table, *page.news):
            self._put(line, players)
        if mine and scene.asked is not None:
            question = scene.asked
            prompt = f"{question.name}: {question.prompt or 'choose'}"
            hint = HINT if text_width(f"{prompt}   {HINT}") < self.size[0] else SHORT_HINT
            self._put((Mark(prompt, bold=True, of=question.player), Mark(f"   {hint}", dim=True)), players)
            for line in page.choices:
                self._put(line, players)

    def listing(self, groups: Sequence[Group], dim: bool = False) -> None:
        for line in group_lines(groups, self.size[0] - 1):
            self._put(line, (), "dim" if dim else "")

    def news(self, sentences: Iterable[Sentence], cites: bool = False) -> None:
        for line in news_lines(sentences, self.size[0] - 1, cites):
            self._put(line, ())

    def waiting(self, words: str) -> AbstractContextManager[object]:
        """While something lasts: a line that is gone afterwards; nothing where lines cannot be taken back."""
        if not self._console.is_terminal or self._console.is_dumb_terminal:
            return nullcontext()
        spinner = "line" if self.plain else "dots"
        return self._console.status(self.text(words), spinner=spinner, spinner_style="dim")

    def clear(self) -> None:
        """Nothing is left to be seen, above the screen neither."""
        self._console.clear()
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._console.file.write("\x1b[3J")

    def text(self, line: str) -> str:
        if not self.plain:
            return line
        return self._signs.sub(lambda found: self._letters[found[0]], line).translate(PLAIN)

    def _put(self, line: Line, players: tuple[str, ...], style: str = "") -> None:
        if self._console.no_color and not self._console.is_terminal:
            self._console.print(self.text(text_of(line)), soft_wrap=True)
            return
        text = Text(style=style, no_wrap=True)
        for mark in line:
            text.append(self.text(mark.text), _style(mark, players))
        self._console.print(text, soft_wrap=True)


def _style(mark: Mark, players: tuple[str, ...]) -> str:
    colour = colour_of(mark.of, players)
    parts = [
        *(["dim"] if mark.dim else []),
        *(["bold"] if mark.bold else []),
        *(["underline"] if mark.changed else []),
        *([STYLES.get(colour, colour)] if colour else []),
    ]
    return " ".join(dict.fromkeys(parts))
