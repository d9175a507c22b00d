"""Templates of new folders: a first game, made after `first_game`, and a first pack for a game."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from ruleforge.contracts.contract_reader import contract_of
from ruleforge.contracts.judge import findings
from ruleforge.engine.loader import load
from ruleforge.lang.model.ruleset import Kind, Ruleset, Thing
from ruleforge.lang.model.words import pretty
from ruleforge.project.pipeline import Analysis
from ruleforge.project.resolver import analyse
from ruleforge.support.output_files import write_text

_PATTERN = Path(__file__).parent / "first_game"
_TRIED = 24  # things of the game that are taken as a pattern, until the pack has no mistake


# The files of a first game: cards, a turn, an ending, a rulebook.


def game_files(name: str) -> dict[str, str]:
    """File name -> text; clauses begin with the first letters of the words of the name."""
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


# The files of a first pack for a game: one thing that its contract admits, and a scenario.


class NoPattern(Exception):
    """A game that nothing can be added to."""


def expansion_files(name: str, game: str) -> dict[str, str]:
    """File name -> text. Raises NoPattern if the game admits no thing, be it made after one of its own or not."""
    alone = analyse(game)
    rules = alone.ruleset
    assert rules is not None
    for card in (*(_card(name, *pattern) for pattern in _patterns(rules)), _own_card(name)):
        files = {"pack.yaml": _pack(name, rules), "cards.yaml": card}
        if _is_fine(game, files, alone):
            player = load(game).start().decision
            assert player is not None
            return {
                **files,
                "scenarios/begins.yaml": _scenario(name, player.player),
                "README.md": _readme(name, rules),
            }
    raise NoPattern(f"the contract of `{game}` admits no new things")


def _patterns(rules: Ruleset) -> Iterator[tuple[Kind, Thing]]:
    """Things with facts, of the kinds with the most of them first; plain ones before those with rules of their own."""
    kinds = [k for k in rules.kinds if k.facts and k.things and not k.is_drawn and k.id != "player"]
    pairs = [(kind, thing) for kind in kinds for thing in reversed(kind.things)]  # the common ones stand last
    pairs.sort(key=lambda pair: (-len(pair[0].things), len(pair[1].rules) + len(pair[1].actions)))
    yield from pairs[:_TRIED]


def _is_fine(game: str, files: dict[str, str], alone: Analysis) -> bool:
    """Whether a pack adds no diagnostic to those about the game itself, and keeps its contract."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            write_text(Path(folder) / file, text)
        found: Analysis = analyse(game, [folder], before=alone)
        if not set(found.diagnostics) <= set(alone.diagnostics):
            return False
        return findings(found, contract_of(found.path)).verdict == "accepted"


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


def _own_card(name: str) -> str:
    """For a game that lets nobody add to its kinds."""
    id_, title = name.replace("-", "_"), _title(name)
    return f"""\
# A kind of its own with one thing: the kinds of the game take no more. Give it places, and rules of its own.
kinds:
  {id_}_card:
    text: The cards of {title}.
    facts:
      worth: 1..3
    things:
      {id_}_one:
        title: {title} One
        text: As printed on the card.
        worth: 1
"""


def _value(text: str) -> str:
    return " ".join(text.split())


def _scenario(name: str, player: str) -> str:
    return f"""\
scenario: a game with {_title(name)} begins
steps:
  - expect:
      decision.player: {player}
"""


def _readme(name: str, rules: Ruleset) -> str:
    return f"""\
# {_title(name)}

A pack for {rules.title}.

| file | |
|---|---|
| `pack.yaml` | what it is, and which versions of the game it fits |
| `cards.yaml` | what it adds |
| `scenarios/` | what must hold; `ruleforge test {name}` runs them |
"""


def _title(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").title()
