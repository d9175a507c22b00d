"""Reads a scenario file: its steps and expectations with their places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruleforge.backends.artifacts.info import PackInfo
from ruleforge.lang.schema.validate import validate_file
from ruleforge.lang.source.tree import MappingNode, SequenceNode, SourceFile
from ruleforge.lang.source.yaml_reader import read_yaml_file
from ruleforge.support.diagnostics import Report, Span
from ruleforge.support.records import dataclass
from ruleforge.tools.project_files.own_names import with_own_names

LOOKS = ("expect", "refuse", "sees", "plays", "outcome")
GIVEN = "given"


@dataclass(frozen=True, slots=True)
class Step:
    """`word` is a player (or `chance`) with the text chosen, or one of LOOKS with what must hold, or GIVEN.

    `spans` gives the places of the entries of a look, and of the values that are given; `values` those of their values.
    """

    word: str
    content: Any
    span: Span
    spans: dict[str, Span]
    values: dict[str, Span]


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str
    span: Span
    cites: tuple[str, ...]
    players: int | None
    options: dict[str, Any]
    seed: int
    begin: tuple[str, str] | None  # the phase with which it begins, and whose round of it
    begin_span: Span
    start: dict[str, Any]
    start_spans: dict[str, Span]
    dice: tuple[str, ...] | None
    dice_span: Span
    steps: tuple[Step, ...]
    packs: tuple[str, ...] = ()  # of the game, in addition to the one it belongs to
    file: SourceFile | None = None

    @property
    def is_scripted(self) -> bool:
        """Does it say itself what chance brings?"""
        return self.dice is not None or any(step.word == "chance" for step in self.steps)


def spoken_among(scenario: Scenario, packs: tuple[PackInfo, ...]) -> Scenario:
    """The scenario of a pack with the names that its things have where all these packs are there."""
    folder = Path(scenario.span.file).resolve().parents
    own = next(
        (pack for pack in packs if pack.names and Path(pack.files[0]).resolve().parent in folder), None
    )
    if own is None or scenario.file is None:
        return scenario
    return _scenario(with_own_names(scenario.file, own.names))


def read_scenario(path: Path, report: Report, home: Path | None = None) -> Scenario | None:
    """The scenario in a file; None after diagnostics. It must not lead out of `home`."""
    mine = Report()
    file = read_yaml_file(path, mine, home)
    if file is not None:
        validate_file(file, "scenario", mine)
    for d in mine:
        report.add(d.code, d.message, d.span, d.help, d.notes)
    if file is None or mine.has_errors:
        return None
    return _scenario(file)


def _scenario(file: SourceFile) -> Scenario:
    root = file.root
    data = root.data
    begin, start, dice, steps = (root.get(key) for key in ("begin", "start", "dice", "steps"))
    assert isinstance(steps, SequenceNode)
    return Scenario(
        title=data["scenario"],
        span=root.span,
        cites=tuple(data.get("cites", ())),
        players=data.get("players"),
        options=data.get("options", {}),
        seed=data.get("seed", 0),
        begin=_begin(data.get("begin")),
        begin_span=root.span if begin is None else begin.span,
        start=data.get("start", {}),
        start_spans=_spans(start),
        dice=None if dice is None else tuple(str(die) for die in data["dice"]),
        dice_span=root.span if dice is None else dice.span,
        steps=tuple(_step(node) for node in steps.items if isinstance(node, MappingNode)),
        packs=tuple(data.get("with", ())),
        file=file,
    )


def _begin(data: Any) -> tuple[str, str] | None:
    if data is None:
        return None
    return (data, "") if isinstance(data, str) else (data["phase"], data.get("player", ""))


def _step(node: MappingNode) -> Step:
    entry = node.entries[0]
    content = entry.value.data
    return Step(
        word=entry.name,
        content=content if entry.name in (*LOOKS, GIVEN) else str(content),
        span=entry.key.span.to(entry.value.span),
        spans=_spans(entry.value),
        values=_values(entry.value),
    )


def _spans(node: object) -> dict[str, Span]:
    if not isinstance(node, MappingNode):
        return {}
    return {entry.name: entry.key.span.to(entry.value.span) for entry in node}


def _values(node: object) -> dict[str, Span]:
    return {entry.name: entry.value.span for entry in node} if isinstance(node, MappingNode) else {}
