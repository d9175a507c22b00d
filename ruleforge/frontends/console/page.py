"""Fits a scene, its log and its choices on one screen: the most detailed form that has room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from ruleforge.engine.presentation.scene import Offer, Scene
from ruleforge.engine.presentation.styled_text import Line, Mark, flow, padded, text_width, width_of
from ruleforge.engine.presentation.text_renderer import GAME, Paper, drawn, game_facts
from ruleforge.play.narration import Sentence
from ruleforge.play.seats.offer_groups import Group, levels
from ruleforge.support.records import dataclass

LEAST_NEWS, FEW_NEWS, MOST_NEWS, LEAST_CHOICES = 2, 5, 9, 5
Phases = tuple[tuple[str, bool], ...]
MOST_BELOW = 8  # more choices than this stand in pairs
MOST_ACROSS = 10  # choices beside one another
GAP = 3  # between a choice and what stands beside it
OTHERS = 4  # the head, the line above the choices, the prompt, the answer that is echoed


@dataclass(frozen=True, slots=True)
class Page:
    """The screen before a decision; `groups` are the choices with their letters."""

    head: Line
    table: list[Line]
    news: list[Line]
    choices: list[Line]
    groups: tuple[Group, ...] = ()
    tight: bool = False


class Pages:
    """The ways to put one table, its news and its choices on paper."""

    def __init__(self, scene: Scene, phases: Phases, news: Sequence[Sentence], paper: Paper) -> None:
        self._news, self._paper = news, paper
        self._head, self._scene = headed(scene, phases, paper)

    def whole(self, groups: tuple[Group, ...] = ()) -> Page:
        """Everything, however long it gets."""
        return Page(self._head, self._wide, self._listed, group_lines(groups, self._paper.width), groups)

    def fitting(self, lines: int, offers: Sequence[Offer], tight: bool = False) -> Page:
        """The first way that fits: rather fine choices than a wide table, rather that than news line by line."""
        room = lines - OTHERS
        lettered: tuple[Group, ...] = ()
        for lettered in levels(offers):
            if len(lettered) > room * MOST_ACROSS:
                continue
            choices = group_lines(lettered, self._paper.width)
            for table, news in self._ways(tight):
                if len(table) + len(news) + len(choices) <= room:
                    return Page(self._head, table, news, choices, lettered, table is not self._wide)
            left = room - len(self._least) - len(choices)
            if left >= FEW_NEWS:  # rather these than coarser choices
                return Page(self._head, self._least, _end_of(self._run_on, left), choices, lettered, True)
        choices = group_lines(lettered, self._paper.width)
        room -= len(self._least)
        news = _end_of(self._run_on, max(LEAST_NEWS, room - len(choices)))
        most = max(LEAST_CHOICES, room - len(news))
        if len(choices) > most:
            choices = [*choices[: most - 1], (Mark("  … more: choices", dim=True),)]
        return Page(self._head, self._least, news, choices, lettered, True)

    def _ways(self, tight: bool) -> Iterator[tuple[list[Line], list[Line]]]:
        for table in (self._tight, self._least) if tight else (self._wide, self._tight, self._least):
            yield table, self._listed
            yield table, _end_of(self._run_on, MOST_NEWS)

    @cached_property
    def _wide(self) -> list[Line]:
        return drawn(self._scene, self._paper)

    @cached_property
    def _tight(self) -> list[Line]:
        return drawn(self._scene, replace(self._paper, tight=True))

    @cached_property
    def _least(self) -> list[Line]:
        return drawn(self._scene, replace(self._paper, tight=True, least=True))

    @cached_property
    def _listed(self) -> list[Line]:
        return news_lines(self._news, self._paper.width)

    @cached_property
    def _run_on(self) -> list[Line]:
        return news_lines(self._news, self._paper.width, run_on=True)


def _end_of(news: list[Line], most: int) -> list[Line]:
    """The last lines, and how many there are before."""
    earlier = len(news) - most
    if earlier <= 0:
        return news
    return [(Mark(f"  … {earlier + 1} lines before this: log", dim=True),), *news[earlier + 1 :]]


# --- the head ---


def headed(scene: Scene, phases: Phases, paper: Paper) -> tuple[Line, Scene]:
    """The head and the rest of the table: the title, the phases of a turn, and what is said of the game if it fits."""
    title, now = (
        Mark(scene.title.upper(), bold=True),
        " › ".join(f"[{name}]" for name, here in phases if here),
    )
    text = " › ".join(f"[{name}]" if here else name for name, here in phases)
    facts = None if paper.all else game_facts(scene, paper)
    rest = replace(scene, panels=tuple(panel for panel in scene.panels if panel.id != GAME))
    ways = ((text, facts), (now, facts), (text, None), (now, None))
    for words, entries in ways:
        line = (title, *_apart((Mark(words, dim=True),) if words else ()), *_apart(entries or ()))
        if width_of(line) <= paper.width:
            break
    return line, scene if entries is None else rest


def _apart(marks: Line) -> Line:
    return (Mark("   "), *marks) if marks else ()


# --- choices ---


def group_lines(groups: Sequence[Group], width: int) -> list[Line]:
    """Each group under its letter with what it costs and does; short ones stand beside one another."""
    longest = max((len(group.letter) for group in groups), default=1)
    heads = [Mark(f"  {group.letter.ljust(longest)}  ", bold=True) for group in groups]
    if len(groups) > 3 and not any(group.beside for group in groups):
        cells: list[Line] = [(head, Mark(group.words)) for head, group in zip(heads, groups, strict=True)]
        if all(width_of(cell) <= width // 3 - 2 for cell in cells):
            return _side_by_side(cells, width)
        if len(groups) > MOST_BELOW and all(width_of(cell) < width for cell in cells):
            return _in_pairs(cells, width)
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


def _in_pairs(cells: Sequence[Line], width: int) -> list[Line]:
    """Two short ones on a line; a long one has a line of its own."""
    half, lines = width // 2, []
    waiting: Line | None = None
    for cell in cells:
        short = width_of(cell) < half
        if waiting is not None and short:
            lines.append((*padded(waiting, half), *cell))
            waiting = None
            continue
        lines += [waiting] if waiting is not None else []
        waiting = cell if short else None
        lines += [] if short else [cell]
    return [*lines, *([waiting] if waiting is not None else [])]


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


# --- news ---


def news_lines(
    sentences: Iterable[Sentence], width: int, cites: bool = False, run_on: bool = False
) -> list[Line]:
    """A line for each sentence; or, to save room, what came of a step runs on behind it."""
    lines: list[Line] = []
    for depth, text in _paragraphs(sentences, run_on):
        indent = 2 + 2 * depth
        words = ((Mark(word),) for sentence in text for word in _words(sentence, cites).split())
        lines += flow(words, width, (Mark(" " * (indent - 1)),), indent, " ")
    return lines


def _paragraphs(sentences: Iterable[Sentence], run_on: bool) -> Iterator[tuple[int, list[Sentence]]]:
    if not run_on:
        yield from ((sentence.depth, [sentence]) for sentence in sentences)
        return
    entries: list[Sentence] = []
    for sentence in sentences:
        if entries and sentence.depth == 0:
            yield 0, entries
            entries = []
        entries.append(sentence)
    if entries:
        yield 0, entries


def _words(sentence: Sentence, cites: bool) -> str:
    clauses = f" ({', '.join(sentence.clauses)})" if cites and sentence.clauses else ""
    pack = f" ({sentence.pack})" if sentence.pack else ""
    return f"{sentence.text}{pack}{clauses}"
