"""Scene, news and choices -> text that fits the terminal, with colours if it has them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from ruleforge.frontends.table.grouping import Group
from ruleforge.narration import Sentence
from ruleforge.present.draw import Paper, drawn, fitting
from ruleforge.present.lines import Line, Mark, flow, text_of, text_width, width_of
from ruleforge.present.palette import colour_of
from ruleforge.present.scene import Scene

PLAIN = str.maketrans(
    {
        "→": "->",
        "·": ".",
        "…": "...",
        "×": "x",
        "−": "-",
        "–": "-",
        "▸": ">",
        "▒": "?",
        "▏": "|",
        "▕": "|",
        "’": "'",
    }
)
STYLES = {"white": "bold", "black": "dim"}  # on a dark or a light ground alike
LEAST_NEWS, MOST_NEWS, LEAST_CHOICES = 2, 5, 5
HINT = "? help · why · log · undo"


@dataclass(frozen=True, slots=True)
class Page:
    """What one looks at before a decision."""

    scene: Scene
    head: str
    news: tuple[Sentence, ...] = ()
    groups: tuple[Group, ...] = ()


GAP = 3  # between a choice and what stands beside it
OTHERS = 4  # the head, the line above the choices, the prompt, the answer that is echoed


class Screen:
    """Prints lines at the width and height the terminal has just now."""

    def __init__(self, console: Console, plain: bool = False) -> None:
        self._console = console
        self.plain = plain

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
            for row in flow(words, width, (Mark(" " * indent),) if indent else (), indent, " "):
                self._put(row, (), style)

    def page(self, page: Page, choices: bool = True, whole: bool = False) -> None:
        """The table, the news and the choices in one screen; what has no room is there on demand."""
        columns, lines = self.size
        players = tuple(player for player, _ in page.scene.players)
        paper = Paper(columns - 1, self.plain, whole)
        table = drawn(page.scene, paper) if whole else fitting(page.scene, paper, self._for_table(lines))
        groups = group_lines(page.groups, columns - 1) if choices else []
        news = news_lines(page.news, columns - 1)
        room = lines - OTHERS - len(table)
        if not whole and len(groups) + len(news) > room:
            keep = min(len(news), max(LEAST_NEWS, room - len(groups)))
            earlier = len(news) - keep
            before = (Mark(f"  … {earlier + 1} lines before this: log", dim=True),)
            news = [before, *news[earlier + 1 :]] if earlier else news
        most = max(LEAST_CHOICES, room - len(news))
        if len(groups) > most:
            groups = [*groups[: most - 1], (Mark("  … more: choices", dim=True),)]
        self._put((Mark(page.head, bold=True),), players)
        for line in (*table, *news):
            self._put(line, players)
        if choices and page.scene.asked is not None:
            asked = page.scene.asked
            prompt = f"{asked.name}: {asked.prompt or 'choose'}"
            self._put((Mark(prompt, bold=True, of=asked.player), Mark(f"   {HINT}", dim=True)), players)
            for line in groups:
                self._put(line, players)

    def room(self, scene: Scene, news: Sequence[Sentence]) -> int:
        """How many lines there are for choices, with some of the news."""
        columns, lines = self.size
        told = min(len(news_lines(news, columns - 1)), MOST_NEWS)
        table = fitting(scene, Paper(columns - 1, self.plain), self._for_table(lines))
        return max(LEAST_CHOICES, lines - OTHERS - len(table) - told)

    def _for_table(self, lines: int) -> int:
        return lines - OTHERS - LEAST_CHOICES - LEAST_NEWS

    def fits(self, groups: Sequence[Group], room: int) -> bool:
        return len(group_lines(groups, self.size[0] - 1)) <= room

    def listing(self, groups: Sequence[Group], dim: bool = False) -> None:
        for line in group_lines(groups, self.size[0] - 1):
            self._put(line, (), "dim" if dim else "")

    def news(self, sentences: Iterable[Sentence], cites: bool = False) -> None:
        for line in news_lines(sentences, self.size[0] - 1, cites):
            self._put(line, ())

    def clear(self) -> None:
        self._console.clear()

    def text(self, line: str) -> str:
        return line.translate(PLAIN) if self.plain else line

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


def group_lines(groups: Sequence[Group], width: int) -> list[Line]:
    """Each group under its letter with what it costs and does; short ones stand beside one another."""
    longest = max((len(group.letter) for group in groups), default=1)
    heads = [Mark(f"  {group.letter.ljust(longest)}  ", bold=True) for group in groups]
    if len(groups) > 3 and not any(group.beside for group in groups):
        cells: list[Line] = [(head, Mark(group.words)) for head, group in zip(heads, groups, strict=True)]
        if all(width_of(cell) <= width // 3 - 2 for cell in cells):
            return _side_by_side(cells, width)
    at = _beside_at(groups, longest + 4, width)
    return [
        line
        for head, group in zip(heads, groups, strict=True)
        for line in _group_lines(head, group, width, at)
    ]


def _side_by_side(cells: Sequence[Line], width: int) -> list[Line]:
    column = max(width_of(cell) for cell in cells) + 2
    across = max(1, width // column)
    down = -(-len(cells) // across)
    rows = [cells[start::down] for start in range(down)]
    return [tuple(m for cell in row for m in (*cell, Mark(" " * (column - width_of(cell))))) for row in rows]


def _beside_at(groups: Sequence[Group], indent: int, width: int) -> int:
    """The column for what stands beside choices, where most of them leave room for it."""
    room = width - max((text_width(group.beside) for group in groups), default=0)
    ends = [indent + text_width(group.words) + GAP for group in groups if group.beside]
    return max((end for end in ends if end <= room), default=0)


def _group_lines(head: Mark, group: Group, width: int, at: int) -> list[Line]:
    indent = text_width(head.text)
    chunks: list[Line] = [(Mark(word),) for word in group.words.split()]
    lines = flow(chunks, width, (head,), indent + 2, " ") if chunks else [(head,)]
    lines = [_without_double_space(line) for line in lines]
    if not group.beside:
        return lines
    used = width_of(lines[-1])
    start = max(at, used + GAP) if len(lines) == 1 else used + GAP
    if start + text_width(group.beside) <= width:
        return [*lines[:-1], (*lines[-1], Mark(" " * (start - used)), Mark(group.beside, dim=True))]
    words: list[Line] = [(Mark(word, dim=True),) for word in group.beside.split()]
    return [*lines, *flow(words, width, (Mark(" " * (indent + 1)),), indent + 2, " ")]


def _without_double_space(line: Line) -> Line:
    """The head ends with its own space."""
    if len(line) > 1 and line[0].text.endswith("  ") and line[1].text == " ":
        return (line[0], *line[2:])
    return line


def news_lines(sentences: Iterable[Sentence], width: int, cites: bool = False) -> list[Line]:
    lines: list[Line] = []
    for sentence in sentences:
        clauses = f" ({', '.join(sentence.clauses)})" if cites and sentence.clauses else ""
        pack = f" ({sentence.pack})" if sentence.pack else ""
        indent = 2 + 2 * sentence.depth
        words = ((Mark(word),) for word in f"{sentence.text}{pack}{clauses}".split())
        lines += flow(words, width, (Mark(" " * (indent - 1)),), indent, " ")
    return lines
