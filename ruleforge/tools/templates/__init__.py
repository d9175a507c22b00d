"""Templates of new folders: a first game, made after `first_game`, and a first pack for a game."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judge import findings
from ruleforge.engine.loader import load
from ruleforge.engine.state import State
from ruleforge.lang.model.ruleset import Kind, Phase, Ruleset, Thing
from ruleforge.lang.model.words import pretty
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.output_files import write_text

_PATTERN = Path(__file__).parent / "first_game"
_TRIED = 24  # things of the game that are taken as a pattern, until the pack has no mistake


# The files of a first game: cards, a turn, an ending, a rulebook.


def game_files(name: str) -> dict[str, str]:
    """Map file names to texts; clause ids begin with the first letters of the words of the name."""
    words = {
        "my-game": name,
        "My Game": pretty(name.replace("-", "_")),
        "MG-": "".join(word[:1] for word in name.split("-")).upper() + "-",
    }
    return {
        file.relative_to(_PATTERN).as_posix(): _with(words, file.read_text("utf-8"))
        for file in sorted(_PATTERN.rglob("*.*"))
    }


def _with(words: dict[str, str], text: str) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text


# The files of a first pack for a game: things, a rule that does something, clauses, a scenario.


class NoPattern(Exception):
    """A game that nothing can be added to."""


def expansion_files(name: str, game: str) -> dict[str, str]:
    """Map file names to texts. Raises NoPattern if the game admits no new things, or no rule of the pack."""
    alone = analyse(game)
    rules = alone.ruleset
    assert rules is not None
    clauses = _clauses(name, alone)
    head = {"pack.yaml": _pack(name, rules)}
    cards = ({**head, "cards.yaml": _card(name, *pattern)} for pattern in _patterns(rules))
    files = next((files for files in cards if _fine(game, files, alone) is not None), head)
    for phase in _phases(rules.flow):
        whole = {**files, "rules.yaml": _rules(name, phase, clauses)}
        state = _fine(game, whole, alone)
        counted = state[f"{_id(name)}_counter_1.seen"] if state is not None else 0
        if isinstance(counted, int) and counted > 0:
            return {
                **whole,
                "rulebook.yaml": _rulebook(name, phase, clauses),
                "scenarios/begins.yaml": _scenario(name, clauses, counted),
                "README.md": _readme(name, rules, "cards.yaml" in whole),
            }
    raise NoPattern(f"the contract of `{game}` admits no new things, or no rule of it")


def _phases(flow: tuple[Phase, ...]) -> Iterator[Phase]:
    for phase in flow:
        yield phase
        yield from _phases(phase.steps)


def _clauses(name: str, alone: Analysis) -> str:
    """The letters before the numbers of its clauses, which are not those of the game."""
    letters = "".join(word[0] for word in re.split("[-_]", name) if word).upper()
    taken = (
        any(file.content.find(f"{letters}-") >= 0 for file in alone.source.files) if alone.source else False
    )
    return f"{letters}X" if taken else letters


def _fine(game: str, files: dict[str, str], alone: Analysis) -> State | None:
    """A game with a pack that adds no diagnostic to those of the game itself, and keeps its contract."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            write_text(Path(folder) / file, text)
        found = analyse(game, [folder], before=alone)
        if not set(found.diagnostics) <= set(alone.diagnostics):
            return None
        accepted = findings(found, contract_of(found.path)).verdict == "accepted"
        return load(game, [folder]).start() if accepted else None


def _patterns(rules: Ruleset) -> Iterator[tuple[Kind, Thing]]:
    """Things with facts, of the kinds with the most of them first; plain ones before those with rules of their own."""
    kinds = [k for k in rules.kinds if k.facts and k.things and not k.is_drawn and k.id != "player"]
    pairs = [(kind, thing) for kind in kinds for thing in reversed(kind.things)]  # the common ones stand last
    pairs.sort(key=lambda pair: (-len(pair[0].things), len(pair[1].rules) + len(pair[1].actions)))
    yield from pairs[:_TRIED]


def _pack(name: str, rules: Ruleset) -> str:
    return f"""\
# What this pack is, and which game it belongs to.
pack:
  id: {name}
  title: {_title(name)}
  version: "0.1"
  language: 1
  text: A first pack for {rules.title}.
  for:
    core: {rules.id}
    versions: "{rules.version}"
"""


def _card(name: str, kind: Kind, thing: Thing) -> str:
    facts = "".join(f"        {fact}: {_value(text.text)}\n" for fact, text in thing.facts)
    return f"""\
# One more {kind.title or kind.id}, made after `{thing.id}`. Change its facts, then give it rules of its own.
kinds:
  {kind.id}:
    things:
      {name.replace("-", "_")}_one:
        title: {_title(name)} One
        text: As printed on the card.
{facts}"""


def _rules(name: str, phase: Phase, clauses: str) -> str:
    return f"""\
# A kind of its own with one thing, and a rule that does something: it counts. Put yours in their place.
kinds:
  {_id(name)}_counter:
    title: {_title(name)} Counter
    text: It counts how often the game came to a phase.
    count: 1
    has:
      seen:
        type: 0..9999
        text: How often it was.
        cites: [{clauses}-1]

rules:
  {_id(name)}_counts:
    text: Whenever `{phase.id}` begins, the counter goes up.
    cites: [{clauses}-1]
    after: start of {phase.id}
    do: |
      for t in {_id(name)}_counters where t.seen < 9999: t.seen += 1
"""


def _rulebook(name: str, phase: Phase, clauses: str) -> str:
    return f"""\
# What the pack says, clause by clause. Rules and scenarios cite the clauses; `ruleforge coverage` holds them together.
game: {name}
title: {_title(name)}
summary: A counter that goes up.
clauses:
  - id: {clauses}-1
    section: Counter
    kind: effect
    rule: Whenever the phase {phase.id} begins, the counter goes up by one.
"""


def _value(text: str) -> str:
    return " ".join(text.split())


def _scenario(name: str, clauses: str, counted: int) -> str:
    return f"""\
scenario: a game with {_title(name)} begins, and the counter has counted
cites: [{clauses}-1]
steps:
  - expect:
      {_id(name)}_counter_1.seen: {counted}
"""


def _readme(name: str, rules: Ruleset, has_card: bool) -> str:
    card = "| `cards.yaml` | one more thing of a kind of the game |\n" if has_card else ""
    return f"""\
# {_title(name)}

A pack for {rules.title}.

| file | |
|---|---|
| `pack.yaml` | what it is, and which versions of the game it fits |
{card}| `rules.yaml` | a kind of its own, and a rule that does something |
| `rulebook.yaml` | what the pack says, clause by clause |
| `scenarios/` | what must hold; `ruleforge test {name}` runs them |

`ruleforge check-expansion {name}` judges it, `ruleforge pack {name}` makes one file of it.
"""


def _id(name: str) -> str:
    return name.replace("-", "_")


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").title()
